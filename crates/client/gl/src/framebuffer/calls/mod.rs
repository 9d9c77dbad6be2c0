//! Commands of this group. Must not push records of another group.
#![allow(clippy::too_many_arguments, reason = "the signatures are those of GL")]

pub mod attach;
pub mod buffers;
pub mod names;
pub mod params;

pub use attach::{
    framebuffer_renderbuffer, framebuffer_texture, framebuffer_texture_1d, framebuffer_texture_2d,
    framebuffer_texture_3d, framebuffer_texture_layer,
};
pub use buffers::{
    draw_buffer, draw_buffers, invalidate_framebuffer, invalidate_sub_framebuffer, named_framebuffer_draw_buffer,
    named_framebuffer_draw_buffers, named_framebuffer_read_buffer, read_buffer,
};
pub use names::{
    bind_framebuffer, bind_framebuffer_ext, check_framebuffer_status, check_named_framebuffer_status,
    create_framebuffers, delete_framebuffers, gen_framebuffers, is_framebuffer,
};
pub use params::{
    framebuffer_parameter, get_framebuffer_attachment_parameter, get_framebuffer_parameter, get_multisample,
};
