//! A program with `...`, whose statements are written out as they run.

use std::collections::HashMap;
use std::sync::Arc;

use super::{illegal, Run};
use crate::ast::{Access, Assign, Extent, First, Shape};
use crate::names::display;
use crate::program::{Plain, Steps};
use crate::rest::{self, Fresh};
use crate::scan::Block;
use crate::Error;

impl Steps for Run<'_, '_> {
    fn closed(&mut self, assign: &Assign, fresh: &Fresh) -> Result<Assign, Error> {
        let shape = |label: &str| {
            let id = self.environment.tensor(label)?;
            Some(self.environment.tensors[id].shape.clone())
        };
        let pin = self.pins.get(&assign.target).map(Vec::as_slice);
        rest::written_out(assign, fresh, &shape, pin, &|_| false).map_err(|faults| {
            let none = || {
                let name = display(&assign.target);
                vec![format!("{name}: `...` of what has no value")]
            };
            illegal(faults.unwrap_or_else(none))
        })
    }

    fn block(
        &mut self,
        body: Vec<Assign>,
        block: &mut Block,
        fresh: &Fresh,
    ) -> Result<Vec<Assign>, Error> {
        for lag in &mut block.lags {
            if let Some(First::Tensor(tensor)) = &lag.init {
                let id = self.environment.tensor(tensor);
                lag.rank = id.map(|id| self.environment.tensors[id].shape.len());
            }
        }
        match body.iter().any(Assign::is_open) {
            true => self.written_block(body, block, fresh).map_err(illegal),
            false => Ok(body),
        }
    }

    fn next(&mut self, plain: &Plain) -> Result<(), Error> {
        let first = self.plain.statements.len();
        self.plain = Arc::new(plain.clone());
        self.run_from(first)
    }
}

/// The length of an axis of which only the name of its loop is known.
const UNKNOWN: i64 = i64::MIN;

/// Shapes of what a recurrence defines, by label.
type Shapes = HashMap<String, Vec<i64>>;

impl Run<'_, '_> {
    /// The statements of a recurrence with `...` written out. What they define has the axes that it has in the round before: those of what is read
    /// of the step before are found in the first one.
    fn written_block(
        &self,
        body: Vec<Assign>,
        block: &Block,
        fresh: &Fresh,
    ) -> Result<Vec<Assign>, Vec<String>> {
        let mut known = self.first_shapes(&body, block);
        for _ in 0..=body.len() + 1 {
            let (mut shapes, mut written) = (known.clone(), Vec::new());
            for assign in &body {
                let closed = self.written_step(assign, block, fresh, &shapes)?;
                let shape = self.shape_of(&closed, &shapes);
                if let Some(lag) = block.lags.iter().find(|lag| lag.of == assign.target) {
                    shapes.insert(lag.target.clone(), shape.clone());
                }
                shapes.insert(assign.target.clone(), shape);
                written.push(closed);
            }
            if shapes == known {
                return Ok(written);
            }
            known = shapes;
        }
        let name = display(&body[0].target);
        Err(vec![format!(
            "{name}: the axes of `...` in the scan grow at each step"
        )])
    }

    /// The shapes of what is read of the step before, as far as first values give them.
    fn first_shapes(&self, body: &[Assign], block: &Block) -> Shapes {
        let mut shapes = Shapes::new();
        for lag in &block.lags {
            let Some(First::Tensor(tensor)) = &lag.init else {
                continue;
            };
            let id = self.environment.tensor(tensor);
            let of = body.iter().find(|assign| assign.target == lag.of);
            let (Some(id), Some(of)) = (id, of) else {
                continue;
            };
            let mut shape = self.environment.tensors[id].shape.clone();
            let step = |index: &crate::ast::Index| index.lone() == Some(&block.step);
            let Some(at) = of.left.iter().position(step) else {
                continue;
            };
            let rest = of.left.iter().position(|index| index.rest);
            let axis = match rest {
                Some(rest) if rest < at => (shape.len() + 1).checked_sub(of.left.len() - at),
                _ => Some(at),
            };
            // One that lacks the axes of the rows gives none.
            let least = of.left.len() - 1 - usize::from(rest.is_some());
            if let Some(axis) = axis.filter(|&axis| shape.len() >= least && axis <= shape.len()) {
                shape.insert(axis, UNKNOWN);
                shapes.insert(lag.target.clone(), shape);
            }
        }
        shapes
    }

    fn shape(&self, label: &str, shapes: &Shapes) -> Option<Vec<i64>> {
        shapes.get(label).cloned().or_else(|| {
            let id = self.environment.tensor(label)?;
            Some(self.environment.tensors[id].shape.clone())
        })
    }

    fn written_step(
        &self,
        assign: &Assign,
        block: &Block,
        fresh: &Fresh,
        shapes: &Shapes,
    ) -> Result<Assign, Vec<String>> {
        let name = display(&assign.target);
        let is_unknown = |access: &&Access| {
            let shape = self.shape(&access.tensor, shapes);
            shape.is_some_and(|shape| {
                rest::axes_of(access, &shape).is_some_and(|axes| axes.contains(&UNKNOWN))
            })
        };
        if let Some(access) = assign.rests().iter().find(|access| is_unknown(access)) {
            return Err(vec![format!(
                "{name}: `...` of {} has an axis whose length is not known before the scan has run; write the axes out",
                display(&access.tensor)
            )]);
        }
        let is_open = |label: &str| block.lag(label).is_some() && !shapes.contains_key(label);
        let pin = self.pins.get(&assign.target).map(Vec::as_slice);
        match assign.is_open() {
            false => Ok(assign.clone()),
            true => rest::written_out(
                assign,
                fresh,
                &|label| self.shape(label, shapes),
                pin,
                &is_open,
            )
            .map_err(|faults| {
                faults.unwrap_or_else(|| vec![format!("{name}: `...` of what has no value")])
            }),
        }
    }

    /// The length of each axis that a statement writes, as far as the statement says it, or reads at its loop that agree give it.
    fn shape_of(&self, assign: &Assign, shapes: &Shapes) -> Vec<i64> {
        let number = |extent: &Extent| match extent {
            Extent::Number(number) => *number,
            Extent::Size(tensor, axis) => self
                .shape(tensor, shapes)
                .and_then(|shape| {
                    let rank = shape.len() as i64;
                    let axis = if *axis < 0 { axis + rank } else { *axis };
                    shape.get(usize::try_from(axis).ok()?).copied()
                })
                .unwrap_or(UNKNOWN),
            _ => UNKNOWN,
        };
        match &assign.shape {
            Some(Shape::Sizes(sizes)) => return sizes.iter().map(number).collect(),
            Some(Shape::Like(tensor)) => {
                if let Some(shape) = self.shape(tensor, shapes) {
                    return shape;
                }
            }
            None => {}
        }
        let accesses = assign.accesses();
        let length = |name: &str| {
            let said = assign.ranges.iter().find(|(l, _)| l == name);
            if let Some((_, extent)) = said {
                return number(extent);
            }
            let mut of = accesses.iter().filter_map(|access| {
                let shape = self.shape(&access.tensor, shapes)?;
                let axis = access
                    .indices
                    .iter()
                    .position(|index| index.lone() == Some(name))?;
                shape.get(axis).copied()
            });
            let first = of.next().unwrap_or(UNKNOWN);
            if of.all(|length| length == first) {
                first
            } else {
                UNKNOWN
            }
        };
        let left = assign.left.iter();
        left.map(|index| index.lone().map_or(UNKNOWN, length))
            .collect()
    }
}
