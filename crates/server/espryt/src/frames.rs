//! The cache of driver framebuffers, keyed by what is attached: images by identity, never by name. Must not know handles
//! of the program.

use crate::bindings::Bindings;
use crate::device::Device;
use crate::images::{Image, ImageKey, Images};
use crate::raw::{Gl, consts as c};
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Format, FramebufferState};
use mgl_base::limits::MAX_DRAW_BUFFERS;
use std::collections::HashMap;

/// One attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attach {
    /// Image.
    pub key: ImageKey,
    /// Level.
    pub level: u32,
    /// Layer, slice or face.
    pub layer: u32,
    /// All layers.
    pub layered: bool,
    /// Through the linear alias of an sRGB image.
    pub linear: bool,
}

/// Size of a framebuffer without attachments: width, height, layers, samples, fixed locations.
pub type Bare = (u32, u32, u32, u32, bool);

/// Everything that is attached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameKey {
    /// By driver colour slot, which is the draw buffer's number.
    pub color: [Option<Attach>; MAX_DRAW_BUFFERS],
    /// Depth.
    pub depth: Option<Attach>,
    /// Stencil.
    pub stencil: Option<Attach>,
    /// Used when nothing is attached.
    pub bare: Bare,
}

impl FrameKey {
    /// One colour image.
    pub fn color(attach: Attach) -> Self {
        let mut key = Self::default();
        key.color[0] = Some(attach);
        key
    }
    /// One image, attached as what its format is.
    pub fn of_format(attach: Attach, format: Format) -> Self {
        let mut color = [None; MAX_DRAW_BUFFERS];
        color[0] = Some(attach).filter(|_| format.is_color());
        let depth = Some(attach).filter(|_| format.has_depth());
        let stencil = Some(attach).filter(|_| format.has_stencil());
        Self { color, depth, stencil, ..Self::default() }
    }
    /// Everything attached.
    pub fn attachments(&self) -> impl Iterator<Item = &Attach> {
        self.color.iter().chain([&self.depth, &self.stencil]).flatten()
    }
}

/// What a bound draw framebuffer is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetInfo {
    /// Driver name.
    pub name: u32,
    /// GL format per draw buffer (= driver colour attachment: buffer `i` writes attachment `i`).
    pub color: [Option<Format>; 8],
    /// Bit per draw buffer whose storage has an alpha channel that the format lacks: its colour mask must leave alpha
    /// alone (it holds 1).
    pub widened_alpha: u8,
    /// Bit per draw buffer that is stored in another layout than its format's (see `Layout::Recode`).
    pub recoded: u8,
    /// Depth is there.
    pub depth: bool,
    /// Stencil is there.
    pub stencil: bool,
    /// Format of the depth attachment.
    pub depth_format: Option<Format>,
    /// Smallest width and height.
    pub extent: [u32; 2],
    /// Layers, 1 when not layered.
    pub layers: u32,
    /// Samples, at least 1.
    pub samples: u32,
}

/// A driver framebuffer.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// What it is like.
    pub info: TargetInfo,
    /// Some attachment is part of a family of views that copies keep up to date.
    pub aliased: bool,
    /// The driver's own format and type for reads; zero = not asked yet.
    pub read_format: (u32, u32),
}

/// What was bound last for drawing, so that an unchanged framebuffer costs a compare.
pub(crate) struct Memo {
    pub(crate) state: FramebufferState,
    pub(crate) srgb: bool,
    pub(crate) epoch: u64,
    pub(crate) key: FrameKey,
    pub(crate) info: TargetInfo,
    pub(crate) aliased: bool,
}

/// The cache.
#[derive(Default)]
pub struct Frames {
    table: HashMap<FrameKey, Frame>,
    pub(crate) memo: Option<Memo>,
    /// State of `GL_FRAMEBUFFER_SRGB` in the driver; on in a new context.
    pub(crate) srgb_off: bool,
}

/// Framebuffers that are kept.
const CAPACITY: usize = 512;

impl Frames {
    /// Finds or makes the framebuffer of a key and binds it as the draw framebuffer.
    pub fn draw(
        &mut self,
        device: &Device,
        bind: &mut Bindings,
        images: &mut Images,
        key: &FrameKey,
    ) -> Outcome<Frame> {
        let frame = self.get(device, bind, images, key)?;
        bind.draw_framebuffer(&device.gl, frame.info.name);
        Ok(frame)
    }

    /// Finds or makes the framebuffer of a key and binds it as the read framebuffer.
    pub fn read(
        &mut self,
        device: &Device,
        bind: &mut Bindings,
        images: &mut Images,
        key: &FrameKey,
    ) -> Outcome<Frame> {
        let frame = self.get(device, bind, images, key)?;
        bind.read_framebuffer(&device.gl, frame.info.name);
        Ok(frame)
    }

    /// The driver's own read format of the bound read framebuffer of `key`.
    pub fn read_format(&mut self, gl: &Gl, key: &FrameKey) -> (u32, u32) {
        let Some(frame) = self.table.get_mut(key) else { return (0, 0) };
        if frame.read_format == (0, 0) {
            let get = |p| gl.int(p) as u32;
            frame.read_format = (get(c::IMPLEMENTATION_COLOR_READ_FORMAT), get(c::IMPLEMENTATION_COLOR_READ_TYPE));
        }
        frame.read_format
    }

    fn get(&mut self, device: &Device, bind: &mut Bindings, images: &mut Images, key: &FrameKey) -> Outcome<Frame> {
        if let Some(frame) = self.table.get(key) {
            return Ok(*frame);
        }
        if self.table.len() >= CAPACITY {
            self.clear(&device.gl, bind);
        }
        let frame = make(device, bind, images, key)?;
        self.table.insert(*key, frame);
        for attach in key.attachments() {
            if let Some(image) = images.get_mut(attach.key) {
                image.attached = true;
            }
        }
        Ok(frame)
    }

    /// An image is gone, and every framebuffer with it.
    pub fn forget(&mut self, gl: &Gl, bind: &mut Bindings, image: ImageKey) {
        self.memo = None;
        self.table.retain(|key, frame| {
            let stays = key.attachments().all(|a| a.key != image);
            if !stays {
                bind.forget_framebuffer(frame.info.name);
                gl.drop_framebuffer(frame.info.name);
            }
            stays
        });
    }

    /// Deletes all.
    pub fn clear(&mut self, gl: &Gl, bind: &mut Bindings) {
        self.memo = None;
        for (_, frame) in self.table.drain() {
            bind.forget_framebuffer(frame.info.name);
            gl.drop_framebuffer(frame.info.name);
        }
    }
}

fn make(device: &Device, bind: &mut Bindings, images: &mut Images, key: &FrameKey) -> Outcome<Frame> {
    let gl = &device.gl;
    let name = gl.new_framebuffer();
    bind.draw_framebuffer(gl, name);
    gl.take_error();
    let mut frame = Frame {
        info: TargetInfo { name, layers: 1, samples: 1, ..TargetInfo::default() },
        aliased: false,
        read_format: (0, 0),
    };
    let mut buffers = [c::NONE; MAX_DRAW_BUFFERS];
    let mut count = 0;
    for (slot, attach) in key.color.iter().enumerate() {
        let Some(attach) = attach else { continue };
        let image = images.need(attach.key)?;
        put(gl, c::COLOR_ATTACHMENT0 + slot as u32, image, attach);
        buffers[slot] = c::COLOR_ATTACHMENT0 + slot as u32;
        count = slot + 1;
        frame.info.color[slot] = Some(image.spec.format);
        frame.info.widened_alpha |= u8::from(image.spec.widened_alpha()) << slot;
        let recoded = image.spec.store.storage != image.spec.format.storage();
        frame.info.recoded |= u8::from(recoded) << slot;
        describe(&mut frame, image, attach);
    }
    for (point, attach) in [(c::DEPTH_ATTACHMENT, &key.depth), (c::STENCIL_ATTACHMENT, &key.stencil)] {
        let Some(attach) = attach else { continue };
        let image = images.need(attach.key)?;
        put(gl, point, image, attach);
        if point == c::DEPTH_ATTACHMENT {
            frame.info.depth = true;
            frame.info.depth_format = Some(image.spec.format);
        } else {
            frame.info.stencil = true;
        }
        describe(&mut frame, image, attach);
    }
    gl.draw_buffers_list(&buffers[..count.max(1)]);
    if key.attachments().next().is_none() {
        bare(device, &mut frame.info, key.bare)?;
    }
    let status = gl.check_framebuffer_status(c::DRAW_FRAMEBUFFER);
    if status == c::FRAMEBUFFER_COMPLETE && gl.take_error() == 0 {
        return Ok(frame);
    }
    bind.forget_framebuffer(name);
    gl.drop_framebuffer(name);
    tracing::debug!("framebuffer status 0x{status:04x} of {key:?}");
    Err(Refusal::Unsupported("FramebufferUnsupported"))
}

fn bare(device: &Device, info: &mut TargetInfo, (w, h, layers, samples, fixed): Bare) -> Outcome {
    if device.minor < 1 {
        return Err(Refusal::Unsupported("FramebufferNoAttachments"));
    }
    let set = |pname, value: u32| device.gl.framebuffer_parameteri(c::DRAW_FRAMEBUFFER, pname, value as i32);
    set(c::FRAMEBUFFER_DEFAULT_WIDTH, w.max(1));
    set(c::FRAMEBUFFER_DEFAULT_HEIGHT, h.max(1));
    set(c::FRAMEBUFFER_DEFAULT_SAMPLES, samples);
    set(c::FRAMEBUFFER_DEFAULT_FIXED_SAMPLE_LOCATIONS, u32::from(fixed));
    if device.features.geometry_shader && layers > 0 {
        set(c::FRAMEBUFFER_DEFAULT_LAYERS, layers);
    }
    info.extent = [w.max(1), h.max(1)];
    info.layers = layers.max(1);
    info.samples = samples.max(1);
    Ok(())
}

fn describe(frame: &mut Frame, image: &Image, attach: &Attach) {
    let [w, h, _] = image.spec.level_extent(attach.level);
    let layers = if attach.layered { image.spec.slices(attach.level) } else { 1 };
    let info = &mut frame.info;
    if info.extent == [0; 2] {
        *info = TargetInfo { extent: [w, h], layers, samples: image.spec.samples, ..*info };
    } else {
        info.extent = [info.extent[0].min(w), info.extent[1].min(h)];
        info.layers = info.layers.min(layers);
    }
    frame.aliased |= image.aliased;
}

fn put(gl: &Gl, point: u32, image: &Image, attach: &Attach) {
    let target = c::DRAW_FRAMEBUFFER;
    let name = if attach.linear { image.linear } else { image.name };
    let level = attach.level as i32;
    match image.target {
        c::RENDERBUFFER => gl.framebuffer_renderbuffer(target, point, c::RENDERBUFFER, name),
        _ if attach.layered => gl.framebuffer_texture(target, point, name, level),
        c::TEXTURE_CUBE_MAP => {
            let face = c::TEXTURE_CUBE_MAP_POSITIVE_X + attach.layer.min(5);
            gl.framebuffer_texture_2d(target, point, face, name, level);
        }
        c::TEXTURE_2D | c::TEXTURE_2D_MULTISAMPLE => {
            gl.framebuffer_texture_2d(target, point, image.target, name, level);
        }
        _ => gl.framebuffer_texture_layer(target, point, name, level, attach.layer as i32),
    }
}
