//! A server process for the tests of this crate: the test applier behind the inherited socket. Must not know more.

use mgl_link::server::{Limits, inherited_socket, serve};

#[path = "handler_only.rs"]
mod handler;

/// A program that ends without saying goodbye to its in-process server.
fn exits_early() {
    use mgl_link::client::{Config, Session, Transport};
    let config = Config { transport: Transport::Inproc, ..Config::default() }.with_embedded(handler::factory);
    let session = Session::connect(config).expect("a session");
    let mut flow = session.create_flow(0).expect("a flow");
    flow.finish().expect("an answer");
    std::mem::forget((flow, session));
}

/// A program that asks one question after the other and writes a line for each answer, the server's process id first.
fn client(address: &str) {
    use mgl_link::address::Address;
    use mgl_link::client::{Config, Session, Transport};
    use mgl_pipe::Pad;
    use mgl_pipe::records::QueryTimestamp;
    let address = Address::parse(address);
    let transport = match &address {
        None => Transport::Spawn,
        Some(Address::Tcp(_)) => Transport::Tcp,
        Some(_) => Transport::Unix,
    };
    let server_path = std::env::current_exe().ok();
    let config = Config { transport, address, server_path, backend: "test".into(), ..Config::default() };
    let session = Session::connect(config).expect("a session");
    let mut flow = session.create_flow(0).expect("a flow");
    println!("{}", session.server_pid());
    loop {
        let seq = flow.push(&QueryTimestamp { reserved: Pad::ZERO }).expect("a push");
        flow.reply(seq, &mut [0; 8]).expect("an answer");
        println!("{seq}");
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--client") {
        return client(&std::env::args().nth(2).unwrap_or_default());
    }
    if std::env::args().nth(1).as_deref() == Some("--exits-early") {
        return exits_early();
    }
    if let Some(channel) = mgl_link::server::inherited_worker(std::env::args_os()) {
        let end = serve::serve_handed(channel, Limits::from_env(), handler::factory);
        std::process::exit(end.exit_code());
    }
    let Some(socket) = inherited_socket(std::env::args_os()) else {
        eprintln!("started by the tests of mgl-link only");
        std::process::exit(2);
    };
    // A server must not see what a client was told, and must know what it is.
    let open: Vec<_> = std::fs::read_dir("/proc/self/fd").expect("descriptors").flatten().map(|e| e.path()).collect();
    assert!(open.len() <= 5, "of the program's descriptors only the socket is handed over: {open:?}");
    for name in
        ["MOBILEGL_TRANSPORT", "MOBILEGL_IPC_SERVER_PATH", "LD_PRELOAD", "__EGL_VENDOR_LIBRARY_FILENAMES", "SECRET"]
    {
        assert!(std::env::var_os(name).is_none(), "{name} reached the server");
    }
    assert!(mgl_link::client::Session::connect(mgl_link::client::Config::default()).is_err());
    let end = serve::serve(socket, Limits::from_env(), handler::factory);
    std::process::exit(end.exit_code());
}
