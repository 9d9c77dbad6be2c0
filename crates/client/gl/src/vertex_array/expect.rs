//! What the server must have of this group at a draw, worked out from the state alone (spec 09 §3). Must not look at what
//! was sent.

use super::emit::wire_values;
use crate::context::Context;
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_pipe::Bool8;
use mgl_pipe::expect::{Part, Writer};
use mgl_pipe::records::{SetIndexBuffer, VertexAttrib, VertexBinding, VertexBuffer};

/// Layout, buffers, element buffer, and values of attributes without an array.
pub(crate) fn expect(ctx: &Context, to: &mut Writer) {
    let vao = ctx.vertex_array.current();
    let mut buffers = [VertexBuffer::default(); MAX_VERTEX_ATTRIBS];
    let mut bindings = [None; MAX_VERTEX_ATTRIBS];
    let mut attribs = Vec::new();
    for (location, attrib) in vao.enabled_attribs() {
        let (point, f) = (usize::from(attrib.binding), &attrib.format);
        let source = &vao.bindings[point];
        let (stride, divisor) = (source.stride, source.divisor);
        bindings[point] = Some(VertexBinding { binding: point as u32, stride, divisor, ..Default::default() });
        if let Some(buffer) = &source.buffer {
            buffers[point] = VertexBuffer { buffer: buffer.handle, offset: source.offset };
        }
        attribs.push(VertexAttrib {
            location: location as u8,
            binding: attrib.binding,
            components: f.components,
            normalized: Bool8::new(f.normalized),
            ty: f.ty,
            integer: Bool8::new(f.integer),
            long: Bool8::new(f.long),
            bgra: Bool8::new(f.bgra),
            offset: f.relative_offset,
            ..Default::default()
        });
    }
    let count = bindings.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    to.put(Part::VertexAttribs, &attribs);
    to.put(Part::VertexBindings, &bindings.into_iter().flatten().collect::<Vec<_>>());
    to.put(Part::VertexBuffers, &buffers[..count]);
    let buffer = vao.element.as_ref().map_or(ctx.buffer.stream.handle(), |b| b.handle);
    to.put(Part::IndexBuffer, &[SetIndexBuffer { buffer }]);
    if let Some(program) = crate::program::expect::bindings(ctx) {
        let missing = program.attribs & !vao.enabled;
        let locations = (0..MAX_VERTEX_ATTRIBS as u32).filter(|l| missing & (1 << l) != 0);
        let values = locations.flat_map(|l| wire_values(&program, l, &ctx.vertex_array.values[l as usize]));
        to.put(Part::AttribDefaults, &values.collect::<Vec<_>>());
    }
}
