//! The instructions of the tile VM, and their operands.

use crate::ast::{Binary, Unary};
use crate::kernel::{Kernel, Operation};
use crate::operand::DType;

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// A register: a tile of elements.
    Register(u32),
    /// Elements of a tensor, starting at the tile's first.
    Memory(u32),
    /// A constant.
    Cell(u32),
    /// No operand.
    None,
}

/// The result of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    /// Its location.
    pub slot: Slot,
    /// Its type.
    pub dtype: DType,
    /// Whether it is one element for the whole tile.
    pub uniform: bool,
}

/// `constant + sum of coefficient * loop`, over the loops of a nest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub constant: i64,
    /// Loops outside of the innermost, and their coefficients.
    pub outer: Vec<(usize, i64)>,
    /// The innermost loop's coefficient.
    pub inner: i64,
}

impl Line {
    /// The value at the first element of the tile.
    pub fn at(&self, at: &[i64], tile: i64) -> i64 {
        let mut sum = self.constant.wrapping_add(self.inner.wrapping_mul(tile));
        for &(l, k) in &self.outer {
            sum = sum.wrapping_add(k.wrapping_mul(at[l]));
        }
        sum
    }
}

/// `0 <= line < bound`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Inside {
    pub line: Line,
    pub bound: i64,
}

/// An instruction, for elements `lo..hi` of a tile.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    /// `kernel(n, to, a, b, c)`; of one element if `once`.
    Map {
        kernel: Kernel,
        operation: Operation,
        to: Slot,
        args: [Slot; 3],
        once: bool,
    },
    /// Strided elements to a register.
    Pack { kernel: Kernel, to: Slot, from: u32 },
    /// The values of an affine form as INT64.
    Iota { to: Slot, line: Line, once: bool },
    /// Adds `stride * (look + line)`, in bytes, to the offsets in `to`, or sets them if `first`; fails if the index is outside of `0..len`.
    Index {
        to: Slot,
        look: Slot,
        line: Line,
        len: i64,
        stride: i64,
        first: bool,
        once: bool,
    },
    /// Fails if the affine form is outside of `0..bound` anywhere in the tile.
    Check(Inside),
    /// Elements at the offsets.
    Gather {
        kernel: Kernel,
        to: Slot,
        from: u32,
        offsets: Slot,
    },
    /// Adds an offset to a memory operand, for this tile.
    Rebase { memory: u32, offset: Slot },
    /// The result of the codes where every condition holds, else zeros.
    Guard {
        conditions: Vec<Inside>,
        to: Slot,
        size: usize,
        codes: Vec<Code>,
        result: Slot,
        copy: Kernel,
    },
}

impl Code {
    /// Its time for an element that is in the cache, in those of an addition of floats.
    pub fn cost(&self) -> i64 {
        use Unary::{Cos, Erf, Exp, Log, Sigmoid, Sin, Tanh};
        match self {
            Code::Map { once: true, .. } => 0,
            Code::Map {
                operation:
                    Operation::Unary(Exp | Log | Sin | Cos | Tanh | Sigmoid | Erf)
                    | Operation::Binary(Binary::Pow, ..),
                ..
            } => 8,
            Code::Guard { codes, .. } => 1 + codes.iter().map(Code::cost).sum::<i64>(),
            _ => 1,
        }
    }
}

/// The addressing of a tensor's elements by a nest, in bytes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    /// The tensor.
    pub tensor: usize,
    /// The offset where all loops are 0.
    pub constant: i64,
    /// Strides of the loops outside of the innermost.
    pub outer: Vec<(usize, i64)>,
    /// The stride of the innermost.
    pub inner: i64,
    /// The size of an element.
    pub size: usize,
    /// For an operand that is copied repeatedly into a tile: the elements of each round, and their stride.
    pub repeated: Option<(usize, i64)>,
    /// Whether look-ups add offsets to it.
    pub moved: bool,
    /// For an operand whose rows are copied together: its stride along the innermost loop.
    pub panel: Option<i64>,
}

impl Memory {
    /// The stride of a loop outside of the innermost.
    pub fn step_of(&self, outer: usize) -> i64 {
        let mut all = self.outer.iter();
        all.find(|&&(l, _)| l == outer).map_or(0, |&(_, step)| step)
    }

    /// The stride within a tile of an operand that is used in place: 0 or the size of an element.
    pub fn step(&self) -> usize {
        if self.inner == 0 {
            0
        } else {
            self.size
        }
    }
}
