//! What shaders can do by extensions that no version of GL took over.

use crate::gl::program::COVER;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list, need};

pub(super) const LIST: &[Scenario] = list!["shader":
    viewports_without_a_geometry_stage,
    groups_read_each_other,
    clocks_advance,
    coverage_after_the_depth_test,
];

/// If this fails, views of a split screen that are drawn at once without a geometry stage all land in the first one.
fn viewports_without_a_geometry_stage(gl: &Gl) {
    need(gl.has("GL_AMD_vertex_shader_viewport_index"), "GL_AMD_vertex_shader_viewport_index");
    let vertex = "#version 330 core
        #extension GL_AMD_vertex_shader_viewport_index : require
        void main() {
            gl_ViewportIndex = gl_InstanceID;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }";
    let evaluation = "#version 330 core
        #extension GL_ARB_tessellation_shader : require
        #extension GL_ARB_shader_viewport_layer_array : require
        layout(triangles) in;
        void main() {
            gl_ViewportIndex = 3;
            vec4 left = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y;
            gl_Position = left + gl_in[2].gl_Position * gl_TessCoord.z;
        }";
    let fragment = "#version 330 core
        #extension GL_ARB_fragment_layer_viewport : require
        out vec4 color;
        void main() { color = vec4(float(gl_ViewportIndex) / 3.0, 1.0, 0.0, 1.0); }";
    gl.vertex_array();
    gl.viewports(0, &[[0.0, 0.0, 32.0, 32.0], [32.0, 0.0, 32.0, 32.0], [0.0, 32.0, 32.0, 32.0], [32.0; 4]]);
    gl.program(vertex, fragment);
    gl.draw_arrays_instanced(t::TRIANGLES, 0, 3, 2);
    let list = [(t::VERTEX_SHADER, COVER), (t::TESS_EVALUATION_SHADER, evaluation), (t::FRAGMENT_SHADER, fragment)];
    gl.program_with(&list, |_| {});
    gl.patch_parameteri(t::PATCH_VERTICES, 3);
    gl.draw_arrays(t::PATCHES, 0, 3);
    gl.expect_area((0, 0, 32, 32), [0, 255, 0, 255], "viewport 0");
    gl.expect_area((32, 0, 32, 32), [85, 255, 0, 255], "viewport 1");
    gl.expect_area((0, 32, 32, 32), [0; 4], "viewport 2, of nobody");
    gl.expect_area((32, 32, 32, 32), [255, 255, 0, 255], "viewport 3, of the tessellated patch");
}

/// What holds in groups of any size. `number` differs between invocations; each failed condition adds a bit to `wrong`.
const GROUP: &str = "
    uint64_t everyone = ballotARB(true);
    uvec2 halves = unpackUint2x32(everyone);
    uint here = uint(bitCount(halves.x) + bitCount(halves.y));
    uint first = uint(halves.x != 0u ? findLSB(halves.x) : 32 + findLSB(halves.y));
    uint id = gl_SubGroupInvocationARB;
    if (id >= gl_SubGroupSizeARB || here > gl_SubGroupSizeARB || gl_SubGroupSizeARB > 64u) wrong |= 1;
    if ((everyone & gl_SubGroupEqMaskARB) == 0ul || gl_SubGroupEqMaskARB != (1ul << id)) wrong |= 2;
    if (ballotARB(false) != 0ul || (gl_SubGroupLtMaskARB & gl_SubGroupGeMaskARB) != 0ul) wrong |= 4;
    if (readFirstInvocationARB(id) != first || readInvocationARB(id + 7u, first) != first + 7u) wrong |= 8;
    if (readFirstInvocationARB(vec2(id, 1.0)) != vec2(first, 1.0)) wrong |= 16;
    if (!anyInvocationARB(id == first) || allInvocationsARB(id == first) != (here == 1u)) wrong |= 32;
    if (allInvocationsEqualARB(id == first) != (here == 1u)) wrong |= 64;
    if ((ballotARB(number % 2u == 0u) & gl_SubGroupEqMaskARB) != (number % 2u == 0u ? gl_SubGroupEqMaskARB : 0ul)) wrong |= 128;";

/// If this fails, shaders that share work among the invocations of a group sum up or sort wrongly.
fn groups_read_each_other(gl: &Gl) {
    need(gl.has("GL_ARB_shader_ballot"), "GL_ARB_shader_ballot");
    let head = "#version 430 core
        #extension GL_ARB_shader_ballot : require
        #extension GL_ARB_shader_group_vote : require
        #extension GL_ARB_gpu_shader_int64 : require";
    let fragment = format!(
        "{head}
        flat in int before;
        out vec4 color;
        void main() {{
            int wrong = before;
            uint number = uint(gl_FragCoord.x);
            {GROUP}
            color = vec4(float(wrong) / 255.0, 1.0, gl_SubGroupSizeARB > 1u, 1.0);
        }}"
    );
    let vertex = format!(
        "{head}
        flat out int before;
        void main() {{
            int wrong = 0;
            uint number = uint(gl_VertexID);
            {GROUP}
            before = wrong;
            gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
        }}"
    );
    gl.program(&vertex, &fragment);
    gl.cover();
    let pixels = gl.pixels(0, 0, 64, 64);
    assert!(pixels.iter().all(|p| p[0] == 0 && p[1] == 255), "conditions that did not hold: {:?}", pixels[0]);
    let compute = format!(
        "{head}
        layout(local_size_x = 32) in;
        layout(std430, binding = 0) buffer Result {{ uint failed; uint invocations; }};
        void main() {{
            int wrong = 0;
            uint number = gl_LocalInvocationID.x;
            {GROUP}
            atomicOr(failed, uint(wrong));
            // One invocation of each group counts for all of it.
            if (id == first) atomicAdd(invocations, here);
        }}"
    );
    gl.program_with(&[(t::COMPUTE_SHADER, &compute)], |_| {});
    let buffer = gl.buffer(t::SHADER_STORAGE_BUFFER, &[0u32; 2]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    gl.dispatch_compute(3, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    assert_eq!(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 2), [0, 96]);
}

/// If this fails, shaders that measure themselves see time stand still or run backwards.
fn clocks_advance(gl: &Gl) {
    need(gl.has("GL_ARB_shader_clock"), "GL_ARB_shader_clock");
    let wide = gl.has("GL_ARB_gpu_shader_int64");
    let extension = if wide { "#extension GL_ARB_gpu_shader_int64 : require" } else { "" };
    let also = if wide { "if (clockARB() < packUint2x32(start)) wrong |= 2u;" } else { "" };
    let compute = format!(
        "#version 430 core
        #extension GL_ARB_shader_clock : require
        {extension}
        layout(local_size_x = 1) in;
        layout(std430, binding = 0) buffer Result {{ uint wrong; uint sum; uint low; uint high; }};
        void main() {{
            uvec2 start = clock2x32ARB();
            for (uint i = 0u; i < 1000u; i++) atomicAdd(sum, i);
            uvec2 end = clock2x32ARB();
            if (end.y < start.y || (end.y == start.y && end.x <= start.x)) wrong |= 1u;
            {also}
            low = start.x;
            high = start.y;
        }}"
    );
    gl.program_with(&[(t::COMPUTE_SHADER, &compute)], |_| {});
    let buffer = gl.buffer(t::SHADER_STORAGE_BUFFER, &[0u32; 4]);
    gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
    gl.dispatch_compute(1, 1, 1);
    gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
    let [wrong, sum, low, high] = gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 4)[..] else { panic!("four words") };
    assert_eq!((wrong, sum), (0, 499_500));
    assert!((low, high) != (0, 0), "the clock has started");
}

/// If this fails, programs that blend or resolve by themselves count samples that the depth test had thrown away.
fn coverage_after_the_depth_test(gl: &Gl) {
    need(gl.has("GL_ARB_post_depth_coverage"), "GL_ARB_post_depth_coverage");
    gl.bind_framebuffer(t::FRAMEBUFFER, gl.new_framebuffer());
    gl.attach_renderbuffer(t::COLOR_ATTACHMENT0, t::RGBA8, 4, (64, 64));
    gl.attach_renderbuffer(t::DEPTH_ATTACHMENT, t::DEPTH_COMPONENT24, 4, (64, 64));
    gl.enable(t::DEPTH_TEST);
    gl.clear_depth(1.0);
    gl.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT);
    // A slanted edge: pixels along it keep some of their samples.
    gl.plain_program(crate::gl::program::PLACE, [1.0; 4]);
    gl.places(&[[-1.0f32, -1.0, -0.5], [1.0, -1.0, -0.5], [-1.0, 0.9, -0.5]]);
    gl.draw_arrays(t::TRIANGLES, 0, 3);
    let shader = |layout: &str| {
        format!(
            "#version 430 core
            #extension GL_ARB_post_depth_coverage : require
            layout({layout}) in;
            layout(std430, binding = 0) buffer Result {{ uint samples; }};
            out vec4 color;
            void main() {{
                atomicAdd(samples, uint(bitCount(gl_SampleMaskIn[0])));
                color = vec4(1.0);
            }}"
        )
    };
    gl.depth_mask(0);
    let mut counts = [0; 2];
    for (layout, count) in ["post_depth_coverage", "early_fragment_tests"].into_iter().zip(&mut counts) {
        gl.program(COVER, &shader(layout));
        let buffer = gl.buffer(t::SHADER_STORAGE_BUFFER, &[0u32]);
        gl.bind_buffer_base(t::SHADER_STORAGE_BUFFER, 0, buffer);
        let passed = gl.counted(t::SAMPLES_PASSED, || gl.cover());
        gl.memory_barrier(t::BUFFER_UPDATE_BARRIER_BIT);
        *count = u64::from(gl.contents::<u32>(t::SHADER_STORAGE_BUFFER, 0, 1)[0]);
        if layout == "post_depth_coverage" {
            assert_eq!(*count, passed, "samples that the shader saw, and that passed");
        }
    }
    assert!(counts[0] < counts[1], "{counts:?}: without the layout the edge's pixels are whole");
}
