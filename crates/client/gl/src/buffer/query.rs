//! What this group answers to `glGet*`. Must not change state.

use super::state::{Buffer, TARGET_TOKENS, Target};
use crate::abi::Values;
use crate::context::Context;
use crate::tokens as t;
use std::sync::Arc;

fn name(buffer: Option<&Arc<Buffer>>) -> Values {
    Values::int(buffer.map_or(0, |b| b.name))
}

/// The value of `pname`, when it belongs to this group.
pub(crate) fn get(ctx: &Context, pname: u32) -> Option<Values> {
    // The texture group answers for the buffer of a buffer texture under a token of its own.
    let row = TARGET_TOKENS.iter().find(|row| row.2 == pname)?;
    Some(name(ctx.buffer.bound(row.1)))
}

/// The value of an indexed `pname`: binding, offset or size of a point. `None` too when there is no such point.
pub(crate) fn indexed(ctx: &Context, pname: u32, index: u32) -> Option<Values> {
    let (target, what) = match pname {
        t::UNIFORM_BUFFER_BINDING => (Target::Uniform, 0),
        t::UNIFORM_BUFFER_START => (Target::Uniform, 1),
        t::UNIFORM_BUFFER_SIZE => (Target::Uniform, 2),
        t::SHADER_STORAGE_BUFFER_BINDING => (Target::Storage, 0),
        t::SHADER_STORAGE_BUFFER_START => (Target::Storage, 1),
        t::SHADER_STORAGE_BUFFER_SIZE => (Target::Storage, 2),
        t::ATOMIC_COUNTER_BUFFER_BINDING => (Target::Atomic, 0),
        t::ATOMIC_COUNTER_BUFFER_START => (Target::Atomic, 1),
        t::ATOMIC_COUNTER_BUFFER_SIZE => (Target::Atomic, 2),
        t::TRANSFORM_FEEDBACK_BUFFER_BINDING => (Target::Xfb, 0),
        t::TRANSFORM_FEEDBACK_BUFFER_START => (Target::Xfb, 1),
        t::TRANSFORM_FEEDBACK_BUFFER_SIZE => (Target::Xfb, 2),
        _ => return None,
    };
    let point = ctx.buffer.points(target)?.get(index as usize)?;
    Some(match what {
        0 => name(point.buffer.as_ref()),
        1 => Values::int(point.offset as i64),
        _ => Values::int(point.size as i64),
    })
}
