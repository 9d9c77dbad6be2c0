//! Vertex array objects of a context and the current attribute values. Must not push records.

use super::emit::Sent;
use crate::buffer::state::Buffer;
use crate::context::Context;
use crate::instance::Instance;
use mgl_base::Handle;
use mgl_base::handle::VertexElementsCso;
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_pipe::tokens::AttribType;
use std::sync::Arc;

/// Format of one attribute (GL 4.6 §10.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Components, 1 to 4.
    pub components: u8,
    /// BGRA order.
    pub bgra: bool,
    /// Component type.
    pub ty: AttribType,
    /// Normalised fixed point.
    pub normalized: bool,
    /// Stays integer in the shader.
    pub integer: bool,
    /// 64-bit in the shader (`glVertexAttribLPointer`).
    pub long: bool,
    /// Bytes from the binding's base.
    pub relative_offset: u32,
}

/// One attribute of a vertex array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attrib {
    /// Format.
    pub format: Format,
    /// Binding point it fetches from.
    pub binding: u8,
    /// Stride as the pointer call gave it, for queries.
    pub stride: u32,
    /// Pointer as the call gave it, for queries.
    pub pointer: usize,
}

/// One vertex buffer binding point.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    /// Store.
    pub buffer: Option<Arc<Buffer>>,
    /// Byte offset of element 0.
    pub offset: u64,
    /// Bytes between elements; what fetching uses.
    pub stride: u32,
    /// Instance divisor.
    pub divisor: u32,
}

/// A vertex array object.
#[derive(Debug)]
pub struct Vao {
    pub(super) attribs: [Attrib; MAX_VERTEX_ATTRIBS],
    pub(super) bindings: [Binding; MAX_VERTEX_ATTRIBS],
    /// Enabled arrays, one bit each.
    pub(super) enabled: u32,
    pub(super) element: Option<Arc<Buffer>>,
    /// The layout as it was last sent, until it changes: place in the cache and handle.
    pub(super) layout: Option<(usize, Handle<VertexElementsCso>)>,
}

impl Default for Vao {
    fn default() -> Self {
        let format = Format {
            components: 4,
            bgra: false,
            ty: AttribType::Float,
            normalized: false,
            integer: false,
            long: false,
            relative_offset: 0,
        };
        let attrib = |i: usize| Attrib { format, binding: i as u8, stride: 0, pointer: 0 };
        Self {
            attribs: std::array::from_fn(attrib),
            bindings: std::array::from_fn(|_| Binding { stride: 16, ..Binding::default() }),
            enabled: 0,
            element: None,
            layout: None,
        }
    }
}

impl Vao {
    /// The enabled attributes.
    pub(super) fn enabled_attribs(&self) -> impl Iterator<Item = (usize, &Attrib)> {
        self.attribs.iter().enumerate().filter(|(i, _)| self.enabled & (1 << i) != 0)
    }
    /// True when a draw fetches vertices or indices from the buffer.
    pub(crate) fn reads(&self, buffer: &Arc<Buffer>) -> bool {
        let is = |b: &Option<Arc<Buffer>>| b.as_ref().is_some_and(|b| Arc::ptr_eq(b, buffer));
        is(&self.element) || self.enabled_attribs().any(|(_, a)| is(&self.bindings[a.binding as usize].buffer))
    }
    /// True when an enabled array or the element buffer is mapped without the persistent bit.
    pub(crate) fn uses_mapped(&self, indexed: bool) -> bool {
        let mapped = |b: &Option<Arc<Buffer>>| b.as_ref().is_some_and(|b| b.is_mapped());
        (indexed && mapped(&self.element))
            || self.enabled_attribs().any(|(_, a)| mapped(&self.bindings[a.binding as usize].buffer))
    }
}

#[derive(Debug)]
enum Name {
    Free,
    Reserved,
    Live(Box<Vao>),
    /// The object is `State::current`.
    Current,
}

/// Current value of an attribute (GL 4.6 §10.2), in the type of the command that set it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// `glVertexAttrib*`.
    Float([f32; 4]),
    /// `glVertexAttribI*i`.
    Int([i32; 4]),
    /// `glVertexAttribI*ui`.
    Uint([u32; 4]),
    /// `glVertexAttribL*`.
    Double([f64; 4]),
}

impl Value {
    /// The components as floating-point numbers.
    pub(super) fn doubles(&self) -> [f64; 4] {
        match self {
            Self::Float(v) => v.map(f64::from),
            Self::Int(v) => v.map(f64::from),
            Self::Uint(v) => v.map(f64::from),
            Self::Double(v) => *v,
        }
    }

    /// True when the other value has the same bits: a NaN is not sent at every draw.
    pub(super) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => a.map(f32::to_bits) == b.map(f32::to_bits),
            (Self::Double(a), Self::Double(b)) => a.map(f64::to_bits) == b.map(f64::to_bits),
            _ => self == other,
        }
    }
}

/// State of the group in one context.
#[derive(Debug)]
pub struct State {
    names: Vec<Name>,
    free: Vec<u32>,
    current: Box<Vao>,
    current_name: u32,
    pub(super) values: [Value; MAX_VERTEX_ATTRIBS],
    pub(super) sent: Sent,
}

impl State {
    /// Initial state.
    pub fn new(_instance: &Instance) -> Self {
        let zero = Value::Float([0.0, 0.0, 0.0, 1.0]);
        Self {
            names: vec![Name::Current],
            free: Vec::new(),
            current: Box::default(),
            current_name: 0,
            values: [zero; MAX_VERTEX_ATTRIBS],
            sent: Sent::default(),
        }
    }
    /// Layouts that live on the server for this context.
    pub(crate) fn handles(&self) -> impl Iterator<Item = Handle<VertexElementsCso>> + '_ {
        self.sent.layouts.handles()
    }
    /// Name of the bound vertex array; 0 = none in the core profile.
    pub(crate) fn bound_name(&self) -> u32 {
        self.current_name
    }
    /// The bound vertex array.
    pub(crate) fn current(&self) -> &Vao {
        &self.current
    }
    /// A vertex array by the name of its object.
    pub(super) fn get(&self, name: u32) -> &Vao {
        match self.names.get(name as usize) {
            Some(Name::Live(vao)) => vao,
            _ => &self.current,
        }
    }
    /// The same for changing.
    pub(super) fn get_mut(&mut self, name: u32) -> &mut Vao {
        match self.names.get_mut(name as usize) {
            Some(Name::Live(vao)) => vao,
            _ => &mut self.current,
        }
    }
    /// Both the bound array and what was sent of it.
    pub(super) fn split(&mut self) -> (&mut Vao, &mut Sent, &[Value; MAX_VERTEX_ATTRIBS]) {
        (&mut self.current, &mut self.sent, &self.values)
    }
    /// Element buffer of the bound vertex array.
    pub(crate) fn element_buffer(&self) -> Option<&Arc<Buffer>> {
        self.current.element.as_ref()
    }
    /// Binds the element buffer of the bound vertex array.
    pub(crate) fn set_element_buffer(&mut self, buffer: Option<Arc<Buffer>>) {
        self.current.element = buffer;
    }
    /// Detaches a deleted buffer from the bound vertex array (GL 4.6 §5.1.2); true when it was attached.
    pub(crate) fn unbind_buffer(&mut self, buffer: &Arc<Buffer>) -> bool {
        let is = |b: &mut Arc<Buffer>| Arc::ptr_eq(b, buffer);
        let mut found = self.current.element.take_if(is).is_some();
        for binding in &mut self.current.bindings {
            found |= binding.buffer.take_if(is).is_some();
        }
        found
    }

    pub(super) fn reserve(&mut self) -> u32 {
        if let Some(name) = self.free.pop() {
            self.names[name as usize] = Name::Reserved;
            return name;
        }
        self.names.push(Name::Reserved);
        (self.names.len() - 1) as u32
    }
    /// A fresh name with an object.
    pub(super) fn create(&mut self) -> u32 {
        let name = self.reserve();
        self.names[name as usize] = Name::Live(Box::default());
        name
    }
    pub(crate) fn is_object(&self, name: u32) -> bool {
        name != 0 && matches!(self.names.get(name as usize), Some(Name::Live(_) | Name::Current))
    }
    /// Makes `name` current; false when it was never generated.
    pub(super) fn bind(&mut self, name: u32) -> bool {
        let next = match self.names.get_mut(name as usize) {
            Some(slot @ (Name::Reserved | Name::Live(_))) => std::mem::replace(slot, Name::Current),
            Some(Name::Current) => return true,
            Some(Name::Free) | None => return false,
        };
        let next = if let Name::Live(vao) = next { vao } else { Box::default() };
        let old = std::mem::replace(&mut self.current, next);
        self.names[self.current_name as usize] = Name::Live(old);
        self.current_name = name;
        true
    }
    /// Frees a name; binding 0 takes the place of the current one. True when it was current.
    pub(super) fn delete(&mut self, name: u32) -> bool {
        let current = name == self.current_name;
        if name == 0 || matches!(self.names.get(name as usize), None | Some(Name::Free)) {
            return false;
        }
        if current {
            self.bind(0);
        }
        self.names[name as usize] = Name::Free;
        self.free.push(name);
        current
    }
}

/// Attributes of a context: what the device has, within what GL demands and the wire carries.
pub(crate) fn max_attribs(ctx: &Context) -> u32 {
    crate::shader::jobs::vertex_attribs(&ctx.instance.caps.limits)
}
