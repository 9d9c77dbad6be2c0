//! A whole session: records of two flows in any order on the null backend, with verification and runs of draws. Every
//! input must end as a live session or by a named fault.

use mgl_apply::{FlowIo, ReplyStatus, Session};
use mgl_backend::{PixelBytes, PixelMemory};
use mgl_base::Fault;
use mgl_null::Null;
use mgl_pipe::CATALOGUE;
use mgl_pipe::event::Event;
use mgl_pipe::sample::Rng;
use std::sync::Arc;

/// Bytes before each record: flow, run length, choice of the record, length of its body.
const HEAD: usize = 6;

/// Memory that pictures are not written to.
#[derive(Debug)]
struct Nowhere;

impl PixelBytes for Nowhere {
    fn write(&self, _: u64, _: &[u8]) -> bool {
        true
    }
}

struct Peer<'a> {
    staged: &'a [u8],
}

impl FlowIo for Peer<'_> {
    fn stage_len(&self) -> u64 {
        1 << 16
    }
    fn copy_stage(&self, offset: u64, dst: &mut [u8]) -> bool {
        let inside = offset.checked_add(dst.len() as u64).is_some_and(|end| end <= self.stage_len());
        if inside {
            let bytes = self.staged.iter().copied().cycle().skip(offset as usize % self.staged.len().max(1));
            dst.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        }
        inside
    }
    fn reply(&mut self, _: ReplyStatus, _: &[u8]) -> Result<(), Fault> {
        Ok(())
    }
    fn event(&mut self, _: &Event<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn present_ack(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
    fn hold_stage(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }
}

/// The next record of the input: flow, opcode, number of joined records, body.
fn next<'a>(rest: &mut &'a [u8]) -> Option<(u32, u16, u32, &'a [u8])> {
    let (head, after) = rest.split_first_chunk::<HEAD>()?;
    let [flow, joined, c0, c1, l0, l1] = *head;
    let choice = usize::from(u16::from_le_bytes([c0, c1]));
    // Now and then an opcode that nobody has.
    let op = CATALOGUE.get(choice % (CATALOGUE.len() + 1)).map_or(0xFFFF, |row| row.op);
    let len = usize::from(u16::from_le_bytes([l0, l1])).min(after.len());
    let (body, tail) = after.split_at(len);
    *rest = tail;
    Some((1 + u32::from(flow % 2), op, u32::from(joined), body))
}

fn apply(session: &mut Session, rest: &mut &[u8], io: &mut Peer<'_>) -> Option<Result<(), Fault>> {
    let (flow, op, joined, body) = next(rest)?;
    let run = joined > 1 && Session::joins(op, body).is_some();
    let done = if run {
        let mut bytes = body.to_vec();
        let range = body[Session::joins(op, body).unwrap_or(0)..].to_vec();
        (1..joined).for_each(|_| bytes.extend_from_slice(&range));
        session.run(flow, op, &mut bytes, joined, io)
    } else {
        session.record(flow, op, body, io)
    };
    Some(done.map(|_| ()))
}

/// Applies the records until the input or the session ends.
pub fn run(data: &[u8]) {
    let mut session = Session::new(Null::boxed(), 1 << 24);
    for flow in [1, 2] {
        if session.flow_created(flow, None).is_err() {
            return;
        }
    }
    for id in [1, 2] {
        let memory = PixelMemory { id, address: 0, len: 1 << 16, bytes: Arc::new(Nowhere) };
        if session.pixels_shared(memory).is_err() {
            return;
        }
    }
    let (mut rest, mut io) = (data, Peer { staged: data });
    while let Some(done) = apply(&mut session, &mut rest, &mut io) {
        if let Err(fault) = done {
            assert!(!fault.detail.is_empty(), "a fault without a name");
            break;
        }
    }
    session.flow_destroyed(2);
    session.flow_destroyed(1);
}

fn put(out: &mut Vec<u8>, index: usize, joined: u8, body: &[u8]) {
    out.extend([0, joined]);
    out.extend((index as u16).to_le_bytes());
    out.extend((body.len() as u16).to_le_bytes());
    out.extend(body);
}

/// Streams of legal records: every record alone, and creations followed by what uses them.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(12);
    let mut out = Vec::new();
    for (index, row) in CATALOGUE.iter().enumerate() {
        let mut one = Vec::new();
        put(&mut one, index, 3, &(row.sample)(&mut rng));
        out.push(one);
    }
    let creates = |name: &str| name.starts_with("create_") || name.ends_with("_create") || name.contains("respecify");
    for _ in 0..64 {
        let mut stream = Vec::new();
        for (index, row) in CATALOGUE.iter().enumerate().filter(|(_, row)| creates(row.name)) {
            put(&mut stream, index, 1, &(row.sample)(&mut rng));
        }
        for _ in 0..16 {
            let index = rng.next() as usize % CATALOGUE.len();
            put(&mut stream, index, 1, &(CATALOGUE[index].sample)(&mut rng));
        }
        out.push(stream);
    }
    out
}
