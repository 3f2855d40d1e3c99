//! Pointer arguments.

use std::ffi::{c_char, CStr};
use std::slice;

use crate::status::Failure;

fn null(name: &str) -> Failure {
    Failure::illegal_argument(format!("{name} is NULL"))
}

/// A pointer to memory for a result.
///
/// # Safety
/// `to` is null, or valid for a write of a `T`, aligned, and stays so during the call.
pub(crate) unsafe fn out<'a, T>(to: *mut T, name: &str) -> Result<Out<'a, T>, Failure> {
    match to.is_null() {
        true => Err(null(name)),
        false => Ok(Out(to, std::marker::PhantomData)),
    }
}

/// Memory for a result, which C need not have initialised.
pub(crate) struct Out<'a, T>(*mut T, std::marker::PhantomData<&'a mut T>);

impl<T: Copy> Out<'_, T> {
    pub fn set(self, value: T) {
        // SAFETY: promised by the caller of `out`.
        unsafe { self.0.write(value) };
    }
}

/// The elements of an array; the pointer may be null if it is empty.
///
/// # Safety
/// `from` is null, or points to `len` values of type `T`, which nobody writes during the call.
pub(crate) unsafe fn array<'a, T>(
    from: *const T,
    len: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if len == 0 {
        return Ok(&[]);
    }
    if from.is_null() {
        return Err(null(name));
    }
    if len > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Failure::illegal_argument(format!(
            "{name} has {len} elements: no memory has so many"
        )));
    }
    // SAFETY: the caller's promise; neither null nor longer than an address space.
    Ok(unsafe { slice::from_raw_parts(from, len) })
}

/// A text.
///
/// # Safety
/// `from` is null or points to a string that ends with a zero byte, which nobody writes during the call.
pub(crate) unsafe fn text<'a>(from: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if from.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|error| {
        Failure::illegal_argument(format!(
            "{name} is not in UTF-8: byte {}",
            error.valid_up_to()
        ))
    })
}

/// Writes numbers to an array of length `capacity`.
///
/// # Safety
/// `to` is null or points to memory for `capacity` numbers.
pub(crate) unsafe fn fill(
    to: *mut i64,
    capacity: usize,
    values: &[i64],
    name: &str,
) -> Result<(), Failure> {
    if capacity < values.len() {
        return Err(Failure::illegal_argument(format!(
            "{name} has room for {capacity} numbers, there are {}",
            values.len()
        )));
    }
    if values.is_empty() {
        return Ok(());
    }
    if to.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller's promise; a slice of the library's memory does not overlap it.
    unsafe { to.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    Ok(())
}
