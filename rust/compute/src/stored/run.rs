//! A run of a program over dense, ragged and sparse tensors, statement by statement: neighbours that are all dense are one plan.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::dense;
use super::kinds::Kinds;
use super::lengths;
use super::memory::Buffer;
use super::nest::Nest;
use super::recurrence::{Done, Recurrence, RowList};
use super::report::{self, Entry};
use super::tensor::{row_major, Form, Tensor};
use crate::ast::{self, Assign, Extent, First, Index, Shape};
use crate::bound::{self, TensorId};
use crate::infer::statement::Inferred;
use crate::infer::{self, Environment, Known};
use crate::names::display;
use crate::operand::Number;
use crate::program::{Plain, Program, Steps};
use crate::rest::{self, Fresh};
use crate::scan::{self, Block};
use crate::signature::Kind;
use crate::stack::deep;
use crate::{Error, ErrorKind};

/// A program for inputs of certain kinds: gradients of statements over ragged and sparse tensors run at the points of these.
#[derive(Debug)]
pub struct Prepared {
    program: Program,
    plain: Arc<Plain>,
    /// Of a program with `...`, which is written out as it runs.
    open: Option<Kinds>,
}

impl Prepared {
    /// Prepares a program for inputs of these kinds, in order.
    ///
    /// # Errors
    /// Of kind illegal argument.
    pub fn new(program: &Program, inputs: &[InputKind]) -> Result<Prepared, Error> {
        let labels = program.plain_names().0.iter().cloned();
        let kinds = Kinds::new(labels.zip(inputs.iter().cloned()));
        if program.is_open() {
            return Ok(Prepared {
                plain: Arc::new(program.plain.clone()),
                program: program.clone(),
                open: Some(kinds),
            });
        }
        let program = program.over(kinds)?;
        Ok(Prepared {
            plain: Arc::new(program.plain.clone()),
            program,
            open: None,
        })
    }

    /// Runs the program. `pinned` has for each output its shape, or none to infer it.
    ///
    /// # Errors
    /// Of kind illegal argument: shapes, types, rows that do not fit. Of kind index out of bounds: look-ups and guarded reads. Of kind arithmetic. Of
    /// kind out of memory.
    ///
    /// # Safety
    /// As [`Tensor`] says.
    pub unsafe fn run<'a>(
        &self,
        inputs: Vec<Tensor<'a>>,
        pinned: &[Option<Vec<i64>>],
    ) -> Result<Vec<Tensor<'a>>, Error> {
        deep(depth(&self.program), || {
            let mut run = Run::new(self, inputs, pinned)?;
            run.statements()?;
            run.outputs()
        })?
    }
}

impl Prepared {
    /// Runs the program, and says what each statement did: its ranges, the points that it visited, and the kind and the memory of its result.
    ///
    /// # Errors
    /// As [`run`](Prepared::run).
    ///
    /// # Safety
    /// As [`Tensor`] says.
    pub unsafe fn explain(&self, inputs: Vec<Tensor<'_>>) -> Result<String, Error> {
        let pinned = vec![None; self.program.outputs().len()];
        deep(depth(&self.program), || {
            let mut run = Run::new(self, inputs, &pinned)?;
            run.entries = Some(Vec::new());
            run.statements()?;
            run.outputs()?;
            Ok(report::text(&run.entries.unwrap_or_default()))
        })?
    }
}

/// A bound of the depth of recursions: over expressions, and in them over the loops of a statement, lengths of rows and axes.
fn depth(program: &Program) -> usize {
    let plain = &program.plain;
    let of = |assign: &Assign| assign.loops().len() + assign.lengths().len() + assign.left.len();
    let loops = plain.statements.iter().map(of).max().unwrap_or(0);
    // `...` stands for some axes.
    let loops = loops.saturating_add(if program.is_open() { 64 } else { 0 });
    plain.depth.saturating_add(loops.saturating_mul(2))
}

/// What a program is prepared for: the length of each axis does not matter, but which of them are ragged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// A dense tensor, or a number.
    Dense,
    /// A ragged tensor: for each axis, whether it is ragged.
    Ragged(Vec<bool>),
    /// A sparse tensor.
    Sparse,
}

impl InputKind {
    /// That of a tensor.
    pub fn of(tensor: &Tensor<'_>) -> InputKind {
        match &tensor.form {
            Form::Number(_) | Form::Dense { .. } => InputKind::Dense,
            Form::Ragged(rows) => {
                InputKind::Ragged(rows.shape.iter().map(|&length| length < 0).collect())
            }
            Form::Sparse(_) => InputKind::Sparse,
        }
    }
}

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
        dense::run(&bound, &inputs, &outputs, &mut buffers)?;
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

    /// Runs a recurrence.
    fn block(&mut self, block: &Block) -> Result<(), Error> {
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
            let inferred = super::infer::infer(
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
        let steps = rows.steps.iter();
        let steps: u128 = steps.map(|row| row.1.unwrap_or(0) as u128).sum();
        for (assign, made) in body.iter().zip(made) {
            let Some(made) = made else { continue };
            let (count, points) = match &rows.form {
                Some(_) => (rows.steps.len(), steps),
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

    fn block(&mut self, body: Vec<Assign>, block: &mut Block) -> Result<Vec<Assign>, Error> {
        if let Some(open) = body.iter().find(|assign| assign.is_open()) {
            return Err(Error::illegal(format!(
                "{}: `...` in a scan of a program over ragged or sparse tensors; write the axes out",
                display(&open.target)
            )));
        }
        for lag in &mut block.lags {
            if let Some(First::Tensor(tensor)) = &lag.init {
                let id = self.environment.tensor(tensor);
                lag.rank = id.map(|id| self.environment.tensors[id].shape.len());
            }
        }
        Ok(body)
    }

    fn next(&mut self, plain: &Plain) -> Result<(), Error> {
        let first = self.plain.statements.len();
        self.plain = Arc::new(plain.clone());
        self.run_from(first)
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
