//! Strided copies of which one side may be an array.
//!
//! An array is pinned for one part of the copy at a time. While it is pinned there is no other JNI call, no allocation and no logging: the collector
//! may be waiting.
//!
//! The JVM may return a copy of the array instead, as it does under `-Xcheck:jni`. Then regions are copied by calls of the JVM: such a copy is
//! written back as a whole, which would overwrite concurrent writes to other elements, and each part would make a new copy.

use tensornio_core::copy::{copy, each_part};
use tensornio_core::layout::Strided;
use tensornio_core::{parallel, Error};

use crate::env::Env;
use crate::guard::Failure;
use crate::operand::{Elements, Place};

/// The maximum bytes that are copied while an array is pinned. Before Java 22 a pinned array blocks the collector;
/// other threads try a few times, then throw `OutOfMemoryError`.
pub(crate) const MOST_PINNED: i64 = 512 << 10;

// Work on pinned elements must not wait for other threads: these may wait for the collector, which waits for the array. Work on so few bytes is done
// by the calling thread alone.
const _: () = assert!((MOST_PINNED as usize) < parallel::LEAST_SHARED);

/// The maximum bytes of a region, which is staged on the stack.
const MOST_STAGED: usize = 4 << 10;

/// The selected elements of a side, which are within it.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    pub place: Place<'a>,
    pub layout: Strided<&'a [i64]>,
}

/// A copy of one selection to another of the same shape.
pub(crate) struct StridedCopy<'a> {
    /// The bytes of an element.
    pub width: usize,
    pub from: Selection<'a>,
    pub to: Selection<'a>,
}

/// The reason why a part was not copied.
enum Obstacle {
    /// The JVM did not pin an array, having no memory for a copy.
    NotPinned,
    /// The JVM returned a copy of an array.
    IsCopy,
    /// The copy was refused.
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
        let most = if pins {
            MOST_PINNED / self.width as i64
        } else {
            i64::MAX
        };
        let copied = each_part(self.layouts(), &|_| most, &mut |layouts| {
            // SAFETY: parts of what the caller promises.
            unsafe { self.run_pinned(env, layouts) }
        });
        match copied {
            Ok(()) => Some(Ok(())),
            Err(Obstacle::NotPinned) => None,
            // SAFETY: the caller's promise, and only an array is copied by the JVM.
            Err(Obstacle::IsCopy) => Some(unsafe { self.run_by_regions(env) }),
            Err(Obstacle::Refused(error)) => Some(Err(error.into())),
        }
    }

    fn layouts(&self) -> [Strided<&[i64]>; 2] {
        [self.from.layout, self.to.layout]
    }

    /// Copies a part with both sides in place.
    ///
    /// # Safety
    /// As for [`run`](Self::run).
    unsafe fn run_pinned(
        &self,
        env: Env<'_>,
        [source_layout, target_layout]: [Strided<&[i64]>; 2],
    ) -> Result<(), Obstacle> {
        // SAFETY: until both are dropped, the target first, there is only the copy: it makes no JNI call, and no thread helps with it.
        let source = unsafe { Elements::open(env, self.from.place) }.ok_or(Obstacle::NotPinned)?;
        // SAFETY: as above.
        let mut target =
            unsafe { Elements::open(env, self.to.place) }.ok_or(Obstacle::NotPinned)?;
        if source.are_copy() || target.are_copy() {
            return Err(Obstacle::IsCopy);
        }
        target.write();
        // SAFETY: the caller's promise; arrays do not move until `target` and `source` are dropped.
        unsafe {
            copy(
                self.width,
                source.first(),
                source_layout,
                target.first(),
                target_layout,
            )
        }
        .map_err(Obstacle::Refused)
    }

    /// Copies by calls of the JVM, one for each contiguous run in the array. No other element of it is written.
    ///
    /// # Safety
    /// As for [`run`](Self::run); one side is an array.
    unsafe fn run_by_regions(&self, env: Env<'_>) -> Result<(), Failure> {
        let mut buffer = [0u64; MOST_STAGED / size_of::<u64>()];
        let staged: *mut u8 = buffer.as_mut_ptr().cast();
        let in_array = match self.to.place {
            Place::Array(_) => self.to.layout.strides(),
            Place::Direct(_) => self.from.layout.strides(),
        };
        let width = self.width;
        let most = |shape: &[i64]| match Strided::new(shape, in_array, 0) {
            Ok(part) if part.is_contiguous() => (MOST_STAGED / width) as i64,
            _ => 0,
        };
        each_part(self.layouts(), &most, &mut |[from, to]| {
            let n = from.elements() as usize;
            // SAFETY: parts of what the caller promises. A part is contiguous in the array, and so in the staging buffer, which has the capacity for
            // it and is aligned.
            unsafe {
                match (self.from.place, self.to.place) {
                    (Place::Direct(first), Place::Array(array)) => {
                        copy(width, first.as_ptr(), from, staged, to.at_offset(0))?;
                        env.write_region(array, to.offset() as usize, n, staged)?;
                    }
                    (Place::Array(array), Place::Direct(first)) => {
                        env.read_region(array, from.offset() as usize, n, staged)?;
                        copy(width, staged, from.at_offset(0), first.as_ptr(), to)?;
                    }
                    _ => unreachable!("one side is an array, the other is not"),
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
