//! Subroutines of shader stages (GL 4.6 §7.10): their names, and which one each subroutine uniform holds.

pub mod calls;
pub mod state;
#[cfg(test)]
mod tests;
