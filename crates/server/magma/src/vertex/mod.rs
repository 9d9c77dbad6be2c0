//! Vertex input: which attributes and bindings a program takes from a layout. Must not know buffers or command buffers.

mod formats;

pub use formats::{default_format, fetched};

use crate::programs::{Class, Program};
use crate::variants::{Fetch, FetchSet};
use ash::vk;
use mgl_backend::{Refusal, VertexElementsDesc};
use mgl_base::limits::MAX_VERTEX_ATTRIBS;
use mgl_pipe::tokens::AttribType;

/// Bytes of one default attribute value in the defaults block.
pub const DEFAULT_STRIDE: u32 = 32;

/// One dense vertex buffer binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputBinding {
    /// Bytes between elements.
    pub stride: u32,
    /// Advances per instance.
    pub instanced: bool,
}

/// One attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputAttribute {
    /// Location.
    pub location: u32,
    /// Dense binding.
    pub binding: u32,
    /// Format.
    pub format: vk::Format,
    /// Bytes from the element.
    pub offset: u32,
}

/// Vertex input of one pair of program and attribute layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexLayout {
    /// Binding descriptions, numbered densely.
    pub bindings: Vec<InputBinding>,
    /// Divisors other than 1 of instanced bindings.
    pub divisors: Vec<(u32, u32)>,
    /// Attribute descriptions.
    pub attributes: Vec<InputAttribute>,
    /// GL binding point of each dense binding; `u32::MAX` = the default values.
    pub sources: Vec<u32>,
    /// Locations that take the default value.
    pub defaults: u32,
    /// Conversions in the shader.
    pub fetch: FetchSet,
}

/// What the device allows.
pub struct Limits<'a> {
    /// True when vertex buffers can have the format.
    pub supported: &'a dyn Fn(vk::Format) -> bool,
    /// Divisors above 1.
    pub divisors: bool,
    /// Largest divisor.
    pub max_divisor: u32,
    /// Attribute locations.
    pub max_locations: u32,
    /// Shaders can compute with doubles.
    pub float64: bool,
}

impl VertexLayout {
    /// Resolves what `program` reads against `elements`.
    pub fn new(program: &Program, elements: &VertexElementsDesc, limits: &Limits<'_>) -> Result<Self, Refusal> {
        let mut out = Self::default();
        let mut dense = [u32::MAX; MAX_VERTEX_ATTRIBS];
        for input in &program.reflection.inputs {
            let attrib = elements.attribs.iter().find(|a| u32::from(a.location) == input.location);
            let Some(attrib) = attrib else {
                out.add_default(input.location, input.class, input.components);
                continue;
            };
            let Some(binding) = elements.bindings.iter().find(|b| b.binding == u32::from(attrib.binding)) else {
                out.add_default(input.location, input.class, input.components);
                continue;
            };
            if input.class == Class::Double && attrib.ty != AttribType::Double {
                out.add_default(input.location, input.class, input.components);
                continue;
            }
            let Some(mut fetched) = fetched(attrib, input.class, limits.supported) else {
                return Err(Refusal::Unsupported("VertexAttributeFormat"));
            };
            if fetched.fetch.double_count() > 0 {
                // What the shader does not read takes no location.
                fetched.fetch = Fetch::doubles(fetched.fetch.double_count().min(input.components));
            }
            let slot = &mut dense[binding.binding as usize % MAX_VERTEX_ATTRIBS];
            if *slot == u32::MAX {
                *slot = out.sources.len() as u32;
                out.add_binding(binding.binding, binding.stride, binding.divisor, limits)?;
            }
            let slot = *slot;
            out.fetch.set(input.location, fetched.fetch);
            out.attributes.push(InputAttribute {
                location: input.location,
                binding: slot,
                format: fetched.format,
                offset: attrib.offset,
            });
        }
        let taken = program.reflection.inputs.iter().fold(0, |all, i| all | 1u64 << (i.location & 63));
        out.place_doubles(taken, limits)?;
        Ok(out)
    }

    /// The third and fourth double of an attribute get a location of their own.
    fn place_doubles(&mut self, taken: u64, limits: &Limits<'_>) -> Result<(), Refusal> {
        for at in 0..self.attributes.len() {
            let first = self.attributes[at];
            let count = self.fetch.get(first.location).double_count();
            if count > 0 && !limits.float64 {
                return Err(Refusal::Unsupported("VertexAttributeDouble"));
            }
            if count <= 2 {
                continue;
            }
            let location = self.fetch.second_location(first.location, taken);
            if location >= limits.max_locations {
                return Err(Refusal::Unsupported("VertexAttributeDouble"));
            }
            let format = if count == 3 { vk::Format::R32G32_UINT } else { vk::Format::R32G32B32A32_UINT };
            self.attributes.push(InputAttribute { location, format, offset: first.offset + 16, ..first });
        }
        Ok(())
    }

    fn add_binding(&mut self, source: u32, stride: u32, divisor: u32, limits: &Limits<'_>) -> Result<(), Refusal> {
        let binding = self.sources.len() as u32;
        if divisor > 1 {
            if !limits.divisors || divisor > limits.max_divisor {
                return Err(Refusal::Unsupported("VertexAttributeDivisor"));
            }
            self.divisors.push((binding, divisor));
        }
        self.sources.push(source);
        self.bindings.push(InputBinding { stride, instanced: divisor != 0 });
        Ok(())
    }

    fn add_default(&mut self, location: u32, class: Class, components: u32) {
        let binding = match self.sources.iter().position(|s| *s == u32::MAX) {
            Some(at) => at as u32,
            None => {
                let binding = self.sources.len() as u32;
                self.sources.push(u32::MAX);
                self.bindings.push(InputBinding { stride: 0, instanced: false });
                binding
            }
        };
        self.defaults |= 1 << (location & 31);
        if class == Class::Double {
            self.fetch.set(location, Fetch::doubles(components.max(2)));
        }
        self.attributes.push(InputAttribute {
            location,
            binding,
            format: default_format(class),
            offset: location * DEFAULT_STRIDE,
        });
    }
}
