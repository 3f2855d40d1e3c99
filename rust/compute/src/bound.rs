//! A program bound to shapes and types: all that execution needs, every index judged.
//!
//! Whoever executes one may rely on this; [`Program::bind`](crate::Program::bind) is its only constructor:
//!
//! 1. A tensor is defined by one statement at most, and that comes before every statement that reads it.
//! 2. An access has as many indices as its tensor has axes.
//! 3. An index without [`checked`](Index::checked) is inside of its axis for every value of the loops at which it is evaluated, unless a loop has
//!    range 0: then the statement runs zero times. All others, and every index with a look-up, are checked as they run.
//! 4. The affine part of an index, and of a condition, fits an `i64` for every value of the loops, with a factor of 2 to spare; partial sums may not.
//! 5. Both operands of an operator have one type; of a comparison too, which gives [`DType::Bool`].
//! 6. No size is negative, and the elements of a shape, in bytes, fit an `isize`.

use crate::ast::{Binary, Op, Unary};
use crate::operand::{DType, Operand};
use crate::scalar::Scalar;
use crate::signature::Signature;
use crate::{Error, ErrorKind};

/// The number of a tensor in [`Bound::tensors`].
pub type TensorId = usize;

/// The number of a loop in [`Statement::loops`].
pub type LoopId = usize;

/// A program bound to shapes and types.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The inputs, in order, then what statements define, in order.
    pub tensors: Vec<Tensor>,
    /// What to run, in order.
    pub statements: Vec<Statement>,
    /// Which tensors are given back, in the order of the program's outputs.
    pub returned: Vec<TensorId>,
    /// Inputs that are numbers, with the types other than FLOAT and DOUBLE that they take; [`check_numbers`](Bound::check_numbers) sees to them.
    pub numbers: Vec<(TensorId, DType)>,
    pub(crate) inputs: usize,
    pub(crate) outputs: Vec<Signature>,
}

impl Bound {
    /// How many of [`tensors`](Bound::tensors) are inputs; they come first.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Checks that the types which numbers take can hold them. To be called by whatever runs the program, before anything else.
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

/// A tensor: an input or what a statement defines.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// As messages name it; a redefinition is `C#2`.
    pub name: String,
    /// Its type; that of an input that is a number is `None`, each `Expr::Number` has its own.
    pub dtype: Option<DType>,
    /// Its shape.
    pub shape: Vec<i64>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// As messages name it.
    pub name: String,
    /// It runs from 0 to below this.
    pub range: i64,
}

/// One loop nest that defines a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The tensor that it defines.
    pub target: TensorId,
    /// The loops of the left side, in order of appearance, then those that are reduced. If one has range 0, nothing runs and the target keeps its
    /// starting value.
    pub loops: Vec<Loop>,
    /// How many of the loops are on the left side.
    pub kept: usize,
    /// Where values go, an index for each axis of the target.
    pub left: Vec<Index>,
    /// How values that meet become one.
    pub op: Op,
    /// The value, of the target's type.
    pub value: Expr,
    /// Where one of these does not hold, nothing is evaluated and nothing is written.
    pub guards: Vec<Condition>,
}

/// `constant + sum of coefficient * loop`
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Affine {
    /// The constant.
    pub constant: i64,
    /// Loops, ascending, and their coefficients, none of them 0.
    pub terms: Vec<(LoopId, i64)>,
}

/// Where an access is along one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The affine part.
    pub affine: Affine,
    /// An element of an integer tensor, which is added.
    pub look_up: Option<Box<Access>>,
    /// Whether it must be checked as it runs; always so with a look-up.
    pub checked: bool,
}

/// An element of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The tensor.
    pub tensor: TensorId,
    /// An index for each axis.
    pub indices: Vec<Index>,
}

/// `0 <= affine < bound`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What must be inside.
    pub affine: Affine,
    /// What it must stay below.
    pub bound: i64,
}

/// A typed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The type of its value.
    pub dtype: DType,
    /// What it is.
    pub node: Node,
}

/// What a typed expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A literal of the expression's type.
    Constant(Scalar),
    /// An input that is a number, as one of the expression's type.
    Number(TensorId),
    /// The value of a loop as one of the expression's type, which wraps where that is an integer type.
    Loop(LoopId),
    /// An element of a tensor of the expression's type.
    Read(Access),
    /// Of one operand of the same type.
    Unary(Unary, Box<Expr>),
    /// Of two operands of one type: the same, but for comparisons.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Condition, and two operands of the same type; every side is evaluated.
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The operand, of another type, as one of the expression's type.
    Cast(Box<Expr>),
    /// The operand where every condition holds; elsewhere 0 or false, and the operand is not evaluated.
    Guard(Vec<Condition>, Box<Expr>),
}
