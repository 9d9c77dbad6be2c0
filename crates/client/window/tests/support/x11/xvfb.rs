//! A real X server without a screen, where one is installed (Debian: xvfb).

use std::io::Read as _;
use std::os::fd::AsRawFd as _;
use std::process::{Child, Command, Stdio};

/// A running server; ends with the value.
pub struct Xvfb {
    child: Child,
    /// Name of its display.
    pub display: String,
}

impl Xvfb {
    /// Starts one on a display that is free, with a screen of that depth. `None`, with a word, where it is not installed.
    pub fn start(depth: u8) -> Option<Self> {
        Self::start_with(depth, &["-nolisten", "tcp"])
    }

    /// The same for clients of other machines.
    pub fn start_remote() -> Option<Self> {
        let mut server = Self::start_with(24, &["-listen", "tcp", "-ac"])?;
        server.display.insert_str(0, "127.0.0.1");
        Some(server)
    }

    fn start_with(depth: u8, more: &[&str]) -> Option<Self> {
        let (mut reader, writer) = std::io::pipe().unwrap();
        rustix::io::fcntl_setfd(&writer, rustix::io::FdFlags::empty()).unwrap();
        let number = writer.as_raw_fd().to_string();
        let screen = format!("640x480x{depth}");
        let arguments = ["-displayfd", &number, "-noreset", "-screen", "0", &screen];
        let started =
            Command::new("Xvfb").args(arguments).args(more).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        drop(writer);
        let Ok(child) = started else {
            println!("skipped: Xvfb is not here (Debian: xvfb)");
            return None;
        };
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        assert!(!said.trim().is_empty(), "Xvfb did not start");
        Some(Self { child, display: format!(":{}", said.trim()) })
    }

    /// The server dies.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Xvfb {
    fn drop(&mut self) {
        self.kill();
    }
}
