//! The stack that recursion over trees needs.
//!
//! Every recursion of this crate is over the trees of a program, whose depth is known before: the parser bounds it, and differentiation measures it.

use tensornio_core::stack::{self, NoStack};

use crate::ast::MAX_DEPTH;
use crate::Error;

/// The most bytes that any recursion needs for one level of a tree, and those around it. Without optimisation frames are several times as large.
const FRAME: usize = if cfg!(debug_assertions) {
    10 << 10
} else {
    2 << 10
};
const AROUND: usize = if cfg!(debug_assertions) {
    192 << 10
} else {
    64 << 10
};
/// The room below which the parser, which does not know the depth yet, begins again on a longer stack.
const SHORT: usize = AROUND;

/// The bytes for trees of that depth.
fn bytes(depth: usize) -> usize {
    AROUND.saturating_add(depth.saturating_mul(FRAME))
}

/// Does work that recurses over trees of at most that depth, on a stack that is long enough.
///
/// # Errors
/// Of kind stack overflow: there is none.
pub(crate) fn deep<T: Send>(depth: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    stack::with(bytes(depth), work).map_err(|NoStack(bytes)| Error::stack(bytes))
}

/// The depth of the parser's recursion, and of its trees.
pub(crate) const PARSED: usize = 2 * MAX_DEPTH;

/// Whether another level of the parser's recursion has room.
pub(crate) fn has_room() -> bool {
    stack::room() >= SHORT
}

/// What only one thread uses at a time may move to another that the first one waits for.
pub(crate) struct Moved<T>(pub T);

// SAFETY: made where `deep` takes it: its work is done by the caller, or by a thread that the caller waits for, and that ends then. Addresses, which
// is what is moved so, mean the same there.
unsafe impl<T> Send for Moved<T> {}

impl<T> Moved<T> {
    /// The value; a method, so that a closure captures the whole.
    pub fn into(self) -> T {
        self.0
    }
}
