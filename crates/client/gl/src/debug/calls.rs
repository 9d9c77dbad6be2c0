//! Commands of KHR_debug (GL 4.6 §20).

mod ext;

pub use ext::{get_object_label_ext, label_object};

use super::emit;
use super::state::{Group, LoggedMessage as Message, MAX_GROUPS, MAX_LABEL, MAX_LENGTH, Rule};
use crate::abi::{DebugSink, StrOut};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::share::lock;
use crate::tokens as gl;

pub use super::state::LoggedMessage;

/// `glDebugMessageCallback`.
pub fn debug_message_callback(ctx: &mut Context, callback: Option<Box<dyn DebugSink>>) -> GlResult {
    ctx.debug.sink = callback;
    Ok(())
}

fn is_source(token: u32) -> bool {
    (gl::DEBUG_SOURCE_API..=gl::DEBUG_SOURCE_OTHER).contains(&token)
}

fn is_kind(token: u32) -> bool {
    (gl::DEBUG_TYPE_ERROR..=gl::DEBUG_TYPE_OTHER).contains(&token)
        || (gl::DEBUG_TYPE_MARKER..=gl::DEBUG_TYPE_POP_GROUP).contains(&token)
}

fn is_severity(token: u32) -> bool {
    (gl::DEBUG_SEVERITY_HIGH..=gl::DEBUG_SEVERITY_LOW).contains(&token) || token == gl::DEBUG_SEVERITY_NOTIFICATION
}

/// `glDebugMessageControl`.
pub fn debug_message_control(
    ctx: &mut Context,
    source: u32,
    kind: u32,
    severity: u32,
    ids: &[u32],
    enabled: bool,
) -> GlResult {
    let any = gl::DONT_CARE;
    let legal = (source == any || is_source(source))
        && (kind == any || is_kind(kind))
        && (severity == any || is_severity(severity));
    if !legal {
        return Err(GlError::invalid_enum("source, type or severity is not a debug token"));
    }
    if !ids.is_empty() && (source == any || kind == any || severity != any) {
        return Err(GlError::invalid_operation("ids need a source and a type, and no severity"));
    }
    let rule = |id| Rule { source, kind, severity, id, enabled };
    if ids.is_empty() {
        ctx.debug.rules.push(rule(None));
    } else {
        ctx.debug.rules.extend(ids.iter().map(|id| rule(Some(*id))));
    }
    Ok(())
}

fn application(source: u32) -> GlResult {
    if matches!(source, gl::DEBUG_SOURCE_APPLICATION | gl::DEBUG_SOURCE_THIRD_PARTY) {
        return Ok(());
    }
    Err(GlError::invalid_enum("source is not the application or a third party"))
}

fn fits(text: &str) -> GlResult {
    if text.len() < MAX_LENGTH {
        Ok(())
    } else {
        Err(GlError::invalid_value("the message is longer than GL_MAX_DEBUG_MESSAGE_LENGTH"))
    }
}

/// `glDebugMessageInsert`.
pub fn debug_message_insert(ctx: &mut Context, source: u32, kind: u32, id: u32, severity: u32, text: &str) -> GlResult {
    application(source)?;
    if !is_kind(kind) || !is_severity(severity) {
        return Err(GlError::invalid_enum("type or severity is not a debug token"));
    }
    fits(text)?;
    emit::deliver(ctx, Message { source, kind, id, severity, text: text.to_owned() });
    Ok(())
}

/// Takes the oldest logged message out when its text and terminator fit `room` bytes (`None`: no limit).
pub fn next_debug_message(ctx: &mut Context, room: Option<usize>) -> Option<LoggedMessage> {
    let fits = ctx.debug.log.front().is_some_and(|m| room.is_none_or(|r| m.text.len() < r));
    if fits { ctx.debug.log.pop_front() } else { None }
}

/// `glPushDebugGroup`.
pub fn push_debug_group(ctx: &mut Context, source: u32, id: u32, text: &str) -> GlResult {
    application(source)?;
    fits(text)?;
    if ctx.debug.groups.len() + 1 >= MAX_GROUPS {
        return Err(stack_error(gl::STACK_OVERFLOW));
    }
    let severity = gl::DEBUG_SEVERITY_NOTIFICATION;
    let message = Message { source, kind: gl::DEBUG_TYPE_PUSH_GROUP, id, severity, text: text.to_owned() };
    emit::deliver(ctx, message.clone());
    let rules = ctx.debug.rules.len();
    ctx.debug.groups.push(Group { message, rules });
    Ok(())
}

fn stack_error(token: u32) -> GlError {
    let code =
        if token == gl::STACK_OVERFLOW { crate::ErrorCode::StackOverflow } else { crate::ErrorCode::StackUnderflow };
    GlError { code, what: "the stack of debug groups is full or empty".into() }
}

/// `glPopDebugGroup`: filters return to what they were at the push.
pub fn pop_debug_group(ctx: &mut Context) -> GlResult {
    let group = ctx.debug.groups.pop().ok_or_else(|| stack_error(gl::STACK_UNDERFLOW))?;
    ctx.debug.rules.truncate(group.rules);
    emit::deliver(ctx, Message { kind: gl::DEBUG_TYPE_POP_GROUP, ..group.message });
    Ok(())
}

/// True when an object of this kind and name exists.
fn exists(ctx: &Context, identifier: u32, name: u32) -> GlResult<bool> {
    let share = &ctx.share;
    Ok(match identifier {
        gl::BUFFER => lock(&share.buffers).get(name).is_some(),
        gl::TEXTURE => lock(&share.textures).get(name).is_some(),
        gl::RENDERBUFFER => lock(&share.renderbuffers).get(name).is_some(),
        gl::SAMPLER => lock(&share.samplers).get(name).is_some(),
        gl::SHADER => lock(&share.programs).get(name).is_some_and(|o| o.shader().is_some()),
        gl::PROGRAM => lock(&share.programs).get(name).is_some_and(|o| o.program().is_some()),
        gl::QUERY => ctx.query.names.get(name).is_some(),
        gl::TRANSFORM_FEEDBACK => ctx.xfb.names.get(name).is_some(),
        gl::PROGRAM_PIPELINE => ctx.pipeline.names.get(name).is_some(),
        gl::VERTEX_ARRAY => ctx.vertex_array.is_object(name),
        gl::FRAMEBUFFER => crate::framebuffer::query::exists(ctx, name),
        _ => return Err(GlError::invalid_enum("not an object kind")),
    })
}

fn set_label(ctx: &mut Context, key: (u32, u64), label: Option<&str>) -> GlResult {
    match label {
        Some(text) if text.len() >= MAX_LABEL => {
            return Err(GlError::invalid_value("the label is longer than GL_MAX_LABEL_LENGTH"));
        }
        Some(text) if !text.is_empty() => {
            ctx.debug.labels.insert(key, text.to_owned());
        }
        _ => {
            ctx.debug.labels.remove(&key);
        }
    }
    Ok(())
}

fn named(ctx: &Context, identifier: u32, name: u32) -> GlResult<(u32, u64)> {
    if exists(ctx, identifier, name)? {
        return Ok((identifier, u64::from(name)));
    }
    Err(GlError::invalid_value("no object of this kind has this name"))
}

/// `glObjectLabel`.
pub fn object_label(ctx: &mut Context, identifier: u32, name: u32, label: Option<&str>) -> GlResult {
    let key = named(ctx, identifier, name)?;
    set_label(ctx, key, label)
}

/// `glGetObjectLabel`.
pub fn get_object_label(ctx: &mut Context, identifier: u32, name: u32, label: &mut StrOut<'_>) -> GlResult {
    let key = named(ctx, identifier, name)?;
    label.put(ctx.debug.labels.get(&key).map_or("", String::as_str));
    Ok(())
}

fn sync(ctx: &Context, ptr: usize) -> GlResult<(u32, u64)> {
    let live = u32::try_from(ptr).is_ok_and(|name| lock(&ctx.share.syncs).get(name).is_some());
    if live { Ok((gl::SYNC_FENCE, ptr as u64)) } else { Err(GlError::invalid_value("not a sync object")) }
}

/// `glObjectPtrLabel`.
pub fn object_ptr_label(ctx: &mut Context, ptr: usize, label: Option<&str>) -> GlResult {
    let key = sync(ctx, ptr)?;
    set_label(ctx, key, label)
}

/// `glGetObjectPtrLabel`.
pub fn get_object_ptr_label(ctx: &mut Context, ptr: usize, label: &mut StrOut<'_>) -> GlResult {
    let key = sync(ctx, ptr)?;
    label.put(ctx.debug.labels.get(&key).map_or("", String::as_str));
    Ok(())
}

/// `glGetPointerv`.
pub fn get_pointer(ctx: &mut Context, pname: u32) -> GlResult<*mut u8> {
    let (function, user) = ctx.debug.sink.as_ref().map_or((0, 0), |s| s.pointers());
    match pname {
        gl::DEBUG_CALLBACK_FUNCTION => Ok(std::ptr::without_provenance_mut(function)),
        gl::DEBUG_CALLBACK_USER_PARAM => Ok(std::ptr::without_provenance_mut(user)),
        _ => Err(GlError::invalid_enum("not a pointer query")),
    }
}
