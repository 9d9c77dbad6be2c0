//! The `mobilegl` command: starts programs on MobileGL and explains what this machine offers.
//!
//! It prepares an environment and looks at the driver from outside, as any program would. It must not know
//! the wire format, the GL state machine or a backend: everything it reports comes from EGL, GL, or the
//! server's own `--probe` answer.

mod doctor;
mod environment;
mod error;
mod info;
mod locate;
mod probe;
mod run;
mod serve;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
        /// The program and its arguments, after `--`
        #[arg(trailing_var_arg = true, required_unless_present = "print_env")]
        program: Vec<OsString>,
    },
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
}

#[derive(clap::Args)]
struct ChoiceArguments {
    /// What draws: magma (Vulkan), espryt (OpenGL ES) or null (accepts everything, draws nothing)
    #[arg(long, env = "MOBILEGL_BACKEND", default_value = "magma")]
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

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run { choice, print_env: true, .. } => run::print_environment(choice.into()),
        Command::Run { choice, program, .. } => run::run(choice.into(), &program),
        Command::Info { choice, json } => info::info(choice.into(), json),
        Command::Doctor { choice } => doctor::doctor(choice.into()),
        Command::Serve(wishes) => serve::serve(&wishes),
        Command::ProbeGl => probe::print(),
    };
    result.unwrap_or_else(|error| {
        eprintln!("mobilegl: {error}");
        ExitCode::from(error.exit_code())
    })
}
