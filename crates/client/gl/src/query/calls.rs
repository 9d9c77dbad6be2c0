//! Commands of query objects (GL 4.6 §4.2, §10.9). Must not push records of another group.

use super::emit;
use super::state::{Conditional, Query};
use super::to_buffer::{Form, put_named};
use crate::abi::Values;
use crate::bounds::vertex_streams;
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::tokens as gl;
use crate::tracker::Verb;
use mgl_pipe::records::{QueryBegin, QueryCounter, QueryCreate, QueryEnd};
use mgl_pipe::tokens::QueryKind;
use std::sync::Arc;

/// Kind of a target, when this context has it.
fn kind(ctx: &Context, target: u32) -> GlResult<QueryKind> {
    let features = &ctx.instance.caps.features;
    Ok(match target {
        gl::SAMPLES_PASSED => QueryKind::SamplesPassed,
        gl::ANY_SAMPLES_PASSED => QueryKind::AnySamplesPassed,
        gl::ANY_SAMPLES_PASSED_CONSERVATIVE => QueryKind::AnySamplesPassedConservative,
        gl::PRIMITIVES_GENERATED => QueryKind::PrimitivesGenerated,
        gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN => QueryKind::XfbPrimitivesWritten,
        gl::TIME_ELAPSED if features.timer_query => QueryKind::TimeElapsed,
        gl::TRANSFORM_FEEDBACK_OVERFLOW if features.geometry_streams => QueryKind::XfbOverflow,
        gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW if features.geometry_streams => QueryKind::XfbStreamOverflow,
        _ if features.pipeline_statistics => return statistic(target),
        _ => return Err(GlError::invalid_enum("not a query target of this context")),
    })
}

/// Kinds of ARB_pipeline_statistics_query.
fn statistic(target: u32) -> GlResult<QueryKind> {
    Ok(match target {
        gl::VERTICES_SUBMITTED => QueryKind::VerticesSubmitted,
        gl::PRIMITIVES_SUBMITTED => QueryKind::PrimitivesSubmitted,
        gl::VERTEX_SHADER_INVOCATIONS => QueryKind::VertexInvocations,
        gl::TESS_CONTROL_SHADER_PATCHES => QueryKind::TessControlPatches,
        gl::TESS_EVALUATION_SHADER_INVOCATIONS => QueryKind::TessEvalInvocations,
        gl::GEOMETRY_SHADER_INVOCATIONS => QueryKind::GeometryInvocations,
        gl::GEOMETRY_SHADER_PRIMITIVES_EMITTED => QueryKind::GeometryPrimitives,
        gl::FRAGMENT_SHADER_INVOCATIONS => QueryKind::FragmentInvocations,
        gl::COMPUTE_SHADER_INVOCATIONS => QueryKind::ComputeInvocations,
        gl::CLIPPING_INPUT_PRIMITIVES => QueryKind::ClippingInput,
        gl::CLIPPING_OUTPUT_PRIMITIVES => QueryKind::ClippingOutput,
        _ => return Err(GlError::invalid_enum("not a query target of this context")),
    })
}

fn indexed(target: u32) -> bool {
    let streams = [gl::TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW];
    target == gl::PRIMITIVES_GENERATED || streams.contains(&target)
}

fn check_index(ctx: &Context, target: u32, index: u32) -> GlResult {
    let limit = if indexed(target) { vertex_streams(&ctx.instance.caps) } else { 1 };
    if index >= limit { Err(GlError::invalid_value("the target has fewer vertex streams")) } else { Ok(()) }
}

/// Occlusion targets share one active slot per context only with themselves.
fn lookup(ctx: &mut Context, id: u32) -> GlResult<Arc<Query>> {
    let instance = ctx.instance.clone();
    let made = if id == 0 { None } else { ctx.query.names.get_or_create(id, || Arc::new(Query::new(&instance))) };
    made.ok_or_else(|| GlError::invalid_operation("the name was not returned by glGenQueries"))
}

/// `glGenQueries`.
pub fn gen_queries(ctx: &mut Context, ids: &mut [u32]) -> GlResult {
    ids.iter_mut().for_each(|id| *id = ctx.query.names.reserve());
    Ok(())
}

/// `glCreateQueries`: the objects exist at once, with their target.
pub fn create_queries(ctx: &mut Context, target: u32, ids: &mut [u32]) -> GlResult {
    if target != gl::TIMESTAMP || !ctx.instance.caps.features.timer_query {
        kind(ctx, target)?;
    }
    for id in ids {
        let query = Query::new(&ctx.instance);
        query.inner().target = target;
        *id = ctx.query.names.create(Arc::new(query));
    }
    Ok(())
}

/// `glGetQueryBufferObject*`.
pub fn get_query_buffer_object(
    ctx: &mut Context,
    id: u32,
    buffer: u32,
    pname: u32,
    offset: isize,
    wide: bool,
    signed: bool,
) -> GlResult {
    put_named(ctx, id, buffer, pname, offset, Form { wide, signed })
}

/// `glDeleteQueries`: an active query is ended first.
pub fn delete_queries(ctx: &mut Context, ids: &[u32]) -> GlResult {
    for id in ids {
        if let Some((target, index, ..)) = ctx.query.active.iter().find(|a| a.2 == *id).cloned() {
            end_query_indexed(ctx, target, index)?;
        }
        ctx.query.names.delete(*id);
    }
    Ok(())
}

/// `glIsQuery`.
pub fn is_query(ctx: &mut Context, id: u32) -> GlResult<bool> {
    Ok(ctx.query.names.get(id).is_some())
}

/// `glBeginQuery`.
pub fn begin_query(ctx: &mut Context, target: u32, id: u32) -> GlResult {
    begin_query_indexed(ctx, target, 0, id)
}

/// `glBeginQueryIndexed`.
pub fn begin_query_indexed(ctx: &mut Context, target: u32, index: u32, id: u32) -> GlResult {
    let kind = kind(ctx, target)?;
    check_index(ctx, target, index)?;
    if ctx.query.active.iter().any(|a| a.0 == target && a.1 == index) {
        return Err(GlError::invalid_operation("a query of this target is already active"));
    }
    if ctx.query.active.iter().any(|a| a.2 == id) || ctx.query.conditional_uses(id) {
        return Err(GlError::invalid_operation("the query is already in use"));
    }
    let query = lookup(ctx, id)?;
    let known = query.inner().target;
    if known != 0 && known != target {
        return Err(GlError::invalid_operation("the query was made for another target"));
    }
    ctx.validate(Verb::Query)?;
    create(ctx, &query, target, kind, index)?;
    query.inner().active = true;
    query.inner().result = None;
    ctx.out.push(&QueryBegin { query: query.handle })?;
    ctx.query.active.push((target, index, id, query));
    Ok(())
}

fn create(ctx: &mut Context, query: &Query, target: u32, kind: QueryKind, stream: u32) -> GlResult {
    let created = query.inner().created;
    if !created {
        ctx.out.push(&QueryCreate { query: query.handle, kind, stream })?;
        query.inner().created = true;
        query.inner().target = target;
    }
    Ok(())
}

/// `glEndQuery`.
pub fn end_query(ctx: &mut Context, target: u32) -> GlResult {
    end_query_indexed(ctx, target, 0)
}

/// `glEndQueryIndexed`.
pub fn end_query_indexed(ctx: &mut Context, target: u32, index: u32) -> GlResult {
    kind(ctx, target)?;
    check_index(ctx, target, index)?;
    let at = ctx.query.active.iter().position(|a| a.0 == target && a.1 == index);
    let at = at.ok_or_else(|| GlError::invalid_operation("no query of this target is active"))?;
    let (.., query) = ctx.query.active.remove(at);
    query.inner().active = false;
    ctx.out.push(&QueryEnd { query: query.handle })?;
    Ok(())
}

/// `glQueryCounter`.
pub fn query_counter(ctx: &mut Context, id: u32, target: u32) -> GlResult {
    if target != gl::TIMESTAMP || !ctx.instance.caps.features.timer_query {
        return Err(GlError::invalid_enum("target is not GL_TIMESTAMP"));
    }
    let query = lookup(ctx, id)?;
    let inner = *query.inner();
    if inner.active || (inner.target != 0 && inner.target != target) {
        return Err(GlError::invalid_operation("the query is active or was made for another target"));
    }
    create(ctx, &query, target, QueryKind::Timestamp, 0)?;
    query.inner().result = None;
    ctx.out.push(&QueryCounter { query: query.handle })?;
    Ok(())
}

/// `glGetQueryiv`.
pub fn get_query(ctx: &mut Context, target: u32, pname: u32) -> GlResult<Values> {
    get_query_indexed(ctx, target, 0, pname)
}

/// `glGetQueryIndexediv`.
pub fn get_query_indexed(ctx: &mut Context, target: u32, index: u32, pname: u32) -> GlResult<Values> {
    if target != gl::TIMESTAMP {
        kind(ctx, target)?;
    }
    check_index(ctx, target, index)?;
    match pname {
        gl::CURRENT_QUERY => {
            let active = ctx.query.active.iter().find(|a| a.0 == target && a.1 == index);
            Ok(Values::int(active.map_or(0, |a| a.2)))
        }
        gl::QUERY_COUNTER_BITS => Ok(Values::int(match target {
            gl::TIMESTAMP | gl::TIME_ELAPSED => ctx.instance.caps.limits.timestamp_bits,
            gl::ANY_SAMPLES_PASSED | gl::ANY_SAMPLES_PASSED_CONSERVATIVE => 1,
            gl::TRANSFORM_FEEDBACK_OVERFLOW | gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW => 1,
            _ => 64,
        })),
        _ => Err(GlError::invalid_enum("not a query target parameter")),
    }
}

/// `glGetQueryObject*`.
pub fn get_query_object(ctx: &mut Context, id: u32, pname: u32) -> GlResult<Values> {
    // A lost context ignores what else was passed (GL 4.6 §2.3.2).
    if pname == gl::QUERY_RESULT_AVAILABLE && ctx.is_lost() {
        return Ok(Values::bool(true));
    }
    ctx.not_lost()?;
    let query = ctx.query.names.get(id).cloned();
    let query = query.ok_or_else(|| GlError::invalid_operation("no query has this name"))?;
    if query.inner().active {
        return Err(GlError::invalid_operation("the query is active"));
    }
    // Results above the signed range saturate in the 64-bit signed form (GL 4.6 §4.2.3).
    let value = |v: u64| Values::int(i64::try_from(v).unwrap_or(i64::MAX));
    match pname {
        gl::QUERY_RESULT => Ok(value(emit::result(ctx, &query, true)?.unwrap_or(0))),
        gl::QUERY_RESULT_AVAILABLE => Ok(Values::bool(emit::result(ctx, &query, false)?.is_some())),
        gl::QUERY_RESULT_NO_WAIT => match emit::result(ctx, &query, false)? {
            Some(v) => Ok(value(v)),
            None => Ok(Values::ints(&[])),
        },
        gl::QUERY_TARGET => Ok(Values::int(query.inner().target)),
        _ => Err(GlError::invalid_enum("not a query object parameter")),
    }
}

/// `glBeginConditionalRender`.
pub fn begin_conditional_render(ctx: &mut Context, id: u32, mode: u32) -> GlResult {
    let modes = [
        gl::QUERY_WAIT,
        gl::QUERY_NO_WAIT,
        gl::QUERY_BY_REGION_WAIT,
        gl::QUERY_BY_REGION_NO_WAIT,
        gl::QUERY_WAIT_INVERTED,
        gl::QUERY_NO_WAIT_INVERTED,
        gl::QUERY_BY_REGION_WAIT_INVERTED,
        gl::QUERY_BY_REGION_NO_WAIT_INVERTED,
    ];
    if !modes.contains(&mode) {
        return Err(GlError::invalid_enum("not a conditional render mode"));
    }
    if ctx.query.conditional.is_some() {
        return Err(GlError::invalid_operation("conditional rendering is already in progress"));
    }
    let query = ctx.query.names.get(id).cloned();
    let query = query.ok_or_else(|| GlError::invalid_value("no query has this name"))?;
    let inner = *query.inner();
    let conditions = [
        gl::SAMPLES_PASSED,
        gl::ANY_SAMPLES_PASSED,
        gl::ANY_SAMPLES_PASSED_CONSERVATIVE,
        gl::TRANSFORM_FEEDBACK_OVERFLOW,
        gl::TRANSFORM_FEEDBACK_STREAM_OVERFLOW,
    ];
    if inner.active || !conditions.contains(&inner.target) {
        return Err(GlError::invalid_operation("the query is active or counts neither samples nor overflows"));
    }
    ctx.query.conditional = Some(Conditional { query, mode, skip: None });
    Ok(())
}

/// `glEndConditionalRender`.
pub fn end_conditional_render(ctx: &mut Context) -> GlResult {
    match ctx.query.conditional.take() {
        Some(_) => Ok(()),
        None => Err(GlError::invalid_operation("conditional rendering is not in progress")),
    }
}

impl super::state::State {
    /// The query decides a conditional rendering that is in progress.
    fn conditional_uses(&self, id: u32) -> bool {
        let named = self.names.get(id);
        self.conditional.as_ref().is_some_and(|c| named.is_some_and(|q| Arc::ptr_eq(q, &c.query)))
    }
}
