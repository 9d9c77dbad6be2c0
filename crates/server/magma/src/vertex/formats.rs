//! Vulkan formats of vertex attributes, with the conversion a shader has to do where there is none. Must not know
//! buffers or bindings.

use crate::programs::Class;
use crate::variants::Fetch;
use ash::vk;
use mgl_backend::values::VertexAttrib;
use mgl_pipe::tokens::AttribType;

/// How an attribute is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Format of the attribute description.
    pub format: vk::Format,
    /// Conversion in the shader.
    pub fetch: Fetch,
}

/// Format of `attrib` for an input of `class`; `supported` tells what the device can fetch. `None` = no way.
pub fn fetched(attrib: &VertexAttrib, class: Class, supported: impl Fn(vk::Format) -> bool) -> Option<Fetched> {
    let n = attrib.components;
    match class {
        // GL leaves a mismatch undefined; Vulkan wants the numeric classes to agree.
        Class::Int => Some(native(integer(attrib.ty, n, true)?)),
        Class::Uint => Some(native(integer(attrib.ty, n, false)?)),
        // Anything but doubles for doubles is undefined in GL: the caller takes the default.
        Class::Double => (attrib.ty == AttribType::Double).then(|| words(n)),
        Class::Float => float(attrib, supported),
    }
}

/// Format of a current attribute value (four 32-bit words) for an input of `class`.
pub fn default_format(class: Class) -> vk::Format {
    match class {
        Class::Float => vk::Format::R32G32B32A32_SFLOAT,
        Class::Int => vk::Format::R32G32B32A32_SINT,
        Class::Uint => vk::Format::R32G32B32A32_UINT,
        // The first two; the others are fetched at a location of their own.
        Class::Double => vk::Format::R32G32B32A32_UINT,
    }
}

fn native(format: vk::Format) -> Fetched {
    Fetched { format, fetch: Fetch::Native }
}

fn pick(n: u8, formats: [vk::Format; 4]) -> vk::Format {
    formats[usize::from(n.clamp(1, 4)) - 1]
}

fn integer(ty: AttribType, n: u8, signed: bool) -> Option<vk::Format> {
    use vk::Format as F;
    let bits = match ty {
        AttribType::Byte | AttribType::UnsignedByte => 8,
        AttribType::Short | AttribType::UnsignedShort | AttribType::HalfFloat => 16,
        AttribType::Int | AttribType::UnsignedInt | AttribType::Float | AttribType::Fixed => 32,
        AttribType::Int2101010Rev if signed => return Some(F::A2B10G10R10_SINT_PACK32),
        AttribType::Int2101010Rev | AttribType::UnsignedInt2101010Rev => return Some(F::A2B10G10R10_UINT_PACK32),
        _ => return None,
    };
    Some(match (bits, signed) {
        (8, true) => pick(n, [F::R8_SINT, F::R8G8_SINT, F::R8G8B8_SINT, F::R8G8B8A8_SINT]),
        (8, false) => pick(n, [F::R8_UINT, F::R8G8_UINT, F::R8G8B8_UINT, F::R8G8B8A8_UINT]),
        (16, true) => pick(n, [F::R16_SINT, F::R16G16_SINT, F::R16G16B16_SINT, F::R16G16B16A16_SINT]),
        (16, false) => pick(n, [F::R16_UINT, F::R16G16_UINT, F::R16G16B16_UINT, F::R16G16B16A16_UINT]),
        (_, true) => int32(n),
        (_, false) => uint32(n),
    })
}

fn int32(n: u8) -> vk::Format {
    use vk::Format as F;
    pick(n, [F::R32_SINT, F::R32G32_SINT, F::R32G32B32_SINT, F::R32G32B32A32_SINT])
}

fn uint32(n: u8) -> vk::Format {
    use vk::Format as F;
    pick(n, [F::R32_UINT, F::R32G32_UINT, F::R32G32B32_UINT, F::R32G32B32A32_UINT])
}

/// Doubles as words: 64-bit formats are optional, take several locations, and give nothing that a bit cast does not.
fn words(n: u8) -> Fetched {
    let format = if n == 1 { vk::Format::R32G32_UINT } else { vk::Format::R32G32B32A32_UINT };
    Fetched { format, fetch: Fetch::doubles(u32::from(n)) }
}

/// Attributes that the shader reads as floats. `supported` decides between the device's conversion and ours.
fn float(attrib: &VertexAttrib, supported: impl Fn(vk::Format) -> bool) -> Option<Fetched> {
    let n = attrib.components;
    let (wish, converted) = wishes(attrib)?;
    if let Some(format) = wish.filter(|f| supported(*f)) {
        return Some(native(format));
    }
    if let Some(fetched) = converted.filter(|c| supported(c.format)) {
        return Some(fetched);
    }
    // Three components of 8 or 16 bits: four are fetched and w is forced to 1.
    if n == 3 {
        let four = VertexAttrib { components: 4, ..*attrib };
        let (wish, converted) = wishes(&four)?;
        if let Some(format) = wish.filter(|f| supported(*f)) {
            return Some(Fetched { format, fetch: Fetch::ForceW });
        }
        return converted.filter(|c| supported(c.format));
    }
    None
}

/// The format that says exactly what GL says, and the one for a conversion in the shader.
fn wishes(a: &VertexAttrib) -> Option<(Option<vk::Format>, Option<Fetched>)> {
    use vk::Format as F;
    let (n, norm) = (a.components, a.normalized.get());
    let shader = |format, fetch: Fetch| {
        let fetch = if n < 4 { fetch.short() } else { fetch };
        Some(Fetched { format, fetch })
    };
    let scaled = |signed| {
        let fetch = if signed { Fetch::Sint } else { Fetch::Uint };
        integer(a.ty, n, signed).and_then(|format| shader(format, fetch))
    };
    Some(match a.ty {
        AttribType::Float => {
            (Some(pick(n, [F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32_SFLOAT, F::R32G32B32A32_SFLOAT])), None)
        }
        AttribType::HalfFloat => {
            (Some(pick(n, [F::R16_SFLOAT, F::R16G16_SFLOAT, F::R16G16B16_SFLOAT, F::R16G16B16A16_SFLOAT])), None)
        }
        AttribType::UnsignedByte if a.bgra.get() => (Some(F::B8G8R8A8_UNORM), None),
        AttribType::Byte if norm => {
            (Some(pick(n, [F::R8_SNORM, F::R8G8_SNORM, F::R8G8B8_SNORM, F::R8G8B8A8_SNORM])), None)
        }
        AttribType::UnsignedByte if norm => {
            (Some(pick(n, [F::R8_UNORM, F::R8G8_UNORM, F::R8G8B8_UNORM, F::R8G8B8A8_UNORM])), None)
        }
        AttribType::Short if norm => {
            (Some(pick(n, [F::R16_SNORM, F::R16G16_SNORM, F::R16G16B16_SNORM, F::R16G16B16A16_SNORM])), None)
        }
        AttribType::UnsignedShort if norm => {
            (Some(pick(n, [F::R16_UNORM, F::R16G16_UNORM, F::R16G16B16_UNORM, F::R16G16B16A16_UNORM])), None)
        }
        AttribType::Byte => {
            (Some(pick(n, [F::R8_SSCALED, F::R8G8_SSCALED, F::R8G8B8_SSCALED, F::R8G8B8A8_SSCALED])), scaled(true))
        }
        AttribType::UnsignedByte => {
            (Some(pick(n, [F::R8_USCALED, F::R8G8_USCALED, F::R8G8B8_USCALED, F::R8G8B8A8_USCALED])), scaled(false))
        }
        AttribType::Short => (
            Some(pick(n, [F::R16_SSCALED, F::R16G16_SSCALED, F::R16G16B16_SSCALED, F::R16G16B16A16_SSCALED])),
            scaled(true),
        ),
        AttribType::UnsignedShort => (
            Some(pick(n, [F::R16_USCALED, F::R16G16_USCALED, F::R16G16B16_USCALED, F::R16G16B16A16_USCALED])),
            scaled(false),
        ),
        AttribType::Int => (None, shader(int32(n), if norm { Fetch::Snorm32 } else { Fetch::Sint })),
        AttribType::UnsignedInt => (None, shader(uint32(n), if norm { Fetch::Unorm32 } else { Fetch::Uint })),
        AttribType::Fixed => (None, shader(int32(n), Fetch::Fixed)),
        AttribType::Double => (None, Some(words(n))),
        AttribType::UnsignedInt10F11F11FRev => (Some(F::B10G11R11_UFLOAT_PACK32), None),
        _ => return packed_1010102(a),
    })
}

fn packed_1010102(a: &VertexAttrib) -> Option<(Option<vk::Format>, Option<Fetched>)> {
    use vk::Format as F;
    let signed = a.ty == AttribType::Int2101010Rev;
    let native = match (a.bgra.get(), a.normalized.get(), signed) {
        (false, true, true) => F::A2B10G10R10_SNORM_PACK32,
        (false, true, false) => F::A2B10G10R10_UNORM_PACK32,
        (false, false, true) => F::A2B10G10R10_SSCALED_PACK32,
        (false, false, false) => F::A2B10G10R10_USCALED_PACK32,
        (true, true, true) => F::A2R10G10B10_SNORM_PACK32,
        (true, true, false) => F::A2R10G10B10_UNORM_PACK32,
        (true, false, true) => F::A2R10G10B10_SSCALED_PACK32,
        (true, false, false) => F::A2R10G10B10_USCALED_PACK32,
    };
    let converted = (!a.normalized.get() && !a.bgra.get()).then_some(if signed {
        Fetched { format: F::A2B10G10R10_SINT_PACK32, fetch: Fetch::Sint }
    } else {
        Fetched { format: F::A2B10G10R10_UINT_PACK32, fetch: Fetch::Uint }
    });
    Some((Some(native), converted))
}

#[cfg(test)]
mod tests {
    use super::{Fetched, fetched};
    use crate::programs::Class;
    use crate::variants::Fetch;
    use ash::vk;
    use mgl_backend::values::{Bool8, VertexAttrib};
    use mgl_pipe::tokens::AttribType;

    fn attrib(ty: AttribType, components: u8, normalized: bool) -> VertexAttrib {
        VertexAttrib { ty, components, normalized: Bool8::new(normalized), ..VertexAttrib::default() }
    }

    /// Three bytes per colour are common in old programs and fetchable on few devices: the fall-back must keep w at 1.
    #[test]
    fn three_bytes_fall_back_to_four() {
        let supported = |f: vk::Format| f != vk::Format::R8G8B8_UNORM;
        let got = fetched(&attrib(AttribType::UnsignedByte, 3, true), Class::Float, supported);
        assert_eq!(got, Some(Fetched { format: vk::Format::R8G8B8A8_UNORM, fetch: Fetch::ForceW }));
    }

    /// Scaled formats are optional in Vulkan; positions given as shorts must still arrive.
    #[test]
    fn scaled_formats_fall_back_to_integers() {
        let supported = |f: vk::Format| f == vk::Format::R16G16_SINT;
        let got = fetched(&attrib(AttribType::Short, 2, false), Class::Float, supported);
        assert_eq!(got, Some(Fetched { format: vk::Format::R16G16_SINT, fetch: Fetch::Sint }));
    }

    /// Fixed point has no Vulkan format at all.
    #[test]
    fn fixed_point_is_converted_in_the_shader() {
        let got = fetched(&attrib(AttribType::Fixed, 4, false), Class::Float, |_| true);
        assert_eq!(got, Some(Fetched { format: vk::Format::R32G32B32A32_SINT, fetch: Fetch::Fixed }));
    }
}
