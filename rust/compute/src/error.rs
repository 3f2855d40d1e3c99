//! All that can go wrong with a program, fault by fault.

use std::fmt;

/// What kind of mistake an [`Error`] is; the boundary makes one Java exception of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A text, a shape or a type that makes no sense.
    IllegalArgument,
    /// A look-up, or a read inside of a guard, that is outside of its tensor.
    IndexOutOfBounds,
    /// A division of an integer by zero, or an integer to a negative power.
    Arithmetic,
    /// Memory that the system, or the budget, does not have.
    OutOfMemory,
}

/// An error of a program: one or more faults, all that were found at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    faults: Vec<String>,
}

impl Error {
    /// An error of these faults, of which there is at least one.
    pub fn new(kind: ErrorKind, faults: Vec<String>) -> Error {
        debug_assert!(!faults.is_empty());
        Error { kind, faults }
    }

    /// An argument that makes no sense.
    pub fn illegal(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::IllegalArgument, vec![fault.into()])
    }

    /// An index that is outside.
    pub fn outside(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::IndexOutOfBounds, vec![fault.into()])
    }

    /// Arithmetic of integers that has no result.
    pub fn arithmetic(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::Arithmetic, vec![fault.into()])
    }

    /// Which Java exception this becomes.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The faults, in the program's order.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

impl fmt::Display for Error {
    /// One line per fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for Error {}
