//! Polygons as lines or points on drivers without polygon modes: a geometry stage that draws the edges or corners of each
//! triangle, and drops culled ones (GL 4.6 §14.6.4). Must not know draws: the variant says what is drawn how.

use super::{EsFacts, EsslError, POINT_SIZE, Wire, interface};
use mgl_pipe::archive::Stage;
use mgl_spirv::{Id, Ir, id_at, lit_at};
use rspirv::spirv::{Decoration, Op, StorageClass};
use std::fmt::Write;

/// One varying that passes through.
struct Pass {
    name: String,
    ty: String,
    qualifiers: &'static str,
}

/// The text of the stage, for programs whose stages are matched already; the fragment stage reads from it afterwards.
/// `blocks` are declarations of built-in blocks; `distances` is the number of clip distances.
pub fn insert(
    stages: &mut [(Stage, Ir)],
    wire: Wire,
    facts: &EsFacts,
    (block, distances): (Option<String>, u32),
    point_size_uniform: bool,
) -> Result<String, EsslError> {
    let Some((_, fragment)) = stages.iter_mut().find(|(s, _)| *s == Stage::Fragment) else {
        return Ok(text(&[], wire, facts, (block, distances), point_size_uniform));
    };
    let mut passes = Vec::new();
    for variable in fragment.variables_of(StorageClass::Input) {
        let name = fragment.name(variable).to_owned();
        let Some((_, ty)) = fragment.variable_type(variable).filter(|_| !name.is_empty()) else { continue };
        let ty = spell(fragment, ty).ok_or(EsslError::Unsupported("PolygonMode"))?;
        let has = |d| fragment.has_deco(variable, d);
        let qualifiers = match (has(Decoration::Flat), has(Decoration::NoPerspective), has(Decoration::Centroid)) {
            (true, ..) => "flat ",
            (_, true, _) => "noperspective ",
            (.., true) => "centroid ",
            _ => "",
        };
        interface::rename(fragment, variable, &through(&name));
        passes.push(Pass { name, ty, qualifiers });
    }
    Ok(text(&passes, wire, facts, (block, distances), point_size_uniform))
}

/// The name behind the stage.
fn through(name: &str) -> String {
    format!("w{name}")
}

/// A type that may be an array element of an input: scalars, vectors, matrices.
fn spell(ir: &Ir, ty: Id) -> Option<String> {
    let inst = ir.global(ty)?;
    if inst.class.opcode == Op::TypeMatrix {
        let rows = ir.vector_of(id_at(inst, 0)?)?.1;
        return Some(format!("mat{}x{rows}", lit_at(inst, 1)?));
    }
    let (scalar, n) = ir.vector_of(ty)?;
    let inst = ir.global(scalar)?;
    let (one, many) = match (inst.class.opcode, lit_at(inst, 1)) {
        (Op::TypeFloat, _) => ("float", "vec"),
        (Op::TypeInt, Some(1)) => ("int", "ivec"),
        (Op::TypeInt, _) => ("uint", "uvec"),
        _ => return None,
    };
    Some(if n == 1 { one.into() } else { format!("{many}{n}") })
}

fn text(
    passes: &[Pass],
    wire: Wire,
    facts: &EsFacts,
    (block, distances): (Option<String>, u32),
    point_size_uniform: bool,
) -> String {
    let mut out = format!("#version {} es\n", facts.version);
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    if wire.points() {
        line("#extension GL_EXT_geometry_point_size : require");
    }
    if distances > 0 {
        line("#extension GL_EXT_clip_cull_distance : require");
    }
    if passes.iter().any(|p| p.qualifiers.starts_with("noperspective")) {
        line("#extension GL_NV_shader_noperspective_interpolation : require");
    }
    if let Some(block) = block {
        line(&block);
    }
    let (input, vertices) = if wire.adjacency() { ("triangles_adjacency", 6) } else { ("triangles", 3) };
    line(&format!("layout({input}) in;"));
    line(if wire.points() {
        "layout(points, max_vertices = 3) out;"
    } else {
        "layout(line_strip, max_vertices = 4) out;"
    });
    if distances > 0 {
        line(&format!("out highp float gl_ClipDistance[{distances}];"));
    }
    if wire.points() && point_size_uniform {
        line(&format!("uniform float {POINT_SIZE};"));
    }
    for p in passes {
        line(&format!("{}in {} {}[{vertices}];", p.qualifiers, p.ty, p.name));
        line(&format!("{}out {} {};", p.qualifiers, p.ty, through(&p.name)));
    }
    out.push_str(&body(passes, wire, distances, point_size_uniform));
    out
}

/// Corner `n` of the triangle, and the triangle.
fn body(passes: &[Pass], wire: Wire, distances: u32, point_size_uniform: bool) -> String {
    let step = if wire.adjacency() { 2 } else { 1 };
    let provoking = if wire.first() { 0 } else { 2 * step };
    let mut out = String::from("void corner(int n)\n{\n    gl_Position = gl_in[n].gl_Position;\n");
    // Writing into a string cannot fail.
    for p in passes {
        // Every edge has the flat values of the polygon.
        let from = if p.qualifiers == "flat " { provoking.to_string() } else { "n".into() };
        let _ = writeln!(out, "    {} = {}[{from}];", through(&p.name), p.name);
    }
    if distances > 0 {
        let copy = "gl_ClipDistance[i] = gl_in[n].gl_ClipDistance[i];";
        let _ = writeln!(out, "    for (int i = 0; i < {distances}; i++)\n        {copy}");
    }
    if wire.points() {
        let size = if point_size_uniform { POINT_SIZE } else { "gl_in[n].gl_PointSize" };
        let _ = writeln!(out, "    gl_PointSize = {size};");
    }
    out.push_str("    gl_PrimitiveID = gl_PrimitiveIDIn;\n    EmitVertex();\n}\nvoid main()\n{\n");
    if wire.culls() {
        let p = |n: i32| format!("gl_in[{}].gl_Position.xyw", n * step);
        let _ = writeln!(out, "    float area = determinant(mat3({}, {}, {}));", p(0), p(1), p(2));
        let _ = writeln!(out, "    bool front = area {} 0.0;", if wire.clockwise() { "<" } else { ">" });
        let _ = writeln!(out, "    if ({}) return;", wire.dropped("front"));
    }
    let corners: &[i32] = if wire.points() { &[0, 1, 2] } else { &[0, 1, 2, 0] };
    for n in corners {
        let _ = writeln!(out, "    corner({});", n * step);
    }
    out.push_str("}\n");
    out
}
