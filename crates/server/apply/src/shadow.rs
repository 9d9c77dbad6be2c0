//! Content of state objects, kept beside the tables while a client is verified: the pushed state names objects, and
//! equal names say nothing about equal content. Must not be consulted by anything but the comparison.

use crate::content::copy_blob;
use crate::io::FlowIo;
use mgl_base::handle::ShaderCso;
use mgl_base::{Family, Fault, Handle};
use mgl_pipe::records::{
    CreateSamplerState, CreateSamplerView, CreateShaderState, CreateVertexElements, DeleteSamplerState,
    DeleteSamplerView, DeleteShaderState, DeleteVertexElements, ResourceDestroy, SetGlobalConstants, SetTextureParams,
    VertexAttrib, VertexBinding,
};
use mgl_pipe::{Body, Proof, Record};
use std::borrow::Cow;
use std::collections::HashMap;

/// Bytes of constants that one session may have kept here.
const MAX_CONSTANTS: usize = 64 << 20;

/// Something that any flow of the session may change: `flow` pushed it last.
#[derive(Debug)]
pub(crate) struct Shared<T> {
    pub(crate) flow: u32,
    pub(crate) value: T,
}

/// Default uniform block of a program, by flow: each context has bytes of its own.
#[derive(Debug)]
pub(crate) struct Blocks {
    size: usize,
    copies: Vec<(u32, Vec<u8>)>,
}

impl Blocks {
    /// Bytes of the block as `flow` has it; zeros until it was sent some.
    pub(crate) fn of(&self, flow: u32) -> Cow<'_, [u8]> {
        let own = self.copies.iter().find(|(of, _)| *of == flow);
        own.map_or_else(|| Cow::Owned(vec![0; self.size]), |(_, bytes)| Cow::Borrowed(bytes.as_slice()))
    }
    fn bytes(&self) -> usize {
        self.size * self.copies.len().max(1)
    }
}

/// By handle bits.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pub(crate) layouts: HashMap<u64, (Vec<VertexAttrib>, Vec<VertexBinding>)>,
    pub(crate) samplers: HashMap<u64, CreateSamplerState>,
    pub(crate) views: HashMap<u64, CreateSamplerView>,
    pub(crate) params: HashMap<u64, Shared<SetTextureParams>>,
    pub(crate) constants: HashMap<u64, Blocks>,
    kept: usize,
}

/// Decodes a record that the dispatcher has accepted.
fn read<'a, R: Record>(bytes: &'a [u8], proof: &Proof) -> Result<Body<'a, R>, Fault> {
    Body::<R>::decode(bytes, proof)
}

impl Shadow {
    fn program(&mut self, cso: u64, size: usize) -> Result<(), Fault> {
        let old = self.constants.remove(&cso).map_or(0, |c| c.bytes());
        self.kept = self.kept - old + size;
        self.constants.insert(cso, Blocks { size, copies: Vec::new() });
        self.affordable()
    }

    fn affordable(&self) -> Result<(), Fault> {
        if self.kept > MAX_CONSTANTS {
            return Err(Fault::new(Family::ResourceUnavailable, "verify_state: constants"));
        }
        Ok(())
    }

    fn write_constants(&mut self, flow: u32, head: &SetGlobalConstants, io: &dyn FlowIo) -> Option<()> {
        let bytes = copy_blob(io, head.blob)?;
        let kept = self.constants.get_mut(&head.cso.bits())?;
        if !kept.copies.iter().any(|(of, _)| *of == flow) {
            // The first copy was counted with the program.
            self.kept += if kept.copies.is_empty() { 0 } else { kept.size };
            kept.copies.push((flow, vec![0; kept.size]));
        }
        let (_, own) = kept.copies.iter_mut().find(|(of, _)| *of == flow)?;
        let start = head.offset as usize;
        own.get_mut(start..start + bytes.len())?.copy_from_slice(&bytes);
        Some(())
    }

    /// A context has ended.
    pub(crate) fn flow_destroyed(&mut self, flow: u32) {
        for blocks in self.constants.values_mut() {
            let before = blocks.bytes();
            blocks.copies.retain(|(of, _)| *of != flow);
            self.kept -= before - blocks.bytes();
        }
    }

    /// The content of one create record; the rest of the catalogue is of no interest.
    fn created(&mut self, op: u16, bytes: &[u8], proof: &Proof) -> Result<(), Fault> {
        match op {
            CreateVertexElements::OP => {
                let body = read::<CreateVertexElements>(bytes, proof)?;
                self.layouts.insert(body.head.cso.bits(), (body.attribs().to_vec(), body.bindings().to_vec()));
            }
            CreateSamplerState::OP => {
                let head = read::<CreateSamplerState>(bytes, proof)?.head;
                self.samplers.insert(head.cso.bits(), head);
            }
            CreateSamplerView::OP => {
                let head = read::<CreateSamplerView>(bytes, proof)?.head;
                self.views.insert(head.cso.bits(), head);
            }
            _ => {}
        }
        Ok(())
    }

    fn deleted(&mut self, op: u16, bytes: &[u8], proof: &Proof) -> Result<(), Fault> {
        match op {
            DeleteVertexElements::OP => {
                self.layouts.remove(&read::<DeleteVertexElements>(bytes, proof)?.head.cso.bits());
            }
            DeleteSamplerState::OP => {
                self.samplers.remove(&read::<DeleteSamplerState>(bytes, proof)?.head.cso.bits());
            }
            DeleteSamplerView::OP => {
                self.views.remove(&read::<DeleteSamplerView>(bytes, proof)?.head.cso.bits());
            }
            DeleteShaderState::OP => {
                let gone = self.constants.remove(&read::<DeleteShaderState>(bytes, proof)?.head.cso.bits());
                self.kept -= gone.map_or(0, |c| c.bytes());
            }
            ResourceDestroy::OP => {
                let head = read::<ResourceDestroy>(bytes, proof)?.head;
                let bits = u64::from(head.generation) << 32 | u64::from(head.slot);
                if head.target != mgl_pipe::tokens::ResourceTarget::Buffer {
                    self.params.remove(&bits);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Shadow {
    /// Keeps what an applied record of `flow` said of an object's content. `constants_of` is the size of a program's
    /// default block.
    pub(crate) fn observe(
        &mut self,
        (flow, op, bytes): (u32, u16, &[u8]),
        constants_of: impl Fn(Handle<ShaderCso>) -> usize,
        io: &dyn FlowIo,
    ) -> Result<(), Fault> {
        let proof = Proof { stage_len: io.stage_len() };
        match op {
            CreateShaderState::OP => {
                let cso = read::<CreateShaderState>(bytes, &proof)?.head.cso;
                self.program(cso.bits(), constants_of(cso))
            }
            SetGlobalConstants::OP => {
                let head = read::<SetGlobalConstants>(bytes, &proof)?.head;
                let kept = self.write_constants(flow, &head, io);
                kept.ok_or_else(|| Fault::corrupt("verify_state: set_global_constants"))?;
                self.affordable()
            }
            SetTextureParams::OP => {
                let value = read::<SetTextureParams>(bytes, &proof)?.head;
                self.params.insert(value.texture.bits(), Shared { flow, value });
                Ok(())
            }
            _ => self.created(op, bytes, &proof).and_then(|()| self.deleted(op, bytes, &proof)),
        }
    }
}
