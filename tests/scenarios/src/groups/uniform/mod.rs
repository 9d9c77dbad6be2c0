//! Uniforms and uniform blocks (GL 4.6 §7.6).

use crate::gl::program::COVER;
use crate::gl::{Gl, check, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[list!["uniform":
    every_type_arrives,
    matrices_and_transposes,
    arrays_in_part,
    structures_and_arrays_of_them,
    initial_values_hold,
    values_belong_to_the_program,
    draws_keep_their_values,
    wrong_types_are_refused,
    samplers_choose_units,
    blocks_by_binding,
    block_ranges_between_draws,
    branches_on_many_blocks,
    as_many_blocks_as_promised,
    members_sized_by_their_use,
    uniforms_passed_to_functions,
    block_binding_changed_after_the_link,
    many_uniforms_at_once,
    values_without_use,
    booleans_from_any_number,
]];

/// Draws with a fragment shader whose `ok` must be true everywhere.
#[track_caller]
fn expect_ok(gl: &Gl, what: &str) {
    gl.cover();
    gl.expect_pixel((20, 20), [0, 255, 0, 255], what);
}

fn checking(gl: &Gl, declarations: &str, condition: &str) -> u32 {
    let fragment = format!(
        "#version 330 core\n{declarations}\nout vec4 result;
        void main() {{ bool ok = {condition}; result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0); }}"
    );
    gl.program(COVER, &fragment)
}

/// If this fails, parameters of some type arrive as others.
fn every_type_arrives(gl: &Gl) {
    let program = checking(
        gl,
        "uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4;
        uniform int i1; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
        uniform uint u1; uniform uvec2 u2; uniform uvec3 u3; uniform uvec4 u4; uniform bvec2 b2;",
        "f1 == 1.5 && f2 == vec2(2, 3) && f3 == vec3(4, 5, 6) && f4 == vec4(7, 8, 9, 10)
        && i1 == -1 && i2 == ivec2(-2, 3) && i3 == ivec3(4, -5, 6) && i4 == ivec4(7, 8, 9, -10)
        && u1 == 4000000000u && u2 == uvec2(2, 3) && u3 == uvec3(4, 5, 6) && u4 == uvec4(7, 8, 9, 10) && b2 == bvec2(true, false)",
    );
    let at = |name: &str| gl.location(program, name);
    gl.uniform1f(at("f1"), 1.5);
    gl.uniform2f(at("f2"), 2.0, 3.0);
    gl.uniform3f(at("f3"), 4.0, 5.0, 6.0);
    gl.set_vec4s(at("f4"), &[[7.0, 8.0, 9.0, 10.0]]);
    gl.uniform1i(at("i1"), -1);
    gl.uniform2i(at("i2"), -2, 3);
    gl.set_ivec3s(at("i3"), &[[4, -5, 6]]);
    gl.uniform4i(at("i4"), 7, 8, 9, -10);
    gl.uniform1ui(at("u1"), 4_000_000_000);
    gl.uniform2ui(at("u2"), 2, 3);
    gl.uniform3ui(at("u3"), 4, 5, 6);
    gl.set_uvec4s(at("u4"), &[[7, 8, 9, 10]]);
    gl.uniform2i(at("b2"), 5, 0);
    expect_ok(gl, "all types at once");
    assert_eq!(gl.uniform_floats(program, at("f3"))[..3], [4.0, 5.0, 6.0]);
    assert_eq!(gl.uniform_ints(program, at("i4"))[..4], [7, 8, 9, -10]);
    assert_eq!(gl.uniform_ints(program, at("b2"))[..2], [1, 0]);
    assert_eq!(gl.uniform_ints(program, at("f1"))[0], 2, "1.5 rounds to the nearest integer, either way");
}

/// If this fails, cameras look the wrong way.
fn matrices_and_transposes(gl: &Gl) {
    let program = checking(
        gl,
        "uniform mat2 a; uniform mat3 b; uniform mat4 c; uniform mat2x3 d; uniform mat3x2 e; uniform mat2x4 f;
        uniform mat4x2 g; uniform mat3x4 h; uniform mat4x3 i; uniform mat3 t;",
        "a == mat2(1, 2, 3, 4) && b == mat3(1, 2, 3, 4, 5, 6, 7, 8, 9) && c[3] == vec4(13, 14, 15, 16)
        && d == mat2x3(1, 2, 3, 4, 5, 6) && e == mat3x2(1, 2, 3, 4, 5, 6) && f[1] == vec4(5, 6, 7, 8) && g[3] == vec2(7, 8)
        && h[2] == vec4(9, 10, 11, 12) && i[3] == vec3(10, 11, 12) && t == mat3(1, 4, 7, 2, 5, 8, 3, 6, 9)",
    );
    let at = |name: &str| gl.location(program, name);
    fn numbers<const N: usize>() -> [[f32; N]; 1] {
        [std::array::from_fn(|i| i as f32 + 1.0)]
    }
    gl.set_mat2(at("a"), false, &numbers());
    gl.set_mat3(at("b"), false, &numbers());
    gl.set_mat4(at("c"), false, &numbers());
    gl.set_mat2x3(at("d"), false, &numbers());
    gl.set_mat3x2(at("e"), false, &numbers());
    gl.set_mat2x4(at("f"), false, &numbers());
    gl.set_mat4x2(at("g"), false, &numbers());
    gl.set_mat3x4(at("h"), false, &numbers());
    gl.set_mat4x3(at("i"), false, &numbers());
    gl.set_mat3(at("t"), true, &numbers());
    expect_ok(gl, "all shapes at once");
    assert_eq!(gl.uniform_floats(program, at("t"))[..3], [1.0, 4.0, 7.0], "stored by columns");
    gl.set_mat2x3(at("d"), true, &numbers());
    assert_eq!(gl.uniform_floats(program, at("d"))[..6], [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
}

/// If this fails, setting a part of an array sets another part.
fn arrays_in_part(gl: &Gl) {
    let program = checking(
        gl,
        "uniform float a[6]; uniform vec3 b[3]; uniform int c[4];",
        "a[0] == 1.0 && a[1] == 2.0 && a[2] == 9.0 && a[3] == 8.0 && a[5] == 7.0 && b[1] == vec3(4, 5, 6) && b[2] == vec3(0) && c[3] == 44",
    );
    let at = |name: &str| gl.location(program, name);
    gl.set_floats(at("a"), &[[1.0], [2.0], [3.0]]);
    gl.set_floats(at("a[2]"), &[[9.0], [8.0]]);
    gl.set_floats(at("a[5]"), &[[7.0], [100.0], [101.0]]);
    gl.expect_no_error("more values than are left are ignored");
    gl.set_vec3s(at("b"), &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    gl.set_ints(at("c[3]"), &[[44]]);
    expect_ok(gl, "parts of arrays");
    assert_eq!(gl.uniform_floats(program, at("a[3]"))[0], 8.0);
}

/// If this fails, lights and materials have each other's values.
fn structures_and_arrays_of_them(gl: &Gl) {
    let program = checking(
        gl,
        "struct Inner { float weights[2]; ivec2 id; }; struct Light { vec3 place; Inner inner; mat2 turn; }; uniform Light lights[3];",
        "lights[0].place == vec3(1, 2, 3) && lights[1].inner.weights[1] == 5.0 && lights[2].inner.id == ivec2(6, 7) && lights[1].turn == mat2(8, 9, 10, 11) && lights[2].place == vec3(0)",
    );
    let at = |name: &str| gl.location(program, name);
    gl.uniform3f(at("lights[0].place"), 1.0, 2.0, 3.0);
    gl.uniform1f(at("lights[1].inner.weights[1]"), 5.0);
    gl.uniform2i(at("lights[2].inner.id"), 6, 7);
    gl.set_mat2(at("lights[1].turn"), false, &[[8.0, 9.0, 10.0, 11.0]]);
    expect_ok(gl, "members by their names");
}

/// If this fails, shaders that set their own defaults draw black.
fn initial_values_hold(gl: &Gl) {
    let program = checking(
        gl,
        "uniform float a = 2.5; uniform vec3 b = vec3(1, 2, 3); uniform int c[3] = int[3](4, 5, 6); uniform mat2 d = mat2(7.0); uniform bool e = true;
        layout(std140) uniform Block { vec4 inside; };",
        "a == 2.5 && b == vec3(1, 2, 3) && c[2] == 6 && d == mat2(7, 0, 0, 7) && e && inside == vec4(9, 8, 7, 6)",
    );
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &[9.0f32, 8.0, 7.0, 6.0]);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    expect_ok(gl, "initial values beside a block");
    gl.uniform1f(gl.location(program, "a"), 0.0);
    gl.cover();
    gl.expect_pixel((20, 20), [255, 0, 0, 255], "changed");
    gl.link_program(program);
    expect_ok(gl, "a link brings the initial values back");
}

/// If this fails, switching between programs mixes their parameters.
fn values_belong_to_the_program(gl: &Gl) {
    let programs: Vec<u32> = (0..8).map(|i| gl.plain_program(COVER, [i as f32 / 255.0, 0.0, 1.0, 1.0])).collect();
    for (i, program) in programs.iter().enumerate().rev() {
        gl.use_program(*program);
        gl.cover();
        gl.expect_pixel((3, 3), [i as u8, 0, 255, 255], "each its own");
    }
    // Without making it current.
    gl.program_uniform4f(programs[3], gl.location(programs[3], "color"), 0.0, 1.0, 0.0, 1.0);
    gl.cover();
    gl.expect_pixel((3, 3), [0, 0, 255, 255], "the current one is another");
    gl.use_program(programs[3]);
    expect_ok(gl, "the one that was set");
}

/// If this fails, all objects of a frame have the last one's parameters.
fn draws_keep_their_values(gl: &Gl) {
    let program = gl.plain_program(COVER, [0.0; 4]);
    gl.enable(t::SCISSOR_TEST);
    for i in 0..64 {
        gl.scissor(i, 0, 1, 64);
        gl.set_color(program, [i as f32 / 255.0, 1.0, 0.0, 1.0]);
        gl.cover();
    }
    for i in 0..64 {
        gl.expect_pixel((i, 11), [i as u8, 255, 0, 255], "column by column");
    }
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_types_are_refused(gl: &Gl) {
    let program = checking(
        gl,
        "uniform vec4 v; uniform float f; uniform int i; uniform uint u; uniform sampler2D s;",
        "v.x + f + float(i) + float(u) + texture(s, vec2(0)).x == 0.0",
    );
    let at = |name: &str| gl.location(program, name);
    gl.uniform1f(at("v"), 1.0);
    gl.expect_error(t::INVALID_OPERATION, "another size");
    gl.uniform1i(at("f"), 1);
    gl.expect_error(t::INVALID_OPERATION, "an integer for a float");
    gl.uniform1f(at("i"), 1.0);
    gl.expect_error(t::INVALID_OPERATION, "a float for an integer");
    gl.uniform1i(at("u"), 1);
    gl.expect_error(t::INVALID_OPERATION, "a signed for an unsigned");
    gl.uniform1f(at("s"), 0.0);
    gl.expect_error(t::INVALID_OPERATION, "a float for a sampler");
    gl.uniform1i(at("s"), 100_000);
    gl.expect_error(t::INVALID_VALUE, "a unit that does not exist");
    gl.set_floats(at("f"), &[[1.0], [2.0]]);
    gl.expect_error(t::INVALID_OPERATION, "an array for a single value");
    gl.uniform1f(12345, 1.0);
    gl.expect_error(t::INVALID_OPERATION, "not a location");
    gl.uniform1f(-1, 1.0);
    gl.expect_no_error("-1 is ignored");
    gl.use_program(0);
    gl.uniform1f(0, 1.0);
    gl.expect_error(t::INVALID_OPERATION, "no program");
    gl.use_program(program);
    expect_ok(gl, "the values are as they were");
}

/// If this fails, materials are painted with each other's pictures.
fn samplers_choose_units(gl: &Gl) {
    for (unit, color) in [(2, [255u8, 0, 0, 255]), (9, [0, 255, 0, 255])] {
        gl.active_texture(t::TEXTURE0 + unit);
        gl.texture_2d(t::RGBA8, (1, 1), crate::gl::texture::RGBA8, &[color]);
    }
    let program = gl.program(COVER, "#version 330 core
        uniform sampler2D images[2];
        out vec4 result;
        void main() { result = gl_FragCoord.x < 32.0 ? texture(images[0], vec2(0.5)) : texture(images[1], vec2(0.5)); }");
    gl.set_ints(gl.location(program, "images"), &[[2], [9]]);
    gl.cover();
    gl.expect_pixel((5, 5), [255, 0, 0, 255], "unit 2");
    gl.expect_pixel((60, 5), [0, 255, 0, 255], "unit 9");
    gl.uniform1i(gl.location(program, "images[0]"), 9);
    gl.cover();
    gl.expect_pixel((5, 5), [0, 255, 0, 255], "both unit 9");
    assert_eq!(gl.uniform_ints(program, gl.location(program, "images[1]"))[0], 9);
}

/// If this fails, objects are drawn with the parameters of others.
fn blocks_by_binding(gl: &Gl) {
    let program = checking(
        gl,
        "layout(std140) uniform A { vec4 a; }; layout(std140) uniform B { mat2 b; float c[2]; } named; layout(std140) uniform C { vec3 d; float e; } many[2];",
        "a == vec4(1, 2, 3, 4) && named.b == mat2(5, 6, 7, 8) && named.c[1] == 9.0 && many[0].d == vec3(10, 11, 12) && many[1].e == 13.0",
    );
    let bind = |name: &str, point, data: &[f32]| {
        gl.uniform_block_binding(program, gl.block(program, name), point);
        let buffer = gl.buffer(t::UNIFORM_BUFFER, data);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, point, buffer);
    };
    bind("A", 7, &[1.0, 2.0, 3.0, 4.0]);
    bind("B", 3, &[5.0, 6.0, 0.0, 0.0, 7.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0]);
    bind("C[0]", 0, &[10.0, 11.0, 12.0, 0.0]);
    bind("C[1]", 12, &[0.0, 0.0, 0.0, 13.0]);
    expect_ok(gl, "blocks, names and arrays");
}

/// If this fails, engines that keep all objects' parameters in one buffer draw one object many times.
fn block_ranges_between_draws(gl: &Gl) {
    let alignment = gl.int(t::UNIFORM_BUFFER_OFFSET_ALIGNMENT) as usize;
    let step = alignment.max(16);
    let mut data = vec![0u8; step * 64];
    for i in 0..64 {
        for (part, value) in [i as f32 / 255.0, 0.0, 1.0, 1.0].into_iter().enumerate() {
            data[i * step + part * 4..][..4].copy_from_slice(&value.to_le_bytes());
        }
    }
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &data);
    gl.program(
        COVER,
        "#version 330 core
        layout(std140) uniform Object { vec4 color; };
        out vec4 result;
        void main() { result = color; }",
    );
    gl.enable(t::SCISSOR_TEST);
    for i in 0..64 {
        gl.scissor(i as i32, 0, 1, 64);
        gl.bind_buffer_range(t::UNIFORM_BUFFER, 0, buffer, (i * step) as isize, 16);
        gl.cover();
    }
    for i in 0..64 {
        gl.expect_pixel((i, 30), [i as u8, 0, 255, 255], "column by column");
    }
    gl.disable(t::SCISSOR_TEST);
    for i in 0..8u8 {
        gl.buffer_sub_data(t::UNIFORM_BUFFER, 63 * step as isize, &[[f32::from(i) / 255.0, 1.0, 0.0, 1.0]]);
        gl.cover();
        gl.expect_pixel((1, 1), [i, 255, 0, 255], "an update between draws");
    }
}

/// If this fails, big shaders of modellers and engines, which keep scene, lights and material in a block each, draw
/// nothing or end the driver.
fn branches_on_many_blocks(gl: &Gl) {
    let blocks: String =
        (0..12).map(|i| format!("layout(std140) uniform B{i} {{ vec4 d{i}; vec4 a{i}; }};\n")).collect();
    let part = |i| {
        format!(
            "if (d{i}.x > 0.5) {{ sum += a{i}.x; }} else {{ sum -= a{i}.y; }}
            for (int k = 0; k < int(d{i}.y); ++k) {{ sum += a{i}.z * float(k + 1); }}
            if (d{i}.z == 2.0 && d{i}.w < 1.0) {{ sum += dot(a{i}, vec4(1.0, 2.0, 3.0, 4.0)); }}\n"
        )
    };
    let parts: String = (0..12).map(part).collect();
    let declarations =
        format!("{blocks}uniform float start;\nfloat total() {{ float sum = start;\n{parts}return sum; }}");
    let program = checking(gl, &declarations, "total() == 318.0");
    gl.uniform1f(gl.location(program, "start"), 6.0);
    for i in 0..12u32 {
        let n = i as f32;
        gl.uniform_block_binding(program, gl.block(program, &format!("B{i}")), i);
        let buffer = gl.buffer(t::UNIFORM_BUFFER, &[(i % 2) as f32, 2.0, 2.0, 0.0, n, 1.0, 2.0, 1.0]);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, i, buffer);
    }
    expect_ok(gl, "each block once");
}

/// If this fails, a block that is moved to another binding reads the old one.
fn block_binding_changed_after_the_link(gl: &Gl) {
    let program = gl.program(
        COVER,
        "#version 330 core
        layout(std140) uniform Object { vec4 color; };
        out vec4 result;
        void main() { result = color; }",
    );
    let block = gl.block(program, "Object");
    for (point, color) in [(1, [1.0f32, 0.0, 0.0, 1.0]), (5, [0.0, 1.0, 0.0, 1.0])] {
        let buffer = gl.buffer(t::UNIFORM_BUFFER, &color);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, point, buffer);
    }
    for (point, wanted) in [(1, [255, 0, 0, 255]), (5, [0, 255, 0, 255]), (1, [255, 0, 0, 255])] {
        gl.uniform_block_binding(program, block, point);
        gl.cover();
        gl.expect_pixel((8, 8), wanted, "point by point");
    }
    gl.uniform_block_binding(program, 77, 0);
    gl.expect_error(t::INVALID_VALUE, "not a block");
    gl.uniform_block_binding(program, block, gl.int(t::MAX_UNIFORM_BUFFER_BINDINGS) as u32);
    gl.expect_error(t::INVALID_VALUE, "not a binding point");
}

/// If this fails, shaders with as many parameters as GL promises do not work.
fn many_uniforms_at_once(gl: &Gl) {
    let program = checking(
        gl,
        "uniform vec4 a[250];",
        "a[0] == vec4(0, 1, 2, 3) && a[249] == vec4(996, 997, 998, 999) && a[100].z == 402.0",
    );
    let values: Vec<[f32; 4]> = (0..250).map(|i| std::array::from_fn(|k| (i * 4 + k) as f32)).collect();
    gl.set_vec4s(gl.location(program, "a"), &values);
    expect_ok(gl, "a thousand components");
    assert!(gl.int(t::MAX_FRAGMENT_UNIFORM_COMPONENTS) >= 1024);
}

/// If this fails, values set while another program draws are lost.
fn values_without_use(gl: &Gl) {
    let a = gl.plain_program(COVER, [1.0, 0.0, 0.0, 1.0]);
    let b = gl.plain_program(COVER, [0.0, 0.0, 1.0, 1.0]);
    gl.use_program(a);
    gl.cover();
    gl.program_uniform4f(b, gl.location(b, "color"), 0.0, 1.0, 0.0, 1.0);
    gl.cover();
    gl.expect_pixel((5, 5), [255, 0, 0, 255], "the first is untouched");
    gl.use_program(b);
    expect_ok(gl, "the second was set while it was not current");
    check::expect_near(&gl.uniform_floats(a, gl.location(a, "color"))[..1], &[1.0], 0.0, "the first's value");
}

/// If this fails, switches set with other numbers than 1 are off.
fn booleans_from_any_number(gl: &Gl) {
    let program = checking(gl, "uniform bool a; uniform bool b; uniform bool c; uniform bool d;", "a && b && c && !d");
    gl.uniform1i(gl.location(program, "a"), -7);
    gl.uniform1f(gl.location(program, "b"), 0.25);
    gl.uniform1ui(gl.location(program, "c"), 1 << 31);
    gl.uniform1f(gl.location(program, "d"), 0.0);
    expect_ok(gl, "anything but zero is true");
}

/// If this fails, a program with as many blocks as every driver of its version has does not link, or reads others.
fn as_many_blocks_as_promised(gl: &Gl) {
    let most = gl.int(t::MAX_FRAGMENT_UNIFORM_BLOCKS);
    // GL 4.6 table 23.61, and GL 3.3.
    let least = if gl.int(t::MAJOR_VERSION) >= 4 { 14 } else { 12 };
    assert!(most >= least && gl.int(t::MAX_VERTEX_UNIFORM_BLOCKS) >= least, "{most} blocks");
    let blocks: String = (0..most).map(|n| format!("layout(std140) uniform B{n} {{ vec4 v{n}[2]; }};\n")).collect();
    let sum: String = (0..most).map(|n| format!(" + v{n}[1].x * float({})", n + 1)).collect();
    let program =
        checking(gl, &format!("{blocks}uniform float base; uniform float wanted;"), &format!("base{sum} == wanted"));
    let mut wanted = 1000.0;
    for n in 0..most {
        let value = (n * n) as f32;
        wanted += value * (n + 1) as f32;
        let buffer = gl.buffer(t::UNIFORM_BUFFER, &[[0.0f32; 4], [value; 4]]);
        gl.bind_buffer_base(t::UNIFORM_BUFFER, n as u32, buffer);
        gl.uniform_block_binding(program, gl.block(program, &format!("B{n}")), n as u32);
    }
    gl.uniform1f(gl.location(program, "base"), 1000.0);
    gl.uniform1f(gl.location(program, "wanted"), wanted);
    expect_ok(gl, "every block is read");
}

/// If this fails, what lies behind an array that its use sizes is read from other places than the program was told (GLSL
/// 4.60 §4.1.9).
fn members_sized_by_their_use(gl: &Gl) {
    let values: Vec<[f32; 4]> = (0..16).map(|n| [n as f32; 4]).collect();
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &values);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    let members = "vec4 first[]; vec4 second[]; vec4 last;";
    for (block, condition) in [
        (
            format!("uniform Sized {{ {members} }} sized;"),
            "sized.first[2].x == 2.0 && sized.second[1].x == 4.0 && sized.last.x == 5.0",
        ),
        (format!("uniform Sized {{ {members} }};"), "first[2].x == 2.0 && second[1].x == 4.0 && last.x == 5.0"),
    ] {
        let program = checking(gl, &format!("layout(std140) {block}"), condition);
        assert_eq!(gl.block_parameter(program, gl.block(program, "Sized"), t::UNIFORM_BLOCK_DATA_SIZE), 96);
        expect_ok(gl, condition);
    }
    // Both stages declare the block, and its size is that of all uses.
    let vertex = format!(
        "#version 330 core
        layout(std140) uniform Sized {{ {members} }} sized;
        void main() {{
            vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
            gl_Position = vec4(at, sized.first[3].x - 3.0, 1.0);
        }}"
    );
    let fragment = format!(
        "#version 330 core
        layout(std140) uniform Sized {{ {members} }} sized;
        out vec4 result;
        void main() {{
            bool ok = sized.first[1].x == 1.0 && sized.second[1].x == 5.0 && sized.last.x == 6.0;
            result = vec4(ok ? 0.0 : 1.0, ok ? 1.0 : 0.0, 0.0, 1.0);
        }}"
    );
    gl.program(&vertex, &fragment);
    expect_ok(gl, "the sizes of both stages");
}

/// If this fails, functions that are given uniforms read others, or change what the next one reads.
fn uniforms_passed_to_functions(gl: &Gl) {
    let program = checking(
        gl,
        "uniform vec4 list[4]; uniform mat3 turn; struct Light { vec3 place; float power[2]; }; uniform Light lights[2];
        float inner(vec4 all[4], int i) { return all[i & 3].x; }
        float sum(vec4 all[4], mat3 m, int i) { return all[(i + 1) & 3].y * m[i % 3].z + inner(all, i); }
        float changed(vec4 all[4], int i) { all[i & 3].x = 100.0; return all[i & 3].x + inner(all, i + 1); }
        float lit(Light all[2], int i) { Light one = all[i & 1]; one.power[0] += 1.0; return one.power[i & 1] + one.place.y; }
        bool run() {
            int i = int(gl_FragCoord.x) & 1;
            vec4 mine[4] = list;
            mat3 own = turn;
            vec4 last[4] = list;
            last[i] = vec4(50.0);
            float first = i == 0 ? 102.0 : 103.0;
            return sum(list, turn, i) == (i == 0 ? 20.0 * 3.0 + 1.0 : 30.0 * 6.0 + 2.0)
                && sum(mine, own, i) == sum(list, turn, i) && changed(list, i) == first && changed(mine, i) == first
                && mine[i].x == float(i + 1) && last[i].x == 50.0 && last[i + 1].x == float(i + 2)
                && lit(lights, i) == (i == 0 ? 7.0 + 1.0 + 2.0 : 9.0 + 5.0);
        }",
        "run()",
    );
    let at = |name: &str| gl.location(program, name);
    gl.set_vec4s(
        at("list"),
        &[[1.0, 10.0, 0.0, 0.0], [2.0, 20.0, 0.0, 0.0], [3.0, 30.0, 0.0, 0.0], [4.0, 40.0, 0.0, 0.0]],
    );
    gl.set_mat3(at("turn"), false, &[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]]);
    for (n, (place, power)) in [(2.0f32, [7.0f32, 8.0]), (5.0, [6.0, 9.0])].into_iter().enumerate() {
        gl.uniform3f(at(&format!("lights[{n}].place")), 0.0, place, 0.0);
        gl.uniform1f(at(&format!("lights[{n}].power[0]")), power[0]);
        gl.uniform1f(at(&format!("lights[{n}].power[1]")), power[1]);
    }
    expect_ok(gl, "every function reads its own");
}
