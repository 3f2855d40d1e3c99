//! Statements that write every element of a tensor.

use crate::ast::Op;
use crate::bound::{Affine, Expr, Index, Loop, Statement, TensorId};

/// A statement that writes every element of a tensor.
pub(crate) fn whole(target: TensorId, shape: &[i64], value: Expr) -> Statement {
    let loops = shape
        .iter()
        .map(|&range| Loop {
            name: String::new(),
            range,
        })
        .collect::<Vec<_>>();
    Statement {
        target,
        kept: loops.len(),
        left: identity_indices(loops.len()),
        loops,
        op: Op::Set,
        value,
        guards: Vec::new(),
    }
}

/// The indices of an element whose position on each axis is the loop of the same number.
pub(crate) fn identity_indices(rank: usize) -> Vec<Index> {
    (0..rank)
        .map(|l| Index {
            affine: Affine {
                constant: 0,
                terms: vec![(l, 1)],
            },
            look_up: None,
            checked: false,
        })
        .collect()
}
