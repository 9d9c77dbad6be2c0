//! The ways a picture can go to the X server, which are there, and which one is taken. Must not know windows.

use std::fmt::{Display, Formatter};

/// How bytes get to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// The memory is itself a pixmap of the server (MIT-SHM, `ShmCreatePixmap`).
    SharedPixmap,
    /// The server copies out of the memory (MIT-SHM, `ShmPutImage`).
    Segment,
    /// The bytes go over the connection (`PutImage`).
    Bytes,
}

/// A way of presenting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// How bytes get to the server.
    pub carry: Carry,
    /// The server shows pictures at refreshes of the screen (Present); otherwise they are put as they come, at the times of a
    /// clock of ours.
    pub present: bool,
}

/// What `MOBILEGL_PRESENT` may say beside `auto`, best first.
const WORDS: [(&str, Way); 5] = [
    ("shm-pixmap", Way { carry: Carry::SharedPixmap, present: true }),
    ("shm-present", Way { carry: Carry::Segment, present: true }),
    ("shm", Way { carry: Carry::Segment, present: false }),
    ("put-present", Way { carry: Carry::Bytes, present: true }),
    ("put", Way { carry: Carry::Bytes, present: false }),
];

impl Display for Way {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let word = WORDS.iter().find(|(_, way)| way == self).map_or("shm-pixmap", |(word, _)| word);
        f.write_str(word)
    }
}

/// What a server has of what ways need: why not, when it is not there.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    /// MIT-SHM with descriptors.
    pub(super) segments: Result<(), String>,
    /// Pixmaps in such memory.
    pub(super) shared_pixmaps: Result<(), String>,
    /// The Present extension.
    pub(super) present: Result<(), String>,
}

impl Offer {
    fn has(&self, way: Way) -> Result<(), &str> {
        if way.present {
            self.present.as_ref().map_err(String::as_str)?;
        }
        match way.carry {
            Carry::Bytes => Ok(()),
            Carry::Segment => self.segments.as_ref().map_err(String::as_str).copied(),
            Carry::SharedPixmap => {
                self.segments.as_ref().and(self.shared_pixmaps.as_ref()).map_err(String::as_str).copied()
            }
        }
    }

    /// The way to take, and in words why. `wanted` is what `MOBILEGL_PRESENT` says.
    ///
    /// # Errors
    /// What `wanted` names is not there.
    pub(super) fn choose(&self, wanted: Option<&str>) -> Result<(Way, String), String> {
        if let Some(word) = wanted.filter(|word| *word != "auto") {
            let Some((_, way)) = WORDS.iter().find(|(known, _)| *known == word) else {
                let known: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
                return Err(format!("MOBILEGL_PRESENT={word}: use auto, {}", known.join(", ")));
            };
            return match self.has(*way) {
                Ok(()) => Ok((*way, format!("{word}: MOBILEGL_PRESENT asks for it"))),
                Err(why) => Err(format!("MOBILEGL_PRESENT={word}: {why}; auto takes what there is")),
            };
        }
        let mut reasons = Vec::new();
        for (word, way) in WORDS {
            match self.has(way) {
                Err(why) => reasons.push(why),
                Ok(()) => {
                    reasons.dedup();
                    let why = if reasons.is_empty() { "the best there is".to_owned() } else { reasons.join("; ") };
                    return Ok((way, format!("{word}: {why}")));
                }
            }
        }
        Err("there is no way to present".into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Carry, Offer, Way};

    fn offer(segments: bool, shared_pixmaps: bool, present: bool) -> Offer {
        let said = |there: bool, why: &str| if there { Ok(()) } else { Err(why.to_owned()) };
        Offer {
            segments: said(segments, "no memory in common"),
            shared_pixmaps: said(shared_pixmaps, "no shared pixmaps"),
            present: said(present, "no Present"),
        }
    }

    /// If this fails, a program is shown by a worse way than its X server has, or `doctor` cannot say why.
    #[test]
    fn the_best_way_is_taken_and_said() {
        let chosen = |offer: Offer| offer.choose(None).unwrap();
        assert_eq!(chosen(offer(true, true, true)).0, Way { carry: Carry::SharedPixmap, present: true });
        assert_eq!(chosen(offer(true, false, true)).0, Way { carry: Carry::Segment, present: true });
        let (way, why) = chosen(offer(true, true, false));
        assert_eq!(way, Way { carry: Carry::Segment, present: false });
        assert_eq!(why, "shm: no Present");
        assert_eq!(chosen(offer(false, false, true)).0, Way { carry: Carry::Bytes, present: true });
        let (way, why) = offer(false, false, false).choose(Some("auto")).unwrap();
        assert_eq!(way, Way { carry: Carry::Bytes, present: false });
        assert!(why.contains("no memory in common") && why.contains("no Present"), "{why}");
    }

    /// If this fails, a switch that cannot be obeyed is passed over without a word, and a test of it tests something else.
    #[test]
    fn a_way_that_is_asked_for_is_taken_or_refused_by_name() {
        let (way, why) = offer(true, true, true).choose(Some("put")).unwrap();
        assert_eq!((way.carry, way.present), (Carry::Bytes, false));
        assert!(why.contains("MOBILEGL_PRESENT"), "{why}");
        let refused = offer(true, false, true).choose(Some("shm-pixmap")).unwrap_err();
        assert!(refused.contains("shm-pixmap") && refused.contains("no shared pixmaps"), "{refused}");
        assert!(offer(true, true, true).choose(Some("dri9")).unwrap_err().contains("dri9"));
    }
}
