//! Operands of matrix products that are stored narrow: widened once, as tensors of their own, where each element is used many times. Other reads are
//! cast where they are read, so that memory is read at its narrow width.

use std::collections::HashMap;

use crate::ast::{Binary, Op, Unary};
use crate::bound::{Access, Bound, Expr, Index, Node, Statement, Tensor, TensorId};

/// How often each element is used, at least, for a copy of it to be cheap beside the product.
const OFTEN: f64 = 16.0;

/// The most elements that are copied.
const MOST: i64 = 1 << 28;

/// Widens operands of sums of products, before the statements that read them.
pub(crate) fn widen(bound: &mut Bound, statements: &mut Vec<Statement>) {
    let mut wide: HashMap<TensorId, TensorId> = HashMap::new();
    let mut at = 0;
    while at < statements.len() {
        let mut made = Vec::new();
        let statement = &mut statements[at];
        if statement.op == Op::Sum && !statement.is_empty() {
            let rounds = statement.loops.iter().map(|l| l.range as f64).product();
            operands(&mut statement.value, &mut |expr| {
                if let Some(access) = narrow(expr) {
                    let of = access.tensor;
                    if !wide.contains_key(&of) && is_often(bound, of, rounds) {
                        let copy = copy(bound, of, expr);
                        wide.insert(of, copy.target);
                        made.push(copy);
                    }
                }
                let Some(&tensor) = narrow(expr).and_then(|access| wide.get(&access.tensor)) else {
                    return;
                };
                if let Node::Cast(inner) = &mut expr.node {
                    if let Node::Read(access) = &mut inner.node {
                        let indices = std::mem::take(&mut access.indices);
                        expr.node = Node::Read(Access { tensor, indices });
                    }
                }
            });
        }
        let count = made.len();
        statements.splice(at..at, made);
        at += count + 1;
    }
}

/// Calls for each operand of a product of two or more, if the expression is one.
fn operands(expr: &mut Expr, call: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.node {
        Node::Guard(_, x) | Node::Unary(Unary::Neg, x) => operands(x, call),
        Node::Binary(Binary::Mul, x, y) => {
            factors(x, call);
            factors(y, call);
        }
        _ => {}
    }
}

fn factors(expr: &mut Expr, call: &mut dyn FnMut(&mut Expr)) {
    match &mut expr.node {
        Node::Guard(_, x) | Node::Unary(Unary::Neg, x) => factors(x, call),
        Node::Binary(Binary::Mul, x, y) => {
            factors(x, call);
            factors(y, call);
        }
        _ => call(expr),
    }
}

/// The read of an encoding of floating-point numbers, without look-ups.
fn narrow(expr: &Expr) -> Option<&Access> {
    match &expr.node {
        Node::Cast(inner) if inner.dtype.is_encoding() && expr.dtype.is_float() => {
            match &inner.node {
                Node::Read(access) => {
                    let looks_up = access.indices.iter().any(|each| each.look_up.is_some());
                    (!looks_up).then_some(access)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_often(bound: &Bound, tensor: TensorId, rounds: f64) -> bool {
    let shape = &bound.tensors[tensor].shape;
    let elements = shape
        .iter()
        .try_fold(1i64, |all, &len| all.checked_mul(len));
    elements.is_some_and(|count| (1..=MOST).contains(&count) && rounds >= OFTEN * count as f64)
}

/// The statement that casts all elements of a tensor, as the expression casts one, to a new one.
fn copy(bound: &mut Bound, tensor: TensorId, cast: &Expr) -> Statement {
    let shape = bound.tensors[tensor].shape.clone();
    let stored = bound.tensors[tensor].dtype.unwrap_or(cast.dtype);
    let read = Expr::read(stored, tensor, Index::axes(shape.len()));
    let copy = Statement::whole(bound.tensors.len(), &shape, read.cast(cast.dtype));
    bound.tensors.push(Tensor {
        name: String::new(),
        dtype: Some(cast.dtype),
        shape,
    });
    copy
}
