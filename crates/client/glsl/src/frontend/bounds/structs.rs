//! Nesting of structures and blocks, and how many members they have together.

use std::collections::HashMap;

use super::{MAX_MEMBERS, MAX_STRUCTS, Mistake, deeper};
use crate::frontend::scan::Token;

/// Depth and number of members of a type.
type Size = (u32, u32);

/// A structure or block whose members are being read.
struct Open<'a> {
    name: &'a str,
    /// Braces around its members.
    braces: u32,
    size: Size,
}

/// Refuses structures that are too deep or too many. A name counts as the largest structure that ever had it.
pub fn check(tokens: &[Token<'_>]) -> Result<(), Mistake> {
    let mut known: HashMap<&str, Size> = HashMap::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let (mut braces, mut head) = (0u32, None);
    // The type of the member that is being read, once it is known.
    let mut member: Option<Size> = None;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map_or("", |t| t.text);
        match token.text {
            "struct" => head = Some(if next == "{" { "" } else { next }),
            "uniform" | "buffer" | "in" | "out" if tokens.get(at + 2).is_some_and(|t| t.text == "{") => {
                head = Some("");
            }
            "{" => {
                braces += 1;
                if let Some(name) = head.take() {
                    open.push(Open { name, braces, size: (1, 0) });
                }
            }
            "}" => {
                if let Some(done) = open.pop_if(|last| last.braces == braces) {
                    let size = known.entry(done.name).or_default();
                    *size = (size.0.max(done.size.0), size.1.max(done.size.1));
                    member = open.last().map(|_| done.size);
                }
                braces = braces.saturating_sub(1);
            }
            ";" | "," => {
                if let (Some((depth, members)), Some(last)) = (member, open.last_mut()) {
                    last.size = (last.size.0.max(depth + 1), last.size.1.saturating_add(members));
                    if last.size.0 > MAX_STRUCTS {
                        return deeper(token.line, "structures nest too deep", MAX_STRUCTS);
                    }
                    if last.size.1 > MAX_MEMBERS {
                        return deeper(token.line, "a structure has too many members", MAX_MEMBERS);
                    }
                }
                if token.text == ";" {
                    (member, head) = (None, None);
                }
            }
            name if !open.is_empty() => {
                let size = known.get(name).copied();
                member = match (member, size) {
                    (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.max(b.1))),
                    (a, b) => b.or(a).or(Some((0, 1))),
                };
            }
            _ => {}
        }
    }
    Ok(())
}
