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
pub use values::{Value, program_uniform, program_uniform_matrix, uniform, uniform_matrix};
