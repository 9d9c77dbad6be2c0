//! Image load and store (GL 4.6 §8.26).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list, need};

mod units;

pub(super) const LISTS: &[&[Scenario]] = &[LIST, units::LIST];

const LIST: &[Scenario] = list!["image":
    stores_then_sampling,
    loads_of_what_was_drawn,
    every_image_format,
    layers_levels_and_slices,
    shapes_of_images,
    images_of_buffers,
    atomics_on_images,
    sizes_of_images,
    samples_of_images,
    samples_of_one_layer,
    stores_by_fragments_before_depth_tests,
    texels_as_other_formats,
    invalid_images_load_nothing,
];

fn supported(gl: &Gl) {
    need(gl.has("GL_ARB_compute_shader"), "GL_ARB_compute_shader");
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
}

/// If this fails, programs that resolve or fill multisampled pictures by themselves see one sample, or none.
fn samples_of_images(gl: &Gl) {
    supported(gl);
    need(gl.int(t::MAX_IMAGE_SAMPLES) >= 4, "GL_MAX_IMAGE_SAMPLES");
    let texture = gl.texture(t::TEXTURE_2D_MULTISAMPLE);
    gl.tex_storage_2d_multisample(t::TEXTURE_2D_MULTISAMPLE, 4, t::RGBA8, 16, 16, 1);
    gl.clear_texture(texture, 0, RGBA8, &[0u8, 0, 255, 255]);
    gl.compute(
        "layout(local_size_x = 16, local_size_y = 16) in;
        layout(rgba8, binding = 0) uniform image2DMS target;
        void main() {
            ivec2 at = ivec2(gl_GlobalInvocationID.xy);
            for (int n = 0; n < 4; n++) imageStore(target, at, n, imageLoad(target, at, n) + vec4(float(n) / 3.0, 0.0, 0.0, 0.0));
        }",
    );
    gl.image(0, texture, t::READ_WRITE, t::RGBA8);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::TEXTURE_FETCH_BARRIER_BIT);
    gl.cover_by(
        "uniform sampler2DMS image;",
        "result = texelFetch(image, ivec2(gl_FragCoord.xy) % 16, int(gl_FragCoord.x) / 16);",
    );
    for n in 0..4u8 {
        gl.expect_area((i32::from(n) * 16, 0, 16, 64), [n * 85, 0, 255, 255], &format!("sample {n}"));
    }
}

/// If this fails, a program that asks how many samples its image has is told of none, because it bound one layer.
fn samples_of_one_layer(gl: &Gl) {
    supported(gl);
    need(gl.has("GL_ARB_shader_texture_image_samples"), "GL_ARB_shader_texture_image_samples");
    need(gl.int(t::MAX_IMAGE_SAMPLES) >= 4, "GL_MAX_IMAGE_SAMPLES");
    let texture = gl.texture(t::TEXTURE_2D_MULTISAMPLE_ARRAY);
    gl.tex_storage_3d_multisample(t::TEXTURE_2D_MULTISAMPLE_ARRAY, 4, t::RGBA8, 16, 8, 3, 1);
    for layered in [0, 1] {
        gl.bind_image_texture(0, texture, 0, layered, 1, t::READ_ONLY, t::RGBA8);
        let program = gl.program(
            crate::gl::program::COVER,
            "#version 430 core
            #extension GL_ARB_shader_texture_image_samples : require
            layout(rgba8, binding = 0) uniform readonly image2DMSArray target;
            out vec4 result;
            void main() { result = vec4(imageSamples(target), imageSize(target).xy, 255) / 255.0; }",
        );
        gl.cover();
        gl.expect_pixel((5, 5), [4, 16, 8, 255], &format!("layered {layered}"));
        gl.delete_program(program);
    }
}

/// If this fails, pictures that a compute shader made are not shown.
fn stores_then_sampling(gl: &Gl) {
    supported(gl);
    let texture = gl.empty_2d(t::RGBA8, (16, 16));
    let show = gl.cover_by("uniform sampler2D image;", "result = texelFetch(image, ivec2(gl_FragCoord.xy) % 16, 0);");
    let store = gl.compute(
        "layout(local_size_x = 16, local_size_y = 16) in;
        uniform float blue;
        layout(rgba8, binding = 0) writeonly uniform image2D target;
        void main() { imageStore(target, ivec2(gl_GlobalInvocationID.xy), vec4(vec2(gl_GlobalInvocationID.xy) / 15.0, blue, 1.0)); }",
    );
    gl.image(0, texture, t::WRITE_ONLY, t::RGBA8);
    for blue in [0u8, 255, 102] {
        gl.use_program(store);
        gl.uniform1f(gl.location(store, "blue"), f32::from(blue) / 255.0);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::TEXTURE_FETCH_BARRIER_BIT);
        gl.use_program(show);
        gl.cover();
        gl.expect_pixel((5, 10), [85, 170, blue, 255], "a stored texel");
    }
    let texels = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 256);
    assert_eq!(texels[16 * 3 + 2], [34, 51, 102, 255]);
}

/// If this fails, post-processing reads pictures before they are drawn.
fn loads_of_what_was_drawn(gl: &Gl) {
    supported(gl);
    let from = gl.texture_2d(t::RGBA8, (16, 16), RGBA8, &vec![[0u8; 4]; 256]);
    let to = gl.empty_2d(t::RGBA8, (16, 16));
    let framebuffer = gl.framebuffer_of(from);
    let filter = gl.compute(
        "layout(local_size_x = 16, local_size_y = 16) in;
        layout(rgba8, binding = 0) readonly uniform image2D from;
        layout(rgba8, binding = 1) writeonly uniform image2D to;
        void main() { ivec2 at = ivec2(gl_GlobalInvocationID.xy); imageStore(to, at, imageLoad(from, 15 - at).bgra); }",
    );
    gl.image(0, from, t::READ_ONLY, t::RGBA8);
    gl.image(1, to, t::WRITE_ONLY, t::RGBA8);
    for red in [255u8, 51] {
        gl.bind_framebuffer(t::FRAMEBUFFER, framebuffer);
        gl.viewport(0, 0, 16, 16);
        gl.cover_with([f32::from(red) / 255.0, 0.0, 0.0, 1.0]);
        gl.use_program(filter);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::FRAMEBUFFER_BARRIER_BIT | t::TEXTURE_UPDATE_BARRIER_BIT);
        gl.bind_texture(t::TEXTURE_2D, to);
        let texels = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 256);
        check::expect_equal(&texels, &vec![[0, 0, red, 255]; 256], "the filtered picture");
    }
}

/// Name in the language, token, prefix of its image type.
const FORMATS: [(&str, u32, &str); 14] = [
    ("rgba32f", t::RGBA32F, ""),
    ("rgba16f", t::RGBA16F, ""),
    ("r32f", t::R32F, ""),
    ("rgba8", t::RGBA8, ""),
    ("rgba8_snorm", t::RGBA8_SNORM, ""),
    ("rgba32ui", t::RGBA32UI, "u"),
    ("rgba16ui", t::RGBA16UI, "u"),
    ("rgba8ui", t::RGBA8UI, "u"),
    ("r32ui", t::R32UI, "u"),
    ("rgba32i", t::RGBA32I, "i"),
    ("rgba16i", t::RGBA16I, "i"),
    ("rgba8i", t::RGBA8I, "i"),
    ("r32i", t::R32I, "i"),
    ("rg32f", t::RG32F, ""),
];

/// If this fails, images of some format hold other numbers than were stored.
fn every_image_format(gl: &Gl) {
    supported(gl);
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 16);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    for (name, token, prefix) in FORMATS {
        let (value, all) = match prefix {
            "u" => ("vec4(1, 2, 3, 4)", [1.0, 2.0, 3.0, 4.0]),
            "i" => ("vec4(1, -2, 3, -4)", [1.0, -2.0, 3.0, -4.0]),
            _ => ("vec4(1.0, 0.0, 1.0, 0.0)", [1.0, 0.0, 1.0, 0.0]),
        };
        // Components that a format lacks are those of (0, 0, 0, 1).
        let wanted = match &name[..3] {
            "r32" => [all[0], 0.0, 0.0, 1.0],
            "rg3" => [all[0], all[1], 0.0, 1.0],
            _ => all,
        };
        let store = gl.compute(&format!(
            "layout(local_size_x = 1) in;
            layout({name}, binding = 2) writeonly uniform {prefix}image2D target;
            void main() {{ imageStore(target, ivec2(1, 2), {prefix}{value}); }}"
        ));
        let load = gl.compute(&format!(
            "layout(local_size_x = 1) in;
            layout({name}, binding = 2) readonly uniform {prefix}image2D source;
            layout(std430, binding = 0) buffer Out {{ vec4 result; }};
            void main() {{ result = vec4(imageLoad(source, ivec2(1, 2))); }}"
        ));
        let texture = gl.empty_2d(token, (4, 4));
        gl.image(2, texture, t::READ_WRITE, token);
        gl.use_program(store);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::SHADER_IMAGE_ACCESS_BARRIER_BIT);
        gl.use_program(load);
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        check::expect_equal(&gl.contents::<f32>(t::SHADER_STORAGE_BUFFER, 0, 4), &wanted, name);
    }
}

/// If this fails, shaders write into other layers or levels than were bound.
fn layers_levels_and_slices(gl: &Gl) {
    supported(gl);
    let store = gl.compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
        uniform float value;
        layout(r32f, binding = 0) writeonly uniform image2D target;
        void main() { imageStore(target, ivec2(gl_LocalInvocationID.xy), vec4(value)); }",
    );
    let value = gl.location(store, "value");
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 2, t::R32F, 8, 8, 3);
    for layer in 0..3 {
        gl.bind_image_texture(0, array, 1, 0, layer, t::WRITE_ONLY, t::R32F);
        gl.uniform1f(value, layer as f32 + 1.0);
        gl.dispatch_compute(1, 1, 1);
    }
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let texels = gl.texture_image::<f32>(t::TEXTURE_2D_ARRAY, 1, t::RED, t::FLOAT, 48);
    let wanted: Vec<f32> = (0..48).map(|i| (i / 16) as f32 + 1.0).collect();
    check::expect_equal(&texels, &wanted, "layers of level 1");
    let volume = gl.texture(t::TEXTURE_3D);
    gl.tex_storage_3d(t::TEXTURE_3D, 1, t::R32F, 4, 4, 2);
    for slice in 0..2 {
        gl.bind_image_texture(0, volume, 0, 0, slice, t::WRITE_ONLY, t::R32F);
        gl.uniform1f(value, slice as f32 + 5.0);
        gl.dispatch_compute(1, 1, 1);
    }
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let texels = gl.texture_image::<f32>(t::TEXTURE_3D, 0, t::RED, t::FLOAT, 32);
    let wanted: Vec<f32> = (0..32).map(|i| (i / 16) as f32 + 5.0).collect();
    check::expect_equal(&texels, &wanted, "slices");
}

/// If this fails, volumes and cube maps that shaders fill hold something else.
fn shapes_of_images(gl: &Gl) {
    supported(gl);
    let shapes = [
        (t::TEXTURE_3D, "image3D", [4, 4, 4]),
        (t::TEXTURE_2D_ARRAY, "image2DArray", [4, 4, 3]),
        (t::TEXTURE_CUBE_MAP, "imageCube", [4, 4, 6]),
    ];
    for (target, kind, [w, h, d]) in shapes {
        let texture = gl.texture(target);
        if target == t::TEXTURE_CUBE_MAP {
            gl.tex_storage_2d(target, 1, t::R32UI, w, h);
        } else {
            gl.tex_storage_3d(target, 1, t::R32UI, w, h, d);
        }
        gl.image(1, texture, t::WRITE_ONLY, t::R32UI);
        gl.compute(&format!(
            "layout(local_size_x = 4, local_size_y = 4) in;
            layout(r32ui, binding = 1) writeonly uniform u{kind} target;
            void main() {{ ivec3 at = ivec3(gl_GlobalInvocationID); imageStore(target, at, uvec4(at.x + 10 * at.y + 100 * at.z)); }}"
        ));
        gl.dispatch_compute(1, 1, d as u32);
        gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
        let face = if target == t::TEXTURE_CUBE_MAP { t::TEXTURE_CUBE_MAP_POSITIVE_X + 2 } else { target };
        let number = if face == target { (w * h * d) as usize } else { 16 };
        let texels = gl.texture_image::<u32>(face, 0, t::RED_INTEGER, t::UNSIGNED_INT, number);
        let first = if face == target { 0 } else { 200 };
        let wanted: Vec<u32> = (0..number as u32).map(|i| first + i % 4 + 10 * (i / 4 % 4) + 100 * (i / 16)).collect();
        check::expect_equal(&texels, &wanted, kind);
    }
    gl.expect_no_error("shapes");
}

/// If this fails, buffers that shaders fill texel by texel stay as they were.
fn images_of_buffers(gl: &Gl) {
    supported(gl);
    let buffer = gl.buffer(t::TEXTURE_BUFFER, &[1.0f32; 16]);
    let texture = gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::R32F, buffer);
    gl.compute(
        "layout(local_size_x = 16) in;
        layout(r32f, binding = 0) uniform imageBuffer data;
        void main() { int i = int(gl_LocalInvocationIndex); imageStore(data, i, imageLoad(data, i) * 2.0 + float(imageSize(data))); }",
    );
    gl.image(0, texture, t::READ_WRITE, t::R32F);
    for round in 0..2 {
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT | t::SHADER_IMAGE_ACCESS_BARRIER_BIT);
        let wanted = if round == 0 { 18.0 } else { 52.0 };
        check::expect_equal(&gl.contents::<f32>(t::TEXTURE_BUFFER, 0, 16), &[wanted; 16], "texels");
    }
}

/// If this fails, fragments that count into a picture lose counts.
fn atomics_on_images(gl: &Gl) {
    supported(gl);
    let texture = gl.empty_2d(t::R32UI, (4, 4));
    gl.clear_texture(texture, 0, (t::RED_INTEGER, t::UNSIGNED_INT), &3u32);
    gl.compute(
        "layout(local_size_x = 8, local_size_y = 8) in;
        layout(r32ui, binding = 0) coherent uniform uimage2D count;
        void main() { imageAtomicAdd(count, ivec2(gl_GlobalInvocationID.xy) % 4, gl_LocalInvocationID.x); }",
    );
    gl.image(0, texture, t::READ_WRITE, t::R32UI);
    gl.dispatch_compute(2, 2, 1);
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let texels = gl.texture_image::<u32>(t::TEXTURE_2D, 0, t::RED_INTEGER, t::UNSIGNED_INT, 16);
    let wanted: Vec<u32> = (0..16).map(|i| 3 + 8 * (i % 4 + i % 4 + 4)).collect();
    check::expect_equal(&texels, &wanted, "counts");
}

/// If this fails, shaders loop over pictures of another size.
fn sizes_of_images(gl: &Gl) {
    supported(gl);
    need(gl.has("GL_ARB_shader_image_size"), "GL_ARB_shader_image_size");
    let out = gl.buffer_of(t::SHADER_STORAGE_BUFFER, 32);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    let flat_one = gl.texture(t::TEXTURE_2D);
    gl.tex_storage_2d(t::TEXTURE_2D, 3, t::RGBA8, 20, 12);
    let array = gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 7, 5, 3);
    gl.bind_image_texture(0, flat_one, 1, 0, 0, t::READ_ONLY, t::RGBA8);
    gl.bind_image_texture(1, array, 0, 1, 0, t::READ_ONLY, t::RGBA8);
    gl.compute(
        "layout(local_size_x = 1) in;
        layout(rgba8, binding = 0) readonly uniform image2D one;
        layout(rgba8, binding = 1) readonly uniform image2DArray many;
        layout(std430, binding = 0) buffer Out { ivec4 a; ivec4 b; };
        void main() { a = ivec4(imageSize(one), 0, 0); b = ivec4(imageSize(many), 0); }",
    );
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    check::expect_equal(&gl.contents::<i32>(t::SHADER_STORAGE_BUFFER, 0, 8), &[10, 6, 0, 0, 7, 5, 3, 0], "sizes");
}

/// If this fails, hidden fragments leave marks, or visible ones none.
fn stores_by_fragments_before_depth_tests(gl: &Gl) {
    need(gl.has("GL_ARB_shader_image_load_store"), "GL_ARB_shader_image_load_store");
    let texture = gl.texture_2d(t::R32UI, (64, 64), (t::RED_INTEGER, t::UNSIGNED_INT), &vec![0u32; 4096]);
    gl.image(0, texture, t::WRITE_ONLY, t::R32UI);
    gl.enable(t::DEPTH_TEST);
    gl.depth_func(t::LESS);
    gl.clear_depth(0.25);
    gl.clear(t::DEPTH_BUFFER_BIT);
    // The triangle is at depth 0.5, behind everything.
    for (early, wanted) in [("", 9), ("layout(early_fragment_tests) in;", 0)] {
        gl.memory_program(&format!(
            "{early}layout(r32ui, binding = 0) writeonly uniform uimage2D target;
            void main() {{ imageStore(target, ivec2(gl_FragCoord.xy), uvec4(9)); result = vec4(1.0); }}"
        ));
        gl.sub_image_2d(
            t::TEXTURE_2D,
            0,
            [0, 0, 64, 64],
            (t::RED_INTEGER, t::UNSIGNED_INT),
            Texels::Of(&vec![0u32; 4096]),
        );
        gl.cover();
        gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
        let texels = gl.texture_image::<u32>(t::TEXTURE_2D, 0, t::RED_INTEGER, t::UNSIGNED_INT, 4096);
        assert!(texels.iter().all(|v| *v == wanted), "{early}: {:?}", &texels[..4]);
    }
}

/// If this fails, packed data that are stored as integers and read as colours are mixed up.
fn texels_as_other_formats(gl: &Gl) {
    supported(gl);
    let texture = gl.empty_2d(t::RGBA8, (4, 4));
    assert_eq!(
        gl.tex_parameter(t::TEXTURE_2D, t::IMAGE_FORMAT_COMPATIBILITY_TYPE),
        t::IMAGE_FORMAT_COMPATIBILITY_BY_SIZE as i32
    );
    gl.image(0, texture, t::WRITE_ONLY, t::R32UI);
    gl.compute(
        "layout(local_size_x = 4, local_size_y = 4) in;
        layout(r32ui, binding = 0) writeonly uniform uimage2D target;
        void main() { imageStore(target, ivec2(gl_LocalInvocationID.xy), uvec4(0x44332211u)); }",
    );
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::TEXTURE_UPDATE_BARRIER_BIT);
    let texels = gl.texture_image::<[u8; 4]>(t::TEXTURE_2D, 0, t::RGBA, t::UNSIGNED_BYTE, 16);
    check::expect_equal(&texels, &[[0x11, 0x22, 0x33, 0x44]; 16], "bytes");
}

/// If this fails, a forgotten image takes the session down or shows another one's texels.
fn invalid_images_load_nothing(gl: &Gl) {
    supported(gl);
    let out = gl.buffer(t::SHADER_STORAGE_BUFFER, &[7.0f32; 8]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, out);
    let texture = gl.texture_2d(t::RGBA8, (4, 4), RGBA8, &[[255u8; 4]; 16]);
    gl.compute(
        "layout(local_size_x = 1) in;
        layout(rgba8, binding = 0) uniform image2D image;
        layout(std430, binding = 0) buffer Out { vec4 inside, outside; };
        void main() {
            imageStore(image, ivec2(90, 90), vec4(0.5));
            inside = imageLoad(image, ivec2(1));
            outside = imageLoad(image, ivec2(90, 90));
        }",
    );
    let result = || {
        gl.dispatch_compute(1, 1, 1);
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        gl.contents::<f32>(t::SHADER_STORAGE_BUFFER, 0, 8)
    };
    check::expect_equal(&result()[..4], &[0.0; 4], "nothing bound");
    gl.image(0, texture, t::READ_WRITE, t::RGBA8);
    check::expect_equal(&result(), &[1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], "inside and outside");
    gl.bind_image_texture(0, texture, 3, 0, 0, t::READ_WRITE, t::RGBA8);
    check::expect_equal(&result()[..4], &[0.0; 4], "no such level");
    gl.expect_no_error("invalid images are no errors");
}
