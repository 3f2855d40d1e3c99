//! Panels: operands that are contiguous along the outer loop next to the innermost, as `x[j,i]` in `y[i,j] = x[i,j] + x[j,i]`. Where the lines that
//! a row meets do not stay in the L1 cache until the next row, several rows are copied together, by blocks, and then read as rows.

use super::loops::{Dim, Steps};
use super::machine::{Failed, Machine};
use crate::operand::Strided;

/// The bytes of a column of a panel: those of a cache line.
pub(super) const COLUMN: usize = LINE as usize;

/// The assumed L1 cache: bytes of a line, sets, and lines of a set.
const LINE: u64 = 64;
const SETS: u64 = 64;
const WAYS: u64 = 8;

/// Whether n elements with this stride, in bytes, do not stay in the L1 cache until those beside them are read.
pub(super) fn thrashes(stride: i64, n: i64) -> bool {
    let (stride, n) = (stride.unsigned_abs(), n.unsigned_abs());
    let lines = stride / LINE;
    if stride % LINE != 0 || lines == 0 {
        return n.saturating_mul(stride.min(LINE)) > SETS * WAYS * LINE;
    }
    // A stride that is a multiple of a power of two meets only some of the sets.
    let sets = SETS >> lines.trailing_zeros().min(SETS.trailing_zeros());
    n > sets * WAYS
}

/// Makes the outer loop the last along which an operand is contiguous that is not along the innermost; false if there is none.
pub(super) fn across(operands: &[Steps], inner: &Dim, outer: &mut Vec<Dim>) -> bool {
    let found = operands.iter().find_map(|operand| {
        let contiguous = |dim: &Dim| operand.strides[dim.id].abs() == operand.size;
        let strided = inner.range > 1 && thrashes(operand.strides[inner.id], inner.range);
        strided.then(|| outer.iter().position(contiguous)).flatten()
    });
    if let Some(at) = found {
        let dim = outer.remove(at);
        outer.push(dim);
    }
    found.is_some()
}

impl Machine<'_> {
    /// The elements of a tile of an operand whose rows are next to each other, and not its elements: in a copy of as many rows as a cache line has,
    /// which is made when the first of them is read.
    ///
    /// # Safety
    ///
    /// As [`tile`](Machine::tile).
    pub(super) unsafe fn panel(
        &mut self,
        k: usize,
        stride: i64,
        tile: i64,
        n: usize,
    ) -> Result<*mut u8, Failed> {
        let m = &self.nest.memories[k];
        let (size, last) = (m.size as i64, self.nest.kept.len() - 1);
        let (at, most) = (self.scratch.at[last], (COLUMN / m.size) as i64);
        let row = at % most;
        let step = m.step_of(last);
        let from = self.scratch.rows[k].wrapping_offset((stride * tile - step * row) as isize);
        let panel = self.scratch.repeated[k].ptr();
        // Not by the address alone: where reads overlap, a shorter panel may begin at the same element.
        let rows = most.min(self.nest.kept[last] - (at - row));
        let wanted = (from, rows, n);
        if self.scratch.panels[k] != wanted {
            let shape = [rows, n as i64];
            let (source, target) = ([step / size, stride / size], [n as i64, 1]);
            let layout = |strides| Strided::new(&shape[..], strides, 0).map_err(|_| Failed);
            let (source, target) = (layout(&source[..])?, layout(&target[..])?);
            // SAFETY: these rows are in the loops' ranges, and a panel has the capacity.
            unsafe { tensornio_core::copy::copy(m.size, from, source, panel, target) }
                .map_err(|_| Failed)?;
            self.scratch.panels[k] = wanted;
        }
        Ok(panel.wrapping_add(row as usize * n * m.size))
    }
}
