//! A block in the ledger: what it is, how far it is closed, and what of it was given back.

use super::span::Span;

/// A block that somebody has a buffer of, or may still have.
#[derive(Debug)]
pub(super) struct Block {
    pub span: Span,
    pub len: usize,
    pub state: State,
    /// Which pages of a live block were given back, and count no more. Empty if none were.
    pub returned: Vec<bool>,
}

impl Block {
    /// A live one.
    pub fn new(span: Span, len: usize) -> Block {
        Block {
            span,
            len,
            state: State::Live,
            returned: Vec::new(),
        }
    }

    /// The bytes of the pages that were given back.
    pub fn returned_bytes(&self, page: usize) -> u64 {
        (self.returned.iter().filter(|&&returned| returned).count() * page) as u64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Its size counts as live.
    Live,
    /// A thread is at its pages; its size still counts as live.
    Closing,
    /// Closed, and nothing is counted.
    Stale,
    /// Closed, but the system would not take the pages back: it has been cleared, and its size counts as live until it is released.
    Kept,
}
