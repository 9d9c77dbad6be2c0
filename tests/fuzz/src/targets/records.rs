//! One record: its proof, and what a dump shows of it. The first two bytes choose the record.

use mgl_pipe::sample::Rng;
use mgl_pipe::{CATALOGUE, Proof};

const PROOF: Proof = Proof { stage_len: 1 << 20 };

/// Proves the bytes as a record; what was proven once must be proven again.
pub fn run(data: &[u8]) {
    let Some((choice, body)) = data.split_first_chunk::<2>() else { return };
    let row = &CATALOGUE[usize::from(u16::from_le_bytes(*choice)) % CATALOGUE.len()];
    // A decoder gets its bytes in memory of its own, aligned as the allocator aligns.
    let bytes = body.to_vec();
    if (row.prove)(&bytes, &PROOF).is_ok() {
        assert!((row.prove)(&bytes, &PROOF).is_ok(), "{} is proven only once", row.name);
    }
}

/// A legal body of every record, and every body with one illegal field.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut rng = Rng::new(11);
    let mut out = Vec::new();
    for (index, row) in CATALOGUE.iter().enumerate() {
        let mut put = |body: Vec<u8>| out.push([&(index as u16).to_le_bytes()[..], &body].concat());
        put((row.sample)(&mut rng));
        (row.invalid)(&mut rng).into_iter().for_each(|(_, body)| put(body));
    }
    out
}
