//! What the server program says of switches that are set to what they cannot be. Must not need a graphics driver.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

/// If this fails, a server runs with a budget, a check or a forced way round that its owner believes in and that is not
/// there. The address cannot be listened on: a server that overlooked the value ends too.
#[test]
fn impossible_values_keep_a_server_from_starting() {
    for (name, value) in [
        ("MOBILEGL_SESSION_MEMORY_MB", "x"),
        ("MOBILEGL_IPC_PREAUTH_MS", "abc"),
        ("MOBILEGL_SESSION_OBJECTS", "0"),
        ("MOBILEGL_IPC_RING_MB", "0"),
        ("MOBILEGL_MAGMA_DISABLE", "nosuch"),
        ("MOBILEGL_ESPRYT_DISABLE", "nosuch"),
        ("MOBILEGL_BACKEND", "nosuch"),
    ] {
        let mut server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server"));
        let output = server.args(["--listen", "unix:/nonexistent/folder/s"]).env(name, value).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(name) && said.contains("use "), "{name}={value}: {output:?}");
    }
}

/// If this fails, the log of a server holds colour codes where no terminal shows them, and a filter that nobody understood
/// is a riddle.
#[test]
fn the_log_is_plain_text_in_a_file() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server"));
    let output = server.args(["--listen", "unix:/nonexistent/folder/s"]).env("MOBILEGL_LOG", "=,=").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("MOBILEGL_LOG is no filter") && !said.contains('\u{1b}'), "{said}");
}

/// If this fails, a misspelt feature forces nothing, and with `auto` another backend may draw than the one that is tried.
#[test]
fn misspelt_features_are_refused_to_every_session() {
    // SAFETY: tests run in a process of their own, and no other thread runs yet.
    unsafe { std::env::set_var("MOBILEGL_MAGMA_DISABLE", "nosuch") };
    let refused = mgl_daemon::open_backend("null", &[]).map(|_| ()).unwrap_err();
    assert!(refused.contains("MOBILEGL_MAGMA_DISABLE") && refused.contains("nosuch"), "{refused}");
}
