//! Queries and sync objects: the calls with pointers. Must not know what is counted.

use super::Gl;
use std::ffi::c_void;

/// A sync object.
#[derive(Debug, PartialEq, Eq)]
pub struct Sync(*mut c_void);

// SAFETY: an opaque name of the driver; used by one thread at a time with the context current.
unsafe impl Send for Sync {}

impl Gl {
    /// `glFenceSync`.
    pub fn new_sync(&self) -> Option<Sync> {
        // SAFETY: numbers only; null is a failure.
        let sync = unsafe { self.fence_sync(super::consts::SYNC_GPU_COMMANDS_COMPLETE, 0) };
        (!sync.is_null()).then_some(Sync(sync))
    }
    /// `glClientWaitSync`; the answer is GL's token.
    pub fn wait_for(&self, sync: &Sync, flush: bool, timeout_ns: u64) -> u32 {
        // SAFETY: the sync object lives as long as its value.
        unsafe { self.client_wait_sync(sync.0, u32::from(flush), timeout_ns) }
    }
    /// `glDeleteSync`.
    pub fn drop_sync(&self, sync: Sync) {
        // SAFETY: as above; the value is gone afterwards.
        unsafe { self.delete_sync(sync.0) };
    }
    /// `glGetQueryObjectuiv`.
    pub fn query_value(&self, query: u32, pname: u32) -> u32 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_query_objectuiv(query, pname, &raw mut value) };
        value
    }
    /// `glGetQueryObjectui64vEXT`.
    pub fn query_value_64(&self, query: u32, pname: u32) -> u64 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_query_objectui_64v(query, pname, &raw mut value) };
        value
    }
    /// `glGetQueryiv`.
    pub fn query_setting(&self, target: u32, pname: u32) -> i32 {
        let mut value = 0;
        // SAFETY: one value.
        unsafe { self.get_queryiv(target, pname, &raw mut value) };
        value
    }
}
