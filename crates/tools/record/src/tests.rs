//! Recordings written by hand, on the null backend: text, stops, damage and hostile records.

use crate::dump::{Content, Options, dump};
use crate::{Ended, Error, Side, Source, Stop, diff, replay};
use mgl_link::recording::{Header, Writer};
use mgl_pipe::caps::Caps;
use mgl_pipe::records::{
    Clear, ForgetMemory, Present, PresentImage, ResourceCreate, ResourceDesc, SetFramebufferState, Surface,
};
use mgl_pipe::sample::Rng;
use mgl_pipe::tokens::{ClearKind, FramebufferTarget, PixelLayout, ResourceTarget, SurfaceKind};
use mgl_pipe::{Blob, Bool8, CATALOGUE, Record, RecordInfo};
use std::path::PathBuf;

/// A file that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, bytes: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("mgl-recordings-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Self(path)
    }
    fn source(&self) -> Source {
        Source::new(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn writer() -> Writer<Vec<u8>> {
    let mut header = Header::new("null".into(), "program".into(), "spawn".into(), Caps::default().encode().unwrap());
    // The text must not change with the version or the catalogue; nothing else looks at the build.
    header.build = "build".into();
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    writer.flow(1, 0, 1 << 20).unwrap();
    writer
}

fn put(writer: &mut Writer<Vec<u8>>, op: u16, body: &[u8]) {
    let mut runs = Vec::new();
    RecordInfo::of(op).unwrap().blobs(body, &mut |blob| runs.push(blob));
    let mut staged = |blob: &Blob, out: &mut [u8]| {
        out.iter_mut().zip(blob.offset..).for_each(|(to, at)| *to = at as u8);
        blob.offset + blob.size <= 1 << 20
    };
    writer.record(1, op, body, &runs, &mut staged).unwrap();
}

fn push<R: Record>(writer: &mut Writer<Vec<u8>>, head: &R) {
    put(writer, R::OP, head.as_bytes());
}

/// Three frames, each a clear of one renderbuffer.
fn frames() -> Vec<u8> {
    let mut w = writer();
    let (slot, generation, kind, format) = (1, 1, SurfaceKind::Renderbuffer, 22);
    let desc = ResourceDesc {
        slot,
        generation,
        target: ResourceTarget::Renderbuffer,
        format,
        levels: 1,
        width: 16,
        height: 8,
        depth: 1,
        layers: 1,
        samples: 1,
        ..ResourceDesc::default()
    };
    push(&mut w, &ResourceCreate { desc });
    let surface = Surface { slot, generation, kind, format, ..Surface::default() };
    let mut fb = SetFramebufferState {
        fbo: mgl_base::Handle::DEFAULT_FRAMEBUFFER,
        target: FramebufferTarget::Draw,
        is_default: Bool8::new(true),
        complete: Bool8::new(true),
        width: 16,
        height: 8,
        layers: 1,
        samples: 1,
        draw_buffers: [0, -1, -1, -1, -1, -1, -1, -1],
        ..SetFramebufferState::default()
    };
    fb.color[0] = surface;
    push(&mut w, &fb);
    for serial in 1..=3 {
        let color = [0x3F80_0000, 0, 0, 0x3F80_0000];
        push(&mut w, &Clear { kind: ClearKind::Color, color, ..Clear::default() });
        push(&mut w, &Present { serial });
        w.frame().unwrap();
        w.flush().unwrap();
    }
    w.flow_end(1).unwrap();
    w.finish().unwrap()
}

fn text(source: &Source, options: &Options) -> String {
    let mut out = Vec::new();
    dump(source, options, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    // The catalogue's fingerprint moves with every record that is added.
    let at = text.find("catalogue ").unwrap() + "catalogue ".len();
    format!("{}CATALOGUE{}", &text[..at], &text[at + 16..])
}

fn null() -> Side {
    "null".parse().unwrap()
}

/// Tools and people read this text and compare it from run to run: a change of it is a decision, not an accident. After a
/// new record or field: `INSTA_UPDATE=always cargo test -p mgl-record`.
#[test]
fn every_record_has_its_line() {
    let mut w = writer();
    for row in CATALOGUE {
        put(&mut w, row.op, &(row.sample)(&mut Rng::new(row.op.into())));
    }
    let file = Scratch::new("all.mglr", &w.finish().unwrap());
    insta::assert_snapshot!("every_record", text(&file.source(), &Options::default()));
}

/// If this fails, a person who asks for one frame, one context or the bytes gets something else.
#[test]
fn parts_of_a_recording_are_shown() {
    let file = Scratch::new("frames.mglr", &frames());
    insta::assert_snapshot!("whole", text(&file.source(), &Options::default()));
    let options = Options { frame: Some(2), ..Options::default() };
    insta::assert_snapshot!("second_frame", text(&file.source(), &options));
    let options = Options { flow: Some(7), stats: false, content: Content::Hex, ..Options::default() };
    assert!(!text(&file.source(), &options).contains("f1 clear"));
}

/// If this fails, a replay stops somewhere else than where the person wants to look.
#[test]
fn replays_stop_where_they_are_told() {
    let file = Scratch::new("stops.mglr", &frames());
    let run = |stop| replay(&file.source(), &null(), stop, &mut |_, _| ());
    let all = run(Stop::End).unwrap();
    assert!(matches!(all.ended, Ended::Complete), "{:?}", all.ended);
    assert_eq!((all.position().calls, all.position().frames, all.position().steps), (8, 3, 3));
    let frame = run(Stop::Frame(2)).unwrap();
    assert!(matches!(frame.ended, Ended::Stopped));
    assert_eq!((frame.position().calls, frame.position().frames), (6, 2));
    let mut call = run(Stop::Call(3)).unwrap();
    assert!(call.describe().starts_with("#3 f1 clear kind=Color"), "{}", call.describe());
    let picture = call.picture().unwrap();
    assert_eq!((picture.pixels.dimensions(), picture.what.as_str()), ((16, 8), "renderbuffer 1.1, Rgba8, 16 x 8"));
    let missing = run(Stop::Frame(9)).err().unwrap();
    assert!(missing.to_string().contains("only 3 frames"), "{missing}");
    assert!(run(Stop::Call(2)).unwrap().picture().is_err(), "nothing was drawn yet");
}

/// A renderbuffer in `slot`, and the surface of it.
fn renderbuffer(w: &mut Writer<Vec<u8>>, slot: u32) -> Surface {
    let (generation, kind, format) = (1, SurfaceKind::Renderbuffer, 22);
    let target = ResourceTarget::Renderbuffer;
    let size = ResourceDesc { levels: 1, width: 16, height: 8, depth: 1, layers: 1, samples: 1, ..Default::default() };
    push(w, &ResourceCreate { desc: ResourceDesc { slot, generation, target, format, ..size } });
    Surface { slot, generation, kind, format, ..Surface::default() }
}

/// If this fails, a recording of a program in a window does not replay, or its picture is not the one in the window.
#[test]
fn the_picture_of_a_frame_is_what_went_to_the_window() {
    let mut w = writer();
    let surfaces = [renderbuffer(&mut w, 1), renderbuffer(&mut w, 2)];
    let mut fb = SetFramebufferState {
        fbo: mgl_base::Handle::DEFAULT_FRAMEBUFFER,
        is_default: Bool8::new(true),
        complete: Bool8::new(true),
        width: 16,
        height: 8,
        layers: 1,
        samples: 1,
        draw_buffers: [0, -1, -1, -1, -1, -1, -1, -1],
        ..SetFramebufferState::default()
    };
    fb.color[0] = surfaces[0];
    push(&mut w, &fb);
    let (width, height, layout) = (16, 8, PixelLayout::X8R8G8B8);
    let image = mgl_base::Handle::new(2, 1);
    let shown = PresentImage { image, memory: 5, stride: 64, width, height, layout, ..PresentImage::default() };
    push(&mut w, &shown);
    push(&mut w, &PresentImage { offset: 4096, ..shown });
    push(&mut w, &Present { serial: 1 });
    w.frame().unwrap();
    push(&mut w, &ForgetMemory { memory: 5, ..ForgetMemory::default() });
    push(&mut w, &ForgetMemory { memory: 6, ..ForgetMemory::default() });
    w.flow_end(1).unwrap();
    let file = Scratch::new("window.mglr", &w.finish().unwrap());
    let mut done = replay(&file.source(), &null(), Stop::End, &mut |_, _| ()).unwrap();
    assert!(matches!(done.ended, Ended::Complete), "{:?}", done.ended);
    assert_eq!(done.picture().unwrap().what, "renderbuffer 2.1, Rgba8, 16 x 8");
}

/// If this fails, a recording of a program that crashed cannot be looked at, or looks whole.
#[test]
fn what_is_left_of_a_recording_replays() {
    let whole = frames();
    for (index, len) in (whole.len() / 2..whole.len()).enumerate() {
        let file = Scratch::new("cut.mglr", &whole[..len]);
        match replay(&file.source(), &null(), Stop::End, &mut |_, _| ()) {
            Ok(done) => {
                assert!(matches!(done.ended, Ended::Truncated { .. }), "{index}: {:?}", done.ended);
                assert!(done.ended.trouble().unwrap().contains("cut off"));
            }
            Err(error) => assert!(matches!(error, Error::File { .. }), "{error}"),
        }
    }
    for at in 0..whole.len() {
        let mut bad = whole.clone();
        bad[at] ^= 0x10;
        let file = Scratch::new("flipped.mglr", &bad);
        match replay(&file.source(), &null(), Stop::End, &mut |_, _| ()) {
            Ok(done) => assert!(matches!(done.ended, Ended::Damaged(_)), "{at}: {:?}", done.ended),
            Err(error) => assert!(matches!(error, Error::File { .. }), "{error}"),
        }
    }
}

/// A recording may come from anywhere: a record that lies must end the replay by name, not the tool.
#[test]
fn hostile_records_end_the_replay_by_name() {
    for seed in 0..400 {
        let mut rng = Rng::new(seed + 1);
        let mut w = writer();
        for _ in 0..32 {
            let row = &CATALOGUE[rng.next() as usize % CATALOGUE.len()];
            let mut body = (row.sample)(&mut rng);
            if rng.next().is_multiple_of(4) {
                let at = rng.next() as usize % body.len();
                body[at] ^= 1 << (rng.next() % 8);
            }
            put(&mut w, row.op, &body);
        }
        let file = Scratch::new("hostile.mglr", &w.finish().unwrap());
        let mut done = replay(&file.source(), &null(), Stop::End, &mut |_, _| ()).unwrap();
        let _ = (done.picture(), done.pictures(), done.describe());
        assert!(matches!(done.ended, Ended::Complete | Ended::Fault { .. }), "{:?}", done.ended);
    }
}

/// If this fails, equal pictures are reported as different, or the page that says so cannot be opened elsewhere.
#[test]
fn equal_sides_give_a_page_that_says_so() {
    let file = Scratch::new("equal.mglr", &frames());
    let mut told = 0;
    let report = diff::diff(&file.source(), [&null(), &null()], 0, &mut |_| told += 1).unwrap();
    assert!(report.equal() && report.first.is_none() && told > 0);
    let page = report.page().unwrap();
    assert!(page.contains("The pictures are equal") && page.matches("data:image/png;base64,").count() == 3, "{page}");
    assert!(!page.contains("http"), "a page that needs the network");
    assert_eq!(page, diff::diff(&file.source(), [&null(), &null()], 0, &mut |_| ()).unwrap().page().unwrap());
}
