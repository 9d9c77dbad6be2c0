//! Layouts that must fit the device when the shader is compiled: the work group size of a compute stage (GLSL 4.60
//! §4.4.1.4) and the vertex streams of a geometry stage (§4.4.2.2). Must not know how the words are made.

use crate::options::Limits;

const EXECUTION_MODE: u32 = 16;
const LOCAL_SIZE: u32 = 17;

const DECORATE: u32 = 71;
const MEMBER_DECORATE: u32 = 72;
const STREAM: u32 = 29;
/// `GL_MAX_VERTEX_STREAMS` of the language.
pub const STREAMS: u32 = 4;

/// What `find` makes of the first instruction (opcode and words) that it knows.
fn first<T>(words: &[u32], find: impl Fn(u32, &[u32]) -> Option<T>) -> Option<T> {
    let mut rest = words.get(5..)?;
    while let Some(first) = rest.first() {
        let length = ((first >> 16) as usize).max(1);
        let found = find(first & 0xFFFF, rest.get(..length)?);
        if found.is_some() {
            return found;
        }
        rest = rest.get(length..)?;
    }
    None
}

/// Sizes of the first `LocalSize` of a module.
fn local_size(words: &[u32]) -> Option<[u32; 3]> {
    first(words, |opcode, inst| match (opcode, inst) {
        (EXECUTION_MODE, [_, _, LOCAL_SIZE, x, y, z]) => Some([*x, *y, *z]),
        _ => None,
    })
}

/// The first vertex stream that does not exist.
fn stream(words: &[u32]) -> Option<u32> {
    first(words, |opcode, inst| {
        match (opcode, inst) {
            (DECORATE, [_, _, STREAM, at]) | (MEMBER_DECORATE, [_, _, _, STREAM, at]) => Some(*at),
            _ => None,
        }
        .filter(|at| *at >= STREAMS)
    })
}

/// The log for an output in a vertex stream that does not exist, or for a work group that is larger than the device's, by
/// direction or as a whole.
pub fn refuse(words: &[u32], limits: &Limits) -> Option<String> {
    if let Some(stream) = stream(words) {
        return Some(format!("ERROR: 0:1: vertex stream {stream} is not below {STREAMS}\n"));
    }
    let why = limits.refuse_work_group(local_size(words)?)?;
    Some(format!("ERROR: 0:1: {why}\n"))
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

    /// A shader that writes a stream no device has would compile, and its vertices go nowhere.
    #[test]
    fn streams_end_at_four() {
        let module = |stream| vec![0, 0, 0, 0, 0, 2 << 16 | 17, 2, 4 << 16 | 71, 9, 29, stream];
        assert!(refuse(&module(3), &Limits::default()).is_none());
        assert!(refuse(&module(4), &Limits::default()).is_some());
    }
}
