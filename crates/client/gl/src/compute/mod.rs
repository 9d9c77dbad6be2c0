//! Compute dispatches and the barriers of shader memory.

pub mod calls;
#[cfg(test)]
mod tests;
