//! Parses the overlay files (format: crates/client/gl-abi/overlay/README.md). Knows no registry and no Rust types.

use std::path::Path;

/// How one argument of the Rust function is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Transport {
    Scalar,
    Bytes {
        out: bool,
        opt: bool,
        len: Len,
    },
    Slice {
        out: bool,
        opt: bool,
        len: Len,
    },
    /// A slice that a type around it takes, as in `Params::I32`.
    Within {
        wrap: String,
        len: Len,
    },
    OutOne,
    CStr,
    Str {
        opt: bool,
        len: String,
    },
    StrOut {
        cap: String,
        len: String,
    },
    Names {
        count: String,
    },
    Offset,
    Offsets {
        len: Len,
    },
    Elements {
        count: String,
        kind: String,
    },
    ElementLists {
        len: Len,
        count: String,
        kind: String,
    },
    Pixels {
        expr: String,
    },
    PixelsOut {
        expr: String,
        max: Option<String>,
    },
    Callback {
        user: String,
    },
    Expr {
        rust_type: String,
        expr: String,
    },
}

/// Element count: an expression, optionally times a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Len {
    pub expr: String,
    pub times: u32,
}

/// Where the function's result goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Plain,
    Values { param: String, max: Option<String>, bytes: bool, length: Option<String> },
    Into(String),
    Count(String),
    CStr,
    Custom,
}

/// One argument.
#[derive(Clone, Debug)]
pub struct Arg {
    pub name: String,
    pub transport: Transport,
}

/// One command line of the overlay.
#[derive(Clone, Debug)]
pub struct Line {
    pub place: String,
    pub group: String,
    pub command: String,
    pub rust_fn: Option<String>,
    pub args: Option<Vec<Arg>>,
    pub answer: Answer,
    /// What an error is answered with, where that is not zero.
    pub error: Option<String>,
}

/// All overlay files.
#[derive(Debug, Default)]
pub struct Overlay {
    pub lines: Vec<Line>,
    /// (alias, target)
    pub aliases: Vec<(String, String)>,
}

/// Reads every `<group>.txt` in name order.
pub fn read_dir(dir: &Path) -> Result<Overlay, String> {
    let entries = std::fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    let mut overlay = Overlay::default();
    for path in paths {
        let group = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
        let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        for (i, raw) in text.lines().enumerate() {
            let line = raw.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{group}.txt:{}", i + 1);
            parse(&mut overlay, &group, &place, line).map_err(|e| format!("overlay/{place}: {e}: {line}"))?;
        }
    }
    Ok(overlay)
}

fn parse(overlay: &mut Overlay, group: &str, place: &str, line: &str) -> Result<(), String> {
    if let Some(rest) = line.strip_prefix("alias ") {
        let (alias, target) = rest.trim().split_once(' ').ok_or("alias needs two names")?;
        overlay.aliases.push((alias.to_owned(), target.trim().to_owned()));
        return Ok(());
    }
    let (line, error) = match line.rsplit_once(" else ") {
        Some((head, value)) => (head.trim(), Some(value.trim().to_owned())),
        None => (line, None),
    };
    let (line, answer) = match line.rsplit_once("->") {
        Some((head, tail)) => (head.trim(), answer(tail)?),
        None => (line, Answer::Plain),
    };
    let (head, args) = match line.split_once('(') {
        Some((head, tail)) => {
            let inner = tail.trim().strip_suffix(')').ok_or("no closing parenthesis")?;
            (head.trim(), Some(split(inner).into_iter().map(|a| arg(&a)).collect::<Result<Vec<_>, _>>()?))
        }
        None => (line, None),
    };
    let (command, rust_fn) = match head.split_once('=') {
        Some((command, name)) => (command.trim(), Some(name.trim().to_owned())),
        None => (head, None),
    };
    overlay.lines.push(Line {
        place: place.to_owned(),
        group: group.to_owned(),
        command: command.to_owned(),
        rust_fn,
        args,
        answer,
        error,
    });
    Ok(())
}

fn answer(text: &str) -> Result<Answer, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["cstr"] => Answer::CStr,
        ["custom"] => Answer::Custom,
        ["into", p] => Answer::Into((*p).to_owned()),
        ["count", p] => Answer::Count((*p).to_owned()),
        ["values", p, rest @ ..] => {
            let (mut max, mut bytes, mut length) = (None, false, None);
            match rest {
                [] => {}
                ["max", "bytes", m] => (max, bytes) = (Some((*m).to_owned()), true),
                ["max", m] => max = Some((*m).to_owned()),
                ["max", m, "length", l] => (max, length) = (Some((*m).to_owned()), Some((*l).to_owned())),
                _ => return Err("unknown words after values".to_owned()),
            }
            Answer::Values { param: (*p).to_owned(), max, bytes, length }
        }
        _ => return Err("unknown result".to_owned()),
    })
}

/// Splits at commas outside of brackets.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut current) = (Vec::new(), 0, String::new());
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    parts.push(current);
    parts.iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect()
}

fn arg(text: &str) -> Result<Arg, String> {
    let Some((name, how)) = text.split_once(':').filter(|(name, _)| name.chars().all(|c| c.is_alphanumeric())) else {
        return Ok(Arg { name: text.to_owned(), transport: Transport::Scalar });
    };
    Ok(Arg { name: name.to_owned(), transport: transport(how.trim())? })
}

fn transport(how: &str) -> Result<Transport, String> {
    if let Some(rest) = how.strip_prefix("pixels ") {
        return Ok(Transport::Pixels { expr: braced(rest)?.0 });
    }
    if let Some(rest) = how.strip_prefix("pixelsout ") {
        let (expr, tail) = braced(rest)?;
        let max = tail.strip_prefix("max ").map(|m| m.trim().to_owned());
        return Ok(Transport::PixelsOut { expr, max });
    }
    if how.ends_with('}') {
        let at = how.find('{').ok_or("no opening brace")?;
        return Ok(Transport::Expr { rust_type: how[..at].trim().to_owned(), expr: braced(&how[at..])?.0 });
    }
    let mut words: Vec<&str> = how.split_whitespace().collect();
    let opt = words.first() == Some(&"opt");
    let out = words.first() == Some(&"out");
    if opt || out {
        words.remove(0);
    }
    Ok(match words.as_slice() {
        ["one"] if out => Transport::OutOne,
        ["bytes", rest @ ..] => Transport::Bytes { out, opt, len: len(rest)? },
        ["slice", rest @ .., "in", wrap] => Transport::Within { wrap: (*wrap).to_owned(), len: len(rest)? },
        ["slice", rest @ ..] => Transport::Slice { out, opt, len: len(rest)? },
        ["cstr"] => Transport::CStr,
        ["str", len] => Transport::Str { opt, len: (*len).to_owned() },
        ["strout", cap, len] => Transport::StrOut { cap: (*cap).to_owned(), len: (*len).to_owned() },
        ["names", count] => Transport::Names { count: (*count).to_owned() },
        ["offset"] => Transport::Offset,
        ["offsets", rest @ ..] => Transport::Offsets { len: len(rest)? },
        ["elements", count, kind] => Transport::Elements { count: (*count).to_owned(), kind: (*kind).to_owned() },
        ["elementlists", n, count, kind] => {
            Transport::ElementLists { len: len(&[n])?, count: (*count).to_owned(), kind: (*kind).to_owned() }
        }
        ["callback", user] => Transport::Callback { user: (*user).to_owned() },
        _ => return Err(format!("unknown transport `{how}`")),
    })
}

fn len(words: &[&str]) -> Result<Len, String> {
    if let [head @ .., "x", times] = words {
        let times = times.parse().map_err(|_| "the factor after x is not a number".to_owned())?;
        return Ok(Len { expr: head.join(" "), times });
    }
    if words.is_empty() {
        return Err("no length".to_owned());
    }
    Ok(Len { expr: words.join(" "), times: 1 })
}

/// `{expr} tail` as (expr, tail).
fn braced(text: &str) -> Result<(String, &str), String> {
    let inner = text.trim().strip_prefix('{').ok_or("no opening brace")?;
    let end = inner.rfind('}').ok_or("no closing brace")?;
    Ok((inner[..end].trim().to_owned(), inner[end + 1..].trim()))
}
