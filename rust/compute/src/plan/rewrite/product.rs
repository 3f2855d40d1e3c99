//! Products of reads and constants, and the order of multiplication.

use super::cell::Cell;
use crate::ast::{Binary, Unary};
use crate::bound::{Access, Condition, Expr, Node};
use crate::operand::DType;
use crate::scalar::Scalar;

/// A constant factor: a product of constants.
pub(crate) type Factor = Vec<Cell>;

/// A product of floats.
#[derive(Debug)]
pub(crate) struct Product<'a> {
    /// Affine reads without run-time checks.
    pub reads: Vec<&'a Access>,
    /// The guards of each read, which is 0 where they do not hold.
    pub read_guards: Vec<Vec<&'a Condition>>,
    /// The factors that each read is multiplied by, one after the other, before it meets another read.
    pub read_factors: Vec<Vec<Factor>>,
    /// The guards of the product, which is not evaluated where they do not hold.
    pub guards: Vec<&'a Condition>,
    /// The factors that products of reads are multiplied by, one after the other.
    pub factors: Vec<Factor>,
}

/// What a part of a product is.
enum Side {
    Constant(Factor),
    /// A read, by number.
    Read(usize),
    /// A product of reads.
    Reads,
}

impl<'a> Product<'a> {
    /// The expression as a product; `None` if it is something else.
    pub fn of(expr: &'a Expr) -> Option<Product<'a>> {
        let mut product = Product {
            reads: Vec::new(),
            read_guards: Vec::new(),
            read_factors: Vec::new(),
            guards: Vec::new(),
            factors: Vec::new(),
        };
        let float = matches!(expr.dtype, DType::Float | DType::Double);
        let mut expr = expr;
        while let Node::Guard(conditions, inner) = &expr.node {
            product.guards.extend(conditions);
            expr = inner;
        }
        (float && product.take(expr).is_some()).then_some(product)
    }

    fn take(&mut self, expr: &'a Expr) -> Option<Side> {
        Some(match &expr.node {
            Node::Binary(Binary::Mul, x, y) => match (self.take(x)?, self.take(y)?) {
                // From left to right. Of two products each rounds by itself.
                (Side::Constant(mut x), Side::Constant(y)) if y.len() == 1 => {
                    x.extend(y);
                    Side::Constant(x)
                }
                (Side::Constant(x), Side::Constant(mut y)) if x.len() == 1 => {
                    y.extend(x);
                    Side::Constant(y)
                }
                (Side::Constant(_), Side::Constant(_)) => return None,
                (Side::Constant(factor), side) | (side, Side::Constant(factor)) => {
                    self.multiply(&side, factor);
                    side
                }
                _ => Side::Reads,
            },
            Node::Unary(Unary::Neg, x) => {
                let minus = Cell::Bits(Scalar::Int64(-1).cast(expr.dtype).bits());
                match self.take(x)? {
                    Side::Constant(mut x) => {
                        x.push(minus);
                        Side::Constant(x)
                    }
                    side => {
                        // A sign is the same at any place.
                        self.factors.push(vec![minus]);
                        side
                    }
                }
            }
            Node::Constant(_) | Node::Number(_) => Side::Constant(vec![Cell::of(expr)?]),
            Node::Guard(..) | Node::Read(_) => self.read(expr)?,
            _ => return None,
        })
    }

    fn multiply(&mut self, side: &Side, factor: Factor) {
        match side {
            Side::Read(at) => self.read_factors[*at].push(factor),
            _ => self.factors.push(factor),
        }
    }

    /// Adds a read, possibly in guards.
    fn read(&mut self, expr: &'a Expr) -> Option<Side> {
        let mut guards = Vec::new();
        let mut expr = expr;
        while let Node::Guard(conditions, inner) = &expr.node {
            guards.extend(conditions);
            expr = inner;
        }
        let Node::Read(access) = &expr.node else {
            return None;
        };
        self.reads.push(access);
        self.read_guards.push(guards);
        self.read_factors.push(Vec::new());
        let read = Side::Read(self.reads.len() - 1);
        access.is_plain().then_some(read)
    }

    /// Whether there are no guards.
    pub(super) fn is_plain(&self) -> bool {
        self.guards.is_empty() && self.read_guards.iter().all(Vec::is_empty)
    }
}
