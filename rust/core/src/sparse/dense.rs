//! Dense memory from coordinates, and back.

use std::ops::Range;

use super::coordinates::{Grid, Outside};
use super::entries::{Entries, Room};
use super::rows::{with_rows, Rows};
use super::writer::Writer;
use crate::element::{check_width, Element};
use crate::parallel::{self, Shared};
use crate::{dispatch, Error};

/// What of dense memory is cleared and filled at once, in bytes: it stays in the cache between the two.
const CHUNK: usize = if cfg!(miri) { 64 } else { 256 << 10 };

/// Why rows were given up.
enum Fault {
    Outside(usize, Outside),
    Unsorted(usize),
}

impl Fault {
    fn error(self, grid: &Grid<'_>, linear: bool) -> Error {
        match self {
            Fault::Outside(row, outside) => grid.outside(row, outside, linear),
            Fault::Unsorted(row) => Error::Unsorted { row },
        }
    }
}

/// Writes the entries to dense memory, and zeros everywhere else.
///
/// # Errors
/// [`Error::CoordinateOutside`], [`Error::PositionOutside`], [`Error::Unsorted`], [`Error::ElementWidth`]; part of the memory may be written then.
///
/// # Safety
/// The entries are those of [`Entries`]; `dense` has room for the elements of the grid, and lies apart. Others may write all of that.
pub unsafe fn to_dense(entries: &Entries, grid: &Grid<'_>, dense: *mut u8) -> Result<(), Error> {
    let elements = grid.elements() as usize;
    let width = entries.width;
    check_width(width)?;
    let parts = parallel::parts(elements.saturating_mul(width));
    let mut jobs = Vec::with_capacity(parts);
    let (mut position, mut row) = (0, 0);
    for part in 1..=parts {
        let end = parallel::part_start(elements, part, parts);
        let last = if part == parts {
            entries.n
        } else {
            // SAFETY: the caller's promise.
            unsafe { find(entries, grid, end as i64)? }
        };
        if last < row {
            return Err(Error::Unsorted { row: last });
        }
        // SAFETY: inside of the dense memory.
        let to = Shared(unsafe { dense.add(position * width) });
        jobs.push((row..last, position as i64..end as i64, to));
        (position, row) = (end, last);
    }
    parallel::run(jobs, |(rows, positions, to)| {
        // SAFETY: the caller's promise; each job has a part of its own.
        unsafe { fill(entries, grid, rows, positions, to.get()) }
    })
    .into_iter()
    .collect()
}

/// The first row whose position is `position` or comes after it.
///
/// # Errors
/// As for [`to_dense`], but order is not checked.
///
/// # Safety
/// As for [`to_dense`].
pub unsafe fn find(entries: &Entries, grid: &Grid<'_>, position: i64) -> Result<usize, Error> {
    with_rows!(entries.coordinates, grid, rows => {
        // SAFETY: the caller's promise.
        unsafe { find_row(rows, entries.n, position as u64) }
            .map_err(|fault| fault.error(grid, entries.is_linear()))
    })
}

/// # Safety
/// There are `n` rows.
unsafe fn find_row<R: Rows>(rows: R, n: usize, key: u64) -> Result<usize, Fault> {
    let (mut low, mut high) = (0, n);
    while low < high {
        let middle = low + (high - low) / 2;
        // SAFETY: below `n`.
        let found =
            unsafe { rows.key(middle) }.map_err(|outside| Fault::Outside(middle, outside))?;
        if found < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Writes some of the entries, which are all of those with these positions, to that part of dense memory, and zeros everywhere else in it.
///
/// # Errors
/// As for [`to_dense`].
///
/// # Safety
/// As for [`to_dense`], but `dense` is where the first of the positions is to go, and has room for these; the rows and the positions are ascending
/// and there.
unsafe fn fill(
    entries: &Entries,
    grid: &Grid<'_>,
    rows: Range<usize>,
    positions: Range<i64>,
    dense: *mut u8,
) -> Result<(), Error> {
    let width = entries.width;
    let filled = with_rows!(entries.coordinates, grid, all => {
        dispatch!(width, E => {
            // SAFETY: the caller's promise.
            unsafe {
                fill_with::<_, E>(
                    all,
                    entries.values.cast(),
                    rows,
                    positions.start as u64..positions.end as u64,
                    dense.cast(),
                )
            }
        })
    });
    filled
        .ok_or(Error::ElementWidth { width })?
        .map_err(|fault| fault.error(grid, entries.is_linear()))
}

/// # Safety
/// As for [`fill`].
unsafe fn fill_with<R: Rows, E: Element>(
    all: R,
    values: *const E,
    rows: Range<usize>,
    positions: Range<u64>,
    dense: *mut E,
) -> Result<(), Fault> {
    let mut row = rows.start;
    let load = |row: usize| {
        if row >= rows.end {
            return Ok(u64::MAX);
        }
        // SAFETY: there is such a row.
        unsafe { all.key(row) }.map_err(|outside| Fault::Outside(row, outside))
    };
    let mut key = load(row)?;
    // Positions before this one are done.
    let mut floor = positions.start;
    let mut at = positions.start;
    while at < positions.end {
        let end = positions.end.min(at + (CHUNK / E::WIDTH) as u64);
        // SAFETY: inside of the part, where the positions from `start` on have their room.
        unsafe {
            dense
                .add((at - positions.start) as usize)
                .cast::<u8>()
                .write_bytes(0, (end - at) as usize * E::WIDTH);
        }
        while key < end {
            if key < floor {
                return Err(Fault::Unsorted(row));
            }
            floor = key + 1;
            // SAFETY: the key is one of the positions, and the row is there.
            unsafe {
                let value = values.add(row).read_unaligned();
                dense
                    .add((key - positions.start) as usize)
                    .write_unaligned(value);
            }
            row += 1;
            key = load(row)?;
        }
        at = end;
    }
    if row < rows.end {
        return Err(Fault::Unsorted(row));
    }
    Ok(())
}

/// How many of `n` elements have any bit set.
///
/// # Errors
/// [`Error::ElementWidth`].
///
/// # Safety
/// The elements can be read; others may write them.
pub unsafe fn count(width: usize, dense: *const u8, n: usize) -> Result<usize, Error> {
    let parts = parallel::parts(n.saturating_mul(width));
    let dense = Shared(dense);
    let counted = dispatch!(width, E => {
        parallel::run(0..parts, |part| {
            let range = parallel::part_start(n, part, parts)..parallel::part_start(n, part + 1, parts);
            // SAFETY: the caller's promise.
            unsafe { count_in(dense.get().cast::<E>(), range) }
        })
    });
    let counted = counted.ok_or(Error::ElementWidth { width })?;
    Ok(counted.into_iter().sum())
}

/// How many elements are looked at together.
const BLOCK: usize = 64;

/// For each of [`BLOCK`] elements a 1 if it has any bit set, else a 0.
///
/// # Safety
/// The elements can be read.
#[inline(always)]
unsafe fn flags<E: Element>(dense: *const E) -> [u8; BLOCK] {
    // SAFETY: the caller's promise. An array of elements is read where it may lie unaligned.
    std::array::from_fn(|k| u8::from(unsafe { dense.add(k).read_unaligned() } != E::default()))
}

/// # Safety
/// The elements can be read.
unsafe fn count_in<E: Element>(dense: *const E, range: Range<usize>) -> usize {
    let mut counted = 0;
    let mut at = range.start;
    while range.end - at >= BLOCK {
        // SAFETY: the caller's promise.
        let flags = unsafe { flags(dense.add(at)) };
        // 64 at most, which a byte holds.
        counted += flags.iter().sum::<u8>() as usize;
        at += BLOCK;
    }
    let rest = (at..range.end)
        // SAFETY: as above.
        .filter(|&at| unsafe { dense.add(at).read_unaligned() } != E::default());
    counted + rest.count()
}

/// Writes the elements that have any bit set to `room`, with their coordinates; gives how many they are.
///
/// # Errors
/// [`Error::NoRoom`], [`Error::ElementWidth`]; part of the room may be written then.
///
/// # Safety
/// `dense` are the elements of the grid, and can be read; the room is that of [`Room`], and lies apart. Others may write all of that.
pub unsafe fn from_dense(
    width: usize,
    grid: &Grid<'_>,
    dense: *const u8,
    room: &Room,
) -> Result<usize, Error> {
    check_width(width)?;
    let elements = grid.elements() as usize;
    let parts = parallel::parts(elements.saturating_mul(width));
    let mut jobs = Vec::with_capacity(parts);
    let mut at = 0;
    for part in 0..parts {
        let (from, to) = (
            parallel::part_start(elements, part, parts),
            parallel::part_start(elements, part + 1, parts),
        );
        // SAFETY: inside of the elements.
        let start = unsafe { dense.add(from * width) };
        let end = if part + 1 == parts {
            room.n
        } else {
            // SAFETY: as above. More than there is room for is found when it is written.
            room.n.min(at + unsafe { count(width, start, to - from)? })
        };
        jobs.push((from as i64..to as i64, Shared(start), at..end));
        at = end;
    }
    let starts: Vec<usize> = jobs.iter().map(|(_, _, entries)| entries.start).collect();
    let extracted = parallel::run(jobs, |(positions, start, entries)| {
        let part = Room {
            n: entries.end,
            ..*room
        };
        // SAFETY: the caller's promise; each job has positions and room of its own.
        unsafe { extract(width, grid, positions, start.get(), &part, entries.start) }
    });
    let written: Result<Vec<usize>, Error> = extracted.into_iter().collect();
    let written = written.map_err(|error| match error {
        // Of a part of the room.
        Error::NoRoom { .. } => Error::NoRoom { room: room.n },
        other => other,
    })?;
    // SAFETY: that many were written from each start on. Where somebody writes the elements meanwhile, they may be fewer than were counted.
    Ok(unsafe { room.close_up(grid.rank(), width, starts.into_iter().zip(written)) })
}

/// Writes those of a part of the elements that have any bit set, with their coordinates, from entry `at` of the room on; gives how many they are.
///
/// # Errors
/// As for [`from_dense`].
///
/// # Safety
/// As for [`from_dense`], but `dense` is the first of the positions, which are in the grid.
pub unsafe fn extract(
    width: usize,
    grid: &Grid<'_>,
    positions: Range<i64>,
    dense: *const u8,
    room: &Room,
    at: usize,
) -> Result<usize, Error> {
    let extracted = dispatch!(width, E => {
        // SAFETY: the caller's promise.
        unsafe { extract_with::<E>(grid, positions, dense.cast(), room, at) }
    });
    extracted.ok_or(Error::ElementWidth { width })?
}

/// # Safety
/// As for [`extract`].
unsafe fn extract_with<E: Element>(
    grid: &Grid<'_>,
    positions: Range<i64>,
    dense: *const E,
    room: &Room,
    at: usize,
) -> Result<usize, Error> {
    let mut writer = Writer::new(grid, room, at);
    let n = (positions.end - positions.start) as usize;
    for block in (0..n).step_by(BLOCK) {
        let few = BLOCK.min(n - block);
        // SAFETY: that many of the positions are there.
        let bits = unsafe {
            let start = dense.add(block);
            if few == BLOCK {
                bits(&flags(start))
            } else {
                (0..few).fold(0, |bits, k| {
                    bits | u64::from(start.add(k).read_unaligned() != E::default()) << k
                })
            }
        };
        if bits.count_ones() as usize > writer.left() {
            return Err(Error::NoRoom { room: room.n });
        }
        if bits != 0 {
            // SAFETY: as above. Somebody may have changed the values since.
            unsafe {
                writer.write_bits(
                    positions.start as u64 + block as u64,
                    bits,
                    dense.add(block),
                )
            };
        }
    }
    Ok(writer.at() - at)
}

/// Flag `k` as bit `k`.
#[inline(always)]
fn bits(flags: &[u8; BLOCK]) -> u64 {
    let mut bits = 0;
    for (at, eight) in flags.chunks_exact(8).enumerate() {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(eight);
        // Each byte's lowest bit goes to the highest byte, next to that of the byte before.
        let gathered = u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= gathered << (8 * at);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_become_bits() {
        for pattern in [
            0,
            1,
            1 << 63,
            0x8000_0001_0100_8002,
            u64::MAX,
            0x0123_4567_89ab_cdef,
        ] {
            let flags = std::array::from_fn(|k| (pattern >> k & 1) as u8);
            assert_eq!(bits(&flags), pattern);
        }
    }
}
