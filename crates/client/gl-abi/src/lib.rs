//! The C ABI of OpenGL: exported `gl*` functions, their name table, and the current context of a thread. Turns raw
//! pointers of the program into slices and values and nothing else; must not know GL state or window systems.
#![allow(non_snake_case, reason = "exported functions carry their C names")]

#[allow(dead_code, reason = "commands that are not implemented yet leave some conversions unused")]
mod conv;
pub mod current;
mod custom;
#[allow(dead_code, reason = "used once the debug group has its callback")]
mod debug_sink;
mod elements;
#[allow(
    unused_unsafe,
    clippy::missing_safety_doc,
    clippy::too_many_arguments,
    clippy::unnecessary_cast,
    clippy::redundant_closure,
    clippy::needless_borrow,
    clippy::let_unit_value,
    clippy::unused_unit,
    reason = "one template writes every function; the safety contract is the GL specification's"
)]
mod generated;
pub mod lookup;
#[allow(dead_code, reason = "commands that are not implemented yet leave some transports unused")]
mod shim;
mod view;

pub use lookup::proc_address;
