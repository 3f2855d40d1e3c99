//! Which tensors of a program are ragged or sparse, before any shape is known: gradients of what reads them run at their points.

use std::collections::{HashMap, HashSet};

use super::run::InputKind;
use crate::ast::{Assign, Extent, Index, Shape};
use crate::program::Plain;
use crate::scan;

/// The kinds of tensors by label; dense ones are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds(HashMap<String, InputKind>);

impl Kinds {
    pub fn new(inputs: impl Iterator<Item = (String, InputKind)>) -> Kinds {
        Kinds(
            inputs
                .filter(|(_, kind)| *kind != InputKind::Dense)
                .collect(),
        )
    }

    /// The number of axes of a ragged tensor.
    pub fn rank(&self, name: &str) -> Option<usize> {
        match self.0.get(name) {
            Some(InputKind::Ragged(ragged)) => Some(ragged.len()),
            _ => None,
        }
    }

    /// Whether an axis of a tensor is ragged.
    pub fn is_ragged(&self, name: &str, axis: i64) -> bool {
        match (self.0.get(name), usize::try_from(axis)) {
            (Some(InputKind::Ragged(ragged)), Ok(axis)) => ragged.get(axis) == Some(&true),
            _ => false,
        }
    }

    /// Takes the kind of what a statement defines, in place of what had that name.
    pub fn define(&mut self, assign: &Assign) {
        let kind = match &assign.shape {
            Some(_) => self.pinned(assign),
            None if assign.sparse => Some(InputKind::Sparse),
            None => self.rows_of(assign),
        };
        match kind {
            Some(kind) => self.0.insert(assign.target.clone(), kind),
            None => self.0.remove(&assign.target),
        };
    }

    /// Whether ranges of a statement depend on loops, whatever its operands are.
    pub fn has_rows(assign: &Assign) -> bool {
        let mut varying = assign.ranges.iter().filter_map(|(_, extent)| match extent {
            Extent::Sum(sum) => Some(sum),
            _ => None,
        });
        varying.any(|sum| !sum.terms.is_empty())
    }

    /// Whether a number is the length of a ragged row.
    fn is_of_row(&self, extent: &Extent) -> bool {
        match extent {
            Extent::Len(name, indices) => match self.0.get(name) {
                Some(InputKind::Ragged(ragged)) => ragged.get(indices.len()) == Some(&true),
                _ => false,
            },
            _ => false,
        }
    }

    /// For each statement whether it reads or makes what is not dense, and the kinds of all tensors.
    pub fn of_statements(&self, plain: &Plain) -> (Vec<bool>, Kinds) {
        let mut kinds = self.clone();
        let mut stored: Vec<bool> = Vec::with_capacity(plain.statements.len());
        for (number, assign) in plain.statements.iter().enumerate() {
            let block = plain.block_of(number);
            if let Some(block) = block.filter(|block| block.statements.start == number) {
                let body = &plain.statements[block.statements.clone()];
                kinds.define_block(&block.step, block.range.as_ref(), body);
                for lag in &block.lags {
                    if let Some(kind) = kinds.0.get(&lag.of).cloned() {
                        kinds.0.insert(lag.target.clone(), kind);
                    }
                }
            }
            let mut accesses = assign.accesses().into_iter();
            let reads = accesses.any(|access| kinds.0.contains_key(&access.tensor));
            let like = match &assign.shape {
                Some(Shape::Like(name)) => kinds.0.get(name).cloned(),
                _ => None,
            };
            let of_primal = assign.ranges.iter().any(|(_, extent)| match extent {
                Extent::Range(at, _) => stored.get(*at).copied().unwrap_or(false),
                _ => false,
            });
            let is_stored = reads
                || like.is_some()
                || assign.sparse
                || !assign.stored.is_empty()
                || of_primal
                || assign
                    .lengths()
                    .iter()
                    .any(|extent| kinds.is_of_row(extent))
                || Kinds::has_rows(assign)
                || block.is_some() && kinds.0.contains_key(&assign.target);
            stored.push(is_stored);
            if block.is_some() {
                continue;
            }
            let kind = match like {
                Some(kind) => Some(kind),
                None if assign.shape.is_some() => kinds.pinned(assign),
                None if assign.sparse => Some(InputKind::Sparse),
                None if is_stored => kinds.rows_of(assign),
                None => None,
            };
            if let Some(kind) = kind {
                kinds.0.insert(assign.target.clone(), kind);
            }
        }
        (stored, kinds)
    }

    /// Takes the kinds of what a recurrence defines: the axes of rows and of the steps are of the same kind in all of it.
    pub fn define_block(&mut self, step: &str, range: Option<&Extent>, body: &[Assign]) {
        let mut ragged: HashSet<usize> = HashSet::new();
        for assign in body {
            let Some(axis) = scan::axis(assign, step) else {
                continue;
            };
            let loops = self.ragged_loops(assign);
            let is_ragged = |index: &Index| index.lone().is_some_and(|name| loops.contains(name));
            ragged.extend((0..=axis).filter(|&axis| is_ragged(&assign.left[axis])));
            if range.is_some() {
                ragged.remove(&axis);
            }
            if range.is_some_and(|range| self.varies(range)) {
                ragged.insert(axis);
            }
        }
        for assign in body {
            let kind: Vec<bool> = (0..assign.left.len())
                .map(|axis| ragged.contains(&axis))
                .collect();
            match kind.contains(&true) {
                true => self
                    .0
                    .insert(assign.target.clone(), InputKind::Ragged(kind)),
                false => self.0.remove(&assign.target),
            };
        }
    }

    /// The kind of a target whose shape is given: an axis is ragged if its length is that of a row.
    fn pinned(&self, assign: &Assign) -> Option<InputKind> {
        let Some(Shape::Sizes(sizes)) = &assign.shape else {
            return None;
        };
        let ragged: Vec<bool> = sizes.iter().map(|size| self.varies(size)).collect();
        ragged.contains(&true).then_some(InputKind::Ragged(ragged))
    }

    /// Whether a bound depends on loops or on rows.
    fn varies(&self, extent: &Extent) -> bool {
        match extent {
            Extent::Sum(sum) => {
                let mut lengths = sum.lengths.iter();
                !sum.terms.is_empty() || lengths.any(|(_, length)| self.varies(length))
            }
            _ => self.is_of_row(extent),
        }
    }

    /// The kind of a target whose axes may be ragged: those with a loop that is an index of a ragged axis, or whose range depends on others.
    fn rows_of(&self, assign: &Assign) -> Option<InputKind> {
        let loops = self.ragged_loops(assign);
        let rest = self.rest(assign);
        let of_index = |index: &Index| match index.rest {
            true => rest.clone(),
            false => vec![index.terms.iter().any(|(_, name)| loops.contains(name))],
        };
        let ragged: Vec<bool> = assign.left.iter().flat_map(of_index).collect();
        ragged.contains(&true).then_some(InputKind::Ragged(ragged))
    }

    /// Which of the axes for which `...` stands are ragged, as far as what is ragged has them: they are aligned from the last one.
    fn rest(&self, assign: &Assign) -> Vec<bool> {
        let mut rest: Vec<bool> = Vec::new();
        for access in assign.rests() {
            let Some(InputKind::Ragged(ragged)) = self.0.get(&access.tensor) else {
                continue;
            };
            let indices = &access.indices;
            let before = indices.iter().position(|index| index.rest).unwrap_or(0);
            let end = (ragged.len() + before + 1).saturating_sub(indices.len());
            let axes = ragged.get(before..end).unwrap_or_default();
            for (at, &is_ragged) in axes.iter().rev().enumerate() {
                match rest.get_mut(at) {
                    Some(known) => *known |= is_ragged,
                    None => rest.push(is_ragged),
                }
            }
        }
        rest.reverse();
        rest
    }

    /// The loops of a statement whose ranges depend on rows or on others.
    fn ragged_loops(&self, assign: &Assign) -> HashSet<String> {
        let mut loops: HashSet<String> = HashSet::new();
        let varying = assign
            .ranges
            .iter()
            .filter(|(_, extent)| self.varies(extent));
        loops.extend(varying.map(|(name, _)| name.clone()));
        // Look-ups among them; more than there are do no harm.
        for access in assign.accesses() {
            if let Some(InputKind::Ragged(ragged)) = self.0.get(&access.tensor) {
                let rest = access.indices.iter().position(|index| index.rest);
                let more = (ragged.len() + 1).saturating_sub(access.indices.len());
                for (at, index) in access.indices.iter().enumerate() {
                    let axis = match rest {
                        Some(rest) if at > rest => at + more - 1,
                        _ => at,
                    };
                    if index.rest || ragged.get(axis) != Some(&true) {
                        continue;
                    }
                    loops.extend(index.terms.iter().map(|(_, name)| name.clone()));
                }
            }
        }
        loops
    }
}
