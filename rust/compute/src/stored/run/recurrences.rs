//! Recurrences in a run.

use std::sync::Arc;

use super::prepared::depth;
use super::Run;
use crate::ast::{self, Assign, Extent, Index, Shape};
use crate::bound::TensorId;
use crate::infer::{Environment, Known};
use crate::scan::{self, Block};
use crate::stored::infer::infer;
use crate::stored::recurrence::{Recurrence, RowList};
use crate::stored::report::{self, Entry};
use crate::stored::tensor::Tensor;
use crate::Error;

impl<'a> Run<'_, 'a> {
    /// Runs a recurrence.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), Error> {
        let plain = Arc::clone(&self.plain);
        let statements = block.statements.clone();
        let body = &plain.statements[statements.clone()];
        let later = &plain.statements[statements.end..];
        let refers =
            |extent: &Extent| matches!(extent, Extent::Range(at, _) if statements.contains(at));
        let is_gradient = |each: &ast::Statement| matches!(each, ast::Statement::Gradient(_));
        let is_primal = self.prepared.open.is_some()
            && self.prepared.program.statements().iter().any(is_gradient)
            || later
                .iter()
                .any(|assign| assign.ranges.iter().any(|(_, extent)| refers(extent)));
        let mut wanted = self.wanted(&plain, statements.end);
        for assign in later {
            let names = assign.lengths().into_iter().filter_map(Extent::tensor);
            wanted.extend(names.map(str::to_owned));
            wanted.extend(assign.adjoint.iter().cloned());
            if let Some(Shape::Like(name)) = &assign.shape {
                wanted.insert(name.clone());
            }
        }
        let differentiated = plain.differentiated.iter().chain(&plain.seeds);
        wanted.extend(differentiated.flat_map(|(a, b)| [a.clone(), b.clone()]));
        let recurrence = Recurrence {
            environment: &self.environment,
            tensors: &self.tensors,
            block,
            body,
            depth: depth(&self.prepared.program),
            done: &self.done,
            plans: &self.prepared.plans,
        };
        let is_told = self.entries.is_some();
        let is_wanted = |label: &str| is_primal || is_told || wanted.contains(label);
        let (made, rows, done) = recurrence.run(&is_wanted)?;
        if self.entries.is_some() {
            self.explain_block(block, body, &made, &rows);
        }
        for (assign, made) in body.iter().zip(made) {
            match made {
                None => {
                    let known = &mut self.environment.known;
                    known.insert(assign.target.clone(), Known::Nothing);
                }
                Some(made) => self.define(&assign.target, made)?,
            }
        }
        let is_ragged = rows.form.is_some();
        if is_primal && is_ragged {
            for lag in &block.lags {
                if let Some(of) = self.environment.tensor(&lag.of) {
                    self.define(&lag.target, self.tensors[of].clone())?;
                }
            }
        }
        for (at, assign) in statements.clone().zip(body) {
            let is_there = self.environment.tensor(&assign.target).is_some();
            if !(is_primal && is_ragged && is_there) {
                self.nests.push(None);
                self.environment.ranges.push(done.ranges(at));
                continue;
            }
            // Its gradient runs over its points.
            let member = member(&self.environment, block, assign, rows.axes);
            let inferred = infer(
                &mut self.environment,
                &member,
                None,
                None,
                &self.tensors,
                depth(&self.prepared.program),
            )?;
            self.environment.ranges.push(inferred.fixed_ranges());
            self.nests.push(Some(inferred.nest));
            self.members.insert(at, member);
        }
        self.done.push(done);
        Ok(())
    }

    /// Says what a recurrence did.
    fn explain_block(
        &mut self,
        block: &Block,
        body: &[Assign],
        made: &[Option<Tensor<'a>>],
        rows: &RowList<'_>,
    ) {
        let tensors = &self.environment.tensors;
        let names = |id: TensorId| tensors[id].name.clone();
        let steps = (0..rows.len()).map(|row| rows.steps(row).unwrap_or(0) as u128);
        let steps: u128 = steps.sum();
        for (assign, made) in body.iter().zip(made) {
            let Some(made) = made else { continue };
            let (count, points) = match &rows.form {
                Some(_) => (rows.len(), steps),
                None => {
                    let axis = scan::axis(assign, &block.step);
                    let length = axis.and_then(|axis| made.shape().get(axis));
                    (1, length.copied().unwrap_or(0) as u128)
                }
            };
            let of = if count == 1 { "" } else { "s" };
            let entry = Entry {
                text: block.text(assign).replace("#0", ""),
                loops: format!("the steps {} of {count} row{of}", block.step),
                points,
                result: report::result(made, &self.tensors, &names),
            };
            self.entries.get_or_insert_with(Vec::new).push(entry);
        }
    }
}

/// A statement of a recurrence over rows as one of its own: where nothing that it reads gives the ranges of the rows and of the steps, its target
/// does.
fn member(environment: &Environment, block: &Block, assign: &Assign, axes: usize) -> Assign {
    let mut member = assign.clone();
    let mut reads = Vec::new();
    if assign.guards.is_empty() {
        crate::batch::unguarded(&assign.value, &mut reads);
    }
    for axis in 0..=axes {
        let Some(name) = assign.left[axis].lone() else {
            continue;
        };
        let is_step = name == block.step;
        // The range of a loop of another recurrence is another one in each row.
        let is_of_row = |(other, extent): &(String, Extent)| {
            other == name && matches!(extent, Extent::Range(..))
        };
        member.ranges.retain(|range| !is_of_row(range));
        let is_lone = |index: &Index| index.lone() == Some(name);
        let is_read = reads.iter().any(|read| read.indices.iter().any(is_lone))
            || matches!(assign.shape, Some(Shape::Like(_)));
        let is_given = member.ranges.iter().any(|(other, _)| other == name);
        if is_given || is_read && !(is_step && block.range.is_some()) {
            continue;
        }
        let id = environment.tensor(&assign.target);
        let length = id.and_then(|id| environment.tensors[id].shape.get(axis));
        let extent = match length {
            Some(-1) => Extent::Len(assign.target.clone(), assign.left[..axis].to_vec()),
            _ => Extent::Size(assign.target.clone(), axis as i64),
        };
        member.ranges.push((name.to_owned(), extent));
    }
    member
}
