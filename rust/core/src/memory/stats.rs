//! Statistics of memory.

/// Statistics at one moment. Bytes are those of whole blocks, which are up to an eighth, or a page, larger than requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes of blocks that are not closed, and of closed ones whose pages the system refuses to discard.
    pub live_bytes: u64,
    /// Bytes in the pool, or being returned from there to the system.
    pub pooled_bytes: u64,
    /// Bytes of addresses of blocks that are closed and not released.
    pub stale_bytes: u64,
    /// The part of them in blocks that share page tables with others, which stay as long as any of these blocks.
    pub stale_small_bytes: u64,
    /// The number of blocks that are not closed.
    pub live_blocks: u64,
    /// The limit.
    pub limit: u64,
    /// The number of blocks closed by moving their pages.
    pub moved: u64,
    /// The number of blocks closed by discarding them.
    pub discarded: u64,
    /// Bytes of address space reserved.
    pub reserved_bytes: u64,
}
