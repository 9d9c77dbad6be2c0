//! What a process that does nothing but serve sets up for the drivers in it. Must not be used in a program's own process
//! (transports `monolith` and `inproc`): heap and environment are the program's there.

/// Called first in `main`, before anything starts a thread or reads what is set here. What a person may want to know of it.
pub fn prepare() -> Option<String> {
    keep_the_heap();
    crate::caches::prepare()
}

/// Drivers allocate and free command buffers of hundreds of KiB per submission. glibc gives such pages back to the kernel
/// at once and faults them in again, which can cost more than all drawing; kept, at most `KEPT` bytes lie idle.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_the_heap() {
    const KEPT: libc::c_int = 256 << 20;
    /// Larger blocks, textures and buffers of a driver on the processor, go back to the kernel when they are freed.
    const MAPPED: libc::c_int = 8 << 20;
    /// By how much the heap grows at once; untouched pages take no memory.
    const GROWTH: libc::c_int = 16 << 20;
    for (parameter, value) in
        [(libc::M_MMAP_THRESHOLD, MAPPED), (libc::M_TRIM_THRESHOLD, KEPT), (libc::M_TOP_PAD, GROWTH)]
    {
        // SAFETY: the call takes two numbers and changes only the allocator's own settings; this thread is the only one.
        // A value that is refused leaves the default, which is slower and no less right.
        unsafe { libc::mallopt(parameter, value) };
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn keep_the_heap() {}
