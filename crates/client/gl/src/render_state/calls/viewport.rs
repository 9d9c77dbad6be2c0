//! Viewports, depth ranges and scissor boxes, one or all sixteen (GL 4.6 §13.8.1, §17.3.2). Must not push records.

use crate::context::Context;
use crate::error::{GlError, GlResult};
use mgl_base::limits::MAX_VIEWPORTS;

/// First index and the values of an array form, or the error that the range deserves.
fn checked<const N: usize, T: Copy>(first: u32, v: &[T]) -> GlResult<(usize, &[[T; N]])> {
    let (items, _) = v.as_chunks::<N>();
    let end = (first as usize).checked_add(items.len()).filter(|end| *end <= MAX_VIEWPORTS);
    end.map(|_| (first as usize, items)).ok_or_else(|| GlError::invalid_value("no such viewport"))
}

fn negative<T: Default + PartialOrd>(w: T, h: T) -> GlResult {
    if w < T::default() || h < T::default() {
        return Err(GlError::invalid_value("width or height is negative"));
    }
    Ok(())
}

/// The rectangle as it is kept: clamped to the implementation's bounds (GL 4.6 §13.8.1).
fn clamped(ctx: &Context, [x, y, w, h]: [f32; 4]) -> [f32; 4] {
    let limits = &ctx.instance.caps.limits;
    let [low, high] = limits.viewport_bounds;
    let origin = |v: f32| if low < high { v.clamp(low, high) } else { v };
    let extent = |v: f32, max: u32| if max == 0 { v } else { v.min(max as f32) };
    [origin(x), origin(y), extent(w, limits.max_viewport[0]), extent(h, limits.max_viewport[1])]
}

/// `glViewport`: all viewports.
pub fn viewport(ctx: &mut Context, x: i32, y: i32, width: i32, height: i32) -> GlResult {
    negative(width, height)?;
    let rect = clamped(ctx, [x as f32, y as f32, width as f32, height as f32]);
    ctx.put_dynamic(|b| &mut b.viewports, [rect; MAX_VIEWPORTS]);
    ctx.viewport_named([x, y], [width, height]);
    Ok(())
}

/// `glViewportArrayv`. Nothing changes when one rectangle is wrong.
pub fn viewport_array(ctx: &mut Context, first: u32, v: &[f32]) -> GlResult {
    let (first, rects) = checked::<4, f32>(first, v)?;
    rects.iter().try_for_each(|r| negative(r[2], r[3]))?;
    for (i, rect) in rects.iter().enumerate() {
        let rect = clamped(ctx, *rect);
        ctx.put_dynamic(|b| &mut b.viewports[first + i], rect);
    }
    Ok(())
}

/// `glViewportIndexedf[v]`.
pub fn viewport_indexedf(ctx: &mut Context, index: u32, x: f32, y: f32, w: f32, h: f32) -> GlResult {
    viewport_array(ctx, index, &[x, y, w, h])
}

/// `glScissor`: all boxes.
pub fn scissor(ctx: &mut Context, x: i32, y: i32, width: i32, height: i32) -> GlResult {
    negative(width, height)?;
    ctx.put_dynamic(|b| &mut b.scissors, [[x, y, width, height]; MAX_VIEWPORTS]);
    Ok(())
}

/// `glScissorArrayv`.
pub fn scissor_array(ctx: &mut Context, first: u32, v: &[i32]) -> GlResult {
    let (first, rects) = checked::<4, i32>(first, v)?;
    rects.iter().try_for_each(|r| negative(r[2], r[3]))?;
    for (i, rect) in rects.iter().enumerate() {
        ctx.put_dynamic(|b| &mut b.scissors[first + i], *rect);
    }
    Ok(())
}

/// `glScissorIndexed[v]`.
pub fn scissor_indexed(ctx: &mut Context, index: u32, left: i32, bottom: i32, width: i32, height: i32) -> GlResult {
    scissor_array(ctx, index, &[left, bottom, width, height])
}

/// `glDepthRange[f]`: all ranges.
pub fn depth_range(ctx: &mut Context, n: f64, f: f64) -> GlResult {
    ctx.put_dynamic(|b| &mut b.depth_ranges, [[unit(n), unit(f)]; MAX_VIEWPORTS]);
    Ok(())
}

/// `glDepthRangeArrayv`.
pub fn depth_range_array(ctx: &mut Context, first: u32, v: &[f64]) -> GlResult {
    let (first, ranges) = checked::<2, f64>(first, v)?;
    for (i, range) in ranges.iter().enumerate() {
        ctx.put_dynamic(|b| &mut b.depth_ranges[first + i], range.map(unit));
    }
    Ok(())
}

/// `glDepthRangeIndexed`.
pub fn depth_range_indexed(ctx: &mut Context, index: u32, n: f64, f: f64) -> GlResult {
    depth_range_array(ctx, index, &[n, f])
}

/// Depth values are kept within [0, 1] (GL 4.6 §13.8.1).
fn unit(v: f64) -> f32 {
    v.clamp(0.0, 1.0) as f32
}
