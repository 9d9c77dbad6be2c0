//! How `glXChooseFBConfig` and `glXChooseVisual` pick and sort (GLX 1.4 §3.3.3 tables 3.1 and 3.4, §3.5). Must not know
//! displays.

use crate::config::Config;
use crate::tokens as t;
use crate::tokens::Int;

/// A request: names and values.
pub type Pair = (Int, Int);

/// How an attribute of a request is compared.
enum Rule {
    AtLeast,
    Exact,
    Mask,
    Ignored,
}

fn rule(name: Int) -> Option<Rule> {
    Some(match name {
        t::BUFFER_SIZE | t::AUX_BUFFERS | t::RED_SIZE | t::GREEN_SIZE | t::BLUE_SIZE | t::ALPHA_SIZE => Rule::AtLeast,
        t::DEPTH_SIZE | t::STENCIL_SIZE | t::SAMPLE_BUFFERS | t::SAMPLES => Rule::AtLeast,
        t::ACCUM_RED_SIZE | t::ACCUM_GREEN_SIZE | t::ACCUM_BLUE_SIZE | t::ACCUM_ALPHA_SIZE => Rule::AtLeast,
        t::DRAWABLE_TYPE | t::RENDER_TYPE | t::BIND_TO_TEXTURE_TARGETS_EXT => Rule::Mask,
        t::MAX_PBUFFER_WIDTH | t::MAX_PBUFFER_HEIGHT | t::MAX_PBUFFER_PIXELS | t::VISUAL_ID => Rule::Ignored,
        t::OPTIMAL_PBUFFER_WIDTH_SGIX | t::OPTIMAL_PBUFFER_HEIGHT_SGIX | t::VISUAL_SELECT_GROUP_SGIX => Rule::Ignored,
        t::LEVEL | t::DOUBLEBUFFER | t::STEREO | t::RGBA | t::USE_GL | t::CONFIG_CAVEAT | t::X_VISUAL_TYPE => {
            Rule::Exact
        }
        t::TRANSPARENT_TYPE | t::TRANSPARENT_INDEX_VALUE | t::TRANSPARENT_RED_VALUE => Rule::Exact,
        t::TRANSPARENT_GREEN_VALUE | t::TRANSPARENT_BLUE_VALUE | t::TRANSPARENT_ALPHA_VALUE => Rule::Exact,
        t::X_RENDERABLE | t::FBCONFIG_ID | t::SCREEN | t::SWAP_METHOD_OML | t::FRAMEBUFFER_SRGB_CAPABLE => Rule::Exact,
        t::BIND_TO_TEXTURE_RGB_EXT | t::BIND_TO_TEXTURE_RGBA_EXT | t::BIND_TO_MIPMAP_TEXTURE_EXT => Rule::Exact,
        t::Y_INVERTED_EXT => Rule::Exact,
        _ => return None,
    })
}

/// What applies when a request does not name the attribute; attributes that are absent here do not matter.
const DEFAULTS: [Pair; 5] = [
    (t::LEVEL, 0),
    (t::STEREO, t::FALSE),
    (t::RENDER_TYPE, t::RGBA_BIT),
    (t::DRAWABLE_TYPE, t::WINDOW_BIT),
    (t::TRANSPARENT_TYPE, t::NONE),
];

/// `glXChooseFBConfig`: indices of the matching configurations, best first; nothing when a name is not known.
pub fn choose(configs: &[Config], request: &[Pair]) -> Vec<usize> {
    if request.iter().any(|(name, _)| rule(*name).is_none()) {
        return Vec::new();
    }
    // With GLX_FBCONFIG_ID all other attributes are ignored.
    if let Some((_, id)) = request.iter().rfind(|(name, id)| *name == t::FBCONFIG_ID && *id != t::DONT_CARE) {
        return configs.iter().position(|config| config.id == *id).into_iter().collect();
    }
    let defaults = DEFAULTS.iter().filter(|(name, _)| !request.iter().any(|(asked, _)| asked == name));
    let wanted: Vec<Pair> = request.iter().chain(defaults).copied().collect();
    sorted(configs, &wanted, request)
}

/// Reads the list of `glXChooseVisual`, where booleans stand without a value; what is left out is false or 0. `None` when a
/// name is not known.
pub fn visual_request(list: impl Fn(usize) -> Int) -> Option<Vec<Pair>> {
    let mut wanted = vec![
        (t::RGBA, t::FALSE),
        (t::DOUBLEBUFFER, t::FALSE),
        (t::STEREO, t::FALSE),
        (t::LEVEL, 0),
        (t::DRAWABLE_TYPE, t::WINDOW_BIT),
    ];
    let mut at = 0;
    // No list is longer; one without an end must not be followed for ever.
    while at < 512 {
        let name = list(at);
        at += 1;
        match name {
            0 => return Some(wanted),
            t::USE_GL => {}
            t::RGBA | t::DOUBLEBUFFER | t::STEREO => set(&mut wanted, (name, t::TRUE)),
            _ => {
                rule(name)?;
                set(&mut wanted, (name, list(at)));
                at += 1;
            }
        }
    }
    None
}

fn set(wanted: &mut Vec<Pair>, pair: Pair) {
    match wanted.iter_mut().find(|(name, _)| *name == pair.0) {
        Some(old) => *old = pair,
        None => wanted.push(pair),
    }
}

/// `glXChooseVisual`: the best configuration that `request` allows, among those that their visual stands for.
pub fn choose_visual(configs: &[Config], request: &[Pair]) -> Option<usize> {
    sorted(configs, request, request).into_iter().find(|index| {
        let visual = configs.get(*index).and_then(|config| config.visual).map(|visual| visual.id);
        visual.is_some_and(|id| of_visual(configs, id) == Some(*index))
    })
}

/// The configuration that a visual stands for where it is looked at by itself.
pub fn of_visual(configs: &[Config], id: u32) -> Option<usize> {
    configs.iter().position(|config| config.visual.is_some_and(|visual| visual.id == id))
}

fn sorted(configs: &[Config], wanted: &[Pair], asked: &[Pair]) -> Vec<usize> {
    let mut found: Vec<(usize, &Config)> =
        configs.iter().enumerate().filter(|(_, config)| matches(config, wanted)).collect();
    found.sort_by_key(|(_, config)| sort_key(config, asked));
    found.into_iter().map(|(index, _)| index).collect()
}

fn matches(config: &Config, wanted: &[Pair]) -> bool {
    wanted.iter().filter(|(_, value)| *value != t::DONT_CARE).all(|(name, want)| {
        let have = config.attribute(*name).unwrap_or(0);
        match rule(*name) {
            Some(Rule::AtLeast) => have >= *want,
            // Who leaves open what a swap does to the back buffer is content with every method.
            Some(Rule::Exact) => have == *want || (*name, *want) == (t::SWAP_METHOD_OML, t::SWAP_UNDEFINED_OML),
            Some(Rule::Mask) => have & want == *want,
            Some(Rule::Ignored) | None => true,
        }
    })
}

/// Sort order of GLX 1.4 table 3.4, by priority. Sizes that were asked for are preferred large (colours and depth); those that
/// were not, small.
fn sort_key(config: &Config, asked: &[Pair]) -> [Int; 10] {
    let wants = |name| asked.iter().any(|(asked, value)| *asked == name && *value > 0);
    let of = |name| config.attribute(name).unwrap_or(0);
    let colors = [t::RED_SIZE, t::GREEN_SIZE, t::BLUE_SIZE, t::ALPHA_SIZE];
    let color: Int = colors.into_iter().filter(|name| wants(*name)).map(of).sum();
    let depth = if wants(t::DEPTH_SIZE) { -of(t::DEPTH_SIZE) } else { of(t::DEPTH_SIZE) };
    [
        -color,
        of(t::BUFFER_SIZE),
        of(t::DOUBLEBUFFER),
        of(t::SAMPLE_BUFFERS),
        of(t::SAMPLES),
        depth,
        of(t::STENCIL_SIZE),
        visual_rank(of(t::X_VISUAL_TYPE)),
        Int::from(config.is_srgb()),
        config.id,
    ]
}

/// Visuals with palettes come behind those without, and configurations without visuals last.
fn visual_rank(kind: Int) -> Int {
    if kind == t::NONE { Int::MAX } else { kind }
}

#[cfg(test)]
mod tests {
    use super::{choose, choose_visual, of_visual, visual_request};
    use crate::config::tests::configs;
    use crate::tokens as t;

    fn first(request: &[(i32, i32)]) -> crate::config::Config {
        let configs = configs();
        configs[choose(&configs, request)[0]].clone()
    }

    // Programs take the first configuration: it must be the one that the specification's order puts first.
    #[test]
    fn the_order_is_the_specifications() {
        let sizes = [(t::RED_SIZE, 1), (t::GREEN_SIZE, 1), (t::BLUE_SIZE, 1)];
        let plain = first(&sizes);
        assert!(!plain.double, "single buffers come before double ones");
        assert_eq!(
            (plain.pixel.bits.depth, plain.pixel.bits.alpha, plain.pixel.samples),
            (0, 0, 0),
            "the smallest of the rest"
        );
        let deep = first(&[&sizes[..], &[(t::DEPTH_SIZE, 1), (t::DOUBLEBUFFER, 1)]].concat());
        assert_eq!((deep.pixel.bits.depth, deep.double), (32, true), "a depth that was asked for is the largest");
        let stencil = first(&[&sizes[..], &[(t::DEPTH_SIZE, 16), (t::STENCIL_SIZE, 1)]].concat());
        assert_eq!((stencil.pixel.bits.depth, stencil.pixel.bits.stencil), (24, 8));
        let antialiased = first(&[&sizes[..], &[(t::SAMPLE_BUFFERS, 1), (t::SAMPLES, 2)]].concat());
        assert_eq!(antialiased.pixel.samples, 4);
    }

    // What games ask for must be a window whose pixels do not let through what lies behind it.
    #[test]
    fn a_window_with_alpha_bits_is_opaque_unless_asked() {
        let asked = [(t::RED_SIZE, 8), (t::GREEN_SIZE, 8), (t::BLUE_SIZE, 8), (t::ALPHA_SIZE, 8), (t::DOUBLEBUFFER, 1)];
        let found = first(&[&asked[..], &[(t::DEPTH_SIZE, 24), (t::STENCIL_SIZE, 8)]].concat());
        assert_eq!(found.visual.map(|v| (v.id, v.depth)), Some((0x21, 24)));
        assert!(!found.is_srgb());
        let srgb = first(&[&asked[..], &[(t::FRAMEBUFFER_SRGB_CAPABLE, 1)]].concat());
        assert!(srgb.is_srgb());
    }

    // A request that names what GLX does not know must find nothing, as one that asks for what is not there.
    #[test]
    fn unknown_names_and_absent_features_find_nothing() {
        let configs = configs();
        assert!(choose(&configs, &[(0x1234, 1)]).is_empty());
        for impossible in
            [(t::STEREO, 1), (t::LEVEL, 1), (t::ACCUM_RED_SIZE, 1), (t::RENDER_TYPE, 2), (t::AUX_BUFFERS, 1)]
        {
            assert!(choose(&configs, &[impossible]).is_empty(), "{impossible:?}");
        }
        let all: Vec<_> = choose(&configs, &[(t::DRAWABLE_TYPE, t::DONT_CARE), (t::RENDER_TYPE, t::DONT_CARE)]);
        assert_eq!(all.len(), configs.len());
    }

    // A program that stored the identifier of its configuration must get that one, whatever else it says.
    #[test]
    fn an_identifier_overrides_everything() {
        let configs = configs();
        assert_eq!(choose(&configs, &[(t::FBCONFIG_ID, 7), (t::STEREO, 1)]), [6]);
        assert!(choose(&configs, &[(t::FBCONFIG_ID, 100_000)]).is_empty());
    }

    // An old program gets a visual with the buffers that it named, and none when it asks for palettes.
    #[test]
    fn visuals_are_chosen_by_the_old_rules() {
        let configs = configs();
        let chosen = |list: &[i32]| {
            let request = visual_request(|at| list.get(at).copied().unwrap_or(0));
            request.and_then(|request| choose_visual(&configs, &request))
        };
        let double = chosen(&[t::RGBA, t::DOUBLEBUFFER, t::RED_SIZE, 1, t::DEPTH_SIZE, 12]).expect("a visual");
        let (found, bits) = (&configs[double], configs[double].pixel.bits);
        assert_eq!((found.double, bits.depth, bits.stencil), (true, 24, 0), "no stencil that was not asked for");
        assert_eq!(found.visual.and_then(|visual| of_visual(&configs, visual.id)), Some(double));
        let both = chosen(&[t::RGBA, t::DOUBLEBUFFER, t::DEPTH_SIZE, 24, t::STENCIL_SIZE, 8]).expect("a visual");
        assert_eq!(configs[both].visual.map(|v| v.id), Some(0x21));
        let single = chosen(&[t::USE_GL, t::RGBA, t::DEPTH_SIZE, 1]).expect("a visual");
        assert!(!configs[single].double);
        assert_eq!(chosen(&[t::DOUBLEBUFFER]), None, "palettes");
        assert_eq!(chosen(&[t::RGBA, 0x1234]), None);
    }
}
