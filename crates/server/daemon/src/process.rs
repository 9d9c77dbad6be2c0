//! What a process that does nothing but serve sets up for the drivers in it. Must not be used in a program's own process
//! (transports `monolith` and `inproc`): heap and environment are the program's there.

/// Where Mesa's drivers keep what they compiled.
pub const DRIVER_CACHE: &str = "MESA_SHADER_CACHE_DIR";

/// Called first in `main`, before anything starts a thread or reads what is set here.
pub fn prepare() {
    keep_the_heap();
    name_the_drivers_cache();
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

/// A folder of ours instead of the one that Mesa shares among all programs of a user: a confined process cannot find the
/// latter (it may not read `/etc/passwd`), and one that was taken over could leave code there for programs that are not.
fn name_the_drivers_cache() {
    let set = std::env::var_os(DRIVER_CACHE).is_some_and(|value| !value.is_empty());
    if let (false, Some(folder)) = (set, mgl_base::folders::cache()) {
        // Mesa makes the last folder alone; one that cannot be made is no cache either way.
        let _ = std::fs::create_dir_all(&folder);
        // SAFETY: `main` calls this first: no other thread runs that could read the environment.
        unsafe { std::env::set_var(DRIVER_CACHE, folder.join("driver")) };
    }
}
