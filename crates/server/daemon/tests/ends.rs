//! How servers end when nobody is left to serve, and start when there is nowhere to keep anything. Must not need a graphics
//! driver.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mgl_link::address::Address;
use mgl_link::client::{Config, Session, Transport};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

/// If this fails, a server that was killed leaves its workers behind, with devices and memory that nobody can give back.
#[test]
fn workers_end_with_a_server_that_was_killed() {
    let name = format!("unix:@mgl-ends-{}", std::process::id());
    let mut server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server"));
    server.args(["--listen", &name, "--backend", "null"]).stdout(Stdio::piped());
    let mut server = server.spawn().unwrap();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut String::new()).unwrap();
    let config = Config { transport: Transport::Unix, address: Address::parse(&name), ..Config::default() };
    let session = Session::connect(config).unwrap();
    assert!(session.check_alive().is_ok());
    server.kill().unwrap();
    server.wait().unwrap();
    // A test that hangs has failed.
    while session.check_alive().is_ok() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let words = session.loss_in_words().unwrap();
    assert!(words.contains("SIGTERM"), "{words}");
}

/// If this fails, a user without a home, or with a full or read-only one, has no server at all, or one whose driver writes to a
/// folder of somebody else.
#[test]
fn without_a_folder_for_caches_drivers_keep_nothing() {
    for folder in [None, Some("/dev/null/caches"), Some("/proc/caches")] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server"));
        for name in
            ["HOME", "XDG_CACHE_HOME", "MOBILEGL_CACHE_DIR", "MESA_SHADER_CACHE_DIR", "MESA_SHADER_CACHE_DISABLE"]
        {
            server.env_remove(name);
        }
        server.envs(folder.map(|folder| ("MOBILEGL_CACHE_DIR", folder))).env("MOBILEGL_LOG", "info");
        let output = server.arg("--version").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("the driver keeps nothing"), "{folder:?}: {said}");
    }
}
