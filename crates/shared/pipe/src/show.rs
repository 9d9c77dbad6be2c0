//! Records as text, and where a record names staged bytes: what dumps and recorders need, made from the catalogue
//! alone. Must not know any particular record, nor where text goes.

use crate::catalogue::{FieldInfo, RecordInfo};
use crate::format::Format;
use crate::wire::{Blob, OptBlob, Wire};
use core::fmt;
use zerocopy::FromBytes;

/// Where text goes, and how staged bytes are named there.
pub trait Show: fmt::Write {
    /// Names a run of staged bytes.
    fn blob(&mut self, blob: &Blob) -> fmt::Result;
}

impl Show for String {
    fn blob(&mut self, blob: &Blob) -> fmt::Result {
        fmt::Write::write_fmt(self, format_args!("<{} bytes>", blob.size))
    }
}

/// Writes what the bytes of one field or of a whole tail mean.
pub type ShowBytes = fn(&[u8], &mut dyn Show) -> fmt::Result;

/// The value that `bytes` hold; bytes of another size are named as such.
pub(crate) fn value<T: Wire>(bytes: &[u8], to: &mut dyn Show) -> fmt::Result {
    match T::read_from_bytes(bytes) {
        Ok(value) => value.show(to),
        Err(_) => write!(to, "<{} bytes instead of {}>", bytes.len(), size_of::<T>()),
    }
}

/// The elements that `bytes` hold.
pub(crate) fn elements<T: Wire>(bytes: &[u8], to: &mut dyn Show) -> fmt::Result {
    let list: Vec<T> = bytes.chunks_exact(size_of::<T>()).filter_map(|b| T::read_from_bytes(b).ok()).collect();
    self::list(&list, to)
}

/// A list; runs of equal elements are written once with their number.
pub(crate) fn list<T: Wire>(list: &[T], to: &mut dyn Show) -> fmt::Result {
    to.write_str("[")?;
    let mut rest = list;
    let mut first = true;
    while let Some(head) = rest.first() {
        let run = rest.iter().take_while(|e| e.as_bytes() == head.as_bytes()).count();
        if !std::mem::take(&mut first) {
            to.write_str(" ")?;
        }
        head.show(to)?;
        if run > 1 {
            write!(to, "*{run}")?;
        }
        rest = rest.get(run..).unwrap_or(&[]);
    }
    to.write_str("]")
}

/// `name=value` for every field but padding. `bytes` begins with the structure.
pub fn fields(list: &[FieldInfo], bytes: &[u8], to: &mut dyn Show) -> fmt::Result {
    let mut first = true;
    for field in list.iter().filter(|f| f.ty != "pad") {
        if !std::mem::take(&mut first) {
            to.write_str(" ")?;
        }
        write!(to, "{}=", field.name)?;
        let part = bytes.get(field.offset..field.offset + field.size).unwrap_or(&[]);
        // Formats cross as plain numbers so that a format nobody knows is refused where it is used.
        match (field.name, <[u8; 2]>::try_from(part).map(u16::from_le_bytes)) {
            ("format", Ok(0)) => to.write_str("none")?,
            ("format", Ok(number)) => match Format::from_wire(number) {
                Some(format) => write!(to, "{format:?}")?,
                None => write!(to, "format({number})")?,
            },
            _ => (field.show)(part, to)?,
        }
    }
    Ok(())
}

const fn pad8(n: u64) -> u64 {
    n.saturating_add(7) & !7
}

impl RecordInfo {
    /// The row of an opcode.
    pub fn of(op: u16) -> Option<&'static RecordInfo> {
        let rows = crate::CATALOGUE;
        // The catalogue is nearly in opcode order from 1.
        let near = rows.get(usize::from(op).wrapping_sub(1)).filter(|row| row.op == op);
        near.or_else(|| rows.iter().find(|row| row.op == op))
    }

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
             indirect_count=0 ranges=[{start=12 count=3 base_vertex=-1}*2] indirect=[]"
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
                let token = crate::show::tests::is_token(field.ty);
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
        const SOURCE: &str = include_str!("tokens.rs");
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
