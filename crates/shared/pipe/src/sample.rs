//! A small deterministic generator for the catalogue's sample records. Must not be used for anything but samples.

/// xorshift64*: reproducible samples without a dependency.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator; equal seeds give equal samples.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// The next number.
    #[allow(clippy::should_implement_trait, reason = "the generator is infinite and not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// One element of a non-empty list, or the default of an empty one.
    pub fn pick<T: Copy + Default>(&mut self, list: &[T]) -> T {
        let n = list.len().max(1) as u64;
        list.get((self.next() % n) as usize).copied().unwrap_or_default()
    }
}
