//! Buffers with typed contents. Must not know what reads them.

use std::ffi::c_void;

use zerocopy::IntoBytes;

use super::tokens as t;
use super::{Data, Gl};

fn pointer<T: Data>(data: &[T]) -> *const c_void {
    data.as_ptr().cast()
}

fn bytes<T>(data: &[T]) -> isize {
    isize::try_from(size_of_val(data)).unwrap_or(isize::MAX)
}

/// A mapped range. It must not be used after the buffer is unmapped; scenarios keep to that.
pub struct Mapped {
    start: *mut u8,
    length: usize,
}

impl Mapped {
    /// Stores values at a byte offset.
    pub fn write<T: Data>(&self, offset: usize, values: &[T]) {
        let from = values.as_bytes();
        assert!(offset + from.len() <= self.length, "outside the mapped range");
        // SAFETY: within the range that GL mapped for writing.
        unsafe { self.start.add(offset).copy_from_nonoverlapping(from.as_ptr(), from.len()) }
    }

    /// Loads values from a byte offset.
    pub fn read<T: Data>(&self, offset: usize, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        assert!(offset + out.len() <= self.length, "outside the mapped range");
        // SAFETY: within the range that GL mapped for reading.
        unsafe { self.start.add(offset).copy_to_nonoverlapping(out.as_mut_ptr(), out.len()) }
        values(&out)
    }

    /// The address, for checks of alignment.
    pub fn address(&self) -> usize {
        self.start as usize
    }
}

/// Bytes as values.
pub(super) fn values<T: Data>(bytes: &[u8]) -> Vec<T> {
    let one = |chunk| T::read_from_bytes(chunk).unwrap_or_else(|_| panic!("a whole value"));
    bytes.chunks_exact(size_of::<T>()).map(one).collect()
}

impl Gl {
    /// A new buffer with these contents, bound to `target`.
    pub fn buffer<T: Data>(&self, target: u32, data: &[T]) -> u32 {
        let name = self.new_buffer();
        self.bind_buffer(target, name);
        self.buffer_data(target, data, t::STATIC_DRAW);
        name
    }

    /// A new buffer of so many zero bytes, bound to `target`.
    pub fn buffer_of(&self, target: u32, size: usize) -> u32 {
        self.buffer(target, &vec![0u8; size])
    }

    /// `glBufferData` with data.
    pub fn buffer_data<T: Data>(&self, target: u32, data: &[T], usage: u32) {
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().buffer_data)(target, bytes(data), pointer(data), usage) }
    }

    /// `glBufferData` without data.
    pub fn buffer_space(&self, target: u32, size: isize, usage: u32) {
        // SAFETY: null reserves space (GL 4.6 §6.2).
        unsafe { (self.raw().buffer_data)(target, size, std::ptr::null(), usage) }
    }

    /// `glBufferSubData`.
    pub fn buffer_sub_data<T: Data>(&self, target: u32, offset: isize, data: &[T]) {
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().buffer_sub_data)(target, offset, bytes(data), pointer(data)) }
    }

    /// `glBufferStorage` with data.
    pub fn buffer_storage<T: Data>(&self, target: u32, data: &[T], flags: u32) {
        // SAFETY: the size is that of the slice.
        unsafe { (self.raw().buffer_storage)(target, bytes(data), pointer(data), flags) }
    }

    /// `glGetBufferSubData`.
    pub fn contents<T: Data>(&self, target: u32, offset: isize, number: usize) -> Vec<T> {
        let mut out = vec![0u8; number * size_of::<T>()];
        // SAFETY: as many bytes as the vector has are written.
        unsafe { (self.raw().get_buffer_sub_data)(target, offset, bytes(&out), out.as_mut_ptr().cast()) }
        values(&out)
    }

    /// `glMapBufferRange`, or none.
    pub fn map_range(&self, target: u32, offset: isize, length: isize, access: u32) -> Option<Mapped> {
        // SAFETY: numbers only.
        let start = unsafe { (self.raw().map_buffer_range)(target, offset, length, access) };
        let length = usize::try_from(length).unwrap_or(0);
        (!start.is_null()).then_some(Mapped { start: start.cast(), length })
    }

    /// `glMapBufferRange` that must work.
    #[track_caller]
    pub fn map(&self, target: u32, offset: isize, length: isize, access: u32) -> Mapped {
        let map = self.map_range(target, offset, length, access);
        map.unwrap_or_else(|| panic!("no map: {:#x}", self.get_error()))
    }

    /// `glMapBuffer` of a buffer of `length` bytes, which must work.
    #[track_caller]
    pub fn map_whole(&self, target: u32, length: usize, access: u32) -> Mapped {
        // SAFETY: numbers only.
        let start = unsafe { (self.raw().map_buffer)(target, access) };
        assert!(!start.is_null(), "no map: {:#x}", self.get_error());
        Mapped { start: start.cast(), length }
    }

    /// `glGetBufferParameteriv` of one value.
    pub fn buffer_parameter(&self, target: u32, pname: u32) -> i32 {
        let mut value = -1;
        // SAFETY: every parameter of a buffer is one value.
        unsafe { (self.raw().get_buffer_parameteriv)(target, pname, &raw mut value) };
        value
    }

    /// `glClearBufferData` with one texel.
    pub fn clear_buffer_data<T: Data>(&self, target: u32, internal: u32, format: u32, kind: u32, texel: &T) {
        // SAFETY: the scenario names the format of the value it passes.
        unsafe { (self.raw().clear_buffer_data)(target, internal, format, kind, std::ptr::from_ref(texel).cast()) }
    }

    /// `glClearBufferSubData` with one texel.
    pub fn clear_buffer_sub_data<T: Data>(
        &self,
        target: u32,
        internal: u32,
        (offset, size): (isize, isize),
        (format, kind): (u32, u32),
        texel: &T,
    ) {
        let texel = std::ptr::from_ref(texel).cast();
        // SAFETY: the scenario names the format of the value it passes.
        unsafe { (self.raw().clear_buffer_sub_data)(target, internal, offset, size, format, kind, texel) }
    }

    /// `glGetVertexAttribiv` of one value.
    pub fn attribute_parameter(&self, index: u32, pname: u32) -> i32 {
        let mut out = [-1; 4];
        // SAFETY: no parameter has more than four values.
        unsafe { (self.raw().get_vertex_attribiv)(index, pname, out.as_mut_ptr()) };
        out[0]
    }

    /// The current value of an attribute.
    pub fn attribute_value(&self, index: u32) -> [f32; 4] {
        let mut out = [0.0; 4];
        // SAFETY: a current value has four components.
        unsafe { (self.raw().get_vertex_attribfv)(index, t::CURRENT_VERTEX_ATTRIB, out.as_mut_ptr()) };
        out
    }
}
