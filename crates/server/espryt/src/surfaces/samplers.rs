//! Sampler states and sampler views as objects. Must not know textures.

use crate::core::Core;
use crate::raw::consts as c;
use crate::textures::Sampler;
use mgl_backend::traits::Outcome;
use mgl_backend::{Refusal, SamplerDesc, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::{SamplerCso, SamplerViewCso};
use mgl_pipe::tokens::{BorderForm, Reduction, Wrap};

impl Core {
    /// The driver's wrap mode; without the extensions the nearest one that every driver has.
    fn wrap(&self, wrap: Wrap) -> u32 {
        let f = &self.device.features;
        match wrap {
            Wrap::ClampToBorder if !f.texture_border_clamp => c::CLAMP_TO_EDGE,
            Wrap::MirrorClampToEdge if !f.mirror_clamp => c::MIRRORED_REPEAT,
            other => other.0.into(),
        }
    }

    /// New sampler state.
    pub fn sampler_create(&mut self, cso: Handle<SamplerCso>, desc: &SamplerDesc) -> Outcome {
        let gl = &self.device.gl;
        let name = gl.new_sampler();
        let int = |pname: u32, value: u32| gl.sampler_parameteri(name, pname, value as i32);
        int(c::TEXTURE_MIN_FILTER, desc.min_filter.0.into());
        int(c::TEXTURE_MAG_FILTER, desc.mag_filter.0.into());
        int(c::TEXTURE_WRAP_S, self.wrap(desc.wrap_s));
        int(c::TEXTURE_WRAP_T, self.wrap(desc.wrap_t));
        int(c::TEXTURE_WRAP_R, self.wrap(desc.wrap_r));
        gl.sampler_parameterf(name, c::TEXTURE_MIN_LOD, desc.min_lod);
        gl.sampler_parameterf(name, c::TEXTURE_MAX_LOD, desc.max_lod);
        if desc.compare.get() {
            int(c::TEXTURE_COMPARE_MODE, c::COMPARE_REF_TO_TEXTURE);
        }
        int(c::TEXTURE_COMPARE_FUNC, desc.compare_func.0.into());
        if self.device.features.anisotropy && desc.max_anisotropy > 1.0 {
            gl.sampler_parameterf(name, c::TEXTURE_MAX_ANISOTROPY, desc.max_anisotropy);
        }
        if self.device.features.srgb_decode && desc.skip_decode.get() {
            int(c::TEXTURE_SRGB_DECODE, c::SKIP_DECODE);
        }
        if self.device.features.filter_minmax && desc.reduction != Reduction::Average {
            int(c::TEXTURE_REDUCTION_MODE, if desc.reduction == Reduction::Min { c::MIN } else { c::MAX });
        }
        if self.device.features.texture_border_clamp {
            match desc.border_form {
                BorderForm::Int => gl.sampler_border_i(name, c::TEXTURE_BORDER_COLOR, &desc.border.map(|v| v as i32)),
                BorderForm::Uint => gl.sampler_border_u(name, c::TEXTURE_BORDER_COLOR, &desc.border),
                _ => gl.sampler_border_f(name, c::TEXTURE_BORDER_COLOR, &desc.border.map(f32::from_bits)),
            }
        }
        // The driver's limit is that of biases in shaders, which this becomes.
        let most = if desc.lod_bias == 0.0 { 0.0 } else { gl.floats(c::MAX_TEXTURE_LOD_BIAS)[0] };
        let bias = if desc.lod_bias.is_nan() { 0.0 } else { desc.lod_bias.clamp(-most, most) };
        let old = self.textures.samplers.insert(cso, Sampler { name, bias }, "espryt.sampler");
        let old = old.map_err(|f| Refusal::Driver(f.to_string()))?;
        self.textures.biased += usize::from(bias != 0.0);
        if let Some(old) = old {
            self.drop_sampler(*old);
        }
        Ok(())
    }

    /// A driver sampler, or 0.
    #[inline]
    pub fn sampler(&self, cso: Handle<SamplerCso>) -> u32 {
        self.textures.samplers.get(cso).map_or(0, |s| s.name)
    }

    /// What a sampler adds to the level of detail.
    pub fn sampler_bias(&self, cso: Handle<SamplerCso>) -> f32 {
        self.textures.samplers.get(cso).map_or(0.0, |s| s.bias)
    }

    fn drop_sampler(&mut self, sampler: Sampler) {
        self.textures.biased -= usize::from(sampler.bias != 0.0);
        self.bind.forget_sampler(sampler.name);
        self.device.gl.drop_sampler(sampler.name);
    }

    /// Death of a sampler state.
    pub fn sampler_destroy(&mut self, cso: Handle<SamplerCso>) {
        if let Some(sampler) = self.textures.samplers.remove(cso) {
            self.drop_sampler(*sampler);
        }
    }

    /// New view.
    pub fn view_create(&mut self, cso: Handle<SamplerViewCso>, desc: &ViewDesc) -> Outcome {
        let inserted = self.textures.views.insert(cso, *desc, "espryt.view");
        inserted.map(|_| ()).map_err(|f| Refusal::Driver(f.to_string()))
    }

    /// Death of a view.
    pub fn view_destroy(&mut self, cso: Handle<SamplerViewCso>) {
        self.textures.views.remove(cso);
    }
}
