//! Pages at an address, as the ledger and its parts refer to them.

use std::ptr::NonNull;

/// Pages at an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub start: NonNull<u8>,
    pub size: usize,
    /// Whether it has a separate mapping, so that it needs [`renew`](super::Pages::renew) to merge with those around it.
    pub island: bool,
}

// SAFETY: a span only identifies addresses; it gives no right to access them. The ledger determines which thread may.
unsafe impl Send for Span {}
