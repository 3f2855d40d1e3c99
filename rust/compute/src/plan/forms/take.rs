//! Rows of a table by index, `y[i, j] = T[I[i], j]`: copies with checked indices.

use std::ptr::{null, null_mut};

use tensornio_core::parallel::Shared;

use super::row::{RowNumber, Steps};
use crate::ast::Op;
use crate::bound::{Index, Node, Statement, TensorId};
use crate::kernel::stream::prefetch;
use crate::operand::DType;
use crate::plan::tile::{advance, parts, set, units, Failed, View};

/// The number of bytes of a unit of work.
const UNIT: i64 = 1 << 20;

/// So many rows are found before they are copied, so that the processor fetches them from memory together.
const AHEAD: usize = 32;

/// Rows of a table by index.
#[derive(Debug)]
pub(crate) struct Take {
    /// The ranges of the loops over rows.
    ranges: Vec<i64>,
    /// The bytes of a row, which is contiguous on both sides.
    row: usize,
    table: Steps,
    number: RowNumber,
    target: Steps,
}

impl Take {
    /// The statement as copies of rows; `None` if it is something else. No loop has range 0.
    pub fn new(statement: &Statement, views: &[View]) -> Option<Take> {
        let Node::Read(access) = &statement.value.node else {
            return None;
        };
        // Only kernels normalise truth values to 0 or 1.
        if statement.op != Op::Set
            || !statement.guards.is_empty()
            || statement.value.dtype == DType::Bool
            || !statement.left.iter().all(Index::is_plain)
        {
            return None;
        }
        let loops = statement.loops.len();
        let mut target = Steps::new(
            statement.target,
            &statement.left,
            &views[statement.target],
            loops,
        );
        let mut table = Steps::new(access.tensor, &access.indices, &views[access.tensor], loops);
        let mut number = RowNumber::new(access.tensor, &access.indices, views, loops)?;
        let (outer, elements) = number.rows(statement, [&target, &table])?;
        target.truncate(outer);
        table.truncate(outer);
        number.truncate(outer);
        Some(Take {
            ranges: statement.loops[..outer].iter().map(|l| l.range).collect(),
            row: elements.checked_mul(target.size)?,
            table,
            number,
            target,
        })
    }

    /// The bytes of each tensor that are touched, counted from position 0, provided that indices are checked.
    pub fn touched(&self) -> [(TensorId, (i128, i128)); 3] {
        [
            self.number
                .within(self.table.touched(&self.ranges, self.row)),
            self.number.touched(&self.ranges),
            self.target.touched(&self.ranges, self.row),
        ]
    }

    /// Copies all rows.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let base = |steps: &Steps| Shared(bases[steps.tensor]);
        let (table, target) = (base(&self.table), base(&self.target));
        let index = Shared(bases[self.number.tensor()]);
        let rows: i64 = self.ranges.iter().product();
        let per_unit = (UNIT / self.row as i64).max(1);
        units(parts(rows, per_unit), &|unit| {
            let mut at = vec![0; self.ranges.len()];
            set(&mut at, &self.ranges, unit * per_unit);
            let mut left = (((unit + 1) * per_unit).min(rows) - unit * per_unit) as usize;
            let mut places = [(null::<u8>(), null_mut::<u8>()); AHEAD];
            while left > 0 {
                let places = &mut places[..left.min(AHEAD)];
                for place in places.iter_mut() {
                    // SAFETY: an element of the index tensor.
                    let offset = unsafe { self.number.offset(index.get(), &at)? };
                    let from = table
                        .get()
                        .wrapping_offset(self.table.at(&at))
                        .wrapping_offset(offset);
                    prefetch(from, self.row);
                    *place = (from, target.get().wrapping_offset(self.target.at(&at)));
                    advance(&mut at, &self.ranges);
                }
                for &mut (from, to) in places.iter_mut() {
                    // SAFETY: a row of the table, whose number was checked, and a row of the target, which overlaps no input.
                    unsafe { to.copy_from_nonoverlapping(from, self.row) };
                }
                left -= places.len();
            }
            Ok(())
        })
    }
}
