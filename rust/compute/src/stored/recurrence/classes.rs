//! Rows that have one plan.

use std::collections::HashMap;
use std::sync::Arc;

use super::rows::RowList;
use super::slices::Cut;
use super::text::RowText;
use super::{Done, Recurrence};
use crate::bound::Bound;
use crate::infer::Binder;
use crate::operand::{DType, Operand, Strided};
use crate::plan::Plan;
use crate::program::Plain;
use crate::signature::Signature;
use crate::Error;

/// No plan: of a row without steps.
pub(super) const NONE: u32 = u32::MAX;

/// Rows that have one plan.
pub(super) struct Class {
    pub plan: Option<Arc<Plan>>,
    pub bound: Bound,
    /// The ranges of each statement's loops.
    pub ranges: Vec<HashMap<String, i64>>,
    /// For each output whether there is one.
    pub made: Vec<bool>,
}

/// The classes of rows, while they are found.
pub(super) struct Classes<'c, 'r, 'a> {
    pub of: &'c Recurrence<'r, 'a>,
    pub text: &'c RowText,
    pub outputs: &'c [String],
    pub classes: Vec<Class>,
    pub keys: HashMap<Vec<i64>, u32>,
    /// The earlier statements to whose ranges the text refers.
    pub refers: Vec<usize>,
}

impl Classes<'_, '_, '_> {
    /// The recurrence before it that has a statement.
    fn before(&self, at: usize) -> Option<&Done> {
        let mut done = self.of.done.iter();
        done.find(|done| done.statements.contains(&at))
    }

    /// The class of a row, or that of no row, where there is none.
    pub fn of_row(&mut self, list: &RowList<'_>, row: Option<usize>) -> Result<u32, Error> {
        let cuts = list.cuts(self.text, self.of.tensors, row)?;
        let steps = match row {
            Some(row) => list.steps(row),
            None => Some(0),
        };
        let mut key: Vec<i64> = vec![steps.unwrap_or(-1)];
        cuts.iter().for_each(|cut| key.extend(&cut.shape));
        if self.text.varies {
            key.extend(row.map_or(&[][..], |row| list.row(row)));
        }
        for &at in &self.refers {
            let of = self.before(at).and_then(|done| done.class_of.get(row?));
            key.push(of.copied().map_or(-1, i64::from));
        }
        if let Some(&class) = self.keys.get(&key) {
            return Ok(class);
        }
        let class = self.class(list, row, steps, &cuts)?;
        let number = self.classes.len() as u32;
        self.classes.push(class);
        self.keys.insert(key, number);
        Ok(number)
    }

    fn class(
        &self,
        list: &RowList<'_>,
        row: Option<usize>,
        steps: Option<i64>,
        cuts: &[Cut],
    ) -> Result<Class, Error> {
        let range = |at: usize, name: &str| match self.before(at) {
            Some(done) => done.range(at, name, row.unwrap_or(usize::MAX)),
            None => {
                let ranges = self.of.environment.ranges.get(at);
                ranges.and_then(|each| each.get(name)).copied().unwrap_or(0)
            }
        };
        let zeros = vec![0; list.axes];
        let numbers = row.map_or(&zeros[..], |row| list.row(row));
        let (body, block) = self.text.of_row(numbers, steps, &range);
        let plain = Plain {
            statements: body,
            blocks: vec![block],
            inputs: self
                .text
                .slices
                .iter()
                .map(|(label, _)| label.clone())
                .collect(),
            outputs: self.outputs.to_vec(),
            depth: self.of.depth,
            ..Plain::default()
        };
        let signatures: Vec<(Signature, String)> = cuts
            .iter()
            .zip(&self.text.slices)
            .map(|(cut, (_, slice))| {
                let kind = self.of.environment.kinds[slice.element.tensor];
                let shape = cut.shape.clone();
                (Signature { kind, shape }, slice.element.name.clone())
            })
            .collect();
        let part = Binder::part(&plain, &signatures, &self.text.nothing)?;
        part.bound.check_numbers(&operands(cuts)?)?;
        let plan = match part.made.contains(&true) && row.is_some() {
            true => Some(self.of.plans.of(&part.bound)?),
            false => None,
        };
        Ok(Class {
            plan,
            bound: part.bound,
            ranges: part.ranges,
            made: part.made,
        })
    }
}

pub(super) fn layout<'l>(
    shape: &'l [i64],
    strides: &'l [i64],
) -> Result<Strided<&'l [i64]>, Error> {
    Strided::new(shape, strides, 0).map_err(|error| Error::illegal(error.to_string()))
}

/// Slices as operands.
pub(super) fn operands(cuts: &[Cut]) -> Result<Vec<Operand<'_>>, Error> {
    cuts.iter()
        .map(|cut| match cut.number {
            Some(number) => Ok(Operand::Number(number)),
            None => Ok(Operand::Tensor {
                dtype: cut.dtype.unwrap_or(DType::UInt8),
                data: cut.data,
                layout: layout(&cut.shape, &cut.strides)?,
            }),
        })
        .collect()
}
