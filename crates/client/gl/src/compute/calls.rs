//! Dispatches (GL 4.6 §19) and memory barriers (GL 4.6 §7.13). Must not know what a program binds.

use crate::bounds::group_count;
use crate::buffer::state::Target;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::query::emit::conditional_skip;
use crate::tokens as t;
use crate::tracker::Verb;
use mgl_pipe::Bool8;
use mgl_pipe::records::{LaunchGrid, MemoryBarrier};

/// Bytes of `DispatchIndirectCommand`.
const COMMAND: u64 = 12;

/// Barriers of `glMemoryBarrierByRegion` (GL 4.6 §7.13.2): what fragment shaders do to each other.
const BY_REGION: u32 = t::ATOMIC_COUNTER_BARRIER_BIT
    | t::FRAMEBUFFER_BARRIER_BIT
    | t::SHADER_IMAGE_ACCESS_BARRIER_BIT
    | t::SHADER_STORAGE_BARRIER_BIT
    | t::TEXTURE_FETCH_BARRIER_BIT
    | t::UNIFORM_BARRIER_BIT;

/// All barriers of `glMemoryBarrier`.
const BARRIERS: u32 = BY_REGION
    | t::VERTEX_ATTRIB_ARRAY_BARRIER_BIT
    | t::ELEMENT_ARRAY_BARRIER_BIT
    | t::COMMAND_BARRIER_BIT
    | t::PIXEL_BUFFER_BARRIER_BIT
    | t::TEXTURE_UPDATE_BARRIER_BIT
    | t::BUFFER_UPDATE_BARRIER_BIT
    | t::CLIENT_MAPPED_BUFFER_BARRIER_BIT
    | t::QUERY_BUFFER_BARRIER_BIT
    | t::TRANSFORM_FEEDBACK_BARRIER_BIT;

/// The program in use has a compute stage (GL 4.6 §19); false when conditional rendering discards the dispatch.
fn ready(ctx: &mut Context) -> GlResult<bool> {
    ctx.poll_shared_changes();
    ctx.resolve_program(Verb::Dispatch)?;
    if ctx.verb_program().is_none_or(|program| !program.compute) {
        return Err(GlError::invalid_operation("no program with a compute stage is in use"));
    }
    Ok(!conditional_skip(ctx))
}

/// `glDispatchCompute`.
pub fn dispatch_compute(ctx: &mut Context, x: u32, y: u32, z: u32) -> GlResult {
    let (grid, limits) = ([x, y, z], group_count(&ctx.instance.caps));
    let run = ready(ctx)?;
    if grid.iter().zip(limits).any(|(n, limit)| *n > limit) {
        return Err(GlError::invalid_value("more work groups than GL_MAX_COMPUTE_WORK_GROUP_COUNT"));
    }
    if !run || grid.contains(&0) {
        return Ok(());
    }
    ctx.validate_polled(Verb::Dispatch)?;
    ctx.out.push(&LaunchGrid { grid, ..Default::default() })?;
    Ok(())
}

/// `glDispatchComputeIndirect`: the device reads the numbers, the client never does.
pub fn dispatch_compute_indirect(ctx: &mut Context, indirect: isize) -> GlResult {
    let run = ready(ctx)?;
    let offset = u64::try_from(indirect).map_err(|_| GlError::invalid_value("the offset is negative"))?;
    if !offset.is_multiple_of(4) {
        return Err(GlError::invalid_value("the offset is not a multiple of 4"));
    }
    let Some(buffer) = ctx.buffer.bound(Target::DispatchIndirect).cloned() else {
        return Err(GlError::invalid_operation("no GL_DISPATCH_INDIRECT_BUFFER is bound"));
    };
    if buffer.is_mapped() || offset.checked_add(COMMAND).is_none_or(|end| end > buffer.size()) {
        return Err(GlError::invalid_operation("the command goes beyond the buffer, or it is mapped"));
    }
    if !run {
        return Ok(());
    }
    ctx.validate_polled(Verb::Dispatch)?;
    ctx.out.reads(&buffer.last_write)?;
    ctx.out.push(&LaunchGrid { indirect: buffer.handle, indirect_offset: offset, ..Default::default() })?;
    Ok(())
}

fn barrier(ctx: &mut Context, bits: u32, by_region: bool) -> GlResult {
    ctx.out.push(&MemoryBarrier { bits, by_region: Bool8::new(by_region), ..Default::default() })?;
    Ok(())
}

/// The bits of a barrier among `known`; `GL_ALL_BARRIER_BITS` means all of them.
fn bits_of(barriers: u32, known: u32) -> GlResult<u32> {
    if barriers == t::ALL_BARRIER_BITS {
        return Ok(known);
    }
    if barriers & !known != 0 {
        return Err(GlError::invalid_value("a bit is not a barrier of this command"));
    }
    Ok(barriers)
}

/// `glMemoryBarrier`.
pub fn memory_barrier(ctx: &mut Context, barriers: u32) -> GlResult {
    match bits_of(barriers, BARRIERS)? {
        0 => Ok(()),
        bits => barrier(ctx, bits, false),
    }
}

/// `glMemoryBarrierByRegion`.
pub fn memory_barrier_by_region(ctx: &mut Context, barriers: u32) -> GlResult {
    match bits_of(barriers, BY_REGION)? {
        0 => Ok(()),
        bits => barrier(ctx, bits, true),
    }
}

/// `glTextureBarrier` (GL 4.6 §9.3.1): what was drawn is what later draws fetch.
pub fn texture_barrier(ctx: &mut Context) -> GlResult {
    barrier(ctx, t::TEXTURE_FETCH_BARRIER_BIT | t::FRAMEBUFFER_BARRIER_BIT, false)
}
