//! Rewrites of whole modules, by what is left of what a device cannot do or spends its time on: elements of arrays that
//! every invocation selects, copies of constant tables, doubles in words.

mod common;

use common::{FS, VS, linked, linked_with, text, validate};
use mgl_glsl::LinkRequest;
use mgl_spirv::Ir;
use mgl_spirv::select::{self, Abilities, Indexing};

const SELECTING: &str = "#version 460
    uniform sampler2D images[4];
    layout(rgba8) uniform image2D targets[3];
    layout(std140) uniform Block { vec4 value[2]; } blocks[2];
    layout(std430) buffer Store { vec4 value; float rest[]; } stores[2];
    uniform int same;
    in vec2 at;
    out vec4 color;
    void main() {
        int mine = int(at.x);
        color = texture(images[mine], at) + textureLod(images[mine], at, 0.0) + texelFetch(images[mine], ivec2(0), 0)
            + vec4(textureSize(images[mine], mine), textureQueryLod(images[mine], at));
        color += texture(images[same], at) * float(textureQueryLevels(images[same]));
        color += imageLoad(targets[mine], ivec2(at)) + vec4(imageSize(targets[mine]), 0, 0);
        imageStore(targets[mine], ivec2(at), color);
        color += blocks[mine].value[mine & 1] + stores[mine].value * float(stores[mine].rest.length());
        stores[mine].rest[mine] = 1.0;
    }";

const FEEDER: &str = "#version 330
    out vec2 at;
    void main() { at = vec2(gl_VertexID); gl_Position = vec4(0.0); }";

/// The fragment module after the pass, proven by the validator.
fn selected(able: Indexing) -> (String, Ir) {
    let mut linked = linked(&[(VS, FEEDER), (FS, SELECTING)]);
    let words = linked.spirv[FS.index()].as_deref().expect("a fragment stage");
    let mut ir = Ir::load(words).expect("parses");
    let able = Abilities {
        sampled: able,
        images: able,
        uniform_texels: able,
        storage_texels: able,
        uniform_blocks: able,
        storage_blocks: able,
    };
    select::run(&mut ir, &able).expect("everything has a way");
    linked.spirv[FS.index()] = Some(ir.clone().finish());
    validate(&linked);
    (text(&linked, FS), ir)
}

/// Chains into arrays of resources whose first index is no constant.
fn computed(ir: &Ir) -> usize {
    let computed = |i: &rspirv::dr::Instruction| {
        let array = mgl_spirv::id_at(i, 0).and_then(|v| ir.variable_type(v)).is_some_and(|(class, ty)| {
            !matches!(class, rspirv::spirv::StorageClass::Function | rspirv::spirv::StorageClass::Private)
                && ir.array_of(ty).is_some()
        });
        mgl_spirv::is_chain(i) && array && mgl_spirv::id_at(i, 1).is_some_and(|x| ir.const_value(x).is_none())
    };
    ir.body().filter(|i| computed(i)).count()
}

/// If this fails, a device that selects textures by constants only gets a module that it may not survive.
#[test]
fn without_dynamic_indices_every_index_is_a_constant() {
    let (module, ir) = selected(Indexing::Constant);
    assert_eq!(computed(&ir), 0, "{module}");
    assert!(!module.contains("ArrayDynamicIndexing") && !module.contains("NonUniform"), "{module}");
    // Derivatives are taken outside of branches: four of each in main, for the two look-ups and the level.
    assert_eq!(module.matches("OpImageSampleImplicitLod").count(), 8, "{module}");
    assert_eq!(module.matches("OpImageQueryLod").count(), 4, "{module}");
}

/// If this fails, a device that selects what is the same everywhere is given every element instead, or what is not.
#[test]
fn what_is_the_same_everywhere_stays() {
    let (module, ir) = selected(Indexing::Uniform);
    assert_eq!(computed(&ir), 2, "texture and levels of the uniform index\n{module}");
    assert!(module.contains("SampledImageArrayDynamicIndexing") && !module.contains("NonUniform"), "{module}");
}

/// If this fails, a GPU takes the element of one invocation for its whole group.
#[test]
fn what_differs_is_decorated() {
    let before = linked(&[(VS, FEEDER), (FS, SELECTING)]);
    let uses = text(&before, FS).matches("OpImageSampleImplicitLod").count();
    let (module, _) = selected(Indexing::Any);
    assert_eq!(module.matches("OpImageSampleImplicitLod").count(), uses, "{module}");
    for kind in ["SampledImage", "StorageImage", "UniformBuffer", "StorageBuffer"] {
        assert!(module.contains(&format!("OpCapability {kind}ArrayNonUniformIndexing")), "{kind}\n{module}");
    }
    assert!(module.contains("OpExtension \"SPV_EXT_descriptor_indexing\""), "{module}");
    // Five textures, two images, a store, two blocks and two in a storage block, with what is loaded through the pointers.
    assert!(module.matches(" NonUniform\n").count() >= 12, "{module}");
}

/// If this fails, a shader with tables (fonts, palettes, noise) takes the driver minutes: each read copies a whole table.
#[test]
fn constant_tables_are_in_one_place() {
    let numbers: Vec<String> = (0..64).map(|n| n.to_string()).collect();
    let functions: String =
        (0..20).map(|n| format!("int f{n}(int i) {{ return font[(i + {n}) % 64] + small[i & 1].x; }}\n")).collect();
    let sum: String = (0..20).map(|n| format!(" + f{n}(at.x)")).collect();
    let fragment = format!(
        "#version 330
        const int font[64] = int[64]({});
        const ivec2 small[2] = ivec2[2](ivec2(1), ivec2(2));
        flat in ivec2 at; out vec4 color;
        {functions}
        int own(int i) {{ int mine[4] = int[4](1, 2, 3, 4); mine[i & 3] += 1; return mine[i & 2]; }}
        void main() {{ color = vec4(float(own(at.y){sum})); }}",
        numbers.join(", ")
    );
    let vertex = "#version 330\nflat out ivec2 at;\nvoid main() { at = ivec2(gl_VertexID); gl_Position = vec4(0.0); }";
    let linked = linked(&[(VS, vertex), (FS, &fragment)]);
    let ir = Ir::load(linked.spirv[FS.index()].as_deref().expect("a fragment stage")).expect("parses");
    let arrays = ir
        .body()
        .filter(|i| i.class.opcode == rspirv::spirv::Op::Variable)
        .filter(|i| i.result_type.and_then(|ty| ir.pointee(ty)).is_some_and(|(_, ty)| ir.array_of(ty).is_some()));
    assert_eq!(arrays.count(), 1, "what is written stays in its function\n{}", text(&linked, FS));
    assert_eq!(ir.variables_of(rspirv::spirv::StorageClass::Private).len(), 2, "one for each table");
}

/// If this fails, a captured double behind a float is read in halves of its neighbours.
#[test]
fn doubles_that_lie_oddly_are_captured_in_words() {
    let vertex = "#version 410
        flat out float one; flat out dvec3 three;
        void main() { one = 1.0; three = dvec3(1.0); gl_Position = vec4(0.0); }";
    let request = |names: &[&str]| LinkRequest {
        xfb_varyings: names.iter().map(|n| (*n).to_owned()).collect(),
        ..LinkRequest::default()
    };
    let odd = text(&linked_with(&[(VS, vertex)], &request(&["one", "three"])), VS);
    for offset in [0, 4, 20] {
        assert!(odd.contains(&format!("Offset {offset}\n")), "{odd}");
    }
    assert_eq!(odd.matches("OpBitcast").count(), 2, "{odd}");
    let even = text(&linked_with(&[(VS, vertex)], &request(&["three"])), VS);
    assert!(!even.contains("OpBitcast"), "{even}");
}

/// Variables of functions that hold arrays, in the fragment stage.
fn local_arrays(fragment: &str) -> usize {
    let vertex = "#version 330\nflat out ivec2 at;\nvoid main() { at = ivec2(gl_VertexID); gl_Position = vec4(0.0); }";
    let head = "#version 330\nflat in ivec2 at; out vec4 color;\n";
    let linked = linked(&[(VS, vertex), (FS, &format!("{head}{fragment}"))]);
    let ir = Ir::load(linked.spirv[FS.index()].as_deref().expect("a fragment stage")).expect("parses");
    let array = |i: &&rspirv::dr::Instruction| {
        let ty = i.result_type.and_then(|ty| ir.pointee(ty));
        i.class.opcode == rspirv::spirv::Op::Variable && ty.is_some_and(|(_, ty)| ir.array_of(ty).is_some())
    };
    ir.body().filter(array).count()
}

/// If this fails, a shader that passes arrays to functions takes the driver several times as long, or a function changes the
/// array of its caller.
#[test]
fn arrays_are_copied_for_calls_only_where_they_change() {
    let fill = "float a[8]; for (int i = 0; i < 8; i++) a[i] = float(i * at.x);";
    let read = "float inner(float b[8], int i) { return b[i & 7]; }
        float sum(float b[8], int i) { return b[i & 7] + inner(b, i + 1); }";
    assert_eq!(local_arrays(&format!("{read} void main() {{ {fill} color = vec4(sum(a, at.y) + inner(a, 2)); }}")), 1);
    let write = "float sum(float b[8], int i) { b[0] += 1.0; return b[i & 7]; }";
    assert_eq!(local_arrays(&format!("{write} void main() {{ {fill} color = vec4(sum(a, at.y)); }}")), 2);
    let through = "float change(inout float b[8]) { b[0] += 1.0; return b[1]; }
        float sum(float b[8], int i) { return change(b) + b[i & 7]; }";
    assert!(local_arrays(&format!("{through} void main() {{ {fill} color = vec4(sum(a, at.y)); }}")) >= 2);
    let both = "float sum(float b[8], inout float c[8]) { c[at.x & 7] = 9.0; return b[at.y & 7]; }";
    assert!(local_arrays(&format!("{both} void main() {{ {fill} color = vec4(sum(a, a)); }}")) >= 2);
}

/// If this fails, a shader that passes its uniforms to functions, or keeps them in variables, takes the driver a hundred times as
/// long.
#[test]
fn uniforms_are_read_where_they_are() {
    let uniforms = "uniform vec4 params[8]; uniform mat4 turn;";
    let read = "float inner(vec4 b[8], int i) { return b[i & 7].x; }
        float sum(vec4 b[8], mat4 m, int i) { return b[i & 7].y * m[i & 3].x + inner(b, i + 1); }";
    let kept = "vec4 mine[8] = params; mat4 own = turn;";
    let body = "color = vec4(sum(params, turn, at.x) + sum(mine, own, at.y) + mine[at.y & 7].x);";
    assert_eq!(local_arrays(&format!("{uniforms} {read} void main() {{ {kept} {body} }}")), 0);
    let change = "void main() { vec4 mine[8] = params; mine[at.x & 7] = vec4(1.0); color = mine[at.y & 7]; }";
    assert_eq!(local_arrays(&format!("{uniforms} {change}")), 1);
    let write = "float sum(vec4 b[8], int i) { b[0].x += 1.0; return b[i & 7].x; }
        void main() { color = vec4(sum(params, at.x)); }";
    assert_eq!(local_arrays(&format!("{uniforms} {write}")), 1);
    let two = "uniform vec4 others[8];
        void main() { vec4 mine[8] = params; if (at.x > 3) mine = others; color = mine[at.y & 7]; }";
    assert_eq!(local_arrays(&format!("{uniforms} {two}")), 1);
    let again = "void main() { vec4 mine[8] = params; vec4 other[8] = mine; mine[at.x & 7] = vec4(1.0);
        color = mine[at.y & 7] + other[at.y & 7]; }";
    assert_eq!(
        local_arrays(&format!("{uniforms} {again}")),
        2,
        "what is changed later is no copy, nor what came of it"
    );
}
