//! Values as text, for dumps. Must not know any particular record, nor where text goes.

use super::{Blob, Wire};
use crate::format::Format;
use core::fmt;

/// One field of a payload, for dumps, docs, the comparator and the layout digest.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// Field name.
    pub name: &'static str,
    /// Wire type.
    pub ty: &'static str,
    /// Byte offset in the payload.
    pub offset: usize,
    /// Byte size.
    pub size: usize,
    /// Writes the field for a person; the bytes are exactly the field's.
    pub show: ShowBytes,
}

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
