//! Frames of a data connection, as the stream's reader takes them. Must not know what the bytes are for.

use super::control::sent;
use mgl_link::segment::Segment;
use mgl_link::stream::cache::Slots;
use mgl_link::stream::frame::{HEADER, Header, Kind, WORDS, encode_words};
use mgl_link::stream::reader::{Reader, Stop};

/// The receiving mirror.
const MIRROR: usize = 64 << 10;

/// Takes one frame.
fn take(reader: &mut Reader, mirror: &Segment, slots: &mut Slots) -> Result<(), Stop> {
    let header = reader.header()?;
    match header.kind {
        Kind::Notice => Ok(()),
        Kind::ClientMarks | Kind::ServerMarks => reader.words(&header).map(|_| ()),
        Kind::Cached => {
            let bytes = slots.get(header.extra, header.raw)?;
            assert_eq!(bytes.len(), header.raw as usize);
            Ok(())
        }
        Kind::Keep => {
            let bytes = reader.bytes(&header)?;
            Ok(slots.keep(header.extra, bytes)?)
        }
        _ => reader.copy(&header, mirror, header.at),
    }
}

/// Takes frames until the stream ends or is refused.
pub fn run(data: &[u8]) {
    let Some(Ok(mut reader)) = sent(data).map(Reader::new) else { return };
    let Ok(mirror) = Segment::private(MIRROR) else { return };
    let mut slots = Slots::new(16);
    while take(&mut reader, &mirror, &mut slots).is_ok() {}
}

/// Every kind of frame, alone and one after another.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    let mut all = Vec::new();
    for kind in [Kind::Cmd, Kind::Stage, Kind::Keep, Kind::Reply, Kind::Event, Kind::Pixels] {
        let mut one = Vec::with_capacity(HEADER + 64);
        Header { extra: 3, ..Header::plain(kind, 1, 128, 64) }.encode(&mut one);
        one.extend([0x5A; 64]);
        all.extend(&one);
        out.push(one);
    }
    let mut cached = Vec::new();
    Header { len: 0, extra: 3, ..Header::plain(Kind::Cached, 1, 256, 64) }.encode(&mut cached);
    all.extend(&cached);
    for kind in [Kind::ClientMarks, Kind::ServerMarks] {
        let mut marks = Vec::new();
        Header::plain(kind, 1, 0, WORDS as u32 * 8).encode(&mut marks);
        encode_words(&[7; WORDS], &mut marks);
        all.extend(&marks);
        out.push(marks);
    }
    // One byte 64 times, as an LZ4 block.
    let packed = [0x1F, 0x5A, 0x01, 0x00, 0x27, 0x50, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A];
    let mut pack = Vec::new();
    let plain = Header::plain(Kind::Stage, 1, 0, 64);
    Header { packed: true, len: packed.len() as u32, ..plain }.encode(&mut pack);
    pack.extend(packed);
    out.extend([cached, pack, all]);
    out
}
