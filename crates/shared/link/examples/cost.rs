//! What a record costs the client: nanoseconds per push of a plain draw, best of many short runs, so that a busy
//! machine does not matter. Prints numbers and asserts nothing.

use mgl_base::Fault;
use mgl_link::Lost;
use mgl_link::client::{Config, Flow, Session, Transport};
use mgl_link::server::{FlowIo, SessionHandler, Step};
use mgl_pipe::records::{BufferSubDataResident, DrawRange, DrawVbo, MemoryBarrier};
use std::time::Instant;
use zerocopy::IntoBytes;

struct Nothing;

impl SessionHandler for Nothing {
    fn backend(&self) -> String {
        "nothing".into()
    }
    fn caps(&mut self) -> Vec<u8> {
        Vec::new()
    }
    fn flow_created(&mut self, _: u32, _: u32, _: &mut FlowIo<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn flow_destroyed(&mut self, _: u32) {}
    fn record(&mut self, _: u32, _: u64, _: u16, _: &[u8], _: &mut FlowIo<'_>) -> Result<Step, Fault> {
        Ok(Step::Continue)
    }
}

fn best(flow: &mut Flow, mut push: impl FnMut(&mut Flow) -> Result<(), Lost>) -> f64 {
    const RUN: u32 = 1000;
    let mut best = f64::MAX;
    for _ in 0..300 {
        // A run starts with an idle server and an empty ring.
        if flow.finish().is_err() {
            return f64::NAN;
        }
        let start = Instant::now();
        for _ in 0..RUN {
            if push(flow).is_err() {
                return f64::NAN;
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(RUN));
    }
    best
}

fn main() -> Result<(), mgl_link::LinkError> {
    for transport in [Transport::Monolith, Transport::Inproc] {
        let config = Config { transport, ..Config::default() }.with_embedded(|_| Ok(Box::new(Nothing)));
        let session = Session::connect(config)?;
        let mut flow = session.create_flow(0)?;
        let small = best(&mut flow, |f| f.push(&MemoryBarrier::default()).map(drop));
        let ranges = [DrawRange { start: 0, count: 3, base_vertex: 0 }];
        let draw = DrawVbo { range_count: 1, instance_count: 1, ..DrawVbo::default() };
        let plain = best(&mut flow, |f| f.push_with(&draw, [ranges.as_bytes(), &[], &[]]).map(drop));
        let chunk = vec![7u8; 4096];
        let upload = BufferSubDataResident::default();
        let staged = best(&mut flow, |f| {
            let blob = f.stage(&chunk)?;
            f.push(&BufferSubDataResident { blob, ..upload }).map(drop)
        });
        println!("{:9} push {small:5.1} ns, draw {plain:5.1} ns, stage of 4 KiB {staged:6.1} ns", transport.name());
        for (name, value) in flow.counters().snapshot() {
            print!("{name}={value} ");
        }
        println!();
    }
    Ok(())
}
