//! Record files: what is written is read, and damage of every kind is an error by name.

use super::{BLOCK, Ending, Entry, Header, MAGIC, Reader, RecordingError, VERSION, Writer};
use mgl_base::{Family, Fault};
use mgl_pipe::Blob;
use mgl_pipe::sample::Rng;
use proptest::prelude::{any, prop_assert, proptest};

fn header() -> Header {
    Header::new("null".into(), "program".into(), "spawn".into(), vec![1, 2, 3])
}

/// Staged bytes by their place, so that a run is recognised.
fn staged(blob: &Blob, out: &mut [u8]) -> bool {
    out.iter_mut().zip(blob.offset..).for_each(|(to, at)| *to = (at % 251) as u8);
    blob.offset + blob.size <= 1 << 30
}

/// A file of several blocks: small records, one run larger than a block, one run outside the segment.
fn file(records: u32, large: u64) -> Vec<u8> {
    let mut rng = Rng::new(5);
    let mut writer = Writer::new(Vec::new(), &header()).unwrap();
    writer.flow(1, 0, 1 << 20).unwrap();
    for i in 0..records {
        let body: Vec<u8> = (0..8 * (1 + rng.next() % 8)).map(|_| rng.next() as u8).collect();
        let runs = [Blob::new(64, if i == 3 { large } else { 24 }), Blob::new(u64::MAX, 1)];
        writer.record(1, i as u16, &body, &runs[..(i % 3) as usize], &mut staged).unwrap();
        if i % 10 == 9 {
            writer.frame().unwrap();
            writer.flush().unwrap();
        }
    }
    writer.fault(&Fault::new(Family::DeviceLost, "lost")).unwrap();
    writer.flow_end(1).unwrap();
    writer.finish().unwrap()
}

/// Everything readable as text, and how it ended.
fn read(bytes: &[u8]) -> (Vec<String>, Result<Ending, RecordingError>) {
    let mut seen = Vec::new();
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (seen, Err(error)),
    };
    loop {
        match reader.next() {
            Ok(Some(Entry::Record(r))) => {
                for run in r.runs().iter().filter(|run| !run.bytes.is_empty()) {
                    let mut expected = vec![0; run.bytes.len()];
                    staged(&Blob::new(run.offset, 0), &mut expected);
                    assert_eq!(run.bytes, expected);
                }
                let runs: Vec<_> = r.runs().iter().map(|run| run.bytes.len()).collect();
                seen.push(format!("{} {} {:?} {runs:?}", r.flow, r.op, r.body()));
            }
            Ok(Some(entry)) => seen.push(format!("{entry:?}")),
            Ok(None) => return (seen, Ok(reader.ending().unwrap())),
            Err(error) => return (seen, Err(error)),
        }
    }
}

/// A recording that does not read back as it was written replays another program.
#[test]
fn what_is_written_is_read() {
    let large = 3 * BLOCK as u64 + 17;
    let (seen, end) = read(&file(100, large));
    assert_eq!(end.unwrap(), Ending::Complete);
    assert_eq!(seen.len(), 1 + 100 + 10 + 3);
    assert!(seen[4].starts_with("1 3 ") && seen[5].ends_with("[24]"), "{} {}", seen[4], seen[5]);
    assert!(seen.iter().any(|s| s.ends_with("[24, 0]")), "the run outside the segment has no bytes");
    assert!(seen[0].contains("stage: 1048576") && seen[112].contains("FlowEnd") && seen[113] == "End");
    assert!(seen[111].contains("DeviceLost"), "{}", seen[111]);
    assert!(file(100, large).len() < large as usize + (64 << 10));
}

/// After a crash the file must still show what led to it, and say that it is not whole.
#[test]
fn a_truncated_file_is_readable_up_to_its_last_whole_block() {
    let whole = file(60, 40);
    let (all, _) = read(&whole);
    let begin = whole.windows(4).position(|w| w == b"BLK1").unwrap();
    let mut last = 0;
    for len in begin..whole.len() {
        let (seen, end) = read(&whole[..len]);
        assert!(matches!(end, Ok(Ending::Truncated { .. })), "{len}: {end:?}");
        assert!(seen.len() >= last && seen[..] == all[..seen.len()], "{len}");
        last = seen.len();
    }
    assert!(last > 50);
    for len in 0..begin {
        assert!(read(&whole[..len]).1.is_err(), "{len}");
    }
}

/// A damaged or hostile file must be refused with a reason, never crash the tool or give a wrong picture.
#[test]
fn every_flipped_byte_is_found() {
    let whole = file(12, 40);
    let (all, _) = read(&whole);
    for at in 0..whole.len() {
        let mut bad = whole.clone();
        bad[at] ^= 0x41;
        let (seen, end) = read(&bad);
        assert!(end.is_err(), "byte {at}");
        assert_eq!(seen[..], all[..seen.len()], "byte {at}");
    }
}

proptest! {
    /// Bytes nobody wrote must be refused by name.
    #[test]
    fn noise_is_refused(noise in proptest::collection::vec(any::<u8>(), 0..512), keep in 0usize..64) {
        let mut bytes = file(3, 8);
        bytes.truncate(keep);
        bytes.extend(noise);
        prop_assert!(read(&bytes).1.is_err());
    }

    /// Entries behind intact hashes are still untrusted: whoever writes the file also computes the hashes.
    #[test]
    fn forged_entries_are_refused_or_read(noise in proptest::collection::vec(any::<u8>(), 1..256)) {
        let mut writer = Writer::new(Vec::new(), &header()).unwrap();
        writer.block.extend(&noise);
        let bytes = writer.finish().unwrap();
        let (seen, end) = read(&bytes);
        prop_assert!(seen.len() <= noise.len() + 1);
        let elsewhere = matches!(end, Err(RecordingError::Io(_) | RecordingError::Block { .. }));
        prop_assert!(!elsewhere);
    }
}

/// A file of another version or build must say so; half understood it would show a wrong picture.
#[test]
fn foreign_files_are_refused_by_name() {
    let says = |bytes: &[u8]| read(bytes).1.unwrap_err().to_string();
    assert!(says(b"\x89PNG\r\n\x1a\n...............").contains("not a MobileGL recording"));
    let mut newer = file(1, 8);
    newer[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&(VERSION + 1).to_le_bytes());
    assert!(says(&newer).contains("format version 2"), "{}", says(&newer));
    let other = Header { fingerprint: 1, build: "0.0.9+other".into(), ..header() };
    let foreign = Writer::new(Vec::new(), &other).unwrap().finish().unwrap();
    assert!(says(&foreign).contains("0.0.9+other"), "{}", says(&foreign));
    let mut tail = file(1, 8);
    tail.push(0);
    assert!(says(&tail).contains("follows the end"), "{}", says(&tail));
}

/// A full disk must end the recording, not the program: the writer reports it and what was flushed stays readable.
#[test]
fn a_full_disk_is_an_error() {
    struct Disk(Vec<u8>);
    impl std::io::Write for &mut Disk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            if self.0.len() > 4096 {
                return Err(std::io::Error::from(std::io::ErrorKind::StorageFull));
            }
            self.0.extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut disk = Disk(Vec::new());
    let mut writer = Writer::new(&mut disk, &header()).unwrap();
    writer.flow(1, 0, 0).unwrap();
    let failed = (0..1 << 16).find_map(|i: u32| {
        let body: Vec<u8> = i.to_le_bytes().repeat(8);
        writer.record(1, 1, &body, &[], &mut staged).and_then(|()| writer.flush()).err()
    });
    assert!(matches!(failed, Some(RecordingError::Io(_))), "{failed:?}");
    let (seen, end) = read(&disk.0);
    assert!(seen.len() > 10 && matches!(end, Ok(Ending::Truncated { .. })));
}
