//! The way to a row of a ragged tensor, or to the length of an axis.

use crate::bound::{Index, LoopId, TensorId};

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
