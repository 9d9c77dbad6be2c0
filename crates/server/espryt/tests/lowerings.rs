//! Ways around what a driver lacks, each forced on a driver that would not need it. What every backend must do under all
//! of them is in the conformance suite.

mod common;

use common::{Bytes, flag, handle, noise, read_info, region, session, session_of, tex, texture, whole};
use mgl_backend::desc::ViewOf;
use mgl_backend::traits::{Textures, Verbs};
use mgl_backend::values::{Box3, Clear, Format, FramebufferState, ResourceCopyRegion, Surface};
use mgl_backend::{Backend, Refusal};
use mgl_espryt::Espryt;
use mgl_pipe::tokens::{ClearKind, ResourceTarget as T, SurfaceKind, ValueClass};

fn read(s: &mut Espryt, slot: u32, src: Box3, level: u16, len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    s.texture_read(handle(slot), &read_info(src, level), &mut out).expect("a read of the texture");
    out
}

fn filled(s: &mut Espryt, slot: u32, target: T, format: Format, size: [u32; 3], bytes: &[u8]) {
    s.texture_define(handle(slot), &texture(target, format, size, 1), false).expect("storage");
    s.texture_write(handle(slot), 0, &region(whole(size)), &Bytes(bytes)).expect("an upload");
}

/// Formats that can neither be attached nor copied are read through a shader, from every kind of texture.
#[test]
fn formats_that_can_only_be_sampled_are_read_by_a_shader() {
    let mut s = session("copy_image,render_snorm");
    for (slot, target, size) in
        [(1, T::Tex2D, [8, 8, 1]), (2, T::Tex2DArray, [8, 8, 3]), (3, T::Tex3D, [8, 8, 3]), (4, T::TexCube, [8, 8, 6])]
    {
        // -128 and -127 are one value.
        let len = (size[0] * size[1] * size[2] * 4) as usize;
        let snorm: Vec<u8> = noise(len, slot).into_iter().map(|b| if b == 0x80 { 0x81 } else { b }).collect();
        filled(&mut s, slot, target, Format::Rgba8Snorm, size, &snorm);
        assert_eq!(read(&mut s, slot, whole(size), 0, len), snorm, "{target:?}");
        // A shared exponent as it would be chosen anew: one component with its highest bit set.
        let shared: Vec<u8> = (0..len as u32 / 4)
            .flat_map(|i| (0x100 | (i & 0xFF) | (((i * 7) & 0x1FF) << 9) | (17 << 27)).to_le_bytes())
            .collect();
        filled(&mut s, slot + 10, target, Format::Rgb9E5, size, &shared);
        assert_eq!(read(&mut s, slot + 10, whole(size), 0, len), shared, "{target:?}");
    }
    assert_eq!(
        {
            s.texture_define(handle(30), &texture(T::Tex2D, Format::CompressedRgb8Etc2, [8, 8, 1], 1), false).unwrap();
            s.texture_read(handle(30), &read_info(whole([8, 8, 1]), 0), &mut [0; 32])
        },
        Err(Refusal::Unsupported("ReadCompressed"))
    );
}

/// A view without the driver's help must show what was written last, whoever wrote it.
#[test]
fn views_by_copies_follow_every_writer() {
    for disable in ["", "texture_view", "texture_view,copy_image"] {
        let mut s = session(disable);
        let mut owner = texture(T::Tex2DArray, Format::Rgba8, [8, 8, 4], 2);
        owner.immutable = true;
        s.texture_define(handle(1), &owner, false).unwrap();
        for (slot, format, layer) in [(2, Format::R32Ui, 1), (3, Format::Rgba8, 2)] {
            let mut view = texture(T::Tex2D, format, [8, 8, 1], 1);
            view.immutable = true;
            view.view = Some(ViewOf { owner: handle(1), level: 0, layer });
            s.texture_define(handle(slot), &view, false).unwrap();
        }
        let all = noise(8 * 8 * 4 * 4, 1);
        s.texture_write(handle(1), 0, &region(whole([8, 8, 4])), &Bytes(&all)).unwrap();
        assert_eq!(read(&mut s, 2, whole([8, 8, 1]), 0, 256), all[256..512], "without {disable:?}");
        let part = noise(256, 2);
        s.texture_write(handle(2), 0, &region(whole([8, 8, 1])), &Bytes(&part)).unwrap();
        assert_eq!(read(&mut s, 3, whole([8, 8, 1]), 0, 256), all[512..768], "without {disable:?}");
        s.texture_clear(handle(3), 0, &Box3 { x: 0, y: 0, z: 0, w: 8, h: 1, d: 1 }, &[9, 8, 7, 6]).unwrap();
        let mut expected = all.clone();
        expected[256..512].copy_from_slice(&part);
        expected[512..544].copy_from_slice(&[9, 8, 7, 6].repeat(8));
        assert_eq!(read(&mut s, 1, whole([8, 8, 4]), 0, 1024), expected, "without {disable:?}");
        // The owner's name may go first.
        s.texture_destroy(handle(1));
        s.texture_destroy(handle(2));
        assert_eq!(read(&mut s, 3, whole([8, 8, 1]), 0, 256), expected[512..768]);
        s.texture_destroy(handle(3));
    }
}

/// Textures that image units use are stored wider where ES has no such unit, and still give back their own texels.
#[test]
fn widened_storage_keeps_texels() {
    for disable in ["", "image_formats", "image_formats,copy_image"] {
        let mut s = session(disable);
        for (slot, format) in [
            (1, Format::R8),
            (2, Format::Rg16F),
            (3, Format::R11FG11FB10F),
            (4, Format::Rgb10A2),
            (5, Format::Rg32Ui),
            (6, Format::R16I),
            (7, Format::Rgba16),
            (8, Format::Rg8Snorm),
        ] {
            let mut desc = texture(T::Tex2D, format, [8, 8, 1], 1);
            desc.image_bindable = true;
            s.texture_define(handle(slot), &desc, false).unwrap();
            let len = format.info().image_bytes(8, 8, 1) as usize;
            // Small positive numbers of every layout: no NaN, no second spelling.
            let bytes: Vec<u8> = noise(len, slot).into_iter().map(|b| b & 0x3B).collect();
            s.texture_write(handle(slot), 0, &region(whole([8, 8, 1])), &Bytes(&bytes)).unwrap();
            assert_eq!(read(&mut s, slot, whole([8, 8, 1]), 0, len), bytes, "{format:?} without {disable:?}");
        }
    }
}

/// Copies between kinds of textures move the same bits with and without the driver's copy.
#[test]
fn image_copies_without_the_extension() {
    for disable in ["", "copy_image"] {
        let mut s = session(disable);
        let array = noise(8 * 8 * 4 * 4, 3);
        filled(&mut s, 1, T::Tex2DArray, Format::Rgba8, [8, 8, 4], &array);
        s.texture_define(handle(2), &texture(T::Tex3D, Format::R32Ui, [8, 8, 4], 1), false).unwrap();
        let copy = ResourceCopyRegion { src: whole([8, 8, 4]), dst: [0; 3], ..ResourceCopyRegion::default() };
        s.copy_image(tex(1), tex(2), &copy).unwrap();
        assert_eq!(read(&mut s, 2, whole([8, 8, 4]), 0, array.len()), array, "without {disable:?}");
    }
}

/// A driver of OpenGL ES 3.0 has fewer textures; what it lacks is refused by name and the rest works.
#[test]
fn old_versions_refuse_by_name() {
    let mut s = session_of(0, "cube_map_array,copy_image,geometry_shader");
    let caps = s.caps();
    assert!(!caps.features.compute_shader && !caps.features.cube_map_array);
    let bytes = noise(256, 1);
    filled(&mut s, 1, T::Tex2D, Format::Rgba8, [8, 8, 1], &bytes);
    assert_eq!(read(&mut s, 1, whole([8, 8, 1]), 0, 256), bytes);
    let cubes = texture(T::TexCubeArray, Format::Rgba8, [8, 8, 12], 1);
    assert_eq!(s.texture_define(handle(2), &cubes, false), Err(Refusal::Unsupported("CubeMapArray")));
    let many = mgl_backend::TextureDesc { samples: 4, ..texture(T::Tex2DMs, Format::Rgba8, [8, 8, 1], 1) };
    assert_eq!(s.texture_define(handle(3), &many, false), Err(Refusal::Unsupported("MultisampleTexture")));
}

/// Every layer of a layered framebuffer is cleared, also by a driver that attaches only one at a time.
#[test]
fn layered_clears_without_layers() {
    for disable in ["", "geometry_shader"] {
        let mut s = session(disable);
        filled(&mut s, 1, T::Tex2DArray, Format::Rgba8, [4, 4, 3], &noise(192, 1));
        let surface = Surface {
            slot: 1,
            generation: 1,
            kind: SurfaceKind::Texture,
            layered: flag(true),
            format: Format::Rgba8 as u16,
            ..Surface::default()
        };
        let mut fb = FramebufferState { width: 4, height: 4, layers: 3, ..FramebufferState::default() };
        fb.draw_buffers = [0, -1, -1, -1, -1, -1, -1, -1];
        fb.color[0] = surface;
        let mut ctx = mgl_backend::ContextState::new(1);
        ctx.dynamic.clear_color = [1.0, 0.0, 1.0, 0.0];
        let clear = Clear { kind: ClearKind::Whole, class: ValueClass::Float, mask: 0x4000, ..Clear::default() };
        s.clear(&mut ctx, &fb, &clear).unwrap();
        assert_eq!(read(&mut s, 1, whole([4, 4, 3]), 0, 192), [255, 0, 255, 0].repeat(48), "without {disable:?}");
    }
}

/// Drivers that write other levels than those that were asked for lose a program's own mipmaps: the levels are made one by
/// one, of every layer, and the others stay.
#[test]
fn some_levels_are_generated_by_blits() {
    for disable in ["", "mipmap_range"] {
        let mut s = session(disable);
        for (slot, target, format, layers) in [
            (1, T::Tex2D, Format::Rgba8, 1),
            (2, T::Tex2DArray, Format::Rgba8, 3),
            (3, T::TexCube, Format::Rgba8, 6),
            (4, T::Tex2D, Format::Srgb8Alpha8, 1),
        ] {
            let size = |level: u32| [16 >> level, 16 >> level, layers];
            s.texture_define(handle(slot), &texture(target, format, size(0), 5), false).expect("storage");
            let levels: Vec<Vec<u8>> = (0..5)
                .map(|level| {
                    let [w, h, d] = size(level);
                    // Layers of one colour, so that no filter differs: 40, 60 and so on, by level and layer.
                    (0..d).flat_map(|z| vec![(40 + 20 * level + 5 * z) as u8; (w * h * 4) as usize]).collect()
                })
                .collect();
            for (level, bytes) in (0..5).zip(&levels) {
                s.texture_write(handle(slot), level, &region(whole(size(level))), &Bytes(bytes)).expect("an upload");
            }
            s.generate_mipmap(handle(slot), 1, 3).expect("mipmaps");
            for level in 0..5u32 {
                let [w, h, d] = size(level);
                let source = if (2..4).contains(&level) { 1 } else { level };
                let want: Vec<u8> =
                    (0..d).flat_map(|z| vec![(40 + 20 * source + 5 * z) as u8; (w * h * 4) as usize]).collect();
                let got = read(&mut s, slot, whole(size(level)), level as u16, want.len());
                let far = got.iter().zip(&want).filter(|(a, b)| a.abs_diff(**b) > 1).count();
                assert_eq!(far, 0, "{disable:?} {target:?} {format:?} level {level}: {:?}", got.get(..8));
            }
        }
    }
}
