//! SPIR-V variants: what GL state changes in a shader where the device has no state for it. A variant is a pure function
//! of the program's words and a [`Variant`]. Must not know devices, pipelines or draws.

mod blocks;
mod edit;
mod fetch;
mod fragment;
mod parameters;
mod position;
mod samples;
#[cfg(test)]
mod tests;

pub use blocks::blocks_as_storage;
pub use edit::{Edit, EditError, literal, variables};
pub use fetch::{Fetch, FetchSet};
pub use samples::interpolates;

use mgl_pipe::archive::Stage;
use mgl_spirv::select::Abilities;
use mgl_spirv::{Ir, PassedControl};

/// Everything that a stage's words depend on besides the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// `z = (z + w) / 2` in the last pre-rasterisation stage: GL clip depth on a device without depth clip control.
    pub depth_fixup: bool,
    /// The last pre-rasterisation stage writes the point size from the push constants.
    pub point_size: bool,
    /// Clip distances that the stage writes but that are not enabled, one bit each.
    pub clip_off: u8,
    /// `gl_PointCoord.y` runs from the top (`GL_UPPER_LEFT` sprite origin).
    pub point_coord_flip: bool,
    /// Output 0 is copied to the other draw buffers of this mask (`gl_FragColor`).
    pub broadcast: u8,
    /// Outputs that no draw buffer takes, by location.
    pub drop_outputs: u8,
    /// Integer outputs whose draw buffer has the other signedness, by location.
    pub flip_sign: u8,
    /// Alpha of colour outputs is 1 (`GL_SAMPLE_ALPHA_TO_ONE` without the device feature).
    pub alpha_to_one: bool,
    /// `gl_SampleMask` is written in vain: there are no samples to mask.
    pub drop_sample_mask: bool,
    /// There are samples, but the program draws as if there were one (`GL_MULTISAMPLE` is off): it is number 0.
    pub one_sample: bool,
    /// More than one sample of a pixel is shaded on its own: inputs are interpolated there.
    pub inputs_at_sample: bool,
    /// `gl_BaseVertex` is 0.
    pub zero_base_vertex: bool,
    /// The control stage of a program that has none.
    pub control: Option<PassedControl>,
    /// Vertex attributes that the shader converts itself.
    pub fetch: FetchSet,
}

/// Byte offset of the point size in the push constants of every graphics pipeline layout.
pub const PUSH_POINT_SIZE: u32 = 0;
/// Bytes of the push constants.
pub const PUSH_BYTES: u32 = 16;

impl Variant {
    /// The part of the variant that concerns `stage`; `last` names the last pre-rasterisation stage. Stages with equal
    /// parts share a module.
    pub fn for_stage(&self, stage: Stage, last: Stage) -> Variant {
        let mut own = Variant::default();
        if stage == last {
            own.depth_fixup = self.depth_fixup;
            own.point_size = self.point_size;
            own.clip_off = self.clip_off;
        }
        if stage == Stage::Fragment {
            own.point_coord_flip = self.point_coord_flip;
            own.broadcast = self.broadcast;
            own.drop_outputs = self.drop_outputs;
            own.flip_sign = self.flip_sign;
            own.alpha_to_one = self.alpha_to_one;
            own.drop_sample_mask = self.drop_sample_mask;
            own.one_sample = self.one_sample;
            own.inputs_at_sample = self.inputs_at_sample;
        }
        if stage == Stage::TessControl {
            own.control = self.control;
        }
        if stage == Stage::Vertex {
            own.fetch = self.fetch;
            own.zero_base_vertex = self.zero_base_vertex;
        }
        own
    }
}

/// Words in which elements of arrays of resources are selected only as the device takes it.
pub fn select_resources(words: &[u32], able: &Abilities) -> Result<Vec<u32>, EditError> {
    let bad = |e: mgl_spirv::ParseError| EditError::Parse(e.0);
    let mut ir = Ir::load(words).map_err(bad)?;
    mgl_spirv::select::run(&mut ir, able).map_err(bad)?;
    Ok(ir.finish())
}

/// Words of `stage` under `variant`, which is already reduced to the stage.
pub fn apply(words: &[u32], stage: Stage, variant: &Variant) -> Result<Vec<u32>, EditError> {
    let mut edit = Edit::new(words)?;
    if variant.depth_fixup || variant.point_size || variant.clip_off != 0 {
        position::epilogue(&mut edit, stage, variant)?;
    }
    if variant.fetch != FetchSet::default() {
        fetch::convert_attributes(&mut edit, &variant.fetch)?;
    }
    if variant.zero_base_vertex {
        parameters::zero_base_vertex(&mut edit)?;
    }
    if variant.point_coord_flip {
        fragment::flip_point_coord(&mut edit)?;
    }
    if variant.broadcast != 0 {
        fragment::broadcast(&mut edit, variant.broadcast)?;
    }
    if variant.drop_outputs != 0 {
        fragment::drop_outputs(&mut edit, variant.drop_outputs)?;
    }
    if variant.flip_sign != 0 {
        fragment::flip_sign(&mut edit, variant.flip_sign)?;
    }
    if variant.drop_sample_mask {
        fragment::drop_sample_mask(&mut edit);
    }
    if variant.one_sample {
        samples::one_sample(&mut edit)?;
    }
    if variant.inputs_at_sample {
        samples::inputs_at_sample(&mut edit);
    }
    if variant.alpha_to_one {
        fragment::alpha_to_one(&mut edit)?;
    }
    Ok(edit.finish())
}
