//! What queries refuse, and where their results go.

use super::calls as c;
use super::to_buffer::{Form, answered};
use crate::context::Context;
use crate::error::ErrorCode;
use crate::testing::{all, buffer, code, context};
use crate::tokens as t;
use mgl_pipe::records::QueryResultToBuffer;

const UINT: Form = Form { wide: false, signed: false };

fn ended(ctx: &mut Context) -> u32 {
    let mut id = [0];
    c::gen_queries(ctx, &mut id).unwrap();
    c::begin_query(ctx, t::PRIMITIVES_GENERATED, id[0]).unwrap();
    c::end_query(ctx, t::PRIMITIVES_GENERATED).unwrap();
    id[0]
}

// A result written past the buffer, or into the program's memory at a small address, is memory corruption.
#[test]
fn results_go_to_the_query_buffer_while_one_is_bound() {
    let ctx = &mut context();
    let id = ended(ctx);
    assert!(!answered(ctx, id, t::QUERY_RESULT, 0, UINT).unwrap(), "no buffer: the pointer is the program's");
    buffer(ctx, t::QUERY_BUFFER, 8);
    let wide = Form { wide: true, signed: true };
    assert_eq!(code(answered(ctx, id, t::QUERY_RESULT, -4, UINT)), ErrorCode::InvalidValue);
    assert_eq!(code(answered(ctx, id, t::QUERY_RESULT, 4, wide)), ErrorCode::InvalidOperation);
    assert_eq!(code(answered(ctx, id, t::CURRENT_QUERY, 0, UINT)), ErrorCode::InvalidEnum);
    assert_eq!(code(answered(ctx, 99, t::QUERY_RESULT, 0, UINT)), ErrorCode::InvalidOperation);
    assert!(answered(ctx, id, t::QUERY_RESULT_NO_WAIT, 4, UINT).unwrap());
    let sent = all::<QueryResultToBuffer>(ctx);
    assert_eq!(sent.len(), 1);
    let head = sent[0].0;
    assert_eq!((head.offset, head.wait.get(), head.available.get(), head.wide.get()), (4, false, false, false));
}

// A program that asks for what the device cannot count must be told at once, not draw with a query that is dead.
#[test]
fn targets_follow_the_device() {
    let ctx = &mut context();
    let mut id = [0];
    c::gen_queries(ctx, &mut id).unwrap();
    for target in [t::VERTICES_SUBMITTED, t::TRANSFORM_FEEDBACK_OVERFLOW, t::TRANSFORM_FEEDBACK_STREAM_OVERFLOW] {
        assert_eq!(code(c::begin_query(ctx, target, id[0])), ErrorCode::InvalidEnum);
    }
    assert_eq!(code(c::begin_query_indexed(ctx, t::PRIMITIVES_GENERATED, 1, id[0])), ErrorCode::InvalidValue);
    assert_eq!(code(c::begin_query_indexed(ctx, t::ANY_SAMPLES_PASSED, 1, id[0])), ErrorCode::InvalidValue);
    c::begin_query(ctx, t::PRIMITIVES_GENERATED, id[0]).unwrap();
    assert_eq!(code(c::end_query_indexed(ctx, t::PRIMITIVES_GENERATED, 1)), ErrorCode::InvalidValue);
    assert_eq!(code(c::get_query_object(ctx, id[0], t::QUERY_RESULT)), ErrorCode::InvalidOperation, "active");
}

// The target of a query that is put into a buffer would be read back as what a map had left there.
#[test]
fn a_target_in_a_buffer_is_not_hidden_by_an_older_map() {
    let ctx = &mut context();
    let id = ended(ctx);
    buffer(ctx, t::QUERY_BUFFER, 16);
    crate::buffer::calls::map_buffer_range(ctx, t::QUERY_BUFFER, 0, 16, t::MAP_WRITE_BIT).unwrap();
    crate::buffer::calls::unmap_buffer(ctx, t::QUERY_BUFFER).unwrap();
    let bound = ctx.buffer.bound(crate::buffer::state::Target::Query).cloned().unwrap();
    let known = || crate::buffer::upload::known(&bound, 4..12);
    assert!(known().is_some(), "the map left its bytes here");
    assert!(answered(ctx, id, t::QUERY_TARGET, 4, Form { wide: true, signed: false }).unwrap());
    assert!(known().is_none());
}
