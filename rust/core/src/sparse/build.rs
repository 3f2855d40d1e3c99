//! Coordinates in any order become sorted ones.

use super::coordinates::{with_rows, Coordinates, Expander, Grid, Rows};
use crate::memory::{Memory, Pages};
use crate::{dispatch, Error};

/// Coordinates and values: `n` of each, which can be read, and which others may write. Coordinates are aligned.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// The values.
    pub values: *const u8,
    /// How many bytes a value has.
    pub width: usize,
    /// How many there are.
    pub n: usize,
}

/// Where `n` entries can be written; others may write there as well.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Rows of as many coordinates as there are axes.
    pub indices: *mut i64,
    /// The values.
    pub values: *mut u8,
    /// How many there is room for.
    pub n: usize,
}

/// Writes the entries to `room` in row-major order, of those with equal coordinates only the last; gives how many they are.
///
/// # Errors
/// [`Error::CoordinateOutside`], [`Error::PositionOutside`], [`Error::ElementWidth`], [`Error::NoRoom`], those of [`Memory::scratch`]; part of the room may be
/// written then.
///
/// # Safety
/// The entries are those of [`Entries`], the room is that of [`Room`], and lies apart from them and in itself.
pub unsafe fn build<P: Pages>(
    memory: &Memory<P>,
    entries: &Entries,
    grid: &Grid<'_>,
    room: &Room,
) -> Result<usize, Error> {
    let (n, width) = (entries.n, entries.width);
    if room.n < n {
        return Err(Error::NoRoom { room: room.n });
    }
    if n == 0 {
        return Ok(0);
    }
    // SAFETY: the caller's promise.
    if unsafe { copy_ascending(entries, grid, room)? } {
        return Ok(n);
    }
    let scratch = memory.scratch(n.saturating_mul(size_of::<(u64, usize)>()))?;
    let records = scratch.start().cast::<(u64, usize)>();
    with_rows!(entries.coordinates, grid, rows => {
        // SAFETY: the caller's promise; the scratch has room for the records.
        unsafe { key_all(rows, grid, n, records.as_ptr())? }
    });
    // SAFETY: `key_all` has written them, and nobody else knows them.
    let records = unsafe { std::slice::from_raw_parts_mut(records.as_ptr(), n) };
    records.sort_unstable();
    dispatch!(width, E => {
        let mut expander = Expander::new(grid);
        let mut to = 0;
        for at in 0..n {
            let (key, row) = records[at];
            if records.get(at + 1).is_some_and(|&(next, _)| next == key) {
                continue;
            }
            // SAFETY: the room has as many entries as there are rows.
            unsafe {
                expander.write(key, room.indices.add(to * grid.rank()));
                let value = entries.values.cast::<E>().add(row).read_unaligned();
                room.values.cast::<E>().add(to).write_unaligned(value);
            }
            to += 1;
        }
        to
    })
    .ok_or(Error::ElementWidth { width })
}

/// # Safety
/// There are `n` rows, and room for as many records.
unsafe fn key_all<R: Rows>(
    rows: R,
    grid: &Grid<'_>,
    n: usize,
    records: *mut (u64, usize),
) -> Result<(), Error> {
    for row in 0..n {
        // SAFETY: the caller's promise.
        unsafe {
            let key = rows
                .key(row)
                .map_err(|outside| grid.outside(row, outside, R::LINEAR))?;
            records.add(row).write((key, row));
        }
    }
    Ok(())
}

/// Copies entries as long as each comes after the one before; whether that was all of them.
///
/// # Safety
/// As for [`build`].
unsafe fn copy_ascending(entries: &Entries, grid: &Grid<'_>, room: &Room) -> Result<bool, Error> {
    let ascending = with_rows!(entries.coordinates, grid, rows => {
        // SAFETY: the caller's promise.
        unsafe { transcribe_ascending(rows, grid, entries.n, room)? }
    });
    if ascending {
        // SAFETY: as above.
        unsafe {
            entries
                .values
                .copy_to_nonoverlapping(room.values, entries.n * entries.width);
        }
    }
    Ok(ascending)
}

/// # Safety
/// As for [`build`].
unsafe fn transcribe_ascending<R: Rows>(
    rows: R,
    grid: &Grid<'_>,
    n: usize,
    room: &Room,
) -> Result<bool, Error> {
    let mut expander = Expander::new(grid);
    // Keys below this one come too early.
    let mut floor = 0;
    for row in 0..n {
        // SAFETY: the caller's promise.
        let key =
            unsafe { rows.transcribe(row, &mut expander, room.indices.add(row * grid.rank())) }
                .map_err(|outside| grid.outside(row, outside, R::LINEAR))?;
        if key < floor {
            return Ok(false);
        }
        floor = key + 1;
    }
    Ok(true)
}
