//! What the ledger decides: who gets which pages, and what is to be done with others.

use super::pool::Pooled;
use super::span::Span;

/// What can be done for a request.
#[derive(Debug)]
pub(super) enum Offer {
    /// A block from the pool, with what its last owner wrote.
    Pooled(Span),
    /// A block of pages that were never touched; with the island flag if it may ask for huge pages.
    Fresh(Span),
    /// Give these back, then ask again.
    Evict(Vec<Pooled>),
    /// Add an arena for a block of that size, then ask again.
    Grow(usize),
    /// Another thread is giving pages back: wait until it has, then ask again.
    Wait,
    /// It does not fit.
    Never,
}

/// Whether a block can be closed.
#[derive(Debug)]
pub(super) enum Close {
    /// It is closing: do this.
    Begun(Closing),
    /// Nothing is changed: add an arena for a block of that size, then ask again, or without a move.
    Grow(usize),
}

/// What is to be done to close a block.
#[derive(Debug)]
pub(super) struct Closing {
    pub block: Span,
    /// Where the pages are to go, if they are to be moved.
    pub target: Option<Span>,
    /// What has to leave the pool for them.
    pub evicted: Vec<Pooled>,
}

/// How a block's pages went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// They are at the target; whether the block is part of the mappings around it.
    Moved { renewed: bool },
    /// They were given back.
    Discarded,
    /// They are still there, but cleared.
    Kept,
}

/// What is to be done with a block whose addresses nobody has any more.
#[derive(Debug)]
pub(super) enum Releasing {
    /// It was closed. Discard what racing writers have left since, then [free](super::ledger::Ledger::set_free) the span.
    Stale(Span),
    /// It was not, and went to the pool if that may hold it. Give these back: itself, or what has to leave the pool for it.
    Live(Vec<Pooled>),
}
