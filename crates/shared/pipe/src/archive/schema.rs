//! The schema of the archive, derived from the very text that declares its structs, and its digest.
//! Must not know the values: host sizes and offsets never enter the digest, so two builds of one source agree.

/// Version of the archive format; moves when the meaning of a field changes without its declaration.
pub const VERSION: u16 = 1;

/// Declares the serialised structs and enums and keeps their declaration text for the digest.
macro_rules! schema {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$fmeta:meta])* pub $field:ident : $ty:ty,)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
            pub struct $name { $($(#[$fmeta])* pub $field: $ty,)* }
        )*
        /// Declaration text of the structs of this file, for the digest.
        pub(super) const SCHEMA: &str = concat!($(stringify!($name), "{", $(stringify!($field), ":", stringify!($ty), ",",)* "}",)*);
    };
}
pub(super) use schema;

/// Digest of the serialised schema: names, order and types of every field. Part of every archive's head.
pub const SCHEMA_DIGEST: u64 = {
    let head = fnv(0xcbf2_9ce4_8422_2325, super::types::SCHEMA.as_bytes());
    let opaque = fnv(head, super::opaque::SCHEMA.as_bytes());
    fnv(fnv(opaque, super::types::ENUMS.as_bytes()), super::opaque::ENUMS.as_bytes())
};

/// FNV-1a, because it can run at compile time.
const fn fnv(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}
