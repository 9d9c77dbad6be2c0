//! Visuals of an X server and what their pixels look like in memory. Must not know windows, and not how pixels travel.

use mgl_pipe::tokens::PixelLayout;
use x11rb::protocol::xproto::{ImageOrder, Setup, VisualClass};

/// Classes of visuals whose pixels hold components. Others (palettes) have no configs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Components are intensities.
    TrueColor,
    /// Components go through a palette each.
    DirectColor,
}

/// A visual that can be drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visual {
    /// Identifier.
    pub id: u32,
    /// Significant bits of a pixel.
    pub depth: u8,
    /// How components are meant.
    pub class: Class,
    /// Bits of red, green and blue.
    pub masks: [u32; 3],
    /// Significant bits of a component of the palette.
    pub bits_per_rgb: u8,
    /// Screen that has it.
    pub screen: usize,
}

impl Visual {
    /// Bits of a pixel that are no colour but within the depth: alpha.
    pub fn alpha_mask(&self) -> u32 {
        let all = u32::MAX.checked_shr(32u32.saturating_sub(self.depth.into())).unwrap_or(0);
        all & !(self.masks[0] | self.masks[1] | self.masks[2])
    }
}

/// How images lie in memory for one server.
#[derive(Clone, Debug)]
pub(super) struct Images {
    big_endian: bool,
    /// Depth, bits of a pixel in memory, bits that rows are filled up to.
    formats: Vec<(u8, u8, u8)>,
}

impl Images {
    pub(super) fn of(setup: &Setup) -> Self {
        let formats = setup.pixmap_formats.iter().map(|f| (f.depth, f.bits_per_pixel, f.scanline_pad)).collect();
        Self { big_endian: setup.image_byte_order == ImageOrder::MSB_FIRST, formats }
    }

    /// Layout of pixels of `depth` with `masks`; `None` where the server has none that we can write.
    pub(super) fn layout(&self, depth: u8, masks: [u32; 3]) -> Option<PixelLayout> {
        let (_, bits, pad) = *self.formats.iter().find(|format| format.0 == depth)?;
        // Rows are made of whole words of 4 bytes, whatever the size of a pixel; a server with another padding has none of ours.
        if pad != 32 {
            return None;
        }
        use PixelLayout as L;
        Some(match (bits, depth, masks, self.big_endian) {
            (32, 32, [0xff_0000, 0xff00, 0xff], false) => L::A8R8G8B8,
            (32, 24, [0xff_0000, 0xff00, 0xff], false) => L::X8R8G8B8,
            (32, 32, [0xff, 0xff00, 0xff_0000], false) => L::A8B8G8R8,
            (32, 24, [0xff, 0xff00, 0xff_0000], false) => L::X8B8G8R8,
            (32, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff], false) => L::A2R10G10B10,
            (32, 30, [0x3ff0_0000, 0xf_fc00, 0x3ff], false) => L::X2R10G10B10,
            (32, 32, [0x3ff, 0xf_fc00, 0x3ff0_0000], false) => L::A2B10G10R10,
            (32, 30, [0x3ff, 0xf_fc00, 0x3ff0_0000], false) => L::X2B10G10R10,
            (16, 16, [0xf800, 0x7e0, 0x1f], false) => L::R5G6B5,
            (32, 32, [0xff_0000, 0xff00, 0xff], true) => L::A8R8G8B8Swapped,
            (32, 24, [0xff_0000, 0xff00, 0xff], true) => L::X8R8G8B8Swapped,
            (32, 32, [0x3ff0_0000, 0xf_fc00, 0x3ff], true) => L::A2R10G10B10Swapped,
            (32, 30, [0x3ff0_0000, 0xf_fc00, 0x3ff], true) => L::X2R10G10B10Swapped,
            (16, 16, [0xf800, 0x7e0, 0x1f], true) => L::R5G6B5Swapped,
            _ => return None,
        })
    }
}

/// Masks that pixels of a depth have where no visual says so (pixmaps).
pub(super) fn usual_masks(depth: u8) -> Option<[u32; 3]> {
    match depth {
        16 => Some([0xf800, 0x7e0, 0x1f]),
        24 | 32 => Some([0xff_0000, 0xff00, 0xff]),
        30 => Some([0x3ff0_0000, 0xf_fc00, 0x3ff]),
        _ => None,
    }
}

/// Bytes of a pixel.
pub(super) fn pixel_bytes(layout: PixelLayout) -> u32 {
    match layout {
        PixelLayout::R5G6B5 | PixelLayout::R5G6B5Swapped => 2,
        _ => 4,
    }
}

/// Bytes from row to row of an image that is `width` pixels wide: what MIT-SHM and PutImage take, rows of whole words.
pub(super) fn row_bytes(layout: PixelLayout, width: u32) -> u32 {
    (width * pixel_bytes(layout)).next_multiple_of(4)
}

/// The visuals of all screens that have components.
pub(super) fn visuals(setup: &Setup) -> Vec<Visual> {
    let mut found = Vec::new();
    for (screen, root) in setup.roots.iter().enumerate() {
        for depth in &root.allowed_depths {
            found.extend(depth.visuals.iter().filter_map(|visual| {
                let class = match visual.class {
                    VisualClass::TRUE_COLOR => Class::TrueColor,
                    VisualClass::DIRECT_COLOR => Class::DirectColor,
                    _ => return None,
                };
                Some(Visual {
                    id: visual.visual_id,
                    depth: depth.depth,
                    class,
                    masks: [visual.red_mask, visual.green_mask, visual.blue_mask],
                    bits_per_rgb: visual.bits_per_rgb_value,
                    screen,
                })
            }));
        }
    }
    found
}
