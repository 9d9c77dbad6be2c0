//! The preprocessor (GLSL 4.60 §3.3, GLSL ES 3.20 §3.4): carries out directives and expands macros. What comes out has the
//! program's own line numbers, and of directives only `#version`, `#extension`, `#pragma` and `#line`, each where it counts.
//! Its work grows with the text and is bounded, whatever the text is. Must not know the grammar behind it.

mod expand;
mod expr;
mod lex;
mod print;

use std::rc::Rc;

use expand::{Base, Expander, Macro, Mistake, Surroundings};
use expr::Reader;
pub use expr::integer;
use lex::{Item, Lexer, Tok};
use print::Printer;

use super::version::{Profile, declared_version};

/// What the shader's version and context say.
pub trait Context {
    /// Whether the context has an extension, so that its macro is defined.
    fn has_extension(&self, name: &str) -> bool;
    /// Whether it may be asked for, by `all` too. The error and the warning that a missing one gives are made here.
    fn may_enable(&self, name: &str) -> bool;
}

/// What is left of a shader.
#[derive(Debug, Default)]
pub struct Preprocessed {
    pub text: String,
    /// Warnings.
    pub log: String,
}

/// An open `#if`.
struct Branch {
    line: u32,
    /// A branch of it was taken, or none may be.
    taken: bool,
    has_else: bool,
}

struct Pass<'a, 'c> {
    lexer: Lexer<'a>,
    expander: Expander<'a>,
    out: Printer,
    around: Around<'c>,
    branches: Vec<Branch>,
    /// How many of them, from the outside, are taken. What lies in others is skipped.
    live: usize,
    /// Something other than blanks was there, so that `#version` comes too late.
    begun: bool,
    /// `#line` may name a path.
    paths: bool,
    log: String,
}

/// Macros of the language.
struct Around<'c> {
    context: &'c dyn Context,
    version: u32,
    profile: Profile,
    es: bool,
    /// What `#line` adds to lines, and its string.
    shift: i64,
    string: i64,
}

impl Surroundings for Around<'_> {
    fn value(&self, name: &str, line: u32) -> Option<i64> {
        match name {
            "__LINE__" => Some(i64::from(line) + self.shift),
            "__FILE__" => Some(self.string),
            "__VERSION__" => Some(i64::from(self.version)),
            _ => self.has(name).then_some(1),
        }
    }

    fn has(&self, name: &str) -> bool {
        let desktop = !self.es;
        match name {
            "__LINE__" | "__FILE__" | "__VERSION__" => true,
            "GL_ES" => self.es,
            "GL_FRAGMENT_PRECISION_HIGH" => self.es || self.version >= 130,
            "GL_core_profile" => desktop && self.version >= 150 && self.profile != Profile::Compatibility,
            "GL_compatibility_profile" => desktop && self.profile == Profile::Compatibility,
            _ => name.starts_with("GL_") && self.context.has_extension(name),
        }
    }
}

impl Around<'_> {
    /// `#line` names the line that follows it since GLSL 3.30 and in GLSL ES 3.00, and the one it is in before (§3.3).
    fn names_next_line(&self) -> bool {
        if self.es { self.version >= 300 } else { self.version >= 330 }
    }
}

/// Carries out the directives of `source`. The error is an info log.
pub fn preprocess(source: &str, context: &dyn Context) -> Result<Preprocessed, String> {
    let (version, profile) = declared_version(source).unwrap_or((110, Profile::None));
    let es = profile == Profile::Es || version == 100;
    let mut pass = Pass {
        lexer: Lexer::new(source),
        expander: Expander::default(),
        out: Printer::default(),
        around: Around { context, version, profile, es, shift: 0, string: 0 },
        branches: Vec::new(),
        live: 0,
        begun: false,
        paths: false,
        log: String::new(),
    };
    match pass.run() {
        Ok(()) => Ok(Preprocessed { text: pass.out.finish(pass.lexer.line()), log: pass.log }),
        Err((line, what)) => Err(pass.message("ERROR", line, &what)),
    }
}

impl<'a> Pass<'a, '_> {
    fn message(&self, kind: &str, line: u32, what: &str) -> String {
        let line = i64::from(line) + self.around.shift;
        format!("{kind}: {}:{line}: {what}\n", self.around.string)
    }

    fn run(&mut self) -> Result<(), Mistake> {
        loop {
            if self.live == self.branches.len() {
                let (out, begun) = (&mut self.out, &mut self.begun);
                let mut put = |token: Tok<'a>| {
                    *begun = true;
                    out.token(&token)
                };
                self.expander.run(&mut Base::Text(&mut self.lexer), &self.around, false, &mut put)?;
            } else {
                self.lexer.skip_text();
            }
            if let Some(line) = self.lexer.unended() {
                return Err((line, "the comment has no end".into()));
            }
            if !self.lexer.at_directive() {
                break;
            }
            self.directive()?;
        }
        match self.branches.last() {
            Some(branch) => Err((branch.line, "`#endif` is missing".into())),
            None => Ok(()),
        }
    }

    fn directive(&mut self) -> Result<(), Mistake> {
        let line = self.lexer.line();
        // The `#` itself.
        self.lexer.item();
        let begun = std::mem::replace(&mut self.begun, true);
        let name = match self.lexer.item() {
            Item::Token(name) => name,
            Item::Newline | Item::End => return Ok(()),
        };
        let (tokens, text) = self.lexer.rest_of_line();
        if let Some(line) = self.lexer.unended() {
            return Err((line, "the comment has no end".into()));
        }
        let skipped = self.live < self.branches.len();
        match &*name.text {
            "if" | "ifdef" | "ifndef" | "elif" | "else" | "endif" => self.branch(&name.text, line, &tokens),
            _ if skipped => Ok(()),
            "define" => self.define(line, tokens),
            "undef" => self.undef(line, &tokens),
            "error" => Err((line, format!("'#error' : {text}"))),
            "version" if begun => Err((line, "'#version' : it must come first".into())),
            "version" => self.version(line, &tokens),
            "extension" => self.extension(line, &tokens),
            "pragma" => {
                // Others mean something to other compilers; a word of glslang's own must not come through.
                let ours = tokens.first().is_some_and(|t| matches!(&*t.text, "STDGL" | "optimize" | "debug"));
                if ours {
                    self.out.directive(line, &format!("#pragma {}", spelled(&tokens)));
                }
                Ok(())
            }
            "line" => self.line(line, tokens),
            "include" => Err((line, "'#include' : GL_ARB_shading_language_include is not supported".into())),
            other => Err((line, format!("'#{other}' : no such directive"))),
        }
    }

    fn version(&mut self, line: u32, tokens: &[Tok<'a>]) -> Result<(), Mistake> {
        let text = spelled(tokens);
        let profile = tokens.get(1).is_none_or(|t| matches!(&*t.text, "core" | "compatibility" | "es"));
        let number = tokens.first().is_some_and(|t| !t.text.starts_with('0') && t.text.parse::<u32>().is_ok());
        if !number || tokens.len() > 2 || !profile {
            return Err((line, format!("'#version' : `{text}` is no version and profile")));
        }
        self.out.directive(line, &format!("#version {text}"));
        Ok(())
    }

    /// Lines that ask for what is not there warn, and fail when they require it (GLSL 4.60 §3.3).
    fn extension(&mut self, line: u32, tokens: &[Tok<'a>]) -> Result<(), Mistake> {
        let [name, colon, behaviour] = tokens else {
            return Err((line, "'#extension' : it has the form `#extension NAME : BEHAVIOUR`".into()));
        };
        let (name, behaviour) = (&*name.text, &*behaviour.text);
        if &*colon.text != ":" || !matches!(behaviour, "require" | "enable" | "warn" | "disable") {
            return Err((line, format!("'#extension' : `{behaviour}` is no behaviour")));
        }
        if name == "all" {
            if matches!(behaviour, "require" | "enable") {
                return Err((line, format!("'#extension' : `all` cannot have the behaviour `{behaviour}`")));
            }
            return Ok(());
        }
        if self.around.context.may_enable(name) {
            self.paths |= name == "GL_GOOGLE_cpp_style_line_directive" && behaviour != "disable";
            self.out.directive(line, &format!("#extension {name} : {behaviour}"));
        } else if behaviour == "require" {
            return Err((line, format!("'#extension' : extension not supported: {name}")));
        } else {
            let warning = self.message("WARNING", line, &format!("'#extension' : extension not supported: {name}"));
            self.log.push_str(&warning);
        }
        Ok(())
    }

    /// The line that counts from here on. Its numbers may come from macros.
    fn line(&mut self, line: u32, tokens: Vec<Tok<'a>>) -> Result<(), Mistake> {
        let tokens = self.expanded(tokens, false)?;
        let mut reader = Reader::new(&tokens, false);
        let number = reader.value().map_err(|why| (line, format!("'#line' : {why}")))?;
        let mut string = None;
        if reader.left().is_some_and(|t| t.text != "\"") {
            string = Some(reader.value().map_err(|why| (line, format!("'#line' : {why}")))?);
        }
        if reader.left().is_some_and(|t| t.text != "\"" || !self.paths) {
            return Err((line, "'#line' : more than a line and a string".into()));
        }
        let own = string.map_or(String::new(), |s| format!(" {s}"));
        self.out.directive(line, &format!("#line {number}{own}"));
        let next = if self.around.names_next_line() { number } else { number.wrapping_add(1) };
        self.around.shift = next.wrapping_sub(i64::from(line) + 1);
        self.around.string = string.unwrap_or(self.around.string);
        Ok(())
    }

    fn expanded(&mut self, tokens: Vec<Tok<'a>>, condition: bool) -> Result<Vec<Tok<'a>>, Mistake> {
        let mut out = Vec::new();
        let mut put = |token| {
            out.push(token);
            Ok(())
        };
        self.expander.run(&mut Base::List(tokens.into_iter()), &self.around, condition, &mut put)?;
        Ok(out)
    }

    fn condition(&mut self, line: u32, tokens: &[Tok<'a>]) -> Result<bool, Mistake> {
        let tokens = self.expanded(tokens.to_vec(), true)?;
        let mut reader = Reader::new(&tokens, self.around.es);
        let value = reader.value().map_err(|why| (line, format!("'#if' : {why}")))?;
        match reader.left() {
            Some(extra) => Err((line, format!("'#if' : `{}` does not belong to the expression", extra.text))),
            None => Ok(value != 0),
        }
    }

    /// The name that `#ifdef` and its like have, and nothing behind it.
    fn one_name(directive: &str, line: u32, tokens: &[Tok<'a>]) -> Result<String, Mistake> {
        match tokens {
            [name] if name.is_name() => Ok(name.text.to_string()),
            [name, extra, ..] if name.is_name() => {
                Err((line, format!("'#{directive}' : `{}` is too much behind the directive", extra.text)))
            }
            _ => Err((line, format!("'#{directive}' : it wants a name"))),
        }
    }

    fn branch(&mut self, directive: &str, line: u32, tokens: &[Tok<'a>]) -> Result<(), Mistake> {
        let skipped = self.live < self.branches.len();
        if matches!(directive, "else" | "endif")
            && let Some(extra) = tokens.first()
        {
            return Err((line, format!("'#{directive}' : `{}` is too much behind the directive", extra.text)));
        }
        match directive {
            "if" | "ifdef" | "ifndef" => {
                let taken = match directive {
                    _ if skipped => false,
                    "if" => self.condition(line, tokens)?,
                    _ => {
                        let name = Self::one_name(directive, line, tokens)?;
                        let is = self.expander.macros.contains_key(&name) || self.around.has(&name);
                        is == (directive == "ifdef")
                    }
                };
                self.live += usize::from(taken);
                self.branches.push(Branch { line, taken: taken || skipped, has_else: false });
                Ok(())
            }
            _ => self.other_branch(directive, line, tokens),
        }
    }

    fn other_branch(&mut self, directive: &str, line: u32, tokens: &[Tok<'a>]) -> Result<(), Mistake> {
        let depth = self.branches.len();
        let Some(branch) = self.branches.last_mut() else {
            return Err((line, format!("'#{directive}' : there is no `#if`")));
        };
        if directive != "endif" && branch.has_else {
            return Err((line, format!("'#{directive}' : it comes after `#else`")));
        }
        branch.has_else = directive == "else";
        let taken = branch.taken;
        self.live = self.live.min(depth - 1);
        if directive == "endif" {
            self.branches.pop();
        } else if !taken && (directive == "else" || self.condition(line, tokens)?) {
            self.live = depth;
            if let Some(branch) = self.branches.last_mut() {
                branch.taken = true;
            }
        }
        Ok(())
    }

    /// Names that no shader may define or take away (GLSL 4.60 §3.3).
    fn reserved(&self, name: &str) -> Option<String> {
        let known = matches!(name, "defined" | "__LINE__" | "__FILE__" | "__VERSION__") || name.starts_with("GL_");
        // GLSL ES 1.00 and 3.00 reserve them; later versions and GLSL let them be.
        let doubled = self.around.es && self.around.version <= 300 && name.contains("__");
        (known || doubled).then(|| format!("the name `{name}` is reserved"))
    }

    fn undef(&mut self, line: u32, tokens: &[Tok<'a>]) -> Result<(), Mistake> {
        let name = Self::one_name("undef", line, tokens)?;
        if let Some(why) = self.reserved(&name) {
            return Err((line, format!("'#undef' : {why}")));
        }
        self.expander.macros.remove(&name);
        Ok(())
    }

    fn define(&mut self, line: u32, tokens: Vec<Tok<'a>>) -> Result<(), Mistake> {
        let bad = |why: String| (line, format!("'#define' : {why}"));
        let mut tokens = tokens.into_iter().peekable();
        let name = tokens.next().filter(Tok::is_name).ok_or_else(|| bad("it wants a name".into()))?.text;
        if let Some(why) = self.reserved(&name) {
            return Err(bad(why));
        }
        let mut params = None;
        if tokens.next_if(|t| t.text == "(" && !t.space).is_some() {
            params = Some(parameters(&mut tokens).ok_or_else(|| bad(format!("the parameters of `{name}`")))?);
        } else if tokens.peek().is_some_and(|t| !t.space) {
            return Err(bad(format!("a blank is missing behind `{name}`")));
        }
        let body = joined(tokens);
        let is = |at: Option<&Tok<'_>>, text: &str| at.is_some_and(|t| t.text == text);
        if is(body.first(), "##") || is(body.last(), "##") {
            return Err(bad("`##` stands at an end".into()));
        }
        if self.around.es && body.iter().any(|t| t.text == "##") {
            return Err(bad("GLSL ES has no operator `##`".into()));
        }
        if params.is_some() && body.iter().any(|t| t.text == "#") {
            return Err(bad("there is no operator `#`".into()));
        }
        let new = Macro::new(params, body);
        if self.expander.macros.get(&*name).is_some_and(|old| !old.same(&new)) {
            return Err(bad(format!("`{name}` stands for something else already")));
        }
        self.expander.macros.insert(name.into_owned(), Rc::new(new));
        Ok(())
    }
}

/// Tokens as text in one line.
fn spelled(tokens: &[Tok<'_>]) -> String {
    tokens.iter().enumerate().fold(String::new(), |text, (at, token)| {
        let blank = if at > 0 && token.space { " " } else { "" };
        text + blank + &token.text
    })
}

/// Value of an expression of integer constants, as the text of a layout has it.
pub fn evaluate(text: &str) -> Option<i64> {
    let (tokens, _) = Lexer::new(text).rest_of_line();
    let mut reader = Reader::new(&tokens, true);
    let value = reader.value().ok()?;
    reader.left().is_none().then_some(value)
}

/// Names up to `)`, each once.
fn parameters<'a>(tokens: &mut impl Iterator<Item = Tok<'a>>) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    loop {
        let token = tokens.next()?;
        if token.text == ")" {
            return names.is_empty().then_some(names);
        }
        if !token.is_name() || names.iter().any(|n| *n == token.text) {
            return None;
        }
        names.push(token.text.into_owned());
        match &*tokens.next()?.text {
            "," => {}
            ")" => return Some(names),
            _ => return None,
        }
    }
}

/// The tokens with `##` as one.
fn joined<'a>(tokens: impl Iterator<Item = Tok<'a>>) -> Vec<Tok<'a>> {
    let mut out: Vec<Tok<'a>> = Vec::new();
    for token in tokens {
        match out.last_mut() {
            Some(last) if last.text == "#" && token.text == "#" && !token.space => last.text = "##".into(),
            _ => out.push(token),
        }
    }
    out
}

#[cfg(test)]
mod tests;
