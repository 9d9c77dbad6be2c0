//! Pixels of a drawable as the X server has them. Must not know rooms.

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ChangeGCAux, ConnectionExt as _, ImageFormat, Rectangle};

use super::carry::LARGEST;
use super::core::Core;
use super::errors::Trouble;
use super::visuals::{pixel_bytes, row_bytes};
use crate::window::Extent;

/// Rows from the top, tight. What lies outside of the drawable, under other windows or off the screen, is zero.
///
/// `GetImage` of a window is an error when a part of it is not on the screen (X protocol, "GetImage"), `CopyArea` is not: what
/// is there goes into a pixmap first.
pub(super) fn read(core: &Core, extent: Extent) -> Result<Vec<u8>, Trouble> {
    let conn = &core.wire.conn;
    let (width, height) = (extent.width.clamp(1, LARGEST) as u16, extent.height.clamp(1, LARGEST) as u16);
    let pixmap = conn.generate_id()?;
    conn.create_pixmap(core.depth, pixmap, core.xid, width, height)?.check()?;
    let whole = Rectangle { x: 0, y: 0, width, height };
    conn.change_gc(core.gc, &ChangeGCAux::new().foreground(0))?;
    conn.poly_fill_rectangle(pixmap, core.gc, &[whole])?;
    let copied = conn.copy_area(core.xid, pixmap, core.gc, 0, 0, 0, 0, width, height)?;
    let image = conn.get_image(ImageFormat::Z_PIXMAP, pixmap, 0, 0, width, height, u32::MAX)?;
    conn.free_pixmap(pixmap)?;
    copied.check()?;
    let mut data = image.reply()?.data;
    let tight = u32::from(width) * pixel_bytes(core.layout);
    let stride = row_bytes(core.layout, width.into());
    if tight != stride {
        data = data.chunks(stride as usize).flat_map(|row| row.iter().take(tight as usize)).copied().collect();
    }
    data.resize(tight as usize * usize::from(height), 0);
    Ok(data)
}
