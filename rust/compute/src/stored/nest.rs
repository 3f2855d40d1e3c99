//! The loop nest of a statement.

use super::block::Block;
use super::ranges::{Range, Ranges};
use super::rows::row;
use super::support::Support;
use super::tensor::Tensor;
use crate::bound::{Access, LoopId};
use crate::Error;

/// The loops of a statement, and the points at which it runs.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub names: Vec<String>,
    pub ranges: Ranges,
    /// The points at which it runs.
    pub support: Support,
    /// The sparse reads of the support, and all others of the statement.
    pub reads: Vec<Access>,
    /// Whether it runs at the stored points alone, as `where stored` says: then those outside do not count as 0.
    pub alone: bool,
    /// The loops on the left side.
    pub kept: Vec<LoopId>,
}

impl Nest {
    /// The values of lengths of rows at the points of a block, each after those on which it depends.
    pub fn lengths(
        &self,
        tensors: &[Tensor<'_>],
        which: &[LoopId],
        block: &mut Block,
    ) -> Result<(), Error> {
        for &id in which {
            let Range::Is(path) = &self.ranges.ranges[id] else {
                continue;
            };
            let mut values = vec![0; block.loops.count()];
            for at in 0..block.len {
                for (value, column) in values.iter_mut().zip(block.loops.iter()) {
                    *value = column[at];
                }
                block.loops[id][at] = row(tensors, path, &values)?;
            }
        }
        Ok(())
    }

    /// All lengths of rows, each after those on which it depends.
    pub fn all_lengths(&self) -> Vec<LoopId> {
        let ranges = self.ranges.ranges.iter().enumerate();
        ranges
            .filter(|(_, range)| matches!(range, Range::Is(_)))
            .map(|(id, _)| id)
            .collect()
    }
}
