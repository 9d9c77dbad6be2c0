//! Layouts and uses per subresource. While all subresources agree one state stands for all; the first use that
//! touches only a part splits it, a use of the whole joins it again. Must not know formats.

use super::{Dependency, Track};
use ash::vk;

/// A box of subresources. Depth and stencil go together: Vulkan 1.1 has no separate layouts for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    /// First level.
    pub level: u32,
    /// Levels.
    pub levels: u32,
    /// First layer.
    pub layer: u32,
    /// Layers.
    pub layers: u32,
}

/// A barrier of part of an image.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// The part.
    pub range: Range,
    /// Layouts, before and after.
    pub layouts: (vk::ImageLayout, vk::ImageLayout),
    /// Scopes.
    pub dependency: Dependency,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    layout: vk::ImageLayout,
    track: Track,
}

/// State of one image.
#[derive(Debug)]
pub struct ImageTrack {
    levels: u32,
    layers: u32,
    /// One entry while uniform, else `levels * layers` in level-major order.
    states: Vec<State>,
}

impl ImageTrack {
    /// A new image: undefined everywhere.
    pub fn new(levels: u32, layers: u32) -> Self {
        let state = State { layout: vk::ImageLayout::UNDEFINED, track: Track::default() };
        Self { levels, layers, states: vec![state] }
    }

    /// The whole image.
    pub fn whole(&self) -> Range {
        Range { level: 0, levels: self.levels, layer: 0, layers: self.layers }
    }

    /// Layout of a subresource.
    pub fn layout(&self, level: u32, layer: u32) -> vk::ImageLayout {
        let index = if self.states.len() == 1 { 0 } else { (level * self.layers + layer) as usize };
        self.states.get(index).map_or(vk::ImageLayout::UNDEFINED, |s| s.layout)
    }

    /// Notes a use in `layout` and calls `emit` with every barrier it needs.
    pub fn touch(
        &mut self,
        range: Range,
        layout: vk::ImageLayout,
        use_of: (vk::PipelineStageFlags, vk::AccessFlags),
        mut emit: impl FnMut(Transition),
    ) {
        let whole = range == self.whole();
        if self.states.len() == 1 {
            if whole || self.levels * self.layers == 1 {
                if let Some(state) = self.states.first_mut() {
                    step(state, range, layout, use_of, &mut emit);
                }
                return;
            }
            // A use that changes nothing of the common state need not split it.
            if let Some(state) = self.states.first() {
                let mut probe = *state;
                let mut needs = false;
                step(&mut probe, range, layout, use_of, &mut |_| needs = true);
                if !needs && !super::writes(use_of.1) {
                    self.states[0] = probe;
                    return;
                }
                let common = *state;
                // Keeps its capacity over splits and joins: a texture that is rendered to and sampled in turn costs no
                // allocation.
                self.states.resize((self.levels * self.layers) as usize, common);
            }
        }
        self.touch_parts(range, layout, use_of, &mut emit);
        if whole {
            self.join();
        }
    }

    fn touch_parts(
        &mut self,
        range: Range,
        layout: vk::ImageLayout,
        use_of: (vk::PipelineStageFlags, vk::AccessFlags),
        emit: &mut impl FnMut(Transition),
    ) {
        for level in range.level..(range.level + range.levels).min(self.levels) {
            // Runs of layers with equal barriers become one.
            let mut run: Option<Transition> = None;
            for layer in range.layer..(range.layer + range.layers).min(self.layers) {
                let Some(state) = self.states.get_mut((level * self.layers + layer) as usize) else { continue };
                let one = Range { level, levels: 1, layer, layers: 1 };
                let mut barrier = None;
                step(state, one, layout, use_of, &mut |t| barrier = Some(t));
                match (&mut run, barrier) {
                    (Some(r), Some(b))
                        if r.layouts == b.layouts
                            && r.dependency == b.dependency
                            && r.range.layer + r.range.layers == layer =>
                    {
                        r.range.layers += 1;
                    }
                    (_, Some(b)) => {
                        run.replace(b).map(&mut *emit);
                    }
                    _ => {}
                }
            }
            run.map(&mut *emit);
        }
    }

    fn join(&mut self) {
        if let Some(first) = self.states.first().copied()
            && self.states.iter().all(|s| *s == first)
        {
            self.states.truncate(1);
        }
    }
}

fn step(
    state: &mut State,
    range: Range,
    layout: vk::ImageLayout,
    (stage, access): (vk::PipelineStageFlags, vk::AccessFlags),
    emit: &mut impl FnMut(Transition),
) {
    let before = state.layout;
    let dependency = if before == layout {
        state.track.touch(stage, access)
    } else {
        state.layout = layout;
        Some(state.track.transition(stage, access))
    };
    if let Some(dependency) = dependency {
        emit(Transition { range, layouts: (before, layout), dependency });
    }
}

#[cfg(test)]
mod tests {
    use super::{ImageTrack, Range};
    use ash::vk::{AccessFlags as A, ImageLayout as L, PipelineStageFlags as S};

    /// A level that keeps its old layout after the whole image was used would be read as garbage.
    #[test]
    fn parts_split_and_join() {
        let mut t = ImageTrack::new(3, 2);
        let mut seen = Vec::new();
        let part = Range { level: 1, levels: 1, layer: 0, layers: 2 };
        t.touch(part, L::TRANSFER_DST_OPTIMAL, (S::TRANSFER, A::TRANSFER_WRITE), |b| seen.push(b));
        assert_eq!(seen.len(), 1);
        assert_eq!(seen[0].range, part);
        assert_eq!(t.layout(0, 0), L::UNDEFINED);
        seen.clear();
        t.touch(t.whole(), L::SHADER_READ_ONLY_OPTIMAL, (S::FRAGMENT_SHADER, A::SHADER_READ), |b| seen.push(b));
        assert_eq!(seen.len(), 3);
        assert_eq!(seen[1].layouts.0, L::TRANSFER_DST_OPTIMAL);
        seen.clear();
        t.touch(t.whole(), L::SHADER_READ_ONLY_OPTIMAL, (S::FRAGMENT_SHADER, A::SHADER_READ), |b| seen.push(b));
        assert!(seen.is_empty());
    }
}
