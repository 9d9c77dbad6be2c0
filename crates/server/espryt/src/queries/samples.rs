//! The store that fragments count themselves in while `GL_SAMPLES_PASSED` runs. Must not know which draws are counted.

use crate::bindings::{BoundRange, RangeClass};
use crate::core::Core;
use crate::raw::consts as c;

/// Bytes of the store.
const BYTES: usize = 4;

/// One query's store.
#[derive(Debug)]
pub struct Counter {
    store: u32,
}

impl Counter {
    /// A store of one word.
    pub fn new(core: &mut Core) -> Self {
        let store = core.gl().new_buffer();
        core.bind.buffer(&core.device.gl, c::COPY_WRITE_BUFFER, store);
        core.gl().buffer_data_bytes(c::COPY_WRITE_BUFFER, &[0; BYTES], c::DYNAMIC_READ);
        Self { store }
    }

    /// Counts from zero; answers the store.
    pub fn begin(&mut self, core: &mut Core) -> u32 {
        core.bind.buffer(&core.device.gl, c::COPY_WRITE_BUFFER, self.store);
        core.gl().buffer_sub_data_bytes(c::COPY_WRITE_BUFFER, 0, &[0; BYTES]);
        self.store
    }

    /// The store.
    pub fn store(&self) -> u32 {
        self.store
    }

    /// Lets go of it.
    pub fn drop_store(self, core: &mut Core) {
        core.bind.forget_buffer(self.store);
        core.gl().drop_buffer(self.store);
    }
}

/// Binds a store where shaders count.
pub fn bind(core: &mut Core, point: u32, store: u32) {
    let range = BoundRange { name: store, offset: 0, size: BYTES as u64 };
    core.bind.range(&core.device.gl, RangeClass::Storage, point, range);
}

/// The count, once the GPU is done with it.
pub fn read(core: &mut Core, store: u32) -> u64 {
    core.gl().memory_barrier(c::BUFFER_UPDATE_BARRIER_BIT);
    let mut bytes = [0; BYTES];
    if !core.read_mapped(store, 0, &mut bytes) {
        return 0;
    }
    u64::from(u32::from_ne_bytes(bytes))
}
