//! Inference of a recurrence: the range of its steps, then the shapes and types of its names, on which reads of the step before depend, and which
//! these reads do not determine.

use std::collections::HashMap;

use super::context::Context;
use super::loops::Loops;
use super::ranges::Ranges;
use super::sizes::{self, fixed_ranges};
use super::statement::{self, Inferred};
use super::{access, target, types, Binder, Environment, Known};
use crate::ast::{self, Assign, Binary, Expr, Extent, First, Index, Literal, Op, Shape};
use crate::batch::{each, unguarded};
use crate::bound::{self, Lag, Scan, Tensor};
use crate::names::display;
use crate::operand::DType;
use crate::program::Plain;
use crate::rest::{self, Fresh};
use crate::scan::{self, Block};
use crate::signature::Kind;

/// What is known of a tensor of a block before all of it is: its shape, and its type, or whether a number in it has a fraction.
#[derive(Clone, Debug, PartialEq)]
struct Sketch {
    shape: Vec<i64>,
    dtype: Result<DType, bool>,
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

    /// The number of steps. The faults are empty if they were reported.
    fn steps(&self, block: &Block, body: &[Assign]) -> Result<i64, Vec<String>> {
        let (step, environment) = (&block.step, &self.environment);
        let label = format!("scan {}", step.split('\'').next().unwrap_or(step));
        let own = |name: &str| {
            block.lag(name).is_some() || body.iter().any(|assign| assign.target == name)
        };
        let is_faulty = |name: &String| environment.known.get(name) == Some(&Known::Faulty);
        let mut inits = block.lags.iter().filter_map(|lag| match &lag.init {
            Some(First::Tensor(tensor)) => Some(tensor),
            _ => None,
        });
        if inits.any(is_faulty)
            || body
                .iter()
                .any(|assign| statement::reads_faulty(environment, assign))
        {
            return Err(Vec::new());
        }
        if let Some(range) = &block.range {
            let is_unknown = match range {
                Extent::Size(name, _) => is_faulty(name),
                Extent::Range(at, name) => !environment.ranges[*at].contains_key(name),
                _ => false,
            };
            if is_unknown {
                return Err(Vec::new());
            }
            let range = sizes::value(environment, range);
            return range
                .map(|range| range.max(0))
                .map_err(|fault| vec![format!("{label}: {fault}")]);
        }
        let merged = merged(body, step, &own);
        let mut faults = sizes::faults(environment, &merged, &label);
        if !faults.is_empty() {
            // The loops are told by their names in the text.
            for number in (0..body.len()).rev() {
                let apart = format!("'{number}");
                for fault in &mut faults {
                    *fault = fault.replace(&apart, "");
                }
            }
            return Err(faults);
        }
        let loops = Loops::of(&merged);
        let (ranges, fixed) = fixed_ranges(environment, &merged, &loops);
        let reads = access::reads(environment, &merged, &label)?;
        let mut found = Ranges {
            loops: &loops,
            ranges,
            fixed,
        };
        found.find(&reads, &[], None);
        let conflict = format!("{label}: index {step} is ");
        let mut faults = found.faults(&label, step, &reads, &[], None);
        faults.retain(|fault| fault.starts_with(&conflict));
        match found.ranges[loops.id(step)] {
            _ if !faults.is_empty() => Err(faults),
            Some(range) => Ok(range),
            None => Err(vec![format!(
                "{label}: nothing determines the range of {step}; give it by scan {step} in 0:..."
            )]),
        }
    }

    /// The shapes and types of the block's tensors, by label; none for adjoints of tensors without gradients.
    fn sketches(
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

    /// Binds the statements of a block whose shapes and types are known.
    fn members(
        &mut self,
        block: &Block,
        body: &[Assign],
        members: &[Assign],
        steps: i64,
        sketches: &HashMap<String, Sketch>,
    ) {
        let label = |name: &str| display(name).split('#').next().unwrap_or(name).to_owned();
        let mut faults = Vec::new();
        // Redefinitions keep shape and type.
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
fn leads(assign: &Assign) -> bool {
    let first = assign.left.first().and_then(Index::lone);
    first.is_some_and(|name| name.starts_with("example_"))
}

/// Type and shape in words.
fn shown(sketch: &Sketch) -> String {
    let dtype = sketch.dtype.map_or("a number", DType::name);
    format!("{dtype} of shape {:?}", sketch.shape)
}

/// Defines a tensor as far as it is known; without a type it is like a number.
fn define(environment: &mut Environment, label: &str, sketch: &Sketch) {
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

/// The statements of a block with the number of its steps.
fn fixed(body: &[Assign], block: &Block, steps: i64) -> Vec<Assign> {
    let mut members = body.to_vec();
    for assign in &mut members {
        assign.ranges.retain(|(name, _)| *name != block.step);
        let range = (block.step.clone(), Extent::Number(steps));
        assign.ranges.push(range);
    }
    members
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

/// One statement that reads what the statements of a block read unguarded from outside, with their loops renamed apart, but for the steps.
fn merged(body: &[Assign], step: &str, own: &dyn Fn(&str) -> bool) -> Assign {
    let mut reads = Vec::new();
    let mut ranges = Vec::new();
    for (number, assign) in body.iter().enumerate() {
        let mut assign = assign.clone();
        scan::rename_loops(&mut assign, &|name| match name == step {
            true => name.to_owned(),
            false => format!("{name}'{number}"),
        });
        ranges.append(&mut assign.ranges);
        if !assign.guards.is_empty() {
            continue;
        }
        let mut accesses = Vec::new();
        unguarded(&assign.value, &mut accesses);
        for index in &assign.left {
            accesses.extend(index.look_up.as_deref());
        }
        for access in accesses {
            each(access, &mut |read| {
                if !own(&read.tensor) {
                    let mut read = read.clone();
                    // What a look-up adds is not known, so that such an index gives no range.
                    for index in read
                        .indices
                        .iter_mut()
                        .filter(|index| index.look_up.is_some())
                    {
                        *index = Index::number(0);
                    }
                    reads.push(Expr::Read(read));
                }
            });
        }
    }
    reads.push(Expr::Loop(step.to_owned()));
    ranges.retain(|(name, _)| name != step);
    while reads.len() > 1 {
        let pairs = reads.chunks(2).map(|pair| match pair {
            [a, b] => Expr::Binary(Binary::Add, Box::new(a.clone()), Box::new(b.clone())),
            _ => pair[0].clone(),
        });
        reads = pairs.collect();
    }
    Assign {
        target: step.to_owned(),
        left: vec![ast::Index::of(step.to_owned())],
        op: Op::Sum,
        value: reads.remove(0),
        ranges,
        shape: None::<Shape>,
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: Vec::new(),
    }
}
