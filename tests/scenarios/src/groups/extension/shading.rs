//! Functions and variables that extensions add to the language.

use crate::gl::program::COVER;
use crate::gl::texture::RGBA8;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["extension":
    three_values_in_order,
    four_texels_by_their_old_name,
    stencil_values_of_shaders,
    wide_integers_by_their_old_name,
    sums_of_floats,
];

/// If this fails, filters that take the middle of three values (median, anti-aliasing) take another one.
fn three_values_in_order(gl: &Gl) {
    need(gl.has("GL_AMD_shader_trinary_minmax"), "GL_AMD_shader_trinary_minmax");
    let fragment = "#version 330 core
        #extension GL_AMD_shader_trinary_minmax : require
        uniform ivec3 order[6];
        out vec4 result;
        void main() {
            int wrong = 0;
            for (int i = 0; i < 6; i++) {
                ivec3 s = order[i] * 3 - 5;
                vec3 f = vec3(order[i]) * 1.5 - 2.0;
                uvec3 u = uvec3(order[i]) * 2000000000u;
                if (min3(s.x, s.y, s.z) != -5 || mid3(s.x, s.y, s.z) != -2 || max3(s.x, s.y, s.z) != 1) wrong |= 1;
                if (min3(f.x, f.y, f.z) != -2.0 || mid3(f.x, f.y, f.z) != -0.5 || max3(f.x, f.y, f.z) != 1.0) wrong |= 2;
                if (min3(u.x, u.y, u.z) != 0u || mid3(u.x, u.y, u.z) != 2000000000u) wrong |= 4;
                if (max3(u.x, u.y, u.z) != 4000000000u) wrong |= 8;
                if (mid3(vec2(f.x, 1.0), vec2(f.y, 2.0), vec2(f.z, 0.0)) != vec2(-0.5, 1.0)) wrong |= 16;
            }
            result = vec4(float(wrong) / 255.0, 0.0, 1.0, 1.0);
        }";
    let program = gl.program(COVER, fragment);
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for (i, [a, b, c]) in orders.into_iter().enumerate() {
        gl.uniform3i(gl.location(program, &format!("order[{i}]")), a, b, c);
    }
    gl.cover();
    gl.expect_pixel((9, 9), [0, 0, 255, 255], "every order of three values");
}

/// If this fails, shadow filters of older programs for AMD's cards do not compile.
fn four_texels_by_their_old_name(gl: &Gl) {
    need(gl.has("GL_AMD_texture_texture4"), "GL_AMD_texture_texture4");
    gl.texture_2d(t::RGBA8, (2, 2), RGBA8, &[[10u8, 0, 0, 0], [20, 0, 0, 0], [30, 0, 0, 0], [40, 0, 0, 0]]);
    let fragment = "#version 330 core
        #extension GL_AMD_texture_texture4 : require
        uniform sampler2D image;
        out vec4 result;
        void main() { result = texture4(image, vec2(0.5)); }";
    gl.program(COVER, fragment);
    gl.cover();
    gl.expect_pixel((9, 9), [30, 40, 20, 10], "counter-clockwise from the upper left");
}

/// If this fails, programs that write stencil values texel by texel write none.
fn stencil_values_of_shaders(gl: &Gl) {
    need(gl.has("GL_ARB_shader_stencil_export"), "GL_ARB_shader_stencil_export");
    for (extension, variable) in [
        ("GL_ARB_shader_stencil_export", "gl_FragStencilRefARB"),
        ("GL_AMD_shader_stencil_export", "gl_FragStencilRefAMD"),
    ] {
        let fragment = format!(
            "#version 330 core\n#extension {extension} : require\nout vec4 result;\n\
             void main() {{ {variable} = int(gl_FragCoord.x) + 100; result = vec4(1.0); }}"
        );
        gl.program(COVER, &fragment);
        gl.clear_all();
        gl.enable(t::STENCIL_TEST);
        gl.stencil_func(t::ALWAYS, 7, 0xFF);
        gl.stencil_op(t::KEEP, t::KEEP, t::REPLACE);
        gl.cover();
        gl.expect_no_error(extension);
        assert_eq!([gl.stencil_at(0, 3), gl.stencil_at(33, 60)], [100, 133], "{extension}");
    }
}

/// If this fails, programs that know 64-bit integers by AMD's name for them do not compile, or lose the upper half.
fn wide_integers_by_their_old_name(gl: &Gl) {
    need(gl.has("GL_AMD_gpu_shader_int64"), "GL_AMD_gpu_shader_int64");
    let fragment = "#version 450 core
        #extension GL_AMD_gpu_shader_int64 : require
        out vec4 result;
        void main() {
            int64_t wide = packInt2x32(ivec2(int(gl_FragCoord.x), 1));
            uint64_t product = uint64_t(4000000000u) * 4ul;
            bool right = wide > 4294967296l && wide < 4294967360l && (product >> 32) == 3ul;
            result = vec4(right ? 1.0 : 0.0, 0.0, 1.0, 1.0);
        }";
    gl.program(COVER, fragment);
    gl.cover();
    gl.expect_pixel((9, 9), [255, 0, 255, 255], "sums and products of 64 bits");
}

/// If this fails, programs that gather light or forces from many invocations lose what some of them add.
fn sums_of_floats(gl: &Gl) {
    need(gl.has("GL_NV_shader_atomic_float"), "GL_NV_shader_atomic_float");
    let compute = "#version 430 core
        #extension GL_NV_shader_atomic_float : require
        layout(local_size_x = 64) in;
        layout(std430, binding = 0) buffer Sums { float sum; float last; };
        layout(r32f, binding = 0) uniform image2D image;
        shared float together;
        void main() {
            if (gl_LocalInvocationIndex == 0u) together = 0.0;
            barrier();
            atomicAdd(together, 0.5);
            imageAtomicAdd(image, ivec2(0), 0.25);
            barrier();
            if (gl_LocalInvocationIndex == 0u) {
                atomicAdd(sum, together);
                atomicExchange(last, 7.5);
            }
        }";
    let texture = gl.texture_2d(t::R32F, (1, 1), (t::RED, t::FLOAT), &[1.0f32]);
    gl.bind_image_texture(0, texture, 0, 0, 0, t::READ_WRITE, t::R32F);
    let sums = gl.buffer(t::SHADER_STORAGE_BUFFER, &[1.5f32, 0.0]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, sums);
    gl.program_with(&[(t::COMPUTE_SHADER, compute)], |_| {});
    gl.dispatch_compute(4, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT | t::TEXTURE_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<f32>(t::SHADER_STORAGE_BUFFER, 0, 2), [1.5 + 128.0, 7.5]);
    assert_eq!(gl.texture_image::<f32>(t::TEXTURE_2D, 0, t::RED, t::FLOAT, 1), [1.0 + 64.0]);
    gl.expect_no_error("sums");
}
