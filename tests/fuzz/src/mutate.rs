//! Deterministic mutations of seeds, for runs without libFuzzer: equal numbers give equal inputs everywhere. Must not
//! know a format.

use mgl_pipe::sample::Rng;

const NUMBERS: [u64; 8] = [0, 1, u64::MAX, 1 << 63, u32::MAX as u64, 1 << 31, 0x7FFF_FFFF, 0xFFFF];

/// One small change.
fn change(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let len = bytes.len();
    let at = rng.next() as usize % len.max(1);
    match rng.next() % 7 {
        0 if len > 0 => bytes[at] ^= 1 << (rng.next() % 8),
        1 if len > 0 => bytes[at] = rng.next() as u8,
        2 => {
            let width = [1, 2, 4, 8][rng.next() as usize % 4];
            let number = NUMBERS[rng.next() as usize % NUMBERS.len()].to_le_bytes();
            let end = (at + width).min(len);
            if at < end {
                bytes[at..end].copy_from_slice(&number[..end - at]);
            }
        }
        3 => bytes.truncate(at),
        4 => bytes.extend((0..1 + rng.next() % 16).map(|_| rng.next() as u8)),
        5 if !other.is_empty() => {
            let from = rng.next() as usize % other.len();
            let count = (other.len() - from).min(1 + rng.next() as usize % 64);
            bytes.splice(at..at, other[from..from + count].iter().copied());
        }
        _ => {
            let end = (at + 1 + rng.next() as usize % 8).min(len);
            bytes.drain(at.min(end)..end);
        }
    }
}

/// Input `number` of a run over `seeds`.
pub fn input(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut rng = Rng::new(number + 1);
    let pick = |rng: &mut Rng| seeds.get(rng.next() as usize % seeds.len().max(1)).map_or(&[][..], Vec::as_slice);
    let (mut bytes, other) = (pick(&mut rng).to_vec(), pick(&mut rng).to_vec());
    for _ in 0..rng.next() % 5 {
        change(&mut bytes, &other, &mut rng);
    }
    bytes
}
