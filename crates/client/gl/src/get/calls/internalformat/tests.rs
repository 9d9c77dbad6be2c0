//! Answers about internal formats, through a context whose device can do everything.

use super::get_internalformat;
use crate::error::ErrorCode;
use crate::testing::{code, context};
use crate::tokens as t;

fn ask(target: u32, format: u32, pname: u32) -> i64 {
    get_internalformat(&mut context(), target, format, pname).unwrap().to_int(0, 64)
}

// Engines choose their texture formats by these answers; a wrong one makes them use what does not work, or avoid what does.
#[test]
fn formats_say_what_they_are() {
    assert_eq!(ask(t::TEXTURE_2D, t::RGBA8, t::INTERNALFORMAT_SUPPORTED), 1);
    assert_eq!(ask(t::TEXTURE_2D, t::RGB9_E5, t::INTERNALFORMAT_SHARED_SIZE), 5);
    assert_eq!(ask(t::TEXTURE_2D, t::RGBA16F, t::INTERNALFORMAT_RED_TYPE), i64::from(t::FLOAT));
    assert_eq!(ask(t::TEXTURE_2D, t::DEPTH24_STENCIL8, t::INTERNALFORMAT_STENCIL_SIZE), 8);
    assert_eq!(ask(t::TEXTURE_2D, t::RGBA8, t::IMAGE_TEXEL_SIZE), 32);
    assert_eq!(ask(t::TEXTURE_2D, t::R32F, t::VIEW_COMPATIBILITY_CLASS), i64::from(t::VIEW_CLASS_32_BITS));
    assert_eq!(ask(t::TEXTURE_2D, t::COMPRESSED_RED_RGTC1, t::TEXTURE_COMPRESSED_BLOCK_SIZE), 8);
}

// A format that the context lacks must answer "no", not an error that the program does not expect.
#[test]
fn what_is_not_supported_answers_none() {
    for pname in [t::INTERNALFORMAT_SUPPORTED, t::MAX_WIDTH, t::FRAMEBUFFER_RENDERABLE, t::TEXTURE_VIEW, t::SAMPLES] {
        assert_eq!(ask(t::TEXTURE_3D, t::DEPTH_COMPONENT24, pname), 0, "{pname:04X}");
        assert_eq!(ask(t::TEXTURE_2D, t::POINTS, pname), 0, "{pname:04X}");
    }
    assert_eq!(ask(t::TEXTURE_1D, t::COMPRESSED_RED_RGTC1, t::INTERNALFORMAT_SUPPORTED), 0);
    assert_eq!(ask(t::TEXTURE_BUFFER, t::RGBA8, t::FRAMEBUFFER_RENDERABLE), 0);
}

// GL 4.6 §22.3.2: programs that probe for newer parameters look at the error.
#[test]
fn unknown_targets_and_parameters_are_errors() {
    let mut ctx = context();
    let target = get_internalformat(&mut ctx, t::TEXTURE_CUBE_MAP_POSITIVE_X, t::RGBA8, t::SAMPLES);
    assert_eq!(code(target), ErrorCode::InvalidEnum);
    let pname = get_internalformat(&mut ctx, t::TEXTURE_2D, t::RGBA8, t::RGBA);
    assert_eq!(code(pname), ErrorCode::InvalidEnum);
}
