//! Commands of extensions that read or write through pointers. Must not know what they are for.

use super::Gl;

impl Gl {
    /// `glLabelObjectEXT`; without a text the label goes.
    pub fn label_object_ext(&self, kind: u32, object: u32, text: &str) {
        let text = format!("{text}\0");
        let length = super::count(text.len() - 1);
        // SAFETY: as many bytes as are said, and the terminator that length 0 reads up to.
        unsafe { (self.raw().label_object_ext)(kind, object, length, text.as_ptr()) }
    }

    /// `glGetObjectLabelEXT`.
    pub fn object_label_ext(&self, kind: u32, object: u32) -> String {
        let (mut out, mut length) = (vec![0u8; 64], 0);
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_object_label_ext)(kind, object, 64, &raw mut length, out.as_mut_ptr()) };
        out.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// `glGetObjectParameterivARB`.
    pub fn object_parameter_arb(&self, object: u32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: one value.
        unsafe { (self.raw().get_object_parameteriv_arb)(object, pname, &raw mut out) };
        out
    }

    /// `glGetInfoLogARB`.
    pub fn info_log_arb(&self, object: u32) -> String {
        let (mut out, mut length) = (vec![0u8; 4096], 0);
        // SAFETY: no more than the vector holds is written.
        unsafe { (self.raw().get_info_log_arb)(object, 4096, &raw mut length, out.as_mut_ptr()) };
        out.truncate(usize::try_from(length).unwrap_or(0));
        String::from_utf8_lossy(&out).into_owned()
    }

    /// `glMultiModeDrawArraysIBM` of mode, first vertex and count.
    pub fn multi_mode_draw_arrays(&self, draws: &[(u32, i32, i32)]) {
        let modes: Vec<[u32; 2]> = draws.iter().map(|d| [d.0, 0xDEAD]).collect();
        let firsts: Vec<i32> = draws.iter().map(|d| d.1).collect();
        let counts: Vec<i32> = draws.iter().map(|d| d.2).collect();
        let (modes, number) = (modes.as_ptr().cast(), super::count(draws.len()));
        // SAFETY: as many of each as are said, the modes 8 bytes apart.
        unsafe { (self.raw().multi_mode_draw_arrays_ibm)(modes, firsts.as_ptr(), counts.as_ptr(), number, 8) }
    }

    /// `glMultiModeDrawElementsIBM` of mode, count and offset of the indices.
    pub fn multi_mode_draw_elements(&self, kind: u32, draws: &[(u32, i32, usize)]) {
        let modes: Vec<u32> = draws.iter().map(|d| d.0).collect();
        let counts: Vec<i32> = draws.iter().map(|d| d.1).collect();
        let offsets: Vec<usize> = draws.iter().map(|d| d.2).collect();
        let (offsets, number) = (offsets.as_ptr().cast(), super::count(draws.len()));
        // SAFETY: as many of each as are said, the modes 4 bytes apart.
        unsafe {
            (self.raw().multi_mode_draw_elements_ibm)(modes.as_ptr(), counts.as_ptr(), kind, offsets, number, 4);
        }
    }
}
