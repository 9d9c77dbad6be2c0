//! The file that names the client library to glvnd, and a place for it that nobody else can write: whoever writes it decides
//! which code a program loads. It must not know what else a program is started with.

use std::collections::hash_map::RandomState;
use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, OFlags, memfd_create};
use rustix::process::geteuid;

use crate::error::Error;

/// Written by the build beside the library, for that library at that place.
const BESIDE: &str = "egl_vendor.json";
/// Permission bits that let others write.
const OTHERS_WRITE: u32 = 0o022;

/// The path of a vendor file for `library` that glvnd can read and only this user, or who installed the library, can write.
///
/// Nothing is written when the build left one beside the library. Without any folder to write in, the file is kept in memory,
/// by this process: then `lasts` must be false.
///
/// # Errors
/// [`Error::VendorFile`] with every place tried and what the system said.
pub fn file(library: &Path, lasts: bool) -> Result<PathBuf, Error> {
    let text = text_for(library);
    if let Some(path) = beside(library, &text) {
        return Ok(path);
    }
    let mut tried = Vec::new();
    for place in places(|name| env::var_os(name)) {
        match place.open().and_then(|folder| write(&folder, &text).map_err(|error| (folder, error))) {
            Ok(path) => return Ok(path),
            Err((folder, error)) => tried.push(format!("{}: {error}", folder.display())),
        }
    }
    if !lasts {
        return in_memory(&text).map_err(|source| Error::VendorFile { tried: format!("memory: {source}") });
    }
    Err(Error::VendorFile { tried: tried.join("\n    ") })
}

/// The content. Paths are bytes and go into the string as they are: glvnd hands them on unread.
fn text_for(library: &Path) -> Vec<u8> {
    let mut text = br#"{"file_format_version":"1.0.0","ICD":{"library_path":""#.to_vec();
    for &byte in library.as_os_str().as_bytes() {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            0..0x20 => text.extend(format!("\\u{byte:04x}").bytes()),
            _ => text.push(byte),
        }
    }
    text.extend(br#""}}"#);
    text
}

/// glvnd reads a list of paths with colons between them, and a program may change its working directory.
fn can_be_named(path: &Path) -> bool {
    path.is_absolute() && !path.as_os_str().as_bytes().contains(&b':')
}

fn beside(library: &Path, text: &[u8]) -> Option<PathBuf> {
    let path = library.with_file_name(BESIDE);
    let owner = fs::metadata(library).ok()?.uid();
    (can_be_named(&path) && holds(&path, text, &[owner, 0, geteuid().as_raw()])).then_some(path)
}

/// Is it a plain file of one of `owners`, that others cannot write, with this content?
fn holds(path: &Path, text: &[u8], owners: &[u32]) -> bool {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
        .open(path);
    let Ok(mut file) = opened else { return false };
    let fits = |about: &fs::Metadata| {
        about.is_file()
            && owners.contains(&about.uid())
            && about.mode() & OTHERS_WRITE == 0
            && about.len() == text.len() as u64
    };
    let mut present = Vec::new();
    file.metadata().is_ok_and(|about| fits(&about)) && file.read_to_end(&mut present).is_ok() && present == text
}

/// A folder that may serve.
enum Place {
    /// Made with its parents when it is missing.
    Own(PathBuf),
    /// A new folder with a name that nobody can foresee, made in a folder that all share.
    Fresh(PathBuf),
}

/// In the order in which they are tried. Variables that hold no absolute path count as not set (XDG Base Directory
/// Specification).
fn places(variable: impl Fn(&str) -> Option<OsString>) -> Vec<Place> {
    let set = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")));
    let shared = [set("TMPDIR").unwrap_or_else(|| "/tmp".into()), "/dev/shm".into()];
    let mine = format!("mobilegl-{}", geteuid().as_raw());
    let own = cache.into_iter().chain(set("XDG_RUNTIME_DIR")).map(|folder| folder.join("mobilegl"));
    let own: Vec<PathBuf> =
        own.chain(shared.iter().map(|folder| folder.join(&mine))).filter(|p| can_be_named(p)).collect();
    let fresh = shared.into_iter().filter(|folder| can_be_named(folder)).map(Place::Fresh);
    own.into_iter().map(Place::Own).chain(fresh).collect()
}

impl Place {
    /// The folder, once it is sure that it is this user's and that nobody else can write in it.
    fn open(self) -> Result<PathBuf, (PathBuf, io::Error)> {
        let private = |parents| {
            let mut builder = DirBuilder::new();
            builder.recursive(parents).mode(0o700);
            builder
        };
        let (folder, made) = match self {
            Self::Own(folder) => {
                let made = private(true).create(&folder);
                (folder, made)
            }
            Self::Fresh(parent) => {
                let random = RandomState::new().build_hasher().finish();
                let folder = parent.join(format!("mobilegl-{}-{random:016x}", geteuid().as_raw()));
                let made = private(false).create(&folder);
                (folder, made)
            }
        };
        match made.and_then(|()| is_private(&folder)) {
            Ok(()) => Ok(folder),
            Err(error) => Err((folder, error)),
        }
    }
}

/// A link is not followed: where it leads is for whoever made it to change.
fn is_private(folder: &Path) -> io::Result<()> {
    let about = fs::symlink_metadata(folder)?;
    let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::PermissionDenied, why.to_owned()));
    match () {
        () if !about.is_dir() => refuse("it is no folder"),
        () if about.uid() != geteuid().as_raw() => refuse("it belongs to another user"),
        () if about.mode() & OTHERS_WRITE != 0 => refuse("other users can write in it"),
        () => Ok(()),
    }
}

/// Writes the file into a private folder. Its name holds a hash of the content, so that several builds do not take turns.
fn write(folder: &Path, text: &[u8]) -> io::Result<PathBuf> {
    let path = folder.join(format!("egl_vendor_{:016x}.json", xxhash_rust::xxh3::xxh3_64(text)));
    if holds(&path, text, &[geteuid().as_raw()]) {
        return Ok(path);
    }
    // Written aside and renamed: a program starting at this moment never reads half a file.
    let aside = folder.join(format!("egl_vendor.{}.tmp", std::process::id()));
    let _ = fs::remove_file(&aside);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&aside)
        .and_then(|mut file| file.write_all(text))
        .and_then(|()| fs::rename(&aside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written.map(|()| path)
}

/// The descriptor stays open, here and in programs that this process becomes or starts, and is named by this process.
fn in_memory(text: &[u8]) -> io::Result<PathBuf> {
    let mut file = File::from(memfd_create("mobilegl_egl_vendor.json", MemfdFlags::empty())?);
    file.write_all(text)?;
    let path = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
    std::mem::forget(file);
    fs::metadata(&path).map(|_| path)
}

#[cfg(test)]
mod tests {
    use super::{BESIDE, Place, beside, in_memory, is_private, places, text_for, write};
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::{Path, PathBuf};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn text() -> Vec<u8> {
        text_for(Path::new("/a b/libmobilegl.so"))
    }

    /// If this fails, glvnd does not find our library and the program gets another driver or none.
    #[test]
    fn the_file_names_the_library() {
        let folder = folder();
        let path = write(folder.path(), &text()).unwrap();
        let value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(value["ICD"]["library_path"], "/a b/libmobilegl.so");
        assert_eq!(path, write(folder.path(), &text()).unwrap(), "once");
        let value: serde_json::Value = serde_json::from_slice(&text_for(Path::new("/a\"\\\n/x"))).unwrap();
        assert_eq!(value["ICD"]["library_path"], "/a\"\\\n/x");
        let bytes = text_for(Path::new(OsStr::from_bytes(b"/\xff")));
        assert!(bytes.windows(2).any(|pair| pair == b"/\xff"), "a name that is no text is kept");
    }

    /// If this fails, two builds on one machine overwrite each other's file and run the wrong driver.
    #[test]
    fn each_library_has_its_own_file() {
        let folder = folder();
        let one = write(folder.path(), &text()).unwrap();
        assert_ne!(one, write(folder.path(), &text_for(Path::new("/two/libmobilegl.so"))).unwrap());
    }

    /// If this fails, another user decides which library this user's programs load.
    #[test]
    fn what_others_can_write_is_not_trusted() {
        let folder = folder();
        for mode in [0o777, 0o1777, 0o770, 0o702] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert!(is_private(folder.path()).is_err(), "{mode:o}");
        }
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        is_private(folder.path()).unwrap();
        let link = folder.path().join("link");
        symlink(folder.path(), &link).unwrap();
        assert!(Place::Own(link).open().is_err(), "a link leads where its owner likes");
        if rustix::process::geteuid().is_root() {
            let other = folder.path().join("other");
            fs::create_dir(&other).unwrap();
            std::os::unix::fs::chown(&other, Some(12345), None).unwrap();
            assert!(Place::Own(other).open().is_err(), "another user's");
        }
    }

    /// If this fails, a file or a link that somebody put in the file's place is loaded, or written through.
    #[test]
    fn a_file_that_lies_there_already_is_proven() {
        let folder = folder();
        let path = write(folder.path(), &text()).unwrap();
        for mode in [0o666, 0o620] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(write(folder.path(), &text()).unwrap(), path);
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "made anew");
        }
        let victim = folder.path().join("victim");
        fs::write(&victim, "mine").unwrap();
        fs::remove_file(&path).unwrap();
        symlink(&victim, &path).unwrap();
        symlink(&victim, folder.path().join(format!("egl_vendor.{}.tmp", std::process::id()))).unwrap();
        write(folder.path(), &text()).unwrap();
        assert_eq!(fs::read(&path).unwrap(), text());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
    }

    /// If this fails, somebody who makes the usual folder in the temporary directory locks everyone else out.
    #[test]
    fn a_place_that_is_taken_is_passed_over() {
        let folder = folder();
        let first = Place::Fresh(folder.path().into()).open().unwrap();
        let second = Place::Fresh(folder.path().into()).open().unwrap();
        assert_ne!(first, second);
        assert_eq!(fs::metadata(&first).unwrap().permissions().mode() & 0o777, 0o700);
    }

    /// If this fails, a colon or a relative path in the environment makes glvnd look somewhere else.
    #[test]
    fn only_places_that_glvnd_can_name_are_used() {
        let all = |values: &[(&str, &str)]| -> Vec<PathBuf> {
            let of = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
            places(of)
                .into_iter()
                .map(|place| match place {
                    Place::Own(p) | Place::Fresh(p) => p,
                })
                .collect()
        };
        let none = all(&[]);
        assert!(none.iter().all(|path| path.starts_with("/tmp") || path.starts_with("/dev/shm")), "{none:?}");
        assert_eq!(all(&[("XDG_CACHE_HOME", "/a:b"), ("HOME", "home"), ("XDG_RUNTIME_DIR", "")]), none);
        assert_eq!(all(&[("HOME", "/h")])[0], Path::new("/h/.cache/mobilegl"));
        assert_eq!(all(&[("XDG_CACHE_HOME", "c"), ("HOME", "/h")])[0], Path::new("/h/.cache/mobilegl"));
        assert!(all(&[("TMPDIR", "t:u")]).starts_with(&none[..1]));
    }

    /// If this fails, a machine without a folder to write in cannot run a program.
    #[test]
    fn without_a_folder_the_file_is_in_memory() {
        assert_eq!(fs::read(in_memory(&text()).unwrap()).unwrap(), text());
    }

    /// If this fails, an installation that nobody may write to needs a folder in the user's home, or one that was moved
    /// loads the library of its old place.
    #[test]
    fn the_file_beside_the_library_is_used_while_it_is_right() {
        let folder = folder();
        let library = folder.path().join("libmobilegl.so");
        fs::write(&library, "").unwrap();
        let own = text_for(&library);
        assert_eq!(beside(&library, &own), None);
        let path = folder.path().join(BESIDE);
        fs::write(&path, &own).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(beside(&library, &own), Some(path.clone()));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(beside(&library, &own), None, "others can write it");
        fs::write(&path, text()).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(beside(&library, &own), None, "of another place");
    }
}
