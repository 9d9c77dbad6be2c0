//! The driver: library, device, context, features and limits, in one value. Must not know what is made from it.

pub mod caps;
pub mod features;
pub mod formats;
pub mod gaps;
mod limits;

pub use features::EsFeatures;

use crate::error::EsprytError;
use crate::raw::{ContextOptions, DeviceInfo, EglContext, EglDriver, Gl, consts, library};
use mgl_backend::inject::{Rationing, Shortage};
use mgl_backend::{Outcome, Refusal};
use mgl_base::threads::TimeLimit;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

/// How the backend is made. `Options::from_env` reads the documented variables.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Driver library (`MOBILEGL_ES_LIBRARY`); none = every library that is installed.
    pub library: Option<PathBuf>,
    /// Part of a device name, or an index (`MOBILEGL_ES_DEVICE`); empty = the best device.
    pub device: String,
    /// Names of features to switch off (`MOBILEGL_ESPRYT_DISABLE`, comma separated).
    pub disable: String,
    /// Highest minor version of ES 3 to use (`MOBILEGL_ES_VERSION`, "3.0" to "3.2").
    pub max_minor: Option<u32>,
    /// Allocations that fail on purpose (`MOBILEGL_FAIL_ALLOCATION`).
    pub shortage: Shortage,
    /// Seconds that a call of the driver may take (`MOBILEGL_GPU_TIMEOUT_S`); 0 = any, `None` = as the device is.
    pub time_limit: Option<u64>,
    /// Messages of the driver into the log (`MOBILEGL_ES_DEBUG`).
    pub debug: bool,
}

impl Options {
    /// Options from the environment.
    pub fn from_env() -> Self {
        let var = |name: &str| std::env::var(name).unwrap_or_default();
        let library = std::env::var_os("MOBILEGL_ES_LIBRARY").filter(|path| !path.is_empty());
        let debug = var("MOBILEGL_ES_DEBUG");
        Self {
            library: library.map(PathBuf::from),
            device: var("MOBILEGL_ES_DEVICE"),
            disable: var("MOBILEGL_ESPRYT_DISABLE"),
            max_minor: var("MOBILEGL_ES_VERSION").strip_prefix("3.").and_then(|m| m.parse().ok()),
            shortage: Shortage::from_env(),
            time_limit: var("MOBILEGL_GPU_TIMEOUT_S").parse().ok(),
            debug: !debug.is_empty() && debug != "0",
        }
    }
}

/// The driver of a session. The context is current on the thread that made it.
pub struct Device {
    /// Functions.
    pub gl: Gl,
    /// The context.
    pub context: EglContext,
    /// Version, 3.`minor`.
    pub minor: u32,
    /// Features in use.
    pub features: EsFeatures,
    /// Formats.
    pub formats: formats::Formats,
    /// All extensions.
    pub extensions: HashSet<String>,
    /// `GL_RENDERER`.
    pub renderer: String,
    /// `GL_VERSION`.
    pub version: String,
    /// Library the driver came from.
    pub library: PathBuf,
    /// Allocations of the session, and which of them fail on purpose.
    pub rations: Rationing,
    /// How long a call of the driver may take; `None` = for ever.
    pub time_limit: Option<TimeLimit>,
}

/// How long a driver may run for one call where the processor draws. Drivers of GPUs reset one that hangs, and know whether
/// it does; here nobody else looks.
const LIMIT: Duration = Duration::from_secs(120);

fn time_limit(renderer: &str, wish: Option<u64>) -> Option<TimeLimit> {
    let processor = ["llvmpipe", "softpipe", "SwiftShader"].iter().any(|name| renderer.contains(name));
    let span = wish.map(Duration::from_secs).or(processor.then_some(LIMIT)).filter(|span| !span.is_zero())?;
    Some(TimeLimit { span, processor })
}

/// A device that was found, for reports.
#[derive(Clone, Debug)]
pub struct ProbedDevice {
    /// Renderer, or the device's name when it cannot be opened.
    pub name: String,
    /// Library.
    pub library: PathBuf,
    /// `GL_VERSION`, empty when it cannot be opened.
    pub version: String,
    /// Features by name.
    pub features: Vec<(&'static str, bool)>,
    /// Why it cannot be used.
    pub unusable: Option<String>,
}

/// Every library and device there is.
fn each(
    options: &Options,
    mut visit: impl FnMut(usize, &std::sync::Arc<EglDriver>, &DeviceInfo) -> bool,
) -> Vec<String> {
    let (mut seen, mut index) = (Vec::new(), 0);
    for path in library::candidates(options.library.as_deref()) {
        let driver = match EglDriver::load(&path) {
            Ok(driver) => driver,
            Err(reason) => {
                seen.push(format!("{}: {reason}", path.display()));
                continue;
            }
        };
        for device in driver.devices() {
            if visit(index, &driver, &device) {
                return seen;
            }
            seen.push(format!("{index}: {} of {}", device.name, path.display()));
            index += 1;
        }
    }
    seen
}

impl Device {
    /// Opens the best device, or the one that was asked for.
    pub fn new(options: &Options) -> Result<Self, EsprytError> {
        let (mut opened, mut reasons) = (None, Vec::new());
        let wish = options.device.trim();
        let seen = each(options, |index, driver, info| {
            let asked = wish.is_empty()
                || wish.parse::<usize>().is_ok_and(|i| i == index)
                || info.name.to_lowercase().contains(&wish.to_lowercase());
            if !asked {
                return false;
            }
            match Self::open(driver, info, options) {
                Ok(device) => opened = Some(device),
                Err(reason) => reasons.push(format!("{} of {}: {reason}", info.name, driver.path().display())),
            }
            opened.is_some()
        });
        match opened {
            Some(device) => Ok(device),
            None if !wish.is_empty() && reasons.is_empty() => {
                Err(EsprytError::NoSuchDevice { wish: wish.into(), seen: seen.join("; ") })
            }
            None => {
                let all = if reasons.is_empty() { seen } else { reasons };
                let all = if all.is_empty() { "none seen".to_owned() } else { all.join("; ") };
                Err(EsprytError::NoDriver { seen: all })
            }
        }
    }

    fn open(driver: &std::sync::Arc<EglDriver>, info: &DeviceInfo, options: &Options) -> Result<Self, String> {
        let wish = ContextOptions { robust: true, max_minor: options.max_minor.unwrap_or(2).min(2) };
        let context = EglContext::new(driver, info, wish)?;
        let gl = driver.functions();
        let (major, minor) = (gl.int(consts::MAJOR_VERSION), gl.int(consts::MINOR_VERSION));
        if major != 3 || minor < 0 {
            return Err(format!("it gives OpenGL ES {major}.{minor}; 3.0 or newer is needed"));
        }
        // A driver may give a newer version than was asked for; the switch limits what is used of it.
        let minor = (minor as u32).min(wish.max_minor);
        let count = gl.int(consts::NUM_EXTENSIONS).max(0) as u32;
        let extensions: HashSet<String> = (0..count).map(|i| gl.string_at(consts::EXTENSIONS, i)).collect();
        let mut features = EsFeatures::of(minor, &extensions);
        if gl.string(consts::VENDOR).contains("NVIDIA") {
            // NVIDIA 580: after a buffer was mapped for reading, sub-data that follows may not reach it.
            features.map_buffers = false;
            // Between a base level above 0 and a maximum level below the last it writes other levels.
            features.mipmap_range = false;
            // Its `length()` of a runtime array is 0.
            features.array_length = false;
        }
        for name in features::disable_list(&mut features, &options.disable) {
            let known: Vec<&str> = EsFeatures::TABLE.iter().map(|r| r.name).collect();
            tracing::warn!("MOBILEGL_ESPRYT_DISABLE: there is no feature {name:?}; known: {known:?}");
        }
        let (renderer, version) = (gl.string(consts::RENDERER), gl.string(consts::VERSION));
        if renderer.contains("MobileGL") || version.contains("MobileGL") {
            return Err("this is MobileGL itself, not a driver".into());
        }
        if options.debug && features.debug {
            gl.log_messages();
        }
        tracing::info!(renderer, version, library = %driver.path().display(), "OpenGL ES driver");
        let formats = formats::Formats::new(&gl, &features);
        let time_limit = time_limit(&renderer, options.time_limit);
        Ok(Self {
            gl,
            context,
            minor,
            features,
            formats,
            extensions,
            renderer,
            version,
            library: driver.path().to_owned(),
            rations: Rationing::new(options.shortage),
            time_limit,
        })
    }

    /// Counts an allocation; a refusal when it fails on purpose.
    pub fn admit(&self, what: &'static str) -> Outcome {
        if self.rations.denies() { Err(Refusal::OutOfMemory(what)) } else { Ok(()) }
    }
}

/// Every ES device of this machine.
pub fn probe(options: &Options) -> Vec<ProbedDevice> {
    let mut out: Vec<ProbedDevice> = Vec::new();
    each(options, |_, driver, info| {
        let found = match Device::open(driver, info, options) {
            Ok(device) => ProbedDevice {
                name: device.renderer.clone(),
                library: device.library.clone(),
                version: device.version.clone(),
                features: device.features.list(),
                unusable: None,
            },
            Err(reason) => ProbedDevice {
                name: info.name.clone(),
                library: driver.path().to_owned(),
                version: String::new(),
                features: Vec::new(),
                unusable: Some(reason),
            },
        };
        // The surfaceless platform shows a device again.
        if !out.iter().any(|d| d.name == found.name && d.library == found.library) {
            out.push(found);
        }
        false
    });
    out
}
