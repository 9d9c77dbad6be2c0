//! Vertex arrays, transform feedback objects and queries by name (GL 4.6 §10.3, §13.3, §4.2).

use crate::Context;
use crate::error::ErrorCode as E;
use crate::query::calls as q;
use crate::testing::{buffer, code, context, forget, names};
use crate::tokens as t;
use crate::tracker::Dirty;
use crate::vertex_array::calls as c;
use crate::xfb::calls as x;

fn created(ctx: &mut Context) -> u32 {
    let mut name = [0];
    c::create_vertex_arrays(ctx, &mut name).unwrap();
    name[0]
}

fn value(ctx: &mut Context, vao: u32, index: u32, pname: u32) -> i64 {
    c::get_vertex_array_indexed(ctx, vao, index, pname).unwrap().to_int(0, 64)
}

// Meshes that are prepared while another one is bound would end up in that one's vertex array.
#[test]
fn a_named_vertex_array_is_changed_and_the_bound_one_is_not() {
    let mut ctx = context();
    let store = buffer(&mut ctx, t::COPY_READ_BUFFER, 64);
    let vao = created(&mut ctx);
    ctx.dirty = Dirty::empty();
    c::enable_vertex_array_attrib(&mut ctx, vao, 2).unwrap();
    c::vertex_array_attrib_format(&mut ctx, vao, 2, 3, t::FLOAT, false, 4).unwrap();
    c::vertex_array_attrib_binding(&mut ctx, vao, 2, 1).unwrap();
    c::vertex_array_vertex_buffer(&mut ctx, vao, 1, store, 16, 20).unwrap();
    c::vertex_array_binding_divisor(&mut ctx, vao, 1, 7).unwrap();
    c::vertex_array_element_buffer(&mut ctx, vao, store).unwrap();
    assert_eq!(ctx.dirty, Dirty::empty(), "nothing that a draw would see");
    assert_eq!(value(&mut ctx, vao, 2, t::VERTEX_ATTRIB_ARRAY_ENABLED), 1);
    assert_eq!(value(&mut ctx, vao, 2, t::VERTEX_ATTRIB_ARRAY_SIZE), 3);
    assert_eq!(value(&mut ctx, vao, 2, t::VERTEX_ATTRIB_RELATIVE_OFFSET), 4);
    assert_eq!(value(&mut ctx, vao, 2, t::VERTEX_ATTRIB_ARRAY_DIVISOR), 7);
    let offset = c::get_vertex_array_indexed64(&mut ctx, vao, 1, t::VERTEX_BINDING_OFFSET).unwrap();
    assert_eq!(offset.to_int(0, 64), 16);
    let element = c::get_vertex_array(&mut ctx, vao, t::ELEMENT_ARRAY_BUFFER_BINDING).unwrap();
    assert_eq!(element.to_int(0, 64), i64::from(store));
    assert!(ctx.vertex_array.element_buffer().is_none());
    c::bind_vertex_array(&mut ctx, vao).unwrap();
    assert!(ctx.vertex_array.element_buffer().is_some());
    ctx.dirty = Dirty::empty();
    c::disable_vertex_array_attrib(&mut ctx, vao, 2).unwrap();
    assert!(ctx.dirty.contains(Dirty::VERTEX_ELEMENTS), "the bound one, named");
}

// A stale name would change the layout of a mesh that is drawn.
#[test]
fn vertex_arrays_refuse_what_the_specification_refuses() {
    let mut ctx = context();
    let mut reserved = [0];
    c::gen_vertex_arrays(&mut ctx, &mut reserved).unwrap();
    for name in [0, 99, reserved[0]] {
        let codes = [
            code(c::enable_vertex_array_attrib(&mut ctx, name, 0)),
            code(c::disable_vertex_array_attrib(&mut ctx, name, 0)),
            code(c::vertex_array_element_buffer(&mut ctx, name, 0)),
            code(c::vertex_array_vertex_buffer(&mut ctx, name, 0, 0, 0, 0)),
            code(c::vertex_array_vertex_buffers(&mut ctx, name, 0, 1, None, None, None)),
            code(c::vertex_array_attrib_format(&mut ctx, name, 0, 4, t::FLOAT, false, 0)),
            code(c::vertex_array_attrib_i_format(&mut ctx, name, 0, 4, t::INT, 0)),
            code(c::vertex_array_attrib_l_format(&mut ctx, name, 0, 4, t::DOUBLE, 0)),
            code(c::vertex_array_attrib_binding(&mut ctx, name, 0, 0)),
            code(c::vertex_array_binding_divisor(&mut ctx, name, 0, 0)),
            code(c::get_vertex_array(&mut ctx, name, t::ELEMENT_ARRAY_BUFFER_BINDING)),
            code(c::get_vertex_array_indexed(&mut ctx, name, 0, t::VERTEX_ATTRIB_ARRAY_SIZE)),
            code(c::get_vertex_array_indexed64(&mut ctx, name, 0, t::VERTEX_BINDING_OFFSET)),
        ];
        assert!(codes.iter().all(|code| *code == E::InvalidOperation), "{name}: {codes:?}");
    }
    let vao = created(&mut ctx);
    assert_eq!(code(c::vertex_array_element_buffer(&mut ctx, vao, 555)), E::InvalidOperation);
    assert_eq!(code(c::enable_vertex_array_attrib(&mut ctx, vao, 1000)), E::InvalidValue);
    assert_eq!(code(c::vertex_array_vertex_buffer(&mut ctx, vao, 1000, 0, 0, 0)), E::InvalidValue);
    assert_eq!(code(c::vertex_array_vertex_buffer(&mut ctx, vao, 0, 0, -1, 0)), E::InvalidValue);
    assert_eq!(code(c::vertex_array_vertex_buffer(&mut ctx, vao, 0, 0, 0, 1 << 20)), E::InvalidValue);
    assert_eq!(code(c::get_vertex_array(&mut ctx, vao, t::VERTEX_BINDING_OFFSET)), E::InvalidEnum);
    assert_eq!(code(c::get_vertex_array_indexed(&mut ctx, vao, 0, t::CURRENT_VERTEX_ATTRIB)), E::InvalidEnum);
    assert_eq!(code(c::get_vertex_array_indexed64(&mut ctx, vao, 0, t::VERTEX_BINDING_STRIDE)), E::InvalidEnum);
}

// Captures of a particle system would land in the buffer of another one.
#[test]
fn capture_buffers_belong_to_the_object_that_is_named() {
    let mut ctx = context();
    let store = buffer(&mut ctx, t::ARRAY_BUFFER, 64);
    let mut name = [0];
    x::create_transform_feedbacks(&mut ctx, &mut name).unwrap();
    x::transform_feedback_buffer_range(&mut ctx, name[0], 1, store, 8, 16).unwrap();
    x::transform_feedback_buffer_base(&mut ctx, 0, 0, store).unwrap();
    assert!(ctx.buffer.xfb[1].buffer.is_none() && ctx.buffer.xfb[0].buffer.is_some());
    let start = |ctx: &mut Context| {
        let pname = t::TRANSFORM_FEEDBACK_BUFFER_START;
        x::get_transform_feedback_i64(ctx, name[0], pname, 1).unwrap().to_int(0, 64)
    };
    assert_eq!(start(&mut ctx), 8);
    x::bind_transform_feedback(&mut ctx, t::TRANSFORM_FEEDBACK, name[0]).unwrap();
    assert_eq!((ctx.buffer.xfb[1].offset, ctx.buffer.xfb[1].size, start(&mut ctx)), (8, 16, 8));
    let binding = t::TRANSFORM_FEEDBACK_BUFFER_BINDING;
    let of_default = x::get_transform_feedback_i(&mut ctx, 0, binding, 0).unwrap();
    assert_eq!(of_default.to_int(0, 64), i64::from(store));
    assert_eq!(code(x::transform_feedback_buffer_base(&mut ctx, 44, 0, store)), E::InvalidOperation);
    assert_eq!(code(x::transform_feedback_buffer_base(&mut ctx, 0, 99, store)), E::InvalidValue);
    assert_eq!(code(x::transform_feedback_buffer_base(&mut ctx, 0, 0, 999)), E::InvalidValue);
    assert_eq!(code(x::transform_feedback_buffer_range(&mut ctx, 0, 0, store, 2, 16)), E::InvalidValue);
    assert_eq!(code(x::transform_feedback_buffer_range(&mut ctx, 0, 0, store, 0, 0)), E::InvalidValue);
    assert_eq!(code(x::get_transform_feedback(&mut ctx, 44, t::TRANSFORM_FEEDBACK_ACTIVE)), E::InvalidOperation);
    assert_eq!(code(x::get_transform_feedback(&mut ctx, 0, binding)), E::InvalidEnum);
    assert_eq!(code(x::get_transform_feedback_i(&mut ctx, 0, binding, 99)), E::InvalidValue);
    assert_eq!(code(x::get_transform_feedback_i64(&mut ctx, 0, binding, 0)), E::InvalidEnum);
}

// A result that is asked for before the query was ever used would end the connection.
#[test]
fn created_queries_have_a_target_and_a_result_of_zero() {
    let mut ctx = context();
    let store = buffer(&mut ctx, t::QUERY_BUFFER, 16);
    let mut name = [0];
    q::create_queries(&mut ctx, t::SAMPLES_PASSED, &mut name).unwrap();
    assert!(q::is_query(&mut ctx, name[0]).unwrap());
    assert_eq!(code(q::begin_query(&mut ctx, t::ANY_SAMPLES_PASSED, name[0])), E::InvalidOperation);
    assert_eq!(q::get_query_object(&mut ctx, name[0], t::QUERY_RESULT).unwrap().to_int(0, 64), 0);
    forget(&mut ctx);
    q::get_query_buffer_object(&mut ctx, name[0], store, t::QUERY_RESULT, 8, true, false).unwrap();
    assert_eq!(names(&mut ctx), ["resource_subdata"]);
    assert_eq!(code(q::create_queries(&mut ctx, t::TRIANGLES, &mut name)), E::InvalidEnum);
    let refused = q::get_query_buffer_object(&mut ctx, name[0], 999, t::QUERY_RESULT, 0, false, false);
    assert_eq!(code(refused), E::InvalidOperation);
}
