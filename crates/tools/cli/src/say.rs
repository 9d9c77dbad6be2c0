//! Printing to standard output. A reader that has seen enough, like `head`, ends the command quietly: it is no failure.
//! Must not know what is printed.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Prints, or ends the process when nobody reads any more.
pub fn print(words: Arguments<'_>) {
    let mut out = io::stdout().lock();
    match out.write_fmt(words).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("mobilegl: cannot print: {error}");
            std::process::exit(1);
        }
    }
}

/// As `println!`, without its panic.
macro_rules! say {
    ($($words:tt)*) => { $crate::say::print(format_args!("{}\n", format_args!($($words)*))) };
}
pub(crate) use say;
