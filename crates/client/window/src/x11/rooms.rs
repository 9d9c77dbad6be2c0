//! Rooms for pictures: which there are, who has each, and when its memory is exchanged. Must not know X11 or threads.

use std::time::Instant;

use mgl_pipe::tokens::PixelLayout;

use super::visuals::row_bytes;
use crate::window::{Extent, Pixels, Slot};

/// More are never there: one is drawn to, one waits, one is with the server.
pub(super) const ROOMS: usize = 3;

/// Who has a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Holder {
    /// Nobody.
    #[default]
    Nobody,
    /// The program draws to it.
    Program,
    /// Waits for its turn.
    Queue,
    /// The presenting thread brings it to the server, since then.
    Presenter(Instant),
    /// Present has it, since then, until it says that it is idle.
    Server(Instant),
}

/// What the X server calls a room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    /// Segment of MIT-SHM over the room's memory.
    pub(super) segment: Option<u32>,
    /// Pixmap of the size beside it: over the memory, or what the memory is copied to.
    pub(super) pixmap: Option<(u32, Extent)>,
    /// The pixmap lies over the memory.
    pub(super) shared: bool,
}

/// A room.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) holder: Holder,
    /// Memory, when there is any yet.
    pub(super) pixels: Option<Pixels>,
    pub(super) names: Names,
    /// Size of what it holds.
    extent: Extent,
    /// Which presented picture it holds; 0 = nothing that is defined.
    picture: u64,
}

impl Room {
    /// The memory does not do for pictures of `bytes`: too small, or a waste.
    pub(super) fn is_unfit(&self, bytes: usize) -> bool {
        const SMALL: usize = 1 << 20;
        match &self.pixels {
            None => true,
            Some(pixels) => {
                let size = pixels.segment.size();
                size < bytes || (size > SMALL && size / 4 > bytes)
            }
        }
    }

    /// The room is given to the program for a picture of `extent`. `presented` pictures were given so far.
    pub(super) fn hand_out(
        &mut self,
        index: usize,
        extent: Extent,
        layout: PixelLayout,
        presented: u64,
    ) -> Option<Slot> {
        let pixels = self.pixels.clone()?;
        if self.extent != extent {
            self.extent = extent;
            self.picture = 0;
        }
        self.holder = Holder::Program;
        let age = if self.picture == 0 { 0 } else { u32::try_from(presented + 1 - self.picture).unwrap_or(0) };
        Some(Slot { index, pixels, offset: 0, stride: row_bytes(layout, extent.width), extent, age })
    }

    /// The room holds picture number `picture` now.
    pub(super) fn fill(&mut self, picture: u64) {
        self.picture = picture;
        self.holder = Holder::Queue;
    }

    /// What the room holds is of no use.
    pub(super) fn spoil(&mut self) {
        self.picture = 0;
    }

    /// The memory is taken out: what it was called is returned as well.
    pub(super) fn empty(&mut self) -> (Names, Option<Pixels>) {
        self.picture = 0;
        self.extent = Extent::default();
        (std::mem::take(&mut self.names), self.pixels.take())
    }
}

/// The free room that does best for `extent`: one that holds a picture of the size, the newest first; else any.
pub(super) fn best(rooms: &[Room; ROOMS], extent: Extent) -> Option<usize> {
    let free = rooms.iter().enumerate().filter(|(_, room)| room.holder == Holder::Nobody);
    free.max_by_key(|(_, room)| (room.extent == extent, room.picture, room.pixels.is_some())).map(|(index, _)| index)
}

/// How much memory a room is given for pictures of `bytes`: a window that grows bit by bit shall not need another at every step.
pub(super) fn generous(bytes: usize) -> usize {
    (bytes + bytes / 8).next_multiple_of(1 << 16)
}

#[cfg(test)]
mod tests {
    use super::{Holder, ROOMS, Room, best, generous};
    use crate::window::{Extent, Pixels};
    use mgl_link::segment::Segment;
    use mgl_pipe::tokens::PixelLayout;
    use std::sync::Arc;

    const SIZE: Extent = Extent { width: 5, height: 4 };

    fn room(bytes: usize) -> Room {
        let pixels = Pixels { id: 1, segment: Arc::new(Segment::shared(bytes).unwrap()) };
        Room { pixels: Some(pixels), ..Room::default() }
    }

    /// If this fails, a program that repaints only what changed since a picture that old paints too little.
    #[test]
    fn age_counts_pictures_since_the_room_was_filled() {
        let mut room = room(4096);
        let age = |room: &mut Room, extent, presented| {
            room.hand_out(0, extent, PixelLayout::X8R8G8B8, presented).unwrap().age
        };
        assert_eq!(age(&mut room, SIZE, 0), 0);
        room.fill(1);
        assert_eq!(age(&mut room, SIZE, 1), 1, "what was shown last");
        assert_eq!(age(&mut room, SIZE, 3), 3);
        assert_eq!(age(&mut room, Extent { width: 6, height: 4 }, 3), 0, "another size has nothing");
        room.fill(4);
        room.spoil();
        assert_eq!(age(&mut room, Extent { width: 6, height: 4 }, 4), 0);
    }

    /// If this fails, rows of 16-bit pixels are skewed in windows of odd width.
    #[test]
    fn rows_are_whole_words() {
        let mut room = room(4096);
        assert_eq!(room.hand_out(0, SIZE, PixelLayout::R5G6B5, 0).unwrap().stride, 12);
        assert_eq!(room.hand_out(0, SIZE, PixelLayout::X8R8G8B8, 0).unwrap().stride, 20);
    }

    /// If this fails, every step of a resize costs new memory, or a window that was large once keeps that for ever.
    #[test]
    fn memory_is_exchanged_when_it_must() {
        assert!(generous(100) == 1 << 16 && generous(8 << 20) == 9 << 20);
        let room = room(4 << 20);
        assert!(!room.is_unfit(4 << 20) && !room.is_unfit(1 << 20));
        assert!(room.is_unfit((4 << 20) + 1) && room.is_unfit((1 << 20) - 1));
        assert!(!super::Room { pixels: self::room(65536).pixels, ..Room::default() }.is_unfit(1));
        assert!(Room::default().is_unfit(1));
    }

    /// If this fails, a program that asks for the buffer's age repaints everything although the newest picture was at hand.
    #[test]
    fn the_newest_free_room_is_handed_out() {
        let mut rooms: [Room; ROOMS] = [room(4096), room(4096), Room::default()];
        for (picture, room) in rooms.iter_mut().take(2).enumerate() {
            room.hand_out(0, SIZE, PixelLayout::X8R8G8B8, 0).unwrap();
            room.fill(picture as u64 + 1);
            room.holder = Holder::Nobody;
        }
        assert_eq!(best(&rooms, SIZE), Some(1));
        rooms[1].holder = Holder::Queue;
        assert_eq!(best(&rooms, SIZE), Some(0));
        rooms[0].holder = Holder::Program;
        assert_eq!(best(&rooms, SIZE), Some(2));
        rooms[2].holder = Holder::Program;
        assert_eq!(best(&rooms, SIZE), None);
    }
}
