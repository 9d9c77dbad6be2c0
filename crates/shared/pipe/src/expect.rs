//! What a client believes its server to have at a verb: the content of `verify_state` (spec 09 §3). Sections of whole
//! wire values; the receiver compares them, field by field, with what the records before it built. Must not know how
//! either side comes by its values.

use crate::wire::{Pad, Wire};
use mgl_base::handle::ShaderCso;
use mgl_base::{Fault, Handle};
use zerocopy::{FromBytes, IntoBytes};

wire_enum! {
    /// One group of state. The comment names the elements of its section.
    pub enum Part: u16 {
        /// One `PipelineState`.
        Pipeline = 1,
        /// One `DynamicState`.
        Dynamic = 2,
        /// One `SetFramebufferState`.
        DrawFramebuffer = 3,
        /// One `SetFramebufferState`.
        ReadFramebuffer = 4,
        /// `VertexAttrib`s of the layout.
        VertexAttribs = 5,
        /// `VertexBinding`s of the layout.
        VertexBindings = 6,
        /// `VertexBuffer`s by binding point.
        VertexBuffers = 7,
        /// One `SetIndexBuffer`.
        IndexBuffer = 8,
        /// One `SetIndirectBuffers`.
        IndirectBuffers = 9,
        /// `AttribValue`s, each with its location.
        AttribDefaults = 10,
        /// `CreateSamplerView`s by slot; a null texture = no complete texture.
        Views = 11,
        /// `SetTextureParams` of the textures behind the views.
        TextureParams = 12,
        /// `CreateSamplerState`s by slot; the handle is null where there is no state.
        Samplers = 13,
        /// `ImageView`s by slot.
        Images = 14,
        /// `BufferRange`s by slot.
        UniformBuffers = 15,
        /// `BufferRange`s by slot.
        StorageBuffers = 16,
        /// One `SetStreamOutputTargets`, which names the object.
        StreamOutput = 17,
        /// `XfbTarget`s by index.
        StreamOutputTargets = 18,
        /// One `SetDrawProgram`.
        DrawProgram = 19,
        /// One `SetDispatchProgram`.
        DispatchProgram = 20,
        /// One `ConstantBytes`.
        Constants = 21,
        /// Bytes of the name of the GL command; nothing is compared.
        Command = 22,
        /// One `SetPatchState`.
        Patch = 23,
    }
}
wire_struct! {
    /// Bytes of a program's default uniform block.
    pub struct ConstantBytes {
        /// The program.
        cso: Handle<ShaderCso>,
        /// Number of bytes.
        size: u64,
        /// `content_hash` of the bytes.
        hash: u64,
    }
}
wire_struct! {
    /// Head of a section.
    pub struct Section { part: Part, pad: Pad<2>, count: u32 }
}

/// Collects sections. The memory is reused.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
    /// Appends one section.
    pub fn put<T: Wire>(&mut self, part: Part, items: &[T]) {
        let head = Section { part, count: items.len() as u32, ..Default::default() };
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(items.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }
    /// All sections.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads what a [`Writer`] wrote; trusts nothing.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    count: usize,
}

impl<'a> Reader<'a> {
    /// A reader of all sections.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, count: 0 }
    }
    /// The next section's group, `None` at the end. Its elements must be taken before the next call.
    pub fn next_part(&mut self) -> Result<Option<Part>, Fault> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (head, rest) = Section::read_from_prefix(self.rest).map_err(|_| corrupt())?;
        if head.first_unproven(&crate::Proof { stage_len: 0 }).is_some() {
            return Err(corrupt());
        }
        (self.rest, self.count) = (rest, head.count as usize);
        Ok(Some(head.part))
    }
    /// The elements of the section just announced.
    pub fn take<T: Wire>(&mut self) -> Result<Vec<T>, Fault> {
        let len = self.count.checked_mul(size_of::<T>()).ok_or_else(corrupt)?;
        let (padded, rest) = self.rest.split_at_checked(len.next_multiple_of(8)).ok_or_else(corrupt)?;
        self.rest = rest;
        let items = padded.chunks_exact(size_of::<T>()).take(self.count);
        // Not proven: the values are compared and shown, never acted upon, and an unused slot is all zero.
        items.map(|bytes| T::read_from_bytes(bytes).map_err(|_| corrupt())).collect()
    }
    /// The only element of the section just announced.
    pub fn take_one<T: Wire>(&mut self) -> Result<T, Fault> {
        match self.take::<T>()?.as_slice() {
            [one] => Ok(*one),
            _ => Err(corrupt()),
        }
    }
}

fn corrupt() -> Fault {
    Fault::corrupt("verify_state.blob")
}

#[cfg(test)]
mod tests {
    use super::{Part, Reader, Writer};
    use crate::Wire;
    use crate::records::BufferRange;
    use crate::render_state::{BlendState, PipelineState};
    use crate::sample::Rng;
    use crate::tokens::BlendFactor;
    use mgl_base::Handle;

    /// A verify run that misreads its own expectation would blame a healthy driver, or miss a broken one.
    #[test]
    fn sections_round_trip_and_nothing_short_is_accepted() {
        let mut out = Writer::default();
        let block = PipelineState::sample(&mut Rng::new(3));
        let ranges = [BufferRange { buffer: Handle::new(3, 1), offset: 16, size: 64 }; 2];
        out.put(Part::Pipeline, &[block]);
        out.put(Part::UniformBuffers, &ranges);
        out.put::<BlendState>(Part::Images, &[]);
        let mut reader = Reader::new(out.bytes());
        assert_eq!(reader.next_part(), Ok(Some(Part::Pipeline)));
        assert_eq!(reader.take_one::<PipelineState>(), Ok(block));
        assert_eq!(reader.next_part(), Ok(Some(Part::UniformBuffers)));
        assert_eq!(reader.take::<BufferRange>().as_deref(), Ok(&ranges[..]));
        assert_eq!(reader.next_part(), Ok(Some(Part::Images)));
        assert_eq!(reader.take::<BlendState>(), Ok(Vec::new()));
        assert_eq!(reader.next_part(), Ok(None));
        for len in 1..size_of::<PipelineState>() {
            let mut short = Reader::new(&out.bytes()[..len]);
            assert!(short.next_part().and_then(|_| short.take::<PipelineState>()).is_err(), "{len}");
        }
    }

    /// The message must name the very field: "the state differs" finds no bug.
    #[test]
    fn a_difference_is_named_by_its_path() {
        let a = PipelineState::initial();
        let mut b = a;
        b.blend[2].src_alpha = BlendFactor::DstColor;
        b.sample_coverage_value = f32::NAN;
        let there = PipelineState::difference(&a, &b, "pipeline").map(|d| d.to_string());
        assert_eq!(there.as_deref(), Some("pipeline.blend[2].src_alpha: expected One, found DstColor"));
        b.blend[2] = a.blend[2];
        let there = PipelineState::difference(&b, &a, "pipeline").map(|d| d.to_string());
        assert_eq!(there.as_deref(), Some("pipeline.sample_coverage_value: expected NaN, found 1.0"));
        b.sample_coverage_value = 1.0;
        assert_eq!(PipelineState::difference(&a, &b, "pipeline"), None);
    }
}
