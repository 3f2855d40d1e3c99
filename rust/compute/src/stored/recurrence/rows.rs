//! The rows of a recurrence, each with the place of its steps.

use super::slices::Cut;
use super::text::RowText;
use super::Recurrence;
use crate::bound;
use crate::infer::loops::Loops;
use crate::infer::{access, sizes, Environment};
use crate::stored::lengths;
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
    pub(super) numbers: Vec<i64>,
    /// The first step of each row, and their number; none for the steps of what is dense.
    pub steps: Vec<(i64, Option<i64>)>,
    /// The number of axes of rows.
    pub axes: usize,
}

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
        let mut list = RowList {
            form: None,
            numbers: Vec::new(),
            steps: Vec::new(),
            axes,
        };
        list.add(&form, 0, 0, &mut vec![0; axes]);
        list.form = Some(form);
        Ok(list)
    }
}

impl<'a> RowList<'a> {
    /// Adds the rows below a node.
    fn add(&mut self, rows: &Rows<'_>, axis: usize, node: i64, numbers: &mut Vec<i64>) {
        let length = rows.length(axis, node);
        if axis == self.axes {
            self.numbers.extend_from_slice(numbers);
            self.steps.push((rows.child(axis, node, 0), Some(length)));
            return;
        }
        for number in 0..length {
            numbers[axis] = number;
            self.add(rows, axis + 1, rows.child(axis, node, number), numbers);
        }
    }

    pub(super) fn row(&self, row: usize) -> &[i64] {
        &self.numbers[row * self.axes..(row + 1) * self.axes]
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
