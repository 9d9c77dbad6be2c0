//! `mobilegl-server --probe`: what the backends find on this machine, as JSON for `mobilegl doctor`. Must not start a
//! session.

use mgl_espryt::EsFeatures;
use serde_json::{Value, json};

/// The report, or the sentence that says why no backend can run here.
pub fn report() -> Result<Value, String> {
    let vulkan = mgl_magma::probe();
    let es = mgl_espryt::probe(&mgl_espryt::Options::from_env());
    let usable = vulkan.iter().any(|d| d.unusable.is_none()) || es.iter().any(|d| d.unusable.is_none());
    if !usable {
        return Err(format!("{}; {}", no_vulkan(&vulkan), no_es(&es)));
    }
    let list: Vec<Value> = vulkan.iter().map(vulkan_device).chain(es.iter().map(es_device)).collect();
    let gaps: Vec<Value> =
        mgl_espryt::GAPS.iter().map(|(name, gl)| json!({ "backend": "espryt", "name": name, "gl": gl })).collect();
    Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "devices": list, "gaps": gaps }))
}

fn no_vulkan(devices: &[mgl_magma::ProbedDevice]) -> String {
    let seen: Vec<String> =
        devices.iter().map(|d| format!("{} ({})", d.name, d.unusable.unwrap_or("usable"))).collect();
    let seen = if seen.is_empty() { "none seen".to_owned() } else { seen.join(", ") };
    mgl_magma::MagmaError::NoDevice { seen }.to_string()
}

fn no_es(devices: &[mgl_espryt::ProbedDevice]) -> String {
    let reason = |d: &mgl_espryt::ProbedDevice| d.unusable.clone().unwrap_or_default();
    let seen: Vec<String> =
        devices.iter().map(|d| format!("{} of {}: {}", d.name, d.library.display(), reason(d))).collect();
    let seen = if seen.is_empty() { "none seen".to_owned() } else { seen.join("; ") };
    mgl_espryt::EsprytError::NoDriver { seen }.to_string()
}

fn vulkan_device(d: &mgl_magma::ProbedDevice) -> Value {
    let features: serde_json::Map<String, Value> =
        d.features.iter().map(|(name, on)| ((*name).to_owned(), json!(on))).collect();
    json!({
        "backend": "magma",
        "name": d.name,
        "kind": d.kind,
        "api": format!("{}.{}", d.version.0, d.version.1),
        "usable": d.unusable.is_none(),
        "reason": d.unusable,
        "features": features,
    })
}

/// Features as rows: each with the GL feature that hangs on it and what a driver needs for it.
fn es_device(d: &mgl_espryt::ProbedDevice) -> Value {
    let state = |name: &str| d.features.iter().any(|(n, on)| *n == name && *on);
    let row = |r: &mgl_espryt::device::features::FeatureRow| {
        let core = (r.core_minor < 99).then(|| format!("OpenGL ES 3.{}", r.core_minor));
        let needs: Vec<String> = core.into_iter().chain(r.extensions.iter().map(|e| (*e).to_owned())).collect();
        json!({ "name": r.name, "present": state(r.name), "gl": r.gl, "needs": needs.join(" or ") })
    };
    let features: Vec<Value> = match d.unusable {
        None => EsFeatures::TABLE.iter().map(row).collect(),
        Some(_) => Vec::new(),
    };
    json!({
        "backend": "espryt",
        "name": d.name,
        "library": d.library.display().to_string(),
        "api": d.version,
        "usable": d.unusable.is_none(),
        "reason": d.unusable,
        "features": features,
    })
}
