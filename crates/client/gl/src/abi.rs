//! Types that the generated C functions and the state groups exchange: pixel sources, parameter lists, query answers,
//! text answers, the debug sink. Plain safe values; nothing here knows raw pointers of the program or a state group.

use smallvec::SmallVec;

pub use crate::pixels::{Pixels, PixelsOut};

/// What the length functions in `pixel` answer for a call under the current pixel-store state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelSource {
    /// A pixel pack/unpack buffer is bound: the pointer is an offset.
    Buffer,
    /// The program's memory; bytes from the pointer to one past the last byte touched, skips and row padding
    /// included. 0 when the arguments are invalid: the call itself reports the error.
    Client(usize),
}

/// Where a command finds the object it works on: bound to a target, or by its name (`glNamed*`, `glTexture*`, …). Both
/// forms of a command are one function that differs in nothing but this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// What is bound to a target.
    Target(u32),
    /// The object of a name; it must exist (GL 4.6 §2.5: direct state access).
    Named(u32),
}

impl From<u32> for At {
    fn from(target: u32) -> Self {
        Self::Target(target)
    }
}

/// Parameter list of `glTexParameter*`, `glSamplerParameter*`: the type decides the conversion (GL 4.6 §2.2.1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Params<'a> {
    /// `…i`, `…iv`: integers, border colours are normalised.
    I32(&'a [i32]),
    /// `…f`, `…fv`.
    F32(&'a [f32]),
    /// `…Iiv`: border colour kept as signed integers.
    PureI32(&'a [i32]),
    /// `…Iuiv`: border colour kept as unsigned integers.
    PureU32(&'a [u32]),
}

impl Params<'_> {
    /// Number of values handed over; 1 for the scalar forms.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(v) | Self::PureI32(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::PureU32(v) => v.len(),
        }
    }

    /// True when no value was handed over.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value `i` as an integer or enum; floats round to nearest. 0 when absent.
    pub fn int(&self, i: usize) -> i32 {
        match self {
            Self::I32(v) | Self::PureI32(v) => v.get(i).copied().unwrap_or(0),
            Self::F32(v) => v.get(i).map_or(0, |f| f.round() as i32),
            Self::PureU32(v) => v.get(i).map_or(0, |u| *u as i32),
        }
    }

    /// Value `i` as a float, integers converted by value. 0 when absent.
    pub fn float(&self, i: usize) -> f32 {
        match self {
            Self::I32(v) | Self::PureI32(v) => v.get(i).map_or(0.0, |n| *n as f32),
            Self::F32(v) => v.get(i).copied().unwrap_or(0.0),
            Self::PureU32(v) => v.get(i).map_or(0.0, |n| *n as f32),
        }
    }
}

/// Answer of a state query in the state's own type; the generated function converts (GL 4.6 §2.2.2).
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Booleans, integers, enums, bit masks, object names. 64 bits so that no state is cut.
    Int(SmallVec<[i64; 4]>),
    /// Floating-point state.
    Float(SmallVec<[f64; 4]>),
    /// Floating-point state in [-1, 1] that integer queries map to the full integer range: colours, depth range,
    /// depth clear value (GL 4.6 §2.2.2).
    Normalized(SmallVec<[f64; 4]>),
}

impl Values {
    /// One integer-like value.
    pub fn int(v: impl Into<i64>) -> Self {
        Self::Int(SmallVec::from_slice(&[v.into()]))
    }

    /// One boolean.
    pub fn bool(v: bool) -> Self {
        Self::int(i64::from(v))
    }

    /// Several integer-like values.
    pub fn ints(v: &[i64]) -> Self {
        Self::Int(SmallVec::from_slice(v))
    }

    /// One float.
    pub fn float(v: impl Into<f64>) -> Self {
        Self::Float(SmallVec::from_slice(&[v.into()]))
    }

    /// Several floats.
    pub fn floats(v: &[f32]) -> Self {
        Self::Float(v.iter().map(|f| f64::from(*f)).collect())
    }

    /// Several normalised values.
    pub fn normalized(v: &[f64]) -> Self {
        Self::Normalized(SmallVec::from_slice(v))
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Int(v) => v.len(),
            Self::Float(v) | Self::Normalized(v) => v.len(),
        }
    }

    /// True when the answer is empty, as `GL_COMPRESSED_TEXTURE_FORMATS` may be.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Value `i` for an integer query, before narrowing to 32 bits: floats round to nearest, normalised values
    /// map to the full range of `bits` (32 or 64).
    pub fn to_int(&self, i: usize, bits: u32) -> i64 {
        match self {
            Self::Int(v) => v.get(i).copied().unwrap_or(0),
            Self::Float(v) => v.get(i).map_or(0, |f| f.round() as i64),
            Self::Normalized(v) => {
                let top = if bits == 32 { f64::from(i32::MAX) } else { i64::MAX as f64 };
                v.get(i).map_or(0, |f| (f.clamp(-1.0, 1.0) * top).round() as i64)
            }
        }
    }

    /// Value `i` for a float or double query.
    pub fn to_float(&self, i: usize) -> f64 {
        match self {
            Self::Int(v) => v.get(i).map_or(0.0, |n| *n as f64),
            Self::Float(v) | Self::Normalized(v) => v.get(i).copied().unwrap_or(0.0),
        }
    }

    /// Value `i` for a boolean query: false only when zero.
    pub fn to_bool(&self, i: usize) -> bool {
        self.to_float(i) != 0.0
    }
}

/// Buffer of the program that takes a text answer (info logs, names, labels).
#[derive(Debug)]
pub struct StrOut<'a> {
    room: &'a mut [u8],
    written: usize,
    probe: bool,
}

impl<'a> StrOut<'a> {
    /// `room` is the whole buffer, terminator included.
    pub fn new(room: &'a mut [u8]) -> Self {
        Self { room, written: 0, probe: false }
    }

    /// No buffer: only the length of the text is asked for (`glGetObjectLabel` with a null label, GL 4.6 §20.9).
    pub fn probe() -> Self {
        Self { room: &mut [], written: 0, probe: true }
    }

    /// Stores as much of `text` as fits and a terminator.
    pub fn put(&mut self, text: &str) {
        self.put_bytes(text.as_bytes());
    }

    /// As `put`, for text that need not be UTF-8 (shader sources).
    pub fn put_bytes(&mut self, text: &[u8]) {
        if self.probe {
            self.written = text.len();
        }
        let Some(cap) = self.room.len().checked_sub(1) else { return };
        let n = text.len().min(cap);
        self.room[..n].copy_from_slice(&text[..n]);
        self.room[n] = 0;
        self.written = n;
    }

    /// Characters stored, without the terminator (what GL writes to `length`).
    pub fn written(&self) -> usize {
        self.written
    }
}

/// The program's debug callback (GL 4.6 §20.2). Made by the C ABI, kept and called by the `debug` group.
pub trait DebugSink: Send {
    /// One message. Calls of the program into GL from inside are ignored.
    fn message(&self, source: u32, kind: u32, id: u32, severity: u32, text: &str);
    /// Function and user pointer as numbers, for `glGetPointerv`.
    fn pointers(&self) -> (usize, usize);
}

#[cfg(test)]
mod tests {
    use super::{StrOut, Values};

    // A clear colour read with glGetIntegerv would come back as 0/1 instead of the full integer range.
    #[test]
    fn normalised_values_map_to_the_full_integer_range() {
        let v = Values::normalized(&[1.0, -1.0, 0.0]);
        assert_eq!(v.to_int(0, 32), i64::from(i32::MAX));
        assert_eq!(v.to_int(1, 32), -i64::from(i32::MAX));
        assert_eq!(v.to_int(2, 32), 0);
    }

    // A program with a short buffer would read past the end of its info log.
    #[test]
    fn text_is_cut_and_terminated() {
        let mut room = [0xffu8; 4];
        let mut out = StrOut::new(&mut room);
        out.put("hello");
        assert_eq!(out.written(), 3);
        assert_eq!(&room, b"hel\0");
        let mut none = StrOut::new(&mut []);
        none.put("x");
        assert_eq!(none.written(), 0);
    }
}
