//! Elements or lines that the entries of rows add to, by their coordinates.

use super::segments::{Columns, Coordinates, Pairs};
use super::{Entries, Factor, Job, Real, AHEAD};
use crate::kernel::isa::{Body, Isa};
use crate::stored::accumulate::carry;
use crate::stored::products::{fused, prefetch};

/// The kernel, for a job.
pub(super) struct Scatter<T>(std::marker::PhantomData<T>);

impl<T: Real> Body for Scatter<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, job: *mut u8, _: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: it is a job whose factors and cells are of this type, as the caller promises.
        unsafe {
            let job = &mut *job.cast::<Job<'_, '_>>();
            let (sweep, to) = (job.sweep, job.sweep.target);
            let Some((cells, lost)) = job.cells.map(|cells| cells.of_sum(0)) else {
                job.failed = true;
                return;
            };
            if let (false, [by]) = (T::CARRIED || to.inner == 1, &sweep.of_places[..]) {
                match sweep.coordinates {
                    Coordinates::Entries(pairs) => {
                        return by_columns::<T>(job, Pairs(pairs), by, cells)
                    }
                    Coordinates::Columns(columns) => {
                        return by_columns::<T>(job, columns, by, cells)
                    }
                    _ => {}
                }
            }
            let (n, kept) = (sweep.inner, to.inner == 1);
            let (by, line) = (
                sweep.of_places.first().copied(),
                sweep.of_lines.first().copied(),
            );
            let all = sweep.coordinates;
            let places = sweep.places;
            job.each_entries::<T>(|some| {
                let Entries {
                    row,
                    scale,
                    first,
                    from,
                    coordinates,
                    ..
                } = *some;
                let (cells, lost) = (
                    cells.offset(to.at(row, 0, 0)),
                    lost.wrapping_offset(to.at(row, 0, 0)),
                );
                let step = to.coordinate as isize;
                let values = by.map(|by| by.at::<T>(row, 0, from));
                let value = |k: usize| match values {
                    Some(values) => scale * (*values.add(k)).into(),
                    None => scale,
                };
                if !kept {
                    for (k, &coordinate) in coordinates.iter().enumerate() {
                        let next = from + k + CELLS_AHEAD;
                        if next < places {
                            let at = all.at(first, next).wrapping_mul(to.coordinate) as isize;
                            prefetch(cells.wrapping_offset(at).cast(), 1);
                        }
                        let at = coordinate as isize * step;
                        match T::CARRIED {
                            true => carry(&mut *cells.offset(at), &mut *lost.offset(at), value(k)),
                            false => *cells.offset(at) += value(k),
                        }
                    }
                } else {
                    for (k, &coordinate) in coordinates.iter().enumerate() {
                        let next = from + k + AHEAD;
                        if next < places {
                            let at = all.at(first, next).wrapping_mul(to.coordinate) as isize;
                            prefetch(cells.wrapping_offset(at).cast(), n * size_of::<f64>());
                        }
                        let (at, value) = (coordinate as isize * step, value(k));
                        let cells = std::slice::from_raw_parts_mut(cells.offset(at), n);
                        // Without a line all of its elements are 1.
                        let line = match line {
                            Some(line) => {
                                let line = line.at::<T>(row, coordinate, from + k);
                                std::slice::from_raw_parts(line, n)
                            }
                            None => &[],
                        };
                        match (T::CARRIED, line.is_empty()) {
                            (true, is_one) => {
                                let lost = std::slice::from_raw_parts_mut(lost.offset(at), n);
                                for (d, (cell, lost)) in cells.iter_mut().zip(lost).enumerate() {
                                    let one = if is_one { 1.0 } else { line[d].into() };
                                    carry(cell, lost, one * value);
                                }
                            }
                            (false, true) => cells.iter_mut().for_each(|cell| *cell += value),
                            (false, false) => {
                                for (cell, &one) in cells.iter_mut().zip(line) {
                                    *cell = fused::<I>(one.into(), value, *cell);
                                }
                            }
                        }
                    }
                }
            });
        }
    }
}

/// How many entries before it is added to a cell is fetched.
const CELLS_AHEAD: usize = 32;

/// Adds entries of a sparse matrix, times what is the same along the row, to cells by their columns.
///
/// # Safety
/// As [`Scatter`].
#[inline(always)]
unsafe fn by_columns<T: Real>(
    job: &mut Job<'_, '_>,
    columns: impl Columns,
    by: &Factor,
    cells: *mut f64,
) {
    let (sweep, to) = (job.sweep, job.sweep.target);
    let (limit, step) = (sweep.limit, to.coordinate as isize);
    let values = by.at::<T>(0, 0, 0);
    let mut segments = job.segments();
    while let Some((row, from, end)) = segments.next() {
        if from == end {
            continue;
        }
        // SAFETY: there is such a row.
        let scale = unsafe { sweep.scale::<T>(row) };
        let cells = cells.wrapping_offset(to.at(row, 0, 0));
        // SAFETY: there are so many entries.
        let values = unsafe { std::slice::from_raw_parts(values.add(from), end - from) };
        let Some(some) = columns.some(from, end) else {
            job.failed = true;
            return;
        };
        for ((entry, &value), column) in (from..end).zip(values).zip(some) {
            let next = columns.get(entry + CELLS_AHEAD) as isize;
            prefetch(cells.wrapping_offset(next.wrapping_mul(step)).cast(), 1);
            if column >= limit {
                job.failed = true;
                return;
            }
            // SAFETY: the column is below the limit.
            unsafe { *cells.offset(column as isize * step) += scale * value.into() };
        }
        job.entries += (end - from) as u64;
    }
    job.failed |= segments.failed;
}
