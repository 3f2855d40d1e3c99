//! Inference of a recurrence: of its statements, once the number of its steps is known, and what shapes and types its names have.

use std::collections::HashMap;

use super::sketch::{define, leads, shown, Sketch};
use super::statement::{self, Inferred};
use super::steps::fixed;
use super::{types, Binder, Known};
use crate::ast::{Assign, Expr, First};
use crate::bound::{self, Lag, Scan, Tensor};
use crate::names::display;
use crate::operand::DType;
use crate::program::Plain;
use crate::scan::{self, Block};

/// The name in messages, without the number of a redefinition.
fn label(name: &str) -> String {
    display(name).split('#').next().unwrap_or(name).to_owned()
}

/// What is wrong with the shapes and types of a block's names: redefinitions keep them, and the axis of the steps has their length.
fn faults(
    block: &Block,
    members: &[Assign],
    steps: i64,
    sketches: &HashMap<String, Sketch>,
) -> Vec<String> {
    let mut faults = Vec::new();
    let mut first: HashMap<String, &Sketch> = HashMap::new();
    for assign in members {
        let Some(sketch) = sketches.get(&assign.target) else {
            continue;
        };
        let name = label(&assign.target);
        let known = *first.entry(name.clone()).or_insert(sketch);
        if known != sketch && assign.adjoint.is_empty() {
            faults.push(format!(
                "{name}: a redefinition in a scan keeps type and shape, but {} is followed by {}",
                shown(known),
                shown(sketch)
            ));
        }
        let axis = scan::axis(assign, &block.step);
        if let Some(&length) = axis.and_then(|axis| sketch.shape.get(axis)) {
            if length != steps {
                faults.push(format!(
                    "{name}: the axis of {} has length {length}, but the scan has {steps} steps",
                    block.step
                ));
            }
        }
    }
    faults
}

impl Binder<'_> {
    /// Binds the next plain statements, which are those of a block.
    pub(super) fn scan(&mut self, plain: &Plain, block: &Block) {
        let body = &plain.statements[block.statements.clone()];
        let unwritten = self.unwritten.remove(&body[0].target).map_or(Ok(()), Err);
        let inferred = unwritten
            .and_then(|()| self.steps(block, body))
            .and_then(|steps| {
                let members = fixed(body, block, steps);
                let sketches = self.sketches(block, &members)?;
                Ok((steps, members, sketches))
            });
        match inferred {
            Ok((steps, members, sketches)) => self.members(block, body, &members, steps, &sketches),
            Err(faults) => {
                self.faults.extend(faults);
                for assign in body {
                    self.add(assign, Inferred::Faulty(Vec::new()));
                }
                for lag in &block.lags {
                    let faulty = Known::Faulty;
                    self.environment.known.insert(lag.target.clone(), faulty);
                }
            }
        }
    }

    /// Binds the statements of a block whose shapes and types are known.
    fn members(
        &mut self,
        block: &Block,
        body: &[Assign],
        members: &[Assign],
        steps: i64,
        sketches: &HashMap<String, Sketch>,
    ) {
        let mut faults = faults(block, members, steps, sketches);
        let mut lags = Vec::new();
        for lag in &block.lags {
            let (Some(sketch), Some(assign)) = (
                sketches.get(&lag.of),
                members.iter().find(|assign| assign.target == lag.of),
            ) else {
                let nothing = Known::Nothing;
                self.environment.known.insert(lag.target.clone(), nothing);
                continue;
            };
            define(&mut self.environment, &lag.target, sketch);
            let axis = scan::axis(assign, &block.step).unwrap_or(0);
            match self.first(&label(&lag.of), lag, sketch, (assign, axis)) {
                Ok(value) => lags.push((lag, axis, value)),
                Err(fault) => faults.push(fault),
            }
            if let Some(id) = self.environment.tensor(&lag.target) {
                self.environment.tensors[id].name = label(&lag.of);
            }
        }
        if !faults.is_empty() {
            self.faults.extend(faults);
            for assign in body {
                self.add(assign, Inferred::Faulty(Vec::new()));
            }
            return;
        }
        let start = self.statements.len();
        let mut places = Vec::new();
        for (assign, member) in body.iter().zip(members) {
            let pin = self.pins.get(assign.target.as_str()).copied();
            let inferred = statement::infer(&mut self.environment, member, pin);
            if let Inferred::Fine(statement, _) = &inferred {
                let name = |each: &bound::Loop| each.name == block.step;
                let id = statement.loops.iter().position(name).unwrap_or(0);
                places.push((id, scan::axis(member, &block.step).unwrap_or(0)));
                let Tensor { shape, dtype, .. } = &self.environment.tensors[statement.target];
                let (found, sketch) = ((shape, *dtype), sketches.get(&assign.target));
                if sketch.is_none_or(|each| (&each.shape, each.dtype.ok()) != found) {
                    let (dtype, name) =
                        (dtype.map_or("a number", DType::name), label(&assign.target));
                    let was = sketch.map_or("nothing".to_owned(), shown);
                    self.faults.push(format!(
                        "{name}: it is {dtype} of shape {shape:?}, but {was} a step before; give init, where or a cast"
                    ));
                }
            }
            self.add(assign, inferred);
        }
        if places.is_empty() {
            return;
        }
        let lags = lags.into_iter().filter_map(|(lag, axis, first)| {
            Some(Lag {
                target: self.environment.tensor(&lag.target)?,
                of: self.environment.tensor(&lag.of)?,
                axis,
                first,
            })
        });
        let lags = lags.collect();
        self.scans.push(Scan {
            statements: start..self.statements.len(),
            steps,
            down: block.down,
            members: places,
            lags,
        });
    }

    /// The value of a name before the first step; a fault if it does not fit.
    fn first(
        &mut self,
        name: &str,
        lag: &scan::Lag,
        sketch: &Sketch,
        (assign, axis): (&Assign, usize),
    ) -> Result<bound::First, String> {
        let dtype = sketch.dtype.unwrap_or(DType::Int64);
        let tensor = match &lag.init {
            None => return Ok(bound::First::Number(crate::scalar::Scalar::zero(dtype))),
            Some(First::Number(literal)) => {
                let scalar = types::scalar(*literal, dtype).map(bound::First::Number);
                return scalar.ok_or_else(|| {
                    let text = Expr::Literal(*literal);
                    format!("init {name}: {} cannot hold {text}", dtype.name())
                });
            }
            Some(First::Tensor(tensor)) => tensor,
        };
        let Some(id) = self.environment.tensor(tensor) else {
            return Ok(bound::First::Number(crate::scalar::Scalar::zero(dtype)));
        };
        let init = &self.environment.tensors[id];
        let mut others = sketch.shape.clone();
        others.remove(axis);
        let is_example = leads(assign) && others.get(1..) == Some(&init.shape[..]) && axis > 0;
        if !init.shape.is_empty() && init.shape != others && !is_example {
            return Err(format!(
                "init {name}: {} has shape {:?}, but {name} has {others:?} at each step",
                init.name, init.shape
            ));
        }
        match init.dtype {
            None => self.environment.numbers.push((id, dtype)),
            Some(other) if other != dtype => {
                return Err(format!(
                    "init {name}: {} is {}, but {name} is {}",
                    init.name,
                    other.name(),
                    dtype.name()
                ))
            }
            Some(_) => {}
        }
        Ok(bound::First::Tensor(id))
    }
}
