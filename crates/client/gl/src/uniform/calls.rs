//! Commands of uniforms. Must not push records.

mod block;
mod counters;
mod info;
mod set;
mod values;

pub use block::{
    get_active_uniform_block, get_active_uniform_block_name, get_uniform_block_index, shader_storage_block_binding,
    uniform_block_binding,
};
pub use counters::get_active_atomic_counter_buffer;
pub use info::{
    get_active_uniform, get_active_uniform_name, get_active_uniforms, get_uniform, get_uniform_indices,
    get_uniform_location,
};
pub use values::{
    program_uniform_d, program_uniform_f, program_uniform_i, program_uniform_i64, program_uniform_matrix_d,
    program_uniform_matrix_f, program_uniform_ui, program_uniform_ui64, uniform_d, uniform_f, uniform_i, uniform_i64,
    uniform_matrix_d, uniform_matrix_f, uniform_ui, uniform_ui64,
};
