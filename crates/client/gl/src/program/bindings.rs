//! What the other groups need of the program in use, by descriptor slot. Must not know how a program is linked.

use mgl_glsl::archive::{Block, OpaqueKind, OpaqueResource, ProgramArchive, SampleType, TextureDim};
use mgl_glsl::gltype::{self, Scalar};
use mgl_pipe::tokens::ResourceTarget;

/// One texture descriptor slot of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureSlot {
    /// Texture image unit that the sampler uniform names.
    pub unit: u32,
    /// Texture target that the sampler's declared type samples.
    pub target: ResourceTarget,
    /// Declared as a shadow sampler.
    pub shadow: bool,
    /// Declared as an integer sampler.
    pub integer: bool,
    /// No stage reads it: it is in the way of no other sampler.
    pub idle: bool,
}

/// One buffer descriptor slot of set 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageSlot {
    /// Shader storage block with its binding point.
    Storage(u32),
    /// Atomic counter buffer with its binding point.
    Atomic(u32),
}

/// What the other groups need of the program in use, by descriptor slot. Replaced as a whole when a uniform or a
/// block binding changes, so a snapshot stays consistent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    /// Set 1: one per slot; `None` for a slot that no stage uses.
    pub textures: Vec<Option<TextureSlot>>,
    /// Set 3: image unit per slot.
    pub images: Vec<Option<u32>>,
    /// Set 0: uniform buffer binding point per slot; `None` for the default block.
    pub uniform_blocks: Vec<Option<u32>>,
    /// Smallest legal size in bytes of each uniform block's range, by slot.
    pub uniform_block_sizes: Vec<u32>,
    /// Set 2: what each slot reads. All of them travel in class `ShaderStorage`.
    pub storage: Vec<Option<StorageSlot>>,
    /// Vertex attribute locations that the program reads, one bit each.
    pub attribs: u32,
    /// Of those, locations whose shader type is integer (bit), to choose the class of current values.
    pub integer_attribs: u32,
    /// Of those, locations whose shader type is unsigned.
    pub unsigned_attribs: u32,
    /// Has a compute stage.
    pub compute: bool,
    /// Those that are 64-bit floats.
    pub double_attribs: u32,
    /// Writes any colour output.
    pub has_fragment_stage: bool,
    /// Primitive mode that the geometry or tessellation stage takes, as GL tokens of the draw mode class.
    pub input_primitive: Option<u32>,
    /// Has a tessellation stage: only `GL_PATCHES` may be drawn.
    pub tessellation: bool,
    /// Primitive mode class that the last vertex stage emits (`GL_POINTS`, `GL_LINES`, `GL_TRIANGLES`), if a geometry
    /// or tessellation stage decides it.
    pub output_primitive: Option<u32>,
    /// Transform feedback captures something.
    pub captures: bool,
    /// Bit per transform feedback buffer that the program writes: layouts in the shader may leave some out.
    pub xfb_buffers: u32,
}

impl Bindings {
    /// Two samplers of different type use one texture unit, which no draw may do (GL 4.6 §7.11).
    pub fn samplers_clash(&self) -> bool {
        let slots = self.textures.iter().flatten().filter(|slot| !slot.idle);
        slots.clone().any(|a| slots.clone().any(|b| a.unit == b.unit && a.target != b.target))
    }
}

/// Texture target that an opaque resource samples or images.
pub(crate) fn target_of(resource: &OpaqueResource) -> ResourceTarget {
    match (resource.dim, resource.arrayed, resource.multisample) {
        (TextureDim::D1, false, _) => ResourceTarget::Tex1D,
        (TextureDim::D1, true, _) => ResourceTarget::Tex1DArray,
        (TextureDim::D2, false, false) => ResourceTarget::Tex2D,
        (TextureDim::D2, true, false) => ResourceTarget::Tex2DArray,
        (TextureDim::D2, false, true) => ResourceTarget::Tex2DMs,
        (TextureDim::D2, true, true) => ResourceTarget::Tex2DMsArray,
        (TextureDim::D3, ..) => ResourceTarget::Tex3D,
        (TextureDim::Cube, false, _) => ResourceTarget::TexCube,
        (TextureDim::Cube, true, _) => ResourceTarget::TexCubeArray,
        (TextureDim::Rect, ..) => ResourceTarget::TexRect,
        (TextureDim::Buffer, ..) => ResourceTarget::TexBuffer,
    }
}

/// Unit of an element of a freshly linked program.
pub(crate) fn initial_unit(resource: &OpaqueResource, element: u32) -> u32 {
    if resource.declared_unit { resource.initial_unit + element } else { 0 }
}

fn put<T: Clone + Default>(list: &mut Vec<T>, slot: u32, value: T) {
    let index = slot as usize;
    if index >= list.len() {
        list.resize(index + 1, T::default());
    }
    list[index] = value;
}

fn attrib_masks(archive: &ProgramArchive, bindings: &mut Bindings) {
    for input in archive.inputs.iter().filter(|i| i.location >= 0) {
        let mask = (((1u64 << input.locations.min(32)) - 1) << input.location.min(31)) as u32;
        bindings.attribs |= mask;
        let is = |scalar| (1..=4).any(|n| gltype::vector(scalar, n) == input.gl_type);
        if is(Scalar::Int) || is(Scalar::Uint) {
            bindings.integer_attribs |= mask;
        }
        if is(Scalar::Uint) {
            bindings.unsigned_attribs |= mask;
        }
        if gltype::shape(input.gl_type).is_some_and(|(_, _, unit)| unit == 8) {
            bindings.double_attribs |= mask;
        }
    }
}

fn primitive_classes(archive: &ProgramArchive, bindings: &mut Bindings) {
    const POINTS: u32 = 0;
    const LINES: u32 = 1;
    const TRIANGLES: u32 = 4;
    if let Some(facts) = &archive.tess_eval {
        bindings.tessellation = true;
        bindings.output_primitive = Some(match (facts.point_mode, facts.primitive) {
            (true, _) => POINTS,
            (false, crate::tokens::ISOLINES) => LINES,
            _ => TRIANGLES,
        });
    }
    if let Some(facts) = &archive.geometry {
        bindings.input_primitive = Some(facts.input_primitive);
        bindings.output_primitive = Some(match facts.output_primitive {
            crate::tokens::POINTS => POINTS,
            crate::tokens::LINE_STRIP => LINES,
            _ => TRIANGLES,
        });
    }
}

impl Bindings {
    /// Initial bindings of a freshly linked program.
    pub(crate) fn of(archive: &ProgramArchive) -> Self {
        let mut out = Self::default();
        for resource in archive.uniforms.iter().filter_map(|u| u.opaque.as_ref()) {
            for element in 0..resource.count {
                out.set_unit(resource, element, initial_unit(resource, element));
            }
        }
        if archive.default_block_size > 0 {
            put(&mut out.uniform_blocks, 0, None);
            put(&mut out.uniform_block_sizes, 0, 0);
        }
        for block in &archive.uniform_blocks {
            out.set_uniform_block(block, block.initial_binding);
        }
        for block in &archive.storage_blocks {
            out.set_storage_block(block, block.initial_binding);
        }
        for buffer in &archive.atomic_buffers {
            put(&mut out.storage, buffer.slot, Some(StorageSlot::Atomic(buffer.binding)));
        }
        attrib_masks(archive, &mut out);
        primitive_classes(archive, &mut out);
        out.compute = archive.compute.is_some();
        out.has_fragment_stage = archive.stages & mgl_glsl::Stage::Fragment.bit() != 0;
        if let Some(xfb) = &archive.xfb {
            out.captures = true;
            let written = (0u32..).zip(xfb.strides).filter(|(_, stride)| *stride != 0);
            out.xfb_buffers = written.map(|(at, _)| 1 << at).sum();
        }
        out
    }

    /// Points element `element` of an opaque uniform at a texture or image unit.
    pub(crate) fn set_unit(&mut self, resource: &OpaqueResource, element: u32, unit: u32) {
        let slot = resource.slot + element;
        match resource.kind {
            OpaqueKind::Sampler => put(
                &mut self.textures,
                slot,
                Some(TextureSlot {
                    unit,
                    target: target_of(resource),
                    shadow: resource.shadow,
                    integer: resource.sample_type != SampleType::Float,
                    idle: resource.idle.contains(&element),
                }),
            ),
            OpaqueKind::Image => put(&mut self.images, slot, Some(unit)),
        }
    }

    /// Points a storage block at a binding point.
    pub(crate) fn set_storage_block(&mut self, block: &Block, binding: u32) {
        put(&mut self.storage, block.slot, Some(StorageSlot::Storage(binding)));
    }

    /// The binding point of a uniform block.
    pub(crate) fn uniform_block(&self, block: &Block) -> u32 {
        self.uniform_blocks.get(block.slot as usize).copied().flatten().unwrap_or(block.initial_binding)
    }

    /// Points a uniform block at a binding point.
    pub(crate) fn set_uniform_block(&mut self, block: &Block, binding: u32) {
        put(&mut self.uniform_blocks, block.slot, Some(binding));
        put(&mut self.uniform_block_sizes, block.slot, block.data_size);
    }
}

#[cfg(test)]
mod tests {
    use super::Bindings;
    use mgl_glsl::archive::{OpaqueResource, ProgramArchive, TextureDim, Uniform, XfbCapture};

    /// A program that gives units only to the samplers it reads must draw: the other elements of the arrays are all at unit 0.
    #[test]
    fn idle_samplers_clash_with_nothing() {
        let of = |slot, dim, idle| Uniform {
            opaque: Some(OpaqueResource { slot, dim, count: 2, idle, ..OpaqueResource::default() }),
            ..Uniform::default()
        };
        let made = |idle: &[u32]| {
            let uniforms = vec![of(0, TextureDim::D2, idle.to_vec()), of(2, TextureDim::D3, idle.to_vec())];
            let archive = ProgramArchive { uniforms, ..ProgramArchive::default() };
            let mut bindings = Bindings::of(&archive);
            for (at, unit) in [(0, 1), (1, 2)] {
                bindings.set_unit(archive.uniforms[at].opaque.as_ref().unwrap(), 1, unit);
            }
            bindings
        };
        assert!(made(&[]).samplers_clash());
        assert!(!made(&[0]).samplers_clash());
    }

    /// A program that captures into buffers 0 and 2 would be refused for want of buffer 1.
    #[test]
    fn capture_buffers_may_have_gaps() {
        let xfb = XfbCapture { strides: [24, 0, 20, 0], ..XfbCapture::default() };
        let archive = ProgramArchive { xfb: Some(xfb), ..ProgramArchive::default() };
        assert_eq!(Bindings::of(&archive).xfb_buffers, 0b101);
    }
}
