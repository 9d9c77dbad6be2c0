//! Choice of the device, the feature table and the capability snapshot.

mod common;

use common::{Bytes, finish, handle, noise, read_info, region, session, store, texture, whole};
use mgl_backend::Backend;
use mgl_backend::traits::{Buffers, Textures};
use mgl_backend::values::Format;
use mgl_magma::device::DeviceFeatures;
use mgl_magma::{Magma, MagmaError, Options, probe};
use mgl_pipe::format::FORMATS;
use mgl_pipe::tokens::ResourceTarget as T;

/// A person whose device is not used must read which devices there are and why each was passed over.
#[test]
fn a_device_that_is_not_there_is_explained() {
    let options = Options { device: "no such device".into(), ..Options::default() };
    let Err(error) = Magma::open(&options) else { panic!("a device of that name") };
    assert!(matches!(error, MagmaError::NoDevice { .. }));
    let text = error.to_string();
    assert!(text.contains("no such device") && text.contains("install"), "{text}");
}

/// `mobilegl doctor` must show every device with its optional features.
#[test]
fn probe_lists_devices_with_features() {
    let devices = probe();
    assert!(!devices.is_empty());
    for device in devices {
        assert!(!device.name.is_empty());
        assert!(device.unusable.is_some() || device.features.len() == DeviceFeatures::NAMES.len());
    }
}

/// Uploads, copies, mipmaps and read-backs with a set of features off.
fn exercise(disable: &str) {
    let mut magma = session(disable);
    let (a, b) = (handle(1), handle(2));
    let bytes = noise(64 * 64 * 4, 3);
    magma.buffer_define(a, &store(bytes.len() as u64)).expect("an operation that Vulkan 1.1 can do");
    magma.buffer_define(b, &store(bytes.len() as u64)).expect("an operation that Vulkan 1.1 can do");
    magma.buffer_write(a, 0, &Bytes(&bytes)).expect("an operation that Vulkan 1.1 can do");
    magma.buffer_copy(a, 0, b, 0, bytes.len() as u64).expect("an operation that Vulkan 1.1 can do");
    let mut out = vec![0; bytes.len()];
    magma.buffer_read(b, 0, &mut out).expect("an operation that Vulkan 1.1 can do");
    assert!(out == bytes, "{disable}");
    let size = [64, 64, 1];
    for (slot, format) in [(1, Format::Rgba8), (2, Format::Srgb8Alpha8), (3, Format::Depth24Stencil8)] {
        let t = handle(slot);
        let mut desc = texture(T::Tex2D, format, size, 7);
        desc.image_bindable = format == Format::Rgba8;
        magma.texture_define(t, &desc, false).expect("an operation that Vulkan 1.1 can do");
        magma.texture_write(t, 0, &region(whole(size)), &Bytes(&bytes)).expect("an operation that Vulkan 1.1 can do");
        magma.generate_mipmap(t, 0, 6).expect("an operation that Vulkan 1.1 can do");
        magma.texture_read(t, &read_info(whole(size), 0), &mut out).expect("an operation that Vulkan 1.1 can do");
        assert!(out == bytes, "{disable} {format:?}");
    }
    finish(magma);
}

/// A device without any optional feature must still do everything that Vulkan 1.1 does.
#[test]
fn works_with_every_optional_feature_off() {
    common::log();
    exercise(&DeviceFeatures::NAMES.join(","));
}

/// Each mechanism's fall-back must work on its own: that is what phones have.
#[test]
fn works_with_each_mechanism_off() {
    for name in
        ["dynamic_rendering", "timeline_semaphore", "image_format_list", "external_memory_host", "native_depth24"]
    {
        exercise(name);
    }
}

/// What the client is told must follow the switches, and the software device must carry a modern program.
#[test]
fn caps_follow_the_feature_table() {
    common::log();
    let magma = session("geometry_shader,transform_feedback,texture_compression_bc,wide_lines");
    let caps = magma.caps();
    assert!(!caps.features.geometry_shader && !caps.features.transform_feedback && !caps.features.geometry_streams);
    assert_eq!(caps.limits.line_width_range, [1.0, 1.0]);
    assert_eq!(caps.limits.max_xfb_buffers, 0);
    for row in FORMATS.iter().filter(|row| format!("{:?}", row.storage).starts_with("Bc")) {
        assert_eq!(caps.format(row.format).bits, 0, "{:?}", row.format);
    }
    drop(magma);
    let magma = session("");
    let caps = magma.caps();
    let l = &caps.limits;
    assert!(caps.features.geometry_shader && caps.features.transform_feedback && caps.features.tessellation_shader);
    assert!(l.max_texture_size >= 4096 && l.max_color_attachments == 8 && l.max_uniform_block_size >= 16384);
    assert!(l.max_textures_per_stage >= 16 && l.max_samples >= 4 && l.max_vertex_attribs >= 16);
    assert_eq!(caps.backend, "magma");
    let encoded = caps.encode().unwrap();
    assert_eq!(mgl_pipe::caps::Caps::decode(&encoded), Some(caps));
    finish(magma);
}
