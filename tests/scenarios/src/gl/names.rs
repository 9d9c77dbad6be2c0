//! Making and deleting objects one at a time. Must not know what they hold.

use super::Gl;

macro_rules! objects {
    ($($new:ident $delete:ident = $gen:ident $del:ident;)*) => {
        impl Gl {
            $(
                #[doc = concat!("One name of `", stringify!($gen), "`.")]
                pub fn $new(&self) -> u32 {
                    let mut name = 0;
                    // SAFETY: one name is written.
                    unsafe { (self.raw().$gen)(1, &raw mut name) };
                    assert_ne!(name, 0, "{} gave no name", stringify!($gen));
                    name
                }
                #[doc = concat!("`", stringify!($del), "` of one.")]
                pub fn $delete(&self, name: u32) {
                    // SAFETY: one name is read.
                    unsafe { (self.raw().$del)(1, &raw const name) }
                }
            )*
        }
    };
}

objects! {
    new_buffer delete_buffer = gen_buffers delete_buffers;
    new_texture delete_texture = gen_textures delete_textures;
    new_framebuffer delete_framebuffer = gen_framebuffers delete_framebuffers;
    new_renderbuffer delete_renderbuffer = gen_renderbuffers delete_renderbuffers;
    new_sampler delete_sampler = gen_samplers delete_samplers;
    new_query delete_query = gen_queries delete_queries;
    new_vertex_array delete_vertex_array = gen_vertex_arrays delete_vertex_arrays;
    new_feedback delete_feedback = gen_transform_feedbacks delete_transform_feedbacks;
}

impl Gl {
    /// A new vertex array, bound.
    pub fn vertex_array(&self) -> u32 {
        let name = self.new_vertex_array();
        self.bind_vertex_array(name);
        name
    }
}
