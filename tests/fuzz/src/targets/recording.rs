//! A record file. The first byte decides whether the rest is the file, or the entries of a file whose header and block
//! hashes are right: hashes would keep everything else away from the entries.

use mgl_link::recording::{Header, Reader, Writer};
use mgl_pipe::sample::Rng;
use mgl_pipe::{Blob, CATALOGUE};

fn header() -> Header {
    Header::new("null".into(), "program".into(), "inproc".into(), vec![1, 2, 3])
}

fn around(entries: &[u8]) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), &header()).ok()?;
    writer.raw(entries).ok()?;
    writer.finish().ok()
}

/// Reads to the end or to the error.
pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    let file = if kind % 2 == 0 { Some(rest.to_vec()) } else { around(rest) };
    let Some(Ok(mut reader)) = file.as_deref().map(Reader::new) else { return };
    while let Ok(Some(entry)) = reader.next() {
        if let mgl_link::recording::Entry::Record(record) = entry {
            for run in record.runs() {
                let mut bytes = vec![0; run.bytes.len()];
                assert!(record.copy_stage(run.offset, &mut bytes) || run.bytes.is_empty());
            }
        }
    }
}

/// A file of sample records, whole and as entries.
pub fn seeds() -> Vec<Vec<u8>> {
    let written = |limit: usize| -> Option<Vec<u8>> {
        let mut rng = Rng::new(13);
        let mut writer = Writer::new(Vec::new(), &header()).ok()?;
        writer.flow(1, 0, 1 << 16).ok()?;
        for row in CATALOGUE.iter().take(limit) {
            let body = (row.sample)(&mut rng);
            writer
                .record(1, row.op, &body, &[Blob::new(16, 8)], &mut |_, to| {
                    to.fill(7);
                    true
                })
                .ok()?;
        }
        writer.frame().ok()?;
        writer.flow_end(1).ok()?;
        writer.finish().ok()
    };
    let files = [0, 1, 8].into_iter().filter_map(written);
    let mut out: Vec<Vec<u8>> = files.map(|file| [&[0][..], &file].concat()).collect();
    // One entry of each kind, after the numbers in `recording`.
    out.extend((0..8u8).map(|kind| [&[1, kind][..], &[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]].concat()));
    out
}
