//! What the catalogue's data rows tell of an encoded body without its type: its text, and the runs of staged bytes that
//! it names. Must not know any particular record.

use super::RecordInfo;
use crate::wire::show::{FieldInfo, Show, fields};
use crate::wire::{Blob, OptBlob, Wire};
use core::fmt;
use zerocopy::FromBytes;

const fn pad8(n: u64) -> u64 {
    n.saturating_add(7) & !7
}

impl RecordInfo {
    /// The bytes of each tail in `body`, as far as they are there.
    fn tail_bytes<'a>(&self, body: &'a [u8]) -> [&'a [u8]; 3] {
        let mut out: [&[u8]; 3] = [&[]; 3];
        let Some(counts) = (self.counts)(body) else { return out };
        let mut at = self.head as u64;
        for ((tail, count), slot) in self.tails.iter().zip(counts).zip(&mut out) {
            let Some(len) = count.checked_mul(tail.element as u64) else { break };
            let Some(end) = at.checked_add(len).filter(|end| *end <= body.len() as u64) else { break };
            *slot = body.get(at as usize..end as usize).unwrap_or(&[]);
            at = at.saturating_add(pad8(len));
        }
        out
    }

    /// Writes the fields and tails of an encoded body, which need not be proven.
    pub fn show(&self, body: &[u8], to: &mut dyn Show) -> fmt::Result {
        fields(self.fields, body, to)?;
        for (tail, bytes) in self.tails.iter().zip(self.tail_bytes(body)) {
            write!(to, " {}=", tail.name)?;
            (tail.show)(bytes, to)?;
        }
        Ok(())
    }

    /// Calls `visit` with every run of staged bytes that an encoded body names. The body need not be proven, so neither
    /// is the run.
    pub fn blobs(&self, body: &[u8], visit: &mut dyn FnMut(Blob)) {
        self::blobs(self.fields, body, visit);
        for (tail, bytes) in self.tails.iter().zip(self.tail_bytes(body)) {
            if tail.parts.iter().any(|f| is_blob(f.ty)) {
                bytes.chunks_exact(tail.element).for_each(|element| self::blobs(tail.parts, element, visit));
            }
        }
    }
}

fn is_blob(ty: &str) -> bool {
    ty == Blob::NAME || ty == OptBlob::NAME
}

fn blobs(list: &[FieldInfo], bytes: &[u8], visit: &mut dyn FnMut(Blob)) {
    for field in list.iter().filter(|f| is_blob(f.ty)) {
        let part = bytes.get(field.offset..field.offset + field.size).unwrap_or(&[]);
        if let Some(blob) = Blob::read_from_bytes(part).ok().filter(|b| b.size != 0) {
            visit(blob);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::records::{CreateShaderState, DrawRange, DrawVbo, SetProgramBindings, StorageOverride};
    use crate::sample::Rng;
    use crate::tokens::{IndexSize, PrimitiveMode};
    use crate::wire::{Blob, Wire};
    use crate::{CATALOGUE, RecordInfo};
    use zerocopy::IntoBytes;

    /// A dump that shows numbers instead of names, or padding, cannot be read.
    #[test]
    fn a_record_is_written_with_names() {
        let head = DrawVbo {
            mode: PrimitiveMode::Triangles,
            index_size: IndexSize::U16,
            instance_count: 1,
            range_count: 2,
            ..DrawVbo::default()
        };
        let range = DrawRange { start: 12, count: 3, base_vertex: -1 };
        let body = crate::catalogue::encode_body(&head, [[range, range].as_bytes(), &[], &[]]);
        let mut text = String::new();
        RecordInfo::of(59).unwrap().show(&body, &mut text).unwrap();
        assert_eq!(
            text,
            "mode=Triangles index_size=U16 restart=false instance_count=1 base_instance=0 restart_index=0 range_count=2 \
             indirect_count=0 part=Whole ranges=[{start=12 count=3 base_vertex=-1}*2] indirect=[]"
        );
    }

    /// A recorder that misses a run of staged bytes writes a file that cannot be replayed.
    #[test]
    fn every_run_is_found() {
        let seen = |op: u16, body: &[u8]| {
            let mut list = Vec::new();
            RecordInfo::of(op).unwrap().blobs(body, &mut |b| list.push((b.offset, b.size)));
            list
        };
        let program =
            CreateShaderState { spirv: Blob::new(64, 8), archive: Blob::new(128, 5), ..CreateShaderState::default() };
        assert_eq!(seen(27, program.as_bytes()), [(64, 8), (128, 5)]);
        let head = SetProgramBindings { block_count: 1, override_count: 2, ..SetProgramBindings::default() };
        let overrides = [
            StorageOverride { name: Blob::new(8, 3).into(), ..StorageOverride::default() },
            StorageOverride { binding: 7, ..StorageOverride::default() },
        ];
        let body = crate::catalogue::encode_body(&head, [&[0; 4], &[], overrides.as_bytes()]);
        assert_eq!(seen(80, &body), [(8, 3)]);
    }

    /// Runs are looked for in heads and in elements of tails; one that is nested deeper would be missed.
    #[test]
    fn no_run_is_nested_deeper() {
        let plain = ["Blob", "OptBlob", "Handle", "pad", "bool", "u8", "u16", "u32", "u64", "i8", "i32", "f32"];
        let nested = ["ResourceDesc", "ReadbackInfo", "Box3", "Surface", "PixelPack"];
        for row in CATALOGUE {
            for field in row.fields.iter().chain(row.tails.iter().flat_map(|t| t.parts)) {
                let token = is_token(field.ty);
                let known = plain.contains(&field.ty) || nested.contains(&field.ty) || token;
                assert!(
                    known,
                    "{}.{}: add {} to this test after looking for runs in it",
                    row.name, field.name, field.ty
                );
            }
        }
        for parts in [crate::records::ResourceDesc::PARTS, crate::records::ReadbackInfo::PARTS] {
            assert!(parts.iter().all(|f| !super::is_blob(f.ty)));
        }
    }

    fn is_token(ty: &str) -> bool {
        const SOURCE: &str = include_str!("../tokens.rs");
        SOURCE.contains(&format!("enum {ty}:"))
    }

    /// A body that lies about its counts comes from a client that means harm; showing it must not fail.
    #[test]
    fn unproven_bodies_are_shown_without_panic() {
        let mut rng = Rng::new(3);
        for row in CATALOGUE {
            for len in [0, 1, 8, row.head, row.head + 8] {
                let body: Vec<u8> = (0..len).map(|_| rng.next() as u8).collect();
                row.show(&body, &mut String::new()).unwrap();
                row.blobs(&body, &mut |_| ());
            }
        }
    }
}
