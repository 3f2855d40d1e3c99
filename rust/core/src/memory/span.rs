//! Pages at an address, as the ledger and all of its parts name them.

use std::ptr::NonNull;

/// Pages at an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: NonNull<u8>,
    pub size: usize,
    /// Whether it has a mapping of its own, so that it needs [`renew`](super::Pages::renew) to join those around it.
    pub island: bool,
}

// SAFETY: a span is a name for addresses; it gives nobody the right to touch them. Who may is what the ledger says.
unsafe impl Send for Span {}
