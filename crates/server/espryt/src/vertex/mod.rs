//! Vertex arrays: one per attribute layout, with the buffers that it holds now; and the current values of attributes
//! without arrays. Must not know programs.

mod formats;

use crate::core::Core;
use crate::essl::FetchSet;
use crate::programs::Slice;
use crate::raw::consts;
use formats::{Format, format};
use mgl_backend::traits::Outcome;
use mgl_backend::values::{AttribValue, VertexBinding};
use mgl_backend::{ContextState, Refusal, VertexElementsDesc};
use mgl_base::Handle;
use mgl_base::handle::{Buffer, VertexElementsCso};
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_base::slots::SlotTable;
use mgl_pipe::tokens::AttribType;

/// One attribute of the layout.
#[derive(Clone, Copy, Debug)]
struct Attribute {
    location: u32,
    /// Dense binding.
    binding: usize,
    format: Format,
    offset: u32,
}

/// What a dense binding holds: buffer handle, offset, stride.
type Held = (u64, u64, u32);

/// A stream that is converted on the CPU because the driver cannot fetch its type.
#[derive(Clone, Copy, Debug)]
pub struct Converted {
    /// Dense binding of the converted copy.
    binding: usize,
    /// Index into the layout's own bindings.
    source: usize,
    /// Fixed point, else doubles.
    fixed: bool,
    components: u32,
    offset: u32,
    /// Handle, serial and offset that the copy was made from; zero = none yet.
    made: (u64, u64, u64),
    /// Driver buffer of the copy.
    copy: u32,
}

/// A vertex array.
#[derive(Debug)]
pub struct VertexArray {
    /// Driver name.
    pub name: u32,
    /// Conversions in the shader.
    pub fetch: FetchSet,
    /// Locations that have an array.
    pub enabled: u32,
    /// Some binding advances per instance.
    pub instanced: bool,
    attributes: Vec<Attribute>,
    bindings: Vec<VertexBinding>,
    converted: Vec<Converted>,
    held: Vec<Held>,
    element: u64,
    refusal: Option<&'static str>,
}

/// Key of an element buffer that lies in the ring: never equal to a handle's.
fn ring_key(slice: &Slice) -> u64 {
    1 << 63 | u64::from(slice.name)
}

/// All vertex arrays of a session.
pub struct VertexArrays {
    table: SlotTable<VertexElementsCso, VertexArray>,
    empty: Option<Box<VertexArray>>,
    /// Read where no buffer is bound.
    zero: u32,
    values: [Option<AttribValue>; MAX_VERTEX_ATTRIBS],
    max: usize,
}

impl VertexArrays {
    /// None yet.
    pub fn new(core: &mut Core) -> Self {
        let max = core.gl().int(consts::MAX_VERTEX_ATTRIBS).clamp(1, MAX_VERTEX_ATTRIBS as i32) as usize;
        Self { table: SlotTable::default(), empty: None, zero: 0, values: [None; MAX_VERTEX_ATTRIBS], max }
    }

    /// New layout.
    pub fn create(&mut self, core: &mut Core, cso: Handle<VertexElementsCso>, desc: &VertexElementsDesc) -> Outcome {
        let made = make(core, desc, self.max);
        let old = self.table.insert(cso, made, "espryt.vertex_elements");
        if let Some(old) = old.map_err(|f| Refusal::Driver(f.to_string()))? {
            drop_array(core, &old);
        }
        Ok(())
    }

    /// Death of a layout.
    pub fn destroy(&mut self, core: &mut Core, cso: Handle<VertexElementsCso>) {
        if let Some(old) = self.table.remove(cso) {
            drop_array(core, &old);
        }
    }

    /// The array of a layout; an empty one for no layout.
    #[inline]
    pub fn get(&mut self, core: &mut Core, cso: Handle<VertexElementsCso>) -> &mut VertexArray {
        if self.table.get(cso).is_some()
            && let Some(found) = self.table.get_mut(cso)
        {
            return found;
        }
        let max = self.max;
        self.empty.get_or_insert_with(|| Box::new(make(core, &VertexElementsDesc::default(), max)))
    }

    /// Name of a layout's array, when nothing of it has to be converted before each draw.
    pub fn plain_name(&self, cso: Handle<VertexElementsCso>) -> Option<u32> {
        self.table.get(cso).filter(|array| array.converted.is_empty()).map(|array| array.name)
    }

    /// Conversions in the shader that a layout needs.
    pub fn fetch(&self, cso: Handle<VertexElementsCso>) -> FetchSet {
        self.table.get(cso).map(|v| v.fetch).unwrap_or_default()
    }

    /// Binds the array and its buffers. `base_instance` is added to per-instance streams here, for drivers that do not.
    pub fn bind(&mut self, core: &mut Core, ctx: &ContextState, base_instance: u32) -> Outcome {
        if self.zero == 0 {
            self.zero = zero_buffer(core);
        }
        let zero = self.zero;
        let array = self.get(core, ctx.vertex_elements);
        if let Some(name) = array.refusal {
            return Err(Refusal::Unsupported(name));
        }
        core.bind.vertex_array(&core.device.gl, array.name);
        for n in 0..array.bindings.len() {
            let b = array.bindings[n];
            let source = ctx.vertex_buffers[b.binding as usize % MAX_VERTEX_ATTRIBS];
            let shift = if b.divisor != 0 { u64::from(base_instance) * u64::from(b.stride) } else { 0 };
            let offset = source.offset + shift;
            let store = core.buffer(source.buffer).filter(|s| offset < s.size);
            let (name, want) = match store {
                Some(store) => (store.name, (source.buffer.bits(), offset, b.stride)),
                None => (zero, (0, 0, 0)),
            };
            if array.held[n] != want {
                array.held[n] = want;
                array.point(core, n, name, want.1, want.2);
            }
        }
        array.convert(core, ctx, zero)
    }

    /// Sends current values of attributes without arrays.
    pub fn values(&mut self, core: &Core, ctx: &ContextState) {
        for (location, value) in ctx.attrib_defaults.iter().enumerate().take(self.max) {
            if self.values[location] == Some(*value) {
                continue;
            }
            self.values[location] = Some(*value);
            let (index, gl) = (location as u32, core.gl());
            match value.class {
                1 => gl.vertex_attrib_i(index, &value.bits.map(u32::cast_signed)),
                2 => gl.vertex_attrib_u(index, &value.bits),
                _ => gl.vertex_attrib_f(index, &value.bits.map(f32::from_bits)),
            }
        }
    }

    /// Binds the element buffer of the bound array.
    pub fn elements(&mut self, core: &mut Core, ctx: &ContextState, rewritten: Option<&Slice>) -> Outcome {
        let (name, key) = match rewritten {
            Some(slice) => (slice.name, ring_key(slice)),
            None => {
                let store = core.buffer(ctx.index_buffer).ok_or(Refusal::Unsupported("IndexBufferUnbound"))?;
                (store.name, ctx.index_buffer.bits())
            }
        };
        let array = self.get(core, ctx.vertex_elements);
        if array.element != key || rewritten.is_some() {
            core.gl().bind_buffer(consts::ELEMENT_ARRAY_BUFFER, name);
            array.element = key;
        }
        Ok(())
    }

    /// Lets go of everything.
    pub fn close(&mut self, core: &mut Core) {
        if self.zero != 0 {
            core.bind.forget_buffer(self.zero);
            core.gl().drop_buffer(self.zero);
        }
        if let Some(empty) = self.empty.take() {
            drop_array(core, &empty);
        }
    }
}

/// A small buffer of zeros.
fn zero_buffer(core: &mut Core) -> u32 {
    let name = core.gl().new_buffer();
    core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, name);
    core.gl().buffer_data_bytes(consts::COPY_WRITE_BUFFER, &[0; 256], consts::STATIC_DRAW);
    name
}

fn drop_array(core: &mut Core, array: &VertexArray) {
    core.bind.forget_vertex_array(array.name);
    core.gl().drop_vertex_array(array.name);
    for converted in array.converted.iter().filter(|c| c.copy != 0) {
        core.bind.forget_buffer(converted.copy);
        core.gl().drop_buffer(converted.copy);
    }
}

/// Makes the array of a layout.
fn make(core: &mut Core, desc: &VertexElementsDesc, max: usize) -> VertexArray {
    let name = core.gl().new_vertex_array();
    let mut array = VertexArray {
        name,
        fetch: FetchSet::default(),
        enabled: 0,
        instanced: desc.bindings.iter().any(|b| b.divisor != 0),
        attributes: Vec::new(),
        bindings: desc.bindings.clone(),
        converted: Vec::new(),
        held: vec![(u64::MAX, 0, 0); desc.bindings.len()],
        element: 0,
        refusal: None,
    };
    for attrib in &desc.attribs {
        let location = u32::from(attrib.location);
        let found = array.bindings.iter().position(|b| b.binding == u32::from(attrib.binding));
        let Some(binding) = found.filter(|_| (location as usize) < max) else { continue };
        let mut format = format(attrib);
        let mut at = Attribute { location, binding, format, offset: attrib.offset };
        if format.converted {
            at.binding = array.bindings.len() + array.converted.len();
            at.offset = 0;
            format.converted = false;
            array.converted.push(Converted {
                binding: at.binding,
                source: binding,
                fixed: attrib.ty == AttribType::Fixed,
                components: u32::from(attrib.components),
                offset: attrib.offset,
                made: (0, 0, 0),
                copy: 0,
            });
        }
        array.fetch.set(location, format.fetch);
        array.enabled |= 1 << location;
        array.attributes.push(at);
    }
    if array.bindings.len() + array.converted.len() > max {
        array.refusal = Some("VertexBufferBindings");
        return array;
    }
    core.bind.vertex_array(&core.device.gl, name);
    array.describe(core);
    array
}

impl VertexArray {
    /// Sends the layout to the bound array.
    fn describe(&self, core: &Core) {
        let gl = core.gl();
        for a in &self.attributes {
            gl.enable_vertex_attrib_array(a.location);
            if !core.features().separate_attrib_format {
                continue;
            }
            let f = &a.format;
            if f.integer {
                gl.vertex_attrib_i_format(a.location, f.size, f.ty, a.offset);
            } else {
                gl.vertex_attrib_format(a.location, f.size, f.ty, u8::from(f.normalized), a.offset);
            }
            gl.vertex_attrib_binding(a.location, a.binding as u32);
        }
        if core.features().separate_attrib_format {
            for (n, b) in (0u32..).zip(&self.bindings) {
                gl.vertex_binding_divisor(n, b.divisor);
            }
            for c in &self.converted {
                gl.vertex_binding_divisor(c.binding as u32, self.bindings[c.source].divisor);
            }
        }
    }

    /// Points a dense binding of the bound array at a buffer.
    fn point(&self, core: &mut Core, binding: usize, name: u32, offset: u64, stride: u32) {
        if core.device.features.separate_attrib_format {
            core.gl().bind_vertex_buffer(binding as u32, name, offset as isize, stride.cast_signed());
            return;
        }
        core.bind.buffer(&core.device.gl, consts::ARRAY_BUFFER, name);
        let source = self.converted.iter().find(|c| c.binding == binding).map_or(binding, |c| c.source);
        let divisor = self.bindings.get(source).map_or(0, |b| b.divisor);
        for a in self.attributes.iter().filter(|a| a.binding == binding) {
            let (gl, f, at) = (core.gl(), &a.format, offset as usize + a.offset as usize);
            if f.integer {
                gl.vertex_attrib_i_offset(a.location, f.size, f.ty, stride.cast_signed(), at);
            } else {
                gl.vertex_attrib_offset(a.location, f.size, f.ty, f.normalized, stride.cast_signed(), at);
            }
            // A stride of zero means "tight" to this call; a divisor that is never reached reads one element.
            gl.vertex_attrib_divisor(a.location, if stride == 0 { u32::MAX } else { divisor });
        }
    }

    /// Brings converted streams up to date.
    fn convert(&mut self, core: &mut Core, ctx: &ContextState, zero: u32) -> Outcome {
        for n in 0..self.converted.len() {
            let mut c = self.converted[n];
            let b = self.bindings[c.source];
            let source = ctx.vertex_buffers[b.binding as usize % MAX_VERTEX_ATTRIBS];
            let Some(store) = core.buffer(source.buffer).filter(|s| source.offset < s.size) else {
                self.point(core, c.binding, zero, 0, 0);
                continue;
            };
            let want = (source.buffer.bits(), store.serial, source.offset);
            if c.made != want {
                if c.copy == 0 {
                    c.copy = core.gl().new_buffer();
                }
                copy_floats(core, source.buffer, store.size, source.offset + u64::from(c.offset), b.stride, &c)?;
                c.made = want;
                self.converted[n] = c;
            }
            let stride = if b.stride == 0 { 0 } else { 4 * c.components };
            self.point(core, c.binding, c.copy, 0, stride);
        }
        Ok(())
    }
}

/// Doubles or fixed point to floats, all elements of a stream.
fn copy_floats(core: &mut Core, from: Handle<Buffer>, size: u64, start: u64, stride: u32, c: &Converted) -> Outcome {
    let unit = if c.fixed { 4 } else { 8 };
    let element = unit * u64::from(c.components);
    let step = if stride == 0 { element } else { u64::from(stride) };
    let mut bytes = vec![0; size.saturating_sub(start) as usize];
    core.buffer_read(from, start, &mut bytes)?;
    let mut out = Vec::with_capacity(bytes.len());
    for at in (0..bytes.len() as u64).step_by(step.max(1) as usize) {
        for n in 0..u64::from(c.components) {
            let at = (at + unit * n) as usize;
            let value = match bytes.get(at..at + unit as usize) {
                Some([a, b, c, d]) => i32::from_ne_bytes([*a, *b, *c, *d]) as f32 / 65536.0,
                Some(word) => word.try_into().map_or(0.0, f64::from_ne_bytes) as f32,
                None => 0.0,
            };
            out.extend_from_slice(&value.to_ne_bytes());
        }
    }
    core.bind.buffer(&core.device.gl, consts::COPY_WRITE_BUFFER, c.copy);
    core.gl().buffer_data_bytes(consts::COPY_WRITE_BUFFER, &out, consts::DYNAMIC_DRAW);
    Ok(())
}
