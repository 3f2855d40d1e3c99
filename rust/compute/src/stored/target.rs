//! What a statement writes to, and checks of sizes and of what is written.

use super::ranges::Range;
use super::shape::{lone, Shaper};
use super::statement::Statement;
use super::support::{Leaves, Support};
use super::tensor::{row_major, Form, Tensor};
use crate::bound::{Index, TensorId};
use crate::operand::DType;
use crate::{Error, ErrorKind};

/// What a statement writes to.
pub(super) enum Target<'a> {
    /// Elements at positions.
    Elements(Form<'a>),
    /// The points of a sparse tensor; the read at which they are, if it is the left side itself.
    Points(TensorId, Option<usize>),
    /// Points that are collected.
    Collected(Vec<i64>),
}

impl Statement {
    pub fn check_size(&self, shape: &[i64], dtype: DType) -> Result<(), Error> {
        crate::infer::target::check_size(shape, Some(dtype))
            .map_err(|fault| Error::illegal(format!("{}: {fault}", self.label)))
    }

    pub fn check_written(
        &self,
        axis: usize,
        length: i64,
        column: &[i64],
        index: &Index,
    ) -> Result<(), Error> {
        match column.iter().find(|&&at| !(0..length).contains(&at)) {
            None => Ok(()),
            Some(at) => {
                let kind = if index.look_up.is_some() {
                    ErrorKind::IndexOutOfBounds
                } else {
                    ErrorKind::IllegalArgument
                };
                let (label, name) = (&self.label, &self.name);
                let fault = format!(
                    "{label}: {name} axis {axis} of length {length} would be written at {at}"
                );
                Err(Error::new(kind, vec![fault]))
            }
        }
    }

    /// The target, whose shape is known once operands are.
    pub fn target<'a>(
        &self,
        shaper: &Shaper<'_, 'a>,
        tensors: &[Tensor<'a>],
        leaves: &mut Leaves,
    ) -> Result<Target<'a>, Error> {
        if let Some(id) = self.like {
            return Ok(match &tensors[id].form {
                Form::Number(_) => Target::Elements(Form::Dense {
                    shape: Vec::new(),
                    strides: Vec::new(),
                }),
                Form::Dense { shape, .. } => Target::Elements(Form::Dense {
                    shape: shape.clone(),
                    strides: row_major(shape),
                }),
                Form::Ragged(rows) => Target::Elements(Form::Ragged(rows.clone())),
                Form::Sparse(_) => {
                    let access = crate::bound::Access {
                        tensor: id,
                        indices: self.left.clone(),
                    };
                    let is_read = leaves.reads().iter().position(|read| same(read, &access));
                    Target::Points(id, is_read)
                }
            });
        }
        if let Some(given) = &self.given {
            let shaper = Shaper {
                nest: &given.nest,
                left: &given.left,
                ..*shaper
            };
            return Ok(Target::Elements(shaper.form()?));
        }
        if let Some(pinned) = &self.pinned {
            if self.sparse {
                return Ok(Target::Collected(pinned.clone()));
            }
            return Ok(Target::Elements(Form::Dense {
                shape: pinned.clone(),
                strides: row_major(pinned),
            }));
        }
        if self.sparse {
            if let Some(id) = self.whole(tensors) {
                return Ok(Target::Points(id.0, Some(id.1)));
            }
            let mut shape = Vec::new();
            for axis in shaper.sparse_shape()? {
                shape.push(axis);
            }
            return Ok(Target::Collected(shape));
        }
        Ok(Target::Elements(shaper.form()?))
    }

    /// The sparse read whose positions a sparse target has: the support itself, all of it.
    pub fn whole(&self, tensors: &[Tensor<'_>]) -> Option<(TensorId, usize)> {
        let Support::Leaf(leaf) = self.nest.support else {
            return None;
        };
        let read = &self.nest.reads[leaf];
        let points = tensors[read.tensor].points()?;
        let fits = read
            .indices
            .iter()
            .zip(&points.shape)
            .all(|(index, &length)| {
                lone(index).is_some_and(
                |id| matches!(self.nest.ranges.ranges[id], Range::Fixed(range) if range == length),
            )
            });
        let same = read.indices.len() == self.left.len()
            && read
                .indices
                .iter()
                .zip(&self.left)
                .all(|(a, b)| lone(a).is_some() && lone(a) == lone(b));
        (fits && same && self.guards.is_empty()).then_some((read.tensor, leaf))
    }
}

/// Whether two accesses read the same element.
fn same(a: &crate::bound::Access, b: &crate::bound::Access) -> bool {
    a.tensor == b.tensor
        && a.indices.len() == b.indices.len()
        && a.indices
            .iter()
            .zip(&b.indices)
            .all(|(a, b)| a.affine == b.affine && a.look_up == b.look_up)
}
