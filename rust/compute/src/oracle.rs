//! The plain evaluator: one loop nest per statement, simple rather than fast. It says what is right.

use crate::bound::Bound;
use crate::operand::{Operand, OperandMut};
use crate::Error;

/// Runs a program. Outputs may overlap inputs and are written last; a run that fails writes nothing.
///
/// # Errors
/// Of kind illegal argument: a number that its type cannot hold. Of kind index out of bounds: look-ups and guarded reads. Of kind arithmetic.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say. Types and shapes are those that the program was bound to.
pub unsafe fn run(
    _bound: &Bound,
    _inputs: &[Operand],
    _outputs: &mut [OperandMut],
) -> Result<(), Error> {
    todo!()
}
