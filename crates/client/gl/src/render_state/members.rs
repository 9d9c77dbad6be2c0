//! Every capability once: its token and the member it is. Setter, getter, class and version bump follow from the row.
//! Must not know calls or records.

use super::state::State;
use crate::context::Context;
use crate::tokens as t;
use crate::tracker::Dirty;
use mgl_base::limits::{MAX_DRAW_BUFFERS, MAX_VIEWPORTS};
use mgl_pipe::Bool8;

/// Every viewport's bit of `GL_SCISSOR_TEST`.
const ALL_VIEWPORTS: u32 = (1 << MAX_VIEWPORTS) - 1;
/// Clip distances that the state block has bits for (GL 4.6 §13.7 asks for at least 8).
pub(super) const CLIP_DISTANCES: u32 = 8;

macro_rules! put {
    (pipeline, $ctx:ident, $place:expr, $value:expr) => {
        $ctx.put_pipeline($place, Bool8::new($value))
    };
    (dynamic, $ctx:ident, $place:expr, $value:expr) => {
        $ctx.put_dynamic($place, Bool8::new($value))
    };
    (client, $ctx:ident, $place:expr, $value:expr) => {
        $ctx.put_client($place, $value)
    };
}

macro_rules! read {
    (client, $value:expr) => {
        $value
    };
    ($class:ident, $value:expr) => {
        $value.get()
    };
}

macro_rules! capabilities {
    ($($token:ident: $class:ident . $member:ident),+ $(,)?) => {
        /// Tokens of all plain capabilities.
        #[cfg(test)]
        pub(crate) const PLAIN: &[u32] = &[$(t::$token),+];

        /// A plain capability's value.
        fn plain(state: &State, cap: u32) -> Option<bool> {
            match cap {
                $(t::$token => Some(read!($class, state.$class.$member)),)+
                _ => None,
            }
        }

        /// Sets a plain capability; false when there is none of that name.
        fn set_plain(ctx: &mut Context, cap: u32, on: bool) -> bool {
            match cap {
                $(t::$token => put!($class, ctx, |b| &mut b.$member, on),)+
                _ => return false,
            }
            true
        }
    };
}

capabilities! {
    STENCIL_TEST: pipeline.stencil_test,
    DEPTH_TEST: pipeline.depth_test,
    DEPTH_CLAMP: pipeline.depth_clamp,
    COLOR_LOGIC_OP: pipeline.logic_op_enabled,
    FRAMEBUFFER_SRGB: pipeline.framebuffer_srgb,
    CULL_FACE: pipeline.cull_enabled,
    RASTERIZER_DISCARD: pipeline.rasterizer_discard,
    POLYGON_OFFSET_FILL: pipeline.offset_fill,
    POLYGON_OFFSET_LINE: pipeline.offset_line,
    POLYGON_OFFSET_POINT: pipeline.offset_point,
    LINE_SMOOTH: pipeline.line_smooth,
    POLYGON_SMOOTH: pipeline.polygon_smooth,
    MULTISAMPLE: pipeline.multisample,
    SAMPLE_ALPHA_TO_COVERAGE: pipeline.alpha_to_coverage,
    SAMPLE_ALPHA_TO_ONE: pipeline.alpha_to_one,
    SAMPLE_COVERAGE: pipeline.sample_coverage,
    SAMPLE_MASK: pipeline.sample_mask_enabled,
    SAMPLE_SHADING: pipeline.sample_shading,
    PROGRAM_POINT_SIZE: pipeline.program_point_size,
    DITHER: dynamic.dither,
    PRIMITIVE_RESTART: client.primitive_restart,
    PRIMITIVE_RESTART_FIXED_INDEX: client.primitive_restart_fixed,
    TEXTURE_CUBE_MAP_SEAMLESS: client.cube_map_seamless,
    DEBUG_OUTPUT: client.debug_output,
    DEBUG_OUTPUT_SYNCHRONOUS: client.debug_synchronous,
}

fn clip_distance(cap: u32) -> Option<u32> {
    cap.checked_sub(t::CLIP_DISTANCE0).filter(|n| *n < CLIP_DISTANCES)
}

/// `glIsEnabled`; index 0 of the indexed ones (GL 4.6 §2.2.2). `None` for a token that is no capability here.
pub(crate) fn capability(state: &State, cap: u32) -> Option<bool> {
    match cap {
        t::BLEND | t::SCISSOR_TEST => indexed_capability(state, cap, 0),
        _ => match clip_distance(cap) {
            Some(n) => Some(state.dynamic.clip_distances & (1 << n) != 0),
            None => plain(state, cap),
        },
    }
}

/// `glEnable`/`glDisable`: all indices of the indexed ones. False when there is no such capability.
pub(crate) fn set_capability(ctx: &mut Context, cap: u32, on: bool) -> bool {
    match cap {
        t::BLEND => (0..MAX_DRAW_BUFFERS).for_each(|i| ctx.put_pipeline(|b| &mut b.blend[i].enabled, on.into())),
        t::SCISSOR_TEST => ctx.put_dynamic(|b| &mut b.scissor_enabled, if on { ALL_VIEWPORTS } else { 0 }),
        _ => match clip_distance(cap) {
            Some(n) => {
                let bits = with_bit(ctx.render_state.dynamic.clip_distances, n, on);
                ctx.put_dynamic(|b| &mut b.clip_distances, bits);
            }
            None => return set_plain_with_effects(ctx, cap, on),
        },
    }
    true
}

/// Capabilities that act on several samples per pixel alone.
fn of_samples(cap: u32) -> bool {
    let with_values = [t::SAMPLE_ALPHA_TO_COVERAGE, t::SAMPLE_ALPHA_TO_ONE, t::SAMPLE_COVERAGE, t::SAMPLE_MASK];
    with_values.contains(&cap) || cap == t::MULTISAMPLE || cap == t::SAMPLE_SHADING
}

/// Seamless filtering is part of every sampler state, so the sets have to be resolved anew. What acts on several samples
/// alone is looked at when the framebuffer gets them (`effective`).
fn set_plain_with_effects(ctx: &mut Context, cap: u32, on: bool) -> bool {
    let version = ctx.render_state.client.version();
    let clean = !ctx.dirty.contains(Dirty::PIPELINE);
    let known = set_plain(ctx, cap, on);
    if clean && of_samples(cap) && ctx.framebuffer.sent[0].as_ref().is_none_or(|f| f.samples <= 1) {
        ctx.dirty.remove(Dirty::PIPELINE);
    }
    if cap == t::TEXTURE_CUBE_MAP_SEAMLESS && version != ctx.render_state.client.version() {
        ctx.dirty |= Dirty::TEXTURES;
    }
    known
}

fn with_bit(bits: u32, n: u32, on: bool) -> u32 {
    if on { bits | 1 << n } else { bits & !(1 << n) }
}

/// Number of indices of an indexed capability, if `cap` is one.
pub(crate) fn indices(cap: u32) -> Option<u32> {
    match cap {
        t::BLEND => Some(MAX_DRAW_BUFFERS as u32),
        t::SCISSOR_TEST => Some(MAX_VIEWPORTS as u32),
        _ => None,
    }
}

/// `glIsEnabledi`; the index has been checked.
pub(crate) fn indexed_capability(state: &State, cap: u32, index: u32) -> Option<bool> {
    match cap {
        t::BLEND => state.pipeline.blend.get(index as usize).map(|b| b.enabled.get()),
        t::SCISSOR_TEST => Some(state.dynamic.scissor_enabled & (1 << index) != 0),
        _ => None,
    }
}

/// `glEnablei`/`glDisablei`; token and index have been checked.
pub(crate) fn set_indexed_capability(ctx: &mut Context, cap: u32, index: u32, on: bool) {
    if cap == t::BLEND {
        ctx.put_pipeline(|b| &mut b.blend[index as usize].enabled, on.into());
    } else {
        let bits = with_bit(ctx.render_state.dynamic.scissor_enabled, index, on);
        ctx.put_dynamic(|b| &mut b.scissor_enabled, bits);
    }
}
