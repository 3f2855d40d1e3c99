//! Rows of a table by index, `y[i, j] = T[I[i], j]`: copies with checked indices.

use tensornio_core::parallel::Shared;

use crate::ast::Op;
use crate::bound::{Index, Node, Statement, TensorId};
use crate::operand::DType;
use crate::plan::tile::{advance, parts, set, units, Failed, View};

/// The number of bytes of a unit of work.
const UNIT: i64 = 1 << 20;

/// A tensor, its offset, and the stride of each loop over rows, in bytes.
#[derive(Debug)]
struct Steps {
    tensor: TensorId,
    start: i64,
    strides: Vec<i64>,
}

impl Steps {
    fn new(tensor: TensorId, indices: &[Index], view: &View, loops: usize) -> Steps {
        let size = view.dtype.width() as i64;
        let start = view.start(indices);
        let strides = view.steps(indices, loops);
        Steps {
            tensor,
            start: start.wrapping_mul(size),
            strides,
        }
    }

    fn at(&self, at: &[i64]) -> isize {
        at.iter()
            .zip(&self.strides)
            .fold(self.start, |sum, (&k, &stride)| {
                sum.wrapping_add(k.wrapping_mul(stride))
            }) as isize
    }
}

/// Rows of a table by index.
#[derive(Debug)]
pub(crate) struct Take {
    /// The ranges of the loops over rows.
    ranges: Vec<i64>,
    /// The bytes of a row, which is contiguous on both sides.
    row: usize,
    table: Steps,
    index: Steps,
    index_type: DType,
    target: Steps,
    /// The affine part of the index: a constant, and the coefficient of each loop.
    affine: (i64, Vec<i64>),
    /// The length and stride of the table's indexed axis.
    axis: (i64, i64),
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
        {
            return None;
        }
        let loops = statement.loops.len();
        let mut looked = access
            .indices
            .iter()
            .enumerate()
            .filter(|(_, index)| index.look_up.is_some());
        let (axis, index) = looked.next()?;
        let look = index.look_up.as_deref()?;
        let mut others = access.indices.iter().enumerate();
        if looked.next().is_some()
            || !look.is_plain()
            || !statement.left.iter().all(Index::is_plain)
            || !others.all(|(k, index)| k == axis || index.is_plain())
        {
            return None;
        }
        let mut target = Steps::new(
            statement.target,
            &statement.left,
            &views[statement.target],
            loops,
        );
        let mut table = Steps::new(access.tensor, &access.indices, &views[access.tensor], loops);
        let mut source = Steps::new(look.tensor, &look.indices, &views[look.tensor], loops);
        let mut affine = vec![0; loops];
        index.affine.terms.iter().for_each(|&(l, k)| affine[l] = k);
        // The last loops, while they are contiguous on both sides and not used in the look-up.
        let mut row = statement.value.dtype.width() as i64;
        let mut outer = loops;
        while outer > 0 {
            let l = outer - 1;
            let range = statement.loops[l].range;
            let piece = target.strides[l] == row && table.strides[l] == row;
            if range > 1 && (!piece || source.strides[l] != 0 || affine[l] != 0) {
                break;
            }
            row = row.checked_mul(range)?;
            outer = l;
        }
        // A shorter row is gathered element by element.
        if row < 32 || outer == 0 {
            return None;
        }
        for steps in [&mut target, &mut table, &mut source] {
            steps.strides.truncate(outer);
        }
        affine.truncate(outer);
        let view = &views[access.tensor];
        Some(Take {
            ranges: statement.loops[..outer].iter().map(|l| l.range).collect(),
            row: row as usize,
            table,
            index: source,
            index_type: views[look.tensor].dtype,
            target,
            affine: (index.affine.constant, affine),
            axis: (
                view.layout.shape()[axis],
                view.layout.strides()[axis].wrapping_mul(view.dtype.width() as i64),
            ),
        })
    }

    /// The bytes of each tensor that are touched, counted from position 0, provided that indices are checked.
    pub fn touched(&self) -> [(TensorId, (i128, i128)); 3] {
        let of = |steps: &Steps, bytes: i128| {
            let (mut least, mut greatest) = (i128::from(steps.start), i128::from(steps.start));
            for (&stride, &range) in steps.strides.iter().zip(&self.ranges) {
                let last = i128::from(stride) * i128::from(range - 1);
                least += last.min(0);
                greatest += last.max(0);
            }
            (steps.tensor, (least, greatest + bytes))
        };
        let row = self.row as i128;
        let (table, (mut from, mut to)) = of(&self.table, row);
        let last = i128::from(self.axis.1) * i128::from(self.axis.0 - 1);
        from += last.min(0);
        to += last.max(0);
        let index = self.index_type.width() as i128;
        [
            (table, (from, to)),
            of(&self.index, index),
            of(&self.target, row),
        ]
    }

    /// Copies all rows.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let base = |steps: &Steps| Shared(bases[steps.tensor]);
        let (table, index, target) = (base(&self.table), base(&self.index), base(&self.target));
        let rows: i64 = self.ranges.iter().product();
        let per_unit = (UNIT / self.row as i64).max(1);
        units(parts(rows, per_unit), &|unit| {
            let mut at = vec![0; self.ranges.len()];
            set(&mut at, &self.ranges, unit * per_unit);
            for _ in unit * per_unit..((unit + 1) * per_unit).min(rows) {
                let from = index.get().wrapping_offset(self.index.at(&at));
                // SAFETY: an element of the index tensor, loaded once; the loaded value is checked and used.
                let value = unsafe {
                    match self.index_type {
                        DType::Int32 => i64::from(from.cast::<i32>().read_volatile()),
                        DType::Int64 => from.cast::<i64>().read_volatile(),
                        DType::Int8 => i64::from(from.cast::<i8>().read_volatile()),
                        DType::Int16 => i64::from(from.cast::<i16>().read_volatile()),
                        DType::UInt16 => i64::from(from.cast::<u16>().read_volatile()),
                        DType::UInt32 => i64::from(from.cast::<u32>().read_volatile()),
                        _ => i64::from(from.read_volatile()),
                    }
                };
                let added = at
                    .iter()
                    .zip(&self.affine.1)
                    .fold(self.affine.0, |sum, (&k, &by)| {
                        sum.wrapping_add(k.wrapping_mul(by))
                    });
                let place = value
                    .checked_add(added)
                    .filter(|place| (0..self.axis.0).contains(place))
                    .ok_or(Failed)?;
                let from = table
                    .get()
                    .wrapping_offset(self.table.at(&at))
                    .wrapping_offset((place * self.axis.1) as isize);
                let to = target.get().wrapping_offset(self.target.at(&at));
                // SAFETY: a row of the table, whose number was checked, and a row of the target, which overlaps no input.
                unsafe { to.copy_from_nonoverlapping(from, self.row) };
                advance(&mut at, &self.ranges);
            }
            Ok(())
        })
    }
}
