//! Recurrences: the steps of a scan as runs of one program over what each step touches.
//!
//! At a step the loop over the steps has a value, so that its statements are ordinary ones, over slices of their tensors: what `x[t,i]` reads at all
//! steps is a tensor `[i]` whose address moves by the stride of the axis. So fusion, matrix products and all else are those of any program, which is
//! planned once for all steps, or once for each range of steps in which the same guards on the step hold. Where the step and other loops meet in one
//! condition or in an index that is checked, as in `guard(0 <= t - k, x[t - k])`, it is planned for each step.
//!
//! What a name was at the step before is the slice of the step before: nothing is copied. A name of which only that is read later, and that nobody
//! reads after the scan, has memory for two steps, one that is read at its own step only has memory for one.

use std::ops::Range;

use super::emit::{Unsupported, View};
use super::footprint::{access_and_look_ups, accesses};
use super::lane::Lanes;
use super::machine::Failed;
use super::program::{self, Program, Views};
use super::{inline, narrow, product, widen};
use crate::ast::Op;
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, First, Index, LoopId, Node, Scan, Statement, Tensor,
    TensorId,
};
use crate::kernel::{self, Level};
use crate::operand::{DType, Strided};
use crate::scalar::Scalar;

/// A scan among the statements of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The numbers of its statements.
    pub members: Range<usize>,
    /// Its number in the bound program.
    pub scan: usize,
    /// Those of its tensors that are read after it, or returned.
    kept: Vec<TensorId>,
}

/// Statements of a plan that follow each other; of a scan with its number, and those of its tensors that are read after it.
type Part = (Vec<Statement>, Option<(usize, Vec<TensorId>)>);

/// The statements of a plan, fused where they do not run step by step, and the scans among them. What nobody reads later is left out.
pub(crate) fn fused(bound: &mut Bound) -> (Vec<Statement>, Vec<Group>) {
    let mut live = vec![false; bound.tensors.len()];
    bound.returned.iter().for_each(|&id| live[id] = true);
    let mut parts: Vec<Part> = Vec::new();
    let scans = bound.scans.clone();
    let mut end = bound.statements.len();
    for (number, scan) in scans.iter().enumerate().rev() {
        let after = ordinary(bound, scan.statements.end..end, &mut live);
        parts.push((after, None));
        end = scan.statements.start;
        let members = bound.statements[scan.statements.clone()].to_vec();
        let kept: Vec<TensorId> = members
            .iter()
            .map(|each| each.target)
            .filter(|&id| live[id])
            .collect();
        let is_checked = |index: &Index| index.checked || index.look_up.is_some();
        let may_fail =
            |each: &Statement| inline::may_fail(&each.value) || each.left.iter().any(is_checked);
        if kept.is_empty() && !members.iter().any(may_fail) {
            continue;
        }
        members
            .iter()
            .for_each(|member| reads(member, &mut |id| live[id] = true));
        for lag in &scan.lags {
            if let First::Tensor(id) = lag.first {
                live[id] = true;
            }
        }
        parts.push((members, Some((number, kept))));
    }
    parts.push((ordinary(bound, 0..end, &mut live), None));
    let mut statements = Vec::new();
    let mut groups = Vec::new();
    for (part, scan) in parts.into_iter().rev() {
        let first = statements.len();
        statements.extend(part);
        if let Some((scan, kept)) = scan {
            groups.push(Group {
                members: first..statements.len(),
                scan,
                kept,
            });
        }
    }
    (statements, groups)
}

/// Statements between scans, fused; `live` tensors are read after them, and then those that they read.
fn ordinary(bound: &mut Bound, range: Range<usize>, live: &mut Vec<bool>) -> Vec<Statement> {
    if range.is_empty() {
        return Vec::new();
    }
    let segment = Bound {
        statements: bound.statements[range].to_vec(),
        scans: Vec::new(),
        returned: (0..live.len()).filter(|&id| live[id]).collect(),
        ..bound.clone()
    };
    let mut statements = inline::inline(&segment);
    transformed(bound, &mut statements);
    live.resize(bound.tensors.len(), false);
    statements
        .iter()
        .for_each(|each| reads(each, &mut |id| live[id] = true));
    statements
}

/// What makes more statements of fused ones, which run faster.
pub(crate) fn transformed(bound: &mut Bound, statements: &mut Vec<Statement>) {
    narrow::widen(bound, statements);
    product::split(bound, statements);
    widen::widen(bound, statements);
}

/// Calls with each tensor that a statement reads.
fn reads(statement: &Statement, found: &mut impl FnMut(TensorId)) {
    accesses(&statement.value, &mut |access| found(access.tensor));
    for index in &statement.left {
        if let Some(look_up) = &index.look_up {
            access_and_look_ups(look_up, &mut |access| found(access.tensor));
        }
    }
}

/// Where the slice of a tensor at a step is.
#[derive(Clone, Debug)]
enum Place {
    /// In a tensor of the program around: its element of position 0 at step 0, and how much further it is at each step.
    Tensor {
        id: TensorId,
        offset: i64,
        stride: i64,
    },
    /// In the memory for two steps of that number, at this step or the one before.
    Pair { number: usize, before: bool },
    /// The number of the step.
    Step,
    /// The constant with these bits.
    Constant(u64),
    /// An input that is a number.
    Number(usize),
    /// Memory of the step's program.
    Own,
}

/// The steps between two of them at which a guard on the step begins or ends to hold.
#[derive(Debug)]
struct Phase {
    /// The steps, ascending.
    steps: Range<i64>,
    /// For each tensor of the program its type and where it is.
    places: Vec<(DType, Place)>,
    program: Program,
}

/// A scan.
#[derive(Debug)]
pub(crate) struct Recurrence {
    steps: i64,
    down: bool,
    phases: Vec<Planned>,
    /// The bytes of a step of tensors with memory for two steps.
    pairs: Vec<usize>,
    source: Source,
    whole: Vec<TensorId>,
    /// The loops over the steps of all lanes, in place of phases.
    lanes: Option<Lanes>,
}

#[derive(Debug)]
enum Planned {
    Once(Box<Phase>),
    /// Planned for each of these steps, as it runs.
    Each(Range<i64>),
}

/// What phases are made of.
#[derive(Debug)]
struct Source {
    level: Level,
    bound: Bound,
    members: Vec<Statement>,
    scan: Scan,
    views: Vec<View>,
    /// For each tensor with memory for two steps its number.
    pairs: Vec<(TensorId, usize)>,
    kept: Vec<TensorId>,
}

/// Why a scan stopped.
pub(crate) enum Stopped {
    /// A step has no result.
    Failed,
    /// There was no memory for so many elements.
    Memory(usize),
}

impl From<Failed> for Stopped {
    fn from(_: Failed) -> Stopped {
        Stopped::Failed
    }
}

impl Recurrence {
    pub fn new(
        level: Level,
        bound: &Bound,
        group: &Group,
        members: &[Statement],
        views: &Views,
    ) -> Result<Recurrence, Unsupported> {
        let scan = bound.scans[group.scan].clone();
        let mut pairs = Vec::new();
        let mut bytes = Vec::new();
        for lag in &scan.lags {
            if !group.kept.contains(&lag.of) && !pairs.iter().any(|&(id, _)| id == lag.of) {
                pairs.push((lag.of, bytes.len()));
                let mut shape = bound.tensors[lag.of].shape.clone();
                shape.remove(lag.axis);
                let elements = program::row_major(&shape).elements() as usize;
                bytes.push(elements * kernel::size(views.tensors[lag.of].dtype));
            }
        }
        let mut small = bound.clone();
        small.statements = Vec::new();
        small.scans = Vec::new();
        let source = Source {
            level,
            bound: small,
            members: members.to_vec(),
            views: views.tensors[..bound.tensors.len()].to_vec(),
            pairs,
            kept: group.kept.clone(),
            scan,
        };
        let lanes = match members {
            [member] if group.kept.contains(&member.target) => {
                Lanes::new(bound, &source.scan, member, &source.views)
            }
            _ => None,
        };
        let mut phases = Vec::new();
        let ranges = if lanes.is_some() {
            Vec::new()
        } else {
            source.ranges()
        };
        for steps in ranges {
            phases.push(match source.phase(steps.clone())? {
                Some(phase) => Planned::Once(Box::new(phase)),
                None => {
                    source.phase(steps.start..steps.start + 1)?;
                    Planned::Each(steps)
                }
            });
        }
        if source.scan.down {
            phases.reverse();
        }
        Ok(Recurrence {
            steps: source.scan.steps,
            down: source.scan.down,
            phases,
            pairs: bytes,
            whole: group.kept.clone(),
            source,
            lanes,
        })
    }

    /// The tensors that need memory for all steps.
    pub fn whole(&self) -> &[TensorId] {
        &self.whole
    }

    /// Runs all steps.
    ///
    /// # Safety
    ///
    /// As [`work::run`](super::work::run).
    pub unsafe fn run(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Stopped> {
        if let Some(lanes) = &self.lanes {
            // SAFETY: as the caller says.
            return Ok(unsafe { lanes.run(bases, numbers) }?);
        }
        let mut pairs: Vec<[Vec<u64>; 2]> = Vec::new();
        for &bytes in &self.pairs {
            let memory = || {
                let mut words: Vec<u64> = Vec::new();
                let made = words.try_reserve_exact(bytes.div_ceil(8));
                made.map_err(|_| Stopped::Memory(bytes))?;
                words.resize(bytes.div_ceil(8), 0);
                Ok::<_, Stopped>(words)
            };
            pairs.push([memory()?, memory()?]);
        }
        let mut run = Run {
            bases,
            numbers,
            pairs,
            steps: self.steps,
            down: self.down,
        };
        for planned in &self.phases {
            match planned {
                // SAFETY: as the caller says.
                Planned::Once(phase) => unsafe { run.phase(phase)? },
                Planned::Each(steps) => {
                    for step in run.order(steps) {
                        let phase = self.source.phase(step..step + 1);
                        let phase = phase.ok().flatten().ok_or(Stopped::Failed)?;
                        // SAFETY: as the caller says.
                        unsafe { run.phase(&phase)? };
                    }
                }
            }
        }
        Ok(())
    }
}

/// A run of a scan.
struct Run<'a> {
    bases: &'a [*mut u8],
    numbers: &'a (dyn Fn(usize, DType) -> u64 + Sync),
    pairs: Vec<[Vec<u64>; 2]>,
    steps: i64,
    down: bool,
}

impl Run<'_> {
    /// Steps in the order in which they run.
    fn order(&self, steps: &Range<i64>) -> Box<dyn Iterator<Item = i64>> {
        match self.down {
            true => Box::new(steps.clone().rev()),
            false => Box::new(steps.clone()),
        }
    }

    /// # Safety
    ///
    /// As [`Recurrence::run`].
    unsafe fn phase(&mut self, phase: &Phase) -> Result<(), Stopped> {
        let mut bases = program::Bases::from_elem(std::ptr::null_mut(), phase.places.len());
        let memory = phase
            .program
            .memory(&mut bases)
            .map_err(|(_, elements)| Stopped::Memory(elements))?;
        let mut cells: Vec<u64> = vec![0; phase.places.len()];
        for (cell, (dtype, place)) in cells.iter_mut().zip(&phase.places) {
            match place {
                Place::Constant(bits) => *cell = *bits,
                Place::Number(input) => *cell = (self.numbers)(*input, *dtype),
                _ => {}
            }
        }
        let cells = cells.as_mut_ptr();
        for step in self.order(&phase.steps) {
            let turn = if self.down {
                self.steps - 1 - step
            } else {
                step
            };
            for (id, (dtype, place)) in phase.places.iter().enumerate() {
                let cell = cells.wrapping_add(id);
                bases[id] = match place {
                    Place::Own => continue,
                    Place::Tensor { id, offset, stride } => {
                        let elements = offset + stride * step;
                        let bytes = elements as isize * kernel::size(*dtype) as isize;
                        self.bases[*id].wrapping_offset(bytes)
                    }
                    Place::Pair { number, before } => {
                        let side = (turn + i64::from(*before)) % 2;
                        self.pairs[*number][side as usize].as_mut_ptr().cast()
                    }
                    Place::Step => {
                        // SAFETY: a cell of this run, which nothing else uses.
                        unsafe { *cell = step as u64 };
                        cell.cast()
                    }
                    Place::Constant(_) | Place::Number(_) => cell.cast(),
                };
            }
            // SAFETY: each slice is inside of its tensor at these steps, which was checked as it was made, and the step's program is inside of it.
            unsafe { phase.program.steps(&bases, self.numbers) }.map_err(|_| Stopped::Failed)?;
        }
        drop(memory);
        Ok(())
    }
}

impl Source {
    /// The ranges of steps within which the same guards on the step hold, ascending; the first step that runs is one of its own if there are lags.
    fn ranges(&self) -> Vec<Range<i64>> {
        let steps = self.scan.steps;
        let mut cuts = vec![0, steps];
        for (member, &(id, _)) in self.members.iter().zip(&self.scan.members) {
            let mut add = |condition: &Condition| cut(condition, id, steps, &mut cuts);
            member.guards.iter().for_each(&mut add);
            conditions(&member.value, &mut add);
        }
        if !self.scan.lags.is_empty() {
            cuts.push(if self.scan.down { steps - 1 } else { 1 });
        }
        cuts.retain(|cut| (0..=steps).contains(cut));
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// The program of these steps, at which the same guards on the step hold; none if it differs from step to step.
    fn phase(&self, steps: Range<i64>) -> Result<Option<Phase>, Unsupported> {
        let mut slicer = Slicer {
            source: self,
            steps: steps.clone(),
            loops: Vec::new(),
            step: 0,
            differs: false,
            tensors: Vec::new(),
            views: Vec::new(),
            places: Vec::new(),
            known: Vec::new(),
        };
        let mut statements = Vec::new();
        let mut returned = Vec::new();
        for (member, &(id, axis)) in self.members.iter().zip(&self.scan.members) {
            let statement = slicer.statement(member, id, axis);
            let is_kept = self.kept.contains(&member.target) || self.pair(member.target).is_some();
            if is_kept {
                returned.push(statement.target);
            }
            statements.push(statement);
        }
        if slicer.differs && steps.end - steps.start > 1 {
            return Ok(None);
        }
        let Slicer {
            tensors,
            mut views,
            mut places,
            ..
        } = slicer;
        let mut bound = Bound {
            tensors,
            statements,
            scans: Vec::new(),
            returned,
            numbers: Vec::new(),
            inputs: 0,
            outputs: Vec::new(),
            depth: self.bound.depth,
        };
        let mut statements = inline::inline(&bound);
        transformed(&mut bound, &mut statements);
        for tensor in &bound.tensors[views.len()..] {
            let dtype = tensor.dtype.unwrap_or(DType::Double);
            places.push((dtype, Place::Own));
            views.push(View {
                dtype,
                layout: program::row_major(&tensor.shape),
            });
        }
        let placed = places.iter().enumerate();
        let placed = placed.map(|(id, (_, place))| match place {
            Place::Own => None,
            _ => Some(id),
        });
        let views = Views {
            places: placed.collect(),
            tensors: views,
            copies: Vec::new(),
        };
        let program = Program::new(&bound, &statements, &[], self.level, views)?;
        Ok(Some(Phase {
            steps,
            places,
            program,
        }))
    }

    fn pair(&self, tensor: TensorId) -> Option<usize> {
        let mut pairs = self.pairs.iter();
        pairs
            .find(|&&(id, _)| id == tensor)
            .map(|&(_, number)| number)
    }
}

/// Calls for each condition of a guard.
fn conditions<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a Condition)) {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => {}
        Node::Unary(_, x) | Node::Cast(x) => conditions(x, found),
        Node::Binary(_, x, y) => {
            conditions(x, found);
            conditions(y, found);
        }
        Node::Select(c, x, y) => {
            conditions(c, found);
            conditions(x, found);
            conditions(y, found);
        }
        Node::Guard(all, x) => {
            all.iter().for_each(&mut *found);
            conditions(x, found);
        }
    }
}

/// Adds the steps from which on a condition on the step alone holds, or does no longer.
fn cut(condition: &Condition, step: LoopId, steps: i64, cuts: &mut Vec<i64>) {
    let Affine { constant, terms } = &condition.affine;
    let [(id, factor)] = terms[..] else { return };
    if id != step {
        return;
    }
    // 0 <= constant + factor * step < bound changes where it passes these two.
    for value in [0, condition.bound] {
        let distance = i128::from(value) - i128::from(*constant);
        let factor = i128::from(factor);
        for place in [distance.div_euclid(factor), distance.div_euclid(factor) + 1] {
            if (0..i128::from(steps)).contains(&place) {
                cuts.push(place as i64);
            }
        }
    }
}

/// Makes the statements of a step.
struct Slicer<'a> {
    source: &'a Source,
    steps: Range<i64>,
    /// The ranges of the statement's loops, and which of them is that of the steps.
    loops: Vec<i64>,
    step: LoopId,
    /// Whether anything depends on the step in more than where its slices are.
    differs: bool,
    tensors: Vec<Tensor>,
    views: Vec<View>,
    places: Vec<(DType, Place)>,
    known: Vec<(Key, TensorId)>,
}

/// What tells slices apart: the tensor, and for each axis the factor of the step, the lowest other part of the index, and the length of the slice;
/// no length if the axis is gone. None is a whole tensor.
#[derive(Debug, PartialEq)]
enum Key {
    Slice(TensorId, Vec<(i64, i64, Option<i64>)>),
    Defined(TensorId),
    Before(TensorId),
    Step,
}

impl Slicer<'_> {
    fn add(&mut self, key: Key, name: &str, view: View, place: Place) -> TensorId {
        if let Some((_, id)) = self.known.iter().find(|(known, _)| *known == key) {
            return *id;
        }
        let id = self.tensors.len();
        self.tensors.push(Tensor {
            name: name.to_owned(),
            dtype: Some(view.dtype),
            shape: view.layout.shape().to_vec(),
        });
        self.places.push((view.dtype, place));
        self.views.push(view);
        self.known.push((key, id));
        id
    }

    fn statement(&mut self, member: &Statement, step: LoopId, axis: usize) -> Statement {
        self.loops = member.loops.iter().map(|each| each.range).collect();
        self.step = step;
        let target = self.defined(member.target, axis);
        let dtype = member.value.dtype;
        let mut left = member.left.clone();
        left.remove(axis);
        let left = left.iter().map(|index| self.index(index)).collect();
        let mut statement = Statement {
            target,
            loops: member.loops.clone(),
            kept: member.kept - 1,
            left,
            op: member.op,
            value: self.expr(&member.value),
            guards: Vec::new(),
        };
        statement.loops.remove(step);
        match self.conditions(&member.guards) {
            Some(guards) => statement.guards = guards,
            None => {
                // Nothing is written: each element is the identity.
                let shape = self.tensors[target].shape.clone();
                let constant = Node::Constant(Scalar::identity(member.op, dtype));
                let value = Expr {
                    dtype,
                    node: constant,
                };
                let view = self.views[target].clone();
                statement = program::whole(target, &view, value);
                statement.op = Op::Set;
                debug_assert_eq!(statement.loops.len(), shape.len());
            }
        }
        statement
    }

    /// The tensor that a statement defines, at this step.
    fn defined(&mut self, tensor: TensorId, axis: usize) -> TensorId {
        let bound = &self.source.bound.tensors[tensor];
        let name = bound.name.clone();
        let (view, place) = match self.source.pair(tensor) {
            _ if self.source.kept.contains(&tensor) => self.sliced(tensor, axis),
            pair => {
                let mut shape = bound.shape.clone();
                shape.remove(axis);
                let view = View {
                    dtype: self.source.views[tensor].dtype,
                    layout: program::row_major(&shape),
                };
                let place = match pair {
                    Some(number) => Place::Pair {
                        number,
                        before: false,
                    },
                    None => Place::Own,
                };
                (view, place)
            }
        };
        self.add(Key::Defined(tensor), &name, view, place)
    }

    /// The slice of a tensor at the step.
    fn sliced(&self, tensor: TensorId, axis: usize) -> (View, Place) {
        let view = &self.source.views[tensor];
        let (mut shape, mut strides) =
            (view.layout.shape().to_vec(), view.layout.strides().to_vec());
        shape.remove(axis);
        let stride = strides.remove(axis);
        let place = Place::Tensor {
            id: tensor,
            offset: view.layout.offset(),
            stride,
        };
        let sliced = View {
            dtype: view.dtype,
            layout: strided(shape, strides),
        };
        (sliced, place)
    }

    /// What a tensor was at the step before.
    fn before(&mut self, lag: usize) -> TensorId {
        let lag = self.source.scan.lags[lag].clone();
        let name = self.source.bound.tensors[lag.target].name.clone();
        let (view, mut place) = self.sliced(lag.of, lag.axis);
        let steps = self.source.scan.steps;
        let is_first = match self.source.scan.down {
            true => self.steps.end == steps,
            false => self.steps.start == 0,
        };
        if is_first {
            let shape = view.layout.shape().to_vec();
            let everywhere = View {
                dtype: view.dtype,
                layout: strided(shape.clone(), vec![0; shape.len()]),
            };
            let (view, place) = match lag.first {
                First::Number(scalar) => (everywhere, Place::Constant(scalar.bits())),
                First::Tensor(id) if self.source.bound.tensors[id].dtype.is_none() => {
                    (everywhere, Place::Number(id))
                }
                First::Tensor(id) => {
                    let first = &self.source.views[id].layout;
                    let place = Place::Tensor {
                        id,
                        offset: first.offset(),
                        stride: 0,
                    };
                    // It may lack the first axes.
                    let mut strides = vec![0; shape.len() - first.shape().len()];
                    strides.extend_from_slice(first.strides());
                    let layout = strided(shape, strides);
                    let dtype = view.dtype;
                    (View { dtype, layout }, place)
                }
            };
            return self.add(Key::Before(lag.target), &name, view, place);
        }
        if let Some(number) = self.source.pair(lag.of) {
            let shape = view.layout.shape().to_vec();
            let view = View {
                dtype: view.dtype,
                layout: program::row_major(&shape),
            };
            let place = Place::Pair {
                number,
                before: true,
            };
            return self.add(Key::Before(lag.target), &name, view, place);
        }
        if let Place::Tensor { offset, stride, .. } = &mut place {
            *offset += if self.source.scan.down {
                *stride
            } else {
                -*stride
            };
        }
        self.add(Key::Before(lag.target), &name, view, place)
    }

    fn access(&mut self, access: &Access) -> Access {
        let scan = &self.source.scan;
        let defined = self
            .source
            .members
            .iter()
            .position(|each| each.target == access.tensor);
        let lag = scan.lags.iter().position(|lag| lag.target == access.tensor);
        let own = match (defined, lag) {
            (Some(at), _) => {
                let axis = scan.members[at].1;
                Some((self.defined(access.tensor, axis), axis))
            }
            (_, Some(lag)) => {
                let axis = scan.lags[lag].axis;
                Some((self.before(lag), axis))
            }
            _ => None,
        };
        if let Some((tensor, axis)) = own {
            let mut indices = access.indices.clone();
            indices.remove(axis);
            let indices = indices.iter().map(|index| self.index(index)).collect();
            return Access { tensor, indices };
        }
        let source = self.source;
        let view = &source.views[access.tensor];
        let mut key = Vec::new();
        let (mut shape, mut strides, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        let (mut offset, mut moves) = (view.layout.offset(), 0);
        for (axis, index) in access.indices.iter().enumerate() {
            let (length, stride) = (view.layout.shape()[axis], view.layout.strides()[axis]);
            let factor = self.factor(&index.affine);
            let is_slice = factor != 0 && !index.checked && index.look_up.is_none();
            match self.extent(&index.affine).filter(|&(least, greatest)| {
                is_slice && least >= 0 && greatest < i128::from(length)
            }) {
                None => {
                    indices.push(self.index(index));
                    shape.push(length);
                    strides.push(stride);
                    key.push((0, 0, Some(length)));
                }
                Some(_) => {
                    let mut rest = index.affine.clone();
                    rest.terms.retain(|&(id, _)| id != self.step);
                    let (least, greatest) = self.reach(&rest);
                    offset += least * stride;
                    moves += factor * stride;
                    if rest.terms.is_empty() {
                        key.push((factor, least, None));
                        continue;
                    }
                    rest.constant -= least;
                    self.renumber(&mut rest);
                    indices.push(Index {
                        affine: rest,
                        look_up: None,
                        checked: false,
                    });
                    let length = greatest - least + 1;
                    shape.push(length);
                    strides.push(stride);
                    key.push((factor, least, Some(length)));
                }
            }
        }
        let sliced = View {
            dtype: view.dtype,
            layout: strided(shape, strides),
        };
        let place = Place::Tensor {
            id: access.tensor,
            offset,
            stride: moves,
        };
        let name = source.bound.tensors[access.tensor].name.clone();
        let tensor = self.add(Key::Slice(access.tensor, key), &name, sliced, place);
        Access { tensor, indices }
    }

    /// The factor of the step.
    fn factor(&self, affine: &Affine) -> i64 {
        let term = affine.terms.iter().find(|&&(id, _)| id == self.step);
        term.map_or(0, |&(_, factor)| factor)
    }

    /// The lowest and the highest value at these steps.
    fn extent(&self, affine: &Affine) -> Option<(i128, i128)> {
        let mut extent = (i128::from(affine.constant), i128::from(affine.constant));
        for &(id, factor) in &affine.terms {
            let (first, last) = match id == self.step {
                true => (self.steps.start, self.steps.end - 1),
                false => (0, (self.loops[id] - 1).max(0)),
            };
            let (a, b) = (
                i128::from(factor) * i128::from(first),
                i128::from(factor) * i128::from(last),
            );
            extent = (extent.0 + a.min(b), extent.1 + a.max(b));
        }
        Some(extent)
    }

    /// The lowest and the highest value of a form without the step, which is inside of an axis.
    fn reach(&self, rest: &Affine) -> (i64, i64) {
        let mut extent = (rest.constant, rest.constant);
        for &(id, factor) in &rest.terms {
            let last = factor * (self.loops[id] - 1).max(0);
            extent = (extent.0 + last.min(0), extent.1 + last.max(0));
        }
        extent
    }

    /// Numbers loops as they are without that over the steps, which is not in the form.
    fn renumber(&self, affine: &mut Affine) {
        for (id, _) in &mut affine.terms {
            if *id > self.step {
                *id -= 1;
            }
        }
    }

    /// The form at this step.
    fn affine(&mut self, affine: &Affine) -> Affine {
        let factor = self.factor(affine);
        let mut affine = affine.clone();
        if factor != 0 {
            self.differs = true;
            affine.terms.retain(|&(id, _)| id != self.step);
            // Partial sums may wrap, the value does not.
            affine.constant = affine
                .constant
                .wrapping_add(factor.wrapping_mul(self.steps.start));
        }
        self.renumber(&mut affine);
        affine
    }

    fn index(&mut self, index: &Index) -> Index {
        Index {
            affine: self.affine(&index.affine),
            look_up: index
                .look_up
                .as_ref()
                .map(|access| Box::new(self.access(access))),
            checked: index.checked,
        }
    }

    /// The conditions that are left, of which each holds for some values of the other loops; none if one never holds.
    fn conditions(&mut self, conditions: &[Condition]) -> Option<Vec<Condition>> {
        let mut left = Vec::new();
        for condition in conditions {
            let is_of_step = matches!(condition.affine.terms[..], [(id, _)] if id == self.step);
            if is_of_step {
                let (least, greatest) = self.extent(&condition.affine)?;
                if least < 0 || greatest >= i128::from(condition.bound) {
                    return None;
                }
                continue;
            }
            left.push(Condition {
                affine: self.affine(&condition.affine),
                bound: condition.bound,
            });
        }
        Some(left)
    }

    fn expr(&mut self, expr: &Expr) -> Expr {
        let dtype = expr.dtype;
        let node = match &expr.node {
            Node::Constant(_) | Node::Number(_) => expr.node.clone(),
            Node::Loop(id) if *id == self.step => {
                let view = View {
                    dtype: DType::Int64,
                    layout: program::row_major(&[]),
                };
                let tensor = self.add(Key::Step, "step", view, Place::Step);
                let indices = Vec::new();
                let read = Node::Read(Access { tensor, indices });
                if dtype == DType::Int64 {
                    read
                } else {
                    Node::Cast(Box::new(Expr {
                        dtype: DType::Int64,
                        node: read,
                    }))
                }
            }
            Node::Loop(id) => Node::Loop(if *id > self.step { id - 1 } else { *id }),
            Node::Read(access) => Node::Read(self.access(access)),
            Node::Unary(function, x) => Node::Unary(*function, self.boxed(x)),
            Node::Binary(operator, x, y) => Node::Binary(*operator, self.boxed(x), self.boxed(y)),
            Node::Select(c, x, y) => Node::Select(self.boxed(c), self.boxed(x), self.boxed(y)),
            Node::Cast(x) => Node::Cast(self.boxed(x)),
            Node::Guard(conditions, x) => match self.conditions(conditions) {
                None => Node::Constant(Scalar::zero(dtype)),
                Some(left) if left.is_empty() => return self.expr(x),
                Some(left) => Node::Guard(left, self.boxed(x)),
            },
        };
        Expr { dtype, node }
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }
}

/// A layout from position 0 on.
fn strided(shape: Vec<i64>, strides: Vec<i64>) -> Strided {
    Strided::new(shape, strides, 0).unwrap_or_else(|error| unreachable!("{error}"))
}
