//! The folders in which this process and the drivers in it keep what they compiled. A cache never decides whether there is a
//! picture: one that cannot be kept is left off. Must not be used in a program's own process (transports `monolith` and
//! `inproc`): the environment is the program's there.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Where Mesa's drivers keep what they compiled.
const DRIVER_CACHE: &str = "MESA_SHADER_CACHE_DIR";
/// Tells them to keep nothing.
const DRIVER_CACHE_OFF: &str = "MESA_SHADER_CACHE_DISABLE";

/// The file below the driver's folder that it maps and writes to through memory.
const INDEX: &str = "mesa_shader_cache/index";
/// Room for it: 65,536 keys of 20 bytes and a length.
const ROOM: u64 = (65_536 * 20 + 4096) / 4096 * 4096;

/// The folders that are written to, made by [`prepare`] where they can be.
pub fn folders() -> Vec<PathBuf> {
    let driver = std::env::var_os(DRIVER_CACHE).filter(|value| !value.is_empty()).map(PathBuf::from);
    mgl_base::folders::cache().into_iter().chain(driver).collect()
}

/// Called in `main` before any thread starts: makes the folders, and names one to the drivers or switches their cache off. What
/// a person may want to know of it.
///
/// A folder of ours instead of the one that Mesa shares among all programs of a user: a confined process cannot find the
/// latter (it may not read `/etc/passwd`), and one that was taken over could leave code there for programs that are not.
pub fn prepare() -> Option<String> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let ours = mgl_base::folders::cache();
    if let Some(folder) = &ours {
        // One that cannot be made is no cache.
        let _ = std::fs::create_dir_all(folder);
    }
    if set(DRIVER_CACHE_OFF).is_some() {
        return None;
    }
    let folder = set(DRIVER_CACHE).map(PathBuf::from).or_else(|| ours.map(|folder| folder.join("driver")));
    let held = match &folder {
        Some(folder) => hold(folder).map_err(|error| format!("{}: {error}", folder.display())),
        None => {
            Err("there is no folder for caches: neither MOBILEGL_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set".into())
        }
    };
    match (held, folder) {
        (Ok(()), Some(folder)) => {
            // SAFETY: `main` calls this first: no other thread runs that could read the environment.
            unsafe { std::env::set_var(DRIVER_CACHE, folder) };
            None
        }
        (held, _) => {
            // SAFETY: as above.
            unsafe { std::env::set_var(DRIVER_CACHE_OFF, "true") };
            held.err().map(|why| format!("the driver keeps nothing of what it compiles: {why}"))
        }
    }
}

/// Makes `folder` one in which Mesa's index can be held. The driver makes that file as long as it must be without asking for
/// room, and a process that touches a page for which the disk has none is ended by SIGBUS (mmap(2)): so the room is taken
/// beforehand, and stays taken.
fn hold(folder: &Path) -> io::Result<()> {
    let index = folder.join(INDEX);
    std::fs::create_dir_all(index.parent().unwrap_or(folder))?;
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o644).open(&index)?;
    let made = room(&file);
    if made.is_err() {
        // Without room the file would be an obstacle to whoever comes later, when there is some. Another process may have it
        // open, and then it is as it was.
        let _ = file.metadata().ok().filter(|file| file.blocks() == 0).map(|_| std::fs::remove_file(&index));
    }
    made
}

fn room(file: &File) -> io::Result<()> {
    let now = file.metadata()?;
    if now.blocks() * 512 >= ROOM {
        return Ok(());
    }
    // SAFETY: the call works on an open file of ours and reads or writes no memory.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, ROOM as libc::off_t) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::{INDEX, ROOM, hold};
    use std::os::unix::fs::MetadataExt;

    /// If this fails, a disk that fills up later ends the server in the middle of a game.
    #[test]
    fn the_index_has_its_room_before_the_driver_maps_it() {
        let folder = std::env::temp_dir().join(format!("mgl-caches-{}", std::process::id()));
        // As the driver leaves it: long, and without room.
        std::fs::create_dir_all(folder.join("mesa_shader_cache")).unwrap();
        std::fs::File::create(folder.join(INDEX)).unwrap().set_len(65_536 * 20 + 8).unwrap();
        hold(&folder).unwrap();
        let index = std::fs::metadata(folder.join(INDEX)).unwrap();
        assert!(index.blocks() * 512 >= 65_536 * 20 + 8 && index.len() <= ROOM, "{index:?}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// If this fails, a program whose user has no folder that can be written draws nothing.
    #[test]
    fn a_folder_that_cannot_be_made_is_told() {
        assert!(hold(std::path::Path::new("/dev/null/cache")).is_err());
    }
}
