//! Issuing a prepared draw, several ranges by the best tier there is: one call over all, one over all with base vertices,
//! one indirect call, one call per range (spec 07 §6.1). Must not know what was prepared.

use super::Drawing;
use super::draw::Ready;
use super::index::{self, Indices};
use crate::capture::By;
use crate::core::Core;
use crate::raw::{Gl, consts};
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::DrawRange;
use mgl_backend::{ContextState, Refusal};
use mgl_pipe::archive::Stage;

/// Lists of a multi-draw, kept for their memory.
#[derive(Default)]
pub struct Lists {
    first: Vec<i32>,
    count: Vec<i32>,
    offsets: Vec<usize>,
    base: Vec<i32>,
}

/// One call's constants.
#[derive(Clone, Copy)]
struct Call {
    mode: u32,
    ty: u32,
    /// Bytes per index now, and per index of the ranges' offsets.
    bytes: u64,
    source_bytes: u64,
    instances: i32,
    base_instance: u32,
}

impl Call {
    fn of(core: &Core, draw: &Draw<'_>, indices: Option<&Indices>) -> Self {
        Self {
            mode: indices.and_then(|i| i.mode).unwrap_or_else(|| u32::from(draw.mode.0)),
            ty: indices.map_or(0, |i| i.ty),
            bytes: indices.map_or(1, |i| i.bytes),
            source_bytes: indices.map_or(1, |i| i.source_bytes),
            instances: draw.instance_count.cast_signed(),
            base_instance: if core.features().base_instance { draw.base_instance } else { 0 },
        }
    }
}

impl Drawing {
    /// Issues the draw.
    pub(super) fn issue(&mut self, core: &mut Core, ctx: &ContextState, draw: &Draw<'_>, ready: &Ready) -> Outcome {
        let driver = self.programs.get(ctx.draw_program).and_then(|p| p.driver(ready.variant).ok());
        let (flat, numbered) = driver.map_or((false, false), |d| (d.flat, d.numbered));
        let scratch = (&mut self.rewrites, &mut self.ring);
        let indices = index::prepare(core, scratch, ctx, draw, (ready.what, (flat, numbered), ready.wired))?;
        if let Some(i) = &indices {
            self.arrays.elements(core, ctx, i.rewritten.as_ref())?;
            self.shadow.restart(core, i.restart);
        }
        if ctx.xfb_capturing {
            let program = self.programs.get(ctx.draw_program).ok_or(Refusal::Unsupported("UnknownProgram"))?;
            let by = By {
                plan: &program.driver(ready.variant)?.capture,
                strides: program.archive.xfb.as_ref().map_or([0; 4], |x| x.strides),
                makes_primitives: program.has(Stage::Geometry) || program.has(Stage::TessEval),
                busy: self.queries.counts_captured(),
            };
            self.captures.enter(core, ctx, draw, &by)?;
        }
        let done = match draw.indirect {
            Some(indirect) => self.indirect(core, ctx, draw, indirect, (ready, indices.as_ref())),
            None => {
                self.ranges(core, ctx, draw, ready, indices.as_ref());
                Ok(())
            }
        };
        if ctx.xfb_capturing {
            self.captures.leave(core, ctx);
        }
        if cfg!(debug_assertions) {
            let error = core.gl().take_error();
            if error != 0 {
                tracing::warn!("draw {:?}: GL error 0x{error:04x}", draw.mode);
            }
        }
        done
    }

    fn ranges(
        &mut self,
        core: &mut Core,
        ctx: &ContextState,
        draw: &Draw<'_>,
        ready: &Ready,
        indices: Option<&Indices>,
    ) {
        let call = Call::of(core, draw, indices);
        let rewritten = std::mem::take(&mut self.rewrites.ranges);
        let own = indices.is_some_and(|i| i.own_ranges);
        let ranges: &[DrawRange] = if own { &rewritten } else { draw.ranges };
        if ready.parameters >= 0 {
            for (n, range) in ranges.iter().enumerate().filter(|(_, r)| r.count > 0) {
                let number = if draw.separate { 0 } else { n as i32 };
                let base = if indices.is_some() { draw.ranges.get(n).map_or(0, |r| r.base_vertex) } else { 0 };
                self.parameters(core, ctx, ready, [base, draw.base_instance.cast_signed(), number, 0]);
                one(core.gl(), &call, range, indices.is_some());
            }
        } else if !self.lists.several(core, &call, ranges, indices.is_some()) {
            for range in ranges.iter().filter(|r| r.count > 0) {
                one(core.gl(), &call, range, indices.is_some());
            }
        }
        self.rewrites.ranges = rewritten;
    }

    /// Issues ranges one by one, without draw parameters.
    pub(super) fn direct(&self, core: &Core, draw: &Draw<'_>, indices: Option<&Indices>) {
        let call = Call::of(core, draw, indices);
        draw.ranges.iter().for_each(|r| one(core.gl(), &call, r, indices.is_some()));
    }

    /// Base vertex, base instance and draw number of the next call.
    pub(super) fn parameters(&mut self, core: &Core, ctx: &ContextState, ready: &Ready, values: [i32; 4]) {
        let Some(program) = self.programs.get_mut(ctx.draw_program) else { return };
        let Ok(driver) = program.driver_mut(ready.variant) else { return };
        if driver.draw_values != values {
            driver.draw_values = values;
            core.gl().uniform_ivec4(ready.parameters, &values);
        }
    }
}

impl Lists {
    /// Draws all ranges in one call where the driver has one that fits; false = one by one.
    fn several(&mut self, core: &Core, call: &Call, ranges: &[DrawRange], indexed: bool) -> bool {
        let plain = call.instances == 1 && call.base_instance == 0;
        if ranges.len() < 2 || !plain || !core.features().multi_draw {
            return false;
        }
        self.count.clear();
        self.count.extend(ranges.iter().map(|r| r.count.cast_signed()));
        let gl = core.gl();
        if !indexed {
            self.first.clear();
            self.first.extend(ranges.iter().map(|r| r.start as i32));
            gl.multi_arrays(call.mode, &self.first, &self.count);
            return true;
        }
        self.offsets.clear();
        self.offsets.extend(ranges.iter().map(|r| offset(call, r)));
        if ranges.iter().all(|r| r.base_vertex == 0) {
            gl.multi_indexed(call.mode, &self.count, call.ty, &self.offsets);
            return true;
        }
        if !core.features().base_vertex {
            return false;
        }
        self.base.clear();
        self.base.extend(ranges.iter().map(|r| r.base_vertex));
        gl.multi_indexed_base_vertex(call.mode, &self.count, call.ty, &self.offsets, &self.base);
        true
    }
}

/// Byte offset of a range's first index.
fn offset(call: &Call, range: &DrawRange) -> usize {
    (range.start / call.source_bytes * call.bytes) as usize
}

/// One range in one call.
fn one(gl: &Gl, call: &Call, r: &DrawRange, indexed: bool) {
    let count = r.count.cast_signed();
    if !indexed {
        let first = r.start as i32;
        return match (call.instances, call.base_instance) {
            (1, 0) => gl.draw_arrays(call.mode, first, count),
            (n, 0) => gl.draw_arrays_instanced(call.mode, first, count, n),
            (n, base) => gl.draw_arrays_instanced_base_instance(call.mode, first, count, n, base),
        };
    }
    let d = crate::raw::Indexed {
        mode: call.mode,
        count,
        ty: call.ty,
        offset: offset(call, r),
        instances: call.instances,
        base_vertex: r.base_vertex,
        base_instance: call.base_instance,
    };
    match (call.instances, r.base_vertex, call.base_instance) {
        (1, 0, 0) => gl.draw_indexed(d.mode, d.count, d.ty, d.offset),
        (_, 0, 0) => gl.draw_indexed_instanced(&d),
        (1, _, 0) => gl.draw_indexed_base_vertex(&d),
        (_, _, 0) => gl.draw_indexed_instanced_base_vertex(&d),
        _ => gl.draw_indexed_base_instance(&d),
    }
}

/// Size of an indirect command in bytes.
pub(super) fn command_bytes(indexed: bool) -> u64 {
    if indexed { 20 } else { 16 }
}

/// Barrier bits that order shader writes before what a draw reads without being asked (spec 07 §5.5).
pub(super) const INDIRECT_READS: u32 = consts::COMMAND_BARRIER_BIT;
