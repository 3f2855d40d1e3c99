//! Inference of the ranges, shapes and types of a program, and their faults.

pub(crate) mod access;
pub(crate) mod condition;
pub(crate) mod context;
pub(crate) mod extent;
pub(crate) mod loops;
mod ranges;
mod scan;
pub(crate) mod sizes;
mod sketch;
pub(crate) mod statement;
pub(crate) mod steps;
pub(crate) mod target;
pub(crate) mod types;

use std::collections::{HashMap, HashSet};

use crate::ast::Assign;
use crate::bound::{Bound, Scan, Statement, Tensor, TensorId};
use crate::names::display;
use crate::operand::DType;
use crate::program::{Plain, Program};
use crate::rest::{self, Fresh};
use crate::signature::{Kind, Signature};
use crate::{Error, ErrorKind};

/// The meaning of a label of the plain program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// A tensor.
    Tensor(TensorId),
    /// The result of a statement with faults; statements that read it are not checked.
    Faulty,
    /// The adjoint of a tensor without gradients: it reads as 0.
    Nothing,
}

/// The results of inference so far.
#[derive(Default)]
pub(crate) struct Environment {
    pub known: HashMap<String, Known>,
    /// A ragged axis has length -1.
    pub tensors: Vec<Tensor>,
    pub kinds: Vec<Kind>,
    /// The ranges of each plain statement's loops, to which derivatives refer.
    pub ranges: Vec<HashMap<String, i64>>,
    pub numbers: Vec<(TensorId, DType)>,
    /// The sparse tensors.
    pub sparse: HashSet<TensorId>,
    /// What tensors were a step before, where that gives no ranges.
    pub lags: HashSet<String>,
}

impl Environment {
    pub fn tensor(&self, label: &str) -> Option<TensorId> {
        match self.known.get(label) {
            Some(&Known::Tensor(id)) => Some(id),
            _ => None,
        }
    }

    pub fn define(
        &mut self,
        label: &str,
        dtype: Option<DType>,
        shape: Vec<i64>,
        kind: Kind,
    ) -> TensorId {
        self.known
            .insert(label.to_owned(), Known::Tensor(self.tensors.len()));
        self.kinds.push(kind);
        self.tensors.push(Tensor {
            name: display(label).to_owned(),
            dtype,
            shape,
        });
        self.tensors.len() - 1
    }

    /// Whether a tensor may have a gradient; a number may.
    pub fn is_differentiable(&self, id: TensorId) -> bool {
        self.tensors[id].dtype.is_none_or(DType::is_float)
    }
}

/// A program while it is bound, statement by statement; see [`Program::bind`].
pub(crate) struct Binder<'a> {
    environment: Environment,
    faults: Vec<String>,
    statements: Vec<Statement>,
    scans: Vec<Scan>,
    /// The given shapes of outputs, by label.
    pins: HashMap<&'a str, &'a [i64]>,
    /// The faults of targets whose `...` could not be written out.
    unwritten: HashMap<String, Vec<String>>,
    inputs: usize,
}

impl<'a> Binder<'a> {
    pub fn new(
        program: &'a Program,
        inputs: &[Signature],
        pinned: &'a [Option<Vec<i64>>],
    ) -> Result<Binder<'a>, Error> {
        let plain = &program.plain;
        check_counts(program, inputs.len(), pinned.len())?;
        let mut environment = Environment::default();
        let mut faults = Vec::new();
        for (label, input) in plain.inputs.iter().zip(inputs) {
            let dtype = match input.kind {
                Kind::Typed(dtype) => Some(dtype),
                Kind::Integer | Kind::Fraction => None,
            };
            if dtype.is_none() && !input.shape.is_empty() {
                faults.push(format!(
                    "{}: a number has rank 0, not shape {:?}",
                    display(label),
                    input.shape
                ));
            }
            if let Err(error) = target::check_size(&input.shape, dtype) {
                faults.push(format!("{}: {error}", display(label)));
            }
            environment.define(label, dtype, input.shape.clone(), input.kind);
        }
        if !faults.is_empty() {
            return Err(Error::new(ErrorKind::IllegalArgument, faults));
        }
        let outputs = plain.outputs.iter().zip(pinned);
        Ok(Binder {
            environment,
            faults,
            statements: Vec::new(),
            scans: Vec::new(),
            pins: outputs
                .filter_map(|(label, shape)| Some((label.as_str(), shape.as_deref()?)))
                .collect(),
            unwritten: HashMap::new(),
            inputs: inputs.len(),
        })
    }

    /// The number of plain statements so far.
    fn count(&self) -> usize {
        self.environment.ranges.len()
    }

    /// A statement with `...` written out, as far as shapes are known.
    pub fn written_out(&mut self, assign: Assign, fresh: &Fresh) -> Assign {
        let pin = self.pins.get(assign.target.as_str()).copied();
        let shape = |label: &str| {
            let id = self.environment.tensor(label)?;
            Some(self.environment.tensors[id].shape.clone())
        };
        rest::written_out(&assign, fresh, &shape, pin, &|_| false).unwrap_or_else(|faults| {
            let faults = faults.unwrap_or_default();
            self.unwritten.insert(assign.target.clone(), faults);
            rest::collapsed(&assign)
        })
    }

    /// Binds all plain statements that are not bound yet.
    pub fn rest_of(&mut self, plain: &Plain) {
        while let Some(assign) = plain.statements.get(self.count()) {
            let at = self.count();
            let mut blocks = plain.blocks.iter();
            match blocks.find(|block| block.statements.start == at) {
                Some(block) => self.scan(plain, block),
                None => self.statement(assign),
            }
        }
    }

    /// Binds the next plain statement.
    fn statement(&mut self, assign: &Assign) {
        let pin = self.pins.get(assign.target.as_str()).copied();
        let inferred = match self.unwritten.remove(&assign.target) {
            Some(faults) => statement::Inferred::Faulty(faults),
            None => statement::infer(&mut self.environment, assign, pin),
        };
        self.add(assign, inferred);
    }

    /// Adds a plain statement that was inferred.
    fn add(&mut self, assign: &Assign, inferred: statement::Inferred) {
        let (known, ranges) = match inferred {
            statement::Inferred::Fine(statement, ranges) => {
                self.statements.push(statement);
                (None, ranges)
            }
            statement::Inferred::Faulty(found) => {
                self.faults.extend(found);
                (Some(Known::Faulty), HashMap::new())
            }
            statement::Inferred::Nothing => (Some(Known::Nothing), HashMap::new()),
        };
        self.environment.ranges.push(ranges);
        if let Some(known) = known {
            self.environment.known.insert(assign.target.clone(), known);
        }
    }

    /// The program of these plain statements for inputs with names, where those adjoints are none; also the ranges of each statement's loops, and for
    /// each output whether it is there: not that of an adjoint of what has no gradient.
    pub fn part(
        plain: &Plain,
        inputs: &[(Signature, String)],
        nothing: &[String],
    ) -> Result<Part, Error> {
        let mut environment = Environment::default();
        for (label, (input, name)) in plain.inputs.iter().zip(inputs) {
            let dtype = match input.kind {
                Kind::Typed(dtype) => Some(dtype),
                Kind::Integer | Kind::Fraction => None,
            };
            let id = environment.define(label, dtype, input.shape.clone(), input.kind);
            environment.tensors[id].name.clone_from(name);
        }
        for label in nothing {
            environment.known.insert(label.clone(), Known::Nothing);
        }
        let mut binder = Binder {
            environment,
            faults: Vec::new(),
            statements: Vec::new(),
            scans: Vec::new(),
            pins: HashMap::new(),
            unwritten: HashMap::new(),
            inputs: inputs.len(),
        };
        binder.rest_of(plain);
        let ranges = binder.environment.ranges.clone();
        let is_there = |label: &String| binder.environment.tensor(label).is_some();
        let made: Vec<bool> = plain.outputs.iter().map(is_there).collect();
        let mut plain = plain.clone();
        let is_nothing =
            |label: &String| binder.environment.known.get(label) == Some(&Known::Nothing);
        plain.outputs.retain(|label| !is_nothing(label));
        let names: Vec<String> = plain.outputs.clone();
        let bound = binder.finish(&names, &plain)?;
        Ok(Part {
            bound,
            ranges,
            made,
        })
    }

    /// The bound program, of these plain statements.
    pub fn finish(self, names: &[String], plain: &Plain) -> Result<Bound, Error> {
        let Binder {
            mut environment,
            mut faults,
            statements,
            scans,
            inputs,
            ..
        } = self;
        faults.extend(gradient_faults(&environment, plain));
        let mut returned = Vec::new();
        for (name, label) in names.iter().zip(&plain.outputs) {
            match environment.known.get(label) {
                Some(&Known::Tensor(id)) => returned.push(id),
                // Its faults were reported.
                _ if !faults.is_empty() => {}
                _ => faults.push(format!("{name} has no value")),
            }
        }
        if !faults.is_empty() {
            return Err(Error::new(ErrorKind::IllegalArgument, faults));
        }
        environment
            .numbers
            .sort_by_key(|&(id, dtype)| (id, dtype as u8));
        environment.numbers.dedup();
        let outputs = returned.iter().map(|&id| Signature {
            kind: environment.kinds[id],
            shape: environment.tensors[id].shape.clone(),
        });
        Ok(Bound {
            outputs: outputs.collect(),
            tensors: environment.tensors,
            statements,
            scans,
            returned,
            numbers: environment.numbers,
            inputs,
            depth: plain.depth,
        })
    }
}

/// A part of a program that is bound by itself.
pub(crate) struct Part {
    pub bound: Bound,
    pub ranges: Vec<HashMap<String, i64>>,
    pub made: Vec<bool>,
}

/// The faults of seeds: each must have the type and shape of its tensor; a number fits any type.
fn seed_faults(environment: &Environment, seeds: &[(String, String)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (seed, of) in seeds {
        let (Some(seed), Some(of)) = (environment.tensor(seed), environment.tensor(of)) else {
            continue;
        };
        let (seed, of) = (&environment.tensors[seed], &environment.tensors[of]);
        if seed.shape != of.shape {
            faults.push(format!(
                "gradient {}: the seed {} has shape {:?}, not {:?}",
                of.name, seed.name, seed.shape, of.shape
            ));
        }
        // A gradient has the type with which its tensor is computed.
        let computes = of.dtype.map(DType::computes);
        if seed.dtype.is_some() && seed.dtype != computes {
            let (of_seed, of_result) = (
                seed.dtype.map_or("a number", DType::name),
                computes.map_or("a number", DType::name),
            );
            faults.push(format!(
                "gradient {}: the seed {} is {of_seed}, not {of_result}",
                of.name, seed.name
            ));
        }
    }
    faults
}

/// Checks the number of inputs, and of outputs whose shapes are given.
pub(crate) fn check_counts(program: &Program, inputs: usize, pinned: usize) -> Result<(), Error> {
    if inputs != program.inputs().len() {
        let (count, given) = (program.inputs().len(), inputs);
        let early: Vec<String> = program
            .read_before_defined()
            .map(|name| {
                format!("; {name} is read before it is defined, so its former values are an input")
            })
            .collect();
        return Err(Error::illegal(format!(
            "{count} inputs ({}), {given} given{}",
            program.inputs().join(", "),
            early.concat()
        )));
    }
    if pinned != program.outputs().len() {
        let (count, given) = (program.outputs().len(), pinned);
        return Err(Error::illegal(format!(
            "{count} outputs ({}), {given} shapes given",
            program.outputs().join(", ")
        )));
    }
    Ok(())
}

/// The faults of gradients: of types that have none, and of seeds.
pub(crate) fn gradient_faults(environment: &Environment, plain: &Plain) -> Vec<String> {
    let mut faults = Vec::new();
    for (label, gradient) in &plain.differentiated {
        if let Some(id) = environment
            .tensor(label)
            .filter(|&id| !environment.is_differentiable(id))
        {
            let Tensor { name, dtype, .. } = &environment.tensors[id];
            let dtype = dtype.map_or("a number", DType::name);
            faults.push(format!(
                "{gradient}: {name} is {dtype}, but only floating-point types have gradients"
            ));
        }
    }
    faults.extend(seed_faults(environment, &plain.seeds));
    faults
}
