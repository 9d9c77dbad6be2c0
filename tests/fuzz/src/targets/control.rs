//! Frames of the control socket, before and after the handshake, in both directions. The first byte chooses the reader.

use mgl_base::Fault;
use mgl_link::RefuseCode;
use mgl_link::control::messages::{DataTerms, DataWish};
use mgl_link::control::socket::{frame_length, open_first};
use mgl_link::control::{ControlSocket, FlowTerms, Hello, ToClient, ToServer, Welcome};
use std::os::fd::{AsFd, OwnedFd};

/// Less than any socket buffer, so that writing never waits for the reader.
const MOST: usize = 32 << 10;

/// A socket whose peer has sent the bytes and is gone.
pub(super) fn sent(bytes: &[u8]) -> Option<OwnedFd> {
    let (here, there) = ControlSocket::pair().ok()?;
    let mut rest = bytes.get(..MOST).unwrap_or(bytes);
    while !rest.is_empty() {
        let sent = rustix::io::write(&there, rest).ok()?;
        rest = rest.get(sent..)?;
    }
    Some(here)
}

fn drain<T: serde::de::DeserializeOwned>(socket: &mut ControlSocket) {
    while let Ok(Some(_)) = socket.try_receive::<T>() {}
    // After a bad frame nothing may be read any more.
    if socket.try_receive::<T>().is_err() {
        assert!(socket.try_receive::<T>().is_err(), "a broken connection goes on");
    }
}

/// The first frame of a connection that nobody knows yet is read by itself.
fn first(bytes: &[u8]) {
    if let Some(frame) = frame_length(bytes).filter(|n| *n > 9).and_then(|n| bytes.get(..n)) {
        let _ = open_first(frame);
    }
}

/// Reads messages until the stream ends or is refused.
pub fn run(data: &[u8]) {
    let Some((direction, rest)) = data.split_first() else { return };
    first(rest);
    let Some(mut socket) = sent(rest).map(ControlSocket::new) else { return };
    if direction % 2 == 0 { drain::<ToServer>(&mut socket) } else { drain::<ToClient>(&mut socket) }
}

fn framed<T: serde::Serialize>(direction: u8, message: &T) -> Option<Vec<u8>> {
    let (here, there): (OwnedFd, OwnedFd) = ControlSocket::pair().ok()?;
    mgl_link::control::socket::send(there.as_fd(), message, &[]).ok()?;
    drop(there);
    let mut out = vec![direction];
    let mut part = [0; 4096];
    while let Some(got) = rustix::io::read(&here, &mut part).ok().filter(|n| *n > 0) {
        out.extend(part.get(..got)?);
    }
    Some(out)
}

/// Every message of both directions.
pub fn seeds() -> Vec<Vec<u8>> {
    let hello = Hello {
        protocol: 1,
        fingerprint: 2,
        build: "build".into(),
        backend: "auto".into(),
        program: "program".into(),
        pid: 3,
        token: vec![4; 16],
        transport: "spawn".into(),
        data: DataWish { pack: true, ..DataWish::default() },
        options: vec![("key".into(), "value".into())],
    };
    let to_server = [
        ToServer::Hello(hello),
        ToServer::CreateFlow { share: 0 },
        ToServer::DestroyFlow { id: 1, head: 64 },
        ToServer::Bye,
        ToServer::DataBind { nonce: [5; 16] },
        ToServer::ShareMemory { len: 1 << 16 },
        ToServer::SharePixels { len: 1 << 20 },
    ];
    let terms = FlowTerms { id: 1, ring: 1 << 20, stage: 1 << 24, slot: 1 << 16, slots: 16, event: 1 << 16 };
    let fault = Fault::corrupt("draw_vbo.size");
    let data = DataTerms::Stream { nonce: [6; 16], pack: true, slots: 64 };
    let to_client = [
        ToClient::Welcome(Welcome { backend: "null".into(), pid: 1, page: 4096, caps: vec![0; 64], data }),
        ToClient::Refuse { code: RefuseCode::Backend, detail: "none".into() },
        ToClient::Flow(terms),
        ToClient::Memory { id: 1, len: 1 << 20 },
        ToClient::SessionFault {
            family: fault.family as u32,
            detail: fault.detail.into_owned(),
            flow: 1,
            seq: 2,
            op: 59,
        },
        ToClient::Starting,
    ];
    let mut out: Vec<Vec<u8>> = to_server.iter().filter_map(|m| framed(0, m)).collect();
    out.extend(to_client.iter().filter_map(|m| framed(1, m)));
    let all = out.iter().flat_map(|seed| seed.iter().skip(1).copied());
    let both = [0u8].into_iter().chain(all).collect();
    out.push(both);
    out
}
