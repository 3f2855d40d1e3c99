//! The way to a row of a ragged tensor, or to the length of an axis, and that length at values of loops.

use super::tensor::{Form, Tensor};
use crate::bound::{Access, Affine, Index, LoopId, TensorId};
use crate::Error;

/// The row of an axis at the indices before it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Path {
    pub tensor: TensorId,
    /// The statement and the tensor, for messages.
    pub label: String,
    pub name: String,
    pub axis: usize,
    pub before: Vec<Index>,
}

impl Path {
    /// The loops on which it depends, look-ups included.
    pub fn loops(&self, found: &mut Vec<LoopId>) {
        self.before.iter().for_each(|index| loops(index, found));
    }
}

/// The loops in an index, look-ups included.
pub(super) fn loops(index: &Index, found: &mut Vec<LoopId>) {
    found.extend(index.affine.terms.iter().map(|&(id, _)| id));
    if let Some(look_up) = &index.look_up {
        look_up.indices.iter().for_each(|index| loops(index, found));
    }
}

/// The value of an affine form. Of the coefficients of a form nothing is known before, so that 64 bits would not do.
pub(super) fn value_of(affine: &Affine, values: &[i64]) -> i128 {
    let terms = affine.terms.iter();
    terms
        .map(|&(id, coefficient)| i128::from(values[id]) * i128::from(coefficient))
        .fold(i128::from(affine.constant), i128::saturating_add)
}

/// The length of a row. The first row of none has length 0: an example without rows has no length of its own along the next axis.
pub(super) fn row(tensors: &[Tensor<'_>], path: &Path, values: &[i64]) -> Result<i64, Error> {
    let tensor = &tensors[path.tensor];
    let Form::Ragged(rows) = &tensor.form else {
        return Ok(tensor.shape().get(path.axis).copied().unwrap_or(0));
    };
    if rows.splits[path.axis].is_none() {
        return Ok(rows.shape[path.axis]);
    }
    let mut node = 0;
    for (axis, index) in path.before.iter().enumerate() {
        let at = index_value(tensors, index, values)?;
        let length = rows.length(axis, node);
        let Some(index) = inside(at, length) else {
            if (at, length) == (0, 0) && index.look_up.is_none() && index.affine.terms.is_empty() {
                return Ok(0);
            }
            return Err(Error::outside(format!(
                "{}: {} axis {axis} of length {length} would be read at {at}",
                path.label, path.name
            )));
        };
        node = rows.child(axis, node, index);
    }
    Ok(rows.length(path.axis, node))
}

/// The value of an index.
fn index_value(tensors: &[Tensor<'_>], index: &Index, values: &[i64]) -> Result<i128, Error> {
    let mut value = value_of(&index.affine, values);
    if let Some(access) = &index.look_up {
        value = value.saturating_add(i128::from(integer(tensors, access, values)?));
    }
    Ok(value)
}

/// An index, if it is inside of an axis.
pub(super) fn inside(at: i128, length: i64) -> Option<i64> {
    let at = i64::try_from(at).ok();
    at.filter(|at| (0..length).contains(at))
}

/// An element of a tensor of integers.
fn integer(tensors: &[Tensor<'_>], access: &Access, values: &[i64]) -> Result<i64, Error> {
    let tensor = &tensors[access.tensor];
    let mut position = 0i64;
    for (axis, index) in access.indices.iter().enumerate() {
        let at = index_value(tensors, index, values)?;
        let length = match &tensor.form {
            Form::Dense { shape, .. } => shape[axis],
            Form::Ragged(rows) => rows.length(axis, position),
            _ => 0,
        };
        let Some(index) = inside(at, length) else {
            return Err(Error::outside(format!(
                "a look-up at {at} of axis {axis} of length {length}, on which a range depends"
            )));
        };
        position = match &tensor.form {
            Form::Dense { strides, .. } => position + index * strides[axis],
            Form::Ragged(rows) => rows.child(axis, position, index),
            _ => 0,
        };
    }
    if let Form::Ragged(rows) = &tensor.form {
        if position as u64 >= rows.count as u64 {
            return Err(Error::illegal("row splits that are none"));
        }
    }
    // SAFETY: all indices are inside, so this is the position of an element.
    Ok(unsafe { tensor.integer(position) })
}
