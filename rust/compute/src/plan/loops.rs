//! The loops of a statement in the order in which they run.

use std::collections::BTreeSet;

/// A loop of a nest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dim {
    /// The statement's loop.
    pub id: usize,
    /// How often it runs.
    pub range: i64,
    /// Whether it is reduced.
    pub reduced: bool,
}

/// What steps through memory: a stride for each loop of the statement, in bytes, and how much one element costs to move if it does not lie beside
/// its neighbour.
pub(crate) struct Steps {
    pub strides: Vec<i64>,
    pub size: i64,
}

/// Loops in order, the innermost last.
pub(crate) struct Order {
    /// Outside of the innermost: kept ones, then reduced ones.
    pub outer: Vec<Dim>,
    /// The innermost.
    pub inner: Dim,
    /// If the innermost loop is two merged ones: which joined it from outside, and the range that the innermost had; operands that the joined one
    /// does not move are repeated.
    pub joined: Option<(usize, i64)>,
}

/// The longest round of an operand that is repeated.
const LONGEST_ROUND: i64 = 128;

/// Merges loops that step alike in every operand, and puts that one innermost which most operands have side by side.
///
/// `pinned` loops are not merged: their values are used. Loops that run once are left out.
pub(crate) fn order(
    dims: &[Dim],
    pinned: &BTreeSet<usize>,
    operands: &[Steps],
    output: Option<usize>,
) -> Order {
    let mut dims: Vec<Dim> = dims.iter().filter(|dim| dim.range != 1).cloned().collect();
    // The output's order, then that of the operands, whichever has the largest strides.
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
        dims.push(Dim {
            id: usize::MAX,
            range: 1,
            reduced: false,
        });
    }
    // A short innermost loop: the next loop outside joins it if every operand steps through both as if they were one, or only through the inner.
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
                    p == q * inner.range || (p == 0 && Some(at) != output)
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
    Order {
        outer: dims,
        inner,
        joined,
    }
}

/// Merges pairs of loops, p outside of q, where one step of p is all steps of q in every operand.
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
