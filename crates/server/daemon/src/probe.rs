//! `mobilegl-server --probe`: what the backends find on this machine, as JSON for `mobilegl doctor`. Must not start a
//! session.

use serde_json::{Value, json};

/// The report, or the sentence that says why no backend can run here.
pub fn report() -> Result<Value, String> {
    let devices = mgl_magma::probe();
    if !devices.iter().any(|d| d.unusable.is_none()) {
        let seen: Vec<String> =
            devices.iter().map(|d| format!("{} ({})", d.name, d.unusable.unwrap_or("usable"))).collect();
        let seen = if seen.is_empty() { "none seen".to_owned() } else { seen.join(", ") };
        return Err(mgl_magma::MagmaError::NoDevice { seen }.to_string());
    }
    let list: Vec<Value> = devices
        .iter()
        .map(|d| {
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
        })
        .collect();
    Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "devices": list }))
}
