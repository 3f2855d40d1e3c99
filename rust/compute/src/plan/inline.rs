//! Statements that need no memory, because they become part of those that read them.

use std::collections::HashMap;

use super::footprint::accesses;
use crate::ast::{Binary, Op, Unary};
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, Index, LoopId, Node, Statement, TensorId,
};

/// Expressions do not grow beyond this many nodes.
const MOST_NODES: usize = 400;
/// Nor beyond this depth: recursion over them needs little of a stack.
const MOST_DEPTH: usize = 256;

/// The statements of a program. Those whose tensor is not returned, and which are read where they are computed, become part of their readers, as long
/// as that computes no element of more than a few operators twice.
pub(crate) fn inline(bound: &Bound) -> Vec<Statement> {
    let mut statements = bound.statements.clone();
    let mut at = 0;
    while at < statements.len() {
        if !try_inline(bound, &mut statements, at) {
            at += 1;
        }
    }
    statements
}

/// Puts a statement into those after it, if that is worth it and can be.
fn try_inline(bound: &Bound, statements: &mut Vec<Statement>, at: usize) -> bool {
    let source = &statements[at];
    let shape = &bound.tensors[source.target].shape;
    if bound.returned.contains(&source.target)
        || source.op != Op::Set
        || !source.guards.is_empty()
        || may_fail(&source.value)
        || !is_identity(source, shape)
    {
        return false;
    }
    let mut rewritten = Vec::new();
    let mut times = 0.0;
    let size = shape
        .iter()
        .map(|&len| len as f64)
        .product::<f64>()
        .max(1.0);
    for (k, reader) in statements.iter().enumerate().skip(at + 1) {
        let mut places: Vec<&Access> = Vec::new();
        let mut within_index = false;
        accesses(&reader.value, &mut |access| {
            if access.tensor == source.target && !places.contains(&access) {
                places.push(access);
            }
            within_index |= access
                .indices
                .iter()
                .any(|index| mentions(index, source.target));
        });
        within_index |= reader
            .left
            .iter()
            .any(|index| mentions(index, source.target));
        if within_index {
            return false;
        }
        if places.is_empty() {
            continue;
        }
        let rounds = reader.loops.iter().map(|l| l.range as f64).product::<f64>();
        times += rounds * places.len() as f64 / size;
        if contraction(reader) {
            return false;
        }
        let mut reader = reader.clone();
        if !substitute(&mut reader.value, source)
            || nodes(&reader.value) > MOST_NODES
            || depth(&reader.value) > MOST_DEPTH
        {
            return false;
        }
        rewritten.push((k, reader));
    }
    // Cheap: two operators cost less than writing and reading an element.
    let limit = if cost(&source.value) <= 2 { 4.0 } else { 1.0 };
    if times > limit {
        return false;
    }
    for (k, reader) in rewritten {
        statements[k] = reader;
    }
    statements.remove(at);
    true
}

/// Whether each axis of the left side is a loop of the axis's length, each loop once.
fn is_identity(statement: &Statement, shape: &[i64]) -> bool {
    let mut seen = vec![false; statement.loops.len()];
    statement.left.iter().zip(shape).all(|(index, &len)| {
        matches!(index.affine.terms[..], [(l, 1)]
            if index.affine.constant == 0 && index.look_up.is_none() && statement.loops[l].range == len
                && !std::mem::replace(&mut seen[l], true))
    }) && seen.into_iter().all(|seen| seen)
}

/// Whether some elements may have no value: that is an error even if nobody reads them.
fn may_fail(expr: &Expr) -> bool {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => false,
        Node::Read(access) => access
            .indices
            .iter()
            .any(|index| index.checked || index.look_up.is_some()),
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => may_fail(x),
        Node::Binary(op, x, y) => {
            let partial =
                matches!(op, Binary::Div | Binary::Rem | Binary::Pow) && expr.dtype.is_integer();
            partial || may_fail(x) || may_fail(y)
        }
        Node::Select(c, x, y) => may_fail(c) || may_fail(x) || may_fail(y),
    }
}

/// Whether an index looks up in a tensor.
fn mentions(index: &Index, tensor: TensorId) -> bool {
    index.look_up.as_ref().is_some_and(|look| {
        look.tensor == tensor || look.indices.iter().any(|index| mentions(index, tensor))
    })
}

/// Whether a statement may be a matrix product, which needs its operands as they are.
fn contraction(statement: &Statement) -> bool {
    fn unguarded(expr: &Expr) -> &Node {
        match &expr.node {
            Node::Guard(_, x) => unguarded(x),
            node => node,
        }
    }
    let is_read = |x: &Expr| matches!(unguarded(x), Node::Read(_));
    let of_reads = matches!(unguarded(&statement.value), Node::Binary(Binary::Mul, x, y) if is_read(x) && is_read(y));
    statement.op == Op::Sum
        && of_reads
        && statement.loops.len() > statement.kept
        && statement.kept > 1
}

/// Replaces reads of what a statement defines by its value; whether all could be. The loops of the statement become the indices of the read.
fn substitute(expr: &mut Expr, source: &Statement) -> bool {
    match &mut expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => true,
        Node::Read(access) => {
            if access.tensor != source.target {
                return true;
            }
            let mut loops: HashMap<LoopId, Affine> = HashMap::new();
            for (index, left) in access.indices.iter().zip(&source.left) {
                if index.checked || index.look_up.is_some() {
                    return false;
                }
                loops.insert(left.affine.terms[0].0, index.affine.clone());
            }
            let mut value = source.value.clone();
            let done = rename(&mut value, &loops);
            *expr = value;
            done
        }
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => substitute(x, source),
        Node::Binary(_, x, y) => substitute(x, source) && substitute(y, source),
        Node::Select(c, x, y) => {
            substitute(c, source) && substitute(x, source) && substitute(y, source)
        }
    }
}

/// Writes an expression in other loops; whether it can be: the value of a loop must be that of one other loop.
fn rename(expr: &mut Expr, loops: &HashMap<LoopId, Affine>) -> bool {
    match &mut expr.node {
        Node::Constant(_) | Node::Number(_) => true,
        Node::Loop(l) => match loops.get(l) {
            Some(Affine { constant: 0, terms }) if matches!(terms[..], [(_, 1)]) => {
                *l = terms[0].0;
                true
            }
            _ => false,
        },
        Node::Read(access) => rename_access(access, loops),
        Node::Unary(_, x) | Node::Cast(x) => rename(x, loops),
        Node::Binary(_, x, y) => rename(x, loops) && rename(y, loops),
        Node::Select(c, x, y) => rename(c, loops) && rename(x, loops) && rename(y, loops),
        Node::Guard(conditions, x) => {
            conditions
                .iter_mut()
                .all(|Condition { affine, .. }| compose(affine, loops))
                && rename(x, loops)
        }
    }
}

fn rename_access(access: &mut Access, loops: &HashMap<LoopId, Affine>) -> bool {
    access.indices.iter_mut().all(|index| {
        compose(&mut index.affine, loops)
            && index
                .look_up
                .as_mut()
                .is_none_or(|look| rename_access(look, loops))
    })
}

/// An affine of loops that are affines of other loops; false if a number becomes too large.
fn compose(affine: &mut Affine, loops: &HashMap<LoopId, Affine>) -> bool {
    let mut constant = affine.constant;
    let mut terms: HashMap<LoopId, i64> = HashMap::new();
    for &(l, k) in &affine.terms {
        let Some(inner) = loops.get(&l) else {
            return false;
        };
        let Some(sum) = inner
            .constant
            .checked_mul(k)
            .and_then(|product| constant.checked_add(product))
        else {
            return false;
        };
        constant = sum;
        for &(m, c) in &inner.terms {
            let before = terms.get(&m).copied().unwrap_or(0);
            let Some(sum) = c
                .checked_mul(k)
                .and_then(|product| before.checked_add(product))
            else {
                return false;
            };
            terms.insert(m, sum);
        }
    }
    let mut terms: Vec<(LoopId, i64)> = terms.into_iter().filter(|&(_, k)| k != 0).collect();
    terms.sort_unstable();
    *affine = Affine { constant, terms };
    true
}

fn nodes(expr: &Expr) -> usize {
    1 + match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => 0,
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => nodes(x),
        Node::Binary(_, x, y) => nodes(x) + nodes(y),
        Node::Select(c, x, y) => nodes(c) + nodes(x) + nodes(y),
    }
}

fn depth(expr: &Expr) -> usize {
    1 + match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => 0,
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => depth(x),
        Node::Binary(_, x, y) => depth(x).max(depth(y)),
        Node::Select(c, x, y) => depth(c).max(depth(x)).max(depth(y)),
    }
}

/// Operators, those that take long counted as many.
fn cost(expr: &Expr) -> usize {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => 0,
        Node::Read(access) => {
            access
                .indices
                .iter()
                .filter(|index| index.look_up.is_some())
                .count()
                * 10
        }
        Node::Unary(Unary::Neg | Unary::Not | Unary::Abs | Unary::Relu | Unary::Sign, x)
        | Node::Cast(x) => 1 + cost(x),
        Node::Unary(_, x) | Node::Guard(_, x) => 10 + cost(x),
        Node::Binary(Binary::Div | Binary::Rem | Binary::Pow, x, y) => 10 + cost(x) + cost(y),
        Node::Binary(_, x, y) => 1 + cost(x) + cost(y),
        Node::Select(c, x, y) => 1 + cost(c) + cost(x) + cost(y),
    }
}
