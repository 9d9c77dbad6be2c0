//! What programs ask first: versions, limits, extensions, and the error of a name that nobody knows.

use super::calls as c;
use crate::abi::Values;
use crate::buffer::calls as buffers;
use crate::context::{Context, ContextDesc};
use crate::error::ErrorCode;
use crate::instance::Instance;
use crate::out::Out;
use crate::testing::{buffer, code, context, names, recorder};
use crate::tokens as t;
use mgl_pipe::caps::Caps;

// A loader that reads a version or an extension list that disagree with each other refuses to start.
#[test]
fn versions_and_extensions_agree_with_each_other() {
    let ctx = &mut context();
    assert_eq!(c::get(ctx, t::MAJOR_VERSION).unwrap().to_int(0, 32), 3);
    assert!(c::get_string(ctx, t::VERSION).unwrap().to_str().unwrap().starts_with("3.3 (Core Profile) MobileGL "));
    assert_eq!(code(c::get_string(ctx, t::EXTENSIONS).map(|_| ())), ErrorCode::InvalidEnum);
    let count = c::get(ctx, t::NUM_EXTENSIONS).unwrap().to_int(0, 32) as u32;
    for i in 0..count {
        assert!(c::get_stringi(ctx, t::EXTENSIONS, i).unwrap().to_bytes().starts_with(b"GL_"));
    }
    assert_eq!(code(c::get_stringi(ctx, t::EXTENSIONS, count).map(|_| ())), ErrorCode::InvalidValue);
    assert_eq!(c::get(ctx, t::CONTEXT_PROFILE_MASK).unwrap(), Values::int(t::CONTEXT_CORE_PROFILE_BIT));
}

// A program that asked for a context which is left without a flush counts its own flushes by the answer.
#[test]
fn the_release_behaviour_is_the_one_asked_for() {
    for (keep_on_release, wanted) in [(false, t::CONTEXT_RELEASE_BEHAVIOR_FLUSH), (true, t::NONE)] {
        let desc = ContextDesc { keep_on_release, ..ContextDesc::default() };
        let mut ctx = Context::with_out(Instance::detached(Caps::default()), Out::recorder(1), desc);
        assert_eq!(c::get(&mut ctx, t::CONTEXT_RELEASE_BEHAVIOR), Ok(Values::int(wanted)));
    }
}

// GL 3.3 promises these minima; programs size their tables by them without asking twice.
#[test]
fn limits_keep_the_promises_of_the_version() {
    let ctx = &mut context();
    let minima = [
        (t::MAX_VERTEX_ATTRIBS, 16),
        (t::MAX_TEXTURE_IMAGE_UNITS, 16),
        (t::MAX_COMBINED_TEXTURE_IMAGE_UNITS, 48),
        (t::MAX_VERTEX_UNIFORM_BLOCKS, 12),
        (t::MAX_COMBINED_UNIFORM_BLOCKS, 36),
        (t::MAX_UNIFORM_BUFFER_BINDINGS, 36),
        (t::MAX_UNIFORM_BLOCK_SIZE, 16_384),
        (t::MAX_VERTEX_UNIFORM_COMPONENTS, 1024),
        (t::MAX_VARYING_COMPONENTS, 60),
        (t::MAX_DRAW_BUFFERS, 8),
        (t::MAX_SAMPLE_MASK_WORDS, 1),
    ];
    for (pname, least) in minima {
        assert!(c::get(ctx, pname).unwrap().to_int(0, 32) >= least, "{pname:#x}");
    }
}

// The game asks for errors around every upload: a question that waits costs a frame each.
#[test]
fn queries_and_errors_reach_no_server() {
    let mut ctx = context();
    let name = buffer(&mut ctx, t::UNIFORM_BUFFER, 64);
    buffers::bind_buffer_range(&mut ctx, t::UNIFORM_BUFFER, 3, name, 16, 32).unwrap();
    recorder(&mut ctx).records.clear();
    assert_eq!(c::get_indexed(&mut ctx, t::UNIFORM_BUFFER_START, 3).unwrap(), Values::int(16));
    assert_eq!(code(c::get_indexed(&mut ctx, t::UNIFORM_BUFFER_START, 84)), ErrorCode::InvalidValue);
    assert_eq!(code(c::get_indexed(&mut ctx, t::DEPTH_FUNC, 0)), ErrorCode::InvalidEnum);
    assert_eq!(c::get_indexed(&mut ctx, t::MAX_COMPUTE_WORK_GROUP_SIZE, 2).unwrap(), Values::int(0));
    assert_eq!(code(c::get_indexed(&mut ctx, t::MAX_COMPUTE_WORK_GROUP_SIZE, 3)), ErrorCode::InvalidValue);
    let unknown = c::get(&mut ctx, 0x1).unwrap_err();
    ctx.record_error(&unknown, "glGetIntegerv");
    ctx.record_error(&unknown, "glGetIntegerv");
    assert_eq!(c::get_error(&mut ctx).unwrap(), t::INVALID_ENUM);
    assert_eq!(c::get_error(&mut ctx).unwrap(), t::NO_ERROR);
    assert!(names(&mut ctx).is_empty());
}

// A program that saves and restores what its texture units hold would find every unit empty.
#[test]
fn texture_units_answer_by_index() {
    let mut ctx = context();
    let (mut texture, mut sampler) = ([0], [0]);
    crate::texture::calls::create_textures(&mut ctx, t::TEXTURE_3D, &mut texture).unwrap();
    crate::texture::calls::bind_texture_unit(&mut ctx, 7, texture[0]).unwrap();
    crate::sampler::calls::gen_samplers(&mut ctx, &mut sampler).unwrap();
    crate::sampler::calls::bind_sampler(&mut ctx, 5, sampler[0]).unwrap();
    let mut at = |pname, index| c::get_indexed(&mut ctx, pname, index).map(|v| v.to_int(0, 32));
    assert_eq!(at(t::TEXTURE_BINDING_3D, 7).unwrap(), i64::from(texture[0]));
    assert_eq!((at(t::TEXTURE_BINDING_3D, 6).unwrap(), at(t::TEXTURE_BINDING_2D, 7).unwrap()), (0, 0));
    assert_eq!(at(t::SAMPLER_BINDING, 5).unwrap(), i64::from(sampler[0]));
    assert_eq!(at(t::SAMPLER_BINDING, 7).unwrap(), 0);
    for pname in [t::SAMPLER_BINDING, t::TEXTURE_BINDING_BUFFER, t::TEXTURE_BINDING_CUBE_MAP_ARRAY] {
        assert_eq!(code(at(pname, 100_000)), ErrorCode::InvalidValue);
    }
}
