//! Several programs on one server with a real driver: what one of them does must not be seen by another. The server program
//! must have been built; it is looked for where this test was built, or in `MOBILEGL_TEST_BIN`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mgl_base::Handle;
use mgl_checks::scene;
use mgl_gl::readback::calls as readback;
use mgl_gl::{Context, ContextDesc, Instance, PixelsOut, Surface, SurfaceDesc, tokens as t};
use mgl_link::address::Address;
use mgl_link::client::{Config, Flow, LostReason, Session, Transport};
use mgl_pipe::Blob;
use mgl_pipe::format::Format;
use mgl_pipe::records::{FenceCreate, ResourceDesc, ResourceRespecify, ResourceSubData};
use mgl_pipe::tokens::ResourceTarget;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const SIZE: i32 = 64;

/// A server with small budgets, on a local socket and a TCP port.
struct Server {
    child: Child,
    addresses: Vec<Address>,
}

impl Server {
    fn start() -> Self {
        let own = std::env::current_exe().unwrap();
        let folder = std::env::var_os("MOBILEGL_TEST_BIN").map(PathBuf::from);
        let folder = folder.unwrap_or_else(|| own.ancestors().nth(2).unwrap().to_path_buf());
        let name = format!("unix:@mgl-isolation-{}", std::process::id());
        let mut command = Command::new(folder.join("mobilegl-server"));
        command.args(["--listen", &name, "--listen", "tcp://127.0.0.1:0", "--backend", "magma"]);
        command.env("MOBILEGL_SESSION_MEMORY_MB", "64").env("MOBILEGL_SESSION_OBJECTS", "5000");
        command.env("MOBILEGL_IPC_EVENT_WAIT_MS", "300").env("LIBGL_ALWAYS_SOFTWARE", "1");
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server program, built beside this test");
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().take(2);
        let word = |line: String| Address::parse(line.split_whitespace().last().unwrap()).unwrap();
        let addresses = lines.map(|line| word(line.unwrap())).collect();
        Self { child, addresses }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM: the workers go with it.
        let _ =
            rustix::process::kill_process(rustix::process::Pid::from_child(&self.child), rustix::process::Signal::TERM);
        let _ = self.child.wait();
    }
}

fn config(address: &Address) -> Config {
    let transport = if address.kind() == "tcp" { Transport::Tcp } else { Transport::Unix };
    Config { transport, address: Some(address.clone()), ..Config::default() }
}

/// The scene in a fresh context, as pixels.
fn picture(instance: &Arc<Instance>) -> Vec<u8> {
    let mut ctx = Context::new(instance, ContextDesc::default()).unwrap();
    let depth_stencil = Some(Format::Depth24Stencil8);
    let desc =
        SurfaceDesc { width: 64, height: 64, color: Format::Rgba8, depth_stencil, samples: 1, double_buffer: true };
    let surface = Surface::new(instance, desc);
    ctx.make_current(Some(surface.clone()), Some(surface));
    scene::play(&mut ctx).unwrap();
    mgl_gl::framebuffer::calls::bind_framebuffer(&mut ctx, t::FRAMEBUFFER, 0).unwrap();
    let mut pixels = vec![0; (SIZE * SIZE * 4) as usize];
    let out = PixelsOut::Bytes(&mut pixels);
    readback::read_pixels(&mut ctx, 0, 0, SIZE, SIZE, t::RGBA, t::UNSIGNED_BYTE, out).unwrap();
    pixels
}

fn buffer_of(flow: &mut Flow, slot: u32, size: u64) -> bool {
    let desc = ResourceDesc { slot, generation: 1, target: ResourceTarget::Buffer, size, ..ResourceDesc::default() };
    flow.push(&ResourceRespecify { desc, ..ResourceRespecify::default() }).is_ok()
}

fn upload(flow: &mut Flow, slot: u32, blob: Blob) {
    let target = ResourceTarget::Buffer;
    flow.push(&ResourceSubData { target, slot, generation: 1, offset: 0, blob, ..Default::default() }).unwrap();
}

fn fault(session: &Session) -> String {
    match session.lost() {
        Some(LostReason::Fault(fault)) => fault.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A record that speaks of an object which does not exist.
fn breaks_the_protocol(session: &Arc<Session>) {
    let mut flow = session.create_flow(0).unwrap();
    let blob = flow.stage(&[1, 2, 3]).unwrap();
    upload(&mut flow, 77, blob);
    assert!(flow.finish().is_err());
    assert!(fault(session).contains("no live object"), "{}", fault(session));
}

/// Bytes that lie outside of the staging arena.
fn points_outside(session: &Arc<Session>) {
    let mut flow = session.create_flow(0).unwrap();
    buffer_of(&mut flow, 1, 4096);
    let blob = Blob::new(u64::MAX - 8, 64);
    upload(&mut flow, 1, blob);
    assert!(flow.finish().is_err());
}

/// More memory than it may have: refused, and each refusal is an event that is never taken.
fn eats_memory_and_never_listens(session: &Arc<Session>) {
    let mut flow = session.create_flow(0).unwrap();
    for slot in 1..4000 {
        if !buffer_of(&mut flow, slot, 32 << 20) {
            break;
        }
    }
    let _ = flow.flush();
    while session.check_alive().is_ok() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(fault(session).contains("forfeit"), "{}", fault(session));
}

/// More objects than it may have.
fn makes_objects_without_end(session: &Arc<Session>) {
    let mut flow = session.create_flow(0).unwrap();
    let made = (1..100_000).find(|slot| {
        let fence = Handle::new(*slot, 1);
        flow.push(&FenceCreate { fence }).is_err()
    });
    assert!(made.is_some() || flow.finish().is_err());
    assert!(fault(session).contains("budget of 5000 objects"), "{}", fault(session));
}

/// A driver that crashes.
fn loses_its_worker(session: &Arc<Session>) {
    let mut flow = session.create_flow(0).unwrap();
    let pid = rustix::process::Pid::from_raw(session.server_pid() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    let blob = flow.stage(&[1, 2, 3]).unwrap();
    upload(&mut flow, 1, blob);
    assert!(flow.finish().is_err());
    assert!(matches!(session.lost(), Some(LostReason::ServerGone(_))));
}

/// If this fails, one broken or greedy program changes the pictures of the others on the same server, or ends them.
#[test]
fn what_one_program_does_is_not_seen_by_another() {
    let server = Server::start();
    type Deed = fn(&Arc<Session>);
    let deeds: [(&str, Deed); 5] = [
        ("breaks the protocol", breaks_the_protocol),
        ("points outside", points_outside),
        ("eats memory and never listens", eats_memory_and_never_listens),
        ("makes objects without end", makes_objects_without_end),
        ("loses its worker", loses_its_worker),
    ];
    for address in &server.addresses {
        let good = Instance::connect(config(address)).unwrap();
        let before = picture(&good);
        assert!(before.chunks(4).any(|p| p != &before[..4]), "the scene draws something");
        for (name, deed) in deeds {
            let bad = Session::connect(config(address)).unwrap();
            assert_ne!(bad.server_pid(), good.session().unwrap().server_pid(), "a worker each");
            std::thread::scope(|scope| {
                let culprit = scope.spawn(|| deed(&bad));
                while !culprit.is_finished() {
                    assert_eq!(picture(&good), before, "{address}: while another program {name}");
                }
                culprit.join().unwrap();
            });
            assert_eq!(picture(&good), before, "{address}: after another program {name}");
            assert!(bad.lost().is_some() && !good.is_lost(), "{address} {name}");
        }
    }
}
