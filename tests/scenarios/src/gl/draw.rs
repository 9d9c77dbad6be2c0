//! Shapes and arrays of vertices. Must not know programs beyond what attribute 0 means.

use super::tokens as t;
use super::{Data, Gl};

impl Gl {
    /// Covers the viewport, with a program whose vertex shader is [`super::program::COVER`].
    pub fn cover(&self) {
        let before = self.int(t::VERTEX_ARRAY_BINDING) as u32;
        let array = self.vertex_array();
        self.draw_arrays(t::TRIANGLES, 0, 3);
        self.bind_vertex_array(before);
        self.delete_vertex_array(array);
    }

    /// Covers the viewport with one colour.
    #[track_caller]
    pub fn cover_with(&self, color: [f32; 4]) {
        let program = self.plain_program(super::program::COVER, color);
        self.cover();
        self.delete_program(program);
    }

    /// Covers the viewport with what a fragment shader's body stores in `result`, a `vec4`.
    #[track_caller]
    pub fn cover_by(&self, declarations: &str, body: &str) -> u32 {
        let fragment = format!("#version 330 core\n{declarations}\nout vec4 result;\nvoid main() {{ {body} }}\n");
        let program = self.program(super::program::COVER, &fragment);
        self.cover();
        program
    }

    /// A vertex array, bound, with attribute 0 from these tightly packed vectors; its buffer.
    pub fn places<const N: usize>(&self, places: &[[f32; N]]) -> u32 {
        self.vertex_array();
        self.array(0, places, t::FLOAT, N as i32)
    }

    /// An attribute array with tightly packed elements; its buffer.
    pub fn array<T: Data>(&self, index: u32, elements: &[T], kind: u32, size: i32) -> u32 {
        let buffer = self.buffer(t::ARRAY_BUFFER, elements);
        self.vertex_attrib_pointer(index, size, kind, 0, 0, 0);
        self.enable_vertex_attrib_array(index);
        buffer
    }

    /// `glPatchParameterfv`; the parameter takes as many values as there are.
    pub fn patch_levels(&self, pname: u32, values: &[f32]) {
        // SAFETY: no parameter takes more than four values; callers give two or four.
        unsafe { (self.raw().patch_parameterfv)(pname, values.as_ptr()) }
    }

    /// Draws a rectangle in normalised device coordinates at a depth, with a program for attribute 0.
    pub fn rectangle(&self, [left, bottom, right, top]: [f32; 4], depth: f32) {
        let before = self.int(t::VERTEX_ARRAY_BINDING) as u32;
        let corners = [[left, bottom, depth], [right, bottom, depth], [left, top, depth], [right, top, depth]];
        let buffer = self.places(&corners);
        self.draw_arrays(t::TRIANGLE_STRIP, 0, 4);
        self.delete_vertex_array(self.int(t::VERTEX_ARRAY_BINDING) as u32);
        self.delete_buffer(buffer);
        self.bind_vertex_array(before);
    }

    /// Clears colour, depth and stencil to black, 1 and 0.
    pub fn clear_all(&self) {
        self.clear_to([0.0, 0.0, 0.0, 0.0]);
    }

    /// Clears colour to this, depth to 1 and stencil to 0.
    pub fn clear_to(&self, [r, g, b, a]: [f32; 4]) {
        self.clear_color(r, g, b, a);
        self.clear_depth(1.0);
        self.clear_stencil(0);
        self.clear(t::COLOR_BUFFER_BIT | t::DEPTH_BUFFER_BIT | t::STENCIL_BUFFER_BIT);
    }

    /// `glMultiDrawArrays`.
    pub fn multi_draw_arrays(&self, mode: u32, firsts: &[i32], counts: &[i32]) {
        let number = super::count(firsts.len().min(counts.len()));
        // SAFETY: both slices have as many values.
        unsafe { (self.raw().multi_draw_arrays)(mode, firsts.as_ptr(), counts.as_ptr(), number) }
    }

    /// `glMultiDrawElements` with byte offsets into the element buffer.
    pub fn multi_draw_elements(&self, mode: u32, kind: u32, counts: &[i32], offsets: &[usize]) {
        let number = super::count(offsets.len().min(counts.len()));
        // SAFETY: both slices have as many values.
        unsafe { (self.raw().multi_draw_elements)(mode, counts.as_ptr(), kind, offsets.as_ptr().cast(), number) }
    }

    /// `glMultiDrawElementsBaseVertex` with byte offsets into the element buffer.
    pub fn multi_draw_elements_base(&self, mode: u32, kind: u32, counts: &[i32], offsets: &[usize], bases: &[i32]) {
        let number = super::count(offsets.len().min(counts.len()).min(bases.len()));
        let (at, base) = (offsets.as_ptr().cast(), bases.as_ptr());
        // SAFETY: the slices have as many values.
        unsafe { (self.raw().multi_draw_elements_base_vertex)(mode, counts.as_ptr(), kind, at, number, base) }
    }

    /// `glViewportArrayv`.
    pub fn viewports(&self, first: u32, rects: &[[f32; 4]]) {
        // SAFETY: as many rectangles as are said.
        unsafe { (self.raw().viewport_arrayv)(first, super::count(rects.len()), rects.as_ptr().cast()) }
    }

    /// `glScissorArrayv`.
    pub fn scissors(&self, first: u32, rects: &[[i32; 4]]) {
        // SAFETY: as many rectangles as are said.
        unsafe { (self.raw().scissor_arrayv)(first, super::count(rects.len()), rects.as_ptr().cast()) }
    }
}
