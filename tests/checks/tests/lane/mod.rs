//! Connections to real servers, on every backend and transport, for tests that use the client's state machine directly. The
//! server program must have been built; it is looked for where the test was built, or in `MOBILEGL_TEST_BIN`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub mod scene;

use mgl_gl::Instance;
use mgl_link::address::Address;
use mgl_link::client::{Config, Transport};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

/// A connection, and the server behind it where that is one of its own.
pub struct Lane {
    /// The connection.
    pub instance: Arc<Instance>,
    _server: Option<Listening>,
}

struct Listening(Child);

impl Drop for Listening {
    fn drop(&mut self) {
        // SIGTERM: the workers go with it.
        let _ = rustix::process::kill_process(rustix::process::Pid::from_child(&self.0), rustix::process::Signal::TERM);
        let _ = self.0.wait();
    }
}

fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let folder = std::env::var_os("MOBILEGL_TEST_BIN").map(PathBuf::from);
    folder.unwrap_or_else(|| own.ancestors().nth(2).unwrap().to_path_buf()).join("mobilegl-server")
}

fn listening(backend: &str) -> (Listening, Address) {
    let mut command = Command::new(program());
    command.args(["--listen", "tcp://127.0.0.1:0", "--backend", backend]).env("LIBGL_ALWAYS_SOFTWARE", "1");
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the server program, built beside this test");
    let line = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    let address = Address::parse(line.split_whitespace().last().unwrap()).unwrap();
    (Listening(child), address)
}

impl Lane {
    /// `backend` and `transport` by the names that users know.
    pub fn open(backend: &str, transport: &str) -> Self {
        let backend_name = backend.to_owned();
        let config = Config { backend: backend_name, server_path: Some(program()), ..Config::default() };
        let embedded = Some(mgl_daemon::handler as mgl_link::client::Embedded);
        let (server, config) = match transport {
            "spawn" => (None, Config { transport: Transport::Spawn, ..config }),
            "inproc" => (None, Config { transport: Transport::Inproc, embedded, ..config }),
            "monolith" => (None, Config { transport: Transport::Monolith, embedded, ..config }),
            "tcp" => {
                let (server, address) = listening(backend);
                (Some(server), Config { transport: Transport::Tcp, address: Some(address), ..config })
            }
            other => panic!("{other} is no transport"),
        };
        Self { instance: Instance::connect(config).unwrap(), _server: server }
    }
}

/// A test on every lane: `every_lane!(name, body)` makes `name::magma_spawn` and so on of a function that takes a [`Lane`].
#[macro_export]
macro_rules! every_lane {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            $crate::every_lane! { @ $name:
                magma_spawn("magma", "spawn"), magma_inproc("magma", "inproc"), magma_monolith("magma", "monolith"),
                magma_tcp("magma", "tcp"), espryt_spawn("espryt", "spawn"), espryt_inproc("espryt", "inproc"),
                espryt_monolith("espryt", "monolith"), espryt_tcp("espryt", "tcp"),
            }
        })+
    };
    (@ $name:ident: $($lane:ident($backend:literal, $transport:literal)),+ $(,)?) => {
        $(#[test]
        fn $lane() {
            super::super::$name(&$crate::lane::Lane::open($backend, $transport));
        })+
    };
}
