//! GL type tokens of GLSL types (GL 4.6 core table 7.3).
//! Must not know SPIR-V ids: only shapes go in.

/// Scalar kinds of GLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `uint`.
    Uint,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `int64_t`.
    Int64,
    /// `uint64_t`.
    Uint64,
}

impl Scalar {
    /// Bytes of one component in a buffer; `bool` is stored as `uint`.
    pub const fn bytes(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::Int | Scalar::Uint | Scalar::Float => 4,
            Scalar::Double | Scalar::Int64 | Scalar::Uint64 => 8,
        }
    }
}

/// Token of a scalar or vector of `n` components.
pub fn vector(scalar: Scalar, n: u32) -> u32 {
    let row: [u32; 4] = match scalar {
        Scalar::Bool => [0x8B56, 0x8B57, 0x8B58, 0x8B59],
        Scalar::Int => [0x1404, 0x8B53, 0x8B54, 0x8B55],
        Scalar::Uint => [0x1405, 0x8DC6, 0x8DC7, 0x8DC8],
        Scalar::Float => [0x1406, 0x8B50, 0x8B51, 0x8B52],
        Scalar::Double => [0x140A, 0x8FFC, 0x8FFD, 0x8FFE],
        Scalar::Int64 => [0x140E, 0x8FE9, 0x8FEA, 0x8FEB],
        Scalar::Uint64 => [0x140F, 0x8FF5, 0x8FF6, 0x8FF7],
    };
    row[(n.clamp(1, 4) - 1) as usize]
}

/// Token of a matrix of `columns` × `rows`.
pub fn matrix(scalar: Scalar, columns: u32, rows: u32) -> u32 {
    let float = [[0x8B5A, 0x8B65, 0x8B66], [0x8B67, 0x8B5B, 0x8B68], [0x8B69, 0x8B6A, 0x8B5C]];
    let double = [[0x8F46, 0x8F49, 0x8F4A], [0x8F4B, 0x8F47, 0x8F4C], [0x8F4D, 0x8F4E, 0x8F48]];
    let table = if scalar == Scalar::Double { double } else { float };
    table[(columns.clamp(2, 4) - 2) as usize][(rows.clamp(2, 4) - 2) as usize]
}

/// Components of a GL type token: (scalars per column, columns, bytes per scalar). `None` for opaque types.
pub fn shape(token: u32) -> Option<(u32, u32, u32)> {
    let scalars =
        [Scalar::Bool, Scalar::Int, Scalar::Uint, Scalar::Float, Scalar::Double, Scalar::Int64, Scalar::Uint64];
    for scalar in scalars {
        if let Some(n) = (1..=4).find(|n| vector(scalar, *n) == token) {
            return Some((n, 1, scalar.bytes()));
        }
    }
    for scalar in [Scalar::Float, Scalar::Double] {
        for columns in 2..=4 {
            if let Some(rows) = (2..=4).find(|rows| matrix(scalar, columns, *rows) == token) {
                return Some((rows, columns, scalar.bytes()));
            }
        }
    }
    None
}
