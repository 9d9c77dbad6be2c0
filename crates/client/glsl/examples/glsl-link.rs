//! Links GLSL files and prints the program archive: `glsl-link [-s] [-o DIR] [-x VARYING]… FILE.vert FILE.frag …`.
//! With `-s` the program is separable. With `-o`, canonical SPIR-V is written to `DIR/<stage>.spv`. For looking at what the front end makes of a shader.

use std::process::ExitCode;

use mgl_glsl::{CompileOptions, LinkRequest, Stage, compile, link};

fn stage_of(path: &str) -> Option<Stage> {
    let extension = path.rsplit('.').next()?;
    let at = ["vert", "tesc", "tese", "geom", "frag", "comp"].iter().position(|e| *e == extension)?;
    Some(Stage::ALL[at])
}

fn main() -> ExitCode {
    let mut request = LinkRequest::default();
    let mut out = None;
    let mut units = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-s" => request.separable = true,
            "-o" => out = args.next(),
            "-x" => request.xfb_varyings.extend(args.next()),
            path => {
                let (Some(stage), Ok(source)) = (stage_of(path), std::fs::read_to_string(path)) else {
                    eprintln!("{path}: not a readable .vert, .tesc, .tese, .geom, .frag or .comp file");
                    return ExitCode::FAILURE;
                };
                let compiled = compile(stage, &source, &CompileOptions::default());
                eprint!("{}", compiled.log);
                units.push(compiled.unit);
            }
        }
    }
    match link(&units, &request) {
        Ok(linked) => {
            println!("{:#?}", linked.archive);
            let stages = Stage::ALL.iter().zip(&linked.spirv);
            for (dir, (stage, words)) in out.iter().flat_map(|dir| stages.clone().map(move |s| (dir, s))) {
                let Some(words) = words else { continue };
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                if let Err(error) = std::fs::write(format!("{dir}/{}.spv", stage.name()), bytes) {
                    eprintln!("{dir}: {error}");
                    return ExitCode::FAILURE;
                }
            }
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprint!("{failure}");
            ExitCode::FAILURE
        }
    }
}
