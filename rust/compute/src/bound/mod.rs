//! A program bound to shapes and types: all that execution needs, with every index checked.
//!
//! Execution relies on these invariants; [`Program::bind`](crate::Program::bind) is the only constructor:
//!
//! 1. A tensor is defined by at most one statement, before every statement that reads it, or it is a [`Lag`] of a [`Scan`], whose statements alone
//!    read it. Of a scan the statements have the loop over the steps as the index of one axis of their left side, and alone; they read what the scan
//!    defines at this step, after it is defined, and its lags, with the same index on the same axis.
//! 2. An access has as many indices as its tensor has axes.
//! 3. An index without [`checked`](Index::checked) is inside of its axis for every value of the loops at which it is evaluated, unless a loop has
//!    range 0: then the statement runs zero times. All others, and every index with a look-up, are checked as they run.
//! 4. The affine part of an index, and of a condition, is at most half of the range of an `i64` for every value of the loops; partial sums may
//!    overflow.
//! 5. Both operands of an operator have the same type; also those of a comparison, whose result is [`DType::Bool`].
//! 6. No size is negative, and the elements of a shape, in bytes, fit an `isize`.

mod walk;

use crate::ast::{Binary, Op, Unary};
use crate::operand::{DType, Operand};
use crate::scalar::Scalar;
use crate::signature::Signature;
use crate::{Error, ErrorKind};
pub(crate) use walk::Loops;

/// The number of a tensor in [`Bound::tensors`].
pub type TensorId = usize;

/// The number of a loop in [`Statement::loops`].
pub type LoopId = usize;

/// A program bound to shapes and types.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The inputs, in order, then the targets of statements, in order.
    pub tensors: Vec<Tensor>,
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// The recurrences, in order: statements that run step by step.
    pub scans: Vec<Scan>,
    /// The returned tensors, in the order of the program's outputs.
    pub returned: Vec<TensorId>,
    /// Inputs that are numbers, with the types other than FLOAT and DOUBLE that they take, for [`check_numbers`](Bound::check_numbers).
    pub numbers: Vec<(TensorId, DType)>,
    pub(crate) inputs: usize,
    pub(crate) outputs: Vec<Signature>,
    /// A bound of the depth of the statements' trees.
    pub(crate) depth: usize,
}

impl Bound {
    /// The number of inputs among [`tensors`](Bound::tensors); they come first.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Checks that numbers fit the types that they take. To be called before the program is run.
    ///
    /// # Errors
    /// Of kind illegal argument, a line for each that does not fit.
    pub fn check_numbers(&self, inputs: &[Operand]) -> Result<(), Error> {
        let mut faults = Vec::new();
        for &(id, dtype) in &self.numbers {
            if let Operand::Number(number) = inputs[id] {
                if Scalar::of_number(number, dtype).is_none() {
                    faults.push(format!(
                        "{}: {} cannot hold {number}",
                        self.tensors[id].name,
                        dtype.name()
                    ));
                }
            }
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::IllegalArgument, faults))
        }
    }

    /// Type and shape of each output, in the order of the program's outputs.
    pub fn outputs(&self) -> &[Signature] {
        &self.outputs
    }
}

/// A tensor: an input or the target of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The name in messages; a redefinition is `C#2`.
    pub name: String,
    /// Its type; `None` for an input that is a number, since each `Node::Number` has its own.
    pub dtype: Option<DType>,
    /// Its shape.
    pub shape: Vec<i64>,
}

/// A recurrence: statements that all run for a step before any does for the next one.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// The numbers of its statements.
    pub statements: std::ops::Range<usize>,
    /// The number of steps.
    pub steps: i64,
    /// Whether they run from the last to the first.
    pub down: bool,
    /// For each of the statements, its loop over the steps, and the axis of its target whose index that is.
    pub members: Vec<(LoopId, usize)>,
    /// What tensors were a step before.
    pub lags: Vec<Lag>,
}

/// What a tensor of a scan was at the step before.
#[derive(Clone, Debug, PartialEq)]
pub struct Lag {
    /// The tensor by which it is read, of the same type and shape.
    pub target: TensorId,
    /// The tensor.
    pub of: TensorId,
    /// The axis of the steps.
    pub axis: usize,
    /// What it is at the first step.
    pub first: First,
}

/// What a tensor of a scan is before the first step.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// A number, of its type, everywhere.
    Number(Scalar),
    /// An element for all, of rank 0, or the tensor without the axis of the steps.
    Tensor(TensorId),
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The name in messages.
    pub name: String,
    /// The range: it runs from 0 to below this.
    pub range: i64,
}

/// A loop nest that defines a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The defined tensor.
    pub target: TensorId,
    /// The loops of the left side, in order of appearance, then the reduced ones. If one has range 0, nothing runs and
    /// the target keeps its initial value.
    pub loops: Vec<Loop>,
    /// The number of loops on the left side.
    pub kept: usize,
    /// The left side: an index for each axis of the target.
    pub left: Vec<Index>,
    /// How values of the same element are combined.
    pub op: Op,
    /// The value, of the target's type.
    pub value: Expr,
    /// Where one of these does not hold, nothing is evaluated or written.
    pub guards: Vec<Condition>,
}

impl Statement {
    /// A statement that writes every element of a tensor of that shape; the loops are its axes.
    pub(crate) fn whole(target: TensorId, shape: &[i64], value: Expr) -> Statement {
        let axis = |&range: &i64| Loop {
            name: String::new(),
            range,
        };
        Statement {
            target,
            loops: shape.iter().map(axis).collect(),
            kept: shape.len(),
            left: Index::axes(shape.len()),
            op: Op::Set,
            value,
            guards: Vec::new(),
        }
    }

    /// The range of each loop.
    pub(crate) fn ranges(&self) -> Vec<i64> {
        self.loops.iter().map(|l| l.range).collect()
    }

    /// Whether it runs zero times.
    pub(crate) fn is_empty(&self) -> bool {
        self.loops.iter().any(|l| l.range <= 0)
    }
}

/// `constant + sum of coefficient * loop`
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The constant.
    pub constant: i64,
    /// Loops, ascending, and their non-zero coefficients.
    pub terms: Vec<(LoopId, i64)>,
}

impl Affine {
    /// A loop.
    pub(crate) fn of_loop(l: LoopId) -> Affine {
        Affine {
            constant: 0,
            terms: vec![(l, 1)],
        }
    }

    /// The loop that it is, if it is one.
    pub(crate) fn as_loop(&self) -> Option<LoopId> {
        match self.terms[..] {
            [(l, 1)] if self.constant == 0 => Some(l),
            _ => None,
        }
    }

    /// The loops on which it depends.
    pub(crate) fn loops(&self) -> impl Iterator<Item = LoopId> + '_ {
        self.terms.iter().map(|&(l, _)| l)
    }
}

/// The index of an access on one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Index {
    /// The affine part.
    pub affine: Affine,
    /// An element of an integer tensor that is added.
    pub look_up: Option<Box<Access>>,
    /// Whether it must be checked at run time; always with a look-up.
    pub checked: bool,
}

impl Index {
    /// An index without a look-up, which is inside of its axis for all values of the loops.
    pub(crate) fn plain(affine: Affine) -> Index {
        Index {
            affine,
            look_up: None,
            checked: false,
        }
    }

    /// The indices of the element whose position on each axis is the loop of the same number.
    pub(crate) fn axes(rank: usize) -> Vec<Index> {
        (0..rank)
            .map(|l| Index::plain(Affine::of_loop(l)))
            .collect()
    }

    /// Whether it is its affine part, and inside of its axis for all values of the loops.
    pub(crate) fn is_plain(&self) -> bool {
        !self.checked && self.look_up.is_none()
    }
}

/// An element of a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The tensor.
    pub tensor: TensorId,
    /// An index for each axis.
    pub indices: Vec<Index>,
}

/// `0 <= affine < bound`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The affine form that must be within bounds.
    pub affine: Affine,
    /// The exclusive upper bound.
    pub bound: i64,
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The type of its value.
    pub dtype: DType,
    /// The operation.
    pub node: Node,
}

impl Expr {
    /// An element of a tensor.
    pub(crate) fn read(dtype: DType, tensor: TensorId, indices: Vec<Index>) -> Expr {
        Expr {
            dtype,
            node: Node::Read(Access { tensor, indices }),
        }
    }

    /// A constant.
    pub(crate) fn constant(dtype: DType, scalar: Scalar) -> Expr {
        Expr {
            dtype,
            node: Node::Constant(scalar),
        }
    }

    /// An expression of another type, converted.
    pub(crate) fn cast(self, dtype: DType) -> Expr {
        Expr {
            dtype,
            node: Node::Cast(Box::new(self)),
        }
    }
}

/// The operation of a typed expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A literal of the expression's type.
    Constant(Scalar),
    /// An input that is a number, converted to the expression's type.
    Number(TensorId),
    /// The value of a loop, converted to the expression's type; wraps for integer types.
    Loop(LoopId),
    /// An element of a tensor of the expression's type.
    Read(Access),
    /// An operator with one operand of the same type.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands of one type: that of the expression, except for comparisons.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A condition, and two operands of the same type; both are evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The operand, of another type, converted to the expression's type.
    Cast(Box<Expr>),
    /// The operand where every condition holds; elsewhere 0 or false, and the operand is not evaluated.
    Guard(Vec<Condition>, Box<Expr>),
}
