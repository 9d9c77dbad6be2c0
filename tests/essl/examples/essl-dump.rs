//! Translates `.shader_test` files and writes the texts: `essl-dump VERSION OUT FILE…`. For looking at what a driver gets.

use mgl_espryt::essl::EsFacts;
use mgl_essl_tests::{essl, files, program};
use std::path::{Path, PathBuf};

fn main() {
    let mut args = std::env::args().skip(1);
    let version: u32 = args.next().and_then(|v| v.parse().ok()).unwrap_or(320);
    let out = args.next().unwrap_or_else(|| ".".into());
    let facts = EsFacts::full(version);
    let mut list: Vec<PathBuf> = Vec::new();
    for arg in args {
        if let Some(rest) = arg.strip_prefix('@') {
            list.extend(std::fs::read_to_string(rest).unwrap_or_default().lines().map(PathBuf::from));
        } else {
            let path = Path::new(&arg);
            if path.is_dir() { files(path, &mut list) } else { list.push(path.into()) }
        }
    }
    let mut number = 0;
    for path in list.iter().filter(|p| p.extension().is_some_and(|e| e == "shader_test")) {
        eprint!("{}: ", path.display());
        let Some(linked) = program(path) else {
            eprintln!("skipped");
            continue;
        };
        match essl(&linked, &facts) {
            Err(error) => eprintln!("REFUSED {error}"),
            Ok(done) => {
                number += 1;
                eprintln!("ok {number}");
                let names = ["vert", "tesc", "tese", "geom", "frag", "comp"];
                for (name, text) in names.iter().zip(&done.text).filter(|(_, t)| !t.is_empty()) {
                    if let Err(error) = std::fs::write(format!("{out}/{number:05}.{name}"), text) {
                        eprintln!("{error}");
                    }
                }
            }
        }
    }
}
