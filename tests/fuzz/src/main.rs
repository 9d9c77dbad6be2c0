//! `mgl-fuzz seeds FOLDER [TARGET]`: writes the seeds of one target, or of all, as libFuzzer wants them. Must not remove
//! what is there already: a corpus that grew is worth more than its seeds.

use mgl_fuzz::{TARGETS, Target};
use std::path::Path;
use std::process::ExitCode;

fn write(target: &Target, folder: &Path) -> std::io::Result<usize> {
    let folder = folder.join(target.name);
    std::fs::create_dir_all(&folder)?;
    let seeds = (target.seeds)();
    for (index, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{index:04}")), seed)?;
    }
    Ok(seeds.len())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, wanted) = match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["seeds", folder] => (folder, None),
        ["seeds", folder, target] => (folder, Some(target)),
        _ => {
            let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
            eprintln!("usage: mgl-fuzz seeds FOLDER [TARGET]\ntargets: {}", names.join(" "));
            return ExitCode::from(2);
        }
    };
    for target in TARGETS.iter().filter(|t| wanted.is_none_or(|name| name == t.name)) {
        match write(target, Path::new(folder)) {
            Ok(count) => println!("{}: {count} seeds", target.name),
            Err(error) => {
                eprintln!("mgl-fuzz: the seeds of {} cannot be written to {folder}: {error}", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
