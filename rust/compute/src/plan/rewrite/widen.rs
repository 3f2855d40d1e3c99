//! FLOAT sums that are scattered, accumulated in DOUBLE.
//!
//! Elements of a scattered sum take in one value after the other, in the order of the loops. In FLOAT a sum of n values would be off by n ulp, and
//! from 2^24 on adding 1 would change nothing. So where elements may take in many values, they are accumulated in a DOUBLE tensor, and rounded once.

use super::footprint::injective;
use crate::ast::Op;
use crate::bound::{Bound, Expr, Index, LoopId, Statement, Tensor};
use crate::operand::DType;

/// The most values of an element that are accumulated in FLOAT.
const MOST: f64 = 64.0;

/// Makes each such statement two: one that accumulates, and one that rounds.
pub(crate) fn widen(bound: &mut Bound, statements: &mut Vec<Statement>) {
    let narrow = std::mem::take(statements);
    for mut statement in narrow {
        let is_float = statement.op == Op::Sum && statement.value.dtype == DType::Float;
        if !is_float || injective(&statement) || values(&statement) <= MOST {
            statements.push(statement);
            continue;
        }
        let target = statement.target;
        let wide = bound.tensors.len();
        let tensor = bound.tensors[target].clone();
        let shape = tensor.shape.clone();
        bound.tensors.push(Tensor {
            dtype: Some(DType::Double),
            ..tensor
        });
        statement.target = wide;
        statement.value = statement.value.cast(DType::Double);
        statements.push(statement);
        let sum = Expr::read(DType::Double, wide, Index::axes(shape.len()));
        let rounded = Statement::whole(target, &shape, sum.cast(DType::Float));
        statements.push(rounded);
    }
}

/// A bound of the number of values that one element takes in: iterations differ in it only by loops that do not tell elements apart.
fn values(statement: &Statement) -> f64 {
    let mut apart: Vec<LoopId> = Vec::new();
    for index in statement
        .left
        .iter()
        .filter(|index| index.look_up.is_none())
    {
        let free = index.affine.loops().filter(|id| !apart.contains(id));
        apart.extend(free.max_by_key(|&id| statement.loops[id].range));
    }
    let rest = (0..statement.loops.len()).filter(|id| !apart.contains(id));
    rest.map(|id| statement.loops[id].range as f64).product()
}
