//! Coordinates in any order become sorted ones.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::coordinates::{Coordinates, Grid};
use super::entries::{Entries, Room, Values};
use super::expander::Expander;
use super::rows::{with_rows, Rows};
use super::sort::{self, Pieces};
use crate::element::check_width;
use crate::memory::{Memory, Pages};
use crate::parallel;
use crate::Error;

/// Writes the entries to `room` in row-major order, of those with equal coordinates only the last; gives how many they are.
///
/// # Errors
/// [`Error::CoordinateOutside`], [`Error::PositionOutside`], [`Error::ElementWidth`], [`Error::RoomTooSmall`], those of [`Memory::scratch`]; part of
/// the room may be written then.
///
/// # Safety
/// The entries are those of [`Entries`], the room is that of [`Room`], and lies apart from them and in itself.
pub unsafe fn build<P: Pages>(
    memory: &Memory<P>,
    entries: &Entries,
    grid: &Grid<'_>,
    room: &Room,
) -> Result<usize, Error> {
    check_room(&entries.values(), room)?;
    // SAFETY: the caller's promise.
    if unsafe { copy_ascending(entries, grid, room) } {
        return Ok(entries.n);
    }
    with_rows!(entries.coordinates, grid, rows => {
        // SAFETY: the caller's promise.
        unsafe { sort::sort(memory, sort::InPlace(rows), &entries.values(), grid, room) }
    })
}

/// As [`build`], of rows that only this thread can reach, each for a while: `bring` hands over all of them, in order, rows or positions as `linear`
/// says; it is not called if there are none.
/// Values may be written until the last row was handed over, and are read then.
///
/// # Errors
/// Those of [`build`]; those of `bring`.
///
/// # Panics
/// If `bring` hands over more rows than there are values, or less and no error.
///
/// # Safety
/// The values are those of [`Values`], the room is that of [`Room`], and lies apart from them and in itself.
pub unsafe fn build_brought<P: Pages, X: From<Error>>(
    memory: &Memory<P>,
    values: &Values,
    linear: bool,
    grid: &Grid<'_>,
    room: &Room,
    bring: impl FnOnce(&mut Pieces<'_>) -> Result<(), X>,
) -> Result<usize, X> {
    check_room(values, room)?;
    if values.n == 0 {
        return Ok(0);
    }
    // SAFETY: the caller's promise.
    unsafe { sort::sort(memory, sort::Brought { bring, linear }, values, grid, room) }
}

fn check_room(values: &Values, room: &Room) -> Result<(), Error> {
    let &Values { width, n, .. } = values;
    if room.n < n {
        return Err(Error::RoomTooSmall {
            entries: n,
            room: room.n,
        });
    }
    check_width(width)
}

/// Copies `n` rows of coordinates as long as each comes after the one before, the first not before the position `floor`; whether that was all of
/// them. Then `floor` is the position after the last, so that the rows that follow can be copied next. A coordinate outside of the shape ends it as
/// well.
///
/// # Safety
/// There are such rows, aligned, which others may write, and room for their coordinates apart from them.
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

/// How many entries are copied before a thread looks whether another one has found a row that is out of order.
const STRETCH: usize = if cfg!(miri) { 8 } else { 4096 };

/// Copies entries as long as each comes after the one before; whether that was all of them.
///
/// # Safety
/// As for [`build`].
unsafe fn copy_ascending(entries: &Entries, grid: &Grid<'_>, room: &Room) -> bool {
    let n = entries.n;
    let parts = parallel::parts(n.saturating_mul(8 * grid.rank() + entries.width));
    let given_up = AtomicBool::new(false);
    let copied = with_rows!(entries.coordinates, grid, rows => {
        parallel::run(0..parts, |part| {
            let range = parallel::part_start(n, part, parts)..parallel::part_start(n, part + 1, parts);
            // SAFETY: the caller's promise; each job has rows of its own.
            unsafe { copy_part(rows, entries, room, grid, range, &given_up) }
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

/// Gives the range that the keys are in; `None` where they do not ascend, or another thread has given up.
///
/// # Safety
/// As for [`build`].
unsafe fn copy_part<R: Rows>(
    rows: R,
    entries: &Entries,
    room: &Room,
    grid: &Grid<'_>,
    range: Range<usize>,
    given_up: &AtomicBool,
) -> Option<Range<u64>> {
    let (rank, width) = (grid.rank(), entries.width);
    let mut expander = Expander::new(grid);
    let mut first = None;
    // Keys below this one come too early.
    let mut floor = 0;
    for start in range.clone().step_by(STRETCH) {
        if given_up.load(Ordering::Relaxed) {
            return None;
        }
        let end = range.end.min(start + STRETCH);
        for row in start..end {
            // SAFETY: there is such a row, and room for it.
            let key = unsafe { rows.transcribe(row, &mut expander, room.indices.add(row * rank)) };
            let Ok(key) = key.inspect_err(|_| given_up.store(true, Ordering::Relaxed)) else {
                // Which one is the first outside, the keys tell.
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
                .copy_to_nonoverlapping(room.values.add(start * width), (end - start) * width);
        }
    }
    Some(first.unwrap_or(floor)..floor)
}
