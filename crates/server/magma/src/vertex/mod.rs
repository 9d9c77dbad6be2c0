//! Vertex input: which attributes and bindings a program takes from a layout. Must not know buffers or command buffers.

mod formats;

pub use formats::{default_format, fetched};

use crate::programs::{Class, Program};
use crate::variants::{Fetch, FetchSet};
use ash::vk;
use mgl_backend::{Refusal, VertexElementsDesc};
use mgl_base::limits::MAX_VERTEX_ATTRIBS;

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
}

impl VertexLayout {
    /// Resolves what `program` reads against `elements`.
    pub fn new(program: &Program, elements: &VertexElementsDesc, limits: &Limits<'_>) -> Result<Self, Refusal> {
        let mut out = Self::default();
        let mut dense = [u32::MAX; MAX_VERTEX_ATTRIBS];
        for input in &program.reflection.inputs {
            let attrib = elements.attribs.iter().find(|a| u32::from(a.location) == input.location);
            let Some(attrib) = attrib else {
                out.add_default(input.location, input.class);
                continue;
            };
            let Some(binding) = elements.bindings.iter().find(|b| b.binding == u32::from(attrib.binding)) else {
                out.add_default(input.location, input.class);
                continue;
            };
            let Some(fetched) = fetched(attrib, input.class, limits.supported) else {
                return Err(Refusal::Unsupported("VertexAttributeFormat"));
            };
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
        out.place_doubles(limits)?;
        Ok(out)
    }

    /// Attributes that the shader fetches as doubles move to locations of their own.
    fn place_doubles(&mut self, limits: &Limits<'_>) -> Result<(), Refusal> {
        let taken: Vec<u32> = self.attributes.iter().map(|a| a.location).collect();
        for attribute in &mut self.attributes {
            if self.fetch.get(attribute.location) == Fetch::Double {
                let location = self.fetch.double_location(attribute.location);
                let clash = taken.iter().any(|l| (location..location + 2).contains(l));
                if clash || location + 2 > limits.max_locations {
                    return Err(Refusal::Unsupported("VertexAttributeDouble"));
                }
                attribute.location = location;
            }
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

    fn add_default(&mut self, location: u32, class: Class) {
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
        self.attributes.push(InputAttribute {
            location,
            binding,
            format: default_format(class),
            offset: location * DEFAULT_STRIDE,
        });
    }
}
