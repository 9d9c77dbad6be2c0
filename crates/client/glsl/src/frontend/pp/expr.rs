//! Integer expressions of `#if`, `#elif` and `#line` (GLSL 4.60 §3.3), whose macros are expanded by now.
//! Must not know macros: a name that is left counts as 0, which GLSL ES forbids where it decides.

use super::lex::Tok;

/// How deep parentheses and signs may nest.
pub const MAX_NESTING: u32 = 256;

/// Reads one expression after the other from a list of tokens.
pub struct Reader<'t, 'a> {
    tokens: &'t [Tok<'a>],
    at: usize,
    depth: u32,
    /// Names without a macro are errors.
    strict: bool,
}

/// Operators of two characters, then of one, with how strongly they bind.
const OPERATORS: [(&str, u32); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

impl<'t, 'a> Reader<'t, 'a> {
    /// A reader of `tokens`; with `strict` as GLSL ES has it.
    pub fn new(tokens: &'t [Tok<'a>], strict: bool) -> Self {
        Self { tokens, at: 0, depth: 0, strict }
    }

    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| &t.text)
    }

    /// The first token that is not read.
    pub fn left(&self) -> Option<&Tok<'a>> {
        self.tokens.get(self.at)
    }

    /// The next expression.
    pub fn value(&mut self) -> Result<i64, String> {
        self.binary(1, true)
    }

    fn operator(&self) -> Option<(&'static str, u32)> {
        let touches = self.tokens.get(self.at + 1).is_some_and(|t| !t.space);
        let (one, two) = (self.text(self.at), if touches { self.text(self.at + 1) } else { "" });
        OPERATORS.into_iter().find(|(name, _)| match name.len() {
            1 => *name == one,
            _ => name.get(..1) == Some(one) && name.get(1..) == Some(two),
        })
    }

    /// Operands joined by operators that bind at least as strongly as `least`. What does not count is not judged.
    fn binary(&mut self, least: u32, counts: bool) -> Result<i64, String> {
        let mut left = self.unary(counts)?;
        while let Some((name, binds)) = self.operator().filter(|(_, binds)| *binds >= least) {
            self.at += name.len();
            let decided = (name == "&&" && left == 0) || (name == "||" && left != 0);
            let right = self.binary(binds + 1, counts && !decided)?;
            left = match apply(name, left, right) {
                Some(value) => value,
                None if counts => return Err("division by zero in a directive".into()),
                None => 0,
            };
        }
        Ok(left)
    }

    fn unary(&mut self, counts: bool) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(format!("the expression nests deeper than {MAX_NESTING}"));
        }
        let text = self.text(self.at).to_owned();
        self.at += 1;
        let value = match text.as_str() {
            "!" => i64::from(self.unary(counts)? == 0),
            "-" => self.unary(counts)?.wrapping_neg(),
            "+" => self.unary(counts)?,
            "~" => !self.unary(counts)?,
            "(" => {
                let value = self.binary(1, counts)?;
                if self.text(self.at) != ")" {
                    return Err("`)` is missing in the expression".into());
                }
                self.at += 1;
                value
            }
            "" => return Err("the directive has no expression, or half of one".into()),
            text => self.operand(text, counts)?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn operand(&self, text: &str, counts: bool) -> Result<i64, String> {
        if let Some(value) = integer(text) {
            return Ok(value);
        }
        if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err("the expression is malformed".into());
        }
        if self.strict && counts {
            return Err(format!("`{text}` is no macro, which GLSL ES wants in an expression"));
        }
        Ok(0)
    }
}

/// Value of an integer constant: decimal, octal or hexadecimal.
pub fn integer(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U']);
    if text.len() > digits.len() + 1 || !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (digits.get(2..)?, 16),
        [b'0', _, ..] => (digits.get(1..)?, 8),
        _ => (digits, 10),
    };
    // What does not fit is still a number.
    let bad = digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix));
    (!bad).then(|| i64::from_str_radix(digits, radix).unwrap_or(i64::MAX))
}

/// `None` for a division by zero.
fn apply(name: &str, a: i64, b: i64) -> Option<i64> {
    let shift = u32::try_from(b & 63).unwrap_or(0);
    Some(match name {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.wrapping_shl(shift),
        ">>" => a.wrapping_shr(shift),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => return (b != 0).then(|| a.wrapping_div(b)),
        _ => return (b != 0).then(|| a.wrapping_rem(b)),
    })
}

#[cfg(test)]
mod tests {
    use super::Reader;
    use crate::frontend::pp::lex::Lexer;

    fn value(text: &str, strict: bool) -> Result<i64, String> {
        let (tokens, _) = Lexer::new(text).rest_of_line();
        let mut reader = Reader::new(&tokens, strict);
        let value = reader.value()?;
        reader.left().map_or(Ok(value), |t| Err(t.text.to_string()))
    }

    /// A shader that takes the wrong branch of an `#if` draws something else.
    #[test]
    fn operators_bind_as_in_c() {
        let rows = [
            ("1 + 2 * 3 == 7", 1),
            ("1 << 2 + 1", 8),
            ("-1 < 0 && !0", 1),
            ("7 & 3 | 8 ^ 8", 3),
            ("0x10 + 010", 24),
            ("10 - 3 - 2", 5),
            ("~0 == -1", 1),
            ("0 && 1 / 0", 0),
            ("1 || X(", 1),
            ("5 % 3 >= 2u", 1),
        ];
        for (text, wanted) in rows.into_iter().filter(|(t, _)| !t.contains('(')) {
            assert_eq!(value(text, false), Ok(wanted), "{text}");
        }
        assert_eq!(value("1 || X", true), Ok(1));
    }

    /// Mistakes in conditions are errors, not one branch or the other.
    #[test]
    fn mistakes_are_errors() {
        for text in ["", "1 +", "(1", "1 / 0", "1 2", "09", "1.0", "A B"] {
            assert!(value(text, false).is_err(), "{text}");
        }
        assert!(value("A == 1", true).is_err());
        assert_eq!(value("A == 0", false), Ok(1));
    }

    /// Conditions that nest without end must not end the program.
    #[test]
    fn nesting_is_bounded() {
        for n in [100_000, 1_000_000] {
            let deep = format!("{}1{}", "(".repeat(n), ")".repeat(n));
            assert!(value(&deep, false).is_err_and(|why| why.contains("256")));
            assert!(value(&format!("{}1", "!".repeat(n)), false).is_err_and(|why| why.contains("256")));
            assert_eq!(value(&format!("{}1", "1+".repeat(n)), false), Ok(i64::try_from(n).unwrap() + 1));
        }
        assert_eq!(value(&format!("{}1{}", "(".repeat(200), ")".repeat(200)), false), Ok(1));
    }
}
