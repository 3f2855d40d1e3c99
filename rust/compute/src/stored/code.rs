//! An expression compiled for blocks of points: a tree of kernels.

use std::collections::HashMap;

use super::support::{Leaves, Support};
use super::tensor::Tensor;
use crate::ast::{Binary, Unary};
use crate::bound::{Access, Condition, Expr, LoopId, Node, TensorId};
use crate::kernel::{self, Kernel, Level, Mode};
use crate::operand::DType;
use crate::scalar::{NoResult, Scalar};
use crate::Error;

/// A compiled expression, and the type of its values.
#[derive(Debug)]
pub(super) struct Code {
    pub dtype: DType,
    pub node: Step,
}

#[derive(Debug)]
pub(super) enum Step {
    Constant(Scalar),
    /// The value of a loop, INT64.
    Loop(LoopId),
    /// An element of a dense or ragged tensor.
    Read(Access),
    /// The value of a sparse read, 0 where nothing is stored.
    Entry(usize, TensorId),
    /// Whether something is stored.
    Stored(usize),
    Map1(Kernel, Box<Code>),
    /// Why some operands have no result, if they are integers.
    Map2(Kernel, NoResult, Box<Code>, Box<Code>),
    Select(Kernel, Box<Code>, Box<Code>, Box<Code>),
    Guard(Vec<Condition>, Box<Code>),
    /// 0 outside of a support, where nothing is evaluated.
    Within(Support, Box<Code>),
}

/// Compiles an expression.
pub(super) struct Compiler<'c, 'a> {
    leaves: &'c mut Leaves,
    tensors: &'c [Tensor<'a>],
    names: &'c dyn Fn(TensorId) -> String,
    /// The supports in all of which the expression is evaluated, and how often each was found.
    known: HashMap<Support, usize>,
}

impl<'c, 'a> Compiler<'c, 'a> {
    /// A compiler of what is evaluated where `known` holds.
    pub fn new(
        leaves: &'c mut Leaves,
        tensors: &'c [Tensor<'a>],
        names: &'c dyn Fn(TensorId) -> String,
        known: &Support,
    ) -> Compiler<'c, 'a> {
        let mut compiler = Compiler {
            leaves,
            tensors,
            names,
            known: HashMap::new(),
        };
        compiler.enter(known);
        compiler
    }

    /// Goes into a support.
    fn enter(&mut self, support: &Support) {
        support.parts(&mut |part| *self.known.entry(part.clone()).or_default() += 1);
    }

    /// Comes out of a support.
    fn leave(&mut self, support: &Support) {
        support.parts(&mut |part| {
            if let Some(count) = self.known.get_mut(part) {
                *count -= 1;
            }
        });
    }

    /// Whether a support holds wherever the expression is evaluated.
    fn is_known(&self, support: &Support) -> bool {
        let is_part = |part: &Support| self.known.get(part).is_some_and(|&count| count > 0);
        let mut known = true;
        support.parts(&mut |part| {
            known &= is_part(part) || part.holds(&|leaf| is_part(&Support::Leaf(leaf)));
        });
        known
    }

    /// The number of a sparse read; none of a dense one.
    pub fn leaf(&mut self, access: &Access) -> Option<usize> {
        self.leaves.leaf(access)
    }

    /// Compiles an expression.
    pub fn code(&mut self, expr: &Expr) -> Result<Code, Error> {
        // A read knows by itself whether something is stored.
        if let Node::Read(access) = &expr.node {
            if let Some(leaf) = self.leaves.leaf(access) {
                return Ok(Code {
                    dtype: expr.dtype,
                    node: Step::Entry(leaf, access.tensor),
                });
            }
        }
        let dtype = expr.dtype;
        if is_plain(expr) {
            let node = self.step(expr)?;
            return Ok(Code { dtype, node });
        }
        let support = self.leaves.support(expr);
        if self.is_known(&support) {
            let node = self.step(expr)?;
            return Ok(Code { dtype, node });
        }
        self.enter(&support);
        let node = self.step(expr)?;
        self.leave(&support);
        let inner = Box::new(Code { dtype, node });
        Ok(Code {
            dtype,
            node: Step::Within(support, inner),
        })
    }

    fn step(&mut self, expr: &Expr) -> Result<Step, Error> {
        let level = Level::best();
        let none = || {
            Error::illegal(format!(
                "an operator that {} does not have",
                expr.dtype.name()
            ))
        };
        Ok(match &expr.node {
            Node::Constant(scalar) => Step::Constant(*scalar),
            Node::Number(id) => Step::Constant(self.number(*id, expr.dtype)?),
            Node::Loop(id) => {
                let value = Code {
                    dtype: DType::Int64,
                    node: Step::Loop(*id),
                };
                cast(level, value, expr.dtype).node
            }
            Node::Read(access) => Step::Read(access.clone()),
            Node::Unary(Unary::Stored, a) => match &a.node {
                Node::Read(access) => self
                    .leaves
                    .leaf(access)
                    .map_or(Step::Constant(Scalar::Bool(true)), Step::Stored),
                _ => Step::Constant(Scalar::Bool(true)),
            },
            Node::Unary(unary, a) => {
                let kernel = kernel::unary(level, *unary, expr.dtype).ok_or_else(none)?;
                Step::Map1(kernel, Box::new(self.code(a)?))
            }
            Node::Cast(a) => cast(level, self.code(a)?, expr.dtype).node,
            Node::Binary(binary, a, b) => {
                let kernel = kernel::binary(level, *binary, a.dtype, Mode::Vector, Mode::Vector)
                    .ok_or_else(none)?;
                let why = match binary {
                    Binary::Pow => NoResult::NegativeExponent,
                    _ => NoResult::DivisionByZero,
                };
                let (a, b) = (self.code(a)?, self.code(b)?);
                Step::Map2(kernel, why, Box::new(a), Box::new(b))
            }
            Node::Select(condition, a, b) => Step::Select(
                kernel::select(level, expr.dtype),
                Box::new(self.code(condition)?),
                Box::new(self.code(a)?),
                Box::new(self.code(b)?),
            ),
            Node::Guard(conditions, a) => Step::Guard(conditions.clone(), Box::new(self.code(a)?)),
        })
    }

    /// The value of an input that is a number.
    fn number(&self, id: TensorId, dtype: DType) -> Result<Scalar, Error> {
        let super::tensor::Form::Number(number) = self.tensors[id].form else {
            return Ok(Scalar::zero(dtype));
        };
        Scalar::of_number(number, dtype).ok_or_else(|| {
            let name = (self.names)(id);
            Error::illegal(format!("{name}: {} cannot hold {number}", dtype.name()))
        })
    }
}

/// A cast, kernel by kernel.
fn cast(level: Level, mut value: Code, to: DType) -> Code {
    for (kernel, dtype) in kernel::casts(level, value.dtype, to) {
        value = Code {
            dtype,
            node: Step::Map1(kernel, Box::new(value)),
        };
    }
    value
}

/// Whether an expression has no operands that could fail or cost anything, or is a sum of terms, which are 0 outside of their own supports.
fn is_plain(expr: &Expr) -> bool {
    matches!(
        expr.node,
        Node::Constant(_)
            | Node::Number(_)
            | Node::Loop(_)
            | Node::Unary(Unary::Stored, _)
            | Node::Binary(Binary::Add | Binary::Sub, _, _)
    )
}
