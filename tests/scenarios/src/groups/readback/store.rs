//! The pixel store: how rows lie in memory and in buffers (GL 4.6 §8.4.4, §18.2).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["readback":
    rows_are_aligned,
    long_rows_and_skips_on_upload,
    long_rows_and_skips_on_read,
    slices_of_volumes,
    swapped_bytes,
    reads_into_a_buffer,
    many_reads_into_one_buffer,
    wrong_stores_are_refused,
];

const RED8: (u32, u32) = (t::RED, t::UNSIGNED_BYTE);

/// If this fails, pictures whose rows are no multiple of four bytes are sheared.
fn rows_are_aligned(gl: &Gl) {
    for alignment in [1, 2, 4, 8] {
        let row = 3usize.next_multiple_of(alignment);
        let mut bytes = vec![0xEEu8; row * 4];
        for y in 0..4 {
            for x in 0..3 {
                bytes[y * row + x] = (y * 3 + x) as u8;
            }
        }
        gl.pixel_storei(t::UNPACK_ALIGNMENT, alignment as i32);
        gl.pixel_storei(t::PACK_ALIGNMENT, 1);
        gl.texture_2d(t::R8, (3, 4), RED8, &bytes);
        let got = gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_BYTE, 12);
        assert!((0..12).all(|i| usize::from(got[i]) == i), "alignment {alignment}: {got:?}");
        gl.pixel_storei(t::PACK_ALIGNMENT, alignment as i32);
        let got = gl.texture_image::<u8>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_BYTE, row * 4);
        assert!((0..12).all(|i| usize::from(got[i / 3 * row + i % 3]) == i), "packed with {alignment}: {got:?}");
    }
}

/// If this fails, programs that upload a part of a larger picture upload another part.
fn long_rows_and_skips_on_upload(gl: &Gl) {
    let whole: Vec<[u8; 4]> = (0..100u8).map(|i| [i, 1, 2, 255]).collect();
    gl.pixel_storei(t::UNPACK_ROW_LENGTH, 10);
    gl.pixel_storei(t::UNPACK_SKIP_PIXELS, 3);
    gl.pixel_storei(t::UNPACK_SKIP_ROWS, 2);
    gl.texture_2d(t::RGBA8, (4, 5), RGBA8, &whole);
    let got = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 20);
    for (i, texel) in got.iter().enumerate() {
        assert_eq!(usize::from(texel[0]), (2 + i / 4) * 10 + 3 + i % 4, "texel {i}");
    }
}

/// If this fails, reads into a part of a larger picture overwrite the rest.
fn long_rows_and_skips_on_read(gl: &Gl) {
    gl.clear_to([0.2, 0.4, 0.6, 1.0]);
    gl.pixel_storei(t::PACK_ROW_LENGTH, 10);
    gl.pixel_storei(t::PACK_SKIP_PIXELS, 3);
    gl.pixel_storei(t::PACK_SKIP_ROWS, 2);
    let got = gl.read::<[u8; 4]>((0, 0, 4, 5), t::RGBA, t::UNSIGNED_BYTE, 100);
    for (i, pixel) in got.iter().enumerate() {
        let inside = (3..7).contains(&(i % 10)) && (2..7).contains(&(i / 10));
        assert_eq!(*pixel, if inside { [51, 102, 153, 255] } else { [0; 4] }, "pixel {i}");
    }
}

/// If this fails, volumes that are a part of larger ones are sheared.
fn slices_of_volumes(gl: &Gl) {
    let whole: Vec<u8> = (0..200).map(|i| i as u8).collect();
    gl.texture(t::TEXTURE_3D);
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 1);
    gl.pixel_storei(t::UNPACK_ROW_LENGTH, 5);
    gl.pixel_storei(t::UNPACK_IMAGE_HEIGHT, 6);
    gl.pixel_storei(t::UNPACK_SKIP_IMAGES, 1);
    gl.pixel_storei(t::UNPACK_SKIP_PIXELS, 1);
    gl.image_3d(t::TEXTURE_3D, 0, t::R8, (2, 3, 2), RED8, Texels::Of(&whole));
    gl.pixel_storei(t::PACK_ALIGNMENT, 1);
    let got = gl.texture_image::<u8>(t::TEXTURE_3D, 0, t::RED, t::UNSIGNED_BYTE, 12);
    let wanted: Vec<u8> = (0..12).map(|i| (30 * (1 + i / 6) + 5 * (i / 2 % 3) + 1 + i % 2) as u8).collect();
    check::expect_equal(&got, &wanted, "rows of 5, slices of 6 rows");
    gl.pixel_storei(t::PACK_IMAGE_HEIGHT, 4);
    gl.pixel_storei(t::PACK_SKIP_IMAGES, 1);
    let got = gl.texture_image::<u8>(t::TEXTURE_3D, 0, t::RED, t::UNSIGNED_BYTE, 30);
    assert_eq!((got[7], got[8], got[16]), (0, wanted[0], wanted[6]), "slices of 4 rows when packed");
}

/// If this fails, data of machines with the other byte order is garbage.
fn swapped_bytes(gl: &Gl) {
    gl.pixel_storei(t::UNPACK_SWAP_BYTES, 1);
    gl.texture_2d(t::R16, (2, 1), (t::RED, t::UNSIGNED_SHORT), &[0x1234u16, 0xABCD]);
    let got = gl.texture_image::<u16>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_SHORT, 2);
    assert_eq!(got, [0x3412, 0xCDAB]);
    gl.pixel_storei(t::PACK_SWAP_BYTES, 1);
    let got = gl.texture_image::<u16>(t::TEXTURE_2D, 0, t::RED, t::UNSIGNED_SHORT, 2);
    assert_eq!(got, [0x1234, 0xABCD]);
}

/// If this fails, screenshots taken without waiting are empty or of another frame.
fn reads_into_a_buffer(gl: &Gl) {
    gl.buffer(t::PIXEL_PACK_BUFFER, &[0x77u8; 64]);
    gl.clear_to([1.0, 0.2, 0.4, 1.0]);
    gl.read_to_buffer((3, 3, 2, 2), t::RGBA, t::UNSIGNED_BYTE, 16);
    gl.clear_to([0.0; 4]);
    let got = gl.contents::<[u8; 4]>(t::PIXEL_PACK_BUFFER, 0, 16);
    assert!(got[4..8].iter().all(|pixel| *pixel == [255, 51, 102, 255]), "{got:?}");
    assert!(got[..4].iter().chain(&got[8..]).all(|pixel| *pixel == [0x77; 4]), "{got:?}");
    gl.read_to_buffer((0, 0, 4, 4), t::RGBA, t::UNSIGNED_BYTE, 4);
    gl.expect_error(t::INVALID_OPERATION, "past the end of the buffer");
    gl.read_to_buffer((0, 0, 1, 1), t::RGBA, t::FLOAT, 2);
    gl.expect_error(t::INVALID_OPERATION, "an offset that is no multiple of the type's size");
}

/// If this fails, video capture through one buffer mixes its frames.
fn many_reads_into_one_buffer(gl: &Gl) {
    gl.buffer_of(t::PIXEL_PACK_BUFFER, 64 * 4);
    for i in 0..64u8 {
        gl.clear_to([f32::from(i) / 255.0, 0.0, 0.0, 1.0]);
        gl.read_to_buffer((i32::from(i), 0, 1, 1), t::RGBA, t::UNSIGNED_BYTE, usize::from(i) * 4);
    }
    let got = gl.contents::<[u8; 4]>(t::PIXEL_PACK_BUFFER, 0, 64);
    assert!(got.iter().enumerate().all(|(i, pixel)| *pixel == [i as u8, 0, 0, 255]), "{got:?}");
    // And from there into a texture, without passing through the program.
    let buffer = gl.int(t::PIXEL_PACK_BUFFER_BINDING) as u32;
    gl.bind_buffer(t::PIXEL_PACK_BUFFER, 0);
    gl.bind_buffer(t::PIXEL_UNPACK_BUFFER, buffer);
    gl.texture(t::TEXTURE_2D);
    gl.image_2d(t::TEXTURE_2D, 0, t::RGBA8, (64, 1), RGBA8, Texels::<u8>::At(0));
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    gl.expect_pixel((40, 9), [40, 0, 0, 255], "the frames as a picture");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_stores_are_refused(gl: &Gl) {
    gl.pixel_storei(t::UNPACK_ALIGNMENT, 3);
    gl.expect_error(t::INVALID_VALUE, "an alignment of 3");
    gl.pixel_storei(t::PACK_ROW_LENGTH, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative row");
    gl.pixel_storei(t::RGBA, 1);
    gl.expect_error(t::INVALID_ENUM, "not a parameter");
    gl.pixel_storef(t::UNPACK_SKIP_ROWS, 2.0);
    assert_eq!((gl.int(t::UNPACK_ALIGNMENT), gl.int(t::PACK_ROW_LENGTH), gl.int(t::UNPACK_SKIP_ROWS)), (4, 0, 2));
}
