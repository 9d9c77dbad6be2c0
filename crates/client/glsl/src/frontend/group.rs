//! The work group size of a compute stage, which must fit the device when the shader is compiled (GLSL 4.60 §4.4.1.4).
//! Must not know how the words are made.

use crate::options::Limits;

const EXECUTION_MODE: u32 = 16;
const LOCAL_SIZE: u32 = 17;

/// Sizes of the first `LocalSize` of a module.
fn local_size(words: &[u32]) -> Option<[u32; 3]> {
    let mut rest = words.get(5..)?;
    while let Some(first) = rest.first() {
        let (length, opcode) = ((first >> 16) as usize, first & 0xFFFF);
        let inst = rest.get(..length.max(1))?;
        if let (EXECUTION_MODE, [_, _, LOCAL_SIZE, x, y, z]) = (opcode, inst) {
            return Some([*x, *y, *z]);
        }
        rest = rest.get(length.max(1)..)?;
    }
    None
}

/// The log for a work group that is larger than the device's, by direction or as a whole.
pub fn refuse(words: &[u32], limits: &Limits) -> Option<String> {
    let [x, y, z] = local_size(words)?;
    let invocations = u64::from(x) * u64::from(y) * u64::from(z);
    let fits = [x, y, z].iter().zip(limits.work_group_size).all(|(n, limit)| *n <= limit);
    if fits && invocations <= u64::from(limits.work_group_invocations) {
        return None;
    }
    let ([a, b, c], all) = (limits.work_group_size, limits.work_group_invocations);
    Some(format!(
        "ERROR: 0:1: a work group of {x} x {y} x {z} is too large: the limit is {a} x {b} x {c} and {all} invocations\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::refuse;
    use crate::options::Limits;

    /// A work group that the device cannot run would be accepted, and the dispatch do nothing.
    #[test]
    fn products_count_too() {
        let module =
            |size: [u32; 3]| vec![0, 0, 0, 0, 0, 2 << 16 | 17, 1, 6 << 16 | 16, 4, 17, size[0], size[1], size[2]];
        let limits = Limits::default();
        assert!(refuse(&module([1024, 1, 1]), &limits).is_none());
        assert!(refuse(&module([11, 11, 11]), &limits).is_some());
        assert!(refuse(&module([1, 1, 65]), &limits).is_some());
        assert!(refuse(&[0; 5], &limits).is_none());
    }
}
