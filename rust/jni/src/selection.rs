//! Strided copies of which one side may be an array.
//!
//! An array is pinned, for one part of the copy after the other. Between pinning and unpinning there is no other JNI call, no
//! text is made and nothing is logged: the collector may have to wait for the end.
//!
//! Where the JVM gives a copy of the array instead, as it may and `-Xcheck:jni` does, the elements go through calls of the JVM that
//! copy a region each. A copy could be given back only as a whole, and would undo what other threads have written to other elements
//! meanwhile; and each part would make a new one.

use std::ptr::NonNull;

use tensornio_core::copy;
use tensornio_core::parallel;
use tensornio_core::Error;

use crate::env::Env;
use crate::guard::Failure;
use crate::operand::{Elements, Place};

/// The most bytes that are worked on while an array is pinned. A pinned array keeps other threads from collecting, on Java before 22, and
/// after a few attempts they give up with an `OutOfMemoryError`.
pub(crate) const MOST_PINNED: i64 = 512 << 10;

// Work on pinned elements must not wait for other threads: these may wait for the collector, which waits for the array. Work on so few bytes is done
// by the calling thread alone.
const _: () = assert!((MOST_PINNED as usize) < parallel::LEAST_SHARED);

/// The most bytes of a region: those that are on the stack meanwhile.
const MOST_STAGED: usize = 4 << 10;

/// What of one side is copied.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    pub place: Place<'a>,
    pub start: i64,
    pub strides: &'a [i64],
}

impl Selection<'_> {
    /// The selection that starts further along an axis.
    fn moved(self, axis: usize, positions: i64) -> Self {
        Selection {
            start: self.start + positions * self.strides[axis],
            ..self
        }
    }
}

/// A copy of one selection to another of the same shape.
pub(crate) struct StridedCopy<'a> {
    /// How many bytes an element has.
    pub width: usize,
    pub shape: &'a [i64],
    pub from: Selection<'a>,
    pub to: Selection<'a>,
}

/// Why a part was not copied.
enum Obstacle {
    /// The JVM did not pin an array, having no memory for a copy.
    NotPinned,
    /// The JVM gave a copy of an array.
    IsCopy,
    /// It is no copy that can be made.
    Refused(Error),
}

impl StridedCopy<'_> {
    /// Copies; `None` when an array could not be pinned.
    ///
    /// # Safety
    /// Both selections lie inside of memory that is reachable during the call; at most one of them is an array's.
    pub unsafe fn run(&self, env: Env<'_>) -> Option<Result<(), Failure>> {
        let pins = [self.from.place, self.to.place]
            .iter()
            .any(|place| matches!(place, Place::Array(_)));
        let most = if pins { MOST_PINNED } else { i64::MAX };
        // SAFETY: parts of what the caller promises.
        let copied = self.each_part(&|_| most, &mut |part| unsafe { part.run_pinned(env) });
        match copied {
            Ok(()) => Some(Ok(())),
            Err(Obstacle::NotPinned) => None,
            // SAFETY: the caller's promise, and only an array is copied by the JVM.
            Err(Obstacle::IsCopy) => Some(unsafe { self.run_by_regions(env) }),
            Err(Obstacle::Refused(error)) => Some(Err(error.into())),
        }
    }

    /// Does the work for one part after the other, in row-major order. `most` says how many bytes a part of such a shape may have, unless it is a
    /// single element.
    fn each_part<E>(
        &self,
        most: &dyn Fn(&[i64]) -> i64,
        work: &mut dyn FnMut(&StridedCopy<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let elements = self.shape.iter().product::<i64>();
        let bytes = elements.saturating_mul(self.width as i64);
        let most_bytes = most(self.shape);
        let axis = self.shape.iter().position(|&size| size > 1);
        let Some(axis) = axis.filter(|_| bytes > most_bytes) else {
            return work(self);
        };
        let size = self.shape[axis];
        let step = (most_bytes / (bytes / size)).max(1);
        let mut shape = self.shape.to_vec();
        let mut at = 0;
        while at < size {
            shape[axis] = step.min(size - at);
            let part = StridedCopy {
                width: self.width,
                shape: &shape,
                from: self.from.moved(axis, at),
                to: self.to.moved(axis, at),
            };
            part.each_part(most, work)?;
            at += step;
        }
        Ok(())
    }

    /// Copies with both sides in place.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn run_pinned(&self, env: Env<'_>) -> Result<(), Obstacle> {
        let StridedCopy {
            width, from, to, ..
        } = self;
        // SAFETY: until both are dropped, the target first, there is only the copy: it makes no JNI call, and no thread helps with it.
        let source = unsafe { Elements::open(env, from.place) }.ok_or(Obstacle::NotPinned)?;
        // SAFETY: as above.
        let mut target = unsafe { Elements::open(env, to.place) }.ok_or(Obstacle::NotPinned)?;
        if source.are_copy() || target.are_copy() {
            return Err(Obstacle::IsCopy);
        }
        target.write();
        // SAFETY: the caller's promise; arrays do not move until `target` and `source` are dropped.
        unsafe {
            copy::copy(
                *width,
                self.shape,
                source.at(from.start, *width),
                from.strides,
                target.at(to.start, *width),
                to.strides,
            )
        }
        .map_err(Obstacle::Refused)
    }

    /// Copies by calls of the JVM, one for each run of neighbours in the array. No other element of it is written.
    ///
    /// # Safety
    /// As for [`run`](Self::run); one side is an array.
    unsafe fn run_by_regions(&self, env: Env<'_>) -> Result<(), Failure> {
        let mut room = [0u64; MOST_STAGED / size_of::<u64>()];
        let staged: *mut u8 = room.as_mut_ptr().cast();
        let in_array = match self.to.place {
            Place::Array(_) => self.to.strides,
            Place::Direct(_) => self.from.strides,
        };
        let most = |shape: &[i64]| match is_run(shape, in_array) {
            true => MOST_STAGED as i64,
            false => 0,
        };
        self.each_part(&most, &mut |part| {
            let StridedCopy {
                width,
                shape,
                from,
                to,
            } = *part;
            let n = shape.iter().product::<i64>() as usize;
            // SAFETY: an element's, which is inside of memory that is there, so the product fits.
            let at = |first: NonNull<u8>, index: i64| unsafe {
                first.as_ptr().offset(index as isize * width as isize)
            };
            // SAFETY: parts of what the caller promises. What is staged has room and is aligned; a part is a run in the array, whose strides it has.
            unsafe {
                match (from.place, to.place) {
                    (Place::Direct(first), Place::Array(array)) => {
                        let source = at(first, from.start);
                        copy::copy(width, shape, source, from.strides, staged, to.strides)?;
                        env.write_region(array, to.start as usize, n, staged)?;
                    }
                    (Place::Array(array), Place::Direct(first)) => {
                        let target = at(first, to.start);
                        env.read_region(array, from.start as usize, n, staged)?;
                        copy::copy(width, shape, staged, from.strides, target, to.strides)?;
                    }
                    _ => unreachable!("one side is an array, the other is not"),
                }
            }
            Ok(())
        })
    }
}

/// Whether the elements of a selection are neighbours, in row-major order.
fn is_run(shape: &[i64], strides: &[i64]) -> bool {
    let mut inner = 1;
    shape.iter().zip(strides).rev().all(|(&size, &stride)| {
        let joins = size == 1 || stride == inner;
        inner *= size;
        joins
    })
}

#[cfg(test)]
mod tests;
