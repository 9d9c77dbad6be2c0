//! What this group pushes before a draw: the attribute layout (content addressed), the buffers behind it, the element
//! buffer, and current values of attributes without an array. Must not be called from setters.

use super::layouts::Layouts;
use super::state::{Value, Vao};
use crate::context::Context;
use crate::error::GlResult;
use crate::out::Out;
use crate::program::state::Bindings;
use crate::tracker::Dirty;
use mgl_base::Handle;
use mgl_base::handle;
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_pipe::records::{
    AttribValue, BindVertexElements, SetIndexBuffer, SetVertexAttribDefaults, SetVertexBuffers, VertexBuffer,
};
use zerocopy::IntoBytes;

/// What the server has been told; memory is reused from draw to draw.
#[derive(Debug, Default)]
pub struct Sent {
    pub(super) layouts: Layouts,
    layout: Option<Handle<handle::VertexElementsCso>>,
    buffers: Vec<VertexBuffer>,
    index: Option<Handle<handle::Buffer>>,
    values: Vec<AttribValue>,
    wanted: Vec<AttribValue>,
}

/// Pushes the parts of the vertex array named in `due`. Without an element buffer, indices are those that were streamed.
pub(crate) fn push(ctx: &mut Context, due: Dirty) -> GlResult {
    let bindings = if due.contains(Dirty::ATTRIB_DEFAULTS) { ctx.verb_program() } else { None };
    let stream = ctx.buffer.stream.handle();
    let (vao, sent, values) = ctx.vertex_array.split();
    let out = &mut ctx.out;
    if due.contains(Dirty::VERTEX_ELEMENTS) {
        let cso = sent.layouts.resolve(out, &ctx.instance, vao)?;
        if sent.layout != Some(cso) {
            out.push(&BindVertexElements { cso })?;
            sent.layout = Some(cso);
        }
    }
    if due.contains(Dirty::VERTEX_BUFFERS) {
        push_buffers(out, vao, sent)?;
    }
    if due.contains(Dirty::INDEX_BUFFER) {
        push_index(out, vao, sent, stream)?;
    }
    if let Some(bindings) = bindings {
        push_values(out, vao, sent, values, &bindings)?;
    }
    Ok(())
}

/// Forgets what suppresses records, the layouts on the server included.
pub(crate) fn forget(ctx: &mut Context) {
    let instance = ctx.instance.clone();
    let (_, sent, _) = ctx.vertex_array.split();
    sent.layouts.forget(&instance);
    (sent.layout, sent.index) = (None, None);
    sent.buffers.clear();
    sent.values.clear();
}

/// Sends the window of binding points that differ from what was sent last.
fn push_buffers(out: &mut Out, vao: &Vao, sent: &mut Sent) -> GlResult {
    let mut wanted = [VertexBuffer::default(); MAX_VERTEX_ATTRIBS];
    let mut count = 0;
    for (_, attrib) in vao.enabled_attribs() {
        let point = attrib.binding as usize;
        let binding = &vao.bindings[point];
        count = count.max(point + 1);
        if let Some(buffer) = &binding.buffer {
            out.reads(&buffer.last_write)?;
            wanted[point] = VertexBuffer { buffer: buffer.handle, offset: binding.offset };
        }
    }
    let wanted = &wanted[..count];
    let differs = |i: &usize| sent.buffers.get(*i) != wanted.get(*i);
    let Some(first) = (0..count).find(differs) else { return Ok(()) };
    let last = (first..count).rev().find(differs).unwrap_or(first);
    let window = &wanted[first..=last];
    let head = SetVertexBuffers { start: first as u32, count: window.len() as u32 };
    out.push_with(&head, [window.as_bytes(), &[], &[]])?;
    if sent.buffers.len() < count {
        sent.buffers.resize(count, VertexBuffer::default());
    }
    sent.buffers[first..=last].copy_from_slice(window);
    Ok(())
}

fn push_index(out: &mut Out, vao: &Vao, sent: &mut Sent, stream: Handle<handle::Buffer>) -> GlResult {
    let mut wanted = stream;
    if let Some(buffer) = &vao.element {
        out.reads(&buffer.last_write)?;
        wanted = buffer.handle;
    }
    if sent.index != Some(wanted) {
        out.push(&SetIndexBuffer { buffer: wanted })?;
        sent.index = Some(wanted);
    }
    Ok(())
}

fn push_values(
    out: &mut Out,
    vao: &Vao,
    sent: &mut Sent,
    values: &[Value; MAX_VERTEX_ATTRIBS],
    program: &Bindings,
) -> GlResult {
    sent.wanted.clear();
    let missing = program.attribs & !vao.enabled;
    for location in (0..MAX_VERTEX_ATTRIBS as u32).filter(|l| missing & (1 << l) != 0) {
        sent.wanted.extend(wire_values(program, location, &values[location as usize]));
    }
    if sent.wanted.is_empty() || sent.wanted == sent.values {
        return Ok(());
    }
    let head = SetVertexAttribDefaults { count: sent.wanted.len() as u32, ..Default::default() };
    out.push_with(&head, [sent.wanted.as_bytes(), &[], &[]])?;
    std::mem::swap(&mut sent.wanted, &mut sent.values);
    Ok(())
}

/// The value of one attribute as it crosses, in the class of the shader's input: a driver needs the two to agree, while GL
/// leaves a mismatch undefined, and the initial 0,0,0,1 must mean the same in all of them. Doubles cross in two parts.
pub(super) fn wire_values(program: &Bindings, location: u32, value: &Value) -> impl Iterator<Item = AttribValue> {
    let has = |bits: u32| bits & (1 << location) != 0;
    let one = |class, bits| AttribValue { bits, class, location };
    let (first, second) = if has(program.double_attribs) {
        let words = value.doubles().map(|f| [f.to_bits() as u32, (f.to_bits() >> 32) as u32]);
        let pair = |i: usize| [words[i][0], words[i][1], words[i + 1][0], words[i + 1][1]];
        (one(3, pair(0)), Some(one(4, pair(2))))
    } else if has(program.unsigned_attribs) {
        (one(2, uints(value)), None)
    } else if has(program.integer_attribs) {
        (one(1, ints(value).map(|n| n as u32)), None)
    } else {
        (one(0, floats(value).map(f32::to_bits)), None)
    };
    [first].into_iter().chain(second)
}

fn floats(value: &Value) -> [f32; 4] {
    if let Value::Float(v) = value { *v } else { value.doubles().map(|f| f as f32) }
}

fn ints(value: &Value) -> [i32; 4] {
    match value {
        Value::Int(v) => *v,
        Value::Uint(v) => v.map(|n| n as i32),
        _ => value.doubles().map(|f| f as i32),
    }
}

fn uints(value: &Value) -> [u32; 4] {
    match value {
        Value::Uint(v) => *v,
        Value::Int(v) => v.map(|n| n as u32),
        _ => value.doubles().map(|f| f as u32),
    }
}
