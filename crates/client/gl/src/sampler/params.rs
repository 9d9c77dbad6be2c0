//! Parameters of textures and samplers (GL 4.6 §8.10, §8.2): storage, setters, queries, the sampler key. Must not know
//! images or handles.

use crate::abi::{Params, Values};
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use mgl_pipe::Bool8;
use mgl_pipe::caps::Features;
use mgl_pipe::records::CreateSamplerState;
use mgl_pipe::tokens::{BorderForm, CompareFunc, Filter, Reduction, Wrap};

/// Sampler parameters, as a texture or a sampler object holds them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerParams {
    pub min_filter: u32,
    pub mag_filter: u32,
    /// S, T, R.
    pub wrap: [u32; 3],
    pub min_lod: f32,
    pub max_lod: f32,
    pub lod_bias: f32,
    pub max_anisotropy: f32,
    pub compare_mode: u32,
    pub compare_func: u32,
    /// Raw bits in `border_form`.
    pub border: [u32; 4],
    pub border_form: BorderForm,
    /// `GL_DECODE_EXT` or `GL_SKIP_DECODE_EXT` (EXT_texture_sRGB_decode).
    pub srgb_decode: u32,
    /// No seams of cube maps, also where the context has them (ARB_seamless_cubemap_per_texture).
    pub seamless: bool,
    /// `GL_WEIGHTED_AVERAGE_ARB`, `GL_MIN` or `GL_MAX` (ARB_texture_filter_minmax).
    pub reduction: u32,
}

impl SamplerParams {
    /// Initial values; rectangle textures differ (GL 4.6 table 23.18).
    pub fn new(rect: bool) -> Self {
        let wrap = if rect { gl::CLAMP_TO_EDGE } else { gl::REPEAT };
        Self {
            min_filter: if rect { gl::LINEAR } else { gl::NEAREST_MIPMAP_LINEAR },
            mag_filter: gl::LINEAR,
            wrap: [wrap; 3],
            min_lod: -1000.0,
            max_lod: 1000.0,
            lod_bias: 0.0,
            max_anisotropy: 1.0,
            compare_mode: gl::NONE,
            compare_func: gl::LEQUAL,
            border: [0; 4],
            border_form: BorderForm::Float,
            srgb_decode: gl::DECODE_EXT,
            seamless: false,
            reduction: gl::WEIGHTED_AVERAGE_ARB,
        }
    }
    /// The minification filter reads more than the base level.
    pub fn mipmapped(&self) -> bool {
        !matches!(self.min_filter, gl::NEAREST | gl::LINEAR)
    }
    /// Any filter is linear between texels or levels, which integer formats forbid (GL 4.6 §8.17).
    pub fn linear(&self) -> bool {
        self.mag_filter == gl::LINEAR || !matches!(self.min_filter, gl::NEAREST | gl::NEAREST_MIPMAP_NEAREST)
    }
    /// The record that creates this state, without its handle: also the key of the cache. What the state leaves
    /// unused is normalised, so that equal behaviour is one object.
    pub fn key(&self, seamless: bool) -> CreateSamplerState {
        let compare = self.compare_mode == gl::COMPARE_REF_TO_TEXTURE;
        let bordered = self.wrap.contains(&gl::CLAMP_TO_BORDER);
        CreateSamplerState {
            min_filter: Filter(self.min_filter as u16),
            mag_filter: Filter(self.mag_filter as u16),
            wrap_s: Wrap(self.wrap[0] as u16),
            wrap_t: Wrap(self.wrap[1] as u16),
            wrap_r: Wrap(self.wrap[2] as u16),
            compare_func: if compare { CompareFunc(self.compare_func as u16) } else { CompareFunc::Lequal },
            compare: Bool8::new(compare),
            border_form: if bordered { self.border_form } else { BorderForm::Float },
            seamless: Bool8::new(seamless || self.seamless),
            min_lod: self.min_lod,
            max_lod: self.max_lod,
            lod_bias: self.lod_bias,
            max_anisotropy: self.max_anisotropy,
            border: if bordered { self.border } else { [0; 4] },
            reduction: self.reduced(),
            skip_decode: Bool8::new(self.srgb_decode == gl::SKIP_DECODE_EXT),
            ..Default::default()
        }
    }

    /// A comparison is not reduced: the parameter has no effect with it (ARB_texture_filter_minmax).
    fn reduced(&self) -> Reduction {
        match self.reduction {
            _ if self.compare_mode == gl::COMPARE_REF_TO_TEXTURE => Reduction::Average,
            gl::MIN => Reduction::Min,
            gl::MAX => Reduction::Max,
            _ => Reduction::Average,
        }
    }

    /// Sets one parameter. `None`: not a sampler parameter.
    pub fn set(&mut self, pname: u32, p: Params<'_>, rect: bool) -> Option<GlResult> {
        let token = p.int(0) as u32;
        let unknown = || Some(Err(GlError::invalid_enum(format!("0x{token:04X} is not a value of 0x{pname:04X}"))));
        match pname {
            gl::TEXTURE_MIN_FILTER => match token {
                gl::NEAREST | gl::LINEAR => self.min_filter = token,
                gl::NEAREST_MIPMAP_NEAREST..=gl::LINEAR_MIPMAP_LINEAR if !rect => self.min_filter = token,
                _ => return unknown(),
            },
            gl::TEXTURE_MAG_FILTER => match token {
                gl::NEAREST | gl::LINEAR => self.mag_filter = token,
                _ => return unknown(),
            },
            gl::TEXTURE_WRAP_S | gl::TEXTURE_WRAP_T | gl::TEXTURE_WRAP_R => {
                let legal = match token {
                    gl::CLAMP_TO_EDGE | gl::CLAMP_TO_BORDER => true,
                    gl::REPEAT | gl::MIRRORED_REPEAT | MIRROR_CLAMP_TO_EDGE => !rect,
                    _ => false,
                };
                if !legal {
                    return unknown();
                }
                let axis = match pname {
                    gl::TEXTURE_WRAP_S => 0,
                    gl::TEXTURE_WRAP_T => 1,
                    _ => 2,
                };
                self.wrap[axis] = token;
            }
            gl::TEXTURE_MIN_LOD => self.min_lod = p.float(0),
            gl::TEXTURE_MAX_LOD => self.max_lod = p.float(0),
            gl::TEXTURE_LOD_BIAS => self.lod_bias = p.float(0),
            gl::TEXTURE_MAX_ANISOTROPY => {
                let v = p.float(0);
                if v.is_nan() || v < 1.0 {
                    return Some(Err(GlError::invalid_value("GL_TEXTURE_MAX_ANISOTROPY must be at least 1")));
                }
                self.max_anisotropy = v;
            }
            gl::TEXTURE_COMPARE_MODE => match token {
                gl::NONE | gl::COMPARE_REF_TO_TEXTURE => self.compare_mode = token,
                _ => return unknown(),
            },
            gl::TEXTURE_COMPARE_FUNC => match token {
                gl::NEVER..=gl::ALWAYS => self.compare_func = token,
                _ => return unknown(),
            },
            gl::TEXTURE_BORDER_COLOR => {
                if p.len() < 4 {
                    return Some(Err(GlError::invalid_enum("GL_TEXTURE_BORDER_COLOR needs a vector form")));
                }
                self.set_border(p);
            }
            _ => return self.set_added(pname, p),
        }
        Some(Ok(()))
    }

    /// Sets a parameter that an extension brought. `None`: not a sampler parameter.
    fn set_added(&mut self, pname: u32, p: Params<'_>) -> Option<GlResult> {
        let token = p.int(0) as u32;
        let unknown = || Some(Err(GlError::invalid_enum(format!("0x{token:04X} is not a value of 0x{pname:04X}"))));
        match pname {
            gl::TEXTURE_SRGB_DECODE_EXT => match token {
                gl::DECODE_EXT | gl::SKIP_DECODE_EXT => self.srgb_decode = token,
                _ => return unknown(),
            },
            gl::TEXTURE_CUBE_MAP_SEAMLESS => match p.int(0) {
                0 | 1 => self.seamless = token == 1,
                _ => return Some(Err(GlError::invalid_value("GL_TEXTURE_CUBE_MAP_SEAMLESS is true or false"))),
            },
            gl::TEXTURE_REDUCTION_MODE_ARB => match token {
                gl::WEIGHTED_AVERAGE_ARB | gl::MIN | gl::MAX => self.reduction = token,
                _ => return unknown(),
            },
            _ => return None,
        }
        Some(Ok(()))
    }

    fn set_border(&mut self, p: Params<'_>) {
        let all = [0, 1, 2, 3];
        (self.border, self.border_form) = match p {
            Params::F32(_) => (all.map(|i| p.float(i).to_bits()), BorderForm::Float),
            // `…iv` border colours are signed normalised integers (GL 4.6 §2.2.1).
            Params::I32(v) => {
                let real = |i: usize| (v.get(i).map_or(0.0, |n| f64::from(*n) / f64::from(i32::MAX)).max(-1.0)) as f32;
                (all.map(|i| real(i).to_bits()), BorderForm::Float)
            }
            Params::PureI32(_) => (all.map(|i| p.int(i) as u32), BorderForm::Int),
            Params::PureU32(_) => (all.map(|i| p.int(i) as u32), BorderForm::Uint),
        };
    }

    /// Whether a device of these features has the parameter, when it came with an extension.
    pub fn offered(pname: u32, features: &Features) -> bool {
        match pname {
            gl::TEXTURE_SRGB_DECODE_EXT => features.srgb_decode,
            gl::TEXTURE_REDUCTION_MODE_ARB => features.filter_minmax,
            gl::TEXTURE_CUBE_MAP_SEAMLESS => features.non_seamless_cube_map,
            _ => true,
        }
    }

    /// Value of one parameter; `pure` is the `…Iiv` and `…Iuiv` form of the border colour.
    pub fn get(&self, pname: u32, pure: bool) -> Option<Values> {
        Some(match pname {
            gl::TEXTURE_MIN_FILTER => Values::int(self.min_filter),
            gl::TEXTURE_MAG_FILTER => Values::int(self.mag_filter),
            gl::TEXTURE_WRAP_S => Values::int(self.wrap[0]),
            gl::TEXTURE_WRAP_T => Values::int(self.wrap[1]),
            gl::TEXTURE_WRAP_R => Values::int(self.wrap[2]),
            gl::TEXTURE_MIN_LOD => Values::float(self.min_lod),
            gl::TEXTURE_MAX_LOD => Values::float(self.max_lod),
            gl::TEXTURE_LOD_BIAS => Values::float(self.lod_bias),
            gl::TEXTURE_MAX_ANISOTROPY => Values::float(self.max_anisotropy),
            gl::TEXTURE_COMPARE_MODE => Values::int(self.compare_mode),
            gl::TEXTURE_COMPARE_FUNC => Values::int(self.compare_func),
            gl::TEXTURE_SRGB_DECODE_EXT => Values::int(self.srgb_decode),
            gl::TEXTURE_CUBE_MAP_SEAMLESS => Values::bool(self.seamless),
            gl::TEXTURE_REDUCTION_MODE_ARB => Values::int(self.reduction),
            gl::TEXTURE_BORDER_COLOR => self.border_value(pure),
            _ => return None,
        })
    }

    fn border_value(&self, pure: bool) -> Values {
        let float = self.border_form == BorderForm::Float;
        if pure || !float {
            let unsigned = self.border_form == BorderForm::Uint;
            let v = self.border.map(|b| if unsigned { i64::from(b) } else { i64::from(b as i32) });
            return Values::ints(&v);
        }
        Values::normalized(&self.border.map(|b| f64::from(f32::from_bits(b))))
    }
}

const MIRROR_CLAMP_TO_EDGE: u32 = 0x8743;

/// Parameters of a texture object beside its sampler parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureParams {
    /// Sampler parameters, used when no sampler object is bound.
    pub sampler: SamplerParams,
    pub base_level: u32,
    pub max_level: u32,
    /// GL tokens.
    pub swizzle: [u32; 4],
    /// `GL_DEPTH_COMPONENT` or `GL_STENCIL_INDEX`.
    pub depth_stencil_mode: u32,
}

impl TextureParams {
    /// Initial values. Multisample textures are fetched, never filtered, and say so when asked.
    pub fn new(rect: bool, multisampled: bool) -> Self {
        let mut sampler = SamplerParams::new(rect || multisampled);
        if multisampled {
            (sampler.min_filter, sampler.mag_filter) = (gl::NEAREST, gl::NEAREST);
        }
        Self {
            sampler,
            base_level: 0,
            max_level: 1000,
            swizzle: [gl::RED, gl::GREEN, gl::BLUE, gl::ALPHA],
            depth_stencil_mode: gl::DEPTH_COMPONENT,
        }
    }

    /// Sets a parameter that sampler objects do not have. `None`: unknown. Multisample and rectangle restrictions on
    /// levels are `single_level` (GL 4.6 §8.10).
    pub fn set(&mut self, pname: u32, p: Params<'_>, single_level: bool) -> Option<GlResult> {
        let value = p.int(0);
        match pname {
            gl::TEXTURE_BASE_LEVEL | gl::TEXTURE_MAX_LEVEL if value < 0 => {
                return Some(Err(GlError::invalid_value("texture levels cannot be negative")));
            }
            gl::TEXTURE_BASE_LEVEL if single_level && value != 0 => {
                return Some(Err(GlError::invalid_operation("this target has only level 0")));
            }
            gl::TEXTURE_BASE_LEVEL => self.base_level = value as u32,
            gl::TEXTURE_MAX_LEVEL => self.max_level = value as u32,
            gl::TEXTURE_SWIZZLE_R..=gl::TEXTURE_SWIZZLE_A => {
                return Some(self.set_swizzle((pname - gl::TEXTURE_SWIZZLE_R) as usize, value as u32));
            }
            gl::TEXTURE_SWIZZLE_RGBA => {
                if p.len() < 4 {
                    return Some(Err(GlError::invalid_enum("GL_TEXTURE_SWIZZLE_RGBA needs a vector form")));
                }
                let before = self.swizzle;
                for i in 0..4 {
                    if let Err(error) = self.set_swizzle(i, p.int(i) as u32) {
                        self.swizzle = before;
                        return Some(Err(error));
                    }
                }
            }
            gl::DEPTH_STENCIL_TEXTURE_MODE => match value as u32 {
                gl::DEPTH_COMPONENT | gl::STENCIL_INDEX => self.depth_stencil_mode = value as u32,
                _ => return Some(Err(GlError::invalid_enum("GL_DEPTH_STENCIL_TEXTURE_MODE is depth or stencil"))),
            },
            _ => return None,
        }
        Some(Ok(()))
    }

    fn set_swizzle(&mut self, index: usize, token: u32) -> GlResult {
        match token {
            gl::RED | gl::GREEN | gl::BLUE | gl::ALPHA | gl::ZERO | gl::ONE => {
                self.swizzle[index] = token;
                Ok(())
            }
            _ => Err(GlError::invalid_enum(format!("0x{token:04X} is not a texture swizzle"))),
        }
    }

    /// Value of a parameter that sampler objects do not have.
    pub fn get(&self, pname: u32) -> Option<Values> {
        Some(match pname {
            gl::TEXTURE_BASE_LEVEL => Values::int(self.base_level),
            gl::TEXTURE_MAX_LEVEL => Values::int(self.max_level),
            gl::TEXTURE_SWIZZLE_R..=gl::TEXTURE_SWIZZLE_A => {
                Values::int(self.swizzle[(pname - gl::TEXTURE_SWIZZLE_R) as usize])
            }
            gl::TEXTURE_SWIZZLE_RGBA => Values::ints(&self.swizzle.map(i64::from)),
            gl::DEPTH_STENCIL_TEXTURE_MODE => Values::int(self.depth_stencil_mode),
            _ => return None,
        })
    }
}
