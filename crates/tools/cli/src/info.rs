//! `mobilegl info`: what a program would see, for people or as JSON.

use std::process::ExitCode;

use crate::environment::Choice;
use crate::error::Error;
use crate::probe::Report;
use crate::run;
use crate::say::say;

/// Prints the report of the probe.
///
/// # Errors
/// When a part is missing or the driver fails.
pub fn info(choice: Choice, json: bool) -> Result<ExitCode, Error> {
    let report = ask(choice.clone())?;
    if json {
        let text =
            serde_json::to_string_pretty(&report).map_err(|source| Error::BadAnswer { who: "the probe", source })?;
        say!("{text}");
    } else {
        print_for_people(choice, &report);
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the probe under the chosen environment and reads its answer.
///
/// # Errors
/// See [`run::probe`].
pub fn ask(choice: Choice) -> Result<Report, Error> {
    serde_json::from_str(&run::probe(choice)?).map_err(|source| Error::BadAnswer { who: "the probe", source })
}

fn print_for_people(choice: Choice, report: &Report) {
    say!("backend        {}", choice.backend.word());
    say!("transport      {}", choice.transport.word());
    say!("GL version     {}", report.gl_version);
    say!("GLSL version   {}", report.glsl_version);
    say!("GL renderer    {}", report.gl_renderer);
    say!("GL vendor      {}", report.gl_vendor);
    say!("EGL version    {}", report.egl_version);
    say!("EGL vendor     {}", report.egl_vendor);
    say!("\nlimits");
    for (name, value) in &report.limits {
        say!("  {name:<52}{value:>10}");
    }
    print_list("GL extensions", &report.gl_extensions);
    print_list("EGL extensions", &report.egl_extensions);
}

fn print_list(title: &str, words: &[String]) {
    say!("\n{title} ({})", words.len());
    for word in words {
        say!("  {word}");
    }
}
