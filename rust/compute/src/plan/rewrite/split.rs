//! Sums of products of three or more reads as several statements, the cheapest pair first.

use super::product::Product;
use crate::ast::{Binary, Op};
use crate::bound::{
    Access, Affine, Bound, Expr, Index, Loop, LoopId, Loops, Node, Statement, Tensor, TensorId,
};
use crate::scalar::Scalar;

/// The maximum number of reads of a product that is split.
const MOST: usize = 8;

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
    if statement.op != Op::Sum || !statement.guards.is_empty() || statement.is_empty() {
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
            .for_each(|access| access.loops(&mut |l| all[l] = true));
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
    let place: Loops = kept
        .enumerate()
        .map(|(at, &l)| (l, Affine::of_loop(at)))
        .collect();
    // In the product, the second of the pair is replaced by 1, the first by the target of the new statement.
    let mut taken = Vec::new();
    let mut value = statement.value.clone();
    let mut reads = 0..;
    let all = value.edit(&mut |expr| {
        let Node::Read(access) = &mut expr.node else {
            return true;
        };
        let node = match reads.next() {
            k if k == Some(pair.first) => {
                let remain = pair.remain.iter().map(|&l| Affine::of_loop(l));
                Node::Read(Access {
                    tensor: target,
                    indices: remain.map(Index::plain).collect(),
                })
            }
            k if k == Some(pair.second) => Node::Constant(Scalar::Int64(1).cast(dtype)),
            _ => return true,
        };
        let renamed = access.rename(&place);
        let node = std::mem::replace(&mut expr.node, node);
        taken.push(Box::new(Expr { dtype, node }));
        renamed
    });
    let (y, x) = (taken.pop()?, taken.pop()?);
    // Renumbers the remaining loops.
    let left: Vec<LoopId> = (0..statement.loops.len())
        .filter(|l| !pair.gone.contains(l))
        .collect();
    let number = left.iter().enumerate();
    let number: Loops = number.map(|(at, &l)| (l, Affine::of_loop(at))).collect();
    let mut rest = statement.clone();
    rest.value = value;
    rest.loops = left.iter().map(|&l| statement.loops[l].clone()).collect();
    if !all || !rest.rename(&number) {
        return None;
    }
    *statement = rest;
    bound.tensors.push(Tensor {
        name: String::new(),
        dtype: Some(dtype),
        shape,
    });
    Some(Statement {
        target,
        kept: pair.remain.len(),
        left: Index::axes(pair.remain.len()),
        loops: ranges,
        op: Op::Sum,
        value: Expr {
            dtype,
            node: Node::Binary(Binary::Mul, x, y),
        },
        guards: Vec::new(),
    })
}
