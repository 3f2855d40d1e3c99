//! Runs: elements that are contiguous on both sides, copied as bytes.

use super::{Pair, FROM, TO};

/// Shorter runs are faster element by element than by a call of `memcpy`.
const SHORTEST: usize = 32;

/// The outer axes, and the bytes of the last axis, if that is a run of at least [`SHORTEST`].
pub(super) fn split(width: usize, axes: &[Pair]) -> Option<(&[Pair], usize)> {
    let (last, outer) = axes.split_last()?;
    let run = last.size * width;
    (last.strides[FROM] == width as isize && last.strides[TO] == width as isize && run >= SHORTEST)
        .then_some((outer, run))
}

/// Copies a run.
///
/// # Safety
/// Both sides have as many bytes and are disjoint.
pub(super) unsafe fn copy(bytes: usize, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
}
