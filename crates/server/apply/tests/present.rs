//! Finished pictures: what a record may name, who holds memory how long, and when a frame counts as complete.

mod common;

use common::Peerless;
use mgl_apply::{Applied, Session};
use mgl_backend::{PixelBytes, PixelMemory};
use mgl_base::{Fault, Handle};
use mgl_null::Null;
use mgl_pipe::Record;
use mgl_pipe::format::Format;
use mgl_pipe::records::{
    ForgetMemory, Present, PresentImage, ResourceCreate, ResourceDesc, ResourceDestroy, SetSwapInterval,
};
use mgl_pipe::tokens::{PixelLayout, ResourceTarget};
use std::sync::Arc;

/// Columns and rows of the image.
const SIZE: (u32, u32) = (64, 32);
const BUDGET: u64 = 1 << 20;

#[derive(Debug)]
struct Nowhere;

impl PixelBytes for Nowhere {
    fn write(&self, _: u64, _: &[u8]) -> bool {
        true
    }
}

fn push<R: Record>(session: &mut Session, record: &R) -> Result<Applied, Fault> {
    session.record(1, R::OP, record.as_bytes(), &mut Peerless::default())
}

fn image(session: &mut Session, slot: u32, format: Format) {
    let desc = ResourceDesc {
        slot,
        generation: 1,
        target: ResourceTarget::Renderbuffer,
        format: format as u16,
        levels: 1,
        width: SIZE.0,
        height: SIZE.1,
        depth: 1,
        layers: 1,
        samples: 1,
        ..ResourceDesc::default()
    };
    push(session, &ResourceCreate { desc }).expect("the image is made");
}

/// A session with image 3 and memory 7 of just the picture's bytes.
fn session() -> Session {
    let mut session = Session::new(Null::presenting(), BUDGET);
    session.flow_created(1, None).expect("the flow is taken");
    image(&mut session, 3, Format::Rgba8);
    share(&mut session, 7, (SIZE.0 * SIZE.1 * 4) as usize, &(Arc::new(Nowhere) as _)).expect("within the budget");
    session
}

fn share(session: &mut Session, id: u32, len: usize, bytes: &Arc<dyn PixelBytes>) -> Result<(), Fault> {
    session.pixels_shared(PixelMemory { id, address: 0, len, bytes: bytes.clone() })
}

fn whole() -> PresentImage {
    PresentImage {
        image: Handle::new(3, 1),
        memory: 7,
        stride: SIZE.0 * 4,
        width: SIZE.0,
        height: SIZE.1,
        layout: PixelLayout::X8R8G8B8,
        ..PresentImage::default()
    }
}

/// A picture that is copied from where no image is, or to where no memory is, reads or overwrites what belongs to others.
#[test]
fn pictures_stay_inside_their_image_and_their_memory() {
    assert_eq!(push(&mut session(), &whole()), Ok(Applied::Done));
    let bad: &[(&str, PresentImage)] = &[
        ("present_image.image", PresentImage { image: Handle::new(3, 2), ..whole() }),
        ("present_image.image", PresentImage { image: Handle::new(4, 1), ..whole() }),
        ("present_image.memory", PresentImage { memory: 8, ..whole() }),
        ("present_image.stride", PresentImage { stride: SIZE.0 * 4 - 4, ..whole() }),
        ("present_image.stride", PresentImage { stride: SIZE.0 * 4 + 2, height: 1, ..whole() }),
        ("present_image.stride", PresentImage { width: 0, ..whole() }),
        ("present_image.stride", PresentImage { height: 0, ..whole() }),
        ("present_image.stride", PresentImage { width: u32::MAX, ..whole() }),
        ("present_image.offset", PresentImage { offset: 4, ..whole() }),
        ("present_image.offset", PresentImage { offset: 2, height: 1, ..whole() }),
        ("present_image.offset", PresentImage { offset: u64::MAX - 3, ..whole() }),
        ("present_image.offset", PresentImage { stride: SIZE.0 * 4 + 4, ..whole() }),
        ("present_image.offset", PresentImage { stride: u32::MAX - 3, height: u32::MAX, ..whole() }),
        ("present_image.rect", PresentImage { x: 1, ..whole() }),
        ("present_image.rect", PresentImage { y: 1, ..whole() }),
        ("present_image.rect", PresentImage { x: u32::MAX, width: 1, ..whole() }),
        ("present_image.layout", PresentImage { layout: PixelLayout(0), ..whole() }),
        ("present_image.layout", PresentImage { layout: PixelLayout(99), ..whole() }),
    ];
    for (place, record) in bad {
        let fault = push(&mut session(), record).expect_err(place);
        assert!(fault.detail.starts_with(place), "{fault} is not {place} for {record:?}");
    }
}

/// The last row ends with its last pixel: a client whose memory ends there, too, would lose its session for nothing.
#[test]
fn the_last_row_needs_no_whole_stride() {
    let short = PresentImage { offset: 8, width: SIZE.0 - 2, layout: PixelLayout::A8R8G8B8, ..whole() };
    assert_eq!(push(&mut session(), &short), Ok(Applied::Done));
    let narrow = PresentImage { offset: 2, width: 3, stride: 8, layout: PixelLayout::R5G6B5, ..whole() };
    assert_eq!(push(&mut session(), &narrow), Ok(Applied::Done));
}

/// Integers and depths are no picture: a driver that converts them shows noise, or stops.
#[test]
fn only_colour_of_fractions_is_a_picture() {
    let formats = [
        (Format::Rgba8, true),
        (Format::Rgb8, true),
        (Format::Rgb565, true),
        (Format::Srgb8Alpha8, true),
        (Format::Rgb10A2, true),
        (Format::Rgba16F, true),
        (Format::Rgba8Ui, false),
        (Format::Rgb10A2Ui, false),
        (Format::Rgba8Snorm, false),
        (Format::Depth24Stencil8, false),
        (Format::StencilIndex8, false),
    ];
    for (format, fits) in formats {
        let mut session = session();
        image(&mut session, 5, format);
        let done = push(&mut session, &PresentImage { image: Handle::new(5, 1), ..whole() });
        assert_eq!(done.is_ok(), fits, "{format:?}: {done:?}");
    }
}

/// Memory that is kept after the client has let go of it, or let go of while the client still shows it, is a leak or a
/// crash of the server that many programs share.
#[test]
fn memory_is_held_until_it_is_forgotten() {
    let mut session = session();
    let bytes: Arc<dyn PixelBytes> = Arc::new(Nowhere);
    share(&mut session, 8, 1 << 16, &bytes).unwrap();
    push(&mut session, &PresentImage { memory: 8, ..whole() }).unwrap();
    assert_eq!(Arc::strong_count(&bytes), 3, "the table's and the device's");
    push(&mut session, &ForgetMemory { memory: 8, ..ForgetMemory::default() }).unwrap();
    assert_eq!(Arc::strong_count(&bytes), 1);
    let again = push(&mut session, &ForgetMemory { memory: 8, ..ForgetMemory::default() }).unwrap_err();
    assert_eq!(again.detail, "forget_memory.memory");
    let used = push(&mut session, &PresentImage { memory: 8, ..whole() }).unwrap_err();
    assert_eq!(used.detail, "present_image.memory");
    share(&mut session, 9, 1 << 16, &bytes).unwrap();
    drop(session);
    assert_eq!(Arc::strong_count(&bytes), 1);
}

/// A program that asks for windows without end must not take the memory of the machine.
#[test]
fn memory_for_pictures_counts_against_the_budget() {
    let mut session = session();
    let bytes: Arc<dyn PixelBytes> = Arc::new(Nowhere);
    let half = BUDGET as usize / 2;
    share(&mut session, 8, half, &bytes).unwrap();
    assert!(share(&mut session, 9, half, &bytes).is_err());
    push(&mut session, &ForgetMemory { memory: 8, ..ForgetMemory::default() }).unwrap();
    share(&mut session, 9, half, &bytes).unwrap();
}

/// If this fails, a picture is shown before it is there, or a program waits for a frame for ever.
#[test]
fn a_frame_is_complete_when_the_device_says_so() {
    let mut session = session();
    assert!(!session.frames_pending(1));
    push(&mut session, &whole()).unwrap();
    push(&mut session, &Present { serial: 1 }).unwrap();
    push(&mut session, &Present { serial: 2 }).unwrap();
    assert!(session.frames_pending(1));
    assert_eq!(session.completed_frame(1), None);
    session.idle().unwrap();
    assert_eq!(session.completed_frame(1), Some(2));
    assert!(!session.frames_pending(1));
    // A frame that went to no window is complete, too.
    push(&mut session, &Present { serial: 3 }).unwrap();
    session.idle().unwrap();
    assert_eq!(session.completed_frame(1), Some(3));
    session.flow_destroyed(1);
    assert_eq!((session.completed_frame(1), session.frames_pending(1)), (None, false));
}

/// An image that dies behind its picture must not end the session: the client frees it at once when a window changes size.
#[test]
fn an_image_may_go_before_its_frame_is_complete() {
    let mut session = session();
    push(&mut session, &whole()).unwrap();
    push(&mut session, &Present { serial: 1 }).unwrap();
    let target = ResourceTarget::Renderbuffer;
    push(&mut session, &ResourceDestroy { target, slot: 3, generation: 1, ..Default::default() }).unwrap();
    session.idle().unwrap();
    assert_eq!(session.completed_frame(1), Some(1));
}

/// A client of another age that still sends it must hear of it by name, not be drawn wrongly.
#[test]
fn the_swap_interval_is_no_business_of_the_server() {
    let fault = push(&mut session(), &SetSwapInterval::default()).unwrap_err();
    assert_eq!(fault.to_string(), "Fatal{Unsupported,\"set_swap_interval\"}");
}
