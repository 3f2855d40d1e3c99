//! One statement over the rows and the steps of a recurrence, which bounds their loops.

use super::text::rows;
use super::Recurrence;
use crate::ast::{Access, Assign, Expr, Extent, First, Index, Shape};
use crate::batch::unguarded_of;
use crate::infer::steps::reading;
use crate::scan;

impl Recurrence<'_, '_> {
    /// A statement over the rows and the steps that reads what the block reads unguarded from outside, as far as that bounds their loops.
    pub(super) fn merged(&self, axes: usize) -> Assign {
        let step = &self.block.step;
        let names = rows(&self.body[0], axes);
        let own = |name: &str| {
            self.block.lag(name).is_some() || self.body.iter().any(|each| each.target == name)
        };
        let mut reads: Vec<Access> = Vec::new();
        let mut ranges: Vec<(String, Extent)> = Vec::new();
        for (number, assign) in self.body.iter().enumerate() {
            let of_rows = rows(assign, axes);
            let mut assign = assign.clone();
            scan::rename_loops(
                &mut assign,
                &|name| match of_rows.iter().position(|row| row == name) {
                    Some(axis) => names[axis].clone(),
                    None if name == step => name.to_owned(),
                    None => format!("{name}'{number}"),
                },
            );
            for (name, extent) in &assign.ranges {
                let is_new = ranges.iter().all(|(other, _)| other != name);
                if is_new && name != step && !matches!(extent, Extent::Range(..)) {
                    ranges.push((name.clone(), extent.clone()));
                }
            }
            if !assign.guards.is_empty() {
                continue;
            }
            unguarded_of(&assign, &mut |read| {
                if !own(&read.tensor) {
                    reads.push(read.clone());
                }
            });
            if let Some(Shape::Like(name)) = &assign.shape {
                if !own(name) {
                    reads.push(Access {
                        tensor: name.clone(),
                        indices: assign.left.clone(),
                    });
                }
            }
        }
        for lag in &self.block.lags {
            let Some(First::Tensor(tensor)) = &lag.init else {
                continue;
            };
            let of = self.body.iter().find(|assign| assign.target == lag.of);
            let others = of.map_or(0, |assign| assign.left.len() - 1);
            if self.rank(tensor) == Some(others) {
                let rows = names.iter().cloned().map(Index::of);
                let mut indices: Vec<Index> = rows.collect();
                indices.resize(others, Index::number(0));
                reads.push(Access {
                    tensor: tensor.clone(),
                    indices,
                });
            }
        }
        if let Some(range) = &self.block.range {
            let mut range = range.clone();
            generic(&mut range, &names);
            if let Extent::Len(tensor, indices) = &range {
                // The rows are those of that tensor.
                let mut indices = indices.clone();
                indices.resize(self.rank(tensor).unwrap_or(0), Index::number(0));
                reads.push(Access {
                    tensor: tensor.clone(),
                    indices,
                });
            }
            ranges.retain(|(name, _)| name != step);
            ranges.push((step.clone(), range));
        }
        self.narrow(&mut reads, &mut ranges, &names);
        let left = names.iter().cloned().map(Index::of);
        let left = left.chain([Index::of(step.clone())]).collect();
        let mut values: Vec<Expr> = reads.into_iter().map(Expr::Read).collect();
        values.push(Expr::Loop(step.clone()));
        reading(step, left, values, ranges)
    }

    fn rank(&self, tensor: &str) -> Option<usize> {
        let id = self.environment.tensor(tensor)?;
        Some(self.environment.tensors[id].shape.len())
    }

    /// Leaves out indices that have no part in the ranges of the rows and of the steps.
    fn narrow(&self, reads: &mut [Access], ranges: &mut Vec<(String, Extent)>, names: &[String]) {
        let mut counts: Vec<String> = names.to_vec();
        counts.push(self.block.step.clone());
        loop {
            let before = counts.len();
            for index in reads.iter().flat_map(|read| &read.indices) {
                let has = |name: &String| counts.contains(name);
                if index.look_up.is_none() && index.terms.iter().any(|(_, name)| has(name)) {
                    for (_, name) in &index.terms {
                        if !counts.contains(name) {
                            counts.push(name.clone());
                        }
                    }
                }
            }
            if counts.len() == before {
                break;
            }
        }
        for read in reads {
            let id = self.environment.tensor(&read.tensor);
            let shape = id.map_or(&[][..], |id| &self.environment.tensors[id].shape);
            let last = shape.iter().rposition(|&length| length < 0);
            for (axis, index) in read.indices.iter_mut().enumerate() {
                let is_before = last.is_some_and(|last| axis < last);
                let is_open = index.look_up.is_some() || !index.lengths.is_empty();
                let all = index.terms.iter().all(|(_, name)| counts.contains(name));
                if !(is_before || all && !is_open) {
                    *index = Index::number(0);
                }
            }
        }
        ranges.retain(|(name, _)| counts.contains(name));
    }
}

/// Names the loops of rows in the range of a gradient's steps, which are those of axes, as the statement at hand does.
fn generic(extent: &mut Extent, names: &[String]) {
    let index = |index: &mut Index| {
        for (_, name) in &mut index.terms {
            let axis = name
                .strip_prefix('m')
                .and_then(|rest| rest.strip_suffix('\''));
            let axis = axis.and_then(|axis| axis.parse::<usize>().ok());
            if let Some(own) = axis.and_then(|axis| names.get(axis)) {
                name.clone_from(own);
            }
        }
    };
    if let Extent::Len(_, indices) = extent {
        indices.iter_mut().for_each(index);
    }
}
