//! Draws with indices (GL 4.6 §10.4). Must not know indirect sources.

use super::{again, count_of, head, many, one};
use crate::context::Context;
use crate::draw::check::ready;
use crate::error::{GlError, GlResult};
use crate::tokens as t;
use mgl_pipe::Bool8;
use mgl_pipe::records::{DrawRange, DrawVbo};
use mgl_pipe::tokens::IndexSize;

/// Bytes per index of a GL type.
pub(super) fn index_size(type_: u32) -> GlResult<IndexSize> {
    index_width(type_).ok_or_else(|| GlError::invalid_enum("an index type is GL_UNSIGNED_BYTE, _SHORT or _INT"))
}

#[inline(always)]
pub(in crate::draw) fn index_width(type_: u32) -> Option<IndexSize> {
    match type_ {
        t::UNSIGNED_BYTE => Some(IndexSize::U8),
        t::UNSIGNED_SHORT => Some(IndexSize::U16),
        t::UNSIGNED_INT => Some(IndexSize::U32),
        _ => None,
    }
}

/// Head with the primitive restart of this draw. An index above the type's range never matches (GL 4.6 §10.3.6).
#[inline]
pub(super) fn indexed_head(ctx: &Context, head: DrawVbo, size: IndexSize) -> DrawVbo {
    let top = u32::MAX >> (32 - 8 * u32::from(size.0));
    let client = &ctx.render_state.client;
    let restart = if client.primitive_restart_fixed {
        Some(top)
    } else {
        Some(client.restart_index).filter(|i| client.primitive_restart && *i <= top)
    };
    DrawVbo { index_size: size, restart: Bool8::new(restart.is_some()), restart_index: restart.unwrap_or(0), ..head }
}

/// The part that all single draws share; `offset` is in bytes into the element buffer.
#[derive(Clone, Copy)]
struct Draw {
    mode: u32,
    count: i32,
    type_: u32,
    offset: usize,
    instances: i32,
    base_vertex: i32,
    base_instance: u32,
}

#[inline]
fn draw(ctx: &mut Context, d: Draw) -> GlResult {
    if d.count > 0
        && d.instances > 0
        && ctx.draw_unchanged(true, d.mode)
        && let Some(size) = index_width(d.type_)
    {
        let head = indexed_head(ctx, head(d.mode, d.instances as u32, d.base_instance), size);
        let range = DrawRange { start: d.offset as u64, count: d.count as u32, base_vertex: d.base_vertex };
        return again(ctx, head, range);
    }
    checked(ctx, d)
}

#[inline(never)]
fn checked(ctx: &mut Context, d: Draw) -> GlResult {
    let (count, instances) = (count_of(d.count)?, count_of(d.instances)?);
    let size = index_size(d.type_)?;
    if !ready(ctx, d.mode, true)? {
        return Ok(());
    }
    let head = indexed_head(ctx, head(d.mode, instances, d.base_instance), size);
    one(ctx, head, DrawRange { start: d.offset as u64, count, base_vertex: d.base_vertex })
}

/// `glDrawElements`.
pub fn draw_elements(ctx: &mut Context, mode: u32, count: i32, type_: u32, indices: usize) -> GlResult {
    draw(ctx, Draw { mode, count, type_, offset: indices, instances: 1, base_vertex: 0, base_instance: 0 })
}

/// `glDrawElementsInstanced`.
pub fn draw_elements_instanced(
    ctx: &mut Context,
    mode: u32,
    count: i32,
    type_: u32,
    indices: usize,
    instancecount: i32,
) -> GlResult {
    let instances = instancecount;
    draw(ctx, Draw { mode, count, type_, offset: indices, instances, base_vertex: 0, base_instance: 0 })
}

/// `glDrawElementsBaseVertex`.
pub fn draw_elements_base_vertex(
    ctx: &mut Context,
    mode: u32,
    count: i32,
    type_: u32,
    indices: usize,
    basevertex: i32,
) -> GlResult {
    let base_vertex = basevertex;
    draw(ctx, Draw { mode, count, type_, offset: indices, instances: 1, base_vertex, base_instance: 0 })
}

/// `glDrawElementsInstancedBaseVertex`.
pub fn draw_elements_instanced_base_vertex(
    ctx: &mut Context,
    mode: u32,
    count: i32,
    type_: u32,
    indices: usize,
    instancecount: i32,
    basevertex: i32,
) -> GlResult {
    draw_elements_instanced_base_vertex_base_instance(ctx, mode, count, type_, indices, instancecount, basevertex, 0)
}

/// `glDrawElementsInstancedBaseInstance`.
pub fn draw_elements_instanced_base_instance(
    ctx: &mut Context,
    mode: u32,
    count: i32,
    type_: u32,
    indices: usize,
    instancecount: i32,
    baseinstance: u32,
) -> GlResult {
    draw_elements_instanced_base_vertex_base_instance(ctx, mode, count, type_, indices, instancecount, 0, baseinstance)
}

/// `glDrawElementsInstancedBaseVertexBaseInstance`.
#[allow(clippy::too_many_arguments, reason = "the GL command has these parameters")]
pub fn draw_elements_instanced_base_vertex_base_instance(
    ctx: &mut Context,
    mode: u32,
    count: i32,
    type_: u32,
    indices: usize,
    instancecount: i32,
    basevertex: i32,
    baseinstance: u32,
) -> GlResult {
    let (instances, base_vertex, base_instance) = (instancecount, basevertex, baseinstance);
    draw(ctx, Draw { mode, count, type_, offset: indices, instances, base_vertex, base_instance })
}

/// `glDrawRangeElements`.
pub fn draw_range_elements(
    ctx: &mut Context,
    mode: u32,
    start: u32,
    end: u32,
    count: i32,
    type_: u32,
    indices: usize,
) -> GlResult {
    draw_range_elements_base_vertex(ctx, mode, start, end, count, type_, indices, 0)
}

/// `glDrawRangeElementsBaseVertex`. The range is a hint that nothing here needs.
#[allow(clippy::too_many_arguments, reason = "the GL command has these parameters")]
pub fn draw_range_elements_base_vertex(
    ctx: &mut Context,
    mode: u32,
    start: u32,
    end: u32,
    count: i32,
    type_: u32,
    indices: usize,
    basevertex: i32,
) -> GlResult {
    if end < start {
        return Err(GlError::invalid_value("the end of the range is below its start"));
    }
    draw_elements_base_vertex(ctx, mode, count, type_, indices, basevertex)
}

/// `glMultiDrawElements`.
pub fn multi_draw_elements(ctx: &mut Context, mode: u32, count: &[i32], type_: u32, indices: &[usize]) -> GlResult {
    let draws = count.iter().zip(indices).map(|(count, offset)| (*count, *offset, 0));
    multi(ctx, mode, type_, draws)
}

/// `glMultiDrawElementsBaseVertex`.
pub fn multi_draw_elements_base_vertex(
    ctx: &mut Context,
    mode: u32,
    count: &[i32],
    type_: u32,
    indices: &[usize],
    basevertex: &[i32],
) -> GlResult {
    let draws = count.iter().zip(indices).zip(basevertex).map(|((count, offset), base)| (*count, *offset, *base));
    multi(ctx, mode, type_, draws)
}

/// Lists that were streamed lie one behind the other.
fn place(ranges: &mut [DrawRange], mut start: u64, size: IndexSize) {
    for range in ranges {
        range.start = start;
        start += u64::from(range.count) * u64::from(size.0);
    }
}

fn multi(ctx: &mut Context, mode: u32, type_: u32, draws: impl Iterator<Item = (i32, usize, i32)>) -> GlResult {
    let size = index_size(type_)?;
    ctx.draw.ranges.clear();
    for (count, offset, base_vertex) in draws {
        ctx.draw.ranges.push(DrawRange { start: offset as u64, count: count_of(count)?, base_vertex });
    }
    if !ready(ctx, mode, true)? {
        return Ok(());
    }
    if let Some(start) = ctx.draw.client_indices.filter(|_| ctx.vertex_array.element_buffer().is_none()) {
        place(&mut ctx.draw.ranges, start, size);
    }
    let head = indexed_head(ctx, head(mode, 1, 0), size);
    many(ctx, head)
}
