//! Finished pictures on their way to a client elsewhere: a thread of its own sends them, so that the records of the next frame are
//! applied meanwhile, and raises a frame as complete only behind its last byte. Must not know what is in them.
//!
//! Nothing is copied to wait here: a picture lies in memory that the client has reserved for it until its frame is complete.
//! Frames that wait are few; beyond that, whoever completes the next one waits, for as long as the client is there.

use super::frame::CHUNK;
use super::locked;
use super::server::{FlowPost, ServerStream};
use super::writer::Broken;
use crate::error::LinkError;
use crate::segment::Segment;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Frames that may wait to be sent.
const MOST: usize = 8;
/// Rows that lie this close are sent as one run: the gap is smaller than a header, and belongs to nobody.
const GAP: u64 = 32;

/// Where a picture was written.
#[derive(Clone, Debug)]
pub struct Span {
    /// The memory.
    pub memory: Arc<Segment>,
    /// What both ends call it.
    pub id: u32,
    /// Its first byte.
    pub offset: u64,
    /// Rows, at least one.
    pub rows: u32,
    /// Bytes from row to row.
    pub stride: u32,
    /// Bytes of a row.
    pub row: u32,
}

impl Span {
    /// True when all of it lies in its memory.
    pub fn fits(&self) -> bool {
        self.memory.at(self.offset, self.extent()).is_some() && self.rows != 0 && self.row <= self.stride
    }

    fn extent(&self) -> u64 {
        u64::from(self.rows.saturating_sub(1)) * u64::from(self.stride) + u64::from(self.row)
    }

    /// What is sent as one: how many runs, and the bytes of each.
    fn runs(&self) -> (u32, u64) {
        let close = u64::from(self.stride) < u64::from(self.row) + GAP;
        if close { (1, self.extent()) } else { (self.rows, u64::from(self.row)) }
    }
}

#[derive(Debug)]
struct Job {
    post: Arc<FlowPost>,
    serial: u64,
    spans: Vec<Span>,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// A frame is being sent.
    busy: bool,
    ended: bool,
    thread: Option<JoinHandle<()>>,
}

/// The frames of a session that are on their way.
#[derive(Debug, Default)]
pub struct Pictures {
    queue: Mutex<Queue>,
    changed: Condvar,
}

impl Pictures {
    /// Frame `serial` of a flow is complete on this side. The client hears of it behind the bytes of `spans`, and behind every
    /// frame before.
    pub fn complete(&self, post: &Arc<FlowPost>, serial: u64, spans: Vec<Span>) {
        let mut queue = locked(&self.queue);
        if spans.is_empty() && queue.jobs.is_empty() && !queue.busy {
            drop(queue);
            return post.raise(serial);
        }
        while queue.jobs.len() >= MOST && !queue.ended {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.ended {
            return;
        }
        if queue.thread.is_none() {
            match start(post.stream()) {
                Ok(thread) => queue.thread = Some(thread),
                Err(error) => {
                    tracing::warn!(%error, "pictures are sent by the thread that draws them");
                    drop(queue);
                    return post.stream().send_frame(&Job { post: post.clone(), serial, spans });
                }
            }
        }
        queue.jobs.push_back(Job { post: post.clone(), serial, spans });
        drop(queue);
        self.changed.notify_all();
    }

    /// Nothing is sent any more. The connection is shut down already, so that nobody waits in it.
    pub fn end(&self) {
        let mut queue = locked(&self.queue);
        queue.ended = true;
        queue.jobs.clear();
        let thread = queue.thread.take();
        drop(queue);
        self.changed.notify_all();
        if let Some(thread) = thread {
            // A panic there has nothing left to end.
            let _ = thread.join();
        }
    }

    fn next(&self) -> Option<Job> {
        let mut queue = locked(&self.queue);
        queue.busy = false;
        self.changed.notify_all();
        loop {
            if queue.ended {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                queue.busy = true;
                return Some(job);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn start(stream: &Arc<ServerStream>) -> Result<JoinHandle<()>, LinkError> {
    let stream = stream.clone();
    let work = move || {
        while let Some(job) = stream.pictures().next() {
            stream.send_frame(&job);
        }
    };
    std::thread::Builder::new().name("mgl-pictures".into()).spawn(work).map_err(|e| LinkError::os("picture thread", e))
}

impl ServerStream {
    fn send_frame(&self, job: &Job) {
        for span in &job.spans {
            // A connection that is gone is noticed by the apply thread where it waits.
            if self.send_span(job.post.id(), span).is_err() {
                break;
            }
        }
        job.post.raise(job.serial);
    }

    /// Sends a chunk or a few short rows at a time: answers go between them.
    fn send_span(&self, flow: u32, span: &Span) -> Result<(), Broken> {
        let (runs, len) = span.runs();
        let (mut run, mut done) = (0, 0);
        while run < runs {
            let mut writer = self.writer_between();
            let mut room = CHUNK as u64;
            while run < runs && room != 0 {
                let at = span.offset + u64::from(run) * u64::from(span.stride) + done;
                let part = (len - done).min(room);
                writer.picture(flow, span.id, &span.memory, at..at + part)?;
                (done, room) = (done + part, room - part);
                if done == len {
                    (run, done) = (run + 1, 0);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Span};
    use crate::bell::Bell;
    use crate::memory::FlowMemory;
    use crate::page::{PAGE, SessionPage};
    use crate::segment::{Mapped, Segment};
    use crate::server::Limits;
    use crate::stream::{FlowPost, ServerStream, Terms};
    use rustix::fd::OwnedFd;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    const LEN: u32 = 1 << 20;

    fn pair() -> (OwnedFd, OwnedFd) {
        socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap()
    }

    fn stream(data: OwnedFd, witness: OwnedFd) -> (Arc<ServerStream>, Arc<FlowPost>) {
        let page = Mapped::<SessionPage>::new(&Arc::new(Segment::private(PAGE).unwrap())).unwrap();
        let terms = Terms { pack: false, slots: 0 };
        let stream = ServerStream::start(data, witness, terms, page, &Bell::new().unwrap()).unwrap();
        let post = stream.register(&FlowMemory::create(Limits::default().terms(1), true).unwrap()).unwrap();
        (stream, post)
    }

    fn span() -> Span {
        let memory = Arc::new(Segment::private(LEN as usize).unwrap());
        Span { memory, id: 1, offset: 0, rows: 1, stride: LEN, row: LEN }
    }

    /// If this fails, a client that reads nothing makes the server keep frame after frame for it.
    #[test]
    fn few_frames_wait_for_a_client_that_reads_nothing() {
        let (data, client) = pair();
        let (witness, alive) = pair();
        let (stream, post) = stream(data, witness);
        let frames = 3 * MOST as u64;
        let done = AtomicU64::new(0);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for serial in 1..=frames {
                    post.complete(serial, vec![span()]);
                    done.store(serial, Ordering::SeqCst);
                }
            });
            // One is being sent, the others wait: so many can be completed at once, and no more.
            while done.load(Ordering::SeqCst) < MOST as u64 {
                std::thread::yield_now();
            }
            std::thread::sleep(Duration::from_millis(50));
            assert!(done.load(Ordering::SeqCst) <= MOST as u64 + 1);
            let mut received = 0;
            let mut buffer = vec![0; 1 << 16];
            while received < frames * u64::from(LEN) {
                received += rustix::io::read(&client, &mut buffer).unwrap() as u64;
            }
        });
        assert_eq!(done.load(Ordering::SeqCst), frames);
        stream.close();
        drop(alive);
    }

    /// If this fails, a session whose client died in the middle of a picture never ends.
    #[test]
    fn a_client_that_is_gone_is_not_waited_for() {
        let (data, client) = pair();
        let (witness, alive) = pair();
        let (stream, post) = stream(data, witness);
        std::thread::scope(|scope| {
            scope.spawn(|| (1..=3 * MOST as u64).for_each(|serial| post.complete(serial, vec![span()])));
            std::thread::sleep(Duration::from_millis(20));
            drop((client, alive));
        });
        stream.close();
    }

    /// If this fails, a server whose session ends while a picture is being sent stays behind.
    #[test]
    fn the_end_of_a_session_ends_what_is_being_sent() {
        let ((data, _client), (witness, _alive)) = (pair(), pair());
        let (stream, post) = stream(data, witness);
        post.complete(1, vec![span()]);
        post.complete(2, vec![span()]);
        stream.close();
    }

    /// A picture outside of its memory must not be read; rows that are close travel together, others do not.
    #[test]
    fn places_are_checked_and_runs_joined() {
        let good = Span { rows: 4, stride: LEN / 4, row: 100, ..span() };
        assert!(good.fits() && good.runs() == (4, 100));
        let close = Span { row: LEN / 4 - 8, ..good.clone() };
        assert!(close.fits() && close.runs() == (1, u64::from(LEN) - 8));
        for bad in [
            Span { rows: 0, ..good.clone() },
            Span { rows: 5, ..good.clone() },
            Span { offset: u64::from(LEN) / 4, ..good.clone() },
            Span { offset: u64::MAX, ..good.clone() },
            Span { row: LEN / 4 + 1, rows: 1, ..good.clone() },
            Span { rows: u32::MAX, stride: u32::MAX, row: u32::MAX, ..good.clone() },
        ] {
            assert!(!bad.fits(), "{bad:?}");
        }
    }
}
