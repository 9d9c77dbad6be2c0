//! Worker threads for compiles and links, and the handle a caller polls or waits on.
//! Must not know what a job does; a job that panics is reported to its waiter as `None` and never takes a worker down.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

type Job = Box<dyn FnOnce() + Send>;

/// glslang recurses with the nesting of the source, which the gate before it bounds: this is several times what the deepest
/// takes. Pages that nobody reaches cost nothing.
const STACK_BYTES: usize = 32 << 20;

struct Queue {
    jobs: VecDeque<Job>,
    closed: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
}

/// A poisoned lock only means that a job panicked elsewhere; the queue itself is always consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A fixed pool of worker threads. Dropping it finishes the queued jobs first.
pub struct Jobs {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl Jobs {
    /// A pool of `threads` workers (at least one). With no thread to be had, jobs run on the submitting thread.
    pub fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue { jobs: VecDeque::new(), closed: false }),
            wake: Condvar::new(),
        });
        let workers = (0..threads.max(1))
            .filter_map(|i| {
                let shared = Arc::clone(&shared);
                let builder = std::thread::Builder::new().name(format!("mgl-glsl-{i}")).stack_size(STACK_BYTES);
                builder.spawn(move || work(&shared)).ok()
            })
            .collect();
        Self { shared, workers }
    }

    /// Queues `job`.
    pub fn submit<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
        let pending = Pending { state: Arc::new(State { slot: Mutex::new(Slot::Running), done: Condvar::new() }) };
        let state = Arc::clone(&pending.state);
        let run: Job = Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(job)).ok();
            *lock(&state.slot) = Slot::Done(result);
            state.done.notify_all();
        });
        if self.workers.is_empty() {
            run();
        } else {
            lock(&self.shared.queue).jobs.push_back(run);
            self.shared.wake.notify_one();
        }
        pending
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        lock(&self.shared.queue).closed = true;
        self.shared.wake.notify_all();
        for worker in self.workers.drain(..) {
            // A worker cannot panic (jobs are caught), and there is nobody to tell if it did.
            let _ = worker.join();
        }
    }
}

fn work(shared: &Shared) {
    loop {
        let mut queue = lock(&shared.queue);
        let job = loop {
            if let Some(job) = queue.jobs.pop_front() {
                break job;
            }
            if queue.closed {
                return;
            }
            queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        drop(queue);
        job();
    }
}

enum Slot<T> {
    Running,
    Done(Option<T>),
    Taken,
}

struct State<T> {
    slot: Mutex<Slot<T>>,
    done: Condvar,
}

/// The result of a job, now or later.
pub struct Pending<T> {
    state: Arc<State<T>>,
}

impl<T> Pending<T> {
    /// A result that is there already, e.g. from a cache.
    pub fn ready(value: T) -> Self {
        Self { state: Arc::new(State { slot: Mutex::new(Slot::Done(Some(value))), done: Condvar::new() }) }
    }

    /// True once [`wait`](Self::wait) returns without waiting (`GL_COMPLETION_STATUS`).
    pub fn is_done(&self) -> bool {
        !matches!(*lock(&self.state.slot), Slot::Running)
    }

    /// Waits for the job and takes its result. `None` when the job panicked.
    pub fn wait(self) -> Option<T> {
        let mut slot = lock(&self.state.slot);
        while matches!(*slot, Slot::Running) {
            slot = self.state.done.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
        match std::mem::replace(&mut *slot, Slot::Taken) {
            Slot::Done(result) => result,
            Slot::Running | Slot::Taken => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Jobs;

    /// A link that never reports completion hangs the program's loading screen.
    #[test]
    fn results_arrive() {
        let jobs = Jobs::new(3);
        let all: Vec<_> = (0..50u32).map(|i| jobs.submit(move || i * 2)).collect();
        let got: Vec<_> = all.into_iter().map(|p| p.wait().unwrap()).collect();
        assert_eq!(got, (0..50).map(|i| i * 2).collect::<Vec<u32>>());
    }

    /// One shader that breaks the front end must not stop the compilation of all later ones.
    #[test]
    fn a_panic_is_contained() {
        let jobs = Jobs::new(1);
        let bad = jobs.submit(|| -> u32 { panic!("broken on purpose") });
        let good = jobs.submit(|| 7);
        assert_eq!(bad.wait(), None);
        assert_eq!(good.wait(), Some(7));
    }
}
