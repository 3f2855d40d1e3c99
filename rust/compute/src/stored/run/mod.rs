//! A run of a program over dense, ragged and sparse tensors, statement by statement: neighbours that are all dense are one plan.

mod open;
mod prepared;
mod recurrences;

pub use self::prepared::{InputKind, Prepared};

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::prepared::depth;
use super::dense;
use super::kinds::Kinds;
use super::lengths;
use super::memory::Buffer;
use super::nest::Nest;
use super::recurrence::Done;
use super::report::{self, Entry};
use super::tensor::{row_major, Form, Tensor};
use crate::ast::{Assign, Extent, Shape};
use crate::bound::{self, TensorId};
use crate::infer::statement::Inferred;
use crate::infer::{self, Environment, Known};
use crate::names::display;
use crate::operand::Number;
use crate::program::Plain;
use crate::signature::Kind;
use crate::{Error, ErrorKind};

struct Run<'p, 'a> {
    prepared: &'p Prepared,
    /// The statements, as far as they are written out.
    plain: Arc<Plain>,
    environment: Environment,
    /// By number; those of a pending plan have no elements yet.
    tensors: Vec<Tensor<'a>>,
    /// The nests of statements that are not dense.
    nests: Vec<Option<Nest>>,
    /// Dense statements that have not run yet, and the first of their targets.
    pending: Vec<bound::Statement>,
    pins: HashMap<String, Vec<i64>>,
    /// The recurrences so far.
    done: Vec<Done>,
    /// Their statements as statements of their own, where their gradients run over their points.
    members: HashMap<usize, Assign>,
    /// What each statement did, if that is asked.
    entries: Option<Vec<Entry>>,
}

fn illegal(faults: Vec<String>) -> Error {
    Error::new(ErrorKind::IllegalArgument, faults)
}

impl<'p, 'a> Run<'p, 'a> {
    fn new(
        prepared: &'p Prepared,
        inputs: Vec<Tensor<'a>>,
        pinned: &[Option<Vec<i64>>],
    ) -> Result<Run<'p, 'a>, Error> {
        let plain = &prepared.plain;
        infer::check_counts(&prepared.program, inputs.len(), pinned.len())?;
        let mut environment = Environment::default();
        let mut faults = Vec::new();
        for (label, input) in plain.inputs.iter().zip(&inputs) {
            input.check(display(label))?;
            let shape = input.shape().to_vec();
            if input.points().is_none() {
                let lengths: Vec<i64> = shape.iter().map(|&length| length.max(0)).collect();
                if let Err(fault) = infer::target::check_size(&lengths, input.dtype()) {
                    faults.push(format!("{}: {fault}", display(label)));
                }
            }
            let id = environment.define(label, input.dtype(), shape, input.kind);
            if input.points().is_some() {
                environment.sparse.insert(id);
            }
        }
        if !faults.is_empty() {
            return Err(illegal(faults));
        }
        let pins = plain.outputs.iter().zip(pinned);
        Ok(Run {
            prepared,
            plain: Arc::clone(plain),
            environment,
            tensors: inputs,
            nests: Vec::new(),
            pending: Vec::new(),
            pins: pins
                .filter_map(|(label, shape)| Some((label.clone(), shape.clone()?)))
                .collect(),
            done: Vec::new(),
            members: HashMap::new(),
            entries: None,
        })
    }

    fn statements(&mut self) -> Result<(), Error> {
        let prepared = self.prepared;
        match &prepared.open {
            None => self.run_from(0)?,
            Some(kinds) => {
                self.plain = Arc::default();
                prepared.program.stepwise(kinds.clone(), self)?;
            }
        }
        self.flush(self.plain.statements.len())
    }

    /// Runs the statements from one on.
    fn run_from(&mut self, first: usize) -> Result<(), Error> {
        let plain = Arc::clone(&self.plain);
        for (number, assign) in plain.statements.iter().enumerate().skip(first) {
            if let Some(block) = plain.block_of(number) {
                if block.statements.start == number {
                    self.flush(number)?;
                    self.block(block)?;
                }
                continue;
            }
            if self.is_nothing(assign) {
                self.nests.push(None);
                self.environment.ranges.push(HashMap::new());
                self.environment
                    .known
                    .insert(assign.target.clone(), Known::Nothing);
            } else if self.is_dense(assign) {
                self.nests.push(None);
                self.dense(assign)?;
            } else {
                self.flush(number)?;
                self.stored(assign)?;
            }
        }
        Ok(())
    }

    /// Whether a statement is the adjoint of what has none.
    fn is_nothing(&self, assign: &Assign) -> bool {
        assign
            .adjoint
            .iter()
            .any(|primal| match self.environment.known.get(primal) {
                Some(&Known::Tensor(id)) => !self.environment.is_differentiable(id),
                Some(Known::Nothing) => true,
                _ => false,
            })
    }

    /// Whether all operands are dense, and so is the target.
    fn is_dense(&self, assign: &Assign) -> bool {
        let is_dense = |name: &str| match self.environment.tensor(name) {
            Some(id) => {
                !self.environment.sparse.contains(&id)
                    && !self.environment.tensors[id].shape.contains(&-1)
            }
            None => true,
        };
        let accesses = assign.accesses();
        let of_rows = |extent: &&Extent| lengths::is_of_row(&self.environment, extent);
        !assign.sparse
            && assign.stored.is_empty()
            && accesses.iter().all(|access| is_dense(&access.tensor))
            && match &assign.shape {
                Some(Shape::Like(name)) => is_dense(name),
                _ => true,
            }
            && self.primal(assign).is_none()
            && !Kinds::has_rows(assign)
            && !assign.lengths().iter().any(of_rows)
    }

    /// The statement of whose gradient this is a part, if that is not dense.
    fn primal(&self, assign: &Assign) -> Option<usize> {
        assign
            .ranges
            .iter()
            .find_map(|(name, extent)| match extent {
                Extent::Range(at, of) if of == name && self.nests[*at].is_some() => Some(*at),
                _ => None,
            })
    }

    /// Adds a dense statement to those that wait.
    fn dense(&mut self, assign: &Assign) -> Result<(), Error> {
        let pin = self.pins.get(&assign.target).cloned();
        match infer::statement::infer(&mut self.environment, assign, pin.as_deref()) {
            Inferred::Fine(statement, ranges) => {
                if let Some(entries) = &mut self.entries {
                    let target = &self.environment.tensors[statement.target];
                    let kept = self.plain.outputs.contains(&assign.target);
                    entries.push(Entry::dense(
                        report::statement(assign),
                        &statement,
                        target,
                        kept,
                    ));
                }
                self.pending.push(statement);
                self.tensors.push(Tensor::number(Number::Integer(0)));
                self.environment.ranges.push(ranges);
                Ok(())
            }
            Inferred::Faulty(faults) => Err(illegal(faults)),
            Inferred::Nothing => {
                self.environment.ranges.push(HashMap::new());
                self.environment
                    .known
                    .insert(assign.target.clone(), Known::Nothing);
                Ok(())
            }
        }
    }

    /// Runs the dense statements that wait, before statement `next`.
    fn flush(&mut self, next: usize) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let statements = std::mem::take(&mut self.pending);
        let plain = Arc::clone(&self.plain);
        let wanted = self.wanted(&plain, next);
        let wanted: HashSet<TensorId> = wanted
            .iter()
            .filter_map(|label| self.environment.tensor(label))
            .collect();
        let (bound, used, made) = dense::bound(&self.environment, statements, &wanted, plain.depth);
        let outputs = bound.outputs().to_vec();
        let mut buffers = Vec::new();
        for (output, &id) in outputs.iter().zip(&made) {
            let Kind::Typed(dtype) = output.kind else {
                continue;
            };
            let name = &self.environment.tensors[id].name;
            let count = output.shape.iter().product::<i64>() as usize;
            let what = || format!("{name}: a dense tensor of shape {:?}", output.shape);
            buffers.push((dtype, Buffer::zeroed(count, dtype.width(), what)?));
        }
        let inputs: Vec<&Tensor<'a>> = used.iter().map(|&id| &self.tensors[id]).collect();
        dense::run(
            &self.prepared.plans,
            &bound,
            &inputs,
            &outputs,
            &mut buffers,
        )?;
        for (((dtype, buffer), output), id) in buffers.into_iter().zip(outputs).zip(made) {
            let strides = row_major(&output.shape);
            let form = Form::Dense {
                shape: output.shape,
                strides,
            };
            self.tensors[id] = Tensor::made(dtype, buffer, form);
        }
        Ok(())
    }

    /// The labels of results, and of what statements from one on read.
    fn wanted(&self, plain: &Plain, next: usize) -> HashSet<String> {
        let mut wanted: HashSet<String> = plain.outputs.iter().cloned().collect();
        for later in &plain.statements[next..] {
            wanted.extend(later.accesses().iter().map(|access| access.tensor.clone()));
        }
        for block in &plain.blocks {
            if block.statements.start >= next {
                wanted.extend(block.beside());
                for assign in &plain.statements[block.statements.clone()] {
                    if let Some(Shape::Like(name)) = &assign.shape {
                        wanted.insert(name.clone());
                    }
                }
            }
        }
        if self.prepared.open.is_some() {
            // What is read later is not known.
            let statements = plain.statements.iter();
            wanted.extend(statements.map(|statement| statement.target.clone()));
        }
        wanted
    }

    /// Defines a result, unless nobody needs it.
    fn define(&mut self, label: &str, made: Tensor<'a>) -> Result<(), Error> {
        if matches!(made.form, Form::Number(_)) {
            return Ok(());
        }
        let shape = made.shape().to_vec();
        if let Some(pin) = self.pins.get(label).filter(|pin| **pin != shape) {
            let name = display(label);
            return Err(Error::illegal(format!(
                "{name}: it has shape {shape:?}, but the output has shape {pin:?}"
            )));
        }
        self.environment
            .define(label, made.dtype(), shape, made.kind);
        self.tensors.push(made);
        Ok(())
    }

    /// Runs a statement over ragged or sparse tensors.
    fn stored(&mut self, assign: &Assign) -> Result<(), Error> {
        let primal = self.primal(assign);
        let nests = std::mem::take(&mut self.nests);
        let plain = Arc::clone(&self.plain);
        let of_primal = primal.and_then(|at| {
            let own = self.members.get(&at);
            Some((nests[at].as_ref()?, own.unwrap_or(&plain.statements[at])))
        });
        let pin = self.pins.get(&assign.target).cloned();
        let inferred = super::infer::infer(
            &mut self.environment,
            assign,
            of_primal,
            pin.as_deref(),
            &self.tensors,
            depth(&self.prepared.program),
        )?;
        self.nests = nests;
        let tensors = &self.environment.tensors;
        let names = |id: TensorId| tensors[id].name.clone();
        let (made, points) = inferred.run(&self.tensors, &names)?;
        if let Some(entries) = &mut self.entries {
            entries.push(Entry {
                text: report::statement(assign),
                loops: report::loops(&inferred.nest, &names),
                points: u128::from(points),
                result: report::result(&made, &self.tensors, &names),
            });
        }
        let shape = made.shape().to_vec();
        let id = self
            .environment
            .define(&assign.target, made.dtype(), shape, made.kind);
        if made.points().is_some() {
            self.environment.sparse.insert(id);
        }
        self.environment.ranges.push(inferred.fixed_ranges());
        self.tensors.push(made);
        self.nests.push(Some(inferred.nest));
        Ok(())
    }

    fn outputs(&self) -> Result<Vec<Tensor<'a>>, Error> {
        let plain = &*self.plain;
        let faults = infer::gradient_faults(&self.environment, plain);
        if !faults.is_empty() {
            return Err(illegal(faults));
        }
        let mut outputs = Vec::new();
        for (name, label) in self.prepared.program.outputs().iter().zip(&plain.outputs) {
            match self.environment.tensor(label) {
                Some(id) => outputs.push(self.tensors[id].clone()),
                None => return Err(Error::illegal(format!("{name} has no value"))),
            }
        }
        Ok(outputs)
    }
}
