//! Commands of program objects. Must not push records.

mod binary;
mod handles;
mod object;
mod query;
mod shader_program;
mod threads;

pub use binary::{get_program_binary, program_binary};
pub use handles::{delete_object, get_handle, get_info_log, get_object_parameter};
pub use object::{
    attach_shader, bind_attrib_location, bind_frag_data_location, bind_frag_data_location_indexed, create_program,
    delete_program, detach_shader, is_program, link_program, program_parameter, transform_feedback_varyings,
    use_program, validate_program,
};
pub use query::{
    get_active_attrib, get_attached_shaders, get_attrib_location, get_frag_data_index, get_frag_data_location,
    get_program, get_program_info_log, get_transform_feedback_varying,
};
pub use shader_program::create_shader_program;
pub use threads::max_shader_compiler_threads;

pub(crate) use binary::{FORMAT, length};
pub(crate) use object::{hold, let_go, linked, lookup, reflection};
