//! Bounds that both roles must agree on. Must not hold device limits: those travel in the caps snapshot.

/// Colour attachments and draw buffers (`kMGMaxDrawBuffers`).
pub const MAX_DRAW_BUFFERS: usize = 8;
/// Viewports and scissor boxes.
pub const MAX_VIEWPORTS: usize = 16;
/// Generic vertex attributes and vertex buffer binding points.
pub const MAX_VERTEX_ATTRIBS: usize = 32;
/// Combined texture image units of a context.
pub const MAX_TEXTURE_UNITS: usize = 192;
/// Texture descriptor slots of one program.
pub const MAX_PROGRAM_TEXTURES: usize = 192;
/// Image units and image descriptor slots of one program.
pub const MAX_IMAGE_UNITS: usize = 32;
/// Indexed buffer binding points per class.
pub const MAX_BUFFER_BINDINGS: usize = 84;
/// Transform feedback buffer binding points.
pub const MAX_XFB_BUFFERS: usize = 4;
/// Largest slot a table accepts before the range of composite programs (spec 01 §2.2).
pub const MAX_SLOTS: u32 = 983_040;
/// Slots of one kind including the composite band.
pub const SLOT_RANGE: u32 = 1 << 20;
/// Ranges in one draw record; longer multi-draws take several.
pub const MAX_DRAW_RANGES: u32 = 16_384;
/// Ranges of one draw in all its records; the client makes several draws of longer ones.
pub const MAX_DRAW_PARTS_RANGES: usize = 1 << 20;
/// Bytes of a GL error or debug message that crosses, with its NUL.
pub const MAX_MESSAGE_BYTES: usize = 1024;
