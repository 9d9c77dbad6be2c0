//! Development tasks: `gen` writes the generated C ABI and its documents, `gen --check` compares, `signatures` prints
//! the Rust signatures the overlay expects; `mutate` shows that each kept mistake is seen by a test. Knows the repository layout; never part of a shipped artefact.

mod r#gen;
mod mutate;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: cargo run -p mgl-xtask -- gen [--check] | signatures | mutate [--list]";

/// The workspace root, from the place of this crate.
fn root() -> PathBuf {
    // Asked while running: a build that another clone left in a shared cache must not look at that clone.
    let here: PathBuf =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.ancestors().nth(3).unwrap_or(Path::new(".")).to_path_buf()
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["gen"] => r#gen::write(),
        ["gen", "--check"] => r#gen::check(),
        ["signatures"] => r#gen::signatures().map(|text| print!("{text}")),
        ["mutate", rest @ ..] => mutate::main(rest),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("xtask: {text}");
            ExitCode::FAILURE
        }
    }
}
