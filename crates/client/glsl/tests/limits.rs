//! Numbers that a shader gives and counts of what it declares, against the limits of the context (GLSL 4.60 §4.4, GL 4.6 §7).
//! Must not look into SPIR-V.

mod common;

use common::{FS, PLAIN_VS, VS, linked, refused, try_link, uniform};
use mgl_glsl::{CompileOptions, Limits, LinkRequest, Stage, compile};

fn log(stage: Stage, source: &str) -> Option<String> {
    let compiled = compile(stage, source, &CompileOptions::default());
    (!compiled.ok).then_some(compiled.log)
}

fn fragment(declarations: &str, value: &str) -> String {
    format!("#version 430\n{declarations}\nout vec4 c; uniform int k;\nvoid main() {{ c = vec4({value}); }}\n")
}

/// A program that probes limits by compiling gets the answer where other drivers give it.
#[test]
fn bindings_end_at_their_limits() {
    let limits = Limits::default();
    let (units, bytes) = (limits.image_units, 4 * limits.counters);
    let image = |binding: u32, array: &str, index: &str| {
        let declaration = format!("layout(binding = {binding}, rgba8) uniform image2D i{array};");
        log(FS, &fragment(&declaration, &format!("imageLoad(i{index}, ivec2(0))")))
    };
    assert_eq!(image(units - 1, "", ""), None);
    assert_eq!(image(units - 2, "[2]", "[1]"), None);
    assert!(image(units, "", "").is_some());
    assert!(image(units - 2, "[3]", "[0]").is_some_and(|log| log.contains("image units")));
    let counter = |binding: u32, offset: u32, array: &str, index: &str| {
        let declaration = format!("layout(binding = {binding}, offset = {offset}) uniform atomic_uint a{array};");
        log(FS, &fragment(&declaration, &format!("atomicCounter(a{index})")))
    };
    assert_eq!(counter(0, bytes - 4, "", ""), None);
    assert!(counter(0, bytes, "", "").is_some_and(|log| log.contains("offset")));
    assert!(counter(0, bytes - 8, "[3]", "[0]").is_some());
    assert!(counter(limits.atomic_buffers, 0, "", "").is_some());
    let sampler = |binding: u32| {
        log(FS, &fragment(&format!("layout(binding = {binding}) uniform sampler2D s[2];"), "texture(s[1], vec2(0))"))
    };
    assert_eq!(sampler(limits.combined_texture_units - 2), None);
    assert!(sampler(limits.combined_texture_units - 1).is_some());
}

/// Every location up to the limit is there, and none beyond.
#[test]
fn uniform_locations_end_at_their_limit() {
    let limit = Limits::default().uniform_locations;
    let shader = |location: u32, array: &str, value: &str| {
        fragment(
            &format!("layout(location = {location}) uniform float f{array}; layout(location = 3) uniform float g;"),
            value,
        )
    };
    let program = linked(&[(VS, PLAIN_VS), (FS, &shader(limit - 1, "", "f + g"))]);
    assert_eq!(uniform(&program, "f").location, (limit - 1).cast_signed());
    assert_eq!(uniform(&program, "g").location, 3);
    let program = linked(&[(VS, PLAIN_VS), (FS, &shader(limit - 4, "[4]", "f[k]"))]);
    assert_eq!(uniform(&program, "f[0]").location, (limit - 4).cast_signed());
    assert!(log(FS, &shader(limit, "", "f")).is_some_and(|log| log.contains("location")));
    assert!(refused(&[(VS, PLAIN_VS), (FS, &shader(limit - 4, "[5]", "f[0]"))]).contains("limit"));
    assert!(refused(&[(VS, PLAIN_VS), (FS, &shader(limit - 4, "[5]", "g"))]).contains("limit"), "also unused");
    let twice = fragment("layout(location = 5000) uniform float f; layout(location = 5000) uniform float g;", "f + g");
    assert!(refused(&[(VS, PLAIN_VS), (FS, &twice)]).contains("overlap"));
}

/// Subroutine uniforms end at their last location too.
#[test]
fn subroutine_locations_end_at_their_limit() {
    let shader = |location: u32| {
        let declarations = format!(
            "subroutine vec4 T(); subroutine(T) vec4 a() {{ return vec4(1); }} subroutine(T) vec4 b() {{ return vec4(0); }}\n\
             layout(location = {location}) subroutine uniform T s[4];"
        );
        fragment(&declarations, "s[k]()")
    };
    linked(&[(VS, PLAIN_VS), (FS, &shader(1020))]);
    assert!(refused(&[(VS, PLAIN_VS), (FS, &shader(1021))]).contains("1024"));
    assert!(log(FS, &shader(1024)).is_some_and(|log| log.contains("1024")));
}

/// Too much of what a stage or a program shares does not link; the log says of what.
#[test]
fn counts_end_at_their_limits() {
    let limits = Limits::default();
    let rows = [
        (format!("layout(rgba8) uniform image2D i[{}];", limits.images + 1), "imageLoad(i[k], ivec2(0))", "images"),
        (format!("uniform sampler2D s[{}];", limits.texture_units + 1), "texture(s[k], vec2(0))", "samplers"),
        (format!("uniform B {{ float f; }} b[{}];", limits.stage_uniform_blocks + 1), "b[k].f", "uniform blocks"),
        (format!("buffer B {{ float f; }} b[{}];", limits.stage_storage_blocks[4] + 1), "b[k].f", "storage blocks"),
    ];
    for (declaration, value, what) in rows {
        let log = refused(&[(VS, PLAIN_VS), (FS, &fragment(&declaration, value))]);
        assert!(log.contains(what), "{log}");
    }
    let both = |declaration: &str, value: &str, change: &dyn Fn(&mut Limits)| {
        let vertex =
            format!("#version 430\n{declaration}\nuniform int j;\nvoid main() {{ gl_Position = vec4({value}); }}\n");
        let mut request = LinkRequest::default();
        change(&mut request.limits);
        let value = value.replace('j', "k");
        try_link(&[(VS, &vertex), (FS, &fragment(declaration, &value))], &request).map(|_| ()).map_err(|e| e.log)
    };
    let (block, storage) = ("uniform B { float f; } b[10];", "buffer B { float f; } b[10];");
    assert_eq!(both(block, "b[j].f", &|limits| limits.uniform_blocks = 20), Ok(()));
    assert!(
        both(block, "b[j].f", &|limits| limits.uniform_blocks = 19).is_err_and(|log| log.contains("20 uniform blocks"))
    );
    assert_eq!(both(storage, "b[j].f", &|limits| limits.storage_blocks = 20), Ok(()));
    assert!(
        both(storage, "b[j].f", &|limits| limits.storage_blocks = 19).is_err_and(|log| log.contains("storage blocks"))
    );
    let image = "layout(rgba8) uniform image2D i[10];";
    assert_eq!(both(image, "imageLoad(i[j], ivec2(0))", &|limits| limits.images = 20), Ok(()));
    assert!(
        both(image, "imageLoad(i[j], ivec2(0))", &|limits| limits.images = 19).is_err_and(|log| log.contains("images"))
    );
    let shared = |bytes: u32| {
        format!(
            "#version 430\nlayout(local_size_x = 1) in; shared float a[{}]; buffer B {{ float f; }};\n\
             void main() {{ a[gl_LocalInvocationIndex] = f; barrier(); f = a[1]; }}\n",
            bytes / 4
        )
    };
    linked(&[(Stage::Compute, &shared(limits.shared_bytes))]);
    assert!(refused(&[(Stage::Compute, &shared(limits.shared_bytes + 4))]).contains("shared"));
}

/// Directives and words that other drivers refuse are refused here, by the line that has them.
#[test]
fn mistakes_of_the_preprocessor_and_of_names() {
    let rows = [
        "#if 1\n#endif x",
        "#define F(a) #a",
        "#undef __VERSION__",
        "#extension GL_ARB_unknown_thing : require\n#extension GL_ARB_bindless_texture : require",
        "#extension all : enable",
        "layout(set = 0, binding = 0, rgba8) uniform image2D i;",
        "float packed;",
        "float image2DShadow;",
        "layout(binding = 1 + 1) uniform sampler2D s;",
    ];
    for text in rows {
        let source = format!("#version 420\n{text}\nvoid main() {{ }}\n");
        assert!(log(FS, &source).is_some_and(|log| log.starts_with("ERROR: 0:")), "{text}");
    }
    for text in
        ["layout(location = (1)) out vec4 c;", "#extension all : warn", "#extension GL_ARB_bindless_texture : warn"]
    {
        assert_eq!(log(FS, &format!("#version 420\n{text}\nvoid main() {{ }}\n")), None, "{text}");
    }
    assert_eq!(log(FS, "#version 330\ninvariant in vec4 v; out vec4 c; void main() { c = v; }"), None);
    let constant = "#version 440\nconst int N = 1; layout(binding = N + 1) uniform sampler2D s; out vec4 c;\n\
        void main() { c = texture(s, vec2(0)); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, constant)]);
    assert_eq!(uniform(&program, "s").opaque.as_ref().map(|o| o.initial_unit), Some(2));
}
