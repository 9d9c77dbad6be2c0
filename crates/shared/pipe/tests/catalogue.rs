//! Loops over the whole catalogue: every record round-trips, every truncation and illegal sample is refused, random
//! bytes never panic.

use mgl_pipe::sample::Rng;
use mgl_pipe::{Blob, CATALOGUE, Proof, Wire};
use std::collections::HashSet;

const PROOF: Proof = Proof { stage_len: 1 << 20 };

/// Two records with one opcode would be taken for each other by a server.
#[test]
fn opcodes_are_unique_and_never_zero() {
    let mut seen = HashSet::new();
    for row in CATALOGUE {
        assert!(row.op != 0 && seen.insert(row.op), "{} reuses opcode {}", row.name, row.op);
        assert!(!row.doc.trim().is_empty(), "{} has no docs", row.name);
    }
    assert_eq!(seen.len(), 94);
}

/// A legal record that is refused would end a healthy program's session.
#[test]
fn every_sample_is_accepted() {
    let mut rng = Rng::new(1);
    for row in CATALOGUE {
        for _ in 0..64 {
            let body = (row.sample)(&mut rng);
            assert_eq!((row.prove)(&body, &PROOF), Ok(()), "{}", row.name);
        }
    }
}

/// A record cut short must end its session by name, not make the server read past its end.
#[test]
fn every_truncation_and_extension_is_refused() {
    let mut rng = Rng::new(2);
    for row in CATALOGUE {
        let body = (row.sample)(&mut rng);
        for len in 0..body.len() {
            assert!((row.prove)(&body[..len], &PROOF).is_err(), "{} at {len}", row.name);
        }
        let mut longer = body.clone();
        longer.extend_from_slice(&[0; 8]);
        assert!((row.prove)(&longer, &PROOF).is_err(), "{} with 8 bytes more", row.name);
    }
}

/// An illegal field must be refused with the record's and the field's name.
#[test]
fn every_invalid_sample_is_refused_by_name() {
    let mut rng = Rng::new(3);
    for row in CATALOGUE {
        for (field, body) in (row.invalid)(&mut rng) {
            let fault = (row.prove)(&body, &PROOF).expect_err(row.name);
            assert_eq!(fault.detail, format!("{}.{field}", row.name));
        }
    }
}

/// Random bytes from a hostile client must never panic the decoder.
#[test]
fn random_bytes_never_panic() {
    let mut rng = Rng::new(4);
    for row in CATALOGUE {
        for _ in 0..512 {
            let len = (rng.next() % 256) as usize;
            let mut body: Vec<u64> = (0..len.div_ceil(8)).map(|_| rng.next()).collect();
            if rng.next() & 1 == 0 {
                body.iter_mut().for_each(|w| *w &= 0x0000_0003_0000_0003);
            }
            let bytes: Vec<u8> = body.iter().flat_map(|w| w.to_le_bytes()).take(len).collect();
            let _ = (row.prove)(&bytes, &PROOF);
        }
    }
}

/// The plain draw is the hot record: its size is a budget (48 bytes with its header).
#[test]
fn a_plain_draw_takes_48_bytes() {
    let head = mgl_pipe::records::DrawVbo { range_count: 1, ..Default::default() };
    assert_eq!(mgl_pipe::encoded_len(&head), Some(48));
}

/// One byte past the staging segment is another process's memory, or a fault of the server.
#[test]
fn a_run_ends_inside_its_segment() {
    let inside = Blob::new(PROOF.stage_len - 16, 16);
    assert!(inside.proven(&PROOF));
    assert!(!Blob::new(PROOF.stage_len - 16, 17).proven(&PROOF));
    assert!(!Blob::new(PROOF.stage_len, 1).proven(&PROOF));
    assert!(!Blob::new(0, 0).proven(&PROOF), "a run declares its bytes");
}
