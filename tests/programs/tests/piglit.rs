//! A stratified sample of piglit on each transport, and every `drawoverhead` case.
//!
//! The whole of piglit's groups is a manual run of `tools/piglit.py`; the expectations are those of the whole run.

use std::process::Command;
use std::time::Duration;

use mgl_programs::lane::{Backend, Lane, Transport};
use mgl_programs::{Result, overhead, process, tools};

/// The cases of `drawoverhead`. It leaves out those whose extension is not reported: image units and sample shading.
const CASES: usize = 39;

/// The groups of OpenGL 3.0 to 3.3.
const VERSIONS: &str = "versions";
/// The sample over all of piglit.
const CORE3K: &str = "core3k";

fn piglit(suite: &str, backend: Backend, transport: Transport, every: u32) -> Result<()> {
    piglit_with(suite, backend, transport, every, &[])
}

fn piglit_with(suite: &str, backend: Backend, transport: Transport, every: u32, more: &[&str]) -> Result<()> {
    let lane = Lane::MobileGl(backend, transport);
    let folder = tools::results(&["piglit", suite, lane.name(), &more.concat()])?;
    tools::mobilegl()?;
    let mut command = Command::new("python3");
    command.arg(tools::root().join("tools/piglit.py"));
    command
        .args([
            "--suite",
            suite,
            "--lane",
            transport.name(),
            "--backend",
            backend.name(),
            "--every",
            &every.to_string(),
            "--bin",
        ])
        .arg(tools::built());
    command.arg("--out").arg(&folder).args(more);
    let limit = Duration::from_secs(1500);
    let output = process::run_to_success(command, &folder.join("output.log"), limit, "piglit", lane.name())?;
    println!("{output}");
    Ok(())
}

/// If this fails, something that conforming drivers do, and MobileGL did, no longer works; or it crashes or hangs.
#[test]
fn piglit_spawn() -> Result<()> {
    piglit(VERSIONS, Backend::Magma, Transport::Spawn, 8)
}

/// If this fails, a render thread breaks something that works otherwise.
#[test]
fn piglit_inproc() -> Result<()> {
    piglit(VERSIONS, Backend::Magma, Transport::Inproc, 24)
}

/// If this fails, something is broken even without a second thread or process.
#[test]
fn piglit_monolith() -> Result<()> {
    piglit(VERSIONS, Backend::Magma, Transport::Monolith, 24)
}

/// If this fails, something that works on this machine does not when another machine draws it.
#[test]
fn piglit_tcp() -> Result<()> {
    piglit(VERSIONS, Backend::Magma, Transport::Tcp, 24)
}

/// If this fails, something that works where there is Vulkan does not where there is only OpenGL ES.
#[test]
fn piglit_espryt() -> Result<()> {
    piglit(VERSIONS, Backend::Espryt, Transport::Spawn, 24)
}

/// If this fails, we ask something of Vulkan that it does not allow, which works on one driver and breaks on the next.
#[test]
fn piglit_valid() -> Result<()> {
    piglit_with(CORE3K, Backend::Magma, Transport::Spawn, 20, &["--validation"])
}

/// If this fails, something of OpenGL 4.x or its extensions that worked no longer does.
#[test]
fn piglit_newer() -> Result<()> {
    piglit(CORE3K, Backend::Magma, Transport::Spawn, 12)
}

/// If this fails, a newer extension that worked where there is only OpenGL ES no longer does.
#[test]
fn piglit_newer_espryt() -> Result<()> {
    piglit(CORE3K, Backend::Espryt, Transport::Spawn, 24)
}

fn drawoverhead(lane: Lane) -> Result<()> {
    let cases = overhead::run(lane, "complete", |_| {})?;
    for case in &cases {
        println!("{:3} {} {}", case.number, case.name, case.rate);
    }
    assert_eq!(cases.len(), CASES, "cases that ran: an extension is no longer reported");
    Ok(())
}

/// If this fails, a program that draws much with little between does not get through, with the driver in its own process.
#[test]
fn drawoverhead_spawn() -> Result<()> {
    drawoverhead(Lane::SPAWN)
}

/// If this fails, a program that draws much with little between does not get through, with a render thread.
#[test]
fn drawoverhead_inproc() -> Result<()> {
    drawoverhead(Lane::INPROC)
}

/// If this fails, a program that draws much with little between does not get through on one thread.
#[test]
fn drawoverhead_monolith() -> Result<()> {
    drawoverhead(Lane::MONOLITH)
}

/// If this fails, a program that draws much with little between does not get through where there is only OpenGL ES.
#[test]
fn drawoverhead_espryt() -> Result<()> {
    drawoverhead(Lane::ESPRYT)
}

/// If this fails, a program that draws much with little between does not get through a network connection.
#[test]
fn drawoverhead_tcp() -> Result<()> {
    drawoverhead(Lane::TCP)
}
