//! From GL objects to Vulkan views: sampler views, attachments and image units. Must not record commands.

use crate::access::Range;
use crate::buffers::BufferTable;
use crate::commands::Commands;
use crate::images::{ImageKey, Images, ViewKey, ViewUse};
use crate::programs::Class;
use crate::textures::{Params, Tex, Textures};
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_backend::values::{Base, Format, ImageView, Surface};
use mgl_backend::{ImageRef, Refusal, ViewDesc};
use mgl_base::Handle;
use mgl_base::handle::SamplerViewCso;
use mgl_pipe::format::Numeric;
use mgl_pipe::tokens::{DepthStencilMode, ResourceTarget as Target, SurfaceKind, Swizzle};

/// A resolved sampler view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewRef {
    /// A sampled image.
    Image {
        /// View.
        view: vk::ImageView,
        /// Identity of the view, never reused.
        id: u64,
        /// Layout to sample in, unless the image is also written by the same draw (then `GENERAL`).
        layout: vk::ImageLayout,
        /// The image.
        image: ImageKey,
        /// Subresources it shows.
        range: Range,
        /// Format of the view, for border colours and filtering limits.
        format: Format,
    },
    /// A uniform texel buffer.
    Buffer {
        /// View.
        view: vk::BufferView,
        /// Identity of the view, never reused.
        id: u64,
        /// Store to declare as read.
        buffer: Handle<mgl_base::handle::Buffer>,
    },
}

/// A resolved attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentRef {
    /// View.
    pub view: vk::ImageView,
    /// Identity of the view, never reused.
    pub id: u64,
    /// The image.
    pub image: ImageKey,
    /// Subresources (layer 0 of 3D images: all slices share a state).
    pub range: Range,
    /// GL format.
    pub format: Format,
    /// Format of the view.
    pub vk_format: vk::Format,
    /// Aspects of the image, all of them.
    pub aspects: vk::ImageAspectFlags,
    /// Width and height of the level.
    pub extent: [u32; 2],
    /// Layers (or slices) of the view.
    pub layers: u32,
    /// Samples.
    pub samples: u32,
}

/// A resolved image unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageRef {
    /// A storage image, in `GENERAL`.
    Image {
        /// View.
        view: vk::ImageView,
        /// Identity of the view, never reused.
        id: u64,
        /// The image.
        image: ImageKey,
        /// Subresources.
        range: Range,
        /// Type of the view.
        ty: vk::ImageViewType,
        /// What a load gives.
        class: Class,
        /// More than one sample.
        multisampled: bool,
    },
    /// A storage texel buffer.
    Buffer {
        /// What a load gives.
        class: Class,
        /// View.
        view: vk::BufferView,
        /// Identity of the view, never reused.
        id: u64,
        /// Store.
        buffer: Handle<mgl_base::handle::Buffer>,
    },
}

/// Numeric class of what shaders load from a format.
fn class_of(format: Option<Format>) -> Class {
    match format.map(|f| f.info().numeric) {
        Some(Numeric::Int) => Class::Int,
        Some(Numeric::Uint) => Class::Uint,
        _ => Class::Float,
    }
}

fn view_type(target: Target) -> vk::ImageViewType {
    use vk::ImageViewType as V;
    match target {
        Target::Tex1D => V::TYPE_1D,
        Target::Tex1DArray => V::TYPE_1D_ARRAY,
        Target::Tex3D => V::TYPE_3D,
        Target::TexCube => V::CUBE,
        Target::TexCubeArray => V::CUBE_ARRAY,
        Target::Tex2DArray | Target::Tex2DMsArray => V::TYPE_2D_ARRAY,
        _ => V::TYPE_2D,
    }
}

fn component(s: Swizzle) -> vk::ComponentSwizzle {
    match s {
        Swizzle::Red => vk::ComponentSwizzle::R,
        Swizzle::Green => vk::ComponentSwizzle::G,
        Swizzle::Blue => vk::ComponentSwizzle::B,
        Swizzle::Alpha => vk::ComponentSwizzle::A,
        Swizzle::Zero => vk::ComponentSwizzle::ZERO,
        // The record was proven: One is what is left.
        _ => vk::ComponentSwizzle::ONE,
    }
}

/// The parameters' swizzle over what the format lacks: missing alpha reads 1, missing colour 0 (GL 4.6 §15.2.1).
fn swizzle(format: Format, params: &Params) -> [vk::ComponentSwizzle; 4] {
    params.swizzle.map(|s| match (format.info().base, s) {
        (Base::Rgb | Base::Red | Base::Rg, Swizzle::Alpha) => vk::ComponentSwizzle::ONE,
        (Base::Depth | Base::DepthStencil | Base::Stencil | Base::Red, Swizzle::Green | Swizzle::Blue)
        | (Base::Rg, Swizzle::Blue) => vk::ComponentSwizzle::ZERO,
        (Base::Depth | Base::DepthStencil | Base::Stencil, Swizzle::Alpha) => vk::ComponentSwizzle::ONE,
        (_, other) => component(other),
    })
}

/// Levels and layers of the image that a view of an object shows, or `None` when there are none.
fn view_range(tex: &Tex, view: &ViewDesc, image_levels: u32, image_layers: u32) -> Option<Range> {
    let levels = tex.desc.levels.min(image_levels.checked_sub(tex.level0)?);
    let last = levels.checked_sub(1)?;
    // Immutable textures clamp the parameters (GL 4.6 §8.17), others are incomplete outside.
    let base = if tex.desc.immutable { tex.params.base_level.min(last) } else { tex.params.base_level };
    let first = base.max(u32::from(view.min_level));
    let by_view = u32::from(view.min_level).saturating_add(u32::from(view.num_levels));
    let end = tex.params.max_level.max(base).saturating_add(1).min(levels).min(by_view);
    let count = end.checked_sub(first).filter(|c| *c > 0)?;
    let all = tex.desc.layers.min(image_layers.checked_sub(tex.layer0)?);
    let layers = all.checked_sub(u32::from(view.min_layer))?.min(u32::from(view.num_layers));
    let layers = match view.target {
        Target::Tex1D | Target::Tex2D | Target::TexRect | Target::Tex2DMs | Target::Tex3D => layers.min(1),
        Target::TexCube => (layers >= 6).then_some(6)?,
        Target::TexCubeArray => layers / 6 * 6,
        _ => layers,
    };
    (layers > 0).then_some(Range {
        level: tex.level0 + first,
        levels: count,
        layer: tex.layer0 + u32::from(view.min_layer),
        layers,
    })
}

impl Textures {
    /// A sampler view as Vulkan sees it, or `None`: the texture is incomplete and reads (0, 0, 0, 1). `stored`: through the
    /// linear alias of an sRGB format.
    pub fn resolve_view(
        &self,
        images: &mut Images,
        buffers: &mut BufferTable,
        cmds: &mut Commands,
        (cso, stored): (Handle<SamplerViewCso>, bool),
    ) -> Outcome<Option<ViewRef>> {
        let Some(view) = self.views.get(cso) else { return Ok(None) };
        let Some(tex) = self.textures.get(view.texture) else { return Ok(None) };
        if let Some((buffer, offset, size)) = tex.desc.buffer {
            return self.texel_buffer(buffers, cmds, tex, view.format, (buffer, offset, size), false);
        }
        let Some(key) = tex.image else { return Ok(None) };
        let Some(image) = images.get(key) else { return Ok(None) };
        let Some(range) = view_range(tex, view, image.spec.levels, image.spec.layers) else { return Ok(None) };
        let own = tex.desc.format.unwrap_or(image.format());
        let format = view.format.unwrap_or(own);
        let entry = cmds.gpu().formats.get(format);
        let (aspects, layout) = sampled_aspect(image.spec.aspects, format, tex.params.mode);
        let vk_format = match image.spec.aspects == vk::ImageAspectFlags::COLOR {
            true if stored => entry.linear,
            true => entry.vk,
            false => image.spec.vk_format,
        };
        if !may_alias(&image.spec, vk_format) {
            return Ok(None);
        }
        let want = ViewKey {
            ty: view_type(view.target),
            format: vk_format,
            aspects,
            range,
            swizzle: swizzle(format, &tex.params),
            used_as: ViewUse::Sampled,
        };
        let (vk, id) = images.view(cmds, key, want)?;
        Ok(Some(ViewRef::Image { view: vk, id, layout, image: key, range, format }))
    }

    fn texel_buffer(
        &self,
        buffers: &mut BufferTable,
        cmds: &Commands,
        tex: &Tex,
        alias: Option<Format>,
        (buffer, offset, size): (Handle<mgl_base::handle::Buffer>, u64, u64),
        storage: bool,
    ) -> Outcome<Option<ViewRef>> {
        let Some(format) = alias.or(tex.desc.format) else { return Ok(None) };
        let gpu = cmds.gpu().clone();
        let entry = gpu.formats.get(format);
        let need = if storage {
            vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER
        } else {
            vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER
        };
        if !entry.buffer.contains(need) {
            return Ok(None);
        }
        let texel = match entry.buffer_vk {
            vk::Format::R32G32B32_SFLOAT | vk::Format::R32G32B32_SINT | vk::Format::R32G32B32_UINT => 12,
            _ => u64::from(format.storage().block_bytes()),
        };
        let view = buffers.texel_view(&gpu, buffer, entry.buffer_vk, (offset, size), texel)?;
        Ok(view.map(|(view, id)| ViewRef::Buffer { view, id, buffer }))
    }

    /// An attachment as Vulkan sees it, or `None` when nothing is attached. `srgb` is `GL_FRAMEBUFFER_SRGB`: without it
    /// an sRGB image is written through its linear alias.
    pub fn attachment(
        &self,
        images: &mut Images,
        cmds: &mut Commands,
        surface: &Surface,
        srgb: bool,
    ) -> Outcome<Option<AttachmentRef>> {
        let Some(of) = surface_ref(surface) else { return Ok(None) };
        let Some(tex) = self.get(of) else { return Ok(None) };
        let Some(key) = tex.image else { return Ok(None) };
        let Some(image) = images.get(key) else { return Ok(None) };
        let spec = image.spec;
        let format = tex.desc.format.unwrap_or(spec.format);
        let entry = cmds.gpu().formats.get(format);
        let level = tex.level0 + u32::from(surface.level);
        if level >= spec.levels {
            return Ok(None);
        }
        let volume = spec.ty == vk::ImageType::TYPE_3D;
        let extent = spec.level_extent(level);
        let slices = if volume { extent[2] } else { tex.desc.layers.min(spec.layers - tex.layer0.min(spec.layers)) };
        let (layer, layers) = if surface.layered.get() { (0, slices) } else { (surface.layer, 1) };
        if layers == 0 || layer + layers > slices {
            return Ok(None);
        }
        let vk_format = match (spec.aspects == vk::ImageAspectFlags::COLOR, srgb) {
            (false, _) => spec.vk_format,
            (true, true) => entry.vk,
            (true, false) => entry.linear,
        };
        let one = spec.ty == vk::ImageType::TYPE_1D;
        let ty = match (one, surface.layered.get()) {
            (true, false) => vk::ImageViewType::TYPE_1D,
            (true, true) => vk::ImageViewType::TYPE_1D_ARRAY,
            (false, false) => vk::ImageViewType::TYPE_2D,
            (false, true) => vk::ImageViewType::TYPE_2D_ARRAY,
        };
        if !may_alias(&spec, vk_format) {
            return Ok(None);
        }
        if !may_attach(&spec, entry.image) {
            return Err(Refusal::Unsupported("AttachmentFormat"));
        }
        let range = Range { level, levels: 1, layer: tex.layer0 + layer, layers };
        let want = ViewKey {
            ty,
            format: vk_format,
            aspects: spec.aspects,
            range,
            swizzle: crate::images::IDENTITY,
            used_as: ViewUse::Attachment,
        };
        let (view, id) = images.view(cmds, key, want)?;
        let range = if volume { Range { layer: 0, layers: 1, ..range } } else { range };
        let (extent, aspects, samples) = ([extent[0], extent[1]], spec.aspects, spec.samples);
        Ok(Some(AttachmentRef { view, id, image: key, range, format, vk_format, aspects, extent, layers, samples }))
    }

    /// An image unit as Vulkan sees it, or `None` when it reads zero and drops writes. One layer is shown as an array of
    /// one to a shader that takes the unit for an `arrayed` image.
    pub fn storage(
        &self,
        images: &mut Images,
        buffers: &mut BufferTable,
        cmds: &mut Commands,
        (unit, arrayed): (&ImageView, bool),
    ) -> Outcome<Option<StorageRef>> {
        let Some(tex) = self.textures.get(unit.texture) else { return Ok(None) };
        let format = Format::from_wire(unit.format);
        if let Some(range) = tex.desc.buffer {
            let class = class_of(format.or(tex.desc.format));
            let found = self.texel_buffer(buffers, cmds, tex, format, range, true)?;
            return Ok(match found {
                Some(ViewRef::Buffer { view, id, buffer }) => Some(StorageRef::Buffer { class, view, id, buffer }),
                _ => None,
            });
        }
        let (Some(key), Some(format)) = (tex.image, format.or(tex.desc.format)) else { return Ok(None) };
        let Some(image) = images.get(key) else { return Ok(None) };
        let spec = image.spec;
        let level = tex.level0 + u32::from(unit.level);
        let able = spec.usage.contains(vk::ImageUsageFlags::STORAGE) && level < spec.levels;
        let entry = cmds.gpu().formats.get(format);
        if !able || !entry.image.contains(vk::FormatFeatureFlags::STORAGE_IMAGE) {
            return Ok(None);
        }
        let volume = spec.ty == vk::ImageType::TYPE_3D;
        let layered = unit.layered.get();
        let layers = tex.desc.layers.min(spec.layers - tex.layer0.min(spec.layers));
        let (ty, layer, count) = match (layered, volume) {
            (true, true) => (vk::ImageViewType::TYPE_3D, 0, 1),
            (true, false) => (view_type(tex.desc.target), 0, layers),
            (false, true) => (vk::ImageViewType::TYPE_2D, unit.layer, 1),
            (false, false) => (one_layer(spec.ty, arrayed), unit.layer, 1),
        };
        let slice_of_3d = vk::ImageCreateFlags::TYPE_2D_VIEW_COMPATIBLE_EXT;
        let no_slice = volume && !layered && !spec.flags.contains(slice_of_3d);
        if no_slice || !may_alias(&spec, entry.vk) || (!volume && layer + count > layers) || count == 0 {
            return Ok(None);
        }
        let range = Range { level, levels: 1, layer: tex.layer0 + layer, layers: count };
        let want = ViewKey {
            ty,
            format: entry.vk,
            aspects: vk::ImageAspectFlags::COLOR,
            range,
            swizzle: crate::images::IDENTITY,
            used_as: ViewUse::Storage,
        };
        let (view, id) = images.view(cmds, key, want)?;
        let range = if volume { Range { layer: 0, layers: 1, ..range } } else { range };
        let (class, multisampled) = (class_of(Some(format)), spec.samples > 1);
        Ok(Some(StorageRef::Image { view, id, image: key, range, ty, class, multisampled }))
    }
}

/// The type of a view of one layer.
fn one_layer(image: vk::ImageType, arrayed: bool) -> vk::ImageViewType {
    match (image == vk::ImageType::TYPE_1D, arrayed) {
        (true, false) => vk::ImageViewType::TYPE_1D,
        (true, true) => vk::ImageViewType::TYPE_1D_ARRAY,
        (false, false) => vk::ImageViewType::TYPE_2D,
        (false, true) => vk::ImageViewType::TYPE_2D_ARRAY,
    }
}

/// True when views of the image may have the format.
fn may_alias(spec: &crate::images::ImageSpec, format: vk::Format) -> bool {
    format != vk::Format::UNDEFINED
        && (format == spec.vk_format || spec.flags.contains(vk::ImageCreateFlags::MUTABLE_FORMAT))
}

/// True when the device can draw to views of a format with these features, and the image was made for it.
fn may_attach(spec: &crate::images::ImageSpec, features: vk::FormatFeatureFlags) -> bool {
    use vk::{FormatFeatureFlags as F, ImageUsageFlags as U};
    match spec.aspects == vk::ImageAspectFlags::COLOR {
        true => spec.usage.contains(U::COLOR_ATTACHMENT) && features.contains(F::COLOR_ATTACHMENT),
        false => spec.usage.contains(U::DEPTH_STENCIL_ATTACHMENT),
    }
}

/// The object that a surface names.
pub fn surface_ref(surface: &Surface) -> Option<ImageRef> {
    match surface.kind {
        SurfaceKind::Texture => Some(ImageRef::Texture(Handle::new(surface.slot, surface.generation))),
        SurfaceKind::Renderbuffer => Some(ImageRef::Renderbuffer(Handle::new(surface.slot, surface.generation))),
        _ => None,
    }
}

fn sampled_aspect(
    image: vk::ImageAspectFlags,
    format: Format,
    mode: DepthStencilMode,
) -> (vk::ImageAspectFlags, vk::ImageLayout) {
    if image == vk::ImageAspectFlags::COLOR {
        return (image, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
    }
    let stencil = !format.has_depth() || (format.has_stencil() && mode == DepthStencilMode::Stencil);
    let aspect = if stencil { vk::ImageAspectFlags::STENCIL } else { vk::ImageAspectFlags::DEPTH };
    (aspect, vk::ImageLayout::DEPTH_STENCIL_READ_ONLY_OPTIMAL)
}

#[cfg(test)]
mod tests {
    use super::swizzle;
    use crate::textures::Params;
    use ash::vk::ComponentSwizzle as C;
    use mgl_pipe::format::Format;
    use mgl_pipe::tokens::Swizzle;

    /// A program that reorders components, or has a texture without alpha, would see other colours.
    #[test]
    fn components_follow_parameters_and_format() {
        let plain = Params::default();
        let turned = Params { swizzle: [Swizzle::Blue, Swizzle::Zero, Swizzle::Red, Swizzle::One], ..plain };
        assert_eq!(swizzle(Format::Rgba8, &plain), [C::R, C::G, C::B, C::A]);
        assert_eq!(swizzle(Format::Rgba8, &turned), [C::B, C::ZERO, C::R, C::ONE]);
        assert_eq!(swizzle(Format::R8, &plain), [C::R, C::ZERO, C::ZERO, C::ONE]);
        assert_eq!(swizzle(Format::Rgb8, &plain), [C::R, C::G, C::B, C::ONE]);
    }
}
