//! The single-producer, single-consumer byte ring (spec 06 §2.3): commands one way, events the other. Must not know
//! what a record means, nor how either side waits.

use crate::segment::Segment;
use crate::sync::{observe, publish};
use core::sync::atomic::AtomicU64;
use mgl_base::Fault;
use std::ptr::NonNull;
use std::sync::Arc;

/// Bytes of a record header.
pub const HEADER: u64 = 8;

/// The shared parts of a ring.
#[derive(Debug)]
pub struct RingMemory {
    head: NonNull<AtomicU64>,
    tail: NonNull<AtomicU64>,
    data: NonNull<u8>,
    capacity: u64,
    segments: [Arc<Segment>; 2],
}

// SAFETY: the pointers lead into the two segments that the value keeps alive; cursors are atomics, and the bytes
// between them belong to one side at a time.
unsafe impl Send for RingMemory {}

impl RingMemory {
    /// A ring whose cursors lie at `head` and `tail` of `page` and whose bytes are `capacity` bytes of `data` from
    /// `offset`. `None` when anything lies outside or the capacity is not a power of two.
    pub fn new(
        page: &Arc<Segment>,
        cursors: [usize; 2],
        data: &Arc<Segment>,
        offset: u64,
        capacity: u64,
    ) -> Option<Self> {
        if !capacity.is_power_of_two() || !(64..=1 << 31).contains(&capacity) {
            return None;
        }
        let word = |at: usize| at.is_multiple_of(8).then(|| page.at(at as u64, 8)).flatten().map(NonNull::cast);
        Some(Self {
            head: word(cursors[0])?,
            tail: word(cursors[1])?,
            data: data.at(offset, capacity)?,
            capacity,
            segments: [page.clone(), data.clone()],
        })
    }

    #[inline(always)]
    fn head(&self) -> &AtomicU64 {
        // SAFETY: `new` proved that 8 aligned bytes are there; the segment is alive; an atomic has no invalid value.
        unsafe { self.head.as_ref() }
    }

    #[inline(always)]
    fn tail(&self) -> &AtomicU64 {
        // SAFETY: as `head`.
        unsafe { self.tail.as_ref() }
    }

    #[inline(always)]
    fn at(&self, cursor: u64) -> NonNull<u8> {
        // SAFETY: the index is below the capacity, and `new` proved that capacity bytes are there.
        unsafe { self.data.add((cursor & (self.capacity - 1)) as usize) }
    }

    fn lap_end(&self, cursor: u64) -> u64 {
        (cursor | (self.capacity - 1)).wrapping_add(1)
    }
}

/// Answer to a request for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// There is room now.
    Ready,
    /// Room will come when the tail reaches this cursor.
    WaitFor(u64),
    /// Larger than half the ring: at some heads it would never fit.
    TooBig,
    /// The consumer's cursor is impossible.
    Corrupt,
}

/// The writing side.
#[derive(Debug)]
pub struct Producer {
    memory: RingMemory,
    head: u64,
    limit: u64,
    /// Pads written, for the counters.
    pub pads: u64,
}

impl Producer {
    /// The writing side of a fresh ring.
    pub fn new(memory: RingMemory) -> Self {
        let limit = memory.capacity;
        Self { memory, head: 0, limit, pads: 0 }
    }

    /// Bytes written since the start.
    #[inline(always)]
    pub fn head(&self) -> u64 {
        self.head
    }

    /// Largest record.
    pub fn max_record(&self) -> u64 {
        self.memory.capacity / 2
    }

    /// True when `size` bytes can be written at once, without asking the consumer.
    #[inline(always)]
    pub fn fits(&self, size: u64) -> bool {
        self.head.wrapping_add(size) <= self.limit
    }

    /// Makes every later [`Producer::fits`] false, so that the fast path ends in the slow one.
    pub fn close(&mut self) {
        self.limit = 0;
    }

    /// Looks for room for `size` bytes; closes the lap with a pad when the record does not fit before the wrap.
    #[cold]
    pub fn make_room(&mut self, size: u64) -> Room {
        if size > self.max_record() {
            return Room::TooBig;
        }
        let tail = observe(self.memory.tail());
        if tail > self.head || self.head - tail > self.memory.capacity {
            return Room::Corrupt;
        }
        let end = tail + self.memory.capacity;
        let lap = self.memory.lap_end(self.head);
        if lap - self.head < size {
            if lap > end {
                return Room::WaitFor(lap - self.memory.capacity);
            }
            self.write_header(0, 0, (lap - self.head) as u32);
            self.head = lap;
            self.pads += 1;
            self.publish();
        }
        self.limit = end.min(self.memory.lap_end(self.head));
        if self.fits(size) { Room::Ready } else { Room::WaitFor(self.head + size - self.memory.capacity) }
    }

    #[inline(always)]
    fn write_header(&mut self, op: u16, flags: u16, size: u32) {
        let word = u64::from(op) | u64::from(flags) << 16 | u64::from(size) << 32;
        // SAFETY: cursors are multiples of 8, so 8 aligned bytes are left before the wrap; the caller has proved room,
        // so the consumer does not read them before the next publication.
        unsafe { self.memory.at(self.head).cast::<u64>().write(word.to_le()) };
    }

    /// Starts a record of `size` bytes (header included, a multiple of 8): `None` unless [`Producer::fits`].
    #[inline(always)]
    pub fn begin(&mut self, op: u16, flags: u16, size: u64) -> Option<RecordWriter> {
        if !self.fits(size) {
            return None;
        }
        self.write_header(op, flags, size as u32);
        // SAFETY: `fits` proved that the record lies inside the lap, so the body starts inside or at its end.
        let at = unsafe { self.memory.at(self.head).add(HEADER as usize) };
        Some(RecordWriter { at, left: size.saturating_sub(HEADER) as usize, size })
    }

    /// Publishes the record that `writer` filled.
    #[inline(always)]
    pub fn end(&mut self, writer: &RecordWriter) {
        self.head += writer.size;
        self.publish();
    }

    #[inline(always)]
    fn publish(&self) {
        publish(self.memory.head(), self.head);
    }
}

/// Fills the body of one record in place.
#[derive(Debug)]
pub struct RecordWriter {
    at: NonNull<u8>,
    left: usize,
    size: u64,
}

impl RecordWriter {
    /// Appends bytes and zeroes the padding to the next multiple of 8; false when the body is full.
    #[inline(always)]
    pub fn put(&mut self, bytes: &[u8]) -> bool {
        let padded = bytes.len().next_multiple_of(8);
        if padded > self.left {
            return false;
        }
        if padded == 0 {
            return true;
        }
        // SAFETY: `left` bytes of the reserved record remain at `at`, which is 8-aligned, and 8 <= padded <= left; the
        // source is private. The last word is zeroed first, so that what the copy leaves of it is the padding.
        unsafe {
            self.at.add(padded - 8).cast::<u64>().write(0);
            copy_short(bytes, self.at);
            self.at = self.at.add(padded);
        }
        self.left -= padded;
        true
    }

    /// True when the whole body was filled.
    #[inline(always)]
    pub fn full(&self) -> bool {
        self.left == 0
    }
}

/// Copies `bytes` to `to`; the lengths of one or two elements of a tail without a call.
///
/// # Safety
/// `bytes.len()` bytes at `to` are writable and belong to nobody else.
#[inline(always)]
unsafe fn copy_short(bytes: &[u8], to: NonNull<u8>) {
    let (from, to) = (bytes.as_ptr(), to.as_ptr());
    // SAFETY: each arm copies exactly `bytes.len()` bytes, which the caller has granted.
    unsafe {
        match bytes.len() {
            16 => std::ptr::copy_nonoverlapping(from, to, 16),
            24 => std::ptr::copy_nonoverlapping(from, to, 24),
            32 => std::ptr::copy_nonoverlapping(from, to, 32),
            n => std::ptr::copy_nonoverlapping(from, to, n),
        }
    }
}

/// A record's header as the consumer read it, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Popped {
    /// Opcode, never 0.
    pub op: u16,
    /// Ring flags.
    pub flags: u16,
    /// Bytes of the body in the scratch.
    pub len: usize,
}

/// Private, 8-aligned memory that records are copied into before anyone looks at them.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u64>,
}

impl Scratch {
    /// The first `len` bytes.
    pub fn bytes(&self, len: usize) -> &[u8] {
        use zerocopy::IntoBytes;
        self.words.as_bytes().get(..len).unwrap_or(&[])
    }

    /// The first `len` bytes, to be changed in place.
    pub fn bytes_mut(&mut self, len: usize) -> &mut [u8] {
        use zerocopy::IntoBytes;
        self.words.as_mut_bytes().get_mut(..len).unwrap_or(&mut [])
    }

    #[inline]
    fn reserve(&mut self, len: usize) -> *mut u8 {
        let words = len.div_ceil(8);
        if self.words.len() < words {
            self.words.resize(words.next_power_of_two(), 0);
        }
        self.words.as_mut_ptr().cast()
    }
}

/// Compares words of shared memory, each read once, with private ones.
///
/// # Safety
/// `words` aligned words can be read at both places.
#[inline(always)]
unsafe fn words_equal(shared: NonNull<u8>, own: *const u8, words: usize) -> bool {
    let (shared, own) = (shared.as_ptr().cast::<u64>(), own.cast::<u64>());
    // SAFETY: the caller has granted both; a torn read of shared memory gives some value, which is all that is asked.
    (0..words).all(|at| unsafe { shared.add(at).read_volatile() == own.add(at).read() })
}

/// The reading side.
#[derive(Debug)]
pub struct Consumer {
    memory: RingMemory,
    tail: u64,
    head: u64,
    published: u64,
    name: &'static str,
}

impl Consumer {
    /// The reading side of a fresh ring; `name` stands in its faults.
    pub fn new(memory: RingMemory, name: &'static str) -> Self {
        Self { memory, tail: 0, head: 0, published: 0, name }
    }

    fn corrupt(&self, what: &str) -> Fault {
        Fault::corrupt(format!("{}.{what}", self.name))
    }

    /// True when the producer has published something that was not popped.
    #[inline]
    pub fn pending(&self) -> bool {
        self.tail != self.head || observe(self.memory.head()) != self.tail
    }

    /// Bytes that were popped since the start.
    pub fn tail(&self) -> u64 {
        self.tail
    }

    /// Takes the next record: its header is read once, its body is copied to `scratch`. The producer is not trusted.
    pub fn pop(&mut self, scratch: &mut Scratch) -> Result<Option<Popped>, Fault> {
        loop {
            if self.tail == self.head && !self.refresh()? {
                return Ok(None);
            }
            // SAFETY: tail is a multiple of 8 and at least 8 bytes are left before the wrap. The producer may race
            // with this read only by breaking the protocol; a volatile read of one word then yields some value, and
            // every value is checked below.
            let word = u64::from_le(unsafe { self.memory.at(self.tail).cast::<u64>().as_ptr().read_volatile() });
            let (op, flags, size) = (word as u16, (word >> 16) as u16, word >> 32);
            let lap = self.memory.lap_end(self.tail) - self.tail;
            if size < HEADER || !size.is_multiple_of(8) || size > self.head - self.tail || size > lap {
                return Err(self.corrupt("size"));
            }
            if op == 0 {
                if size != lap {
                    return Err(self.corrupt("pad"));
                }
                self.tail += size;
                continue;
            }
            if size > self.memory.capacity / 2 {
                return Err(self.corrupt("size"));
            }
            let len = (size - HEADER) as usize;
            let to = scratch.reserve(len);
            // SAFETY: the checks above put the body inside the lap; `reserve` made room for len bytes of private
            // memory. A racing producer can tear the copy, which is proven afterwards like any other content.
            unsafe {
                let from = self.memory.at(self.tail).add(HEADER as usize);
                std::ptr::copy_nonoverlapping(from.as_ptr(), to, len);
            }
            self.tail += size;
            return Ok(Some(Popped { op, flags, len }));
        }
    }

    /// Takes the records behind `first`, which was popped last and lies in `scratch`, as long as they have its header and
    /// its first `shared` bytes, at most `most`; what differs of each is appended to `scratch`. Answers how many they
    /// are. Whatever looks wrong ends the run, and the next [`Consumer::pop`] says what it is.
    pub fn pop_run(&mut self, scratch: &mut Scratch, first: Popped, shared: usize, most: u32) -> Result<u32, Fault> {
        let (size, own) = (first.len as u64 + HEADER, first.len.saturating_sub(shared));
        if !shared.is_multiple_of(8) || own == 0 {
            return Ok(0);
        }
        let header = u64::from(first.op) | u64::from(first.flags) << 16 | size << 32;
        let mut taken = 0;
        while taken < most {
            if self.tail == self.head && !self.refresh()? {
                break;
            }
            let lap = self.memory.lap_end(self.tail) - self.tail;
            if size > self.head - self.tail || size > lap {
                break;
            }
            let end = first.len + own * taken as usize;
            let to = scratch.reserve(end + own);
            // SAFETY: the check above put `size` published bytes inside the lap, and cursors are multiples of 8. As in
            // `pop`, a racing producer can only change what is read: each word is read once, and the copy is private
            // before anyone looks at it. `reserve` made room for what is appended; `words_equal` reads `shared` bytes,
            // which is less than `first.len`, of both.
            unsafe {
                let from = self.memory.at(self.tail);
                if u64::from_le(from.cast::<u64>().as_ptr().read_volatile()) != header
                    || !words_equal(from.add(HEADER as usize), to, shared / 8)
                {
                    break;
                }
                let own_from = from.add(HEADER as usize + shared);
                std::ptr::copy_nonoverlapping(own_from.as_ptr(), to.add(end), own);
            }
            self.tail += size;
            taken += 1;
        }
        Ok(taken)
    }

    fn refresh(&mut self) -> Result<bool, Fault> {
        let head = observe(self.memory.head());
        if head < self.tail || head - self.tail > self.memory.capacity || !head.is_multiple_of(8) {
            return Err(self.corrupt("head"));
        }
        self.head = head;
        Ok(head != self.tail)
    }

    /// Gives the popped bytes back once they are worth it (an eighth of the ring), or always when `force`. True when
    /// the cursor moved.
    pub fn release(&mut self, force: bool) -> bool {
        let owed = self.tail - self.published;
        if owed == 0 || (!force && owed < self.memory.capacity / 8) {
            return false;
        }
        self.published = self.tail;
        publish(self.memory.tail(), self.tail);
        true
    }

    /// The tail as the producer can see it.
    pub fn released(&self) -> u64 {
        self.published
    }

    /// Segments that the ring lives in.
    pub fn segments(&self) -> &[Arc<Segment>; 2] {
        &self.memory.segments
    }
}

#[cfg(test)]
mod tests {
    use super::{Consumer, Producer, RingMemory, Room, Scratch};
    use crate::segment::Segment;
    use proptest::prelude::{ProptestConfig, any, prop, proptest};
    use std::collections::VecDeque;
    use std::sync::Arc;

    const CAPACITY: u64 = 256;

    fn ring() -> (Producer, Consumer, Arc<Segment>) {
        let segment = Arc::new(Segment::private(4096 + CAPACITY as usize).unwrap());
        let memory = || RingMemory::new(&segment, [0, 64], &segment, 4096, CAPACITY).unwrap();
        (Producer::new(memory()), Consumer::new(memory(), "ring"), segment.clone())
    }

    /// Draws that are alike but for their ranges become one: a record that differs, a torn size or the end of what is
    /// published must end the run, or a draw is lost or drawn with another one's state.
    #[test]
    fn a_run_takes_what_is_alike_and_nothing_else() {
        let (mut tx, mut rx, _segment) = ring();
        let mut scratch = Scratch::default();
        let mut push = |op: u16, body: [u64; 3]| {
            let bytes: Vec<u8> = body.iter().flat_map(|w| w.to_le_bytes()).collect();
            let mut writer = tx.begin(op, 0, 32).unwrap();
            assert!(writer.put(&bytes));
            tx.end(&writer);
        };
        push(5, [1, 2, 10]);
        push(5, [1, 2, 11]);
        push(5, [1, 2, 12]);
        push(5, [1, 3, 13]);
        push(6, [1, 3, 14]);
        let first = rx.pop(&mut scratch).unwrap().unwrap();
        assert_eq!(rx.pop_run(&mut scratch, first, 16, 100).unwrap(), 2);
        let words: Vec<u8> = [1u64, 2, 10, 11, 12].iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(scratch.bytes(40), words);
        let next = rx.pop(&mut scratch).unwrap().unwrap();
        assert_eq!(rx.pop_run(&mut scratch, next, 16, 100).unwrap(), 0);
        assert_eq!(rx.pop(&mut scratch).unwrap().map(|p| p.op), Some(6));
        assert_eq!(rx.pop(&mut scratch).unwrap(), None);
    }

    /// A run is bounded, and goes on across the wrap of the ring as single records do.
    #[test]
    fn runs_are_bounded_and_survive_the_wrap() {
        let (mut tx, mut rx, _segment) = ring();
        let mut scratch = Scratch::default();
        let (mut sent, mut seen) = (0u64, Vec::new());
        for _ in 0..50 {
            while tx.fits(24) || tx.make_room(24) == Room::Ready {
                let mut writer = tx.begin(9, 0, 24).unwrap();
                assert!(writer.put(&7u64.to_le_bytes()) && writer.put(&sent.to_le_bytes()));
                tx.end(&writer);
                sent += 1;
            }
            while let Some(first) = rx.pop(&mut scratch).unwrap() {
                let joined = rx.pop_run(&mut scratch, first, 8, 3).unwrap() as usize;
                assert!(joined <= 3);
                let own = scratch.bytes(16 + 8 * joined)[8..].chunks_exact(8);
                seen.extend(own.map(|b| u64::from_le_bytes(b.try_into().unwrap())));
            }
            rx.release(true);
        }
        assert_eq!(seen, (0..sent).collect::<Vec<_>>());
    }

    proptest! {
        /// Records must come out as they went in at every position of the wrap, and room must come back.
        #[test]
        fn whatever_goes_in_comes_out(list in prop::collection::vec((0u64..16, any::<u8>(), any::<bool>()), 1..300)) {
            let (mut tx, mut rx, _segment) = ring();
            let mut scratch = Scratch::default();
            let mut expected: VecDeque<(u16, Vec<u8>)> = VecDeque::new();
            for (words, tag, force) in list {
                let body = vec![tag; (words * 8) as usize];
                let size = 8 + body.len() as u64;
                let mut tries = 0;
                while !tx.fits(size) {
                    tries += 1;
                    assert!(tries < 200, "room comes back");
                    match tx.make_room(size) {
                        Room::Ready => {}
                        Room::WaitFor(tail) => {
                            assert!(tail <= tx.head());
                            let got = rx.pop(&mut scratch).unwrap();
                            if let Some(p) = got {
                                let (op, bytes) = expected.pop_front().unwrap();
                                assert_eq!((p.op, scratch.bytes(p.len)), (op, &bytes[..]));
                            }
                            rx.release(force || got.is_none());
                        }
                        other => panic!("{other:?}"),
                    }
                }
                let op = 1 + u16::from(tag);
                let mut writer = tx.begin(op, 0, size).unwrap();
                assert!(writer.put(&body) && writer.full());
                tx.end(&writer);
                expected.push_back((op, body));
            }
            while let Some(p) = rx.pop(&mut scratch).unwrap() {
                let (op, bytes) = expected.pop_front().unwrap();
                assert_eq!((p.op, scratch.bytes(p.len)), (op, &bytes[..]));
            }
            assert!(expected.is_empty() && !rx.pending());
        }

    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        /// Nothing that a peer writes into the shared memory may make the consumer panic or read outside.
        #[test]
        fn impossible_headers_are_faults(words in prop::collection::vec(any::<u64>(), 32), head in any::<u64>(), sane in any::<bool>()) {
            let (_tx, mut rx, segment) = ring();
            for (n, word) in words.iter().enumerate() {
                let word = if sane { word & 0x0000_00F8_FFFF_FFFF } else { *word };
                segment.copy_in(4096 + n as u64 * 8, &word.to_le_bytes());
            }
            let head = if sane { (head % (CAPACITY + 1)) & !7 } else { head };
            segment.copy_in(0, &head.to_le_bytes());
            let mut scratch = Scratch::default();
            for _ in 0..64 {
                match rx.pop(&mut scratch) {
                    Ok(Some(p)) => assert!(p.len as u64 <= CAPACITY / 2),
                    Ok(None) => break,
                    Err(fault) => {
                        assert!(fault.detail.starts_with("ring."));
                        break;
                    }
                }
            }
        }
    }

    /// A record that fits at some positions only would hang the program when it meets another one.
    #[test]
    fn more_than_half_the_ring_is_too_big() {
        let (mut tx, ..) = ring();
        assert_eq!(tx.make_room(CAPACITY / 2 + 8), Room::TooBig);
        assert_eq!(tx.make_room(CAPACITY / 2), Room::Ready);
    }

    /// A server that moves the tail beyond the head would make the client overwrite what is still unread.
    #[test]
    fn an_impossible_tail_is_noticed() {
        let (mut tx, _rx, segment) = ring();
        segment.copy_in(64, &8u64.to_le_bytes());
        assert_eq!(tx.make_room(16), Room::Corrupt);
    }

    /// After half a word every header would be read from the middle of another record.
    #[test]
    fn sizes_are_whole_words() {
        for size in [0u64, 4, 9, 12, 20] {
            let (_tx, mut rx, segment) = ring();
            segment.copy_in(4096, &(1 | size << 32).to_le_bytes());
            segment.copy_in(0, &64u64.to_le_bytes());
            assert!(rx.pop(&mut Scratch::default()).is_err(), "{size}");
        }
    }
}
