//! Programs for inputs of certain types and shapes: what the caches of the boundaries hold.

use crate::far::Far;
use crate::operand::{Operand, OperandMut};
use crate::{Error, Plan, Program, Signature};

/// A program for inputs of certain types and shapes, and the outputs that follow from them.
#[derive(Debug)]
pub struct Planned {
    inputs: Vec<Signature>,
    outputs: Vec<Signature>,
    plan: Plan,
}

impl Planned {
    /// That of a program, for these inputs and, where they are given, shapes of outputs.
    ///
    /// # Errors
    /// Those of [`Program::bind`] and [`Plan::new`].
    pub fn new(
        program: &Program,
        inputs: Vec<Signature>,
        pinned: &[Option<Vec<i64>>],
    ) -> Result<Planned, Error> {
        let bound = program.bind(&inputs, pinned)?;
        Ok(Planned {
            inputs,
            outputs: bound.outputs().to_vec(),
            plan: Plan::new(&bound)?,
        })
    }

    /// The types and shapes of the inputs, in order.
    pub fn inputs(&self) -> &[Signature] {
        &self.inputs
    }

    /// The types and shapes of the outputs, in order.
    pub fn outputs(&self) -> &[Signature] {
        &self.outputs
    }

    /// Computes.
    ///
    /// # Errors
    /// Those of [`Plan::run`].
    ///
    /// # Safety
    /// As [`Operand`] and [`OperandMut`] say.
    pub unsafe fn run(&self, inputs: &[Operand], outputs: &mut [OperandMut]) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.plan.run(inputs, outputs) }
    }

    /// Computes, with inputs that are read by parts; false if they have to be in memory.
    ///
    /// # Errors
    /// Those of [`Plan::run_far`].
    ///
    /// # Safety
    /// As there.
    pub unsafe fn run_far(
        &self,
        inputs: &[Operand],
        outputs: &mut [OperandMut],
        fars: &[Option<Far<'_>>],
    ) -> Result<bool, Error> {
        // SAFETY: the caller's promise.
        unsafe { self.plan.run_far(inputs, outputs, fars) }
    }
}
