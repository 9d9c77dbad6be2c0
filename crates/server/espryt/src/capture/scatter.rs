//! Captured records with gaps or several buffers: the driver captures tightly into scratch memory, and the words go to
//! their places when the span ends (spec 07 §10.4). Must not know programs.

use super::count::known;
use crate::core::Core;
use crate::error::refuse;
use crate::essl::Captured;
use crate::raw::consts;
use mgl_backend::Refusal;
use mgl_backend::traits::{Draw, Outcome};
use mgl_backend::values::XfbTarget;
use mgl_pipe::tokens::PrimitiveMode;

/// Bytes of scratch memory.
const SCRATCH: usize = 16 << 20;

/// One span's scratch memory and where its words go.
pub struct Scatter {
    buffer: u32,
    outputs: Vec<Captured>,
    strides: [u32; 4],
    targets: [XfbTarget; 4],
    vertices: u64,
}

impl Scatter {
    /// Fresh scratch memory.
    pub fn new(core: &mut Core, outputs: &[Captured], strides: [u32; 4], targets: &[XfbTarget; 4]) -> Outcome<Self> {
        core.device.admit("capture scratch")?;
        let buffer = core.gl().new_buffer();
        core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, buffer);
        core.gl().take_error();
        core.gl().buffer_data_empty(consts::COPY_WRITE_BUFFER, SCRATCH, consts::DYNAMIC_READ);
        let error = core.gl().take_error();
        if error != 0 {
            core.bind.forget_buffer(buffer);
            core.gl().drop_buffer(buffer);
            return Err(refuse("capture scratch", error));
        }
        Ok(Self { buffer, outputs: outputs.to_vec(), strides, targets: *targets, vertices: 0 })
    }

    /// Counts the vertices of a draw. Stages that make primitives have no count that is known beforehand.
    pub fn expect(&mut self, draw: &Draw<'_>, mode: PrimitiveMode) -> Outcome {
        self.vertices += known(draw, mode).ok_or(Refusal::Unsupported("TransformFeedbackScatterDraw"))?;
        let tight: u64 = self.outputs.iter().map(|o| u64::from(o.size)).sum();
        if self.vertices * tight > SCRATCH as u64 {
            return Err(Refusal::Unsupported("TransformFeedbackScatterSize"));
        }
        Ok(())
    }

    /// Binds the scratch memory to the bound transform feedback object.
    pub fn bind(&self, core: &Core) {
        core.gl().bind_buffer_base(consts::TRANSFORM_FEEDBACK_BUFFER, 0, self.buffer);
    }

    /// Moves the words to the targets. Bytes between them keep what they were (`gl_SkipComponents`).
    pub fn finish(self, core: &mut Core) -> Outcome {
        let tight: usize = self.outputs.iter().map(|o| o.size as usize).sum();
        let mut captured = vec![0; tight * self.vertices as usize];
        let read = core.read_mapped(self.buffer, 0, &mut captured);
        core.bind.forget_buffer(self.buffer);
        core.gl().drop_buffer(self.buffer);
        if !read {
            return Err(Refusal::Driver("captured bytes cannot be read back".into()));
        }
        for (n, target) in self.targets.iter().enumerate() {
            let stride = self.strides[n] as usize;
            let Some(store) = core.buffer(target.buffer).filter(|s| stride > 0 && target.offset < s.size) else {
                continue;
            };
            let room = target.size.min(store.size - target.offset) as usize;
            // Whole records only (GL 4.6 §13.3.1).
            let records = (self.vertices as usize).min(room / stride.max(1));
            let mut bytes = vec![0; records * stride];
            core.buffer_read(target.buffer, target.offset, &mut bytes)?;
            for (record, source) in bytes.chunks_exact_mut(stride).zip(captured.chunks_exact(tight.max(1))) {
                let mut at = 0;
                for output in &self.outputs {
                    let (size, to) = (output.size as usize, output.offset as usize);
                    if output.buffer as usize == n
                        && let (Some(to), Some(from)) = (record.get_mut(to..to + size), source.get(at..at + size))
                    {
                        to.copy_from_slice(from);
                    }
                    at += size;
                }
            }
            core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, store.name);
            core.gl().buffer_sub_data_bytes(consts::COPY_WRITE_BUFFER, target.offset as usize, &bytes);
            core.written(target.buffer);
        }
        Ok(())
    }
}
