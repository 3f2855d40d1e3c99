//! Conversion from sparse to dense, and back.

use std::ops::Range;

use super::coordinates::{Grid, Outside};
use super::entries::{Entries, Output};
use super::rows::{with_rows, Rows};
use super::writer::Writer;
use crate::element::{check_width, Element};
use crate::parallel::{self, Shared};
use crate::{dispatch, Error};

/// The bytes of dense memory that are cleared and then filled at a time, so that they stay in the cache.
const CHUNK: usize = if cfg!(miri) { 64 } else { 256 << 10 };

/// What is wrong with the coordinates.
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
/// `entries` are valid as [`Entries`] says. `dense` is valid for writes of all elements of the grid, and does not overlap the entries. Other threads
/// may write to all of them.
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

/// The first row whose linear index is at least `position`.
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

/// Writes the entries in `rows`, all those in the range `positions` of linear indices, to that part of dense memory, and zeros to the rest of it.
///
/// # Errors
/// As for [`to_dense`].
///
/// # Safety
/// As for [`to_dense`], but `dense` points to the first of `positions`, and is valid for writes of these. Both ranges are in bounds.
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
    // The minimum of the next key.
    let mut floor = positions.start;
    let mut at = positions.start;
    while at < positions.end {
        let end = positions.end.min(at + (CHUNK / E::WIDTH) as u64);
        // SAFETY: `at..end` is inside of `positions`, for which `dense` is valid.
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

/// The mask of the bits that make an element non-zero: all, or for floating-point numbers, where -0.0 is zero, all but the sign.
fn significant<E: Element>(floating: bool) -> E {
    if floating {
        E::MAGNITUDE
    } else {
        E::ALL
    }
}

/// The number of non-zero elements among `n`: those that have any bit set, or, if they are `floating`-point numbers, any but the sign.
///
/// # Errors
/// [`Error::ElementWidth`].
///
/// # Safety
/// The elements can be read; others may write them.
pub unsafe fn count(
    width: usize,
    floating: bool,
    dense: *const u8,
    n: usize,
) -> Result<usize, Error> {
    let parts = parallel::parts(n.saturating_mul(width));
    let dense = Shared(dense);
    let counted = dispatch!(width, E => {
        parallel::run(parallel::ranges(n, parts), |range| {
            // SAFETY: the caller's promise.
            unsafe { count_in(dense.get().cast::<E>(), range, significant::<E>(floating)) }
        })
    });
    let counted = counted.ok_or(Error::ElementWidth { width })?;
    Ok(counted.into_iter().sum())
}

/// The number of elements that are tested at a time.
const BLOCK: usize = 64;

/// For each of [`BLOCK`] elements a 1 if it has any of the bits of `mask` set, else a 0.
///
/// # Safety
/// The elements can be read.
#[inline(always)]
unsafe fn flags<E: Element>(dense: *const E, mask: E) -> [u8; BLOCK] {
    // SAFETY: the caller's promise; elements may be unaligned.
    std::array::from_fn(|k| {
        // SAFETY: as above.
        let element = unsafe { dense.add(k).read_unaligned() };
        u8::from(element & mask != E::default())
    })
}

/// # Safety
/// The elements can be read.
unsafe fn count_in<E: Element>(dense: *const E, range: Range<usize>, mask: E) -> usize {
    let mut counted = 0;
    let mut at = range.start;
    while range.end - at >= BLOCK {
        // SAFETY: the caller's promise.
        let flags = unsafe { flags(dense.add(at), mask) };
        // At most 64, which fits a byte.
        counted += flags.iter().sum::<u8>() as usize;
        at += BLOCK;
    }
    let rest = (at..range.end)
        // SAFETY: as above.
        .filter(|&at| unsafe { dense.add(at).read_unaligned() } & mask != E::default());
    counted + rest.count()
}

/// Writes the non-zero elements, as [`count`] defines them, and their coordinates to `output`. Returns their number.
///
/// # Errors
/// [`Error::OutputFull`], [`Error::ElementWidth`]. Part of the output may be written then.
///
/// # Safety
/// `dense` is valid for reads of all elements of the grid; `output` is valid as [`Output`] says, and does not overlap them. Other threads may write
/// to all of them.
pub unsafe fn from_dense(
    width: usize,
    floating: bool,
    grid: &Grid<'_>,
    dense: *const u8,
    output: &Output,
) -> Result<usize, Error> {
    check_width(width)?;
    let elements = grid.elements() as usize;
    let parts = parallel::parts(elements.saturating_mul(width));
    let mut jobs = Vec::with_capacity(parts);
    let mut at = 0;
    for (part, positions) in parallel::ranges(elements, parts).enumerate() {
        // SAFETY: inside of the elements.
        let start = unsafe { dense.add(positions.start * width) };
        let end = if part + 1 == parts {
            output.capacity
        } else {
            // SAFETY: as above. If there are more than the capacity, the job that writes them finds it.
            output
                .capacity
                .min(at + unsafe { count(width, floating, start, positions.len())? })
        };
        let positions = positions.start as i64..positions.end as i64;
        jobs.push((positions, Shared(start), at..end));
        at = end;
    }
    let starts: Vec<usize> = jobs.iter().map(|(_, _, entries)| entries.start).collect();
    let extracted = parallel::run(jobs, |(positions, start, entries)| {
        let part = Output {
            capacity: entries.end,
            ..*output
        };
        // SAFETY: the caller's promise; jobs share neither positions nor entries of the output.
        unsafe {
            extract(
                width,
                floating,
                grid,
                positions,
                start.get(),
                &part,
                entries.start,
            )
        }
    });
    let written: Result<Vec<usize>, Error> = extracted.into_iter().collect();
    let written = written.map_err(|error| match error {
        // The job has the capacity of its part only.
        Error::OutputFull { .. } => Error::OutputFull {
            capacity: output.capacity,
        },
        other => other,
    })?;
    // SAFETY: that many were written from each start on: fewer than were counted if another thread has cleared elements meanwhile.
    Ok(unsafe { output.compact(grid.rank(), width, starts.into_iter().zip(written)) })
}

/// Writes the non-zero elements of a part of the grid and their coordinates, from entry `at` of the output on. Returns their number.
///
/// # Errors
/// As for [`from_dense`].
///
/// # Safety
/// As for [`from_dense`], but `dense` is the element at the first of `positions`, which are in the grid.
pub unsafe fn extract(
    width: usize,
    floating: bool,
    grid: &Grid<'_>,
    positions: Range<i64>,
    dense: *const u8,
    output: &Output,
    at: usize,
) -> Result<usize, Error> {
    let extracted = dispatch!(width, E => {
        // SAFETY: the caller's promise.
        unsafe { extract_with::<E>(significant(floating), grid, positions, dense.cast(), output, at) }
    });
    extracted.ok_or(Error::ElementWidth { width })?
}

/// # Safety
/// As for [`extract`].
unsafe fn extract_with<E: Element>(
    mask: E,
    grid: &Grid<'_>,
    positions: Range<i64>,
    dense: *const E,
    output: &Output,
    at: usize,
) -> Result<usize, Error> {
    let mut writer = Writer::new(grid, output, at);
    let n = (positions.end - positions.start) as usize;
    for block in (0..n).step_by(BLOCK) {
        let few = BLOCK.min(n - block);
        // SAFETY: the block is inside of `positions`.
        let bits = unsafe {
            let start = dense.add(block);
            if few == BLOCK {
                bits(&flags(start, mask))
            } else {
                (0..few).fold(0, |bits, k| {
                    bits | u64::from(start.add(k).read_unaligned() & mask != E::default()) << k
                })
            }
        };
        if bits.count_ones() as usize > writer.left() {
            return Err(Error::OutputFull {
                capacity: output.capacity,
            });
        }
        if bits != 0 {
            // SAFETY: as above. The values may have changed since they were tested.
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
