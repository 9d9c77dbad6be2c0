//! Debug output by its first names (GL_ARB_debug_output).

use std::sync::Mutex;

use super::debugging;
use crate::gl::query::remember;
use crate::gl::{Gl, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LIST: &[Scenario] = list!["debug":
    messages_by_their_first_names,
];

/// If this fails, programs that are older than GL 4.3 hear nothing, or crash in a function that is not there.
fn messages_by_their_first_names(gl: &Gl) {
    assert!(gl.has("GL_ARB_debug_output"));
    let gl = &debugging(gl);
    log(gl);
    filters(gl);
    callback(gl);
    mistakes(gl);
}

fn say(gl: &Gl, id: u32, severity: u32, text: &str) {
    gl.insert_message_arb(t::DEBUG_SOURCE_APPLICATION_ARB, t::DEBUG_TYPE_OTHER_ARB, id, severity, text);
}

fn log(gl: &Gl) {
    for (id, text) in [(1, "one"), (2, "twelve"), (3, "x")] {
        say(gl, id, t::DEBUG_SEVERITY_HIGH_ARB, text);
    }
    assert_eq!(gl.int(t::DEBUG_LOGGED_MESSAGES_ARB), 3);
    assert_eq!(gl.int(t::DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_ARB), 4, "with its zero");
    assert_eq!(gl.take_messages_arb(3), [], "no room for the first");
    assert_eq!(gl.take_messages_arb(8), [(1, "one".to_owned())], "no room for the second");
    assert_eq!(gl.take_messages_arb(64), [(2, "twelve".to_owned()), (3, "x".to_owned())]);
    assert_eq!((gl.int(t::DEBUG_LOGGED_MESSAGES_ARB), gl.int(t::DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_ARB)), (0, 0));
    gl.expect_no_error("the log");
}

fn filters(gl: &Gl) {
    gl.control_messages_arb(t::DONT_CARE, &[8], false);
    gl.control_messages_arb(t::DEBUG_SEVERITY_LOW_ARB, &[], true);
    say(gl, 8, t::DEBUG_SEVERITY_HIGH_ARB, "off");
    say(gl, 9, t::DEBUG_SEVERITY_LOW_ARB, "on");
    assert_eq!(gl.take_messages_arb(64), [(9, "on".to_owned())]);
    gl.control_messages_arb(t::DONT_CARE, &[8], true);
    gl.control_messages_arb(t::DEBUG_SEVERITY_LOW_ARB, &[], false);
    say(gl, 8, t::DEBUG_SEVERITY_HIGH_ARB, "on");
    say(gl, 9, t::DEBUG_SEVERITY_LOW_ARB, "off");
    assert_eq!(gl.take_messages_arb(64), [(8, "on".to_owned())]);
    gl.expect_no_error("the filters");
}

fn callback(gl: &Gl) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    gl.enable(t::DEBUG_OUTPUT_SYNCHRONOUS_ARB);
    gl.debug_callback_arb(Some(remember), &SAID);
    say(gl, 1, t::DEBUG_SEVERITY_HIGH_ARB, "to the callback");
    gl.viewport(0, 0, -1, -1);
    gl.expect_error(t::INVALID_VALUE, "a negative extent");
    let said = SAID.lock().unwrap_or_else(|error| panic!("{error}")).clone();
    assert!(said.len() == 2 && said[0] == "to the callback" && said[1].contains("glViewport"), "{said:?}");
    assert_eq!(gl.take_messages_arb(64), [], "and not to the log");
    gl.debug_callback_arb(None, &SAID);
}

fn mistakes(gl: &Gl) {
    let (own, other, high) = (t::DEBUG_SOURCE_APPLICATION_ARB, t::DEBUG_TYPE_OTHER_ARB, t::DEBUG_SEVERITY_HIGH_ARB);
    gl.insert_message_arb(t::DEBUG_SOURCE_SHADER_COMPILER_ARB, other, 0, high, "x");
    gl.expect_error(t::INVALID_ENUM, "in the compiler's name");
    gl.insert_message_arb(own, t::RGBA, 0, high, "x");
    gl.expect_error(t::INVALID_ENUM, "not a kind");
    gl.insert_message_arb(own, other, 0, t::RGBA, "x");
    gl.expect_error(t::INVALID_ENUM, "not a severity");
    let long = "x".repeat(gl.int(t::MAX_DEBUG_MESSAGE_LENGTH_ARB) as usize);
    gl.insert_message_arb(own, other, 0, high, &long);
    gl.expect_error(t::INVALID_VALUE, "a message that is too long");
    gl.control_messages_arb(high, &[1], true);
    gl.expect_error(t::INVALID_OPERATION, "ids have no severity");
    gl.control_messages_arb(t::RGBA, &[], true);
    gl.expect_error(t::INVALID_ENUM, "not a severity");
}
