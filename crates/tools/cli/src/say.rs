//! Printing to standard output. A reader that has seen enough, like `head`, ends the command quietly: it is no failure.
//! Must not know what is printed.

use crate::error::NOT_WHOLE;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Prints, or ends the process when nobody reads any more.
pub fn print(words: Arguments<'_>) {
    let mut out = io::stdout().lock();
    finish(out.write_fmt(words).and_then(|()| out.flush()));
}

fn finish(done: io::Result<()>) {
    match done {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("mobilegl: cannot print: {error}");
            std::process::exit(i32::from(NOT_WHOLE));
        }
    }
}

/// Prints bytes that need not be text.
pub fn raw(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    finish(out.write_all(bytes).and_then(|()| out.flush()));
}

/// As `println!`, without its panic.
macro_rules! say {
    ($($words:tt)*) => { $crate::say::print(format_args!("{}\n", format_args!($($words)*))) };
}
pub(crate) use say;
