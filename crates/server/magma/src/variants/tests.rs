//! Variants of real modules stay valid SPIR-V and say what they should.

use super::{Fetch, FetchSet, Variant, apply, blocks_as_storage};
use mgl_pipe::archive::Stage;
use std::io::Write;
use std::process::{Command, Stdio};

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// Asks `spirv-val` where it is installed (Debian: spirv-tools); without it the driver's own check in the draw tests stands.
fn assert_valid(words: &[u32]) {
    let child = Command::new("spirv-val")
        .args(["--target-env", "vulkan1.1", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return };
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let out = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{text}");
}

fn check(bytes: &[u8], stage: Stage, variant: Variant) -> String {
    let edited = apply(&words(bytes), stage, &variant).unwrap();
    assert_valid(&edited);
    let module = rspirv::dr::load_words(&edited).unwrap();
    rspirv::binary::Disassemble::disassemble(&module)
}

macro_rules! shader {
    ($name:literal) => {
        include_bytes!(concat!("../../../backend/conformance/shaders/", $name, ".spv"))
    };
}

/// An invalid epilogue makes every program fail on a device without depth clip control.
#[test]
fn epilogues_are_valid() {
    let all = Variant { depth_fixup: true, point_size: true, clip_off: 1, ..Variant::default() };
    check(shader!("color.vert"), Stage::Vertex, all);
    check(shader!("clip.vert"), Stage::Vertex, all);
    check(shader!("point.vert"), Stage::Vertex, all);
    let text = check(shader!("quad.geom"), Stage::Geometry, Variant { depth_fixup: true, ..Variant::default() });
    let calls = text.matches("OpFunctionCall").count();
    assert_eq!(calls, text.matches("OpEmitVertex").count(), "one per emitted vertex");
}

/// Fragment passes: sprites, broadcast colours, dropped outputs.
#[test]
fn fragment_passes_are_valid() {
    check(shader!("point.frag"), Stage::Fragment, Variant { point_coord_flip: true, ..Variant::default() });
    let text = check(shader!("color.frag"), Stage::Fragment, Variant { broadcast: 0b110, ..Variant::default() });
    assert!(text.contains("Location 2"), "{text}");
    let text = check(shader!("two.frag"), Stage::Fragment, Variant { drop_outputs: 0b01, ..Variant::default() });
    assert!(!text.contains("Location 0\nOpDecorate %2"), "{text}");
    check(shader!("color.frag"), Stage::Fragment, Variant { alpha_to_one: true, ..Variant::default() });
}

/// A shader of signed integers that draws into unsigned ones writes its bits, as on other desktop drivers.
#[test]
fn outputs_of_the_other_signedness_are_valid() {
    let text = check(shader!("int.frag"), Stage::Fragment, Variant { flip_sign: 0b11, ..Variant::default() });
    assert_eq!(text.matches("OpBitcast").count(), 2, "{text}");
    assert_eq!((text.matches("Location 0").count(), text.matches("Location 1").count()), (1, 1), "{text}");
    let text = check(shader!("color.frag"), Stage::Fragment, Variant { flip_sign: 1, ..Variant::default() });
    assert!(!text.contains("OpBitcast"), "{text}");
}

/// A shader that asks about samples must be told of one where the program draws without multisampling.
#[test]
fn samples_may_be_one() {
    let text = check(shader!("samples.frag"), Stage::Fragment, Variant { one_sample: true, ..Variant::default() });
    for builtin in ["SampleId", "SampleMask", "SamplePosition"] {
        assert!(!text.contains(&format!("BuiltIn {builtin}")), "{text}");
    }
    let at_sample = Variant { inputs_at_sample: true, ..Variant::default() };
    let text = check(shader!("samples.frag"), Stage::Fragment, at_sample);
    assert!(!text.contains("Centroid") && text.contains(" Sample\n"), "{text}");
    // A plain input too, but no flat one.
    let text = check(shader!("color.frag"), Stage::Fragment, at_sample);
    assert_eq!(text.matches(" Sample\n").count(), 1, "{text}");
    let text = check(shader!("flat.frag"), Stage::Fragment, at_sample);
    assert!(!text.contains(" Sample\n"), "{text}");
}

/// Every attribute conversion must give a module that the driver accepts.
#[test]
fn attribute_conversions_are_valid() {
    use Fetch as F;
    for fetch in [
        F::Sint,
        F::Uint,
        F::Snorm32,
        F::Unorm32,
        F::Fixed,
        F::Double1,
        F::Double3,
        F::Double4,
        F::ForceW,
        F::Snorm32W,
        F::Unorm32W,
        F::FixedW,
    ] {
        for (bytes, location) in [(shader!("color.vert").as_slice(), 0), (shader!("instanced.vert"), 1)] {
            let mut set = FetchSet::default();
            set.set(location, fetch);
            check(bytes, Stage::Vertex, Variant { fetch: set, ..Variant::default() });
        }
    }
}

/// A control stage of ours that is not valid, or has other vertices, makes every program without one of its own fail.
#[test]
fn generated_control_stages_are_valid() {
    let control = mgl_spirv::PassedControl { vertices: 5, levels: [2.0f32.to_bits(); 6] };
    let made = mgl_spirv::pass_control(&words(shader!("levels.tese")), &control).unwrap();
    assert_valid(&made);
    let text = rspirv::binary::Disassemble::disassemble(&rspirv::dr::load_words(&made).unwrap());
    assert!(text.contains("TessellationControl") && text.contains("OutputVertices 5"), "{text}");
    // Three varyings of two variables, the position, four outer and two inner levels.
    assert_eq!(text.matches("OpStore").count(), 1 + 2 + 1 + 6, "{text}");
}

/// A program with many uniform blocks must read the same bytes where the device takes them as storage blocks.
#[test]
fn blocks_become_storage_that_nothing_writes() {
    let edited = blocks_as_storage(&words(shader!("mix.frag")), &[1]).unwrap();
    assert_valid(&edited);
    let text = rspirv::binary::Disassemble::disassemble(&rspirv::dr::load_words(&edited).unwrap());
    for part in ["BufferBlock", "NonWritable"] {
        assert_eq!(text.matches(part).count(), 1, "the default block stays: {text}");
    }
}
