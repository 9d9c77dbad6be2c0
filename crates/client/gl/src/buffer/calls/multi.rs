//! Binding buffers to several indexed points (GL 4.6 §6.1.1, ARB_multi_bind): each name is checked by itself, and the
//! others are bound. Must not touch stores.

use super::bind::{dirty_of, points_of, range_of, unlocked};
use super::bound;
use crate::abi::At;
use crate::buffer::state::{Indexed, Target};
use crate::context::Context;
use crate::error::GlResult;
use crate::names::first_of;

/// Ranges of the buffers of a call.
type Ranges<'a> = Option<(&'a [isize], &'a [isize])>;

/// The buffer of a name and the range of it; names create nothing here.
fn one(ctx: &Context, target: Target, name: u32, range: Option<(isize, isize)>) -> GlResult<Indexed> {
    if name == 0 {
        return Ok(Indexed::default());
    }
    let buffer = bound(ctx, At::Named(name))?;
    let (offset, size) = range.map_or(Ok((0, 0)), |(offset, size)| range_of(ctx, target, offset, size))?;
    Ok(Indexed { buffer: Some(buffer), offset, size })
}

fn bind(
    ctx: &mut Context,
    target: u32,
    (first, count): (u32, i32),
    buffers: Option<&[u32]>,
    ranges: Ranges<'_>,
) -> GlResult {
    let target = points_of(ctx, target)?;
    let points = first_of(first, count, ctx.buffer.points(target).map_or(0, <[Indexed]>::len))?;
    unlocked(ctx, target)?;
    let mut result = Ok(());
    for (at, index) in points.enumerate() {
        let name = buffers.and_then(|list| list.get(at)).copied().unwrap_or(0);
        let range = ranges.map(|(offsets, sizes)| {
            let of = |list: &[isize]| list.get(at).copied().unwrap_or(0);
            (of(offsets), of(sizes))
        });
        match one(ctx, target, name, range) {
            Ok(value) => {
                if let Some(point) = ctx.buffer.points_mut(target).and_then(|p| p.get_mut(index)) {
                    *point = value;
                }
            }
            Err(error) => result = result.and(Err(error)),
        }
    }
    ctx.dirty |= dirty_of(target);
    result
}

/// `glBindBuffersBase`: whole buffers; the target's plain binding stays as it is.
pub fn bind_buffers_base(ctx: &mut Context, target: u32, first: u32, count: i32, buffers: Option<&[u32]>) -> GlResult {
    bind(ctx, target, (first, count), buffers, None)
}

/// `glBindBuffersRange`.
pub fn bind_buffers_range(
    ctx: &mut Context,
    target: u32,
    first: u32,
    count: i32,
    buffers: Option<&[u32]>,
    offsets: Option<&[isize]>,
    sizes: Option<&[isize]>,
) -> GlResult {
    bind(ctx, target, (first, count), buffers, Some((offsets.unwrap_or_default(), sizes.unwrap_or_default())))
}
