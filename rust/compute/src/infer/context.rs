//! The context in which parts of a statement are bound.

use super::loops::Loops;
use super::sizes::value;
use super::{condition, extent, Environment};
use crate::ast::{self, Extent};
use crate::bound::{Access, Condition, Index};

/// A statement whose ranges are known, with the guards around the current part.
pub(crate) struct Context<'a> {
    pub environment: &'a mut Environment,
    pub loops: &'a Loops,
    pub ranges: &'a [i64],
    pub label: &'a str,
    /// The conditions of the guards, without those that always hold.
    pub guards: Vec<Condition>,
    /// Whether the current part is guarded: its reads were not checked over the full ranges.
    pub guarded: bool,
    pub faults: Vec<String>,
}

impl Context<'_> {
    pub fn fault(&mut self, what: impl std::fmt::Display) {
        let fault = format!("{}: {what}", self.label);
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Binds an access whose number of indices is the rank of the tensor.
    pub fn access(&mut self, access: &ast::Access, tensor: usize) -> Access {
        let shape = self.environment.tensors[tensor].shape.clone();
        let indices = access
            .indices
            .iter()
            .zip(shape)
            .map(|(index, length)| self.index(index, Some(length)))
            .collect();
        Access { tensor, indices }
    }

    /// Binds an index into an axis; the length is `None` on the left side.
    pub fn index(&mut self, index: &ast::Index, length: Option<i64>) -> Index {
        let affine = self.loops.affine(self.environment, index);
        if !condition::fits(&affine, self.ranges) {
            self.fault(format_args!("index {index} does not fit INT64"));
        }
        let look_up = index.look_up.as_ref().and_then(|access| {
            let tensor = self.environment.tensor(&access.tensor)?;
            Some(Box::new(self.access(access, tensor)))
        });
        let is_kept_inside = |length| {
            condition::is_inside(&affine, length, self.ranges)
                || condition::keep_inside(&self.guards, &affine, length)
        };
        let of_row = affine.terms.iter().any(|&(id, _)| self.loops.is_length(id));
        let checked =
            look_up.is_some() || of_row || self.guarded && !length.is_some_and(is_kept_inside);
        Index {
            affine,
            look_up,
            checked,
        }
    }

    /// Binds conditions, without those that always hold.
    pub fn conditions(&mut self, conditions: &[ast::Condition]) -> Vec<Condition> {
        let mut bound = Vec::new();
        for condition in conditions {
            let affine = self.loops.affine(self.environment, &condition.index);
            if !condition::fits(&affine, self.ranges) {
                self.fault(format_args!("index {} does not fit INT64", condition.index));
            }
            if condition.bound == Extent::None {
                // No upper bound: one that all values of the index are below.
                let (_, greatest) = extent::of(&affine, self.ranges);
                let limit = i64::try_from(greatest).map_or(i64::MAX, |last| last.saturating_add(1));
                bound.push(Condition {
                    affine,
                    bound: limit.max(0),
                });
                continue;
            }
            match value(self.environment, &condition.bound) {
                Ok(limit) => bound.push(Condition {
                    affine,
                    bound: limit,
                }),
                Err(fault) => self.fault(fault),
            }
        }
        bound.retain(|condition| !condition::always_holds(condition, self.ranges));
        bound
    }
}
