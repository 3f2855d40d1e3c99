//! The functions under test, on vectors, with a guard behind each output array.

use tensornio_core::memory::{Heap, Memory};
use tensornio_core::sparse::{self, Chunks, Coordinates, Entries, Grid, Output, Values};
use tensornio_core::Error;

use crate::model::Sparse;

/// The guard behind an output array, to see writes beyond its end.
const BEHIND: i64 = -77;

/// Memory of the system's size, in which blocks are far from each other.
pub fn memory() -> Memory<Heap> {
    Memory::new(Heap::new(), u64::MAX)
}

pub fn build(
    shape: &[i64],
    coordinates: &[i64],
    linear: bool,
    values: &[u8],
    width: usize,
) -> Result<Sparse, Error> {
    let memory = memory();
    let built = build_in(&memory, shape, coordinates, linear, values, width);
    // Many chunks, and few.
    for rows in [3, 50_000] {
        let chunked = build_chunked(&memory, shape, coordinates, linear, values, width, rows);
        match (&built, chunked) {
            (Ok(built), Ok(chunked)) => assert_eq!(built, &chunked),
            (built, chunked) => assert_eq!(
                built.as_ref().err().map(Error::to_string),
                chunked.err().map(|error| error.to_string())
            ),
        }
    }
    assert_eq!(memory.stats().live_blocks, 0);
    built
}

pub fn build_in(
    memory: &Memory<Heap>,
    shape: &[i64],
    coordinates: &[i64],
    linear: bool,
    values: &[u8],
    width: usize,
) -> Result<Sparse, Error> {
    let grid = Grid::new(shape)?;
    let n = values.len() / width;
    let mut coordinates = coordinates.to_vec();
    let entries = Entries {
        coordinates: at(&mut coordinates, linear),
        values: values.as_ptr(),
        width,
        n,
    };
    into_output(n, shape, width, |output| {
        // SAFETY: all arrays have `n` entries.
        unsafe { sparse::build(memory, &entries, &grid, output) }
    })
}

/// Feeds chunks of `rows` rows, each through the same buffer.
pub fn build_chunked(
    memory: &Memory<Heap>,
    shape: &[i64],
    coordinates: &[i64],
    linear: bool,
    values: &[u8],
    width: usize,
    rows: usize,
) -> Result<Sparse, Error> {
    let grid = Grid::new(shape)?;
    let n = values.len() / width;
    let entries = Values {
        start: values.as_ptr(),
        width,
        n,
    };
    let per_row = if linear { 1 } else { shape.len() };
    let feed = |to: &mut Chunks<'_>| {
        let mut place = vec![0; rows.min(n) * per_row];
        for first in (0..n).step_by(rows) {
            let end = n.min(first + rows);
            let part = &coordinates[first * per_row..end * per_row];
            place[..part.len()].copy_from_slice(part);
            // SAFETY: the rows are there.
            unsafe { to.take(at(&mut place, linear), end - first) };
            place.fill(i64::MIN);
        }
        Ok(())
    };
    into_output(n, shape, width, |output| {
        // SAFETY: all arrays have `n` entries.
        unsafe { sparse::build_chunked(memory, &entries, linear, &grid, output, feed) }
    })
}

/// From mutable numbers, because they are loaded atomically.
fn at(coordinates: &mut [i64], linear: bool) -> Coordinates {
    let start = coordinates.as_mut_ptr();
    if linear {
        Coordinates::Linear(start)
    } else {
        Coordinates::Rows(start)
    }
}

/// What is written to output arrays for `n` entries, which are aligned to one number only if `n` is odd.
fn into_output(
    n: usize,
    shape: &[i64],
    width: usize,
    build: impl FnOnce(&Output) -> Result<usize, Error>,
) -> Result<Sparse, Error> {
    let before = n & 1;
    let mut indices = vec![BEHIND; before + n * shape.len() + 1];
    let mut sorted = vec![0xee; n * width + 1];
    let output = Output {
        indices: indices[before..].as_mut_ptr(),
        values: sorted.as_mut_ptr(),
        capacity: n,
    };
    let distinct = build(&output)?;
    assert!(indices.drain(..before).all(|number| number == BEHIND));
    assert_eq!(indices.pop(), Some(BEHIND));
    assert_eq!(sorted.pop(), Some(0xee));
    indices.truncate(distinct * shape.len());
    sorted.truncate(distinct * width);
    Ok(Sparse {
        indices,
        values: sorted,
    })
}

pub fn to_dense(shape: &[i64], sparse: &Sparse, width: usize) -> Result<Vec<u8>, Error> {
    let grid = Grid::new(shape)?;
    let mut dense = vec![0xaa; grid.elements() as usize * width + 1];
    let mut indices = sparse.indices.clone();
    let entries = Entries {
        coordinates: at(&mut indices, false),
        values: sparse.values.as_ptr(),
        width,
        n: sparse.values.len() / width,
    };
    // SAFETY: all sides have their lengths.
    unsafe { sparse::to_dense(&entries, &grid, dense.as_mut_ptr())? };
    assert_eq!(dense.pop(), Some(0xaa));
    Ok(dense)
}

pub fn from_dense(
    shape: &[i64],
    dense: &[u8],
    width: usize,
    capacity: usize,
) -> Result<Sparse, Error> {
    from_dense_of(false, shape, dense, width, capacity)
}

/// The same, of floating-point numbers or others.
pub fn from_dense_of(
    floating: bool,
    shape: &[i64],
    dense: &[u8],
    width: usize,
    capacity: usize,
) -> Result<Sparse, Error> {
    let mut indices = vec![BEHIND; capacity * shape.len() + 1];
    let mut values = vec![0xee; capacity * width + 1];
    let to = Output {
        indices: indices.as_mut_ptr(),
        values: values.as_mut_ptr(),
        capacity,
    };
    // SAFETY: all sides have their lengths.
    let n = unsafe { sparse::from_dense(width, floating, &Grid::new(shape)?, dense.as_ptr(), &to) };
    assert_eq!(indices.pop(), Some(BEHIND));
    assert_eq!(values.pop(), Some(0xee));
    let n = n?;
    indices.truncate(n * shape.len());
    values.truncate(n * width);
    Ok(Sparse { indices, values })
}

pub fn count(dense: &[u8], width: usize) -> usize {
    count_of(false, dense, width)
}

/// The same, of floating-point numbers or others.
pub fn count_of(floating: bool, dense: &[u8], width: usize) -> usize {
    // SAFETY: there are as many elements.
    unsafe { sparse::count(width, floating, dense.as_ptr(), dense.len() / width).unwrap() }
}

pub fn pointers(indices: &[i64], rows: usize) -> Result<Vec<i64>, Error> {
    let mut pointers = vec![BEHIND; rows + 2];
    let mut indices = indices.to_vec();
    // SAFETY: both sides have their lengths.
    unsafe {
        sparse::row_pointers(
            indices.as_mut_ptr(),
            indices.len() / 2,
            rows,
            pointers.as_mut_ptr(),
        )?;
    }
    assert_eq!(pointers.pop(), Some(BEHIND));
    Ok(pointers)
}

/// Copies rows as long as they ascend, `part` of them at a time; `None` where they do not.
pub fn ascend(shape: &[i64], coordinates: &[i64], linear: bool, part: usize) -> Option<Vec<i64>> {
    let grid = Grid::new(shape).unwrap();
    let per_row = if linear { 1 } else { shape.len() };
    let n = coordinates.len() / per_row;
    let mut indices = vec![BEHIND; n * shape.len() + 1];
    let mut floor = 0;
    for first in (0..n).step_by(part) {
        let mut rows = coordinates[first * per_row..].to_vec();
        let from = at(&mut rows, linear);
        let to = indices[first * shape.len()..].as_mut_ptr();
        // SAFETY: both arrays hold the rows that are left.
        if !unsafe { sparse::ascend(from, part.min(n - first), &grid, to, &mut floor) } {
            return None;
        }
    }
    assert_eq!(indices.pop(), Some(BEHIND));
    Some(indices)
}
