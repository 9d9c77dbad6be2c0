//! SPIR-V words of the internal shaders, from the checked-in files that `shaders/build.sh` makes. Must not know pipelines.

/// The words of a SPIR-V file; they are little endian.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}
