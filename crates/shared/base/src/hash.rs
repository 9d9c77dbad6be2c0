//! Content hashes. A match is a hint and is confirmed by comparing bytes wherever identity follows from it (spec 10 I14).

/// 64-bit content hash of `bytes`.
pub fn content_hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// 128-bit content hash, for names of files in a cache.
pub fn content_hash_128(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}
