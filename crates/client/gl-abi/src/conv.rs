//! Conversions of vector arguments and the value counts that GL derives from an enum, used by the overlay. Must not
//! know GL state.

use mgl_gl::GlError;

use crate::shim;

/// Reads `N` values.
///
/// # Safety
/// `p` is null or points at `N` values.
pub unsafe fn array<const N: usize, T: Copy>(p: *const T) -> Result<[T; N], GlError> {
    // SAFETY: the caller's contract.
    let values = unsafe { shim::slice(p, N) }?;
    (&*values).try_into().map_err(|_| GlError::invalid_value("the pointer to the values is null"))
}

/// Reads one value.
///
/// # Safety
/// `p` is null or points at a value.
pub unsafe fn read<T: Copy>(p: *const T) -> Result<T, GlError> {
    // SAFETY: the caller's contract.
    unsafe { array::<1, T>(p) }.map(|[v]| v)
}

/// The length of a label of EXT_debug_label, where 0 says what -1 says in KHR_debug: that a zero ends it.
pub fn label_length(length: i32) -> Result<i32, GlError> {
    match length {
        ..0 => Err(GlError::invalid_value("the length of the label is negative")),
        0 => Ok(-1),
        _ => Ok(length),
    }
}

/// Component types that attribute values come in.
pub trait Component: Copy {
    /// By value.
    fn float(self) -> f32;
    /// By the fixed-point rule (GL 4.6 §2.3.5).
    fn normalized(self) -> f32;
}

macro_rules! component {
    ($($t:ty, $signed:literal;)*) => {$(
        impl Component for $t {
            fn float(self) -> f32 {
                self as f32
            }
            fn normalized(self) -> f32 {
                let f = self as f64 / <$t>::MAX as f64;
                (if $signed { f.max(-1.0) } else { f }) as f32
            }
        }
    )*};
}
component! { i8, true; i16, true; i32, true; u8, false; u16, false; u32, false; }

impl Component for f32 {
    fn float(self) -> f32 {
        self
    }
    fn normalized(self) -> f32 {
        self
    }
}

impl Component for f64 {
    fn float(self) -> f32 {
        self as f32
    }
    fn normalized(self) -> f32 {
        self as f32
    }
}

/// `N` components by value; missing ones are 0, 0, 1 (GL 4.6 §10.3.3).
///
/// # Safety
/// `p` is null or points at `N` values.
pub unsafe fn floats<const N: usize, T: Component>(p: *const T) -> Result<[f32; 4], GlError> {
    // SAFETY: the caller's contract.
    let read = unsafe { array::<N, T>(p) }?;
    let mut out = [0.0, 0.0, 0.0, 1.0];
    for (to, from) in out.iter_mut().zip(read) {
        *to = from.float();
    }
    Ok(out)
}

/// `N` components of a 64-bit attribute; missing ones are 0, 0, 1.
///
/// # Safety
/// `p` is null or points at `N` values.
pub unsafe fn doubles<const N: usize>(p: *const f64) -> Result<[f64; 4], GlError> {
    // SAFETY: the caller's contract.
    let read = unsafe { array::<N, f64>(p) }?;
    let mut out = [0.0, 0.0, 0.0, 1.0];
    for (to, from) in out.iter_mut().zip(read) {
        *to = from;
    }
    Ok(out)
}

/// Four components by the fixed-point rule.
///
/// # Safety
/// `p` is null or points at four values.
pub unsafe fn normalized<T: Component>(p: *const T) -> Result<[f32; 4], GlError> {
    // SAFETY: the caller's contract.
    Ok(unsafe { array::<4, T>(p) }?.map(Component::normalized))
}

/// `N` components as signed integers.
///
/// # Safety
/// `p` is null or points at `N` values.
pub unsafe fn ints<const N: usize, T: Copy + Into<i32>>(p: *const T) -> Result<[i32; 4], GlError> {
    // SAFETY: the caller's contract.
    let read = unsafe { array::<N, T>(p) }?;
    let mut out = [0, 0, 0, 1];
    for (to, from) in out.iter_mut().zip(read) {
        *to = from.into();
    }
    Ok(out)
}

/// `N` components as unsigned integers.
///
/// # Safety
/// `p` is null or points at `N` values.
pub unsafe fn uints<const N: usize, T: Copy + Into<u32>>(p: *const T) -> Result<[u32; 4], GlError> {
    // SAFETY: the caller's contract.
    let read = unsafe { array::<N, T>(p) }?;
    let mut out = [0, 0, 0, 1];
    for (to, from) in out.iter_mut().zip(read) {
        *to = from.into();
    }
    Ok(out)
}

/// `glVertexAttrib4Nub`.
pub fn unorm8(v: u8) -> f32 {
    v.normalized()
}

/// A float parameter where an integer is meant rounds to nearest (GL 4.6 §2.2.1).
pub fn round_i32(v: f32) -> i32 {
    v.round() as i32
}

/// Values behind the pointer of `glTexParameter*v` and `glSamplerParameter*v` (GL 4.6 §8.10).
pub fn tex_parameter_count(pname: u32) -> usize {
    const TEXTURE_BORDER_COLOR: u32 = 0x1004;
    const TEXTURE_SWIZZLE_RGBA: u32 = 0x8E46;
    if matches!(pname, TEXTURE_BORDER_COLOR | TEXTURE_SWIZZLE_RGBA) { 4 } else { 1 }
}

/// Values behind the pointer of `glPatchParameterfv` (GL 4.6 §11.2.2).
pub fn patch_parameter_count(pname: u32) -> usize {
    const PATCH_DEFAULT_INNER_LEVEL: u32 = 0x8E73;
    const PATCH_DEFAULT_OUTER_LEVEL: u32 = 0x8E74;
    match pname {
        PATCH_DEFAULT_INNER_LEVEL => 2,
        PATCH_DEFAULT_OUTER_LEVEL => 4,
        _ => 0,
    }
}

/// Values behind the pointer of `glClearBuffer*v` (GL 4.6 §17.4.3.1).
pub fn clear_buffer_count(buffer: u32) -> usize {
    const COLOR: u32 = 0x1800;
    if buffer == COLOR { 4 } else { 1 }
}

/// Bytes of one texel of `format` and `type` (GL 4.6 §8.4.4); 0 when the pair is not a client format.
pub fn texel_len(format: u32, kind: u32) -> usize {
    let components = match format {
        0x1900..=0x1903 | 0x1904 | 0x1905 | 0x1906 | 0x1909 | 0x8D94..=0x8D96 => 1,
        0x190A | 0x8227 | 0x8228 | 0x84F9 => 2,
        0x1907 | 0x80E0 | 0x8D98 | 0x8D9A => 3,
        0x1908 | 0x80E1 | 0x8D99 | 0x8D9B => 4,
        _ => return 0,
    };
    match kind {
        0x1400 | 0x1401 => components,
        0x1402 | 0x1403 | 0x140B => components * 2,
        0x1404..=0x1406 => components * 4,
        0x8032 | 0x8362 => 1,
        0x8033 | 0x8034 | 0x8363..=0x8366 => 2,
        0x8035 | 0x8036 | 0x8367 | 0x8368 | 0x84FA | 0x8C3B | 0x8C3E => 4,
        0x8DAD => 8,
        _ => 0,
    }
}

/// The strings of `glShaderSource`, joined (GL 4.6 §7.1).
///
/// # Safety
/// `strings` holds `count` texts; `lengths` is null or holds `count` lengths, negative for a terminated text.
pub unsafe fn source(count: i32, strings: *const *const u8, lengths: *const i32) -> Result<Vec<u8>, GlError> {
    let n = shim::len(count, 1)?;
    // SAFETY: the caller's contract.
    let (strings, lengths) = unsafe { (shim::slice(strings, n)?, shim::opt_slice(lengths, n)?) };
    let mut out = Vec::new();
    for (i, text) in strings.iter().enumerate() {
        let length = lengths.as_deref().and_then(|l| l.get(i)).copied().unwrap_or(-1);
        // SAFETY: the caller's contract.
        out.extend_from_slice(unsafe { shim::raw_text(text.cast(), length) }?.unwrap_or_default());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{Component, floats, normalized, texel_len};

    // A program that sets a normalised attribute would see values outside of [-1, 1].
    #[test]
    fn signed_normalisation_clamps_the_most_negative_value() {
        assert_eq!(i8::MIN.normalized(), -1.0);
        assert_eq!(i8::MAX.normalized(), 1.0);
        assert_eq!(255u8.normalized(), 1.0);
        assert_eq!(i32::MAX.normalized(), 1.0);
    }

    // glVertexAttrib2fv would leave w at 0 and positions would vanish.
    #[test]
    fn missing_components_are_0_0_1() {
        let v = [2.0f32, 3.0];
        // SAFETY: two values stand there.
        let got = unsafe { floats::<2, _>(v.as_ptr()) }.expect("two values");
        assert_eq!(got, [2.0, 3.0, 0.0, 1.0]);
        // SAFETY: null is allowed.
        assert!(unsafe { normalized::<u8>(std::ptr::null()) }.is_err());
    }

    // glClearTexImage would read past the program's texel.
    #[test]
    fn texel_sizes_follow_format_and_type() {
        assert_eq!(texel_len(0x1908, 0x1401), 4);
        assert_eq!(texel_len(0x1907, 0x1406), 12);
        assert_eq!(texel_len(0x84F9, 0x8DAD), 8);
        assert_eq!(texel_len(0x1908, 0x8033), 2);
        assert_eq!(texel_len(1, 0x1401), 0);
    }
}
