//! What the server must have of this group at a verb, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent or remembered per slot.

use super::target::Target;
use crate::context::Context;
use crate::error::GlResult;
use crate::program::state::TextureSlot;
use crate::sampler::params::SamplerParams;
use crate::tracker::Dirty;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::{CreateSamplerState, CreateSamplerView, SetTextureParams};

#[derive(Default)]
struct Slot {
    view: CreateSamplerView,
    sampler: CreateSamplerState,
    params: Option<SetTextureParams>,
}

/// Views, texture parameters and sampler states by texture slot.
pub(crate) fn expect(ctx: &mut Context, to: &mut Writer, reads: Dirty) -> GlResult {
    let Some(bindings) = crate::program::expect::bindings(ctx).filter(|_| reads.contains(Dirty::TEXTURES)) else {
        return Ok(());
    };
    let slots: Vec<Slot> =
        bindings.textures.iter().map(|s| s.map_or_else(Slot::default, |s| texture_slot(ctx, &s))).collect();
    to.put(Part::Views, &slots.iter().map(|s| s.view).collect::<Vec<_>>());
    to.put(Part::Samplers, &slots.iter().map(|s| s.sampler).collect::<Vec<_>>());
    to.put(Part::TextureParams, &slots.iter().filter_map(|s| s.params).collect::<Vec<_>>());
    Ok(())
}

fn texture_slot(ctx: &mut Context, slot: &TextureSlot) -> Slot {
    let Some(target) = Target::from_wire(slot.target) else { return Slot::default() };
    let tex = ctx.unit_texture(slot.unit as usize, target);
    let body = tex.body();
    let object = ctx.texture.units.get(slot.unit as usize).and_then(|u| u.sampler.as_ref());
    let mut sampled = if target.multisampled() || target == Target::Buffer {
        SamplerParams::new(true)
    } else {
        object.map_or(body.params.sampler, |s| *s.params())
    };
    body.drop_comparison(&mut sampled);
    let sampler = sampled.key(ctx.render_state.client.cube_map_seamless);
    if !body.complete(&sampled) || body.sampled_as_integer() != slot.integer {
        return Slot { sampler, ..Slot::default() };
    }
    let view = CreateSamplerView {
        cso: tex.view,
        texture: tex.handle,
        target: target.wire(),
        num_levels: u16::MAX,
        num_layers: u16::MAX,
        ..Default::default()
    };
    Slot { view, sampler, params: Some(super::emit::params_of(&tex, &body)) }
}
