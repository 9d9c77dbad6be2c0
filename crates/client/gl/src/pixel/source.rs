//! What reads, blits and copies need to know of the framebuffer they read. Must not know framebuffers.

use mgl_pipe::format::Format;

/// What a read, blit or copy sees of a complete framebuffer.
#[derive(Clone, Copy, Debug)]
pub struct ReadSource {
    /// Format of the read buffer; `None` for `GL_NONE` or a missing attachment.
    pub color: Option<Format>,
    /// Format of the depth attachment.
    pub depth: Option<Format>,
    /// Format of the stencil attachment.
    pub stencil: Option<Format>,
    /// Pixels.
    pub size: [u32; 2],
    /// Samples, at least 1.
    pub samples: u32,
}
