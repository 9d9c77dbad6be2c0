//! The choice of a backend. A backend that cannot be had is refused by name, never replaced by another one that was not
//! asked for.

use crate::record;
use crate::sandbox::{self, Needs};
use mgl_apply::{Handler, Session};
use mgl_backend::Backend;
use mgl_espryt::{EsFeatures, Espryt};
use mgl_link::RefuseCode;
use mgl_link::server::{Hello, Refusal, SessionHandler};
use mgl_link::settings;
use mgl_magma::{DeviceFeatures, Magma};
use mgl_null::Null;

/// Bytes of declared storage that one session may have unless `MOBILEGL_SESSION_MEMORY_MB` says otherwise.
const DEFAULT_MEMORY_MB: u64 = 16 * 1024;

/// Objects of each kind that one session may have unless `MOBILEGL_SESSION_OBJECTS` says otherwise.
const DEFAULT_OBJECTS: u64 = 256 * 1024;

/// The applier of a session, on the backend that the client wishes (`auto` = the first that works).
pub fn handler(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    let backend = backend(&hello.backend).map_err(|detail| Refusal { code: RefuseCode::Backend, detail })?;
    let budget = settings::number("MOBILEGL_SESSION_MEMORY_MB").unwrap_or(DEFAULT_MEMORY_MB).saturating_mul(1 << 20);
    let objects = settings::number("MOBILEGL_SESSION_OBJECTS").unwrap_or(DEFAULT_OBJECTS);
    let mut session = Session::new(backend, budget);
    session.limit_objects(u32::try_from(objects).unwrap_or(u32::MAX));
    let handler: Box<dyn SessionHandler> = Box::new(Handler::new(session));
    Ok(match record::wanted(hello)? {
        Some(path) => Box::new(record::Recorder::start(handler, &path, hello)?),
        None => handler,
    })
}

/// The same in a process of our own, which is confined before it serves.
pub fn confined(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    let handler = handler(hello)?;
    sandbox::finish().map_err(|detail| Refusal { code: RefuseCode::Resources, detail })?;
    Ok(handler)
}

/// The same in a server whose backend was chosen when it was started: a client that wishes another one is refused.
pub fn pinned(hello: &Hello) -> Result<Box<dyn SessionHandler>, Refusal> {
    let Some(chosen) = settings::text("MOBILEGL_BACKEND").filter(|name| name != "auto") else { return confined(hello) };
    match hello.backend.as_str() {
        "" | "auto" => confined(&Hello { backend: chosen, ..hello.clone() }),
        wish if wish == chosen => confined(hello),
        wish => {
            let detail = format!("this server draws with {chosen} alone, the program wishes {wish}");
            Err(Refusal { code: RefuseCode::Backend, detail })
        }
    }
}

fn backend(name: &str) -> Result<Box<dyn Backend>, String> {
    open_backend(name, &[])
}

/// Options of a backend, key and value.
type Options = [(String, String)];

/// A backend by name. `options` override what the environment says of it; one that the backend does not have is refused.
pub fn open_backend(name: &str, options: &Options) -> Result<Box<dyn Backend>, String> {
    known(name)?;
    let known: &[&str] = match name {
        "magma" => &["disable", "device", "validation"],
        "espryt" => &["disable", "device", "library", "version"],
        _ => &[],
    };
    if let Some((key, _)) = options.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        let help = if known.is_empty() { "it has none".to_owned() } else { format!("use {}", known.join(", ")) };
        return Err(format!("backend {name} has no option \"{key}\"; {help}"));
    }
    environment()?;
    options.iter().try_for_each(|(key, value)| check(name, key, value))?;
    match name {
        "" | "auto" => magma(options).or_else(|vulkan| match settings::text("MOBILEGL_VK_DEVICE") {
            // What was named is had or refused: OpenGL ES knows nothing of Vulkan's devices.
            Some(wish) => Err(format!("MOBILEGL_VK_DEVICE={wish}: {vulkan}")),
            None => espryt(options).map_err(|es| format!("{vulkan}; {es}")),
        }),
        "magma" => magma(options),
        "espryt" => espryt(options),
        _ => {
            sandbox::confine_files(Needs::Nothing);
            Ok(Null::boxed())
        }
    }
}

/// Refuses what names no backend.
///
/// # Errors
/// What may be said.
pub fn known(name: &str) -> Result<(), String> {
    match name {
        "" | "auto" | "magma" | "espryt" | "null" => Ok(()),
        _ => Err(format!("there is no backend \"{name}\"; use auto, magma, espryt or null")),
    }
}

/// Names of features in the environment are proved for every backend: with `auto`, a misspelt one would otherwise let the
/// other backend draw, or force nothing.
///
/// # Errors
/// The variable and what it may say.
pub fn environment() -> Result<(), String> {
    [("magma", "MOBILEGL_MAGMA_DISABLE"), ("espryt", "MOBILEGL_ESPRYT_DISABLE")].into_iter().try_for_each(
        |(backend, name)| {
            let value = settings::text(name).unwrap_or_default();
            check(backend, "disable", &value).map_err(|help| format!("{name}={value}: {help}"))
        },
    )
}

/// Values that would be passed over silently are refused, like keys.
fn check(backend: &str, key: &str, value: &str) -> Result<(), String> {
    let features: Vec<&str> = match backend {
        "espryt" => EsFeatures::TABLE.iter().map(|row| row.name).collect(),
        _ => DeviceFeatures::NAMES.to_vec(),
    };
    let unknown = |name: &&str| !name.is_empty() && !features.contains(name);
    match key {
        "disable" => match value.split(',').map(str::trim).find(unknown) {
            Some(name) => Err(format!("{backend} has no feature \"{name}\"; use {}", features.join(", "))),
            None => Ok(()),
        },
        "version" if !["3.0", "3.1", "3.2"].contains(&value) => {
            Err(format!("version \"{value}\": use 3.0, 3.1 or 3.2"))
        }
        _ => Ok(()),
    }
}

fn magma(options: &Options) -> Result<Box<dyn Backend>, String> {
    let mut magma = mgl_magma::Options { chosen: Some(sandbox::device_chosen), ..mgl_magma::Options::from_env() };
    for (key, value) in options {
        match key.as_str() {
            "disable" => magma.disable.clone_from(value),
            "device" => magma.device.clone_from(value),
            _ => magma.validation = value != "0",
        }
    }
    Magma::new(&magma).map_err(|error| error.to_string())
}

fn espryt(options: &Options) -> Result<Box<dyn Backend>, String> {
    let mut espryt = mgl_espryt::Options::from_env();
    for (key, value) in options {
        match key.as_str() {
            "disable" => espryt.disable.clone_from(value),
            "device" => espryt.device.clone_from(value),
            "library" => espryt.library = Some(value.into()),
            _ => espryt.max_minor = value.strip_prefix("3.").and_then(|minor| minor.parse().ok()),
        }
    }
    sandbox::confine_files(Needs::Device);
    Espryt::new(&espryt).map_err(|error| error.to_string())
}
