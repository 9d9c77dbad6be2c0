//! Memory that both roles map. A shared segment is sealed against resizing, so that no access can fault after the
//! adopter checked its size. Must not know what is stored in it.

use crate::error::LinkError;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A mapping of fixed length; unmapped on drop.
#[derive(Debug)]
pub struct Segment {
    base: NonNull<u8>,
    len: usize,
    fd: Option<OwnedFd>,
}

// SAFETY: the mapping belongs to the value and stays valid until drop; all concurrent access goes through atomics or
// through the cursors' ownership protocol, whichever thread holds the value.
unsafe impl Send for Segment {}
// SAFETY: as above; `&Segment` gives out raw pointers only.
unsafe impl Sync for Segment {}

/// Counts a segment that this process makes; the one that `MOBILEGL_FAIL_SEGMENT` names fails.
fn admit() -> Result<(), LinkError> {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed) + 1;
    match crate::settings::number("MOBILEGL_FAIL_SEGMENT") {
        Some(wanted) if wanted == number => {
            tracing::warn!("segment {number} of the process fails on purpose (MOBILEGL_FAIL_SEGMENT)");
            Err(LinkError::os("segment", std::io::ErrorKind::OutOfMemory))
        }
        _ => Ok(()),
    }
}

const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW);

impl Segment {
    /// A sealed shared segment of `len` bytes, zero at creation.
    pub fn shared(len: usize) -> Result<Self, LinkError> {
        admit()?;
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let fd = rustix::fs::memfd_create(c"mobilegl", flags).map_err(|e| LinkError::os("memfd_create", e))?;
        rustix::fs::ftruncate(&fd, len as u64).map_err(|e| LinkError::os("ftruncate", e))?;
        rustix::fs::fcntl_add_seals(&fd, SEALS | SealFlags::SEAL).map_err(|e| LinkError::os("F_ADD_SEALS", e))?;
        Self::map_fd(fd, len)
    }

    /// Maps the peer's segment after checking that it has exactly the announced size and can never change it. The mapping holds
    /// the memory; a program with many contexts needs its descriptors for itself.
    pub fn adopt(fd: OwnedFd, announced: u64) -> Result<Self, LinkError> {
        let mut mapped = Self::adopt_keeping(fd, announced)?;
        mapped.fd = None;
        Ok(mapped)
    }

    /// The same, and the descriptor stays, to be handed on.
    pub fn adopt_keeping(fd: OwnedFd, announced: u64) -> Result<Self, LinkError> {
        let mismatch =
            |detail: String| LinkError::Protocol(mgl_base::Fault::new(mgl_base::Family::SegmentMismatch, detail));
        let seals = rustix::fs::fcntl_get_seals(&fd).map_err(|e| LinkError::os("F_GET_SEALS", e))?;
        if !seals.contains(SEALS) {
            return Err(mismatch("segment.seals".into()));
        }
        let real = rustix::fs::fstat(&fd).map_err(|e| LinkError::os("fstat", e))?.st_size;
        if u64::try_from(real) != Ok(announced) {
            return Err(mismatch(format!("segment.size {real} announced {announced}")));
        }
        let len = usize::try_from(announced).map_err(|_| mismatch("segment.size".into()))?;
        Self::map_fd(fd, len)
    }

    /// Memory of this process alone, for the monolith.
    pub fn private(len: usize) -> Result<Self, LinkError> {
        admit()?;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh anonymous mapping at an address of the kernel's choice aliases nothing.
        let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, prot, MapFlags::PRIVATE) }
            .map_err(|e| LinkError::os("mmap", e))?;
        Self::from_raw(base.cast(), len, None)
    }

    fn map_fd(fd: OwnedFd, len: usize) -> Result<Self, LinkError> {
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a fresh mapping at an address of the kernel's choice aliases no Rust object of this process.
        let base = unsafe { rustix::mm::mmap(std::ptr::null_mut(), len, prot, MapFlags::SHARED, &fd, 0) }
            .map_err(|e| LinkError::os("mmap", e))?;
        Self::from_raw(base.cast(), len, Some(fd))
    }

    fn from_raw(base: *mut u8, len: usize, fd: Option<OwnedFd>) -> Result<Self, LinkError> {
        let base = NonNull::new(base).ok_or_else(|| LinkError::os("mmap", std::io::ErrorKind::OutOfMemory))?;
        Ok(Self { base, len, fd })
    }

    /// First byte of the mapping, page aligned.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Length in bytes.
    pub fn size(&self) -> usize {
        self.len
    }

    /// The descriptor to pass on, when there is one.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.fd.as_ref().map(|fd| fd.as_fd())
    }

    /// Address of `offset`, when `len` bytes from there lie inside.
    pub fn at(&self, offset: u64, len: u64) -> Option<NonNull<u8>> {
        let end = offset.checked_add(len)?;
        if end > self.len as u64 {
            return None;
        }
        // SAFETY: offset is at most the length of the mapping, so the result is inside it or one past its end.
        Some(unsafe { self.base.add(offset as usize) })
    }

    /// Copies `out.len()` bytes from `offset` out of the segment. The peer may write meanwhile: the copy may then be
    /// torn, never out of bounds, and whoever reads it must prove the copy, not the segment.
    pub fn copy_out(&self, offset: u64, out: &mut [u8]) -> bool {
        let Some(from) = self.at(offset, out.len() as u64) else { return false };
        // SAFETY: `at` proved that the source range is inside the mapping; `out` is private memory of this process.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), out.as_mut_ptr(), out.len()) };
        true
    }

    /// Appends `len` bytes from `offset` to `out`.
    pub fn append_to(&self, offset: u64, len: u64, out: &mut Vec<u8>) -> bool {
        let (Some(from), Ok(len)) = (self.at(offset, len), usize::try_from(len)) else { return false };
        out.reserve(len);
        let start = out.len();
        // SAFETY: `at` proved the source range; `reserve` made room for `len` bytes behind the vector's content, and
        // they are initialised by the copy before the length says so.
        unsafe {
            std::ptr::copy_nonoverlapping(from.as_ptr(), out.as_mut_ptr().add(start), len);
            out.set_len(start + len);
        }
        true
    }

    /// Copies `bytes` to `offset`.
    pub fn copy_in(&self, offset: u64, bytes: &[u8]) -> bool {
        let Some(to) = self.at(offset, bytes.len() as u64) else { return false };
        // SAFETY: `at` proved that the target range is inside the mapping; `bytes` cannot overlap it because nobody
        // hands out slices of a segment that its owner has not reserved.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.as_ptr(), bytes.len()) };
        true
    }
}

impl Drop for Segment {
    fn drop(&mut self) {
        // SAFETY: base and len are exactly what mmap returned, and every user holds an Arc of this value.
        if let Err(error) = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.len) } {
            tracing::warn!(%error, "munmap of a segment");
        }
    }
}

/// A shared page of atomics at the start of a segment.
#[derive(Debug)]
pub struct Mapped<T> {
    at: NonNull<T>,
    segment: Arc<Segment>,
}

impl<T> Clone for Mapped<T> {
    fn clone(&self) -> Self {
        Self { at: self.at, segment: self.segment.clone() }
    }
}

// SAFETY: `T` is a page of atomics (see `Page`), usable from any thread; the Arc keeps the mapping alive.
unsafe impl<T: Page> Send for Mapped<T> {}
// SAFETY: as above.
unsafe impl<T: Page> Sync for Mapped<T> {}

/// Types that may be laid over shared memory.
///
/// # Safety
/// The type consists of atomics only, is valid for every bit pattern and needs at most page alignment.
pub unsafe trait Page: Sync {}

impl<T: Page> Mapped<T> {
    /// Lays `T` over the start of `segment`.
    pub fn new(segment: &Arc<Segment>) -> Option<Self> {
        let at = segment.at(0, size_of::<T>() as u64)?.cast();
        Some(Self { at, segment: segment.clone() })
    }

    /// The segment under the page.
    pub fn segment(&self) -> &Arc<Segment> {
        &self.segment
    }
}

impl<T: Page> std::ops::Deref for Mapped<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: `new` proved size; the mapping is page aligned and alive; every bit pattern of a `Page` is valid and
        // all its fields are atomics, so writes of the peer are no data race.
        unsafe { self.at.as_ref() }
    }
}

#[cfg(test)]
mod tests {
    use super::Segment;

    /// A peer that announces another size than it delivers would make the adopter fault in the middle of a draw.
    #[test]
    fn adoption_checks_size_and_seals() {
        let made = Segment::shared(8192).unwrap();
        assert!(made.copy_in(8190, &[1, 2]));
        assert!(!made.copy_in(8191, &[1, 2]));
        assert!(!made.copy_in(u64::MAX, &[1, 2]));
        let dup = || made.descriptor().unwrap().try_clone_to_owned().unwrap();
        let again = Segment::adopt(dup(), 8192).unwrap();
        let mut got = [0; 2];
        assert!(again.copy_out(8190, &mut got));
        assert_eq!(got, [1, 2]);
        assert!(again.descriptor().is_none(), "a program has few descriptors");
        assert!(Segment::adopt_keeping(dup(), 8192).unwrap().descriptor().is_some());
        assert!(Segment::adopt(dup(), 4096).is_err());
        assert!(rustix::fs::ftruncate(dup(), 0).is_err());
        let plain = rustix::fs::memfd_create(c"x", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        rustix::fs::ftruncate(&plain, 4096).unwrap();
        assert!(Segment::adopt(plain, 4096).is_err());
    }
}
