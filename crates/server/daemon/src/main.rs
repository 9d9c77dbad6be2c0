//! `mobilegl-server`: serves the one client that started it, listens for several, or answers `--probe`. Must not know
//! GL.

use mgl_base::Family;
use mgl_link::server::serve::End;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::process::ExitCode;

/// Exit codes of this program (spec 13 §6): usage, no backend for `--probe`, and an address that cannot be listened on.
const USAGE: u8 = 2;
const NO_BACKEND: u8 = 1;
const LISTEN: u8 = 72;
/// How long exit handlers of a driver may take, which write its caches.
const EXIT: std::time::Duration = std::time::Duration::from_secs(5);

fn main() -> ExitCode {
    let note = mgl_daemon::process::prepare();
    init_log();
    if let Some(note) = note {
        tracing::info!("{note}");
    }
    let mut args = std::env::args_os().skip(1);
    match args.next().as_deref().and_then(OsStr::to_str) {
        Some("--probe") => return print(mgl_daemon::probe::report()),
        Some("--version") => {
            println!("mobilegl-server {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Some("--probe-sandbox") => {
            return print(mgl_daemon::sandbox::probe::report(&args.next().unwrap_or_default().to_string_lossy()));
        }
        word => {
            let listens = matches!(word, Some("--listen" | "--serve"));
            if let Err(text) = prove_environment(listens) {
                eprintln!("mobilegl-server: {text}");
                return ExitCode::from(USAGE);
            }
            if listens {
                return listen();
            }
        }
    }
    if let Err(text) = mgl_daemon::sandbox::enable() {
        eprintln!("mobilegl-server: {text}");
        return ExitCode::from(USAGE);
    }
    let limits = mgl_link::server::Limits::from_env();
    if let Some(channel) = mgl_link::server::inherited_worker(std::env::args_os()) {
        let end = mgl_link::server::serve::serve_handed(channel, limits, mgl_daemon::pinned);
        leave(&end)
    }
    let Some(socket) = mgl_link::server::inherited_socket(std::env::args_os()) else {
        eprintln!(
            "mobilegl-server is started by the MobileGL library; by hand only --probe, --version, --serve and --listen ADDRESS make sense"
        );
        return ExitCode::from(USAGE);
    };
    let end = mgl_link::server::serve::serve(socket, limits, mgl_daemon::confined);
    leave(&end)
}

fn leave(end: &End) -> ! {
    tracing::info!(?end, "session ended");
    match end {
        // Exit handlers of a driver wait for threads, which may work on something that does not end.
        End::Fault(fault) if fault.family == Family::DeviceLost => signal_hook::low_level::exit(end.exit_code()),
        _ => {
            let code = end.exit_code();
            // A client that went away while its shader did not end leaves such work behind too.
            let limit = std::thread::Builder::new().name("exit".to_owned()).spawn(move || {
                std::thread::sleep(EXIT);
                signal_hook::low_level::exit(code)
            });
            if let Err(error) = limit {
                tracing::warn!("no thread to end the process should the driver not: {error}");
            }
            // Not back through `main`: the driver may still run threads (spec 06b §1).
            std::process::exit(code)
        }
    }
}

/// What a session alone can say of it is said in the answer to its client.
fn prove_environment(listens: bool) -> Result<(), String> {
    mgl_link::settings::check().map_err(|error| error.to_string())?;
    if listens {
        // A server that a program started leaves this to the program.
        mgl_link::settings::warn_of_unknown();
        mgl_daemon::environment()
    } else {
        Ok(())
    }
}

fn listen() -> ExitCode {
    let args = std::env::args_os().skip(1).filter(|word| word != "--serve");
    let wishes = match mgl_daemon::listen::Wishes::parse(args) {
        Ok(wishes) => wishes,
        Err(text) => {
            eprintln!("mobilegl-server: {text}");
            return ExitCode::from(USAGE);
        }
    };
    match mgl_daemon::listen::run(wishes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mobilegl-server: {error}");
            ExitCode::from(LISTEN)
        }
    }
}

fn print(report: Result<serde_json::Value, String>) -> ExitCode {
    match report {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(NO_BACKEND)
        }
    }
}

fn init_log() {
    let wished = tracing_subscriber::EnvFilter::try_from_env("MOBILEGL_LOG");
    let misread = wished.is_err() && mgl_link::settings::text("MOBILEGL_LOG").is_some();
    let filter = wished.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
    if misread {
        tracing::warn!("MOBILEGL_LOG is no filter, \"warn\" is used; try info or mgl_magma=debug");
    }
}
