//! Facts of single stages that the archive carries: execution modes and built-ins in use.
//! Must not know what they are for.

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, ExecutionMode, Op, StorageClass};

use super::stage::{Messages, StageIr};
use crate::archive::{ComputeFacts, GeometryFacts, ProgramArchive, Stage, TessControlFacts, TessEvalFacts};
use crate::frontend::STREAMS;
use crate::lower::per_vertex;
use crate::lower::ty::Ty;
use mgl_spirv::lit_at;

/// The stream of every vertex that a geometry stage emits, as the shader says.
fn emitted_streams(stage: &StageIr) -> impl Iterator<Item = u32> + '_ {
    stage.ir.body().filter_map(|inst| match inst.class.opcode {
        Op::EmitVertex => Some(0),
        Op::EmitStreamVertex => mgl_spirv::id_at(inst, 0).and_then(|s| stage.ir.const_value(s)),
        _ => None,
    })
}

/// Fills in the facts of `stage`; `last` when it is the last one before rasterisation.
pub fn record(stage: &StageIr, last: bool, archive: &mut ProgramArchive, messages: &mut Messages) {
    match stage.stage {
        Stage::TessControl => {
            archive.tess_control =
                Some(TessControlFacts { output_vertices: value(stage, ExecutionMode::OutputVertices).unwrap_or(0) });
        }
        Stage::TessEval => archive.tess_eval = Some(tess_eval(stage)),
        Stage::Geometry => {
            let facts = geometry(stage);
            // Only points can go to several streams (GLSL 4.60 §8.13).
            if facts.streams & !1 != 0 && facts.output_primitive != 0 {
                messages.error("a geometry shader that emits to other streams than 0 must output points");
            }
            if let Some(stream) = emitted_streams(stage).find(|stream| *stream >= STREAMS) {
                let stream = stream.cast_signed();
                messages.error(format!("vertex stream {stream} is not between 0 and {}", STREAMS - 1));
            }
            archive.geometry = Some(facts);
        }
        Stage::Compute => archive.compute = Some(compute(stage)),
        Stage::Fragment => fragment(stage, archive),
        Stage::Vertex => {}
    }
    if last {
        last_vertex_stage(stage, archive);
    }
    let reads = |b| reads(stage, b);
    archive.flags.draw_parameters |=
        reads(BuiltIn::BaseVertex) || reads(BuiltIn::BaseInstance) || reads(BuiltIn::DrawIndex);
    archive.flags.instance_id |= reads(BuiltIn::InstanceId);
    archive.flags.writes_memory |= writes_memory(stage);
}

fn modes(stage: &StageIr) -> impl Iterator<Item = (ExecutionMode, &rspirv::dr::Instruction)> {
    stage.ir.module.execution_modes.iter().filter_map(|i| match i.operands.get(1) {
        Some(Operand::ExecutionMode(mode)) => Some((*mode, i)),
        _ => None,
    })
}

fn has(stage: &StageIr, mode: ExecutionMode) -> bool {
    modes(stage).any(|(m, _)| m == mode)
}

fn value(stage: &StageIr, mode: ExecutionMode) -> Option<u32> {
    modes(stage).find(|(m, _)| *m == mode).and_then(|(_, i)| lit_at(i, 2))
}

/// The GL token of the first mode in `table` that the stage declares.
fn token(stage: &StageIr, table: &[(ExecutionMode, u32)], default: u32) -> u32 {
    table.iter().find(|(mode, _)| has(stage, *mode)).map_or(default, |(_, token)| *token)
}

fn tess_eval(stage: &StageIr) -> TessEvalFacts {
    use ExecutionMode as M;
    TessEvalFacts {
        primitive: token(stage, &[(M::Triangles, 0x0004), (M::Quads, 0x0007), (M::Isolines, 0x8E7A)], 0x0004),
        spacing: token(stage, &[(M::SpacingFractionalEven, 0x8E7C), (M::SpacingFractionalOdd, 0x8E7B)], 0x0202),
        vertex_order: token(stage, &[(M::VertexOrderCw, 0x0900)], 0x0901),
        point_mode: has(stage, M::PointMode),
    }
}

fn geometry(stage: &StageIr) -> GeometryFacts {
    use ExecutionMode as M;
    let inputs = [
        (M::InputPoints, 0x0000),
        (M::InputLines, 0x0001),
        (M::InputLinesAdjacency, 0x000A),
        (M::Triangles, 0x0004),
        (M::InputTrianglesAdjacency, 0x000C),
    ];
    let outputs = [(M::OutputPoints, 0x0000), (M::OutputLineStrip, 0x0003), (M::OutputTriangleStrip, 0x0005)];
    let streams = emitted_streams(stage).fold(0, |all, stream| all | 1 << stream.min(STREAMS - 1));
    GeometryFacts {
        input_primitive: token(stage, &inputs, 0x0004),
        output_primitive: token(stage, &outputs, 0x0005),
        max_vertices: value(stage, M::OutputVertices).unwrap_or(0),
        invocations: value(stage, M::Invocations).unwrap_or(1),
        streams,
    }
}

fn compute(stage: &StageIr) -> ComputeFacts {
    let inst = modes(stage).find(|(m, _)| *m == ExecutionMode::LocalSize).map(|(_, i)| i);
    let size = |at| inst.and_then(|i| lit_at(i, at)).unwrap_or(1);
    let shared = |v: u32| match stage.ir.variable_type(v) {
        Some((StorageClass::Workgroup, ty)) => Ty::read(&stage.ir, ty).map_or(0, |t| t.components().saturating_mul(4)),
        _ => 0,
    };
    ComputeFacts {
        local_size: [size(2), size(3), size(4)],
        shared_size: stage.ir.variables().into_iter().map(shared).fold(0, u32::saturating_add),
    }
}

fn reads(stage: &StageIr, builtin: BuiltIn) -> bool {
    stage.io.iter().any(|v| !v.output && v.used && v.builtin == Some(builtin as u32))
}

fn writes(stage: &StageIr, builtin: BuiltIn) -> bool {
    stage.io.iter().any(|v| v.output && v.used && v.builtin == Some(builtin as u32))
}

fn fragment(stage: &StageIr, archive: &mut ProgramArchive) {
    let flags = &mut archive.flags;
    flags.reads_point_coord = reads(stage, BuiltIn::PointCoord);
    flags.writes_depth = writes(stage, BuiltIn::FragDepth);
    flags.writes_stencil = writes(stage, BuiltIn::FragStencilRefEXT);
    flags.writes_sample_mask = writes(stage, BuiltIn::SampleMask);
    flags.early_fragment_tests = has(stage, ExecutionMode::EarlyFragmentTests);
    let sample_in = stage.io.iter().any(|v| !v.output && v.used && v.interpolation.iter().any(|i| i.sample));
    flags.per_sample = sample_in || reads(stage, BuiltIn::SampleId) || reads(stage, BuiltIn::SamplePosition);
    let kills = [Op::Kill, Op::TerminateInvocation, Op::DemoteToHelperInvocation];
    flags.discards = stage.ir.body().any(|i| kills.contains(&i.class.opcode));
}

fn last_vertex_stage(stage: &StageIr, archive: &mut ProgramArchive) {
    let mut used = Vec::new();
    let mut distances = |builtin: BuiltIn| {
        let mut count = 0;
        for block in per_vertex::find(&stage.ir) {
            let Some(var) = stage.io.iter().find(|v| v.id == block.variable && v.output) else { continue };
            let members = per_vertex::used_members(&stage.ir, &stage.uses, &block);
            let at = per_vertex::members(&stage.ir, block.block).iter().position(|b| *b == Some(builtin as u32));
            if let (true, Some(at), Ty::Struct(s)) = (members.contains(&(builtin as u32)), at, &var.ty) {
                count = s.members.get(at).map_or(1, |m| m.ty.locations());
            }
            used.extend(members);
        }
        u8::try_from(count).unwrap_or(8)
    };
    archive.flags.clip_distances = distances(BuiltIn::ClipDistance);
    archive.flags.cull_distances = distances(BuiltIn::CullDistance);
    let in_block = |b: BuiltIn| used.contains(&(b as u32));
    archive.flags.writes_point_size = in_block(BuiltIn::PointSize) || writes(stage, BuiltIn::PointSize);
    archive.flags.writes_layer = in_block(BuiltIn::Layer) || writes(stage, BuiltIn::Layer);
    archive.flags.writes_viewport_index = in_block(BuiltIn::ViewportIndex) || writes(stage, BuiltIn::ViewportIndex);
}

fn writes_memory(stage: &StageIr) -> bool {
    let to_memory = |v: u32| {
        matches!(stage.ir.variable_type(v), Some((StorageClass::StorageBuffer | StorageClass::AtomicCounter, _)))
            && stage.uses.is_written(v)
    };
    let images = [Op::ImageWrite, Op::ImageTexelPointer];
    stage.ir.variables().into_iter().any(to_memory) || stage.ir.body().any(|i| images.contains(&i.class.opcode))
}
