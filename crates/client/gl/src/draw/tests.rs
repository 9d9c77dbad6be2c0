//! What draws cost and send in steady state, and what they refuse.

use super::calls as c;
use crate::buffer::calls::{bind_buffer, map_buffer_range, unmap_buffer};
use crate::buffer::stream::FIRST;
use crate::context::Context;
use crate::error::ErrorCode;
use crate::framebuffer::calls as fb;
use crate::program::state::Bindings;
use crate::render_state::calls as rs;
use crate::renderbuffer::calls as rb;
use crate::testing::{all, buffer, code, context, forget, names, recorder, use_bindings};
use crate::tokens as t;
use crate::vertex_array::calls as va;
use mgl_pipe::records::{
    CreateVertexElements, DrawIndirect, DrawRange, DrawVbo, ResourceRespecify, SetIndexBuffer, SetVertexAttribDefaults,
    SetVertexBuffers, VertexBuffer, WRITTEN_ONCE,
};
use mgl_pipe::tokens::DrawPart;
use zerocopy::FromBytes;

/// A context that draws indexed triangles from one interleaved buffer.
fn scene() -> Context {
    let mut ctx = context();
    use_bindings(&mut ctx, Bindings { attribs: 0b11, ..Bindings::default() });
    buffer(&mut ctx, t::ARRAY_BUFFER, 4096);
    buffer(&mut ctx, t::ELEMENT_ARRAY_BUFFER, 4096);
    va::vertex_attrib_pointer(&mut ctx, 0, 3, t::FLOAT, false, 20, 0).unwrap();
    va::vertex_attrib_pointer(&mut ctx, 1, 2, t::FLOAT, false, 20, 12).unwrap();
    va::enable_vertex_attrib_array(&mut ctx, 0).unwrap();
    va::enable_vertex_attrib_array(&mut ctx, 1).unwrap();
    ctx
}

fn ranges(ctx: &mut Context) -> Vec<(DrawVbo, Vec<DrawRange>)> {
    let draws = all::<DrawVbo>(ctx);
    draws.into_iter().map(|(h, t)| (h, <[DrawRange]>::ref_from_bytes(&t).unwrap().to_vec())).collect()
}

// Thousands of draws a frame: an allocation or a second record in each is felt as lost frames.
#[test]
fn a_steady_draw_is_one_record_of_48_bytes_and_allocates_nothing() {
    let mut ctx = scene();
    recorder(&mut ctx).counting = true;
    let draw = |ctx: &mut Context| c::draw_elements(ctx, t::TRIANGLES, 36, t::UNSIGNED_SHORT, 24).unwrap();
    draw(&mut ctx);
    let before = (recorder(&mut ctx).count, recorder(&mut ctx).ring_bytes);
    let used = allocation_counter::measure(|| (0..100).for_each(|_| draw(&mut ctx)));
    let after = (recorder(&mut ctx).count, recorder(&mut ctx).ring_bytes);
    assert_eq!((after.0 - before.0, after.1 - before.1), (100, 4800));
    assert_eq!(used.count_total, 0);
}

// The same with the state changes of a real frame around each draw.
#[test]
fn toggled_state_allocates_nothing_once_it_was_seen() {
    let mut ctx = scene();
    recorder(&mut ctx).counting = true;
    let frame = |ctx: &mut Context| {
        rs::enable(ctx, t::BLEND).unwrap();
        rs::viewport(ctx, 0, 0, 32, 32).unwrap();
        c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
        rs::disable(ctx, t::BLEND).unwrap();
        rs::viewport(ctx, 0, 0, 64, 64).unwrap();
        va::disable_vertex_attrib_array(ctx, 1).unwrap();
        c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
        va::enable_vertex_attrib_array(ctx, 1).unwrap();
        c::multi_draw_arrays(ctx, t::TRIANGLES, &[0, 3], &[3, 3]).unwrap();
    };
    (0..2).for_each(|_| frame(&mut ctx));
    let used = allocation_counter::measure(|| (0..10).for_each(|_| frame(&mut ctx)));
    assert_eq!(used.count_total, 0);
}

// Programs must learn of their mistakes, and legal calls that draw nothing must not reach the device.
#[test]
fn draws_refuse_what_the_specification_refuses() {
    let ctx = &mut scene();
    assert_eq!(code(c::draw_arrays(ctx, 0x7, 0, 3)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::draw_arrays(ctx, t::TRIANGLES, -1, 3)), ErrorCode::InvalidValue);
    assert_eq!(code(c::draw_arrays(ctx, t::TRIANGLES, 0, -3)), ErrorCode::InvalidValue);
    assert_eq!(code(c::draw_arrays(ctx, t::PATCHES, 0, 3)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::draw_elements(ctx, t::TRIANGLES, 3, t::FLOAT, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::draw_range_elements(ctx, t::TRIANGLES, 2, 1, 3, t::UNSIGNED_INT, 0)), ErrorCode::InvalidValue);
    assert_eq!(code(c::draw_arrays_indirect(ctx, t::TRIANGLES, 0)), ErrorCode::InvalidOperation);
    map_buffer_range(ctx, t::ARRAY_BUFFER, 0, 4, t::MAP_WRITE_BIT).unwrap();
    assert_eq!(code(c::draw_arrays(ctx, t::TRIANGLES, 0, 3)), ErrorCode::InvalidOperation);
    unmap_buffer(ctx, t::ARRAY_BUFFER).unwrap();
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, 0).unwrap();
    assert_eq!(code(c::draw_elements(ctx, t::TRIANGLES, 3, t::UNSIGNED_INT, 0)), ErrorCode::InvalidOperation);
    forget(ctx);
    c::draw_arrays(ctx, t::TRIANGLES, 0, 0).unwrap();
    c::draw_arrays_instanced(ctx, t::TRIANGLES, 0, 3, 0).unwrap();
    c::multi_draw_arrays(ctx, t::TRIANGLES, &[0], &[0]).unwrap();
    assert!(names(ctx).is_empty());
    va::bind_vertex_array(ctx, 0).unwrap();
    assert_eq!(code(c::draw_arrays(ctx, t::TRIANGLES, 0, 3)), ErrorCode::InvalidOperation);
}

// The short way of a repeated draw must not be taken once something has changed, or a mistake goes unseen and a change is
// never sent.
#[test]
fn repeated_draws_see_what_changed() {
    let ctx = &mut scene();
    let arrays = |ctx: &mut Context, mode| c::draw_arrays(ctx, mode, 0, 3);
    let elements = |ctx: &mut Context| c::draw_elements(ctx, t::TRIANGLES, 3, t::UNSIGNED_SHORT, 0);
    for _ in 0..2 {
        arrays(ctx, t::TRIANGLES).unwrap();
        elements(ctx).unwrap();
    }
    assert_eq!(code(arrays(ctx, t::PATCHES)), ErrorCode::InvalidOperation);
    assert_eq!(code(arrays(ctx, 77)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::draw_elements(ctx, t::TRIANGLES, 3, t::FLOAT, 0)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::draw_arrays(ctx, t::TRIANGLES, 0, -1)), ErrorCode::InvalidValue);
    let element = ctx.vertex_array.element_buffer().map(|b| b.name).unwrap_or_default();
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, 0).unwrap();
    arrays(ctx, t::TRIANGLES).unwrap();
    assert_eq!(code(elements(ctx)), ErrorCode::InvalidOperation, "no element buffer any more");
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, element).unwrap();
    elements(ctx).unwrap();
    map_buffer_range(ctx, t::ARRAY_BUFFER, 0, 4, t::MAP_WRITE_BIT).unwrap();
    assert_eq!(code(arrays(ctx, t::TRIANGLES)), ErrorCode::InvalidOperation, "a mapped buffer");
    unmap_buffer(ctx, t::ARRAY_BUFFER).unwrap();
    arrays(ctx, t::TRIANGLES).unwrap();
    forget(ctx);
    rs::enable(ctx, t::BLEND).unwrap();
    arrays(ctx, t::TRIANGLES).unwrap();
    assert_eq!(names(ctx), ["create_render_state", "bind_render_state", "draw_vbo"]);
}

// Toggling what GL ignores must not keep draws from being drawn as one; with samples it must reach the server.
#[test]
fn multisample_state_travels_with_several_samples_alone() {
    let ctx = &mut scene();
    c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
    forget(ctx);
    for cap in [t::MULTISAMPLE, t::SAMPLE_MASK, t::SAMPLE_ALPHA_TO_COVERAGE, t::SAMPLE_COVERAGE, t::SAMPLE_SHADING] {
        let on = rs::is_enabled(ctx, cap).unwrap();
        if on { rs::disable(ctx, cap) } else { rs::enable(ctx, cap) }.unwrap();
        c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
    }
    assert!(names(ctx).iter().all(|name| *name == "draw_vbo"), "{:?}", names(ctx));
    let (mut buffer, mut framebuffer) = ([0], [0]);
    rb::gen_renderbuffers(ctx, &mut buffer).unwrap();
    rb::bind_renderbuffer(ctx, t::RENDERBUFFER, buffer[0]).unwrap();
    rb::renderbuffer_storage_multisample(ctx, t::RENDERBUFFER, 4, t::RGBA8, 8, 8).unwrap();
    fb::gen_framebuffers(ctx, &mut framebuffer).unwrap();
    fb::bind_framebuffer(ctx, t::FRAMEBUFFER, framebuffer[0]).unwrap();
    fb::framebuffer_renderbuffer(ctx, t::FRAMEBUFFER, t::COLOR_ATTACHMENT0, t::RENDERBUFFER, buffer[0]).unwrap();
    rs::enable(ctx, t::SAMPLE_ALPHA_TO_ONE).unwrap();
    forget(ctx);
    c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
    rs::disable(ctx, t::SAMPLE_ALPHA_TO_ONE).unwrap();
    c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
    let made = names(ctx).iter().filter(|name| **name == "create_render_state").count();
    assert_eq!(made, 2, "{:?}", names(ctx));
    fb::bind_framebuffer(ctx, t::FRAMEBUFFER, 0).unwrap();
    forget(ctx);
    c::draw_arrays(ctx, t::TRIANGLES, 0, 3).unwrap();
    assert!(names(ctx).contains(&"bind_render_state"), "{:?}", names(ctx));
}

// Strips would be cut at the wrong index, or not at all.
#[test]
fn restart_follows_the_index_type() {
    let mut ctx = scene();
    let mut draw = |type_| {
        forget(&mut ctx);
        c::draw_elements(&mut ctx, t::TRIANGLE_STRIP, 3, type_, 0).unwrap();
        let head = all::<DrawVbo>(&mut ctx)[0].0;
        (head.restart.get(), head.restart_index)
    };
    assert_eq!(draw(t::UNSIGNED_INT), (false, 0));
    let mut ctx = scene();
    rs::enable(&mut ctx, t::PRIMITIVE_RESTART).unwrap();
    rs::primitive_restart_index(&mut ctx, 0x1_0000).unwrap();
    let mut draw = |type_| {
        forget(&mut ctx);
        c::draw_elements(&mut ctx, t::TRIANGLE_STRIP, 3, type_, 0).unwrap();
        let head = all::<DrawVbo>(&mut ctx)[0].0;
        (head.restart.get(), head.restart_index)
    };
    assert_eq!(draw(t::UNSIGNED_INT), (true, 0x1_0000));
    assert_eq!(draw(t::UNSIGNED_SHORT), (false, 0), "no 16-bit index can be that large");
    rs::enable(&mut ctx, t::PRIMITIVE_RESTART_FIXED_INDEX).unwrap();
    forget(&mut ctx);
    c::draw_elements(&mut ctx, t::TRIANGLE_STRIP, 3, t::UNSIGNED_BYTE, 0).unwrap();
    assert_eq!(all::<DrawVbo>(&mut ctx)[0].0.restart_index, 0xFF);
}

// A chunk renderer's whole frame is one call: it must stay one record, and nothing of it may be lost when it is long.
#[test]
fn multi_draws_are_one_record_until_they_are_too_long() {
    let mut ctx = scene();
    c::multi_draw_elements_base_vertex(&mut ctx, t::TRIANGLES, &[3, 0, 6], t::UNSIGNED_INT, &[0, 4, 8], &[1, 2, 3])
        .unwrap();
    let sent = ranges(&mut ctx);
    assert_eq!(sent.len(), 1);
    let parts: Vec<_> = sent[0].1.iter().map(|r| (r.start, r.count, r.base_vertex)).collect();
    // The empty draw counts for gl_DrawID.
    assert_eq!(parts, [(0, 3, 1), (4, 0, 2), (8, 6, 3)]);
    forget(&mut ctx);
    c::multi_draw_arrays(&mut ctx, t::POINTS, &vec![1; 20_000], &vec![1; 20_000]).unwrap();
    let parts = |ctx: &mut Context| ranges(ctx).iter().map(|(head, r)| (head.part, r.len())).collect::<Vec<_>>();
    assert_eq!(parts(&mut ctx), [(DrawPart::More, 16_384), (DrawPart::Last, 3_616)]);
    forget(&mut ctx);
    c::multi_draw_arrays(&mut ctx, t::POINTS, &vec![1; (1 << 20) + 1], &vec![1; (1 << 20) + 1]).unwrap();
    let sent = parts(&mut ctx);
    assert_eq!(sent.iter().filter(|part| part.0 == DrawPart::More).count(), 63);
    assert_eq!(sent[63..], [(DrawPart::Last, 16_384), (DrawPart::Whole, 1)]);
}

// Switching between two meshes must not send either layout again.
#[test]
fn layouts_and_buffers_travel_once() {
    let mut ctx = scene();
    let mut names_of = [0; 2];
    va::gen_vertex_arrays(&mut ctx, &mut names_of).unwrap();
    for vao in names_of {
        va::bind_vertex_array(&mut ctx, vao).unwrap();
        va::vertex_attrib_pointer(&mut ctx, 0, 3, t::FLOAT, false, 0, 64 * vao as usize).unwrap();
        va::enable_vertex_attrib_array(&mut ctx, 0).unwrap();
    }
    for _ in 0..4 {
        for vao in names_of {
            va::bind_vertex_array(&mut ctx, vao).unwrap();
            c::draw_arrays(&mut ctx, t::TRIANGLES, 0, 3).unwrap();
        }
    }
    assert_eq!(all::<CreateVertexElements>(&mut ctx).len(), 1, "both arrays have the same layout");
    let sets = all::<SetVertexBuffers>(&mut ctx);
    let offsets =
        |t: &Vec<u8>| <[VertexBuffer]>::ref_from_bytes(t).unwrap().iter().map(|b| b.offset).collect::<Vec<_>>();
    assert_eq!(sets.len(), 8);
    assert_ne!(offsets(&sets[0].1), offsets(&sets[1].1));
}

// An attribute without an array would read garbage instead of the current value.
#[test]
fn missing_arrays_read_the_current_value_in_the_shaders_class() {
    let mut ctx = context();
    use_bindings(&mut ctx, Bindings { attribs: 0b110, integer_attribs: 0b100, ..Bindings::default() });
    va::vertex_attrib_f(&mut ctx, 1, [0.5, 0.0, 0.0, 1.0]).unwrap();
    c::draw_arrays(&mut ctx, t::POINTS, 0, 1).unwrap();
    let (head, tail) = all::<SetVertexAttribDefaults>(&mut ctx).remove(0);
    let values = <[mgl_pipe::records::AttribValue]>::ref_from_bytes(&tail).unwrap();
    assert_eq!(head.count, 2);
    assert_eq!((values[0].location, values[0].bits[0]), (1, 0.5f32.to_bits()));
    assert_eq!((values[1].class, values[1].bits), (1, [0, 0, 0, 1]));
    assert_eq!(code(va::vertex_attrib_f(&mut ctx, 16, [0.0; 4])), ErrorCode::InvalidValue);
}

// A program whose counts lie beyond the buffer must learn it; the device would read whatever lies behind.
#[test]
fn counted_draws_refuse_what_the_specification_refuses() {
    let ctx = &mut scene();
    let draw = |ctx: &mut Context, count| c::multi_draw_arrays_indirect_count(ctx, t::TRIANGLES, 0, count, 2, 0);
    assert_eq!(code(draw(ctx, 0)), ErrorCode::InvalidOperation, "no indirect buffer");
    buffer(ctx, t::DRAW_INDIRECT_BUFFER, 32);
    assert_eq!(code(draw(ctx, 0)), ErrorCode::InvalidOperation, "no parameter buffer");
    buffer(ctx, t::PARAMETER_BUFFER, 8);
    assert_eq!(code(draw(ctx, 2)), ErrorCode::InvalidValue);
    assert_eq!(code(draw(ctx, -4)), ErrorCode::InvalidValue);
    assert_eq!(code(draw(ctx, 8)), ErrorCode::InvalidOperation, "beyond the buffer");
    let large = c::multi_draw_elements_indirect_count(ctx, t::TRIANGLES, t::UNSIGNED_INT, 0, 0, 2, 0);
    assert_eq!(code(large), ErrorCode::InvalidOperation, "two commands of 20 bytes in 32");
    draw(ctx, 4).unwrap();
    let (head, tail) = all::<DrawVbo>(ctx).remove(0);
    let (sent, _) = DrawIndirect::ref_from_prefix(&tail).unwrap();
    assert_eq!((head.indirect_count, sent.parameter_offset, sent.draw_count), (1, 4, 2));
}

// Drawing an object that captured nothing draws last frame's vertices, or memory that was never written.
#[test]
fn draws_of_captured_vertices_refuse_what_the_specification_refuses() {
    let ctx = &mut scene();
    assert_eq!(code(c::draw_transform_feedback(ctx, t::POINTS, 7)), ErrorCode::InvalidValue, "no object");
    assert_eq!(code(c::draw_transform_feedback(ctx, t::POINTS, 0)), ErrorCode::InvalidOperation, "never ended");
    assert_eq!(code(c::draw_transform_feedback_stream(ctx, t::POINTS, 0, 4)), ErrorCode::InvalidValue);
    assert_eq!(code(c::draw_transform_feedback_instanced(ctx, t::POINTS, 0, -1)), ErrorCode::InvalidValue);
}

/// The lists of one draw, as the C ABI hands them over.
fn stream(ctx: &mut Context, lists: &[&[u8]]) -> usize {
    super::client::stream_indices(ctx, Some(lists.iter().copied())).unwrap()
}

// A program that keeps its indices in its own memory draws thousands of lists a frame: each is copied once, into memory that
// is there already.
#[test]
fn client_indices_are_streamed_without_allocations() {
    let ctx = &mut scene();
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, 0).unwrap();
    let draw = |ctx: &mut Context| {
        let at = stream(ctx, &[&[1, 0, 2, 0, 3, 0]]);
        c::draw_elements(ctx, t::TRIANGLES, 3, t::UNSIGNED_SHORT, at).unwrap();
        at
    };
    assert_eq!((draw(ctx), draw(ctx)), (0, 16));
    let sent = names(ctx);
    assert!(sent.ends_with(&["draw_vbo", "resource_subdata", "draw_vbo"]), "{sent:?}");
    assert_eq!(ranges(ctx).iter().map(|(_, r)| r[0].start).collect::<Vec<_>>(), [0, 16]);
    let bound = all::<SetIndexBuffer>(ctx).last().map(|(set, _)| set.buffer);
    assert_eq!(bound, Some(ctx.buffer.stream.handle()));
    recorder(ctx).counting = true;
    draw(ctx);
    let used = allocation_counter::measure(|| {
        for _ in 0..100 {
            draw(ctx);
        }
    });
    assert_eq!(used.count_total, 0);
}

// A store that was written over while draws still read it shows another frame's triangles.
#[test]
fn a_full_stream_gets_a_new_store() {
    let ctx = &mut scene();
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, 0).unwrap();
    let (half, large) = (vec![0; FIRST as usize / 2], vec![0; FIRST as usize + 1]);
    let starts = [&half, &half, &half, &large, &half].map(|list| stream(ctx, &[list]));
    assert_eq!(starts, [0, half.len(), 0, 0, (large.len()).next_multiple_of(16)]);
    let stores: Vec<_> =
        all::<ResourceRespecify>(ctx).iter().map(|(r, _)| (r.desc.size, r.desc.storage_flags)).collect();
    let streamed = |size| (size, WRITTEN_ONCE);
    assert_eq!(stores[stores.len() - 3..], [streamed(FIRST), streamed(FIRST), streamed(2 * FIRST)]);
}

// Lists of one call lie in one store and are told apart; a list that is nowhere is an error, in its place among the others.
#[test]
fn several_client_lists_and_missing_ones() {
    let ctx = &mut scene();
    bind_buffer(ctx, t::ELEMENT_ARRAY_BUFFER, 0).unwrap();
    stream(ctx, &[&[0]]);
    stream(ctx, &[&[1, 2], &[], &[3]]);
    c::multi_draw_elements(ctx, t::TRIANGLES, &[2, 0, 1], t::UNSIGNED_BYTE, &[0; 3]).unwrap();
    let parts: Vec<_> = ranges(ctx)[0].1.iter().map(|r| (r.start, r.count)).collect();
    assert_eq!(parts, [(16, 2), (18, 0), (18, 1)]);
    let missing = |ctx: &mut Context| super::client::stream_indices(ctx, None::<std::iter::Empty<&[u8]>>).unwrap();
    stream(ctx, &[&[0, 1, 2]]);
    c::draw_elements(ctx, t::TRIANGLES, 3, t::UNSIGNED_BYTE, 0).unwrap();
    let at = missing(ctx);
    assert_eq!(code(c::draw_elements(ctx, 77, 3, t::UNSIGNED_BYTE, at)), ErrorCode::InvalidEnum);
    assert_eq!(code(c::draw_elements(ctx, t::TRIANGLES, 3, t::UNSIGNED_BYTE, at)), ErrorCode::InvalidOperation);
    buffer(ctx, t::DRAW_INDIRECT_BUFFER, 32);
    stream(ctx, &[&[0, 1, 2]]);
    let indirect = c::draw_elements_indirect(ctx, t::TRIANGLES, t::UNSIGNED_BYTE, 0);
    assert_eq!(code(indirect), ErrorCode::InvalidOperation);
}
