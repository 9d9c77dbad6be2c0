//! Reverse events (spec 05b §7.2): semantic, lossless, ordered with the records that cause them. Must not know the
//! ring that carries them.

use mgl_base::{Fault, Handle, handle::Buffer, handle::Fence, limits::MAX_MESSAGE_BYTES};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// One event, borrowed from the consumer's private copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// Bytes of a buffer that the client must hold.
    BufferWriteback { buffer: Handle<Buffer>, offset: u64, bytes: &'a [u8] },
    /// The GPU wrote a range of a buffer.
    GpuWritten { buffer: Handle<Buffer>, offset: u64, size: u64 },
    /// Geometry of a server-owned surface.
    SurfaceChanged { surface: u64, width: u32, height: u32, format: u32 },
    /// A GL error that only the server could find.
    GlError { code: u32, message: &'a str },
    /// A fence completed.
    FenceSignalled { fence: Handle<Fence> },
}

/// Fixed head of every event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
struct Head {
    kind: u32,
    bytes: u32,
    a: u64,
    b: u64,
    c: u64,
}

fn bits<K>(handle: Handle<K>) -> u64 {
    handle.bits()
}

fn handle<K: mgl_base::Kind>(bits: u64) -> Handle<K> {
    Handle::new(bits as u32, (bits >> 32) as u32)
}

impl<'a> Event<'a> {
    /// Appends the event to `out` (head, inline bytes, padding to 8).
    pub fn encode(&self, out: &mut Vec<u8>) {
        let (head, tail): (Head, &[u8]) = match *self {
            Event::BufferWriteback { buffer, offset, bytes } => {
                (Head { kind: 1, a: bits(buffer), b: offset, ..Head::default() }, bytes)
            }
            Event::GpuWritten { buffer, offset, size } => {
                (Head { kind: 2, a: bits(buffer), b: offset, c: size, bytes: 0 }, &[])
            }
            Event::SurfaceChanged { surface, width, height, format } => (
                Head {
                    kind: 3,
                    a: surface,
                    b: u64::from(width) << 32 | u64::from(height),
                    c: u64::from(format),
                    bytes: 0,
                },
                &[],
            ),
            Event::GlError { code, message } => {
                (Head { kind: 4, a: u64::from(code), ..Head::default() }, truncated(message).as_bytes())
            }
            Event::FenceSignalled { fence } => (Head { kind: 5, a: bits(fence), ..Head::default() }, &[]),
        };
        out.extend_from_slice(Head { bytes: tail.len() as u32, ..head }.as_bytes());
        out.extend_from_slice(tail);
        out.resize(out.len().next_multiple_of(8), 0);
    }

    /// Decodes one event that fills `bytes` exactly.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Fault> {
        let bad = || Fault::corrupt("event");
        let (head, rest) = Head::read_from_prefix(bytes).map_err(|_| bad())?;
        let tail = rest.get(..head.bytes as usize).ok_or_else(bad)?;
        if rest.len() != tail.len().next_multiple_of(8) {
            return Err(bad());
        }
        Ok(match head.kind {
            1 => Event::BufferWriteback { buffer: handle(head.a), offset: head.b, bytes: tail },
            2 => Event::GpuWritten { buffer: handle(head.a), offset: head.b, size: head.c },
            3 => Event::SurfaceChanged {
                surface: head.a,
                width: (head.b >> 32) as u32,
                height: head.b as u32,
                format: head.c as u32,
            },
            4 if tail.len() < MAX_MESSAGE_BYTES => {
                Event::GlError { code: head.a as u32, message: core::str::from_utf8(tail).map_err(|_| bad())? }
            }
            5 => Event::FenceSignalled { fence: handle(head.a) },
            _ => return Err(bad()),
        })
    }
}

fn truncated(message: &str) -> &str {
    let mut end = message.len().min(MAX_MESSAGE_BYTES - 1);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    message.get(..end).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::Event;
    use mgl_base::Handle;

    /// An event that changes on its way would hand a program a wrong error or wrong buffer bytes.
    #[test]
    fn events_round_trip_and_truncations_are_refused() {
        let list = [
            Event::BufferWriteback { buffer: Handle::new(3, 2), offset: 7, bytes: &[1, 2, 3] },
            Event::GpuWritten { buffer: Handle::new(3, 2), offset: 7, size: 9 },
            Event::SurfaceChanged { surface: 4, width: 5, height: 6, format: 7 },
            Event::GlError { code: 0x505, message: "out of memory" },
            Event::FenceSignalled { fence: Handle::new(8, 1) },
        ];
        for event in list {
            let mut bytes = Vec::new();
            event.encode(&mut bytes);
            assert_eq!(Event::decode(&bytes), Ok(event));
            for len in 0..bytes.len() {
                assert!(Event::decode(&bytes[..len]).is_err());
            }
        }
    }
}
