//! The decisions of the ledger about requests, closes and releases, for the caller to carry out.

use super::pool::Pooled;
use super::span::Span;

/// The answer to a request for a block.
#[derive(Debug)]
pub(super) enum Offer {
    /// A block from the pool, with the values of its last owner.
    Pooled(Span),
    /// A block of untouched pages; with the island flag if it may use huge pages.
    Fresh(Span),
    /// Return these to the system, then ask again.
    Evict(Vec<Pooled>),
    /// Add an arena for a block of that size, then ask again.
    Grow(usize),
    /// Another thread is returning pages: wait until it has, then ask again.
    Wait,
    /// It does not fit.
    Never,
}

/// The answer to the close of a block.
#[derive(Debug)]
pub(super) enum Close {
    /// It is closing: carry this out.
    Begun(Closing),
    /// Nothing has changed: add an arena for a block of that size, then ask again, or ask for a close without a move.
    Grow(usize),
}

/// The actions that close a block.
#[derive(Debug)]
pub(super) struct Closing {
    pub block: Span,
    /// The target of the pages, if they are to be moved.
    pub target: Option<Span>,
    /// The blocks evicted from the pool for them.
    pub evicted: Vec<Pooled>,
}

/// The result of moving or discarding a block's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// They were moved to the target; `renewed` if the block's range joined the mappings around it.
    Moved { renewed: bool },
    /// They were discarded.
    Discarded,
    /// They are still there, but cleared.
    Kept,
}

/// The actions that release a block.
#[derive(Debug)]
pub(super) enum Releasing {
    /// It was closed. Discard late writes, then [free](super::ledger::Ledger::set_free) the span.
    Stale(Span),
    /// It was not closed, and went to the pool if that has capacity. Return these to the system: the block itself, or those evicted for it.
    Live(Vec<Pooled>),
}
