//! Every target is uploaded to and sampled (GL 4.6 §8.5).

use crate::gl::texture::{RGBA8, Texels};
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["texture":
    one_dimension,
    two_dimensions,
    three_dimensions,
    array_of_lines,
    array_of_pictures,
    cube_faces_by_direction,
    rectangle_by_texels,
    buffer_texels,
    ranges_of_buffers,
    several_units_at_once,
    wrong_images_are_refused,
];

/// A texel whose channels tell its place.
fn texel(x: usize, y: usize, z: usize) -> [u8; 4] {
    [x as u8 * 16, y as u8 * 16, z as u8 * 16, 255]
}

fn texels(width: usize, height: usize, depth: usize) -> Vec<[u8; 4]> {
    let mut out = Vec::new();
    for z in 0..depth {
        for y in 0..height {
            out.extend((0..width).map(|x| texel(x, y, z)));
        }
    }
    out
}

/// If this fails, colour ramps are wrong.
fn one_dimension(gl: &Gl) {
    gl.texture(t::TEXTURE_1D);
    gl.image_1d(0, t::RGBA8, 8, RGBA8, Texels::Of(&texels(8, 1, 1)));
    gl.sub_image_1d(0, (6, 1), RGBA8, Texels::Of(&[[9u8, 8, 7, 255]]));
    gl.cover_by("uniform sampler1D image;", "result = texture(image, gl_FragCoord.x / 64.0);");
    for x in 0..8 {
        let wanted = if x == 6 { [9, 8, 7, 255] } else { texel(x, 0, 0) };
        gl.expect_pixel((x as i32 * 8 + 4, 9), wanted, "along the line");
    }
}

/// If this fails, pictures are upside down, shifted or wrong.
fn two_dimensions(gl: &Gl) {
    gl.texture_2d(t::RGBA8, (8, 4), RGBA8, &texels(8, 4, 1));
    gl.cover_by("uniform sampler2D image;", "result = texture(image, gl_FragCoord.xy / 64.0);");
    for (x, y) in [(0, 0), (7, 0), (0, 3), (7, 3), (3, 2)] {
        gl.expect_pixel((x * 8 + 4, y * 16 + 8), texel(x as usize, y as usize, 0), "place by place");
    }
}

/// If this fails, volumes show the wrong slices.
fn three_dimensions(gl: &Gl) {
    gl.texture(t::TEXTURE_3D);
    gl.image_3d(t::TEXTURE_3D, 0, t::RGBA8, (4, 4, 8), RGBA8, Texels::Of(&texels(4, 4, 8)));
    let body =
        "result = texture(image, vec3(gl_FragCoord.xy / vec2(64.0), (floor(gl_FragCoord.x / 8.0) + 0.5) / 8.0));";
    gl.cover_by("uniform sampler3D image;", body);
    for slice in 0..8 {
        gl.expect_pixel((slice * 8 + 4, 60), texel(slice as usize / 2, 3, slice as usize), "slice by slice");
    }
    assert_eq!(gl.tex_level(t::TEXTURE_3D, 0, t::TEXTURE_DEPTH), 8);
}

/// If this fails, tables of ramps mix their rows.
fn array_of_lines(gl: &Gl) {
    gl.texture(t::TEXTURE_1D_ARRAY);
    gl.image_2d(t::TEXTURE_1D_ARRAY, 0, t::RGBA8, (4, 8), RGBA8, Texels::Of(&texels(4, 8, 1)));
    gl.sub_image_2d(t::TEXTURE_1D_ARRAY, 0, [1, 5, 2, 1], RGBA8, Texels::Of(&[[1u8, 2, 3, 255], [4, 5, 6, 255]]));
    gl.cover_by(
        "uniform sampler1DArray image;",
        "result = texture(image, vec2(gl_FragCoord.x / 64.0, floor(gl_FragCoord.y / 8.0)));",
    );
    gl.expect_pixel((5, 3 * 8 + 4), texel(0, 3, 0), "row 3");
    gl.expect_pixel((20, 5 * 8 + 4), [1, 2, 3, 255], "the part of row 5");
    gl.expect_pixel((60, 5 * 8 + 4), texel(3, 5, 0), "beside the part");
}

/// If this fails, terrain and sprites drawn from layers show other layers.
fn array_of_pictures(gl: &Gl) {
    gl.texture(t::TEXTURE_2D_ARRAY);
    gl.tex_storage_3d(t::TEXTURE_2D_ARRAY, 1, t::RGBA8, 4, 4, 8);
    for layer in 0..8 {
        let part = vec![texel(layer, layer, layer); 16];
        gl.sub_image_3d(t::TEXTURE_2D_ARRAY, 0, [0, 0, layer as i32, 4, 4, 1], RGBA8, Texels::Of(&part));
    }
    gl.cover_by(
        "uniform sampler2DArray image;",
        "result = texture(image, vec3(0.5, 0.5, (gl_FragCoord.x - 4.0) / 8.0));",
    );
    for layer in 0..8 {
        gl.expect_pixel((layer * 8 + 4, 8), texel(layer as usize, layer as usize, layer as usize), "layer by layer");
    }
}

/// If this fails, reflections and skies show the wrong face or are turned.
fn cube_faces_by_direction(gl: &Gl) {
    gl.texture(t::TEXTURE_CUBE_MAP);
    for face in 0..6u32 {
        // Four texels tell where on the face a direction ends.
        let part: Vec<[u8; 4]> = (0..4u8).map(|i| [face as u8 * 40, i * 80, 0, 255]).collect();
        gl.image_2d(t::TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, t::RGBA8, (2, 2), RGBA8, Texels::Of(&part));
    }
    let body = "vec3 directions[6] = vec3[](vec3(1, 0.5, 0.5), vec3(-1, 0.5, 0.5), vec3(0.5, 1, 0.5), vec3(0.5, -1, 0.5), vec3(0.5, 0.5, 1), vec3(0.5, 0.5, -1));
        result = texture(image, directions[min(int(gl_FragCoord.x) / 10, 5)]);";
    gl.cover_by("uniform samplerCube image;", body);
    // GL 4.6 table 8.19: s and t of each direction, in halves of the face.
    for (face, place) in [(0, 0), (1, 1), (2, 3), (3, 1), (4, 1), (5, 0)] {
        gl.expect_pixel((face * 10 + 5, 5), [face as u8 * 40, place * 80, 0, 255], &format!("face {face}"));
    }
}

/// If this fails, video players and tools that address texels see shifted pictures.
fn rectangle_by_texels(gl: &Gl) {
    gl.texture(t::TEXTURE_RECTANGLE);
    gl.image_2d(t::TEXTURE_RECTANGLE, 0, t::RGBA8, (8, 8), RGBA8, Texels::Of(&texels(8, 8, 1)));
    gl.cover_by("uniform sampler2DRect image;", "result = texture(image, gl_FragCoord.xy / 8.0);");
    gl.expect_pixel((3 * 8 + 4, 6 * 8 + 4), texel(3, 6, 0), "by texels");
    gl.tex_parameteri(t::TEXTURE_RECTANGLE, t::TEXTURE_WRAP_S, t::REPEAT as i32);
    gl.expect_error(t::INVALID_ENUM, "rectangles do not repeat");
    gl.image_2d(t::TEXTURE_RECTANGLE, 1, t::RGBA8, (4, 4), RGBA8, Texels::<u8>::None);
    gl.expect_error(t::INVALID_VALUE, "rectangles have no mipmaps");
}

/// If this fails, tables of bones or instances read wrong entries.
fn buffer_texels(gl: &Gl) {
    let buffer = gl.buffer(t::TEXTURE_BUFFER, &[[0.25f32, 0.5, 0.75, 1.0], [1.0, 0.0, 0.5, 1.0]]);
    gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::RGBA32F, buffer);
    let body = "result = texelFetch(table, int(gl_FragCoord.x) / 32); if (textureSize(table) != 2) result = vec4(0.0);";
    gl.cover_by("uniform samplerBuffer table;", body);
    gl.expect_pixel((5, 5), [64, 128, 191, 255], "the first texel");
    gl.expect_pixel((50, 5), [255, 0, 128, 255], "the second");
    gl.buffer_sub_data(t::TEXTURE_BUFFER, 16, &[[0.0f32, 1.0, 0.0, 1.0]]);
    gl.cover();
    gl.expect_pixel((50, 5), [0, 255, 0, 255], "after an update of the buffer");
    gl.buffer_data(t::TEXTURE_BUFFER, &[[0.0f32, 0.0, 1.0, 1.0]; 2], t::STREAM_DRAW);
    gl.cover();
    gl.expect_pixel((5, 5), [0, 0, 255, 255], "after new storage of the buffer");
    let ids = gl.buffer(t::TEXTURE_BUFFER, &[7u8, 200, 31, 9]);
    gl.tex_buffer(t::TEXTURE_BUFFER, t::R8UI, ids);
    gl.cover_by(
        "uniform usamplerBuffer table;",
        "result = vec4(float(texelFetch(table, int(gl_FragCoord.x) / 16).r) / 255.0);",
    );
    gl.expect_pixel((20, 5), [200; 4], "small integers");
}

/// If this fails, tables that share a buffer read each other's entries.
fn ranges_of_buffers(gl: &Gl) {
    need(gl.has("GL_ARB_texture_buffer_range"), "GL_ARB_texture_buffer_range");
    let step = (gl.int(t::TEXTURE_BUFFER_OFFSET_ALIGNMENT) as usize).max(4);
    let mut data = vec![0u8; step * 3];
    data[step..step + 4].copy_from_slice(&[1, 2, 3, 255]);
    let buffer = gl.buffer(t::TEXTURE_BUFFER, &data);
    gl.texture(t::TEXTURE_BUFFER);
    gl.tex_buffer_range(t::TEXTURE_BUFFER, t::RGBA8, buffer, step as isize, 8);
    gl.cover_by("uniform samplerBuffer table;", "result = textureSize(table) == 2 ? texelFetch(table, 0) : vec4(1.0);");
    gl.expect_pixel((2, 2), [1, 2, 3, 255], "from the offset");
}

/// If this fails, materials of several pictures take them from each other.
fn several_units_at_once(gl: &Gl) {
    let mut declarations = String::new();
    let mut body = "int i = int(gl_FragCoord.x) / 4;".to_owned();
    for i in 0..16 {
        declarations += &format!("uniform sampler2D image{i};\n");
        body += &format!("if (i == {i}) result = texture(image{i}, vec2(0.5));\n");
    }
    let fragment = format!("#version 330 core\n{declarations}out vec4 result;\nvoid main() {{ {body} }}");
    let program = gl.program(crate::gl::program::COVER, &fragment);
    for i in 0..16u32 {
        // Units in another order than the samplers.
        gl.active_texture(t::TEXTURE0 + (15 - i));
        gl.texture_2d(t::RGBA8, (1, 1), RGBA8, &[[i as u8 * 10, 5, 0, 255]]);
        gl.uniform1i(gl.location(program, &format!("image{i}")), 15 - i as i32);
    }
    gl.cover();
    for i in 0..16 {
        gl.expect_pixel((i * 4 + 2, 3), [i as u8 * 10, 5, 0, 255], "unit by unit");
    }
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_images_are_refused(gl: &Gl) {
    gl.texture(t::TEXTURE_2D);
    let image = |internal, size, layout| gl.image_2d(t::TEXTURE_2D, 0, internal, size, layout, Texels::<u8>::None);
    image(t::RGBA8, (-1, 4), RGBA8);
    gl.expect_error(t::INVALID_VALUE, "a negative width");
    image(t::RGBA8, (gl.int(t::MAX_TEXTURE_SIZE) + 1, 4), RGBA8);
    gl.expect_error(t::INVALID_VALUE, "wider than the widest");
    image(t::RGBA8, (4, 4), (t::RGBA_INTEGER, t::UNSIGNED_BYTE));
    gl.expect_error(t::INVALID_OPERATION, "integers for a normalised format");
    image(t::RGBA8, (4, 4), (t::DEPTH_COMPONENT, t::FLOAT));
    gl.expect_error(t::INVALID_OPERATION, "depths for a colour format");
    image(t::RGBA8, (4, 4), (t::RGB, t::UNSIGNED_SHORT_4_4_4_4));
    gl.expect_error(t::INVALID_OPERATION, "a packed type for another number of components");
    image(0x1234, (4, 4), RGBA8);
    gl.expect_error(t::INVALID_VALUE, "not an internal format");
    image(t::RGBA8, (4, 4), (t::RGBA, 0x1234));
    gl.expect_error(t::INVALID_ENUM, "not a type");
    gl.image_2d(t::TEXTURE_2D, -1, t::RGBA8, (4, 4), RGBA8, Texels::<u8>::None);
    gl.expect_error(t::INVALID_VALUE, "a negative level");
    gl.sub_image_2d(t::TEXTURE_2D, 0, [0, 0, 1, 1], RGBA8, Texels::Of(&[[0u8; 4]]));
    gl.expect_error(t::INVALID_OPERATION, "a part of no image");
    image(t::RGBA8, (4, 4), RGBA8);
    gl.sub_image_2d(t::TEXTURE_2D, 0, [2, 2, 3, 1], RGBA8, Texels::Of(&[[0u8; 4]; 3]));
    gl.expect_error(t::INVALID_VALUE, "past the border");
    let cube = gl.texture(t::TEXTURE_CUBE_MAP);
    gl.image_2d(t::TEXTURE_CUBE_MAP_POSITIVE_X, 0, t::RGBA8, (4, 8), RGBA8, Texels::<u8>::None);
    gl.expect_error(t::INVALID_VALUE, "a face that is not square");
    gl.bind_texture(t::TEXTURE_2D, cube);
    gl.expect_error(t::INVALID_OPERATION, "a texture bound to a second target");
}
