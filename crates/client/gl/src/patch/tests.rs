//! What patch parameters refuse and send.

use super::calls as c;
use crate::draw::calls::draw_arrays;
use crate::error::ErrorCode;
use crate::get::calls::get;
use crate::program::state::Bindings;
use crate::testing::{all, code, context, forget, names, use_bindings};
use crate::tokens as t;
use mgl_pipe::records::SetPatchState;

// A program must learn that its patch is larger than the device takes, and keep the size it had.
#[test]
fn patch_parameters_refuse_what_the_specification_refuses() {
    let ctx = &mut context();
    assert_eq!(code(c::patch_parameteri(ctx, t::PATCH_DEFAULT_OUTER_LEVEL, 3)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::patch_parameteri(ctx, t::PATCH_VERTICES, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::patch_parameteri(ctx, t::PATCH_VERTICES, -1)), ErrorCode::InvalidValue);
    assert_eq!(code(c::patch_parameteri(ctx, t::PATCH_VERTICES, 33)), ErrorCode::InvalidValue);
    assert_eq!(code(c::patch_parameterfv(ctx, t::PATCH_VERTICES, &[1.0])), ErrorCode::InvalidEnum);
    assert_eq!(get(ctx, t::PATCH_VERTICES).unwrap().to_int(0, 32), 3);
    assert_eq!(get(ctx, t::PATCH_DEFAULT_INNER_LEVEL).unwrap().len(), 2);
}

// Tessellated terrain sets its patch size before every draw: sent each time it costs a record per draw, not sent at all it
// draws garbage.
#[test]
fn patch_parameters_travel_when_they_change() {
    let ctx = &mut context();
    use_bindings(ctx, Bindings { tessellation: true, ..Bindings::default() });
    draw_arrays(ctx, t::PATCHES, 0, 4).unwrap();
    assert!(all::<SetPatchState>(ctx).is_empty(), "the server begins with the same");
    for _ in 0..3 {
        c::patch_parameteri(ctx, t::PATCH_VERTICES, 4).unwrap();
        c::patch_parameterfv(ctx, t::PATCH_DEFAULT_OUTER_LEVEL, &[2.0, 3.0, 4.0, 5.0]).unwrap();
        draw_arrays(ctx, t::PATCHES, 0, 4).unwrap();
    }
    let sent = all::<SetPatchState>(ctx);
    assert_eq!(sent.len(), 1);
    assert_eq!((sent[0].0.vertices, sent[0].0.outer), (4, [2.0, 3.0, 4.0, 5.0]));
    forget(ctx);
    draw_arrays(ctx, t::PATCHES, 0, 4).unwrap();
    assert_eq!(names(ctx), ["draw_vbo"]);
}
