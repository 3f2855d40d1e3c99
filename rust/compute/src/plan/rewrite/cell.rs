//! Values that are known before a statement runs.

use crate::operand::DType;

/// A value that is the same for the whole run of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// The bits, in the low bytes.
    Bits(u64),
    /// An input that is a number, converted to this type.
    Number(usize, DType),
}
