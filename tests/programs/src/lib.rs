//! Runs real, unmodified OpenGL programs on a reference driver and on MobileGL, and compares what they left behind.
//!
//! Everything happens from outside: programs are child processes, the driver is chosen by the environment alone.
//! It must not link any crate of the driver.

pub mod blender;
pub mod compare;
pub mod lane;
pub mod once;
pub mod overhead;
pub mod process;
pub mod program;
pub mod recorded;
pub mod replay;
pub mod running;
pub mod tools;

/// What can go wrong while a program is run or compared. Tests show it as it is.
#[derive(thiserror::Error)]
pub enum Error {
    /// A part the tests need is not on this machine.
    #[error("{what} is missing ({path}). `./x test` installs or builds it.")]
    Missing {
        /// What it is.
        what: &'static str,
        /// Where it was looked for.
        path: String,
    },
    /// The system refused something.
    #[error("{doing}: {source}")]
    System {
        /// What was tried.
        doing: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A program ended badly.
    #[error("{program} on {lane} {how}\n--- its output:\n{output}")]
    Ended {
        /// The program.
        program: String,
        /// The driver it ran on.
        lane: String,
        /// Exit status, signal or time-out, in words.
        how: String,
        /// Both of its output streams.
        output: String,
    },
    /// The program ran on another driver or transport than it should have.
    #[error("{program} should have run on {lane}, but {what}")]
    WrongLane {
        /// The program.
        program: String,
        /// The driver it should have run on.
        lane: String,
        /// What shows that it did not.
        what: String,
    },
    /// Results differ.
    #[error("{what}: {how}\n  expected: {expected}\n  got:      {got}")]
    Differs {
        /// Which result.
        what: String,
        /// In which way.
        how: String,
        /// The reference file.
        expected: String,
        /// The file to judge.
        got: String,
    },
    /// A file is not what it should be.
    #[error("{path} cannot be read: {why}")]
    BadFile {
        /// The file.
        path: String,
        /// What is wrong.
        why: String,
    },
}

// A test that returns an error shows it by `Debug`: there the sentence is wanted, not the fields.
impl std::fmt::Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// The result of everything here.
pub type Result<T> = std::result::Result<T, Error>;
