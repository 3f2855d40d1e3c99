//! What there is of memory.

/// What there is at one moment. Bytes are those of whole blocks, which are up to an eighth, or a page, larger than what was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes of blocks that are not closed, and of closed ones whose pages the system does not take.
    pub live_bytes: u64,
    /// Bytes in the pool, or on their way from there to the system.
    pub pooled_bytes: u64,
    /// Bytes of addresses of blocks that are closed and not released.
    pub stale_bytes: u64,
    /// Those of them in blocks that share page tables with others, which stay as long as any of these.
    pub stale_small_bytes: u64,
    /// How many blocks are not closed.
    pub live_blocks: u64,
    /// The limit.
    pub limit: u64,
    /// How many blocks were closed by moving their pages.
    pub moved: u64,
    /// How many were closed by discarding them.
    pub discarded: u64,
    /// Bytes of address space reserved.
    pub reserved_bytes: u64,
}
