//! The pipeline subset as it takes effect: state that GL ignores in the current framebuffer is left at its initial value,
//! so that toggling it sends nothing. Must not know what was sent.

use mgl_pipe::render_state::PipelineState;
use std::borrow::Cow;
use std::sync::LazyLock;

static INITIAL: LazyLock<PipelineState> = LazyLock::new(PipelineState::initial);

/// `state` as it acts on a framebuffer of `samples` samples per pixel. Without several samples, GL skips everything that
/// multisampling brings (GL 4.6 §14.3.1, §14.9.3, §17.3.1).
pub(crate) fn effective(state: &PipelineState, samples: u16) -> Cow<'_, PipelineState> {
    let initial: &PipelineState = &INITIAL;
    let words = |s: &PipelineState| {
        let values = [s.sample_coverage_value.to_bits(), s.sample_mask, s.min_sample_shading.to_bits()];
        let switches = [s.multisample, s.alpha_to_coverage, s.alpha_to_one, s.sample_coverage];
        (values, switches, [s.sample_coverage_invert, s.sample_mask_enabled, s.sample_shading])
    };
    if samples > 1 || words(state) == words(initial) {
        return Cow::Borrowed(state);
    }
    Cow::Owned(PipelineState {
        multisample: initial.multisample,
        alpha_to_coverage: initial.alpha_to_coverage,
        alpha_to_one: initial.alpha_to_one,
        sample_coverage: initial.sample_coverage,
        sample_coverage_invert: initial.sample_coverage_invert,
        sample_coverage_value: initial.sample_coverage_value,
        sample_mask_enabled: initial.sample_mask_enabled,
        sample_mask: initial.sample_mask,
        sample_shading: initial.sample_shading,
        min_sample_shading: initial.min_sample_shading,
        ..*state
    })
}
