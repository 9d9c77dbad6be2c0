//! The state that a verb met, as text: what a person needs to understand why two backends draw something else. Must not
//! know what is wrong.

use crate::player::Player;
use crate::values::{block, flat};
use crate::world::Program;
use mgl_backend::ContextState;
use mgl_backend::values::{BufferRange, DynamicState, FramebufferState, PipelineState, Surface};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, Kind};
use mgl_pipe::archive::{ProgramArchive, Stage};
use mgl_pipe::format::Format;
use mgl_pipe::records::{CreateSamplerView, ImageView, LaunchGrid, ResourceDesc, VertexAttrib, VertexBinding};
use mgl_pipe::tokens::SurfaceKind;
use mgl_pipe::{Record, Wire};
use rspirv::binary::Disassemble;
use std::fmt::Write;
use zerocopy::IntoBytes;

/// The last record of a replay, for its description.
#[derive(Default)]
pub(crate) struct Last {
    pub(crate) flow: u32,
    pub(crate) op: u16,
    pub(crate) text: String,
}

/// The record and everything it could see.
pub(crate) fn describe(player: &Player, last: &Last) -> String {
    let mut out = format!("#{} f{} {}\n", player.position.calls, last.flow, last.text);
    let Some(context) = player.context(last.flow) else { return out };
    framebuffer(&mut out, "draw framebuffer", &context.draw_framebuffer, player);
    let cso = if last.op == LaunchGrid::OP { context.dispatch_program } else { context.draw_program };
    let program = player.world.programs.get(&cso.bits());
    section(&mut out, &format!("program {}", named(cso)));
    match program {
        Some(program) => programs(&mut out, program, last.flow),
        None => line(&mut out, "none"),
    }
    if last.op != LaunchGrid::OP {
        section(&mut out, "render state (* differs from the initial value)");
        let lines = block(PipelineState::FIELDS, context.pipeline.as_bytes(), PipelineState::initial().as_bytes());
        lines.iter().for_each(|text| line(&mut out, text));
        let lines = block(DynamicState::FIELDS, context.dynamic.as_bytes(), DynamicState::initial().as_bytes());
        lines.iter().for_each(|text| line(&mut out, text));
        vertices(&mut out, context, player);
    }
    textures(&mut out, context, player);
    images(&mut out, context, player);
    for (name, ranges) in ["uniform buffers", "storage buffers", "atomic counter buffers"].iter().zip(&context.buffers)
    {
        buffers(&mut out, name, ranges, player);
    }
    capture(&mut out, context);
    framebuffer(&mut out, "read framebuffer", &context.read_framebuffer, player);
    out
}

/// A handle as a dump writes it.
fn named<K: Kind>(handle: Handle<K>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = handle.show(&mut text);
    text
}

fn section(out: &mut String, name: &str) {
    let _ = writeln!(out, "\n{name}");
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "  {text}");
}

/// A resource in a few words.
fn words(desc: Option<&ResourceDesc>) -> String {
    let Some(d) = desc else { return "gone".into() };
    if d.format == 0 {
        return format!("{:?}, {} bytes", d.target, d.size);
    }
    let format = Format::from_wire(d.format).map_or_else(|| "no format".into(), |f| format!("{f:?}"));
    let mut text = format!("{:?} {format} {} x {}", d.target, d.width, d.height);
    for (name, value) in [("depth", d.depth), ("layers", d.layers), ("levels", d.levels.into()), ("samples", d.samples)]
    {
        if value > 1 {
            text += &format!(", {name} {value}");
        }
    }
    text
}

fn surface(s: &Surface, player: &Player) -> String {
    let layer = if s.layered.get() { "all layers".into() } else { format!("layer {}", s.layer) };
    format!("{:?}#{}.{} level {} {layer}: {}", s.kind, s.slot, s.generation, s.level, words(player.world.surface(s)))
}

fn framebuffer(out: &mut String, name: &str, fb: &FramebufferState, player: &Player) {
    let own = if fb.is_default.get() { " (default)" } else { "" };
    section(out, &format!("{name} {}{own}, {} x {}, {} samples", named(fb.fbo), fb.width, fb.height, fb.samples));
    if !fb.complete.get() {
        line(out, "incomplete");
    }
    let colours = fb.color.iter().enumerate().map(|(i, s)| (format!("colour {i}"), s));
    let others = [("depth".to_owned(), &fb.depth), ("stencil".to_owned(), &fb.stencil), ("read".to_owned(), &fb.read)];
    for (what, s) in colours.chain(others).filter(|(_, s)| s.kind != SurfaceKind::None) {
        line(out, &format!("{what}: {}", surface(s, player)));
    }
    line(out, &format!("draw buffers: {:?}", fb.draw_buffers));
}

fn programs(out: &mut String, program: &Program, flow: u32) {
    let archive = ProgramArchive::decode(&program.archive).ok();
    let mut rest = program.spirv.as_slice();
    let mut listings = String::new();
    for (stage, words) in Stage::ALL.iter().zip(program.words).filter(|(_, words)| *words != 0) {
        let (code, after) = rest.split_at_checked(words as usize * 4).unwrap_or((rest, &[]));
        rest = after;
        let hash = mgl_base::hash::content_hash(code);
        line(out, &format!("{} shader: {words} words, hash {hash:016x}", stage.name()));
        let module: Vec<u32> =
            code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap_or_default())).collect();
        let text = rspirv::dr::load_words(module).map(|m| m.disassemble());
        let text = text.unwrap_or_else(|error| format!("it cannot be shown: {error}"));
        let _ = writeln!(listings, "\n{} shader, SPIR-V\n{text}", stage.name());
    }
    let Some(archive) = archive else { return out.push_str(&listings) };
    for input in &archive.inputs {
        line(out, &format!("input {} at {}", input.name, input.location));
    }
    for uniform in archive.uniforms.iter().filter(|u| u.block < 0 && u.offset >= 0) {
        let at = uniform.offset as usize;
        let value = program.constants.get(&flow).and_then(|bytes| bytes.get(at..)).unwrap_or(&[]);
        line(out, &format!("uniform {} = {}", uniform.name, numbers(value, uniform.gl_type)));
    }
    for b in &archive.uniform_blocks {
        line(out, &format!("uniform block {} in slot {}, {} bytes", b.name, b.slot, b.data_size));
    }
    for b in &archive.storage_blocks {
        line(out, &format!("storage block {} in slot {}, {} bytes", b.name, b.slot, b.data_size));
    }
    out.push_str(&listings);
}

/// The first element of a uniform by its GL type; matrices as their first column.
fn numbers(bytes: &[u8], gl_type: u32) -> String {
    // GL_INT*, GL_UNSIGNED_INT*, GL_BOOL*; everything else is shown as floats.
    let (count, integer) = match gl_type {
        0x1404 | 0x1405 | 0x8B56 => (1, true),
        0x8B53..=0x8B55 => (gl_type as usize - 0x8B53 + 2, true),
        0x8B57..=0x8B59 => (gl_type as usize - 0x8B57 + 2, true),
        0x8DC6..=0x8DC8 => (gl_type as usize - 0x8DC6 + 2, true),
        0x1406 => (1, false),
        0x8B50..=0x8B52 => (gl_type as usize - 0x8B50 + 2, false),
        0x8B5A | 0x8B65 | 0x8B66 => (2, false),
        0x8B5B | 0x8B67 | 0x8B68 => (3, false),
        _ => (4, false),
    };
    let words = bytes.chunks_exact(4).take(count).map(|b| b.try_into().unwrap_or_default());
    let shown: Vec<String> = words
        .map(|b| if integer { i32::from_le_bytes(b).to_string() } else { format!("{:?}", f32::from_le_bytes(b)) })
        .collect();
    if shown.is_empty() { "not set".into() } else { shown.join(" ") }
}

fn vertices(out: &mut String, context: &ContextState, player: &Player) {
    section(out, "vertices");
    let buffer = |handle: Handle<Buffer>| words(player.world.buffer(handle.slot(), handle.generation()));
    if let Some((attribs, bindings)) = player.world.elements.get(&context.vertex_elements.bits()) {
        attribs.iter().for_each(|a| line(out, &format!("attribute {}", flat(VertexAttrib::FIELDS, a.as_bytes()))));
        for b in bindings {
            let bound = context.vertex_buffers.get(b.binding as usize).copied().unwrap_or_default();
            let text = flat(VertexBinding::FIELDS, b.as_bytes());
            line(out, &format!("{text}: {} from {}, {}", named(bound.buffer), bound.offset, buffer(bound.buffer)));
        }
    }
    if !context.index_buffer.is_null() {
        line(out, &format!("indices {}, {}", named(context.index_buffer), buffer(context.index_buffer)));
    }
}

fn textures(out: &mut String, context: &ContextState, player: &Player) {
    let bound = context.views.iter().zip(&context.samplers).enumerate().filter(|(_, (view, _))| !view.is_null());
    for (slot, (view, sampler)) in bound {
        section(out, &format!("texture slot {slot}"));
        if let Some(v) = player.world.views.get(&view.bits()) {
            line(out, &format!("texture {}", words(player.world.texture(v.texture.slot(), v.texture.generation()))));
            line(out, &format!("view {}", flat(CreateSamplerView::FIELDS, v.as_bytes())));
        }
        if let Some(s) = player.world.samplers.get(&sampler.bits()) {
            line(out, &format!("sampler {}", flat(mgl_backend::values::SamplerValues::FIELDS, s.as_bytes())));
        }
    }
}

fn images(out: &mut String, context: &ContextState, player: &Player) {
    for (slot, image) in context.images.iter().enumerate().filter(|(_, i)| !i.texture.is_null()) {
        section(out, &format!("image slot {slot}"));
        line(out, &flat(ImageView::FIELDS, image.as_bytes()));
        line(out, &words(player.world.texture(image.texture.slot(), image.texture.generation())));
    }
}

fn buffers(out: &mut String, name: &str, ranges: &[BufferRange], player: &Player) {
    let bound: Vec<_> = ranges.iter().enumerate().filter(|(_, r)| !r.buffer.is_null()).collect();
    if bound.is_empty() {
        return;
    }
    section(out, name);
    for (slot, r) in bound {
        let store = words(player.world.buffer(r.buffer.slot(), r.buffer.generation()));
        line(out, &format!("slot {slot}: {} from {}, {} bytes of {store}", named(r.buffer), r.offset, r.size));
    }
}

fn capture(out: &mut String, context: &ContextState) {
    if !context.xfb_capturing {
        return;
    }
    section(out, &format!("transform feedback {}", named(context.xfb)));
    for t in context.xfb_targets.iter().filter(|t| !t.buffer.is_null()) {
        line(out, &format!("{} from {}, {} bytes", named(t.buffer), t.offset, t.size));
    }
}
