//! Who is inside a render pass. The drawing half enters; everything that must be outside leaves. Must not know
//! attachments or pipelines.

use crate::commands::Commands;
use crate::raw::record;
use ash::vk;
use mgl_backend::traits::Outcome;
use smallvec::SmallVec;

/// How the open pass was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassKind {
    /// `vkCmdBeginRendering`.
    Dynamic,
    /// `vkCmdBeginRenderPass`.
    Object,
}

/// What must happen inside the pass right before it ends. Run in reverse order of registration.
#[derive(Clone, Debug)]
pub enum LeaveOp {
    /// `vkCmdEndQuery`.
    EndQuery {
        /// Pool.
        pool: vk::QueryPool,
        /// Query.
        index: u32,
    },
    /// `vkCmdEndQueryIndexedEXT`.
    EndQueryIndexed {
        /// Pool.
        pool: vk::QueryPool,
        /// Query.
        index: u32,
        /// Vertex stream.
        stream: u32,
    },
    /// `vkCmdEndTransformFeedbackEXT`, saving the counters.
    EndXfb {
        /// Counter buffers.
        counters: SmallVec<[vk::Buffer; 4]>,
        /// Offsets in them.
        offsets: SmallVec<[u64; 4]>,
    },
}

pub(super) struct OpenPass {
    kind: PassKind,
    on_leave: SmallVec<[LeaveOp; 4]>,
}

impl Commands {
    /// Leaves an open pass, records pending barriers and declares that the caller begins a pass in the returned
    /// command buffer *now* (with `vkCmdBeginRendering` or `vkCmdBeginRenderPass`, as `kind` says).
    pub fn enter_pass(&mut self, kind: PassKind) -> Outcome<vk::CommandBuffer> {
        let cmd = self.main()?;
        self.pass = Some(OpenPass { kind, on_leave: SmallVec::new() });
        self.pass_epoch += 1;
        Ok(cmd)
    }

    /// True while a pass is open.
    pub fn in_pass(&self) -> bool {
        self.pass.is_some()
    }

    /// Rises with every pass that is entered. A remembered value together with [`Commands::in_pass`] tells whether
    /// the pass one began is still open. A pass never outlives its batch.
    pub fn pass_epoch(&self) -> u64 {
        self.pass_epoch
    }

    /// Registers something to end before the open pass ends.
    pub fn on_leave_pass(&mut self, op: LeaveOp) {
        if let Some(pass) = &mut self.pass {
            pass.on_leave.push(op);
        }
    }

    /// Takes back what was registered and `keep` declines (the caller has ended it by hand).
    pub fn retain_leave_ops(&mut self, keep: impl FnMut(&mut LeaveOp) -> bool) {
        if let Some(pass) = &mut self.pass {
            pass.on_leave.retain(keep);
        }
    }

    /// Ends the open pass, if there is one.
    pub fn leave_pass(&mut self) {
        let Some(mut pass) = self.pass.take() else { return };
        let Ok(cmd) = self.inside() else { return };
        let gpu = self.gpu().clone();
        while let Some(op) = pass.on_leave.pop() {
            match op {
                LeaveOp::EndQuery { pool, index } => record::end_query(&gpu.device, cmd, pool, index),
                LeaveOp::EndQueryIndexed { pool, index, stream } => {
                    if let Some(xfb) = &gpu.ext.xfb {
                        record::end_query_indexed(xfb, cmd, pool, index, stream);
                    }
                }
                LeaveOp::EndXfb { counters, offsets } => {
                    if let Some(xfb) = &gpu.ext.xfb {
                        record::end_transform_feedback(xfb, cmd, &counters, &offsets);
                    }
                }
            }
        }
        match (pass.kind, &gpu.ext.dynamic_rendering) {
            (PassKind::Dynamic, Some(rendering)) => record::end_rendering(rendering, cmd),
            _ => record::end_render_pass(&gpu.device, cmd),
        }
    }
}
