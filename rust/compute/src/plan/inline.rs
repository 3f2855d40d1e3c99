//! Statements that need no memory, because they become part of those that read them.

use crate::bound::{Bound, Statement};

/// The statements of a program, those that fuse into their readers left out.
pub(crate) fn inline(bound: &Bound) -> Vec<Statement> {
    bound.statements.clone()
}
