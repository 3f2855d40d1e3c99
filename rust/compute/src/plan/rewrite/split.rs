//! Sums of products of three or more reads as several statements, the cheapest pair first.

use super::product::Product;
use crate::ast::{Binary, Op};
use crate::bound::{
    Access, Affine, Bound, Expr, Index, Loop, LoopId, Node, Statement, Tensor, TensorId,
};
use crate::scalar::Scalar;

/// The maximum number of reads of a product that is split.
const MOST: usize = 8;

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
