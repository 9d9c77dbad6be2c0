//! Expressions, control flow, types and functions (GLSL 3.30 §4 to §8).

use super::expect_all;
use crate::gl::program::COVER;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["shader":
    integers_and_bits,
    float_functions,
    vectors_and_swizzles,
    matrices,
    loops_switches_and_returns,
    functions_and_parameters,
    arrays_and_structures,
    conversions_and_bit_patterns,
    geometric_functions,
    preprocessor,
    layouts_of_blocks,
    errors_are_errors,
    dynamic_indices,
];

/// If this fails, hashing, packing and random numbers in shaders give other values.
fn integers_and_bits(gl: &Gl) {
    expect_all(
        gl,
        "uniform int seven; uniform uint big;",
        "int n = seven + 7; uint u = big + 0xFFFFFFF0u;
        if (n / 2 != 3 || n % 4 != 3 || -n / 2 != -3) wrong |= 1;
        if ((n << 2) != 28 || (-28 >> 2) != -7 || (u >> 28u) != 15u) wrong |= 2;
        if ((n & 6) != 6 || (n | 8) != 15 || (n ^ 5) != 2 || ~n != -8) wrong |= 4;
        if (u + 32u != 16u || u * 2u != 0xFFFFFFE0u) wrong |= 8;
        if (u / 16u != 0x0FFFFFFFu || u % 7u != 4294967280u % 7u) wrong |= 16;
        if (abs(-n) != 7 || sign(-n) != -1 || min(n, 3) != 3 || clamp(n, 0, 5) != 5) wrong |= 32;
        ivec3 v = ivec3(1, -2, 3) * ivec3(n); if (v != ivec3(7, -14, 21)) wrong |= 64;
        int i = n++; if (i != 7 || n != 8 || --n != 7) wrong |= 128;",
    );
}

/// If this fails, lighting and animation are off.
fn float_functions(gl: &Gl) {
    expect_all(
        gl,
        "uniform float zero; bool near(float a, float b) { return abs(a - b) <= 1e-4 * max(1.0, abs(b)); }",
        "float x = zero + 0.5;
        if (!near(sin(x), 0.479426) || !near(cos(x), 0.877583) || !near(tan(x), 0.546302)) wrong |= 1;
        if (abs(asin(x) - 0.523599) > 1e-3 || abs(acos(x) - 1.047198) > 1e-3 || abs(atan(1.0, -1.0 + zero) - 2.356194) > 1e-3) wrong |= 2;
        if (!near(pow(x, 3.0), 0.125) || !near(exp2(x), 1.414214) || !near(log2(8.0 + zero), 3.0)) wrong |= 4;
        if (!near(sqrt(x), 0.707107) || !near(inversesqrt(4.0 + zero), 0.5) || !near(exp(x), 1.648721) || !near(log(x), -0.693147)) wrong |= 8;
        if (floor(-1.5 + zero) != -2.0 || ceil(-1.5 + zero) != -1.0 || fract(1.25 + zero) != 0.25 || trunc(-1.5 + zero) != -1.0) wrong |= 16;
        if (mod(-1.0 + zero, 3.0) != 2.0 || round(2.6 + zero) != 3.0 || roundEven(2.5 + zero) != 2.0) wrong |= 32;
        if (mix(1.0, 3.0, x) != 2.0 || step(0.4, x) != 1.0 || !near(smoothstep(0.0, 1.0, 0.25 + zero), 0.15625)) wrong |= 64;
        if (isnan(x) || !isinf(1.0 / zero) || !near(sinh(x), 0.521095) || !near(degrees(radians(90.0 + zero)), 90.0)) wrong |= 128;",
    );
}

/// If this fails, components are exchanged.
fn vectors_and_swizzles(gl: &Gl) {
    expect_all(
        gl,
        "uniform vec4 zero;",
        "vec4 v = zero + vec4(1, 2, 3, 4);
        if (v.wzyx != vec4(4, 3, 2, 1) || v.rrgg != vec4(1, 1, 2, 2) || v.stp != vec3(1, 2, 3)) wrong |= 1;
        v.yx = v.xy; if (v != vec4(2, 1, 3, 4)) wrong |= 2;
        v.zw += vec2(10.0); if (v != vec4(2, 1, 13, 14)) wrong |= 4;
        v[2] = 7.0; if (v.b != 7.0) wrong |= 8;
        if (vec3(v.xy, 5) != vec3(2, 1, 5) || vec2(vec4(8, 9, 10, 11)) != vec2(8, 9) || vec4(3) != vec4(3, 3, 3, 3)) wrong |= 16;
        if (any(lessThan(v, vec4(0))) || !all(greaterThanEqual(v, vec4(1))) || not(bvec2(true, false)) != bvec2(false, true)) wrong |= 32;
        if (mix(vec2(1, 2), vec2(3, 4), bvec2(false, true)) != vec2(1, 4)) wrong |= 64;
        if (equal(ivec2(1, 2), ivec2(1, 3)) != bvec2(true, false)) wrong |= 128;",
    );
}

/// If this fails, objects are turned, scaled or placed wrongly.
fn matrices(gl: &Gl) {
    expect_all(
        gl,
        "uniform float zero; bool near(float a, float b) { return abs(a - b) < 1e-4; }",
        "mat2 a = mat2(1, 2, 3, 4) + mat2(zero); mat3 b = mat3(2.0 + zero);
        if (a * vec2(5, 6) != vec2(23, 34) || vec2(5, 6) * a != vec2(17, 39)) wrong |= 1;
        if (a * mat2(0, 1, 1, 0) != mat2(3, 4, 1, 2)) wrong |= 2;
        if (transpose(a) != mat2(1, 3, 2, 4) || determinant(a) != -2.0) wrong |= 4;
        mat2 c = inverse(a); if (!near(c[0][0], -2.0) || !near(c[1][0], 1.5)) wrong |= 8;
        if (b[1] != vec3(0, 2, 0) || mat3(mat4(3.0)) != mat3(3.0)) wrong |= 16;
        if (matrixCompMult(a, a) != mat2(1, 4, 9, 16) || outerProduct(vec2(1, 2), vec3(3, 4, 5)) != mat3x2(3, 6, 4, 8, 5, 10)) wrong |= 32;
        mat4x3 d = mat4x3(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12); if (d * vec4(1, 0, 0, 1) != vec3(11, 13, 15)) wrong |= 64;
        a[1][0] = 9.0; if (a != mat2(1, 2, 9, 4) || a / 2.0 != mat2(0.5, 1.0, 4.5, 2.0)) wrong |= 128;",
    );
}

/// If this fails, shaders leave loops too early or too late.
fn loops_switches_and_returns(gl: &Gl) {
    expect_all(
        gl,
        "uniform int zero;
        int early(int n) { for (int i = 0; i < 100; i++) { if (i == n) return i * 10; } return -1; }
        int choose(int n) { int r = 0; switch (n) { case 1: r = 10; break; case 2: r += 1; case 3: r += 2; break; default: r = 99; } return r; }",
        "int sum = 0; for (int i = 0; i < 10 + zero; i++) { if (i == 3) continue; if (i == 7) break; sum += i; }
        if (sum != 0 + 1 + 2 + 4 + 5 + 6) wrong |= 1;
        int n = 0; while (n < 5 + zero) n += 2; if (n != 6) wrong |= 2;
        do { n--; } while (n > 10 + zero); if (n != 5) wrong |= 4;
        if (early(4 + zero) != 40 || early(200 + zero) != -1) wrong |= 8;
        if (choose(1 + zero) != 10 || choose(2 + zero) != 3 || choose(3 + zero) != 2 || choose(8 + zero) != 99) wrong |= 16;
        int nested = 0; for (int i = 0; i < 4; i++) for (int j = i; j < 4; j++) { if (j == 2 + zero) break; nested++; }
        if (nested != 2 + 1 + 0 + 1) wrong |= 32;
        bool touched = false; if (zero != 0 && (touched = true)) wrong |= 64; if (touched) wrong |= 64;
        int t = zero == 0 ? 5 : 6; if (t != 5) wrong |= 128;",
    );
}

/// If this fails, helpers of shaders change the wrong variables.
fn functions_and_parameters(gl: &Gl) {
    expect_all(
        gl,
        "uniform float zero; struct Pair { float a; vec2 b; };
        void change(in float a, out float b, inout float c) { a = 9.0; b = 2.0; c *= 3.0; }
        float twice(float a) { return a * 2.0; } vec2 twice(vec2 a) { return a * 2.0; } int twice(int a) { return a * 3; }
        Pair swap(Pair p) { return Pair(p.b.x, vec2(p.a, p.b.y)); }
        float total(float values[3]) { values[0] += 1.0; return values[0] + values[1] + values[2]; }
        void fill(out vec2 values[2]) { values[0] = vec2(1); values[1] = vec2(2); }",
        "float a = 1.0 + zero, b = 0.0, c = 4.0; change(a, b, c); if (a != 1.0 || b != 2.0 || c != 12.0) wrong |= 1;
        if (twice(2.0) != 4.0 || twice(vec2(1, 3)) != vec2(2, 6) || twice(2) != 6) wrong |= 2;
        Pair p = swap(Pair(1.0 + zero, vec2(2, 3))); if (p.a != 2.0 || p.b != vec2(1, 3)) wrong |= 4;
        float v[3] = float[3](1.0, 2.0, 3.0 + zero); if (total(v) != 7.0 || v[0] != 1.0) wrong |= 8;
        vec2 f[2]; fill(f); if (f[0] != vec2(1) || f[1] != vec2(2)) wrong |= 16;
        vec4 s = vec4(0.0); change(zero, s.y, s.z); if (s != vec4(0, 2, 0, 0)) wrong |= 32;",
    );
}

/// If this fails, tables in shaders have other entries.
fn arrays_and_structures(gl: &Gl) {
    expect_all(
        gl,
        "uniform int zero; struct Inner { ivec2 a[2]; }; struct Outer { Inner inner[2]; float b; };
        const float table[4] = float[](1.0, 2.0, 4.0, 8.0);",
        "int i = zero + 1; Outer o; o.b = 3.0; o.inner[i].a[i] = ivec2(5, 6); o.inner[0].a[0] = ivec2(7, 8);
        Outer copy = o; copy.inner[1].a[1].x = 9;
        if (o.inner[1].a[1] != ivec2(5, 6) || copy.inner[1].a[1] != ivec2(9, 6) || copy.inner[0].a[0] != ivec2(7, 8)) wrong |= 1;
        if (table[i + 2] != 8.0 || table.length() != 4) wrong |= 2;
        float same[2] = float[2](1.0, 2.0); if (same != float[2](1.0, 2.0)) wrong |= 4;
        vec3 many[3]; for (int k = 0; k < 3; k++) many[k] = vec3(k); if (many[2] != vec3(2)) wrong |= 8;
        many[i].yz = vec2(5, 6); if (many[1] != vec3(1, 5, 6)) wrong |= 16;
        Inner p = Inner(ivec2[2](ivec2(1), ivec2(2))), q = p; if (p != q) wrong |= 32;",
    );
}

/// If this fails, values that travel as bits in other types change.
fn conversions_and_bit_patterns(gl: &Gl) {
    expect_all(
        gl,
        "#extension GL_ARB_shader_bit_encoding : require
        uniform float zero;",
        "float x = zero - 2.75;
        if (int(x) != -2 || uint(3.9 + zero) != 3u || bool(x) != true || float(true) != 1.0 || int(false) != 0) wrong |= 1;
        if (floatBitsToInt(1.0 + zero) != 0x3F800000 || intBitsToFloat(0x40490FDB) < 3.14159) wrong |= 2;
        if (uintBitsToFloat(floatBitsToUint(x)) != x || floatBitsToUint(x) != 0xC0300000u) wrong |= 4;
        if (ivec2(vec2(1.9, -1.9)) != ivec2(1, -1) || vec2(ivec2(3, 4)) != vec2(3, 4) || uvec2(ivec2(5, -1)).y != 0xFFFFFFFFu) wrong |= 8;
        if (float(4294967295u) < 4294967000.0 || float(-2147483648) != -2147483648.0) wrong |= 16;
        int a = 3; float b = a; vec2 c = vec2(a, 4); if (b != 3.0 || c != vec2(3, 4)) wrong |= 32;",
    );
}

/// If this fails, lights and reflections point the wrong way.
fn geometric_functions(gl: &Gl) {
    expect_all(
        gl,
        "uniform vec3 zero; bool near(vec3 a, vec3 b) { return all(lessThan(abs(a - b), vec3(1e-4))); }",
        "vec3 a = zero + vec3(1, 2, 3), b = zero + vec3(4, 5, 6);
        if (dot(a, b) != 32.0 || cross(a, b) != vec3(-3, 6, -3)) wrong |= 1;
        if (abs(length(vec3(3, 4, 0) + zero) - 5.0) > 1e-5 || abs(distance(a, b) - 5.196152) > 1e-4) wrong |= 2;
        if (!near(normalize(vec3(0, 3, 4) + zero), vec3(0, 0.6, 0.8))) wrong |= 4;
        if (!near(reflect(vec3(1, -1, 0) + zero, vec3(0, 1, 0)), vec3(1, 1, 0))) wrong |= 8;
        if (!near(refract(vec3(0, -1, 0) + zero, vec3(0, 1, 0), 0.5), vec3(0, -1, 0))) wrong |= 16;
        if (faceforward(a, vec3(0, 0, -1), vec3(0, 0, 1)) != a || faceforward(a, vec3(0, 0, 1), vec3(0, 0, 1)) != -a) wrong |= 32;",
    );
}

/// If this fails, shaders that choose their code by version or extension choose wrong.
fn preprocessor(gl: &Gl) {
    expect_all(
        gl,
        "#define TWICE(x) ((x) * 2)
        #define SECOND
        #undef SECOND
        #if __VERSION__ == 330 && !defined(SECOND) && defined(GL_core_profile)
        const int chosen = TWICE(4);
        #elif 1
        const int chosen = -1;
        #else
        #error not here
        #endif
        #line 77
        const int line = __LINE__;",
        "if (chosen != 8) wrong |= 1; if (line < 77 || line > 78) wrong |= 2;",
    );
}

/// If this fails, programs and shaders disagree about where in a block a value lies.
fn layouts_of_blocks(gl: &Gl) {
    let mut data = [0f32; 64];
    let places = [
        (0, 1.0),
        (4, 2.0),
        (5, 3.0),
        (6, 4.0),
        (7, 5.0),
        (8, 6.0),
        (12, 7.0),
        (16, 8.0),
        (20, 9.0),
        (21, 10.0),
        (24, 11.0),
        (32, 12.0),
        (33, 13.0),
        (36, 14.0),
        (40, 15.0),
    ];
    for (at, value) in places {
        data[at] = value;
    }
    let buffer = gl.buffer(t::UNIFORM_BUFFER, &data);
    gl.bind_buffer_base(t::UNIFORM_BUFFER, 0, buffer);
    expect_all(
        gl,
        "struct S { float a; vec2 b; };
        layout(std140) uniform Block { float f; vec3 v; float g; float h[3]; mat2 m; layout(row_major) mat2x3 r; S s; } b;",
        "if (b.f != 1.0) wrong |= 1; if (b.v != vec3(2, 3, 4)) wrong |= 2; if (b.g != 5.0) wrong |= 4;
        if (b.h[0] != 6.0 || b.h[1] != 7.0 || b.h[2] != 8.0) wrong |= 8;
        if (b.m[0] != vec2(9, 10) || b.m[1].x != 11.0) wrong |= 16;
        if (b.r[0][1] != 12.0 || b.r[1][1] != 13.0 || b.r[0][2] != 14.0) wrong |= 32;
        if (b.s.a != 15.0) wrong |= 64;",
    );
}

/// If this fails, a shader with a mistake is accepted and draws garbage elsewhere.
fn errors_are_errors(gl: &Gl) {
    let cases = [
        ("float x = vec2(1.0);", "a vector for a number"),
        ("int x = 1.5;", "a float for an integer"),
        ("missing();", "a function that does not exist"),
        ("gl_Position = vec4(0.0);", "an output of another stage"),
        ("const int x = 1; x = 2;", "a constant that is changed"),
        ("float a; a.x.y = 1.0;", "a component that does not exist"),
        ("for (;;", "an unfinished line"),
    ];
    for (body, what) in cases {
        let source = format!("#version 330 core\nout vec4 result;\nvoid main() {{ {body} result = vec4(0.0); }}");
        assert!(gl.try_shader(t::FRAGMENT_SHADER, &source).is_err(), "{what}");
    }
    let old = "#version 330 core\nvoid main() { gl_Position = gl_ModelViewMatrix * gl_Vertex; }";
    assert!(gl.try_shader(t::VERTEX_SHADER, old).is_err(), "what the core profile removed");
    gl.expect_no_error("a shader that does not compile is no GL error");
}

/// If this fails, shaders that compute which element they take take another.
fn dynamic_indices(gl: &Gl) {
    let program = gl.program(
        COVER,
        "#version 330 core
        uniform vec4 colors[8];
        out vec4 result;
        void main() {
            int i = int(gl_FragCoord.x) / 8;
            vec4 local[8];
            for (int k = 0; k < 8; k++) local[7 - k] = colors[k];
            mat4 m = mat4(1.0);
            result = local[7 - i];
            result[i & 1] = m[i & 3][i & 3];
        }",
    );
    let colors: Vec<[f32; 4]> = (0..8).map(|i| [0.0, 0.0, i as f32 / 10.0, 1.0]).collect();
    gl.set_vec4s(gl.location(program, "colors"), &colors);
    gl.cover();
    for i in 0..8u8 {
        let wanted = [
            if i % 2 == 0 { 255 } else { 0 },
            if i % 2 == 1 { 255 } else { 0 },
            (f32::from(i) * 25.5).round() as u8,
            255,
        ];
        gl.expect_pixel((i32::from(i) * 8 + 4, 9), wanted, "element by element");
    }
}
