//! Current attribute values (GL 4.6 §10.2). Must not know arrays.

use super::attrib;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::pixel::number::from_r11g11b10;
use crate::tokens as t;
use crate::tracker::Dirty;
use crate::vertex_array::state::Value;

fn set(ctx: &mut Context, index: u32, value: Value) -> GlResult {
    let slot = attrib(ctx, index)?;
    if !ctx.vertex_array.values[slot].same(&value) {
        ctx.vertex_array.values[slot] = value;
        ctx.dirty |= Dirty::ATTRIB_DEFAULTS;
    }
    Ok(())
}

/// `glVertexAttrib*` of floats; the generated function has filled missing components with 0, 0, 0, 1.
pub fn vertex_attrib_f(ctx: &mut Context, index: u32, values: [f32; 4]) -> GlResult {
    set(ctx, index, Value::Float(values))
}

/// `glVertexAttribI*` of signed integers.
pub fn vertex_attrib_i(ctx: &mut Context, index: u32, values: [i32; 4]) -> GlResult {
    set(ctx, index, Value::Int(values))
}

/// `glVertexAttribI*` of unsigned integers.
pub fn vertex_attrib_ui(ctx: &mut Context, index: u32, values: [u32; 4]) -> GlResult {
    set(ctx, index, Value::Uint(values))
}

/// `glVertexAttribL*`; the generated function has filled missing components with 0, 0, 0, 1.
pub fn vertex_attrib_l(ctx: &mut Context, index: u32, values: [f64; 4]) -> GlResult {
    set(ctx, index, Value::Double(values))
}

/// `glVertexAttribP*`: 2:10:10:10 packed, or three small floats of which there is no fourth (GL 4.6 §10.2.1).
pub fn vertex_attrib_p(ctx: &mut Context, index: u32, type_: u32, normalized: bool, size: u32, value: u32) -> GlResult {
    if type_ == t::UNSIGNED_INT_10F_11F_11F_REV && size <= 3 {
        let floats = from_r11g11b10(value);
        let given = |i: usize| if i < size as usize { floats[i] as f32 } else { 0.0 };
        return vertex_attrib_f(ctx, index, [given(0), given(1), given(2), 1.0]);
    }
    let signed = match type_ {
        t::INT_2_10_10_10_REV => true,
        t::UNSIGNED_INT_2_10_10_10_REV => false,
        _ => {
            return Err(GlError::invalid_enum(
                "a packed attribute is of a 2:10:10:10 type, or of 10F:11F:11F with up to three components",
            ));
        }
    };
    let mut values = [0.0, 0.0, 0.0, 1.0];
    for (i, out) in values.iter_mut().enumerate().take(size as usize) {
        let bits = if i == 3 { 2 } else { 10 };
        *out = unpack(value >> (10 * i), bits, signed, normalized);
    }
    vertex_attrib_f(ctx, index, values)
}

/// One component of `bits` bits as a float (GL 4.6 §2.3.5).
fn unpack(value: u32, bits: u32, signed: bool, normalized: bool) -> f32 {
    let shift = 32 - bits;
    if signed {
        let v = ((value << shift) as i32 >> shift) as f32;
        let top = ((1 << (bits - 1)) - 1) as f32;
        return if normalized { (v / top).max(-1.0) } else { v };
    }
    let v = ((value << shift) >> shift) as f32;
    if normalized { v / ((1 << bits) - 1) as f32 } else { v }
}

#[cfg(test)]
mod tests {
    use super::unpack;

    // A packed normal would point the wrong way.
    #[test]
    fn packed_components_keep_sign_and_range() {
        assert_eq!(unpack(0x3FF, 10, false, true), 1.0);
        assert_eq!(unpack(0x200, 10, true, true), -1.0);
        assert_eq!(unpack(0x1FF, 10, true, true), 1.0);
        assert_eq!(unpack(0x3FF, 10, true, false), -1.0);
        assert_eq!(unpack(0b11, 2, false, false), 3.0);
    }
}
