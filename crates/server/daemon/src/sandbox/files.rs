//! The Landlock layer: which paths a driver may still open. Must not know system calls.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, RestrictSelfAttr,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::Needs;
use crate::caches;

/// What is asked for where the kernel has it; an older kernel gives what it has.
const WISHED: ABI = ABI::V6;

/// Libraries, their data, and facts about the processor.
const READ: &[&str] = &[
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/usr/share",
    "/usr/local/share",
    "/nix/store",
    "/etc/ld.so.cache",
    "/etc/drirc",
    "/etc/vulkan",
    "/etc/glvnd",
    "/etc/localtime",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system",
];
/// The same for drivers of graphics cards.
const READ_DEVICE: &[&str] = &["/sys", "/proc/driver", "/proc/devices", "/proc/modules", "/proc/sys", "/etc/nvidia"];
/// Devices that a driver on the processor may use, and those of cards.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/udmabuf"];
const DEVICES_DEVICE: &[&str] = &["/dev/dri", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-modeset", "/dev/mali0"];

/// Folders that we and drivers write to: caches, and those that the user named for logs and recordings.
fn written() -> Vec<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    if let Some(folder) = var("MOBILEGL_LOG_DIR") {
        // A rule needs a folder that exists; one that cannot be made is no log either way.
        let _ = std::fs::create_dir_all(folder);
    }
    let named = ["MOBILEGL_LOG_DIR", "MOBILEGL_RECORD_DIR"].into_iter().filter_map(var);
    // A recording is made beside the name that the user gave.
    let beside = var("MOBILEGL_RECORD").map(|file| {
        file.parent().filter(|p| !p.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
    });
    caches::folders().into_iter().chain(named).chain(beside).collect()
}

/// Confines the calling thread and those it will start, and with a kernel that can, those that run already.
pub fn confine(needs: Needs) -> Result<(), String> {
    let threads = std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    let (status, all) = restrict(needs).map_err(|error| format!("Landlock: {error}"))?;
    match status {
        RulesetStatus::NotEnforced => Err("this kernel has no Landlock: files are not confined".into()),
        _ if threads > 1 && !all => {
            Err(format!("Landlock: {} threads of the driver run already and keep their files", threads - 1))
        }
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

fn restrict(needs: Needs) -> Result<(RulesetStatus, bool), landlock::RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WISHED))?
        .handle_access(AccessNet::from_all(WISHED))?
        .scope(Scope::from_all(WISHED))?
        .create()?;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::ReadDir | AccessFs::IoctlDev;
    let write = AccessFs::from_all(WISHED) & !AccessFs::Execute & !AccessFs::IoctlDev;
    let paths = |list: &'static [&'static str]| list.iter().map(Path::new).map(Path::to_path_buf);
    let mut rules: Vec<(PathBuf, BitFlags<AccessFs>)> = Vec::new();
    if needs != Needs::Nothing {
        rules.extend(paths(READ).map(|p| (p, read)));
        rules.extend(paths(DEVICES).map(|p| (p, device)));
    }
    if needs == Needs::Device {
        rules.extend(paths(READ_DEVICE).map(|p| (p, read)));
        rules.extend(paths(DEVICES_DEVICE).map(|p| (p, device)));
        rules.extend((0..16).map(|n| (format!("/dev/nvidia{n}").into(), device)));
    }
    rules.extend(written().into_iter().map(|p| (p, write)));
    let ruleset = rules.into_iter().try_fold(ruleset, |ruleset, (path, access)| allow(ruleset, &path, access))?;
    let status = ruleset.set_compatibility(CompatLevel::BestEffort).all_threads(true)?.restrict_self()?;
    Ok((status.ruleset, status.all_threads))
}

/// What is not there needs no rule; a rule for a file may not speak of folders.
fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(place) = PathFd::new(path) else { return Ok(ruleset) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(WISHED) };
    ruleset.add_rule(PathBeneath::new(place, access))
}
