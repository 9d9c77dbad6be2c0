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
use std::collections::HashMap;

/// Bytes of constants that one session may have kept here.
const MAX_CONSTANTS: usize = 64 << 20;

/// Something that any flow of the session may change: `flow` pushed it last.
#[derive(Debug)]
pub(crate) struct Shared<T> {
    pub(crate) flow: u32,
    pub(crate) value: T,
}

/// By handle bits.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pub(crate) layouts: HashMap<u64, (Vec<VertexAttrib>, Vec<VertexBinding>)>,
    pub(crate) samplers: HashMap<u64, CreateSamplerState>,
    pub(crate) views: HashMap<u64, CreateSamplerView>,
    pub(crate) params: HashMap<u64, Shared<SetTextureParams>>,
    pub(crate) constants: HashMap<u64, Shared<Vec<u8>>>,
    kept: usize,
}

/// Decodes a record that the dispatcher has accepted.
fn read<'a, R: Record>(bytes: &'a [u8], proof: &Proof) -> Result<Body<'a, R>, Fault> {
    Body::<R>::decode(bytes, proof)
}

impl Shadow {
    fn program(&mut self, flow: u32, cso: u64, size: usize) -> Result<(), Fault> {
        let old = self.constants.remove(&cso).map_or(0, |c| c.value.len());
        self.kept = self.kept - old + size;
        if self.kept > MAX_CONSTANTS {
            return Err(Fault::new(Family::ResourceUnavailable, "verify_state: constants"));
        }
        self.constants.insert(cso, Shared { flow, value: vec![0; size] });
        Ok(())
    }

    fn write_constants(&mut self, flow: u32, head: &SetGlobalConstants, io: &dyn FlowIo) -> Option<()> {
        let bytes = copy_blob(io, head.blob)?;
        let kept = self.constants.get_mut(&head.cso.bits())?;
        let start = head.offset as usize;
        kept.value.get_mut(start..start + bytes.len())?.copy_from_slice(&bytes);
        kept.flow = flow;
        Some(())
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
                self.kept -= gone.map_or(0, |c| c.value.len());
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
                self.program(flow, cso.bits(), constants_of(cso))
            }
            SetGlobalConstants::OP => {
                let head = read::<SetGlobalConstants>(bytes, &proof)?.head;
                let kept = self.write_constants(flow, &head, io);
                kept.ok_or_else(|| Fault::corrupt("verify_state: set_global_constants"))
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
