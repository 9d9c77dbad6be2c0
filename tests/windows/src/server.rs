//! An X server of the test's own, on a display number that it finds itself; it ends with the value. Must not know who draws.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use mgl_programs::{Error, Result};

use crate::failed;

/// A running Xvfb.
#[derive(Debug)]
pub struct XServer {
    child: Child,
    display: String,
}

impl XServer {
    /// Starts a server whose screen is 1280 by 1024 with `depth` bits of colour.
    ///
    /// # Errors
    /// When there is no Xvfb, or it does not start.
    pub fn start(depth: u8) -> Result<Self> {
        let screen = format!("1280x1024x{depth}");
        // Without -noreset the server forgets everything whenever its last client leaves.
        let mut child = Command::new("Xvfb")
            .args(["-displayfd", "1", "-noreset", "-screen", "0", &screen, "+extension", "GLX", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed("starting Xvfb"))?;
        let mut line = String::new();
        let said = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut line));
        let server = Self { child, display: format!(":{}", line.trim()) };
        match said {
            Some(Ok(_)) if !line.trim().is_empty() => Ok(server),
            _ => Err(Error::Missing { what: "an X server", path: "Xvfb".into() }),
        }
    }

    /// The value of `DISPLAY`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Ends the server at once, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for XServer {
    fn drop(&mut self) {
        // Asked first: a killed server leaves its lock file and socket behind.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        for _ in 0..100 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        self.kill();
    }
}
