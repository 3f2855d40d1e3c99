//! Shapes and types of the names of a recurrence, and what `...` stands for in it: as they follow from each other across steps, they are found in
//! rounds.

use std::collections::HashMap;

use super::context::Context;
use super::loops::Loops;
use super::steps::fixed;
use super::{sizes, statement, target, types, Binder, Environment, Known};
use crate::ast::{Assign, First, Index, Literal};
use crate::bound;
use crate::names::display;
use crate::operand::DType;
use crate::rest::{self, Fresh};
use crate::scan::{self, Block};
use crate::signature::Kind;

/// What is known of a tensor of a block before all of it is: its shape, and its type, or whether a number in it has a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sketch {
    pub shape: Vec<i64>,
    pub dtype: Result<DType, bool>,
}

impl Sketch {
    /// Gives numbers alone their type.
    fn typed(&mut self) {
        let of_numbers = |is_fraction| match is_fraction {
            true => DType::Float,
            false => DType::Int64,
        };
        self.dtype = Ok(self.dtype.unwrap_or_else(of_numbers));
    }
}

/// What sketches are made of, restored when they were made.
struct Mark {
    known: HashMap<String, Known>,
    tensors: usize,
    numbers: usize,
}

impl Environment {
    fn mark(&self) -> Mark {
        Mark {
            known: self.known.clone(),
            tensors: self.tensors.len(),
            numbers: self.numbers.len(),
        }
    }

    fn restore(&mut self, mark: Mark) {
        self.known = mark.known;
        self.tensors.truncate(mark.tensors);
        self.kinds.truncate(mark.tensors);
        self.numbers.truncate(mark.numbers);
    }
}

impl Binder<'_> {
    /// The shapes and types of the block's tensors, by label; none for adjoints of tensors without gradients.
    pub(super) fn sketches(
        &mut self,
        block: &Block,
        members: &[Assign],
    ) -> Result<HashMap<String, Sketch>, Vec<String>> {
        let mut known: HashMap<String, Sketch> = HashMap::new();
        let mut rounds = rounds(members);
        let mut is_typed = false;
        loop {
            let mark = self.environment.mark();
            let mut found: HashMap<String, Sketch> = HashMap::new();
            self.before(block, members, &known);
            let mut faults = Vec::new();
            for assign in members {
                let label = &assign.target;
                if statement::is_nothing(&self.environment, assign) {
                    self.environment.known.insert(label.clone(), Known::Nothing);
                    continue;
                }
                let pin = self.pins.get(label.as_str()).copied();
                match self.sketch(block, assign, pin) {
                    Ok(mut sketch) => {
                        if is_typed {
                            sketch.typed();
                        }
                        define(&mut self.environment, label, &sketch);
                        found.insert(label.clone(), sketch);
                    }
                    Err(of_statement) => {
                        faults.extend(of_statement);
                        self.environment.known.insert(label.clone(), Known::Faulty);
                    }
                }
            }
            self.environment.restore(mark);
            if !faults.is_empty() {
                return Err(faults);
            }
            if found == known {
                if is_typed || known.values().all(|sketch| sketch.dtype.is_ok()) {
                    return Ok(known);
                }
                // Of what is left, which is numbers alone, others may take the type.
                is_typed = true;
                found.values_mut().for_each(Sketch::typed);
            }
            if rounds == 0 {
                return Err(unsettled(block, members, &known, &found));
            }
            rounds -= 1;
            known = found;
        }
    }

    /// Defines what tensors were a step before, as far as that is known.
    fn before(&mut self, block: &Block, members: &[Assign], known: &HashMap<String, Sketch>) {
        for lag in &block.lags {
            let init = match &lag.init {
                Some(First::Tensor(tensor)) => self.environment.tensor(tensor),
                _ => None,
            };
            let init = init.map(|id| &self.environment.tensors[id]);
            let of_init = init.filter(|init| !init.shape.is_empty() && init.dtype.is_some());
            let by_init = of_init.and_then(|init| {
                let assign = members.iter().find(|assign| assign.target == lag.of)?;
                let axis = axis_of(assign, &block.step, init.shape.len() + 1)?;
                let range = |name: &str| {
                    let extent = assign.ranges.iter().find(|(other, _)| other == name);
                    extent.and_then(|(_, extent)| sizes::value(&self.environment, extent).ok())
                };
                let mut shape = init.shape.clone();
                if shape.len() + 2 == assign.left.len() && leads(assign) {
                    shape.insert(0, range(assign.left[0].lone()?)?);
                }
                if axis <= shape.len() {
                    shape.insert(axis, range(&block.step)?);
                }
                let dtype = Ok(init.dtype?);
                Some(Sketch { shape, dtype })
            });
            match (by_init, known.get(&lag.of)) {
                // What is given is not found in rounds, in each of which it could grow.
                (Some(sketch), _) => define(&mut self.environment, &lag.target, &sketch),
                (None, Some(known)) => {
                    self.environment.lags.insert(lag.target.clone());
                    let mut known = known.clone();
                    let given = |is_fraction| self.given(lag, is_fraction);
                    known.dtype = known.dtype.or_else(given);
                    define(&mut self.environment, &lag.target, &known);
                }
                (None, None) => {
                    // A first value of rank 0 has a type alone.
                    self.environment.known.remove(&lag.target);
                }
            }
        }
    }

    /// The type that a first value gives to a name to which nothing else does.
    fn given(&self, lag: &scan::Lag, is_fraction: bool) -> Result<DType, bool> {
        let environment = &self.environment;
        match &lag.init {
            None | Some(First::Number(Literal::Integer(_))) => Err(is_fraction),
            Some(First::Number(Literal::Fraction(_))) => Err(true),
            Some(First::Number(Literal::Bool(_))) => Ok(DType::Bool),
            Some(First::Tensor(tensor)) => match environment.tensor(tensor) {
                Some(id) => {
                    let is_fraction = is_fraction || environment.kinds[id] == Kind::Fraction;
                    environment.tensors[id].dtype.ok_or(is_fraction)
                }
                None => Err(is_fraction),
            },
        }
    }

    /// The shape and the type of a statement's target, as far as they are known. None is a fault of types, which are judged once all are known.
    fn sketch(
        &mut self,
        block: &Block,
        assign: &Assign,
        pinned: Option<&[i64]>,
    ) -> Result<Sketch, Vec<String>> {
        let environment = &mut self.environment;
        if statement::reads_faulty(environment, assign) {
            return Err(Vec::new());
        }
        let assign = &*statement::filled(environment, assign);
        let (label, name) = statement::names(assign);
        let loops = Loops::of(assign);
        let sized = statement::sized(environment, assign, &loops, pinned);
        let statement::Sized {
            ranges,
            pinned,
            faults,
            ..
        } = sized.map_err(|found| match found.is_open {
            true => by_lags(block, assign, found.faults),
            false => found.faults,
        })?;
        let mut context = Context {
            environment,
            loops: &loops,
            ranges: &ranges,
            label: &label,
            guards: Vec::new(),
            guarded: true,
            faults,
        };
        let left: Vec<bound::Index> = (0..assign.left.len())
            .map(|axis| context.index(&assign.left[axis], pinned.as_ref().map(|sizes| sizes[axis])))
            .collect();
        let dtype = types::sketch(&context, assign);
        let mut faults = context.faults;
        let shape = target::shape(&label, &name, &left, &ranges, pinned.as_deref(), true);
        let shape = shape.unwrap_or_else(|found| {
            faults.extend(found);
            Vec::new()
        });
        if faults.is_empty() {
            Ok(Sketch { shape, dtype })
        } else {
            Err(faults)
        }
    }

    /// The statements of a block with `...` written out, as far as shapes are known.
    pub fn written_scan(
        &mut self,
        body: Vec<Assign>,
        block: &mut Block,
        fresh: &Fresh,
    ) -> Vec<Assign> {
        for lag in &mut block.lags {
            if let Some(First::Tensor(tensor)) = &lag.init {
                let id = self.environment.tensor(tensor);
                lag.rank = id.map(|id| self.environment.tensors[id].shape.len());
            }
        }
        if !body.iter().any(Assign::is_open) {
            return body;
        }
        match self.written_steps(&body, block, fresh) {
            Ok(written) => written,
            Err(faults) => {
                self.unwritten.insert(body[0].target.clone(), faults);
                body.iter().map(rest::collapsed).collect()
            }
        }
    }

    /// The same. The faults are those of `...`.
    fn written_steps(
        &mut self,
        body: &[Assign],
        block: &Block,
        fresh: &Fresh,
    ) -> Result<Vec<Assign>, Vec<String>> {
        let narrowed = |assign| {
            rest::narrowed(assign, &|label| {
                let id = self.environment.tensor(label)?;
                Some(self.environment.tensors[id].shape.clone())
            })
        };
        let narrow: Vec<Assign> = body.iter().map(narrowed).collect();
        let steps = self.steps(block, &narrow)?;
        let members = fixed(body, block, steps);
        let mut known: HashMap<String, Sketch> = HashMap::new();
        let mut before: Vec<Assign> = Vec::new();
        let mut rounds = rounds(&members);
        loop {
            let mark = self.environment.mark();
            self.before(block, &members, &known);
            let mut found: HashMap<String, Sketch> = HashMap::new();
            let mut written = Vec::new();
            let mut faults = Vec::new();
            for assign in &members {
                let label = &assign.target;
                let pin = self.pins.get(label.as_str()).copied();
                let environment = &self.environment;
                let shape = |label: &str| {
                    let id = environment.tensor(label)?;
                    Some(environment.tensors[id].shape.clone())
                };
                let is_open =
                    |label: &str| block.lag(label).is_some() && environment.tensor(label).is_none();
                let closed = match assign.is_open() {
                    true => rest::written_out(assign, fresh, &shape, pin, &is_open),
                    false => Ok(assign.clone()),
                };
                let sketch = closed
                    .map_err(Option::unwrap_or_default)
                    .and_then(|closed| {
                        let sketch = self.sketch(block, &closed, pin)?;
                        written.push(closed);
                        Ok(sketch)
                    });
                match sketch {
                    Ok(sketch) => {
                        define(&mut self.environment, label, &sketch);
                        found.insert(label.clone(), sketch);
                    }
                    Err(of_statement) => {
                        faults.extend(of_statement);
                        self.environment.known.insert(label.clone(), Known::Faulty);
                    }
                }
            }
            self.environment.restore(mark);
            if !faults.is_empty() || written.len() < body.len() {
                return Err(faults);
            }
            if found == known && written == before {
                // The range of the steps is that of the block.
                for assign in &mut written {
                    assign.ranges.retain(|(name, _)| *name != block.step);
                }
                return Ok(written);
            }
            if rounds == 0 {
                return Err(unsettled(block, &members, &known, &found));
            }
            rounds -= 1;
            known = found;
            before = written;
        }
    }
}

/// The axis of the steps of a definition, which may have `...` before it, of a tensor of that rank.
fn axis_of(assign: &Assign, step: &str, rank: usize) -> Option<usize> {
    let at = scan::axis(assign, step)?;
    match assign.left[..at].iter().any(|index| index.rest) {
        true => (rank + at).checked_sub(assign.left.len()),
        false => Some(at),
    }
}

/// Whether a definition is that of a batch, whose axis over the examples a first value may lack: batching gives its loop such a name.
pub(super) fn leads(assign: &Assign) -> bool {
    let first = assign.left.first().and_then(Index::lone);
    first.is_some_and(|name| name.starts_with("example_"))
}

/// Type and shape in words.
pub(super) fn shown(sketch: &Sketch) -> String {
    let dtype = sketch.dtype.map_or("a number", DType::name);
    format!("{dtype} of shape {:?}", sketch.shape)
}

/// Defines a tensor as far as it is known; without a type it is like a number.
pub(super) fn define(environment: &mut Environment, label: &str, sketch: &Sketch) {
    let kind = match sketch.dtype {
        Ok(dtype) => Kind::Typed(dtype),
        Err(true) => Kind::Fraction,
        Err(false) => Kind::Integer,
    };
    environment.define(label, sketch.dtype.ok(), sketch.shape.clone(), kind);
}

/// The rounds after which all is found that can be: each but the last finds a shape, or more of a type, of a statement at least.
fn rounds(members: &[Assign]) -> usize {
    6 * members.len() + 6
}

/// The faults of statements of which each round finds something else.
fn unsettled(
    block: &Block,
    members: &[Assign],
    known: &HashMap<String, Sketch>,
    found: &HashMap<String, Sketch>,
) -> Vec<String> {
    let mut faults = Vec::new();
    for assign in members {
        let label = &assign.target;
        if let (Some(a), Some(b)) = (known.get(label), found.get(label)) {
            if a != b {
                let (a, b) = (shown(a), shown(b));
                faults.push(format!(
                    "{}: type and shape do not settle, as each follows from the step before: {a}, then {b}; give init, where or a cast",
                    display(label)
                ));
            }
        }
    }
    if faults.is_empty() {
        let step = &block.step;
        faults.push(format!(
            "scan {step}: types and shapes do not settle; give init, where or casts"
        ));
    }
    faults
}

/// The faults of undetermined ranges, of which those that reads of the step before do not give say how to give them.
fn by_lags(block: &Block, assign: &Assign, faults: Vec<String>) -> Vec<String> {
    let mut lagged = Vec::new();
    for access in assign.accesses() {
        if block.lag(&access.tensor).is_some() {
            for index in &access.indices {
                lagged.extend(index.terms.iter().map(|(_, name)| name.as_str()));
            }
        }
    }
    let more = |fault: String| {
        let of_lag =
            |name: &&&str| fault.ends_with(&format!("nothing determines the range of {name}"));
        match lagged.iter().find(of_lag) {
            Some(_) => format!("{fault}; give init or where"),
            None => fault,
        }
    };
    faults.into_iter().map(more).collect()
}
