//! Recurrences among statements over ragged and sparse tensors: each row is a dense program of its own, with the recurrence of dense programs in it.
//!
//! The loops on which the steps depend stand before that of the steps. So what a scan reads and makes for one row is dense: a slice of each operand,
//! and a part of each result that lies in one piece. Rows of the same length have one plan.

use std::collections::HashMap;
use std::sync::Mutex;

use super::memory::Buffer;
use super::nest::Nest;
use super::ranges;
use super::row_text::{rows, rows_before, RowText};
use super::shape::Shaper;
use super::slices::Cut;
use super::support::Support;
use super::tensor::{row_major, Form, Rows, Tensor};
use super::windows::Shared;
use super::{kinds::Kinds, lengths};
use crate::ast::{Access, Assign, Expr, Extent, First, Index};
use crate::batch::{each, unguarded};
use crate::bound::{self, Bound};
use crate::infer::loops::Loops;
use crate::infer::steps::reading;
use crate::infer::{access, sizes, Binder, Environment};
use crate::operand::{DType, Operand, OperandMut, Strided};
use crate::plan::Plan;
use crate::program::Plain;
use crate::scan::{self, Block};
use crate::signature::{Kind, Signature};
use crate::stack::deep;
use crate::{threads, Error, ErrorKind};

/// The elements from which on rows are shared by threads, and the parts of the rows.
const SHARED: usize = 1 << 13;
const PARTS: usize = 64;

/// No plan: of a row without steps.
const NONE: u32 = u32::MAX;

/// The rows of a recurrence, each with the place of its steps.
pub(super) struct RowList<'a> {
    /// The form of a tensor with an element for each step; none if all is dense, and there is one row.
    pub form: Option<Rows<'a>>,
    /// The loops of each row, one after the other.
    numbers: Vec<i64>,
    /// The first step of each row, and their number; none for the steps of what is dense.
    pub steps: Vec<(i64, Option<i64>)>,
    /// The number of axes of rows.
    pub axes: usize,
}

/// Rows that have one plan.
struct Class {
    plan: Option<Plan>,
    bound: Bound,
    /// The ranges of each statement's loops.
    ranges: Vec<HashMap<String, i64>>,
    /// For each output whether there is one.
    made: Vec<bool>,
}

/// What is known of a recurrence after it has run.
pub(super) struct Done {
    pub statements: std::ops::Range<usize>,
    /// For each class of rows the ranges of each statement's loops.
    ranges: Vec<Vec<HashMap<String, i64>>>,
    class_of: Vec<u32>,
}

impl Done {
    /// The range of a loop of a statement in a row.
    fn range(&self, at: usize, name: &str, row: usize) -> i64 {
        let class = match self.class_of.get(row) {
            Some(&NONE) | None => 0,
            Some(&class) => class as usize,
        };
        let ranges = self.ranges.get(class);
        let ranges = ranges.and_then(|each| each.get(at - self.statements.start));
        ranges.and_then(|each| each.get(name)).copied().unwrap_or(0)
    }

    /// The ranges of a statement's loops where all rows have the same.
    pub fn ranges(&self, at: usize) -> HashMap<String, i64> {
        let ranges = self.ranges.first();
        let ranges = ranges.and_then(|each| each.get(at - self.statements.start));
        ranges.cloned().unwrap_or_default()
    }
}

/// A recurrence that is about to run.
pub(super) struct Recurrence<'r, 'a> {
    pub environment: &'r Environment,
    pub tensors: &'r [Tensor<'a>],
    pub block: &'r Block,
    pub body: &'r [Assign],
    /// A bound of the depth of the statements' trees.
    pub depth: usize,
    /// The recurrences before it.
    pub done: &'r [Done],
}

/// A result, or nothing for the adjoint of what has no gradient.
pub(super) type Made<'a> = Option<Tensor<'a>>;

impl<'a> Recurrence<'_, 'a> {
    /// Whether it reads something ragged, or steps depend on rows.
    fn is_ragged(&self) -> bool {
        let of = |name: &str| {
            let id = self.environment.tensor(name);
            id.is_some_and(|id| self.environment.tensors[id].shape.contains(&-1))
        };
        let of_row = |extent: &Extent| {
            let mut found = lengths::is_of_row(self.environment, extent);
            if let Extent::Sum(sum) = extent {
                let mut lengths = sum.lengths.iter();
                found |= !sum.terms.is_empty();
                found |= lengths.any(|(_, each)| lengths::is_of_row(self.environment, each));
            }
            found
        };
        let inits = self.block.lags.iter().filter_map(|lag| match &lag.init {
            Some(First::Tensor(tensor)) => Some(tensor),
            _ => None,
        });
        self.block.range.as_ref().is_some_and(of_row)
            || inits.into_iter().any(|tensor| of(tensor))
            || self.body.iter().any(|assign| {
                let accesses = assign.accesses();
                accesses.iter().any(|read| of(&read.tensor))
                    || assign.lengths().into_iter().any(of_row)
                    || Kinds::has_rows(assign)
                    || matches!(&assign.shape, Some(crate::ast::Shape::Like(name)) if of(name))
            })
    }

    fn label(&self) -> String {
        let step = self.block.step.split('\'').next().unwrap_or_default();
        format!("scan {step}")
    }

    /// Runs it. `wanted` says which results are needed after it.
    pub fn run(
        &self,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<(Vec<Made<'a>>, RowList<'a>, Done), Error> {
        let axes = match self.is_ragged() {
            true => Some(rows_before(self.block, self.body)?),
            false => None,
        };
        let text = RowText::new(self.environment, self.block, self.body, axes.unwrap_or(0))?;
        let list = match axes {
            Some(axes) => self.rows(axes)?,
            None => RowList {
                form: None,
                numbers: Vec::new(),
                steps: vec![(0, None)],
                axes: 0,
            },
        };
        let outputs: Vec<String> = self.body.iter().map(|each| each.target.clone()).collect();
        let outputs: Vec<String> = outputs.into_iter().filter(|label| wanted(label)).collect();
        let mut classes = Classes {
            of: self,
            text: &text,
            outputs: &outputs,
            classes: Vec::new(),
            keys: HashMap::new(),
            refers: text.refers(),
        };
        let mut class_of = Vec::with_capacity(list.steps.len());
        for row in 0..list.steps.len() {
            class_of.push(match list.steps[row].1 {
                Some(0) => NONE,
                _ => classes.of_row(&list, Some(row))?,
            });
        }
        if classes.classes.is_empty() {
            // What has no steps has types and shapes still.
            classes.of_row(&list, None)?;
        }
        let classes = classes.classes;
        let made = self.results(&text, &list, &classes, &class_of)?;
        let mut made = made.into_iter();
        let results = self.body.iter().map(|assign| {
            let label = &assign.target;
            match outputs.contains(label) {
                true => made.next().flatten(),
                // Nobody reads it.
                false => Some(Tensor::number(crate::operand::Number::Integer(0))),
            }
        });
        let results = results.collect();
        let ranges = classes.into_iter().map(|class| class.ranges);
        let done = Done {
            statements: self.block.statements.clone(),
            ranges: ranges.collect(),
            class_of,
        };
        Ok((results, list, done))
    }

    /// The rows: what all statements read unguarded from outside gives the ranges of their loops, and of the steps.
    fn rows(&self, axes: usize) -> Result<RowList<'a>, Error> {
        let label = self.label();
        let illegal = |mut faults: Vec<String>| {
            for number in (0..self.body.len()).rev() {
                let apart = format!("'{number}");
                for fault in &mut faults {
                    *fault = fault.replace(&apart, "");
                }
            }
            Error::new(ErrorKind::IllegalArgument, faults)
        };
        let merged = self.merged(axes);
        let names = merged.loops();
        let too_large = || illegal(vec![format!("{label}: an index does not fit INT64")]);
        let (merged, of_rows) =
            lengths::written_out(self.environment, &merged).ok_or_else(too_large)?;
        let loops = Loops::with(names, of_rows.iter().map(|length| length.name.clone()));
        let faults = sizes::faults(self.environment, &merged, &label);
        if !faults.is_empty() {
            return Err(illegal(faults));
        }
        // To find ranges is to bind indices, which defines nothing.
        let mut scratch = Environment {
            known: self.environment.known.clone(),
            tensors: self.environment.tensors.clone(),
            kinds: self.environment.kinds.clone(),
            ranges: self.environment.ranges.clone(),
            ..Environment::default()
        };
        let reads = access::reads(&scratch, &merged, &label).map_err(illegal)?;
        let found = ranges::find(
            &mut scratch,
            &merged,
            &loops,
            &label,
            &reads,
            None,
            &of_rows,
        );
        let step = &self.block.step;
        let found = found.map_err(|mut faults| {
            let open = format!("{label}: nothing determines the range of {step}");
            for fault in &mut faults {
                if *fault == open {
                    fault.push_str(&format!("; give it by scan {step} in 0:..."));
                }
            }
            illegal(faults)
        })?;
        let left: Vec<bound::Index> = merged
            .left
            .iter()
            .map(|index| bound::Index {
                affine: loops.affine(&scratch, index),
                look_up: None,
                checked: false,
            })
            .collect();
        let kept = left.iter().map(|index| index.affine.terms[0].0).collect();
        let nest = Nest {
            names: loops.names.clone(),
            ranges: found,
            support: Support::All,
            reads: Vec::new(),
            alone: false,
            kept,
        };
        let shaper = Shaper {
            nest: &nest,
            tensors: self.tensors,
            left: &left,
            label: &label,
            target: step,
        };
        shaper.agree()?;
        let form = match shaper.form()? {
            Form::Ragged(rows) => rows,
            Form::Dense { shape, .. } => {
                let count = tensornio_core::shape::elements(&shape);
                Rows {
                    splits: vec![None; shape.len()],
                    count: count.map_err(|fault| Error::illegal(format!("{label}: {fault}")))?,
                    shape,
                }
            }
            _ => return Err(Error::illegal(format!("{label}: no rows"))),
        };
        let mut list = RowList {
            form: None,
            numbers: Vec::new(),
            steps: Vec::new(),
            axes,
        };
        list.add(&form, 0, 0, &mut vec![0; axes]);
        list.form = Some(form);
        Ok(list)
    }

    /// A statement over the rows and the steps that reads what the block reads unguarded from outside, as far as that bounds their loops.
    fn merged(&self, axes: usize) -> Assign {
        let step = &self.block.step;
        let names = rows(&self.body[0], axes);
        let own = |name: &str| {
            self.block.lag(name).is_some() || self.body.iter().any(|each| each.target == name)
        };
        let mut reads: Vec<Access> = Vec::new();
        let mut ranges: Vec<(String, Extent)> = Vec::new();
        for (number, assign) in self.body.iter().enumerate() {
            let of_rows = rows(assign, axes);
            let mut assign = assign.clone();
            scan::rename_loops(
                &mut assign,
                &|name| match of_rows.iter().position(|row| row == name) {
                    Some(axis) => names[axis].clone(),
                    None if name == step => name.to_owned(),
                    None => format!("{name}'{number}"),
                },
            );
            for (name, extent) in &assign.ranges {
                let is_new = ranges.iter().all(|(other, _)| other != name);
                if is_new && name != step && !matches!(extent, Extent::Range(..)) {
                    ranges.push((name.clone(), extent.clone()));
                }
            }
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
                        reads.push(read.clone());
                    }
                });
            }
            if let Some(crate::ast::Shape::Like(name)) = &assign.shape {
                if !own(name) {
                    reads.push(Access {
                        tensor: name.clone(),
                        indices: assign.left.clone(),
                    });
                }
            }
        }
        for lag in &self.block.lags {
            let Some(First::Tensor(tensor)) = &lag.init else {
                continue;
            };
            let of = self.body.iter().find(|assign| assign.target == lag.of);
            let others = of.map_or(0, |assign| assign.left.len() - 1);
            if self.rank(tensor) == Some(others) {
                let rows = names.iter().cloned().map(Index::of);
                let mut indices: Vec<Index> = rows.collect();
                indices.resize(others, Index::number(0));
                reads.push(Access {
                    tensor: tensor.clone(),
                    indices,
                });
            }
        }
        if let Some(range) = &self.block.range {
            let mut range = range.clone();
            generic(&mut range, &names);
            if let Extent::Len(tensor, indices) = &range {
                // The rows are those of that tensor.
                let mut indices = indices.clone();
                indices.resize(self.rank(tensor).unwrap_or(0), Index::number(0));
                reads.push(Access {
                    tensor: tensor.clone(),
                    indices,
                });
            }
            ranges.retain(|(name, _)| name != step);
            ranges.push((step.clone(), range));
        }
        self.narrow(&mut reads, &mut ranges, &names);
        let left = names.iter().cloned().map(Index::of);
        let left = left.chain([Index::of(step.clone())]).collect();
        let mut values: Vec<Expr> = reads.into_iter().map(Expr::Read).collect();
        values.push(Expr::Loop(step.clone()));
        reading(step, left, values, ranges)
    }

    fn rank(&self, tensor: &str) -> Option<usize> {
        let id = self.environment.tensor(tensor)?;
        Some(self.environment.tensors[id].shape.len())
    }

    /// Leaves out indices that have no part in the ranges of the rows and of the steps.
    fn narrow(&self, reads: &mut [Access], ranges: &mut Vec<(String, Extent)>, names: &[String]) {
        let mut counts: Vec<String> = names.to_vec();
        counts.push(self.block.step.clone());
        loop {
            let before = counts.len();
            for index in reads.iter().flat_map(|read| &read.indices) {
                let has = |name: &String| counts.contains(name);
                if index.look_up.is_none() && index.terms.iter().any(|(_, name)| has(name)) {
                    for (_, name) in &index.terms {
                        if !counts.contains(name) {
                            counts.push(name.clone());
                        }
                    }
                }
            }
            if counts.len() == before {
                break;
            }
        }
        for read in reads {
            let id = self.environment.tensor(&read.tensor);
            let shape = id.map_or(&[][..], |id| &self.environment.tensors[id].shape);
            let last = shape.iter().rposition(|&length| length < 0);
            for (axis, index) in read.indices.iter_mut().enumerate() {
                let is_before = last.is_some_and(|last| axis < last);
                let is_open = index.look_up.is_some() || !index.lengths.is_empty();
                let all = index.terms.iter().all(|(_, name)| counts.contains(name));
                if !(is_before || all && !is_open) {
                    *index = Index::number(0);
                }
            }
        }
        ranges.retain(|(name, _)| counts.contains(name));
    }

    /// The results of all rows.
    fn results(
        &self,
        text: &RowText,
        list: &RowList<'a>,
        classes: &[Class],
        class_of: &[u32],
    ) -> Result<Vec<Made<'a>>, Error> {
        let mut places = Vec::new();
        let mut forms = Vec::new();
        for output in 0..classes[0].bound.outputs().len() {
            let first = &classes[0].bound.outputs()[output];
            let id = classes[0].bound.returned[output];
            let name = &classes[0].bound.tensors[id].name;
            let Kind::Typed(dtype) = first.kind else {
                return Err(Error::illegal(format!("{name} has no type")));
            };
            let form = match &list.form {
                None => Form::Dense {
                    strides: row_major(&first.shape),
                    shape: first.shape.clone(),
                },
                Some(rows) => {
                    let others = &first.shape[list.axes + 1..];
                    for class in classes {
                        let also = &class.bound.outputs()[output].shape[list.axes + 1..];
                        if also != others {
                            return Err(Error::illegal(format!(
                                "{}: {name} has axes of lengths {others:?} behind the steps in one row, and {also:?} in another; \
                                 only the number of steps is another one in each row",
                                self.label()
                            )));
                        }
                    }
                    rows.with(others)
                }
            };
            let shape = match &form {
                Form::Ragged(rows) => &rows.shape,
                Form::Dense { shape, .. } => shape,
                _ => &first.shape,
            };
            let lengths: Vec<i64> = shape.iter().map(|&length| length.max(0)).collect();
            let of = |fault: String| Error::illegal(format!("{name}: {fault}"));
            crate::infer::target::check_size(&lengths, Some(dtype)).map_err(of)?;
            let count = match &form {
                Form::Ragged(rows) => rows.count,
                _ => shape.iter().product(),
            };
            let what = || format!("{name}: a result of shape {shape:?}");
            let mut buffer = Buffer::zeroed(
                usize::try_from(count).unwrap_or(usize::MAX),
                dtype.width(),
                what,
            )?;
            let of_step = first.shape.iter().skip(list.axes + 1).product::<i64>() as usize;
            places.push((Shared(buffer.start_mut()), dtype, of_step * dtype.width()));
            forms.push((dtype, buffer, form));
        }
        let work = |row: usize| -> Result<(), Error> {
            let class = class_of[row];
            if class == NONE {
                return Ok(());
            }
            let class = &classes[class as usize];
            let cuts = list.cuts(text, self.tensors, Some(row))?;
            let operands = operands(&cuts)?;
            let outputs = class.bound.outputs();
            let strides: Vec<Vec<i64>> = outputs
                .iter()
                .map(|output| row_major(&output.shape))
                .collect();
            let mut targets = Vec::new();
            for ((place, output), strides) in places.iter().zip(outputs).zip(&strides) {
                let (to, dtype, of_step) = place;
                let first = list.steps[row].0 as usize;
                targets.push(OperandMut {
                    dtype: *dtype,
                    // SAFETY: the steps of all rows are as many as the buffer has.
                    data: unsafe { to.at(first * of_step) },
                    layout: layout(&output.shape, strides)?,
                });
            }
            let Some(plan) = &class.plan else {
                return Ok(());
            };
            // SAFETY: slices are parts of inputs, which are what who made them promised, at indices that were compared with the lengths of axes, in
            // rows whose splits were checked; outputs are the parts of this row in buffers that have all steps of all rows, which are distinct.
            unsafe { plan.run(&operands, &mut targets) }
        };
        self.share(list, &work, places.iter().map(|place| place.2).max())?;
        let mut made = forms.into_iter();
        Ok(classes[0]
            .made
            .iter()
            .map(|&is_there| {
                let (dtype, buffer, form) = made.next().filter(|_| is_there)?;
                Some(Tensor::made(dtype, buffer, form))
            })
            .collect())
    }

    /// Does the rows, on several threads if there is enough to do. Which thread does a row makes no difference to it.
    fn share(
        &self,
        list: &RowList<'_>,
        work: &(dyn Fn(usize) -> Result<(), Error> + Sync),
        of_step: Option<usize>,
    ) -> Result<(), Error> {
        let count = list.steps.len();
        let steps: i64 = list.form.as_ref().map_or(0, |rows| rows.count);
        let bytes = (steps as usize).saturating_mul(of_step.unwrap_or(0));
        let all = || (0..count).try_for_each(work);
        let parts = PARTS.min(count);
        if parts < 2 || bytes < SHARED {
            return all();
        }
        let failed = Mutex::new(None);
        threads::while_true(parts as u64, &|part| {
            let at = |part: u64| (count as u128 * u128::from(part) / parts as u128) as usize;
            // The stacks of threads are no longer than any.
            let done = deep(self.depth, || (at(part)..at(part + 1)).try_for_each(work));
            match done.and_then(|done| done) {
                Ok(()) => true,
                Err(error) => {
                    let mut failed = failed
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner);
                    failed.get_or_insert(error);
                    false
                }
            }
        });
        let failed = failed
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match failed {
            None => Ok(()),
            // The first fault is reported, whichever thread met one.
            Some(error) => Err(all().err().unwrap_or(error)),
        }
    }
}

impl<'a> RowList<'a> {
    /// Adds the rows below a node.
    fn add(&mut self, rows: &Rows<'_>, axis: usize, node: i64, numbers: &mut Vec<i64>) {
        let length = rows.length(axis, node);
        if axis == self.axes {
            self.numbers.extend_from_slice(numbers);
            self.steps.push((rows.child(axis, node, 0), Some(length)));
            return;
        }
        for number in 0..length {
            numbers[axis] = number;
            self.add(rows, axis + 1, rows.child(axis, node, number), numbers);
        }
    }

    fn row(&self, row: usize) -> &[i64] {
        &self.numbers[row * self.axes..(row + 1) * self.axes]
    }

    /// What a row reads.
    fn cuts(
        &self,
        text: &RowText,
        tensors: &[Tensor<'_>],
        row: Option<usize>,
    ) -> Result<Vec<Cut>, Error> {
        let numbers = row.map(|row| self.row(row));
        text.slices
            .iter()
            .map(|(_, slice)| slice.cut(tensors, numbers))
            .collect()
    }
}

impl<'a> Rows<'a> {
    /// The form of a tensor that has a block of that shape for each element.
    fn with(&self, others: &[i64]) -> Form<'a> {
        let mut shape = self.shape.clone();
        shape.extend_from_slice(others);
        if self.splits.iter().all(Option::is_none) {
            let strides = row_major(&shape);
            return Form::Dense { shape, strides };
        }
        let mut splits = self.splits.clone();
        splits.resize(shape.len(), None);
        let block = others
            .iter()
            .try_fold(1i64, |all, &one| all.checked_mul(one));
        let count = block.and_then(|block| self.count.checked_mul(block));
        Form::Ragged(Rows {
            shape,
            splits,
            // Too many have no memory.
            count: count.unwrap_or(i64::MAX),
        })
    }
}

/// The classes of rows, while they are found.
struct Classes<'c, 'r, 'a> {
    of: &'c Recurrence<'r, 'a>,
    text: &'c RowText,
    outputs: &'c [String],
    classes: Vec<Class>,
    keys: HashMap<Vec<i64>, u32>,
    /// The earlier statements to whose ranges the text refers.
    refers: Vec<usize>,
}

impl Classes<'_, '_, '_> {
    /// The recurrence before it that has a statement.
    fn before(&self, at: usize) -> Option<&Done> {
        let mut done = self.of.done.iter();
        done.find(|done| done.statements.contains(&at))
    }

    /// The class of a row, or that of no row, where there is none.
    fn of_row(&mut self, list: &RowList<'_>, row: Option<usize>) -> Result<u32, Error> {
        let cuts = list.cuts(self.text, self.of.tensors, row)?;
        let steps = match row {
            Some(row) => list.steps[row].1,
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
            true => Some(Plan::new(&part.bound)?),
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

fn layout<'l>(shape: &'l [i64], strides: &'l [i64]) -> Result<Strided<&'l [i64]>, Error> {
    Strided::new(shape, strides, 0).map_err(|error| Error::illegal(error.to_string()))
}

/// Slices as operands.
fn operands(cuts: &[Cut]) -> Result<Vec<Operand<'_>>, Error> {
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

/// Names the loops of rows in the range of a gradient's steps, which are those of axes, as the statement at hand does.
fn generic(extent: &mut Extent, names: &[String]) {
    let index = |index: &mut Index| {
        for (_, name) in &mut index.terms {
            let axis = name
                .strip_prefix('m')
                .and_then(|rest| rest.strip_suffix('\''));
            let axis = axis.and_then(|axis| axis.parse::<usize>().ok());
            if let Some(own) = axis.and_then(|axis| names.get(axis)) {
                name.clone_from(own);
            }
        }
    };
    if let Extent::Len(_, indices) = extent {
        indices.iter_mut().for_each(index);
    }
}
