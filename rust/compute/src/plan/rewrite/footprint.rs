//! What a statement writes, and under which guards.

use crate::ast::Op;
use crate::bound::{Condition, Expr, Index, LoopId, Node, Statement};
use crate::infer::condition;

/// Whether different values of the kept loops write different elements: each is in an axis whose loops are digits of its index, so that the step of
/// each is longer than all that those with shorter steps reach.
pub(crate) fn injective(statement: &Statement) -> bool {
    let mut found = vec![false; statement.loops.len()];
    for index in &statement.left {
        if !index.is_plain() {
            return false;
        }
        let terms = index.affine.terms.iter();
        let mut digits: Vec<(i128, LoopId)> =
            terms.map(|&(l, k)| (i128::from(k).abs(), l)).collect();
        digits.sort_unstable();
        let mut reach = 0;
        let mut are_digits = true;
        for &(step, l) in &digits {
            are_digits &= step > reach;
            reach += step * i128::from(statement.loops[l].range.max(1) - 1);
        }
        if are_digits {
            for (_, l) in digits {
                found[l] = true;
            }
        }
    }
    (0..statement.kept).all(|l| found[l] || statement.loops[l].range <= 1)
}

/// Whether all indices are inside of the axes of a shape for all values of loops with these ranges, also where guards do not hold.
pub(crate) fn is_inside(indices: &[Index], shape: &[i64], ranges: &[i64]) -> bool {
    indices.iter().zip(shape).all(|(index, &length)| {
        index.look_up.is_none() && condition::is_inside(&index.affine, length, ranges)
    })
}

/// Whether each iteration of the kept loops may write its element, an element of its own, whether or not guards hold. Other statements scatter, and
/// write only where guards hold.
pub(crate) fn writes_directly(statement: &Statement, shape: &[i64]) -> bool {
    injective(statement) && is_inside(&statement.left, shape, &statement.ranges())
}

/// Whether a statement with an injective left side writes every element.
pub(crate) fn covers(statement: &Statement, shape: &[i64]) -> bool {
    let mut seen = vec![false; statement.loops.len()];
    statement
        .left
        .iter()
        .zip(shape)
        .all(|(index, &len)| match index.affine.terms[..] {
            [] => len == 1 && index.affine.constant == 0,
            [(l, k)] => {
                let range = statement.loops[l].range;
                let first = if k > 0 { 0 } else { len - 1 };
                k.abs() == 1
                    && range == len
                    && index.affine.constant == first
                    && !std::mem::replace(&mut seen[l], true)
            }
            _ => false,
        })
}

/// The guards of a statement, and what they guard: outside of a guard a sum takes in nothing.
pub(crate) fn guards(statement: &Statement) -> (Vec<Condition>, &Expr) {
    let mut guards = statement.guards.clone();
    let mut value = &statement.value;
    while let (Op::Sum, Node::Guard(conditions, x)) = (statement.op, &value.node) {
        guards.extend(conditions.iter().cloned());
        value = x;
    }
    (guards, value)
}
