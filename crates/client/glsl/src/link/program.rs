//! The steps of a link, in order: read, check, place, rewrite.
//! Must not hold a rule of its own beyond which stages go together.

use std::collections::HashSet;
use std::sync::Arc;

use rspirv::spirv::{BuiltIn, Decoration};

use super::stage::{Messages, StageIr};
use super::{
    LinkFailure, LinkRequest, Linked, blocks, capture, counters, endpoints, facts, limits, uniforms, varyings,
};
use crate::archive::{ProgramArchive, Stage};
use crate::frontend::StageCode;
use crate::lower::atomics::CounterHome;
use crate::lower::capture::{Capture, Source};
use crate::lower::default_block::LooseHome;
use crate::lower::groups::{self, Groups};
use crate::lower::io::IoHome;
use crate::lower::{
    LowerError, atomics, block_arrays, builtins, by_value, columns, default_block, doubles, io, opaque_types,
    per_vertex, precise, tables, tidy, trinary,
};
use mgl_spirv::Id;

/// Decisions about one stage.
#[derive(Default)]
struct Plan {
    loose: Vec<LooseHome>,
    blocks: Vec<blocks::BlockHome>,
    counters: Vec<CounterHome>,
    io: Vec<(Id, IoHome)>,
    captures: Vec<Capture>,
    /// Built-ins that stay in `gl_PerVertex`: of inputs, of outputs.
    keep: [HashSet<u32>; 2],
}

/// A stage, its code, and the program that it belongs to in a composite.
pub type Code = (Stage, Arc<StageCode>, Option<u32>);

/// Links stages that are each complete.
/// Of a composite each has the number of its program.
pub fn link(codes: Vec<Code>, request: &LinkRequest) -> Result<Linked, LinkFailure> {
    let mut messages = Messages::default();
    for (_, code, _) in &codes {
        for line in code.log.lines().filter(|l| l.starts_with("WARNING")) {
            messages.warning(line.trim_start_matches("WARNING:").trim());
        }
    }
    check_stages(&codes, request, &mut messages);
    messages.check()?;
    let stages: Result<Vec<StageIr>, LowerError> = codes.into_iter().map(read).collect();
    let stages = stages.map_err(|e| LinkFailure::new(format!("error: {e}\n")))?;
    let mut archive = ProgramArchive {
        stages: stages.iter().map(StageIr::bit).fold(0, |mask, bit| mask | bit),
        separable: request.separable,
        nameless: stages.iter().any(|s| s.code.spirv),
        ..ProgramArchive::default()
    };
    let plans = plan(&stages, request, &mut archive, &mut messages);
    limits::check(&archive, &request.limits, &mut messages);
    messages.check()?;
    let mut spirv: [Option<Vec<u32>>; 6] = std::array::from_fn(|_| None);
    for (stage, plan) in stages.into_iter().zip(plans) {
        let name = stage.stage.name();
        let at = stage.stage.index();
        let limits = &request.limits;
        let has = |stages: u32| stages & u32::from(stage.bit()) != 0;
        let (vote, ballot) = (has(limits.group_vote_stages), has(limits.group_ballot_stages));
        let groups = Groups { vote, ballot, size: limits.group_size };
        let words =
            rewrite(stage, &plan, groups).map_err(|e| LinkFailure::new(format!("error: {name} stage: {e}\n")))?;
        spirv[at] = Some(words);
    }
    Ok(Linked { spirv, archive, log: messages.text(), parts: Vec::new() })
}

fn read((stage, code, owner): Code) -> Result<StageIr, LowerError> {
    let mut stage = StageIr::new(stage, code)?;
    if let Some(owner) = owner {
        super::composite::make_private(&mut stage, owner);
    }
    Ok(stage)
}

/// Which stages may be linked together (GL 4.6 core §7.3, GLSL 4.60 §3.3).
fn check_stages(codes: &[Code], request: &LinkRequest, messages: &mut Messages) {
    let modules = codes.iter().filter(|(_, c, _)| c.spirv).count();
    if !request.composite && modules != 0 && modules != codes.len() {
        messages.error("shaders in SPIR-V and shaders in GLSL cannot be linked together");
    }
    let has = |stage| codes.iter().any(|(s, ..)| *s == stage);
    if has(Stage::Compute) && codes.len() > 1 {
        messages.error("a compute shader cannot be linked with shaders of other stages");
    }
    let upstream = [Stage::TessControl, Stage::TessEval, Stage::Geometry];
    if !request.separable && !has(Stage::Vertex) {
        for stage in upstream.into_iter().filter(|s| has(*s)) {
            messages.error(format!("a {} shader needs a vertex shader", stage.name()));
        }
    }
    if !request.separable && has(Stage::TessControl) && !has(Stage::TessEval) {
        messages.error("a tessellation control shader needs a tessellation evaluation shader");
    }
    if codes.iter().any(|(_, code, _)| code.unsized_group) {
        messages.error("the compute shader declares no work group size");
    }
    let es = codes.iter().filter(|(_, c, _)| c.es).count();
    let versions: HashSet<u32> = codes.iter().map(|(_, c, _)| c.version).collect();
    if !request.composite && es != 0 && (es != codes.len() || versions.len() > 1) {
        messages.error("shaders of different GLSL ES versions, or of GLSL and GLSL ES, cannot be linked together");
    }
}

fn plan(stages: &[StageIr], request: &LinkRequest, archive: &mut ProgramArchive, messages: &mut Messages) -> Vec<Plan> {
    let mut slots = super::slots::Slots::default();
    let loose = uniforms::place(stages, &request.limits, &mut slots, archive, messages);
    let blocks = blocks::place(stages, &request.limits, &mut slots, archive, messages);
    super::subroutines::record(stages, archive, messages);
    let counters = counters::place(stages, &mut slots, archive, messages);
    let last = stages.iter().rposition(|s| s.stage < Stage::Fragment);
    let mut captures = capture::resolve(last.map(|at| &stages[at]), request, archive, messages);
    let context =
        varyings::Context { limits: &request.limits, separable: request.separable, composite: request.composite };
    let mut io = varyings::place(stages, &context, &mut captures, messages);
    for (at, stage) in stages.iter().enumerate() {
        facts::record(stage, last == Some(at), archive, messages);
        ends(stages, at, request, &mut io[at], archive, messages);
    }
    if !request.composite {
        check_per_vertex(stages, request.separable, messages);
    }
    let keep = keep_members(stages, &captures);
    let mut plans: Vec<Plan> = loose
        .into_iter()
        .zip(blocks)
        .zip(counters)
        .zip(io)
        .zip(keep)
        .map(|((((loose, blocks), counters), io), keep)| Plan { loose, blocks, counters, io, keep, captures: vec![] })
        .collect();
    if let Some(at) = last {
        plans[at].captures = captures;
    }
    plans
}

/// The outer interfaces of the program.
fn ends(
    stages: &[StageIr],
    at: usize,
    request: &LinkRequest,
    homes: &mut Vec<(Id, IoHome)>,
    archive: &mut ProgramArchive,
    messages: &mut Messages,
) {
    let stage = &stages[at];
    if stage.stage == Stage::Vertex {
        homes.extend(endpoints::attributes(stage, request, archive, messages));
    } else if at == 0 {
        endpoints::list_open(stage, false, archive);
    }
    if stage.stage == Stage::Fragment {
        homes.extend(endpoints::fragment_outputs(stage, request, archive, messages));
    } else if at + 1 == stages.len() {
        endpoints::list_open(stage, true, archive);
    }
}

/// A redeclared `gl_PerVertex` must be redeclared alike by the stage that reads it (GLSL 4.60 §7.1.1).
fn check_per_vertex(stages: &[StageIr], separable: bool, messages: &mut Messages) {
    let declared = |stage: &StageIr, output: bool| {
        let mine =
            |b: &per_vertex::PerVertex| stage.io.iter().any(|v| v.id == b.variable && v.output == output && v.used);
        let block = per_vertex::find(&stage.ir).into_iter().find(mine)?;
        let all: HashSet<u32> = per_vertex::members(&stage.ir, block.block).into_iter().flatten().collect();
        // gl_CullDistance joined the default block with GLSL 4.50.
        let cull = BuiltIn::CullDistance as u32;
        let default = [BuiltIn::Position, BuiltIn::PointSize, BuiltIn::ClipDistance].map(|b| b as u32);
        let is_default = default.iter().all(|b| all.contains(b));
        Some(if is_default { all.into_iter().filter(|b| *b != cull).collect::<HashSet<u32>>() } else { all })
    };
    for pair in stages.windows(2) {
        // Between stages of a separable program the block has to be declared (ARB_separate_shader_objects).
        let implicit = |s: &StageIr| !s.code.per_vertex && !s.code.spirv && !s.code.es && s.code.version >= 150;
        if separable && (implicit(&pair[0]) || implicit(&pair[1])) && declared(&pair[1], false).is_some() {
            messages.error(format!(
                "the {} stage of a separable program reads gl_PerVertex, which it and the {} stage have to declare",
                pair[1].stage.name(),
                pair[0].stage.name()
            ));
        }
        if let (Some(out), Some(input)) = (declared(&pair[0], true), declared(&pair[1], false))
            && out != input
        {
            messages.error(format!(
                "gl_PerVertex is declared with different members in the {} and {} stages",
                pair[0].stage.name(),
                pair[1].stage.name()
            ));
        }
    }
}

/// `gl_PerVertex` of an output and of the next stage's input keep the same members: what either side uses.
fn keep_members(stages: &[StageIr], captures: &[Capture]) -> Vec<[HashSet<u32>; 2]> {
    let used = |stage: &StageIr, output: bool| {
        let blocks = per_vertex::find(&stage.ir);
        let mine = blocks.iter().filter(|b| stage.io.iter().any(|v| v.id == b.variable && v.output == output));
        mine.flat_map(|b| per_vertex::used_members(&stage.ir, &stage.uses, b)).collect::<HashSet<u32>>()
    };
    let mut keep: Vec<[HashSet<u32>; 2]> = stages.iter().map(|s| [used(s, false), used(s, true)]).collect();
    for at in 1..keep.len() {
        let both: HashSet<u32> = keep[at - 1][1].union(&keep[at][0]).copied().collect();
        keep[at - 1][1] = both.clone();
        keep[at][0] = both;
    }
    for sets in keep.iter_mut().flatten() {
        sets.insert(BuiltIn::Position as u32);
        sets.extend(captures.iter().filter_map(|c| if let Source::BuiltIn(b) = c.source { Some(b) } else { None }));
    }
    keep
}

fn rewrite(stage: StageIr, plan: &Plan, groups: Groups) -> Result<Vec<u32>, LowerError> {
    let mut ir = stage.ir;
    default_block::run(&mut ir, &plan.loose)?;
    atomics::run(&mut ir, &plan.counters)?;
    for home in &plan.blocks {
        ir.decorate(home.variable, Decoration::DescriptorSet, &[home.set]);
        ir.decorate(home.variable, Decoration::Binding, &[home.binding]);
    }
    block_arrays::run(&mut ir);
    io::apply(&mut ir, &plan.io)?;
    for block in per_vertex::find(&ir) {
        let output = stage.io.iter().any(|v| v.id == block.variable && v.output);
        per_vertex::trim(&mut ir, &block, &plan.keep[usize::from(output)]);
    }
    crate::lower::capture::run(&mut ir, &plan.captures)?;
    columns::run(&mut ir, &plan.io)?;
    builtins::run(&mut ir);
    groups::run(&mut ir, groups);
    trinary::run(&mut ir);
    opaque_types::run(&mut ir);
    doubles::run(&mut ir);
    precise::run(&mut ir);
    by_value::run(&mut ir);
    tables::run(&mut ir);
    tidy::run(&mut ir);
    io::list_interface(&mut ir);
    Ok(ir.finish())
}
