//! Image units of one context and what was last pushed of them. Must not push records.

use crate::instance::Instance;
use crate::texture::object::Texture;
use crate::tokens as t;
use mgl_base::limits::MAX_IMAGE_UNITS;
use mgl_pipe::format::Format;
use mgl_pipe::records::ImageView;
use std::sync::Arc;

/// One image unit (GL 4.6 table 23.45).
#[derive(Clone, Debug)]
pub struct ImageUnit {
    /// Texture; `None` = nothing bound.
    pub texture: Option<Arc<Texture>>,
    /// Level.
    pub level: u32,
    /// All layers.
    pub layered: bool,
    /// Layer, or face of a cube map, when not all.
    pub layer: u32,
    /// GL token.
    pub access: u32,
    /// One of the formats of images (GL 4.6 table 8.27).
    pub format: Format,
}

impl Default for ImageUnit {
    fn default() -> Self {
        Self { texture: None, level: 0, layered: false, layer: 0, access: t::READ_ONLY, format: Format::R8 }
    }
}

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    pub(crate) units: Vec<ImageUnit>,
    /// The set as last sent, and memory for the next one.
    pub(super) sent: Vec<ImageView>,
    pub(super) next: Vec<ImageView>,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        Self { units: vec![ImageUnit::default(); MAX_IMAGE_UNITS], sent: Vec::new(), next: Vec::new() }
    }
    /// Forgets a deleted texture; true when a unit showed it.
    pub(crate) fn unbind(&mut self, texture: &Arc<Texture>) -> bool {
        let mut found = false;
        for unit in &mut self.units {
            found |= unit.texture.take_if(|bound| Arc::ptr_eq(bound, texture)).is_some();
        }
        found
    }
}
