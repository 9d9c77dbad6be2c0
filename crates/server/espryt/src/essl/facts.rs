//! What the translation depends on besides the program: facts of the driver, and the state that a shader must be made for.
//! Must not know contexts or drivers.

use super::EsslError;
use mgl_backend::values::Format;
use mgl_pipe::archive::Stage;

/// What a driver's shading language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EsFacts {
    /// 300, 310 or 320.
    pub version: u32,
    /// `GL_EXT_clip_cull_distance`.
    pub clip_cull_distance: bool,
    /// `GL_NV_shader_noperspective_interpolation`.
    pub noperspective: bool,
    /// `GL_OES_viewport_array` or `GL_NV_viewport_array`.
    pub viewport_array: bool,
    /// `GL_EXT_texture_query_lod`.
    pub query_lod: bool,
    /// `GL_EXT_blend_func_extended`.
    pub dual_source: bool,
    /// Buffer textures: 3.2 or `GL_EXT_texture_buffer` / `GL_OES_texture_buffer`.
    pub texture_buffer: bool,
    /// `GL_NV_image_formats`.
    pub image_formats: bool,
    /// `length()` of runtime arrays is what is bound.
    pub array_length: bool,
    /// Geometry shaders: 3.2 or an extension.
    pub geometry: bool,
    /// Tessellation: 3.2 or an extension.
    pub tessellation: bool,
    /// Point size of the geometry stage.
    pub geometry_point_size: bool,
    /// Point size of the tessellation stages.
    pub tessellation_point_size: bool,
    /// Arrays of resources with dynamically uniform indices: 3.2 or `GL_EXT_gpu_shader5`.
    pub dynamic_index: bool,
    /// `GL_EXT_texture_shadow_lod`.
    pub shadow_lod: bool,
    /// Storage buffer binding point of the fragment counter; none where the fragment stage has no storage blocks.
    pub counter: Option<u32>,
}

impl EsFacts {
    /// A version with every extension that Mesa's software driver has, for tests.
    pub fn full(version: u32) -> Self {
        Self {
            version,
            clip_cull_distance: true,
            noperspective: true,
            viewport_array: version >= 320,
            query_lod: true,
            dual_source: true,
            texture_buffer: version >= 310,
            image_formats: version >= 310,
            array_length: true,
            geometry: version >= 320,
            tessellation: version >= 320,
            geometry_point_size: true,
            tessellation_point_size: true,
            dynamic_index: version >= 320,
            shadow_lod: true,
            counter: (version >= 310).then_some(79),
        }
    }

    /// Whether the driver has a stage at all.
    pub(super) fn check_stage(&self, stage: Stage) -> Result<(), EsslError> {
        match stage {
            Stage::Geometry if !self.geometry => Err(EsslError::Unsupported("GeometryStage")),
            Stage::TessControl | Stage::TessEval if !self.tessellation => {
                Err(EsslError::Unsupported("TessellationStages"))
            }
            Stage::Compute if self.version < 310 => Err(EsslError::Unsupported("ComputeStage")),
            _ => Ok(()),
        }
    }
}

/// How one vertex attribute arrives, when it is not as the program declares it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fetch {
    /// As declared.
    #[default]
    Native = 0,
    /// Blue and red are exchanged (`size = GL_BGRA`).
    Bgra = 1,
    /// One word of packed 11, 11 and 10 bit floats.
    Packed11 = 2,
}

/// Conversions of all attributes, two bits per location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FetchSet(u64);

impl FetchSet {
    /// Sets the conversion of `location` (below 32).
    pub fn set(&mut self, location: u32, fetch: Fetch) {
        let shift = (location & 31) * 2;
        self.0 = self.0 & !(3 << shift) | (fetch as u64) << shift;
    }
    /// The conversion of `location`.
    pub fn get(&self, location: u32) -> Fetch {
        match (self.0 >> ((location & 31) * 2)) & 3 {
            1 => Fetch::Bgra,
            2 => Fetch::Packed11,
            _ => Fetch::Native,
        }
    }
}

/// How a geometry stage of ours draws polygons; 0 = there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Wire(u8);

impl Wire {
    /// Edges.
    pub const LINES: Self = Self(1);
    /// Corners.
    pub const POINTS: Self = Self(2);
    /// Front faces are dropped.
    pub const CULL_FRONT: Self = Self(4);
    /// Back faces are dropped.
    pub const CULL_BACK: Self = Self(8);
    /// Front faces are clockwise.
    pub const CLOCKWISE: Self = Self(16);
    /// The first vertex provokes.
    pub const FIRST: Self = Self(32);
    /// The draw has adjacent vertices.
    pub const ADJACENCY: Self = Self(64);

    /// Both.
    #[must_use]
    pub fn with(self, other: Self, on: bool) -> Self {
        if on { Self(self.0 | other.0) } else { self }
    }
    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
    /// There is a stage.
    pub fn is_some(self) -> bool {
        self.has(Self::LINES) || self.points()
    }
    /// It draws points.
    pub fn points(self) -> bool {
        self.has(Self::POINTS)
    }
    /// It gets adjacent vertices.
    pub fn adjacency(self) -> bool {
        self.has(Self::ADJACENCY)
    }
    /// The first vertex provokes.
    pub fn first(self) -> bool {
        self.has(Self::FIRST)
    }
    /// Front faces are clockwise.
    pub fn clockwise(self) -> bool {
        self.has(Self::CLOCKWISE)
    }
    /// Some face is dropped.
    pub fn culls(self) -> bool {
        self.has(Self::CULL_FRONT) || self.has(Self::CULL_BACK)
    }
    /// The condition under which a triangle is dropped, over the name of "is a front face".
    pub fn dropped(self, front: &str) -> String {
        match (self.has(Self::CULL_FRONT), self.has(Self::CULL_BACK)) {
            (true, true) => "true".into(),
            (true, false) => front.into(),
            _ => format!("!{front}"),
        }
    }
}

/// How a shader counts what passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// It does not.
    #[default]
    Nothing,
    /// One per fragment.
    Fragments,
    /// One per sample that the fragment covers.
    Samples,
}

/// Image formats by descriptor slot, for images that the program declares without one.
pub const VARIANT_IMAGES: usize = 8;

/// State that is part of a shader's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The last stage before the rasteriser writes the point size from a uniform.
    pub point_size: bool,
    /// `gl_PointCoord.y` counts from the bottom.
    pub point_coord_flip: bool,
    /// Clip depth is zero to one: z becomes 2z - w.
    pub zero_to_one: bool,
    /// Clip origin is the upper left: y changes its sign.
    pub flip_y: bool,
    /// Clip distances that are written and off, one bit each: they become 0, which does not clip. Drivers are not trusted
    /// with the switch (Mesa 22.3 clips by every distance that is written).
    pub clip_off: u8,
    /// What every fragment that reaches its end adds to a counter: `GL_SAMPLES_PASSED` has no equal in OpenGL ES.
    pub count: Count,
    /// The control stage of a program that has none.
    pub control: Option<mgl_spirv::PassedControl>,
    /// Polygons are drawn as lines or points by a stage of ours.
    pub wire: Wire,
    /// A sampler has a bias.
    pub biased: bool,
    /// `gl_FragColor` is copied to these draw buffers.
    pub broadcast: u8,
    /// Alpha of colour outputs is one (`GL_SAMPLE_ALPHA_TO_ONE`).
    pub alpha_to_one: bool,
    /// Attributes that arrive in another form.
    pub fetch: FetchSet,
    /// Formats of images that the program declares without one, as `Format` numbers by slot.
    pub formats: [u16; VARIANT_IMAGES],
}

impl Variant {
    /// The format that the image of slot `slot` has, if one is bound.
    pub fn format(&self, slot: u32) -> Option<Format> {
        self.formats.get(slot as usize).and_then(|f| Format::from_wire(*f))
    }
}
