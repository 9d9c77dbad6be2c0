//! Fences, flushes and serials. Must not know what the work was.

use crate::core::Core;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Fence;

/// Bytes of upload memory that outlive a flush.
const SCRATCH_KEPT: usize = 16 << 20;

impl Core {
    /// A fence after everything so far.
    pub fn fence_create(&mut self, fence: Handle<Fence>) -> Outcome {
        self.fences.create(&self.device.gl, &mut self.timeline, fence)
    }
    /// True when everything before it is complete.
    pub fn fence_signalled(&mut self, fence: Handle<Fence>) -> Outcome<bool> {
        let serial = self.fences.serial(fence)?;
        Ok(self.timeline.poll(&self.device.gl) >= serial)
    }
    /// Waits; false when the time ran out.
    pub fn fence_wait(&mut self, fence: Handle<Fence>, timeout_ns: u64) -> Outcome<bool> {
        let serial = self.fences.serial(fence)?;
        self.timeline.wait(&self.device.gl, serial, timeout_ns)
    }
    /// Hands what was issued to the GPU; answers the serial that covers it.
    pub fn flush(&mut self) -> Outcome<u64> {
        let serial = self.timeline.mark(&self.device.gl)?;
        self.device.gl.flush();
        if self.scratch.capacity() > SCRATCH_KEPT {
            self.scratch = Vec::new();
        }
        // Without reset notification the driver answers "no error" for ever (ES 3.2 §2.3.2).
        match self.device.features.robustness && self.device.context.robust {
            true if self.device.gl.get_graphics_reset_status() != 0 => {
                Err(Refusal::DeviceLost("the driver reset its context".into()))
            }
            _ => Ok(serial),
        }
    }
    /// Newest serial that is proven complete.
    pub fn completed_serial(&mut self) -> u64 {
        self.timeline.poll(&self.device.gl)
    }
    /// Nothing to apply at the moment.
    pub fn idle(&mut self) -> Outcome<bool> {
        if self.timeline.work {
            self.flush()?;
        }
        self.timeline.poll(&self.device.gl);
        Ok(self.timeline.pending())
    }
    /// `glMemoryBarrier` with GL bits; ES has the bits of its own version only.
    pub fn memory_barrier(&mut self, bits: u32, by_region: bool) -> Outcome {
        use crate::raw::consts as c;
        if self.device.minor < 1 {
            // Without shader stores there is nothing to order.
            return Ok(());
        }
        let known = c::VERTEX_ATTRIB_ARRAY_BARRIER_BIT
            | c::ELEMENT_ARRAY_BARRIER_BIT
            | c::UNIFORM_BARRIER_BIT
            | c::TEXTURE_FETCH_BARRIER_BIT
            | c::SHADER_IMAGE_ACCESS_BARRIER_BIT
            | c::COMMAND_BARRIER_BIT
            | c::PIXEL_BUFFER_BARRIER_BIT
            | c::TEXTURE_UPDATE_BARRIER_BIT
            | c::BUFFER_UPDATE_BARRIER_BIT
            | c::FRAMEBUFFER_BARRIER_BIT
            | c::TRANSFORM_FEEDBACK_BARRIER_BIT
            | c::ATOMIC_COUNTER_BARRIER_BIT
            | c::SHADER_STORAGE_BARRIER_BIT;
        let regional = c::UNIFORM_BARRIER_BIT
            | c::TEXTURE_FETCH_BARRIER_BIT
            | c::SHADER_IMAGE_ACCESS_BARRIER_BIT
            | c::FRAMEBUFFER_BARRIER_BIT
            | c::ATOMIC_COUNTER_BARRIER_BIT
            | c::SHADER_STORAGE_BARRIER_BIT;
        let all = bits == u32::MAX;
        if by_region && !all && bits & !regional == 0 {
            self.device.gl.memory_barrier_by_region(bits);
        } else {
            self.device.gl.memory_barrier(if all { c::ALL_BARRIER_BITS } else { bits & known });
        }
        self.issued();
        Ok(())
    }
}
