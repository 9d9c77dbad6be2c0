//! What a person should know about the window systems of this session. Must not know how pictures get to them.

use crate::platform::System;
use crate::window::Gone;
use crate::x11;

/// One line per window system that the environment names: how pictures get to its windows, or why there are none.
pub fn lines() -> Vec<(bool, String)> {
    let named = |variable: &str| std::env::var(variable).ok().filter(|value| !value.is_empty());
    let mut out = Vec::new();
    if let Some(name) = named("DISPLAY") {
        let opened = x11::open(None, None);
        out.push(line("X11", &name, opened.as_ref().map(|display| display.chosen()).map_err(Clone::clone)));
    }
    out
}

fn line(system: &str, name: &str, found: Result<String, Gone>) -> (bool, String) {
    match found {
        Ok(way) => (true, format!("{system} {name}: {way}")),
        Err(gone) => (false, format!("{system} {name}: {gone}")),
    }
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::window::Gone;

    // A person without a display would be told that it is there.
    #[test]
    fn a_display_that_is_not_there_is_no_good_news() {
        let gone = Gone::System("nobody answers".into());
        assert_eq!(line("X11", ":9", Err(gone)), (false, "X11 :9: the window system is gone: nobody answers".into()));
        assert!(line("X11", ":9", Ok("MIT-SHM".into())).0);
    }
}
