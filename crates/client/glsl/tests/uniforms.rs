//! Uniforms, samplers, blocks and counters: placement, reflection, and SPIR-V that Vulkan takes.
//! Must not look at varyings.

mod common;

use common::{FS, PLAIN_FS, PLAIN_VS, VS, decorations, linked, refused, text, uniform};
use mgl_glsl::Stage;

/// A uniform that lands at another offset in one stage shows the wrong value there.
#[test]
fn loose_uniforms_share_one_block() {
    let vs = "#version 330\nuniform mat4 mvp; uniform float k; in vec4 p; out float v;\n\
        void main() { gl_Position = mvp * p; v = k; }";
    let fs = "#version 330\nuniform vec3 tint[2]; uniform mat4 mvp; uniform bool on; in float v; out vec4 c;\n\
        void main() { c = vec4(tint[1], v) * (on ? 1.0 : mvp[0][0]); }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    assert_eq!(program.archive.default_block_size, 128);
    assert_eq!(program.archive.default_block_stages, VS.bit() | FS.bit());
    let mvp = uniform(&program, "mvp");
    assert_eq!((mvp.gl_type, mvp.offset, mvp.matrix_stride, mvp.stages), (0x8B5C, 0, 16, VS.bit() | FS.bit()));
    let tint = uniform(&program, "tint[0]");
    assert_eq!((tint.array_size, tint.is_array, tint.array_stride, tint.offset), (2, true, 16, 80));
    assert_eq!(uniform(&program, "on").gl_type, 0x8B56);
    assert_eq!(program.archive.location_count, 5);
    assert!(decorations(&program, FS, "MobileGLDefaultBlock").contains(&"0 Offset 0".to_owned()));
}

/// `uniform float x = 2.0;` must be 2.0 before the program sets anything.
#[test]
fn initial_values() {
    let fs = "#version 330\nuniform vec2 a = vec2(1.0, 2.0); uniform bool b = true; uniform int n[2] = int[2](3, 4);\n\
        uniform mat2 m = mat2(1.0, 2.0, 3.0, 4.0);\n\
        out vec4 c; void main() { c = vec4(a, b ? 1.0 : 0.0, float(n[1])) + vec4(m[0], m[1]); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let word = |name: &str, at: usize| {
        let first = usize::try_from(uniform(&program, name).offset).unwrap() + at;
        u32::from_le_bytes(program.archive.default_block_init[first..first + 4].try_into().unwrap())
    };
    assert_eq!((word("a", 0), word("a", 4)), (1.0f32.to_bits(), 2.0f32.to_bits()));
    assert_eq!((word("b", 0), word("n[0]", 0), word("n[0]", 16)), (1, 3, 4));
    assert_eq!((word("m", 4), word("m", 16)), (2.0f32.to_bits(), 3.0f32.to_bits()));
}

/// Lights as structs that hold their shadow map are how engines write them.
#[test]
fn structs_with_samplers_are_split() {
    let fs = "#version 330\nstruct Light { vec3 colour; sampler2D map; mat3 m; bool on; };\n\
        uniform Light lights[3]; uniform int i; in vec2 uv; out vec4 c;\n\
        vec4 shade(Light l, vec2 at) { return texture(l.map, at) * vec4(l.colour, 1) * (l.on ? l.m[1].x : 2.0); }\n\
        void main() { c = shade(lights[2], uv) + shade(lights[0], uv); }";
    let vs = "#version 330\nin vec4 p; out vec2 uv; void main() { gl_Position = p; uv = p.xy; }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    let map = uniform(&program, "lights[2].map");
    let opaque = map.opaque.as_ref().unwrap();
    assert_eq!((opaque.slot, opaque.binding, opaque.count), (2, 0, 1));
    assert_eq!(uniform(&program, "lights[0].colour").gl_type, 0x8B51);
    assert!(program.archive.uniforms.iter().all(|u| !u.name.starts_with("lights[1]")), "unused elements are inactive");
}

/// Whatever shape a uniform has and however it is passed around, the module must be one that Vulkan takes.
#[test]
fn every_shape_at_once() {
    let fs = "#version 430\nstruct In { bool b; vec3 v[2]; mat2x3 m; };\n\
        struct S { In a[2]; float f; bvec2 bb; }; uniform S s[2]; uniform int i; uniform bool flags[4];\n\
        uniform mat4 bones[8]; uniform sampler2D tex[2][2]; struct Mat { sampler2D d; sampler2D n[2]; vec4 k; };\n\
        uniform Mat mats[2]; layout(std140) uniform U { bool q; S us; bool arr[3]; } ub; out vec4 c;\n\
        float g(S x) { return x.f + x.a[1].v[0].x + float(x.bb.y) + x.a[i].m[1].z + float(x.a[0].b); }\n\
        float h(bool f[4]) { return f[i] ? 1.0 : 0.0; }\n\
        vec4 k(Mat m) { return texture(m.d, vec2(0)) + texture(m.n[i], vec2(0)) * m.k; }\n\
        vec4 arrf(sampler2D t[2]) { return texture(t[i], vec2(0)); }\n\
        vec4 nest(Mat m[2]) { return k(m[1]) + arrf(m[0].n); }\n\
        void main() { S y = s[i]; c = vec4(g(y) + g(s[1]) + h(flags)) + bones[i] * vec4(1) + k(mats[i]) + nest(mats)\n\
        + arrf(tex[i]) + texture(tex[i][1], vec2(0)) + vec4(ub.q, g(ub.us), ub.arr[i], s[0] == s[1]); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    assert_eq!(uniform(&program, "mats[1].n[0]").opaque.as_ref().map(|o| o.count), Some(2));
    assert_eq!(uniform(&program, "U.us.a[1].b").gl_type, 0x8B56);
}

/// Arrays of samplers are one descriptor array, and an array of arrays is flattened into one.
#[test]
fn sampler_arrays() {
    let fs = "#version 430\nuniform sampler2D a[2][3]; uniform sampler2D b; uniform int i; out vec4 c;\n\
        vec4 f(sampler2D s[3], int k) { return texture(s[k], vec2(0)); }\n\
        void main() { c = texture(a[1][2], vec2(0)) + texture(b, vec2(0)) + f(a[1], 0) + texture(a[0][i], vec2(0)); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let opaque = uniform(&program, "a[1][0]").opaque.clone().unwrap();
    assert_eq!((opaque.binding, opaque.slot, opaque.count), (0, 3, 3));
    assert_eq!(uniform(&program, "b").opaque.clone().unwrap().slot, 6);
}

/// Elements of an array that no shader reads have no part in whether a draw is legal; those that one may read have.
#[test]
fn unread_samplers_are_idle() {
    let fs = "#version 430\nuniform sampler2D a[2][2]; uniform sampler2D b[3]; uniform sampler2D d[3]; uniform int i; out vec4 c;\n\
        void main() { c = texture(a[1][1], vec2(0)) + texture(b[1], vec2(0)) + texture(d[i], vec2(0)); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let idle = |name: &str| uniform(&program, name).opaque.clone().unwrap().idle;
    assert_eq!((idle("a[1][0]"), idle("b[0]"), idle("d[0]")), (vec![0], vec![0, 2], vec![]));
}

/// Blocks must report what `glGetActiveUniformsiv` says elsewhere, or programs fill them wrongly.
#[test]
fn uniform_blocks() {
    let fs = "#version 330\nuniform Plain { bool on; mat3 m; float f[2]; };\n\
        layout(std140, row_major) uniform Named { mat2x3 m; vec3 v; float w; } named[2];\n\
        out vec4 c; void main() { c = vec4(on ? m[0] : named[1].v, f[1] + named[0].w) * named[1].m[0][0]; }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let blocks = &program.archive.uniform_blocks;
    let names: Vec<(&str, u32, u32, u32)> =
        blocks.iter().map(|b| (b.name.as_str(), b.slot, b.binding, b.data_size)).collect();
    assert_eq!(names, [("Plain", 1, 1, 96), ("Named[0]", 2, 2, 64), ("Named[1]", 3, 2, 64)]);
    let on = uniform(&program, "on");
    assert_eq!((on.gl_type, on.block, on.offset), (0x8B56, 0, 0));
    let f = uniform(&program, "f[0]");
    assert_eq!((f.offset, f.array_stride, f.array_size), (64, 16, 2));
    let m = uniform(&program, "Named.m");
    assert_eq!((m.row_major, m.matrix_stride, m.block, m.offset), (true, 16, 1, 0));
    assert_eq!((uniform(&program, "Named.v").offset, uniform(&program, "Named.w").offset), (48, 60));
}

/// Storage blocks and their run-time sized arrays, in compute.
#[test]
fn storage_blocks_and_compute() {
    let cs = "#version 430\nlayout(local_size_x = 8, local_size_y = 2) in;\n\
        struct P { vec4 a; float b; };\n\
        layout(std430, binding = 3) buffer Data { uint count; P items[]; } data;\n\
        layout(rgba8, binding = 1) uniform writeonly image2D img; uniform float k; shared float s[4];\n\
        void main() { s[0] = k; data.items[gl_GlobalInvocationID.x].b = s[0]; atomicAdd(data.count, 1u);\n\
        imageStore(img, ivec2(0), vec4(1)); }";
    let program = linked(&[(Stage::Compute, cs)]);
    let block = &program.archive.storage_blocks[0];
    assert_eq!((block.name.as_str(), block.initial_binding, block.data_size), ("Data", 3, 48));
    let names: Vec<(&str, u32, u32, u32)> = program
        .archive
        .buffer_variables
        .iter()
        .map(|v| (v.name.as_str(), v.offset, v.top_level_array_size, v.top_level_array_stride))
        .collect();
    assert_eq!(names, [("Data.count", 0, 1, 0), ("Data.items[0].a", 16, 0, 32), ("Data.items[0].b", 32, 0, 32)]);
    let compute = program.archive.compute.as_ref().unwrap();
    assert_eq!((compute.local_size, compute.shared_size), ([8, 2, 1], 16));
    let image = uniform(&program, "img").opaque.clone().unwrap();
    assert_eq!((image.format, image.initial_unit, image.set as u32), (0x8058, 1, 3));
    assert!(program.archive.flags.writes_memory);
}

/// A buffer of the size that the program asks for must hold the block as a structure: ended by its padding.
#[test]
fn storage_blocks_end_with_their_padding() {
    let cs = "#version 430\nlayout(local_size_x = 1) in;\nlayout(std430) buffer A { vec4 a; vec2 b; };\n\
        layout(std430) buffer B { float c[]; };\nvoid main() { b = a.xy; c[1] = a.x; }";
    let program = linked(&[(Stage::Compute, cs)]);
    let mut sizes: Vec<(&str, u32)> =
        program.archive.storage_blocks.iter().map(|b| (b.name.as_str(), b.data_size)).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [("A", 32), ("B", 4)]);
}

/// Vulkan has no atomic counters; a program that counts with them must still count.
#[test]
fn atomic_counters_are_buffers() {
    let fs = "#version 420\nlayout(binding = 2, offset = 4) uniform atomic_uint a[2];\n\
        layout(binding = 2, offset = 16) uniform atomic_uint b; out vec4 c; uniform int i;\n\
        uint next(atomic_uint x) { return atomicCounterIncrement(x); }\n\
        void main() { c = vec4(next(a[1]) + atomicCounterDecrement(b) + atomicCounter(a[i])); memoryBarrier(); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let buffer = &program.archive.atomic_buffers[0];
    assert_eq!((buffer.binding, buffer.slot, buffer.data_size), (2, 0, 20));
    let a = uniform(&program, "a[0]");
    assert_eq!((a.gl_type, a.offset, a.array_size, a.atomic_buffer), (0x92DB, 4, 2, 0));
    let words = text(&program, FS);
    assert!(words.contains("OpAtomicIIncrement") && !words.contains("AtomicCounter "), "{words}");
}

/// Rectangle and buffer textures have no Vulkan form of their own.
#[test]
fn rectangle_and_buffer_textures() {
    let fs = "#version 330\nuniform sampler2DRect r; uniform sampler2DRectShadow rs; uniform isamplerBuffer b;\n\
        in vec3 uv; out vec4 c;\n\
        vec4 f(sampler2DRect s) { return textureProj(s, uv) + texelFetch(s, ivec2(1)) + vec4(textureSize(s), 0, 0); }\n\
        void main() { c = texture(r, uv.xy) + f(r) + texture(rs, uv) + vec4(texelFetch(b, textureSize(b) - 1))\n\
        + textureGrad(r, uv.xy, vec2(1), vec2(2)); }";
    let vs = "#version 330\nin vec4 p; out vec3 uv; void main() { gl_Position = p; uv = p.xyz; }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    let words = text(&program, FS);
    assert!(!words.contains("Rect"), "{words}");
    assert_eq!(uniform(&program, "r").gl_type, 0x8B63);
    assert_eq!(uniform(&program, "rs").gl_type, 0x8B64);
    assert_eq!(uniform(&program, "b").gl_type, 0x8DD0);
}

/// Explicit uniform locations are how newer programs skip `glGetUniformLocation`.
#[test]
fn explicit_uniform_locations() {
    let fs = "#version 430\nlayout(location = 7) uniform vec4 a[2]; uniform float b; layout(location = 0) uniform float d;\n\
        out vec4 c; void main() { c = a[1] * b * d; }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    assert_eq!(uniform(&program, "a[0]").location, 7);
    assert_eq!((uniform(&program, "d").location, uniform(&program, "b").location), (0, 1));
    assert_eq!(program.archive.location_count, 9);
    let vs = "#version 430\nlayout(location = 1) uniform vec4 a[2]; in vec4 p; void main() { gl_Position = a[1] * p; }";
    let fs = "#version 430\nlayout(location = 2) uniform float b; out vec4 c; void main() { c = vec4(b); }";
    assert!(refused(&[(VS, vs), (FS, fs)]).contains("overlap"));
}

/// Stages that disagree about a uniform must be told apart at link, not on the screen.
#[test]
fn uniform_mismatches_are_link_errors() {
    let vs = "#version 330\nuniform vec4 k; in vec4 p; void main() { gl_Position = p * k; }";
    let fs = "#version 330\nuniform vec3 k; out vec4 c; void main() { c = vec4(k, 1); }";
    assert!(refused(&[(VS, vs), (FS, fs)]).contains("uniform `k`"));
    let vs = "#version 330\nuniform B { vec4 k; }; in vec4 p; void main() { gl_Position = p * k; }";
    let fs = "#version 330\nuniform B { vec4 k; vec4 j; }; out vec4 c; void main() { c = k + j; }";
    assert!(refused(&[(VS, vs), (FS, fs)]).contains("uniform block `B`"));
}

/// `gl_DepthRange` is a uniform that the program never sets itself.
#[test]
fn built_in_uniforms() {
    let fs = "#version 330\nout vec4 c; void main() { c = vec4(gl_DepthRange.near, gl_DepthRange.diff, 0, 1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    assert_eq!(uniform(&program, "gl_DepthRange.near").location, -1);
    let offsets: Vec<(&str, u32)> =
        program.archive.builtin_uniforms.iter().map(|b| (b.name.as_str(), b.offset)).collect();
    assert_eq!(offsets, [("gl_DepthRange.near", 0), ("gl_DepthRange.diff", 8)]);
}

/// A program without uniforms has no default block, so nobody has to bind one.
#[test]
fn no_uniforms_no_block() {
    let program = linked(&[(VS, PLAIN_VS), (FS, PLAIN_FS)]);
    assert_eq!((program.archive.default_block_size, program.archive.uniforms.len()), (0, 0));
    assert!(!text(&program, VS).contains("DescriptorSet"));
}

/// A program that keeps its subroutines in an array of arrays finds each innermost array by its name.
#[test]
fn subroutines_in_arrays_of_arrays() {
    let fs = "#version 430\nsubroutine float pick(); subroutine uniform pick grid[2][3]; subroutine uniform pick one; out vec4 c;\n\
        subroutine(pick) float half_() { return 0.5; } subroutine(pick) float full() { return 1.0; }\n\
        void main() { c = vec4(grid[0][1](), grid[1][2](), one(), 1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let uniforms = &program.archive.subroutines[FS.index()].uniforms;
    let found: Vec<_> = uniforms.iter().map(|u| (u.name.as_str(), u.location, u.array_size)).collect();
    assert_eq!(found, [("grid[0][0]", 0, 3), ("grid[1][0]", 3, 3), ("one", 6, 1)]);
    assert_eq!(uniforms[1].offset - uniforms[0].offset, 48);
}
