//! What a client reads of its server: events and the capability snapshot. The first byte chooses.

use mgl_base::Handle;
use mgl_pipe::caps::Caps;
use mgl_pipe::event::Event;

/// Decodes; what was accepted must survive being encoded again.
pub fn run(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    if kind % 2 == 1 {
        if let Some(caps) = Caps::decode(rest) {
            assert!(caps.encode().is_ok(), "accepted caps cannot be encoded");
        }
        return;
    }
    if let Ok(event) = Event::decode(rest) {
        let mut bytes = Vec::new();
        event.encode(&mut bytes);
        assert_eq!(Event::decode(&bytes), Ok(event), "an accepted event cannot be encoded");
    }
}

/// Every event, and a snapshot.
pub fn seeds() -> Vec<Vec<u8>> {
    let events = [
        Event::BufferWriteback { buffer: Handle::new(3, 2), offset: 7, bytes: &[1, 2, 3] },
        Event::GpuWritten { buffer: Handle::new(3, 2), offset: 7, size: 9 },
        Event::SurfaceChanged { surface: 4, width: 5, height: 6, format: 7 },
        Event::GlError { code: 0x505, message: "out of memory" },
        Event::FenceSignalled { fence: Handle::new(8, 1) },
    ];
    let mut out: Vec<Vec<u8>> = events
        .iter()
        .map(|event| {
            let mut bytes = vec![0];
            event.encode(&mut bytes);
            bytes
        })
        .collect();
    out.extend(Caps::default().encode().map(|bytes| [&[1][..], &bytes].concat()));
    out
}
