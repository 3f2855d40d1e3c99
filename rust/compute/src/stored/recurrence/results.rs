//! The results of a recurrence: the rows, some of them at a time.

use super::classes::{layout, operands, Class, NONE};
use super::rows::RowList;
use super::text::RowText;
use super::{Made, Recurrence};
use crate::operand::OperandMut;
use crate::signature::Kind;
use crate::stored::memory::Buffer;
use crate::stored::parts;
use crate::stored::tensor::{row_major, Form, Tensor};
use crate::stored::windows::Shared;
use crate::Error;

/// The elements from which on rows are shared by threads, and the parts of the rows.
const SHARED: usize = 1 << 13;
const PARTS: usize = 64;

impl<'a> Recurrence<'_, 'a> {
    /// The results of all rows.
    pub(super) fn results(
        &self,
        text: &RowText,
        list: &RowList<'a>,
        classes: &[Class],
        class_of: &[u32],
    ) -> Result<Vec<Made<'a>>, Error> {
        let mut places = Vec::new();
        let mut forms = Vec::new();
        for output in 0..classes[0].bound.outputs().len() {
            let first = &classes[0].bound.outputs()[output];
            let id = classes[0].bound.returned[output];
            let name = &classes[0].bound.tensors[id].name;
            let Kind::Typed(dtype) = first.kind else {
                return Err(Error::illegal(format!("{name} has no type")));
            };
            let form = match &list.form {
                None => Form::Dense {
                    strides: row_major(&first.shape),
                    shape: first.shape.clone(),
                },
                Some(rows) => {
                    let others = &first.shape[list.axes + 1..];
                    for class in classes {
                        let also = &class.bound.outputs()[output].shape[list.axes + 1..];
                        if also != others {
                            return Err(Error::illegal(format!(
                                "{}: {name} has axes of lengths {others:?} behind the steps in one row, and {also:?} in another; \
                                 only the number of steps is another one in each row",
                                self.label()
                            )));
                        }
                    }
                    rows.with(others)
                }
            };
            let shape = match &form {
                Form::Ragged(rows) => &rows.shape,
                Form::Dense { shape, .. } => shape,
                _ => &first.shape,
            };
            let lengths: Vec<i64> = shape.iter().map(|&length| length.max(0)).collect();
            let of = |fault: String| Error::illegal(format!("{name}: {fault}"));
            crate::infer::target::check_size(&lengths, Some(dtype)).map_err(of)?;
            let count = match &form {
                Form::Ragged(rows) => rows.count,
                _ => shape.iter().product(),
            };
            let what = || format!("{name}: a result of shape {shape:?}");
            let mut buffer = Buffer::zeroed(
                usize::try_from(count).unwrap_or(usize::MAX),
                dtype.width(),
                what,
            )?;
            let of_step = first.shape.iter().skip(list.axes + 1).product::<i64>() as usize;
            places.push((Shared(buffer.start_mut()), dtype, of_step * dtype.width()));
            forms.push((dtype, buffer, form));
        }
        let work = |row: usize| -> Result<(), Error> {
            let class = class_of[row];
            if class == NONE {
                return Ok(());
            }
            let class = &classes[class as usize];
            let cuts = list.cuts(text, self.tensors, Some(row))?;
            let operands = operands(&cuts)?;
            let outputs = class.bound.outputs();
            let strides: Vec<Vec<i64>> = outputs
                .iter()
                .map(|output| row_major(&output.shape))
                .collect();
            let mut targets = Vec::new();
            for ((place, output), strides) in places.iter().zip(outputs).zip(&strides) {
                let (to, dtype, of_step) = place;
                let steps = list.steps(row);
                if steps.is_some() && output.shape.get(list.axes).copied() != steps {
                    return Err(Error::illegal(format!(
                        "{}: a result of shape {:?} in a row of {steps:?} steps",
                        self.label(),
                        output.shape
                    )));
                }
                let first = list.first(row);
                targets.push(OperandMut {
                    dtype: *dtype,
                    // SAFETY: the steps of all rows are as many as the buffer has.
                    data: unsafe { to.at(first * of_step) },
                    layout: layout(&output.shape, strides)?,
                });
            }
            let Some(plan) = &class.plan else {
                return Ok(());
            };
            // SAFETY: slices are parts of inputs, which are what who made them promised, at indices that were compared with the lengths of axes, in
            // rows whose splits were checked; outputs are the parts of this row in buffers that have all steps of all rows, which are distinct.
            unsafe { plan.run(&operands, &mut targets) }
        };
        self.share(list, &work, places.iter().map(|place| place.2).max())?;
        let mut made = forms.into_iter();
        Ok(classes[0]
            .made
            .iter()
            .map(|&is_there| {
                let (dtype, buffer, form) = made.next().filter(|_| is_there)?;
                Some(Tensor::made(dtype, buffer, form))
            })
            .collect())
    }

    /// Does the rows, on several threads if there is enough to do. Which thread does a row makes no difference to it.
    fn share(
        &self,
        list: &RowList<'_>,
        work: &(dyn Fn(usize) -> Result<(), Error> + Sync),
        of_step: Option<usize>,
    ) -> Result<(), Error> {
        let count = list.len();
        let steps: i64 = list.form.as_ref().map_or(0, |rows| rows.count);
        let bytes = (steps as usize).saturating_mul(of_step.unwrap_or(0));
        let all = || (0..count).try_for_each(work);
        let parts = PARTS.min(count);
        if parts < 2 || bytes < SHARED {
            return all();
        }
        let at = |part: u64| (count as u128 * u128::from(part) / parts as u128) as usize;
        let some = |part: u64| (at(part)..at(part + 1)).try_for_each(work);
        parts::share(self.depth, parts as u64, &some, &all)
    }
}
