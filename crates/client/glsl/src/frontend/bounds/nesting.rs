//! Nesting of expressions and statements: at most as deep as brackets, operators and branches are many.

use super::{MAX_NESTING, Mistake, deeper};
use crate::frontend::scan::Token;

/// An open bracket, or the text around all of them.
#[derive(Default)]
struct Group {
    /// Commas separate values here and do not join them.
    list: bool,
    /// Operators since the last separator.
    operators: u32,
    /// `if`, `else`, loops: what begins a statement within a statement.
    branches: u32,
    /// The deepest group since the last separator.
    inner: u32,
    /// The deepest of all parts.
    deepest: u32,
}

impl Group {
    /// Ends a part; what follows is not nested with it.
    fn part(&mut self) {
        self.deepest = self.deepest.max(self.total());
        (self.operators, self.inner) = (0, 0);
    }
    fn total(&self) -> u32 {
        self.operators.saturating_add(self.branches).saturating_add(self.inner)
    }
}

fn touches(a: &Token<'_>, b: &Token<'_>) -> bool {
    a.at + a.text.len() == b.at
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether the point at `at` belongs to a number.
fn of_number(tokens: &[Token<'_>], at: usize) -> bool {
    let near = |other: Option<&Token<'_>>, before: bool| {
        let pair = other.zip(tokens.get(at));
        pair.is_some_and(|(o, t)| is_number(o.text) && if before { touches(o, t) } else { touches(t, o) })
    };
    near(at.checked_sub(1).and_then(|b| tokens.get(b)), true) || near(tokens.get(at + 1), false)
}

/// Whether values stand between the parentheses behind this token: a call, a constructor, a layout.
fn calls(before: &str) -> bool {
    let statement = matches!(before, "if" | "while" | "for" | "switch" | "return" | "else" | "do");
    before == "]" || (is_word(before) && !statement)
}

/// Refuses what nests too deep.
pub fn check(tokens: &[Token<'_>]) -> Result<(), Mistake> {
    let mut open = vec![Group::default()];
    let what = "the shader nests too deep";
    for (at, token) in tokens.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).and_then(|b| tokens.get(b)), tokens.get(at + 1));
        if open.len() > MAX_NESTING as usize {
            return deeper(token.line, what, MAX_NESTING);
        }
        let Some(group) = open.last_mut() else { break };
        match token.text {
            "(" | "[" | "{" => {
                // An index is an operator of what stands before it.
                group.operators = group.operators.saturating_add(u32::from(token.text == "["));
                let list = match (token.text, before.map_or("", |b| b.text)) {
                    ("(", before) => calls(before),
                    // Braces of values follow `=`, a comma or braces of values; others hold statements or members.
                    ("{", before) => matches!(before, "=" | ",") || (before == "{" && group.list),
                    _ => false,
                };
                open.push(Group { list, ..Group::default() });
            }
            ")" | "]" | "}" => {
                close(&mut open);
                if let Some(outer) = open.last_mut().filter(|_| token.text == "}") {
                    end_statement(outer, after);
                }
            }
            ";" => end_statement(group, after),
            "," if group.list => group.part(),
            "if" | "else" | "for" | "while" | "do" | "switch" => group.branches = group.branches.saturating_add(1),
            "." if of_number(tokens, at) => {}
            "," | "." | "?" | ":" | "~" => group.operators = group.operators.saturating_add(1),
            "+" | "-" | "*" | "/" | "%" | "<" | ">" | "=" | "!" | "^" | "&" | "|" => {
                // `+=` and `&&` are one operator; `- -` and `!!` are two.
                let second = before.is_some_and(|b| {
                    let assigns = token.text == "=" && "+-*/%<>=!&|^".contains(b.text);
                    touches(b, token) && (assigns || (b.text == token.text && "&|^<>".contains(b.text)))
                });
                group.operators = group.operators.saturating_add(u32::from(!second));
            }
            _ => {}
        }
        if open.last().is_some_and(|group| group.total() > MAX_NESTING || group.deepest > MAX_NESTING) {
            return deeper(token.line, what, MAX_NESTING);
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    match open.last().is_some_and(|group| group.total() > MAX_NESTING) {
        true => deeper(tokens.last().map_or(1, |t| t.line), what, MAX_NESTING),
        false => Ok(()),
    }
}

/// Closes the innermost group, which is inside the one around it.
fn close(open: &mut Vec<Group>) {
    let Some(group) = open.last_mut() else { return };
    group.part();
    let depth = group.deepest.saturating_add(1);
    if open.len() > 1 {
        open.pop();
    }
    if let Some(outer) = open.last_mut() {
        outer.inner = outer.inner.max(depth);
    }
}

/// Ends a statement, and the statements around it that have no braces, unless they go on.
fn end_statement(group: &mut Group, after: Option<&Token<'_>>) {
    group.part();
    if !after.is_some_and(|t| matches!(t.text, "else" | "while")) {
        group.branches = 0;
    }
}
