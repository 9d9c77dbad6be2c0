//! Commands of shader objects (GL 4.6 §7.1, §7.2). Must not know programs beyond the count of attachments.

mod binary;
mod object;

pub use binary::{shader_binary, specialize_shader};
pub use object::{
    compile_shader, create_shader, delete_shader, get_shader, get_shader_info_log, get_shader_precision_format,
    get_shader_source, is_shader, release_shader_compiler, shader_source,
};

pub(crate) use object::{detached, lookup, stage_of};
