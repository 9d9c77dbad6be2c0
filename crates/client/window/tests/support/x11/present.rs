//! The Present extension of the server: refreshes come when the test says so, or as soon as somebody waits for one.

use std::collections::HashMap;

use super::requests::{Server, u16_at, u32_at};
use super::setup::{Bytes, bits};

/// A picture that waits for its refresh.
#[derive(Clone, Debug)]
pub struct Due {
    pub window: u32,
    pub pixmap: u32,
    pub serial: u32,
    pub update: u32,
    pub options: u32,
    pub target: u64,
}

/// What it knows.
#[derive(Debug, Default)]
pub struct Present {
    pub msc: u64,
    /// Who gets events of a window.
    pub listeners: HashMap<u32, u32>,
    pub waiting: Vec<Due>,
    /// Waits for refreshes: window, serial, target.
    pub asked: Vec<(u32, u32, u64)>,
    /// Every picture that was shown, in order, with the refresh that it was shown at.
    pub shown: Vec<(Due, u64)>,
    /// Pixmaps are never given back.
    pub keeps: bool,
    /// Rectangles of regions.
    pub regions: HashMap<u32, Vec<[u16; 4]>>,
}

fn u64_at(body: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(body[at..at + 8].try_into().unwrap())
}

pub fn request(server: &mut Server, minor: u8, body: &[u8]) -> Result<(), (u8, u32)> {
    match minor {
        0 => server.reply(0, Bytes::default().u32(1).u32(2)),
        // BadValue.
        1 if u64_at(body, 60) > 0 && u64_at(body, 60) >= u64_at(body, 52) => return Err((2, 0)),
        2 if u64_at(body, 28) > 0 && u64_at(body, 28) >= u64_at(body, 20) => return Err((2, 0)),
        1 => {
            let due = Due {
                window: u32_at(body, 0),
                pixmap: u32_at(body, 4),
                serial: u32_at(body, 8),
                update: u32_at(body, 16),
                options: u32_at(body, 36),
                target: target(server.present.msc, &[u64_at(body, 44), u64_at(body, 52), u64_at(body, 60)]),
            };
            server.picture(due.window).map_err(|_| (3, due.window))?;
            server.picture(due.pixmap).map_err(|_| (4, due.pixmap))?;
            let at_once = due.options & 1 != 0 && due.target <= server.present.msc;
            server.present.waiting.push(due);
            if at_once {
                show_due(server, true);
            }
        }
        2 => {
            let wanted = target(server.present.msc, &[u64_at(body, 12), u64_at(body, 20), u64_at(body, 28)]);
            server.present.asked.push((u32_at(body, 0), u32_at(body, 4), wanted));
            answer(server);
        }
        3 => {
            server.picture(u32_at(body, 4)).map_err(|_| (3, u32_at(body, 4)))?;
            if u32_at(body, 8) == 0 {
                server.present.listeners.remove(&u32_at(body, 4));
            } else {
                server.present.listeners.insert(u32_at(body, 4), u32_at(body, 0));
            }
        }
        4 => server.reply(0, Bytes::default().u32(0)),
        _ => return Err((1, 0)),
    }
    while server.offers.free_running && !(server.present.waiting.is_empty() && server.present.asked.is_empty()) {
        server.refresh();
    }
    Ok(())
}

/// The refresh that is meant (Present, "PresentPixmap").
fn target(msc: u64, &[target, divisor, remainder]: &[u64; 3]) -> u64 {
    if divisor == 0 || target > msc {
        return target;
    }
    (msc + 1..=msc + divisor).find(|next| next % divisor == remainder).unwrap_or(target)
}

pub fn regions(server: &mut Server, minor: u8, body: &[u8]) {
    match minor {
        0 => server.reply(0, Bytes::default().u32(5).u32(0)),
        5 => {
            let rects = body[4..].chunks(8).map(|rect| [0, 2, 4, 6].map(|at| u16_at(rect, at))).collect();
            server.present.regions.insert(u32_at(body, 0), rects);
        }
        10 => drop(server.present.regions.remove(&u32_at(body, 0))),
        _ => {}
    }
}

impl Server {
    /// The screen is refreshed once.
    pub fn refresh(&mut self) {
        self.present.msc += 1;
        show_due(self, false);
        answer(self);
    }

    fn notify(&mut self, window: u32, kind: u16, event: Bytes) {
        let Some(listener) = self.present.listeners.get(&window).copied() else { return };
        let rest = event.0;
        let length = (rest.len() as u32 + 20 - 32) / 4;
        let head = Bytes::default().u8(35).u8(super::requests::PRESENT).u16(self.sequence).u32(length).u16(kind);
        let mut all = head.0;
        all.extend(&rest[..2]);
        all.extend(listener.to_le_bytes());
        all.extend(window.to_le_bytes());
        all.extend(&rest[2..]);
        self.send(&all);
    }

    fn complete(&mut self, window: u32, kind: u8, serial: u32) {
        let msc = self.present.msc;
        let event = Bytes::default().u8(kind).u8(0).u32(serial).u64(msc * 16_667).u64(msc);
        self.notify(window, 1, event);
    }
}

fn answer(server: &mut Server) {
    let msc = server.present.msc;
    let (due, later) = std::mem::take(&mut server.present.asked).into_iter().partition(|(_, _, target)| *target <= msc);
    server.present.asked = later;
    let due: Vec<(u32, u32, u64)> = due;
    for (window, serial, _) in due {
        server.complete(window, 1, serial);
    }
}

/// Shows what is due. `now`: in the middle of a refresh only what may be (PresentOptionAsync).
fn show_due(server: &mut Server, now: bool) {
    let msc = server.present.msc;
    let waiting = std::mem::take(&mut server.present.waiting);
    let is_due = |due: &Due| due.target <= msc && (!now || due.options & 1 != 0);
    let (due, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_due);
    server.present.waiting = later;
    for picture in due {
        if copy(server, &picture).is_ok() {
            server.complete(picture.window, 0, picture.serial);
        }
        if !server.present.keeps {
            let event = Bytes::default().u16(0).u32(picture.serial).u32(picture.pixmap).u32(0);
            server.notify(picture.window, 2, event);
        }
        server.present.shown.push((picture, msc));
    }
}

fn copy(server: &mut Server, due: &Due) -> Result<(), (u8, u32)> {
    let Some(rects) = server.present.regions.get(&due.update).cloned() else {
        return server.copy_all(due.pixmap, due.window);
    };
    let bytes = server.pixels(due.pixmap);
    let from = server.picture(due.pixmap)?;
    let (row, each) = (usize::from(from.width), usize::from(bits(from.depth) / 8));
    let to = server.pictures.get_mut(&due.window).ok_or((3, due.window))?;
    let (width, height) = (usize::from(to.width), usize::from(to.height));
    for [x, y, w, h] in rects.iter().map(|rect| rect.map(usize::from)) {
        for line in y..(y + h).min(height) {
            for column in x..(x + w).min(width) {
                let (source, target) = ((line * row + column) * each, (line * width + column) * each);
                to.bytes[target..target + each].copy_from_slice(&bytes[source..source + each]);
            }
        }
    }
    Ok(())
}
