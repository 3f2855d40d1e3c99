//! Runs: stretches without gaps on both sides, which are plain copies of bytes.

use super::{Pair, FROM, TO};

/// Shorter runs are quicker element by element than through a call.
const SHORTEST: usize = 32;

/// The outer axes, and how many bytes of a run the last axis is, if it is one worth the name.
pub(super) fn split(width: usize, axes: &[Pair]) -> Option<(&[Pair], usize)> {
    let (last, outer) = axes.split_last()?;
    let run = last.size * width;
    (last.strides[FROM] == width as isize && last.strides[TO] == width as isize && run >= SHORTEST)
        .then_some((outer, run))
}

/// Copies a run.
///
/// # Safety
/// There are as many bytes on each side, none of them in common.
pub(super) unsafe fn copy(bytes: usize, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes) }
}
