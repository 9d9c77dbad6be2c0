//! Compares pictures by structural similarity and exact results byte by byte.

use std::fs;
use std::path::{Path, PathBuf};

use image::{GrayImage, RgbImage};
use image_compare::{Algorithm, gray_similarity_structure};

use crate::{Error, Result};

/// The least structural similarity that counts as the same picture.
pub const SAME_PICTURE: f64 = 0.99;

/// Files in a folder with the given end, sorted by name.
pub fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<_> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    found.sort();
    found
}

fn open(path: &Path) -> Result<RgbImage> {
    let picture = image::open(path).map_err(|error| bad(path, error.to_string()))?;
    Ok(picture.to_rgb8())
}

fn bad(path: &Path, why: String) -> Error {
    Error::BadFile { path: path.display().to_string(), why }
}

fn channel(picture: &RgbImage, index: usize) -> GrayImage {
    GrayImage::from_fn(picture.width(), picture.height(), |x, y| image::Luma([picture.get_pixel(x, y).0[index]]))
}

/// The lowest similarity of the three colour channels: grey values alone would miss exchanged colours.
///
/// # Errors
/// When a file is no picture or the sizes differ.
pub fn similarity(expected: &Path, got: &Path) -> Result<f64> {
    let (reference, picture) = (open(expected)?, open(got)?);
    let mut lowest = 1.0_f64;
    for index in 0..3 {
        let similarity =
            gray_similarity_structure(&Algorithm::MSSIMSimple, &channel(&reference, index), &channel(&picture, index));
        lowest = lowest.min(similarity.map_err(|error| bad(got, error.to_string()))?.score);
    }
    Ok(lowest)
}

/// How many pixels differ and by how much at most; for messages.
fn difference(expected: &Path, got: &Path) -> Result<String> {
    let (a, b) = (open(expected)?, open(got)?);
    let largest =
        |(p, q): (&image::Rgb<u8>, &image::Rgb<u8>)| (0..3).map(|i| p.0[i].abs_diff(q.0[i])).max().unwrap_or(0);
    let each: Vec<u8> = a.pixels().zip(b.pixels()).map(largest).filter(|&d| d > 0).collect();
    let most = each.iter().max().copied().unwrap_or(0);
    Ok(format!("{} of {} pixels differ, by {most} at most", each.len(), a.pixels().len()))
}

/// Requires the pictures to be the same to the eye.
///
/// # Errors
/// [`Error::Differs`] with the similarity.
pub fn require_similar(expected: &Path, got: &Path) -> Result<f64> {
    let similarity = similarity(expected, got)?;
    if similarity >= SAME_PICTURE {
        return Ok(similarity);
    }
    let how = format!("similarity {similarity:.4} is below {SAME_PICTURE}; {}", difference(expected, got)?);
    Err(differs("picture", how, expected, got))
}

/// Requires two pictures to be equal to the last pixel.
///
/// # Errors
/// [`Error::Differs`] with the count of differing pixels.
pub fn require_equal_pictures(expected: &Path, got: &Path) -> Result<()> {
    if open(expected)? == open(got)? {
        return Ok(());
    }
    Err(differs("picture", format!("must be equal; {}", difference(expected, got)?), expected, got))
}

/// Requires two text files to be equal; the message names the first line that is not.
///
/// # Errors
/// [`Error::Differs`].
pub fn require_equal_text(expected: &Path, got: &Path) -> Result<()> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| bad(path, error.to_string()));
    let (a, b) = (read(expected)?, read(got)?);
    if a == b {
        return Ok(());
    }
    let how = a.lines().zip(b.lines()).find(|(x, y)| x != y).map_or_else(
        || format!("{} lines expected, {} found", a.lines().count(), b.lines().count()),
        |(x, y)| first_difference(x, y),
    );
    Err(differs("exact values", how, expected, got))
}

fn first_difference(expected: &str, got: &str) -> String {
    let name = expected.split(':').next().unwrap_or("");
    let pairs = expected.split_whitespace().zip(got.split_whitespace());
    match pairs.enumerate().find(|(_, (x, y))| x != y) {
        Some((at, (x, y))) => format!("in {name:?}, word {at}: {x} expected, {y} found"),
        None => format!("in {name:?} the counts differ"),
    }
}

fn differs(what: &str, how: String, expected: &Path, got: &Path) -> Error {
    Error::Differs { what: what.into(), how, expected: expected.display().to_string(), got: got.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::{require_equal_pictures, require_similar};
    use image::{Rgb, RgbImage};

    /// If this fails, a picture with two colour channels exchanged or turned upside down would pass as right.
    #[test]
    fn wrong_pictures_are_refused() {
        let folder = std::env::temp_dir().join(format!("mgl-compare-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let save = |name: &str, pixel: &dyn Fn(u32, u32) -> [u8; 3]| {
            let path = folder.join(name);
            RgbImage::from_fn(64, 64, |x, y| Rgb(pixel(x, y))).save(&path).unwrap();
            path
        };
        let right = save("right.png", &|x, y| [x as u8 * 4, y as u8 * 4, 0]);
        let exchanged = save("exchanged.png", &|x, y| [y as u8 * 4, x as u8 * 4, 0]);
        let flipped = save("flipped.png", &|x, y| [x as u8 * 4, 252 - y as u8 * 4, 0]);
        let close = save("close.png", &|x, y| [x as u8 * 4 + 1, y as u8 * 4, 0]);
        assert!(require_similar(&right, &exchanged).is_err());
        assert!(require_similar(&right, &flipped).is_err());
        assert!(require_similar(&right, &close).is_ok());
        assert!(require_equal_pictures(&right, &close).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
