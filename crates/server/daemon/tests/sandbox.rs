//! What a confined server can still do, tried out by the server program itself. Must not need a graphics driver.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use std::process::Command;

fn report(needs: &str) -> Value {
    let server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server")).args(["--probe-sandbox", needs]).output().unwrap();
    assert!(server.status.success(), "{server:?}");
    serde_json::from_slice(&server.stdout).unwrap()
}

/// If this fails, a program that makes a driver run its code reads the user's files, or sends them away.
#[test]
fn a_confined_server_has_no_files_no_sockets_and_no_programs() {
    for (needs, libraries) in [("nothing", false), ("processor", true)] {
        let report = report(needs);
        if report["missing"] != serde_json::json!({ "files": null, "calls": null }) {
            println!("this kernel cannot confine: {}", report["missing"]);
            return;
        }
        for after in [&report["after"], &report["after_on_a_thread"]] {
            for denied in [
                "open_passwd",
                "open_root",
                "write_beside",
                "open_own_image",
                "unix_socket",
                "tcp_socket",
                "run_a_program",
            ] {
                assert_eq!(report["before"][denied], true, "the attempt proves nothing: {denied}");
                assert_eq!(after[denied], false, "{needs}: {denied}");
            }
            for needed in ["map_memory", "start_a_thread"] {
                assert_eq!(after[needed], true, "{needs}: {needed}");
            }
            assert_eq!(after["open_libraries"], libraries, "{needs}");
        }
    }
}

/// If this fails, a driver of a graphics card that was taken over reaches the network.
#[test]
fn a_server_on_a_graphics_card_has_no_network() {
    let report = report("network");
    if report["missing"]["calls"] != Value::Null {
        println!("this kernel cannot confine: {}", report["missing"]);
        return;
    }
    for after in [&report["after"], &report["after_on_a_thread"]] {
        assert_eq!((&after["tcp_socket"], &report["before"]["tcp_socket"]), (&Value::from(false), &Value::from(true)));
        // What a driver may use is left to it.
        for kept in ["open_passwd", "unix_socket", "run_a_program", "map_memory"] {
            assert_eq!(after[kept], true, "{kept}");
        }
    }
}

/// If this fails, a misspelt switch leaves a server unconfined without a word.
#[test]
fn unknown_modes_are_refused() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_mobilegl-server"));
    let output = server.args(["--session-fd", "99"]).env("MOBILEGL_SANDBOX", "on").output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("MOBILEGL_SANDBOX"), "{output:?}");
}
