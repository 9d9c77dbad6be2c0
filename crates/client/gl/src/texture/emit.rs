//! What this group pushes before a verb: parameters, views and sampler states by texture slot of the verb's program
//! (spec 04 §4, §8). Must not be called from setters.

use super::object::{Body, Texture};
use super::state::SlotMemo;
use super::store;
use super::target::Target;
use crate::context::Context;
use crate::error::GlResult;
use crate::out::{Lost, Out};
use crate::program::state::TextureSlot;
use crate::tokens as gl;
use mgl_base::Handle;
use mgl_base::handle::SamplerCso;
use mgl_pipe::records::{BindSamplerStates, BoundView, CreateSamplerView, SetSamplerViews, SetTextureParams};
use mgl_pipe::tokens::{DepthStencilMode, Swizzle};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use zerocopy::IntoBytes;

fn swizzle(token: u32) -> Swizzle {
    match token {
        gl::RED => Swizzle::Red,
        gl::GREEN => Swizzle::Green,
        gl::BLUE => Swizzle::Blue,
        gl::ALPHA => Swizzle::Alpha,
        gl::ZERO => Swizzle::Zero,
        _ => Swizzle::One,
    }
}

/// The parameters of a texture as the server must have them.
pub(super) fn params_of(tex: &Texture, body: &Body) -> SetTextureParams {
    let p = &body.params;
    let stencil = p.depth_stencil_mode == gl::STENCIL_INDEX;
    SetTextureParams {
        texture: tex.handle,
        base_level: body.base().min(u32::from(u16::MAX)) as u16,
        max_level: p.max_level.min(u32::from(u16::MAX)) as u16,
        swizzle: p.swizzle.map(swizzle),
        depth_stencil_mode: if stencil { DepthStencilMode::Stencil } else { DepthStencilMode::Depth },
        ..Default::default()
    }
}

/// Forgets what suppresses records, the parameters of the textures in use included.
pub(crate) fn forget(ctx: &mut Context) {
    ctx.texture.memo.clear();
    ctx.texture.sent_views.clear();
    ctx.texture.sent_samplers.clear();
    // A lost session shows at the next record.
    let _ = ctx.sampler.cache.evict_all(&mut ctx.out);
    let Some(bindings) = ctx.program.bindings.clone() else { return };
    for slot in bindings.textures.iter().flatten() {
        if let Some(target) = Target::from_wire(slot.target) {
            ctx.unit_texture(slot.unit as usize, target).body().params_dirty = true;
        }
    }
}

/// Pushes the parameters of a texture, if they changed.
fn push_params(out: &mut Out, tex: &Texture, body: &mut Body) -> Result<(), Lost> {
    if !std::mem::take(&mut body.params_dirty) {
        return Ok(());
    }
    out.writes(&tex.last_write)?;
    out.push(&params_of(tex, body))?;
    store::wrote(out, tex);
    Ok(())
}

fn push_view(out: &mut Out, tex: &Texture) -> Result<(), Lost> {
    if tex.view_crossed.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    out.push(&CreateSamplerView {
        cso: tex.view,
        texture: tex.handle,
        target: tex.target.wire(),
        num_levels: u16::MAX,
        num_layers: u16::MAX,
        ..Default::default()
    })?;
    store::wrote(out, tex);
    Ok(())
}

/// Resolves a slot anew: completeness, storage, parameters, view, sampler state.
fn resolve(ctx: &mut Context, slot: &TextureSlot, tex: &Arc<Texture>) -> Result<(BoundView, Handle<SamplerCso>), Lost> {
    let mut body = tex.body();
    let object = ctx.texture.units.get(slot.unit as usize).and_then(|u| u.sampler.as_ref());
    let mut params = object.map_or(body.params.sampler, |s| *s.params());
    if tex.target.multisampled() || tex.target == Target::Buffer {
        params = crate::sampler::params::SamplerParams::new(true);
    }
    body.drop_comparison(&mut params);
    let key = params.key(ctx.render_state.client.cube_map_seamless);
    let sampler = ctx.sampler.cache.find(&mut ctx.out, &ctx.instance, &key)?;
    if !body.complete(&params) || body.sampled_as_integer() != slot.integer {
        return Ok((BoundView::default(), sampler));
    }
    if tex.target != Target::Buffer {
        let base = body.base();
        let last = if params.mipmapped() { body.last().unwrap_or(base) } else { base };
        store::settle(&mut ctx.out, tex, &mut body, last)?;
    }
    ctx.out.reads(&tex.last_write)?;
    push_params(&mut ctx.out, tex, &mut body)?;
    push_view(&mut ctx.out, tex)?;
    drop(body);
    reads_store(&mut ctx.out, tex)?;
    Ok((BoundView { view: tex.view }, sampler))
}

/// Texels of a buffer texture are the buffer's.
fn reads_store(out: &mut Out, tex: &Texture) -> Result<(), Lost> {
    if tex.target == Target::Buffer
        && let Some(store) = &tex.body().buffer
    {
        out.reads(&store.buffer.last_write)?;
    }
    Ok(())
}

/// Entries of the memo of resolved textures.
const MEMO: usize = 256;

fn slot_view(ctx: &mut Context, slot: Option<TextureSlot>) -> Result<(BoundView, Handle<SamplerCso>), Lost> {
    let none = (BoundView::default(), Handle::NULL);
    let Some(slot) = slot else { return Ok(none) };
    let Some(target) = Target::from_wire(slot.target) else { return Ok(none) };
    let tex = ctx.unit_texture(slot.unit as usize, target);
    let sampler_serial =
        ctx.texture.units.get(slot.unit as usize).and_then(|u| u.sampler.as_ref()).map_or(0, |s| s.serial());
    let now = SlotMemo {
        texture: tex.handle.bits(),
        texture_serial: tex.serial(),
        sampler_serial: sampler_serial << 2
            | u64::from(ctx.render_state.client.cube_map_seamless) << 1
            | u64::from(slot.integer),
        ..SlotMemo::default()
    };
    // What a texture and a sampler make is the same in every slot, and programs move textures between slots.
    ctx.texture.memo.resize(MEMO, SlotMemo::default());
    let place = (tex.handle.slot() as usize).wrapping_add(now.sampler_serial as usize * 31) % MEMO;
    let memo = ctx.texture.memo[place];
    if (memo.texture, memo.texture_serial, memo.sampler_serial) == (now.texture, now.texture_serial, now.sampler_serial)
    {
        ctx.out.reads(&tex.last_write)?;
        reads_store(&mut ctx.out, &tex)?;
        return Ok((BoundView { view: unbits(memo.view) }, unbits(memo.sampler)));
    }
    let (view, sampler) = resolve(ctx, &slot, &tex)?;
    let texture_serial = tex.serial();
    ctx.texture.memo[place] = SlotMemo { texture_serial, view: view.view.bits(), sampler: sampler.bits(), ..now };
    Ok((view, sampler))
}

fn unbits<K: mgl_base::Kind>(bits: u64) -> Handle<K> {
    Handle::new(bits as u32, (bits >> 32) as u32)
}

/// Pushes views and sampler states by texture slot of the verb's program.
pub(crate) fn push_views(ctx: &mut Context) -> GlResult {
    let Some(bindings) = ctx.program_bindings() else { return Ok(()) };
    if ctx.sampler.cache.make_room(&mut ctx.out, bindings.textures.len())? {
        ctx.texture.memo.clear();
        ctx.texture.sent_samplers.clear();
    }
    let mut views = std::mem::take(&mut ctx.texture.next_views);
    let mut samplers = std::mem::take(&mut ctx.texture.next_samplers);
    views.clear();
    samplers.clear();
    let mut result = Ok(());
    for slot in &bindings.textures {
        match slot_view(ctx, *slot) {
            Ok((view, sampler)) => {
                views.push(view);
                samplers.push(sampler);
            }
            Err(lost) => {
                result = Err(lost);
                break;
            }
        }
    }
    if result.is_ok() {
        result = send_sets(ctx, &mut views, &mut samplers);
    }
    ctx.texture.next_views = views;
    ctx.texture.next_samplers = samplers;
    Ok(result?)
}

/// Sends the sets that differ from the last ones sent, and remembers them.
fn send_sets(
    ctx: &mut Context,
    views: &mut Vec<BoundView>,
    samplers: &mut Vec<Handle<SamplerCso>>,
) -> Result<(), Lost> {
    if !views.is_empty() && *views != ctx.texture.sent_views {
        let head = SetSamplerViews { start: 0, count: views.len() as u32 };
        ctx.out.push_with(&head, [views.as_bytes(), &[], &[]])?;
        std::mem::swap(views, &mut ctx.texture.sent_views);
    }
    if !samplers.is_empty() && *samplers != ctx.texture.sent_samplers {
        let head = BindSamplerStates { start: 0, count: samplers.len() as u32 };
        ctx.out.push_with(&head, [samplers.as_bytes(), &[], &[]])?;
        std::mem::swap(samplers, &mut ctx.texture.sent_samplers);
    }
    Ok(())
}
