//! What buffer calls send, refuse and remember.

use super::calls as c;
use crate::context::Context;
use crate::draw::calls::draw_arrays;
use crate::error::ErrorCode;
use crate::program::state::{Bindings, StorageSlot};
use crate::testing::{all, buffer, code, context, forget, names, recorder, sharing, use_bindings};
use crate::tokens as t;
use mgl_pipe::records::{BufferRange, ResourceRespecify, ResourceSubData, SetShaderBuffers, WaitFlow};
use zerocopy::FromBytes;

fn bytes(at: *mut u8, len: usize) -> Vec<u8> {
    assert!(!at.is_null());
    vec![0; len]
}

fn ranges(ctx: &mut Context) -> Vec<(SetShaderBuffers, Vec<BufferRange>)> {
    let sets = all::<SetShaderBuffers>(ctx);
    sets.into_iter().map(|(h, t)| (h, <[BufferRange]>::ref_from_bytes(&t).unwrap().to_vec())).collect()
}

// Content larger than the staging arena would be lost or stall the program.
#[test]
fn large_uploads_travel_in_pieces() {
    let mut ctx = context();
    buffer(&mut ctx, t::ARRAY_BUFFER, 20 << 20);
    forget(&mut ctx);
    c::buffer_sub_data(&mut ctx, t::ARRAY_BUFFER, 16, &vec![7; 17 << 20]).unwrap();
    let sent = all::<ResourceSubData>(&mut ctx);
    assert_eq!(sent.iter().map(|(h, _)| h.offset).collect::<Vec<_>>(), [16, 16 + (8 << 20), 16 + (16 << 20)]);
    assert_eq!(sent.iter().map(|(h, _)| h.blob.size).sum::<u64>(), 17 << 20);
}

// Programs rely on these errors to find out what a driver can do.
#[test]
fn wrong_arguments_are_answered_as_the_specification_says() {
    let ctx = &mut context();
    assert_eq!(code(c::buffer_data(ctx, t::ARRAY_BUFFER, 4, None, t::STATIC_DRAW)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::bind_buffer(ctx, t::ARRAY_BUFFER, 99)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::bind_buffer(ctx, 0x1234, 0)), ErrorCode::InvalidEnum);
    let name = buffer(ctx, t::ARRAY_BUFFER, 64);
    assert_eq!(code(c::buffer_data(ctx, t::ARRAY_BUFFER, 4, None, 1)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::buffer_data(ctx, t::ARRAY_BUFFER, -1, None, t::STATIC_DRAW)), ErrorCode::InvalidValue);
    assert_eq!(code(c::buffer_sub_data(ctx, t::ARRAY_BUFFER, 60, &[0; 8])), ErrorCode::InvalidValue);
    let map = |ctx: &mut Context, access| code(c::map_buffer_range(ctx, t::ARRAY_BUFFER, 0, 8, access));
    assert_eq!(map(ctx, 0), ErrorCode::InvalidOperation);
    assert_eq!(map(ctx, t::MAP_READ_BIT | t::MAP_INVALIDATE_RANGE_BIT), ErrorCode::InvalidOperation);
    assert_eq!(map(ctx, t::MAP_READ_BIT | t::MAP_FLUSH_EXPLICIT_BIT), ErrorCode::InvalidOperation);
    assert_eq!(map(ctx, 0x8000), ErrorCode::InvalidValue);
    assert_eq!(code(c::unmap_buffer(ctx, t::ARRAY_BUFFER)), ErrorCode::InvalidOperation);
    c::map_buffer_range(ctx, t::ARRAY_BUFFER, 0, 8, t::MAP_WRITE_BIT).unwrap();
    assert_eq!(map(ctx, t::MAP_WRITE_BIT), ErrorCode::InvalidOperation);
    assert_eq!(code(c::buffer_sub_data(ctx, t::ARRAY_BUFFER, 0, &[0; 8])), ErrorCode::InvalidOperation);
    let range = |ctx: &mut Context, at, size| code(c::bind_buffer_range(ctx, t::UNIFORM_BUFFER, 0, name, at, size));
    assert_eq!(range(ctx, 0, 0), ErrorCode::InvalidValue);
    assert_eq!(range(ctx, -4, 4), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_buffer_base(ctx, t::UNIFORM_BUFFER, 84, name)), ErrorCode::InvalidValue);
    assert_eq!(code(c::bind_buffer_base(ctx, t::ARRAY_BUFFER, 0, name)), ErrorCode::InvalidEnum);
    assert_eq!(
        code(c::copy_buffer_sub_data(ctx, t::ARRAY_BUFFER, t::ARRAY_BUFFER, 0, 4, 8)),
        ErrorCode::InvalidOperation
    );
}

// A streaming program maps fresh ranges every frame: each read-back would stop it until the device is idle.
#[test]
fn write_maps_of_undefined_bytes_fetch_nothing() {
    let mut ctx = context();
    buffer(&mut ctx, t::ARRAY_BUFFER, 256);
    forget(&mut ctx);
    for at in [0, 64, 128] {
        c::map_buffer_range(&mut ctx, t::ARRAY_BUFFER, at, 64, t::MAP_WRITE_BIT | t::MAP_UNSYNCHRONIZED_BIT).unwrap();
        assert!(c::unmap_buffer(&mut ctx, t::ARRAY_BUFFER).unwrap());
    }
    assert_eq!(names(&mut ctx), ["resource_subdata"; 3]);
}

// A map for writing must not destroy the bytes that the program leaves alone.
#[test]
fn write_maps_of_defined_bytes_keep_what_is_there() {
    let mut ctx = context();
    buffer(&mut ctx, t::ARRAY_BUFFER, 64);
    c::buffer_sub_data(&mut ctx, t::ARRAY_BUFFER, 0, &[5; 64]).unwrap();
    forget(&mut ctx);
    recorder(&mut ctx).answers.push_back(vec![5; 32]);
    c::map_buffer_range(&mut ctx, t::ARRAY_BUFFER, 16, 32, t::MAP_WRITE_BIT).unwrap();
    c::unmap_buffer(&mut ctx, t::ARRAY_BUFFER).unwrap();
    assert_eq!(names(&mut ctx), ["resource_readback", "resource_subdata"]);
    assert_eq!(recorder(&mut ctx).staged, [5; 32]);
    // The same range again is known here, until something else writes it.
    forget(&mut ctx);
    c::map_buffer_range(&mut ctx, t::ARRAY_BUFFER, 16, 32, t::MAP_WRITE_BIT).unwrap();
    c::unmap_buffer(&mut ctx, t::ARRAY_BUFFER).unwrap();
    assert_eq!(names(&mut ctx), ["resource_subdata"]);
    c::buffer_sub_data(&mut ctx, t::ARRAY_BUFFER, 20, &[6; 4]).unwrap();
    forget(&mut ctx);
    recorder(&mut ctx).answers.push_back(vec![6; 32]);
    let at = c::map_buffer_range(&mut ctx, t::ARRAY_BUFFER, 16, 32, t::MAP_READ_BIT).unwrap();
    assert_eq!(bytes(at, 32).len(), 32);
    assert_eq!(at.addr() % 64, 16, "maps keep the alignment of the offset");
    c::unmap_buffer(&mut ctx, t::ARRAY_BUFFER).unwrap();
    assert_eq!(names(&mut ctx), ["resource_readback"]);
}

// Orphaning is how programs avoid waiting for the device: the store must be replaced, not overwritten.
#[test]
fn invalidating_maps_orphan_and_explicit_flushes_send_only_themselves() {
    let mut ctx = context();
    buffer(&mut ctx, t::ARRAY_BUFFER, 64);
    c::buffer_sub_data(&mut ctx, t::ARRAY_BUFFER, 0, &[5; 64]).unwrap();
    forget(&mut ctx);
    let access = t::MAP_WRITE_BIT | t::MAP_INVALIDATE_BUFFER_BIT | t::MAP_FLUSH_EXPLICIT_BIT;
    c::map_buffer_range(&mut ctx, t::ARRAY_BUFFER, 8, 48, access).unwrap();
    c::flush_mapped_buffer_range(&mut ctx, t::ARRAY_BUFFER, 4, 8).unwrap();
    assert_eq!(code(c::flush_mapped_buffer_range(&mut ctx, t::ARRAY_BUFFER, 44, 8)), ErrorCode::InvalidValue);
    c::unmap_buffer(&mut ctx, t::ARRAY_BUFFER).unwrap();
    assert_eq!(all::<ResourceRespecify>(&mut ctx).len(), 1);
    let sent = all::<ResourceSubData>(&mut ctx);
    assert_eq!(sent.iter().map(|(h, _)| (h.offset, h.blob.size)).collect::<Vec<_>>(), [(12, 8)]);
}

// A uniform block would read the wrong buffer, or the old size of one that was redefined.
#[test]
fn ranges_go_by_slot_and_follow_the_size() {
    let mut ctx = context();
    use_bindings(
        &mut ctx,
        Bindings {
            uniform_blocks: vec![None, Some(7), Some(3)],
            storage: vec![Some(StorageSlot::Storage(2)), Some(StorageSlot::Atomic(0))],
            ..Bindings::default()
        },
    );
    let name = buffer(&mut ctx, t::UNIFORM_BUFFER, 100);
    c::bind_buffer_base(&mut ctx, t::UNIFORM_BUFFER, 7, name).unwrap();
    c::bind_buffer_range(&mut ctx, t::UNIFORM_BUFFER, 3, name, 64, 64).unwrap();
    c::bind_buffer_base(&mut ctx, t::ATOMIC_COUNTER_BUFFER, 0, name).unwrap();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let sent = ranges(&mut ctx);
    // Slot 0 is the default block and never differs from "nothing".
    assert_eq!(
        (sent[0].0.start, sent[0].1.iter().map(|r| (r.offset, r.size)).collect()),
        (0, vec![(0, 0), (0, 100), (64, 36)])
    );
    assert_eq!(sent[1].1.last().map(|r| r.size), Some(100));
    forget(&mut ctx);
    c::bind_buffer(&mut ctx, t::ARRAY_BUFFER, name).unwrap();
    c::buffer_data(&mut ctx, t::ARRAY_BUFFER, 80, None, t::STATIC_DRAW).unwrap();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let sent = ranges(&mut ctx);
    assert_eq!((sent[0].0.start, sent[0].1.iter().map(|r| r.size).collect()), (1, vec![80, 16]));
    forget(&mut ctx);
    c::bind_buffer_base(&mut ctx, t::UNIFORM_BUFFER, 7, 0).unwrap();
    c::bind_buffer_base(&mut ctx, t::UNIFORM_BUFFER, 7, name).unwrap();
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    assert_eq!(names(&mut ctx), ["draw_vbo"], "rebinding the same is no change");
}

// A deleted buffer that stays bound would be drawn from after its memory is gone.
#[test]
fn deletion_unbinds_and_the_store_dies_with_its_last_user() {
    let mut ctx = context();
    let name = buffer(&mut ctx, t::UNIFORM_BUFFER, 16);
    c::bind_buffer_base(&mut ctx, t::UNIFORM_BUFFER, 1, name).unwrap();
    let mut other = sharing(&ctx, 2);
    c::bind_buffer(&mut other, t::ARRAY_BUFFER, name).unwrap();
    c::delete_buffers(&mut ctx, &[name, 0, 12345]).unwrap();
    assert!(!c::is_buffer(&mut ctx, name).unwrap());
    assert!(ctx.buffer.uniform[1].buffer.is_none());
    forget(&mut ctx);
    ctx.emit_deaths();
    assert!(names(&mut ctx).is_empty(), "the other context still uses it");
    c::bind_buffer(&mut other, t::ARRAY_BUFFER, 0).unwrap();
    ctx.emit_deaths();
    assert_eq!(names(&mut ctx), ["resource_destroy"]);
}

// Another context's upload would not have arrived when this context draws with the buffer.
#[test]
fn use_in_another_context_is_ordered_after_the_write() {
    let mut ctx = context();
    let name = buffer(&mut ctx, t::ARRAY_BUFFER, 16);
    c::buffer_sub_data(&mut ctx, t::ARRAY_BUFFER, 0, &[1; 16]).unwrap();
    let wrote = ctx.out.seq();
    let mut other = sharing(&ctx, 2);
    c::bind_buffer(&mut other, t::ARRAY_BUFFER, name).unwrap();
    c::buffer_sub_data(&mut other, t::ARRAY_BUFFER, 0, &[2; 16]).unwrap();
    let waits = all::<WaitFlow>(&mut other);
    assert_eq!(waits.iter().map(|(h, _)| (h.flow, h.seq)).collect::<Vec<_>>(), [(1, wrote)]);
}

// A program with hundreds of megabytes mapped writes a few pages a frame. Comparing all of it before every draw took most of
// its processor; sending all of it would take the rest.
#[test]
fn only_pages_that_were_written_are_compared_and_sent() {
    const SIZE: usize = 4 << 20;
    let mut ctx = context();
    let mut names_of = [0; 2];
    c::gen_buffers(&mut ctx, &mut names_of).unwrap();
    let flags = t::MAP_WRITE_BIT | t::MAP_PERSISTENT_BIT | t::MAP_COHERENT_BIT;
    for (name, target) in names_of.into_iter().zip([t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER]) {
        c::bind_buffer(&mut ctx, target, name).unwrap();
        c::buffer_storage(&mut ctx, target, SIZE as isize, None, flags).unwrap();
        c::map_buffer_range(&mut ctx, target, 0, SIZE as isize, flags).unwrap();
    }
    let bound = |ctx: &Context, target| ctx.buffer.bound(target).cloned().unwrap();
    let source = bound(&ctx, super::state::Target::CopyRead);
    let other = bound(&ctx, super::state::Target::CopyWrite);
    let whole = 0..SIZE as u64;
    let copy = |ctx: &mut Context| c::copy_buffer_sub_data(ctx, t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 4);
    // The first look is at everything.
    source.store().scratch(&whole, 5..6).fill(1);
    copy(&mut ctx).unwrap();
    forget(&mut ctx);
    let sent = |ctx: &mut Context| -> Vec<(u64, u64)> {
        let records = all::<ResourceSubData>(ctx);
        records.iter().map(|(h, _)| (h.offset, h.blob.size)).collect()
    };
    // A difference on a page that nobody wrote would be found by looking at it.
    for buffer in [&source, &other] {
        buffer.store().pretend_sent(SIZE / 2, 99);
    }
    source.store().scratch(&whole, 70_000..70_003).fill(7);
    source.store().scratch(&whole, 1_000_000..1_000_001).fill(8);
    other.store().scratch(&whole, 9..10).fill(9);
    copy(&mut ctx).unwrap();
    let mut seen = sent(&mut ctx);
    seen.sort_unstable();
    assert_eq!(seen, [(9, 1), (70_000, 3), (1_000_000, 1)]);
    forget(&mut ctx);
    // One map ends while the other lasts.
    source.store().scratch(&whole, 77..78).fill(3);
    c::unmap_buffer(&mut ctx, t::COPY_READ_BUFFER).unwrap();
    other.store().scratch(&whole, 100..101).fill(4);
    copy(&mut ctx).unwrap();
    assert_eq!(sent(&mut ctx), [(77, 1), (100, 1)]);
}

// Staging buffers stay mapped for good: what the program wrote must be there when it is copied or drawn from, once, and
// ending the map must not undo what the device wrote meanwhile.
#[test]
fn persistent_maps_send_what_changed_before_it_is_used() {
    let mut ctx = context();
    let mut names_of = [0; 2];
    c::gen_buffers(&mut ctx, &mut names_of).unwrap();
    let flags = t::MAP_WRITE_BIT | t::MAP_PERSISTENT_BIT | t::MAP_COHERENT_BIT;
    for (name, target) in names_of.into_iter().zip([t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER]) {
        c::bind_buffer(&mut ctx, target, name).unwrap();
        c::buffer_storage(&mut ctx, target, 4 << 20, None, flags).unwrap();
    }
    c::map_buffer_range(&mut ctx, t::COPY_READ_BUFFER, 0, 4 << 20, flags).unwrap();
    let source = ctx.buffer.bound(super::state::Target::CopyRead).cloned().unwrap();
    source.store().scratch(&(0..4 << 20), 1000..1010).fill(9);
    forget(&mut ctx);
    let copy = |ctx: &mut Context| c::copy_buffer_sub_data(ctx, t::COPY_READ_BUFFER, t::COPY_WRITE_BUFFER, 0, 0, 2048);
    copy(&mut ctx).unwrap();
    assert_eq!(names(&mut ctx), ["resource_subdata", "copy_buffer"]);
    let sent = all::<ResourceSubData>(&mut ctx)[0].0;
    assert_eq!((sent.offset, sent.blob.size), (1000, 10));
    forget(&mut ctx);
    copy(&mut ctx).unwrap();
    assert_eq!(names(&mut ctx), ["copy_buffer"], "nothing changed since");
    // A draw that cannot read a large store does not look at it; one that does sends the change.
    source.store().scratch(&(0..4 << 20), 5..6).fill(1);
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    assert!(all::<ResourceSubData>(&mut ctx).iter().all(|(h, _)| h.slot != source.handle.slot()));
    c::bind_buffer_base(&mut ctx, t::UNIFORM_BUFFER, 0, names_of[0]).unwrap();
    forget(&mut ctx);
    draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    assert!(names(&mut ctx).starts_with(&["resource_subdata"]));
    forget(&mut ctx);
    c::unmap_buffer(&mut ctx, t::COPY_READ_BUFFER).unwrap();
    assert!(names(&mut ctx).is_empty());
}
