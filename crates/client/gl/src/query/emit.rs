//! What other groups ask of this one before a verb, and how results are read. Must not be called from setters.

use super::state::{Inner, Query};
use crate::context::Context;
use crate::error::GlResult;
use crate::out::Answer;
use crate::tokens::{
    ANY_SAMPLES_PASSED, ANY_SAMPLES_PASSED_CONSERVATIVE, QUERY_BY_REGION_NO_WAIT, QUERY_BY_REGION_NO_WAIT_INVERTED,
    QUERY_BY_REGION_WAIT_INVERTED, QUERY_NO_WAIT, QUERY_NO_WAIT_INVERTED, QUERY_WAIT_INVERTED, TIMESTAMP,
};
use mgl_pipe::Bool8;
use mgl_pipe::records::{QueryCounter, QueryCreate, QueryResult};
use mgl_pipe::tokens::QueryKind;

/// The result of an ended query; `None` while it is pending and `wait` is false. A lost session answers zero
/// (spec 06b §9).
pub(crate) fn result(ctx: &mut Context, query: &Query, wait: bool) -> GlResult<Option<u64>> {
    let inner = *query.inner();
    if let Some(value) = inner.result {
        return Ok(Some(value));
    }
    if !inner.created || ctx.is_lost() {
        return Ok(Some(0));
    }
    let mut bytes = [0u8; 8];
    let ask = QueryResult { query: query.handle, wait: Bool8::new(wait), ..Default::default() };
    let Answer::Ok(_) = ctx.out.ask(&ask, &mut bytes)? else { return Ok(wait.then_some(0)) };
    let mut value = u64::from_le_bytes(bytes);
    if matches!(inner.target, ANY_SAMPLES_PASSED | ANY_SAMPLES_PASSED_CONSERVATIVE) {
        value = u64::from(value != 0);
    }
    query.inner().result = Some(value);
    Ok(Some(value))
}

/// The device's time in nanoseconds, after what was given to it so far (`glGetInteger64v(GL_TIMESTAMP)`, GL 4.6 §4.3).
pub(crate) fn timestamp(ctx: &mut Context) -> GlResult<u64> {
    let query = Query::new(&ctx.instance);
    ctx.out.push(&QueryCreate { query: query.handle, kind: QueryKind::Timestamp, stream: 0 })?;
    *query.inner() = Inner { target: TIMESTAMP, created: true, ..Inner::default() };
    ctx.out.push(&QueryCounter { query: query.handle })?;
    Ok(result(ctx, &query, true)?.unwrap_or(0))
}

/// True when conditional rendering discards the commands that follow (GL 4.6 §10.9). The result is read once per
/// begin; the non-waiting modes draw while it is pending.
pub(crate) fn conditional_skip(ctx: &mut Context) -> bool {
    let Some(conditional) = ctx.query.conditional.clone() else { return false };
    if let Some(skip) = conditional.skip {
        return skip;
    }
    let mode = conditional.mode;
    let no_wait = [QUERY_NO_WAIT, QUERY_BY_REGION_NO_WAIT, QUERY_NO_WAIT_INVERTED, QUERY_BY_REGION_NO_WAIT_INVERTED];
    let inverted =
        [QUERY_WAIT_INVERTED, QUERY_NO_WAIT_INVERTED, QUERY_BY_REGION_WAIT_INVERTED, QUERY_BY_REGION_NO_WAIT_INVERTED];
    let Ok(Some(value)) = result(ctx, &conditional.query, !no_wait.contains(&mode)) else { return false };
    let skip = (value == 0) != inverted.contains(&mode);
    if let Some(active) = &mut ctx.query.conditional {
        active.skip = Some(skip);
    }
    skip
}
