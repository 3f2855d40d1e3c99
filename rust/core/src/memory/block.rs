//! A block in the ledger: its span, its state, and the pages that were discarded.

use super::span::Span;

/// A block over which a buffer may exist.
#[derive(Debug)]
pub(super) struct Block {
    pub span: Span,
    pub len: usize,
    pub state: State,
    /// The pages of a live block that were discarded, and no longer count. Empty if there are none.
    pub returned: Vec<bool>,
}

impl Block {
    /// A live block.
    pub fn new(span: Span, len: usize) -> Block {
        Block {
            span,
            len,
            state: State::Live,
            returned: Vec::new(),
        }
    }

    /// The bytes of the discarded pages.
    pub fn returned_bytes(&self, page: usize) -> u64 {
        (self.returned.iter().filter(|&&returned| returned).count() * page) as u64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Its size counts as live.
    Live,
    /// A thread is moving or discarding its pages; its size still counts as live.
    Closing,
    /// Closed; its size does not count.
    Stale,
    /// Closed, but the system refused to take the pages back: it was cleared, and its size counts as live until it is released.
    Kept,
}
