//! What every generated function is made of: the way to the current context, checked slices over the program's memory,
//! stores of answers. No panic leaves through here. Must not know any single command.

use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mgl_gl::abi::{PixelSource, StrOut, Values};
use mgl_gl::{Context, GlError, Pixels, PixelsOut};

use crate::current;
use crate::view::{opt_bytes, out_bytes};
pub use crate::view::{opt_slice, out_slice, slice};

/// What a function answers when there is no context or the call failed.
pub trait Zero {
    /// 0, false or null.
    const ZERO: Self;
}

macro_rules! zero {
    ($($t:ty),*) => {$(impl Zero for $t { const ZERO: Self = 0 as $t; })*};
}
zero!(u8, i32, u32, i64, u64, usize, f32, f64);

impl Zero for () {
    const ZERO: Self = ();
}

impl<T> Zero for *const T {
    const ZERO: Self = std::ptr::null();
}

impl<T> Zero for *mut T {
    const ZERO: Self = std::ptr::null_mut();
}

/// Runs one command on the current context; an error goes into the context under the command's name.
#[inline(always)]
pub fn call<R: Zero + Copy>(name: &'static str, body: impl FnOnce(&mut Context) -> Result<R, GlError>) -> R {
    call_or(name, R::ZERO, body)
}

/// As `call`, for commands that answer an error with another value than zero.
#[inline(always)]
pub fn call_or<R: Copy>(name: &'static str, error: R, body: impl FnOnce(&mut Context) -> Result<R, GlError>) -> R {
    let context = current::get();
    if context.is_null() {
        return error;
    }
    let run = || {
        // SAFETY: EGL keeps the current context alive and unused elsewhere while it is current; a callback of the program
        // runs with no current context, so there is one borrow at a time.
        let ctx = unsafe { &mut *context };
        if mgl_gl::loss::anywhere() && ctx.ends_for_loss(name) {
            return error;
        }
        ctx.entered(name);
        body(ctx).unwrap_or_else(|what| {
            failed(ctx, name, &what);
            error
        })
    };
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        panicked(name);
        error
    })
}

#[cold]
#[inline(never)]
fn failed(ctx: &mut Context, name: &'static str, error: &GlError) {
    ctx.record_error(error, name);
}

/// A command that the core profile does not have (GL 4.6 §E.2).
#[cold]
#[inline(never)]
pub fn removed(name: &'static str) {
    call(name, |_| {
        let what = "the core profile does not have this command (GL 4.6 appendix E.2): it is removed compatibility functionality";
        Err(GlError::invalid_operation(what))
    })
}

#[cold]
#[inline(never)]
fn panicked(name: &'static str) {
    tracing::error!("{name} panicked inside MobileGL; the call had no effect. Please report this");
}

/// Integers that GL uses as lengths.
pub trait Count: Copy {
    /// The length, none when negative.
    fn count(self) -> Option<usize>;
}

macro_rules! count {
    ($($t:ty),*) => {$(impl Count for $t { #[inline(always)] fn count(self) -> Option<usize> { usize::try_from(self).ok() } })*};
}
count!(i32, u32, isize, usize);

/// `n` times `times` elements.
#[inline(always)]
pub fn len(n: impl Count, times: usize) -> Result<usize, GlError> {
    let n = n.count().ok_or_else(negative)?;
    n.checked_mul(times).ok_or_else(|| GlError::out_of_memory("the length does not fit the address space"))
}

#[cold]
fn negative() -> GlError {
    GlError::invalid_value("a count or size is negative")
}

#[cold]
fn null() -> GlError {
    GlError::invalid_value("a pointer is null although the length is not 0")
}

/// Text of `n` bytes, zero-terminated when `n` is negative. Not UTF-8 becomes replacement characters.
///
/// # Safety
/// `p` is null or points at such text.
pub unsafe fn text<'a>(p: *const c_char, n: i32) -> Result<Cow<'a, str>, GlError> {
    // SAFETY: the caller's contract.
    unsafe { opt_text(p, n) }?.ok_or_else(null)
}

/// As `text`; null is none.
///
/// # Safety
/// `p` is null or points at such text.
pub unsafe fn opt_text<'a>(p: *const c_char, n: i32) -> Result<Option<Cow<'a, str>>, GlError> {
    // SAFETY: the caller's contract.
    Ok(unsafe { raw_text(p, n) }?.map(String::from_utf8_lossy))
}

/// Bytes of a text, as `text` without a character set.
///
/// # Safety
/// `p` is null or points at such text.
pub unsafe fn raw_text<'a>(p: *const c_char, n: i32) -> Result<Option<&'a [u8]>, GlError> {
    if p.is_null() {
        return Ok(None);
    }
    match usize::try_from(n) {
        // SAFETY: the program vouches for `n` bytes.
        Ok(n) => unsafe { opt_bytes(p.cast::<u8>(), n) },
        // SAFETY: the program vouches for the terminator.
        Err(_) => Ok(Some(unsafe { CStr::from_ptr(p) }.to_bytes())),
    }
}

/// Room for a text answer of `cap` bytes; null only asks for the length.
///
/// # Safety
/// `p` is null or points at `cap` bytes.
pub unsafe fn text_out<'a>(p: *mut c_char, cap: i32) -> Result<StrOut<'a>, GlError> {
    let cap = cap.count().ok_or_else(negative)?;
    if p.is_null() {
        return Ok(StrOut::probe());
    }
    // SAFETY: the caller's contract.
    unsafe { out_bytes(p.cast::<u8>(), cap) }.map(StrOut::new)
}

/// An array of zero-terminated strings.
///
/// # Safety
/// `p` is null or points at `n` such strings.
pub unsafe fn names<'a>(p: *const *const c_char, n: i32) -> Result<Vec<Cow<'a, str>>, GlError> {
    // SAFETY: the caller's contract.
    let pointers = unsafe { slice(p, len(n, 1)?) }?;
    // SAFETY: the caller's contract, for each string. A null among them is a name that nothing has.
    pointers.iter().map(|s| if s.is_null() { Ok(Cow::Borrowed("")) } else { unsafe { text(*s, -1) } }).collect()
}

/// Plain references to `names`.
pub fn borrowed<'a>(names: &'a [Cow<'_, str>]) -> Vec<&'a str> {
    names.iter().map(AsRef::as_ref).collect()
}

/// Source of an upload.
///
/// # Safety
/// `p` is null or points at as many bytes as `source` says.
pub unsafe fn pixels<'a>(p: *const u8, source: PixelSource) -> Result<Pixels<'a>, GlError> {
    match source {
        PixelSource::Buffer => Ok(Pixels::Offset(p as usize)),
        // SAFETY: the caller's contract.
        PixelSource::Client(n) => Ok(unsafe { opt_bytes(p, n) }?.map_or(Pixels::Null, Pixels::Bytes)),
    }
}

/// Destination of a read-back; a robust call limits it to `max` bytes (GL 4.6 §18.2.2).
///
/// # Safety
/// `p` is null or points at as many bytes as `source` says and `max` allows.
pub unsafe fn pixels_out<'a>(p: *mut u8, source: PixelSource, max: Option<i32>) -> Result<PixelsOut<'a>, GlError> {
    let max = match max {
        Some(max) => max.count().ok_or_else(negative)?,
        None => usize::MAX,
    };
    match source {
        PixelSource::Buffer => Ok(PixelsOut::Offset(p as usize)),
        PixelSource::Client(n) if n > max => {
            Err(GlError::invalid_operation("the answer does not fit the size that was handed over"))
        }
        // SAFETY: the caller's contract.
        PixelSource::Client(n) => unsafe { out_bytes(p, n) }.map(PixelsOut::Bytes),
    }
}

/// Stores an answer unless the pointer is null.
///
/// # Safety
/// `p` is null or points at a place for the value.
#[inline(always)]
pub unsafe fn store<T>(p: *mut T, value: T) {
    if !p.is_null() {
        // SAFETY: the program vouches for the place; programs pack such places, hence unaligned.
        unsafe { p.write_unaligned(value) };
    }
}

/// How much a query may write.
#[derive(Clone, Copy, Debug)]
pub enum Room {
    /// As much as the query has.
    Any,
    /// At most so many elements; the rest is dropped.
    Count(i32),
    /// So many bytes; more is an error (robust queries).
    Bytes(i32),
}

impl Room {
    /// Refuses negative sizes before the query runs.
    pub fn proven(self) -> Result<Self, GlError> {
        match self {
            Self::Count(n) | Self::Bytes(n) if n < 0 => Err(negative()),
            other => Ok(other),
        }
    }
}

/// Element types of query answers, converted as in GL 4.6 §2.2.2.
pub trait Element: Sized {
    /// Value `i` of the answer.
    fn of(values: &Values, i: usize) -> Self;
}

impl Element for u8 {
    fn of(values: &Values, i: usize) -> Self {
        u8::from(values.to_bool(i))
    }
}

impl Element for i32 {
    fn of(values: &Values, i: usize) -> Self {
        values.to_int(i, 32).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    }
}

impl Element for u32 {
    fn of(values: &Values, i: usize) -> Self {
        let v = values.to_int(i, 32);
        // A mask or -1 kept as a negative number keeps its bits.
        if v < 0 { v as i32 as u32 } else { u32::try_from(v).unwrap_or(u32::MAX) }
    }
}

impl Element for i64 {
    fn of(values: &Values, i: usize) -> Self {
        values.to_int(i, 64)
    }
}

impl Element for u64 {
    fn of(values: &Values, i: usize) -> Self {
        values.to_int(i, 64) as u64
    }
}

impl Element for f32 {
    fn of(values: &Values, i: usize) -> Self {
        values.to_float(i) as f32
    }
}

impl Element for f64 {
    fn of(values: &Values, i: usize) -> Self {
        values.to_float(i)
    }
}

/// Stores a query's answer, converted; the number of elements stored.
///
/// # Safety
/// `p` is null or points at room for the answer.
pub unsafe fn store_values<T: Element>(values: &Values, p: *mut T, room: Room) -> Result<i32, GlError> {
    let n = match room {
        Room::Any => values.len(),
        Room::Count(n) => values.len().min(n.count().unwrap_or(0)),
        Room::Bytes(n) if values.len() * size_of::<T>() > n.count().unwrap_or(0) => {
            return Err(GlError::invalid_operation("the answer does not fit the size that was handed over"));
        }
        Room::Bytes(_) => values.len(),
    };
    if p.is_null() {
        return Ok(0);
    }
    for i in 0..n {
        // SAFETY: the caller's contract.
        unsafe { store(p.add(i), T::of(values, i)) };
    }
    Ok(i32::try_from(n).unwrap_or(i32::MAX))
}
