//! Compiling, linking several shaders of a stage, logs, versions, the cache and the workers.
//! Must not look into SPIR-V.

mod common;

use std::sync::Arc;

use common::{FS, GS, PLAIN_FS, PLAIN_VS, VS, linked, refused, text, try_link, units};
use mgl_glsl::{CompileOptions, DiskCache, Jobs, LinkRequest, Stage, compile, compile_cached, link, link_cached};

/// Programs split a stage over several shader objects that share functions and globals.
#[test]
fn several_shaders_of_a_stage() {
    let main = "#version 330\nvec4 colour(); out vec4 c; void main() { c = colour(); }";
    let lib = "#version 330\nuniform vec4 tint; vec4 colour() { return tint; }";
    let program = linked(&[(VS, PLAIN_VS), (FS, main), (FS, lib)]);
    assert_eq!(program.archive.uniforms[0].name, "tint");
    assert!(refused(&[(VS, PLAIN_VS), (FS, main)]).contains("colour"));
    assert!(refused(&[(VS, PLAIN_VS), (FS, lib)]).contains("main"));
}

/// One shader of a stage may declare for all of them how many vertices come in or go out; another one uses the arrays.
#[test]
fn sizes_are_shared_by_the_shaders_of_a_stage() {
    let tcs = "#version 400\nlayout(vertices = 3) out; void f(); void main() { gl_TessLevelOuter = float[4](1, 1, 1, 0);\n\
        gl_TessLevelInner = float[2](0, 0); f(); }";
    let part = "#version 400\nvoid f() { gl_out[gl_InvocationID].gl_Position = vec4(0); }";
    let tes = "#version 400\nlayout(triangles) in; void main() { gl_Position = vec4(0); }";
    let (control, eval) = (Stage::TessControl, Stage::TessEval);
    linked(&[(VS, PLAIN_VS), (control, tcs), (control, part), (eval, tes), (FS, PLAIN_FS)]);
    linked(&[(VS, PLAIN_VS), (control, part), (control, tcs), (eval, tes), (FS, PLAIN_FS)]);
    let wrong = part.replace("vec4(0)", "vec3(0)");
    assert!(!compile(control, &wrong, &CompileOptions::default()).ok, "mistakes are still found");
    assert!(refused(&[(VS, PLAIN_VS), (control, part), (eval, tes), (FS, PLAIN_FS)]).contains("main"));
    let vs = "#version 150\nin int i; flat out int v; void main() { v = i; }";
    let gs = "#version 150\nlayout(triangles) in; layout(points, max_vertices = 1) out; void f(); void main() { f(); }";
    let part = "#version 150\nflat in int v[]; void f() { gl_Position = vec4(v[1]); EmitVertex(); }";
    linked(&[(VS, vs), (GS, gs), (GS, part), (FS, PLAIN_FS)]);
    linked(&[(VS, vs), (GS, part), (GS, gs), (FS, PLAIN_FS)]);
    assert!(
        try_link(&[(VS, vs), (GS, gs), (GS, &part.replace("v[1]", "v[3]")), (FS, PLAIN_FS)], &LinkRequest::default())
            .is_err()
    );
}

/// A library shader that never looks at the fragment's position has no say in where its origin lies.
#[test]
fn origins_agree_where_they_are_used() {
    let main = "#version 150\nlayout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord; out vec4 c; float f(); float g();\n\
        void main() { c = gl_FragCoord * f() * g(); }";
    let other = "#version 150\nfloat f() { return 1.0; }";
    let same = "#version 150\nlayout(origin_upper_left, pixel_center_integer) in vec4 gl_FragCoord; float g() { return gl_FragCoord.z; }";
    let program = linked(&[(VS, PLAIN_VS), (FS, other), (FS, main), (FS, same)]);
    let names: Vec<_> = program.archive.builtin_uniforms.iter().map(|u| u.name.as_str()).collect();
    assert!(names.contains(&"gl_MobileGLFramebufferHeight"), "the origin is that of the shaders: {names:?}");
    let plain = "#version 150\nfloat g() { return gl_FragCoord.z; }";
    assert!(refused(&[(VS, PLAIN_VS), (FS, other), (FS, main), (FS, plain)]).contains("gl_FragCoord"));
}

/// People find their mistakes by the line in the log.
#[test]
fn logs_name_lines() {
    let compiled = compile(
        FS,
        "#version 330\n#define X \\\n 1\nout vec4 c;\nvoid main() {\n  c = wrong;\n}\n",
        &CompileOptions::default(),
    );
    assert!(!compiled.ok && compiled.log.contains("0:6:") && compiled.log.contains("wrong"), "{}", compiled.log);
    let failure = link(&[compiled.unit], &LinkRequest::default()).unwrap_err();
    assert!(failure.log.contains("fragment"));
}

/// A 3.3 context refuses later versions, so that programs fall back as they do elsewhere.
#[test]
fn versions_of_the_context() {
    let options = CompileOptions { max_version: 330, ..CompileOptions::default() };
    assert!(compile(VS, "#version 330 core\nvoid main() { gl_Position = vec4(0); }", &options).ok);
    let late = compile(VS, "#version 400 core\nvoid main() {}", &options);
    assert!(!late.ok && late.log.contains("4.00") && late.log.contains("3.30"));
    assert!(!compile(VS, "#version 330 compatibility\nvoid main() {}", &options).ok);
}

/// Which stages may be linked together.
#[test]
fn stage_sets() {
    let gs = "#version 330\nlayout(points) in; layout(points, max_vertices = 1) out; void main() { EmitVertex(); }";
    assert!(refused(&[(Stage::Geometry, gs), (FS, PLAIN_FS)]).contains("needs a vertex shader"));
    let cs = "#version 430\nlayout(local_size_x = 1) in; void main() {}";
    assert!(refused(&[(Stage::Compute, cs), (VS, PLAIN_VS)]).contains("compute"));
    linked(&[(VS, PLAIN_VS)]);
    linked(&[(FS, PLAIN_FS)]);
}

/// Extensions that would end the process or draw nothing are refused by name.
#[test]
fn refused_extensions() {
    let source = "#version 450\n#extension GL_ARB_bindless_texture : require\nvoid main() {}";
    let compiled = compile(FS, source, &CompileOptions::default());
    assert!(!compiled.ok && compiled.log.contains("GL_ARB_bindless_texture"));
    let enabled =
        source.replace("require", "enable").replace("void", "#ifdef GL_ARB_bindless_texture\nbroken\n#endif\nvoid");
    let compiled = compile(FS, &enabled, &CompileOptions::default());
    assert!(compiled.ok, "what is only wished for may be missing: {}", compiled.log);
}

/// Bytes that are not text must be refused, not crash the program.
#[test]
fn hostile_sources() {
    for source in
        ["", "\0\0\0", "#version", "#version 99999999999\nvoid main(){}", "#version 330\nvoid main() {", "\u{1F600}"]
    {
        let _ = compile(VS, source, &CompileOptions::default());
    }
}

/// A damaged or foreign cache entry must be a miss, and a warm start must equal a cold one.
#[test]
fn disk_cache() {
    let dir = std::env::temp_dir().join(format!("mgl-glsl-cache-{}", std::process::id()));
    let cache = DiskCache::at(&dir);
    let units = units(&[(VS, PLAIN_VS), (FS, PLAIN_FS)]);
    let request = LinkRequest::default();
    let key = DiskCache::key(&units, &request);
    assert!(cache.load(key).is_none());
    let cold = link_cached(&cache, &units, &request).unwrap();
    assert_eq!(cache.load(key).as_ref(), Some(&cold));
    let other = LinkRequest { attrib_bindings: vec![("p".into(), 3)], ..LinkRequest::default() };
    assert_ne!(DiskCache::key(&units, &other), key);
    // A cached verdict without its code still links when the link itself is not cached.
    let options = CompileOptions::default();
    let first = compile_cached(&cache, FS, PLAIN_FS, &options);
    let again = compile_cached(&cache, FS, PLAIN_FS, &options);
    assert_eq!((first.ok, &first.log), (again.ok, &again.log));
    link(&[again.unit], &request).unwrap();
    let name = format!("{key:032x}");
    let path = dir.join(&name[..2]).join(&name[2..]);
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    assert!(cache.load(key).is_none());
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Loading screens compile hundreds of shaders at once; results must not depend on how many threads do it.
#[test]
fn parallel_links_agree() {
    let jobs = Jobs::new(4);
    let all: Vec<_> = (0..24)
        .map(|i| {
            jobs.submit(move || {
                let fs = format!("#version 330\nuniform vec4 u{i}; out vec4 c; void main() {{ c = u{i}; }}");
                let fs = compile(FS, &fs, &CompileOptions::default()).unit;
                let vs = compile(VS, PLAIN_VS, &CompileOptions::default()).unit;
                link(&[vs, Arc::clone(&fs)], &LinkRequest::default())
            })
        })
        .collect();
    for (i, pending) in all.into_iter().enumerate() {
        let program = pending.wait().unwrap().unwrap();
        assert_eq!(program.archive.uniforms[0].name, format!("u{i}"));
    }
}

/// A program that only asks for an extension by its macro must compile whether or not the context has it.
#[test]
fn macros_of_absent_extensions_are_asked_for() {
    let extensions = Some(mgl_glsl::Extensions::new(["GL_ARB_gpu_shader5"]));
    let options = CompileOptions { max_version: 330, extensions, ..CompileOptions::default() };
    let source = "#version 330\n#ifdef GL_ARB_bindless_texture\n#error absent\n#endif\n#ifdef GL_NV_gpu_shader5\n#error absent\n\
        #endif\n#ifndef GL_ARB_gpu_shader5\n#error present\n#endif\n#extension GL_NV_gpu_shader5 : enable\nvoid main() {}\n";
    let compiled = compile(Stage::Fragment, source, &options);
    assert!(compiled.ok, "{}", compiled.log);
}

/// Shaders that translators write ask by macros which of several extensions there is, and require that one; the others'
/// lines are not met.
#[test]
fn extensions_are_required_where_the_line_is_met() {
    let extensions = Some(mgl_glsl::Extensions::new(["GL_ARB_gpu_shader5"]));
    let options = CompileOptions { max_version: 330, extensions, ..CompileOptions::default() };
    let source = "#version 330\n#if defined(GL_ARB_gpu_shader5)\n#extension GL_ARB_gpu_shader5 : require\n\
        #elif defined(GL_NV_gpu_shader5)\n#extension GL_NV_gpu_shader5 : require\n#else\n#error none\n#endif\nvoid main() {}\n";
    let compiled = compile(Stage::Fragment, source, &options);
    assert!(compiled.ok, "{}", compiled.log);
    let met = compile(
        Stage::Fragment,
        &source.replace("defined(GL_ARB_gpu_shader5)", "0").replace("#elif", "#elif 1 ||"),
        &options,
    );
    assert!(!met.ok && met.log.contains("0:5") && met.log.contains("GL_NV_gpu_shader5"), "{}", met.log);
}

/// What a program declares `precise` must be computed as written, also by functions: a driver would fold this to zero, and
/// the shader could not see that its value is no number.
#[test]
fn precise_reaches_functions() {
    let fs = "#version 400\nuniform float a; uniform float b; out vec4 c;\n\
        void main() { precise float x = fract(floor(a / b) * 2.0); float y = fract(a * b); c = vec4(x, y, 0, 1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let words = text(&program, FS);
    let marked = |line: &&str| {
        let id = line.split_whitespace().next().unwrap();
        words.contains(&format!("OpDecorate {id} NoContraction"))
    };
    let fracts: Vec<bool> = words.lines().filter(|l| l.contains(" Fract ")).map(|l| marked(&l)).collect();
    assert_eq!(fracts, [true, false]);
}

/// A shader pack computes a matrix from another one in a constant, says how depth is written, and calls a variable `sample`: what
/// drivers take must compile, and the names that the program sees are its own.
#[test]
fn what_shader_packs_write() {
    let fs = "#version 330 core\n#extension GL_ARB_conservative_depth : enable\n#extension GL_ARB_shading_language_420pack : enable\n\
        #if __VERSION__ != 330 || !defined(GL_core_profile) || defined(GL_compatibility_profile)\n#error changed\n#endif\n\
        const mat3 to = mat3(1, 2, 3, 0, 1, 4, 5, 6, 0);\nconst mat3 from = inverse(to);\nconst float k = determinant(from) * fma(2.0, 3.0, 1.0);\n\
        uniform Set { vec4 buffer; } set; uniform vec4 sample; out vec4 c; layout(depth_greater) out float gl_FragDepth;\n\
        void main() { vec4 resource = set.buffer + sample; c = vec4(from * resource.xyz, k); gl_FragDepth = gl_FragCoord.z; }";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let names: Vec<&str> = program.archive.uniforms.iter().map(|u| u.name.as_str()).collect();
    assert!(names.contains(&"sample") && names.contains(&"Set.buffer"), "{names:?}");
    let wrong = fs.replace("+ sample", "+ sample.q.q.buffer");
    let compiled = compile(FS, &wrong, &CompileOptions::default());
    assert!(!compiled.ok && !compiled.log.contains("mgl_"), "{}", compiled.log);
}

/// A renderer keeps its materials in shaders of their own, each with a subroutine: the uniform chooses among all of them.
#[test]
fn shaders_of_a_stage_share_subroutines() {
    let main = "#version 400\nsubroutine vec4 shade(vec2 uv, int n); subroutine uniform shade pick; out vec4 c;\n\
        subroutine(shade) vec4 plain(vec2 uv, int n) { return vec4(uv, n, 1); } vec4 more();\n\
        void main() { c = pick(vec2(1), 2) + more(); }";
    let other = "#version 400\nsubroutine vec4 shade(vec2 uv, int n); subroutine uniform shade pick;\n\
        subroutine(shade) vec4 rich(vec2 uv, int n) { return vec4(n); } vec4 more() { return pick(vec2(0), 1); }";
    let program = linked(&[(VS, PLAIN_VS), (FS, main), (FS, other)]);
    let stage = &program.archive.subroutines[FS.index()];
    let names: Vec<&str> = stage.functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["plain", "rich"]);
    assert_eq!((stage.uniforms.len(), stage.uniforms[0].compatible.as_slice()), (1, &[0, 1][..]));
}

/// A shader that has its subroutines by quality level, in branches of `#if` or from a macro, compiles as what the level leaves.
#[test]
fn directives_choose_among_subroutines() {
    let fs = "#version 330\n#extension GL_ARB_shader_subroutine : require\n#define HIGH 1\n#define SUB(t) subroutine(t)\n\
        subroutine vec4 shade(); subroutine uniform shade pick; out vec4 c;\n\
        #if HIGH\nSUB(shade) vec4 rich() { return vec4(2); }\nSUB(shade) vec4 both() { return vec4(1); }\n\
        #else\nsubroutine(shade) vec4 poor() { return missing; }\nsubroutine(shade) vec4 both() { return vec4(0); }\n#endif\n\
        void main() {\n  c = pick();\n}\n";
    let program = linked(&[(VS, PLAIN_VS), (FS, fs)]);
    let names: Vec<_> = program.archive.subroutines[FS.index()].functions.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["rich", "both"]);
    let compiled = compile(FS, &fs.replace("c = pick", "c = wrong"), &CompileOptions::default());
    assert!(compiled.log.contains("0:14:"), "{}", compiled.log);
}
