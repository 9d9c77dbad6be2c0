//! Subroutines (GLSL 4.60 §6.1.2), which glslang does not generate code for, as plain GLSL: a subroutine uniform becomes a
//! `uint` uniform, a call through it a call of a function that chooses by it.
//! Must keep line numbers. Declarations inside `#if` are taken as present: the preprocessor has run before.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::layouts::{constant, constants, fields};
use super::numbers::{MAX_SUBROUTINE_UNIFORM_LOCATIONS, MAX_SUBROUTINES, number};
use super::promote::extension;
use super::scan::{Token, tokens};
use super::version::declared_version;
use crate::archive::Stage;

/// Beginning of the names of the `uint` uniforms.
pub const HIDDEN: &str = "mgl_subroutine_";

/// What a stage declares.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subroutines {
    /// Functions that implement subroutine types.
    pub functions: Vec<Function>,
    /// Subroutine uniforms.
    pub uniforms: Vec<Uniform>,
}

/// A function with the types that it implements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// Name.
    pub name: String,
    /// Types.
    pub types: Vec<String>,
    /// Its number; what the uniform holds.
    pub index: u32,
}

/// A subroutine uniform.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Uniform {
    /// Name.
    pub name: String,
    /// Subroutine type.
    pub ty: String,
    /// `layout(location)`.
    pub location: Option<u32>,
    /// Declared as an array.
    pub is_array: bool,
}

/// Name of the `uint` uniform of a subroutine uniform.
pub fn hidden(stage: Stage, name: &str) -> String {
    format!("{HIDDEN}{}_{name}", stage.index())
}

/// A subroutine type.
struct Type {
    name: String,
    returns: String,
    params: Vec<Param>,
}

/// A parameter: qualifiers and type, and the array size behind the name.
#[derive(Clone, PartialEq)]
struct Param {
    text: String,
    array: String,
}

/// The shaders of a stage without subroutines.
#[derive(Debug, Default, PartialEq)]
pub struct Rewritten {
    /// The text of each shader; `None` for one that has no subroutines.
    pub texts: Vec<Option<String>>,
    /// What they declare together.
    pub declared: Subroutines,
}

/// What a shader is before the others of its stage are known.
enum Read<'a> {
    Unchanged,
    /// Only asks for the extension.
    Asks(&'a str),
    Uses(Pass<'a>),
}

/// Rewrites the shaders of a stage, which share types, uniforms and functions. The error is an info log.
pub fn rewrite(sources: &[&str], stage: Stage) -> Result<Rewritten, String> {
    let read: Vec<Read<'_>> = sources.iter().map(|source| read(source, stage)).collect::<Result<_, _>>()?;
    let mut out = Rewritten::default();
    for pass in read.iter().filter_map(|r| if let Read::Uses(pass) = r { Some(pass) } else { None }) {
        out.declared.functions.extend(pass.out.functions.iter().cloned());
        for uniform in &pass.out.uniforms {
            match out.declared.uniforms.iter_mut().find(|u| u.name == uniform.name) {
                Some(known) => known.location = known.location.or(uniform.location),
                None => out.declared.uniforms.push(uniform.clone()),
            }
        }
    }
    number(&mut out.declared)?;
    let mut chosen = HashSet::new();
    for shader in read {
        out.texts.push(match shader {
            Read::Unchanged => None,
            Read::Asks(source) => Some(without_directives(source)),
            Read::Uses(pass) => Some(pass.finish(&out.declared.functions, &mut chosen)),
        });
    }
    Ok(out)
}

fn read(source: &str, stage: Stage) -> Result<Read<'_>, String> {
    if !source.contains("subroutine") {
        return Ok(Read::Unchanged);
    }
    let enabled = source.lines().any(|l| directive(l).is_some_and(|b| !b.starts_with("disable")));
    let version = declared_version(source).map_or(110, |(version, _)| version);
    let all = tokens(source);
    if !(enabled || version >= 400) || !all.iter().any(|t| t.text == "subroutine") {
        return Ok(if enabled { Read::Asks(source) } else { Read::Unchanged });
    }
    let layouts = version >= 430 || source.contains("GL_ARB_explicit_uniform_location");
    let known = constants(&all);
    let (edits, types, out) = (Vec::new(), Vec::new(), Subroutines::default());
    let mut pass = Pass { source, stage, all, known, at: 0, layouts, edits, types, out };
    pass.run()?;
    Ok(Read::Uses(pass))
}

/// Behaviour of an `#extension GL_ARB_shader_subroutine` line.
fn directive(line: &str) -> Option<&str> {
    extension(line).filter(|(name, _)| *name == "GL_ARB_shader_subroutine").map(|(_, behaviour)| behaviour)
}

/// glslang does not know the name.
fn without_directives(text: &str) -> String {
    let keep = |line: &'_ str| if directive(line).is_some() { "\n".to_owned() } else { line.to_owned() };
    text.split_inclusive('\n').map(keep).collect()
}

/// What stands before a declaration.
#[derive(Default)]
struct Head {
    location: Option<u32>,
    index: Option<u32>,
    uniform: bool,
    /// Types in parentheses, of each `subroutine`.
    lists: Vec<Option<Vec<String>>>,
}

struct Pass<'a> {
    source: &'a str,
    stage: Stage,
    all: Vec<Token<'a>>,
    known: HashMap<&'a str, i64>,
    at: usize,
    layouts: bool,
    edits: Vec<(Range<usize>, String)>,
    types: Vec<Type>,
    out: Subroutines,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

impl<'a> Pass<'a> {
    fn text(&self, at: usize) -> &'a str {
        self.all.get(at).map_or("", |t| t.text)
    }
    /// Byte range of a token.
    fn span(&self, at: usize) -> Range<usize> {
        let Some(token) = self.all.get(at) else { return self.source.len()..self.source.len() };
        token.at..token.at + token.text.len()
    }
    fn slice(&self, tokens: Range<usize>) -> &'a str {
        if tokens.is_empty() {
            return "";
        }
        self.source.get(self.span(tokens.start).start..self.span(tokens.end - 1).end).unwrap_or("")
    }
    fn error<T>(&self, at: usize, what: &str) -> Result<T, String> {
        let line = self.all.get(at).map_or(0, |t| t.line);
        Err(format!("ERROR: 0:{line}: '{}' : {what}\n", self.text(at)))
    }
    /// Token after the one that closes the bracket at `at`.
    fn past(&self, at: usize) -> usize {
        let mut depth = 0;
        for i in at..self.all.len() {
            match self.text(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return i + 1;
            }
        }
        self.all.len()
    }
    fn replace(&mut self, tokens: Range<usize>, with: &str) {
        let bytes = self.span(tokens.start).start..self.span(tokens.end - 1).end;
        let lines = self.source.get(bytes.clone()).map_or(0, |t| t.matches('\n').count());
        self.edits.push((bytes, format!("{with}{}", "\n".repeat(lines))));
    }

    fn run(&mut self) -> Result<(), String> {
        let mut depth = 0;
        let mut functions: HashSet<&str> = HashSet::new();
        while self.at < self.all.len() {
            let text = self.text(self.at);
            match text {
                "{" => depth += 1,
                "}" => depth -= 1,
                "layout" | "subroutine" if depth == 0 && self.declaration()? => continue,
                _ => {}
            }
            let declares =
                depth == 0 && self.at > 0 && is_name(self.text(self.at - 1)) && self.text(self.at + 1) == "(";
            if declares && is_name(text) {
                let again = self.out.functions.iter().any(|f| f.name == text);
                if !functions.insert(text) && again || self.types.iter().any(|t| t.name == text) {
                    return self.error(self.at, "a subroutine or its type shares its name with another function");
                }
                if again && self.text(self.past(self.at + 1)) == "{" {
                    let own = self.out.functions.last().is_some_and(|f| f.name == text);
                    if !own {
                        return self.error(self.at, "a function that is a subroutine cannot be overloaded");
                    }
                }
            }
            self.call();
            self.at += 1;
        }
        Ok(())
    }

    /// A call through a subroutine uniform at the current token.
    fn call(&mut self) {
        let text = self.text(self.at);
        let Some(uniform) = self.out.uniforms.iter().find(|u| u.name == text) else { return };
        if self.at > 0 && self.text(self.at - 1) == "." {
            return;
        }
        let (name, target) = (hidden(self.stage, text), function_of(&uniform.ty));
        let mut open = self.at + 1;
        while self.text(open) == "[" {
            open = self.past(open);
        }
        if self.text(open) != "(" {
            self.replace(self.at..self.at + 1, &name);
            return;
        }
        let subscript = self.slice(self.at + 1..open);
        let comma = if self.text(open + 1) == ")" { "" } else { ", " };
        let with = format!("{target}({name}{subscript}{comma}");
        self.replace(self.at..open + 1, &with);
        self.at = open;
    }

    /// A declaration with `subroutine`; false when there is none here.
    fn declaration(&mut self) -> Result<bool, String> {
        let start = self.at;
        let mut at = start;
        let mut head = Head::default();
        let mut list = None;
        loop {
            match self.text(at) {
                "layout" if self.text(at + 1) == "(" => {
                    let end = self.past(at + 1);
                    list = Some(at + 2..end - 1);
                    at = end;
                }
                "subroutine" => {
                    at += 1;
                    let mut types = None;
                    if self.text(at) == "(" {
                        let end = self.past(at);
                        types = Some((at + 1..end - 1).map(|i| self.text(i).to_owned()).filter(|t| t != ",").collect());
                        at = end;
                    }
                    head.lists.push(types);
                }
                "uniform" => {
                    head.uniform = true;
                    at += 1;
                }
                "highp" | "mediump" | "lowp" if !head.lists.is_empty() => at += 1,
                _ => break,
            }
        }
        if head.lists.is_empty() {
            return Ok(false);
        }
        if let Some(list) = list {
            self.layout(list, &mut head)?;
        }
        if head.lists.len() > 1 {
            return self.error(start, "more than one subroutine qualifier");
        }
        if (head.location.is_some() || head.index.is_some()) && !self.layouts {
            return self
                .error(start, "location and index of subroutines need GLSL 4.30 or GL_ARB_explicit_uniform_location");
        }
        match (head.uniform, head.lists.pop().flatten()) {
            (true, _) => self.uniforms(start, at, &head)?,
            (false, Some(types)) => self.function(start, at, types, head.index)?,
            (false, None) => self.subroutine_type(start, at)?,
        }
        Ok(true)
    }

    fn layout(&self, tokens: Range<usize>, head: &mut Head) -> Result<(), String> {
        for field in fields(&self.all, tokens) {
            let at = field.start;
            let Some([name, is, value @ ..]) = self.all.get(field).filter(|f| f.len() > 2) else { continue };
            let (place, limit) = match name.text {
                "location" => (&mut head.location, MAX_SUBROUTINE_UNIFORM_LOCATIONS),
                "index" => (&mut head.index, MAX_SUBROUTINES),
                _ => continue,
            };
            let value = constant(value, &self.known).filter(|_| is.text == "=");
            match value.and_then(|v| u32::try_from(v).ok()).filter(|v| *v < limit) {
                Some(value) => *place = Some(value),
                None => return self.error(at, &format!("it wants a constant below {limit}")),
            }
        }
        Ok(())
    }

    /// Return type, name and parameters of the function at `at`; the token after them.
    fn signature(&self, at: usize) -> Result<(Type, usize), String> {
        let mut open = at;
        while open < self.all.len() && !matches!(self.text(open), "(" | ";" | "{" | "=") {
            open += 1;
        }
        if self.text(open) != "(" || open < at + 2 || !is_name(self.text(open - 1)) {
            return self.error(at, "subroutine declares something that is not a function");
        }
        let end = self.past(open);
        let mut params = Vec::new();
        let mut from = open + 1;
        for i in open + 1..end {
            if self.text(i) == "," || i + 1 == end {
                if i > from && self.slice(from..i) != "void" {
                    params.push(self.param(from..i));
                }
                from = i + 1;
            }
        }
        let returns = self.slice(at..open - 1).to_owned();
        Ok((Type { name: self.text(open - 1).to_owned(), returns, params }, end))
    }

    fn param(&self, tokens: Range<usize>) -> Param {
        let qualifiers = ["const", "in", "out", "inout", "highp", "mediump", "lowp", "precise"];
        let words: Vec<&str> = tokens.clone().map(|i| self.text(i)).collect();
        let first = words.iter().position(|w| !qualifiers.contains(w)).unwrap_or(0);
        // The name is the second word after the qualifiers: `float[3] a`, `float a[3]`.
        let name = (first + 1..words.len()).find(|i| is_name(words[*i]));
        let end = name.unwrap_or(words.len());
        let text = words[..end].iter().filter(|w| **w != "in").copied().collect::<Vec<_>>().join(" ");
        Param { text, array: name.map_or(String::new(), |n| words[n + 1..].concat()) }
    }

    fn subroutine_type(&mut self, start: usize, at: usize) -> Result<(), String> {
        let (ty, end) = self.signature(at)?;
        if self.text(end) != ";" {
            return self.error(end, "a subroutine type has no body");
        }
        let prototype = format!("{};", head_of(&ty));
        self.replace(start..end + 1, &prototype);
        self.types.push(ty);
        self.at = end + 1;
        Ok(())
    }

    fn function(&mut self, start: usize, at: usize, types: Vec<String>, index: Option<u32>) -> Result<(), String> {
        let (own, end) = self.signature(at)?;
        if types.is_empty() {
            return self.error(start, "a subroutine needs at least one type");
        }
        for name in &types {
            let Some(ty) = self.types.iter().find(|t| t.name == *name) else {
                return self.error(start, &format!("`{name}` is not a subroutine type"));
            };
            if ty.returns != own.returns || ty.params != own.params {
                return self.error(start, &format!("the function does not match the subroutine type `{name}`"));
            }
        }
        if self.text(end) != "{" {
            return self.error(start, "a subroutine needs a body");
        }
        if self.out.functions.iter().any(|f| f.name == own.name) {
            return self.error(start, "a function that is a subroutine cannot be overloaded");
        }
        self.out.functions.push(Function { name: own.name, types, index: index.unwrap_or(u32::MAX) });
        self.replace(start..at, "");
        self.at = at;
        Ok(())
    }

    fn uniforms(&mut self, start: usize, at: usize, head: &Head) -> Result<(), String> {
        let ty = self.text(at);
        if !self.types.iter().any(|t| t.name == ty) {
            return self.error(at, "not a subroutine type");
        }
        let mut list = Vec::new();
        let mut next = at + 1;
        let mut location = head.location;
        loop {
            let name = self.text(next);
            if !is_name(name) {
                return self.error(next, "a name is expected");
            }
            let mut end = next + 1;
            while self.text(end) == "[" {
                end = self.past(end);
            }
            list.push(format!("{}{}", hidden(self.stage, name), self.slice(next + 1..end)));
            let (ty, is_array) = (ty.to_owned(), end > next + 1);
            self.out.uniforms.push(Uniform { name: name.to_owned(), ty, location: location.take(), is_array });
            match self.text(end) {
                "," => next = end + 1,
                ";" => {
                    let with = format!("uniform uint {};", list.join(", "));
                    self.replace(start..end + 1, &with);
                    self.at = end + 1;
                    return Ok(());
                }
                _ => return self.error(end, "`;` is expected"),
            }
        }
    }

    /// The text with its edits, and at its end the choosing functions of the types that no shader before it has.
    fn finish(mut self, functions: &[Function], chosen: &mut HashSet<String>) -> String {
        self.edits.sort_by_key(|(range, _)| range.start);
        let mut text = String::with_capacity(self.source.len() + 256);
        let mut from = 0;
        for (range, with) in &self.edits {
            text.push_str(self.source.get(from..range.start).unwrap_or(""));
            text.push_str(with);
            from = range.end.max(from);
        }
        text.push_str(self.source.get(from..).unwrap_or(""));
        text = without_directives(&text);
        text.push('\n');
        for ty in self.types.iter().filter(|ty| chosen.insert(ty.name.clone())) {
            let of_type = functions.iter().filter(|f| f.types.contains(&ty.name));
            for other in of_type.filter(|f| !self.out.functions.iter().any(|own| own.name == f.name)) {
                text.push_str(&format!("{};\n", signature_of(ty, &other.name, "")));
            }
            text.push_str(&chooser(ty, functions));
        }
        text
    }
}

/// Name of the function that chooses among the implementations of a type.
fn function_of(ty: &str) -> String {
    format!("mgl_choose_{ty}")
}

fn head_of(ty: &Type) -> String {
    signature_of(ty, &function_of(&ty.name), "uint mgl_which")
}

/// A function's head with the parameters of the type behind `first`.
fn signature_of(ty: &Type, name: &str, first: &str) -> String {
    let own = ty.params.iter().enumerate().map(|(i, p)| format!("{} mgl_{i}{}", p.text, p.array));
    let first = Some(first.to_owned()).filter(|f| !f.is_empty());
    let params: Vec<String> = first.into_iter().chain(own).collect();
    format!("{} {name}({})", ty.returns, params.join(", "))
}

fn chooser(ty: &Type, functions: &[Function]) -> String {
    let args = (0..ty.params.len()).map(|i| format!("mgl_{i}")).collect::<Vec<_>>().join(", ");
    let mine: Vec<&Function> = functions.iter().filter(|f| f.types.contains(&ty.name)).collect();
    let void = ty.returns == "void";
    let call = |f: &Function| match void {
        true => format!("{}({args}); return;", f.name),
        false => format!("return {}({args});", f.name),
    };
    let mut body = String::new();
    for function in mine.iter().skip(1) {
        body.push_str(&format!(" if (mgl_which == {}u) {{ {} }}", function.index, call(function)));
    }
    // A number that is none of them means the first, so that every path returns.
    match (mine.first(), void) {
        (Some(first), _) => body.push_str(&format!(" {}", call(first))),
        (None, true) => {}
        (None, false) => body.push_str(&format!(" {} mgl_none; return mgl_none;", ty.returns)),
    }
    format!("{} {{{body} }}\n", head_of(ty))
}

#[cfg(test)]
mod tests {
    use super::{Rewritten, hidden, rewrite};
    use crate::archive::Stage;

    const SOURCE: &str = "#version 400 core\nsubroutine vec4 shade(vec3 n,\n  inout float a[2]);\n\
        subroutine uniform shade one, many[3];\nsubroutine(shade) vec4 red(vec3 n, inout float b[2]) { return vec4(n, b[0]); }\n\
        subroutine(shade) vec4 blue(vec3 m, inout float b[2]) { return vec4(0); }\n\
        void main() { float x[2]; vec4 c = one(vec3(1), x) + many[2](vec3(0), x); }\n";

    /// A material system that picks shading functions by subroutine draws with the function it picked, and errors in such
    /// a shader name the program's own lines.
    #[test]
    fn calls_choose_by_a_uniform() {
        let Rewritten { texts, declared: found } = rewrite(&[SOURCE], Stage::Fragment).unwrap();
        let text = texts[0].clone().unwrap();
        let (one, many) = (hidden(Stage::Fragment, "one"), hidden(Stage::Fragment, "many"));
        assert!(text.contains(&format!("uniform uint {one}, {many}[3];")), "{text}");
        assert!(
            text.contains(&format!("mgl_choose_shade({one}, vec3(1), x) + mgl_choose_shade({many}[2], vec3(0), x)"))
        );
        assert!(!text.contains("subroutine(") && text.contains("inout float mgl_1[2]"), "{text}");
        let line = |t: &str| t.lines().position(|l| l.contains("void main"));
        assert_eq!(line(&text), line(SOURCE));
        assert_eq!(found.functions.iter().map(|f| f.index).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(found.uniforms.iter().map(|u| u.is_array).collect::<Vec<_>>(), [false, true]);
    }

    /// Mistakes must be compile errors, not programs that call something else.
    #[test]
    fn mistakes_are_named() {
        let all = [
            "subroutine (bogus) void f() {}",
            "subroutine () void f() {}",
            "subroutine int x;",
            "subroutine void t(); subroutine (t) int f() { return 1; }",
            "subroutine void t(); subroutine (t) void f(int x) {}",
            "subroutine void t(); subroutine (t) void f();",
            "subroutine void t(); subroutine (t) subroutine (t) void f() {}",
            "subroutine void t(); subroutine (t) void f() {} void f(int x) {}",
            "subroutine void t(); layout(index = 2) subroutine (t) void f() {}",
            "subroutine void t(); void t(void);",
            "subroutine void t(); layout(index = 256) subroutine (t) void f() {}",
            "subroutine void t(); layout(index = -1) subroutine (t) void f() {}",
            "subroutine void t(); layout(location = 1024) subroutine uniform t u;",
            "subroutine void t(); layout(location = f(1)) subroutine uniform t u;",
        ];
        for text in all {
            let layouts = if text.contains("= 2") { "400" } else { "430" };
            let result = rewrite(&[&format!("#version {layouts}\n{text}\n")], Stage::Vertex);
            assert!(result.as_ref().is_err_and(|log| log.starts_with("ERROR: 0:2:")), "{text}: {result:?}");
        }
        let plain = rewrite(&["#version 330\nint a; // subroutine\n"], Stage::Vertex);
        assert_eq!(plain, Ok(Rewritten { texts: vec![None], ..Rewritten::default() }));
    }
}
