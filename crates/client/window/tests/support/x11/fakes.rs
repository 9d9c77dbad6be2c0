//! What a window asks of the rest of the client: memory in common with the server, and when a picture is finished.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};

use mgl_link::segment::Segment;
use mgl_window::window::{Frame, Gone, Memory, Pixels, Ready, Rect, Slot, Target};

/// Memory, as a session would give it.
#[derive(Debug, Default)]
pub struct Store {
    next: u32,
    /// What is shared now.
    pub live: HashMap<u32, usize>,
    /// Ids that were forgotten.
    pub forgotten: Vec<u32>,
    /// Nothing is given out any more.
    pub empty: bool,
}

impl Memory for Store {
    fn share(&mut self, len: usize) -> Option<Pixels> {
        if self.empty {
            return None;
        }
        self.next += 1;
        self.live.insert(self.next, len);
        Some(Pixels { id: self.next, segment: Arc::new(Segment::shared(len).unwrap()) })
    }

    fn forget(&mut self, id: u32) {
        assert!(self.live.remove(&id).is_some(), "{id} is not shared");
        self.forgotten.push(id);
    }
}

/// When a picture is finished: the test says so.
#[derive(Debug, Default)]
pub struct Gate {
    state: Mutex<Option<Result<(), Gone>>>,
    opened: Condvar,
}

impl Gate {
    pub fn shut() -> Arc<Self> {
        Arc::default()
    }

    pub fn open() -> Arc<Self> {
        let gate = Self::shut();
        gate.set(Ok(()));
        gate
    }

    pub fn set(&self, to: Result<(), Gone>) {
        *self.state.lock().unwrap() = Some(to);
        self.opened.notify_all();
    }
}

impl Ready for Gate {
    fn is_done(&self) -> bool {
        self.state.lock().unwrap().is_some()
    }

    fn wait(&self) -> Result<(), Gone> {
        let mut state = self.state.lock().unwrap();
        loop {
            if let Some(result) = state.clone() {
                return result;
            }
            state = self.opened.wait(state).unwrap();
        }
    }
}

/// Fills the picture with words of 4 bytes that tell row, column and `tag`, and makes a frame of it.
pub fn paint(slot: Slot, tag: u8, ready: Arc<Gate>) -> Frame {
    for y in 0..slot.extent.height {
        let row: Vec<u8> = (0..slot.extent.width).flat_map(|x| [x as u8, y as u8, tag, 0xff]).collect();
        assert!(slot.pixels.segment.copy_in(slot.offset + u64::from(y) * u64::from(slot.stride), &row));
    }
    Frame { slot, ready, damage: Vec::<Rect>::new(), interval: 0, target: Target::default() }
}
