//! Vertex attributes whose memory format the device cannot feed as the type the shader declares: the shader fetches raw
//! integers (or doubles) and converts them itself (GL 4.6 §10.3.1, equations 2.1 and 2.2). Must not know Vulkan formats.

use super::edit::{Edit, EditError};
use super::fragment::privatise;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, Op, StorageClass, Word};

/// How one attribute is converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fetch {
    /// By the device.
    #[default]
    Native = 0,
    /// Signed integer to float.
    Sint = 1,
    /// Unsigned integer to float.
    Uint = 2,
    /// Signed normalised: divided by 2^31 - 1 and clamped to -1.
    Snorm32 = 3,
    /// Unsigned normalised: divided by 2^32 - 1.
    Unorm32 = 4,
    /// 16.16 fixed point.
    Fixed = 5,
    /// 64-bit float to float.
    Double = 6,
    /// Four components are fetched where the program gave three: w is 1.
    ForceW = 7,
    /// As `Snorm32`, of fewer than four components: the missing w is 1 and is not scaled.
    Snorm32W = 8,
    /// As `Unorm32`, of fewer than four components.
    Unorm32W = 9,
    /// As `Fixed`, of fewer than four components.
    FixedW = 10,
}

impl Fetch {
    /// The same conversion of fewer than four components.
    pub fn short(self) -> Self {
        match self {
            Self::Snorm32 => Self::Snorm32W,
            Self::Unorm32 => Self::Unorm32W,
            Self::Fixed => Self::FixedW,
            other => other,
        }
    }

    /// The conversion without what it says about w.
    fn whole(self) -> Self {
        match self {
            Self::Snorm32W => Self::Snorm32,
            Self::Unorm32W => Self::Unorm32,
            Self::FixedW => Self::Fixed,
            other => other,
        }
    }
}

/// The conversions of all attributes, four bits per location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FetchSet(u128);

impl FetchSet {
    /// Sets the conversion of `location` (below 32).
    pub fn set(&mut self, location: u32, fetch: Fetch) {
        let shift = (location & 31) * 4;
        self.0 = self.0 & !(0xF << shift) | (fetch as u128) << shift;
    }
    /// Where a 64-bit attribute is fetched: it may take two locations, so these are given from the top, in the order of
    /// the attributes.
    pub fn double_location(&self, location: u32) -> u32 {
        let before = (0..location & 31).filter(|l| self.get(*l) == Fetch::Double).count() as u32;
        30 - 2 * before.min(15)
    }
    /// The conversion of `location`.
    pub fn get(&self, location: u32) -> Fetch {
        match (self.0 >> ((location & 31) * 4)) & 0xF {
            1 => Fetch::Sint,
            2 => Fetch::Uint,
            3 => Fetch::Snorm32,
            4 => Fetch::Unorm32,
            5 => Fetch::Fixed,
            6 => Fetch::Double,
            7 => Fetch::ForceW,
            8 => Fetch::Snorm32W,
            9 => Fetch::Unorm32W,
            10 => Fetch::FixedW,
            _ => Fetch::Native,
        }
    }
}

/// Rewrites every vertex input with a conversion.
pub fn convert_attributes(edit: &mut Edit, set: &FetchSet) -> Result<(), EditError> {
    let inputs: Vec<(Word, u32, Fetch)> = edit
        .variables(StorageClass::Input)
        .into_iter()
        .filter_map(|v| edit.literal(v, Decoration::Location).map(|l| (v, l, set.get(l))))
        .filter(|(_, _, fetch)| *fetch != Fetch::Native)
        .collect();
    for (input, location, fetch) in inputs {
        let location = if fetch == Fetch::Double { set.double_location(location) } else { location };
        convert(edit, input, location, fetch)?;
    }
    Ok(())
}

fn convert(edit: &mut Edit, input: Word, location: u32, fetch: Fetch) -> Result<(), EditError> {
    let ty = edit.pointee_of(input).ok_or(EditError::Shape("vertex input without a type"))?;
    let (scalar, count) = shape(edit, ty);
    let float = edit.float();
    if scalar != float {
        return Ok(()); // Integer and 64-bit inputs are never converted.
    }
    if fetch == Fetch::ForceW && count < 4 {
        return Ok(());
    }
    let copy = privatise(edit, input, ty, StorageClass::Input);
    let raw_scalar = raw_type(edit, fetch.whole());
    let raw_type = vector(edit, raw_scalar, count);
    let source = if fetch == Fetch::ForceW {
        input
    } else {
        // Two variables at one location would clash: the old one leaves the interface.
        edit.drop_interface(input);
        let place = (Decoration::Location, Operand::LiteralBit32(location));
        edit.interface_variable(raw_type, StorageClass::Input, place)
    };
    let helper = edit.begin_helper()?;
    let raw = edit.b.load(raw_type, None, source, None, [])?;
    let mut value = arithmetic(edit, fetch.whole(), raw, ty, count)?;
    if fetch != fetch.whole() && count == 4 {
        let one = edit.float_constant(1.0);
        value = edit.b.composite_insert(ty, None, one, value, [3])?;
    }
    edit.b.store(copy, value, None, [])?;
    edit.end_helper()?;
    edit.call_at_entry(helper);
    Ok(())
}

fn shape(edit: &Edit, ty: Word) -> (Word, u32) {
    match edit.definition(ty) {
        Some(i) if i.class.opcode == Op::TypeVector => match i.operands.as_slice() {
            [Operand::IdRef(scalar), Operand::LiteralBit32(n)] => (*scalar, *n),
            _ => (ty, 1),
        },
        _ => (ty, 1),
    }
}

fn vector(edit: &mut Edit, scalar: Word, count: u32) -> Word {
    if count == 1 { scalar } else { edit.b.type_vector(scalar, count) }
}

fn raw_type(edit: &mut Edit, fetch: Fetch) -> Word {
    match fetch {
        Fetch::Sint | Fetch::Snorm32 | Fetch::Fixed => edit.b.type_int(32, 1),
        Fetch::Uint | Fetch::Unorm32 => edit.b.type_int(32, 0),
        Fetch::Double => {
            edit.b.capability(Capability::Float64);
            edit.b.type_float(64, None)
        }
        _ => edit.float(),
    }
}

fn arithmetic(edit: &mut Edit, fetch: Fetch, raw: Word, ty: Word, count: u32) -> Result<Word, EditError> {
    let scale = |edit: &mut Edit, value: Word, factor: f32| -> Result<Word, EditError> {
        let factor = splat(edit, factor, ty, count)?;
        Ok(edit.b.f_mul(ty, None, value, factor)?)
    };
    Ok(match fetch {
        Fetch::Sint => edit.b.convert_s_to_f(ty, None, raw)?,
        Fetch::Uint => edit.b.convert_u_to_f(ty, None, raw)?,
        Fetch::Double => edit.b.f_convert(ty, None, raw)?,
        Fetch::Fixed => {
            let value = edit.b.convert_s_to_f(ty, None, raw)?;
            scale(edit, value, 1.0 / 65536.0)?
        }
        Fetch::Unorm32 => {
            let value = edit.b.convert_u_to_f(ty, None, raw)?;
            scale(edit, value, (1.0f64 / u32::MAX as f64) as f32)?
        }
        Fetch::Snorm32 => {
            // -2^31 maps to a value that rounds to -1 in a 32-bit float, so no clamp is needed.
            let value = edit.b.convert_s_to_f(ty, None, raw)?;
            scale(edit, value, (1.0f64 / i32::MAX as f64) as f32)?
        }
        Fetch::ForceW => {
            let one = edit.float_constant(1.0);
            edit.b.composite_insert(ty, None, one, raw, [3])?
        }
        _ => raw,
    })
}

fn splat(edit: &mut Edit, value: f32, ty: Word, count: u32) -> Result<Word, EditError> {
    let scalar = edit.float_constant(value);
    if count == 1 {
        return Ok(scalar);
    }
    Ok(edit.b.composite_construct(ty, None, (0..count).map(|_| scalar))?)
}
