//! The layouts of the tensors of a program, and in which outputs they are computed.

use super::meetings::Meetings;
use crate::bound::{Bound, TensorId};
use crate::operand::{DType, Operand, OperandMut, Strided};
use crate::plan::tile::{row_major, View};

/// The layouts of the tensors of a program.
#[derive(Debug)]
pub(crate) struct Views {
    /// The tensors of the program, then the outputs that are not written in place.
    pub tensors: Vec<View>,
    /// For each tensor the output in which it is computed in place, if any.
    pub places: Vec<Option<usize>>,
    /// Outputs, by number, that are copied from a tensor at the end.
    pub copies: Vec<(usize, TensorId)>,
}

impl Views {
    /// The views of a run. An output that overlaps an input or another output is computed in a temporary first.
    pub fn new(bound: &Bound, inputs: &[Operand], outputs: &[OperandMut]) -> Views {
        let view = |id: usize| View {
            dtype: bound.tensors[id].dtype.unwrap_or(DType::Double),
            layout: row_major(&bound.tensors[id].shape),
        };
        let mut tensors: Vec<View> = (0..bound.tensors.len()).map(view).collect();
        for (id, input) in inputs.iter().enumerate() {
            if let Operand::Tensor { layout, .. } = input {
                tensors[id].layout = owned(layout);
            }
        }
        let mut places = vec![None; bound.tensors.len()];
        let mut copies = Vec::new();
        let mut meetings = Meetings::new(inputs, outputs.len());
        for (k, (output, &id)) in outputs.iter().zip(&bound.returned).enumerate() {
            let layout = owned(&output.layout);
            if meetings.next(output) || places[id].is_some() || id < bound.inputs() {
                tensors.push(View {
                    dtype: output.dtype,
                    layout,
                });
                copies.push((k, id));
            } else {
                tensors[id].layout = layout;
                places[id] = Some(k);
            }
        }
        Views {
            tensors,
            places,
            copies,
        }
    }

    /// Whether these are the views of a run.
    pub fn are_of(&self, bound: &Bound, inputs: &[Operand], outputs: &[OperandMut]) -> bool {
        let same = |at: usize, layout: &Strided<&[i64]>| {
            let view = &self.tensors[at].layout;
            view.as_slices() == *layout
        };
        let mut copies = bound.tensors.len()..;
        let mut meetings = Meetings::new(inputs, outputs.len());
        inputs.iter().enumerate().all(|(id, input)| match input {
            Operand::Tensor { layout, .. } => same(id, layout),
            Operand::Number(_) => true,
        }) && outputs.iter().enumerate().all(|(k, output)| {
            let id = bound.returned[k];
            let elsewhere = self
                .copies
                .binary_search_by_key(&k, |&(copied, _)| copied)
                .is_ok();
            let must = meetings.next(output)
                || id < bound.inputs()
                || self.places[id].is_some_and(|first| first < k);
            let at = match elsewhere {
                true => copies.next().unwrap_or(id),
                false => id,
            };
            elsewhere == must && same(at, &output.layout)
        })
    }
}

/// An owned copy.
fn owned(layout: &Strided<&[i64]>) -> Strided {
    Strided::new(
        layout.shape().to_vec(),
        layout.strides().to_vec(),
        layout.offset(),
    )
    .unwrap_or_else(|error| unreachable!("{error}"))
}
