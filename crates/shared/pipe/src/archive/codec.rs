//! Bytes of an archive: a head (magic, version, schema digest, length) and a postcard body.
//! Must not trust a byte: lengths are bounded before and after decoding, and every index is proven.

use super::schema::{SCHEMA_DIGEST, VERSION};
use super::types::ProgramArchive;

/// Largest encoded archive. The largest seen in the field is a third of a mebibyte.
pub const MAX_ARCHIVE_BYTES: usize = 8 << 20;

const MAGIC: u32 = u32::from_le_bytes(*b"MGPA");
const HEAD: usize = 18;

/// Why an archive was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArchiveError {
    /// Shorter than its head says.
    #[error("program archive is truncated: {have} of {need} bytes")]
    Truncated {
        /// Bytes present.
        have: usize,
        /// Bytes needed.
        need: usize,
    },
    /// Larger than [`MAX_ARCHIVE_BYTES`].
    #[error("program archive of {0} bytes exceeds the bound of {MAX_ARCHIVE_BYTES}")]
    TooLarge(usize),
    /// Not an archive at all.
    #[error("program archive has magic {0:#010x}")]
    BadMagic(u32),
    /// Written by another version of the format.
    #[error("program archive has version {found}, this build reads {VERSION}")]
    Version {
        /// Version in the head.
        found: u16,
    },
    /// Written from another declaration of the structs.
    #[error("program archive has schema {found:#018x}, this build reads {SCHEMA_DIGEST:#018x}")]
    Schema {
        /// Digest in the head.
        found: u64,
    },
    /// The body does not decode.
    #[error("program archive body is malformed: {0}")]
    Malformed(String),
    /// Bytes are left after the body.
    #[error("program archive has {0} bytes after its body")]
    Trailing(usize),
    /// A count or index is out of bounds; the text names the field.
    #[error("program archive field {0} is out of bounds")]
    Bounds(&'static str),
}

impl ProgramArchive {
    /// The bytes that travel.
    pub fn encode(&self) -> Result<Vec<u8>, ArchiveError> {
        self.check()?;
        let body = postcard::to_allocvec(self).map_err(|e| ArchiveError::Malformed(e.to_string()))?;
        let mut out = Vec::with_capacity(HEAD + body.len());
        out.extend_from_slice(&MAGIC.to_le_bytes());
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&SCHEMA_DIGEST.to_le_bytes());
        let length = u32::try_from(body.len()).map_err(|_| ArchiveError::TooLarge(body.len()))?;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&body);
        if out.len() > MAX_ARCHIVE_BYTES { Err(ArchiveError::TooLarge(out.len())) } else { Ok(out) }
    }

    /// Decodes and proves `bytes`. Nothing of the input is believed before it is checked.
    pub fn decode(bytes: &[u8]) -> Result<ProgramArchive, ArchiveError> {
        if bytes.len() > MAX_ARCHIVE_BYTES {
            return Err(ArchiveError::TooLarge(bytes.len()));
        }
        let magic = u32::from_le_bytes(take(bytes, 0)?);
        if magic != MAGIC {
            return Err(ArchiveError::BadMagic(magic));
        }
        let found = u16::from_le_bytes(take(bytes, 4)?);
        if found != VERSION {
            return Err(ArchiveError::Version { found });
        }
        let found = u64::from_le_bytes(take(bytes, 6)?);
        if found != SCHEMA_DIGEST {
            return Err(ArchiveError::Schema { found });
        }
        let length = u32::from_le_bytes(take(bytes, 14)?) as usize;
        let body = bytes.get(HEAD..).unwrap_or_default();
        if body.len() < length {
            return Err(ArchiveError::Truncated { have: body.len(), need: length });
        }
        let (archive, rest): (ProgramArchive, &[u8]) =
            postcard::take_from_bytes(body).map_err(|e| ArchiveError::Malformed(e.to_string()))?;
        let used = body.len() - rest.len();
        if used != length || !rest.is_empty() {
            return Err(ArchiveError::Trailing(rest.len()));
        }
        archive.check()?;
        Ok(archive)
    }
}

/// `N` bytes at `at`.
fn take<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], ArchiveError> {
    let need = at + N;
    bytes
        .get(at..need)
        .and_then(|slice| slice.try_into().ok())
        .ok_or(ArchiveError::Truncated { have: bytes.len(), need })
}

#[cfg(test)]
mod tests {
    use super::super::{Block, OpaqueResource, Uniform};
    use super::*;

    fn sample() -> ProgramArchive {
        let mut archive = ProgramArchive { stages: 0b10001, default_block_size: 32, ..Default::default() };
        archive.uniforms.push(Uniform {
            name: "tint".into(),
            gl_type: 0x8B52,
            array_size: 1,
            block: -1,
            atomic_buffer: -1,
            offset: 16,
            ..Default::default()
        });
        archive.uniforms.push(Uniform {
            name: "tex".into(),
            gl_type: 0x8B5E,
            array_size: 1,
            location: 1,
            block: -1,
            offset: -1,
            atomic_buffer: -1,
            opaque: Some(OpaqueResource { count: 1, ..Default::default() }),
            ..Default::default()
        });
        archive.location_count = 2;
        archive.uniform_blocks.push(Block {
            name: "B".into(),
            slot: 1,
            binding: 1,
            data_size: 16,
            ..Default::default()
        });
        archive
    }

    /// A program whose archive does not survive the trip would draw with wrong resources.
    #[test]
    fn round_trip() {
        let archive = sample();
        assert_eq!(ProgramArchive::decode(&archive.encode().unwrap()).unwrap(), archive);
    }

    /// A cut or damaged archive must end its session by name, never by a panic.
    #[test]
    fn damage_is_refused() {
        let bytes = sample().encode().unwrap();
        for cut in 0..bytes.len() {
            assert!(ProgramArchive::decode(&bytes[..cut]).is_err());
        }
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0xff;
            let _ = ProgramArchive::decode(&bad);
        }
        assert!(matches!(ProgramArchive::decode(&[0; 64]), Err(ArchiveError::BadMagic(0))));
    }

    /// An index outside its table would make the server read another program's slot.
    #[test]
    fn indices_are_proven() {
        let mut archive = sample();
        archive.uniforms[0].block = 7;
        assert_eq!(archive.encode(), Err(ArchiveError::Bounds("uniforms.block")));
        for (slot, binding) in [(1 << 12, 1), (2, 3)] {
            let mut archive = sample();
            (archive.uniform_blocks[0].slot, archive.uniform_blocks[0].binding) = (slot, binding);
            assert_eq!(archive.encode(), Err(ArchiveError::Bounds("uniform_blocks")));
        }
    }
}
