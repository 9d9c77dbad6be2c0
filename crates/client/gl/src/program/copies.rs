//! What each context has been sent of a program's default uniform block. The values are the program's, which contexts
//! share, but a draw takes those that its context was sent: no context has to wait for another one's draws before it sets
//! a uniform. Must not know where the bytes lie.

use std::ops::Range;

/// The contexts that a program was sent to, by flow.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    list: Vec<Own>,
    /// Flow of the context that changes values now.
    pub(crate) editor: u32,
}

#[derive(Debug)]
struct Own {
    flow: u32,
    /// Bytes that the context was not sent yet.
    stale: Range<usize>,
    /// Another context changed some of them.
    foreign: bool,
}

impl Copies {
    /// Bytes of the block have changed.
    #[inline]
    pub(crate) fn changed(&mut self, bytes: Range<usize>) {
        for own in &mut self.list {
            own.foreign |= own.flow != self.editor;
            own.stale = if own.stale.is_empty() {
                bytes.clone()
            } else {
                own.stale.start.min(bytes.start)..own.stale.end.max(bytes.end)
            };
        }
    }
    /// True when a context was sent the block before.
    #[inline]
    pub(crate) fn has(&self, flow: u32) -> bool {
        self.list.iter().any(|own| own.flow == flow)
    }
    /// A context is to be sent all `size` bytes; those that are gone are forgotten.
    pub(crate) fn begin(&mut self, flow: u32, size: usize, is_live: impl Fn(u32) -> bool) {
        self.list.retain(|own| own.flow != flow && is_live(own.flow));
        self.list.push(Own { flow, stale: 0..size, foreign: false });
    }
    /// What a context has yet to be sent.
    #[inline]
    pub(crate) fn stale(&self, flow: u32) -> Range<usize> {
        self.list.iter().find(|own| own.flow == flow).map_or(0..0, |own| own.stale.clone())
    }
    /// A context was sent everything.
    #[inline]
    pub(crate) fn sent(&mut self, flow: u32) {
        if let Some(own) = self.list.iter_mut().find(|own| own.flow == flow) {
            (own.stale, own.foreign) = (0..0, false);
        }
    }
    /// True when another context changed what this one need not see before it binds the program again (GL 4.6 §5.3).
    pub(crate) fn changed_elsewhere(&self, flow: u32) -> bool {
        self.list.iter().find(|own| own.flow == flow).is_some_and(|own| own.foreign)
    }
}

#[cfg(test)]
mod tests {
    use super::Copies;

    /// If this fails, a window draws with uniform values that were never sent for it.
    #[test]
    fn each_context_is_sent_what_it_lacks() {
        let mut copies = Copies::default();
        copies.begin(1, 64, |_| true);
        copies.sent(1);
        copies.editor = 1;
        copies.changed(16..20);
        copies.begin(2, 64, |_| true);
        assert_eq!((copies.stale(1), copies.stale(2)), (16..20, 0..64));
        copies.sent(2);
        copies.changed(0..4);
        assert_eq!((copies.stale(1), copies.stale(2)), (0..20, 0..4));
        assert!(copies.changed_elsewhere(2) && !copies.changed_elsewhere(1));
        copies.begin(3, 64, |flow| flow != 2);
        assert!(copies.has(1) && !copies.has(2), "a context that is gone");
    }
}
