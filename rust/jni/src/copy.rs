//! `Native.copy`: one strided copy between direct buffers, or between one and an array.
//!
//! Everything is checked first. Only then are arrays pinned. Between pinning and unpinning there is no other JNI call, no
//! text is made and nothing is logged: the collector may have to wait for the end.

use jni::sys;
use tensornio_core::copy;
use tensornio_core::layout;
use tensornio_core::parallel;
use tensornio_core::Error;

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{LongArray, Ref};
use crate::numbers::read_numbers;
use crate::operand::{Elements, Operand, Place};

/// Geometries of up to this rank need no allocation.
const INLINE_RANK: usize = 8;

/// `static native void copy(Object from, long fromStart, Object to, long toStart, long[] geometry, int elementBytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_Native_copy(
    env: Env<'_>,
    _native: sys::jclass,
    from: Option<Ref<'_>>,
    from_start: sys::jlong,
    to: Option<Ref<'_>>,
    to_start: sys::jlong,
    geometry: Option<LongArray<'_>>,
    element_bytes: sys::jint,
) {
    guard(env, || {
        let from = not_null(from, "from")?;
        let to = not_null(to, "to")?;
        let geometry = not_null(geometry, "geometry")?;

        let mut inline = [0; 3 * INLINE_RANK];
        let mut long = Vec::new();
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        if geometry.len() % 3 != 0 {
            return Err(Failure::illegal_argument(format!(
                "geometry has {} numbers; a size and two strides for each axis are a multiple of 3",
                geometry.len()
            )));
        }
        // Sizes, strides of `from`, strides of `to`.
        let (shape, strides) = geometry.split_at(geometry.len() / 3);
        let (from_strides, to_strides) = strides.split_at(shape.len());

        let from = Operand::new(env, from, "from", element_bytes)?;
        let to = Operand::new(env, to, "to", element_bytes)?;
        if let (Place::Array(_), Place::Array(_)) = (from.place(), to.place()) {
            // They may be one, and pinned as two copies: nobody could tell whether they overlap.
            return Err(Failure::illegal_argument(
                "from and to are arrays: one of them must be a direct buffer",
            ));
        }
        let elements = layout::check(shape, from_strides, from_start, from.len())?;
        layout::check(shape, to_strides, to_start, to.len())?;
        if elements == 0 {
            return Ok(());
        }

        let source = Selection {
            place: from.place(),
            start: from_start,
            strides: from_strides,
        };
        let target = Selection {
            place: to.place(),
            start: to_start,
            strides: to_strides,
        };
        // SAFETY: both selections were checked to lie inside of their sides, which are arguments of this call.
        match unsafe { copy_in_parts(env, from.width(), shape, &source, &target) } {
            Some(copied) => Ok(copied?),
            None => Err(match from.place() {
                Place::Array(_) => from.not_pinned(),
                Place::Direct(_) => to.not_pinned(),
            }),
        }
    });
}

/// The most bytes that are worked on while an array is pinned. A pinned array keeps other threads from collecting, on Java before 22, and
/// after a few attempts they give up with an `OutOfMemoryError`.
pub(crate) const MOST_PINNED: i64 = 512 << 10;

// Work on pinned elements must not wait for other threads: these may wait for the collector, which waits for the array. Work on so few bytes is done
// by the calling thread alone.
const _: () = assert!((MOST_PINNED as usize) < parallel::LEAST_SHARED);

/// What of one side is copied.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a> {
    pub place: Place<'a>,
    pub start: i64,
    pub strides: &'a [i64],
}

/// Copies, if need be one part after the other, so that no array is pinned for long; `None` when one could not be pinned.
///
/// # Safety
/// As for [`copy_pinned`].
pub(crate) unsafe fn copy_in_parts(
    env: Env<'_>,
    width: usize,
    shape: &[i64],
    from: &Selection<'_>,
    to: &Selection<'_>,
) -> Option<Result<(), Error>> {
    let bytes = shape.iter().product::<i64>().saturating_mul(width as i64);
    let pins = [from.place, to.place]
        .iter()
        .any(|place| matches!(place, Place::Array(_)));
    let axis = shape.iter().position(|&size| size > 1);
    let Some(axis) = axis.filter(|_| pins && bytes > MOST_PINNED) else {
        // SAFETY: the caller's promise.
        return unsafe { copy_pinned(env, width, shape, from, to) };
    };
    let mut part = shape.to_vec();
    let step = (MOST_PINNED / (bytes / shape[axis])).max(1);
    let mut at = 0;
    while at < shape[axis] {
        part[axis] = step.min(shape[axis] - at);
        let moved = |side: &Selection<'_>| side.start + at * side.strides[axis];
        let (from, to) = (
            Selection {
                start: moved(from),
                ..*from
            },
            Selection {
                start: moved(to),
                ..*to
            },
        );
        // SAFETY: a part of what the caller promises.
        match unsafe { copy_in_parts(env, width, &part, &from, &to) } {
            Some(Ok(())) => at += step,
            failed => return failed,
        }
    }
    Some(Ok(()))
}

/// Copies with both sides in place; `None` when an array could not be pinned.
///
/// # Safety
/// Both selections lie inside of memory that is reachable during the call.
unsafe fn copy_pinned(
    env: Env<'_>,
    width: usize,
    shape: &[i64],
    from: &Selection<'_>,
    to: &Selection<'_>,
) -> Option<Result<(), Error>> {
    // SAFETY: until both are dropped, the target first, there is only the copy: it makes no JNI call, and no thread helps with it.
    let source = unsafe { Elements::open(env, from.place)? };
    // SAFETY: as above.
    let mut target = unsafe { Elements::open(env, to.place)? };
    target.write();
    // SAFETY: the caller's promise; arrays do not move until `target` and `source` are dropped.
    Some(unsafe {
        copy::copy(
            width,
            shape,
            source.at(from.start, width),
            from.strides,
            target.at(to.start, width),
            to.strides,
        )
    })
}
