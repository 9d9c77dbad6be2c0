//! Textures .
#![allow(clippy::unwrap_used, reason = "a test whose step fails has failed")]

use crate::common::{
    Bytes, FORMAT_LANES, Session, assert_bounded, finish, handle, live_buffers, live_images, noise, read_info, region,
    session, tex, texture, whole,
};
use mgl_backend::traits::{BufferTarget, Buffers, Textures};
use mgl_backend::values::{Box3, Format, ResourceCopyRegion, Storage, SubRegion};
use mgl_base::Handle;
use mgl_base::handle::Texture;
use mgl_pipe::format::FORMATS;
use mgl_pipe::tokens::ResourceTarget as T;

/// Texels that survive the packed layouts: unused bits of depth formats are zero.
fn texels(format: Format, len: usize, seed: u32) -> Vec<u8> {
    let mut bytes = noise(len, seed);
    match format.storage() {
        Storage::D24Unorm => bytes.chunks_exact_mut(4).for_each(|t| t[0] = 0),
        Storage::D32Float => {
            for (i, t) in bytes.chunks_exact_mut(4).enumerate() {
                t.copy_from_slice(&(i as f32 / 4096.0).to_le_bytes());
            }
        }
        Storage::D32FloatS8Uint => {
            for (i, t) in bytes.chunks_exact_mut(8).enumerate() {
                t[..4].copy_from_slice(&(i as f32 / 4096.0).to_le_bytes());
                t[5..].fill(0);
            }
        }
        _ => {}
    }
    bytes
}

fn read(backend: &mut Session, slot: u32, src: Box3, level: u16, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    backend.texture_read(handle(slot), &read_info(src, level), &mut out).expect("a read of the texture");
    out
}

/// Every format that the device offers must give back the texels that were uploaded, also with fall-back formats.
#[test]
fn every_storage_round_trips() {
    crate::common::log();
    for disable in FORMAT_LANES {
        round_trip_every_storage(disable);
    }
}

/// Equal, but for what a backend's way through floats may do to 24 bits of depth.
fn same_texels(format: Format, a: &[u8], b: &[u8]) -> bool {
    if !matches!(format.storage(), Storage::D24Unorm | Storage::D24UnormS8Uint) {
        return a == b;
    }
    let word = |t: &[u8]| u32::from_le_bytes([t[0], t[1], t[2], t[3]]);
    #[allow(clippy::absurd_extreme_comparisons, reason = "the tolerance is a backend's own, and zero on one of them")]
    let near = |a: u32, b: u32| (a >> 8).abs_diff(b >> 8) <= crate::common::DEPTH24_TOLERANCE && a & 0xFF == b & 0xFF;
    a.len() == b.len() && a.chunks_exact(4).zip(b.chunks_exact(4)).all(|(a, b)| near(word(a), word(b)))
}

fn round_trip_every_storage(disable: &str) {
    let mut backend = session(disable);
    let caps = mgl_backend::Backend::caps(&backend);
    let mut tried = 0;
    for (index, row) in FORMATS.iter().enumerate() {
        if caps.format(row.format).bits & 1 == 0 {
            assert!(row.compressed || !row.format.is_color(), "{:?} cannot be sampled", row.format);
            continue;
        }
        tried += 1;
        let slot = index as u32 + 1;
        let size = [24, 12, 1];
        let t: Handle<Texture> = handle(slot);
        backend.texture_define(t, &texture(T::Tex2D, row.format, size, 1), false).expect("a texture");
        let len = row.image_bytes(24, 12, 1) as usize;
        let bytes = texels(row.format, len, slot);
        backend.texture_write(t, 0, &region(whole(size)), &Bytes(&bytes)).expect("an upload");
        let back = read(&mut backend, slot, whole(size), 0, len);
        assert!(same_texels(row.format, &back, &bytes), "{:?}: {back:?} {bytes:?}", row.format);
    }
    assert!(tried > 70, "only {tried} formats");
    finish(backend);
}

/// Boxes, strides, slices and layers must land where the program put them.
#[test]
fn boxes_and_strides_land_in_place() {
    let mut backend = session("");
    for (slot, target, size) in [
        (1, T::Tex2DArray, [8, 8, 5]),
        (2, T::Tex3D, [8, 8, 5]),
        (3, T::TexCube, [8, 8, 6]),
        (4, T::Tex1DArray, [8, 1, 5]),
        (5, T::Tex1D, [8, 1, 1]),
        (6, T::TexRect, [8, 8, 1]),
    ] {
        let t = handle(slot);
        backend.texture_define(t, &texture(target, Format::Rgba8, size, 1), false).unwrap();
        let len = (size[0] * size[1] * size[2] * 4) as usize;
        let mut expected = noise(len, slot);
        backend.texture_write(t, 0, &region(whole(size)), &Bytes(&expected)).unwrap();
        // A 3 x h x d box at x = 2 from rows of 20 bytes, last slice only.
        let dst = Box3 { x: 2, y: 0, z: size[2] as i32 - 1, w: 3, h: size[1], d: 1 };
        let source = noise(20 * size[1] as usize + 4, 77);
        let part = [SubRegion { dst, src_offset: 4, row_stride: 20, slice_stride: 0 }];
        backend.texture_write(t, 0, &part, &Bytes(&source)).unwrap();
        for y in 0..size[1] as usize {
            let to = (((size[2] as usize - 1) * size[1] as usize + y) * 8 + 2) * 4;
            expected[to..to + 12].copy_from_slice(&source[4 + y * 20..][..12]);
        }
        assert_eq!(read(&mut backend, slot, whole(size), 0, len), expected, "{target:?}");
    }
    finish(backend);
}

/// Mipmaps of a constant picture are that constant; of a gradient they are near its averages.
#[test]
fn mipmaps_average() {
    let mut backend = session("");
    for (slot, target, size, format) in [
        (1, T::Tex2D, [16, 16, 1], Format::Rgba8),
        (2, T::Tex3D, [16, 16, 16], Format::Rgba8),
        (3, T::TexCube, [16, 16, 6], Format::Rgb8),
        (4, T::Tex2D, [16, 4, 1], Format::R32F),
        (5, T::Tex2D, [16, 16, 1], Format::Depth24),
    ] {
        let t = handle(slot);
        backend.texture_define(t, &texture(target, format, size, 5), false).unwrap();
        let texel: [u8; 4] = if format == Format::R32F { 2.5f32.to_le_bytes() } else { [0, 20, 30, 255] };
        let count = (size[0] * size[1] * size[2]) as usize;
        backend.texture_write(t, 0, &region(whole(size)), &Bytes(&texel.repeat(count))).unwrap();
        backend.generate_mipmap(t, 0, 4).unwrap();
        let last = if target == T::TexCube { [1, 1, 6] } else { [1, 1, 1] };
        let out = read(&mut backend, slot, whole(last), 4, 4 * last[2] as usize);
        // A blit of 24-bit depth may go through 32-bit floats.
        let close = |a: &[u8], b: &[u8]| {
            let word = |t: &[u8]| u32::from_le_bytes([t[0], t[1], t[2], t[3]]);
            if format == Format::Depth24 { word(a).abs_diff(word(b)) < 0x1000 } else { a == b }
        };
        assert!(out.chunks(4).all(|t| close(t, &texel)), "{target:?} {format:?}: {out:?}");
    }
    finish(backend);
}

/// `glCopyImageSubData` moves texels between kinds of textures without changing a bit.
#[test]
fn image_copies_move_bits() {
    let mut backend = session("");
    let array = noise(8 * 8 * 4 * 4, 3);
    backend.texture_define(handle(1), &texture(T::Tex2DArray, Format::Rgba8, [8, 8, 4], 1), false).unwrap();
    backend.texture_write(handle(1), 0, &region(whole([8, 8, 4])), &Bytes(&array)).unwrap();
    backend.texture_define(handle(2), &texture(T::Tex3D, Format::R32Ui, [8, 8, 4], 1), false).unwrap();
    backend.texture_define(handle(3), &texture(T::Tex1D, Format::R32F, [8, 1, 1], 1), false).unwrap();
    let copy = |src: Box3, dst: [i32; 3]| ResourceCopyRegion { src, dst, ..ResourceCopyRegion::default() };
    backend.copy_image(tex(1), tex(2), &copy(whole([8, 8, 4]), [0, 0, 0])).unwrap();
    assert_eq!(read(&mut backend, 2, whole([8, 8, 4]), 0, array.len()), array);
    let row = Box3 { x: 0, y: 3, z: 1, w: 8, h: 1, d: 1 };
    backend.copy_image(tex(1), tex(3), &copy(row, [0, 0, 0])).unwrap();
    assert_eq!(read(&mut backend, 3, whole([8, 1, 1]), 0, 32), array[(64 + 24) * 4..][..32]);
    // Inside one texture.
    backend.copy_image(tex(1), tex(1), &copy(whole([4, 4, 1]), [4, 4, 0])).unwrap();
    let corner = Box3 { x: 4, y: 4, z: 0, w: 4, h: 4, d: 1 };
    let from = read(&mut backend, 1, whole([4, 4, 1]), 0, 64);
    assert_eq!(read(&mut backend, 1, corner, 0, 64), from);
    finish(backend);
}

/// A texture that grows by levels keeps what was uploaded before.
#[test]
fn redefinition_keeps_fitting_levels() {
    let mut backend = session("");
    let bytes = noise(16 * 16 * 4, 5);
    backend.texture_define(handle(1), &texture(T::Tex2D, Format::Rgba8, [16, 16, 1], 1), false).unwrap();
    backend.texture_write(handle(1), 0, &region(whole([16, 16, 1])), &Bytes(&bytes)).unwrap();
    backend.texture_define(handle(1), &texture(T::Tex2D, Format::Rgba8, [16, 16, 1], 5), true).unwrap();
    assert_eq!(read(&mut backend, 1, whole([16, 16, 1]), 0, bytes.len()), bytes);
    let mut bindable = texture(T::Tex2D, Format::Rgba8, [16, 16, 1], 5);
    bindable.image_bindable = true;
    backend.texture_define(handle(1), &bindable, true).unwrap();
    assert_eq!(read(&mut backend, 1, whole([16, 16, 1]), 0, bytes.len()), bytes);
    finish(backend);
}

/// `glClearTexSubImage` fills exactly its box, also packed depth and stencil.
#[test]
fn clears_fill_the_box() {
    FORMAT_LANES.iter().for_each(|lane| clear_boxes(lane));
}

fn clear_boxes(lane: &str) {
    let mut backend = session(lane);
    for (slot, format, texel) in [
        (1, Format::Rgba8, vec![1, 2, 3, 4]),
        (2, Format::R8, vec![9]),
        (3, Format::Rgba32F, noise(16, 4)),
        (4, Format::Depth24Stencil8, vec![0x5A, 1, 2, 3]),
        (5, Format::Depth32FStencil8, [0.5f32.to_le_bytes(), 7u32.to_le_bytes()].concat()),
        (6, Format::StencilIndex8, vec![3]),
    ] {
        let t = handle(slot);
        backend.texture_define(t, &texture(T::Tex2DArray, format, [10, 10, 3], 1), false).unwrap();
        let mut expected = vec![0; 300 * texel.len()];
        backend.texture_clear(t, 0, &whole([10, 10, 3]), &vec![0; texel.len()]).unwrap();
        backend.texture_clear(t, 0, &Box3 { x: 1, y: 2, z: 1, w: 5, h: 3, d: 2 }, &texel).unwrap();
        for (z, y, x) in (1..3).flat_map(|z| (2..5).flat_map(move |y| (1..6).map(move |x| (z, y, x)))) {
            let at = ((z * 10 + y) * 10 + x) * texel.len();
            expected[at..at + texel.len()].copy_from_slice(&texel);
        }
        assert_eq!(read(&mut backend, slot, whole([10, 10, 3]), 0, expected.len()), expected, "{format:?}");
    }
    finish(backend);
}

/// A read into a pixel pack buffer must respect offset and strides and leave the bytes between rows alone.
#[test]
fn reads_into_buffers_respect_strides() {
    let mut backend = session("");
    let bytes = noise(6 * 4 * 4, 8);
    backend.texture_define(handle(1), &texture(T::Tex2D, Format::Rgba8, [6, 4, 1], 1), false).unwrap();
    backend.texture_write(handle(1), 0, &region(whole([6, 4, 1])), &Bytes(&bytes)).unwrap();
    for (offset, row) in [(0u64, 24u32), (8, 32), (3, 29)] {
        let buffer = handle(1);
        backend.buffer_define(buffer, &crate::common::store(256)).unwrap();
        backend.buffer_write(buffer, 0, &Bytes(&[0xEE; 256])).unwrap();
        let to = BufferTarget { buffer, offset, row_stride: row, image_stride: 0 };
        backend.texture_read_to_buffer(handle(1), &read_info(whole([6, 4, 1]), 0), to).unwrap();
        let mut expected = vec![0xEE; 256];
        for y in 0..4usize {
            expected[offset as usize + y * row as usize..][..24].copy_from_slice(&bytes[y * 24..][..24]);
        }
        let mut out = vec![0; 256];
        backend.buffer_read(buffer, 0, &mut out).unwrap();
        assert_eq!(out, expected, "offset {offset} row {row}");
    }
    finish(backend);
}

/// A program that renders or computes into a pixel unpack buffer must find it in the texture, whatever strides and formats
/// it has, and nothing beside the box.
#[test]
fn uploads_out_of_buffers_respect_strides() {
    let mut backend = session("");
    let source = noise(1 << 12, 9);
    let buffer = handle(1);
    backend.buffer_define(buffer, &crate::common::store(1 << 12)).unwrap();
    backend.buffer_write(buffer, 0, &Bytes(&source)).unwrap();
    let formats = [Format::Rgba8, Format::R8, Format::R16F, Format::Rgba32F, Format::Depth16, Format::Rgba8Ui];
    for (slot, format) in (1..).zip(formats) {
        let texel = format.storage().block_bytes();
        let t = handle(slot);
        for (offset, row, slice) in [(0u64, 0u32, 0u32), (16, 8 * texel, 40 * texel), (3, 7 * texel + 1, 31 * texel)] {
            backend.texture_define(t, &texture(T::Tex2DArray, format, [8, 6, 3], 1), false).unwrap();
            backend.texture_clear(t, 0, &whole([8, 6, 3]), &vec![0; texel as usize]).unwrap();
            let dst = Box3 { x: 1, y: 2, z: 1, w: 5, h: 4, d: 2 };
            let region = SubRegion { dst, src_offset: offset, row_stride: row, slice_stride: slice };
            backend.texture_write_from_buffer(t, 0, &region, buffer).unwrap();
            let row = if row == 0 { 5 * texel } else { row };
            let slice = if slice == 0 { 4 * row } else { slice };
            let texel = texel as usize;
            let mut expected = vec![0; 8 * 6 * 3 * texel];
            for (z, y) in (0..2).flat_map(|z| (0..4).map(move |y| (z, y))) {
                let from = offset as usize + z * slice as usize + y * row as usize;
                let to = (((z + 1) * 6 + y + 2) * 8 + 1) * texel;
                expected[to..to + 5 * texel].copy_from_slice(&source[from..from + 5 * texel]);
            }
            let got = read(&mut backend, slot, whole([8, 6, 3]), 0, expected.len());
            assert_eq!(got, expected, "{format:?} offset {offset}");
        }
    }
    finish(backend);
}

/// A buffer texture must keep showing the buffer's bytes after the program deleted the buffer's name, and its store
/// must go when the texture goes.
#[test]
fn buffer_textures_keep_their_store() {
    let mut backend = session("");
    let buffer = handle(1);
    backend.buffer_define(buffer, &crate::common::store(64)).unwrap();
    let mut desc = texture(T::TexBuffer, Format::Rgba8, [16, 1, 1], 1);
    desc.buffer = Some((buffer, 0, u64::MAX));
    backend.texture_define(handle(1), &desc, false).unwrap();
    backend.buffer_destroy(buffer);
    assert_eq!(live_buffers(&mut backend), 1);
    backend.texture_destroy(handle(1));
    assert_eq!(live_buffers(&mut backend), 0);
    finish(backend);
}

/// A view shows its owner's texels in another format, and outlives the owner's name.
#[test]
fn texture_views_alias_the_owner() {
    let mut backend = session("");
    let mut owner = texture(T::Tex2DArray, Format::Rgba8, [8, 8, 6], 2);
    owner.immutable = true;
    backend.texture_define(handle(1), &owner, false).unwrap();
    let bytes = noise(8 * 8 * 6 * 4, 6);
    backend.texture_write(handle(1), 0, &region(whole([8, 8, 6])), &Bytes(&bytes)).unwrap();
    let mut view = texture(T::Tex2D, Format::R32Ui, [8, 8, 1], 1);
    view.immutable = true;
    view.view = Some(mgl_backend::desc::ViewOf { owner: handle(1), level: 0, layer: 2 });
    backend.texture_define(handle(2), &view, false).unwrap();
    backend.texture_destroy(handle(1));
    assert_eq!(read(&mut backend, 2, whole([8, 8, 1]), 0, 256), bytes[512..768]);
    backend.texture_destroy(handle(2));
    assert_eq!(live_images(&mut backend), 0);
    finish(backend);
}

/// Textures that are made and dropped without a present must not pile up.
#[test]
fn texture_churn_without_present_is_bounded() {
    let mut backend = session("");
    let bytes = noise(64 * 64 * 4, 1);
    for i in 0..3000u32 {
        let t = handle(1 + i % 3);
        backend.texture_define(t, &texture(T::Tex2D, Format::Rgba8, [64, 64, 1], 1), false).unwrap();
        backend.texture_write(t, 0, &region(whole([64, 64, 1])), &Bytes(&bytes)).unwrap();
        assert_bounded(&mut backend);
    }
    assert_eq!(live_images(&mut backend), 3);
    finish(backend);
}

/// A multisampled texture that cannot be cleared, whole or in part, would keep what was there before.
#[test]
fn multisampled_textures_are_cleared() {
    let mut backend = session("");
    for (slot, format, texel) in [
        (1, Format::Rgba8, vec![1, 2, 3, 4]),
        (2, Format::Depth24Stencil8, vec![7, 0, 0, 128]),
        (3, Format::R32F, vec![0; 4]),
    ] {
        let mut desc = texture(T::Tex2DMs, format, [16, 16, 1], 1);
        desc.samples = 4;
        backend.texture_define(handle(slot), &desc, false).unwrap();
        backend.texture_clear(handle(slot), 0, &whole([16, 16, 1]), &texel).unwrap();
        backend.texture_clear(handle(slot), 0, &whole([4, 16, 1]), &texel).unwrap();
    }
    finish(backend);
}
