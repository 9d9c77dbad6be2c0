//! A server that listens: reads its command line, opens its sockets, and starts this program again for every session.
//! Must not touch a driver: what happens to one must never happen to the supervisor.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use mgl_link::LinkError;
use mgl_link::address::Address;
use mgl_link::server::{Listener, Supervisor, worker_process};
use mgl_link::token::Token;
use signal_hook::consts::{SIGINT, SIGTERM};

/// Sessions at a time unless the command line says otherwise.
const SESSIONS: usize = 16;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    listen: Vec<Address>,
    backend: Option<String>,
    token_file: Option<PathBuf>,
    sessions: Option<usize>,
}

impl Wishes {
    /// Reads `--listen ADDRESS… [--backend NAME] [--token-file FILE] [--sessions-max N]`; the error says what is wrong.
    pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Self, String> {
        let (mut wishes, mut args) = (Self::default(), args.into_iter());
        while let Some(name) = args.next() {
            let name = name.to_string_lossy();
            let value = args.next().ok_or_else(|| format!("{name} needs a value"))?;
            let text = value.to_string_lossy();
            match &*name {
                "--listen" => {
                    let help = || format!("--listen {text}: use unix:PATH, unix:@NAME or tcp://HOST:PORT");
                    wishes.listen.push(Address::parse(&value).ok_or_else(help)?);
                }
                "--backend" => {
                    crate::choose::known(&text)?;
                    wishes.backend = Some(text.into_owned());
                }
                "--token-file" => wishes.token_file = Some(value.into()),
                "--sessions-max" => {
                    let number = text.parse().ok().filter(|n| (1..=1024).contains(n));
                    wishes.sessions = Some(number.ok_or("--sessions-max: use 1 to 1024")?);
                }
                _ => return Err(format!("there is no option {name}")),
            }
        }
        Ok(wishes)
    }
}

/// Serves until it is told to stop by SIGINT or SIGTERM. Says where it listens on standard output, one line each.
///
/// # Errors
/// When an address cannot be listened on, or a token is missing or too short.
pub fn run(wishes: Wishes) -> Result<(), LinkError> {
    let backend = match wishes.backend {
        Some(backend) => Some(backend),
        None => backend_wished()?,
    };
    let token = match &wishes.token_file {
        Some(path) => Some(Token::from_file(path)?),
        None => Token::from_env()?,
    };
    let (stop, told) = UnixStream::pair().map_err(|source| LinkError::Os { what: "socketpair", source })?;
    for signal in [SIGINT, SIGTERM] {
        let copy = told.try_clone().map_err(|source| LinkError::Os { what: "dup", source })?;
        signal_hook::low_level::pipe::register(signal, copy)
            .map_err(|source| LinkError::Os { what: "signal handler", source })?;
    }
    let mut addresses = wishes.listen;
    if addresses.is_empty() {
        addresses.push(Address::usual()?);
    }
    let open = |address: &Address| Listener::open(address, token.as_ref());
    let listeners = addresses.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let image = std::env::current_exe().unwrap_or_else(|_| Path::new("/proc/self/exe").into());
    let launch = worker_process(image, move |command| {
        // The workers need neither; what they serve is decided here.
        command.env_remove("MOBILEGL_IPC_TOKEN").env_remove("MOBILEGL_IPC_TOKEN_FILE");
        if let Some(backend) = &backend {
            command.env("MOBILEGL_BACKEND", backend);
        }
    });
    for listener in &listeners {
        println!("mobilegl-server {} listens on {}", std::process::id(), listener.address());
    }
    // Whoever started this may have closed its end already.
    let _ = std::io::stdout().flush();
    Supervisor::new(listeners, token, wishes.sessions.unwrap_or(SESSIONS), launch).run(&stop.into());
    Ok(())
}

fn backend_wished() -> Result<Option<String>, LinkError> {
    let (name, wish) = ("MOBILEGL_BACKEND", mgl_link::settings::text("MOBILEGL_BACKEND"));
    match crate::choose::known(wish.as_deref().unwrap_or_default()) {
        Ok(()) => Ok(wish),
        Err(help) => Err(LinkError::Setting { name, value: wish.unwrap_or_default(), help: help.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::Wishes;
    use std::ffi::OsString;

    fn parse(line: &str) -> Result<Wishes, String> {
        Wishes::parse(line.split_whitespace().map(OsString::from))
    }

    /// A misspelt option that was ignored could leave a server open to the network without its token.
    #[test]
    fn the_command_line_is_read_exactly() {
        let wishes = parse("--listen unix:@a --listen tcp://localhost:0 --sessions-max 3 --backend null").unwrap();
        assert_eq!((wishes.listen.len(), wishes.sessions, wishes.backend.as_deref()), (2, Some(3), Some("null")));
        for bad in
            ["--listen", "--listen tcp://x", "--token f", "--sessions-max 0", "--sessions-max x", "--backend nosuch"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
