//! Attributes, varyings, outputs, transform feedback and built-ins: locations, reflection, link errors.
//! Must not look at uniforms.

mod common;

use common::{FS, GS, PLAIN_FS, PLAIN_VS, VS, decorations, linked, linked_with, refused, text, try_link};
use mgl_glsl::{FragDataBinding, LinkRequest, Stage, XfbMode};

fn locations(program: &mgl_glsl::Linked, stage: Stage, name: &str) -> Vec<String> {
    decorations(program, stage, name).into_iter().filter(|d| d.contains("Location")).collect()
}

/// A varying whose two ends lie at different locations arrives as garbage.
#[test]
fn varyings_meet() {
    let vs = "#version 330\nstruct S { float a; vec2 b[2]; }; in vec4 p; out vec4 plain; out vec3 arr[2]; out S s;\n\
        flat out int unused; out Block { vec4 x; flat ivec2 y; } o; out mat3 m;\n\
        void main() { gl_Position = p; plain = p; arr[0] = arr[1] = p.xyz; s.a = 1.0; s.b[0] = s.b[1] = p.xy; unused = 2;\n\
        o.x = p; o.y = ivec2(1); m = mat3(1); }";
    let fs = "#version 330\nstruct S { float a; vec2 b[2]; }; in mat3 m; in Block { vec4 x; flat ivec2 y; } i; in S s;\n\
        in vec3 arr[2]; in vec4 plain; out vec4 c;\n\
        void main() { c = plain + vec4(arr[1], s.a) + i.x + vec4(i.y, s.b[1]) + vec4(m[2], 0); }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    for name in ["plain", "arr", "s", "Block", "m"] {
        let (out, input) = (locations(&program, VS, name), locations(&program, FS, name));
        assert_eq!(out, input, "{name}");
        assert!(!out.is_empty(), "{name}");
    }
    assert!(text(&program, VS).lines().any(|l| l.contains("OpVariable") && l.contains("Private")), "unused is Private");
}

/// Programs name locations themselves; automatic ones must keep clear of them.
#[test]
fn explicit_varying_locations() {
    let vs = "#version 410\nin vec4 p; layout(location = 0) out vec4 a; out vec4 b; layout(location = 2) out vec4 d;\n\
        void main() { gl_Position = p; a = b = d = p; }";
    let fs = "#version 410\nin vec4 b; layout(location = 2) in vec4 renamed; layout(location = 0) in vec4 a; out vec4 c;\n\
        void main() { c = a + b + renamed; }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    assert_eq!(locations(&program, FS, "b"), ["Location 1"]);
    assert_eq!(locations(&program, VS, "b"), ["Location 1"]);
    assert_eq!(locations(&program, FS, "renamed"), ["Location 2"]);
}

/// `layout`, then `glBindAttribLocation`, then the free ones: programs set up vertex arrays from this.
#[test]
fn attribute_locations() {
    let vs = "#version 330\nin vec4 auto; layout(location = 1) in vec3 fixed_; in mat3 m; in vec2 bound; in float dead;\n\
        void main() { gl_Position = auto + vec4(fixed_, bound.x) + vec4(m[2], gl_VertexID + gl_InstanceID); }";
    let request = LinkRequest {
        attrib_bindings: vec![("bound".into(), 0), ("fixed_".into(), 9), ("dead".into(), 3)],
        ..LinkRequest::default()
    };
    let program = linked_with(&[(VS, vs), (FS, PLAIN_FS)], &request);
    let place = |name: &str| program.archive.inputs.iter().find(|a| a.name == name).map(|a| (a.location, a.gl_type));
    assert_eq!(place("bound"), Some((0, 0x8B50)));
    assert_eq!(place("fixed_"), Some((1, 0x8B51)));
    assert_eq!(place("m"), Some((2, 0x8B5B)));
    assert_eq!(place("auto"), Some((5, 0x8B52)));
    assert_eq!(place("gl_VertexID"), Some((-1, 0x1404)));
    assert_eq!(place("dead"), None);
}

/// More attributes than there are is an error that the program can read.
#[test]
fn attribute_limits() {
    let vs = "#version 330\nin mat4 a[4]; in vec4 b; void main() { gl_Position = a[3][3] + b; }";
    assert!(refused(&[(VS, vs), (FS, PLAIN_FS)]).contains("too many vertex attributes"));
}

/// Instance ids count from zero in GL also with a base instance.
#[test]
fn vertex_and_instance_ids() {
    let vs = "#version 330\nin vec4 p; void main() { gl_Position = p * float(gl_VertexID) * float(gl_InstanceID); }";
    let program = linked(&[(VS, vs), (FS, PLAIN_FS)]);
    let words = text(&program, VS);
    for wanted in ["BuiltIn VertexIndex", "BuiltIn InstanceIndex", "BuiltIn BaseInstance", "OpISub"] {
        assert!(words.contains(wanted), "{wanted}");
    }
    assert!(program.archive.flags.instance_id);
}

/// Colours must reach the draw buffer that the program named.
#[test]
fn fragment_outputs() {
    let fs = "#version 330\nout vec4 a; out vec4 b[2]; layout(location = 4) out vec4 d; out vec4 e;\n\
        void main() { a = b[0] = b[1] = d = e = vec4(1); gl_FragDepth = 0.5; }";
    let bind = |name: &str, location, index| FragDataBinding { name: name.into(), location, index };
    let request = LinkRequest { frag_data: vec![bind("a", 2, 0), bind("d", 7, 0)], ..LinkRequest::default() };
    let program = linked_with(&[(VS, PLAIN_VS), (FS, fs)], &request);
    let place = |name: &str| program.archive.fragment_outputs.iter().find(|o| o.name == name).map(|o| o.location);
    assert_eq!((place("a"), place("d"), place("b[0]"), place("e")), (Some(2), Some(4), Some(0), Some(3)));
    assert_eq!(place("gl_FragDepth"), Some(-1));
    assert!(program.archive.flags.writes_depth);
    let dual = "#version 330\nlayout(location = 0, index = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b;\n\
        void main() { a = b = vec4(1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, dual)]);
    assert!(program.archive.flags.dual_source);
    assert!(decorations(&program, FS, "b").contains(&"Index 1".to_owned()));
    let old = "#version 130\nvoid main() { gl_FragColor = vec4(1); }";
    assert!(linked(&[(VS, PLAIN_VS), (FS, old)]).archive.flags.broadcast_color);
}

/// Geometry shaders see arrays of what the vertex shader writes, built-ins included.
#[test]
fn geometry_stage() {
    let vs = "#version 330\nin vec4 p; out vec4 colour; out B { vec2 uv[2]; } b;\n\
        void main() { gl_Position = p; gl_PointSize = 2.0; colour = p; b.uv[0] = b.uv[1] = p.xy; }";
    let gs = "#version 330\nlayout(triangles) in; layout(triangle_strip, max_vertices = 3) out;\n\
        in vec4 colour[]; in B { vec2 uv[2]; } b[]; out vec4 col; out vec2 uv;\n\
        void main() { for (int i = 0; i < 3; ++i) { gl_Position = gl_in[i].gl_Position; col = colour[i];\n\
        uv = b[i].uv[1]; gl_Layer = 1; EmitVertex(); } EndPrimitive(); }";
    let fs = "#version 330\nin vec4 col; in vec2 uv; out vec4 c; void main() { c = col + uv.xyxy; }";
    let program = linked(&[(VS, vs), (GS, gs), (FS, fs)]);
    let facts = program.archive.geometry.as_ref().unwrap();
    assert_eq!((facts.input_primitive, facts.output_primitive, facts.max_vertices), (4, 5, 3));
    assert!(program.archive.flags.writes_layer && !program.archive.flags.writes_point_size);
    assert_eq!(locations(&program, VS, "colour"), locations(&program, GS, "colour"));
    let members = |stage| {
        let builtins = decorations(&program, stage, "gl_PerVertex");
        builtins.into_iter().filter(|d| d.contains("BuiltIn")).collect::<Vec<_>>()
    };
    assert_eq!(members(VS), ["0 BuiltIn Position", "1 BuiltIn PointSize"]);
}

/// Tessellation stages with patch and per-vertex varyings.
#[test]
fn tessellation_stages() {
    let vs = "#version 410\nin vec4 p; out vec4 a; void main() { gl_Position = p; a = p; }";
    let tcs = "#version 410\nlayout(vertices = 3) out; in vec4 a[]; out vec4 b[]; patch out vec2 q;\n\
        void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n\
        b[gl_InvocationID] = a[gl_InvocationID]; q = vec2(1); gl_TessLevelOuter[0] = 2.0; gl_TessLevelInner[0] = 2.0; }";
    let tes = "#version 410\nlayout(triangles, fractional_odd_spacing, cw) in; in vec4 b[]; patch in vec2 q; out vec4 d;\n\
        void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x; d = b[1] + q.xyxy; }";
    let fs = "#version 410\nin vec4 d; out vec4 c; void main() { c = d; }";
    let program = linked(&[(VS, vs), (Stage::TessControl, tcs), (Stage::TessEval, tes), (FS, fs)]);
    assert_eq!(program.archive.tess_control.as_ref().unwrap().output_vertices, 3);
    let facts = program.archive.tess_eval.as_ref().unwrap();
    assert_eq!((facts.primitive, facts.spacing, facts.vertex_order, facts.point_mode), (4, 0x8E7B, 0x0900, false));
    assert_eq!(locations(&program, Stage::TessControl, "q"), locations(&program, Stage::TessEval, "q"));
}

const CAPTURE_VS: &str = "#version 330\nstruct S { vec2 a; float b; }; in vec4 p; out vec3 n; out float w[3]; out S s;\n\
    out Blk { vec2 uv; vec4 t[2]; } blk; out mat2 m;\n\
    void main() { gl_Position = p; gl_ClipDistance[0] = gl_ClipDistance[1] = p.x; n = p.xyz; w[0] = w[1] = w[2] = p.w;\n\
    s.a = p.xy; s.b = p.z; blk.uv = p.xy; blk.t[0] = blk.t[1] = p; m = mat2(1); if (p.x > 0.0) return; n = vec3(0); }";

/// Captured bytes land where GL says: particle systems read them back as vertices.
#[test]
fn transform_feedback_interleaved() {
    let names = [
        "gl_Position",
        "n",
        "gl_SkipComponents2",
        "w[1]",
        "gl_NextBuffer",
        "Blk.uv",
        "Blk.t[1]",
        "s.b",
        "m",
        "gl_ClipDistance",
    ];
    let request =
        LinkRequest { xfb_varyings: names.iter().map(|n| (*n).to_owned()).collect(), ..LinkRequest::default() };
    let program = linked_with(&[(VS, CAPTURE_VS)], &request);
    let xfb = program.archive.xfb.as_ref().unwrap();
    let places: Vec<(u32, i32, u32)> = xfb.varyings.iter().map(|v| (v.buffer, v.offset, v.array_size)).collect();
    assert_eq!(
        places,
        [
            (0, 0, 1),
            (0, 16, 1),
            (0, 28, 2),
            (0, 36, 1),
            (0, -1, 0),
            (1, 0, 1),
            (1, 8, 1),
            (1, 24, 1),
            (1, 28, 1),
            (1, 44, 2)
        ]
    );
    assert_eq!(xfb.strides, [40, 52, 0, 0]);
    let words = text(&program, VS);
    assert!(words.contains("OpExecutionMode") && words.contains("Xfb"));
    assert!(decorations(&program, VS, "n").contains(&"Offset 16".to_owned()));
    assert!(decorations(&program, VS, "Blk").contains(&"0 XfbBuffer 1".to_owned()));
    assert!(decorations(&program, VS, "gl_PerVertex").contains(&"0 XfbStride 40".to_owned()));
}

/// All elements of the largest varying array can be captured one by one while the fragment stage reads the array.
#[test]
fn captured_elements_take_no_locations_of_their_own() {
    let vs = "#version 330\nin vec4 p; out vec4 v[32]; void main() { gl_Position = p; for (int i = 0; i < 32; ++i) v[i] = p * float(i); }";
    let fs = "#version 330\nin vec4 v[32]; uniform int i; out vec4 c; void main() { c = v[i]; }";
    let names = (0..32).map(|i| format!("v[{i}]")).collect();
    let program = linked_with(&[(VS, vs), (FS, fs)], &LinkRequest { xfb_varyings: names, ..LinkRequest::default() });
    assert_eq!(program.archive.xfb.as_ref().unwrap().strides[0], 512);
    assert_eq!(locations(&program, FS, "v"), ["Location 0"]);
    assert_eq!(text(&program, VS).matches("XfbBuffer").count(), 32);
}

/// Separate mode: one buffer each.
#[test]
fn transform_feedback_separate() {
    let request = LinkRequest {
        xfb_varyings: vec!["n".into(), "w".into()],
        xfb_mode: XfbMode::Separate,
        ..LinkRequest::default()
    };
    let program = linked_with(&[(VS, CAPTURE_VS), (FS, PLAIN_FS)], &request);
    let xfb = program.archive.xfb.as_ref().unwrap();
    assert_eq!((xfb.strides, xfb.varyings[1].array_size), ([12, 12, 0, 0], 3));
    let fail = |names: &[&str]| {
        let request = LinkRequest {
            xfb_varyings: names.iter().map(|n| (*n).to_owned()).collect(),
            xfb_mode: XfbMode::Separate,
            ..LinkRequest::default()
        };
        try_link(&[(VS, CAPTURE_VS)], &request).unwrap_err().log
    };
    assert!(fail(&["nothing"]).contains("is not an output"));
    assert!(fail(&["n", "n"]).contains("more than once"));
    assert!(fail(&["w[3]"]).contains("is not an output"));
    assert!(fail(&["blk.uv"]).contains("is not an output"), "blocks are named by block name");
}

/// GLSL 4.40 declares captures in the shader.
#[test]
fn transform_feedback_by_layout() {
    let vs = "#version 440\nlayout(xfb_buffer = 1, xfb_stride = 32) out; in vec4 p;\n\
        layout(xfb_buffer = 1, xfb_offset = 16) out vec4 a; layout(xfb_buffer = 0, xfb_offset = 0) out gl_PerVertex { vec4 gl_Position; };\n\
        void main() { gl_Position = p; a = p; }";
    let program = linked(&[(VS, vs), (FS, PLAIN_FS)]);
    let xfb = program.archive.xfb.as_ref().unwrap();
    let a = xfb.varyings.iter().find(|v| v.name == "a").unwrap();
    assert_eq!((a.buffer, a.offset, xfb.strides[1]), (1, 16, 32));
    assert!(xfb.varyings.iter().any(|v| v.name == "gl_Position"));
}

/// A program that finds its captures by query must see an array of arrays element by element, and where each begins.
#[test]
fn transform_feedback_by_layout_lists_elements() {
    let vs = "#version 450\nin vec4 p; layout(xfb_buffer = 0, xfb_offset = 4) out float a[2][3];\n\
        struct S { float x; double y; }; layout(xfb_buffer = 0, xfb_offset = 32) flat out S s;\n\
        void main() { gl_Position = p; a[0][0] = a[1][2] = p.x; s.x = p.x; s.y = p.y; }";
    let program = linked(&[(VS, vs), (FS, PLAIN_FS)]);
    let varyings = &program.archive.xfb.as_ref().unwrap().varyings;
    let all: Vec<(&str, u32, i32)> = varyings.iter().map(|v| (v.name.as_str(), v.array_size, v.offset)).collect();
    assert_eq!(all, [("a[0]", 3, 4), ("a[1]", 3, 16), ("s.x", 1, 32), ("s.y", 1, 40)]);
}

/// Captures of a geometry shader happen per emitted vertex.
#[test]
fn transform_feedback_from_geometry() {
    let gs = "#version 330\nlayout(points) in; layout(points, max_vertices = 2) out; out vec2 v[2];\n\
        void main() { v[0] = vec2(1); v[1] = vec2(2); gl_Position = gl_in[0].gl_Position; EmitVertex(); EmitVertex(); }";
    let request = LinkRequest { xfb_varyings: vec!["v[1]".into(), "gl_Position".into()], ..LinkRequest::default() };
    let program = linked_with(&[(VS, PLAIN_VS), (GS, gs)], &request);
    let words = text(&program, GS);
    let emits: Vec<&str> = words.lines().filter(|l| l.contains("OpEmitVertex") || l.contains("OpStore")).collect();
    assert_eq!(emits.iter().filter(|l| l.contains("OpEmitVertex")).count(), 2);
}

/// The picture must not be upside down for shaders that ask for the upper-left origin.
#[test]
fn fragment_coordinate_conventions() {
    let fs = "#version 150\nlayout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord; out vec4 c;\n\
        void main() { c = vec4(gl_FragCoord.xy, gl_FragCoord.z, 1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let builtins = &program.archive.builtin_uniforms;
    assert!(builtins.iter().any(|b| b.name == mgl_glsl::FRAMEBUFFER_HEIGHT_UNIFORM));
    assert!(program.archive.uniforms.is_empty(), "programs do not see it");
    let words = text(&program, FS);
    assert!(words.contains("OriginUpperLeft") && !words.contains("PixelCenterInteger"));
}

/// What a program gets wrong between stages must be in the info log, with names.
#[test]
fn interface_errors() {
    let vs = "#version 330\nin vec4 p; out vec4 a; out vec2 b; void main() { gl_Position = p; a = p; b = p.xy; }";
    let missing = "#version 330\nin vec4 other; out vec4 c; void main() { c = other; }";
    assert!(refused(&[(VS, vs), (FS, missing)]).contains("`other`"));
    let differs = "#version 330\nin vec3 a; out vec4 c; void main() { c = vec4(a, 1); }";
    assert!(refused(&[(VS, vs), (FS, differs)]).contains("`vec4` in the vertex stage and `vec3`"));
    let flat = "#version 330\nflat in vec2 b; out vec4 c; void main() { c = b.xyxy; }";
    assert!(refused(&[(VS, vs), (FS, flat)]).contains("interpolation"));
    let unused = "#version 330\nin vec4 other; out vec4 c; void main() { c = vec4(1); }";
    linked(&[(VS, vs), (FS, unused)]);
}

/// The stages of a pipeline of separable programs meet for the first time at a draw; nothing is an error then.
#[test]
fn composites_tolerate_gaps() {
    let vs = "#version 410\nin vec4 p; out vec4 a; void main() { gl_Position = p; a = p; }";
    let fs = "#version 410\nin vec4 other; out vec4 c; void main() { c = other; }";
    let request = LinkRequest { separable: true, composite: true, ..LinkRequest::default() };
    linked_with(&[(VS, vs), (FS, fs)], &request);
    let alone = LinkRequest { separable: true, ..LinkRequest::default() };
    let program = linked_with(&[(FS, fs)], &alone);
    assert_eq!(program.archive.inputs[0].name, "other");
    linked_with(&[(VS, vs)], &alone);
}

/// Programs of a pipeline whose names differ meet in the order of their declarations, as drivers number them: a shader of
/// another program would read nothing.
#[test]
fn composites_match_by_rank() {
    let vs = "#version 150\nin vec4 p; out vec4 a; out vec4 b; out vec2 c;\n\
        void main() { gl_Position = p; b = p; a = p.yxzw; c = p.xy; }";
    let fs = "#version 150\nin vec4 x; in vec4 y; in vec4 z; out vec4 o; void main() { o = y + z; }";
    let request = LinkRequest { separable: true, composite: true, ..LinkRequest::default() };
    let program = linked_with(&[(VS, vs), (FS, fs)], &request);
    assert_eq!(decorations(&program, VS, "b"), decorations(&program, FS, "y"));
    assert_eq!(decorations(&program, VS, "a"), [""; 0], "`x` is not used");
    assert_eq!(decorations(&program, FS, "z"), [""; 0], "`c` has another type");
}

/// A block on one side and variables on the other meet by location, else the picture of a pipeline is black.
#[test]
fn composites_match_members_by_location() {
    let block = "#version 440\nin vec4 p; layout(location = 0) out B { layout(location = 2) vec4 c; layout(location = 0) vec4 a; } b;\n\
        void main() { gl_Position = p; b.a = p; b.c = p.yxzw; }";
    let loose = "#version 440\nlayout(location = 0) in vec4 x; layout(location = 2) in vec4 y; out vec4 o;\n\
        void main() { o = x + y; }";
    let request = LinkRequest { separable: true, composite: true, ..LinkRequest::default() };
    let program = linked_with(&[(VS, block), (FS, loose)], &request);
    assert_eq!(decorations(&program, VS, "B"), ["Block", "0 Location 2", "1 Location 0"]);
    assert_eq!(decorations(&program, FS, "y"), ["Location 2"]);
    let vs = "#version 440\nin vec4 p; layout(location = 0) out vec4 x; layout(location = 2) out vec4 y;\n\
        void main() { gl_Position = p; x = p; y = p.yxzw; }";
    let fs = "#version 440\nlayout(location = 0) in B { layout(location = 2) vec4 c; layout(location = 0) vec4 a; } b;\n\
        out vec4 o; void main() { o = b.a + b.c; }";
    let program = linked_with(&[(VS, vs), (FS, fs)], &request);
    assert_eq!(decorations(&program, VS, "y"), ["Location 2"]);
    assert_eq!(decorations(&program, FS, "B"), ["Block", "0 Location 2", "1 Location 0"]);
}

/// GL counts varyings in components: doubles and scalars that lie side by side fit where a location each would not.
#[test]
fn varyings_lie_side_by_side_when_they_must() {
    let vs = "#version 400\nin vec4 p; flat out dvec3 d[19]; flat out int n; out float f[3]; flat out dmat2 m;\n\
        void main() { gl_Position = p; for (int i = 0; i < 19; ++i) d[i] = dvec3(i); n = 1; f[2] = 1.0; m = dmat2(1); }";
    let fs = "#version 400\nflat in dvec3 d[19]; flat in int n; in float f[3]; flat in dmat2 m; out vec4 c;\n\
        void main() { c = vec4(d[n].x, f[n], n, m[1].x); }";
    let program = linked(&[(VS, vs), (FS, fs)]);
    let slots =
        |stage| text(&program, stage).lines().filter(|l| l.starts_with("OpDecorate") && l.contains("Location")).count();
    // 123 words without interpolation, 3 floats with it; the attribute and the colour have a location too.
    assert_eq!((slots(VS), slots(FS)), (31 + 1 + 1, 31 + 1 + 1));
}

/// Members of an array of blocks must be interpolated as they are declared: drivers give all of them one interpolation, and
/// whole numbers come out as fractions. Such arrays reach the rasteriser member by member.
#[test]
fn arrays_of_blocks_keep_interpolation() {
    let block = "B { flat int n; vec2 v[3]; centroid float f; } b[2]";
    let vs = format!(
        "#version 150\nin vec4 p; out {block}; out vec4 last; void main() {{ gl_Position = p; last = p;\n\
        for (int i = 0; i < 2; i++) {{ b[i].n = i; b[i].v[i] = p.xy; b[i].f = p.x; }} }}"
    );
    let fs = format!(
        "#version 150\nin {block}; in vec4 last; uniform int i; out vec4 c;\n\
        void main() {{ c = last + vec4(b[i].n, b[1 - i].v[i], b[1].f); }}"
    );
    let program = linked(&[(VS, &vs), (FS, &fs)]);
    assert_eq!(decorations(&program, FS, "B.n"), ["Flat", "Location 1"], "after `last`");
    for (name, location) in [("B.v", 3), ("B.f", 9)] {
        let of = |stage| decorations(&program, stage, name).pop();
        assert_eq!(of(VS), Some(format!("Location {location}")));
        assert_eq!(of(FS), of(VS));
    }
    assert!(decorations(&program, FS, "B.f").contains(&"Centroid".to_owned()));
    let plain =
        "#version 150\nin vec4 p; out B { vec4 v; } b[2]; void main() { gl_Position = p; b[0].v = b[1].v = p; }";
    let reader = "#version 150\nin B { vec4 v; } b[2]; out vec4 c; void main() { c = b[0].v; }";
    let program = linked(&[(VS, plain), (FS, reader)]);
    assert_eq!(decorations(&program, FS, "b"), ["Location 0"], "nothing to keep");
}

/// Captures of such an array are found where its members went.
#[test]
fn captures_of_arrays_of_blocks() {
    let vs = "#version 150\nin vec4 p; out B { flat int n; vec4 v; } b[2];\n\
        void main() { gl_Position = p; b[0].v = b[1].v = p; b[0].n = b[1].n = 3; }";
    let fs = "#version 150\nin B { flat int n; vec4 v; } b[2]; out vec4 c; void main() { c = b[0].v * b[1].n; }";
    let request = LinkRequest { xfb_varyings: vec!["B[1].n".into(), "B[0].v".into()], ..LinkRequest::default() };
    let program = linked_with(&[(VS, vs), (FS, fs)], &request);
    let offsets: Vec<i32> = program.archive.xfb.as_ref().unwrap().varyings.iter().map(|v| v.offset).collect();
    assert_eq!(offsets, [0, 4]);
}
