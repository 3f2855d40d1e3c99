//! The support of an expression: the points of its loops outside of which it is 0.

use std::collections::HashMap;

use crate::ast::{Binary, Unary};
use crate::bound::{Access, Expr, Node, TensorId};
use crate::operand::DType;
use crate::scalar::Scalar;

/// A set of points, as far as sparse reads determine it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Support {
    /// No point.
    None,
    /// All points.
    All,
    /// Where a sparse read is stored, by its number.
    Leaf(usize),
    /// The intersection.
    And(Box<Support>, Box<Support>),
    /// The union.
    Or(Box<Support>, Box<Support>),
}

impl Support {
    pub fn and(self, other: Support) -> Support {
        match (self, other) {
            (Support::None, _) | (_, Support::None) => Support::None,
            (Support::All, other) | (other, Support::All) => other,
            (one, other) if one == other => one,
            (one, other) => Support::And(Box::new(one), Box::new(other)),
        }
    }

    pub fn or(self, other: Support) -> Support {
        match (self, other) {
            (Support::All, _) | (_, Support::All) => Support::All,
            (Support::None, other) | (other, Support::None) => other,
            (one, other) if one == other => one,
            (one, other) => Support::Or(Box::new(one), Box::new(other)),
        }
    }

    /// The sparse reads that are stored at all points.
    pub fn certain(&self, found: &mut Vec<usize>) {
        match self {
            Support::Leaf(leaf) => found.push(*leaf),
            Support::And(a, b) => {
                a.certain(found);
                b.certain(found);
            }
            _ => {}
        }
    }

    /// Whether it is where all of some reads are stored, or everywhere; adds these reads.
    pub fn conjunction(&self, reads: &mut Vec<usize>) -> bool {
        match self {
            Support::None | Support::Or(..) => false,
            Support::All => true,
            Support::Leaf(leaf) => {
                reads.push(*leaf);
                true
            }
            Support::And(a, b) => a.conjunction(reads) && b.conjunction(reads),
        }
    }

    /// The supports of which it is the intersection.
    pub fn parts(&self, visit: &mut dyn FnMut(&Support)) {
        match self {
            Support::And(a, b) => {
                a.parts(visit);
                b.parts(visit);
            }
            part => visit(part),
        }
    }

    /// Whether a point is in it, given whether reads are stored there.
    pub fn holds(&self, stored: &impl Fn(usize) -> bool) -> bool {
        match self {
            Support::None => false,
            Support::All => true,
            Support::Leaf(leaf) => stored(*leaf),
            Support::And(a, b) => a.holds(stored) && b.holds(stored),
            Support::Or(a, b) => a.holds(stored) || b.holds(stored),
        }
    }

    /// All its reads.
    pub fn leaves(&self, found: &mut Vec<usize>) {
        match self {
            Support::Leaf(leaf) => found.push(*leaf),
            Support::And(a, b) | Support::Or(a, b) => {
                a.leaves(found);
                b.leaves(found);
            }
            _ => {}
        }
    }
}

/// The sparse reads of a statement: each is one leaf, however often it occurs.
#[derive(Debug)]
pub(super) struct Leaves {
    reads: Vec<Access>,
    /// The number of each, since there may be as many as the text has terms.
    numbers: HashMap<Access, usize>,
    /// For each tensor, whether it is sparse.
    sparse: Vec<bool>,
}

impl Leaves {
    /// Those of some reads; `sparse` has for each tensor whether it is sparse.
    pub fn new(reads: &[Access], sparse: impl Iterator<Item = bool>) -> Leaves {
        Leaves {
            reads: reads.to_vec(),
            numbers: reads.iter().cloned().zip(0..).collect(),
            sparse: sparse.collect(),
        }
    }

    /// The sparse reads, by their numbers.
    pub fn reads(&self) -> &[Access] {
        &self.reads
    }

    pub fn is_sparse(&self, tensor: TensorId) -> bool {
        self.sparse.get(tensor).copied().unwrap_or(false)
    }

    /// The number of a sparse read; none of a dense one.
    pub fn leaf(&mut self, access: &Access) -> Option<usize> {
        if !self.is_sparse(access.tensor) {
            return None;
        }
        if let Some(&known) = self.numbers.get(access) {
            return Some(known);
        }
        self.numbers.insert(access.clone(), self.reads.len());
        self.reads.push(access.clone());
        Some(self.reads.len() - 1)
    }

    /// The support of an expression.
    pub fn support(&mut self, expr: &Expr) -> Support {
        match &expr.node {
            Node::Constant(scalar) if is_zero(*scalar) => Support::None,
            Node::Constant(_) | Node::Number(_) | Node::Loop(_) => Support::All,
            Node::Read(access) => self.leaf(access).map_or(Support::All, Support::Leaf),
            Node::Unary(Unary::Stored, a) => self.support(a),
            Node::Unary(unary, a) if keeps_zero(*unary) => self.support(a),
            Node::Unary(..) => Support::All,
            Node::Cast(a) => self.support(a),
            Node::Guard(_, a) => self.support(a),
            Node::Select(condition, a, b) => {
                let chosen = self.support(condition).and(self.support(a));
                chosen.or(self.support(b))
            }
            Node::Binary(binary, a, b) => match binary {
                Binary::Mul | Binary::And | Binary::AdjointMul => {
                    self.support(a).and(self.support(b))
                }
                Binary::Add | Binary::Sub | Binary::Or | Binary::Max | Binary::Min => {
                    self.support(a).or(self.support(b))
                }
                Binary::Div | Binary::AdjointDiv | Binary::Rem => self.support(a),
                Binary::Pow if is_positive(b) => self.support(a),
                Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge | Binary::Eq | Binary::Ne => {
                    self.comparison(*binary, a, b)
                }
                _ => Support::All,
            },
        }
    }

    /// A comparison with a literal that is false at 0.
    fn comparison(&mut self, binary: Binary, a: &Expr, b: &Expr) -> Support {
        let zero = Scalar::zero(a.dtype);
        let at_zero = match (&a.node, &b.node) {
            (_, Node::Constant(literal)) => (zero.binary(binary, *literal), a),
            (Node::Constant(literal), _) => (literal.binary(binary, zero), b),
            _ => return Support::All,
        };
        match at_zero {
            (Ok(Scalar::Bool(false)), other) => self.support(other),
            _ => Support::All,
        }
    }
}

fn is_zero(scalar: Scalar) -> bool {
    scalar.cast(DType::Bool) == Scalar::Bool(false)
}

/// Whether an exponent is a literal above 0.
fn is_positive(expr: &Expr) -> bool {
    match expr.node {
        Node::Constant(Scalar::Float(x)) => x > 0.0,
        Node::Constant(Scalar::Double(x)) => x > 0.0,
        Node::Constant(Scalar::Int32(x)) => x > 0,
        Node::Constant(Scalar::Int64(x)) => x > 0,
        Node::Constant(Scalar::UInt8(x)) => x > 0,
        _ => false,
    }
}

/// Whether a function of 0 is 0, and so has the support of its operand.
fn keeps_zero(unary: Unary) -> bool {
    use Unary::*;
    matches!(
        unary,
        Neg | Abs
            | Sign
            | Sqrt
            | Relu
            | Sin
            | Tan
            | Asin
            | Atan
            | Sinh
            | Tanh
            | Asinh
            | Atanh
            | Erf
            | Erfinv
            | Expm1
            | Log1p
            | Silu
            | Square
            | Floor
            | Ceil
            | Round
            | Trunc
    )
}
