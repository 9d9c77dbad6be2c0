//! Server storage of textures: when it is declared, grown and redefined, and where an image lives. Must not know the
//! program's pixels.
//!
//! A texture has one storage on the server: base extent, levels, format. Images that do not fit it, as incomplete
//! textures may have, get a resource of their own (`Stash`) and move over by a copy on the server once they fit. So no
//! content is lost and none is kept on the client.

use super::object::{Body, Image, Stash, Storage, Texture};
use super::target::Target;
use crate::out::{Lost, Out};
use mgl_base::Handle;
use mgl_base::handle::Texture as TextureKind;
use mgl_pipe::format::Format;
use mgl_pipe::records::{ResourceCopyRegion, ResourceCreate, ResourceDesc, ResourceRespecify};
use mgl_pipe::tokens::ResourceTarget;
use mgl_pipe::{Bool8, Box3};
use std::sync::atomic::Ordering;

/// Where the texels of an image live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Resource.
    pub handle: Handle<TextureKind>,
    /// Its target.
    pub target: ResourceTarget,
    /// Level in the resource.
    pub level: u16,
    /// First layer in the resource (the face of a cube map).
    pub layer: u32,
}

fn desc(tex: &Texture, body: &Body, storage: &Storage) -> ResourceDesc {
    let view = body.view.unwrap_or_default();
    ResourceDesc {
        slot: tex.handle.slot(),
        generation: tex.handle.generation(),
        target: tex.target.wire(),
        immutable: Bool8::new(body.immutable_levels > 0),
        image_bindable: Bool8::new(body.image_bindable),
        fixed_sample_locations: Bool8::new(storage.fixed),
        format: storage.format as u16,
        levels: storage.levels as u16,
        width: storage.width,
        height: storage.height,
        depth: storage.depth,
        layers: storage.layers,
        samples: storage.samples,
        debug_name: tex.name,
        view_of: tex.owner.as_ref().map_or(Handle::NULL, |owner| owner.handle),
        view_level: view[0] as u16,
        view_layer: view[1] as u16,
        ..Default::default()
    }
}

/// Remembers that the newest record wrote the texture.
pub(crate) fn wrote(out: &Out, tex: &Texture) {
    tex.last_write.set(out.flow(), out.seq());
}

/// Declares `storage`, as a create or a respecify.
pub(crate) fn declare(out: &mut Out, tex: &Texture, body: &mut Body, storage: Storage, keep: bool) -> Result<(), Lost> {
    out.writes(&tex.last_write)?;
    let desc = desc(tex, body, &storage);
    push_desc(out, tex, desc, keep)?;
    body.storage = Some(storage);
    Ok(())
}

fn push_desc(out: &mut Out, tex: &Texture, desc: ResourceDesc, keep: bool) -> Result<(), Lost> {
    if tex.crossed.swap(true, Ordering::AcqRel) {
        out.push(&ResourceRespecify { desc, keep_content: Bool8::new(keep), ..Default::default() })?;
    } else {
        out.push(&ResourceCreate { desc })?;
    }
    wrote(out, tex);
    tex.touch();
    Ok(())
}

/// Declares the store of a buffer texture.
pub(crate) fn declare_buffer(
    out: &mut Out,
    tex: &Texture,
    format: mgl_pipe::format::Format,
    buffer: Handle<mgl_base::handle::Buffer>,
    range: (u64, u64),
) -> Result<(), Lost> {
    out.writes(&tex.last_write)?;
    let desc = ResourceDesc {
        slot: tex.handle.slot(),
        generation: tex.handle.generation(),
        target: ResourceTarget::TexBuffer,
        format: format as u16,
        levels: 1,
        // The extent in texels follows from the buffer's size at the time of use.
        width: 1,
        height: 1,
        depth: 1,
        layers: 1,
        samples: 1,
        debug_name: tex.name,
        buffer,
        buffer_offset: range.0,
        buffer_size: range.1,
        ..Default::default()
    };
    push_desc(out, tex, desc, false)
}

fn stash_target(target: Target) -> ResourceTarget {
    if target == Target::Cube { ResourceTarget::Tex2D } else { target.wire() }
}

fn make_stash(out: &mut Out, tex: &Texture, image: &mut Image) -> Result<Handle<TextureKind>, Lost> {
    if let Some(stash) = &image.stash {
        return Ok(stash.handle);
    }
    let stash = Stash::new(&tex.instance);
    let target = if tex.target == Target::Cube { Target::D2 } else { tex.target };
    if let Some(s) = Storage::around(target, 0, image) {
        let desc = ResourceDesc {
            slot: stash.handle.slot(),
            generation: stash.handle.generation(),
            target: stash_target(tex.target),
            fixed_sample_locations: Bool8::new(s.fixed),
            format: s.format as u16,
            levels: 1,
            width: s.width,
            height: s.height,
            depth: s.depth,
            layers: s.layers,
            samples: s.samples,
            debug_name: tex.name,
            ..Default::default()
        };
        out.push(&ResourceCreate { desc })?;
    }
    let handle = stash.handle;
    image.stash = Some(stash);
    Ok(handle)
}

/// Copies one whole image between the texture's storage and its stash.
fn move_image(
    out: &mut Out,
    tex: &Texture,
    level: u32,
    face: usize,
    image: &Image,
    to_stash: bool,
) -> Result<(), Lost> {
    let Some(stash) = &image.stash else { return Ok(()) };
    let [w, h, d] = image.size;
    let (h, d) = if tex.target == Target::D1Array { (1, h) } else { (h, d) };
    let main = (tex.handle, tex.target.wire(), level as u16, face as i32);
    let aside = (stash.handle, stash_target(tex.target), 0u16, 0i32);
    let (src, dst) = if to_stash { (main, aside) } else { (aside, main) };
    out.push(&ResourceCopyRegion {
        src_target: src.1,
        dst_target: dst.1,
        src_level: src.2,
        dst_level: dst.2,
        src_slot: src.0.slot(),
        src_generation: src.0.generation(),
        dst_slot: dst.0.slot(),
        dst_generation: dst.0.generation(),
        src: Box3 { x: 0, y: 0, z: src.3, w, h, d },
        dst: [0, 0, dst.3],
        ..Default::default()
    })?;
    Ok(())
}

/// Makes `next` the texture's storage: what has content and does not fit moves aside, what was aside and fits moves in.
fn adopt(out: &mut Out, tex: &Texture, body: &mut Body, next: Storage) -> Result<(), Lost> {
    out.writes(&tex.last_write)?;
    let target = tex.target;
    let old = body.storage;
    let slots: Vec<(u32, usize)> = body.defined().map(|(l, f, _)| (l, f)).collect();
    let mut keep = false;
    for &(level, face) in &slots {
        let image = body.image_mut(level, face);
        let inside = image.stash.is_none() && old.is_some_and(|s| s.fits(target, level, image));
        if !inside || !image.content {
            continue;
        }
        if next.fits(target, level, image) {
            keep = true;
        } else {
            make_stash(out, tex, image)?;
            move_image(out, tex, level, face, image, true)?;
        }
    }
    declare(out, tex, body, next, keep)?;
    for (level, face) in slots {
        let image = body.image_mut(level, face);
        if image.stash.is_some() && next.fits(target, level, image) {
            if image.content {
                move_image(out, tex, level, face, image, false)?;
            }
            image.stash = None;
        }
    }
    wrote(out, tex);
    Ok(())
}

/// The storage to declare around an image: a full chain when mipmapping is in sight, else as few levels as needed.
fn plan(body: &Body, level: u32, image: &Image) -> Option<Storage> {
    let target = body.target();
    let mut next = Storage::around(target, level, image)?;
    let full = next.full_levels(target);
    let limit = body.params.max_level.saturating_add(1).clamp(level + 1, full.max(level + 1));
    next.levels = if level > 0 || body.params.sampler.mipmapped() { full.min(limit).max(level + 1) } else { 1 };
    if !target.mipmapped() {
        next.levels = 1;
    }
    // Levels that were defined before and belong to the chain come in with it.
    let wide = Storage { levels: full, ..next };
    let needed = body.defined().filter(|(l, _, i)| wide.fits(target, *l, i)).map(|(l, ..)| l + 1).max().unwrap_or(0);
    next.levels = next.levels.max(needed);
    Some(next)
}

/// Defines an image (`glTexImage*`, `glCopyTexImage*`) and gets storage for it. Its content is undefined afterwards.
pub(crate) fn define(
    out: &mut Out,
    tex: &Texture,
    body: &mut Body,
    (level, face): (u32, usize),
    image: Image,
) -> Result<(), Lost> {
    let exists = image.exists();
    *body.image_mut(level, face) = image.clone();
    tex.forget_blocks(level, face);
    tex.touch();
    if !exists {
        return Ok(());
    }
    let target = tex.target;
    let Some(storage) = body.storage else {
        return match plan(body, level, &image) {
            Some(next) => adopt(out, tex, body, next),
            None => Ok(()),
        };
    };
    if storage.fits(target, level, &image) {
        return Ok(());
    }
    let grown = Storage { levels: storage.full_levels(target), ..storage };
    if grown.fits(target, level, &image) {
        let limit = body.params.max_level.saturating_add(1).max(level + 1);
        return adopt(out, tex, body, Storage { levels: grown.levels.min(limit), ..grown });
    }
    let others_fit = body.defined().any(|(l, f, i)| (l, f) != (level, face) && storage.fits(target, l, i));
    match plan(body, level, &image).filter(|_| level == body.base() || !others_fit) {
        Some(next) => adopt(out, tex, body, next),
        None => Ok(()),
    }
}

/// Makes the storage follow the base level, when that changed to an image outside it, and holds all levels up to
/// `last`.
pub(crate) fn settle(out: &mut Out, tex: &Texture, body: &mut Body, last: u32) -> Result<(), Lost> {
    let base = body.base();
    let Some(image) = body.image(base, 0).filter(|i| i.exists()).cloned() else { return Ok(()) };
    if body.immutable_levels > 0 {
        return Ok(());
    }
    let target = tex.target;
    let good = body.storage.is_some_and(|s| last < s.levels && s.fits(target, base, &image));
    if good && body.defined().all(|(l, _, i)| l < base || l > last || i.stash.is_none()) {
        return Ok(());
    }
    let Some(mut next) = plan(body, base, &image) else { return Ok(()) };
    if let Some(storage) = body.storage.filter(|s| Storage { levels: 32, ..*s }.fits(target, base, &image)) {
        next = Storage { levels: next.levels.max(storage.levels), ..storage };
    }
    next.levels = next.levels.max(last + 1);
    adopt(out, tex, body, next)
}

/// Where an image's texels are, with storage for them; `None` when the image has no texels.
pub(crate) fn place(
    out: &mut Out,
    tex: &Texture,
    body: &mut Body,
    level: u32,
    face: usize,
) -> Result<Option<Place>, Lost> {
    let storage = body.storage;
    let Some(image) = body.image(level, face).filter(|i| i.exists()) else { return Ok(None) };
    out.reads(&tex.last_write)?;
    if image.stash.is_none() && storage.is_some_and(|s| s.fits(tex.target, level, image)) {
        let place = Place { handle: tex.handle, target: tex.target.wire(), level: level as u16, layer: face as u32 };
        return Ok(Some(place));
    }
    let handle = make_stash(out, tex, body.image_mut(level, face))?;
    Ok(Some(Place { handle, target: stash_target(tex.target), level: 0, layer: 0 }))
}

/// Defines immutable storage (`glTexStorage*`) with all its images, of `format` as the program sees it.
pub(crate) fn define_immutable(
    out: &mut Out,
    tex: &Texture,
    body: &mut Body,
    storage: Storage,
    (internal, format): (u32, Format),
) -> Result<(), Lost> {
    body.clear_images();
    body.immutable_levels = storage.levels;
    for level in 0..storage.levels {
        for face in 0..tex.target.faces() {
            *body.image_mut(level, face) = Image {
                size: storage.level_size(tex.target, level),
                format: Some(format),
                carrier: (format != storage.format).then_some(storage.format),
                internal,
                samples: storage.samples,
                fixed: storage.fixed,
                content: false,
                stash: None,
            };
        }
    }
    declare(out, tex, body, storage, false)
}
