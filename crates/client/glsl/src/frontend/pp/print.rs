//! The text that comes out of the preprocessor, each token in its line.
//! Must not decide what comes out.

use super::expand::Mistake;
use super::lex::{Tok, is_word};

/// How many tokens a shader may have once its macros are expanded.
pub const MAX_TOKENS: usize = 1 << 21;

/// Collects text.
#[derive(Default)]
pub struct Printer {
    text: String,
    /// Ends of lines written so far.
    lines: u32,
    tokens: usize,
}

impl Printer {
    /// Moves to the line, which may be behind.
    fn go(&mut self, line: u32) -> bool {
        let ahead = line.saturating_sub(1).saturating_sub(self.lines);
        self.text.extend(std::iter::repeat_n('\n', ahead as usize));
        self.lines += ahead;
        ahead > 0
    }

    /// Appends a token.
    pub fn token(&mut self, token: &Tok<'_>) -> Result<(), Mistake> {
        self.tokens += 1;
        if self.tokens > MAX_TOKENS {
            return Err((token.line, format!("the shader has more than {MAX_TOKENS} tokens")));
        }
        let moved = self.go(token.line);
        let grows = || self.text.ends_with(is_word) && token.text.starts_with(is_word);
        if !moved && (token.space || grows()) && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.text.push_str(&token.text);
        Ok(())
    }

    /// Appends a directive, which has a line of its own.
    pub fn directive(&mut self, line: u32, text: &str) {
        // Only what comes from macros can already stand in the line; it must not take the directive in.
        if !self.go(line) && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
            self.lines += 1;
        }
        self.text.push_str(text);
    }

    /// The text, whose last line is `line`.
    pub fn finish(mut self, line: u32) -> String {
        self.go(line);
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text
    }
}
