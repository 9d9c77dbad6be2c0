//! Preprocessing tokens of a shader: comments are blanks, and the ends of lines are tokens, because directives end there.
//! Must not know directives or macros.

use std::borrow::Cow;

/// A token. Operators of several characters are several tokens of which only the first may follow a blank.
#[derive(Clone, Debug)]
pub struct Tok<'a> {
    pub text: Cow<'a, str>,
    /// Line of the shader's text, from 1 on.
    pub line: u32,
    /// Something stands between it and the token before.
    pub space: bool,
    /// The name of a macro that came out of that macro: it stays as it is.
    pub painted: bool,
}

impl Tok<'_> {
    /// A name.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// What comes next.
#[derive(Debug)]
pub enum Item<'a> {
    Token(Tok<'a>),
    Newline,
    End,
}

/// Reads tokens one by one.
pub struct Lexer<'a> {
    source: &'a str,
    at: usize,
    line: u32,
    /// Nothing but blanks so far on this line.
    fresh: bool,
    /// A comment that nobody ends began on this line.
    unended: Option<u32>,
}

pub fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of `source`, whose lines are joined by now.
    pub fn new(source: &'a str) -> Self {
        Self { source, at: 0, line: 1, fresh: true, unended: None }
    }

    /// The line of what comes next.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Line of a comment without an end.
    pub fn unended(&self) -> Option<u32> {
        self.unended
    }

    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or("")
    }

    /// Skips blanks and comments; true when there were any. Ends of lines outside comments stay.
    fn blanks(&mut self) -> bool {
        let start = self.at;
        loop {
            let rest = self.rest();
            let blank = rest.find(|c: char| c == '\n' || !c.is_whitespace()).unwrap_or(rest.len());
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let body = rest.get(2..).unwrap_or("");
                let end = body.find("*/");
                if end.is_none() {
                    self.unended = self.unended.or(Some(self.line));
                }
                let length = end.map_or(rest.len(), |end| end + 4);
                let lines = rest.get(..length).map_or(0, |text| text.bytes().filter(|b| *b == b'\n').count());
                self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
                self.at += length;
            } else {
                return self.at > start;
            }
        }
    }

    /// Whether a directive begins here. Only at the beginning of a line.
    pub fn at_directive(&mut self) -> bool {
        if !self.fresh {
            return false;
        }
        // Skipping twice is harmless: a `#` needs no blank before it.
        self.blanks();
        self.rest().starts_with('#')
    }

    /// The next token or end of line.
    pub fn item(&mut self) -> Item<'a> {
        let space = self.blanks() || self.fresh;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Item::End };
        if first == '\n' {
            self.at += 1;
            self.line = self.line.saturating_add(1);
            self.fresh = true;
            return Item::Newline;
        }
        self.fresh = false;
        let length = if first.is_ascii_digit() || is_fraction(rest) {
            number(rest)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        self.at += length;
        let text = Cow::Borrowed(rest.get(..length).unwrap_or(""));
        Item::Token(Tok { text, line: self.line, space, painted: false })
    }

    /// The next token of the text before the next directive.
    pub fn text(&mut self) -> Option<Tok<'a>> {
        loop {
            if self.at_directive() {
                return None;
            }
            match self.item() {
                Item::Token(token) => return Some(token),
                Item::Newline => {}
                Item::End => return None,
            }
        }
    }

    /// Skips to the next directive; false at the end.
    pub fn skip_text(&mut self) -> bool {
        while !self.at_directive() {
            match self.item() {
                Item::End => return false,
                Item::Token(_) => self.skip_words(),
                Item::Newline => {}
            }
        }
        true
    }

    /// Skips what can neither end the line nor begin a comment.
    fn skip_words(&mut self) {
        let rest = self.rest();
        self.at += rest.find(['\n', '/']).unwrap_or(rest.len());
    }

    /// The tokens up to the end of the line, and their text as it stands.
    pub fn rest_of_line(&mut self) -> (Vec<Tok<'a>>, &'a str) {
        let (start, mut end, mut tokens) = (self.at, self.at, Vec::new());
        while let Item::Token(token) = self.item() {
            end = self.at;
            tokens.push(token);
        }
        (tokens, self.source.get(start..end).unwrap_or("").trim())
    }
}

/// A number that begins with its point.
fn is_fraction(rest: &str) -> bool {
    rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Length of the number that `text` begins with.
fn number(text: &str) -> usize {
    let hex = text.starts_with("0x") || text.starts_with("0X");
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let exponent = !hex && matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        if !(is_word(c) || c == '.' || exponent) {
            return at;
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Item, Lexer};

    fn all(source: &str) -> Vec<String> {
        let mut lexer = Lexer::new(source);
        let mut out = Vec::new();
        loop {
            match lexer.item() {
                Item::Token(token) => out.push(format!("{}{}", if token.space { " " } else { "" }, token.text)),
                Item::Newline => out.push("\\n".to_owned()),
                Item::End => return out,
            }
        }
    }

    /// Numbers, operators and comments that are cut wrongly change what a shader computes.
    #[test]
    fn tokens_are_cut_where_they_end() {
        assert_eq!(all("a/* x\n y */b"), [" a", " b"]);
        assert_eq!(all("1e-3-x"), [" 1e-3", "-", "x"]);
        assert_eq!(all("0xE+A"), [" 0xE", "+", "A"]);
        assert_eq!(all(".5.x v.x"), [" .5.x", " v", ".", "x"]);
        assert_eq!(all("a // b\n#c"), [" a", "\\n", " #", "c"]);
        assert_eq!(all("a+=1"), [" a", "+", "=", "1"]);
    }

    /// A comment over several lines must not shift the lines that errors name.
    #[test]
    fn comments_count_lines() {
        let mut lexer = Lexer::new("/* a\n b\n */ x");
        assert!(matches!(lexer.item(), Item::Token(token) if token.line == 3));
        assert!(lexer.unended().is_none());
        let mut lexer = Lexer::new("a /* b\n");
        while !matches!(lexer.item(), Item::End) {}
        assert_eq!(lexer.unended(), Some(1));
    }
}
