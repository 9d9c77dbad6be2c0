//! A comparison as one HTML page: pictures are inside of it, nothing is loaded. Must not depend on time or place, so that
//! equal comparisons give equal pages.

use crate::compare::Comparison;
use crate::diff::{First, Report, SideReport};
use crate::error::{Error, Result};
use crate::picture::Picture;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, RgbImage};
use std::fmt::Write;
use std::io::Cursor;

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:96em;padding:0 1.5em;color:#1c2733;background:#f7f8fa}\
h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}.row{display:flex;flex-wrap:wrap;gap:1.2em}\
figure{margin:0;flex:1 1 18em;background:#fff;border:1px solid #d8dde3;padding:.7em;border-radius:6px}\
figure img{width:100%;image-rendering:pixelated;background:#000}figcaption{margin-bottom:.5em}\
.verdict{font-size:1.1em;padding:.6em .9em;border-radius:6px;background:#fdecea;border:1px solid #f3b8b2}\
.equal{background:#e8f5ec;border-color:#a9d8b8}pre{background:#fff;border:1px solid #d8dde3;padding:.9em;overflow:auto;\
border-radius:6px;font-size:12.5px}li{margin:.2em 0}.small{color:#5a6775;font-size:.9em}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn image(pixels: &RgbImage, name: &str) -> Result<String> {
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, ImageFormat::Png).map_err(|error| Error::Compare(error.to_string()))?;
    let data = STANDARD.encode(bytes.into_inner());
    Ok(format!("<img alt=\"{}\" src=\"data:image/png;base64,{data}\">", escaped(name)))
}

fn figure(title: &str, detail: &str, content: &str) -> String {
    let (title, detail) = (escaped(title), escaped(detail));
    format!("<figure><figcaption><b>{title}</b><br><span class=small>{detail}</span></figcaption>{content}</figure>\n")
}

fn verdict(report: &Report) -> String {
    let tolerance = match report.tolerance {
        0 => String::new(),
        limit => format!(" Differences up to {limit} of 255 are not counted."),
    };
    match &report.end {
        Some(c) if c.equal() => {
            format!("<p class='verdict equal'>The pictures are equal.{tolerance} {}</p>", measures(c))
        }
        Some(c) => format!("<p class=verdict>The pictures differ.{tolerance} {}</p>", measures(c)),
        None => "<p class=verdict>The pictures cannot be compared: one is missing, or their sizes differ.</p>".into(),
    }
}

fn measures(c: &Comparison) -> String {
    let (ssim, most) = (c.ssim, c.largest);
    match c.differing {
        0 if most == 0 => format!("All {} pixels are equal. SSIM {ssim:.5}.", c.pixels),
        0 => format!(
            "No channel of {} pixels differs by more than {most} of 255, which counts as equal. SSIM {ssim:.5}.",
            c.pixels
        ),
        count => format!("{count} of {} pixels differ, by {most} of 255 at most. SSIM {ssim:.5}.", c.pixels),
    }
}

fn side_figure(side: &SideReport) -> Result<String> {
    let title = format!("{} — {}", side.side, side.device);
    match &side.picture {
        Ok(picture) => Ok(figure(&title, &picture.what, &image(&picture.opaque(), &side.side)?)),
        Err(why) => Ok(figure(&title, why, "")),
    }
}

fn notes(side: &SideReport) -> String {
    if side.notes.is_empty() {
        return String::new();
    }
    let items: String = side.notes.iter().map(|note| format!("<li>{}</li>", escaped(note))).collect();
    format!("<h2>What {} could not do</h2>\n<ul>{items}</ul>\n", escaped(&side.side))
}

fn pair(out: &mut String, names: [&str; 2], l: &Picture, r: &Picture, c: &Comparison) -> Result<()> {
    let [a, b] = names;
    out.push_str("<div class=row>\n");
    out.push_str(&figure(a, &l.what, &image(&l.opaque(), a)?));
    out.push_str(&figure(b, &r.what, &image(&r.opaque(), b)?));
    out.push_str(&figure("difference", &measures(c), &image(&c.difference, "difference")?));
    out.push_str("</div>\n");
    Ok(())
}

fn first(out: &mut String, report: &Report, first: &First) -> Result<()> {
    let what = match first.draw {
        Some(draw) => format!("draw {draw}, record #{}", first.call),
        None => format!("record #{}", first.call),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "<h2>First difference: after {what}</h2>");
    let _ = writeln!(
        out,
        "<p class=small>Found among the {} verbs that can change a picture by comparing the surfaces written last.</p>",
        report.steps
    );
    let [a, b] = &report.sides;
    match &first.pictures {
        Some((l, r, c)) => pair(out, [&a.side, &b.side], l, r, c)?,
        None => out.push_str("<p>One side ends here, or a surface cannot be read on one side.</p>\n"),
    }
    let _ = writeln!(out, "<h2>The record and the state it met</h2>\n<pre>{}</pre>", escaped(&first.state));
    Ok(())
}

impl Report {
    /// The whole result as one page that needs nothing else.
    ///
    /// # Errors
    /// When a picture cannot be encoded.
    pub fn page(&self) -> Result<String> {
        page(self)
    }
}

fn page(report: &Report) -> Result<String> {
    let [a, b] = &report.sides;
    let title = format!("{}: {} against {}", report.program, a.side, b.side);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    out.push_str(&verdict(report));
    match (&a.picture, &b.picture, &report.end) {
        (Ok(l), Ok(r), Some(c)) => {
            let names = [format!("{} — {}", a.side, a.device), format!("{} — {}", b.side, b.device)];
            pair(&mut out, [&names[0], &names[1]], l, r, c)?;
        }
        _ => {
            let _ = writeln!(out, "<div class=row>\n{}{}</div>", side_figure(a)?, side_figure(b)?);
        }
    }
    match &report.first {
        Some(found) => first(&mut out, report, found)?,
        None if !report.equal() => out.push_str(
            "<p>No verb was found after which the surfaces differ: look for the cause in uploads and parameters.</p>\n",
        ),
        None => {}
    }
    out.push_str(&notes(a));
    out.push_str(&notes(b));
    out.push_str("</body></html>\n");
    Ok(out)
}
