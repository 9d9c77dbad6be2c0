//! Every internal format with every copying command under Vulkan's validation layer, which must have nothing to say: with
//! all that the device offers, and with no more than Vulkan demands of a device. Needs the layer (Debian:
//! `vulkan-validationlayers`).

use std::fs;
use std::path::Path;

use mgl_scenarios::catalog;
use mgl_scenarios::lanes::{LANES, Parts};

/// The worker, built with this test.
const WORKER: &str = env!("CARGO_BIN_EXE_mobilegl-scenarios");

/// Every feature that decides which way a copy, clear or read goes.
const WAYS: &str = "optional_format_features,shader_stencil_export,native_depth24,native_stencil8,aspect_copies,\
                    texture_compression_bc,texture_compression_etc2,texture_compression_astc";

/// Runs the group on Magma in a process of its own, with these features switched off.
fn valid(name: &str, disabled: &str) -> Result<(), String> {
    let parts = Parts::find(Path::new(WORKER))?;
    let lane = LANES.iter().find(|lane| lane.name() == "magma.spawn").ok_or("there is no lane magma.spawn")?;
    let logs = parts.results.join(name);
    fs::create_dir_all(&logs).map_err(|error| format!("{}: {error}", logs.display()))?;
    let all = catalog::all();
    let names: Vec<String> =
        all.iter().filter(|scenario| scenario.group == "formats").map(|scenario| scenario.full_name()).collect();
    let mut command = lane.worker(&parts, &logs, None);
    command.env("MOBILEGL_VK_VALIDATION", "sync").env("MOBILEGL_MAGMA_DISABLE", disabled).args(&names);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let ends: Vec<&str> = said.lines().filter(|line| line.contains("\"end\"")).collect();
    let failed: Vec<&&str> = ends.iter().filter(|line| !line.contains("\"outcome\":\"passed\"")).collect();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if ends.len() != names.len() || !failed.is_empty() {
        return Err(format!("{} of {} ran, {failed:#?}\n{stderr}", ends.len(), names.len()));
    }
    if stderr.contains("validation") || stderr.contains("Validation") {
        return Err(stderr);
    }
    Ok(())
}

/// If this fails, something is asked of Vulkan that the device does not offer: it works here and ends programs elsewhere.
#[test]
fn formats_are_used_as_the_device_offers() -> Result<(), String> {
    valid("valid-formats", "")
}

/// If this fails, programs lose pictures, or end, on devices that offer less than this one.
#[test]
fn formats_work_with_what_vulkan_demands() -> Result<(), String> {
    valid("valid-demanded", WAYS)
}
