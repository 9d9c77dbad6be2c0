//! Real programs, recorded where they run, replayed without them, and compared over two backends.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mgl_programs::lane::Lane;
use mgl_programs::recorded::{Recorded, bad, compiled, mobilegl, output, python, run, text};
use mgl_programs::{Error, Result, compare, tools};

/// `frames`, recorded on the lane.
fn frames(lane: Lane, test: &str) -> Result<Recorded> {
    frames_with(lane, test, &[])
}

fn frames_with(lane: Lane, test: &str, words: &[&str]) -> Result<Recorded> {
    let program = compiled("frames", test)?;
    let folder = program.parent().unwrap_or(Path::new("")).to_path_buf();
    let (file, own) = (folder.join("frames.mglr"), folder.join("own.ppm"));
    let running = lane.start(&folder)?;
    let mut command = running.command(&program)?;
    let output = output(command.arg(&own).args(words).env("MOBILEGL_RECORD", &file), "running frames")?;
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    running.prove("frames")?;
    Ok(Recorded { file: file.display().to_string(), own: as_png(&own)? })
}

/// The picture that the program wrote, as the comparison reads it.
fn as_png(ppm: &Path) -> Result<PathBuf> {
    let bytes = fs::read(ppm).map_err(|e| bad(ppm, e))?;
    let head = b"P6 64 64 255\n".len();
    let pixels = image::RgbImage::from_raw(64, 64, bytes.get(head..).unwrap_or_default().to_vec());
    let png = ppm.with_extension("png");
    pixels.ok_or_else(|| bad(ppm, "its size"))?.save(&png).map_err(|e| bad(&png, e))?;
    Ok(png)
}

/// Replays with `words` and returns the picture.
fn replayed(recorded: &Recorded, name: &str, words: &[&str]) -> Result<PathBuf> {
    let png = recorded.own.with_file_name(format!("{name}.png"));
    let path = png.display().to_string();
    let all: Vec<&str> = ["replay", &recorded.file, "--png", &path].into_iter().chain(words.iter().copied()).collect();
    let (code, said) = run(&all)?;
    assert_eq!(code, Some(0), "{said}");
    Ok(png)
}

/// If this fails, what is recorded is not what the program drew, on one of the ways to run it.
#[test]
fn a_recording_shows_what_the_program_drew() -> Result<()> {
    for lane in [Lane::MONOLITH, Lane::INPROC, Lane::SPAWN] {
        let recorded = frames(lane, lane.name())?;
        compare::require_equal_pictures(&recorded.own, &replayed(&recorded, "end", &[])?)?;
        compare::require_equal_pictures(&recorded.own, &replayed(&recorded, "draw", &["--draw", "9"])?)?;
        let before = replayed(&recorded, "before", &["--frame", "2"])?;
        assert!(compare::require_equal_pictures(&recorded.own, &before).is_err(), "frame 2 shows frame 3");
        let (code, said) = run(&["replay", &recorded.file, "--frame", "4"])?;
        assert!(code == Some(2) && said.contains("only 3 frames"), "{said}");
    }
    Ok(())
}

/// If this fails, what a program writes into memory in common with the device is not in its recording.
#[test]
fn persistent_maps_are_recorded() -> Result<()> {
    for lane in [Lane::MONOLITH, Lane::SPAWN] {
        let recorded = frames_with(lane, &format!("persistent-{}", lane.name()), &["persistent"])?;
        compare::require_equal_pictures(&recorded.own, &replayed(&recorded, "end", &[])?)?;
    }
    Ok(())
}

/// If this fails, `mobilegl record` loses a real program: off screen, many samples, textures with mipmaps, programs that open
/// several displays and delete everything before they leave.
#[test]
fn python_programs_are_recorded_and_replayed() -> Result<()> {
    for (name, picture, number) in [("demo", "demo", 1), ("mesh", "mesh", 1), ("vtk_cone", "cone", 2)] {
        let recorded = python(name, picture, number)?;
        compare::require_equal_pictures(&recorded.own, &replayed(&recorded, "end", &[])?)?;
    }
    Ok(())
}

/// If this fails, two dumps of one program cannot be compared, and a difference between two runs cannot be found.
#[test]
fn the_text_of_a_recording_is_the_same_every_time() -> Result<()> {
    let (first, second) = (frames(Lane::SPAWN, "text-1")?, frames(Lane::SPAWN, "text-2")?);
    let ((_, a), (_, b)) = (run(&["dump", &first.file])?, run(&["dump", &second.file])?);
    // The table's last line has the size of the file, which depends on when its blocks were closed.
    let body = |text: &str| text.split("\nrecord  ").next().unwrap_or_default().to_owned();
    assert!(a.contains("(draw 9) draw_vbo mode=Triangles") && a.contains("--- end of frame 3"), "{a}");
    assert_eq!(body(&a), body(&b));
    let (_, one) = run(&["dump", &first.file, "--frame", "2"])?;
    assert!(one.contains("(draw 4)") && one.contains("(draw 6)") && !one.contains("(draw 7)"), "{one}");
    Ok(())
}

/// If this fails, a person who looks for the reason of a wrong picture is sent to the wrong draw.
#[test]
fn the_first_differing_draw_is_found() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "diff")?;
    let page = recorded.own.with_file_name("diff.html");
    let path = page.display().to_string();
    // Without this feature Magma refuses to draw polygons as lines: the second draw of every frame is missing.
    let other = "magma:disable=fill_mode_non_solid";
    let (code, said) = run(&["diff", &recorded.file, "--a", "magma", "--b", other, "-o", &path])?;
    assert!(code == Some(1) && said.contains("(draw 2)"), "{said}");
    let html = fs::read_to_string(&page).map_err(|e| bad(&page, e))?;
    assert_eq!(html.matches("data:image/png;base64,").count(), 6);
    for part in ["The pictures differ", "after draw 2, record #", "polygon_front=Line", "uniform colour = 0.0 1.0 0.0"]
    {
        assert!(html.contains(part), "{part} is missing in {path}");
    }
    assert!(html.contains("PolygonMode"), "what was refused is missing in {path}");
    // A fall-back that gives the same picture.
    let same = "magma:disable=dynamic_rendering,vertex_input_dynamic_state";
    let (code, said) = run(&["diff", &recorded.file, "--b", same, "--tolerance", "0", "-o", &path])?;
    assert!(code == Some(0) && said.contains("equal: SSIM 1.0"), "{said}");
    let html = fs::read_to_string(&page).map_err(|e| bad(&page, e))?;
    assert!(html.contains("The pictures are equal") && html.matches("data:image/png;base64,").count() == 3);
    Ok(())
}

/// If this fails, the recording of a crash cannot be opened, although that is what it was made for.
#[test]
fn a_recording_outlives_its_server() -> Result<()> {
    let program = compiled("orphan", "orphan")?;
    let file = program.with_file_name("orphan.mglr").display().to_string();
    let mut command = mobilegl(&["record", "-o", &file, "--transport", "spawn", "--"])?;
    let output = output(command.arg(&program), "recording orphan")?;
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("ok") && said.contains("not to the end"), "{said}");
    let (code, said) = run(&["dump", &file])?;
    assert!(code == Some(2) && said.contains("cut off"), "{said}");
    let (code, said) = run(&["replay", &file])?;
    assert!(code == Some(2) && said.contains("cut off"), "{said}");
    // The program went on with another server, which has a recording of its own.
    let second = program.with_file_name("orphan.2.mglr").display().to_string();
    let (code, said) = run(&["replay", &second])?;
    assert_eq!(code, Some(0), "{said}");
    Ok(())
}

/// If this fails, a damaged or foreign file crashes the tools or gives a wrong picture without a word.
#[test]
fn damaged_and_foreign_files_are_named() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "damage")?;
    let whole = fs::read(&recorded.file).map_err(|e| bad(Path::new(&recorded.file), e))?;
    let bad_file = recorded.own.with_file_name("bad.mglr");
    let path = bad_file.display().to_string();
    let check = |bytes: &[u8], words: &str| -> Result<()> {
        fs::write(&bad_file, bytes).map_err(|e| bad(&bad_file, e))?;
        let (code, said) = run(&["dump", &path])?;
        assert!(code == Some(2) && said.contains(words), "{words}: {code:?} {said}");
        Ok(())
    };
    let mut newer = whole.clone();
    newer[8] = 9;
    check(&newer, "format version 9")?;
    check(b"no recording at all", "not a MobileGL recording")?;
    for at in (20..whole.len()).step_by(whole.len() / 24) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x20;
        check(&flipped, "damaged")?;
    }
    let (code, said) = run(&["record", "-o", &recorded.own.display().to_string(), "--", "true"])?;
    assert!(code == Some(2) && said.contains("is no recording"), "a picture would have been overwritten: {said}");
    Ok(())
}

/// If this fails, a script takes a damaged recording for a rendering difference, or a person is not told why there is no
/// picture.
#[test]
fn what_cannot_be_drawn_is_not_called_different() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "undrawable")?;
    let whole = fs::read(&recorded.file).map_err(|e| bad(Path::new(&recorded.file), e))?;
    let file = recorded.own.with_file_name("bad.mglr");
    let (path, png, page) = (
        file.display().to_string(),
        file.with_extension("png").display().to_string(),
        file.with_extension("html").display().to_string(),
    );
    let mut flipped = whole.clone();
    // In the middle of the only block: nothing before it is left to draw.
    let middle = whole.len() / 2;
    flipped[middle] ^= 0x20;
    for (bytes, why) in [(&whole[..middle], "cut off"), (&flipped[..], "damaged")] {
        fs::write(&file, bytes).map_err(|e| bad(&file, e))?;
        let (code, said) = run(&["diff", &path, "--b", "espryt", "-o", &page])?;
        assert!(code == Some(2) && said.contains("no picture") && said.contains(why), "{code:?} {said}");
        let (code, said) = run(&["replay", &path, "--png", &png])?;
        assert!(code == Some(2) && said.contains("no picture") && said.contains(why), "{code:?} {said}");
    }
    Ok(())
}

/// If this fails, a script takes what was looked at in part, or never written, for whole and equal.
#[test]
fn one_rule_for_exit_codes() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "codes")?;
    let mut bytes = fs::read(&recorded.file).map_err(|e| bad(Path::new(&recorded.file), e))?;
    let (damaged, page) = (recorded.own.with_file_name("damaged.mglr"), recorded.own.with_file_name("page.html"));
    // In the last block: what was drawn lies before it.
    let last = bytes.len() - 2;
    bytes[last] ^= 0x20;
    fs::write(&damaged, bytes).map_err(|e| bad(&damaged, e))?;
    let (damaged, page) = (damaged.display().to_string(), page.display().to_string());
    for (file, code) in [(recorded.file.as_str(), 0), (damaged.as_str(), 2)] {
        let words = [
            &["dump", file][..],
            &["dump", file, "--stats"],
            &["replay", file],
            &["diff", file, "--b", "magma", "-o", &page],
        ];
        for words in words {
            let (got, said) = run(words)?;
            assert_eq!(got, Some(code), "{words:?}: {said}");
        }
    }
    let (_, said) = run(&["diff", &damaged, "--b", "magma", "-o", &page])?;
    assert!(said.contains("not whole") && !said.contains("\nequal:"), "{said}");
    let full = "/dev/full";
    for words in [&["replay", &recorded.file, "--png", full][..], &["diff", &recorded.file, "--b", "magma", "-o", full]]
    {
        let (got, said) = run(words)?;
        assert!(got == Some(2) && said.contains(full), "{words:?}: {said}");
    }
    for words in [&["dump", &recorded.file][..], &["replay", &recorded.file, "--state"], &["man"]] {
        let out = fs::File::options().write(true).open(full).map_err(|e| bad(Path::new(full), e))?;
        let end = output(mobilegl(words)?.stdout(out), "printing to a full disk")?;
        assert!(end.status.code() == Some(2), "{words:?}: {:?} {}", end.status, text(&end.stderr));
    }
    Ok(())
}

/// If this fails, recordings cannot be piped from where they are, nor pictures to where they are looked at.
#[test]
fn recordings_are_read_from_a_pipe_and_pictures_written_to_one() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "pipes")?;
    let mobilegl_path = tools::mobilegl()?.display().to_string();
    for input in ["cat \"$1\" | \"$0\"", "< \"$1\" \"$0\""] {
        let shell = |words: &str| -> Result<std::process::Output> {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("{input} {words}"), &mobilegl_path, &recorded.file]);
            output(shell.env("VK_ICD_FILENAMES", tools::lavapipe_file()?), "piping a recording")
        };
        let picture = shell("replay - --png -")?;
        assert!(picture.status.success(), "{}", text(&picture.stderr));
        let png = recorded.own.with_file_name("piped.png");
        fs::write(&png, &picture.stdout).map_err(|e| bad(&png, e))?;
        compare::require_equal_pictures(&recorded.own, &png)?;
        let dumped = shell("dump -")?;
        assert!(dumped.status.success() && text(&dumped.stdout).contains("(draw 9)"), "{}", text(&dumped.stderr));
        let page = recorded.own.with_file_name("piped.html").display().to_string();
        let compared = shell(&format!("diff - --b magma -o '{page}'"))?;
        assert!(compared.status.success(), "{}", text(&compared.stderr));
    }
    Ok(())
}

/// If this fails, people whose folders have names in an older encoding record nothing, or under another name.
#[test]
fn names_need_not_be_text() -> Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let program = compiled("frames", "names")?;
    let folder = program.with_file_name(std::ffi::OsStr::from_bytes(b"fa\xE7ade"));
    fs::create_dir_all(&folder).map_err(|e| bad(&folder, e))?;
    let file = folder.join(std::ffi::OsStr::from_bytes(b"\xE9.mglr"));
    let mut command = mobilegl(&["record", "-o"])?;
    let own = folder.join("own.ppm");
    let end = output(command.arg(&file).args(["--transport", "spawn", "--"]).arg(&program).arg(&own), "recording")?;
    assert!(end.status.success() && file.exists(), "{}", text(&end.stderr));
    let png = folder.join("end.png");
    let end = output(mobilegl(&["replay", "--png"])?.arg(&png).arg(&file), "replaying")?;
    assert!(end.status.success(), "{}", text(&end.stderr));
    compare::require_equal_pictures(&as_png(&own)?, &png)
}

/// If this fails, what `mobilegl record` has made is copied or opened before its server has finished it.
#[test]
fn a_recording_is_complete_when_the_command_returns() -> Result<()> {
    let program = compiled("frames", "complete")?;
    let (file, own) = (program.with_file_name("a.mglr"), program.with_file_name("own.ppm"));
    for round in 0..12 {
        let mut command = mobilegl(&["record", "--transport", "spawn", "-o"])?;
        let end = output(command.arg(&file).arg("--").arg(&program).arg(&own).arg("leave"), "recording")?;
        // Copied at once, as a script would.
        let bytes = fs::read(&file).map_err(|e| bad(&file, e))?;
        let said = text(&end.stderr);
        assert!(end.status.success() && said.contains(&format!("({} bytes)", bytes.len())), "{round}: {said}");
        let copy = file.with_file_name("copy.mglr");
        fs::write(&copy, bytes).map_err(|e| bad(&copy, e))?;
        let (code, said) = run(&["dump", "--stats", &copy.display().to_string()])?;
        assert_eq!(code, Some(0), "{round}: {said}");
    }
    Ok(())
}

/// If this fails, a slip of the keyboard replaces a recording by what was made from it, or counts from 0 and draws nothing.
#[test]
fn slips_do_no_harm() -> Result<()> {
    let recorded = frames(Lane::SPAWN, "slips")?;
    let file = recorded.file.as_str();
    let before = fs::read(file).map_err(|e| bad(Path::new(file), e))?;
    for words in [&["replay", file, "--png", file][..], &["diff", file, "--b", "null", "-o", file]] {
        let (code, said) = run(words)?;
        assert!(code == Some(2) && said.contains("the recording itself"), "{code:?} {said}");
    }
    assert!(fs::read(file).is_ok_and(|now| now == before), "the recording was overwritten");
    for place in ["--frame", "--draw", "--call"] {
        let (code, said) = run(&["replay", file, place, "0"])?;
        assert!(code == Some(2) && said.contains(place), "{code:?} {said}");
    }
    let (code, said) = run(&["dump", file, "--frame", "99"])?;
    assert!(
        code == Some(0) && said.contains("nothing of this frame") && said.contains("in the whole recording"),
        "{said}"
    );
    Ok(())
}

/// A listening server that ends with this value.
struct Listening(std::process::Child, String);

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server; `records` is the folder that it may record to.
fn listening(address: &str, records: Option<&Path>) -> Result<Listening> {
    let mut serve = mobilegl(&["serve", "--listen", address, "--backend", "magma"])?;
    if let Some(records) = records {
        serve.env("MOBILEGL_RECORD_DIR", records);
    }
    let started = serve.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|source| Error::System { doing: "starting a server".into(), source })?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        let _ = std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line);
    }
    let scheme = address.split(':').next().unwrap_or_default();
    let at = line.split_whitespace().find(|word| word.starts_with(scheme)).unwrap_or(address);
    Ok(Listening(child, at.to_owned()))
}

/// If this fails, a client of a shared server writes files there, or nobody can record one at all.
#[test]
fn a_listening_server_records_only_where_it_may() -> Result<()> {
    let program = compiled("frames", "listening")?;
    let folder = program.parent().unwrap_or(Path::new("")).to_path_buf();
    for (index, allowed) in [(0, false), (0, true), (1, false), (1, true)] {
        let records = folder.join(format!("records-{index}"));
        fs::create_dir_all(&records).map_err(|e| bad(&records, e))?;
        let unix = format!("unix:{}", folder.join("socket").display());
        let address = if index == 0 { unix.as_str() } else { "tcp://127.0.0.1:0" };
        let server = listening(address, allowed.then_some(records.as_path()))?;
        let (wish, own) = (folder.join("wish.mglr"), folder.join(format!("own-{index}.ppm")));
        let mut command = mobilegl(&["run", "--transport", &server.1, "--"])?;
        let output = output(command.arg(&program).arg(&own).env("MOBILEGL_RECORD", &wish), "running frames")?;
        drop(server);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.success(), allowed, "{said}");
        assert!(allowed || said.contains("MOBILEGL_RECORD_DIR"), "{said}");
        assert!(!wish.exists(), "the client chose where the server writes");
        let file = records.join("wish.mglr");
        assert_eq!(file.exists(), allowed);
        if allowed {
            let recorded = Recorded { file: file.display().to_string(), own: as_png(&own)? };
            compare::require_equal_pictures(&recorded.own, &replayed(&recorded, &format!("end-{index}"), &[])?)?;
        }
    }
    Ok(())
}
