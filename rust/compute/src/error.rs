//! The errors of programs, as lists of faults.

use std::fmt;

/// The kind of an [`Error`]; the boundary maps each to a Java exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An invalid text, shape or type.
    IllegalArgument,
    /// A look-up, or a read inside of a guard, that is outside of its tensor.
    IndexOutOfBounds,
    /// A division of an integer by zero, or an integer to a negative power.
    Arithmetic,
    /// The system or the budget has no more memory.
    OutOfMemory,
    /// A text that is nested too deep for the stack, where the system has no thread with a longer one.
    StackOverflow,
}

/// An error of a program: all faults that were found, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    faults: Vec<String>,
}

impl Error {
    /// An error with these faults, at least one.
    pub fn new(kind: ErrorKind, faults: Vec<String>) -> Error {
        debug_assert!(!faults.is_empty());
        Error { kind, faults }
    }

    /// An invalid argument.
    pub fn illegal(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::IllegalArgument, vec![fault.into()])
    }

    /// An index that is out of bounds.
    pub fn outside(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::IndexOutOfBounds, vec![fault.into()])
    }

    /// Integer arithmetic that has no result.
    pub fn arithmetic(fault: impl Into<String>) -> Error {
        Error::new(ErrorKind::Arithmetic, vec![fault.into()])
    }

    /// A stack that is too short.
    pub fn stack(bytes: usize) -> Error {
        let fault = format!(
            "the stack of this thread is too short, and the system has no other one of {bytes} bytes"
        );
        Error::new(ErrorKind::StackOverflow, vec![fault])
    }

    /// The kind of the error.
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
