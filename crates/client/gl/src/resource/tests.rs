//! Error rules and naming rules of program interface queries.

use super::calls::{
    get_program_interface, get_program_resource, get_program_resource_index, get_program_resource_location,
    get_program_resource_location_index,
};
use super::interface::Interface;
use crate::abi::Values;
use crate::error::ErrorCode as E;
use crate::program::calls::create_program;
use crate::testing::{code, context};
use crate::tokens as gl;
use mgl_glsl::Stage;
use mgl_glsl::archive::{
    ProgramArchive, StageSubroutines, Subroutine, SubroutineUniform, Uniform, XfbCapture, XfbVarying,
};

// A program that asks wrongly must learn it by the right error, as its own fallback code expects.
#[test]
fn wrong_questions_have_their_errors() {
    let mut ctx = context();
    let ctx = &mut ctx;
    let p = create_program(ctx).unwrap();
    assert_eq!(code(get_program_interface(ctx, 99, gl::UNIFORM, gl::ACTIVE_RESOURCES)), E::InvalidValue);
    assert_eq!(code(get_program_interface(ctx, p, gl::TEXTURE_2D, gl::ACTIVE_RESOURCES)), E::InvalidOperation);
    assert_eq!(code(get_program_interface(ctx, p, gl::UNIFORM, gl::NAME_LENGTH)), E::InvalidOperation);
    let unnamed = gl::ATOMIC_COUNTER_BUFFER;
    assert_eq!(code(get_program_interface(ctx, p, unnamed, gl::MAX_NAME_LENGTH)), E::InvalidOperation);
    assert_eq!(code(get_program_interface(ctx, p, gl::UNIFORM, gl::MAX_NUM_ACTIVE_VARIABLES)), E::InvalidOperation);
    let compatible = gl::MAX_NUM_COMPATIBLE_SUBROUTINES;
    assert_eq!(code(get_program_interface(ctx, p, gl::VERTEX_SUBROUTINE, compatible)), E::InvalidOperation);
    assert_eq!(code(get_program_resource_index(ctx, p, unnamed, Some("a"))), E::InvalidEnum);
    assert_eq!(code(get_program_resource(ctx, p, gl::UNIFORM, 0, &[])), E::InvalidValue);
    assert_eq!(code(get_program_resource(ctx, p, gl::UNIFORM, 0, &[gl::TYPE])), E::InvalidValue);
    assert_eq!(code(get_program_resource_location(ctx, p, gl::UNIFORM, "a")), E::InvalidOperation);
    assert_eq!(code(get_program_resource_location_index(ctx, p, gl::PROGRAM_OUTPUT, "a")), E::InvalidOperation);
    assert_eq!(get_program_resource_index(ctx, p, gl::UNIFORM, None), Ok(gl::INVALID_INDEX));
    assert_eq!(get_program_interface(ctx, p, gl::UNIFORM, gl::ACTIVE_RESOURCES), Ok(Values::int(0)));
}

// `glGetProgramResourceIndex("a")` of an array must find `a[0]`, and of `a[1]` nothing.
#[test]
fn arrays_are_found_without_subscript() {
    let array = |name: &str, location| Uniform {
        name: name.into(),
        is_array: true,
        array_size: 3,
        location,
        ..Uniform::default()
    };
    let mut archive = ProgramArchive { uniforms: vec![array("a[0]", 4), array("s[1].m[0]", 9)], ..Default::default() };
    assert_eq!(Interface::Uniform.find(&archive, "a"), Some(0));
    assert_eq!(Interface::Uniform.find(&archive, "a[0]"), Some(0));
    assert_eq!(Interface::Uniform.find(&archive, "a[1]"), None);
    assert_eq!(Interface::Uniform.find(&archive, "s[1].m"), Some(1));
    assert_eq!(Interface::Uniform.location(&archive, "a[2]"), Some(6));
    assert_eq!(Interface::UniformBlock.location(&archive, "a"), None);
    archive.subroutines[Stage::Fragment.index()] = StageSubroutines {
        functions: vec![Subroutine { name: "red".into(), index: 2 }],
        uniforms: vec![SubroutineUniform {
            name: "pick[0]".into(),
            is_array: true,
            array_size: 2,
            location: 5,
            ..Default::default()
        }],
    };
    assert_eq!(Interface::Subroutine(Stage::Fragment).find(&archive, "red"), Some(2));
    assert_eq!(Interface::SubroutineUniform(Stage::Fragment).location(&archive, "pick[1]"), Some(6));
    assert_eq!(Interface::SubroutineUniform(Stage::Fragment).location(&archive, "pick[2]"), Some(-1));
}

// A program that looks for a marker of its capture layout would find a varying that is none (GL 4.6 §7.3.1.1).
#[test]
fn markers_of_a_capture_are_listed_but_not_found() {
    let varying =
        |name: &str, gl_type| XfbVarying { name: name.into(), gl_type, array_size: 1, ..XfbVarying::default() };
    let varyings = vec![varying("a", gl::FLOAT), varying("gl_SkipComponents2", 0), varying("gl_NextBuffer", 0)];
    let xfb = Some(XfbCapture { varyings, ..XfbCapture::default() });
    let archive = ProgramArchive { xfb, ..ProgramArchive::default() };
    assert_eq!(Interface::XfbVarying.count(&archive), 3);
    assert_eq!(Interface::XfbVarying.name(&archive, 1), Some("gl_SkipComponents2"));
    let found = ["a", "gl_SkipComponents2", "gl_NextBuffer"].map(|name| Interface::XfbVarying.find(&archive, name));
    assert_eq!(found, [Some(0), None, None]);
}
