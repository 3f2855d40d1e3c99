//! The loop order of a statement.

use std::collections::BTreeSet;

use crate::bound::{Condition, Expr, LoopId, Node};

/// A loop of a nest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dim {
    /// The statement's loop.
    pub id: usize,
    /// The range.
    pub range: i64,
    /// Whether it is reduced.
    pub reduced: bool,
}

/// An operand of a statement.
pub(crate) struct Steps {
    /// The stride of each loop of the statement, in bytes.
    pub strides: Vec<i64>,
    /// The size of an element.
    pub size: i64,
    /// Whether its indices are inside of the tensor for all values of the loops, also where guards do not hold: only such an operand may be read
    /// before the guards are looked at, as it is when it is repeated.
    pub anywhere: bool,
}

/// Loops in order, the innermost last.
pub(crate) struct Order {
    /// The outer loops: kept ones, then reduced ones.
    pub outer: Vec<Dim>,
    /// The innermost.
    pub inner: Dim,
    /// If an outer loop was merged into the innermost: that loop, and the previous range of the innermost; operands
    /// that do not depend on the outer one are repeated.
    pub joined: Option<(usize, i64)>,
    /// The last of the reduced loops, if the innermost is a short kept one, and each operand is contiguous across both, or does not depend on the
    /// reduced one: several of its iterations can be one tile.
    pub rows: Option<usize>,
}

impl Order {
    /// Loops in their order, none of them merged. Loops of range 1 are dropped.
    pub fn of(dims: impl Iterator<Item = Dim>) -> Order {
        let mut outer: Vec<Dim> = dims.filter(|dim| dim.range != 1).collect();
        Order {
            inner: outer.pop().unwrap_or(Dim::NONE),
            outer,
            joined: None,
            rows: None,
        }
    }

    /// The reduced loops outside of the innermost.
    pub fn reduced(&self) -> impl Iterator<Item = &Dim> {
        self.outer.iter().filter(|dim| dim.reduced)
    }

    /// The elements of a round of a repeated operand; 0 if no loop was merged into the innermost.
    pub fn round(&self) -> i64 {
        match self.rows {
            Some(_) => self.inner.range,
            None => self.joined.map_or(0, |(_, round)| round),
        }
    }
}

impl Dim {
    /// The loop of a nest without loops.
    pub const NONE: Dim = Dim {
        id: usize::MAX,
        range: 1,
        reduced: false,
    };
}

/// The maximum length of a round of a repeated operand.
const LONGEST_ROUND: i64 = 128;

/// Merges loops that are contiguous in every operand, and makes that loop the innermost along which most operands are contiguous.
///
/// `pinned` loops are not merged, since their values are used. Loops of range 1 are dropped.
pub(crate) fn order(
    dims: &[Dim],
    pinned: &BTreeSet<usize>,
    operands: &[Steps],
    output: Option<usize>,
) -> Order {
    let mut dims: Vec<Dim> = dims.iter().filter(|dim| dim.range != 1).cloned().collect();
    // By the output's strides, then by the largest stride of the operands.
    let weight = |dim: &Dim| -> (i64, i64) {
        let out = output.map_or(0, |at| operands[at].strides[dim.id].abs());
        let all = operands
            .iter()
            .map(|operand| operand.strides[dim.id].abs())
            .max()
            .unwrap_or(0);
        (out, all)
    };
    dims.sort_by_key(|dim| {
        let (out, all) = weight(dim);
        (
            dim.reduced,
            std::cmp::Reverse(if dim.reduced { all } else { out.max(1) * 4 }),
            std::cmp::Reverse(all),
        )
    });
    merge(&mut dims, pinned, operands);
    if dims.is_empty() {
        dims.push(Dim::NONE);
    }
    // A short innermost loop is merged with the next outer one if every operand is contiguous across both, or depends on the inner one only.
    let joining = |inner: &Dim| -> Option<usize> {
        if inner.range >= LONGEST_ROUND || pinned.contains(&inner.id) {
            return None;
        }
        dims.iter().rposition(|dim| {
            dim.id != inner.id
                && dim.reduced == inner.reduced
                && !pinned.contains(&dim.id)
                && operands.iter().enumerate().all(|(at, operand)| {
                    let (p, q) = (operand.strides[dim.id], operand.strides[inner.id]);
                    p == q * inner.range || (p == 0 && operand.anywhere && Some(at) != output)
                })
        })
    };
    let cost = |dim: &Dim| -> f64 {
        if dim.id == usize::MAX {
            return 0.0;
        }
        let range = dim.range as f64 * joining(dim).map_or(1.0, |at| dims[at].range as f64);
        let mut cost = 40.0 / range;
        for operand in operands {
            let stride = operand.strides[dim.id];
            cost += if stride == operand.size {
                0.3
            } else if stride == 0 {
                0.0
            } else if stride.abs() >= 64 {
                3.0
            } else {
                1.5
            };
        }
        cost
    };
    let best = (0..dims.len())
        .min_by(|&a, &b| cost(&dims[a]).total_cmp(&cost(&dims[b])).then(b.cmp(&a)))
        .unwrap_or(0);
    let joined = joining(&dims[best]).map(|at| dims[at].clone());
    let mut inner = dims.remove(best);
    let joined = joined.map(|dim| {
        dims.retain(|other| other.id != dim.id);
        let round = inner.range;
        inner.range *= dim.range;
        (dim.id, round)
    });
    let together = |dim: &&Dim| {
        let short = 2..LONGEST_ROUND;
        let free = |dim: &Dim| !pinned.contains(&dim.id);
        let fits = |(at, operand): (usize, &Steps)| {
            let (p, q) = (operand.strides[dim.id], operand.strides[inner.id]);
            Some(at) == output || p == q * inner.range || (p == 0 && operand.anywhere)
        };
        joined.is_none()
            && dim.reduced
            && !inner.reduced
            && short.contains(&inner.range)
            && free(dim)
            && free(&inner)
            && operands.iter().enumerate().all(fits)
    };
    let rows = dims.last().filter(together).map(|dim| dim.id);
    Order {
        outer: dims,
        inner,
        joined,
        rows,
    }
}

/// Merges pairs of loops, p outside of q, where the stride of p is that of q times its range in every operand.
fn merge(dims: &mut Vec<Dim>, pinned: &BTreeSet<usize>, operands: &[Steps]) {
    loop {
        let pair = (0..dims.len())
            .flat_map(|p| (0..dims.len()).map(move |q| (p, q)))
            .find(|&(p, q)| {
                let (a, b) = (&dims[p], &dims[q]);
                p != q
                    && a.reduced == b.reduced
                    && !pinned.contains(&a.id)
                    && !pinned.contains(&b.id)
                    && operands
                        .iter()
                        .all(|operand| operand.strides[a.id] == operand.strides[b.id] * b.range)
                    && a.range.checked_mul(b.range).is_some()
            });
        let Some((p, q)) = pair else { return };
        dims[q].range *= dims[p].range;
        dims.remove(p);
    }
}

/// Loops whose values are used, by reads that are checked and by anything but affine reads.
pub(crate) fn pin(expr: &Expr, pinned: &mut BTreeSet<LoopId>) {
    expr.visit(&mut |expr| match &expr.node {
        Node::Loop(l) => {
            pinned.insert(*l);
        }
        Node::Read(access) if !access.is_plain() => access.loops(&mut |l| {
            pinned.insert(l);
        }),
        Node::Guard(conditions, _) => pin_conditions(conditions, pinned),
        _ => {}
    });
}

pub(crate) fn pin_conditions(conditions: &[Condition], pinned: &mut BTreeSet<LoopId>) {
    for condition in conditions {
        pinned.extend(condition.affine.loops());
    }
}
