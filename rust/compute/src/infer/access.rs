//! The accesses of a statement, as input of range inference.

use super::{Environment, Known};
use crate::ast::{self, Assign, Expr};
use crate::names::display;
use crate::operand::DType;

/// One axis of one read.
pub(crate) struct Axis<'a> {
    /// The name of the tensor.
    pub tensor: &'a str,
    pub axis: usize,
    pub length: i64,
    pub index: &'a ast::Index,
    /// Whether it is inside of a guard: then it does not determine ranges.
    pub guarded: bool,
    /// The read.
    pub access: &'a ast::Access,
    /// Whether it determines ranges: neither what is guarded does, nor what a tensor was a step before.
    pub bounds: bool,
}

/// All reads of a statement, or the faults of their ranks.
pub(crate) fn reads<'a>(
    environment: &Environment,
    assign: &'a Assign,
    label: &str,
) -> Result<Vec<Axis<'a>>, Vec<String>> {
    let mut reads = Reads {
        environment,
        label,
        axes: Vec::new(),
        faults: Vec::new(),
    };
    for index in &assign.left {
        reads.index(index, !assign.guards.is_empty());
    }
    reads.expr(&assign.value, !assign.guards.is_empty());
    for access in &assign.stored {
        reads.access(access, false);
    }
    if reads.faults.is_empty() {
        Ok(reads.axes)
    } else {
        Err(reads.faults)
    }
}

/// The faults of the look-ups in indices.
pub(crate) fn look_up_faults(
    environment: &Environment,
    indices: &[ast::Index],
    label: &str,
) -> Vec<String> {
    let mut reads = Reads {
        environment,
        label,
        axes: Vec::new(),
        faults: Vec::new(),
    };
    indices.iter().for_each(|index| reads.index(index, true));
    reads.faults
}

struct Reads<'a, 'b> {
    environment: &'b Environment,
    label: &'b str,
    axes: Vec<Axis<'a>>,
    faults: Vec<String>,
}

impl<'a> Reads<'a, '_> {
    fn expr(&mut self, expr: &'a Expr, guarded: bool) {
        match expr {
            Expr::Read(access) => self.access(access, guarded),
            Expr::Guard(_, inner) => self.expr(inner, true),
            _ => expr
                .children()
                .into_iter()
                .for_each(|child| self.expr(child, guarded)),
        }
    }

    fn index(&mut self, index: &'a ast::Index, guarded: bool) {
        let Some(access) = &index.look_up else { return };
        if let Some(id) = self.environment.tensor(&access.tensor) {
            let tensor = &self.environment.tensors[id];
            match tensor.dtype {
                Some(dtype) if dtype.is_integer() && dtype != DType::UInt64 => {}
                dtype => {
                    let dtype = dtype.map_or("a number", DType::name);
                    let (label, name) = (self.label, &tensor.name);
                    self.faults.push(format!(
                        "{label}: {name} is {dtype}, but a look-up needs integers, and no UINT64"
                    ));
                }
            }
        }
        self.access(access, guarded);
    }

    fn access(&mut self, access: &'a ast::Access, guarded: bool) {
        for index in &access.indices {
            self.index(index, guarded);
        }
        // The adjoint of a tensor without gradients reads as 0.
        let Some(Known::Tensor(id)) = self.environment.known.get(&access.tensor) else {
            return;
        };
        let shape = &self.environment.tensors[*id].shape;
        if shape.len() != access.indices.len() {
            let (name, rank, given) = (display(&access.tensor), shape.len(), access.indices.len());
            let fault = format!(
                "{}: {name} has rank {rank}, {given} {} given",
                self.label,
                if given == 1 { "index" } else { "indices" }
            );
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
            return;
        }
        for (axis, (index, &length)) in access.indices.iter().zip(shape).enumerate() {
            self.axes.push(Axis {
                tensor: &access.tensor,
                axis,
                length,
                index,
                guarded,
                access,
                bounds: !guarded && !self.environment.lags.contains(&access.tensor),
            });
        }
    }
}
