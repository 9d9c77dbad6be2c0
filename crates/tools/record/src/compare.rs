//! Two pictures against each other: how many pixels differ, how much, how similar they are, and a picture of the
//! difference. Must not know where the pictures come from.

use crate::error::{Error, Result};
use crate::picture::Picture;
use image::{GrayImage, Luma, Rgb, RgbImage};
use image_compare::{Algorithm, gray_similarity_structure};

/// How two pictures of one size differ.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Pixels of which a channel differs by more than the tolerance.
    pub differing: u64,
    /// All pixels.
    pub pixels: u64,
    /// The largest difference of a channel, 0 … 255.
    pub largest: u8,
    /// The colours are the same.
    pub alpha_only: bool,
    /// Structural similarity, the lowest of the three colours; 1 = the same.
    pub ssim: f64,
    /// The difference of each channel, made bright enough to be seen.
    pub difference: RgbImage,
}

impl Comparison {
    /// True when no pixel differs by more than the tolerance.
    pub fn equal(&self) -> bool {
        self.differing == 0
    }
}

fn channel(picture: &RgbImage, index: usize) -> GrayImage {
    let value = |x, y| Luma([picture.get_pixel(x, y).0.get(index).copied().unwrap_or(0)]);
    GrayImage::from_fn(picture.width(), picture.height(), value)
}

fn similarity(a: &RgbImage, b: &RgbImage) -> Result<f64> {
    let mut lowest = 1.0_f64;
    for index in 0..3 {
        let found = gray_similarity_structure(&Algorithm::MSSIMSimple, &channel(a, index), &channel(b, index));
        lowest = lowest.min(found.map_err(|error| Error::Compare(error.to_string()))?.score);
    }
    Ok(lowest)
}

/// The largest difference of any channel, alpha included, of every pixel.
fn distances<'a>(a: &'a Picture, b: &'a Picture) -> impl Iterator<Item = u8> + 'a {
    let pairs = a.pixels.pixels().zip(b.pixels.pixels());
    pairs.map(|(p, q)| p.0.iter().zip(q.0).map(|(x, y)| x.abs_diff(y)).max().unwrap_or(0))
}

/// True when the pictures have other sizes or a pixel differs by more than `tolerance`.
pub fn differ(a: &Picture, b: &Picture, tolerance: u8) -> bool {
    a.pixels.dimensions() != b.pixels.dimensions() || distances(a, b).any(|d| d > tolerance)
}

/// Compares two pictures.
///
/// # Errors
/// [`Error::Compare`] when their sizes differ.
pub fn compare(a: &Picture, b: &Picture, tolerance: u8) -> Result<Comparison> {
    if a.pixels.dimensions() != b.pixels.dimensions() {
        let ((aw, ah), (bw, bh)) = (a.pixels.dimensions(), b.pixels.dimensions());
        return Err(Error::Compare(format!("{aw} x {ah} against {bw} x {bh}")));
    }
    let all: Vec<u8> = distances(a, b).collect();
    let largest = all.iter().copied().max().unwrap_or(0);
    let (left, right) = (a.opaque(), b.opaque());
    let most = left.iter().zip(right.iter()).map(|(x, y)| x.abs_diff(*y)).max().unwrap_or(0);
    let scale = |d: u8| (u32::from(d) * 255 / u32::from(most.max(1))) as u8;
    let difference = RgbImage::from_fn(left.width(), left.height(), |x, y| {
        let (p, q) = (left.get_pixel(x, y).0, right.get_pixel(x, y).0);
        Rgb(std::array::from_fn(|i| scale(p[i].abs_diff(q[i]))))
    });
    Ok(Comparison {
        differing: all.iter().filter(|d| **d > tolerance).count() as u64,
        pixels: all.len() as u64,
        largest,
        alpha_only: left == right,
        ssim: similarity(&left, &right)?,
        difference,
    })
}
