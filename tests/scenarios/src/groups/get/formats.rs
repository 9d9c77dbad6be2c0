//! What formats can do (GL 4.6 §22.3, GL_ARB_internalformat_query2).

use crate::gl::texture::Texels;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["get":
    formats_say_what_can_be_done,
    compressed_formats_for_any_texture,
];

/// If this fails, programs choose formats that the driver then refuses, or do without ones that it has.
fn formats_say_what_can_be_done(gl: &Gl) {
    assert!(gl.has("GL_ARB_internalformat_query2"));
    components(gl);
    extents(gl);
    layouts(gl);
    promises(gl);
    mistakes(gl);
}

fn one(gl: &Gl, target: u32, format: u32, pname: u32) -> u32 {
    let value = gl.format_info(target, format, pname)[0] as u32;
    assert_eq!(gl.format_info64(target, format, pname), i64::from(value), "{pname:#x} in 64 bits");
    value
}

fn components(gl: &Gl) {
    let sizes = [
        t::INTERNALFORMAT_RED_SIZE,
        t::INTERNALFORMAT_GREEN_SIZE,
        t::INTERNALFORMAT_BLUE_SIZE,
        t::INTERNALFORMAT_ALPHA_SIZE,
        t::INTERNALFORMAT_DEPTH_SIZE,
        t::INTERNALFORMAT_STENCIL_SIZE,
        t::INTERNALFORMAT_SHARED_SIZE,
    ];
    let rows = [
        (t::RGBA8, [8, 8, 8, 8, 0, 0, 0], t::UNSIGNED_NORMALIZED),
        (t::RG16F, [16, 16, 0, 0, 0, 0, 0], t::FLOAT),
        (t::RGB10_A2UI, [10, 10, 10, 2, 0, 0, 0], t::UNSIGNED_INT),
        (t::RGB9_E5, [9, 9, 9, 0, 0, 0, 5], t::FLOAT),
        (t::R8I, [8, 0, 0, 0, 0, 0, 0], t::INT),
        (t::DEPTH24_STENCIL8, [0, 0, 0, 0, 24, 8, 0], t::NONE),
    ];
    for (format, wanted, kind) in rows {
        let got = sizes.map(|pname| one(gl, t::TEXTURE_2D, format, pname));
        assert_eq!(got, wanted, "sizes of {format:#x}");
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::INTERNALFORMAT_RED_TYPE), kind, "type of {format:#x}");
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::INTERNALFORMAT_SUPPORTED), 1);
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::INTERNALFORMAT_PREFERRED), format);
    }
    for pname in sizes.into_iter().chain([t::INTERNALFORMAT_SUPPORTED, t::FRAMEBUFFER_RENDERABLE, t::MAX_WIDTH]) {
        assert_eq!(one(gl, t::TEXTURE_2D, 0x1234, pname), 0, "no format: {pname:#x}");
    }
}

fn extents(gl: &Gl) {
    let info = |target, pname| one(gl, target, t::RGBA8, pname);
    let size = gl.int(t::MAX_TEXTURE_SIZE) as u32;
    assert_eq!((info(t::TEXTURE_2D, t::MAX_WIDTH), info(t::TEXTURE_2D, t::MAX_HEIGHT)), (size, size));
    assert_eq!((info(t::TEXTURE_2D, t::MAX_DEPTH), info(t::TEXTURE_2D, t::MAX_LAYERS)), (0, 0));
    assert_eq!(info(t::TEXTURE_3D, t::MAX_DEPTH), gl.int(t::MAX_3D_TEXTURE_SIZE) as u32);
    assert_eq!(info(t::TEXTURE_2D_ARRAY, t::MAX_LAYERS), gl.int(t::MAX_ARRAY_TEXTURE_LAYERS) as u32);
    assert_eq!((info(t::TEXTURE_1D, t::MAX_WIDTH), info(t::TEXTURE_1D, t::MAX_HEIGHT)), (size, 0));
    let combined = gl.format_info64(t::TEXTURE_2D, t::RGBA8, t::MAX_COMBINED_DIMENSIONS);
    assert_eq!(combined, i64::from(size) * i64::from(size), "more than 32 bits");
    assert_eq!(gl.format_info(t::TEXTURE_2D_MULTISAMPLE, t::RGBA8, t::NUM_SAMPLE_COUNTS)[0].signum(), 1);
    assert_eq!(info(t::TEXTURE_2D, t::NUM_SAMPLE_COUNTS), 0, "one sample");
}

fn layouts(gl: &Gl) {
    let info = |format, pname| one(gl, t::TEXTURE_2D, format, pname);
    let blocks = [
        t::TEXTURE_COMPRESSED,
        t::TEXTURE_COMPRESSED_BLOCK_WIDTH,
        t::TEXTURE_COMPRESSED_BLOCK_HEIGHT,
        t::TEXTURE_COMPRESSED_BLOCK_SIZE,
    ];
    assert_eq!(blocks.map(|pname| info(t::COMPRESSED_RG_RGTC2, pname)), [1, 4, 4, 16]);
    assert_eq!(blocks.map(|pname| info(t::RGBA8, pname)), [0; 4]);
    assert_eq!((info(t::RGBA8, t::COLOR_ENCODING), info(t::SRGB8_ALPHA8, t::COLOR_ENCODING)), (t::LINEAR, t::SRGB));
    assert_eq!(info(t::R32F, t::VIEW_COMPATIBILITY_CLASS), t::VIEW_CLASS_32_BITS);
    let classes = [t::RGBA16UI, t::RG32F].map(|format| info(format, t::VIEW_COMPATIBILITY_CLASS));
    assert_eq!(classes, [t::VIEW_CLASS_64_BITS; 2], "these may be views of each other");
    // What the driver calls its best layout must be one that it takes.
    for format in [t::RGBA8, t::RGBA16F, t::R32UI, t::RGB5_A1, t::DEPTH_COMPONENT24] {
        let layout = (info(format, t::TEXTURE_IMAGE_FORMAT), info(format, t::TEXTURE_IMAGE_TYPE));
        gl.texture(t::TEXTURE_2D);
        gl.image_2d(t::TEXTURE_2D, 0, format, (1, 1), layout, Texels::Of(&[0u32; 4]));
        gl.expect_no_error(&format!("{format:#x} from {layout:x?}"));
    }
}

fn promises(gl: &Gl) {
    let full = |target, format, pname| match one(gl, target, format, pname) {
        t::FULL_SUPPORT | t::CAVEAT_SUPPORT => true,
        t::NONE => false,
        other => panic!("{other:#x} is no kind of support"),
    };
    for format in [t::RGBA8, t::RGBA16F, t::RG8UI, t::RGB9_E5, t::DEPTH_COMPONENT16, t::COMPRESSED_RED_RGTC1] {
        let renders = full(t::TEXTURE_2D, format, t::FRAMEBUFFER_RENDERABLE);
        let depth = format == t::DEPTH_COMPONENT16;
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::DEPTH_RENDERABLE) == 1, depth, "depth of {format:#x}");
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::COLOR_RENDERABLE) == 1, renders && !depth, "{format:#x}");
        let texture = gl.empty_2d(format, (4, 4));
        gl.expect_no_error(&format!("storage of {format:#x}"));
        let framebuffer = gl.new_framebuffer();
        gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
        let point = if depth { t::DEPTH_ATTACHMENT } else { t::COLOR_ATTACHMENT0 };
        gl.framebuffer_texture(t::FRAMEBUFFER, point, texture, 0);
        if depth {
            gl.draw_buffers(&[t::NONE]);
            gl.read_buffer(t::NONE);
        }
        let complete = gl.check_framebuffer_status(t::FRAMEBUFFER) == t::FRAMEBUFFER_COMPLETE;
        assert_eq!(complete, renders, "{format:#x} as an attachment");
        gl.bind_framebuffer(t::FRAMEBUFFER, 0);
        assert!(full(t::TEXTURE_2D, format, t::FRAGMENT_TEXTURE), "{format:#x} in a shader");
        assert_eq!(full(t::TEXTURE_2D, format, t::TEXTURE_SHADOW), depth, "comparing {format:#x}");
    }
    assert!(!full(t::TEXTURE_2D, t::RG8UI, t::FILTER) && full(t::TEXTURE_2D, t::RGBA8, t::FILTER));
    assert!(full(t::TEXTURE_BUFFER, t::RGBA8, t::CLEAR_BUFFER) && !full(t::TEXTURE_2D, t::RGBA8, t::CLEAR_BUFFER));
    assert_eq!(one(gl, t::TEXTURE_2D, t::RGBA8, t::MIPMAP), 1);
    assert_eq!(one(gl, t::TEXTURE_RECTANGLE, t::RGBA8, t::MIPMAP), 0);
}

fn mistakes(gl: &Gl) {
    gl.expect_no_error("all of it");
    gl.format_info(t::TEXTURE_2D, t::RGBA8, t::RGBA);
    gl.expect_error(t::INVALID_ENUM, "not a parameter");
    gl.format_info(t::PROXY_TEXTURE_2D, t::RGBA8, t::MAX_WIDTH);
    gl.expect_error(t::INVALID_ENUM, "not a kind of resource");
    gl.format_infos(t::TEXTURE_2D, t::RGBA8, t::MAX_WIDTH, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative count");
    assert_eq!(gl.format_infos(t::TEXTURE_2D, t::RGBA8, t::MAX_WIDTH, 0), [-1; 16], "no values");
    gl.expect_no_error("no values");
}

/// If this fails, programs that compress what they load find nothing to choose from, or choose what is refused.
fn compressed_formats_for_any_texture(gl: &Gl) {
    let number = gl.int(t::NUM_COMPRESSED_TEXTURE_FORMATS) as usize;
    let listed = &gl.ints::<64>(t::COMPRESSED_TEXTURE_FORMATS)[..number];
    for format in listed.iter().map(|format| *format as u32) {
        assert_eq!(one(gl, t::TEXTURE_2D, format, t::TEXTURE_COMPRESSED), 1, "{format:#x}");
        let bytes = one(gl, t::TEXTURE_2D, format, t::TEXTURE_COMPRESSED_BLOCK_SIZE);
        gl.texture(t::TEXTURE_2D);
        gl.compressed_2d(t::TEXTURE_2D, 0, format, (4, 4), &vec![0; bytes as usize]);
        gl.expect_no_error(&format!("{format:#x} is listed"));
    }
    let listed = |format: u32| listed.contains(&(format as i32));
    assert!(listed(t::COMPRESSED_RGBA8_ETC2_EAC), "every context has these");
    assert_eq!(listed(t::COMPRESSED_RGBA_S3TC_DXT5_EXT), gl.has("GL_EXT_texture_compression_s3tc"));
    assert!(!listed(t::COMPRESSED_RGBA_S3TC_DXT1_EXT), "its alpha must be known about");
}
