//! State of this group. Must not push records.

/// An object of this kind.
#[derive(Debug, Default)]
pub struct Sync {}
