//! Folders of the user that both roles and the tools share. Must not make, read or write anything in them.

use std::path::PathBuf;

/// Where compiled shaders and pipelines are kept: `$MOBILEGL_CACHE_DIR`, else `$XDG_CACHE_HOME/mobilegl`, else
/// `~/.cache/mobilegl`. An empty variable counts as absent, and so does one of the latter two with a relative path (XDG Base
/// Directory Specification): the folder would be another one wherever a program is started. None without any of them.
pub fn cache() -> Option<PathBuf> {
    cache_of(|name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn cache_of(set: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| set(name).filter(|folder| folder.is_absolute());
    set("MOBILEGL_CACHE_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|folder| folder.join("mobilegl")))
        .or_else(|| absolute("HOME").map(|folder| folder.join(".cache/mobilegl")))
}

#[cfg(test)]
mod tests {
    use super::cache_of;
    use std::path::{Path, PathBuf};

    /// If this fails, client and server keep their caches in different places, and a user who names one finds it empty.
    #[test]
    fn the_named_folder_comes_before_the_usual_ones() {
        let of = |names: &[&str]| {
            cache_of(|name| names.contains(&name).then(|| PathBuf::from(format!("/of/{}", name.to_ascii_lowercase()))))
        };
        let all = ["HOME", "XDG_CACHE_HOME", "MOBILEGL_CACHE_DIR"];
        assert_eq!(of(&all).as_deref(), Some(Path::new("/of/mobilegl_cache_dir")));
        assert_eq!(of(&all[..2]).as_deref(), Some(Path::new("/of/xdg_cache_home/mobilegl")));
        assert_eq!(of(&all[..1]).as_deref(), Some(Path::new("/of/home/.cache/mobilegl")));
        assert_eq!(of(&[]), None);
    }

    /// If this fails, a relative path in the environment leaves caches in every folder where a program was started.
    #[test]
    fn relative_paths_count_as_absent() {
        let of = |cache: &str, home: &str| {
            cache_of(|name| {
                [("XDG_CACHE_HOME", cache), ("HOME", home)].iter().find(|(n, _)| *n == name).map(|(_, v)| v.into())
            })
        };
        assert_eq!(of("cache", "home"), None);
        assert_eq!(of("cache", "/me").as_deref(), Some(Path::new("/me/.cache/mobilegl")));
    }
}
