//! What dispatches and barriers send and refuse, seen through recording contexts.

use super::calls as c;
use crate::buffer::calls as buffers;
use crate::context::Context;
use crate::error::ErrorCode;
use crate::program::state::{Bindings, StorageSlot};
use crate::testing::{all, buffer, code, context_of, forget, names, use_bindings};
use crate::tokens as t;
use mgl_pipe::caps::{Caps, Limits};
use mgl_pipe::records::{LaunchGrid, MemoryBarrier};

fn context() -> Context {
    let limits = Limits { max_compute_group_count: [100, 50, 20], ..Limits::default() };
    let mut ctx = context_of(Caps { limits, ..Caps::default() });
    use_bindings(&mut ctx, Bindings { compute: true, ..Bindings::default() });
    ctx
}

// A dispatch that is refused for a legal size, or that asks the device for more than it has, computes nothing.
#[test]
fn direct_dispatches_keep_to_the_limits() {
    let mut ctx = context();
    forget(&mut ctx);
    c::dispatch_compute(&mut ctx, 100, 50, 20).unwrap();
    assert_eq!(all::<LaunchGrid>(&mut ctx)[0].0.grid, [100, 50, 20]);
    for grid in [[101, 1, 1], [1, 51, 1], [1, 1, 21], [0, 51, 1]] {
        assert_eq!(code(c::dispatch_compute(&mut ctx, grid[0], grid[1], grid[2])), ErrorCode::InvalidValue);
    }
    forget(&mut ctx);
    c::dispatch_compute(&mut ctx, 1, 0, 1).unwrap();
    assert!(names(&mut ctx).is_empty(), "nothing to run is nothing to send");
    use_bindings(&mut ctx, Bindings::default());
    assert_eq!(code(c::dispatch_compute(&mut ctx, 1, 1, 1)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, 0)), ErrorCode::InvalidOperation);
}

// The device would read the size of a dispatch from memory behind the buffer.
#[test]
fn indirect_dispatches_read_inside_their_buffer() {
    let mut ctx = context();
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, 0)), ErrorCode::InvalidOperation);
    buffer(&mut ctx, t::DISPATCH_INDIRECT_BUFFER, 32);
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, -4)), ErrorCode::InvalidValue);
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, 2)), ErrorCode::InvalidValue);
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, 24)), ErrorCode::InvalidOperation);
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, isize::MAX - 3)), ErrorCode::InvalidOperation);
    buffers::map_buffer(&mut ctx, t::DISPATCH_INDIRECT_BUFFER, t::WRITE_ONLY).unwrap();
    assert_eq!(code(c::dispatch_compute_indirect(&mut ctx, 0)), ErrorCode::InvalidOperation);
    buffers::unmap_buffer(&mut ctx, t::DISPATCH_INDIRECT_BUFFER).unwrap();
    forget(&mut ctx);
    c::dispatch_compute_indirect(&mut ctx, 20).unwrap();
    let sent = all::<LaunchGrid>(&mut ctx)[0].0;
    assert_eq!((sent.indirect_offset, sent.grid), (20, [0; 3]));
}

// A barrier that the program asks for by name would be left out, or a wrong one accepted.
#[test]
fn barriers_take_their_bits() {
    let mut ctx = context();
    forget(&mut ctx);
    c::memory_barrier(&mut ctx, t::COMMAND_BARRIER_BIT).unwrap();
    c::memory_barrier(&mut ctx, t::ALL_BARRIER_BITS).unwrap();
    c::memory_barrier_by_region(&mut ctx, t::SHADER_STORAGE_BARRIER_BIT).unwrap();
    c::texture_barrier(&mut ctx).unwrap();
    let sent: Vec<_> = all::<MemoryBarrier>(&mut ctx).iter().map(|(b, _)| (b.bits, b.by_region.get())).collect();
    assert_eq!(
        (sent.len(), sent[0], sent[2]),
        (4, (t::COMMAND_BARRIER_BIT, false), (t::SHADER_STORAGE_BARRIER_BIT, true))
    );
    assert_eq!(code(c::memory_barrier(&mut ctx, 0x8000_0000)), ErrorCode::InvalidValue);
    assert_eq!(code(c::memory_barrier_by_region(&mut ctx, t::COMMAND_BARRIER_BIT)), ErrorCode::InvalidValue);
}

// A program reads its results through a map: bytes that the client kept from before are not what the device wrote.
#[test]
fn what_a_dispatch_may_write_is_fetched() {
    let mut ctx = context();
    let storage = vec![Some(StorageSlot::Storage(0))];
    use_bindings(&mut ctx, Bindings { compute: true, storage, ..Bindings::default() });
    let name = buffer(&mut ctx, t::SHADER_STORAGE_BUFFER, 16);
    buffers::bind_buffer_base(&mut ctx, t::SHADER_STORAGE_BUFFER, 0, name).unwrap();
    buffers::map_buffer(&mut ctx, t::SHADER_STORAGE_BUFFER, t::WRITE_ONLY).unwrap();
    buffers::unmap_buffer(&mut ctx, t::SHADER_STORAGE_BUFFER).unwrap();
    let read = |ctx: &mut Context| {
        forget(ctx);
        ctx.recorded().unwrap().answers.push_back(vec![7; 16]);
        buffers::map_buffer_range(ctx, t::SHADER_STORAGE_BUFFER, 0, 16, t::MAP_READ_BIT).unwrap();
        buffers::unmap_buffer(ctx, t::SHADER_STORAGE_BUFFER).unwrap();
        let asked = names(ctx).contains(&"resource_readback");
        ctx.recorded().unwrap().answers.clear();
        asked
    };
    assert!(!read(&mut ctx), "the client wrote it all");
    for _ in 0..2 {
        c::dispatch_compute(&mut ctx, 1, 1, 1).unwrap();
        assert!(read(&mut ctx), "every dispatch writes anew");
        assert!(!read(&mut ctx), "nothing wrote since");
    }
}
