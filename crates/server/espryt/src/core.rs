//! The resource half in one value: the driver, what is bound in it, buffers, textures, framebuffers. The drawing half
//! gets `&mut Core` with every call and goes through the functions here. Must not know programs or draws.
//!
//! How a draw uses it:
//! 1. [`Core::bind_draw_framebuffer`] (binds; answers the slots and masks);
//! 2. [`Core::resolve_view`], [`Core::sampler`], [`Core::image_unit`], [`Core::buffer`] for what the program reads;
//! 3. bind through [`Core::bind`], never by the functions themselves;
//! 4. look at [`Core::disturbed`]: what internal draws, clears and blits have changed behind the state shadow;
//! 5. issue, then [`Core::issued`].

use crate::bindings::Bindings;
use crate::buffers::{BufferRef, BufferTable};
use crate::device::{Device, EsFeatures};
use crate::fences::{FenceTable, Timeline};
use crate::frames::Frames;
use crate::meta::Meta;
use crate::raw::{Gl, consts};
use crate::textures::Textures;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_base::Handle;
use mgl_base::handle::Buffer;

bitflags::bitflags! {
    /// Groups of driver state that the resource half changed; the state shadow must send them again.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Disturbed: u32 {
        /// Colour masks of any draw buffer.
        const COLOR_MASK = 1;
        /// Depth mask.
        const DEPTH_MASK = 2;
        /// Stencil write masks.
        const STENCIL_MASK = 4;
        /// Scissor test or box.
        const SCISSOR = 8;
        /// Viewport or depth range.
        const VIEWPORT = 16;
        /// Rasteriser discard.
        const DISCARD = 32;
        /// Tests, blending, culling and everything else that a draw depends on.
        const RASTER = 64;
        /// Values of clears; no draw depends on them.
        const CLEAR_VALUES = 128;
    }
}

/// The resource half.
pub struct Core {
    /// The driver.
    pub device: Device,
    /// What is bound.
    pub bind: Bindings,
    /// Buffer objects.
    pub buffers: BufferTable,
    /// Textures, renderbuffers, views, samplers and images.
    pub textures: Textures,
    /// Driver framebuffers.
    pub frames: Frames,
    /// State that internal work changed and nobody has restored.
    pub disturbed: Disturbed,
    /// The driver captures and is not paused: internal draws pause it around themselves.
    pub capturing: bool,
    pub(crate) meta: Meta,
    /// Bytes on their way to the driver.
    pub(crate) scratch: Vec<u8>,
    pub(crate) timeline: Timeline,
    pub(crate) fences: FenceTable,
}

impl Core {
    /// An empty session on a device.
    pub fn new(device: Device) -> Self {
        let units = device.gl.int(consts::MAX_COMBINED_TEXTURE_IMAGE_UNITS).max(1) as u32;
        // Tight rows everywhere: the wire has no other.
        device.gl.pixel_storei(consts::UNPACK_ALIGNMENT, 1);
        device.gl.pixel_storei(consts::PACK_ALIGNMENT, 1);
        Self {
            device,
            bind: Bindings::new(units),
            buffers: BufferTable::default(),
            textures: Textures::default(),
            frames: Frames::default(),
            disturbed: Disturbed::all(),
            capturing: false,
            meta: Meta::default(),
            scratch: Vec::new(),
            timeline: Timeline::default(),
            fences: FenceTable::default(),
        }
    }

    /// Driver functions.
    #[inline]
    pub fn gl(&self) -> &Gl {
        &self.device.gl
    }

    /// Features in use.
    #[inline]
    pub fn features(&self) -> &EsFeatures {
        &self.device.features
    }

    /// Makes the context current on this thread. Every call of the seam begins with it.
    #[inline]
    pub fn enter(&self) -> Outcome {
        if self.device.context.enter() {
            return Ok(());
        }
        Err(Refusal::DeviceLost("the driver does not make its context current".into()))
    }

    /// Work was issued that a fence must wait for.
    #[inline]
    pub fn issued(&mut self) {
        self.timeline.work = true;
    }

    /// The store of a buffer, or `None` when it has none (or the handle is null).
    #[inline]
    pub fn buffer(&self, handle: Handle<Buffer>) -> Option<BufferRef> {
        self.buffers.get(handle)
    }

    /// The GPU writes a buffer: capture, storage block, image.
    pub fn written(&mut self, handle: Handle<Buffer>) {
        self.buffers.touch(handle);
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        if self.device.context.enter() {
            self.timeline.clear(&self.device.gl);
        }
    }
}
