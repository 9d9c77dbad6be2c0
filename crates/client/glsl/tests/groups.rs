//! Groups of invocations, clocks and coverage: what of the device the canonical modules use, and what they do without it.

mod common;

use common::{FS, VS, linked_with, text};
use mgl_glsl::{LinkRequest, Stage};

const VERTEX: &str = "#version 330
    void main() { gl_Position = vec4(0.0); }";
const GROUPS: &str = "#version 330
    #extension GL_ARB_shader_ballot : require
    #extension GL_ARB_shader_group_vote : require
    #extension GL_ARB_gpu_shader_int64 : require
    out vec4 color;
    flat in uint which;
    void main() {
        uint64_t all = ballotARB(gl_FragCoord.x > 1.0);
        bool same = all == gl_SubGroupEqMaskARB || all == gl_SubGroupGeMaskARB || all == gl_SubGroupGtMaskARB
            || all == gl_SubGroupLeMaskARB || all == gl_SubGroupLtMaskARB;
        vec2 read = readInvocationARB(gl_FragCoord.xy, which) + readFirstInvocationARB(gl_FragCoord.xy);
        uint id = gl_SubGroupInvocationARB + gl_SubGroupSizeARB;
        same = anyInvocationARB(same) && allInvocationsARB(id > 1u) && allInvocationsEqualARB(id > 2u);
        color = same ? vec4(read, float(id), 1.0) : vec4(0.0);
    }";
const FEEDER: &str = "#version 330
    flat out uint which;
    void main() { gl_Position = vec4(0.0); which = 1u; }";

fn with_stages(vote: u32, ballot: u32) -> LinkRequest {
    let mut request = LinkRequest::default();
    (request.limits.group_vote_stages, request.limits.group_ballot_stages) = (vote, ballot);
    request
}

/// If this fails, shaders that share work in a group see groups of one and do it once per invocation, or do not compile in
/// the driver.
#[test]
fn groups_are_the_devices() {
    let fragment = u32::from(Stage::Fragment.bit());
    let module = text(&linked_with(&[(VS, FEEDER), (FS, GROUPS)], &with_stages(fragment, fragment)), FS);
    for operation in ["Ballot", "Shuffle", "BroadcastFirst", "Any", "All", "AllEqual"] {
        assert!(module.contains(&format!("OpGroupNonUniform{operation} ")), "{operation}\n{module}");
    }
    assert!(!module.contains("DefaultBlock"), "the size is no uniform\n{module}");
    assert!(module.contains("BuiltIn SubgroupEqMask") && !module.contains("KHR"), "{module}");
}

/// If this fails, a shader with groups is refused by a device whose groups do less in this stage.
#[test]
fn groups_of_one_need_nothing() {
    let module = text(&linked_with(&[(VS, FEEDER), (FS, GROUPS)], &with_stages(0, 0)), FS);
    assert!(!module.contains("Subgroup") && !module.contains("NonUniform"), "{module}");
    let module = text(&linked_with(&[(VS, FEEDER), (FS, GROUPS)], &with_stages(0x10, 0)), FS);
    assert!(module.contains("OpGroupNonUniformAny") && !module.contains("Ballot"), "{module}");
}

/// If this fails, a program that measures its shaders, or that asks which samples its depth test left, does not compile.
#[test]
fn clocks_and_coverage_pass_through() {
    let fragment = "#version 420
        #extension GL_ARB_shader_clock : require
        #extension GL_ARB_post_depth_coverage : require
        layout(post_depth_coverage) in;
        out uvec4 color;
        void main() { color = uvec4(clock2x32ARB(), uint(gl_SampleMaskIn[0]), 1u); }";
    let module = text(&linked_with(&[(VS, VERTEX), (FS, fragment)], &LinkRequest::default()), FS);
    for word in ["OpReadClockKHR", "PostDepthCoverage", "EarlyFragmentTests"] {
        assert!(module.contains(word), "{word}\n{module}");
    }
}
