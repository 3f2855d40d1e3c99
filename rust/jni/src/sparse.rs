//! The natives of `io.tensornio.internal.sparse.NativeSparse` about sparse tensors: shims over `tensornio_core::sparse`.
//!
//! Arguments are checked in this order: nulls, numbers and the shape, sides (alone or as pairs of coordinates and values) that are too short, sides
//! that overlap. Outputs are direct buffers. Entries in arrays are copied to staging buffers; dense arrays, and arrays of coordinates to build from,
//! are read in pinned chunks.

use jni::sys;
use tensornio_core::sparse::{self, Grid};

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{LongArray, Ref};
use crate::numbers::{number, read_numbers};
use crate::operand::{Given, Place};
use crate::pair::{Form, Pair, LONG};
use crate::side::{check_disjoint, Side};

/// `static native long build(Object coordinates, boolean linear, Object values, long n, long[] shape, int elementBytes, Object outIndices,
/// Object outValues)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_build(
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
        let coordinates = Given::new(coordinates, "coordinates")?;
        let values = Given::new(values, "values")?;
        let shape = read_shape(env, shape)?;
        let out_indices = Given::new(out_indices, "outIndices")?;
        let out_values = Given::new(out_values, "outValues")?;
        let n = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        let rows = Form::Rows(grid.rank());

        let form = if linear { Form::Linear } else { rows };
        let from = Pair::new(env, coordinates, values, form, element_bytes, n)?;
        let to = Pair::new(env, out_indices, out_values, rows, element_bytes, n)?;
        let output = to.output()?;
        check_disjoint(&to.each(), &from.each())?;

        // SAFETY: all sides were checked to have `n` entries, and written ones not to overlap any other.
        if unsafe { from.ascends(env, &grid, &output)? } {
            from.copy_values(env, &to)?;
            return Ok(n as sys::jlong);
        }
        // SAFETY: as above; the sides are arguments of this call, which keeps them.
        let distinct = unsafe { from.build(env, &grid, &output)? };
        Ok(distinct as sys::jlong)
    })
}

/// `static native void toDense(Object indices, Object values, long n, long[] shape, int elementBytes, Object dense)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_toDense(
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
        let indices = Given::new(indices, "indices")?;
        let values = Given::new(values, "values")?;
        let shape = read_shape(env, shape)?;
        let dense = Given::new(dense, "dense")?;
        let n = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        let elements = number(grid.elements(), "the number of elements")?;

        let rows = Form::Rows(grid.rank());
        let from = Pair::new(env, indices, values, rows, element_bytes, n)?;
        let dense = Side::new(env, dense, element_bytes, elements, 1)?;
        let start = dense.direct()?;
        check_disjoint(&[&dense], &from.each())?;

        let staged = from.stage(env)?;
        // SAFETY: as in `build`, with all elements of the shape as the side that is written.
        unsafe { sparse::to_dense(&staged.entries(), &grid, start.as_ptr())? };
        Ok(())
    });
}

/// `static native long count(Object dense, long n, int elementBytes, boolean floating)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_count(
    env: Env<'_>,
    _native: sys::jclass,
    dense: Option<Ref<'_>>,
    n: sys::jlong,
    element_bytes: sys::jint,
    floating: sys::jboolean,
) -> sys::jlong {
    guard(env, || {
        let dense = Given::new(dense, "dense")?;
        let dense = Side::new(env, dense, element_bytes, number(n, "n")?, 1)?;
        let mut counted = 0;
        for part in dense.parts() {
            // SAFETY: a part of the side.
            counted += unsafe {
                dense.pinned(env, &part, |start| {
                    sparse::count(dense.width(), floating, start, part.len())
                })??
            };
        }
        Ok(counted as sys::jlong)
    })
}

/// `static native long fromDense(Object dense, long n, long[] shape, int elementBytes, boolean floating, Object outIndices,
/// Object outValues)`
#[no_mangle]
#[allow(clippy::too_many_arguments)] // they are those of the native
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_fromDense(
    env: Env<'_>,
    _native: sys::jclass,
    dense: Option<Ref<'_>>,
    n: sys::jlong,
    shape: Option<LongArray<'_>>,
    element_bytes: sys::jint,
    floating: sys::jboolean,
    out_indices: Option<Ref<'_>>,
    out_values: Option<Ref<'_>>,
) -> sys::jlong {
    guard(env, || {
        let dense = Given::new(dense, "dense")?;
        let shape = read_shape(env, shape)?;
        let out_indices = Given::new(out_indices, "outIndices")?;
        let out_values = Given::new(out_values, "outValues")?;
        let elements = number(n, "n")?;
        let grid = Grid::new(&shape)?;
        if n != grid.elements() {
            return Err(Failure::illegal_argument(format!(
                "n is {n}, but shape {shape:?} has {} elements",
                grid.elements()
            )));
        }
        let dense = Side::new(env, dense, element_bytes, elements, 1)?;
        let rows = Form::Rows(grid.rank());
        let mut to = Pair::new(env, out_indices, out_values, rows, element_bytes, 0)?;
        // The whole capacity of the output.
        to.use_all();
        let output = to.output()?;
        check_disjoint(&to.each(), &[&dense])?;

        if let Place::Direct(start) = dense.place() {
            // SAFETY: `dense` has as many elements as the shape; the output's capacity is that of its sides, which do not overlap others.
            let written = unsafe {
                sparse::from_dense(dense.width(), floating, &grid, start.as_ptr(), &output)?
            };
            return Ok(written as sys::jlong);
        }
        let mut written = 0;
        for part in dense.parts() {
            let positions = part.start as i64..part.end as i64;
            // SAFETY: as above, for a part of the side.
            written += unsafe {
                dense.pinned(env, &part, |start| {
                    sparse::extract(
                        dense.width(),
                        floating,
                        &grid,
                        positions,
                        start,
                        &output,
                        written,
                    )
                })??
            };
        }
        Ok(written as sys::jlong)
    })
}

/// `static native void rowPointers(Object indices, long n, long rows, Object pointers)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_rowPointers(
    env: Env<'_>,
    _native: sys::jclass,
    indices: Option<Ref<'_>>,
    n: sys::jlong,
    rows: sys::jlong,
    pointers: Option<Ref<'_>>,
) {
    guard(env, || {
        let indices = Given::new(indices, "indices")?;
        let pointers = Given::new(pointers, "pointers")?;
        let n = number(n, "n")?;
        let rows = number(rows, "rows")?;
        let indices = Side::new(env, indices, LONG, n, 2)?;
        let pointers = Side::new(env, pointers, LONG, rows.saturating_add(1), 1)?;
        let start = pointers.direct()?;
        check_disjoint(&[&pointers], &[&indices])?;

        let indices = indices.stage(env)?;
        // SAFETY: both sides have that many numbers, and do not overlap.
        unsafe {
            sparse::row_pointers(
                indices.start().cast().as_ptr(),
                n,
                rows,
                start.cast().as_ptr(),
            )?;
        }
        Ok(())
    });
}

/// `static native void narrowColumns(Object indices, long n, long columns, Object narrow)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_sparse_NativeSparse_narrowColumns(
    env: Env<'_>,
    _native: sys::jclass,
    indices: Option<Ref<'_>>,
    n: sys::jlong,
    columns: sys::jlong,
    narrow: Option<Ref<'_>>,
) {
    guard(env, || {
        let indices = Given::new(indices, "indices")?;
        let narrow = Given::new(narrow, "narrow")?;
        let n = number(n, "n")?;
        let indices = Side::new(env, indices, LONG, n, 2)?;
        let narrow = Side::new(env, narrow, LONG, n.div_ceil(2), 1)?;
        let start = narrow.direct()?;
        check_disjoint(&[&narrow], &[&indices])?;

        let indices = indices.stage(env)?;
        // SAFETY: both sides have that many numbers, and do not overlap.
        unsafe {
            sparse::narrow_columns(
                indices.start().cast().as_ptr(),
                n,
                columns,
                start.cast().as_ptr(),
            )?;
        }
        Ok(())
    });
}

fn read_shape(env: Env<'_>, shape: Option<LongArray<'_>>) -> Result<Vec<i64>, Failure> {
    let mut sizes = Vec::new();
    read_numbers(env, not_null(shape, "shape")?, "shape", &mut [], &mut sizes)?;
    Ok(sizes)
}
