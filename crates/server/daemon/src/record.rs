//! The recorder: stands before a session's applier and writes down what it applies, in the order over all flows. Must not
//! know what a record means beyond the catalogue, nor change what is applied.
//!
//! Staged bytes are read a second time for the file. A client that changes them meanwhile garbles its own recording; what
//! is applied is proven as ever.

mod leave;

use mgl_base::{Family, Fault};
use mgl_link::RefuseCode;
use mgl_link::recording::{Header, RecordingError, Writer};
use mgl_link::segment::Segment;
use mgl_link::server::{FlowIo, Hello, Refusal, SessionHandler, SessionIo, Step};
use mgl_link::settings;
use mgl_pipe::records::Present;
use mgl_pipe::{Blob, Record, RecordInfo, Wait};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long an idle server keeps what it has not written yet.
const KEEP: Duration = Duration::from_millis(50);
/// Files that one name may be numbered to, for programs that open several sessions.
const MAX_FILES: u32 = 1000;

/// Where the session of `hello` is to be recorded. A client names a file, but only the environment of the server's own
/// process decides: a spawned server has that of the program; a listening one keeps what it is asked to record in the
/// folder `MOBILEGL_RECORD_DIR`, under the last part of the name, or refuses.
pub fn wanted(hello: &Hello) -> Result<Option<PathBuf>, Refusal> {
    let (own, folder) = (settings::path("MOBILEGL_RECORD"), settings::path("MOBILEGL_RECORD_DIR"));
    place(hello, own.as_deref(), folder.as_deref())
}

fn place(hello: &Hello, own: Option<&Path>, folder: Option<&Path>) -> Result<Option<PathBuf>, Refusal> {
    let Some((_, wish)) = hello.options.iter().find(|(key, _)| key == "record") else { return Ok(None) };
    // What is no text travels as what a person would see of it; the file itself is named by the environment.
    if let Some(own) = own.filter(|own| own.to_string_lossy() == *wish) {
        return Ok(Some(own.to_path_buf()));
    }
    let refuse = |detail: &str| Err(Refusal { code: RefuseCode::Resources, detail: detail.into() });
    match (folder, Path::new(wish).file_name()) {
        (Some(folder), Some(name)) => Ok(Some(folder.join(name))),
        (Some(_), None) => refuse("recording: MOBILEGL_RECORD names no file"),
        (None, _) => refuse(
            "recording: this server does not record for its clients; start it with MOBILEGL_RECORD_DIR, or record with another transport",
        ),
    }
}

/// Makes a file that did not exist: `name`, or `name.2`, `name.3` … before its extension.
fn create(path: &Path) -> std::io::Result<(File, PathBuf)> {
    let open = |path: &Path| File::options().write(true).create_new(true).open(path);
    for number in 1..MAX_FILES {
        let mut candidate = path.to_path_buf();
        if number > 1 {
            // The extension stays, behind the number; names need not be text.
            let mut name = path.file_stem().unwrap_or_default().to_os_string();
            name.push(format!(".{number}"));
            if let Some(end) = path.extension() {
                name.push(".");
                name.push(end);
            }
            candidate.set_file_name(name);
        }
        match open(&candidate) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => return Ok((file, candidate)),
        }
    }
    Err(std::io::ErrorKind::AlreadyExists.into())
}

/// A file that is written to.
type Out = Writer<Box<dyn Write + Send>>;

/// The file of a session, and what its end must know.
struct Tape {
    /// None once it could not be written, or is closed.
    file: Option<Out>,
    path: PathBuf,
    /// Flows that have not ended.
    flows: Vec<u32>,
    /// A record is being applied: whoever sees this at the end sees a panic.
    applying: bool,
}

/// An applier whose session is recorded.
pub struct Recorder {
    inner: Box<dyn SessionHandler>,
    tape: Arc<Mutex<Tape>>,
    runs: Vec<Blob>,
    flushed: Instant,
}

impl Tape {
    /// Writes, and ends the recording by name when that fails: the program goes on.
    fn write(&mut self, work: impl FnOnce(&mut Out) -> Result<(), RecordingError>) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = work(file) {
            let path = self.path.display();
            tracing::error!("recording to {path} ended: {error}. The file can be read up to its last whole block");
            self.file = None;
        }
    }

    /// Writes the end of the session; nothing may follow.
    fn close(&mut self) {
        if std::mem::take(&mut self.applying) {
            self.write(|file| file.fault(&Fault::new(Family::ServerCrashed, "panic")));
        }
        // A client that leaves may or may not have ended its flows first: the file says the same for both.
        for flow in std::mem::take(&mut self.flows) {
            self.write(|file| file.flow_end(flow));
        }
        if let Some(file) = self.file.take()
            && let Err(error) = file.finish()
        {
            tracing::error!("recording to {} ended: {error}", self.path.display());
        }
    }
}

fn locked(tape: &Mutex<Tape>) -> MutexGuard<'_, Tape> {
    tape.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    /// Records what `inner` applies into a new file at `path`.
    pub fn start(inner: Box<dyn SessionHandler>, path: &Path, hello: &Hello) -> Result<Self, Refusal> {
        let refuse = |error: &dyn std::fmt::Display| Refusal {
            code: RefuseCode::Resources,
            detail: format!("recording: {} cannot be written: {error}", path.display()),
        };
        let (file, path) = create(path).map_err(|e| refuse(&e))?;
        // Held until the file is closed or this process has ended: whoever asked for the recording waits for it. Where files
        // cannot be locked, it is not waited for.
        let _ = file.try_lock();
        tracing::info!(path = %path.display(), "recording");
        Self::into(inner, Box::new(file), path.clone(), hello).map_err(|e| refuse(&e))
    }

    fn into(
        mut inner: Box<dyn SessionHandler>,
        out: Box<dyn Write + Send>,
        path: PathBuf,
        hello: &Hello,
    ) -> Result<Self, RecordingError> {
        let header = Header::new(inner.backend(), hello.program.clone(), hello.transport.clone(), inner.caps());
        let file = Some(Writer::new(out, &header)?);
        let tape = Arc::new(Mutex::new(Tape { file, path, flows: Vec::new(), applying: false }));
        leave::at_exit(&tape);
        Ok(Self { inner, tape, runs: Vec::new(), flushed: Instant::now() })
    }

    fn flush(&mut self) {
        locked(&self.tape).write(Writer::flush);
        self.flushed = Instant::now();
    }

    /// Writes a record down; false when nothing is recorded any more.
    fn note(&mut self, flow: u32, op: u16, body: &[u8], io: &mut FlowIo<'_>) -> bool {
        let mut tape = locked(&self.tape);
        if tape.file.is_none() {
            return false;
        }
        self.runs.clear();
        if let Some(info) = RecordInfo::of(op) {
            info.blobs(body, &mut |blob| self.runs.push(blob));
        }
        let stage = io.stage_len();
        tape.write(|file| {
            file.record(flow, op, body, &self.runs, &mut |blob, out| {
                blob.offset <= stage && (out.is_empty() || io.copy_stage(blob, out).is_ok())
            })
        });
        tape.applying = true;
        true
    }
}

impl SessionHandler for Recorder {
    fn backend(&self) -> String {
        self.inner.backend()
    }

    fn caps(&mut self) -> Vec<u8> {
        self.inner.caps()
    }

    fn flow_created(&mut self, flow: u32, share: u32, io: &mut FlowIo<'_>) -> Result<(), Fault> {
        self.inner.flow_created(flow, share, io)?;
        let stage = io.stage_len();
        let mut tape = locked(&self.tape);
        tape.flows.push(flow);
        tape.write(|file| file.flow(flow, share, stage));
        Ok(())
    }

    /// What a program writes into memory in common is in no record: refused, it is found and sent.
    fn memory_shared(&mut self, _id: u32, _memory: Arc<Segment>) -> Result<(), Fault> {
        Err(Fault::unsupported("memory in common while a session is recorded"))
    }

    /// Nobody reads out of it what is not in a record.
    fn pixels_shared(&mut self, id: u32, memory: Arc<Segment>) -> Result<(), Fault> {
        self.inner.pixels_shared(id, memory)
    }

    fn flow_destroyed(&mut self, flow: u32) {
        self.inner.flow_destroyed(flow);
        let mut tape = locked(&self.tape);
        tape.flows.retain(|open| *open != flow);
        tape.write(|file| file.flow_end(flow));
    }

    /// Each record by itself: a recorded session does not join draws, so that each can be looked at.
    fn record(&mut self, flow: u32, seq: u64, op: u16, body: &[u8], io: &mut FlowIo<'_>) -> Result<Step, Fault> {
        if !self.note(flow, op, body, io) {
            return self.inner.record(flow, seq, op, body, io);
        }
        // Not locked meanwhile: whoever ends the process from another thread must not wait for the device.
        let step = self.inner.record(flow, seq, op, body, io);
        let mut tape = locked(&self.tape);
        tape.applying = false;
        match &step {
            Err(fault) => tape.write(|file| file.fault(fault)),
            Ok(_) if op == Present::OP => tape.write(Writer::frame),
            // What a program looks at is what a recording is opened for, even if the program is killed afterwards.
            Ok(_) if RecordInfo::of(op).is_some_and(|info| info.wait == Wait::Reply) => {}
            Ok(_) => return step,
        }
        drop(tape);
        self.flush();
        step
    }

    fn time_limit(&self) -> Option<mgl_base::threads::TimeLimit> {
        self.inner.time_limit()
    }

    fn working(&self) -> bool {
        self.inner.working()
    }

    fn idle(&mut self, busy: bool, io: &mut SessionIo<'_>) -> Result<bool, Fault> {
        let again = self.inner.idle(busy, io)?;
        let pending = !busy && locked(&self.tape).file.as_ref().is_some_and(Writer::pending);
        if pending && self.flushed.elapsed() >= KEEP {
            self.flush();
            return Ok(again);
        }
        Ok(again || pending)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        locked(&self.tape).close();
    }
}

#[cfg(test)]
mod tests;
