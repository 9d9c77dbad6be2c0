//! The wire fingerprint (spec 06b §3.2): equal on both ends exactly when they lay out everything that crosses alike.
//! Must not contain negotiated sizes.

use super::messages::{CONTROL_REVISION, PROTOCOL_VERSION};
use crate::page::{FlowPage, SessionPage};
use core::mem::offset_of;
use mgl_pipe::{CATALOGUE, RecordHeader};
use std::fmt::Write;

/// The fingerprint of this build.
pub fn wire() -> u64 {
    let mut text = String::with_capacity(16 << 10);
    describe(&mut text);
    mgl_base::hash::content_hash(text.as_bytes())
}

fn describe(out: &mut String) {
    let header = size_of::<RecordHeader>();
    let order = if cfg!(target_endian = "little") { "le" } else { "be" };
    // Writing to a String cannot fail.
    let _ = writeln!(out, "mobilegl {PROTOCOL_VERSION} {CONTROL_REVISION} {order} {} {header}", usize::BITS);
    let pages = [
        size_of::<FlowPage>(),
        size_of::<SessionPage>(),
        offset_of!(FlowPage, applied_tail),
        offset_of!(FlowPage, applied),
        offset_of!(FlowPage, server_epoch),
        offset_of!(FlowPage, producer_parked),
        offset_of!(FlowPage, event_full),
        offset_of!(FlowPage, wait_value),
        offset_of!(FlowPage, event_head),
        offset_of!(FlowPage, event_tail),
        offset_of!(SessionPage, parked),
        offset_of!(SessionPage, control_pending),
    ];
    let _ = writeln!(out, "pages {pages:?}");
    for record in CATALOGUE {
        let _ = writeln!(out, "{} {} {:?} {:?} {}", record.op, record.name, record.class, record.wait, record.head);
        for field in record.fields {
            let _ = writeln!(out, " {} {} {} {}", field.name, field.ty, field.offset, field.size);
        }
        for tail in record.tails {
            let _ = writeln!(out, " [{} {} {}]", tail.name, tail.ty, tail.element);
        }
    }
}

#[cfg(test)]
mod tests {
    /// A fingerprint that changes between two calls would refuse every connection.
    #[test]
    fn the_fingerprint_is_stable_and_covers_every_record() {
        assert_eq!(super::wire(), super::wire());
        let mut text = String::new();
        super::describe(&mut text);
        assert!(mgl_pipe::CATALOGUE.iter().all(|r| text.contains(r.name)));
    }
}
