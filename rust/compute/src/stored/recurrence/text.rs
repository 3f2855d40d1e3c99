//! The statements of a recurrence over rows, as they run for one row: its loops have range 1, and what is read are slices.

use std::collections::HashSet;

use super::slices::Slice;
use super::values::Values;
use super::writer::Writer;
use crate::ast::{Assign, Extent, Index};
use crate::infer::Environment;
use crate::names::display;
use crate::scan::{self, Block};
use crate::{Error, ErrorKind};

/// The text of a recurrence for one row.
#[derive(Debug)]
pub(super) struct RowText {
    /// The statements; what depends on a row's own number is left to [`of_row`](RowText::of_row).
    body: Vec<Assign>,
    block: Block,
    /// The inputs, by label.
    pub slices: Vec<(String, Slice)>,
    /// Adjoints of what has no gradient: they read as 0.
    pub nothing: Vec<String>,
    /// Whether the numbers of rows stand in indices with others, in guards or in values, so that each row has a plan of its own.
    pub varies: bool,
}

impl RowText {
    /// The text of a block whose statements have the loops of rows on so many axes before that of the steps.
    pub fn new(
        environment: &Environment,
        block: &Block,
        body: &[Assign],
        rows: usize,
    ) -> Result<RowText, Error> {
        let mut own: HashSet<&str> = body.iter().map(|assign| &*assign.target).collect();
        own.extend(block.lags.iter().map(|lag| &*lag.target));
        let mut writer = Writer {
            environment,
            own,
            block,
            count: rows,
            rows: Vec::new(),
            label: String::new(),
            slices: Vec::new(),
            nothing: Vec::new(),
            varies: false,
            faults: Vec::new(),
        };
        let body: Vec<Assign> = body.iter().map(|assign| writer.statement(assign)).collect();
        let mut block = block.clone();
        block.statements = 0..block.statements.len();
        writer.around(&mut block, &body);
        match writer.faults.is_empty() {
            true => Ok(RowText {
                body,
                block,
                slices: writer.slices,
                nothing: writer.nothing,
                varies: writer.varies,
            }),
            false => Err(Error::new(ErrorKind::IllegalArgument, writer.faults)),
        }
    }

    /// The statements and the block for a row of so many steps; without a number the block's own text says how many. `range` is the range of a loop
    /// of an earlier statement there.
    pub fn of_row(
        &self,
        row: &[i64],
        steps: Option<i64>,
        range: &dyn Fn(usize, &str) -> i64,
    ) -> (Vec<Assign>, Block) {
        let mut block = self.block.clone();
        if let Some(steps) = steps {
            block.range = Some(Extent::Number(steps));
        }
        let mut body = self.body.clone();
        let values = Values { row, range };
        if let Some(range) = &mut block.range {
            values.extent(range);
        }
        body.iter_mut().for_each(|assign| values.statement(assign));
        (body, block)
    }

    /// The earlier statements to whose ranges the text refers.
    pub fn refers(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let ranges = self.body.iter().flat_map(|assign| &assign.ranges);
        let range = self.block.range.iter();
        for extent in ranges.map(|(_, extent)| extent).chain(range) {
            if let Extent::Range(at, _) = extent {
                found.push(*at);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The name of a row's loop on an axis where its number counts; no text can have it.
pub(super) fn numbered(axis: usize) -> String {
    format!("row{axis}'")
}

/// The loops of rows of a statement.
pub(super) fn rows(assign: &Assign, count: usize) -> Vec<String> {
    let lone = |index: &Index| index.lone().unwrap_or_default().to_owned();
    assign.left[..count].iter().map(lone).collect()
}

/// The axis of the steps of a block over rows: the loops of a row are alone before it on every left side, and have the same names in a text.
pub(super) fn rows_before(block: &Block, body: &[Assign]) -> Result<usize, Error> {
    let mut faults = Vec::new();
    let first = scan::axis(&body[0], &block.step).unwrap_or(0);
    let names = rows(&body[0], first);
    for assign in body {
        let (label, step) = (display(&assign.target), &block.step);
        let axis = scan::axis(assign, step).unwrap_or(0);
        let own = rows(assign, axis.min(assign.left.len()));
        let is_written = |name: &String| !name.ends_with('\'');
        let mut distinct = own.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let differ = own.iter().zip(&names).find(|(a, b)| a != b);
        if axis != first {
            faults.push(format!(
                "{label}: the range of {step} depends on the row, so it is on the same axis of all that the scan defines, behind the loops of the row"
            ));
        } else if own.contains(&String::new()) || distinct.len() < own.len() {
            faults.push(format!(
                "{label}: the range of {step} depends on the row, so the indices before {step} on the left side are loops, each alone"
            ));
        } else if let Some((a, b)) = differ.filter(|(a, b)| {
            assign.adjoint.is_empty()
                && body[0].adjoint.is_empty()
                && is_written(a)
                && is_written(b)
        }) {
            faults.push(format!(
                "{label}: {a} stands where {b} does in {}; the loops of a row have the same names in all of the scan",
                display(&body[0].target)
            ));
        }
    }
    match faults.is_empty() {
        true => Ok(first),
        false => Err(Error::new(ErrorKind::IllegalArgument, faults)),
    }
}
