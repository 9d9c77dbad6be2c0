//! Commands of this group. Must not push records of another group.

use crate::abi::{Params, Values};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::names::first_of;
use crate::sampler::params::SamplerParams;
use crate::sampler::state::Sampler;
use crate::share::lock;
use crate::tracker::Dirty;
use mgl_base::limits::MAX_TEXTURE_UNITS;
use std::sync::Arc;

/// `glGenSamplers`: the objects exist at once (GL 4.6 §8.2).
pub fn gen_samplers(ctx: &mut Context, samplers: &mut [u32]) -> GlResult {
    let mut table = lock(&ctx.share.samplers);
    for name in samplers {
        *name = table.reserve();
        table.get_or_create(*name, || Sampler::new(*name));
    }
    Ok(())
}

/// `glDeleteSamplers`.
pub fn delete_samplers(ctx: &mut Context, samplers: &[u32]) -> GlResult {
    for &name in samplers {
        let Some(object) = lock(&ctx.share.samplers).delete(name) else { continue };
        for unit in &mut ctx.texture.units {
            if unit.sampler.as_ref().is_some_and(|s| Arc::ptr_eq(s, &object)) {
                unit.sampler = None;
                ctx.dirty |= Dirty::TEXTURES;
            }
        }
    }
    Ok(())
}

/// `glIsSampler`.
pub fn is_sampler(ctx: &mut Context, sampler: u32) -> GlResult<bool> {
    Ok(lock(&ctx.share.samplers).get(sampler).is_some())
}

fn find(ctx: &Context, name: u32) -> GlResult<Arc<Sampler>> {
    lock(&ctx.share.samplers)
        .get(name)
        .cloned()
        .ok_or_else(|| GlError::invalid_operation(format!("{name} is not a sampler object")))
}

/// `glBindSampler`.
pub fn bind_sampler(ctx: &mut Context, unit: u32, sampler: u32) -> GlResult {
    if unit as usize >= MAX_TEXTURE_UNITS {
        return Err(GlError::invalid_value(format!("texture unit {unit} does not exist")));
    }
    let object = if sampler == 0 { None } else { Some(find(ctx, sampler)?) };
    ctx.texture.units[unit as usize].sampler = object;
    ctx.dirty |= Dirty::TEXTURES;
    Ok(())
}

/// `glBindSamplers` (ARB_multi_bind).
pub fn bind_samplers(ctx: &mut Context, first: u32, count: i32, samplers: Option<&[u32]>) -> GlResult {
    let mut result = Ok(());
    for (at, unit) in first_of(first, count, MAX_TEXTURE_UNITS)?.enumerate() {
        let name = samplers.and_then(|list| list.get(at)).copied().unwrap_or(0);
        match if name == 0 { Ok(None) } else { find(ctx, name).map(Some) } {
            Ok(sampler) => ctx.texture.units[unit].sampler = sampler,
            Err(error) => result = result.and(Err(error)),
        }
    }
    ctx.dirty |= Dirty::TEXTURES;
    result
}

/// `glSamplerParameter*`.
pub fn sampler_parameter(ctx: &mut Context, sampler: u32, pname: u32, params: Params<'_>) -> GlResult {
    let object = find(ctx, sampler)?;
    let unknown = || GlError::invalid_enum(format!("0x{pname:04X} is not a sampler parameter"));
    if !SamplerParams::offered(pname, &ctx.instance.caps.features) {
        return Err(unknown());
    }
    {
        let mut now = object.params();
        let before = *now;
        now.set(pname, params, false).ok_or_else(unknown)??;
        if *now == before {
            return Ok(());
        }
    }
    object.touch();
    ctx.share.texture_shape.bump();
    ctx.dirty |= Dirty::TEXTURES;
    Ok(())
}

fn parameter(ctx: &Context, sampler: u32, pname: u32, pure: bool) -> GlResult<Values> {
    let object = find(ctx, sampler)?;
    let offered = SamplerParams::offered(pname, &ctx.instance.caps.features);
    let value = object.params().get(pname, pure).filter(|_| offered);
    value.ok_or_else(|| GlError::invalid_enum(format!("0x{pname:04X} is not a sampler parameter")))
}

/// `glGetSamplerParameterfv`, `glGetSamplerParameteriv`.
pub fn get_sampler_parameter(ctx: &mut Context, sampler: u32, pname: u32) -> GlResult<Values> {
    parameter(ctx, sampler, pname, false)
}

/// `glGetSamplerParameterIiv`, `glGetSamplerParameterIuiv`.
pub fn get_sampler_parameter_i(ctx: &mut Context, sampler: u32, pname: u32) -> GlResult<Values> {
    parameter(ctx, sampler, pname, true)
}
