//! Transpositions, `y[i, j] = x[j, i]`: copies whose operands are contiguous along different loops, which the core does in blocks.

use crate::ast::Op;
use crate::bound::{Index, Node, Statement, TensorId};
use crate::operand::{DType, Strided};
use crate::plan::rewrite::injective;
use crate::plan::tile::{Failed, View};

/// A tensor, and the layout of the elements that the statement's loops visit.
#[derive(Debug)]
struct Side {
    tensor: TensorId,
    layout: Strided,
}

impl Side {
    fn new(
        statement: &Statement,
        tensor: TensorId,
        indices: &[Index],
        view: &View,
    ) -> Option<Side> {
        if !indices.iter().all(Index::is_plain) {
            return None;
        }
        let shape = statement.ranges();
        let size = view.dtype.width() as i64;
        let bytes = view.steps(indices, shape.len());
        let strides = bytes.into_iter().map(|stride| stride / size).collect();
        let layout = Strided::new(shape, strides, view.start(indices)).ok()?;
        Some(Side { tensor, layout })
    }

    /// The loop along which elements are next to each other.
    fn contiguous(&self) -> Option<usize> {
        let axes = self.layout.shape().iter().zip(self.layout.strides());
        axes.into_iter()
            .position(|(&range, &stride)| range > 1 && stride.abs() == 1)
    }
}

/// A transposition.
#[derive(Debug)]
pub(crate) struct Transpose {
    width: usize,
    from: Side,
    to: Side,
}

impl Transpose {
    /// The statement as a transposition; `None` if it is something else. No loop has range 0.
    pub fn new(statement: &Statement, views: &[View]) -> Option<Transpose> {
        let Node::Read(access) = &statement.value.node else {
            return None;
        };
        let dtype = statement.value.dtype;
        // Only kernels normalise truth values to 0 or 1.
        if statement.op != Op::Set
            || !statement.guards.is_empty()
            || statement.kept != statement.loops.len()
            || dtype == DType::Bool
            || !injective(statement)
        {
            return None;
        }
        let side =
            |tensor: TensorId, indices| Side::new(statement, tensor, indices, &views[tensor]);
        let from = side(access.tensor, &access.indices)?;
        let to = side(statement.target, &statement.left)?;
        let differ = from.contiguous()? != to.contiguous()?;
        differ.then_some(Transpose {
            width: dtype.width(),
            from,
            to,
        })
    }

    /// The bytes of each tensor that are touched, counted from position 0.
    pub fn touched(&self) -> [(TensorId, (i128, i128)); 2] {
        [&self.from, &self.to].map(|side| {
            let (first, last) = side.layout.bounds().unwrap_or((0, -1));
            let bytes = |element: i64| i128::from(element) * self.width as i128;
            (
                side.tensor,
                (bytes(first), bytes(last) + self.width as i128),
            )
        })
    }

    /// Copies all elements.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let (from, to) = (bases[self.from.tensor], bases[self.to.tensor]);
        let (source, target) = (self.from.layout.as_slices(), self.to.layout.as_slices());
        // SAFETY: binding has checked that all indices are inside of the tensors, and the target overlaps no input.
        let copied = unsafe { tensornio_core::copy::copy(self.width, from, source, to, target) };
        copied.map_err(|_| Failed)
    }
}
