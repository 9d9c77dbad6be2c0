//! Texture views without the driver's help: a view is an image of its own, and whichever image of a family was written
//! last is copied before another one is read. All copies go through the owner. Must not know who reads or writes.

use crate::core::Core;
use crate::images::{ImageKey, ImageSpec};
use mgl_backend::traits::Outcome;

impl Core {
    /// An image that shows part of `owner` by copies.
    pub(super) fn copied_view(&mut self, owner: ImageKey, place: (u32, u32), spec: ImageSpec) -> Outcome<ImageKey> {
        let view = self.textures.images.create(&self.device, &mut self.bind, spec)?;
        self.textures.images.retain(owner);
        if let Some(image) = self.textures.images.get_mut(view) {
            image.copy_of = Some((owner, place.0, place.1));
            image.aliased = true;
        }
        if let Some(image) = self.textures.images.get_mut(owner) {
            image.aliased = true;
        }
        let family = self.textures.aliases.0.entry(owner).or_default();
        if family.fresh.is_empty() {
            family.fresh.push(owner);
        }
        family.views.push(view);
        Ok(view)
    }

    /// The image is about to be read.
    #[inline]
    pub fn before_read(&mut self, key: ImageKey) -> Outcome {
        match self.textures.images.get(key) {
            Some(image) if image.aliased => self.refresh(key),
            _ => Ok(()),
        }
    }

    /// The image is about to be written, perhaps in part.
    #[inline]
    pub fn before_write(&mut self, key: ImageKey) -> Outcome {
        match self.textures.images.get(key) {
            Some(image) if image.aliased => {
                self.refresh(key)?;
                let owner = self.owner_of(key);
                if let Some(family) = self.textures.aliases.0.get_mut(&owner) {
                    family.fresh.clear();
                    family.fresh.push(key);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn owner_of(&self, key: ImageKey) -> ImageKey {
        self.textures.images.get(key).and_then(|i| i.copy_of).map_or(key, |(owner, _, _)| owner)
    }

    #[cold]
    fn refresh(&mut self, key: ImageKey) -> Outcome {
        let owner = self.owner_of(key);
        let Some(family) = self.textures.aliases.0.get(&owner) else { return Ok(()) };
        if family.fresh.contains(&key) {
            return Ok(());
        }
        if !family.fresh.contains(&owner) {
            let Some(newest) = family.fresh.first().copied() else { return Ok(()) };
            self.mark_fresh(owner, owner);
            self.copy_view(owner, newest, false)?;
        }
        if key != owner {
            self.mark_fresh(owner, key);
            self.copy_view(owner, key, true)?;
        }
        Ok(())
    }

    /// Marked before the copy, which itself reads and writes.
    fn mark_fresh(&mut self, owner: ImageKey, key: ImageKey) {
        if let Some(family) = self.textures.aliases.0.get_mut(&owner) {
            family.fresh.push(key);
        }
    }

    fn copy_view(&mut self, owner: ImageKey, view: ImageKey, into_view: bool) -> Outcome {
        let image = self.textures.images.need(view)?;
        let (spec, Some((_, level0, layer0))) = (image.spec, image.copy_of) else { return Ok(()) };
        for level in 0..spec.levels {
            let [w, h, _] = spec.level_extent(level).map(|v| v as i32);
            let size = [w, h, spec.slices(level) as i32];
            let outer = (owner, level0 + level, [0, 0, layer0 as i32]);
            let inner = (view, level, [0; 3]);
            match into_view {
                true => self.copy_texels_raw(outer, inner, size)?,
                false => self.copy_texels_raw(inner, outer, size)?,
            }
        }
        Ok(())
    }
}
