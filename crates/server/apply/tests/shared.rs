//! Memory in common with a client: a record takes it for a buffer by the number that the control plane gave it.

mod common;

use common::Peerless;
use mgl_apply::{ReplyStatus, Session};
use mgl_backend::SharedMemory;
use mgl_base::handle::Buffer;
use mgl_base::{Fault, Handle};
use mgl_null::Null;
use mgl_pipe::Record;
use mgl_pipe::records::{MapPersistent, ResourceCreate, ResourceDesc, ResourceDestroy};
use mgl_pipe::tokens::ResourceTarget;
use std::sync::Arc;
use zerocopy::IntoBytes;

const SIZE: u64 = 4096;

/// A session with a buffer of `SIZE` bytes.
fn session() -> (Session, Handle<Buffer>) {
    let mut session = Session::new(Null::sharing(), 1 << 30);
    session.flow_created(1, None).expect("the flow is taken");
    let desc =
        ResourceDesc { slot: 4, generation: 1, target: ResourceTarget::Buffer, size: SIZE, ..Default::default() };
    let create = ResourceCreate { desc };
    session.record(1, ResourceCreate::OP, create.as_bytes(), &mut Peerless::default()).expect("the buffer is made");
    (session, Handle::new(4, 1))
}

fn map(session: &mut Session, buffer: Handle<Buffer>, memory: u32) -> Result<Option<ReplyStatus>, Fault> {
    let mut io = Peerless::default();
    let record = MapPersistent { buffer, memory, ..Default::default() };
    session.record(1, MapPersistent::OP, record.as_bytes(), &mut io)?;
    Ok(io.last)
}

fn share(session: &mut Session, id: u32, len: u64, keep: &Arc<()>) {
    session.memory_shared(id, SharedMemory { address: 0, len: len as usize, keep: keep.clone() });
}

/// Memory that nobody shared, or that another buffer has already, must end the session by name: two stores in one memory
/// would write over each other.
#[test]
fn memory_is_taken_once_by_its_number() {
    let (mut session, buffer) = session();
    let keep = Arc::new(());
    assert!(map(&mut session, buffer, 1).unwrap_err().detail.contains("map_persistent.memory"));
    share(&mut session, 7, SIZE, &keep);
    assert!(map(&mut session, Handle::new(5, 1), 7).unwrap_err().detail.contains("map_persistent.buffer"));
    assert_eq!(map(&mut session, buffer, 7).unwrap(), Some(ReplyStatus::Ok));
    assert!(map(&mut session, buffer, 7).unwrap_err().detail.contains("map_persistent.memory"));
}

/// A device that got less memory than the store has bytes would write behind it, into whatever the server maps there.
#[test]
fn memory_below_the_store_is_declined_and_let_go() {
    let (mut session, buffer) = session();
    let keep = Arc::new(());
    share(&mut session, 1, SIZE - 1, &keep);
    assert_eq!(map(&mut session, buffer, 1).unwrap(), Some(ReplyStatus::Declined));
    assert_eq!(Arc::strong_count(&keep), 1);
    share(&mut session, 2, SIZE, &keep);
    assert_eq!(map(&mut session, buffer, 2).unwrap(), Some(ReplyStatus::Ok));
}

/// Mappings that outlive their buffer or their session would fill the memory of a server that many programs share.
#[test]
fn memory_goes_with_its_buffer_and_its_session() {
    let (mut session, buffer) = session();
    let (taken, waiting) = (Arc::new(()), Arc::new(()));
    share(&mut session, 1, SIZE, &taken);
    share(&mut session, 2, SIZE, &waiting);
    assert_eq!(map(&mut session, buffer, 1).unwrap(), Some(ReplyStatus::Ok));
    assert_eq!((Arc::strong_count(&taken), Arc::strong_count(&waiting)), (2, 2));
    let destroy = ResourceDestroy { target: ResourceTarget::Buffer, slot: 4, generation: 1, ..Default::default() };
    session.record(1, ResourceDestroy::OP, destroy.as_bytes(), &mut Peerless::default()).unwrap();
    assert_eq!(Arc::strong_count(&taken), 1);
    drop(session);
    assert_eq!(Arc::strong_count(&waiting), 1);
}
