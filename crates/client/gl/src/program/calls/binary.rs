//! `glGetProgramBinary`, `glProgramBinary` (GL 4.6 §7.5): a linked program as bytes of one format. Must not know what is in
//! the bytes beyond their frame.

use super::{linked, lookup};
use crate::context::Context;
use crate::error::{GlError, GlResult};
use crate::program::state::{Executable, ProgramInner};
use crate::tracker::Dirty;
use mgl_base::hash::content_hash;
use mgl_glsl::Linked;

/// The one format. The number is not registered: no other driver accepts these bytes.
pub(crate) const FORMAT: u32 = 0x4D47;

const MAGIC: [u8; 8] = *b"MGLPRGB1";
/// Magic and hash.
const HEAD: usize = 16;

/// The bytes of an executable.
pub(crate) fn bytes(executable: &Executable) -> Vec<u8> {
    let linked = Linked {
        spirv: (*executable.spirv).clone(),
        archive: (*executable.archive).clone(),
        log: String::new(),
        parts: executable.parts.clone(),
    };
    let body = linked.to_bytes();
    let mut out = Vec::with_capacity(HEAD + body.len());
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&content_hash(&body).to_le_bytes());
    out.extend_from_slice(&body);
    out
}

/// Length of the bytes; 0 for a program that is not linked.
pub(crate) fn length(inner: &ProgramInner) -> usize {
    inner.executable.as_ref().filter(|_| inner.link_ok).map_or(0, |e| bytes(e).len())
}

/// The program that [`bytes`] wrote; `None` for damaged bytes and for those of another build.
fn read(bytes: &[u8]) -> Option<Linked> {
    let rest = bytes.strip_prefix(&MAGIC)?;
    let (hash, body) = rest.split_first_chunk::<8>()?;
    (content_hash(body).to_le_bytes() == *hash).then(|| Linked::from_bytes(body))?
}

/// `glGetProgramBinary`.
pub fn get_program_binary(ctx: &mut Context, name: u32, binary: &mut [u8], format: &mut u32) -> GlResult<usize> {
    linked(ctx, name, |inner| {
        let bytes = inner.executable.as_ref().map(bytes).unwrap_or_default();
        let Some(to) = binary.get_mut(..bytes.len()) else {
            return Err(GlError::invalid_operation("bufSize is less than GL_PROGRAM_BINARY_LENGTH"));
        };
        to.copy_from_slice(&bytes);
        *format = FORMAT;
        Ok(bytes.len())
    })
}

/// `glProgramBinary`: bytes that do not fit leave the program unlinked, which is no GL error.
pub fn program_binary(ctx: &mut Context, name: u32, format: u32, binary: &[u8]) -> GlResult {
    let object = lookup(ctx, name)?;
    let Some(program) = object.program() else { return Err(GlError::invalid_operation("not a program")) };
    if format != FORMAT {
        return Err(GlError::invalid_enum("not one of GL_PROGRAM_BINARY_FORMATS"));
    }
    super::object::not_capturing(program)?;
    let mut inner = program.inner();
    inner.settle();
    match read(binary) {
        Some(linked) => {
            inner.request.separable = linked.archive.separable;
            inner.install(linked);
        }
        None => inner.fail("error: the bytes are damaged or were made by another version of the driver\n".into()),
    }
    let bindings = inner.executable.as_ref().map(|e| e.bindings.clone());
    drop(inner);
    ctx.lose_subroutines_of(&object);
    ctx.program_changed(&object, bindings, Dirty::PROGRAM);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FORMAT, get_program_binary, program_binary};
    use crate::abi::Values;
    use crate::error::ErrorCode as E;
    use crate::program::calls::{create_program, create_shader_program, get_program};
    use crate::testing::code;
    use crate::tokens as gl;
    use crate::uniform::calls::{get_uniform, program_uniform};

    const FRAGMENT: &str =
        "#version 330 core\nout vec4 c;\nuniform float size = 2.0;\nvoid main() { c = vec4(size); }\n";

    // A launcher that keeps programs between runs must get the same program back, with its first values, and a clean
    // refusal for bytes of another driver.
    #[test]
    fn programs_survive_as_bytes() {
        let mut ctx = crate::testing::context_with_limits();
        let ctx = &mut ctx;
        let made = create_shader_program(ctx, gl::FRAGMENT_SHADER, &[FRAGMENT]).unwrap();
        program_uniform(ctx, made, 0, 1, &[7.0f32]).unwrap();
        let Values::Int(length) = get_program(ctx, made, gl::PROGRAM_BINARY_LENGTH).unwrap() else { panic!() };
        let mut bytes = vec![0; length[0] as usize];
        let mut format = 0;
        assert_eq!(code(get_program_binary(ctx, made, &mut bytes[1..], &mut format)), E::InvalidOperation);
        assert_eq!(get_program_binary(ctx, made, &mut bytes, &mut format), Ok(bytes.len()));
        assert_eq!(format, FORMAT);
        let other = create_program(ctx).unwrap();
        assert_eq!(code(get_program_binary(ctx, other, &mut [], &mut format)), E::InvalidOperation);
        assert_eq!(code(program_binary(ctx, other, FORMAT + 1, &bytes)), E::InvalidEnum);
        assert_eq!(code(program_binary(ctx, 99, FORMAT, &bytes)), E::InvalidValue);
        program_binary(ctx, other, FORMAT, &bytes).unwrap();
        assert_eq!(get_program(ctx, other, gl::LINK_STATUS), Ok(Values::int(1)));
        assert_eq!(get_program(ctx, other, gl::PROGRAM_SEPARABLE), Ok(Values::int(1)));
        assert_eq!(get_uniform(ctx, other, 0), Ok(Values::floats(&[2.0])));
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        for damaged in [&bytes[..], &bytes[..middle], &[]] {
            program_binary(ctx, other, FORMAT, damaged).unwrap();
            assert_eq!(get_program(ctx, other, gl::LINK_STATUS), Ok(Values::int(0)));
        }
    }
}
