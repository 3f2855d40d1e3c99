//! The ledger: the state of all addresses, and the bytes that count against the limit. Pure state under a lock;
//! [`Memory`](super::Memory) carries out its decisions outside of the lock.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use super::addresses::Addresses;
use super::block::{Block, State};
use super::decisions::{Close, Closing, Offer, Outcome, Releasing};
use super::pages::Geometry;
use super::pool::{Pool, Pooled};
use super::sizes::Request;
use super::span::Span;
use super::Stats;
use crate::Error;

/// The state of memory; the invariants are those of the [module](super).
#[derive(Debug)]
pub(super) struct Ledger {
    geometry: Geometry,
    limit: u64,
    live: u64,
    /// Bytes that enter the pool when their close is done; part of `live` until then.
    arriving: u64,
    /// Bytes that are being returned to the system, from the pool or a block.
    leaving: u64,
    pool: Pool,
    blocks: HashMap<usize, Block>,
    addresses: Addresses,
    islands: usize,
    live_blocks: u64,
    stale: u64,
    stale_small: u64,
    moved: u64,
    discarded: u64,
}

impl Ledger {
    pub fn new(geometry: Geometry, limit: u64) -> Ledger {
        Ledger {
            geometry,
            limit,
            live: 0,
            arriving: 0,
            leaving: 0,
            pool: Pool::default(),
            blocks: HashMap::new(),
            addresses: Addresses::new(&geometry),
            islands: 0,
            live_blocks: 0,
            stale: 0,
            stale_small: 0,
            moved: 0,
            discarded: 0,
        }
    }

    pub fn stats(&self) -> Stats {
        Stats {
            live_bytes: self.live,
            pooled_bytes: self.pool.bytes() + self.leaving,
            stale_bytes: self.stale,
            stale_small_bytes: self.stale_small,
            live_blocks: self.live_blocks,
            limit: self.limit,
            moved: self.moved,
            discarded: self.discarded,
            reserved_bytes: self.addresses.reserved() as u64,
        }
    }

    // ---- the budget and the pool

    /// The bytes that count against the limit.
    fn used(&self) -> u64 {
        self.live + self.pool.bytes() + self.leaving
    }

    /// The capacity of the pool in bytes.
    fn pool_limit(&self) -> u64 {
        self.limit / 4
    }

    /// Sets the limit; returns what is evicted from the pool for it.
    pub fn set_limit(&mut self, limit: u64, now: Instant) -> Vec<Pooled> {
        self.limit = limit;
        self.evict_for(0, now)
    }

    /// Evicts spans that have been idle in the pool for that long.
    pub fn trim(&mut self, idle: Duration, now: Instant) -> Vec<Pooled> {
        let mut evicted = Vec::new();
        while let Some(pooled) = self.pool.take_oldest(idle, now) {
            self.evict(pooled, &mut evicted);
        }
        evicted
    }

    /// Evicts the oldest from the pool until its limit allows `bytes` more.
    fn evict_for(&mut self, bytes: u64, now: Instant) -> Vec<Pooled> {
        let mut evicted = Vec::new();
        while self.pool.bytes() + self.arriving + bytes > self.pool_limit() {
            match self.pool.take_oldest(Duration::ZERO, now) {
                Some(pooled) => self.evict(pooled, &mut evicted),
                None => break,
            }
        }
        evicted
    }

    fn evict(&mut self, pooled: Pooled, evicted: &mut Vec<Pooled>) {
        self.leaving += pooled.span.size as u64;
        evicted.push(pooled);
    }

    /// The pages of an evicted span were discarded.
    pub fn left(&mut self, span: Span) {
        self.leaving -= span.size as u64;
        self.set_free(span);
    }

    /// The system refused to discard the pages of an evicted span: it returns, with its age, to the pool.
    pub fn stayed(&mut self, pooled: Pooled) {
        self.leaving -= pooled.span.size as u64;
        self.keep(pooled.span, pooled.since);
    }

    /// Puts a span in the pool whose pages the system refuses to discard, even above the pool's capacity.
    pub fn keep(&mut self, span: Span, since: Instant) {
        self.pool.put(span, since);
    }

    // ---- addresses

    /// Makes a range free; it reads as zeros, and no buffer can reach it (invariant 3).
    pub fn set_free(&mut self, span: Span) {
        self.islands -= usize::from(span.island);
        self.addresses.give(span.start, span.size);
    }

    /// The preferred and the minimum length of an arena for a block of that size.
    pub fn arena_for(&self, size: usize) -> (usize, usize) {
        self.addresses.arena_for(size)
    }

    /// Adds an arena for small or large blocks, as that size is.
    pub fn add_arena(&mut self, size: usize, base: NonNull<u8>, len: usize) {
        self.addresses.add_arena(size, base, len);
    }

    // ---- fresh -> live

    pub fn allocate(&mut self, request: &Request, now: Instant) -> Offer {
        if let Some(span) = self.pool.take(request.least, request.class) {
            self.add_block(request.len, span);
            return Offer::Pooled(span);
        }
        // The bytes that cannot be evicted.
        let fixed = self.live + self.leaving;
        let fits = |size: usize| {
            fixed
                .checked_add(size as u64)
                .is_some_and(|bytes| bytes <= self.limit)
        };
        let size = match [request.class, request.least]
            .into_iter()
            .find(|&size| fits(size))
        {
            Some(size) => size,
            None if self.live.saturating_add(request.least as u64) <= self.limit => {
                return Offer::Wait
            }
            None => return Offer::Never,
        };
        let mut evicted = Vec::new();
        // Evicted bytes count in `used` until their pages are discarded, so they are subtracted here.
        let mut excess = (self.used() + size as u64).saturating_sub(self.limit);
        while excess > 0 {
            let Some(pooled) = self.pool.take_oldest(Duration::ZERO, now) else {
                break;
            };
            excess = excess.saturating_sub(pooled.span.size as u64);
            self.evict(pooled, &mut evicted);
        }
        if !evicted.is_empty() {
            return Offer::Evict(evicted);
        }
        let Some(start) = self.addresses.take(size) else {
            return Offer::Grow(size);
        };
        let island = self.geometry.is_huge(size) && self.islands < self.geometry.most_islands;
        self.islands += usize::from(island);
        let span = Span {
            start,
            size,
            island,
        };
        self.add_block(request.len, span);
        Offer::Fresh(span)
    }

    fn add_block(&mut self, len: usize, span: Span) {
        self.live += span.size as u64;
        self.live_blocks += 1;
        self.blocks
            .insert(span.start.addr().get(), Block::new(span, len));
    }

    /// Whole pages of a live block were discarded: they no longer count, even if they are used again, which is up to their owner.
    pub fn returned(&mut self, start: NonNull<u8>, first: usize, end: usize) {
        let page = self.geometry.page;
        let Ok(block) = self.live_block(start) else {
            return; // closed meanwhile: no longer counted
        };
        let before = block.returned_bytes(page);
        block.returned.resize(block.span.size / page, false);
        block.returned[first / page..end / page].fill(true);
        let after = block.returned_bytes(page);
        self.live -= after - before;
    }

    /// The fresh block got no mapping of its own.
    pub fn no_island(&mut self, start: NonNull<u8>) {
        if let Some(block) = self.blocks.get_mut(&start.addr().get()) {
            self.islands -= usize::from(block.span.island);
            block.span.island = false;
        }
    }

    /// The system had no memory for the fresh block, which was not handed out.
    pub fn cancel(&mut self, start: NonNull<u8>) {
        if let Some(block) = self.blocks.remove(&start.addr().get()) {
            self.live -= block.span.size as u64;
            self.live_blocks -= 1;
            self.set_free(block.span);
        }
    }

    // ---- live -> closed

    fn block(&mut self, start: NonNull<u8>) -> Result<&mut Block, Error> {
        let address = start.addr().get();
        self.blocks
            .get_mut(&address)
            .ok_or(Error::NoSuchBlock { address })
    }

    fn live_block(&mut self, start: NonNull<u8>) -> Result<&mut Block, Error> {
        let block = self.block(start)?;
        match block.state {
            State::Live => Ok(block),
            _ => Err(Error::BlockClosed {
                address: start.addr().get(),
                len: block.len,
            }),
        }
    }

    /// The length and the span of a block that is live.
    pub fn find_live(&mut self, start: NonNull<u8>) -> Result<(usize, Span), Error> {
        self.live_block(start).map(|block| (block.len, block.span))
    }

    /// Marks a block as closing, and finds a target if its pages may be moved and the pool has capacity for them.
    pub fn begin_close(
        &mut self,
        start: NonNull<u8>,
        may_move: bool,
        now: Instant,
    ) -> Result<Close, Error> {
        let block = self.live_block(start)?;
        // A block with discarded pages would count in full again in the pool.
        let may_move = may_move && block.returned.is_empty();
        let block = block.span;
        let size = block.size as u64;
        let islands = self.islands - usize::from(block.island) + 1;
        let moves = may_move
            && block.size >= self.geometry.least_move
            && self.arriving + size <= self.pool_limit()
            && islands <= self.geometry.most_islands;
        let mut closing = Closing {
            block,
            target: None,
            evicted: Vec::new(),
        };
        if moves {
            let Some(target) = self.addresses.take(block.size) else {
                return Ok(Close::Grow(block.size));
            };
            closing.target = Some(Span {
                start: target,
                size: block.size,
                island: true,
            });
            closing.evicted = self.evict_for(size, now);
            self.islands += 1;
            self.arriving += size;
        }
        self.live_block(start)?.state = State::Closing;
        Ok(Close::Begun(closing))
    }

    /// Marks a block as closed. A target that was not used, and is intact, becomes free.
    pub fn finish_close(
        &mut self,
        closing: &Closing,
        outcome: Outcome,
        target_intact: bool,
        now: Instant,
    ) {
        let size = closing.block.size as u64;
        if let Some(target) = closing.target {
            self.arriving -= size;
            match outcome {
                Outcome::Moved { .. } => self.pool.put(target, now),
                _ if target_intact => self.set_free(target),
                // Lost: another thread may have mapped something there.
                _ => self.islands -= 1,
            }
        }
        let range = self.geometry.range(closing.block.size) as u64;
        let small = !self.geometry.is_large(closing.block.size);
        let page = self.geometry.page;
        let Some(block) = self.blocks.get_mut(&closing.block.start.addr().get()) else {
            return;
        };
        match outcome {
            Outcome::Kept => block.state = State::Kept,
            Outcome::Moved { .. } | Outcome::Discarded => {
                block.state = State::Stale;
                self.live -= size - block.returned_bytes(page);
                self.stale += range;
                self.stale_small += if small { range } else { 0 };
            }
        }
        if outcome == (Outcome::Moved { renewed: true }) {
            self.islands -= usize::from(block.span.island);
            block.span.island = false;
        }
        self.live_blocks -= 1;
        match outcome {
            Outcome::Moved { .. } => self.moved += 1,
            Outcome::Discarded | Outcome::Kept => self.discarded += 1,
        }
    }

    /// The span of a block that is closed; `None` while it is live or closing.
    pub fn find_stale(&mut self, start: NonNull<u8>) -> Result<Option<Span>, Error> {
        self.block(start)
            .map(|block| (block.state == State::Stale).then_some(block.span))
    }

    // ---- closed or live -> free or pooled

    pub fn release(&mut self, start: NonNull<u8>, now: Instant) -> Result<Releasing, Error> {
        let address = start.addr().get();
        let page = self.geometry.page;
        let block = self.block(start)?;
        let (span, len, state) = (block.span, block.len, block.state);
        let returned = block.returned_bytes(page);
        if state == State::Closing {
            return Err(Error::BlockClosing { address, len });
        }
        self.blocks.remove(&address);
        let size = span.size as u64;
        match state {
            State::Stale => {
                let range = self.geometry.range(span.size) as u64;
                self.stale -= range;
                self.stale_small -= if self.geometry.is_large(span.size) {
                    0
                } else {
                    range
                };
                return Ok(Releasing::Stale(span));
            }
            State::Live => self.live_blocks -= 1,
            State::Kept | State::Closing => {}
        }
        self.live -= size - returned;
        // As in `begin_close`.
        if returned > 0 || size + self.arriving > self.pool_limit() {
            self.leaving += size;
            return Ok(Releasing::Live(vec![Pooled { span, since: now }]));
        }
        let evicted = self.evict_for(size, now);
        self.pool.put(span, now);
        Ok(Releasing::Live(evicted))
    }
}

#[cfg(test)]
mod tests;
