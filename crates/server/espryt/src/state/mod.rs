//! The state shadow: what the driver holds of the render state; only differences are sent. Must not know programs,
//! resources or draws.

mod dynamic;
mod pipeline;

pub use pipeline::{check, clip_variant, groups, visible_mode};

use crate::core::{Core, Disturbed};
use crate::frames::TargetInfo;
use mgl_backend::values::{DynamicState, PipelineState};

/// What decides about a state besides the state itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Draw buffers whose storage has an alpha channel that the format lacks.
    pub widened_alpha: u8,
    /// Draw buffers that are there.
    pub color: u8,
    /// Samples of the target.
    pub samples: u32,
    /// The clip origin is turned by the shader: the winding turns with it.
    pub flipped: bool,
    /// Size of the target.
    pub extent: [u32; 2],
    /// Viewports that the program chooses from.
    pub viewports: u32,
    /// Clip distances that the program writes.
    pub clip_written: u8,
}

impl Gate {
    /// The gate of a target.
    pub fn of(target: &TargetInfo) -> Self {
        let color = (0..8).filter(|i| target.color[*i].is_some()).fold(0, |mask, i| mask | 1 << i);
        Self {
            widened_alpha: target.widened_alpha,
            color,
            samples: target.samples,
            extent: target.extent,
            viewports: 1,
            ..Self::default()
        }
    }
}

/// The shadow.
pub struct Shadow {
    pipeline: Option<PipelineState>,
    dynamic: Option<DynamicState>,
    gate: Gate,
    /// Capabilities that are on.
    on: Vec<u32>,
    sent: dynamic::Sent,
}

impl Default for Shadow {
    fn default() -> Self {
        Self {
            pipeline: None,
            dynamic: None,
            gate: Gate::default(),
            on: Vec::with_capacity(32),
            sent: dynamic::Sent::default(),
        }
    }
}

impl Shadow {
    /// The driver's state is unknown.
    pub fn forget(&mut self) {
        self.pipeline = None;
        self.dynamic = None;
        self.sent = dynamic::Sent::default();
    }

    /// Internal work has changed some groups.
    pub fn disturbed(&mut self, groups: Disturbed) {
        let pipeline = Disturbed::COLOR_MASK | Disturbed::DEPTH_MASK | Disturbed::DISCARD | Disturbed::RASTER;
        if groups.intersects(pipeline) {
            self.pipeline = None;
        }
        let dynamic = Disturbed::SCISSOR | Disturbed::VIEWPORT | Disturbed::STENCIL_MASK | Disturbed::RASTER;
        if groups.intersects(dynamic) {
            self.dynamic = None;
            self.sent = dynamic::Sent::default();
        }
    }

    /// Sends what differs.
    pub fn apply(&mut self, core: &mut Core, pipeline: &PipelineState, dynamic: &DynamicState, gate: &Gate) {
        let known = self.pipeline.is_some();
        let other = self.gate != *gate;
        if !known || other || self.pipeline.as_ref() != Some(pipeline) {
            self.send_pipeline(core, pipeline, gate, known);
            self.pipeline = Some(*pipeline);
            self.stencil(core, pipeline, dynamic);
        }
        if other || self.dynamic.as_ref() != Some(dynamic) {
            self.send_dynamic(core, pipeline, dynamic, gate);
            self.dynamic = Some(*dynamic);
        }
        self.gate = *gate;
    }

    /// Switches a capability; `known` tells that the shadow's list is right.
    fn switch(&mut self, core: &Core, cap: u32, on: bool, known: bool) {
        let at = self.on.iter().position(|c| *c == cap);
        if known && at.is_some() == on {
            return;
        }
        match (at, on) {
            (None, true) => self.on.push(cap),
            (Some(at), false) => {
                self.on.swap_remove(at);
            }
            _ => {}
        }
        if on { core.gl().enable(cap) } else { core.gl().disable(cap) }
    }
}
