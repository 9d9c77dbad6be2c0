//! Which resources of a program are active, and which stages refer to them (GL 4.6 core §7.3.1).
//! Must not look at locations or layouts.

mod common;

use common::{FS, PLAIN_FS, VS, linked, linked_with, uniform};
use mgl_glsl::{LinkRequest, Linked, Stage, link};

fn names<'a>(list: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
    list.into_iter().map(String::as_str).collect()
}

fn separable(stage: Stage, source: &str) -> Linked {
    linked_with(&[(stage, source)], &LinkRequest { separable: true, ..LinkRequest::default() })
}

/// A program that sets every active uniform and enables every active attribute would do so for code that never runs.
#[test]
fn functions_that_are_not_called_use_nothing() {
    let vs = "#version 430\nin vec4 place; in vec4 never; uniform vec4 seen; uniform vec4 hidden; uniform sampler2D map;\n\
        buffer Words { uint word; };\n\
        float deeper() { return hidden.x + texture(map, vec2(0)).x; }\n\
        float uncalled() { word = 1u; return deeper() + never.x; }\n\
        float called() { return seen.x; }\n\
        void main() { gl_Position = place * called(); }";
    let program = linked(&[(VS, vs), (FS, PLAIN_FS)]);
    assert_eq!(names(program.archive.uniforms.iter().map(|u| &u.name)), ["seen"]);
    assert_eq!(names(program.archive.inputs.iter().map(|i| &i.name)), ["place"]);
    let blocks: Vec<_> = program.archive.storage_blocks.iter().map(|b| (b.name.as_str(), b.stages)).collect();
    assert_eq!(blocks, [("Words", 0)], "active by its layout, used by nobody");
}

/// A tool that shows what each stage reads would show every stage that declares a shared header.
#[test]
fn references_follow_use() {
    let block = "layout(std140) uniform Both { vec4 a; vec4 b[2]; vec4 nobody; } both[2];\n\
        struct Part { vec4 x; vec4 y; };\n\
        layout(std140) uniform Parts { Part parts[2]; };\n\
        layout(std430) buffer Store { Part list[2]; vec4 tail[]; } store;\n";
    let vs = format!(
        "#version 430\n{block}uniform int at;\nvoid main() {{ gl_Position = both[0].a + parts[1].x + store.list[at].y; }}"
    );
    let fs = format!(
        "#version 430\n{block}uniform int at;\nout vec4 c;\nvoid main() {{ c = both[1].b[at] + parts[1].y + store.tail[at]; }}"
    );
    let program = linked(&[(VS, &vs), (FS, &fs)]);
    let (v, f) = (VS.bit(), FS.bit());
    let stages = |name: &str| uniform(&program, name).stages;
    assert_eq!([stages("Both.a"), stages("Both.b[0]"), stages("Both.nobody")], [v, f, 0]);
    assert_eq!([stages("parts[0].x"), stages("parts[1].x"), stages("parts[1].y")], [0, v, f]);
    let blocks: Vec<_> = program.archive.uniform_blocks.iter().map(|b| (b.name.as_str(), b.stages)).collect();
    assert_eq!(blocks, [("Both[0]", v), ("Both[1]", f), ("Parts", v | f)]);
    let of = |name: &str| program.archive.buffer_variables.iter().find(|b| b.name == name).map(|b| b.stages);
    assert_eq!([of("Store.list[0].x"), of("Store.list[0].y"), of("Store.tail[0]")], [Some(0), Some(v), Some(f)]);
}

/// The stages of a pipeline would look as if they wrote point sizes and clip distances that they never write.
#[test]
fn members_of_interface_blocks_are_listed_by_use() {
    let vs = "#version 410\nout gl_PerVertex { vec4 gl_Position; float gl_PointSize; };\n\
        out Block { vec4 written; vec4 left; } block;\n\
        void main() { gl_Position = vec4(0); block.written = vec4(1); }";
    let program = separable(VS, vs);
    let outputs = names(program.archive.outputs.iter().map(|o| &o.name));
    assert_eq!(outputs.len(), 2, "{outputs:?}");
    assert!(outputs.contains(&"gl_Position") && outputs.contains(&"Block.written"), "{outputs:?}");
}

/// A program that binds every active counter buffer would bind one that nothing counts in.
#[test]
fn counter_buffers_without_counters_in_use_are_not_active() {
    let cs = "#version 430\nlayout(local_size_x = 1) in;\n\
        layout(binding = 1) uniform atomic_uint idle; layout(binding = 2) uniform atomic_uint busy;\n\
        void main() { atomicCounterIncrement(busy); }";
    let archive = linked(&[(Stage::Compute, cs)]).archive;
    let bindings: Vec<u32> = archive.atomic_buffers.iter().map(|b| b.binding).collect();
    assert_eq!(bindings, [2]);
    assert_eq!((archive.uniforms[0].name.as_str(), archive.uniforms[0].atomic_buffer), ("busy", 0));
}

/// A program that asks where a built-in goes would bind its own output there.
#[test]
fn built_in_outputs_have_no_location() {
    for (body, name) in [("gl_FragColor = vec4(1)", "gl_FragColor"), ("gl_FragData[1] = vec4(1)", "gl_FragData[0]")] {
        let fs = format!("#version 130\nvoid main() {{ {body}; }}");
        let vs = "#version 130\nin vec4 p;\nvoid main() { gl_Position = p; }";
        let program = link(&common::units(&[(VS, vs), (FS, &fs)]), &LinkRequest::default()).expect("links");
        let of: Vec<_> =
            program.archive.fragment_outputs.iter().map(|o| (o.name.as_str(), o.location, o.index)).collect();
        assert_eq!(of, [(name, -1, -1)]);
    }
}

/// A program that looks for an element of an array of arrays would not find it, or be told of a place that nothing has.
#[test]
fn arrays_of_arrays_have_an_entry_for_each_innermost_one() {
    let vs = "#version 430\nin vec4 grid[3][3]; in mat2 m[2];\nvoid main() { gl_Position = grid[1][2] + grid[0][0] + vec4(m[1][0], m[0][1]); }";
    let archive = linked(&[(VS, vs), (FS, PLAIN_FS)]).archive;
    let of =
        |name: &str| archive.inputs.iter().find(|i| i.name == name).map(|i| (i.array_size, i.location, i.locations));
    let (first, second, m) =
        (of("grid[0][0]").expect("there"), of("grid[1][0]").expect("there"), of("m[0]").expect("there"));
    assert_eq!((first.0, second.0, second.1 - first.1, first.2), (3, 3, 3, 3));
    assert_eq!((m.0, m.2, archive.inputs.len()), (2, 4, 3), "the last row of the grid is not active");
    let cs = "#version 410\nlayout(vertices = 3) out;\npatch out vec4 whole; out vec4 each[]; layout(location = 5) patch out vec4 here;\n\
        in gl_PerVertex { vec4 gl_Position; } gl_in[]; out gl_PerVertex { vec4 gl_Position; } gl_out[];\n\
        void main() { whole = here = each[gl_InvocationID] = gl_in[0].gl_Position; }";
    let outputs = separable(Stage::TessControl, cs).archive.outputs;
    let of = |name: &str| outputs.iter().find(|o| o.name == name).map(|o| (o.array_size, o.location, o.patch));
    assert_eq!(
        [of("whole"), of("each[0]"), of("here")],
        [Some((1, -1, true)), Some((3, -1, false)), Some((1, 5, true))]
    );
}
