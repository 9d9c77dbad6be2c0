//! Building blocks of payloads: the sealed set of field types and what proves each of them (design §5, rule B).
//! Must not know any particular record.

pub mod show;

use crate::sample::Rng;
use core::fmt;
use mgl_base::{Handle, Kind};
use show::{FieldInfo, Show};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Segment id of the staging arena, the only one a client record may name (spec 02 §1.2).
pub const SEG_STAGE: u32 = 2;

/// What a field may be checked against besides its own value.
#[derive(Clone, Copy, Debug)]
pub struct Proof {
    /// Size in bytes of the flow's staging segment.
    pub stage_len: u64,
}

/// The first place where two values of one type differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Field path, as in `pipeline.blend[0].src_rgb`.
    pub path: String,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

impl Difference {
    fn of<T: core::fmt::Debug>(path: &str, expected: &T, found: &T) -> Self {
        Self { path: path.to_owned(), expected: format!("{expected:?}"), found: format!("{found:?}") }
    }
}

impl core::fmt::Display for Difference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: expected {}, found {}", self.path, self.expected, self.found)
    }
}

/// A type that may cross: fixed width, no pointer, no process-local identity.
pub trait Wire: FromBytes + IntoBytes + Immutable + KnownLayout + Copy + core::fmt::Debug + 'static {
    /// Name for docs and dumps.
    const NAME: &'static str;
    /// Fields of a structure; empty for everything else.
    const PARTS: &'static [FieldInfo] = &[];
    /// Writes the value for a person: stable text without addresses.
    fn show(&self, to: &mut dyn Show) -> fmt::Result;
    /// True when the value is one the peer may legally send.
    fn proven(&self, proof: &Proof) -> bool {
        let _ = proof;
        true
    }
    /// A random legal value.
    fn sample(rng: &mut Rng) -> Self;
    /// A value that must be refused, if the type has one.
    fn invalid() -> Option<Self> {
        None
    }
    /// The first field, in declaration order, whose bits differ; `path` names the whole.
    fn difference(expected: &Self, found: &Self, path: &str) -> Option<Difference> {
        (expected.as_bytes() != found.as_bytes()).then(|| Difference::of(path, expected, found))
    }
}

macro_rules! plain_wire {
    ($($t:ident),+) => {$(
        impl Wire for $t {
            const NAME: &'static str = stringify!($t);
            fn show(&self, to: &mut dyn Show) -> fmt::Result { write!(to, "{self}") }
            fn sample(rng: &mut Rng) -> Self { rng.next() as $t }
        }
    )+};
}
plain_wire!(u8, u16, u32, u64, i8, i16, i32, i64);

impl Wire for f32 {
    const NAME: &'static str = "f32";
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        write!(to, "{self:?}")
    }
    fn sample(rng: &mut Rng) -> Self {
        (rng.next() % 4096) as f32 / 16.0
    }
    /// By bits (spec 03 §9): two NaN may differ and look the same, so the bits are shown then.
    fn difference(expected: &Self, found: &Self, path: &str) -> Option<Difference> {
        let (a, b) = (expected.to_bits(), found.to_bits());
        let alike = format!("{expected:?}") == format!("{found:?}");
        (a != b).then(|| if alike { Difference::of(path, &a, &b) } else { Difference::of(path, expected, found) })
    }
}

impl<T: Wire, const N: usize> Wire for [T; N] {
    const NAME: &'static str = T::NAME;
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        show::list(self, to)
    }
    fn proven(&self, proof: &Proof) -> bool {
        self.iter().all(|v| v.proven(proof))
    }
    fn sample(rng: &mut Rng) -> Self {
        core::array::from_fn(|_| T::sample(rng))
    }
    fn invalid() -> Option<Self> {
        T::invalid().map(|v| [v; N])
    }
    fn difference(expected: &Self, found: &Self, path: &str) -> Option<Difference> {
        let mut pairs = expected.iter().zip(found).enumerate();
        pairs.find_map(
            |(i, (a, b))| {
                if a.as_bytes() == b.as_bytes() { None } else { T::difference(a, b, &format!("{path}[{i}]")) }
            },
        )
    }
}

impl<K: Kind> Wire for Handle<K> {
    const NAME: &'static str = "Handle";
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        if self.is_null() {
            to.write_str("null")
        } else {
            write!(to, "{:?}#{}.{}", K::TAG, self.slot(), self.generation())
        }
    }
    fn proven(&self, _: &Proof) -> bool {
        self.is_null() || (self.generation() != 0 && self.slot() < mgl_base::limits::SLOT_RANGE)
    }
    fn sample(rng: &mut Rng) -> Self {
        Handle::new(1 + (rng.next() % 64) as u32, 1)
    }
    fn invalid() -> Option<Self> {
        Some(Handle::new(u32::MAX, 1))
    }
}

/// Declares one padding type per width: always zero, so that equal records are equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct Pad<const N: usize>([u8; N]);

impl<const N: usize> Pad<N> {
    /// The only legal value.
    pub const ZERO: Self = Self([0; N]);
}

impl<const N: usize> Default for Pad<N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<const N: usize> Wire for Pad<N> {
    const NAME: &'static str = "pad";
    fn show(&self, _: &mut dyn Show) -> fmt::Result {
        Ok(())
    }
    fn proven(&self, _: &Proof) -> bool {
        self.0.iter().all(|b| *b == 0)
    }
    fn sample(_: &mut Rng) -> Self {
        Self::ZERO
    }
    fn invalid() -> Option<Self> {
        (N > 0).then_some(Self([1; N]))
    }
}

/// A boolean byte, 0 or 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct Bool8(u8);

impl Bool8 {
    /// The wire form of `value`.
    #[inline(always)]
    pub const fn new(value: bool) -> Self {
        Self(value as u8)
    }
    /// The boolean.
    #[inline(always)]
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool8 {
    #[inline(always)]
    fn from(value: bool) -> Self {
        Self::new(value)
    }
}

impl Wire for Bool8 {
    const NAME: &'static str = "bool";
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        match self.0 {
            0 => to.write_str("false"),
            1 => to.write_str("true"),
            other => write!(to, "bool({other})"),
        }
    }
    fn proven(&self, _: &Proof) -> bool {
        self.0 < 2
    }
    fn sample(rng: &mut Rng) -> Self {
        Self((rng.next() & 1) as u8)
    }
    fn invalid() -> Option<Self> {
        Some(Self(2))
    }
}

/// A reference to staged bytes that the record must carry (rule A): never empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct Blob {
    /// Byte offset inside the segment.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
    /// Segment id; only [`SEG_STAGE`].
    pub seg: u32,
    pad: u32,
}

impl Blob {
    /// A run of the staging segment.
    pub const fn new(offset: u64, size: u64) -> Self {
        Self { offset, size, seg: SEG_STAGE, pad: 0 }
    }
    fn inside(&self, proof: &Proof) -> bool {
        self.pad == 0
            && self.seg == SEG_STAGE
            && self.offset.checked_add(self.size).is_some_and(|end| end <= proof.stage_len)
    }
}

impl Wire for Blob {
    const NAME: &'static str = "Blob";
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        to.blob(self)
    }
    fn proven(&self, proof: &Proof) -> bool {
        self.size != 0 && self.inside(proof)
    }
    fn sample(rng: &mut Rng) -> Self {
        Self::new(rng.next() % 1024, 1 + rng.next() % 1024)
    }
    fn invalid() -> Option<Self> {
        Some(Self::new(u64::MAX, 16))
    }
}

/// A reference to staged bytes that may be absent; absent is all zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(transparent)]
pub struct OptBlob(Blob);

impl OptBlob {
    /// No bytes.
    pub const NONE: Self = Self(Blob { offset: 0, size: 0, seg: 0, pad: 0 });
    /// The run, if there is one.
    pub fn get(self) -> Option<Blob> {
        (self.0.size != 0).then_some(self.0)
    }
}

impl From<Blob> for OptBlob {
    fn from(blob: Blob) -> Self {
        Self(blob)
    }
}

impl Wire for OptBlob {
    const NAME: &'static str = "OptBlob";
    fn show(&self, to: &mut dyn Show) -> fmt::Result {
        match self.get() {
            Some(blob) => to.blob(&blob),
            None => to.write_str("none"),
        }
    }
    fn proven(&self, proof: &Proof) -> bool {
        *self == Self::NONE || (self.0.size != 0 && self.0.inside(proof))
    }
    fn sample(rng: &mut Rng) -> Self {
        if rng.next() & 1 == 0 { Self::NONE } else { Self(Blob::sample(rng)) }
    }
    fn invalid() -> Option<Self> {
        Some(Self(Blob { offset: 8, size: 0, seg: 9, pad: 0 }))
    }
}

/// Header of a record on the ring (spec 02 §0.2). The sequence is the record's ordinal and does not cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub struct RecordHeader {
    /// Opcode; 0 is the wrap filler.
    pub op: u16,
    /// Ring flags, a space of their own.
    pub flags: u16,
    /// Bytes of the record with this header, a multiple of 8.
    pub size: u32,
}

/// Declares a fixed-layout payload element and its field list.
macro_rules! wire_struct {
    ($(#[$doc:meta])* $vis:vis struct $name:ident { $($(#[$fdoc:meta])* $field:ident : $ty:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
        #[repr(C)]
        $vis struct $name { $($(#[$fdoc])* pub $field: $ty),+ }

        impl $name {
            /// Every field with its offset and size.
            pub const FIELDS: &'static [$crate::FieldInfo] = &[$($crate::FieldInfo {
                name: stringify!($field),
                ty: <$ty as $crate::Wire>::NAME,
                offset: core::mem::offset_of!($name, $field),
                size: core::mem::size_of::<$ty>(),
                show: |bytes, to| $crate::wire::show::value::<$ty>(bytes, to),
            }),+];

            /// Name of the first field that is not proven.
            #[allow(dead_code, reason = "elements are proven as a whole, heads field by field")]
            pub(crate) fn first_unproven(&self, proof: &$crate::Proof) -> Option<&'static str> {
                $(if !$crate::Wire::proven(&self.$field, proof) { return Some(stringify!($field)); })+
                None
            }

            /// One value per field that has an illegal form, all other fields legal.
            #[allow(dead_code, reason = "used by the catalogue's tests for record heads")]
            pub fn invalid_samples(rng: &mut $crate::sample::Rng) -> Vec<(&'static str, Self)> {
                let mut out = Vec::new();
                $(if let Some(bad) = <$ty as $crate::Wire>::invalid() {
                    let mut value = <Self as $crate::Wire>::sample(rng);
                    value.$field = bad;
                    out.push((stringify!($field), value));
                })+
                out
            }
        }

        impl Default for $name {
            fn default() -> Self { <Self as ::zerocopy::FromZeros>::new_zeroed() }
        }

        impl $crate::Wire for $name {
            const NAME: &'static str = stringify!($name);
            const PARTS: &'static [$crate::FieldInfo] = $name::FIELDS;
            fn show(&self, to: &mut dyn $crate::wire::show::Show) -> core::fmt::Result {
                to.write_str("{")?;
                $crate::wire::show::fields($name::FIELDS, ::zerocopy::IntoBytes::as_bytes(self), to)?;
                to.write_str("}")
            }
            fn proven(&self, proof: &$crate::Proof) -> bool { self.first_unproven(proof).is_none() }
            fn sample(rng: &mut $crate::sample::Rng) -> Self {
                Self { $($field: <$ty as $crate::Wire>::sample(rng)),+ }
            }
            fn invalid() -> Option<Self> {
                Self::invalid_samples(&mut $crate::sample::Rng::new(1)).into_iter().next().map(|s| s.1)
            }
            fn difference(expected: &Self, found: &Self, path: &str) -> Option<$crate::Difference> {
                $(
                    let name = concat!(".", stringify!($field));
                    let there = <$ty as $crate::Wire>::difference(&expected.$field, &found.$field, &format!("{path}{name}"));
                    if there.is_some() {
                        return there;
                    }
                )+
                None
            }
        }
    };
}

/// Declares a closed set of tokens as a wire type.
macro_rules! wire_enum {
    ($(#[$doc:meta])* $vis:vis enum $name:ident : $repr:ident { $($(#[$vdoc:meta])* $variant:ident = $value:expr),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, ::zerocopy::FromBytes, ::zerocopy::IntoBytes, ::zerocopy::Immutable, ::zerocopy::KnownLayout)]
        #[repr(transparent)]
        $vis struct $name(pub $repr);

        #[allow(non_upper_case_globals, reason = "variants of a wire enumeration keep the names of the specification")]
        impl $name {
            $($(#[$vdoc])* pub const $variant: Self = Self($value);)+
            /// Every legal value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// The value's name, or `None` when it is not legal.
            pub fn name(self) -> Option<&'static str> {
                match self { $(Self::$variant => Some(stringify!($variant)),)+ _ => None }
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() { Some(n) => f.write_str(n), None => write!(f, "{}({})", stringify!($name), self.0) }
            }
        }

        impl $crate::Wire for $name {
            const NAME: &'static str = stringify!($name);
            fn show(&self, to: &mut dyn $crate::wire::show::Show) -> core::fmt::Result { write!(to, "{self:?}") }
            fn proven(&self, _: &$crate::Proof) -> bool { self.name().is_some() }
            fn sample(rng: &mut $crate::sample::Rng) -> Self { rng.pick(Self::ALL) }
            fn invalid() -> Option<Self> { Some(Self($repr::MAX)) }
        }
    };
}

wire_struct! {
    /// A box of texels: signed origin, unsigned extent (spec 02 §1.3).
    pub struct Box3 { x: i32, y: i32, z: i32, w: u32, h: u32, d: u32 }
}
