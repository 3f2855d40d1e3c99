//! Building: sorts entries and removes duplicates.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::coordinates::{Coordinates, Grid};
use super::entries::{Entries, Output, Values};
use super::expander::Expander;
use super::rows::{with_rows, Rows};
use super::sort::{self, Chunks};
use crate::element::check_width;
use crate::memory::{Memory, Pages};
use crate::parallel;
use crate::Error;

/// Writes the entries to `output` in row-major order. Of entries with equal coordinates, the last is kept. Returns the number of entries written.
///
/// # Errors
/// [`Error::CoordinateOutside`], [`Error::PositionOutside`], [`Error::ElementWidth`], [`Error::OutputTooSmall`], and the errors of
/// [`Memory::scratch`]. Part of the output may be written then.
///
/// # Safety
/// `entries` and `output` are valid as [`Entries`] and [`Output`] say. The output arrays overlap neither each other nor the entries.
pub unsafe fn build<P: Pages>(
    memory: &Memory<P>,
    entries: &Entries,
    grid: &Grid<'_>,
    output: &Output,
) -> Result<usize, Error> {
    check_output(&entries.values(), output)?;
    // SAFETY: the caller's promise.
    if unsafe { copy_ascending(entries, grid, output) } {
        return Ok(entries.n);
    }
    with_rows!(entries.coordinates, grid, rows => {
        // SAFETY: the caller's promise.
        unsafe { sort::sort(memory, sort::InPlace(rows), &entries.values(), grid, output) }
    })
}

/// Like [`build`], for coordinates that only this thread can read, in chunks: `feed` passes all of them on, in order, as linear indices if `linear`,
/// else as rows. It is not called if there are none. Values are read after the last chunk, and may be written until then.
///
/// # Errors
/// The errors of [`build`] and of `feed`.
///
/// # Panics
/// If `feed` passes on more rows than there are values, or fewer without an error.
///
/// # Safety
/// `values` and `output` are valid as [`Values`] and [`Output`] say. The output arrays overlap neither each other nor the values.
pub unsafe fn build_chunked<P: Pages, X: From<Error>>(
    memory: &Memory<P>,
    values: &Values,
    linear: bool,
    grid: &Grid<'_>,
    output: &Output,
    feed: impl FnOnce(&mut Chunks<'_>) -> Result<(), X>,
) -> Result<usize, X> {
    check_output(values, output)?;
    if values.n == 0 {
        return Ok(0);
    }
    // SAFETY: the caller's promise.
    unsafe { sort::sort(memory, sort::Chunked { feed, linear }, values, grid, output) }
}

fn check_output(values: &Values, output: &Output) -> Result<(), Error> {
    let &Values { width, n, .. } = values;
    if output.capacity < n {
        return Err(Error::OutputTooSmall {
            entries: n,
            capacity: output.capacity,
        });
    }
    check_width(width)
}

/// Copies `n` rows of coordinates while their keys are strictly ascending and at least `floor`. Returns whether all were copied; then `floor` is the
/// last key plus 1, for the following rows. A coordinate outside of the shape ends the copy, too.
///
/// # Safety
/// The coordinates are aligned and valid for reads of `n` rows; others may write them. `to` is valid for writes of as many, and does not overlap
/// them.
pub unsafe fn ascend(
    coordinates: Coordinates,
    n: usize,
    grid: &Grid<'_>,
    to: *mut i64,
    floor: &mut u64,
) -> bool {
    with_rows!(coordinates, grid, rows => {
        let mut expander = Expander::new(grid);
        (0..n).all(|row| {
            // SAFETY: the caller's promise.
            let key = unsafe { rows.transcribe(row, &mut expander, to.add(row * grid.rank())) };
            match key {
                Ok(key) if key >= *floor => {
                    *floor = key + 1;
                    true
                }
                _ => false,
            }
        })
    })
}

/// The number of entries that a thread copies between two checks whether another thread has found an unsorted row.
const STRETCH: usize = if cfg!(miri) { 8 } else { 4096 };

/// Copies entries while their keys are strictly ascending. Returns whether all were copied.
///
/// # Safety
/// As for [`build`].
unsafe fn copy_ascending(entries: &Entries, grid: &Grid<'_>, output: &Output) -> bool {
    let n = entries.n;
    let parts = parallel::parts(n.saturating_mul(8 * grid.rank() + entries.width));
    let given_up = AtomicBool::new(false);
    let copied = with_rows!(entries.coordinates, grid, rows => {
        parallel::run(parallel::ranges(n, parts), |range| {
            // SAFETY: the caller's promise; each job has rows of its own.
            unsafe { copy_part(rows, entries, output, grid, range, &given_up) }
        })
    });
    let mut floor = 0;
    let mut ascending = true;
    for part in copied {
        match part {
            Some(keys) => {
                ascending &= keys.start >= floor;
                floor = keys.end;
            }
            None => ascending = false,
        }
    }
    ascending
}

/// Returns the range of the keys, or `None` if they do not ascend or another thread has given up.
///
/// # Safety
/// As for [`build`].
unsafe fn copy_part<R: Rows>(
    rows: R,
    entries: &Entries,
    output: &Output,
    grid: &Grid<'_>,
    range: Range<usize>,
    given_up: &AtomicBool,
) -> Option<Range<u64>> {
    let (rank, width) = (grid.rank(), entries.width);
    let mut expander = Expander::new(grid);
    let mut first = None;
    // The minimum of the next key.
    let mut floor = 0;
    for start in range.clone().step_by(STRETCH) {
        if given_up.load(Ordering::Relaxed) {
            return None;
        }
        let end = range.end.min(start + STRETCH);
        for row in start..end {
            // SAFETY: the row is below `n`, and the output has capacity for it.
            let key =
                unsafe { rows.transcribe(row, &mut expander, output.indices.add(row * rank)) };
            let Ok(key) = key.inspect_err(|_| given_up.store(true, Ordering::Relaxed)) else {
                // The subsequent sort finds the first row that is out of bounds.
                return None;
            };
            if key < floor {
                given_up.store(true, Ordering::Relaxed);
                return None;
            }
            first.get_or_insert(key);
            floor = key + 1;
        }
        // SAFETY: as above.
        unsafe {
            entries
                .values
                .add(start * width)
                .copy_to_nonoverlapping(output.values.add(start * width), (end - start) * width);
        }
    }
    Some(first.unwrap_or(floor)..floor)
}
