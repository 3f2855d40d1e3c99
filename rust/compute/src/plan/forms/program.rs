//! The steps for inputs and outputs with certain strides.

use std::ops::Range;

use super::put::Put;
use super::rows::{stores_in_part, Rows, Uses};
use super::scan::{Group, Recurrence, Stopped};
use super::take::Take;
use super::temporary::Temporary;
use super::transpose::Transpose;
use super::views::Views;
use crate::bound::{Bound, Expr, Index, Scan, Statement, TensorId};
use crate::far::{self, Fars};
use crate::kernel::Level;
use crate::operand::{DType, Number, Operand, OperandMut};
use crate::oracle::{Oracle, Source};
use crate::plan::gemm::{Contraction, Filter};
use crate::plan::rewrite::{covers, injective, MOST_DEPTH};
use crate::plan::tile::{Failed, Nest, Unsupported, View};
use crate::plan::verify::{self, Allocation, Fault};
use crate::scalar::Scalar;
use crate::stack::{deep, Moved};
use crate::{explain, Error, ErrorKind};

/// The address of position 0 of each tensor; inline for small programs.
pub(super) type Bases = smallvec::SmallVec<[*mut u8; 16]>;

/// One step of a program.
#[derive(Debug)]
enum Step {
    /// A loop nest.
    Nest(Box<Nest>),
    /// Statements that run row by row.
    Rows(Box<Rows>),
    /// Rows of a table by index.
    Take(Box<Take>),
    Put(Box<Put>),
    /// A transposition.
    Transpose(Box<Transpose>),
    /// Matrix products.
    Contraction(Box<Contraction>),
    /// Sums over windows.
    Filter(Box<Filter>),
    /// Statements that run step by step.
    Scan(Box<Recurrence>),
}

impl Step {
    /// The fastest step that does what a statement says. No loop has range 0.
    fn new(level: Level, statement: &Statement, views: &[View]) -> Result<Step, Unsupported> {
        if let Some(contraction) = Contraction::new(statement, views) {
            return Ok(Step::Contraction(Box::new(contraction)));
        }
        if let Some(filter) = Filter::new(level, statement, views) {
            return Ok(Step::Filter(Box::new(filter)));
        }
        if let Some(take) = Take::new(statement, views) {
            return Ok(Step::Take(Box::new(take)));
        }
        if let Some(put) = Put::new(level, statement, views) {
            return Ok(Step::Put(Box::new(put)));
        }
        if let Some(transpose) = Transpose::new(statement, views) {
            return Ok(Step::Transpose(Box::new(transpose)));
        }
        let nest = Nest::new(level, statement, views, &[], false)?;
        Ok(Step::Nest(Box::new(nest)))
    }

    /// Whether it reads tensors by parts that are far, if it reads any.
    fn reads_by_parts(&self, fars: Fars<'_>) -> bool {
        match self {
            Step::Nest(nest) => nest.reads_by_parts(fars),
            Step::Rows(_) | Step::Scan(_) => false,
            _ => self
                .touched()
                .iter()
                .all(|&(tensor, _)| far::of(fars, tensor).is_none()),
        }
    }

    /// The bytes of each tensor that are touched, counted from position 0, by what is not made of nests.
    fn touched(&self) -> Vec<(TensorId, (i128, i128))> {
        match self {
            Step::Nest(_) | Step::Rows(_) | Step::Scan(_) => Vec::new(),
            Step::Contraction(contraction) => contraction.touched().to_vec(),
            Step::Filter(filter) => filter.touched(),
            Step::Take(take) => take.touched().to_vec(),
            Step::Put(put) => put.touched().to_vec(),
            Step::Transpose(transpose) => transpose.touched().to_vec(),
        }
    }

    /// Whether all that it touches is inside of the memory of the tensors. Each nest of rows, and each of a program of slices, was verified as it was
    /// made.
    fn verify(&self, views: &[View]) -> Result<(), Fault> {
        if let Step::Nest(nest) = self {
            return verify::nest(nest, &|tensor| views.get(tensor).map(Allocation::of));
        }
        self.touched()
            .into_iter()
            .try_for_each(|(tensor, bytes)| Allocation::of(&views[tensor]).has(tensor, bytes))
    }
}

/// The steps for inputs and outputs with certain strides.
#[derive(Debug)]
pub(crate) struct Program {
    pub views: Views,
    steps: Vec<Step>,
    /// The statements that each step runs, by number; none of those that only initialise or copy.
    members: Vec<Range<usize>>,
    /// Tensors that need temporary memory, and their numbers of elements.
    temporaries: Vec<(TensorId, usize)>,
}

/// The number of elements of a tensor.
fn elements(view: &View) -> usize {
    view.layout.shape().iter().fold(1, |product: usize, &len| {
        product.saturating_mul(len as usize)
    })
}

/// A program that is being made; the fields are those of the [`Program`].
struct Made<'a> {
    bound: &'a Bound,
    level: Level,
    views: &'a Views,
    steps: Vec<Step>,
    members: Vec<Range<usize>>,
    temporaries: Vec<(TensorId, usize)>,
}

impl Made<'_> {
    fn step(&mut self, members: Range<usize>, step: Step) {
        self.steps.push(step);
        self.members.push(members);
    }

    /// Adds memory for a tensor that is not computed in an output.
    fn temporary(&mut self, id: TensorId) {
        if self.views.places[id].is_none() {
            let elements = elements(&self.views.tensors[id]);
            self.temporaries.push((id, elements));
        }
    }

    fn scan(&mut self, scan: &Group, members: &[Statement]) -> Result<(), Unsupported> {
        let step = Recurrence::new(self.level, self.bound, scan, members, self.views)?;
        step.whole().iter().for_each(|&id| self.temporary(id));
        self.step(scan.members.clone(), Step::Scan(Box::new(step)));
        Ok(())
    }

    fn rows(&mut self, rows: Rows, at: usize, members: &[Statement]) {
        let local: Vec<TensorId> = rows.locals().collect();
        let targets = members.iter().map(|member| member.target);
        let shared = targets.filter(|id| !local.contains(id));
        shared.for_each(|id| self.temporary(id));
        self.step(at..at + members.len(), Step::Rows(Box::new(rows)));
    }

    /// Adds the steps of a statement, the first of which writes the identity where it writes nothing itself.
    fn statement(&mut self, at: usize, statement: &Statement) -> Result<(), Unsupported> {
        let id = statement.target;
        let view = &self.views.tensors[id];
        self.temporary(id);
        let conditional = !statement.guards.is_empty() || stores_in_part(statement);
        if statement.is_empty()
            || conditional
            || !injective(statement)
            || !covers(statement, view.layout.shape())
        {
            let identity = Scalar::identity(statement.op, view.dtype);
            self.write(id, Expr::constant(view.dtype, identity))?;
        }
        self.add(at..at + 1, statement)
    }

    /// Adds copies of tensors that are outputs, but not computed there.
    fn copies(&mut self) -> Result<(), Unsupported> {
        for (k, &(_, id)) in self.views.copies.iter().enumerate() {
            let target = self.bound.tensors.len() + k;
            let view = &self.views.tensors[target];
            let indices = Index::axes(view.layout.shape().len());
            self.write(target, Expr::read(view.dtype, id, indices))?;
        }
        Ok(())
    }

    /// Adds a step that writes all elements of a tensor.
    fn write(&mut self, target: TensorId, value: Expr) -> Result<(), Unsupported> {
        let shape = self.views.tensors[target].layout.shape();
        self.add(0..0, &Statement::whole(target, shape, value))
    }

    fn add(&mut self, members: Range<usize>, statement: &Statement) -> Result<(), Unsupported> {
        if statement.is_empty() {
            return Ok(());
        }
        let views = &self.views.tensors;
        let step = Step::new(self.level, statement, views)?;
        step.verify(views).map_err(|fault| {
            let name = self.bound.tensors.get(statement.target);
            let name = name.map_or("the copy of a result", |tensor| &tensor.name);
            verify::report(name, &fault);
            Unsupported
        })?;
        self.step(members, step);
        Ok(())
    }
}

impl Program {
    /// The steps of statements over these views.
    pub fn new(
        bound: &Bound,
        statements: &[Statement],
        scans: &[Group],
        level: Level,
        views: Views,
    ) -> Result<Program, Unsupported> {
        let mut made = Made {
            bound,
            level,
            views: &views,
            steps: Vec::new(),
            members: Vec::new(),
            temporaries: Vec::new(),
        };
        let uses = Uses::of(bound, statements);
        let mut changed = views.tensors.clone();
        let mut at = 0;
        while at < statements.len() {
            let next = scans.iter().find(|scan| scan.members.start >= at);
            let until = next.map_or(statements.len(), |scan| scan.members.start);
            let between = &statements[..until];
            if let Some(scan) = next.filter(|_| until == at) {
                made.scan(scan, &statements[scan.members.clone()])?;
                at = scan.members.end;
            } else if let Some((rows, count)) =
                Rows::new(level, bound, between, at, &uses, &mut changed)
            {
                made.rows(rows, at, &statements[at..at + count]);
                at += count;
            } else {
                made.statement(at, &statements[at])?;
                at += 1;
            }
        }
        made.copies()?;
        let Made {
            steps,
            members,
            temporaries,
            ..
        } = made;
        Ok(Program {
            views,
            steps,
            members,
            temporaries,
        })
    }

    /// Whether all steps read tensors by parts that are far.
    pub fn reads_by_parts(&self, fars: Fars<'_>) -> bool {
        fars.iter().all(Option::is_none) || self.steps.iter().all(|step| step.reads_by_parts(fars))
    }

    /// Runs the steps, which were made of these statements; with `fars` only if they read them by parts.
    ///
    /// # Errors
    ///
    /// Of the first statement that fails; false with `fars`, since only memory says which.
    ///
    /// # Safety
    ///
    /// Operands have the layouts of the [`Views`], and keep the promises of [`Operand`], but those in `fars`.
    pub unsafe fn run(
        &self,
        bound: &Bound,
        statements: &[Statement],
        scans: &[Group],
        inputs: &[Operand],
        outputs: &[OperandMut],
        fars: Fars<'_>,
    ) -> Result<bool, Error> {
        let mut bases = Bases::from_elem(std::ptr::null_mut(), self.views.tensors.len());
        for (id, input) in inputs.iter().enumerate() {
            if let Operand::Tensor { data, .. } = input {
                bases[id] = data.cast_mut();
            }
        }
        for (id, place) in self.views.places.iter().enumerate() {
            if let Some(k) = place {
                bases[id] = outputs[*k].data;
            }
        }
        for (n, &(k, _)) in self.views.copies.iter().enumerate() {
            bases[bound.tensors.len() + n] = outputs[k].data;
        }
        let memory = self.memory(&mut bases).map_err(|(id, elements)| {
            let fault = format!(
                "{}: no memory for {elements} elements",
                bound.tensors[id].name
            );
            Error::new(ErrorKind::OutOfMemory, vec![fault])
        })?;
        // Values alone, which threads may share.
        let mut given = smallvec::SmallVec::<[Option<Number>; 16]>::new();
        given.extend(inputs.iter().map(|input| match input {
            Operand::Number(number) => Some(*number),
            Operand::Tensor { .. } => None,
        }));
        let numbers = |input: usize, dtype: DType| {
            let scalar = given[input].and_then(|number| Scalar::of_number(number, dtype));
            scalar.map_or(0, Scalar::bits)
        };
        // SAFETY: as the caller says; statements write each tensor before they read it.
        let result = unsafe { self.steps(&bases, &numbers, fars) };
        if !fars.is_empty() && matches!(result, Err((_, Stopped::Failed))) {
            return Ok(false);
        }
        let result = result.map_err(|(step, why)| match why {
            Stopped::Failed => {
                let failed = &self.members[step];
                let scan = scans.iter().find(|scan| scan.members == *failed);
                let scan = scan.map(|scan| &bound.scans[scan.scan]);
                self.fault(bound, &statements[failed.clone()], scan, inputs, &bases)
            }
            Stopped::Memory(elements) => {
                let targets = statements[self.members[step].clone()].iter();
                let names: Vec<&str> = targets
                    .map(|each| bound.tensors[each.target].name.as_str())
                    .collect();
                let fault = format!(
                    "{}: no memory for {elements} elements of a step",
                    names.join(", ")
                );
                Error::new(ErrorKind::OutOfMemory, vec![fault])
            }
        });
        drop(memory);
        result.map(|()| true)
    }

    /// Memory for temporary tensors, whose addresses are added to the bases.
    ///
    /// # Errors
    ///
    /// The tensor for which there is none, and the number of its elements.
    pub fn memory(&self, bases: &mut Bases) -> Result<Vec<Temporary>, (TensorId, usize)> {
        let mut memory = Vec::with_capacity(self.temporaries.len());
        for &(id, elements) in &self.temporaries {
            let bytes = elements.saturating_mul(self.views.tensors[id].dtype.width());
            let mut made = Temporary::new(bytes).ok_or((id, elements))?;
            bases[id] = made.ptr();
            memory.push(made);
        }
        Ok(memory)
    }

    /// Runs the steps over tensors at these addresses.
    ///
    /// # Errors
    ///
    /// The number of the first step that stops, and why.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`].
    pub unsafe fn steps(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
        fars: Fars<'_>,
    ) -> Result<(), (usize, Stopped)> {
        for (at, step) in self.steps.iter().enumerate() {
            let result = match step {
                // SAFETY: as the caller says; statements write each tensor before they read it.
                Step::Nest(nest) => unsafe { nest.run(bases, numbers, fars) },
                // SAFETY: as above.
                Step::Rows(rows) => unsafe { rows.run(&self.views.tensors, bases, numbers) },
                // SAFETY: as above.
                Step::Take(take) => unsafe { take.run(bases) },
                // SAFETY: as above.
                Step::Put(put) => unsafe { put.run(bases) },
                // SAFETY: as above.
                Step::Transpose(transpose) => unsafe { transpose.run(bases) },
                // SAFETY: as above.
                Step::Contraction(contraction) => unsafe { contraction.run(bases, numbers) },
                // SAFETY: as above.
                Step::Filter(filter) => unsafe { filter.run(bases) },
                Step::Scan(scan) => {
                    // SAFETY: as above.
                    unsafe { scan.run(bases, numbers) }.map_err(|why| (at, why))?;
                    Ok(())
                }
            };
            result.map_err(|failed: Failed| (at, failed.into()))?;
        }
        Ok(())
    }

    /// The error of the first of the statements of a step that has failed; all that is read there and was made before is at its address.
    #[cold]
    fn fault(
        &self,
        bound: &Bound,
        failed: &[Statement],
        scan: Option<&Scan>,
        inputs: &[Operand],
        bases: &[*mut u8],
    ) -> Error {
        let moved = Moved((inputs, bases));
        let found = deep(bound.depth.max(MOST_DEPTH), || {
            let (inputs, bases) = moved.into();
            let mut oracle = Oracle::new(bound, inputs);
            let defined = bases.iter().enumerate().take(bound.tensors.len());
            for (id, &base) in defined.skip(bound.inputs()) {
                let view = &self.views.tensors[id];
                if !base.is_null() && failed.iter().all(|one| one.target != id) {
                    let source = Source::Memory(view.dtype, base, view.layout.as_slices());
                    oracle.set(id, source);
                }
            }
            match scan {
                Some(scan) => oracle.scan(scan).err(),
                None => explain::fault(&mut oracle, failed),
            }
        });
        match found {
            Ok(Some(error)) | Err(error) => error,
            Ok(None) => {
                Error::outside("inputs were written while the program ran: an index was outside")
            }
        }
    }
}
