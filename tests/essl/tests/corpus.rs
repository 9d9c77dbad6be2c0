//! Piglit's programs through the translation, and the texts through the driver of this machine: what canonical SPIR-V can
//! say must have an ESSL form that a driver takes, or be refused by name. Needs Debian's `piglit`; says so and passes when
//! it is absent.

use mgl_espryt::Options;
use mgl_espryt::device::Device;
use mgl_espryt::essl::{EsFacts, EsslError};
use mgl_espryt::raw::Gl;
use mgl_essl_tests::{driver_takes, essl, files, program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROOT: &str = "/usr/lib/x86_64-linux-gnu/piglit/tests/spec";
const DIRS: [&str; 6] = [
    "glsl-1.30/execution",
    "glsl-1.50/execution",
    "glsl-3.30",
    "arb_uniform_buffer_object",
    "arb_explicit_attrib_location",
    "arb_gpu_shader5/execution",
];

/// What the driver may not take: part of the file's path, version from which on. It may only shrink.
const KNOWN: &[(&str, u32)] = &[
    // Members of structs and rows of arrays of arrays as interpolants: ESSL takes whole inputs and their elements.
    ("built-in-functions/fs-interpolateAt", 320),
];

/// What became of a program.
enum Verdict {
    Accepted,
    Refused(String),
    Failed(String),
}

fn judge(gl: &Gl, path: &Path, facts: &EsFacts) -> Option<Verdict> {
    let linked = program(path)?;
    Some(match essl(&linked, facts) {
        Ok(done) => match driver_takes(gl, &done.text) {
            Ok(()) => Verdict::Accepted,
            Err(log) => Verdict::Failed(log),
        },
        Err(EsslError::Unsupported(name)) => Verdict::Refused(name.into()),
        Err(error) => Verdict::Failed(error.to_string()),
    })
}

fn known(path: &Path, version: u32) -> bool {
    let path = path.to_string_lossy();
    KNOWN.iter().any(|(part, from)| path.contains(part) && version >= *from)
}

/// A program whose text the driver does not take does not draw: every one of the corpus is taken, or refused by name, or
/// stands in the list above.
#[test]
fn the_driver_takes_the_corpus() {
    if !Path::new(ROOT).is_dir() {
        eprintln!("skipped: needs Debian's piglit package");
        return;
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    DIRS.iter().for_each(|dir| files(&Path::new(ROOT).join(dir), &mut paths));
    paths.retain(|p| p.extension().is_some_and(|e| e == "shader_test"));
    for (minor, least) in [(0, 168), (1, 221), (2, 355)] {
        let device = Device::new(&Options { max_minor: Some(minor), ..Options::default() });
        let device = device.expect("an OpenGL ES driver for the tests (Debian: libegl-mesa0)");
        let facts = EsFacts::full(300 + 10 * minor);
        let (mut accepted, mut refused, mut failed) = (0, BTreeMap::<String, u32>::new(), Vec::new());
        for path in &paths {
            match judge(&device.gl, path, &facts) {
                Some(Verdict::Accepted) => accepted += 1,
                Some(Verdict::Refused(name)) => *refused.entry(name).or_default() += 1,
                Some(Verdict::Failed(log)) if !known(path, facts.version) => {
                    failed.push(format!("{}: {log}", path.display()));
                }
                Some(Verdict::Failed(_)) | None => {}
            }
        }
        if let Some(path) = std::env::var_os("MOBILEGL_CORPUS_REPORT") {
            std::fs::write(path, failed.join("\n")).expect("the report can be written");
        }
        eprintln!("OpenGL ES 3.{minor}: {accepted} accepted, refused {refused:?}, failed {}", failed.len());
        assert!(failed.is_empty(), "{failed:#?}");
        assert!(accepted >= least, "OpenGL ES 3.{minor}: only {accepted} programs are accepted");
    }
}
