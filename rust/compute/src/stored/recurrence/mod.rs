//! Recurrences among statements over ragged and sparse tensors: each row is a dense program of its own, with the recurrence of dense programs in it.
//!
//! The loops on which the steps depend stand before that of the steps. So what a scan reads and makes for one row is dense: a slice of each operand,
//! and a part of each result that lies in one piece. Rows of the same length have one plan.

mod classes;
mod merged;
mod results;
mod rows;
mod slices;
mod text;
mod values;
mod writer;

pub(super) use self::rows::RowList;

use std::collections::HashMap;

use self::classes::{Classes, NONE};
use self::text::{rows_before, RowText};
use super::kinds::Kinds;
use super::lengths;
use super::plans::Plans;
use super::tensor::Tensor;
use crate::ast::{Assign, Extent, First};
use crate::infer::Environment;
use crate::operand::Number;
use crate::scan::Block;
use crate::Error;

/// What is known of a recurrence after it has run.
pub(super) struct Done {
    pub statements: std::ops::Range<usize>,
    /// For each class of rows the ranges of each statement's loops.
    ranges: Vec<Vec<HashMap<String, i64>>>,
    class_of: Vec<u32>,
}

impl Done {
    /// The range of a loop of a statement in a row.
    fn range(&self, at: usize, name: &str, row: usize) -> i64 {
        let class = match self.class_of.get(row) {
            Some(&NONE) | None => 0,
            Some(&class) => class as usize,
        };
        let ranges = self.ranges.get(class);
        let ranges = ranges.and_then(|each| each.get(at - self.statements.start));
        ranges.and_then(|each| each.get(name)).copied().unwrap_or(0)
    }

    /// The ranges of a statement's loops where all rows have the same.
    pub fn ranges(&self, at: usize) -> HashMap<String, i64> {
        let ranges = self.ranges.first();
        let ranges = ranges.and_then(|each| each.get(at - self.statements.start));
        ranges.cloned().unwrap_or_default()
    }
}

/// A recurrence that is about to run.
pub(super) struct Recurrence<'r, 'a> {
    pub environment: &'r Environment,
    pub tensors: &'r [Tensor<'a>],
    pub block: &'r Block,
    pub body: &'r [Assign],
    /// A bound of the depth of the statements' trees.
    pub depth: usize,
    /// The recurrences before it.
    pub done: &'r [Done],
    pub plans: &'r Plans,
}

/// A result, or nothing for the adjoint of what has no gradient.
pub(super) type Made<'a> = Option<Tensor<'a>>;

impl<'a> Recurrence<'_, 'a> {
    /// Whether it reads something ragged, or steps depend on rows.
    fn is_ragged(&self) -> bool {
        let of = |name: &str| {
            let id = self.environment.tensor(name);
            id.is_some_and(|id| self.environment.tensors[id].shape.contains(&-1))
        };
        let of_row = |extent: &Extent| {
            let mut found = lengths::is_of_row(self.environment, extent);
            if let Extent::Sum(sum) = extent {
                let mut lengths = sum.lengths.iter();
                found |= !sum.terms.is_empty();
                found |= lengths.any(|(_, each)| lengths::is_of_row(self.environment, each));
            }
            found
        };
        let inits = self.block.lags.iter().filter_map(|lag| match &lag.init {
            Some(First::Tensor(tensor)) => Some(tensor),
            _ => None,
        });
        self.block.range.as_ref().is_some_and(of_row)
            || inits.into_iter().any(|tensor| of(tensor))
            || self.body.iter().any(|assign| {
                let accesses = assign.accesses();
                accesses.iter().any(|read| of(&read.tensor))
                    || assign.lengths().into_iter().any(of_row)
                    || Kinds::has_rows(assign)
                    || matches!(&assign.shape, Some(crate::ast::Shape::Like(name)) if of(name))
            })
    }

    fn label(&self) -> String {
        let step = self.block.step.split('\'').next().unwrap_or_default();
        format!("scan {step}")
    }

    /// Runs it. `wanted` says which results are needed after it.
    pub fn run(
        &self,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<(Vec<Made<'a>>, RowList<'a>, Done), Error> {
        let axes = match self.is_ragged() {
            true => Some(rows_before(self.block, self.body)?),
            false => None,
        };
        let text = RowText::new(self.environment, self.block, self.body, axes.unwrap_or(0))?;
        let list = match axes {
            Some(axes) => self.rows(axes)?,
            None => RowList::dense()?,
        };
        let outputs: Vec<String> = self.body.iter().map(|each| each.target.clone()).collect();
        let outputs: Vec<String> = outputs.into_iter().filter(|label| wanted(label)).collect();
        let mut classes = Classes {
            of: self,
            text: &text,
            outputs: &outputs,
            classes: Vec::new(),
            keys: HashMap::new(),
            refers: text.refers(),
        };
        let mut class_of = Vec::with_capacity(list.len());
        for row in 0..list.len() {
            class_of.push(match list.steps(row) {
                Some(0) => NONE,
                _ => classes.of_row(&list, Some(row))?,
            });
        }
        if classes.classes.is_empty() {
            // What has no steps has types and shapes still.
            classes.of_row(&list, None)?;
        }
        let classes = classes.classes;
        let made = self.results(&text, &list, &classes, &class_of)?;
        let mut made = made.into_iter();
        let results = self.body.iter().map(|assign| {
            let label = &assign.target;
            match outputs.contains(label) {
                true => made.next().flatten(),
                // Nobody reads it.
                false => Some(Tensor::number(Number::Integer(0))),
            }
        });
        let results = results.collect();
        let ranges = classes.into_iter().map(|class| class.ranges);
        let done = Done {
            statements: self.block.statements.clone(),
            ranges: ranges.collect(),
            class_of,
        };
        Ok((results, list, done))
    }
}
