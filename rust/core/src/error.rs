//! The errors of the core.

use std::ops::Range;

use thiserror::Error;

/// The kind of an [`enum@Error`]; the boundary maps each to a Java exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A coordinate or a selection that is out of bounds.
    IndexOutOfBounds,
    /// An argument that is invalid in any state.
    IllegalArgument,
    /// A call that is invalid in the current state.
    IllegalState,
    /// The system or the budget has no more memory.
    OutOfMemory,
    /// A bug of this library.
    Internal,
}

/// An error, with what was requested, expected and found.
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
    /// A shape whose number of elements, without sizes of 0, overflows an `i64`.
    #[error("the sizes of shape {shape:?} have a product above {}", i64::MAX)]
    TooManyElements {
        /// The shape.
        shape: Vec<i64>,
    },
    /// Strides whose number is not the rank.
    #[error("{strides} strides for a shape of rank {rank}: there must be one for each axis")]
    RankMismatch {
        /// The number of axes.
        rank: usize,
        /// The number of strides.
        strides: usize,
    },
    /// Selections to copy from and to whose shapes differ.
    #[error("a selection of the shape {from:?} cannot be copied to one of the shape {to:?}")]
    ShapeMismatch {
        /// The shape that is read.
        from: Vec<i64>,
        /// The shape that would be written.
        to: Vec<i64>,
    },
    /// An element width that no type has.
    #[error("elements of {width} bytes: only 1, 2, 4 and 8 are known")]
    ElementWidth {
        /// The requested width.
        width: usize,
    },
    /// A selection that is not within its memory.
    #[error(
        "shape {shape:?} with strides {strides:?} from {start} selects elements {lowest} to {highest}, but there are only {len} (0 to {})",
        *.len as i128 - 1
    )]
    SelectionOutside {
        /// The shape of the selection.
        shape: Vec<i64>,
        /// Its strides, in elements.
        strides: Vec<i64>,
        /// The position of its first element.
        start: i64,
        /// The lowest position selected, clamped to an `i64`.
        lowest: i64,
        /// The highest position selected, clamped to an `i64`.
        highest: i64,
        /// The number of elements of the memory.
        len: usize,
    },
    /// Selections to copy from and to that may have a byte in common.
    #[error("the selections overlap: one lies at {read:#x?}, the other at {written:#x?}")]
    Overlap {
        /// The range of addresses that is read.
        read: Range<usize>,
        /// The range of addresses that would be written.
        written: Range<usize>,
    },
    /// A block of no bytes.
    #[error("a block of 0 bytes: a block has at least 1")]
    EmptyBlock,
    /// A block that no address space can hold.
    #[error("a block of {asked} bytes: this platform has no addresses for so many in one piece")]
    BlockTooLarge {
        /// The requested bytes, which may overflow a `usize`, and a `u64`.
        asked: u128,
    },
    /// The system refused address space, or memory to fill it.
    #[error("the system has no {asked} bytes of {what}: {reason}")]
    Refused {
        /// The requested bytes.
        asked: usize,
        /// The kind of memory.
        what: &'static str,
        /// The system's error.
        reason: String,
    },
    /// A panic under the lock of the ledger.
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
    /// A release of a block that another thread is closing, and so can still access.
    #[error(
        "the block of {len} bytes at {address:#x} is being closed, so it cannot be released yet"
    )]
    BlockClosing {
        /// Its address.
        address: usize,
        /// Its length.
        len: usize,
    },
    /// A part that is not within its block.
    #[error("bytes {from} to {to} (excluded) are no part of a block of {len} bytes")]
    PartOutside {
        /// The first byte.
        from: usize,
        /// The byte after the last.
        to: usize,
        /// The length of the block.
        len: usize,
    },
    /// A coordinate that is outside of its axis.
    #[error(
        "row {row} of the coordinates has {coordinate} along axis {axis} of shape {shape:?}, whose size is {size}"
    )]
    CoordinateOutside {
        /// The row of coordinates.
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
    /// A linear index that is outside of the shape.
    #[error(
        "row {row} of the coordinates is position {position} of shape {shape:?}, which has {elements} elements"
    )]
    PositionOutside {
        /// The row of linear indices.
        row: usize,
        /// The linear index.
        position: i64,
        /// The number of elements.
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
    /// Scratch memory that does not fit the limit.
    #[error("no {asked} bytes for intermediate results: {limit} bytes are the limit of all memory, of which {live} are in use")]
    NoScratch {
        /// The requested bytes.
        asked: usize,
        /// The limit.
        limit: u64,
        /// The bytes in use.
        live: u64,
    },
}

impl Error {
    /// The kind of the error.
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
            Error::BlockTooLarge { asked: u128::MAX }.kind(),
            ErrorKind::OutOfMemory
        );
        assert_eq!(Error::Broken.kind(), ErrorKind::Internal);
    }
}
