//! Rows that are added to rows of a table by index, `y[I[i], j] += x[i, j]`, or combined with them otherwise: row after row in the order of the
//! loops, so that sums are the same for any number of threads, which take slices of the rows.

use std::ops::Range;

use tensornio_core::parallel::Shared;

use super::row::{RowNumber, Steps};
use crate::bound::{Access, Index, Node, Statement, TensorId};
use crate::kernel::{self, Kernel, Level};
use crate::operand::DType;
use crate::plan::tile::{advance, parts, units, Failed, View};
use crate::threads;

/// The bytes from which on rows are cut into slices.
const LARGE: i128 = 1 << 21;
/// The least bytes of a slice: each pass over the rows meets their cache lines and pages anew.
const SLICE: usize = 256;
/// The elements that are converted at a time.
const BLOCK: usize = 256;

/// Rows of a tensor that are combined with rows of a table by index.
#[derive(Debug)]
pub(crate) struct Put {
    /// The ranges of the loops over rows.
    ranges: Vec<i64>,
    /// The elements of a row, which is contiguous on both sides.
    elements: usize,
    source: Steps,
    number: RowNumber,
    target: Steps,
    /// Makes elements of the source such of the target; `None` if they are.
    widen: Option<Kernel>,
    combine: Kernel,
    /// Whether slices of rows never meet.
    apart: bool,
}

/// What is read, and whether it is a FLOAT that is accumulated in DOUBLE.
fn source<'a>(statement: &'a Statement, views: &[View]) -> Option<(&'a Access, bool)> {
    let (access, wide) = match &statement.value.node {
        Node::Read(access) => (access, false),
        Node::Cast(x) => match &x.node {
            Node::Read(access) => (access, true),
            _ => return None,
        },
        _ => return None,
    };
    let types = (views[access.tensor].dtype, views[statement.target].dtype);
    let fits = match wide {
        false => types.0 == types.1 && types.0 != DType::Bool,
        true => types == (DType::Float, DType::Double),
    };
    fits.then_some((access, wide))
}

impl Put {
    /// The statement as rows that are combined; `None` if it is something else. No loop has range 0.
    pub fn new(level: Level, statement: &Statement, views: &[View]) -> Option<Put> {
        let (access, wide) = source(statement, views)?;
        if !statement.guards.is_empty() || !access.is_plain() {
            return None;
        }
        let loops = statement.loops.len();
        let (tensor, left) = (statement.target, &statement.left);
        let dtype = views[tensor].dtype;
        let mut target = Steps::new(tensor, left, &views[tensor], loops);
        let mut source = Steps::new(access.tensor, &access.indices, &views[access.tensor], loops);
        let mut number = RowNumber::new(tensor, left, views, loops)?;
        let (outer, elements) = number.rows(statement, [&target, &source])?;
        target.truncate(outer);
        source.truncate(outer);
        number.truncate(outer);
        let widen = match wide {
            true => Some(kernel::casts(level, DType::Float, DType::Double).first()?.0),
            false => None,
        };
        // No index is a sum of a loop over rows and one along them.
        let alone = |index: &Index| {
            let mut loops = index.affine.loops();
            let first = loops.next().is_none_or(|l| l < outer);
            loops.all(|l| (l < outer) == first)
        };
        Some(Put {
            ranges: statement.loops[..outer].iter().map(|l| l.range).collect(),
            elements,
            source,
            number,
            target,
            widen,
            combine: kernel::combine(level, statement.op, dtype)?,
            apart: left.iter().all(alone),
        })
    }

    /// The bytes of each tensor that are touched, counted from position 0, provided that indices are checked.
    pub fn touched(&self) -> [(TensorId, (i128, i128)); 3] {
        let row = |steps: &Steps| steps.touched(&self.ranges, self.elements * steps.size);
        [
            self.number.within(row(&self.target)),
            self.number.touched(&self.ranges),
            row(&self.source),
        ]
    }

    /// Combines all rows.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let base = |steps: &Steps| Shared(bases[steps.tensor]);
        let (source, target) = (base(&self.source), base(&self.target));
        let index = Shared(bases[self.number.tensor()]);
        let rows: i64 = self.ranges.iter().product();
        let bytes = self.elements * self.source.size;
        let slice = if self.apart && i128::from(rows) * bytes as i128 >= LARGE {
            let least = SLICE / self.source.size;
            // As many as there are threads, on which no sum depends.
            self.elements
                .div_ceil(threads::threads())
                .next_multiple_of(least)
        } else {
            self.elements
        };
        units(parts(self.elements as i64, slice as i64), &|unit| {
            let first = unit as usize * slice;
            let end = (first + slice).min(self.elements);
            let mut at = vec![0; self.ranges.len()];
            let mut wide = [0f64; BLOCK];
            for _ in 0..rows {
                // SAFETY: an element of the index tensor.
                let offset = unsafe { self.number.offset(index.get(), &at)? };
                let from = source.get().wrapping_offset(self.source.at(&at));
                let to = target
                    .get()
                    .wrapping_offset(self.target.at(&at))
                    .wrapping_offset(offset);
                // SAFETY: a slice of a row of the source, and one of a row of the table, whose number was checked, and which no other unit has.
                unsafe { self.row(from, to, first..end, &mut wide) };
                advance(&mut at, &self.ranges);
            }
            Ok(())
        })
    }

    /// Combines a slice of a row; `wide` is memory for converted elements.
    ///
    /// # Safety
    ///
    /// `from` and `to` have these elements, and do not overlap.
    unsafe fn row(
        &self,
        from: *const u8,
        to: *mut u8,
        slice: Range<usize>,
        wide: &mut [f64; BLOCK],
    ) {
        let mut k = slice.start;
        while k < slice.end {
            let n = match self.widen {
                Some(_) => (slice.end - k).min(BLOCK),
                None => slice.end - k,
            };
            let a = from.wrapping_add(k * self.source.size);
            let to = to.wrapping_add(k * self.target.size);
            // SAFETY: as the caller says; the block has capacity for `n` elements of the target.
            unsafe {
                match self.widen {
                    Some(widen) => {
                        let block: *mut u8 = wide.as_mut_ptr().cast();
                        widen(n, block, a, a, a);
                        (self.combine)(n, to, block, to, block);
                    }
                    None => (self.combine)(n, to, a, to, a),
                }
            }
            k += n;
        }
    }
}
