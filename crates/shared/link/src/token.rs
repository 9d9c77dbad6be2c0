//! The access token of a network server (spec 06b §3.3). It keeps strangers out; who can read the network can read it,
//! because nothing is encrypted. Must not appear in any log.

use crate::error::LinkError;
use crate::settings;
use std::path::Path;

/// Shortest token.
const SHORTEST: usize = 16;
/// Longest token: what is always compared.
const LONGEST: usize = 64;

/// A token.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Vec<u8>);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl Token {
    /// The token in `text`, without the white space around it.
    pub fn new(text: &[u8]) -> Result<Self, LinkError> {
        let text = text.trim_ascii();
        if (SHORTEST..=LONGEST).contains(&text.len()) {
            return Ok(Self(text.to_vec()));
        }
        Err(LinkError::Token(format!("a token has {SHORTEST} to {LONGEST} bytes, this one has {}", text.len())))
    }

    /// The token in a file.
    pub fn from_file(path: &Path) -> Result<Self, LinkError> {
        let text = std::fs::read(path).map_err(|e| LinkError::Token(format!("{}: {e}", path.display())))?;
        Self::new(&text)
    }

    /// `MOBILEGL_IPC_TOKEN`, else the file that `MOBILEGL_IPC_TOKEN_FILE` names.
    pub fn from_env() -> Result<Option<Self>, LinkError> {
        if let Some(text) = settings::text("MOBILEGL_IPC_TOKEN") {
            return Self::new(text.as_bytes()).map(Some);
        }
        settings::path("MOBILEGL_IPC_TOKEN_FILE").map(|path| Self::from_file(&path)).transpose()
    }

    /// The bytes, to send.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Compares with what a client said; the time does not depend on how much of it is right.
    pub fn matches(&self, said: &[u8]) -> bool {
        same(&self.0, said)
    }
}

/// Compares two secrets of at most [`LONGEST`] bytes in constant time.
pub(crate) fn same(a: &[u8], b: &[u8]) -> bool {
    let at = |s: &[u8], n: usize| s.get(n).copied().unwrap_or_default();
    let difference = (0..LONGEST).fold(0u8, |sum, n| std::hint::black_box(sum | (at(a, n) ^ at(b, n))));
    difference == 0 && a.len() == b.len() && a.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::Token;

    /// A token that lets in what merely begins like it would be no token.
    #[test]
    fn only_the_whole_token_matches() {
        let token = Token::new(b" 0123456789abcdef\n").unwrap();
        assert!(token.matches(b"0123456789abcdef"));
        for wrong in [&b""[..], b"0123456789abcdeF", b"0123456789abcde", b"0123456789abcdef\0", &[0; 99]] {
            assert!(!token.matches(wrong));
        }
        assert!(Token::new(b"short").is_err() && Token::new(&[b'x'; 65]).is_err());
        assert!(!format!("{token:?}").contains("0123"), "never in a log");
    }
}
