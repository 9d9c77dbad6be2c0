//! The catalogue mechanism: what a record is, how it is laid out and proven (design §4.2). Must not know any record.

mod look;

pub use crate::wire::show::FieldInfo;
use crate::wire::show::ShowBytes;
use crate::wire::{Proof, RecordHeader, Wire};
use mgl_base::Fault;
use zerocopy::FromBytes;

/// Record classes (spec 01 §1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Share-group scoped: resources, fences.
    Screen,
    /// Create, bind or delete of a constant-state object.
    Cso,
    /// A context `set_*` or binding.
    State,
    /// An operation on one object issued in the context stream.
    Object,
    /// A command that consumes state.
    Verb,
    /// Query operations.
    Query,
}

/// What the client does after publishing (spec 05b §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Publishes and goes on.
    None,
    /// Waits for a reply.
    Reply,
    /// Waits until applied.
    Applied,
    /// Waited for present credit before encoding.
    Present,
}

/// One variable tail.
#[derive(Clone, Copy, Debug)]
pub struct TailInfo {
    /// Tail name.
    pub name: &'static str,
    /// Element type.
    pub ty: &'static str,
    /// Element size in bytes.
    pub element: usize,
    /// Fields of an element that is a structure.
    pub parts: &'static [FieldInfo],
    /// Writes all elements for a person; the bytes are exactly the tail's.
    pub show: ShowBytes,
}

/// Bodies with one illegal field each, and that field's name.
pub type InvalidBodies = Vec<(&'static str, Vec<u8>)>;

/// Data row of one record.
#[derive(Clone, Copy, Debug)]
pub struct RecordInfo {
    /// Opcode, never reused.
    pub op: u16,
    /// Name as the specification spells it.
    pub name: &'static str,
    /// Class.
    pub class: Class,
    /// Wait class.
    pub wait: Wait,
    /// What it does.
    pub doc: &'static str,
    /// Head size in bytes.
    pub head: usize,
    /// Fields of the head.
    pub fields: &'static [FieldInfo],
    /// Variable tails.
    pub tails: &'static [TailInfo],
    /// Number of elements of each tail by an encoded body, which need not be proven.
    pub counts: fn(&[u8]) -> Option<[u64; 3]>,
    /// Proves an encoded body without knowing its type.
    pub prove: fn(&[u8], &Proof) -> Result<(), Fault>,
    /// Encodes a random legal body.
    pub sample: fn(&mut crate::sample::Rng) -> Vec<u8>,
    /// Encodes bodies with exactly one illegal field each.
    pub invalid: fn(&mut crate::sample::Rng) -> InvalidBodies,
}

/// A record type: its head is `Self`, its tails are declared by counts in the head.
pub trait Record: Wire {
    /// Data row.
    const INFO: RecordInfo;
    /// Opcode.
    const OP: u16 = Self::INFO.op;
    /// Number of elements of each tail.
    fn tail_counts(&self) -> [u64; 3];
    /// Name of the first field that is not proven.
    fn unproven_field(&self, proof: &Proof) -> Option<&'static str>;
    /// Proves every element of tail `index`.
    fn tail_proven(index: usize, bytes: &[u8], proof: &Proof) -> bool;
}

/// A decoded record: a proven head and its proven tails, borrowed from the decoder's private copy.
#[derive(Debug)]
pub struct Body<'a, R> {
    /// The fixed part.
    pub head: R,
    tails: [&'a [u8]; 3],
}

const fn pad8(n: u64) -> u64 {
    n.saturating_add(7) & !7
}

/// Bytes of a record on the ring, header included; `None` when the counts overflow.
pub fn encoded_len<R: Record>(head: &R) -> Option<u64> {
    let mut total = (size_of::<RecordHeader>() + size_of::<R>()) as u64;
    for (tail, count) in R::INFO.tails.iter().zip(head.tail_counts()) {
        total = total.checked_add(pad8(count.checked_mul(tail.element as u64)?))?;
    }
    Some(total)
}

impl<'a, R: Record> Body<'a, R> {
    /// Proves `bytes` (a record without its header, already copied out of shared memory) and gives typed access.
    /// The total is recomputed from the counts and must be equal (rule A, spec 05 §2).
    pub fn decode(bytes: &'a [u8], proof: &Proof) -> Result<Self, Fault> {
        let place = |what: &str| Fault::corrupt(format!("{}.{what}", R::INFO.name));
        let (head, mut rest) = R::read_from_prefix(bytes).map_err(|_| place("size"))?;
        if let Some(field) = head.unproven_field(proof) {
            return Err(place(field));
        }
        let expected = encoded_len(&head).ok_or_else(|| place("counts"))?;
        if expected != (bytes.len() + size_of::<RecordHeader>()) as u64 {
            return Err(place("size"));
        }
        let mut tails: [&[u8]; 3] = [&[]; 3];
        for (index, (tail, count)) in R::INFO.tails.iter().zip(head.tail_counts()).enumerate() {
            let len = (count * tail.element as u64) as usize;
            let (padded, after) = rest.split_at_checked(pad8(len as u64) as usize).ok_or_else(|| place(tail.name))?;
            let (used, padding) = padded.split_at_checked(len).ok_or_else(|| place(tail.name))?;
            if padding.iter().any(|b| *b != 0) || !R::tail_proven(index, used, proof) {
                return Err(place(tail.name));
            }
            if let Some(slot) = tails.get_mut(index) {
                *slot = used;
            }
            rest = after;
        }
        Ok(Self { head, tails })
    }

    /// Tail `index` as elements; used by the generated accessors.
    pub fn tail<T: Wire>(&self, index: usize) -> &'a [T] {
        self.tails.get(index).and_then(|b| <[T]>::ref_from_bytes(b).ok()).unwrap_or(&[])
    }
}

/// Encodes a body (without header) into a fresh vector; the ring encoder has its own in-place form.
pub fn encode_body<R: Record>(head: &R, tails: [&[u8]; 3]) -> Vec<u8> {
    let mut out = head.as_bytes().to_vec();
    for tail in tails.iter().take(R::INFO.tails.len()) {
        out.extend_from_slice(tail);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    out
}

/// Declares one record: its opcode, class, wait class, head and tails.
macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        $name:ident($wire_name:literal) = $op:literal, $class:ident, $wait:ident
        { $($(#[$fdoc:meta])* $field:ident : $ty:ty),+ $(,)? }
        $(tails { $($tail:ident : [$elem:ty; $count:ident]),+ $(,)? })?
    ) => {
        wire_struct! { $(#[doc = $doc])+ pub struct $name { $($(#[$fdoc])* $field : $ty),+ } }

        const _: () = assert!(core::mem::size_of::<$name>() % 8 == 0, "record heads are multiples of 8 bytes");

        impl $crate::Record for $name {
            const INFO: $crate::RecordInfo = $crate::RecordInfo {
                op: $op,
                name: $wire_name,
                class: $crate::Class::$class,
                wait: $crate::Wait::$wait,
                doc: concat!($($doc, "\n"),+),
                head: core::mem::size_of::<$name>(),
                fields: $name::FIELDS,
                tails: &[$($($crate::TailInfo {
                    name: stringify!($tail),
                    ty: <$elem as $crate::Wire>::NAME,
                    element: core::mem::size_of::<$elem>(),
                    parts: <$elem as $crate::Wire>::PARTS,
                    show: |bytes, to| $crate::wire::show::elements::<$elem>(bytes, to),
                }),+)?],
                counts: |bytes| {
                    let (head, _) = <$name as ::zerocopy::FromBytes>::read_from_prefix(bytes).ok()?;
                    Some($crate::Record::tail_counts(&head))
                },
                prove: |bytes, proof| $crate::Body::<$name>::decode(bytes, proof).map(|_| ()),
                sample: |rng| $name::sample_body(rng, None),
                invalid: |rng| $name::invalid_samples(rng)
                    .into_iter()
                    .map(|(field, bad)| (field, $name::sample_body(rng, Some(bad))))
                    .collect(),
            };
            fn tail_counts(&self) -> [u64; 3] {
                #[allow(unused_mut, unused_variables, unused_assignments, reason = "records without tails declare none")]
                {
                    let mut counts = [0u64; 3];
                    let mut next = 0usize;
                    $($(if let Some(c) = counts.get_mut(next) { *c = u64::from(self.$count); } next += 1;)+)?
                    counts
                }
            }
            fn unproven_field(&self, proof: &$crate::Proof) -> Option<&'static str> { self.first_unproven(proof) }
            #[allow(unused_variables, unused_mut, unused_assignments, reason = "records without tails have nothing to prove")]
            fn tail_proven(index: usize, bytes: &[u8], proof: &$crate::Proof) -> bool {
                let mut next = 0usize;
                $($(
                    if index == next {
                        return <[$elem] as ::zerocopy::FromBytes>::ref_from_bytes(bytes)
                            .is_ok_and(|list| list.iter().all(|e| $crate::Wire::proven(e, proof)));
                    }
                    next += 1;
                )+)?
                false
            }
        }

        impl $name {
            #[allow(unused_variables, unused_mut, reason = "records without tails have nothing to count")]
            fn sample_body(rng: &mut $crate::sample::Rng, bad: Option<Self>) -> Vec<u8> {
                let mut head = bad.unwrap_or_else(|| <Self as $crate::Wire>::sample(rng));
                $($(head.$count = (rng.next() % 4) as _;)+)?
                let mut tails: Vec<Vec<u8>> = Vec::new();
                $($({
                    let list: Vec<$elem> = (0..u64::from(head.$count)).map(|_| <$elem as $crate::Wire>::sample(rng)).collect();
                    tails.push(::zerocopy::IntoBytes::as_bytes(list.as_slice()).to_vec());
                })+)?
                let at = |i: usize| tails.get(i).map_or(&[][..], Vec::as_slice);
                $crate::catalogue::encode_body(&head, [at(0), at(1), at(2)])
            }
        }

        record!(@accessors $name, 0; $($($tail : $elem),+)?);
    };
    (@accessors $name:ident, $i:expr;) => {};
    (@accessors $name:ident, $i:expr; $tail:ident : $elem:ty $(, $rest:ident : $relem:ty)*) => {
        impl<'a> $crate::Body<'a, $name> {
            /// Elements of this tail.
            pub fn $tail(&self) -> &'a [$elem] { self.tail::<$elem>($i) }
        }
        record!(@accessors $name, $i + 1; $($rest : $relem),*);
    };
}
