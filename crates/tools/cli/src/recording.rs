//! `mobilegl record`, `replay`, `dump` and `diff`: what a person does with a recording. Must not know the file's format.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use mgl_record::dump::{Content, Options};
use mgl_record::{STDIN, Side, Source, Stop};

use crate::environment::{Choice, Transport};
use crate::error::{Error, NOT_WHOLE};
use crate::run;
use crate::say::say;

/// End of the names of recordings.
const EXTENSION: &str = "mglr";
/// How long a server may go on writing after the program has ended: it may have to draw what is left first.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where to stop, of which at most one is given.
#[derive(clap::Args)]
#[group(multiple = false)]
pub struct StopArguments {
    /// Stop after this frame, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    frame: Option<u64>,
    /// Stop after this draw, counted from 1 over all contexts
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    draw: Option<u64>,
    /// Stop after this record: its number in `mobilegl dump`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    call: Option<u64>,
}

impl StopArguments {
    fn stop(&self) -> Stop {
        match (self.frame, self.draw, self.call) {
            (Some(n), _, _) => Stop::Frame(n),
            (_, Some(n), _) => Stop::Draw(n),
            (_, _, Some(n)) => Stop::Call(n),
            _ => Stop::End,
        }
    }
}

/// Arguments of `mobilegl replay`.
#[derive(clap::Args)]
pub struct ReplayArguments {
    /// The recording; - is standard input
    file: PathBuf,
    /// On what to replay: a backend, or BACKEND:KEY=VALUE;KEY=VALUE; as recorded when it is not given
    #[arg(long, value_name = "SIDE")]
    backend: Option<Side>,
    #[command(flatten)]
    stop: StopArguments,
    /// Write the picture at the stop as a PNG; - is standard output
    #[arg(long, value_name = "OUT")]
    png: Option<PathBuf>,
    /// Keep the alpha channel in the PNG
    #[arg(long, requires = "png")]
    alpha: bool,
    /// Print the last record and the state that it met
    #[arg(long)]
    state: bool,
}

/// Arguments of `mobilegl dump`.
#[derive(clap::Args)]
pub struct DumpArguments {
    /// The recording; - is standard input
    file: PathBuf,
    /// Only this frame, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    frame: Option<u64>,
    /// Only this flow: one context of the program
    #[arg(long, value_name = "N")]
    flow: Option<u32>,
    /// How the bytes of buffers, textures and shaders are shown: hash (size and hash) or hex (all digits, too)
    #[arg(long, default_value = "hash")]
    content: ContentWord,
    /// Only the table of counts
    #[arg(long)]
    stats: bool,
}

/// How content is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ContentWord {
    /// Size and hash.
    Hash,
    /// All digits as well.
    Hex,
}

/// Arguments of `mobilegl diff`.
#[derive(clap::Args)]
pub struct DiffArguments {
    /// The recording; - is standard input
    file: PathBuf,
    /// One side: a backend, or BACKEND:KEY=VALUE;KEY=VALUE as in magma:disable=dynamic_rendering
    #[arg(long = "a", value_name = "SIDE", default_value = "magma")]
    a: Side,
    /// The other side
    #[arg(long = "b", value_name = "SIDE")]
    b: Side,
    /// Where the page goes
    #[arg(short, long, value_name = "OUT", default_value = "diff.html")]
    output: PathBuf,
    /// Differences of a channel up to this, of 255, are none
    #[arg(long, value_name = "N", default_value_t = 2)]
    tolerance: u8,
}

/// A file that can be recorded to, absolute: a program may change its folder before it opens a display. A recording
/// that is there already is replaced; anything else is kept.
///
/// # Errors
/// When the name is taken by something else, or its folder cannot be written.
pub fn target(wanted: Option<PathBuf>, program: &[OsString]) -> Result<PathBuf, Error> {
    let own_name = || {
        let name = program.first().map(PathBuf::from).unwrap_or_default();
        PathBuf::from(name.file_name().unwrap_or_default()).with_extension(EXTENSION)
    };
    let path = wanted.unwrap_or_else(own_name);
    let path =
        std::path::absolute(&path).map_err(|source| Error::RecordTo { path: path.clone(), why: source.to_string() })?;
    let refuse = |why: String| Error::RecordTo { path: path.clone(), why };
    for old in family(&path) {
        let recording = Source::new(&old).and_then(|source| source.open());
        match recording {
            Ok(_) => {}
            Err(mgl_record::Error::File { source, .. }) if !source.is_foreign() => {}
            Err(_) => return Err(refuse("it exists and is no recording; choose another name with -o".into())),
        }
        fs::remove_file(&old).map_err(|error| refuse(error.to_string()))?;
    }
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(refuse(format!("{} is no folder", folder.display())));
    }
    Ok(path)
}

/// The files of one recording that exist: one for each display that the program opened.
fn family(path: &Path) -> Vec<PathBuf> {
    let numbered = |number: u32| {
        // Names need not be text.
        let mut name = path.file_stem().unwrap_or_default().to_os_string();
        name.push(format!(".{number}"));
        if let Some(end) = path.extension() {
            name.push(".");
            name.push(end);
        }
        path.with_file_name(name)
    };
    let further = (2..).map(numbered);
    std::iter::once(path.to_path_buf()).chain(further).take_while(|path| path.exists()).collect()
}

/// Runs a program and records it. The exit code is the program's, or says that there is no whole recording.
///
/// # Errors
/// As [`run::run_recorded`], and when the file cannot be recorded to.
pub fn record(choice: Choice, output: Option<PathBuf>, program: &[OsString]) -> Result<ExitCode, Error> {
    let path = target(output, program)?;
    let elsewhere = matches!(choice.transport, Transport::Listening(_));
    let code = run::run_recorded(choice, &path, program)?;
    let files = family(&path);
    let mut whole = !files.is_empty();
    for file in &files {
        let size = |file: &Path| fs::metadata(file).map_or(0, |file| file.len());
        match finished(file) {
            Ok(()) => eprintln!("mobilegl: recorded {} ({} bytes)", file.display(), size(file)),
            Err(why) => {
                whole = false;
                eprintln!("mobilegl: recorded {} ({} bytes), but not to the end: {why}", file.display(), size(file));
            }
        }
    }
    if files.is_empty() && elsewhere {
        eprintln!("mobilegl: a server that listens keeps what it records in its own MOBILEGL_RECORD_DIR");
        return Ok(ExitCode::from(code));
    }
    if files.is_empty() {
        eprintln!("mobilegl: nothing was recorded: the program opened no OpenGL display through MobileGL");
    }
    Ok(ExitCode::from(if code == 0 && !whole { NOT_WHOLE } else { code }))
}

/// Waits until the server has written the end of a file, which outlives the program: it holds a lock on it meanwhile. The
/// error says why it is not whole.
fn finished(path: &Path) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let end = Instant::now() + PATIENCE;
    while let Err(TryLockError::WouldBlock) = file.try_lock_shared() {
        if Instant::now() >= end {
            let seconds = PATIENCE.as_secs();
            return Err(format!("{seconds} s after the program's end the server still writes"));
        }
        thread::sleep(Duration::from_millis(5));
    }
    match Source::new(path).and_then(|source| source.check()) {
        Ok(None) => Ok(()),
        Ok(Some(cut)) => Err(format!("the server was killed or the disk is full; {cut}")),
        Err(error) => Err(error.to_string()),
    }
}

/// A result shall not take the place of what it was made from.
fn keep(recording: &Path, output: &Path) -> Result<(), Error> {
    let place = |path: &Path| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    if place(output).is_none_or(|out| place(recording) != Some(out)) {
        return Ok(());
    }
    let why = "it is the recording itself; choose another name".to_owned();
    Err(mgl_record::Error::Write { path: output.into(), why }.into())
}

/// A bar over the bytes of a recording; nothing when nobody looks.
fn bar(source: &Source, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(source.size());
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {percent}% {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Replays a recording.
///
/// # Errors
/// When the file or the backend cannot be had, or there is no picture.
pub fn replay(arguments: &ReplayArguments) -> Result<ExitCode, Error> {
    let source = Source::new(&arguments.file)?;
    arguments.png.iter().try_for_each(|png| keep(&arguments.file, png))?;
    let recorded = source.open()?.header().backend.parse();
    let side = match &arguments.backend {
        Some(side) => side.clone(),
        None => recorded?,
    };
    let bar = bar(&source, "replaying");
    let done = mgl_record::replay(&source, &side, arguments.stop.stop(), &mut |bytes, _| bar.set_position(bytes));
    bar.finish_and_clear();
    let mut done = done?;
    let at = done.position();
    eprintln!(
        "mobilegl: replayed {} records, {} draws, {} frames on {side} ({})",
        at.calls,
        at.draws,
        at.frames,
        done.device()
    );
    if let Some(note) = &done.lower_limits {
        eprintln!("mobilegl: {note}");
    }
    let (refused, count) = done.refused();
    for r in refused {
        eprintln!("mobilegl: refused at record #{} {}: {}", r.call, r.record, r.why);
    }
    if count > refused.len() as u64 {
        eprintln!("mobilegl: {count} records were refused in all");
    }
    if arguments.state {
        let text = done.describe();
        // Not among the bytes of a picture.
        if arguments.png.as_deref() == Some(Path::new(STDIN)) {
            eprint!("{text}");
        } else {
            crate::say::print(format_args!("{text}"));
        }
    }
    let trouble = done.ended.trouble();
    if let Some(trouble) = &trouble {
        eprintln!("mobilegl: {trouble}");
    }
    if let Some(png) = &arguments.png {
        let picture = done.picture()?;
        picture.save(png, arguments.alpha)?;
        let name = if png == Path::new(STDIN) { Path::new("the picture").display() } else { png.display() };
        eprintln!("mobilegl: {name} shows {}", picture.what);
    }
    Ok(ExitCode::from(if trouble.is_some() { NOT_WHOLE } else { 0 }))
}

/// Prints a recording.
///
/// # Errors
/// When the file cannot be read to its end.
pub fn dump(arguments: &DumpArguments) -> Result<ExitCode, Error> {
    let source = Source::new(&arguments.file)?;
    let content = match arguments.content {
        ContentWord::Hash => Content::Hash,
        ContentWord::Hex => Content::Hex,
    };
    let options = Options { frame: arguments.frame, flow: arguments.flow, content, stats: arguments.stats };
    let mut out = BufWriter::new(Printed { out: io::stdout().lock(), seen_enough: false });
    let done = mgl_record::dump::dump(&source, &options, &mut out);
    let flushed = out.flush();
    if out.get_ref().seen_enough {
        return Ok(ExitCode::SUCCESS);
    }
    let whole = done?;
    flushed.map_err(Error::Print)?;
    Ok(ExitCode::from(if whole { 0 } else { NOT_WHOLE }))
}

/// Standard output, that of a command whose reader may leave: one like `head`, that has seen enough, makes no failure of it.
struct Printed<W> {
    out: W,
    seen_enough: bool,
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.write(bytes);
        self.seen_enough |= done.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        done
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.flush();
        self.seen_enough |= done.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
        done
    }
}

/// Compares two backends; the exit code is 0 when the pictures are equal, 1 when they differ, and 2 when the recording is not
/// whole: then they say nothing of the rest. The page is written either way.
///
/// # Errors
/// When the file or a backend cannot be had, neither side has a picture, or the page cannot be written.
pub fn diff(arguments: &DiffArguments) -> Result<ExitCode, Error> {
    let source = Source::new(&arguments.file)?;
    keep(&arguments.file, &arguments.output)?;
    let bar = bar(&source, "comparing");
    let report = mgl_record::diff::diff(&source, [&arguments.a, &arguments.b], arguments.tolerance, &mut |at| {
        let (done, most) = at.replays;
        bar.set_message(format!("replay {} of at most {most}: {}", done + 1, at.doing));
        bar.set_position(at.bytes);
    });
    bar.finish_and_clear();
    let report = report?;
    let page = report.page()?;
    fs::write(&arguments.output, page)
        .map_err(|error| mgl_record::Error::Write { path: arguments.output.clone(), why: error.to_string() })?;
    let says = io::stdout().is_terminal();
    for side in &report.sides {
        side.notes.iter().for_each(|note| eprintln!("mobilegl: {}: {note}", side.side));
    }
    report.comparable()?;
    match (&report.end, &report.first) {
        (Some(c), _) if report.equal() && report.whole() => say!("equal: SSIM {:.5}", c.ssim),
        (Some(c), _) if report.equal() => {
            say!("equal as far as the recording goes, which is not whole: SSIM {:.5}", c.ssim)
        }
        (end, first) => {
            let ssim = end.as_ref().map_or_else(|| "no SSIM".to_owned(), |c| format!("SSIM {:.5}", c.ssim));
            match first {
                Some(f) => {
                    let draw = f.draw.map(|d| format!(" (draw {d})")).unwrap_or_default();
                    say!("different: {ssim}, first after record #{}{draw}", f.call);
                }
                None => say!("different: {ssim}"),
            }
        }
    }
    if says {
        say!("see {}", arguments.output.display());
    }
    Ok(ExitCode::from(match (report.whole(), report.equal()) {
        (false, _) => NOT_WHOLE,
        (true, equal) => u8::from(!equal),
    }))
}
