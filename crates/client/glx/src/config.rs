//! Frame buffer configurations of a screen: what the device draws into, on what the screen has visuals for (GLX 1.4 §3.3.3).
//! Must not know how programs choose among them.

use mgl_pipe::caps::{Caps, format_bits};
use mgl_pipe::format::Format;
use mgl_window::config::{self, PixelConfig};
use mgl_window::x11::{Class, Visual};

use crate::tokens as t;
use crate::tokens::Int;

/// One configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `GLX_FBCONFIG_ID`, from 1 on each screen.
    pub id: Int,
    /// The screen.
    pub screen: usize,
    /// Formats of its drawables.
    pub pixel: PixelConfig,
    /// There is a back buffer.
    pub double: bool,
    /// Visual of its windows; without one there are only pbuffers.
    pub visual: Option<Visual>,
    /// Largest width and height of a pbuffer, in pixels.
    pub max_size: Int,
}

impl Config {
    /// True when drawing can convert to sRGB (GLX_ARB_framebuffer_sRGB).
    pub fn is_srgb(&self) -> bool {
        self.pixel.color == Format::Srgb8Alpha8
    }

    /// `GLX_DRAWABLE_TYPE`.
    pub fn drawables(&self) -> Int {
        t::PBUFFER_BIT | if self.visual.is_some() { t::WINDOW_BIT | t::PIXMAP_BIT } else { 0 }
    }

    /// Windows of `visual` can be drawn to: they lie in memory as those of the configuration's own.
    pub fn fits(&self, visual: &Visual) -> bool {
        self.visual.is_some_and(|own| own.depth == visual.depth && own.masks == visual.masks)
    }

    /// Value of an attribute (GLX 1.4 table 3.1, and extensions); `None` when it is not one.
    pub fn attribute(&self, name: Int) -> Option<Int> {
        let bits = self.pixel.bits;
        Some(match name {
            t::BUFFER_SIZE => bits.color(),
            t::RED_SIZE => bits.red,
            t::GREEN_SIZE => bits.green,
            t::BLUE_SIZE => bits.blue,
            t::ALPHA_SIZE => bits.alpha,
            t::DEPTH_SIZE => bits.depth,
            t::STENCIL_SIZE => bits.stencil,
            t::DOUBLEBUFFER => Int::from(self.double),
            t::SAMPLES => self.pixel.samples,
            t::SAMPLE_BUFFERS => Int::from(self.pixel.samples > 0),
            t::RGBA | t::USE_GL => t::TRUE,
            t::FBCONFIG_ID => self.id,
            t::SCREEN => Int::try_from(self.screen).unwrap_or(0),
            t::RENDER_TYPE => t::RGBA_BIT,
            t::CONFIG_CAVEAT | t::TRANSPARENT_TYPE => t::NONE,
            t::MAX_PBUFFER_WIDTH | t::MAX_PBUFFER_HEIGHT => self.max_size,
            t::OPTIMAL_PBUFFER_WIDTH_SGIX | t::OPTIMAL_PBUFFER_HEIGHT_SGIX => 0,
            t::MAX_PBUFFER_PIXELS => self.max_size.saturating_mul(self.max_size),
            // The back buffer stays what it is when it is shown.
            t::SWAP_METHOD_OML => t::SWAP_COPY_OML,
            t::FRAMEBUFFER_SRGB_CAPABLE => Int::from(self.is_srgb()),
            t::LEVEL | t::STEREO | t::AUX_BUFFERS | t::VISUAL_SELECT_GROUP_SGIX => 0,
            t::ACCUM_RED_SIZE | t::ACCUM_GREEN_SIZE | t::ACCUM_BLUE_SIZE | t::ACCUM_ALPHA_SIZE => 0,
            t::TRANSPARENT_INDEX_VALUE | t::TRANSPARENT_RED_VALUE | t::TRANSPARENT_GREEN_VALUE => 0,
            t::TRANSPARENT_BLUE_VALUE | t::TRANSPARENT_ALPHA_VALUE => 0,
            _ => return self.window_attribute(name),
        })
    }

    /// Attributes that say something of windows and pixmaps.
    fn window_attribute(&self, name: Int) -> Option<Int> {
        let shown = self.visual.is_some();
        let textures = shown && self.pixel.samples == 0;
        Some(match name {
            t::VISUAL_ID => self.visual.map_or(0, |visual| visual.id.cast_signed()),
            t::X_VISUAL_TYPE => match self.visual.map(|visual| visual.class) {
                Some(Class::TrueColor) => t::TRUE_COLOR,
                Some(Class::DirectColor) => t::DIRECT_COLOR,
                None => t::NONE,
            },
            t::DRAWABLE_TYPE => self.drawables(),
            t::X_RENDERABLE => Int::from(shown),
            t::BIND_TO_TEXTURE_RGB_EXT | t::BIND_TO_TEXTURE_RGBA_EXT => {
                let alpha = name == t::BIND_TO_TEXTURE_RGBA_EXT;
                Int::from(textures && (!alpha || self.pixel.bits.alpha > 0))
            }
            t::BIND_TO_MIPMAP_TEXTURE_EXT => 0,
            t::BIND_TO_TEXTURE_TARGETS_EXT if textures => t::TEXTURE_2D_BIT_EXT | t::TEXTURE_RECTANGLE_BIT_EXT,
            t::BIND_TO_TEXTURE_TARGETS_EXT => 0,
            // Rows of a pixmap begin at its top.
            t::Y_INVERTED_EXT => Int::from(textures),
            _ => return None,
        })
    }
}

/// Visuals whose pixels look the same, the screen's own first.
struct Group {
    visuals: Vec<Visual>,
}

/// The configurations of a screen: those of its root window's visual first. Visuals are spread over them, so that one that is
/// looked at by itself (GLX 1.2) says what it is; where there are fewer, the first visual of a kind has the rest too.
pub fn all(caps: &Caps, visuals: &[Visual], root: u32, screen: usize) -> Vec<Config> {
    let max_size = config::largest(caps);
    let mut pixels = pixels(caps);
    pixels.sort_by_key(|(pixel, double)| rank(pixel, *double));
    let mut made: Vec<Config> = Vec::new();
    for group in groups(visuals, root) {
        let mut rest = group.visuals.iter().copied();
        let Some(first) = group.visuals.first().copied() else { continue };
        for (pixel, double) in pixels.iter().copied().filter(|(pixel, _)| shows(pixel.color, &first)) {
            let visual = Some(rest.next().unwrap_or(first));
            made.push(Config { id: 0, screen, pixel, double, visual, max_size });
        }
    }
    let unseen = |pixel: &PixelConfig| !made.iter().any(|config| config.pixel.color == pixel.color);
    let alone: Vec<_> = pixels.iter().copied().filter(|(pixel, _)| unseen(pixel)).collect();
    made.extend(alone.into_iter().map(|(pixel, double)| Config {
        id: 0,
        screen,
        pixel,
        double,
        visual: None,
        max_size,
    }));
    for (config, id) in made.iter_mut().zip(1..) {
        config.id = id;
    }
    made
}

/// What the device draws into, with and without back buffer, and in sRGB.
fn pixels(caps: &Caps) -> Vec<(PixelConfig, bool)> {
    let linear = config::all(caps);
    let srgb = caps.format(Format::Srgb8Alpha8);
    let converts = |pixel: &&PixelConfig| {
        let enough = pixel.samples == 0
            || srgb.samples & caps.format(Format::Rgba8).samples == caps.format(Format::Rgba8).samples;
        pixel.color == Format::Rgba8 && srgb.bits & format_bits::RENDER != 0 && enough
    };
    let twins = linear.iter().filter(converts).map(|pixel| PixelConfig { color: Format::Srgb8Alpha8, ..*pixel });
    let every: Vec<PixelConfig> = linear.iter().copied().chain(twins).collect();
    every.into_iter().flat_map(|pixel| [(pixel, true), (pixel, false)]).collect()
}

/// The plain ones first: what most programs ask for is what the root window's own visual has.
fn rank(pixel: &PixelConfig, double: bool) -> [Int; 5] {
    let color = match pixel.color {
        Format::Rgba8 => 0,
        Format::Rgb8 => 1,
        _ => 2,
    };
    let depth = match (pixel.bits.depth, pixel.bits.stencil) {
        (24, 8) => 0,
        (24, _) => 1,
        (0, _) => 2,
        (16, _) => 3,
        _ => 4,
    };
    [pixel.samples, Int::from(pixel.color == Format::Srgb8Alpha8), color, depth, Int::from(!double)]
}

fn groups(visuals: &[Visual], root: u32) -> Vec<Group> {
    let mut sorted = visuals.to_vec();
    let at_root = sorted.iter().find(|visual| visual.id == root).copied();
    let like_root = |visual: &Visual| at_root.is_some_and(|own| own.depth == visual.depth && own.masks == visual.masks);
    sorted.sort_by_key(|visual| (!like_root(visual), visual.class as u8, visual.id != root, visual.depth, visual.id));
    let mut groups: Vec<Group> = Vec::new();
    for visual in sorted {
        let same = |group: &&mut Group| group.visuals.first().is_some_and(|first| look_alike(first, &visual));
        match groups.iter_mut().find(same) {
            Some(group) => group.visuals.push(visual),
            None => groups.push(Group { visuals: vec![visual] }),
        }
    }
    groups
}

fn look_alike(a: &Visual, b: &Visual) -> bool {
    (a.depth, a.class, a.masks) == (b.depth, b.class, b.masks)
}

/// A drawable of that format can be shown in windows of the visual. Alpha that a window has not is the buffer's alone.
fn shows(color: Format, visual: &Visual) -> bool {
    let bits = visual.masks.map(u32::count_ones);
    match color {
        Format::Rgba8 | Format::Srgb8Alpha8 => bits == [8, 8, 8],
        Format::Rgb8 => bits == [8, 8, 8] && visual.depth == 24,
        Format::Rgb565 => bits == [5, 6, 5],
        Format::Rgb10A2 => bits == [10, 10, 10],
        _ => false,
    }
}

#[cfg(test)]
pub mod tests {
    use super::{Config, all};
    use crate::tokens as t;
    use mgl_pipe::caps::{Caps, FormatCaps, format_bits};
    use mgl_window::x11::{Class, Visual};

    pub fn visual(id: u32, depth: u8, class: Class) -> Visual {
        let masks = match depth {
            16 => [0xf800, 0x7e0, 0x1f],
            30 => [0x3ff0_0000, 0xf_fc00, 0x3ff],
            _ => [0xff_0000, 0xff00, 0xff],
        };
        Visual { id, depth, class, masks, bits_per_rgb: 8, screen: 0 }
    }

    pub fn caps() -> Caps {
        let mut caps = Caps::default();
        caps.limits.max_renderbuffer_size = 8192;
        caps.formats = vec![FormatCaps { bits: format_bits::RENDER, samples: 0b111 }; 256];
        caps
    }

    pub fn configs() -> Vec<Config> {
        let direct = visual(0x22, 24, Class::DirectColor);
        let more = (0x30..0x34).map(|id| visual(id, 24, Class::TrueColor));
        let visuals: Vec<_> = [visual(0x90, 32, Class::TrueColor), direct, visual(0x21, 24, Class::TrueColor)]
            .into_iter()
            .chain(more)
            .collect();
        all(&caps(), &visuals, 0x21, 0)
    }

    // A toolkit that opens its windows with the root window's visual would find no configuration, or one without a depth
    // buffer.
    #[test]
    fn the_root_visual_has_the_plain_configuration() {
        let first = &configs()[0];
        let of = |name| first.attribute(name).expect("an attribute");
        assert_eq!(of(t::VISUAL_ID), 0x21);
        assert_eq!([of(t::DOUBLEBUFFER), of(t::DEPTH_SIZE), of(t::STENCIL_SIZE), of(t::SAMPLES)], [1, 24, 8, 0]);
        assert_eq!([of(t::RED_SIZE), of(t::ALPHA_SIZE), of(t::BUFFER_SIZE)], [8, 8, 32]);
        assert_eq!([of(t::X_VISUAL_TYPE), of(t::X_RENDERABLE), of(t::DRAWABLE_TYPE)], [t::TRUE_COLOR, 1, 7]);
    }

    // glXGetConfig would say of every visual that it is the same, and a program that wants no back buffer gets one.
    #[test]
    fn visuals_are_spread_over_configurations() {
        let configs = configs();
        let with = |id| configs.iter().filter(|config| config.visual.is_some_and(|v| v.id == id)).count();
        assert_eq!([with(0x30), with(0x31), with(0x32), with(0x33)], [1; 4]);
        assert!(with(0x21) > 10, "the first one has what is left");
        let single = configs.iter().find(|config| !config.double).expect("single buffered");
        assert_eq!(single.visual.map(|v| v.id), Some(0x30));
    }

    // A transparent window would be opaque, or an opaque one show what lies behind it.
    #[test]
    fn windows_with_alpha_have_configurations_with_alpha() {
        let configs = configs();
        let deep: Vec<_> = configs.iter().filter(|config| config.visual.is_some_and(|v| v.depth == 32)).collect();
        assert!(!deep.is_empty() && deep.iter().all(|config| config.pixel.bits.alpha == 8));
    }

    // A program would be offered windows for pixels that no visual of the screen shows.
    #[test]
    fn formats_without_a_visual_are_for_pbuffers() {
        let configs = configs();
        let small: Vec<_> = configs.iter().filter(|config| config.pixel.bits.red == 5).collect();
        assert!(!small.is_empty());
        for config in small {
            assert_eq!(config.attribute(t::DRAWABLE_TYPE), Some(t::PBUFFER_BIT));
            assert_eq!(config.attribute(t::VISUAL_ID), Some(0));
            assert_eq!(config.attribute(t::X_VISUAL_TYPE), Some(t::NONE));
        }
        let all = all(&caps(), &[visual(0x21, 16, Class::TrueColor)], 0x21, 0);
        assert!(all.iter().any(|config| config.pixel.bits.red == 5 && config.visual.is_some()));
    }

    // Identifiers that two configurations share would make a program draw with the other one.
    #[test]
    fn identifiers_are_unique_and_count_from_one() {
        let configs = configs();
        assert!(configs.iter().zip(1..).all(|(config, id)| config.id == id));
    }
}
