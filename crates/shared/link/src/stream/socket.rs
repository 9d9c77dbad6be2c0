//! What TCP sockets of a session are set to. Must not know what is sent on them.

use crate::error::LinkError;
use rustix::fd::AsFd;
use rustix::net::sockopt;
use std::time::Duration;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Few messages; the witness of the peer's death.
    Control,
    /// Everything else.
    Data,
}

/// No delay, because batching is ours, and probes that turn a vanished host into a hang-up after five seconds (spec 06
/// §7).
///
/// The time limit on unacknowledged bytes is set on the control connection alone: a process that was stopped takes no
/// data, its kernel keeps the window shut, and that limit would call it dead. It never lets control messages pile up.
pub fn prepare(fd: impl AsFd, role: Use) -> Result<(), LinkError> {
    let set = || {
        sockopt::set_tcp_nodelay(&fd, true)?;
        sockopt::set_socket_keepalive(&fd, true)?;
        sockopt::set_tcp_keepidle(&fd, Duration::from_secs(2))?;
        sockopt::set_tcp_keepintvl(&fd, Duration::from_secs(1))?;
        sockopt::set_tcp_keepcnt(&fd, 3)?;
        if role == Use::Control {
            sockopt::set_tcp_user_timeout(&fd, 5000)?;
        }
        Ok(())
    };
    set().map_err(|e: rustix::io::Errno| LinkError::os("options of a TCP connection", e))
}
