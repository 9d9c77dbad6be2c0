//! Texture targets (GL 4.6 §8.1): what is bound, what an image call addresses, how extents count. Must not know objects.

use crate::tokens as gl;
use mgl_pipe::tokens::ResourceTarget;

/// Number of texture targets.
pub const TARGETS: usize = 11;

/// Target of a texture object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Target {
    D1 = 0,
    D2 = 1,
    D3 = 2,
    D1Array = 3,
    D2Array = 4,
    Rect = 5,
    Cube = 6,
    CubeArray = 7,
    Buffer = 8,
    D2Ms = 9,
    D2MsArray = 10,
}

/// Every target with its GL token, proxy token (0 = none), binding query and wire form, in index order.
const TABLE: [(Target, u32, u32, u32, ResourceTarget); TARGETS] = [
    (Target::D1, gl::TEXTURE_1D, gl::PROXY_TEXTURE_1D, gl::TEXTURE_BINDING_1D, ResourceTarget::Tex1D),
    (Target::D2, gl::TEXTURE_2D, gl::PROXY_TEXTURE_2D, gl::TEXTURE_BINDING_2D, ResourceTarget::Tex2D),
    (Target::D3, gl::TEXTURE_3D, gl::PROXY_TEXTURE_3D, gl::TEXTURE_BINDING_3D, ResourceTarget::Tex3D),
    (
        Target::D1Array,
        gl::TEXTURE_1D_ARRAY,
        gl::PROXY_TEXTURE_1D_ARRAY,
        gl::TEXTURE_BINDING_1D_ARRAY,
        ResourceTarget::Tex1DArray,
    ),
    (
        Target::D2Array,
        gl::TEXTURE_2D_ARRAY,
        gl::PROXY_TEXTURE_2D_ARRAY,
        gl::TEXTURE_BINDING_2D_ARRAY,
        ResourceTarget::Tex2DArray,
    ),
    (
        Target::Rect,
        gl::TEXTURE_RECTANGLE,
        gl::PROXY_TEXTURE_RECTANGLE,
        gl::TEXTURE_BINDING_RECTANGLE,
        ResourceTarget::TexRect,
    ),
    (
        Target::Cube,
        gl::TEXTURE_CUBE_MAP,
        gl::PROXY_TEXTURE_CUBE_MAP,
        gl::TEXTURE_BINDING_CUBE_MAP,
        ResourceTarget::TexCube,
    ),
    (
        Target::CubeArray,
        gl::TEXTURE_CUBE_MAP_ARRAY,
        gl::PROXY_TEXTURE_CUBE_MAP_ARRAY,
        gl::TEXTURE_BINDING_CUBE_MAP_ARRAY,
        ResourceTarget::TexCubeArray,
    ),
    (Target::Buffer, gl::TEXTURE_BUFFER, 0, gl::TEXTURE_BINDING_BUFFER, ResourceTarget::TexBuffer),
    (
        Target::D2Ms,
        gl::TEXTURE_2D_MULTISAMPLE,
        gl::PROXY_TEXTURE_2D_MULTISAMPLE,
        gl::TEXTURE_BINDING_2D_MULTISAMPLE,
        ResourceTarget::Tex2DMs,
    ),
    (
        Target::D2MsArray,
        gl::TEXTURE_2D_MULTISAMPLE_ARRAY,
        gl::PROXY_TEXTURE_2D_MULTISAMPLE_ARRAY,
        gl::TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY,
        ResourceTarget::Tex2DMsArray,
    ),
];

impl Target {
    /// Every target.
    pub fn all() -> impl Iterator<Item = Target> {
        TABLE.iter().map(|row| row.0)
    }
    /// The target that `glBindTexture` names.
    pub fn from_gl(token: u32) -> Option<Self> {
        TABLE.iter().find(|row| row.1 == token).map(|row| row.0)
    }
    /// The target whose binding `glGet*` asks for.
    pub fn from_binding(pname: u32) -> Option<Self> {
        TABLE.iter().find(|row| row.3 == pname).map(|row| row.0)
    }
    /// The target that a program's sampler slot names.
    pub fn from_wire(target: ResourceTarget) -> Option<Self> {
        TABLE.iter().find(|row| row.4 == target).map(|row| row.0)
    }
    /// GL token.
    pub fn gl(self) -> u32 {
        TABLE[self as usize].1
    }
    /// Wire form.
    pub fn wire(self) -> ResourceTarget {
        TABLE[self as usize].4
    }
    /// Images per level that are specified one by one.
    pub const fn faces(self) -> usize {
        if matches!(self, Target::Cube) { 6 } else { 1 }
    }
    /// Has more than one level.
    pub const fn mipmapped(self) -> bool {
        !matches!(self, Target::Rect | Target::Buffer | Target::D2Ms | Target::D2MsArray)
    }
    /// Multisampled.
    pub const fn multisampled(self) -> bool {
        matches!(self, Target::D2Ms | Target::D2MsArray)
    }
    /// Has layers that are not mipped.
    pub const fn layered(self) -> bool {
        matches!(self, Target::D1Array | Target::D2Array | Target::Cube | Target::CubeArray | Target::D2MsArray)
    }
    /// Dimensions of a call that gives the target's images (GL 4.6 §8.5).
    pub const fn dims(self) -> u32 {
        match self {
            Target::D1 | Target::Buffer => 1,
            Target::D2 | Target::D1Array | Target::Rect | Target::Cube | Target::D2Ms => 2,
            Target::D3 | Target::D2Array | Target::CubeArray | Target::D2MsArray => 3,
        }
    }
}

/// What an image call addresses: a target or one face of a cube map, real or proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageTarget {
    /// Object target.
    pub target: Target,
    /// Cube face, else 0.
    pub face: usize,
    /// Proxy: nothing is allocated.
    pub proxy: bool,
}

impl ImageTarget {
    /// Parses the target of an image call.
    pub fn from_gl(token: u32) -> Option<Self> {
        if let gl::TEXTURE_CUBE_MAP_POSITIVE_X..=gl::TEXTURE_CUBE_MAP_NEGATIVE_Z = token {
            let face = (token - gl::TEXTURE_CUBE_MAP_POSITIVE_X) as usize;
            return Some(Self { target: Target::Cube, face, proxy: false });
        }
        TABLE.iter().find_map(|row| match row {
            (Target::Cube, _, proxy, ..) => {
                (*proxy == token).then_some(Self { target: Target::Cube, face: 0, proxy: true })
            }
            (target, real, ..) if *real == token => Some(Self { target: *target, face: 0, proxy: false }),
            (target, _, proxy, ..) if *proxy == token && token != 0 => {
                Some(Self { target: *target, face: 0, proxy: true })
            }
            _ => None,
        })
    }
}
