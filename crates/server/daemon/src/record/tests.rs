//! The recorder over the null backend and the monolith's own rings.

use super::{Recorder, create, place};
use mgl_apply::{Handler, Session};
use mgl_base::Handle;
use mgl_base::handle::Buffer;
use mgl_link::client::{Config, Session as Client, Transport};
use mgl_link::recording::{Ending, Entry, Reader};
use mgl_link::server::{Hello, Refusal, SessionHandler};
use mgl_null::Null;
use mgl_pipe::Record;
use mgl_pipe::records::{Present, ResourceCreate, ResourceDesc, ResourceReadback, ResourceSubData};
use mgl_pipe::tokens::ResourceTarget;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

fn applier() -> Box<dyn SessionHandler> {
    Box::new(Handler::new(Session::new(Null::boxed(), 1 << 30)))
}

fn recorded(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    let (_, path) = hello.options.iter().find(|(key, _)| key == "record").expect("the wish is passed on");
    Ok(Box::new(Recorder::start(applier(), Path::new(path), hello)?))
}

/// A disk that is full after the header.
struct Full(bool);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if std::mem::replace(&mut self.0, true) { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(bytes.len()) }
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn on_full_disk(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    let recorder = Recorder::into(applier(), Box::new(Full(false)), PathBuf::from("full"), hello);
    Ok(Box::new(recorder.expect("the header fits")))
}

fn config(path: &Path, factory: mgl_link::client::config::Embedded) -> Config {
    let options = vec![("record".to_owned(), path.display().to_string())];
    Config { transport: Transport::Monolith, options, program: "test".into(), ..Config::default() }
        .with_embedded(factory)
}

/// One buffer, written, read back, and a frame.
fn program(config: Config) -> Vec<u8> {
    let client = Client::connect(config).unwrap();
    let mut flow = client.create_flow(0).unwrap();
    let desc =
        ResourceDesc { slot: 1, generation: 1, target: ResourceTarget::Buffer, size: 64, ..ResourceDesc::default() };
    flow.push(&ResourceCreate { desc }).unwrap();
    let blob = flow.stage(&[7; 64]).unwrap();
    let (slot, generation) = (1, 1);
    let write =
        ResourceSubData { target: ResourceTarget::Buffer, slot, generation, blob, ..ResourceSubData::default() };
    flow.push(&write).unwrap();
    let buffer: Handle<Buffer> = Handle::new(1, 1);
    let seq = flow.push(&ResourceReadback { buffer, offset: 0, size: 64 }).unwrap();
    let mut answer = vec![0; 64];
    flow.reply(seq, &mut answer).unwrap();
    flow.wait_present_credit(1, 1).unwrap();
    flow.push(&Present { serial: 1 }).unwrap();
    flow.flush().unwrap();
    answer
}

fn read(path: &Path) -> (Vec<String>, Ending) {
    let mut reader = Reader::new(File::open(path).unwrap()).unwrap();
    assert_eq!((reader.header().program.as_str(), reader.header().backend.as_str()), ("test", "null"));
    let mut seen = Vec::new();
    while let Some(entry) = reader.next().unwrap() {
        seen.push(match entry {
            Entry::Record(r) => {
                format!("{} {:?}", r.op, r.runs().iter().map(|run| run.bytes.clone()).collect::<Vec<_>>())
            }
            other => format!("{other:?}"),
        });
    }
    (seen, reader.ending().unwrap())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("mgl-record-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A recording that lacks records or content shows another picture than the program did.
#[test]
fn everything_that_is_applied_is_in_the_file() {
    let folder = folder("all");
    let path = folder.join("a.mglr");
    program(config(&path, recorded));
    let (seen, ending) = read(&path);
    assert_eq!(ending, Ending::Complete);
    let [flow, create, write, read, present, frame, ..] = &seen[..] else { panic!("{seen:?}") };
    assert!(flow.starts_with("Flow { flow: 1, share: 0"), "{flow}");
    assert_eq!(create, &format!("{} []", ResourceCreate::OP));
    assert_eq!(write, &format!("{} [{:?}]", ResourceSubData::OP, [7; 64]));
    assert_eq!(read, &format!("{} []", ResourceReadback::OP));
    assert_eq!((present.as_str(), frame.as_str()), (&*format!("{} []", Present::OP), "Frame { number: 1 }"));
    assert_eq!(seen[seen.len() - 2..], ["FlowEnd { flow: 1 }", "End"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// If this fails, a full disk takes the program down that is being recorded.
#[test]
fn a_full_disk_ends_the_recording_and_not_the_program() {
    let plain = folder("plain");
    assert_eq!(program(config(Path::new("full"), on_full_disk)), program(config(&plain.join("a"), recorded)));
    std::fs::remove_dir_all(plain).unwrap();
}

/// If this fails, what a program writes through a persistent map is missing in its recording.
#[test]
fn a_recorded_session_has_no_memory_in_common() {
    fn plain(_: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
        Ok(applier())
    }
    let folder = folder("common");
    for (factory, shares) in [(plain as mgl_link::client::config::Embedded, true), (recorded, false)] {
        let client = Client::connect(config(&folder.join("a.mglr"), factory)).unwrap();
        assert_eq!(client.share_memory(65536).is_some(), shares);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// If this fails, a program in a window cannot be recorded.
#[test]
fn a_recorded_session_has_memory_for_pictures() {
    let hello = hello(None);
    let mut recorder = Recorder::into(applier(), Box::new(Vec::new()), PathBuf::from("none"), &hello).unwrap();
    let memory = std::sync::Arc::new(mgl_link::segment::Segment::private(4096).unwrap());
    recorder.pixels_shared(3, memory.clone()).unwrap();
    assert_eq!(std::sync::Arc::strong_count(&memory), 2);
}

fn hello(wish: Option<&str>) -> Hello {
    Hello {
        protocol: 1,
        fingerprint: 0,
        build: String::new(),
        backend: "null".into(),
        program: "p".into(),
        pid: 1,
        token: Vec::new(),
        transport: "unix".into(),
        data: Default::default(),
        options: wish.map(|w| ("record".into(), w.into())).into_iter().collect(),
    }
}

/// A program that opens two sessions, or a second run, must not overwrite what was recorded.
#[test]
fn a_file_is_never_overwritten() {
    let folder = folder("names");
    let made: Vec<_> = (0..3).map(|_| create(&folder.join("a.mglr")).unwrap().1).collect();
    assert_eq!(made, ["a.mglr", "a.2.mglr", "a.3.mglr"].map(|name| folder.join(name)));
    std::fs::remove_dir_all(folder).unwrap();
}

/// If this fails, a client of a listening server writes files where it likes.
#[test]
fn only_the_server_decides_where_files_are_written() {
    let place = |hello: &Hello, own: Option<&str>, folder: Option<&str>| {
        place(hello, own.map(Path::new), folder.map(Path::new))
    };
    assert_eq!(place(&hello(None), Some("a"), Some("/records")), Ok(None));
    assert_eq!(place(&hello(Some("x/a")), Some("x/a"), None), Ok(Some("x/a".into())));
    let refused = place(&hello(Some("/etc/passwd")), None, None).unwrap_err();
    assert!(refused.detail.contains("MOBILEGL_RECORD_DIR"), "{refused:?}");
    assert_eq!(place(&hello(Some("/etc/passwd")), None, Some("/records")), Ok(Some("/records/passwd".into())));
    assert!(place(&hello(Some("..")), Some("b"), Some("/records")).is_err());
}
