//! Values that are known before a statement runs.

use crate::bound::{Expr, Node};
use crate::operand::DType;

/// A value that is the same for the whole run of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// The bits, in the low bytes.
    Bits(u64),
    /// An input that is a number, converted to this type.
    Number(usize, DType),
}

impl Cell {
    /// The value of an expression, if it is known.
    pub fn of(expr: &Expr) -> Option<Cell> {
        match expr.node {
            Node::Constant(scalar) => Some(Cell::Bits(scalar.bits())),
            Node::Number(input) => Some(Cell::Number(input, expr.dtype)),
            _ => None,
        }
    }

    /// Its bits, given those of inputs that are numbers.
    pub fn bits(self, numbers: impl FnOnce(usize, DType) -> u64) -> u64 {
        match self {
            Cell::Bits(bits) => bits,
            Cell::Number(input, dtype) => numbers(input, dtype),
        }
    }
}
