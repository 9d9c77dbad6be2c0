//! Handles of contexts and configurations: addresses in memory of this library, because libGLX tells vendors apart by them, and
//! never the same one twice. Must not know what they stand for.

use std::ptr::without_provenance_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A handle as the program has it.
pub type Opaque = *mut std::ffi::c_void;

/// Contexts of a process that have an address of their own without memory of their own.
const CONTEXTS: usize = 1 << 20;
/// Configurations of a screen.
const CONFIGS: usize = 1 << 12;
/// Screens of a display.
const SCREENS: usize = 1 << 6;

/// Only its addresses matter; it is never touched, so that it takes no memory.
static CONTEXT_FIELD: [u8; CONTEXTS] = [0; CONTEXTS];
static CONFIG_FIELD: [u8; CONFIGS * SCREENS] = [0; CONFIGS * SCREENS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

/// A handle for a new context.
pub fn mint() -> usize {
    let index = NEXT.fetch_add(1, Ordering::Relaxed);
    match CONTEXT_FIELD.get(index) {
        Some(place) => (&raw const *place).addr(),
        None => (&raw const *Box::leak(Box::new(0u8))).addr(),
    }
}

/// The handle of a configuration: the same on every display, which programs rely on.
pub fn config_handle(screen: usize, index: usize) -> Opaque {
    let place = CONFIG_FIELD.get(screen.min(SCREENS - 1) * CONFIGS + index.min(CONFIGS - 1));
    without_provenance_mut(place.map_or(0, |place| (&raw const *place).addr()))
}

/// Screen and index of a configuration.
pub fn config_of(handle: Opaque) -> Option<(usize, usize)> {
    let at = handle.addr().checked_sub(CONFIG_FIELD.as_ptr().addr()).filter(|at| *at < CONFIG_FIELD.len())?;
    Some((at / CONFIGS, at % CONFIGS))
}

#[cfg(test)]
mod tests {
    use super::{config_handle, config_of, mint};

    // A handle that another vendor's object has too would be led to the wrong driver.
    #[test]
    fn handles_are_addresses_of_our_own_and_tell_what_they_are() {
        assert_eq!(config_of(config_handle(1, 7)), Some((1, 7)));
        assert_eq!(config_of(std::ptr::without_provenance_mut(12)), None);
        let (a, b) = (mint(), mint());
        assert!(a != b && a != 0);
        assert_eq!(config_of(std::ptr::without_provenance_mut(a)), None);
    }
}
