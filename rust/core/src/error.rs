//! All that can go wrong in the core.

use std::ops::Range;

use thiserror::Error;

/// What kind of mistake an [`enum@Error`] is; the boundary makes one Java exception of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A coordinate or a selection that lies outside.
    IndexOutOfBounds,
    /// An argument that no state would make right.
    IllegalArgument,
    /// A call that came too late or too early.
    IllegalState,
    /// The system, or the budget, has no more.
    OutOfMemory,
    /// A bug of this library.
    Internal,
}

/// An error, with what was asked for, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A size below zero.
    #[error("axis {axis} of shape {shape:?} has the negative size {size}")]
    NegativeSize {
        /// The first such axis.
        axis: usize,
        /// Its size.
        size: i64,
        /// The whole shape.
        shape: Vec<i64>,
    },
    /// A shape whose number of elements is no `i64`, zeros left out.
    #[error("the sizes of shape {shape:?} have a product above {}", i64::MAX)]
    TooManyElements {
        /// The shape.
        shape: Vec<i64>,
    },
    /// Strides that do not go with the shape.
    #[error("{strides} strides for a shape of rank {rank}: there must be one for each axis")]
    RankMismatch {
        /// How many axes the shape has.
        rank: usize,
        /// How many strides there are.
        strides: usize,
    },
    /// Selections to copy from and to that have no such pairs of elements.
    #[error("a selection of the shape {from:?} cannot be copied to one of the shape {to:?}")]
    ShapeMismatch {
        /// The shape that is read.
        from: Vec<i64>,
        /// The shape that would be written.
        to: Vec<i64>,
    },
    /// An element size that no type has.
    #[error("elements of {width} bytes: only 1, 2, 4 and 8 are known")]
    ElementWidth {
        /// What was asked for.
        width: usize,
    },
    /// A selection that is not inside of its memory.
    #[error(
        "shape {shape:?} with strides {strides:?} from {start} selects elements {lowest} to {highest}, but there are only {len} (0 to {})",
        *.len as i128 - 1
    )]
    SelectionOutside {
        /// The shape of the selection.
        shape: Vec<i64>,
        /// Its strides, in elements.
        strides: Vec<i64>,
        /// Where its first element is.
        start: i64,
        /// The lowest position selected, clamped to an `i64`.
        lowest: i64,
        /// The highest position selected, clamped to an `i64`.
        highest: i64,
        /// How many elements there are.
        len: usize,
    },
    /// Selections to copy from and to that may have a byte in common.
    #[error("the selections overlap: one lies at {read:#x?}, the other at {written:#x?}")]
    Overlap {
        /// The addresses from the first byte that is read to the last.
        read: Range<usize>,
        /// The addresses from the first byte that would be written to the last.
        written: Range<usize>,
    },
    /// A block of no bytes.
    #[error("a block of 0 bytes: a block has at least 1")]
    EmptyBlock,
    /// A block that no address space can hold.
    #[error("a block of {asked} bytes: this platform has no addresses for so many in one piece")]
    BlockTooLarge {
        /// What was asked for, which may be more than this platform can count.
        asked: u64,
    },
    /// The system refused address space, or memory to fill it.
    #[error("the system has no {asked} bytes of {what}: {reason}")]
    Refused {
        /// How much was asked for.
        asked: usize,
        /// Of what.
        what: &'static str,
        /// What the system said.
        reason: String,
    },
    /// A panic under the lock of the book-keeping.
    #[error("the book-keeping of memory panicked before: no block can be trusted any more")]
    Broken,
    /// An address where no block starts.
    #[error("no block starts at {address:#x}")]
    NoSuchBlock {
        /// The address.
        address: usize,
    },
    /// A block that is closed already, or is being closed by another thread.
    #[error("the block of {len} bytes at {address:#x} is closed already")]
    BlockClosed {
        /// Its address.
        address: usize,
        /// Its length.
        len: usize,
    },
    /// A release of a block that a thread is closing right now, and so can reach.
    #[error(
        "the block of {len} bytes at {address:#x} is being closed, so it cannot be released yet"
    )]
    BlockClosing {
        /// Its address.
        address: usize,
        /// Its length.
        len: usize,
    },
    /// A part that is not inside of its block.
    #[error("bytes {from} to {to} (excluded) are no part of a block of {len} bytes")]
    PartOutside {
        /// The first byte.
        from: usize,
        /// The byte after the last.
        to: usize,
        /// The length of the block.
        len: usize,
    },
    /// A coordinate that is not inside of its axis.
    #[error(
        "row {row} of the coordinates has {coordinate} along axis {axis} of shape {shape:?}, whose size is {size}"
    )]
    CoordinateOutside {
        /// Which row of coordinates.
        row: usize,
        /// The axis.
        axis: usize,
        /// The coordinate.
        coordinate: i64,
        /// The size of the axis.
        size: i64,
        /// The whole shape.
        shape: Vec<i64>,
    },
    /// A row-major position that a shape does not have.
    #[error(
        "row {row} of the coordinates is position {position} of shape {shape:?}, which has {elements} elements"
    )]
    PositionOutside {
        /// Which of the positions.
        row: usize,
        /// The position.
        position: i64,
        /// How many there are.
        elements: i64,
        /// The shape.
        shape: Vec<i64>,
    },
    /// Coordinates that are not in strictly ascending row-major order.
    #[error(
        "row {row} of the coordinates does not come after the row before it in row-major order"
    )]
    Unsorted {
        /// The first row found that is out of order.
        row: usize,
    },
    /// More entries to build from than the output has capacity for.
    #[error("{entries} entries, but the output has capacity for {capacity}")]
    OutputTooSmall {
        /// The number of entries, duplicates included.
        entries: usize,
        /// The number of entries that the output can hold.
        capacity: usize,
    },
    /// More non-zero elements in dense memory than the output has capacity for.
    #[error(
        "more than {capacity} elements are not zero, but the output has capacity for {capacity}"
    )]
    OutputFull {
        /// The number of entries that the output can hold.
        capacity: usize,
    },
    /// Memory for intermediate results that the limit does not leave.
    #[error("no {asked} bytes for intermediate results: {limit} bytes are the limit of all memory, of which {live} are in use")]
    NoScratch {
        /// How much was asked for.
        asked: usize,
        /// The limit.
        limit: u64,
        /// How much of it is in use.
        live: u64,
    },
}

impl Error {
    /// What kind of mistake it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::SelectionOutside { .. }
            | Error::PartOutside { .. }
            | Error::CoordinateOutside { .. }
            | Error::PositionOutside { .. } => ErrorKind::IndexOutOfBounds,
            Error::NegativeSize { .. }
            | Error::TooManyElements { .. }
            | Error::RankMismatch { .. }
            | Error::ShapeMismatch { .. }
            | Error::ElementWidth { .. }
            | Error::Overlap { .. }
            | Error::EmptyBlock
            | Error::Unsorted { .. }
            | Error::OutputTooSmall { .. }
            | Error::OutputFull { .. }
            | Error::NoSuchBlock { .. } => ErrorKind::IllegalArgument,
            Error::BlockClosed { .. } | Error::BlockClosing { .. } => ErrorKind::IllegalState,
            Error::NoScratch { .. } | Error::BlockTooLarge { .. } | Error::Refused { .. } => {
                ErrorKind::OutOfMemory
            }
            Error::Broken => ErrorKind::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_say_what_was_asked_and_what_is_there() {
        let error = Error::SelectionOutside {
            shape: vec![2, 3],
            strides: vec![3, 1],
            start: 5,
            lowest: 5,
            highest: 10,
            len: 10,
        };
        assert_eq!(
            error.to_string(),
            "shape [2, 3] with strides [3, 1] from 5 selects elements 5 to 10, but there are only 10 (0 to 9)"
        );
        assert_eq!(error.kind(), ErrorKind::IndexOutOfBounds);
    }

    #[test]
    fn kinds_tell_the_callers_mistake_from_the_systems() {
        assert_eq!(Error::EmptyBlock.kind(), ErrorKind::IllegalArgument);
        assert_eq!(
            Error::BlockClosed {
                address: 64,
                len: 1
            }
            .kind(),
            ErrorKind::IllegalState
        );
        assert_eq!(
            Error::BlockTooLarge { asked: u64::MAX }.kind(),
            ErrorKind::OutOfMemory
        );
        assert_eq!(Error::Broken.kind(), ErrorKind::Internal);
    }
}
