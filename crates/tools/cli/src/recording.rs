//! `mobilegl record`, `replay`, `dump` and `diff`: what a person does with a recording. Must not know the file's format.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use mgl_record::dump::{Content, Options};
use mgl_record::{Side, Source, Stop};

use crate::environment::Choice;
use crate::error::Error;
use crate::run;
use crate::say::say;

/// End of the names of recordings.
const EXTENSION: &str = "mglr";

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
    /// The recording
    file: PathBuf,
    /// On what to replay: a backend, or BACKEND:KEY=VALUE;KEY=VALUE; as recorded when it is not given
    #[arg(long, value_name = "SIDE")]
    backend: Option<Side>,
    #[command(flatten)]
    stop: StopArguments,
    /// Write the picture at the stop as a PNG
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
    /// The recording
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
    /// The recording
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
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let further = (2..).map(|number| path.with_file_name(format!("{stem}.{number}{end}")));
    std::iter::once(path.to_path_buf()).chain(further).take_while(|path| path.exists()).collect()
}

/// Runs a program and records it.
///
/// # Errors
/// As [`run::run`], and when the file cannot be recorded to.
pub fn record(choice: Choice, output: Option<PathBuf>, program: &[OsString]) -> Result<ExitCode, Error> {
    let path = target(output, program)?;
    let code = run::run(choice, Some(&path), program)?;
    let files = family(&path);
    for file in &files {
        let size = fs::metadata(file).map_or(0, |file| file.len());
        eprintln!("mobilegl: recorded {} ({size} bytes)", file.display());
    }
    if files.is_empty() {
        eprintln!("mobilegl: nothing was recorded: the program opened no OpenGL display through MobileGL");
    }
    Ok(code)
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
        crate::say::print(format_args!("{}", done.describe()));
    }
    let trouble = done.ended.trouble();
    if let Some(trouble) = &trouble {
        eprintln!("mobilegl: {trouble}");
    }
    if let Some(png) = &arguments.png {
        let picture = done.picture()?;
        picture.save(png, arguments.alpha)?;
        eprintln!("mobilegl: {} shows {}", png.display(), picture.what);
    }
    Ok(ExitCode::from(u8::from(trouble.is_some())))
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
    let mut out = BufWriter::new(io::stdout().lock());
    let done = mgl_record::dump::dump(&source, &options, &mut out);
    // A reader like `head` that has seen enough is no failure.
    let _ = out.flush();
    match done {
        Err(mgl_record::Error::Write { .. }) => Ok(ExitCode::SUCCESS),
        other => other.map(|()| ExitCode::SUCCESS).map_err(Error::from),
    }
}

/// Compares two backends; the exit code is 0 when the pictures are equal and 1 when they differ. The page is written either
/// way.
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
        (Some(c), _) if c.equal() => say!("equal: SSIM {:.5}", c.ssim),
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
    Ok(ExitCode::from(u8::from(!report.equal())))
}
