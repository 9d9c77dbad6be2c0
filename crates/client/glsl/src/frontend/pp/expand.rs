//! Macros and their expansion (GLSL 4.60 §3.3). What is expanded is counted: text that grows without end is an error, not a
//! process without memory. Must not know directives.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use super::lex::{Lexer, Tok};

/// How deep calls of macros may nest in arguments of such calls.
pub const MAX_NESTING: u32 = 200;
/// How many tokens may be read, each expansion of a macro anew.
pub const MAX_WORK: usize = 1 << 23;

/// A macro of the shader.
#[derive(Debug)]
pub struct Macro<'a> {
    /// Names of its parameters; `None` for one that is used without parentheses.
    pub params: Option<Vec<String>>,
    /// What it stands for; `##` is one token.
    pub body: Vec<Tok<'a>>,
    /// It is being expanded, so that its name stays.
    busy: Cell<bool>,
}

impl<'a> Macro<'a> {
    /// A macro.
    pub fn new(params: Option<Vec<String>>, body: Vec<Tok<'a>>) -> Self {
        Self { params, body, busy: Cell::new(false) }
    }
    /// Whether both say the same, blanks counting as one (GLSL 4.60 §3.3 has the rule of C++).
    pub fn same(&self, other: &Macro<'_>) -> bool {
        let blank = |at: usize, token: &Tok<'_>| at > 0 && token.space;
        let pairs = || self.body.iter().zip(&other.body).enumerate();
        self.params == other.params
            && self.body.len() == other.body.len()
            && pairs().all(|(at, (a, b))| a.text == b.text && blank(at, a) == blank(at, b))
    }
}

/// Tokens that are read before the rest of the text.
struct Frame<'a> {
    tokens: std::vec::IntoIter<Tok<'a>>,
    /// Line of the macro's name, where all of its tokens stand.
    line: Option<u32>,
    of: Option<Rc<Macro<'a>>>,
}

/// Where tokens come from when no macro is open.
pub enum Base<'a, 'b> {
    Text(&'b mut Lexer<'a>),
    List(std::vec::IntoIter<Tok<'a>>),
}

/// What the expansion needs to know of the shader around it.
pub trait Surroundings {
    /// Value of a macro that the language defines.
    fn value(&self, name: &str, line: u32) -> Option<i64>;
    /// Whether the language defines the macro.
    fn has(&self, name: &str) -> bool;
}

/// A mistake: line and what it is.
pub type Mistake = (u32, String);

/// The macros of a shader and the expansions that are open.
#[derive(Default)]
pub struct Expander<'a> {
    pub macros: HashMap<String, Rc<Macro<'a>>>,
    frames: Vec<Frame<'a>>,
    /// The next token must not grow together with the one before.
    seam: bool,
    depth: u32,
    work: usize,
}

impl<'a> Expander<'a> {
    /// The next token as it stands.
    fn next(&mut self, base: &mut Base<'a, '_>) -> Result<Option<Tok<'a>>, Mistake> {
        self.work += 1;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(mut token) = frame.tokens.next() {
                token.line = frame.line.unwrap_or(token.line);
                return self.count(token);
            }
            if let Some(of) = self.frames.pop().and_then(|frame| frame.of) {
                of.busy.set(false);
                self.seam = true;
            }
        }
        let token = match base {
            Base::Text(lexer) => lexer.text(),
            Base::List(list) => list.next(),
        };
        token.map_or(Ok(None), |token| self.count(token))
    }

    fn count(&mut self, mut token: Tok<'a>) -> Result<Option<Tok<'a>>, Mistake> {
        token.space |= std::mem::take(&mut self.seam);
        if self.work > MAX_WORK {
            return Err((token.line, format!("macros expand to more than {MAX_WORK} tokens")));
        }
        Ok(Some(token))
    }

    fn unread(&mut self, token: Tok<'a>) {
        self.frames.push(Frame { tokens: vec![token].into_iter(), line: None, of: None });
    }

    /// Expands what `base` has and gives each token to `put`. With `condition`, `defined` asks for macros, also where it
    /// comes out of one: C++ leaves that open, and compilers answer it.
    pub fn run(
        &mut self,
        base: &mut Base<'a, '_>,
        around: &dyn Surroundings,
        condition: bool,
        put: &mut dyn FnMut(Tok<'a>) -> Result<(), Mistake>,
    ) -> Result<(), Mistake> {
        while let Some(mut token) = self.next(base)? {
            if !token.is_name() || token.painted {
                put(token)?;
                continue;
            }
            if condition && token.text == "defined" {
                let is = self.defined(base, around, token.line)?;
                token.text = if is { "1" } else { "0" }.into();
                put(token)?;
                continue;
            }
            let Some(known) = self.macros.get(&*token.text).cloned() else {
                if let Some(value) = around.value(&token.text, token.line) {
                    token.text = value.to_string().into();
                }
                put(token)?;
                continue;
            };
            if known.busy.get() {
                token.painted = true;
                put(token)?;
                continue;
            }
            if let Some(plain) = self.open(known, token, base, around, condition)? {
                put(plain)?;
            }
        }
        Ok(())
    }

    /// Opens the expansion of a macro at its name; gives the name back when it is no call.
    fn open(
        &mut self,
        known: Rc<Macro<'a>>,
        name: Tok<'a>,
        base: &mut Base<'a, '_>,
        around: &dyn Surroundings,
        condition: bool,
    ) -> Result<Option<Tok<'a>>, Mistake> {
        let mut args = Vec::new();
        if let Some(params) = &known.params {
            match self.next(base)? {
                Some(token) if token.text == "(" => args = self.arguments(base, &name)?,
                Some(other) => {
                    self.unread(other);
                    return Ok(Some(name));
                }
                None => return Ok(Some(name)),
            }
            if params.is_empty() && args.len() == 1 && args.first().is_some_and(Vec::is_empty) {
                args.clear();
            }
            if args.len() != params.len() {
                let (wanted, got) = (params.len(), args.len());
                return Err((name.line, format!("macro `{}` takes {wanted} arguments, not {got}", name.text)));
            }
        }
        let tokens = self.substitute(&known, args, around, condition)?;
        known.busy.set(true);
        self.seam = true;
        self.frames.push(Frame { tokens: tokens.into_iter(), line: Some(name.line), of: Some(known) });
        Ok(None)
    }

    /// `X` or `(X)` behind `defined`.
    fn defined(&mut self, base: &mut Base<'a, '_>, around: &dyn Surroundings, line: u32) -> Result<bool, Mistake> {
        let bad = || (line, "`defined` wants a name".to_owned());
        let mut token = self.next(base)?.ok_or_else(bad)?;
        let open = token.text == "(";
        if open {
            token = self.next(base)?.ok_or_else(bad)?;
        }
        if !token.is_name() {
            return Err(bad());
        }
        if open && self.next(base)?.is_none_or(|t| t.text != ")") {
            return Err((line, "`)` is missing behind `defined`".to_owned()));
        }
        Ok(self.macros.contains_key(&*token.text) || around.has(&token.text))
    }

    /// Arguments of a call whose `(` is read.
    fn arguments(&mut self, base: &mut Base<'a, '_>, name: &Tok<'a>) -> Result<Vec<Vec<Tok<'a>>>, Mistake> {
        let (mut args, mut own, mut depth) = (Vec::new(), Vec::new(), 0u32);
        loop {
            let Some(token) = self.next(base)? else {
                return Err((name.line, format!("the call of macro `{}` has no end", name.text)));
            };
            match &*token.text {
                "(" => depth += 1,
                ")" if depth == 0 => {
                    args.push(own);
                    return Ok(args);
                }
                ")" => depth -= 1,
                "," if depth == 0 => {
                    args.push(std::mem::take(&mut own));
                    continue;
                }
                _ => {}
            }
            own.push(token);
        }
    }

    /// An argument with its own macros expanded.
    fn argument(
        &mut self,
        tokens: Vec<Tok<'a>>,
        around: &dyn Surroundings,
        condition: bool,
    ) -> Result<Vec<Tok<'a>>, Mistake> {
        let line = tokens.first().map_or(0, |t| t.line);
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err((line, format!("calls of macros nest deeper than {MAX_NESTING}")));
        }
        let outer = std::mem::take(&mut self.frames);
        let mut out = Vec::new();
        let mut put = |token| {
            out.push(token);
            Ok(())
        };
        self.run(&mut Base::List(tokens.into_iter()), around, condition, &mut put)?;
        self.frames = outer;
        self.depth -= 1;
        Ok(out)
    }

    /// The body with arguments for parameters and with what `##` joins.
    fn substitute(
        &mut self,
        of: &Macro<'a>,
        args: Vec<Vec<Tok<'a>>>,
        around: &dyn Surroundings,
        condition: bool,
    ) -> Result<Vec<Tok<'a>>, Mistake> {
        let mut out: Vec<Tok<'a>> = Vec::with_capacity(of.body.len());
        let mut expanded: Vec<Option<Vec<Tok<'a>>>> = args.iter().map(|_| None).collect();
        let joins = |at: usize| of.body.get(at).is_some_and(|t| t.text == "##");
        // Where the operand of `##` begins, and whether an argument ends before the next token.
        let (mut start, mut seam) = (0, false);
        for (at, token) in of.body.iter().enumerate().filter(|(at, _)| !joins(*at)) {
            let joined = at > 0 && joins(at - 1);
            let param = of.params.iter().flatten().position(|name| *name == token.text);
            let mut piece = match param.and_then(|p| Some((p, args.get(p)?))) {
                None => vec![token.clone()],
                Some((_, arg)) if joined || joins(at + 1) => arg.clone(),
                Some((p, arg)) => {
                    if expanded.get(p).is_none_or(Option::is_none) {
                        let value = self.argument(arg.clone(), around, condition)?;
                        expanded[p] = Some(value);
                    }
                    expanded.get(p).cloned().flatten().unwrap_or_default()
                }
            };
            self.work += piece.len();
            if let Some(first) = piece.first_mut() {
                first.space |= seam || param.is_some() || token.space;
            }
            seam = param.is_some();
            if !joined {
                start = out.len();
            } else if out.len() > start && !piece.is_empty() {
                let right = piece.remove(0);
                if let Some(left) = out.last_mut() {
                    left.text = format!("{}{}", left.text, right.text).into();
                    left.painted = false;
                }
            }
            out.append(&mut piece);
            if self.work > MAX_WORK {
                return Err((token.line, format!("macros expand to more than {MAX_WORK} tokens")));
            }
        }
        Ok(out)
    }
}
