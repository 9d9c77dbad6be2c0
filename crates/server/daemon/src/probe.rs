//! `mobilegl-server --probe`: what the backends find on this machine, as JSON for `mobilegl doctor`. Must not start a
//! session.

use serde_json::{Value, json};

/// The report, or the sentence that says why no backend can run here.
pub fn report() -> Result<Value, String> {
    Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "devices": [] }))
}
