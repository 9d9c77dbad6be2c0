//! Buffers by name (GL 4.6 §6).

use crate::abi::At;
use crate::buffer::calls as c;
use crate::buffer::state::Target;
use crate::error::ErrorCode;
use crate::testing::{code, context, forget, names};
use crate::tokens as t;

fn created(ctx: &mut crate::Context) -> At {
    let mut name = [0];
    c::create_buffers(ctx, &mut name).unwrap();
    At::Named(name[0])
}

// Engines fill their buffers by name while another one is bound: that one would be filled instead.
#[test]
fn a_named_buffer_is_worked_on_and_none_is_bound() {
    let mut ctx = context();
    let at = created(&mut ctx);
    forget(&mut ctx);
    c::buffer_data(&mut ctx, at, 64, None, t::STATIC_DRAW).unwrap();
    c::buffer_sub_data(&mut ctx, at, 8, &[1; 8]).unwrap();
    c::map_buffer_range(&mut ctx, at, 0, 16, t::MAP_WRITE_BIT | t::MAP_INVALIDATE_RANGE_BIT).unwrap();
    assert!(!c::get_buffer_pointer(&mut ctx, at, t::BUFFER_MAP_POINTER).unwrap().is_null());
    c::unmap_buffer(&mut ctx, at).unwrap();
    assert_eq!(names(&mut ctx), ["resource_respecify", "resource_subdata", "resource_subdata"]);
    assert_eq!(c::get_buffer_parameter(&mut ctx, at, t::BUFFER_SIZE).unwrap().to_int(0, 32), 64);
    assert!(TARGETS.iter().all(|target| ctx.buffer.bound(*target).is_none()));
}

const TARGETS: [Target; 4] = [Target::Array, Target::CopyRead, Target::CopyWrite, Target::PixelUnpack];

// A program with a stale name would write into a buffer that is not there, or bring one into being by accident.
#[test]
fn names_without_an_object_are_refused() {
    let mut ctx = context();
    let mut reserved = [0];
    c::gen_buffers(&mut ctx, &mut reserved).unwrap();
    let (there, data) = (created(&mut ctx), &mut [0; 4]);
    forget(&mut ctx);
    for at in [At::Named(0), At::Named(999), At::Named(reserved[0])] {
        let refused = [
            code(c::buffer_data(&mut ctx, at, 4, None, t::STATIC_DRAW)),
            code(c::buffer_storage(&mut ctx, at, 4, None, 0)),
            code(c::buffer_sub_data(&mut ctx, at, 0, &[])),
            code(c::copy_buffer_sub_data(&mut ctx, at, there, 0, 0, 0)),
            code(c::copy_buffer_sub_data(&mut ctx, there, at, 0, 0, 0)),
            code(c::map_buffer(&mut ctx, at, t::READ_ONLY)),
            code(c::map_buffer_range(&mut ctx, at, 0, 4, t::MAP_READ_BIT)),
            code(c::unmap_buffer(&mut ctx, at)),
            code(c::flush_mapped_buffer_range(&mut ctx, at, 0, 0)),
            code(c::get_buffer_parameter(&mut ctx, at, t::BUFFER_SIZE)),
            code(c::get_buffer_pointer(&mut ctx, at, t::BUFFER_MAP_POINTER)),
            code(c::get_buffer_sub_data(&mut ctx, at, 0, data)),
            code(crate::clear::calls::clear_buffer_data(&mut ctx, at, t::R8, t::RED, t::UNSIGNED_BYTE, None)),
        ];
        assert!(refused.iter().all(|code| *code == ErrorCode::InvalidOperation), "{at:?}: {refused:?}");
    }
    assert!(!c::is_buffer(&mut ctx, reserved[0]).unwrap());
    assert!(names(&mut ctx).is_empty());
}
