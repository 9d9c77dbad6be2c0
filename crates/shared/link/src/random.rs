//! Unpredictable bytes from the operating system, for nonces and keys. Must not be used for anything per record.

use crate::error::LinkError;
use rustix::rand::{GetRandomFlags, getrandom};

/// `N` random bytes.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], LinkError> {
    let mut bytes = [0u8; N];
    let mut done = 0;
    while let Some(rest) = bytes.get_mut(done..).filter(|r| !r.is_empty()) {
        match getrandom(rest, GetRandomFlags::empty()) {
            Ok(n) => done += n,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(LinkError::os("getrandom", error)),
        }
    }
    Ok(bytes)
}
