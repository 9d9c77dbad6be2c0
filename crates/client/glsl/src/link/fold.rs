//! Varyings that only fit between two stages when their words lie side by side, as GL counts them: in components, not in
//! locations (GL 4.6 core §11.1.2.1). Must not rewrite a module, and must not be asked while every varying has room.

use super::stage::StageIr;
use crate::gltype::Scalar;
use crate::lower::fold::Fold;
use crate::lower::io::{Interpolation, IoVar};
use crate::lower::ty::Ty;

/// What varyings that share a location have in common.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    float: bool,
    interpolation: Interpolation,
}

/// Locations in use for one key, and the words in them.
struct Lane {
    key: Key,
    location: u32,
    words: u32,
}

/// The locations that hold folded varyings.
#[derive(Default)]
pub struct Folds(Vec<Lane>);

/// `GLSL.std.450` instructions that interpolate an input at another place: they take the input itself.
const INTERPOLATE: std::ops::RangeInclusive<u32> = 76..=78;

/// Whether the stage interpolates inputs at places of its own.
pub fn interpolates(stage: &StageIr) -> bool {
    stage.ir.body().any(|i| {
        i.class.opcode == rspirv::spirv::Op::ExtInst
            && matches!(i.operands.get(1), Some(rspirv::dr::Operand::LiteralExtInstInteger(n)) if INTERPOLATE.contains(n))
    })
}

/// Key and words of a varying that can be folded.
fn words(out: &IoVar, reader: &IoVar, floats: bool) -> Option<(Key, u32)> {
    let plain = |v: &IoVar| {
        let captured = v.declared_xfb.iter().any(Option::is_some);
        !(v.block.is_some() || v.arrayed || v.patch || v.invariant || captured || v.stream != 0)
    };
    if !plain(out) || !plain(reader) || out.ty != reader.ty {
        return None;
    }
    let (base, dims) = out.ty.peel();
    let (scalar, components) = match base {
        Ty::Scalar(s) => (*s, 1),
        Ty::Vector(s, n) => (*s, *n),
        Ty::Matrix(s, columns, rows) => (*s, columns * rows),
        _ => return None,
    };
    let flat = Interpolation { flat: true, ..Interpolation::default() };
    let key = match scalar {
        Scalar::Float if floats => Key { float: true, interpolation: reader.interpolation.first().copied()? },
        Scalar::Float | Scalar::Bool => return None,
        _ => Key { float: false, interpolation: flat },
    };
    Some((key, dims.iter().product::<u32>() * components * scalar.bytes() / 4))
}

impl Folds {
    /// The words of a varying, when it can be folded; `find` gives a free location.
    pub fn place(&mut self, out: &IoVar, reader: &IoVar, floats: bool, mut find: impl FnMut() -> u32) -> Option<Fold> {
        let (key, count) = words(out, reader, floats)?;
        let at = self.0.iter().position(|l| l.key == key).unwrap_or_else(|| {
            self.0.push(Lane { key, location: 0, words: 0 });
            self.0.len() - 1
        });
        let lane = &mut self.0[at];
        let word = |_| {
            if lane.words.is_multiple_of(4) {
                lane.location = find();
            }
            lane.words += 1;
            (lane.location, (lane.words - 1) % 4)
        };
        let places = (0..count).map(word).collect();
        Some(Fold { places, float: key.float, interpolation: key.interpolation })
    }
}
