//! The statements of a step of a scan, made of those of all steps: what they read and write becomes slices.

use std::ops::Range;

use super::slices::{Place, Source};
use crate::bound::{
    Access, Affine, Condition, Expr, First, Index, LoopId, Node, Statement, Tensor, TensorId,
};
use crate::infer::extent;
use crate::operand::{DType, Strided};
use crate::plan::tile::{row_major, View};
use crate::scalar::Scalar;

/// Makes the statements of a step.
pub(super) struct Slicer<'a> {
    source: &'a Source,
    steps: Range<i64>,
    /// The ranges of the statement's loops, and which of them is that of the steps.
    loops: Vec<i64>,
    step: LoopId,
    /// Whether anything depends on the step in more than where its slices are.
    pub differs: bool,
    /// The slices, and where they are.
    pub tensors: Vec<Tensor>,
    pub views: Vec<View>,
    pub places: Vec<(DType, Place)>,
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

impl<'a> Slicer<'a> {
    /// That of some steps, without a statement so far.
    pub fn new(source: &'a Source, steps: Range<i64>) -> Slicer<'a> {
        Slicer {
            source,
            steps,
            loops: Vec::new(),
            step: 0,
            differs: false,
            tensors: Vec::new(),
            views: Vec::new(),
            places: Vec::new(),
            known: Vec::new(),
        }
    }

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

    /// A statement at a step.
    pub fn statement(&mut self, member: &Statement, step: LoopId, axis: usize) -> Statement {
        self.loops = member.ranges();
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
                let value = Expr::constant(dtype, Scalar::identity(member.op, dtype));
                statement = Statement::whole(target, &shape, value);
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
            let is_slice = factor != 0 && index.is_plain();
            let (least, greatest) = self.extent(&index.affine);
            match is_slice && least >= 0 && greatest < i128::from(length) {
                false => {
                    indices.push(self.index(index));
                    shape.push(length);
                    strides.push(stride);
                    key.push((0, 0, Some(length)));
                }
                true => {
                    let mut rest = index.affine.clone();
                    rest.terms.retain(|&(id, _)| id != self.step);
                    // The values at step 0, which fit.
                    let (least, greatest) = extent::of(&rest, &self.loops);
                    let (least, greatest) = (least as i64, greatest as i64);
                    offset += least * stride;
                    moves += factor * stride;
                    if rest.terms.is_empty() {
                        key.push((factor, least, None));
                        continue;
                    }
                    rest.constant -= least;
                    self.renumber(&mut rest);
                    indices.push(Index::plain(rest));
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
    fn extent(&self, affine: &Affine) -> (i128, i128) {
        let mut at_first = affine.clone();
        at_first.terms.retain(|&(id, _)| id != self.step);
        let (least, greatest) = extent::of(&at_first, &self.loops);
        let factor = i128::from(self.factor(affine));
        let [first, last] =
            [self.steps.start, self.steps.end - 1].map(|at| factor * i128::from(at));
        (least + first.min(last), greatest + first.max(last))
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
                let (least, greatest) = self.extent(&condition.affine);
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
        expr.map(&mut |expr| {
            let dtype = expr.dtype;
            let node = match &expr.node {
                Node::Loop(id) if *id == self.step => {
                    let view = View {
                        dtype: DType::Int64,
                        layout: row_major(&[]),
                    };
                    let tensor = self.add(Key::Step, "step", view, Place::Step);
                    let read = Expr::read(DType::Int64, tensor, Vec::new());
                    return Some(match dtype {
                        DType::Int64 => read,
                        _ => read.cast(dtype),
                    });
                }
                Node::Loop(id) => Node::Loop(if *id > self.step { id - 1 } else { *id }),
                Node::Read(access) => Node::Read(self.access(access)),
                Node::Guard(conditions, x) => match self.conditions(conditions) {
                    None => Node::Constant(Scalar::zero(dtype)),
                    Some(left) if left.is_empty() => return Some(self.expr(x)),
                    Some(left) => Node::Guard(left, Box::new(self.expr(x))),
                },
                _ => return None,
            };
            Some(Expr { dtype, node })
        })
    }
}

/// A layout from position 0 on.
fn strided(shape: Vec<i64>, strides: Vec<i64>) -> Strided {
    Strided::new(shape, strides, 0).unwrap_or_else(|error| unreachable!("{error}"))
}
