//! Frame buffer configurations and how `eglChooseConfig` picks and sorts them (EGL 1.5 §3.4). Must not know surfaces
//! or contexts.

use mgl_pipe::caps::Caps;
use mgl_window::config::{self, PixelConfig};
use mgl_window::platform::{Native, System};

use crate::error::{Code, EglError, EglResult, Told, Unserved, fail};
use crate::tokens as t;
use crate::tokens::Int;

/// One configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `EGL_CONFIG_ID`, from 1.
    pub id: Int,
    /// Formats of its surfaces.
    pub pixel: PixelConfig,
    /// Largest width and height of a pbuffer, in pixels.
    pub max_size: Int,
    /// What shows its surfaces; `None` = pbuffers only.
    pub native: Option<Native>,
    /// Screen refreshes that a swap may have to wait for at most.
    pub max_interval: Int,
}

/// The configurations of a device on a window system, in `EGL_CONFIG_ID` order. Without 10-bit colour where no window shows
/// it: the sort order would put it before what programs that ask for 8 bits expect to get first.
pub fn all(caps: &Caps, system: Option<&dyn System>) -> Vec<Config> {
    let max_size = config::largest(caps);
    let max_interval = system.map_or(1, System::max_interval);
    let mut out: Vec<Config> = Vec::new();
    for pixel in config::all(caps).into_iter().filter(|pixel| pixel.bits.red <= 8) {
        let natives = system.map(|s| s.natives(&pixel)).unwrap_or_default();
        let rows = if natives.is_empty() { vec![None] } else { natives.into_iter().map(Some).collect() };
        for native in rows {
            let id = Int::try_from(out.len() + 1).unwrap_or(Int::MAX);
            out.push(Config { id, pixel, max_size, native, max_interval });
        }
    }
    out
}

impl Config {
    /// Value of an attribute (EGL 1.5 table 3.1), `None` when it is not one.
    pub fn attribute(&self, name: Int) -> Option<Int> {
        let b = self.pixel.bits;
        Some(match name {
            t::BUFFER_SIZE => b.color(),
            t::RED_SIZE => b.red,
            t::GREEN_SIZE => b.green,
            t::BLUE_SIZE => b.blue,
            t::ALPHA_SIZE => b.alpha,
            t::DEPTH_SIZE => b.depth,
            t::STENCIL_SIZE => b.stencil,
            t::SAMPLES => self.pixel.samples,
            t::SAMPLE_BUFFERS => Int::from(self.pixel.samples > 0),
            t::CONFIG_ID => self.id,
            t::MAX_PBUFFER_WIDTH | t::MAX_PBUFFER_HEIGHT => self.max_size,
            t::MAX_PBUFFER_PIXELS => self.max_size.saturating_mul(self.max_size),
            t::SURFACE_TYPE => self.surfaces(),
            t::RENDERABLE_TYPE => t::OPENGL_BIT,
            t::COLOR_BUFFER_TYPE => t::RGB_BUFFER,
            t::COLOR_COMPONENT_TYPE_EXT => t::COLOR_COMPONENT_TYPE_FIXED_EXT,
            t::CONFIG_CAVEAT | t::TRANSPARENT_TYPE => t::NONE,
            t::NATIVE_VISUAL_TYPE => match self.native {
                Some(native) if native.class != 0 => Int::try_from(native.class).unwrap_or(t::NONE),
                _ => t::NONE,
            },
            t::NATIVE_VISUAL_ID => self.native.map_or(0, |native| native.visual as Int),
            t::NATIVE_RENDERABLE => Int::from(self.native.is_some_and(|native| native.pixmaps)),
            t::MAX_SWAP_INTERVAL => self.max_interval,
            // No bits of CONFORMANT: no conformance submission was made.
            t::CONFORMANT | t::LEVEL | t::LUMINANCE_SIZE | t::ALPHA_MASK_SIZE => 0,
            t::BIND_TO_TEXTURE_RGB | t::BIND_TO_TEXTURE_RGBA | t::MIN_SWAP_INTERVAL => 0,
            t::TRANSPARENT_RED_VALUE | t::TRANSPARENT_GREEN_VALUE | t::TRANSPARENT_BLUE_VALUE => 0,
            _ => return None,
        })
    }

    /// `EGL_SURFACE_TYPE`. Every surface keeps its content when it is swapped.
    fn surfaces(&self) -> Int {
        let preserved = t::PBUFFER_BIT | t::SWAP_BEHAVIOR_PRESERVED_BIT;
        match self.native {
            None => preserved,
            Some(native) if native.pixmaps => preserved | t::WINDOW_BIT | t::PIXMAP_BIT,
            Some(_) => preserved | t::WINDOW_BIT,
        }
    }
}

/// How an attribute of a request is compared (EGL 1.5 table 3.4).
enum Rule {
    AtLeast,
    Exact,
    Mask,
    Ignored,
}

fn rule(name: Int) -> Option<Rule> {
    Some(match name {
        t::BUFFER_SIZE | t::RED_SIZE | t::GREEN_SIZE | t::BLUE_SIZE | t::ALPHA_SIZE | t::LUMINANCE_SIZE => {
            Rule::AtLeast
        }
        t::ALPHA_MASK_SIZE | t::DEPTH_SIZE | t::STENCIL_SIZE | t::SAMPLES | t::SAMPLE_BUFFERS => Rule::AtLeast,
        t::SURFACE_TYPE | t::RENDERABLE_TYPE | t::CONFORMANT => Rule::Mask,
        t::MAX_PBUFFER_WIDTH | t::MAX_PBUFFER_HEIGHT | t::MAX_PBUFFER_PIXELS | t::NATIVE_VISUAL_ID => Rule::Ignored,
        t::BIND_TO_TEXTURE_RGB | t::BIND_TO_TEXTURE_RGBA | t::COLOR_BUFFER_TYPE | t::CONFIG_CAVEAT => Rule::Exact,
        t::CONFIG_ID | t::LEVEL | t::MAX_SWAP_INTERVAL | t::MIN_SWAP_INTERVAL | t::NATIVE_RENDERABLE => Rule::Exact,
        t::NATIVE_VISUAL_TYPE | t::TRANSPARENT_TYPE | t::COLOR_COMPONENT_TYPE_EXT => Rule::Exact,
        t::TRANSPARENT_RED_VALUE | t::TRANSPARENT_GREEN_VALUE | t::TRANSPARENT_BLUE_VALUE => Rule::Exact,
        _ => return None,
    })
}

/// What applies when a request does not name the attribute; attributes that are absent here do not matter.
const DEFAULTS: [(Int, Int); 5] = [
    (t::SURFACE_TYPE, t::WINDOW_BIT),
    (t::RENDERABLE_TYPE, t::OPENGL_ES_BIT),
    (t::COLOR_BUFFER_TYPE, t::RGB_BUFFER),
    (t::LEVEL, 0),
    (t::TRANSPARENT_TYPE, t::NONE),
];

/// `eglChooseConfig`: the matching configurations, best first.
pub fn choose(configs: &[Config], request: &[(Int, Int)]) -> EglResult<Vec<Config>> {
    for (name, _) in request {
        if *name == t::MATCH_NATIVE_PIXMAP {
            return fail(Code::BadNativePixmap, "this driver has no native pixmaps");
        }
        if rule(*name).is_none() {
            return fail(Code::BadAttribute, format!("eglChooseConfig: 0x{name:04X} is no configuration attribute"));
        }
    }
    // With a valid EGL_CONFIG_ID all other attributes are ignored (EGL 1.5 §3.4.1.2).
    if let Some((_, id)) = request.iter().rfind(|(n, v)| *n == t::CONFIG_ID && *v != t::DONT_CARE) {
        return Ok(configs.iter().filter(|c| c.id == *id).cloned().collect());
    }
    let defaults = DEFAULTS.iter().filter(|(n, _)| !request.iter().any(|(r, _)| r == n));
    let wanted: Vec<(Int, Int)> = request.iter().chain(defaults).copied().collect();
    let mut found: Vec<Config> = configs.iter().filter(|c| matches(c, &wanted)).cloned().collect();
    found.sort_by_key(|c| sort_key(c, request));
    Ok(found)
}

/// Why a request finds nothing whatever its sizes: what it wants to draw on, or with, is not here. Finding nothing is no
/// error of EGL, and the program may end over it.
pub fn unserved_by_any(configs: &[Config], request: &[(Int, Int)]) -> Option<EglError> {
    let defaults = |name| DEFAULTS.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| *v);
    let wanted = |name| request.iter().rfind(|(n, _)| *n == name).map_or(defaults(name), |(_, v)| *v);
    let (surface, api) = (wanted(t::SURFACE_TYPE), wanted(t::RENDERABLE_TYPE));
    let told =
        |subject, what: &'static str| EglError { told: Told::Once(subject), ..EglError::new(Code::BadConfig, what) };
    if api != t::DONT_CARE && api & !t::OPENGL_BIT != 0 {
        let what = "the program asked for configurations for OpenGL ES, which is what EGL looks for unless told otherwise; this \
                    driver has desktop OpenGL alone (EGL_RENDERABLE_TYPE with EGL_OPENGL_BIT)";
        return Some(told(Unserved::Api, what));
    }
    let shown = configs.iter().fold(0, |all, config| all | config.surfaces());
    if surface != t::DONT_CARE && surface & !shown != 0 {
        let what = "the program asked for configurations for windows, which is what EGL looks for unless told otherwise; this \
                    display has only pbuffers (EGL_SURFACE_TYPE with EGL_PBUFFER_BIT), and contexts without a surface. Use the \
                    program's headless or off-screen mode if it has one";
        return Some(told(Unserved::Window, what));
    }
    None
}

fn matches(config: &Config, wanted: &[(Int, Int)]) -> bool {
    wanted.iter().filter(|(_, v)| *v != t::DONT_CARE).all(|(name, want)| {
        let have = config.attribute(*name).unwrap_or(0);
        match rule(*name) {
            Some(Rule::AtLeast) => have >= *want,
            Some(Rule::Exact) => have == *want,
            Some(Rule::Mask) => have & want == *want,
            Some(Rule::Ignored) | None => true,
        }
    })
}

/// Sort order of EGL 1.5 §3.4.1.2: more colour bits first, then the smallest of everything else.
fn sort_key(config: &Config, request: &[(Int, Int)]) -> [Int; 9] {
    let asked = |name| request.iter().any(|(n, v)| *n == name && *v > 0);
    let color: Int = [t::RED_SIZE, t::GREEN_SIZE, t::BLUE_SIZE, t::ALPHA_SIZE]
        .into_iter()
        .filter(|n| asked(*n))
        .filter_map(|n| config.attribute(n))
        .sum();
    let of = |name| config.attribute(name).unwrap_or(0);
    [
        -color,
        of(t::BUFFER_SIZE),
        of(t::SAMPLE_BUFFERS),
        of(t::SAMPLES),
        of(t::DEPTH_SIZE),
        of(t::STENCIL_SIZE),
        of(t::ALPHA_MASK_SIZE),
        of(t::NATIVE_VISUAL_TYPE),
        of(t::CONFIG_ID),
    ]
}

#[cfg(test)]
mod tests {
    use super::{all, choose, unserved_by_any};
    use crate::error::{Told, Unserved};
    use crate::tokens as t;
    use mgl_pipe::caps::{Caps, FormatCaps, format_bits};

    fn configs() -> Vec<super::Config> {
        all(&caps(), None)
    }

    fn caps() -> Caps {
        let mut caps = Caps::default();
        caps.limits.max_renderbuffer_size = 8192;
        caps.formats = vec![FormatCaps { bits: format_bits::RENDER, samples: 0b1111 }; 256];
        caps
    }

    const GL: [(i32, i32); 2] = [(t::SURFACE_TYPE, t::PBUFFER_BIT), (t::RENDERABLE_TYPE, t::OPENGL_BIT)];

    // Programs take the first configuration: it must have the colour they asked for and nothing they did not.
    #[test]
    fn the_first_configuration_is_the_plain_one() {
        let request =
            [&GL[..], &[(t::RED_SIZE, 8), (t::GREEN_SIZE, 8), (t::BLUE_SIZE, 8), (t::DEPTH_SIZE, 24)]].concat();
        let first = choose(&configs(), &request).expect("valid request").remove(0);
        let of = |name| first.attribute(name).expect("an attribute");
        assert_eq!([of(t::RED_SIZE), of(t::DEPTH_SIZE), of(t::STENCIL_SIZE), of(t::SAMPLES)], [8, 24, 0, 0]);
        let exact = choose(&configs(), &[(t::CONFIG_ID, 7)]).expect("valid request");
        assert_eq!((exact.len(), exact[0].id), (1, 7));
    }

    // A program that looks for windows or OpenGL ES finds no configuration and ends: the person must hear why.
    #[test]
    fn requests_that_nothing_here_serves_are_explained() {
        let subject = |request: &[(i32, i32)]| unserved_by_any(&configs(), request).map(|error| error.told);
        assert_eq!(subject(&GL), None);
        assert_eq!(subject(&[GL[0], (t::RENDERABLE_TYPE, t::DONT_CARE)]), None);
        assert_eq!(subject(&GL[1..]), Some(Told::Once(Unserved::Window)), "windows are what EGL looks for by default");
        assert_eq!(subject(&GL[..1]), Some(Told::Once(Unserved::Api)), "and OpenGL ES");
        assert!(choose(&configs(), &GL[1..]).expect("valid request").is_empty());
    }

    // A program that asks for multisampling would get a single-sampled surface.
    #[test]
    fn samples_are_a_minimum() {
        let request = [&GL[..], &[(t::SAMPLES, 2), (t::ALPHA_SIZE, 8)]].concat();
        let found = choose(&configs(), &request).expect("valid request");
        assert!(!found.is_empty() && found.iter().all(|c| c.pixel.samples == 4));
    }

    // An OpenGL ES or window program must go to another driver instead of failing later.
    #[test]
    fn defaults_ask_for_windows_and_es() {
        assert!(choose(&configs(), &[]).expect("valid request").is_empty());
        assert!(choose(&configs(), &[(0x1234, 0)]).is_err());
    }
}
