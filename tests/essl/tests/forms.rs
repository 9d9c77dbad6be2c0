//! Forms of GLSL that ESSL has not, one by one: the text that a driver gets instead, and that it takes it. Must not know
//! drawing.

use mgl_espryt::Options;
use mgl_espryt::device::Device;
use mgl_espryt::essl::{EsFacts, Translated, Variant, What, translate};
use mgl_essl_tests::{driver_takes, essl, linked, linked_with};
use mgl_glsl::{LinkRequest, Linked, Stage};

/// Translates a program for OpenGL ES 3.2, and lets the driver of this machine judge the texts.
fn taken(sources: &[(Stage, &str)]) -> Translated {
    let linked = linked(sources).expect("the front end takes the program");
    judged(essl(&linked, &EsFacts::full(320)).expect("a translation"))
}

fn under(linked: &Linked, variant: &Variant) -> Translated {
    let spirv = std::array::from_fn(|n| linked.spirv[n].clone().unwrap_or_default());
    judged(translate(&spirv, &linked.archive, &EsFacts::full(320), variant).expect("a translation"))
}

fn judged(done: Translated) -> Translated {
    let device = Device::new(&Options::default()).expect("an OpenGL ES driver for the tests (Debian: libegl-mesa0)");
    if let Err(log) = driver_takes(&device.gl, &done.text) {
        panic!("{log}\n{}", done.text.join("\n"));
    }
    done
}

const VERTEX: &str = "#version 400\nin vec4 p; void main() { gl_Position = p; }";
const FRAGMENT: &str = "#version 400\nin vec4 c; out vec4 o; void main() { o = c; }";

/// If this fails, patches whose control stage hands on arrays, structures or blocks of them are not drawn at all, or
/// invocations of one patch overwrite what the others say of it.
#[test]
fn control_stages_hand_on_arrays() {
    let control = "#version 400
        #extension GL_ARB_arrays_of_arrays : require
        layout(vertices = 3) out;
        struct Pair { vec2 a; mat2 b[2]; };
        out vec4 plain[][3]; out Pair pair[]; out Block { vec3 v[2]; } block[];
        patch out vec4 whole[3][2];
        uniform int n;
        void main() {
            plain[gl_InvocationID] = vec4[3](vec4(n), vec4(1), vec4(2));
            plain[gl_InvocationID][n].y = 4.0;
            pair[gl_InvocationID].a = vec2(1);
            pair[gl_InvocationID].b[n][n] = vec2(1);
            block[gl_InvocationID].v[n] = plain[(gl_InvocationID + 1) % 3][n].xyz;
            whole[gl_InvocationID][n] = vec4(n);
            gl_TessLevelOuter[0] = whole[n][1].x;
        }";
    let evaluation = "#version 400
        #extension GL_ARB_arrays_of_arrays : require
        layout(triangles) in;
        struct Pair { vec2 a; mat2 b[2]; };
        in vec4 plain[][3]; in Pair pair[]; in Block { vec3 v[2]; } block[];
        patch in vec4 whole[3][2];
        uniform int n;
        out vec4 c;
        void main() {
            c = plain[n][n] + vec4(pair[0].b[1][0], pair[n].a) + vec4(block[n].v[n], 1) + whole[n][1];
            gl_Position = plain[0][0];
        }";
    let program = [
        (Stage::Vertex, VERTEX),
        (Stage::TessControl, control),
        (Stage::TessEval, evaluation),
        (Stage::Fragment, FRAGMENT),
    ];
    let text = &taken(&program).text[1];
    let outputs: Vec<&str> = text.lines().filter(|l| l.contains("out ") && l.ends_with(';')).collect();
    // Three elements; a vector and two matrices; two vectors; three rows of the patch.
    assert_eq!(outputs.len(), 11, "{text}");
    assert!(outputs.iter().all(|l| l.matches('[').count() == 1), "{outputs:#?}");
}

/// If this fails, a shader that computes which image of an array it uses does not draw.
#[test]
fn images_of_arrays_are_chosen_by_computed_indices() {
    let fragment = "#version 430
        layout(r32ui) uniform uimage2D counted[3]; layout(rgba8) uniform image2D shown[2];
        uniform int n; in vec4 c; out vec4 o;
        void main() {
            o = imageLoad(shown[n], ivec2(n)) + vec4(imageAtomicAdd(counted[n + 1], ivec2(0), 2u));
            imageStore(shown[1 - n], imageSize(shown[n]), c);
        }";
    let vertex = "#version 430\nin vec4 p; out vec4 c; void main() { gl_Position = p; c = p; }";
    let text = &taken(&[(Stage::Vertex, vertex), (Stage::Fragment, fragment)]).text[4];
    assert_eq!(text.matches("imageAtomicAdd(").count(), 3, "{text}");
    assert_eq!(text.matches("imageStore(").count(), 2, "{text}");
}

/// If this fails, a shader that reads or stores one or two channels of an image does not draw on drivers that can.
#[test]
fn images_of_every_format_have_a_text() {
    for (format, kind) in
        [("r8", "image2D"), ("rg16_snorm", "image2D"), ("r16i", "iimage2D"), ("rgb10_a2ui", "uimage2D")]
    {
        let fragment = format!(
            "#version 430\nlayout({format}) uniform {kind} i; out vec4 o;
            void main() {{ o = vec4(imageLoad(i, ivec2(1))); }}"
        );
        let text = &taken(&[(Stage::Vertex, VERTEX), (Stage::Fragment, &fragment)]).text[4];
        assert!(text.contains(&format!(", {format}) ")), "{text}");
    }
}

/// If this fails, a structure of which a program captures members arrives empty in its fragment stage.
#[test]
fn captured_structures_reach_the_fragment_stage() {
    let vertex = "#version 400
        struct S { float a; ivec2 b; }; flat out S s;
        void main() { s.a = 1.0; s.b = ivec2(2); gl_Position = vec4(0); }";
    let fragment = "#version 400
        struct S { float a; ivec2 b; }; flat in S s; out vec4 o;
        void main() { o = vec4(s.a) + vec4(s.b, 0, 0); }";
    let request = LinkRequest { xfb_varyings: vec!["s.a".into(), "s.b".into()], ..LinkRequest::default() };
    let program = linked_with(&[(Stage::Vertex, vertex), (Stage::Fragment, fragment)], &request);
    let done = under(&program.expect("the front end takes the program"), &Variant::default());
    assert_eq!(done.capture.outputs().len(), 2);
    for output in done.capture.outputs() {
        assert!(done.text[4].contains(&format!(" {};", output.name)), "{} is not read: {}", output.name, done.text[4]);
    }
}

/// If this fails, a program that captures which viewport each vertex goes to captures zeros.
#[test]
fn the_viewport_index_is_captured() {
    let geometry = "#version 410
        layout(points) in; layout(points, max_vertices = 1) out;
        void main() { gl_ViewportIndex = 1; EmitVertex(); }";
    let request = LinkRequest { xfb_varyings: vec!["gl_ViewportIndex".into()], ..LinkRequest::default() };
    let vertex = "#version 400\nvoid main() { gl_Position = vec4(0); }";
    let program = linked_with(&[(Stage::Vertex, vertex), (Stage::Geometry, geometry)], &request);
    let done = under(&program.expect("the front end takes the program"), &Variant::default());
    assert_eq!(done.capture.outputs().iter().map(|o| o.name.as_str()).collect::<Vec<_>>(), ["gl_ViewportIndex"]);
}

/// If this fails, drivers refuse programs that draw the points of a tessellation.
#[test]
fn stages_agree_on_whether_points_have_a_size() {
    let control = "#version 400
        layout(vertices = 3) out;
        void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }";
    let evaluation = "#version 400
        layout(triangles, point_mode) in;
        void main() { gl_Position = gl_in[0].gl_Position; }";
    let vertex = "#version 400\nin vec4 p; void main() { gl_Position = p; }";
    let fragment = "#version 400\nout vec4 o; void main() { o = vec4(1); }";
    let program = linked(&[
        (Stage::Vertex, vertex),
        (Stage::TessControl, control),
        (Stage::TessEval, evaluation),
        (Stage::Fragment, fragment),
    ]);
    let done =
        under(&program.expect("the front end takes the program"), &Variant { point_size: true, ..Variant::default() });
    for stage in [1, 2] {
        assert!(done.text[stage].contains("GL_EXT_tessellation_point_size"), "{}", done.text[stage]);
    }
}

/// If this fails, loops over a buffer do nothing on NVIDIA's driver, or loops over a buffer texture do not draw on drivers
/// without any: neither knows the size that a shader asks for.
#[test]
fn sizes_that_a_driver_does_not_know_are_uniforms() {
    let vertex = "#version 430
        struct Light { vec4 place; vec3 color; };
        layout(std430, binding = 1) readonly buffer Lights { uvec4 head; Light lights[]; };
        layout(std430, binding = 2) readonly buffer Many { float numbers[]; } many[2];
        uniform samplerBuffer one; uniform usamplerBuffer some[2];
        void main() {
            gl_Position = vec4(lights.length(), many[1].numbers.length(), textureSize(one), textureSize(some[1]));
            gl_Position += texelFetch(one, 0) + vec4(texelFetch(some[1], 0)) + many[0].numbers[0] + many[1].numbers[0];
            gl_Position += lights[0].place;
        }";
    let fragment = "#version 430\nout vec4 o; void main() { o = vec4(1); }";
    let program = linked(&[(Stage::Vertex, vertex), (Stage::Fragment, fragment)]).expect("the front end takes it");
    let facts = EsFacts { array_length: false, texture_buffer: false, ..EsFacts::full(320) };
    let spirv = std::array::from_fn(|n| program.spirv[n].clone().unwrap_or_default());
    let done = judged(translate(&spirv, &program.archive, &facts, &Variant::default()).expect("a translation"));
    let text = &done.text[0];
    assert!(!text.contains(".length()"), "{text}");
    let mut counts: Vec<(What, u32)> = done.plan.asked.iter().map(|asked| (asked.what, asked.count)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [(What::Bytes, 1), (What::Bytes, 2), (What::Texels, 1), (What::Texels, 2)], "{text}");
    for asked in &done.plan.asked {
        assert!(text.contains(&format!("uniform int {}", asked.name())), "{text}");
    }
}

/// If this fails, textures whose sampler asks for sharper or softer levels look as if it did not.
#[test]
fn the_bias_of_samplers_is_added_to_every_look_up() {
    let fragment = "#version 430
        uniform sampler2D one; uniform sampler2DShadow shadow; uniform sampler2DArrayShadow shadows; uniform samplerCube cube;
        uniform sampler3D many[2]; uniform sampler2DMS samples;
        in vec4 c; out vec4 o;
        void main() {
            o = texture(one, c.xy) + texture(one, c.xy, 0.5) + textureLod(many[1], c.xyz, 1.0) + textureProj(one, c.xyz);
            o += textureGrad(cube, c.xyz, c.xyz, c.yzx) + textureOffset(one, c.xy, ivec2(1)) + texelFetch(samples, ivec2(0), 0);
            o += vec4(texture(shadow, c.xyz), texture(shadows, c), texelFetch(one, ivec2(0), 0).x, textureGather(one, c.xy).x);
        }";
    let vertex = "#version 430\nin vec4 p; out vec4 c; void main() { gl_Position = p; c = p; }";
    let program = linked(&[(Stage::Vertex, vertex), (Stage::Fragment, fragment)]).expect("the front end takes it");
    let done = under(&program, &Variant { biased: true, ..Variant::default() });
    let text = &done.text[4];
    assert!(text.contains("0.5 + mglBias") || text.contains("mglBias0 + 0.5"), "{text}");
    assert!(text.contains("exp2(mglBias"), "{text}");
    // Fetches, gathers and multisampled textures have none; arrays of shadows are told by derivatives.
    assert_eq!(done.plan.asked.len(), 5, "{:?}", done.plan.asked);
    assert_eq!(text.matches("textureGrad(").count(), 2, "of the cube and of the array of shadows: {text}");
    assert!(!under(&program, &Variant::default()).text[4].contains("mglBias"));
}
