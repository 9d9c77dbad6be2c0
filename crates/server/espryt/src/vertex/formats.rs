//! How an attribute of GL is fetched by OpenGL ES. Must not know buffers.

use crate::essl::Fetch;
use crate::raw::consts;
use mgl_backend::values::VertexAttrib;
use mgl_pipe::tokens::AttribType;

/// What the driver is told about an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Components.
    pub size: i32,
    /// Type token.
    pub ty: u32,
    /// Normalised.
    pub normalized: bool,
    /// Stays integer.
    pub integer: bool,
    /// What the shader does with it.
    pub fetch: Fetch,
    /// The stream is converted to floats on the CPU.
    pub converted: bool,
}

/// The driver's format of an attribute.
pub fn format(a: &VertexAttrib) -> Format {
    let plain = Format {
        size: i32::from(a.components.clamp(1, 4)),
        ty: u32::from(a.ty.0),
        normalized: a.normalized.get(),
        integer: a.integer.get(),
        fetch: Fetch::Native,
        converted: false,
    };
    match a.ty {
        _ if a.bgra.get() => Format { size: 4, fetch: Fetch::Bgra, ..plain },
        // Drivers take fixed point with glVertexAttribPointer only, and doubles not at all.
        AttribType::Double | AttribType::Fixed => {
            Format { ty: consts::FLOAT, normalized: false, integer: false, converted: true, ..plain }
        }
        AttribType::UnsignedInt10F11F11FRev => {
            Format { size: 1, ty: consts::UNSIGNED_INT, integer: true, fetch: Fetch::Packed11, ..plain }
        }
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::essl::Fetch;
    use mgl_backend::values::{Bool8, VertexAttrib};
    use mgl_pipe::tokens::AttribType;

    /// Colours that old programs give as BGRA bytes would show red for blue.
    #[test]
    fn bgra_is_turned_in_the_shader() {
        let attrib = VertexAttrib {
            ty: AttribType::UnsignedByte,
            components: 4,
            normalized: Bool8::new(true),
            bgra: Bool8::new(true),
            ..VertexAttrib::default()
        };
        let f = format(&attrib);
        assert_eq!((f.size, f.fetch, f.normalized), (4, Fetch::Bgra, true));
    }

    /// OpenGL ES has no doubles at all.
    #[test]
    fn doubles_are_converted() {
        let attrib = VertexAttrib { ty: AttribType::Double, components: 3, ..VertexAttrib::default() };
        assert!(format(&attrib).converted);
    }
}
