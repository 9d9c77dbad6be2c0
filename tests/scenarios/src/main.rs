//! `mobilegl-scenarios`: lists the scenarios, or runs some of them on the driver that the environment chooses. Must not
//! know lanes.

use std::path::PathBuf;
use std::process::ExitCode;

use mgl_scenarios::{catalog, worker};

const USAGE: &str = "usage: mobilegl-scenarios list
       mobilegl-scenarios run [--library PATH] NAME...   each NAME is group::name, or a group

The environment chooses transport and backend, as for every program; one JSON line per scenario goes to standard output.
The library is the one beside this program unless --library names another.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("list") => {
            catalog::all().iter().for_each(|scenario| println!("{}", scenario.full_name()));
            ExitCode::SUCCESS
        }
        Some("run") => match run(&args[1..]) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("mobilegl-scenarios: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<(), String> {
    let (library, names) = match args {
        [flag, path, names @ ..] if flag == "--library" => (PathBuf::from(path), names),
        names => {
            let own = std::env::current_exe().map_err(|error| error.to_string())?;
            (own.with_file_name("libmobilegl.so"), names)
        }
    };
    let wanted =
        |s: &&mgl_scenarios::scenario::Scenario| names.iter().any(|name| *name == s.full_name() || name == s.group);
    let scenarios: Vec<_> = catalog::all().iter().filter(wanted).copied().collect();
    if scenarios.is_empty() {
        return Err("no scenario has such a name; `mobilegl-scenarios list` lists them".into());
    }
    worker::run(&library, &scenarios)
}
