//! The natives of `io.tensornio.internal.Native` about sparse tensors: shims over `tensornio_core::sparse`.
//!
//! What is read in order and many times, or by several threads, is not pinned: arrays of coordinates and values are copied first. Dense arrays are
//! worked on in parts, each pinned for itself.

use std::ops::Range;
use std::ptr::NonNull;

use jni::sys;
use tensornio_core::memory::{Scratch, System};
use tensornio_core::sparse::{self, Coordinates, Entries, Grid, Room};

use crate::copy::{copy_in_parts, Selection, MOST_PINNED};
use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{LongArray, Ref};
use crate::memory::{memory, not_negative};
use crate::operand::{Elements, Operand, Place};

/// `static native long sparseBuild(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes, Object outIndices,
/// Object outValues)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_Native_sparseBuild(
    env: Env<'_>,
    _native: sys::jclass,
    coordinates: Option<Ref<'_>>,
    linear: sys::jboolean,
    values: Option<Ref<'_>>,
    n: sys::jlong,
    shape: Option<LongArray<'_>>,
    element_bytes: sys::jint,
    out_indices: Option<Ref<'_>>,
    out_values: Option<Ref<'_>>,
) -> sys::jlong {
    guard(env, || {
        let coordinates = not_null(coordinates, "coordinates")?;
        let values = not_null(values, "values")?;
        let shape = read_shape(env, not_null(shape, "shape")?)?;
        let out_indices = not_null(out_indices, "outIndices")?;
        let out_values = not_null(out_values, "outValues")?;
        let n = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        let per_row = if linear { 1 } else { grid.rank() };

        let coordinates = Side::new(env, coordinates, "coordinates", LONG, n, per_row)?;
        let values = Side::new(env, values, "values", element_bytes, n, 1)?;
        let out_indices = Side::new(env, out_indices, "outIndices", LONG, n, grid.rank())?;
        let out_values = Side::new(env, out_values, "outValues", element_bytes, n, 1)?;
        let room = Room {
            indices: out_indices.direct()?.cast().as_ptr(),
            values: out_values.direct()?.as_ptr(),
            n,
        };
        apart(&[&out_indices, &out_values], &[&coordinates, &values])?;

        let of = |start: *mut u8| {
            if linear {
                Coordinates::Linear(start.cast())
            } else {
                Coordinates::Rows(start.cast())
            }
        };
        // SAFETY: all sides were checked to have room for `n` entries, and that those written lie apart.
        if unsafe { coordinates.ascends(env, per_row, of, &grid, &room)? } {
            values.copy(env, values.operand.place, out_values.operand.place)?;
            return Ok(n as sys::jlong);
        }

        let coordinates = coordinates.stage(env)?;
        let values = values.stage(env)?;
        let entries = Entries {
            coordinates: of(coordinates.start.as_ptr()),
            values: values.start.as_ptr(),
            width: values.width,
            n,
        };
        // SAFETY: all sides were checked to have room for `n` entries, and that those written lie apart; they are arguments of this call, which
        // keeps them. Coordinates are aligned by `stage`.
        Ok(unsafe { sparse::build(memory(), &entries, &grid, &room)? } as sys::jlong)
    })
}

/// `static native void sparseToDense(Object indices, Object values, long n, long[] shape, int elementBytes, Object dense)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_Native_sparseToDense(
    env: Env<'_>,
    _native: sys::jclass,
    indices: Option<Ref<'_>>,
    values: Option<Ref<'_>>,
    n: sys::jlong,
    shape: Option<LongArray<'_>>,
    element_bytes: sys::jint,
    dense: Option<Ref<'_>>,
) {
    guard(env, || {
        let indices = not_null(indices, "indices")?;
        let values = not_null(values, "values")?;
        let shape = read_shape(env, not_null(shape, "shape")?)?;
        let dense = not_null(dense, "dense")?;
        let n = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        let elements = number(grid.elements(), "the number of elements")?;

        let indices = Side::new(env, indices, "indices", LONG, n, grid.rank())?;
        let values = Side::new(env, values, "values", element_bytes, n, 1)?;
        let dense = Side::new(env, dense, "dense", element_bytes, elements, 1)?;
        apart(&[&dense], &[&indices, &values])?;

        let indices = indices.stage(env)?;
        let values = values.stage(env)?;
        let entries = Entries {
            coordinates: Coordinates::Rows(indices.start.cast().as_ptr()),
            values: values.start.as_ptr(),
            width: values.width,
            n,
        };
        let at_once = match dense.operand.place {
            Place::Direct(start) => Some(start),
            // Whatever coordinates there are is outside.
            Place::Array(_) => (elements == 0).then_some(NonNull::dangling()),
        };
        if let Some(start) = at_once {
            // SAFETY: as in `sparseBuild`, with all elements of the shape as the side that is written.
            unsafe { sparse::to_dense(&entries, &grid, start.as_ptr())? };
            return Ok(());
        }
        let mut row = 0;
        for part in dense.parts() {
            let positions = part.start as i64..part.end as i64;
            // SAFETY: as above; the rows up to the last one are there, and `fill` sees whether they have these positions.
            unsafe {
                let last = match part.end == elements {
                    true => n,
                    false => sparse::find(&entries, &grid, positions.end)?.max(row),
                };
                dense.pinned(env, &part, true, |start| {
                    sparse::fill(&entries, &grid, row..last, positions, start)
                })??;
                row = last;
            }
        }
        Ok(())
    });
}

/// `static native long sparseCount(Object dense, long n, int elementBytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_Native_sparseCount(
    env: Env<'_>,
    _native: sys::jclass,
    dense: Option<Ref<'_>>,
    n: sys::jlong,
    element_bytes: sys::jint,
) -> sys::jlong {
    guard(env, || {
        let dense = not_null(dense, "dense")?;
        let dense = Side::new(env, dense, "dense", element_bytes, number(n, "n")?, 1)?;
        let mut counted = 0;
        for part in dense.parts() {
            // SAFETY: a part of the side.
            counted += unsafe {
                dense.pinned(env, &part, false, |start| {
                    sparse::count(dense.operand.width, start, part.len())
                })??
            };
        }
        Ok(counted as sys::jlong)
    })
}

/// `static native long sparseFromDense(Object dense, long n, long[] shape, int elementBytes, Object outIndices, Object outValues)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_Native_sparseFromDense(
    env: Env<'_>,
    _native: sys::jclass,
    dense: Option<Ref<'_>>,
    n: sys::jlong,
    shape: Option<LongArray<'_>>,
    element_bytes: sys::jint,
    out_indices: Option<Ref<'_>>,
    out_values: Option<Ref<'_>>,
) -> sys::jlong {
    guard(env, || {
        let dense = not_null(dense, "dense")?;
        let shape = read_shape(env, not_null(shape, "shape")?)?;
        let out_indices = not_null(out_indices, "outIndices")?;
        let out_values = not_null(out_values, "outValues")?;
        let elements = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        if n != grid.elements() {
            return Err(Failure::illegal_argument(format!(
                "n is {n}, but shape {shape:?} has {} elements",
                grid.elements()
            )));
        }
        let dense = Side::new(env, dense, "dense", element_bytes, elements, 1)?;
        let mut out_indices = Side::new(env, out_indices, "outIndices", LONG, 0, 1)?;
        let mut out_values = Side::new(env, out_values, "outValues", element_bytes, 0, 1)?;
        let rows = out_indices.operand.len.checked_div(grid.rank());
        let room = Room {
            indices: out_indices.direct()?.cast().as_ptr(),
            values: out_values.direct()?.as_ptr(),
            n: out_values.operand.len.min(rows.unwrap_or(usize::MAX)),
        };
        // All that may be written.
        out_indices.len = room.n * grid.rank();
        out_values.len = room.n;
        apart(&[&out_indices, &out_values], &[&dense])?;

        if let Place::Direct(start) = dense.operand.place {
            // SAFETY: `dense` has as many elements as the shape, the room is as large as the outputs, and these lie apart.
            let written =
                unsafe { sparse::from_dense(dense.operand.width, &grid, start.as_ptr(), &room)? };
            return Ok(written as sys::jlong);
        }
        let mut written = 0;
        for part in dense.parts() {
            let positions = part.start as i64..part.end as i64;
            // SAFETY: as above, for a part of the side.
            written += unsafe {
                dense.pinned(env, &part, false, |start| {
                    sparse::extract(dense.operand.width, &grid, positions, start, &room, written)
                })??
            };
        }
        Ok(written as sys::jlong)
    })
}

/// `static native void sparseRowPointers(Object indices, long n, long rows, Object pointers)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_Native_sparseRowPointers(
    env: Env<'_>,
    _native: sys::jclass,
    indices: Option<Ref<'_>>,
    n: sys::jlong,
    rows: sys::jlong,
    pointers: Option<Ref<'_>>,
) {
    guard(env, || {
        let indices = not_null(indices, "indices")?;
        let pointers = not_null(pointers, "pointers")?;
        let n = number(n, "n")?;
        let rows = number(rows, "rows")?;
        let indices = Side::new(env, indices, "indices", LONG, n, 2)?;
        let pointers = Side::new(env, pointers, "pointers", LONG, rows.saturating_add(1), 1)?;
        apart(&[&pointers], &[&indices])?;

        let indices = indices.stage(env)?;
        let of_array = match pointers.operand.place {
            Place::Direct(_) => None,
            Place::Array(_) => Some(memory().scratch(pointers.bytes())?),
        };
        let start = match (&of_array, pointers.operand.place) {
            (None, Place::Direct(start)) => start,
            (Some(scratch), _) => scratch.start(),
            (None, Place::Array(_)) => return Err(Failure::internal("no memory for pointers")),
        };
        // SAFETY: both sides have that many numbers, and lie apart.
        unsafe {
            sparse::row_pointers(
                indices.start.cast().as_ptr(),
                n,
                rows,
                start.cast().as_ptr(),
            )?;
        }
        match of_array {
            None => Ok(()),
            Some(_) => pointers.copy(env, Place::Direct(start), pointers.operand.place),
        }
    });
}

/// How many bytes a coordinate has.
const LONG: i32 = 8;

/// A number of things that are in memory, or are to be.
fn number(value: i64, name: &str) -> Result<usize, Failure> {
    usize::try_from(not_negative(value, name)?).map_err(|_| {
        Failure::illegal_argument(format!(
            "{name} is {value}: this platform has addresses for {} bytes",
            usize::MAX
        ))
    })
}

fn read_shape(env: Env<'_>, array: LongArray<'_>) -> Result<Vec<i64>, Failure> {
    let rank = env.len(array.array());
    let mut shape = Vec::new();
    shape
        .try_reserve_exact(rank)
        .map_err(|_| Failure::out_of_memory(format!("a shape of rank {rank}")))?;
    shape.resize(rank, 0);
    env.read_longs(array, &mut shape)?;
    Ok(shape)
}

/// A side with the part of it that is used.
struct Side<'a> {
    operand: Operand<'a>,
    name: &'static str,
    /// How many of its elements are used, from the first on.
    len: usize,
}

/// Numbers that stay where they are.
struct Staged {
    start: NonNull<u8>,
    width: usize,
    _copy: Option<Scratch<'static, System>>,
}

impl<'a> Side<'a> {
    /// A side of which `n` rows of `per_row` elements are used.
    fn new(
        env: Env<'a>,
        object: Ref<'a>,
        name: &'static str,
        element_bytes: i32,
        n: usize,
        per_row: usize,
    ) -> Result<Side<'a>, Failure> {
        let operand = Operand::new(env, object, name, element_bytes)?;
        match n.checked_mul(per_row) {
            Some(len) if len <= operand.len => Ok(Side { operand, name, len }),
            _ => Err(Failure::illegal_argument(format!(
                "{name} has {} elements; {n} times {per_row} are needed",
                operand.len
            ))),
        }
    }

    fn bytes(&self) -> usize {
        self.len * self.operand.width
    }

    /// Where a side is that is written by several threads.
    fn direct(&self) -> Result<NonNull<u8>, Failure> {
        match self.operand.place {
            Place::Direct(start) => Ok(start),
            Place::Array(_) => Err(Failure::illegal_argument(format!(
                "{} is an array, not a direct buffer",
                self.name
            ))),
        }
    }

    /// The addresses that are used; none of an array.
    fn addresses(&self) -> Range<usize> {
        match self.operand.place {
            Place::Direct(start) => start.addr().get()..start.addr().get() + self.bytes(),
            Place::Array(_) => 0..0,
        }
    }

    /// The elements where they are, if that is in an aligned direct buffer, else a copy.
    fn stage(&self, env: Env<'a>) -> Result<Staged, Failure> {
        let width = self.operand.width;
        let (start, copy) = match self.operand.place {
            _ if self.len == 0 => (NonNull::<u64>::dangling().cast(), None),
            Place::Direct(start) if start.addr().get() % width == 0 => (start, None),
            _ => {
                let scratch = memory().scratch(self.bytes())?;
                let start = scratch.start();
                self.copy(env, self.operand.place, Place::Direct(start))?;
                (start, Some(scratch))
            }
        };
        Ok(Staged {
            start,
            width,
            _copy: copy,
        })
    }

    /// Copies the rows of an array, part by part, as long as they ascend; whether they all did. Those of a buffer are left to several threads.
    ///
    /// # Safety
    /// There are as many rows as there is room for.
    unsafe fn ascends(
        &self,
        env: Env<'a>,
        per_row: usize,
        of: impl Fn(*mut u8) -> Coordinates,
        grid: &Grid<'_>,
        room: &Room,
    ) -> Result<bool, Failure> {
        if self.len == 0 || matches!(self.operand.place, Place::Direct(_)) {
            return Ok(false);
        }
        let rows = (MOST_PINNED as usize / self.operand.width / per_row).max(1);
        let mut floor = 0;
        for first in (0..room.n).step_by(rows) {
            let n = rows.min(room.n - first);
            let part = first * per_row..(first + n) * per_row;
            // SAFETY: a part of the side, and the caller's promise; arrays of longs are aligned.
            let goes_on = unsafe {
                let to = room.indices.add(first * grid.rank());
                self.pinned(env, &part, false, |start| {
                    sparse::ascend(of(start), n, grid, to, &mut floor)
                })?
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Copies as many elements as are used from one place to another; one of them is that of this side.
    fn copy(&self, env: Env<'_>, from: Place<'_>, to: Place<'_>) -> Result<(), Failure> {
        let at = |place| Selection {
            place,
            start: 0,
            strides: &[1],
        };
        let shape = [self.len as i64];
        // SAFETY: the callers give this side, which was checked, and scratch memory of its length.
        match unsafe { copy_in_parts(env, self.operand.width, &shape, &at(from), &at(to)) } {
            Some(copied) => Ok(copied?),
            None => Err(not_pinned()),
        }
    }

    /// The parts to work on: that of a buffer is all, those of an array may be pinned.
    fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        let len = self.len;
        let step = match self.operand.place {
            Place::Direct(_) => len.max(1),
            Place::Array(_) => MOST_PINNED as usize / self.operand.width,
        };
        (0..len)
            .step_by(step)
            .map(move |start| start..len.min(start + step))
    }

    /// Works on a part, an array being pinned.
    ///
    /// # Safety
    /// The part is one of the side's. The work makes no JNI call and does not log.
    unsafe fn pinned<T>(
        &self,
        env: Env<'a>,
        part: &Range<usize>,
        written: bool,
        work: impl FnOnce(*mut u8) -> T,
    ) -> Result<T, Failure> {
        let mut elements = Elements::open(env, self.operand.place).ok_or_else(not_pinned)?;
        if written {
            elements.write();
        }
        // SAFETY: there is such an element.
        Ok(work(unsafe {
            elements.at(part.start as i64, self.operand.width)
        }))
    }
}

fn not_pinned() -> Failure {
    Failure::out_of_memory("the JVM has no memory to pin an array")
}

/// Checks that what is written overlaps nothing.
fn apart(written: &[&Side<'_>], read: &[&Side<'_>]) -> Result<(), Failure> {
    for (at, one) in written.iter().enumerate() {
        for other in written[at + 1..].iter().chain(read) {
            let (a, b) = (one.addresses(), other.addresses());
            if a.start.max(b.start) < a.end.min(b.end) {
                return Err(Failure::illegal_argument(format!(
                    "{} overlaps {}",
                    one.name, other.name
                )));
            }
        }
    }
    Ok(())
}
