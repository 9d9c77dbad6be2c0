//! Commands of this group. Must not push records of another group.

mod buffer;
mod frame;
mod texture;

pub use self::buffer::{clear_buffer_data, clear_buffer_sub_data};
pub use self::frame::{
    clear, clear_buffer_f, clear_buffer_fi, clear_buffer_i, clear_buffer_u, clear_color, clear_color_i, clear_color_u,
    clear_depth, clear_named_framebuffer_f, clear_named_framebuffer_fi, clear_named_framebuffer_i,
    clear_named_framebuffer_u, clear_stencil,
};
pub use self::texture::{clear_tex_image, clear_tex_sub_image};
