//! libFuzzer's entry to the target `frames` of `mgl_fuzz`. Must not contain anything else.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mgl_fuzz::targets::frames::run(data));
