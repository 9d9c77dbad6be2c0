//! An applier for tests: answers a few records in ways that a client can check. Must not be used by anything but tests.
#![allow(dead_code, reason = "every test file uses another part of it")]

use mgl_base::{Fault, Handle};
use mgl_link::segment::Segment;
use mgl_link::server::{FlowIo, Hello, Refusal, SessionHandler, SessionIo, Status, Step};
use mgl_pipe::event::Event;
use mgl_pipe::records::{
    BindContext, BufferSubDataResident, Flush, LaunchGrid, MemoryBarrier, Present, QueryAvailable, QueryTimestamp,
    ResourceReadback, WaitFlow,
};
use mgl_pipe::{Body, CATALOGUE, Proof, Record};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// `BindContext` tokens that make the applier misbehave.
pub const PANIC: u64 = 666;
pub const FAULT: u64 = 667;
pub const EXIT: u64 = 668;

/// How a picture is drawn: the low byte is what it is filled with; all of the memory, or a part of it.
pub const PART: u32 = 0x100;
pub const PART_OFFSET: u64 = 64;
/// Rows, bytes from row to row, bytes of a row.
pub const PART_SHAPE: (u32, u32, u32) = (3, 1000, 500);
/// It is not drawn, but forgotten.
pub const FORGET: u32 = 0x200;

#[derive(Debug, Default)]
pub struct TestHandler {
    records: u64,
    flows: Vec<u32>,
    held: Vec<(u32, u64)>,
    shared: Vec<Arc<Segment>>,
    pictures: HashMap<u32, Arc<Segment>>,
    /// Frames that were presented and not reported complete.
    frames: Vec<(u32, u64)>,
}

/// The factory for embedded transports and for the test server.
pub fn factory(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    if hello.backend == "refuse" {
        let detail = "this backend never starts".into();
        return Err(Refusal { code: mgl_link::RefuseCode::Backend, detail });
    }
    Ok(Box::new(TestHandler::default()))
}

impl TestHandler {
    fn stage(&mut self, body: &[u8], proof: &Proof, flow: u32, io: &mut FlowIo<'_>) -> Result<(), Fault> {
        let upload = Body::<BufferSubDataResident>::decode(body, proof)?.head;
        let bytes = io.stage_vec(&upload.blob)?;
        if bytes.iter().any(|b| *b != upload.offset as u8) {
            return Err(Fault::corrupt("buffer_subdata_resident.torn"));
        }
        if upload.offset.is_multiple_of(7) {
            io.hold_stage()?;
            self.held.push((flow, io.seq()));
        }
        Ok(())
    }
}

impl TestHandler {
    /// Fills a memory for pictures as `how` says, or forgets it.
    fn draw(&mut self, id: u32, how: u32, io: &mut FlowIo<'_>) -> Result<(), Fault> {
        if id == 0 {
            return Ok(());
        }
        if how == FORGET {
            return self.pictures.remove(&id).map(drop).ok_or_else(|| Fault::corrupt("draw.memory"));
        }
        let memory = self.pictures.get(&id).ok_or_else(|| Fault::corrupt("draw.memory"))?;
        let (offset, shape) = match how & PART {
            0 => (0, (1, memory.size() as u32, memory.size() as u32)),
            _ => (PART_OFFSET, PART_SHAPE),
        };
        let (rows, stride, row) = shape;
        for at in 0..rows {
            assert!(memory.copy_in(offset + u64::from(at * stride), &vec![how as u8; row as usize]));
        }
        io.pixels_written(id, offset, shape)
    }
}

impl SessionHandler for TestHandler {
    fn backend(&self) -> String {
        "test".into()
    }

    fn caps(&mut self) -> Vec<u8> {
        vec![1, 2, 3]
    }

    fn flow_created(&mut self, flow: u32, _share: u32, _io: &mut FlowIo<'_>) -> Result<(), Fault> {
        self.flows.push(flow);
        Ok(())
    }

    fn memory_shared(&mut self, id: u32, memory: Arc<Segment>) -> Result<(), Fault> {
        if memory.size() == 8192 {
            return Err(Fault::unsupported("two pages"));
        }
        assert!(memory.copy_in(0, &id.to_le_bytes()));
        self.shared.push(memory);
        Ok(())
    }

    fn pixels_shared(&mut self, id: u32, memory: Arc<Segment>) -> Result<(), Fault> {
        if memory.size() == 8192 {
            return Err(Fault::unsupported("two pages"));
        }
        self.pictures.insert(id, memory);
        Ok(())
    }

    fn flow_destroyed(&mut self, flow: u32) {
        assert!(self.flows.contains(&flow));
        self.flows.retain(|f| *f != flow);
    }

    fn record(&mut self, flow: u32, seq: u64, op: u16, body: &[u8], io: &mut FlowIo<'_>) -> Result<Step, Fault> {
        self.records += 1;
        let proof = Proof { stage_len: io.stage_len() };
        match op {
            BufferSubDataResident::OP => self.stage(body, &proof, flow, io)?,
            QueryTimestamp::OP => io.reply(Status::Ok, &seq.to_le_bytes())?,
            QueryAvailable::OP => io.reply(Status::Declined, &[])?,
            ResourceReadback::OP => {
                let ask = Body::<ResourceReadback>::decode(body, &proof)?.head;
                io.reply_in_place(Status::Ok, (ask.size as usize).min(io.max_reply()), |to| {
                    to.iter_mut().zip(ask.offset..).for_each(|(b, n)| *b = n as u8);
                })?;
            }
            Present::OP => {
                let serial = Body::<Present>::decode(body, &proof)?.head.serial;
                self.frames.push((flow, serial));
                io.present_ack(serial)?;
            }
            Flush::OP => io.event(&Event::GlError { code: seq as u32, message: "asked for" })?,
            MemoryBarrier::OP => {
                let count = Body::<MemoryBarrier>::decode(body, &proof)?.head.bits;
                for offset in 0..u64::from(count) {
                    io.event(&Event::GpuWritten { buffer: Handle::new(1, 1), offset, size: seq })?;
                }
            }
            LaunchGrid::OP => {
                let launch = Body::<LaunchGrid>::decode(body, &proof)?.head;
                std::thread::sleep(Duration::from_millis(u64::from(launch.grid[0])));
                self.draw((launch.indirect_offset >> 32) as u32, launch.indirect_offset as u32, io)?;
            }
            WaitFlow::OP => {
                let wait = Body::<WaitFlow>::decode(body, &proof)?.head;
                return Ok(Step::Blocked { flow: wait.flow, seq: wait.seq });
            }
            BindContext::OP => match Body::<BindContext>::decode(body, &proof)?.head.token {
                PANIC => panic!("as the test wished"),
                FAULT => return Err(Fault::unsupported("as the test wished")),
                EXIT => std::process::exit(3),
                _ => {}
            },
            _ => {
                let row = CATALOGUE.iter().find(|r| r.op == op).ok_or_else(|| Fault::corrupt("op"))?;
                (row.prove)(body, &proof)?;
            }
        }
        Ok(Step::Continue)
    }

    fn idle(&mut self, _busy: bool, io: &mut SessionIo<'_>) -> Result<bool, Fault> {
        for (flow, seq) in self.held.drain(..) {
            io.let_go(flow, seq);
        }
        for (flow, serial) in self.frames.drain(..) {
            io.frame_completed(flow, serial);
        }
        Ok(false)
    }
}
