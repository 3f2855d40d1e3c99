//! Products of reads and constants, and the order of multiplication.

use super::emit::Cell;
use crate::ast::{Binary, Op, Unary};
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, Index, Loop, LoopId, Node, Statement, Tensor, TensorId,
};
use crate::operand::DType;
use crate::scalar::Scalar;

/// The maximum number of reads of a product that is split.
const MOST: usize = 8;

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
            Node::Constant(scalar) => Side::Constant(vec![Cell::Bits(scalar.bits())]),
            Node::Number(input) => Side::Constant(vec![Cell::Number(*input, expr.dtype)]),
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
        let plain = |index: &Index| !index.checked && index.look_up.is_none();
        self.reads.push(access);
        self.read_guards.push(guards);
        self.read_factors.push(Vec::new());
        let all = access.indices.iter().all(plain);
        all.then_some(Side::Read(self.reads.len() - 1))
    }

    /// Whether there are no guards.
    fn is_plain(&self) -> bool {
        self.guards.is_empty() && self.read_guards.iter().all(Vec::is_empty)
    }
}

/// The loops of an access.
fn loops(access: &Access) -> impl Iterator<Item = LoopId> + '_ {
    let terms = access.indices.iter().flat_map(|index| &index.affine.terms);
    terms.map(|&(l, _)| l)
}

/// A pair of reads: the loops over which it is summed, the remaining loops, and the number of multiplications,
/// including those of all subsequent ones.
struct Pair {
    first: usize,
    second: usize,
    gone: Vec<LoopId>,
    remain: Vec<LoopId>,
    cost: f64,
}

/// Splits sums of products of three or more reads into several statements, if that at least halves the multiplications: the cheapest pair is
/// multiplied first, and summed over the loops that occur nowhere else. `A[i,j]*B[j,k]*C[k,l]` takes two matrix products.
pub(crate) fn split(bound: &mut Bound, statements: &mut Vec<Statement>) {
    let mut at = 0;
    while at < statements.len() {
        match pair(&statements[at]).and_then(|pair| first(bound, &mut statements[at], &pair)) {
            Some(statement) => statements.insert(at, statement),
            None => at += 1,
        }
    }
}

/// The best pair of a statement.
fn pair(statement: &Statement) -> Option<Pair> {
    let runs = statement.loops.iter().all(|l| l.range > 0);
    if statement.op != Op::Sum || !statement.guards.is_empty() || !runs {
        return None;
    }
    let product = Product::of(&statement.value)?;
    let reads = &product.reads;
    if !product.is_plain() || !(3..=MOST).contains(&reads.len()) {
        return None;
    }
    let count = |all: &[bool]| -> f64 {
        let ranges = statement.loops.iter().zip(all);
        ranges
            .filter(|(_, &is)| is)
            .map(|(l, _)| l.range as f64)
            .product()
    };
    let has = |accesses: &[&Access]| {
        let mut all = vec![false; statement.loops.len()];
        accesses
            .iter()
            .flat_map(|access| loops(access))
            .for_each(|l| all[l] = true);
        all
    };
    let whole = count(&vec![true; statement.loops.len()]);
    let mut best: Option<Pair> = None;
    for second in 1..reads.len() {
        for first in 0..second {
            let both = has(&[reads[first], reads[second]]);
            let others: Vec<&Access> = (0..reads.len())
                .filter(|&k| k != first && k != second)
                .map(|k| reads[k])
                .collect();
            let others = has(&others);
            let ids = || 0..statement.loops.len();
            let gone: Vec<LoopId> = ids()
                .filter(|&l| both[l] && !others[l] && l >= statement.kept)
                .collect();
            let remain: Vec<LoopId> = ids().filter(|&l| both[l] && !gone.contains(&l)).collect();
            let rest: Vec<bool> = ids().map(|l| !gone.contains(&l)).collect();
            let cost = count(&both) + count(&rest);
            if cost <= whole / 2.0 && best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Pair {
                    first,
                    second,
                    gone,
                    remain,
                    cost,
                });
            }
        }
    }
    best
}

/// Visits the reads of a product with their numbers; `with` may replace them.
fn visit(expr: &mut Expr, next: &mut usize, with: &mut dyn FnMut(usize, &mut Expr)) {
    match &mut expr.node {
        Node::Binary(_, x, y) => {
            visit(x, next, with);
            visit(y, next, with);
        }
        Node::Unary(_, x) => visit(x, next, with),
        Node::Read(_) => {
            *next += 1;
            with(*next - 1, expr);
        }
        _ => {}
    }
}

/// Extracts the pair from a statement, as a new statement that multiplies it. `None` if its result would be too large.
fn first(bound: &mut Bound, statement: &mut Statement, pair: &Pair) -> Option<Statement> {
    let dtype = statement.value.dtype;
    let target: TensorId = bound.tensors.len();
    let kept = pair.remain.iter().chain(&pair.gone);
    let ranges: Vec<Loop> = kept.clone().map(|&l| statement.loops[l].clone()).collect();
    let shape: Vec<i64> = ranges[..pair.remain.len()]
        .iter()
        .map(|l| l.range)
        .collect();
    let elements = shape
        .iter()
        .try_fold(1i64, |product, &len| product.checked_mul(len))?;
    if elements > 1 << 28 {
        return None;
    }
    let mut place = vec![0; statement.loops.len()];
    kept.enumerate().for_each(|(at, &l)| place[l] = at);
    let index = |l: LoopId| Index {
        affine: Affine {
            constant: 0,
            terms: vec![(l, 1)],
        },
        look_up: None,
        checked: false,
    };
    // In the product, the second of the pair is replaced by 1, the first by the target of the new statement.
    let mut taken = Vec::new();
    let mut value = statement.value.clone();
    visit(&mut value, &mut 0, &mut |k, expr| {
        if k != pair.first && k != pair.second {
            return;
        }
        let node = if k == pair.first {
            Node::Read(Access {
                tensor: target,
                indices: pair.remain.iter().map(|&l| index(l)).collect(),
            })
        } else {
            Node::Constant(Scalar::Int64(1).cast(dtype))
        };
        let mut old = std::mem::replace(&mut expr.node, node);
        if let Node::Read(access) = &mut old {
            for index in &mut access.indices {
                index
                    .affine
                    .terms
                    .iter_mut()
                    .for_each(|(l, _)| *l = place[*l]);
                index.affine.terms.sort_unstable();
            }
        }
        taken.push(Box::new(Expr { dtype, node: old }));
    });
    let (y, x) = (taken.pop()?, taken.pop()?);
    // Renumbers the remaining loops.
    let mut number = vec![0; statement.loops.len()];
    let left: Vec<LoopId> = (0..number.len())
        .filter(|l| !pair.gone.contains(l))
        .collect();
    left.iter().enumerate().for_each(|(at, &l)| number[l] = at);
    statement.loops = left.iter().map(|&l| statement.loops[l].clone()).collect();
    let renumber = |index: &mut Index| {
        index
            .affine
            .terms
            .iter_mut()
            .for_each(|(l, _)| *l = number[*l]);
    };
    statement.left.iter_mut().for_each(renumber);
    visit(&mut value, &mut 0, &mut |_, expr| {
        if let Node::Read(access) = &mut expr.node {
            access.indices.iter_mut().for_each(renumber);
        }
    });
    statement.value = value;
    bound.tensors.push(Tensor {
        name: String::new(),
        dtype: Some(dtype),
        shape,
    });
    Some(Statement {
        target,
        kept: pair.remain.len(),
        left: (0..pair.remain.len()).map(index).collect(),
        loops: ranges,
        op: Op::Sum,
        value: Expr {
            dtype,
            node: Node::Binary(Binary::Mul, x, y),
        },
        guards: Vec::new(),
    })
}
