//! Dense statements between others, as one program.

use std::collections::{HashMap, HashSet};

use super::memory::Buffer;
use super::plans::Plans;
use super::tensor::{Form, Tensor};
use crate::bound::{Access, Bound, Expr, Index, Node, Statement, TensorId};
use crate::infer::Environment;
use crate::operand::{DType, Operand, OperandMut, Strided};
use crate::signature::{Kind, Signature};
use crate::Error;

/// The program of statements: its inputs, and the tensors that it returns, by their numbers in the environment.
pub(super) fn bound(
    environment: &Environment,
    mut statements: Vec<Statement>,
    wanted: &HashSet<TensorId>,
    depth: usize,
) -> (Bound, Vec<TensorId>, Vec<TensorId>) {
    let targets: Vec<TensorId> = statements
        .iter()
        .map(|statement| statement.target)
        .collect();
    let mut used = Vec::new();
    for statement in &mut statements {
        each(statement, &mut |id| {
            if !targets.contains(id) && !used.contains(id) {
                used.push(*id);
            }
        });
    }
    let numbers: HashMap<TensorId, TensorId> =
        used.iter().chain(&targets).copied().zip(0..).collect();
    for statement in &mut statements {
        each(statement, &mut |id| *id = numbers[id]);
        statement.target = numbers[&statement.target];
    }
    let made: Vec<TensorId> = targets
        .iter()
        .copied()
        .filter(|id| wanted.contains(id))
        .collect();
    let all = used.iter().chain(&targets);
    let mut typed: Vec<(TensorId, DType)> = environment
        .numbers
        .iter()
        .filter_map(|(id, dtype)| Some((*numbers.get(id)?, *dtype)))
        .collect();
    typed.sort_by_key(|&(id, dtype)| (id, dtype as u8));
    typed.dedup();
    let bound = Bound {
        tensors: all.map(|&id| environment.tensors[id].clone()).collect(),
        statements,
        scans: Vec::new(),
        returned: made.iter().map(|id| numbers[id]).collect(),
        numbers: typed,
        inputs: used.len(),
        outputs: made
            .iter()
            .map(|&id| Signature {
                kind: environment.kinds[id],
                shape: environment.tensors[id].shape.clone(),
            })
            .collect(),
        depth,
    };
    (bound, used, made)
}

/// Calls `visit` with the number of each tensor that a statement reads.
fn each(statement: &mut Statement, visit: &mut impl FnMut(&mut TensorId)) {
    fn index(index: &mut Index, visit: &mut impl FnMut(&mut TensorId)) {
        if let Some(look_up) = &mut index.look_up {
            access(look_up, visit);
        }
    }
    fn access(read: &mut Access, visit: &mut impl FnMut(&mut TensorId)) {
        visit(&mut read.tensor);
        read.indices.iter_mut().for_each(|each| index(each, visit));
    }
    fn expr(value: &mut Expr, visit: &mut impl FnMut(&mut TensorId)) {
        match &mut value.node {
            Node::Constant(_) | Node::Loop(_) => {}
            Node::Number(id) => visit(id),
            Node::Read(read) => access(read, visit),
            Node::Unary(_, a) | Node::Cast(a) | Node::Guard(_, a) => expr(a, visit),
            Node::Binary(_, a, b) => {
                expr(a, visit);
                expr(b, visit);
            }
            Node::Select(condition, a, b) => {
                expr(condition, visit);
                expr(a, visit);
                expr(b, visit);
            }
        }
    }
    statement
        .left
        .iter_mut()
        .for_each(|each| index(each, visit));
    expr(&mut statement.value, visit);
}

/// Runs the program.
pub(super) fn run(
    plans: &Plans,
    bound: &Bound,
    inputs: &[&Tensor<'_>],
    outputs: &[Signature],
    buffers: &mut [(DType, Buffer)],
) -> Result<(), Error> {
    let plan = plans.of(bound)?;
    let layout = |shape, strides| {
        Strided::new(shape, strides, 0).map_err(|error| Error::illegal(error.to_string()))
    };
    let mut operands = Vec::new();
    for input in inputs {
        operands.push(match (&input.form, input.kind) {
            (Form::Dense { shape, strides }, Kind::Typed(dtype)) => Operand::Tensor {
                dtype,
                data: input.data,
                layout: layout(&shape[..], &strides[..])?,
            },
            (Form::Number(number), _) => Operand::Number(*number),
            _ => return Err(Error::illegal("an operand that is not dense")),
        });
    }
    let strides: Vec<Vec<i64>> = outputs
        .iter()
        .map(|output| super::tensor::row_major(&output.shape))
        .collect();
    let mut made = Vec::new();
    for (((dtype, buffer), output), strides) in buffers.iter_mut().zip(outputs).zip(&strides) {
        made.push(OperandMut {
            dtype: *dtype,
            data: buffer.start_mut(),
            layout: layout(&output.shape[..], &strides[..])?,
        });
    }
    // SAFETY: inputs are what they say, as who made them promised, of the shapes to which the program was bound; outputs are buffers of their own, as
    // long as their shapes.
    unsafe { plan.run(&operands, &mut made) }
}
