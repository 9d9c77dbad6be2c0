//! Debug output and labels (GL 4.6 §20).

mod output;

use std::sync::Mutex;

use crate::gl::query::remember;
use crate::gl::{Gl, Wishes, tokens as t};
use crate::scenario::{Scenario, list};

pub(super) const LISTS: &[&[Scenario]] = &[
    output::LIST,
    list!["debug":
        errors_are_explained,
        messages_of_the_program,
        callbacks_get_messages,
        filters_hold_messages_back,
        groups_keep_their_filters,
        labels_round_trip,
        wrong_messages_are_refused,
    ],
];

fn debugging(gl: &Gl) -> Gl {
    let other = gl.stranger(Wishes { debug: true, ..Wishes::default() });
    assert!(other.make_current());
    while other.next_message().is_some() {}
    other
}

/// If this fails, developers see that something is wrong but not what.
fn errors_are_explained(gl: &Gl) {
    let gl = debugging(gl);
    assert_eq!((gl.is_enabled(t::DEBUG_OUTPUT), gl.int(t::CONTEXT_FLAGS) & 2), (1, 2));
    gl.viewport(0, 0, -1, 1);
    gl.expect_error(t::INVALID_VALUE, "a negative width");
    let message = gl.next_message().unwrap_or_else(|| panic!("no message"));
    assert_eq!((message.source, message.kind), (t::DEBUG_SOURCE_API, t::DEBUG_TYPE_ERROR));
    assert!(message.text.contains("glViewport"), "it names the call: {}", message.text);
    assert!(message.text.len() > 20, "and says what was wrong: {}", message.text);
    assert_eq!(gl.next_message(), None);
}

/// If this fails, marks that a program leaves for tools are lost.
fn messages_of_the_program(gl: &Gl) {
    let gl = debugging(gl);
    for id in 0..3 {
        gl.insert_message(
            t::DEBUG_SOURCE_APPLICATION,
            t::DEBUG_TYPE_MARKER,
            id,
            t::DEBUG_SEVERITY_NOTIFICATION,
            "a mark",
        );
    }
    assert_eq!(gl.int(t::DEBUG_LOGGED_MESSAGES), 3);
    for id in 0..3 {
        let message = gl.next_message().unwrap_or_else(|| panic!("message {id} is missing"));
        assert_eq!((message.id, message.text.as_str()), (id, "a mark"));
        assert_eq!((message.source, message.kind), (t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_MARKER));
    }
    assert_eq!(gl.int(t::DEBUG_LOGGED_MESSAGES), 0);
    for id in 0..gl.int(t::MAX_DEBUG_LOGGED_MESSAGES) as u32 + 5 {
        gl.insert_message(t::DEBUG_SOURCE_THIRD_PARTY, t::DEBUG_TYPE_OTHER, id, t::DEBUG_SEVERITY_MEDIUM, "x");
    }
    assert_eq!(gl.int(t::DEBUG_LOGGED_MESSAGES), gl.int(t::MAX_DEBUG_LOGGED_MESSAGES), "a full log drops the newest");
    assert_eq!(gl.next_message().map(|message| message.id), Some(0));
}

/// If this fails, programs that print what the driver says print nothing.
fn callbacks_get_messages(gl: &Gl) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let gl = debugging(gl);
    gl.enable(t::DEBUG_OUTPUT_SYNCHRONOUS);
    gl.debug_callback(Some(remember), &SAID);
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_OTHER, 1, t::DEBUG_SEVERITY_HIGH, "to the callback");
    gl.enable(0xDEAD);
    gl.expect_error(t::INVALID_ENUM, "not a capability");
    let said = SAID.lock().unwrap_or_else(|error| panic!("{error}")).clone();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0] == "to the callback" && said[1].contains("glEnable"), "{said:?}");
    assert_eq!(gl.next_message(), None, "and not to the log");
    gl.debug_callback(None, &SAID);
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_OTHER, 2, t::DEBUG_SEVERITY_HIGH, "to the log");
    assert_eq!(gl.next_message().map(|message| message.text), Some("to the log".into()));
}

/// If this fails, programs drown in messages they switched off.
fn filters_hold_messages_back(gl: &Gl) {
    let gl = debugging(gl);
    let say = |kind, severity| gl.insert_message(t::DEBUG_SOURCE_APPLICATION, kind, 7, severity, "said");
    let heard = || gl.next_message().is_some();
    gl.control_messages(t::DONT_CARE, t::DONT_CARE, t::DEBUG_SEVERITY_LOW, true);
    say(t::DEBUG_TYPE_OTHER, t::DEBUG_SEVERITY_LOW);
    assert!(heard(), "switched on");
    gl.control_messages(t::DEBUG_SOURCE_APPLICATION, t::DONT_CARE, t::DONT_CARE, false);
    say(t::DEBUG_TYPE_OTHER, t::DEBUG_SEVERITY_HIGH);
    assert!(!heard(), "the source is off");
    gl.control_messages(t::DONT_CARE, t::DEBUG_TYPE_PERFORMANCE, t::DONT_CARE, true);
    say(t::DEBUG_TYPE_PERFORMANCE, t::DEBUG_SEVERITY_HIGH);
    say(t::DEBUG_TYPE_OTHER, t::DEBUG_SEVERITY_HIGH);
    assert!(heard() && !heard(), "one kind is on again");
    gl.disable(t::DEBUG_OUTPUT);
    say(t::DEBUG_TYPE_PERFORMANCE, t::DEBUG_SEVERITY_HIGH);
    assert!(!heard(), "all is off");
}

/// If this fails, filters that a library sets for itself stay on for the program.
fn groups_keep_their_filters(gl: &Gl) {
    let gl = debugging(gl);
    gl.push_group(3, "a pass");
    assert_eq!(gl.int(t::DEBUG_GROUP_STACK_DEPTH), 2);
    let pushed = gl.next_message().unwrap_or_else(|| panic!("no message"));
    assert_eq!((pushed.kind, pushed.id, pushed.text.as_str()), (t::DEBUG_TYPE_PUSH_GROUP, 3, "a pass"));
    gl.control_messages(t::DEBUG_SOURCE_APPLICATION, t::DONT_CARE, t::DONT_CARE, false);
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_OTHER, 1, t::DEBUG_SEVERITY_HIGH, "inside");
    assert_eq!(gl.next_message(), None);
    gl.pop_debug_group();
    while gl.next_message().is_some() {}
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_OTHER, 1, t::DEBUG_SEVERITY_HIGH, "outside");
    assert_eq!(gl.next_message().map(|message| message.text), Some("outside".into()));
    gl.pop_debug_group();
    gl.expect_error(t::STACK_UNDERFLOW, "the last group stays");
}

/// If this fails, tools cannot name what a program has named.
fn labels_round_trip(gl: &Gl) {
    let buffer = gl.buffer_of(t::ARRAY_BUFFER, 4);
    let texture = gl.texture(t::TEXTURE_2D);
    let program = gl.create_program();
    for (kind, name, text) in
        [(t::BUFFER, buffer, "vertices"), (t::TEXTURE, texture, "grass"), (t::PROGRAM, program, "water")]
    {
        assert_eq!(gl.label(kind, name), "");
        gl.set_label(kind, name, text);
        assert_eq!(gl.label(kind, name), text);
    }
    gl.delete_buffer(buffer);
    gl.label(t::BUFFER, buffer);
    gl.expect_error(t::INVALID_VALUE, "a deleted object");
    gl.set_label(t::RGBA, texture, "x");
    gl.expect_error(t::INVALID_ENUM, "not a kind of object");
}

/// If this fails, a program's mistake is not reported to it.
fn wrong_messages_are_refused(gl: &Gl) {
    gl.insert_message(t::DEBUG_SOURCE_API, t::DEBUG_TYPE_OTHER, 0, t::DEBUG_SEVERITY_LOW, "x");
    gl.expect_error(t::INVALID_ENUM, "in the driver's name");
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::RGBA, 0, t::DEBUG_SEVERITY_LOW, "x");
    gl.expect_error(t::INVALID_ENUM, "not a kind");
    let long = "x".repeat(gl.int(t::MAX_DEBUG_MESSAGE_LENGTH) as usize);
    gl.insert_message(t::DEBUG_SOURCE_APPLICATION, t::DEBUG_TYPE_OTHER, 0, t::DEBUG_SEVERITY_LOW, &long);
    gl.expect_error(t::INVALID_VALUE, "a message that is too long");
}
