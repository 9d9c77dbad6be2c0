//! Joins overlay lines with registry commands and proves the join: every parameter is used, every pointer has a
//! transport, commands on one Rust function agree about its signature.

use std::collections::BTreeMap;

use super::overlay::{Answer, Arg, Line, Overlay, Transport};
use super::registry::{Command, Registry};
use super::types;

/// One exported command, ready to be written.
#[derive(Clone, Debug)]
pub struct Call {
    pub group: String,
    pub rust_fn: String,
    pub command: Command,
    pub args: Vec<Arg>,
    pub answer: Answer,
    /// What an error is answered with, where that is not zero.
    pub error: Option<String>,
    /// (name, type) of the Rust function's parameters after `ctx`.
    pub signature: Vec<(String, String)>,
    /// `T` of its `Result<T, GlError>`.
    pub result: String,
}

impl Call {
    /// Name of the Rust function, without the type that a generic one is called for.
    pub fn function(&self) -> &str {
        self.rust_fn.split("::").next().unwrap_or_default()
    }
}

/// All calls in overlay order, and alias -> command.
pub fn join(registry: &Registry, overlay: &Overlay) -> Result<(Vec<Call>, BTreeMap<String, String>), String> {
    let mut calls: Vec<Call> = Vec::new();
    for line in &overlay.lines {
        let call = one(registry, line).map_err(|e| format!("overlay/{}: {}: {e}", line.place, line.command))?;
        if calls.iter().any(|c| c.command.name == call.command.name) {
            return Err(format!("overlay/{}: {} stands twice", line.place, line.command));
        }
        if let Some(other) = calls.iter().find(|c| c.group == call.group && c.rust_fn == call.rust_fn) {
            agree(other, &call).map_err(|e| format!("overlay/{}: {e}", line.place))?;
        }
        calls.push(call);
    }
    let mut aliases: BTreeMap<String, String> = overlay.aliases.iter().cloned().collect();
    for name in &registry.desktop {
        let own_line = calls.iter().any(|c| c.command.name == *name);
        if !own_line
            && let Some(target) = final_alias(registry, name)
            && calls.iter().any(|c| c.command.name == target)
        {
            aliases.entry(name.clone()).or_insert(target);
        }
    }
    Ok((calls, aliases))
}

fn final_alias(registry: &Registry, name: &str) -> Option<String> {
    let mut target = registry.commands.get(name)?.alias.clone()?;
    while let Some(next) = registry.commands.get(&target).and_then(|c| c.alias.clone()) {
        target = next;
    }
    Some(target)
}

fn one(registry: &Registry, line: &Line) -> Result<Call, String> {
    let command = registry.commands.get(&line.command).ok_or("not in gl.xml")?.clone();
    let args = line.args.clone().unwrap_or_else(|| {
        let scalar = |name: &String| Arg { name: name.clone(), transport: Transport::Scalar };
        command.params.iter().map(|p| scalar(&p.name)).collect()
    });
    let bare = line.command.strip_prefix("gl").unwrap_or(&line.command);
    let rust_fn = line.rust_fn.clone().unwrap_or_else(|| types::snake(bare));
    if line.answer != Answer::Custom {
        all_used(&command, &args, &line.answer)?;
    }
    let signature = match line.answer {
        Answer::Custom => Vec::new(),
        _ => args.iter().map(|a| signature_of(&command, a)).collect::<Result<Vec<_>, _>>()?,
    };
    let result = result_of(&command, &line.answer)?;
    let (group, answer, error) = (line.group.clone(), line.answer.clone(), line.error.clone());
    Ok(Call { group, rust_fn, command, args, answer, error, signature, result })
}

fn all_used(command: &Command, args: &[Arg], answer: &Answer) -> Result<(), String> {
    let mut text = format!("{answer:?}");
    for arg in args {
        text.push_str(&format!(" {} {:?}", arg.name, arg.transport));
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for param in &command.params {
        if !words.contains(&param.name.as_str()) && !words.contains(&types::param_name(&param.name).as_str()) {
            return Err(format!("parameter `{}` ({}) is not used", param.name, param.ctype));
        }
    }
    Ok(())
}

fn signature_of(command: &Command, arg: &Arg) -> Result<(String, String), String> {
    let param = command.params.iter().find(|p| p.name == arg.name);
    let name = types::param_name(&arg.name);
    if let Transport::Expr { rust_type, .. } = &arg.transport {
        return Ok((name, rust_type.clone()));
    }
    let param = param.ok_or_else(|| format!("no parameter `{}`", arg.name))?;
    let element = || types::element(&param.ctype).ok_or_else(|| format!("`{}` is not a pointer", arg.name));
    let borrow = |out: bool, opt: bool, inner: &str| {
        let base = if out { format!("&mut [{inner}]") } else { format!("&[{inner}]") };
        if opt { format!("Option<{base}>") } else { base }
    };
    let rust_type = match &arg.transport {
        Transport::Scalar if types::is_pointer(&param.ctype) => {
            return Err(format!("pointer `{}` has no transport", param.name));
        }
        Transport::Scalar => types::safe(&param.ctype).ok_or(format!("unknown type {}", param.ctype))?.to_owned(),
        Transport::Bytes { out, opt, .. } => borrow(*out, *opt, "u8"),
        Transport::Slice { out, opt, .. } => borrow(*out, *opt, &element()?),
        Transport::Within { wrap, .. } => format!("{}<'_>", wrap.split("::").next().unwrap_or_default()),
        Transport::OutOne => format!("&mut {}", element()?),
        Transport::CStr | Transport::Str { opt: false, .. } => "&str".to_owned(),
        Transport::Str { opt: true, .. } => "Option<&str>".to_owned(),
        Transport::StrOut { .. } => "&mut StrOut<'_>".to_owned(),
        Transport::Names { .. } => "&[&str]".to_owned(),
        Transport::Offset | Transport::Elements { .. } => "usize".to_owned(),
        Transport::Offsets { .. } | Transport::ElementLists { .. } => "&[usize]".to_owned(),
        Transport::Pixels { .. } => "Pixels<'_>".to_owned(),
        Transport::PixelsOut { .. } => "PixelsOut<'_>".to_owned(),
        Transport::Callback { .. } => "Option<Box<dyn DebugSink>>".to_owned(),
        Transport::Expr { .. } => String::new(),
    };
    Ok((name, rust_type))
}

fn result_of(command: &Command, answer: &Answer) -> Result<String, String> {
    Ok(match answer {
        Answer::Values { .. } => "Values".to_owned(),
        Answer::Count(_) => "usize".to_owned(),
        Answer::CStr => "&CStr".to_owned(),
        Answer::Custom => "?".to_owned(),
        Answer::Into(p) => {
            let param = command.params.iter().find(|q| q.name == *p).ok_or("no such result parameter")?;
            match types::element(&param.ctype).ok_or("not a pointer")?.as_str() {
                "*mut c_void" => "*mut u8".to_owned(),
                other => other.to_owned(),
            }
        }
        Answer::Plain => match command.ret.as_str() {
            "void" => "()".to_owned(),
            "void *" => "*mut u8".to_owned(),
            other => types::safe(other).ok_or(format!("result {other} needs a transport"))?.to_owned(),
        },
    })
}

fn agree(a: &Call, b: &Call) -> Result<(), String> {
    let kinds = |c: &Call| c.signature.iter().map(|(_, t)| t.clone()).collect::<Vec<_>>();
    if kinds(a) == kinds(b) && a.result == b.result {
        return Ok(());
    }
    Err(format!(
        "{} and {} call {} with different signatures: {:?} -> {} and {:?} -> {}",
        a.command.name, b.command.name, a.rust_fn, a.signature, a.result, b.signature, b.result
    ))
}
