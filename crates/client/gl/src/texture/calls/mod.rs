//! Commands of this group. Must not push records of another group.
#![allow(clippy::too_many_arguments, reason = "the signatures are those of GL")]

pub mod buffer;
pub mod compressed;
pub mod copy;
mod copy_blocks;
mod copy_here;
pub mod image;
pub mod misc;
pub mod names;
pub mod params;
pub mod storage;
pub mod sub_image;
pub mod view;

pub use buffer::{tex_buffer, tex_buffer_range};
pub use compressed::{
    compressed_tex_image_1d, compressed_tex_image_2d, compressed_tex_image_3d, compressed_tex_sub_image_1d,
    compressed_tex_sub_image_2d, compressed_tex_sub_image_3d,
};
pub use copy::{
    copy_tex_image_1d, copy_tex_image_2d, copy_tex_sub_image_1d, copy_tex_sub_image_2d, copy_tex_sub_image_3d,
};
pub use image::{tex_image_1d, tex_image_2d, tex_image_3d};
pub use misc::{copy_image_sub_data, generate_mipmap, invalidate_tex_image, invalidate_tex_sub_image};
pub use names::{
    active_texture, bind_texture, bind_texture_unit, bind_textures, create_textures, delete_textures, gen_textures,
    is_texture,
};
pub use params::{get_tex_level_parameter, get_tex_parameter, get_tex_parameter_i, pixel_store, tex_parameter};
pub use storage::{
    tex_image_2d_multisample, tex_image_3d_multisample, tex_storage_1d, tex_storage_2d, tex_storage_2d_multisample,
    tex_storage_3d, tex_storage_3d_multisample,
};
pub use sub_image::{tex_sub_image_1d, tex_sub_image_2d, tex_sub_image_3d};
pub use view::texture_view;
