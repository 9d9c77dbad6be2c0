//! `mobilegl doctor`: goes through every part a program needs, in the order it would meet them, and stops guessing for the person.

use std::path::Path;
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::environment::Choice;
use crate::error::Error;
use crate::say::say;
use crate::{info, locate, probe};

/// One line of the diagnosis.
enum Finding {
    Good(String),
    Note(String),
    /// Something works, but not as well as it could.
    Less(String),
    Bad(String),
}

/// Prints the findings; the exit code is 1 when any part fails.
///
/// # Errors
/// None of its own: what fails is a finding.
pub fn doctor(choice: Choice) -> Result<ExitCode, Error> {
    let mut findings = Vec::new();
    match locate::library() {
        Ok(library) => {
            findings.push(Finding::Good(format!("client library  {}", library.display())));
            examine_server(&library, &mut findings);
            examine_context(choice, &mut findings);
            findings.extend(examine_windows(&library));
        }
        Err(error) => findings.push(Finding::Bad(error.to_string())),
    }
    let mut bad = 0;
    for finding in &findings {
        match finding {
            Finding::Good(text) => say!("ok       {text}"),
            Finding::Note(text) => say!("note     {text}"),
            Finding::Less(text) => say!("LESS     {text}"),
            Finding::Bad(text) => {
                bad += 1;
                say!("PROBLEM  {text}");
            }
        }
    }
    let less = findings.iter().any(|finding| matches!(finding, Finding::Less(_)));
    match bad {
        0 if less => {
            say!("\nA program runs here, with less than it could have: see LESS above. Try: mobilegl run -- PROGRAM")
        }
        0 => say!("\nEverything a program needs is here. Try: mobilegl run -- PROGRAM"),
        1 => say!("\nOne problem was found; see above."),
        count => say!("\n{count} problems were found; the first is usually the cause of the others."),
    }
    Ok(ExitCode::from(u8::from(bad > 0)))
}

/// What a server can give up here before it draws; less is worth knowing, and no reason to fail.
fn examine_confinement(server: &Path, findings: &mut Vec<Finding>) {
    let output = Command::new(server).args(["--probe-sandbox", "processor"]).output();
    let report = output.ok().and_then(|o| serde_json::from_slice::<Value>(&o.stdout).ok());
    let Some(missing) = report.as_ref().and_then(|r| r.get("missing")).and_then(Value::as_object) else {
        return findings.push(Finding::Note("confinement     the server could not try it out".into()));
    };
    let lacking: Vec<&str> = missing.values().filter_map(Value::as_str).collect();
    findings.push(if lacking.is_empty() {
        Finding::Good("confinement     files and system calls (MOBILEGL_SANDBOX)".into())
    } else {
        Finding::Note(format!("confinement     {}", lacking.join("; ")))
    });
}

fn examine_server(library: &Path, findings: &mut Vec<Finding>) {
    let server = match locate::server(library) {
        Ok(server) => server,
        Err(error) => return findings.push(Finding::Bad(error.to_string())),
    };
    findings.push(Finding::Good(format!("server program  {}", server.display())));
    examine_confinement(&server, findings);
    let output = match Command::new(&server).arg("--probe").output() {
        Ok(output) => output,
        Err(error) => return findings.push(Finding::Bad(format!("{} cannot be started: {error}", server.display()))),
    };
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return findings.push(Finding::Bad(format!(
            "the server finds no device to draw with ({}): {}\n         \
             Install a Vulkan or OpenGL ES driver; on Debian without a GPU: apt-get install mesa-vulkan-drivers \
             libvulkan1 libegl-mesa0",
            output.status,
            words.trim()
        )));
    }
    match serde_json::from_slice(&output.stdout) {
        Ok(answer) => findings.extend(read_probe(&answer)),
        Err(source) => findings.push(Finding::Bad(Error::BadAnswer { who: "the server", source }.to_string())),
    }
}

/// The server's answer: its version, per device a name, a reason when it cannot be used and a table of features, and what
/// a backend can never do.
fn read_probe(answer: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    let own = env!("CARGO_PKG_VERSION");
    match answer["version"].as_str() {
        Some(theirs) if theirs != own => findings.push(Finding::Bad(format!(
            "this command is version {own} and the server {theirs}; they must be built together.\n         \
             Build all parts again: cargo build --release"
        ))),
        _ => {}
    }
    let devices = answer["devices"].as_array().cloned().unwrap_or_default();
    if devices.is_empty() {
        findings.push(Finding::Bad("the server lists no device".into()));
    }
    for device in &devices {
        let name = device["name"].as_str().unwrap_or("a device without a name");
        let es = device["backend"] == "espryt";
        if let Some(reason) = device["reason"].as_str() {
            findings.push(Finding::Note(format!("{name} cannot be used: {reason}")));
            continue;
        }
        let kind = if es { "OpenGL ES device" } else { "Vulkan device  " };
        findings.push(Finding::Good(format!("{kind} {name}")));
        let missing = absent_features(&device["features"]);
        if !missing.is_empty() {
            findings
                .push(Finding::Note(format!("{name} lacks: {}", missing.join(if es { "\n         " } else { ", " }))));
        }
    }
    findings.extend(without_vulkan(&devices));
    findings.extend(gaps(answer));
    findings
}

/// Programs are then drawn by the other backend, which can do less, and nothing else says so.
fn without_vulkan(devices: &[Value]) -> Option<Finding> {
    let (vulkan, es): (Vec<&Value>, Vec<&Value>) = devices.iter().partition(|device| device["backend"] != "espryt");
    let usable = |device: &&&Value| !device["reason"].is_string();
    if es.iter().any(|device| usable(&device)) && !vulkan.iter().any(|device| usable(&device)) {
        return Some(Finding::Less(
            "no Vulkan device: programs are drawn with OpenGL ES (espryt). They get OpenGL 3.3 instead of up to 4.6, \
             some features are refused, and draws cost more.\n         \
             Install the Vulkan loader and a driver; on Debian: apt-get install libvulkan1 mesa-vulkan-drivers"
                .into(),
        ));
    }
    None
}

/// What a backend can do on no device at all.
fn gaps(answer: &Value) -> Option<Finding> {
    let text = |row: &Value| Some(format!("{} ({})", row["gl"].as_str()?, row["name"].as_str()?));
    let list: Vec<String> = answer["gaps"].as_array()?.iter().filter_map(text).collect();
    let lead = "OpenGL ES has no way to do, and the backend espryt refuses:";
    (!list.is_empty()).then(|| Finding::Note(format!("{lead}\n         {}", list.join("\n         "))))
}

/// Features may come as an object of booleans or as rows `{name, present}`.
fn absent_features(features: &Value) -> Vec<String> {
    if let Some(table) = features.as_object() {
        return table.iter().filter(|(_, value)| **value == Value::Bool(false)).map(|(name, _)| name.clone()).collect();
    }
    let rows = features.as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter()
        .filter(|row| row["present"] == Value::Bool(false))
        .filter_map(|row| {
            let name = row["name"].as_str()?;
            // The driver feature, and the GL feature that hangs on it, where the server says so.
            Some(match (row["gl"].as_str(), row["needs"].as_str()) {
                (Some(gl), Some(needs)) => format!("{gl}: needs {needs} ({name})"),
                _ => name.to_owned(),
            })
        })
        .collect()
}

fn examine_context(choice: Choice, findings: &mut Vec<Finding>) {
    let finding = match info::ask(choice.clone()) {
        Ok(report) if !report.gl_renderer.contains("MobileGL") && !report.gl_version.contains("MobileGL") => {
            Finding::Bad(format!(
                "EGL gave another driver ({}); a libEGL.so.1 that is not glvnd's ignores the vendor file",
                report.gl_renderer
            ))
        }
        Ok(report) => {
            let extensions: Vec<&str> = report.gl_extensions.iter().map(String::as_str).collect();
            findings.extend(newer(&extensions));
            Finding::Good(format!("OpenGL context  {} on {}", report.gl_version, report.gl_renderer))
        }
        Err(error) => Finding::Bad(format!("no OpenGL context over `{}`: {error}", choice.transport.word())),
    };
    findings.push(finding);
}

/// How pictures get to windows here. A session without a window system is none the worse for it.
fn examine_windows(library: &Path) -> Vec<Finding> {
    let asked = std::env::current_exe().and_then(|own| Command::new(own).arg(probe::WINDOWS).arg(library).output());
    match asked {
        Ok(output) if output.status.success() => windows(&String::from_utf8_lossy(&output.stdout)),
        Ok(output) => {
            let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            vec![Finding::Bad(format!("the client library could not look for windows ({}): {words}", output.status))]
        }
        Err(error) => vec![Finding::Bad(format!("the client library could not look for windows: {error}"))],
    }
}

/// The library's lines: `+` in front of what works.
fn windows(answer: &str) -> Vec<Finding> {
    let found: Vec<Finding> = answer
        .lines()
        .filter_map(|line| match line.split_at_checked(1)? {
            ("+", text) => Some(Finding::Good(format!("windows         {text}"))),
            (_, text) => Some(Finding::Less(format!("no windows      {text}"))),
        })
        .collect();
    if found.is_empty() {
        return vec![Finding::Note(
            "no window system is named (DISPLAY, WAYLAND_DISPLAY): programs draw off screen".into(),
        )];
    }
    found
}

/// Why the context is not of the next version of OpenGL.
fn newer(extensions: &[&str]) -> Option<Finding> {
    let ((major, minor), missing) = mgl_base::gl_versions::lacking(extensions)?;
    Some(Finding::Note(format!("OpenGL {major}.{minor} is not reported: it needs {}", missing.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::{Finding, newer, read_probe, windows};
    use serde_json::json;

    /// If this fails, a client and a server of different builds fail later with a message nobody connects to the cause.
    #[test]
    fn another_version_is_a_problem() {
        let findings = read_probe(&json!({ "version": "0.0.0-other", "devices": [{ "name": "d" }] }));
        assert!(matches!(&findings[0], Finding::Bad(text) if text.contains("0.0.0-other")));
    }

    /// If this fails, the person is told all is well on a machine where nothing can draw.
    #[test]
    fn no_device_is_a_problem() {
        assert!(matches!(read_probe(&json!({ "devices": [] }))[0], Finding::Bad(_)));
    }

    /// If this fails, a person without a Vulkan driver plays with half of OpenGL and is told that all is well.
    #[test]
    fn a_machine_without_vulkan_is_told_what_it_loses() {
        let es = json!({ "backend": "espryt", "name": "e", "reason": null });
        let broken = json!({ "backend": "magma", "name": "v", "reason": "too old" });
        let whole = json!({ "backend": "magma", "name": "v", "reason": null });
        for (devices, less) in [(json!([es]), true), (json!([broken, es]), true), (json!([whole, es]), false)] {
            let findings = read_probe(&json!({ "devices": devices }));
            let says = |finding: &Finding| matches!(finding, Finding::Less(text) if text.contains("libvulkan1"));
            assert_eq!(findings.iter().any(says), less, "{devices}");
        }
    }

    /// If this fails, a missing device feature stays invisible.
    #[test]
    fn absent_features_are_listed_in_both_forms() {
        for features in [json!({ "a": true, "b": false }), json!([{ "name": "b", "present": false }])] {
            let findings = read_probe(&json!({ "devices": [{ "name": "d", "features": features }] }));
            assert!(findings.iter().any(|finding| matches!(finding, Finding::Note(text) if text.contains("lacks: b"))));
        }
    }

    /// If this fails, nobody learns why a game that wants a newer version does not start.
    #[test]
    fn what_the_next_version_lacks_is_named() {
        let found = newer(&["GL_ARB_gpu_shader5"]);
        assert!(matches!(found, Some(Finding::Note(text)) if text.contains("4.0") && text.contains("tessellation")));
    }

    /// If this fails, a person whose display does not answer looks for the fault elsewhere.
    #[test]
    fn window_systems_are_told() {
        let found = windows("+X11 :0: MIT-SHM\n-Wayland w: gone\n");
        assert!(matches!(&found[0], Finding::Good(text) if text.contains("MIT-SHM")));
        assert!(matches!(&found[1], Finding::Less(text) if text.contains("gone")));
        assert!(matches!(windows("")[..], [Finding::Note(_)]));
    }
}
