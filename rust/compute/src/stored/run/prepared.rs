//! A prepared program, and the kinds of its inputs.

use std::sync::Arc;

use tensornio_core::memory::most_scratch;

use super::Run;
use crate::ast::Assign;
use crate::program::{Plain, Program};
use crate::stack::deep;
use crate::stored::kinds::Kinds;
use crate::stored::plans::Plans;
use crate::stored::report;
use crate::stored::tensor::{Form, Tensor};
use crate::{threads, Error};

/// A program for inputs of certain kinds: gradients of statements over ragged and sparse tensors run at the points of these.
#[derive(Debug)]
pub struct Prepared {
    pub(super) program: Program,
    pub(super) plain: Arc<Plain>,
    /// Of a program with `...`, which is written out as it runs.
    pub(super) open: Option<Kinds>,
    pub(super) plans: Plans,
}

impl Prepared {
    /// Prepares a program for inputs of these kinds, in order.
    ///
    /// # Errors
    /// Of kind illegal argument.
    pub fn new(program: &Program, inputs: &[InputKind]) -> Result<Prepared, Error> {
        let labels = program.plain_names().0.iter().cloned();
        let kinds = Kinds::new(labels.zip(inputs.iter().cloned()));
        if program.is_open() {
            return Ok(Prepared {
                plain: Arc::new(program.plain.clone()),
                program: program.clone(),
                open: Some(kinds),
                plans: Plans::default(),
            });
        }
        let program = program.over(kinds)?;
        Ok(Prepared {
            plain: Arc::new(program.plain.clone()),
            program,
            open: None,
            plans: Plans::default(),
        })
    }

    /// Runs the program. `pinned` has for each output its shape, or none to infer it.
    ///
    /// # Errors
    /// Of kind illegal argument: shapes, types, rows that do not fit. Of kind index out of bounds: look-ups and guarded reads. Of kind arithmetic. Of
    /// kind out of memory.
    ///
    /// # Safety
    /// As [`Tensor`] says.
    pub unsafe fn run<'a>(
        &self,
        inputs: Vec<Tensor<'a>>,
        pinned: &[Option<Vec<i64>>],
    ) -> Result<Vec<Tensor<'a>>, Error> {
        deep(depth(&self.program), || {
            let mut run = Run::new(self, inputs, pinned)?;
            run.statements()?;
            run.outputs()
        })?
    }
}

impl Prepared {
    /// Runs the program, and says what each statement did: its ranges, the points that it visited, and the kind and the memory of its result; and
    /// last how much memory results and temporaries took at a time, on one thread.
    ///
    /// # Errors
    /// As [`run`](Prepared::run).
    ///
    /// # Safety
    /// As [`Tensor`] says.
    pub unsafe fn explain(&self, inputs: Vec<Tensor<'_>>) -> Result<String, Error> {
        let pinned = vec![None; self.program.outputs().len()];
        deep(depth(&self.program), || {
            let run = || {
                let mut run = Run::new(self, inputs, &pinned)?;
                run.entries = Some(Vec::new());
                run.statements()?;
                run.outputs()?;
                Ok(report::text(&run.entries.unwrap_or_default()))
            };
            let (text, most) = most_scratch(|| threads::at_most(1, run));
            text.map(|text| text + &report::most(most))
        })?
    }
}

/// A bound of the depth of recursions: over expressions, and in them over the loops of a statement, lengths of rows and axes.
pub(super) fn depth(program: &Program) -> usize {
    let plain = &program.plain;
    let of = |assign: &Assign| assign.loops().len() + assign.lengths().len() + assign.left.len();
    let loops = plain.statements.iter().map(of).max().unwrap_or(0);
    // `...` stands for some axes.
    let loops = loops.saturating_add(if program.is_open() { 64 } else { 0 });
    plain.depth.saturating_add(loops.saturating_mul(2))
}

/// What a program is prepared for: the length of each axis does not matter, but which of them are ragged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A dense tensor, or a number.
    Dense,
    /// A ragged tensor: for each axis, whether it is ragged.
    Ragged(Vec<bool>),
    /// A sparse tensor.
    Sparse,
}

impl InputKind {
    /// That of a tensor.
    pub fn of(tensor: &Tensor<'_>) -> InputKind {
        match &tensor.form {
            Form::Number(_) | Form::Dense { .. } => InputKind::Dense,
            Form::Ragged(rows) => {
                InputKind::Ragged(rows.shape.iter().map(|&length| length < 0).collect())
            }
            Form::Sparse(_) => InputKind::Sparse,
        }
    }
}
