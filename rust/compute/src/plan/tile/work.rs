//! The split of a nest into units of work: always the same units, so that results do not depend on the number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use tensornio_core::parallel::Shared;

use super::machine::{Failed, Machine};
use super::nest::Nest;
use super::root::Root;
use crate::far::Fars;
use crate::operand::DType;
use crate::threads;

/// The number of elements of a unit of work, times the cost of each, up to [`MOST_COST`].
const UNIT: i64 = 1 << 18;
const MOST_COST: i64 = 16;
/// With fewer units than this, large reductions are split, too.
const FEW: i64 = 8;
/// The maximum bytes of the partial results of a reduction that is split: ranges can be so long that those of all units would not fit memory.
const MOST_BYTES: usize = 1 << 24;

/// The number of elements of a unit of work, if each has that cost.
pub(crate) fn elements_per_unit(cost: i64) -> i64 {
    UNIT / cost.clamp(1, MOST_COST)
}

/// The number of parts of at most `longest` of a whole.
pub(crate) fn parts(whole: i64, longest: i64) -> i64 {
    whole / longest + i64::from(whole % longest != 0)
}

/// Does units of work, on several threads if there are several units. After a failure no more are begun.
pub(crate) fn units(
    count: i64,
    work: &(dyn Fn(i64) -> Result<(), Failed> + Sync),
) -> Result<(), Failed> {
    if count == 1 {
        return work(0);
    }
    let failed = AtomicBool::new(false);
    threads::while_true(count as u64, &|unit| {
        let fails = work(unit as i64).is_err();
        if fails {
            failed.store(true, Ordering::Relaxed);
        }
        !fails
    });
    if failed.into_inner() {
        Err(Failed)
    } else {
        Ok(())
    }
}

impl Nest {
    /// Runs a whole nest.
    ///
    /// # Safety
    ///
    /// `bases` are the addresses of position 0 of the tensors that the nest was made for; its target is not shared. Those of `fars` are
    /// what [`Nest::reads_by_parts`] is true of.
    pub unsafe fn run(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
        fars: Fars<'_>,
    ) -> Result<(), Failed> {
        let nest = self;
        let kept: i64 = nest.kept.iter().product();
        let reduced: i64 = nest.reduced.iter().product();
        let tile = nest.tile as i64;
        let whole = elements_per_unit(nest.cost);
        let bases = Shared(bases.as_ptr());
        let count = nest
            .memories
            .iter()
            .map(|m| m.tensor + 1)
            .max()
            .unwrap_or(0);
        let machine = || {
            // SAFETY: the slice that was given, which outlives the units.
            let bases = unsafe { std::slice::from_raw_parts(bases.get(), count) };
            Machine::new(nest, bases, numbers, fars)
        };
        match nest.root {
            // In source order, so not split.
            // SAFETY: as the caller says.
            Root::Scatter { .. } => unsafe { machine().points(0..kept, 0..nest.inner, 0) },
            Root::Fold { .. } => {
                let each = reduced.saturating_mul(nest.inner);
                let per_unit = (whole / each.max(1)).max(1);
                let units_of_points = parts(kept, per_unit);
                if units_of_points < FEW && each >= 2 * whole {
                    // Blocks of the innermost loop if it is the only reduced one, else of the outer reduced loops.
                    let (chunk, rows) = if reduced == 1 {
                        (whole / tile * tile, 1)
                    } else {
                        (nest.inner, (whole / nest.inner).max(1))
                    };
                    // SAFETY: as the caller says.
                    return unsafe { split(nest, &machine, kept, (0, 1), chunk, rows) };
                }
                units(units_of_points, &|unit| {
                    let end = ((unit + 1) * per_unit).min(kept);
                    // SAFETY: the points of units are disjoint.
                    unsafe { machine().points(unit * per_unit..end, 0..nest.inner, 0) }
                })
            }
            Root::Store { .. } | Root::Rows { .. } => {
                // A panel is of one tile, and serves several points.
                let panels = nest.memories.iter().any(|m| m.panel.is_some());
                let most = if panels { tile } else { whole / reduced };
                let chunk = most.max(tile).div_euclid(tile) * tile;
                let chunks = parts(nest.inner, chunk);
                let points = kept * chunks;
                let each = chunk.min(nest.inner).saturating_mul(reduced);
                let per_unit = (whole / each.max(1)).max(1);
                let count = parts(points, per_unit);
                if count < FEW && matches!(nest.root, Root::Rows { .. }) && each >= 2 * whole {
                    let rows = (whole / chunk.min(nest.inner)).max(1);
                    // SAFETY: as the caller says.
                    return unsafe {
                        split(nest, &machine, kept, (chunks, chunk), nest.inner, rows)
                    };
                }
                units(count, &|unit| {
                    let mut machine = machine();
                    let end = ((unit + 1) * per_unit).min(points);
                    let mut k = unit * per_unit;
                    while k < end {
                        // Several points at once, if they are whole, or one tile each.
                        let (point, c, many) = if panels {
                            (k % kept, k / kept, (end - k).min(kept - k % kept))
                        } else if chunks == 1 {
                            (k, 0, end - k)
                        } else {
                            (k / chunks, k % chunks, 1)
                        };
                        let inner = c * chunk..((c + 1) * chunk).min(nest.inner);
                        // SAFETY: the points of units are disjoint.
                        unsafe { machine.points(point..point + many, inner, 0)? };
                        k += many;
                    }
                    Ok(())
                })
            }
        }
    }
}

/// Reduces in blocks of `chunk` of the innermost loop and `rows` iterations of the outer reduced loops, or so many times as much that the blocks are
/// not too many, and combines their results pairwise. `columns` are the number and length of the innermost loop's parts if it is kept.
///
/// # Safety
///
/// As `run`.
unsafe fn split<'a>(
    nest: &'a Nest,
    machine: &(dyn Fn() -> Machine<'a> + Sync),
    kept: i64,
    columns: (i64, i64),
    chunk: i64,
    rows: i64,
) -> Result<(), Failed> {
    let fold = matches!(nest.root, Root::Fold { .. });
    let (columns, column) = if fold { (1, nest.inner) } else { columns };
    let reduced: i64 = nest.reduced.iter().product();
    let size = nest.dtype.width();
    let width = if fold {
        1
    } else {
        column.min(nest.inner) as usize
    };
    let bytes = (width * size).next_multiple_of(8);
    // One of the two is all that there is: either the innermost loop is cut, or the outer ones are.
    let most = (MOST_BYTES / bytes) as i64;
    let inner_blocks = if fold { parts(nest.inner, chunk) } else { 1 };
    let chunk = chunk * parts(inner_blocks, most);
    let rows = rows * parts(parts(reduced, rows), most);
    let inner_blocks = if fold { parts(nest.inner, chunk) } else { 1 };
    let blocks = inner_blocks * parts(reduced, rows);
    for point in 0..kept {
        for c in 0..columns {
            let inner = c * column..((c + 1) * column).min(nest.inner);
            let mut partial: Vec<u64> = Vec::new();
            let words = bytes / 8 * blocks as usize;
            partial.try_reserve_exact(words).map_err(|_| Failed)?;
            partial.resize(words, 0);
            let to = Shared(partial.as_mut_ptr().cast::<u8>());
            units(blocks, &|block| {
                let (row, part) = (block / inner_blocks, block % inner_blocks);
                let rows = row * rows..((row + 1) * rows).min(reduced);
                let inner = if fold {
                    part * chunk..((part + 1) * chunk).min(nest.inner)
                } else {
                    inner.clone()
                };
                // SAFETY: blocks have disjoint slots.
                unsafe {
                    machine().partial(point, rows, inner, to.get().add(bytes * block as usize))
                }
            })?;
            let n = if fold {
                1
            } else {
                (inner.end - inner.start) as usize
            };
            let mut distance = 1;
            while distance < blocks as usize {
                for k in (0..blocks as usize - distance).step_by(2 * distance) {
                    // SAFETY: both blocks are inside of the buffer.
                    unsafe {
                        let (a, b) = (
                            to.get().add(bytes * k),
                            to.get().add(bytes * (k + distance)),
                        );
                        (nest.combine)(n, a, b, b, b);
                    }
                }
                distance *= 2;
            }
            // SAFETY: the first block is in the buffer.
            unsafe { machine().finish(point, inner.start, n, to.get()) };
        }
    }
    Ok(())
}
