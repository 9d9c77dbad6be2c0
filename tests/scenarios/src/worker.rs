//! Runs scenarios one after the other in this process and says on standard output, one JSON line each, what came of
//! them. Must not know lanes: where the driver runs is in the environment.

use std::io::Write;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

use crate::gl::check::error_name;
use crate::gl::egl::Driver;
use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, Skip};

/// Where the last panic happened and what it said; the hook runs before the payload reaches the catcher.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// So much of a message is enough to understand it.
const LONGEST: usize = 1000;

/// What came of one scenario.
enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// Runs the scenarios on the library.
///
/// # Errors
/// When the driver cannot be loaded or is lost; what has been said until then counts.
pub fn run(library: &Path, scenarios: &[Scenario]) -> Result<(), String> {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line())).unwrap_or_default();
        let said = info.payload();
        let text = said.downcast_ref::<String>().map(String::as_str).or_else(|| said.downcast_ref::<&str>().copied());
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = format!("{}{place}", text.unwrap_or("a panic"));
    }));
    say(&json!({ "process": std::process::id() }));
    // The library stays loaded to the end of the process, as in any program.
    let driver: &'static Driver = Box::leak(Box::new(Driver::load(library)?));
    for scenario in scenarios {
        let name = scenario.full_name();
        say(&json!({ "start": name }));
        let start = Instant::now();
        let gl = Gl::new(driver, Wishes::default())?;
        let outcome = one(scenario, &gl);
        let lost = gl.make_current() && gl.get_graphics_reset_status() != t::NO_ERROR;
        drop(gl);
        say(&line(&name, &outcome, start));
        if lost {
            return Err(format!("the context was lost in {name}"));
        }
    }
    Ok(())
}

fn one(scenario: &Scenario, gl: &Gl) -> Outcome {
    let caught = panic::catch_unwind(AssertUnwindSafe(|| (scenario.run)(gl)));
    match caught {
        Ok(()) => match gl.get_error() {
            t::NO_ERROR => Outcome::Passed,
            code => Outcome::Failed(format!("{} is left behind", error_name(code))),
        },
        Err(payload) => match payload.downcast::<Skip>() {
            Ok(skip) => Outcome::Skipped(skip.0),
            Err(_) => Outcome::Failed(LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        },
    }
}

fn line(name: &str, outcome: &Outcome, start: Instant) -> Value {
    let (word, note) = match outcome {
        Outcome::Passed => ("passed", ""),
        Outcome::Failed(why) => ("failed", why.as_str()),
        Outcome::Skipped(why) => ("skipped", why.as_str()),
    };
    let note: String = note.chars().take(LONGEST).collect();
    json!({ "end": name, "outcome": word, "note": note, "ms": start.elapsed().as_millis() as u64 })
}

fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    // The reader may be gone; then nobody needs the line.
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}
