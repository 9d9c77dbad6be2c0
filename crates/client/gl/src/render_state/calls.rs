//! Commands of this group. Must not push records of another group.
