//! Verification, cold replay and poison on the client's own records: they accept what is right, and each record that a
//! broken suppressor would swallow is missed by the name of its group.

use mgl_base::Family;
use mgl_checks::stream::{apply, name};
use mgl_checks::{scene, stream};
use mgl_gl::out::Recorder;
use mgl_gl::verify::Checks;
use mgl_pipe::{CATALOGUE, Class};
use std::collections::{BTreeMap, BTreeSet};

fn records(checks: Checks) -> Recorder {
    let mut ctx = scene::context(checks).expect("the null backend takes a flow");
    scene::play(&mut ctx).expect("the scene makes no GL error");
    std::mem::take(ctx.recorded().expect("the context keeps its records"))
}

const VERIFY: Checks = Checks { verify: true, cold: false };

/// What a swallowed record must be missed as: the beginning of the difference's path.
const MISSED_AS: &[(&str, &[&str])] = &[
    ("bind_render_state", &["pipeline."]),
    ("bind_vertex_elements_state", &["vertex_elements."]),
    ("set_dynamic_state", &["dynamic."]),
    ("set_framebuffer_state", &["draw_framebuffer.", "read_framebuffer."]),
    ("set_vertex_buffers", &["vertex_buffers["]),
    ("set_index_buffer", &["index."]),
    ("set_sampler_views", &["views["]),
    ("bind_sampler_states", &["samplers["]),
    ("set_shader_buffers", &["uniform_buffers["]),
    ("set_stream_output_targets", &["stream_output."]),
    ("set_global_constants", &["constants."]),
    ("set_vertex_attrib_defaults", &["attrib_defaults["]),
    ("set_draw_program", &["draw_program."]),
    ("set_texture_params", &["texture_params["]),
];

/// If this fails, programs with one context, which most are, pay for those with several.
#[test]
fn one_context_waits_for_nobody() {
    let all = records(Checks::default()).records;
    assert!(all.iter().any(|record| name(record.op) == "set_global_constants"));
    assert_eq!(all.iter().filter(|record| name(record.op) == "wait_flow").count(), 0);
}

/// A healthy driver must pass its own verification, or nobody can use it to find a broken one.
#[test]
fn a_healthy_scene_passes() {
    for cold in [false, true] {
        let kept = records(Checks { verify: true, cold });
        let checks = kept.records.iter().filter(|r| name(r.op) == "verify_state").count();
        assert!(checks > 50, "only {checks} verbs were checked");
        let session = apply(&kept, |_, _| true).unwrap_or_else(|fault| panic!("cold {cold}: {fault}"));
        assert_eq!(session.stats().refused, 0);
    }
}

/// A suppressor or a dirty bit that swallows a push gives a wrong picture much later, or only on some programs; here each
/// single push is swallowed once and must be missed at the next verb, by the name of its group.
#[test]
fn every_swallowed_push_is_missed_by_name() {
    let kept = records(VERIFY);
    let mut missed = BTreeMap::<&str, usize>::new();
    let (mut unseen, mut refused) = (Vec::new(), 0);
    for (at, record) in kept.records.iter().enumerate() {
        let kind = name(record.op);
        let Some((_, paths)) = MISSED_AS.iter().find(|(known, _)| *known == kind) else { continue };
        match apply(&kept, |i, _| i != at) {
            // These are sent as one list, which may be another list of values that are all known.
            Ok(_) if kind == "set_vertex_attrib_defaults" => {}
            Ok(_) => unseen.push(format!("{at}: {kind}")),
            // Swallowing a create or a binding may also be found as a stream that is not possible.
            Err(fault) if fault.family == Family::ProtocolCorruption => refused += 1,
            Err(fault) => {
                assert_eq!(fault.family, Family::PipeVerify, "{kind}: {fault}");
                assert!(paths.iter().any(|p| fault.detail.starts_with(p)), "{kind} was missed as {fault}");
                *missed.entry(kind).or_default() += 1;
            }
        }
    }
    assert_eq!(refused, 0, "{missed:?}");
    assert!(unseen.is_empty(), "swallowed and not missed: {unseen:#?}");
    let expected: BTreeSet<&str> = MISSED_AS.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(missed.keys().copied().collect::<BTreeSet<_>>(), expected, "{missed:?}");
}

/// The message is what a developer has: it must say which field, both values and where.
#[test]
fn a_difference_names_field_values_and_verb() {
    let kept = records(VERIFY);
    let states = || kept.records.iter().enumerate().filter(|(_, r)| name(r.op) == "bind_render_state");
    let (at, _) = states().nth(1).expect("the scene changes the pipeline state");
    let fault = apply(&kept, |i, _| i != at).expect_err("the swallowed bind is missed");
    assert_eq!(
        fault.to_string(),
        "Fatal{PipeVerify,\"pipeline.blend[0].enabled: expected Bool8(1), found Bool8(0), at glDrawElements (Draw 4 of context 1)\"}"
    );
}

/// Cold replay must really push everything: a group it leaves out is a group whose suppressor it cannot judge.
#[test]
fn a_cold_verb_pushes_every_group() {
    let kept = records(Checks { verify: false, cold: true });
    let last = kept.records.iter().rposition(|r| name(r.op) == "draw_vbo").expect("the scene draws");
    let before = kept.records[..last].iter().rposition(|r| is_verb(r.op)).expect("it draws more than once");
    let pushed: BTreeSet<&str> = kept.records[before..last].iter().map(|r| name(r.op)).collect();
    for (kind, _) in MISSED_AS.iter().filter(|(kind, _)| *kind != "set_stream_output_targets") {
        assert!(pushed.contains(kind), "{kind} is not among {pushed:?}");
    }
}

fn is_verb(op: u16) -> bool {
    CATALOGUE.iter().any(|row| row.op == op && row.class == Class::Verb)
}

/// Verification is for developers; a program that does not ask for it must not pay a byte.
#[test]
fn nothing_is_sent_without_the_switch() {
    let kept = records(Checks::default());
    assert!(kept.records.iter().all(|r| name(r.op) != "verify_state"));
    assert!(stream::apply(&kept, |_, _| true).is_ok());
}
