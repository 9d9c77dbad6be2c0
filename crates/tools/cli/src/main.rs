//! The `mobilegl` command: starts programs on MobileGL and explains what this machine offers.
//!
//! It prepares an environment and looks at the driver from outside, as any program would. It must not know
//! the wire format, the GL state machine or a backend: everything it reports comes from EGL, GL, the
//! server's own `--probe` answer, or for recordings from `mgl-record`.

mod doctor;
mod environment;
mod error;
mod info;
mod locate;
mod probe;
mod recording;
mod run;
mod say;
mod serve;
mod vendor;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::environment::{Backend, Choice, Transport};

#[derive(Parser)]
#[command(name = "mobilegl", version, about = "Desktop OpenGL on Vulkan, with the driver in a process of its own")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a program with MobileGL as its OpenGL driver
    Run {
        #[command(flatten)]
        choice: ChoiceArguments,
        /// Print the environment as shell `export` lines instead of running anything
        #[arg(long, conflicts_with = "program")]
        print_env: bool,
        /// Record what the program draws into this file; see `mobilegl record`
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        /// The program and its arguments, after `--`
        #[arg(trailing_var_arg = true, required_unless_present = "print_env")]
        program: Vec<OsString>,
    },
    /// Run a program and write down everything that its driver does, to look at it later and elsewhere
    ///
    /// The file is written by the server while the program runs, and this command waits until it is complete. It is good up to
    /// its last whole block if the server is killed or the disk is full; the program does not notice either. Every further
    /// OpenGL display that the program opens has a file of its own: NAME.2.mglr and so on.
    ///
    /// The exit code is the program's, or 2 when that is 0 and nothing was recorded or a file is not whole.
    Record {
        #[command(flatten)]
        choice: ChoiceArguments,
        /// The file; PROGRAM.mglr here when it is not given. A recording that is there already is replaced
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// The program and its arguments, after `--`
        #[arg(trailing_var_arg = true, required = true)]
        program: Vec<OsString>,
    },
    /// Replay a recording on any backend, without the program, and look at the picture
    ///
    /// The picture is taken where the replay stops, from the last of these: the first colour attachment that a draw, a
    /// clear or a blit wrote, the surface that the program read back, or what it presented.
    ///
    /// The exit code is 0 when everything was replayed and written, 2 when the recording is damaged, cut off or ends by a fault,
    /// or when something could not be had or written.
    Replay(recording::ReplayArguments),
    /// Print a recording, one line per record
    ///
    /// The text is stable: two recordings of a program that does the same give the same text.
    ///
    /// The exit code is 0 when the recording is whole, 2 when it is damaged or cut off, or the text could not be written.
    Dump(recording::DumpArguments),
    /// Replay a recording on two backends and show where they differ, as one HTML page
    ///
    /// The exit code is 0 when the recording is whole and the pictures are equal, 1 when they differ, 2 when the recording is
    /// damaged or cut off, whatever the pictures up to there are, or when something could not be had or written. The first verb
    /// after which the surfaces differ is found by replaying again, comparing after more and more closely spaced verbs.
    Diff(recording::DiffArguments),
    /// Print completions for a shell, for its own completion folder
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`
    Man,
    /// Say which OpenGL version, extensions and limits a program would see here
    Info {
        #[command(flatten)]
        choice: ChoiceArguments,
        /// Print everything as JSON
        #[arg(long)]
        json: bool,
    },
    /// Check every part MobileGL needs and say what to do about those that fail
    Doctor {
        #[command(flatten)]
        choice: ChoiceArguments,
    },
    /// Serve programs that name this server with `--transport`: a worker process for each, until interrupted
    Serve(serve::Serve),
    /// Open a context through the EGL in this environment and print what it says, as JSON
    #[command(hide = true, name = probe::SUBCOMMAND)]
    ProbeGl,
    /// Print what the client library finds of the session's window systems
    #[command(hide = true, name = probe::WINDOWS)]
    ProbeWindows {
        /// The library.
        library: std::path::PathBuf,
    },
}

#[derive(clap::Args)]
struct ChoiceArguments {
    /// What draws: magma (Vulkan), espryt (OpenGL ES), auto (the first of them that works) or null (accepts everything,
    /// draws nothing)
    #[arg(long, env = "MOBILEGL_BACKEND", default_value = "auto")]
    backend: Backend,
    /// Where the driver runs: spawn (a child process), inproc (a thread), monolith (the calling thread), or in a server
    /// that listens: unix:PATH, unix:@NAME, tcp://HOST:PORT, or unix for the usual place
    #[arg(long, env = "MOBILEGL_TRANSPORT", default_value = "spawn")]
    transport: Transport,
}

impl From<ChoiceArguments> for Choice {
    fn from(arguments: ChoiceArguments) -> Self {
        Self { backend: arguments.backend, transport: arguments.transport }
    }
}

/// The command line. An empty variable counts as not set, as everywhere else.
fn arguments() -> Arguments {
    let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let unset = |arg: clap::Arg| if arg.get_env().is_some_and(is_empty) { arg.env(None::<&str>) } else { arg };
    let command = Arguments::command().mut_subcommands(|subcommand| subcommand.mut_args(unset));
    Arguments::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
}

fn main() -> ExitCode {
    let result = match arguments().command {
        Command::Run { choice, print_env: true, record, .. } => {
            run::print_environment(choice.into(), record.as_deref())
        }
        Command::Run { choice, record: None, program, .. } => run::run(choice.into(), &program),
        Command::Run { choice, record, program, .. } | Command::Record { choice, output: record, program } => {
            recording::record(choice.into(), record, &program)
        }
        Command::Replay(arguments) => recording::replay(&arguments),
        Command::Dump(arguments) => recording::dump(&arguments),
        Command::Diff(arguments) => recording::diff(&arguments),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "mobilegl", &mut script);
            say::print(format_args!("{}", String::from_utf8_lossy(&script)));
            Ok(ExitCode::SUCCESS)
        }
        Command::Man => manual(),
        Command::Info { choice, json } => info::info(choice.into(), json),
        Command::Doctor { choice } => doctor::doctor(choice.into()),
        Command::Serve(wishes) => serve::serve(&wishes),
        Command::ProbeGl => probe::print(),
        Command::ProbeWindows { library } => probe::print_windows(&library),
    };
    result.unwrap_or_else(|error| {
        eprintln!("mobilegl: {error}");
        ExitCode::from(error.exit_code())
    })
}

/// The page of the command and, behind it, of every subcommand.
fn manual() -> Result<ExitCode, error::Error> {
    let mut command = Arguments::command();
    // Gives subcommands their full names.
    command.build();
    let mut out = Vec::new();
    let shown = |c: &&clap::Command| !c.is_hide_set() && c.get_name() != "help";
    let pages = std::iter::once(command.clone()).chain(command.get_subcommands().filter(shown).cloned());
    let written = pages.into_iter().try_for_each(|page| clap_mangen::Man::new(page).render(&mut out));
    written.and_then(|()| io::Write::write_all(&mut io::stdout(), &out)).map_err(error::Error::Print)?;
    Ok(ExitCode::SUCCESS)
}
