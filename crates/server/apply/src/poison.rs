//! `MOBILEGL_PIPE_POISON`: while a verb is applied, every group of state that its class may not read holds values that no
//! backend can use, and afterwards the dirty bits of those groups must be as before (spec 09 §2). Must not change what a
//! correct backend does.

use mgl_backend::values::{
    AttribValue, BufferRange, DynamicState, FramebufferState, ImageView, PipelineState, Surface, VertexBuffer,
    XfbTarget,
};
use mgl_backend::{ContextState, Dirty};
use mgl_base::{Handle, Kind};
use mgl_pipe::Record;
use mgl_pipe::records::{
    BeginStreamOutput, Blit, Clear, CopyFramebufferToTexture, DrawVbo, EndStreamOutput, LaunchGrid, PauseStreamOutput,
    Present, PresentImage, QueryBegin, QueryCounter, QueryEnd, ReadPixels, ReadPixelsToBuffer, ResumeStreamOutput,
};
use mgl_pipe::tokens::SurfaceKind;
use zerocopy::FromBytes;

/// Name of the switch; on by default in debug builds.
const SWITCH: &str = "MOBILEGL_PIPE_POISON";
/// Byte of values that nobody may read.
pub(crate) const BYTE: u8 = 0xDD;

/// The switch, read when a session starts.
pub(crate) fn wanted() -> bool {
    mgl_link::settings::number(SWITCH).map_or(cfg!(debug_assertions), |v| v == 1)
}

/// Groups that a record's class may read (spec 04 §1); `None` = the record is not given the state.
pub(crate) fn reads(op: u16) -> Option<Dirty> {
    let sets = Dirty::VIEWS
        | Dirty::SAMPLERS
        | Dirty::IMAGES
        | Dirty::UNIFORM_BUFFERS
        | Dirty::STORAGE_BUFFERS
        | Dirty::CONSTANTS;
    Some(match op {
        DrawVbo::OP => Dirty::all() - Dirty::READ_FRAMEBUFFER - Dirty::DISPATCH_PROGRAM,
        LaunchGrid::OP => sets | Dirty::DISPATCH_PROGRAM | Dirty::INDIRECT,
        Clear::OP => Dirty::DRAW_FRAMEBUFFER | Dirty::PIPELINE | Dirty::DYNAMIC,
        Blit::OP | CopyFramebufferToTexture::OP => {
            Dirty::DRAW_FRAMEBUFFER | Dirty::READ_FRAMEBUFFER | Dirty::PIPELINE | Dirty::DYNAMIC
        }
        ReadPixels::OP | ReadPixelsToBuffer::OP => Dirty::READ_FRAMEBUFFER,
        BeginStreamOutput::OP | EndStreamOutput::OP | PauseStreamOutput::OP | ResumeStreamOutput::OP => {
            Dirty::XFB_TARGETS | Dirty::DRAW_PROGRAM
        }
        Present::OP | PresentImage::OP | QueryBegin::OP | QueryEnd::OP | QueryCounter::OP => Dirty::empty(),
        _ => return None,
    })
}

fn dead<K: Kind>() -> Handle<K> {
    Handle::new(mgl_base::limits::SLOT_RANGE - 1, u32::MAX)
}

fn spoiled<T: FromBytes>() -> Option<T> {
    T::read_from_bytes(&vec![BYTE; size_of::<T>()]).ok()
}

/// A state in which every group is unusable.
pub(crate) fn poisoned(flow: u32) -> Box<ContextState> {
    let mut s = ContextState::new(flow);
    let surface =
        Surface { slot: dead::<mgl_base::handle::Texture>().slot(), generation: u32::MAX, ..Surface::default() };
    let surface = Surface { kind: SurfaceKind::Texture, format: u16::MAX, ..surface };
    let framebuffer = FramebufferState {
        fbo: dead(),
        samples: u16::MAX,
        color: [surface; 8],
        depth: surface,
        stencil: surface,
        read: surface,
        ..FramebufferState::default()
    };
    s.pipeline = spoiled::<PipelineState>().unwrap_or(s.pipeline);
    s.pipeline_cso = dead();
    s.dynamic = spoiled::<DynamicState>().unwrap_or(s.dynamic);
    (s.draw_framebuffer, s.read_framebuffer) = (framebuffer, framebuffer);
    s.vertex_elements = dead();
    s.vertex_buffers.fill(VertexBuffer { buffer: dead(), offset: u64::MAX });
    (s.index_buffer, s.indirect_buffer, s.parameter_buffer) = (dead(), dead(), dead());
    s.views.fill(dead());
    s.samplers.fill(dead());
    s.images.fill(ImageView { texture: dead(), ..ImageView::default() });
    for ranges in &mut s.buffers {
        ranges.fill(BufferRange { buffer: dead(), offset: u64::MAX, size: u64::MAX });
    }
    s.xfb_targets.fill(XfbTarget { buffer: dead(), offset: u64::MAX, size: u64::MAX });
    let value = AttribValue { bits: [u32::MAX; 4], class: u32::MAX, location: u32::MAX };
    s.attrib_defaults.fill(value);
    s.attrib_defaults_wide.fill(value);
    s.patch.vertices = 0;
    (s.draw_program, s.dispatch_program) = (dead(), dead());
    Box::new(s)
}

macro_rules! swap {
    ($mask:expr, $a:expr, $b:expr; $($bit:ident: $($field:ident),+;)+) => {
        $(if $mask.contains(Dirty::$bit) { $(std::mem::swap(&mut $a.$field, &mut $b.$field);)+ })+
    };
}

/// Exchanges the groups of `mask`; done twice it changes nothing.
pub(crate) fn exchange(mask: Dirty, a: &mut ContextState, b: &mut ContextState) {
    swap! { mask, a, b;
        PIPELINE: pipeline, pipeline_cso;
        DYNAMIC: dynamic;
        DRAW_FRAMEBUFFER: draw_framebuffer;
        READ_FRAMEBUFFER: read_framebuffer;
        VERTEX_ELEMENTS: vertex_elements;
        VERTEX_BUFFERS: vertex_buffers;
        INDEX_BUFFER: index_buffer;
        INDIRECT: indirect_buffer, parameter_buffer;
        VIEWS: views;
        SAMPLERS: samplers;
        IMAGES: images;
        ATTRIB_DEFAULTS: attrib_defaults, attrib_defaults_wide;
        PATCH: patch;
        XFB_TARGETS: xfb_targets;
        DRAW_PROGRAM: draw_program;
        DISPATCH_PROGRAM: dispatch_program;
    }
    let classes = [Dirty::UNIFORM_BUFFERS, Dirty::STORAGE_BUFFERS];
    for ((bit, x), y) in classes.into_iter().zip(&mut a.buffers).zip(&mut b.buffers) {
        if mask.contains(bit) {
            std::mem::swap(x, y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{exchange, poisoned, reads};
    use mgl_backend::{ContextState, Dirty};
    use mgl_pipe::records::DrawVbo;
    use mgl_pipe::{CATALOGUE, Record};

    /// A group that is never hidden is a group whose stale reads stay silent.
    #[test]
    fn every_group_is_hidden_from_some_verb_and_comes_back() {
        let seen = CATALOGUE.iter().filter_map(|row| reads(row.op)).fold(Dirty::empty(), |all, r| all | !r);
        assert_eq!(seen, Dirty::all());
        assert!(!reads(DrawVbo::OP).unwrap().contains(Dirty::READ_FRAMEBUFFER));
        let (mut state, mut poison) = (ContextState::new(1), poisoned(1));
        let before = format!("{state:?}");
        exchange(Dirty::all(), &mut state, &mut poison);
        assert_ne!(format!("{state:?}"), before);
        exchange(Dirty::all(), &mut state, &mut poison);
        assert_eq!(format!("{state:?}"), before);
    }
}
