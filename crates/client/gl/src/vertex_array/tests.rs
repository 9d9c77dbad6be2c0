//! What 64-bit attributes refuse and send.

use super::calls as c;
use crate::draw::calls::draw_arrays;
use crate::error::ErrorCode;
use crate::program::state::Bindings;
use crate::testing::{all, buffer, code, context, use_bindings};
use crate::tokens as t;
use mgl_pipe::records::{AttribValue, CreateVertexElements, SetVertexAttribDefaults, VertexAttrib};
use zerocopy::FromBytes;

// A wrong call that is let through makes the device read a mesh with another layout.
#[test]
fn wrong_long_formats_are_refused() {
    let mut ctx = context();
    buffer(&mut ctx, t::ARRAY_BUFFER, 256);
    assert_eq!(code(c::vertex_attrib_l_pointer(&mut ctx, 99, 4, t::DOUBLE, 0, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_pointer(&mut ctx, 0, 5, t::DOUBLE, 0, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_pointer(&mut ctx, 0, 4, t::DOUBLE, -1, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_pointer(&mut ctx, 0, 4, t::FLOAT, 0, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::vertex_attrib_l_format(&mut ctx, 99, 4, t::DOUBLE, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_format(&mut ctx, 0, 0, t::DOUBLE, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_format(&mut ctx, 0, 4, t::DOUBLE, 1 << 20)), ErrorCode::InvalidValue);
    assert_eq!(code(c::vertex_attrib_l_format(&mut ctx, 0, 4, t::INT, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::vertex_attrib_l(&mut ctx, 99, [0.0; 4])), ErrorCode::InvalidValue);
    c::bind_vertex_array(&mut ctx, 0).unwrap();
    assert_eq!(code(c::vertex_attrib_l_format(&mut ctx, 0, 4, t::DOUBLE, 0)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::vertex_attrib_l_pointer(&mut ctx, 0, 4, t::DOUBLE, 0, 0)), ErrorCode::InvalidOperation);
}

// Doubles that arrive as floats, or only half of them, put every vertex elsewhere.
#[test]
fn long_attributes_cross_as_such() {
    let mut ctx = context();
    use_bindings(&mut ctx, Bindings { attribs: 0b11, double_attribs: 0b11, ..Bindings::default() });
    buffer(&mut ctx, t::ARRAY_BUFFER, 256);
    c::vertex_attrib_l_pointer(&mut ctx, 0, 3, t::DOUBLE, 0, 0).unwrap();
    c::enable_vertex_attrib_array(&mut ctx, 0).unwrap();
    c::vertex_attrib_l(&mut ctx, 1, [1.5, 2.0, -3.0, 1e300]).unwrap();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let (_, tail) = all::<CreateVertexElements>(&mut ctx).remove(0);
    let (attribs, _) = <[VertexAttrib]>::ref_from_prefix_with_elems(&tail, 1).unwrap();
    assert!(attribs[0].long.get() && attribs[0].components == 3);
    let (_, tail) = all::<SetVertexAttribDefaults>(&mut ctx).remove(0);
    let words: Vec<u32> = <[AttribValue]>::ref_from_bytes(&tail).unwrap().iter().flat_map(|v| v.bits).collect();
    let wanted = [1.5, 2.0, -3.0, 1e300].map(f64::to_bits);
    assert_eq!(words, wanted.iter().flat_map(|b| [*b as u32, (*b >> 32) as u32]).collect::<Vec<_>>());
    let got = c::get_vertex_attrib_l(&mut ctx, 1, t::CURRENT_VERTEX_ATTRIB).unwrap();
    assert_eq!(got, crate::abi::Values::Float([1.5, 2.0, -3.0, 1e300].into_iter().collect()));
}

// Suites and programs that leave arrays enabled or disabled without a vertex array would fail where every other driver lets
// them; who looks for mistakes with a debug context must find this one.
#[test]
fn arrays_may_be_switched_without_a_vertex_array() {
    for debug in [false, true] {
        let desc = crate::context::ContextDesc { debug, ..Default::default() };
        let instance = crate::instance::Instance::detached(mgl_pipe::caps::Caps::default());
        let ctx = &mut crate::context::Context::with_out(instance, crate::out::Out::recorder(1), desc);
        let all = [
            c::enable_vertex_attrib_array(ctx, 0),
            c::disable_vertex_attrib_array(ctx, 0),
            c::vertex_attrib_divisor(ctx, 0, 1),
        ];
        assert!(all.iter().all(|done| done.is_err() == debug), "debug {debug}: {all:?}");
        assert_eq!(code(c::enable_vertex_attrib_array(ctx, 99)), ErrorCode::InvalidValue);
        assert_eq!(code(c::vertex_attrib_pointer(ctx, 0, 4, t::FLOAT, false, 0, 0)), ErrorCode::InvalidOperation);
        assert_eq!(code(draw_arrays(ctx, t::POINTS, 0, 1)), ErrorCode::InvalidOperation, "nothing draws with it");
    }
}
