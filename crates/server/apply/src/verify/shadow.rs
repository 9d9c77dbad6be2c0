//! Content of state objects, kept beside the tables while a client is verified: the pushed state names objects, and
//! equal names say nothing about equal content. Must not be consulted by anything but the comparison.

use crate::content::copy_blob;
use crate::io::FlowIo;
use crate::session::Applier;
use mgl_base::{Family, Fault};
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
    pub(super) flow: u32,
    pub(super) value: T,
}

/// By handle bits.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pub(super) layouts: HashMap<u64, (Vec<VertexAttrib>, Vec<VertexBinding>)>,
    pub(super) samplers: HashMap<u64, CreateSamplerState>,
    pub(super) views: HashMap<u64, CreateSamplerView>,
    pub(super) params: HashMap<u64, Shared<SetTextureParams>>,
    pub(super) constants: HashMap<u64, Shared<Vec<u8>>>,
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

    fn constants(&mut self, flow: u32, head: &SetGlobalConstants, io: &dyn FlowIo) -> Option<()> {
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

impl Applier<'_> {
    /// Keeps what an applied record said of an object's content.
    pub(crate) fn observe(&mut self, op: u16, bytes: &[u8]) -> Result<(), Fault> {
        let Some(mut shadow) = self.session.verify.take() else { return Ok(()) };
        let result = self.observe_with(&mut shadow, op, bytes);
        self.session.verify = Some(shadow);
        result
    }

    fn observe_with(&mut self, shadow: &mut Shadow, op: u16, bytes: &[u8]) -> Result<(), Fault> {
        let proof = Proof { stage_len: self.io.stage_len() };
        let flow = self.flow.state.flow;
        match op {
            CreateShaderState::OP => {
                let cso = read::<CreateShaderState>(bytes, &proof)?.head.cso;
                let size = self.session.tables.programs.get(cso).map_or(0, |p| p.constants as usize);
                shadow.program(flow, cso.bits(), size)
            }
            SetGlobalConstants::OP => {
                let head = read::<SetGlobalConstants>(bytes, &proof)?.head;
                let kept = shadow.constants(flow, &head, self.io);
                kept.ok_or_else(|| Fault::corrupt("verify_state: set_global_constants"))
            }
            SetTextureParams::OP => {
                let value = read::<SetTextureParams>(bytes, &proof)?.head;
                shadow.params.insert(value.texture.bits(), Shared { flow, value });
                Ok(())
            }
            _ => shadow.created(op, bytes, &proof).and_then(|()| shadow.deleted(op, bytes, &proof)),
        }
    }
}
