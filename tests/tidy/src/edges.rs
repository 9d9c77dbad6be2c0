//! Who may depend on whom. The table below is the only place that says so.

use std::collections::BTreeMap;

use crate::metadata::{Member, linked_into, members};
use crate::tree::assert_none;

/// For each crate the crates of the workspace it may use. What is not here is not allowed.
/// `?` marks an edge that must be optional: it exists only in a build with the server embedded.
const ALLOWED: &[(&str, &[&str])] = &[
    // Shared: what both roles know.
    ("mgl-base", &[]),
    ("mgl-spirv", &[]),
    ("mgl-pipe", &["mgl-base"]),
    ("mgl-link", &["mgl-base", "mgl-pipe"]),
    // Client: never a server crate.
    ("mgl-decode", &["mgl-pipe"]),
    ("mgl-glsl", &["mgl-base", "mgl-spirv", "mgl-pipe"]),
    ("mgl-gl", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-decode", "mgl-glsl"]),
    ("mgl-gl-abi", &["mgl-base", "mgl-gl"]),
    // Window systems: what EGL and GLX have in common. Neither knows the other.
    ("mgl-window", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-gl", "mgl-gl-abi"]),
    ("mgl-egl", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-gl", "mgl-gl-abi", "mgl-glsl", "mgl-window"]),
    ("mgl-glx", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-gl", "mgl-gl-abi", "mgl-window"]),
    (
        "mgl-driver",
        &[
            "mgl-base",
            "mgl-pipe",
            "mgl-link",
            "mgl-glsl",
            "mgl-gl",
            "mgl-gl-abi",
            "mgl-egl",
            "mgl-glx",
            "mgl-window",
            "mgl-backend?",
            "mgl-null?",
            "mgl-magma?",
            "mgl-apply?",
            "mgl-daemon?",
            "mgl-daemon?",
        ],
    ),
    // Server: never a client crate. Backends know the seam and value types; not records, rings or sockets.
    ("mgl-backend", &["mgl-base", "mgl-pipe"]),
    ("mgl-null", &["mgl-base", "mgl-pipe", "mgl-backend"]),
    ("mgl-magma", &["mgl-base", "mgl-pipe", "mgl-spirv", "mgl-backend"]),
    ("mgl-espryt", &["mgl-base", "mgl-spirv", "mgl-pipe", "mgl-backend"]),
    ("mgl-apply", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-backend"]),
    (
        "mgl-daemon",
        &["mgl-base", "mgl-pipe", "mgl-link", "mgl-backend", "mgl-null", "mgl-magma", "mgl-espryt", "mgl-apply"],
    ),
    // Tools look at the product from outside, or generate parts of it.
    ("mgl-record", &["mgl-base", "mgl-pipe", "mgl-link", "mgl-backend", "mgl-apply", "mgl-daemon"]),
    ("mgl-cli", &["mgl-base", "mgl-record"]),
    ("mgl-xtask", &["mgl-base", "mgl-pipe"]),
    ("mgl-tidy", &[]),
    ("mgl-programs", &[]),
    // Programs with windows are run as those without are.
    ("mgl-windows-tests", &["mgl-programs"]),
];

/// Test crates that may see both roles.
const SEES_ALL: &[&str] = &["mgl-scenarios", "mgl-checks", "mgl-essl-tests", "mgl-fuzz"];

fn complaints_about(member: &Member, allowed: &BTreeMap<&str, &[&str]>) -> Vec<String> {
    if SEES_ALL.contains(&member.name.as_str()) {
        return Vec::new();
    }
    let Some(row) = allowed.get(member.name.as_str()) else {
        return vec![format!("{} is not in the table of allowed edges", member.name)];
    };
    let forbidden = |edge: &&crate::metadata::Edge| {
        let plainly = row.contains(&edge.to.as_str());
        let optionally = edge.optional && row.contains(&format!("{}?", edge.to).as_str());
        // A crate's own tests may also use the crates beside it, never those of the other role.
        let beside = edge.for_tests && role_of(&edge.to) != opposite(role_of(&member.name));
        !plainly && !optionally && !beside
    };
    member.edges.iter().filter(forbidden).map(|edge| format!("{} -> {}", member.name, edge.to)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Client,
    Server,
    Neither,
}

fn role_of(name: &str) -> Role {
    match name {
        "mgl-decode" | "mgl-glsl" | "mgl-gl" | "mgl-gl-abi" | "mgl-egl" | "mgl-driver" => Role::Client,
        "mgl-backend" | "mgl-null" | "mgl-magma" | "mgl-espryt" | "mgl-apply" | "mgl-daemon" => Role::Server,
        _ => Role::Neither,
    }
}

fn opposite(role: Role) -> Role {
    match role {
        Role::Client => Role::Server,
        Role::Server => Role::Client,
        // No crate has this role as its opposite, so nothing is ruled out.
        Role::Neither => Role::Client,
    }
}

/// If this fails, the driver's process boundary has a hole: one role can reach the other's memory or types.
#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let members = members();
    assert!(members.len() >= ALLOWED.len(), "cargo metadata lists fewer crates than the table");
    let complaints: Vec<_> = members.iter().flat_map(|member| complaints_about(member, &allowed)).collect();
    assert_none("edges that the table does not allow", &complaints);
}

/// If this fails, the table check is blind: it was built to catch exactly this edge.
#[test]
fn a_client_crate_on_a_server_crate_is_caught() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let edge = |for_tests| crate::metadata::Edge { to: "mgl-magma".into(), for_tests, optional: false };
    for for_tests in [false, true] {
        let member = Member { name: "mgl-gl".into(), folder: String::new(), edges: vec![edge(for_tests)] };
        assert_eq!(complaints_about(&member, &allowed), ["mgl-gl -> mgl-magma"]);
    }
}

/// If this fails, a program that asked for an isolated driver carries Vulkan in its own address space.
#[test]
fn client_library_without_embedded_has_no_vulkan() {
    let linked = linked_into("mgl-driver", &["--no-default-features"]);
    let server = ["ash", "vk-mem", "spirv-cross2", "mgl-backend", "mgl-null", "mgl-magma", "mgl-espryt", "mgl-apply"];
    let found: Vec<_> = linked.into_iter().filter(|name| server.contains(&name.as_str())).collect();
    assert_none("linked into the client library", &found);
}

/// If this fails, a fault in the GLSL compiler or the GL state machine can take down the server.
#[test]
fn server_program_has_no_gl_and_no_glsl_compiler() {
    let linked = linked_into("mgl-daemon", &[]);
    let client = ["glslang-sys", "glslang", "mgl-gl", "mgl-gl-abi", "mgl-glsl", "mgl-egl", "mgl-driver"];
    let found: Vec<_> = linked.into_iter().filter(|name| client.contains(&name.as_str())).collect();
    assert_none("linked into the server program", &found);
}
