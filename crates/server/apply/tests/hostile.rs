//! Hostile clients against the null backend: mutated record streams end their own session by name, never the process,
//! and never reach another session.

mod common;

use common::Peerless;
use mgl_apply::{Applied, Session};
use mgl_base::handle::Buffer;
use mgl_base::{Fault, Handle};
use mgl_null::Null;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    CopyBuffer, CopyBufferToTexture, DrawRange, DrawStreamOutput, DrawVbo, FenceCreate, Flush, LaunchGrid,
    ResourceCreate, ResourceDesc, ResourceDestroy, ResourceReadback, ResourceRespecify, ResourceSubData,
};
use mgl_pipe::sample::Rng;
use mgl_pipe::tokens::{DrawPart, PrimitiveMode, ResourceTarget};
use mgl_pipe::{Blob, Box3, CATALOGUE, Record};
use zerocopy::IntoBytes;

fn session() -> Session {
    let mut session = Session::new(Null::boxed(), 1 << 30);
    session.flow_created(1, None).expect("the first flow is taken");
    session.flow_created(2, None).expect("the second flow is taken");
    session
}

fn mutate(body: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.next() % 3 {
        match rng.next() % 4 {
            0 if !body.is_empty() => {
                let at = rng.next() as usize % body.len();
                body[at] ^= 1 << (rng.next() % 8);
            }
            1 if body.len() >= 8 => {
                let at = (rng.next() as usize % (body.len() / 8)) * 8;
                let value = [0, u64::MAX, 1 << 63, rng.next()][rng.next() as usize % 4];
                body[at..at + 8].copy_from_slice(&value.to_le_bytes());
            }
            2 => body.truncate(rng.next() as usize % (body.len() + 1)),
            _ => body.extend_from_slice(&rng.next().to_le_bytes()),
        }
    }
}

/// A client that sends broken records must lose its session by a named fault; a panic would take down every program
/// of a shared server.
#[test]
fn ten_thousand_mutated_streams_end_by_name() {
    let (mut faults, mut clean) = (0, 0);
    for seed in 0..10_000 {
        let mut rng = Rng::new(seed + 1);
        let mut session = session();
        let mut io = Peerless::default();
        let mut ended = None;
        for _ in 0..24 {
            let row = &CATALOGUE[rng.next() as usize % CATALOGUE.len()];
            let mut body = (row.sample)(&mut rng);
            if rng.next().is_multiple_of(3) {
                mutate(&mut body, &mut rng);
            }
            let op = if rng.next().is_multiple_of(64) { rng.next() as u16 } else { row.op };
            match session.record(1 + (rng.next() % 2) as u32, op, &body, &mut io) {
                Ok(Applied::Done | Applied::WaitFlow { .. }) => {}
                Err(fault) => {
                    ended = Some(fault);
                    break;
                }
            }
        }
        match ended {
            Some(fault) => {
                assert!(!fault.detail.is_empty());
                faults += 1;
            }
            None => clean += 1,
        }
    }
    assert!(faults > 9_000, "mutated streams were accepted: {clean}");
}

/// A program that makes objects without end must lose its own session by the name of the limit, not fill the memory of
/// a shared server.
#[test]
fn objects_without_end_meet_a_budget() {
    let mut session = session();
    session.limit_objects(100);
    let mut io = Peerless::default();
    let mut made = 0;
    let fault = (1..1000).find_map(|slot| {
        let head = FenceCreate { fence: Handle::new(slot, 1) };
        made += 1;
        session.record(1, FenceCreate::OP, head.as_bytes(), &mut io).err()
    });
    let fault = fault.expect("a budget");
    assert!(made <= 101 && fault.family == mgl_base::Family::ResourceUnavailable, "{made} {fault}");
    assert!(fault.detail.contains("budget of 100 objects"), "{fault}");
}

/// A compute shader that does not end makes the driver give up the device: that program's session must end by the name
/// of it, and the programs beside it go on.
#[test]
fn a_lost_device_ends_its_own_session() {
    let (mut bad, mut good) = (Session::new(Null::losing_after(2), 1 << 30), session());
    bad.flow_created(1, None).expect("the first flow is taken");
    let mut io = Peerless::default();
    let flush = Flush::default();
    for _ in 0..2 {
        bad.record(1, Flush::OP, flush.as_bytes(), &mut io).unwrap();
    }
    let fault = bad.record(1, Flush::OP, flush.as_bytes(), &mut io).unwrap_err();
    assert!(fault.family == mgl_base::Family::DeviceLost && fault.detail.contains("did not end"), "{fault}");
    good.record(1, Flush::OP, flush.as_bytes(), &mut io).unwrap();
}

/// A size of a dispatch that lies behind its buffer, or in none, ends the session: the device would read memory of
/// somebody else.
#[test]
fn indirect_dispatches_are_proven() {
    let buffer = Handle::<Buffer>::new(4, 1);
    let desc = ResourceDesc { slot: 4, generation: 1, target: ResourceTarget::Buffer, size: 32, ..Default::default() };
    for (indirect, indirect_offset, whole) in
        [(buffer, 20, true), (buffer, 24, false), (buffer, u64::MAX - 4, false), (Handle::new(5, 1), 0, false)]
    {
        let mut session = session();
        let mut io = Peerless::default();
        let create = ResourceCreate { desc };
        session.record(1, ResourceCreate::OP, create.as_bytes(), &mut io).unwrap();
        let launch = LaunchGrid { indirect, indirect_offset, ..Default::default() };
        let result = session.record(1, LaunchGrid::OP, launch.as_bytes(), &mut io);
        assert_eq!(result.is_ok(), whole, "{indirect_offset}: {result:?}");
    }
}

/// An upload that reads behind its buffer, or writes beside its texture, ends the session: it would show a program what
/// belongs to another one.
#[test]
fn uploads_out_of_buffers_are_proven() {
    let buffer =
        ResourceDesc { slot: 4, generation: 1, target: ResourceTarget::Buffer, size: 64, ..Default::default() };
    let texture = |format: Format| ResourceDesc {
        slot: 5,
        generation: 1,
        target: ResourceTarget::Tex2D,
        format: format as u16,
        levels: 1,
        width: 8,
        height: 8,
        depth: 1,
        layers: 1,
        samples: 1,
        ..Default::default()
    };
    let (rgba, blocks) = (Format::Rgba8, Format::CompressedRgbaS3tcDxt5);
    let box_of = |[x, y, w, h]: [i32; 4]| Box3 { x, y, z: 0, w: w as u32, h: h as u32, d: 1 };
    for (format, dst, offset, row_stride, whole) in [
        (rgba, [4, 4, 4, 4], 0, 0, true),
        (rgba, [4, 4, 4, 4], 1, 0, false),
        (rgba, [0, 0, 4, 2], 0, 48, true),
        (rgba, [0, 0, 4, 2], 0, 49, false),
        (rgba, [0, 0, 4, 2], 0, 15, false),
        (rgba, [5, 0, 4, 1], 0, 0, false),
        (rgba, [-1, 0, 1, 1], 0, 0, false),
        (rgba, [0, 0, 1, 1], u64::MAX, 0, false),
        (blocks, [0, 0, 8, 8], 0, 0, true),
        (blocks, [0, 0, 8, 8], 16, 0, false),
        (blocks, [2, 0, 4, 4], 0, 0, false),
    ] {
        let mut session = session();
        let mut io = Peerless::default();
        for desc in [buffer, texture(format)] {
            session.record(1, ResourceCreate::OP, ResourceCreate { desc }.as_bytes(), &mut io).unwrap();
        }
        let copy = CopyBufferToTexture {
            texture: Handle::new(5, 1),
            buffer: Handle::new(4, 1),
            dst: box_of(dst),
            offset,
            row_stride,
            ..Default::default()
        };
        let result = session.record(1, CopyBufferToTexture::OP, copy.as_bytes(), &mut io);
        assert_eq!(result.is_ok(), whole, "{format:?} {dst:?} {offset} {row_stride}: {result:?}");
    }
}

/// A draw of what a stream captured names a stream and an object that can be, or ends the session: the number of a stream
/// is a place in a backend's tables.
#[test]
fn captured_draws_are_proven() {
    for (xfb, stream, whole) in [(Handle::new(1, 1), 3, true), (Handle::new(1, 1), 4, false), (Handle::NULL, 0, false)]
    {
        let draw = DrawStreamOutput { xfb, stream, instance_count: 1, ..Default::default() };
        let result = session().record(1, DrawStreamOutput::OP, draw.as_bytes(), &mut Peerless::default());
        assert_eq!(result.is_ok(), whole, "{stream}: {result:?}");
    }
}

/// One session's fault must leave another session's objects alone: equal handles in two sessions are two objects.
#[test]
fn a_fault_stays_in_its_session() {
    let (mut bad, mut good) = (session(), session());
    let mut io = Peerless::default();
    let create = CATALOGUE.iter().find(|r| r.name == "fence_create").unwrap();
    let body = (create.sample)(&mut Rng::new(5));
    bad.record(1, create.op, &body, &mut io).unwrap();
    good.record(1, create.op, &body, &mut io).unwrap();
    assert!(bad.record(1, 0xFFFF, &[], &mut io).is_err());
    assert_eq!(good.live_objects(), 1);
    let destroy = CATALOGUE.iter().find(|r| r.name == "fence_destroy").unwrap();
    good.record(1, destroy.op, &body, &mut io).unwrap();
    assert_eq!(good.live_objects(), 0);
}

/// A program that asks for too much memory is told so by GL and goes on; ending its session for the upload that was
/// already under way would take its window away.
#[test]
fn records_for_a_store_that_could_not_be_had_are_dropped() {
    let mut session = session();
    let mut io = Peerless::default();
    let buffer = Handle::<Buffer>::new(1, 1);
    let (slot, generation, target) = (buffer.slot(), buffer.generation(), ResourceTarget::Buffer);
    let respecify = |size| {
        let desc = ResourceDesc { slot, generation, target, size, ..ResourceDesc::default() };
        ResourceRespecify { desc, ..ResourceRespecify::default() }
    };
    let write = ResourceSubData { target, slot, generation, offset: 64, blob: Blob::new(0, 32), ..Default::default() };
    let copy = CopyBuffer { src: buffer, dst: buffer, src_offset: 0, dst_offset: 64, size: 32 };
    let read = ResourceReadback { buffer, offset: 0, size: 32 };
    push(&mut session, &mut io, &respecify(1 << 40)).unwrap();
    assert_eq!(io.events, 1, "the program must be told");
    push(&mut session, &mut io, &write).unwrap();
    push(&mut session, &mut io, &copy).unwrap();
    push(&mut session, &mut io, &read).unwrap();
    assert_eq!(io.replies, 1, "the reader must not wait for ever");
    // A store that exists is as guarded as before.
    push(&mut session, &mut io, &respecify(80)).unwrap();
    assert!(push(&mut session, &mut io, &write).is_err());
}

/// Draws that arrive together are proven and counted like the single ones: a client must not smuggle an illegal mode
/// past the proof by sending it twice, and nothing but single draws may be joined.
#[test]
fn a_run_of_draws_is_proven_like_each_of_them() {
    let head = DrawVbo { mode: PrimitiveMode::Triangles, instance_count: 1, range_count: 1, ..DrawVbo::default() };
    let range = DrawRange { start: 0, count: 3, base_vertex: 0 };
    let body = |head: &DrawVbo, ranges: &[DrawRange]| [head.as_bytes(), ranges.as_bytes()].concat();
    let single = body(&head, &[range]);
    assert_eq!(Session::joins(DrawVbo::OP, &single), Some(size_of::<DrawVbo>()));
    assert_eq!(Session::joins(DrawVbo::OP + 1, &single), None);
    assert_eq!(Session::joins(DrawVbo::OP, &body(&DrawVbo { range_count: 2, ..head }, &[range; 2])), None);
    assert_eq!(Session::joins(DrawVbo::OP, &body(&DrawVbo { range_count: 0, ..head }, &[range])), None);
    let (mut session, mut io) = (session(), Peerless::default());
    session.run(1, DrawVbo::OP, &mut body(&head, &[range; 5]), 5, &mut io).unwrap();
    assert_eq!((session.stats().draws, session.stats().records), (5, 5));
    let bad = DrawVbo { mode: PrimitiveMode(77), ..head };
    assert!(session.run(1, DrawVbo::OP, &mut body(&bad, &[range; 5]), 5, &mut io).is_err());
    assert!(session.run(1, DrawVbo::OP, &mut body(&head, &[range; 5]), 6, &mut io).is_err());
    assert!(session.run(1, DrawVbo::OP + 1, &mut body(&head, &[range; 5]), 5, &mut io).is_err());
}

fn push<R: Record>(session: &mut Session, io: &mut Peerless, head: &R) -> Result<Applied, Fault> {
    session.record(1, R::OP, head.as_bytes(), io)
}

/// A program that makes many buffers must meet its budget like one that makes a single large one, or it takes the memory
/// of every other program; what it gives back counts no longer.
#[test]
fn a_budget_is_spent_by_all_objects_together() {
    let (mut session, mut io) = (session(), Peerless::default());
    let target = ResourceTarget::Buffer;
    let desc = |slot| ResourceDesc { slot, generation: 1, target, size: 256 << 20, ..ResourceDesc::default() };
    for slot in 1..=4 {
        push(&mut session, &mut io, &ResourceRespecify { desc: desc(slot), ..Default::default() }).unwrap();
    }
    assert_eq!(io.events, 0);
    push(&mut session, &mut io, &ResourceRespecify { desc: desc(5), ..Default::default() }).unwrap();
    assert_eq!(io.events, 1, "the fifth quarter is refused");
    push(&mut session, &mut io, &ResourceDestroy { slot: 1, generation: 1, target, ..Default::default() }).unwrap();
    push(&mut session, &mut io, &ResourceRespecify { desc: desc(6), ..Default::default() }).unwrap();
    assert_eq!(io.events, 1, "there is room again");
}

/// If this fails, a multi-draw of many thousands of ranges numbers them anew in the middle, or a client fills the server's
/// memory with draws that never end.
#[test]
fn long_draws_come_in_parts() {
    let mut session = session();
    let mut io = Peerless::default();
    let range = DrawRange { start: 0, count: 3, base_vertex: 0 };
    let many = vec![range; 16_384];
    let mut part = |session: &mut Session, part: DrawPart, ranges: &[DrawRange]| {
        let range_count = ranges.len() as u32;
        let head =
            DrawVbo { mode: PrimitiveMode::Triangles, instance_count: 1, range_count, part, ..DrawVbo::default() };
        let body = [head.as_bytes(), ranges.as_bytes()].concat();
        assert_eq!(Session::joins(DrawVbo::OP, &body).is_some(), part == DrawPart::Whole && range_count == 1);
        session.record(1, DrawVbo::OP, &body, &mut io)
    };
    let before = session.stats().draws;
    part(&mut session, DrawPart::More, &many).unwrap();
    part(&mut session, DrawPart::More, &many).unwrap();
    part(&mut session, DrawPart::Last, &[range]).unwrap();
    part(&mut session, DrawPart::Whole, &[range]).unwrap();
    assert_eq!(session.stats().draws - before, 2);
    part(&mut session, DrawPart::More, &many).unwrap();
    assert!(part(&mut session, DrawPart::Whole, &[range]).is_err(), "a draw within a draw");
    let refused = (0..64).position(|_| part(&mut session, DrawPart::More, &many).is_err());
    assert_eq!(refused, Some(63), "the limit counts all parts");
}
