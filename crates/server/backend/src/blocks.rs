//! The default uniform block of a program, as each context has it. Contexts of a share group draw with one program at the
//! same time, each with what it was sent: values that other contexts set, and built-in and subroutine uniforms of their
//! own, must not reach draws of a context that are still to come. Must not know a driver.

use crate::traits::{Content, Outcome, Refusal};

/// The block of one program.
#[derive(Debug, Default)]
pub struct Blocks {
    initial: Vec<u8>,
    copies: Vec<Own>,
    writes: u64,
}

#[derive(Debug)]
struct Own {
    flow: u32,
    bytes: Vec<u8>,
    serial: u64,
}

/// What a context draws with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block<'a> {
    /// All bytes of the block.
    pub bytes: &'a [u8],
    /// Names the bytes among all that the program has had.
    pub serial: u64,
}

impl Blocks {
    /// `initial` is what a context has that was sent nothing.
    pub fn new(initial: Vec<u8>) -> Self {
        Self { initial, copies: Vec::new(), writes: 0 }
    }

    /// The block of the context with flow `flow`.
    #[inline]
    pub fn of(&self, flow: u32) -> Block<'_> {
        match self.copies.iter().find(|own| own.flow == flow) {
            Some(own) => Block { bytes: &own.bytes, serial: own.serial },
            None => Block { bytes: &self.initial, serial: 0 },
        }
    }

    /// Writes bytes of one context's block.
    pub fn write(&mut self, flow: u32, offset: u32, content: &dyn Content) -> Outcome {
        let at = self.copies.iter().position(|own| own.flow == flow).unwrap_or_else(|| {
            self.copies.push(Own { flow, bytes: self.initial.clone(), serial: 0 });
            self.copies.len() - 1
        });
        let outside = Refusal::Unsupported("ConstantsOutsideBlock");
        let Some(own) = self.copies.get_mut(at) else { return Err(outside) };
        let (start, len) = (offset as usize, content.len() as usize);
        let target = own.bytes.get_mut(start..start.saturating_add(len)).ok_or(outside)?;
        if !content.copy_to(0, target) {
            return Err(Refusal::Driver("the staged constants are not where the record says".into()));
        }
        self.writes += 1;
        own.serial = self.writes;
        Ok(())
    }

    /// A context has ended.
    pub fn forget(&mut self, flow: u32) {
        self.copies.retain(|own| own.flow != flow);
    }
}

#[cfg(test)]
mod tests {
    use super::Blocks;
    use crate::traits::Content;

    struct Bytes(&'static [u8]);

    impl Content for Bytes {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }
        fn copy_to(&self, offset: u64, dst: &mut [u8]) -> bool {
            self.0.get(offset as usize..offset as usize + dst.len()).map(|from| dst.copy_from_slice(from)).is_some()
        }
        fn staged_at(&self) -> (u32, u64) {
            (0, 0)
        }
    }

    /// If this fails, one window's draws take the uniform values that another window has just set.
    #[test]
    fn each_context_has_its_own_bytes() {
        let mut blocks = Blocks::new(vec![9; 4]);
        blocks.write(1, 0, &Bytes(&[1, 1])).unwrap();
        blocks.write(2, 2, &Bytes(&[2, 2])).unwrap();
        assert_eq!(blocks.of(1).bytes, [1, 1, 9, 9]);
        assert_eq!(blocks.of(2).bytes, [9, 9, 2, 2]);
        assert_eq!(blocks.of(3).bytes, [9; 4]);
        let serials = [1, 2, 3].map(|flow| blocks.of(flow).serial);
        assert!(serials[0] != serials[1] && serials[1] != serials[2] && serials[0] != serials[2]);
        blocks.forget(1);
        assert_eq!(blocks.of(1).bytes, [9; 4]);
        assert!(blocks.write(2, 3, &Bytes(&[0, 0])).is_err(), "outside the block");
    }
}
