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
    /// One 64-bit float, fetched as words.
    Double1 = 6,
    /// Four components are fetched where the program gave three: w is 1.
    ForceW = 7,
    /// As `Snorm32`, of fewer than four components: the missing w is 1 and is not scaled.
    Snorm32W = 8,
    /// As `Unorm32`, of fewer than four components.
    Unorm32W = 9,
    /// As `Fixed`, of fewer than four components.
    FixedW = 10,
    /// Two 64-bit floats.
    Double2 = 11,
    /// Three; the third is at a location of its own.
    Double3 = 12,
    /// Four; the last two are at a location of their own.
    Double4 = 13,
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

    /// The fetch of `n` 64-bit floats.
    pub fn doubles(n: u32) -> Self {
        match n {
            0 | 1 => Self::Double1,
            2 => Self::Double2,
            3 => Self::Double3,
            _ => Self::Double4,
        }
    }

    /// 64-bit floats in memory; 0 of other types.
    pub fn double_count(self) -> u32 {
        match self {
            Self::Double1 => 1,
            Self::Double2 => 2,
            Self::Double3 => 3,
            Self::Double4 => 4,
            _ => 0,
        }
    }

    /// The conversion without what it says about w.
    fn whole(self) -> Self {
        match self {
            Self::Snorm32W => Self::Snorm32,
            Self::Unorm32W => Self::Unorm32,
            Self::FixedW => Self::Fixed,
            Self::ForceW => Self::Native,
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
    /// Location of the third and fourth double of the attribute at `location`: GL counts one location per attribute, Vulkan
    /// fetches four words at each, so these take the locations that no input of the program (`taken`) has, in order.
    pub fn second_location(&self, location: u32, taken: u64) -> u32 {
        let before = (0..location & 31).filter(|l| self.get(*l).double_count() > 2).count();
        (0..64).filter(|l| taken & (1 << l) == 0).nth(before).unwrap_or(64)
    }
    /// The conversion of `location`.
    pub fn get(&self, location: u32) -> Fetch {
        match (self.0 >> ((location & 31) * 4)) & 0xF {
            1 => Fetch::Sint,
            2 => Fetch::Uint,
            3 => Fetch::Snorm32,
            4 => Fetch::Unorm32,
            5 => Fetch::Fixed,
            6 => Fetch::Double1,
            7 => Fetch::ForceW,
            8 => Fetch::Snorm32W,
            9 => Fetch::Unorm32W,
            10 => Fetch::FixedW,
            11 => Fetch::Double2,
            12 => Fetch::Double3,
            13 => Fetch::Double4,
            _ => Fetch::Native,
        }
    }
}

/// Rewrites every vertex input with a conversion.
pub fn convert_attributes(edit: &mut Edit, set: &FetchSet) -> Result<(), EditError> {
    let mut inputs = Vec::new();
    let mut taken = 0u64;
    for variable in edit.variables(StorageClass::Input) {
        let (Some(location), Some(ty)) = (edit.literal(variable, Decoration::Location), edit.pointee_of(variable))
        else {
            continue;
        };
        let columns = Columns::of(edit, ty);
        taken = (0..columns.count).fold(taken, |all, n| all | 1u64 << (location.wrapping_add(n) & 63));
        inputs.push((variable, location, ty, columns));
    }
    for (variable, location, ty, columns) in inputs {
        convert(edit, &Input { variable, location, ty, columns, set, taken })?;
    }
    Ok(())
}

/// What an input consists of: so many columns of `n` scalars, one location each.
#[derive(Clone, Copy)]
struct Columns {
    ty: Word,
    scalar: Word,
    n: u32,
    count: u32,
}

impl Columns {
    fn of(edit: &Edit, ty: Word) -> Self {
        let Some(i) = edit.definition(ty) else { return Self { ty, scalar: ty, n: 1, count: 1 } };
        match (i.class.opcode, i.operands.as_slice()) {
            (Op::TypeVector, [Operand::IdRef(scalar), Operand::LiteralBit32(n)]) => {
                Self { ty, scalar: *scalar, n: *n, count: 1 }
            }
            (Op::TypeMatrix, [Operand::IdRef(column), Operand::LiteralBit32(n)]) => {
                Self { count: *n, ..Self::of(edit, *column) }
            }
            (Op::TypeArray, [Operand::IdRef(element), ..]) => {
                let inner = Self::of(edit, *element);
                // More than any device has locations is no shape that `compose` makes.
                Self { count: u32::saturating_mul(inner.count, edit.array_length(ty).unwrap_or(1)).min(64), ..inner }
            }
            _ => Self { ty, scalar: ty, n: 1, count: 1 },
        }
    }
}

struct Input<'a> {
    variable: Word,
    location: u32,
    ty: Word,
    columns: Columns,
    set: &'a FetchSet,
    taken: u64,
}

/// Variables that one column is read from: raw type and variable, and of doubles the second part.
struct Source {
    fetch: Fetch,
    raw: Word,
    variable: Word,
    second: Option<(Word, Word)>,
}

fn is_double(edit: &Edit, scalar: Word) -> bool {
    let of = edit.definition(scalar).filter(|i| i.class.opcode == Op::TypeFloat);
    of.is_some_and(|i| i.operands.first() == Some(&Operand::LiteralBit32(64)))
}

fn convert(edit: &mut Edit, input: &Input<'_>) -> Result<(), EditError> {
    let columns = input.columns;
    let wide = is_double(edit, columns.scalar);
    let float = columns.scalar == edit.float();
    let fetch = |n: u32| match input.set.get(input.location + n) {
        Fetch::ForceW if columns.n < 4 => Fetch::Native,
        fetch => fetch,
    };
    // Integer inputs are never converted.
    if !(wide || float && (0..columns.count).any(|n| fetch(n) != Fetch::Native)) {
        return Ok(());
    }
    let component = edit.literal(input.variable, Decoration::Component).unwrap_or(0);
    let copy = privatise(edit, input.variable, input.ty, StorageClass::Input);
    // Two variables at one location would clash: the old one leaves the interface.
    edit.drop_interface(input.variable);
    let sources: Vec<Source> = (0..columns.count).map(|n| source(edit, input, n, fetch(n), component, wide)).collect();
    let helper = edit.begin_helper()?;
    let mut values = Vec::new();
    for from in &sources {
        values.push(if from.fetch.double_count() > 0 {
            doubles(edit, columns, from, component / 2, wide)?
        } else {
            let raw = edit.b.load(from.raw, None, from.variable, None, [])?;
            let value = arithmetic(edit, from.fetch.whole(), raw, columns.ty, columns.n)?;
            let short = from.fetch != from.fetch.whole() && columns.n == 4;
            let one = edit.float_constant(1.0);
            if short { edit.b.composite_insert(columns.ty, None, one, value, [3])? } else { value }
        });
    }
    let value = compose(edit, input.ty, columns.ty, &mut values.into_iter())?;
    edit.b.store(copy, value, None, [])?;
    edit.end_helper()?;
    edit.call_at_entry(helper);
    Ok(())
}

fn source(edit: &mut Edit, input: &Input<'_>, n: u32, fetch: Fetch, component: u32, wide: bool) -> Source {
    let columns = input.columns;
    let location = input.location + n;
    let add = |edit: &mut Edit, raw: Word, location: u32, component: u32| {
        let place = (Decoration::Location, Operand::LiteralBit32(location));
        let variable = edit.interface_variable(raw, StorageClass::Input, place);
        if component != 0 {
            edit.b.decorate(variable, Decoration::Component, [Operand::LiteralBit32(component)]);
        }
        variable
    };
    // An input of doubles has words behind it even where nothing was set.
    let fetch = if wide && fetch.double_count() == 0 { Fetch::Double4 } else { fetch };
    let have = fetch.double_count();
    if have == 0 {
        let raw = if fetch.whole() == Fetch::Native {
            columns.ty
        } else {
            let scalar = raw_type(edit, fetch.whole());
            vector(edit, scalar, columns.n)
        };
        return Source { fetch, raw, variable: add(edit, raw, location, component), second: None };
    }
    let uint = edit.b.type_int(32, 0);
    // `layout(component)` of doubles counts words; only one or two fit behind it.
    let low = columns.n.min(have.min(2).saturating_sub(component / 2)).max(1);
    let raw = edit.b.type_vector(uint, low * 2);
    let variable = add(edit, raw, location, component);
    let high = columns.n.min(have).saturating_sub(2);
    let second = (high > 0).then(|| {
        let raw = edit.b.type_vector(uint, high * 2);
        (raw, add(edit, raw, input.set.second_location(location, input.taken), 0))
    });
    Source { fetch, raw, variable, second }
}

/// A column of doubles from its words, converted when the input is of floats. What memory lacks is 0, 0, 1.
fn doubles(edit: &mut Edit, columns: Columns, from: &Source, first: u32, wide: bool) -> Result<Word, EditError> {
    edit.b.capability(Capability::Float64);
    let (double, uint) = (edit.b.type_float(64, None), edit.b.type_int(32, 0));
    let pair = edit.b.type_vector(uint, 2);
    let mut scalars = Vec::new();
    for (raw, variable) in [(from.raw, from.variable)].into_iter().chain(from.second) {
        let words = edit.b.load(raw, None, variable, None, [])?;
        let parts = if raw == pair { vec![words] } else { halves(edit, pair, words)? };
        for part in parts {
            scalars.push(edit.b.bitcast(double, None, part)?);
        }
    }
    let have = from.fetch.double_count().saturating_sub(first) as usize;
    scalars.truncate(have.min(columns.n as usize));
    for missing in scalars.len() as u32..columns.n {
        let value = if missing + first == 3 { 1.0 } else { 0.0f64 };
        scalars.push(edit.b.constant_bit64(double, value.to_bits()));
    }
    if !wide {
        for scalar in &mut scalars {
            *scalar = edit.b.f_convert(columns.scalar, None, *scalar)?;
        }
    }
    match scalars.as_slice() {
        [one] => Ok(*one),
        _ => Ok(edit.b.composite_construct(columns.ty, None, scalars)?),
    }
}

fn halves(edit: &mut Edit, pair: Word, words: Word) -> Result<Vec<Word>, EditError> {
    Ok(vec![
        edit.b.vector_shuffle(pair, None, words, words, [0, 1])?,
        edit.b.vector_shuffle(pair, None, words, words, [2, 3])?,
    ])
}

/// A value of `ty` from its columns.
fn compose(edit: &mut Edit, ty: Word, column: Word, values: &mut dyn Iterator<Item = Word>) -> Result<Word, EditError> {
    let bad = EditError::Shape("vertex input with fewer columns than its type");
    if ty == column {
        return values.next().ok_or(bad);
    }
    let (of, n) = match edit.definition(ty).map(|i| (i.class.opcode, i.operands.clone())) {
        Some((Op::TypeMatrix, operands)) => match operands.as_slice() {
            [Operand::IdRef(of), Operand::LiteralBit32(n)] => (*of, *n),
            _ => return Err(bad),
        },
        Some((Op::TypeArray, operands)) => match operands.first() {
            Some(Operand::IdRef(of)) => (*of, edit.array_length(ty).unwrap_or(1)),
            _ => return Err(bad),
        },
        _ => return Err(bad),
    };
    let mut parts = Vec::new();
    for _ in 0..n {
        parts.push(compose(edit, of, column, &mut *values)?);
    }
    Ok(edit.b.composite_construct(ty, None, parts)?)
}

fn vector(edit: &mut Edit, scalar: Word, count: u32) -> Word {
    if count == 1 { scalar } else { edit.b.type_vector(scalar, count) }
}

fn raw_type(edit: &mut Edit, fetch: Fetch) -> Word {
    match fetch {
        Fetch::Sint | Fetch::Snorm32 | Fetch::Fixed => edit.b.type_int(32, 1),
        Fetch::Uint | Fetch::Unorm32 => edit.b.type_int(32, 0),
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
