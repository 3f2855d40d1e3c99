//! The rows of a recurrence, each with the place of its steps.

use super::slices::Cut;
use super::text::RowText;
use super::Recurrence;
use crate::bound;
use crate::infer::loops::Loops;
use crate::infer::{access, sizes, Environment};
use crate::stored::lengths;
use crate::stored::memory::Buffer;
use crate::stored::nest::Nest;
use crate::stored::ranges;
use crate::stored::shape::Shaper;
use crate::stored::support::Support;
use crate::stored::tensor::{row_major, Form, Rows, Tensor};
use crate::{Error, ErrorKind};

/// The rows of a recurrence, each with the place of its steps.
pub(in crate::stored) struct RowList<'a> {
    /// The form of a tensor with an element for each step; none if all is dense, and there is one row.
    pub form: Option<Rows<'a>>,
    /// The loops of each row, one after the other.
    numbers: Buffer,
    /// The first step of each row, and their number.
    steps: Buffer,
    /// The number of axes of rows.
    pub axes: usize,
}

/// The number of steps where these are dense: the text says how many.
const DENSE: i64 = -1;

impl<'a> Recurrence<'_, 'a> {
    /// The rows: what all statements read unguarded from outside gives the ranges of their loops, and of the steps.
    pub(super) fn rows(&self, axes: usize) -> Result<RowList<'a>, Error> {
        let label = self.label();
        let illegal = |mut faults: Vec<String>| {
            for number in (0..self.body.len()).rev() {
                let apart = format!("'{number}");
                for fault in &mut faults {
                    *fault = fault.replace(&apart, "");
                }
            }
            Error::new(ErrorKind::IllegalArgument, faults)
        };
        let merged = self.merged(axes);
        let names = merged.loops();
        let too_large = || illegal(vec![format!("{label}: an index does not fit INT64")]);
        let (merged, of_rows) =
            lengths::written_out(self.environment, &merged).ok_or_else(too_large)?;
        let loops = Loops::with(names, of_rows.iter().map(|length| length.name.clone()));
        let faults = sizes::faults(self.environment, &merged, &label);
        if !faults.is_empty() {
            return Err(illegal(faults));
        }
        // To find ranges is to bind indices, which defines nothing.
        let mut scratch = Environment {
            known: self.environment.known.clone(),
            tensors: self.environment.tensors.clone(),
            kinds: self.environment.kinds.clone(),
            ranges: self.environment.ranges.clone(),
            ..Environment::default()
        };
        let reads = access::reads(&scratch, &merged, &label).map_err(illegal)?;
        let found = ranges::find(
            &mut scratch,
            &merged,
            &loops,
            &label,
            &reads,
            None,
            &of_rows,
        );
        let step = &self.block.step;
        let found = found.map_err(|mut faults| {
            let open = format!("{label}: nothing determines the range of {step}");
            for fault in &mut faults {
                if *fault == open {
                    fault.push_str(&format!("; give it by scan {step} in 0:..."));
                }
            }
            illegal(faults)
        })?;
        let left: Vec<bound::Index> = merged
            .left
            .iter()
            .map(|index| bound::Index {
                affine: loops.affine(&scratch, index),
                look_up: None,
                checked: false,
            })
            .collect();
        let kept = left.iter().map(|index| index.affine.terms[0].0).collect();
        let nest = Nest {
            names: loops.names.clone(),
            ranges: found,
            support: Support::All,
            reads: Vec::new(),
            alone: false,
            kept,
        };
        let shaper = Shaper {
            nest: &nest,
            tensors: self.tensors,
            left: &left,
            label: &label,
            target: step,
        };
        shaper.agree()?;
        let form = match shaper.form()? {
            Form::Ragged(rows) => rows,
            Form::Dense { shape, .. } => {
                let count = tensornio_core::shape::elements(&shape);
                Rows {
                    splits: vec![None; shape.len()],
                    count: count.map_err(|fault| Error::illegal(format!("{label}: {fault}")))?,
                    shape,
                }
            }
            _ => return Err(Error::illegal(format!("{label}: no rows"))),
        };
        let mut list = RowList::new(axes, form.nodes(axes), || format!("{label}: rows"))?;
        list.add(&form, 0, 0, &mut vec![0; axes], &mut 0);
        list.form = Some(form);
        Ok(list)
    }
}

impl<'a> RowList<'a> {
    /// So many rows, which are nothing so far.
    fn new(axes: usize, count: usize, what: impl Fn() -> String) -> Result<RowList<'a>, Error> {
        Ok(RowList {
            form: None,
            numbers: Buffer::zeroed(count.saturating_mul(axes), 8, &what)?,
            steps: Buffer::zeroed(count, 16, &what)?,
            axes,
        })
    }

    /// The only row of what is dense.
    pub fn dense() -> Result<RowList<'a>, Error> {
        let mut list = RowList::new(0, 1, || "a scan".to_owned())?;
        list.steps.of_mut::<[i64; 2]>()[0] = [0, DENSE];
        Ok(list)
    }

    /// Adds the rows below a node, from a number on.
    fn add(
        &mut self,
        rows: &Rows<'_>,
        axis: usize,
        node: i64,
        numbers: &mut Vec<i64>,
        next: &mut usize,
    ) {
        let length = rows.length(axis, node);
        if axis == self.axes {
            let at = *next * axis;
            self.numbers.of_mut()[at..at + axis].copy_from_slice(numbers);
            self.steps.of_mut::<[i64; 2]>()[*next] = [rows.child(axis, node, 0), length];
            *next += 1;
            return;
        }
        for number in 0..length {
            numbers[axis] = number;
            self.add(
                rows,
                axis + 1,
                rows.child(axis, node, number),
                numbers,
                next,
            );
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.steps.of::<[i64; 2]>().len()
    }

    /// The first step of a row.
    pub fn first(&self, row: usize) -> usize {
        self.steps.of::<[i64; 2]>()[row][0] as usize
    }

    /// The number of steps of a row; none for what is dense.
    pub fn steps(&self, row: usize) -> Option<i64> {
        let [_, steps] = self.steps.of::<[i64; 2]>()[row];
        (steps != DENSE).then_some(steps)
    }

    /// The loops of a row.
    pub fn row(&self, row: usize) -> &[i64] {
        &self.numbers.of()[row * self.axes..(row + 1) * self.axes]
    }

    /// What a row reads.
    pub(super) fn cuts(
        &self,
        text: &RowText,
        tensors: &[Tensor<'_>],
        row: Option<usize>,
    ) -> Result<Vec<Cut>, Error> {
        let numbers = row.map(|row| self.row(row));
        text.slices
            .iter()
            .map(|(_, slice)| slice.cut(tensors, numbers))
            .collect()
    }
}

impl<'a> Rows<'a> {
    /// The number of nodes at a depth.
    fn nodes(&self, depth: usize) -> usize {
        let mut nodes = 1;
        for axis in 0..depth {
            nodes = match &self.splits[axis] {
                Some(splits) => splits.last().copied().unwrap_or(0),
                None => self.shape[axis].saturating_mul(nodes),
            };
        }
        usize::try_from(nodes).unwrap_or(0)
    }

    /// The form of a tensor that has a block of that shape for each element.
    pub(super) fn with(&self, others: &[i64]) -> Form<'a> {
        let mut shape = self.shape.clone();
        shape.extend_from_slice(others);
        if self.splits.iter().all(Option::is_none) {
            let strides = row_major(&shape);
            return Form::Dense { shape, strides };
        }
        let mut splits = self.splits.clone();
        splits.resize(shape.len(), None);
        let block = others
            .iter()
            .try_fold(1i64, |all, &one| all.checked_mul(one));
        let count = block.and_then(|block| self.count.checked_mul(block));
        Form::Ragged(Rows {
            shape,
            splits,
            // Too many have no memory.
            count: count.unwrap_or(i64::MAX),
        })
    }
}
