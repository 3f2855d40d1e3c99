//! `Native.copy`: one strided copy between direct buffers and arrays.
//!
//! Everything is checked first. Only then are arrays pinned. Between pinning and unpinning there is no other JNI call, no
//! text is made and nothing is logged: the collector may have to wait for the end.

use std::ptr::NonNull;

use jni::sys;
use tensornio_core::copy;
use tensornio_core::layout;
use tensornio_core::Error;

use crate::classes::Classes;
use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{Array, LongArray, Ref};
use crate::logging::Silence;

/// Geometries of up to this rank need no allocation.
const INLINE_RANK: usize = 8;

/// `static native void copy(Object from, long fromStart, Object to, long toStart, long[] geometry, int elementBytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_Native_copy(
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
        let geometry = read_geometry(env, geometry, &mut inline, &mut long)?;
        let (shape, strides) = geometry.split_at(geometry.len() / 3);
        let (from_strides, to_strides) = strides.split_at(shape.len());

        let from = Operand::new(env, from, "from", element_bytes)?;
        let to = Operand::new(env, to, "to", element_bytes)?;
        let elements = layout::check(shape, from_strides, from_start, from.len)?;
        layout::check(shape, to_strides, to_start, to.len)?;
        if elements == 0 {
            return Ok(());
        }

        let source = Selection {
            place: from.place,
            start: from_start,
            strides: from_strides,
        };
        let target = Selection {
            place: to.place,
            start: to_start,
            strides: to_strides,
        };
        // SAFETY: both selections were checked to lie inside of their sides, which are arguments of this call.
        match unsafe { copy_in_parts(env, from.width, shape, &source, &target) } {
            Some(copied) => Ok(copied?),
            None => Err(Failure::out_of_memory(
                "the JVM has no memory to pin an array",
            )),
        }
    });
}

/// The most bytes that are copied while an array is pinned. A pinned array keeps other threads from collecting, on Java before 22, and
/// after a few attempts they give up with an `OutOfMemoryError`.
const MOST_PINNED: i64 = 512 << 10;

/// What of one side is copied.
#[derive(Clone, Copy)]
struct Selection<'a> {
    place: Place<'a>,
    start: i64,
    strides: &'a [i64],
}

/// Copies, if need be one part after the other, so that no array is pinned for long; `None` when one could not be pinned.
///
/// # Safety
/// As for [`copy_pinned`].
unsafe fn copy_in_parts(
    env: Env<'_>,
    width: usize,
    shape: &[i64],
    from: &Selection<'_>,
    to: &Selection<'_>,
) -> Option<Result<(), Error>> {
    let bytes = shape.iter().product::<i64>().saturating_mul(width as i64);
    // Two sides of one kind may overlap, for which the copy must see all of it; buffers pin nothing.
    let apart = matches!(
        (from.place, to.place),
        (Place::Direct(_), Place::Array(_)) | (Place::Array(_), Place::Direct(_))
    );
    let axis = shape.iter().position(|&size| size > 1);
    let Some(axis) = axis.filter(|_| apart && bytes > MOST_PINNED) else {
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
    let source = Elements::open(env, from.place)?;
    let mut target = Elements::open(env, to.place)?;
    target.written = true;
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

/// Reads `shape ++ fromStrides ++ toStrides` into the first of the two that has room.
fn read_geometry<'s>(
    env: Env<'_>,
    geometry: LongArray<'_>,
    inline: &'s mut [i64; 3 * INLINE_RANK],
    long: &'s mut Vec<i64>,
) -> Result<&'s [i64], Failure> {
    let length = env.len(geometry.array());
    if length % 3 != 0 {
        return Err(Failure::illegal_argument(format!(
            "geometry has {length} numbers; a size and two strides for each axis are a multiple of 3"
        )));
    }
    let values = match inline.get_mut(..length) {
        Some(values) => values,
        None => {
            long.try_reserve_exact(length)
                .map_err(|_| Failure::out_of_memory(format!("a geometry of {length} numbers")))?;
            long.resize(length, 0);
            long.as_mut_slice()
        }
    };
    env.read_longs(geometry, values)?;
    Ok(values)
}

/// Where the elements of one side are.
#[derive(Clone, Copy)]
enum Place<'a> {
    Direct(NonNull<u8>),
    Array(Array<'a>),
}

/// One side of the copy.
struct Operand<'a> {
    place: Place<'a>,
    /// How many elements it has.
    len: usize,
    /// How many bytes each has.
    width: usize,
}

impl<'a> Operand<'a> {
    /// A direct buffer or an array whose elements have that many bytes. The width is part of the check: with another one the
    /// length would be measured in the wrong unit.
    fn new(
        env: Env<'a>,
        object: Ref<'a>,
        name: &str,
        element_bytes: i32,
    ) -> Result<Operand<'a>, Failure> {
        let classes = Classes::get().ok_or_else(|| Failure::internal("the library is unloaded"))?;
        let width = usize::try_from(element_bytes).unwrap_or(0);
        let is_a = |class| env.is_instance(object, class);
        // Each call of the JVM is 10 to 20 ns: whether there is an address tells the two kinds apart in one.
        if let Some(first) = env.direct_address(object) {
            if classes.buffers(width).any(is_a) {
                if let Some(len) = env.direct_capacity(object) {
                    let place = Place::Direct(first);
                    return Ok(Operand { place, len, width });
                }
            }
        } else if classes.arrays(width).any(is_a) {
            // SAFETY: it is an instance of one of the classes of arrays of primitives.
            let array = unsafe { object.as_array() };
            let place = Place::Array(array);
            let len = env.len(array);
            return Ok(Operand { place, len, width });
        }
        Err(Failure::illegal_argument(format!(
            "{name} is a {}, neither a direct buffer nor an array of elements of {element_bytes} bytes",
            classes.name_of(env, object)?
        )))
    }
}

/// The elements of one side while they are copied; an array is pinned as long as this lives.
struct Elements<'a> {
    first: NonNull<u8>,
    /// Whether the elements may have changed, so that the array must get them where the JVM gave a copy.
    written: bool,
    pinned: Option<Pinned<'a>>,
}

struct Pinned<'a> {
    env: Env<'a>,
    array: Array<'a>,
    _silence: Silence,
}

impl<'a> Elements<'a> {
    fn open(env: Env<'a>, place: Place<'a>) -> Option<Elements<'a>> {
        match place {
            Place::Direct(first) => Some(Elements {
                first,
                written: false,
                pinned: None,
            }),
            Place::Array(array) => {
                let _silence = Silence::enter();
                // SAFETY: until the drop, the caller only opens the other side and copies.
                let first = unsafe { env.enter_critical(array) }?;
                Some(Elements {
                    first,
                    written: false,
                    pinned: Some(Pinned {
                        env,
                        array,
                        _silence,
                    }),
                })
            }
        }
    }
}

impl Elements<'_> {
    /// Where the element is.
    ///
    /// # Safety
    /// There is such an element.
    unsafe fn at(&self, index: i64, width: usize) -> *mut u8 {
        // SAFETY: the element is inside of memory that is there, so the product fits.
        unsafe { self.first.as_ptr().offset(index as isize * width as isize) }
    }
}

impl Drop for Elements<'_> {
    fn drop(&mut self) {
        if let Some(Pinned { env, array, .. }) = &self.pinned {
            // SAFETY: entered in `open`, left here only; the target is dropped before the source.
            unsafe { env.leave_critical(*array, self.first, self.written) };
        }
    }
}
