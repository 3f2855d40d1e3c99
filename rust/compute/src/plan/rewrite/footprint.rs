//! What a statement touches: its accesses, and the elements that it writes.

use crate::ast::Op;
use crate::bound::{Access, Condition, Expr, Index, LoopId, Node, Statement, TensorId};
use crate::infer::condition;

/// Calls `found` with every access of an expression, look-ups after the access that they are in.
pub(crate) fn accesses<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a Access)) {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => {}
        Node::Read(access) => access_and_look_ups(access, found),
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => accesses(x, found),
        Node::Binary(_, x, y) => {
            accesses(x, found);
            accesses(y, found);
        }
        Node::Select(c, x, y) => {
            accesses(c, found);
            accesses(x, found);
            accesses(y, found);
        }
    }
}

/// An access and all look-ups in its indices.
pub(crate) fn access_and_look_ups<'a>(access: &'a Access, found: &mut impl FnMut(&'a Access)) {
    found(access);
    for look in access
        .indices
        .iter()
        .filter_map(|index| index.look_up.as_ref())
    {
        access_and_look_ups(look, found);
    }
}

/// Calls `found` with every tensor that a statement reads, also to find where it writes.
pub(crate) fn reads(statement: &Statement, found: &mut impl FnMut(TensorId)) {
    accesses(&statement.value, &mut |access| found(access.tensor));
    for look_up in statement
        .left
        .iter()
        .filter_map(|index| index.look_up.as_ref())
    {
        access_and_look_ups(look_up, &mut |access| found(access.tensor));
    }
}

/// Whether different values of the kept loops write different elements: each is in an axis whose loops are digits of its index, so that the step of
/// each is longer than all that those with shorter steps reach.
pub(crate) fn injective(statement: &Statement) -> bool {
    let mut found = vec![false; statement.loops.len()];
    for index in &statement.left {
        if index.look_up.is_some() || index.checked {
            return false;
        }
        let mut digits: Vec<(i128, LoopId)> = index
            .affine
            .terms
            .iter()
            .map(|&(l, k)| (i128::from(k).abs(), l))
            .collect();
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
    let ranges: Vec<i64> = statement.loops.iter().map(|l| l.range).collect();
    injective(statement) && is_inside(&statement.left, shape, &ranges)
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
