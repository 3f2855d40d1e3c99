//! The program of some steps of a scan: its statements over slices of their tensors, at one step.

use std::ops::Range;

use super::emit::{Unsupported, View};
use super::inline;
use super::program::{self, Program};
use super::scan::transformed;
use super::verify::{self, Allocation, Fault};
use super::views::{row_major, Views};
use crate::ast::Op;
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, First, Index, LoopId, Node, Scan, Statement, Tensor,
    TensorId,
};
use crate::kernel::{self, Level};
use crate::operand::{DType, Strided};
use crate::scalar::Scalar;

/// Where the slice of a tensor at a step is.
#[derive(Clone, Debug)]
pub(super) enum Place {
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
pub(super) struct Phase {
    /// The steps, ascending.
    pub steps: Range<i64>,
    /// For each tensor of the program its type and where it is.
    pub places: Vec<(DType, Place)>,
    pub program: Program,
}

/// What phases are made of.
#[derive(Debug)]
pub(super) struct Source {
    pub level: Level,
    pub bound: Bound,
    pub members: Vec<Statement>,
    pub scan: Scan,
    pub views: Vec<View>,
    /// For each tensor with memory for two steps its number.
    pub pairs: Vec<(TensorId, usize)>,
    pub kept: Vec<TensorId>,
}

impl Source {
    /// The ranges of steps within which the same guards on the step hold, ascending; the first step that runs is one of its own if there are lags.
    pub fn ranges(&self) -> Vec<Range<i64>> {
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
    pub fn phase(&self, steps: Range<i64>) -> Result<Option<Phase>, Unsupported> {
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
                layout: row_major(&tensor.shape),
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
        self.verify(&steps, &places, &views.tensors)
            .map_err(|(id, fault)| {
                verify::report(&bound.tensors[id].name, &fault);
                Unsupported
            })?;
        let program = Program::new(&bound, &statements, &[], self.level, views)?;
        Ok(Some(Phase {
            steps,
            places,
            program,
        }))
    }

    /// Checks that at all of these steps each slice is inside of the memory of its tensor; else the number of the slice, and why. What the steps'
    /// program touches of a slice is checked as that is made.
    fn verify(
        &self,
        steps: &Range<i64>,
        places: &[(DType, Place)],
        slices: &[View],
    ) -> Result<(), (TensorId, Fault)> {
        for (slice, ((_, place), view)) in places.iter().zip(slices).enumerate() {
            let touched = Allocation::of(view).bytes;
            let checked = match place {
                Place::Tensor { id, offset, stride } => {
                    let (size, has) = (kernel::size(view.dtype), Allocation::of(&self.views[*id]));
                    let is_of = self.views[*id].dtype == view.dtype;
                    let at = |step: i64| {
                        let elements = i128::from(*offset) + i128::from(*stride) * i128::from(step);
                        let moved = elements * size as i128;
                        has.has(*id, (touched.0 + moved, touched.1 + moved))
                    };
                    match is_of {
                        true => at(steps.start).and_then(|()| at(steps.end - 1)),
                        false => Err(Fault::Wrong("a slice of another type")),
                    }
                }
                Place::Step | Place::Constant(_) | Place::Number(_) => {
                    match 0 <= touched.0 && touched.1 <= size_of::<u64>() as i128 {
                        true => Ok(()),
                        false => Err(Fault::Wrong("more than the element of a cell")),
                    }
                }
                Place::Pair { .. } | Place::Own => Ok(()),
            };
            checked.map_err(|fault| (slice, fault))?;
        }
        Ok(())
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
                    layout: row_major(&shape),
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
                layout: row_major(&shape),
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
                    layout: row_major(&[]),
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
