//! Blocks of compressed images whose format the device lacks. The server has their texels; the program may ask for the
//! blocks again, so they stay here, by level and slice. Must not decode.

use super::object::Texture;
use crate::share::lock;
use mgl_pipe::format::Format;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Blocks of a texture, shared with its views: level and slice (face, layer) of the texture that owns the storage.
#[derive(Debug, Default)]
pub struct Blocks(Mutex<BTreeMap<(u32, u32), Vec<u8>>>);

/// A box of one level, in texels; the third direction counts slices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) format: Format,
    pub(crate) level: u32,
    /// Extent of the level.
    pub(crate) image: [u32; 2],
    pub(crate) offset: [u32; 3],
    pub(crate) size: [u32; 3],
}

impl Span {
    /// Every row of blocks of the box: slice, range in that slice's blocks, range in the box's tight blocks.
    fn rows(self) -> impl Iterator<Item = (u32, std::ops::Range<usize>, std::ops::Range<usize>)> {
        let (bw, bh) = self.format.storage().block_extent();
        let bytes = self.format.storage().block_bytes() as usize;
        let across = |texels: u32| texels.div_ceil(bw) as usize * bytes;
        let (pitch, row) = (across(self.image[0]), across(self.size[0]));
        let (first, rows) = (self.offset[1] / bh, self.size[1].div_ceil(bh));
        let start = (self.offset[0] / bw) as usize * bytes;
        (0..self.size[2]).flat_map(move |z| {
            (0..rows).map(move |y| {
                let at = (first + y) as usize * pitch + start;
                let tight = (z * rows + y) as usize * row;
                (self.offset[2] + z, at..at + row, tight..tight + row)
            })
        })
    }
    fn slice_bytes(&self) -> usize {
        self.format.info().image_bytes(self.image[0], self.image[1], 1) as usize
    }
    fn box_bytes(&self) -> usize {
        self.format.info().image_bytes(self.size[0], self.size[1], self.size[2]) as usize
    }
}

impl Texture {
    /// Where a view's level 0 and slice 0 are.
    fn origin(&self) -> (u32, u32) {
        let view = self.body().view.unwrap_or_default();
        (view[0], view[1])
    }
    /// Keeps tight blocks of a box.
    pub(crate) fn keep_blocks(&self, span: Span, blocks: &[u8]) {
        let (level, layer) = self.origin();
        let mut kept = lock(&self.blocks.0);
        for (z, at, tight) in span.rows() {
            let slice = kept.entry((level + span.level, layer + z)).or_default();
            // Of another size: what a former definition of the level left.
            if slice.len() != span.slice_bytes() {
                *slice = vec![0; span.slice_bytes()];
            }
            if let (Some(to), Some(from)) = (slice.get_mut(at), blocks.get(tight)) {
                to.copy_from_slice(from);
            }
        }
    }
    /// Tight blocks of a box; zeros where nothing was put.
    pub(crate) fn kept_blocks(&self, span: Span) -> Vec<u8> {
        let (level, layer) = self.origin();
        let kept = lock(&self.blocks.0);
        let mut out = vec![0; span.box_bytes()];
        for (z, at, tight) in span.rows() {
            let slice = kept.get(&(level + span.level, layer + z)).filter(|s| s.len() == span.slice_bytes());
            if let (Some(from), Some(to)) = (slice.and_then(|s| s.get(at)), out.get_mut(tight)) {
                to.copy_from_slice(from);
            }
        }
        out
    }
    /// A level of a mutable texture is defined anew.
    pub(crate) fn forget_blocks(&self, level: u32, face: usize) {
        let faces = self.target.faces() > 1;
        lock(&self.blocks.0).retain(|(l, slice), _| *l != level || (faces && *slice != face as u32));
    }
}
