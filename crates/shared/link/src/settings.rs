//! The switches that this crate reads (spec 13 §1). Must not be read per record: every value is taken once at set-up.

/// A number, when the switch is set and is one.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    match text.trim().parse() {
        Ok(value) => Some(value),
        Err(_) => {
            tracing::warn!(name, text, "not a number; the default is used");
            None
        }
    }
}

/// A non-empty text.
pub fn text(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|t| !t.is_empty())
}
