//! Pixels of a room into a drawable of the X server: by `ShmPutImage`, or by `PutImage` in pieces. Must not know when.

use x11rb::connection::Connection as _;
use x11rb::connection::RequestConnection as _;
use x11rb::protocol::shm::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, ImageFormat};

use x11rb::cookie::VoidCookie;
use x11rb::rust_connection::RustConnection;

use super::core::Core;
use super::errors::{Trouble, words};
use super::rooms::Names;
use super::stream::Pipe;
use super::visuals::{pixel_bytes, row_bytes};
use super::ways::Carry;
use crate::window::{Extent, Rect, Slot};

/// A request that has no reply.
type Request<'a> = VoidCookie<'a, RustConnection<Pipe>>;

/// Sizes that images of the protocol can have (its coordinates are signed 16-bit numbers).
pub(super) const LARGEST: u32 = 32767;

/// A request is not longer than that even where the server would take it: other windows want to write as well, and X.Org's
/// server makes room for a long one and gives it back every time.
const PIECE: usize = 1 << 18;

/// The parts of a picture of `extent` that `damage` names, or all of it.
pub(super) fn parts(extent: Extent, damage: &[Rect]) -> Vec<Rect> {
    let Extent { width, height } = extent;
    if damage.is_empty() {
        return vec![Rect { x: 0, y: 0, width, height }];
    }
    let inside = damage.iter().map(|rect| {
        let (x, y) = (rect.x.min(width), rect.y.min(height));
        Rect { x, y, width: rect.width.min(width - x), height: rect.height.min(height - y) }
    });
    inside.filter(|rect| rect.width > 0 && rect.height > 0).collect()
}

/// Puts `parts` of the picture in `slot` to the same place of `drawable`. The server has copied them when this returns.
pub(super) fn put(core: &Core, names: &mut Names, slot: &Slot, drawable: u32, parts: &[Rect]) -> Result<(), Trouble> {
    if core.way.carry != Carry::Bytes && core.takes_segments() {
        match attach(core, names, slot) {
            Ok(segment) => return put_segment(core, segment, slot, drawable, parts),
            Err(Trouble::Refused(error)) => core.use_no_segments(&words(&error)),
            Err(Trouble::Lacking(what)) => core.use_no_segments(&what),
            Err(broken) => return Err(broken),
        }
    }
    let mut last = None;
    for part in parts {
        last = put_bytes(core, slot, drawable, *part)?.or(last);
    }
    // The bytes are copies: what is waited for is that the picture is there, and a server that is behind must not be fed more.
    last.map_or(Ok(()), |cookie| Ok(cookie.check()?))
}

/// The server's name of the room's memory.
pub(super) fn attach(core: &Core, names: &mut Names, slot: &Slot) -> Result<u32, Trouble> {
    if let Some(segment) = names.segment {
        return Ok(segment);
    }
    let conn = &core.wire.conn;
    let descriptor = slot.pixels.segment.descriptor().and_then(|fd| fd.try_clone_to_owned().ok());
    let Some(descriptor) = descriptor else {
        return Err(Trouble::Lacking("there is no descriptor for it".into()));
    };
    let segment = conn.generate_id()?;
    // Only what the server may write can be a pixmap of its own.
    let read_only = core.way.carry != Carry::SharedPixmap;
    conn.shm_attach_fd(segment, descriptor, read_only)?.check()?;
    names.segment = Some(segment);
    Ok(segment)
}

fn put_segment(core: &Core, segment: u32, slot: &Slot, drawable: u32, parts: &[Rect]) -> Result<(), Trouble> {
    let Extent { width, height } = slot.extent;
    let offset = u32::try_from(slot.offset).unwrap_or(u32::MAX);
    let mut last = None;
    for part in parts {
        let cookie = core.wire.conn.shm_put_image(
            drawable,
            core.gc,
            width as u16,
            height as u16,
            part.x as u16,
            part.y as u16,
            part.width as u16,
            part.height as u16,
            part.x as i16,
            part.y as i16,
            core.depth,
            ImageFormat::Z_PIXMAP.into(),
            false,
            segment,
            offset,
        )?;
        // Errors of those before the last come as events.
        last = Some(cookie);
    }
    match last {
        Some(cookie) => Ok(cookie.check()?),
        None => Ok(()),
    }
}

/// Rows and columns of a piece of `part` that fits into `room` bytes.
fn piece(part: Rect, bytes: u32, room: usize) -> (u32, u32) {
    let room = u32::try_from(room).unwrap_or(u32::MAX);
    // The last word of a row may be half full.
    let columns = (room.saturating_sub(3) / bytes).clamp(1, part.width.max(1));
    let rows = (room / (columns * bytes).next_multiple_of(4)).clamp(1, part.height.max(1));
    (columns, rows)
}

/// The last request, for its error; those of the others come as events.
fn put_bytes<'a>(core: &'a Core, slot: &Slot, drawable: u32, part: Rect) -> Result<Option<Request<'a>>, Trouble> {
    let conn = &core.wire.conn;
    let bytes = pixel_bytes(core.layout);
    // Opcode, length (two words in long requests), drawable, context, size, place, depth.
    let room = conn.maximum_request_bytes().min(PIECE).saturating_sub(28);
    let (columns, rows) = piece(part, bytes, room);
    let mut buffer = Vec::new();
    let mut last = None;
    for y in (part.y..part.y + part.height).step_by(rows as usize) {
        let height = rows.min(part.y + part.height - y);
        for x in (part.x..part.x + part.width).step_by(columns as usize) {
            let width = columns.min(part.x + part.width - x);
            let stride = row_bytes(core.layout, width) as usize;
            buffer.clear();
            buffer.resize(stride * height as usize, 0);
            for (row, out) in buffer.chunks_exact_mut(stride).enumerate() {
                let from = slot.offset + u64::from(y + row as u32) * u64::from(slot.stride) + u64::from(x * bytes);
                // What is beside the segment stays empty: a room is made for its picture.
                let _ = slot.pixels.segment.copy_out(from, &mut out[..(width * bytes) as usize]);
            }
            let cookie = conn.put_image(
                ImageFormat::Z_PIXMAP,
                drawable,
                core.gc,
                width as u16,
                height as u16,
                x as i16,
                y as i16,
                0,
                core.depth,
                &buffer,
            )?;
            last = Some(cookie);
        }
    }
    Ok(last)
}

/// The server forgets what it calls a room. It goes on reading what it was told to read before.
pub(super) fn forget(core: &Core, names: Names) -> Result<(), Trouble> {
    if let Some((pixmap, _)) = names.pixmap {
        core.wire.conn.free_pixmap(pixmap)?;
    }
    if let Some(segment) = names.segment {
        core.wire.conn.shm_detach(segment)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{parts, piece};
    use crate::window::{Extent, Rect};

    fn rect(x: u32, y: u32, width: u32, height: u32) -> Rect {
        Rect { x, y, width, height }
    }

    /// If this fails, a program that says what it changed sees less of it, or its window is written outside of the picture.
    #[test]
    fn damage_is_kept_inside_the_picture() {
        let extent = Extent { width: 10, height: 8 };
        assert_eq!(parts(extent, &[]), [rect(0, 0, 10, 8)]);
        let damage = [rect(2, 3, 4, 5), rect(8, 7, 100, u32::MAX), rect(10, 0, 1, 1), rect(u32::MAX, 0, 5, 5)];
        assert_eq!(parts(extent, &damage), [rect(2, 3, 4, 5), rect(8, 7, 2, 1)]);
    }

    /// If this fails, the X server ends the connection: a request is longer than it takes.
    #[test]
    fn pieces_fit_into_requests() {
        assert_eq!(piece(rect(0, 0, 100, 50), 4, 1 << 20), (100, 50));
        assert_eq!(piece(rect(0, 0, 100, 50), 4, 4000), (100, 10));
        assert_eq!(piece(rect(0, 0, 5000, 50), 4, 16000), (3999, 1));
        for (width, bytes, room) in [(101, 2, 203), (101, 2, 204), (7, 2, 15), (7, 4, 27), (30000, 2, 16356)] {
            let (columns, rows) = piece(rect(0, 0, width, 50), bytes, room);
            assert!((columns * bytes).next_multiple_of(4) * rows <= room as u32, "{width} {bytes} {room}");
        }
    }
}
