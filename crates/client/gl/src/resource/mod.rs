//! Program interface queries (GL 4.6 §7.3.1): every interface of a linked program by one set of calls.

pub mod calls;
pub(crate) mod interface;
pub(crate) mod props;
#[cfg(test)]
mod tests;
