//! Random programs, and the model that they are compared with.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr::NonNull;
use std::time::Duration;

use tensornio_core::memory::{Memory, Pages, Stats};
use tensornio_core::Error;

/// How many of something to run: few under Miri, else many, and more on demand.
pub fn runs(miri: u64, else_: u64) -> u64 {
    let depth = std::env::var("TENSORNIO_TEST_DEPTH")
        .ok()
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(1);
    if cfg!(miri) {
        miri
    } else {
        else_ * depth
    }
}

/// What the model may expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everything works, so accounts are exact.
    Exact,
    /// The system refuses things: allocations may fail, and pages may stay where they are.
    Hostile,
}

/// A block as the model sees it.
struct Block {
    start: NonNull<u8>,
    /// What it holds where it was looked at: every byte of a short block, some of each page of a long one.
    expected: BTreeMap<usize, u8>,
    /// Pages that were given back.
    returned: BTreeSet<usize>,
    len: usize,
    closed: bool,
}

pub struct Program<P: Pages> {
    memory: Memory<P>,
    kind: Kind,
    longest: usize,
    page: usize,
    blocks: Vec<Block>,
    seed: u64,
    state: u64,
}

impl<P: Pages> Program<P> {
    pub fn new(memory: Memory<P>, longest: usize, kind: Kind, seed: u64) -> Program<P> {
        let page = memory.pages().geometry().page;
        Program {
            memory,
            kind,
            longest,
            page,
            blocks: Vec::new(),
            seed,
            state: seed ^ 0x9e3779b97f4a7c15,
        }
    }

    fn random(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % below as u64) as usize
    }

    /// Runs `steps` steps, then releases all and sees that nothing is left.
    pub fn run(&mut self, steps: u64) {
        for step in 0..steps {
            self.step();
            self.check(step);
        }
        while !self.blocks.is_empty() {
            self.release(0);
        }
        self.memory.trim(Duration::ZERO);
        let stats = self.memory.stats();
        assert_eq!(
            (
                stats.live_bytes,
                stats.live_blocks,
                stats.stale_bytes,
                stats.stale_small_bytes
            ),
            (0, 0, 0, 0)
        );
        if self.kind == Kind::Exact {
            assert_eq!(stats.pooled_bytes, 0, "seed {}", self.seed);
        }
    }

    fn step(&mut self) {
        let open = |closed: bool| move |(_, block): &(usize, &Block)| block.closed == closed;
        let some = |program: &mut Self, closed: bool| {
            let found: Vec<_> = program
                .blocks
                .iter()
                .enumerate()
                .filter(open(closed))
                .map(|(k, _)| k)
                .collect();
            (!found.is_empty()).then(|| found[program.random(found.len())])
        };
        match self.random(20) {
            0..=7 => self.allocate(),
            8..=11 => {
                if let Some(k) = some(self, false) {
                    self.close(k);
                }
            }
            12..=14 => {
                if let Some(k) = some(self, true) {
                    self.release(k);
                }
            }
            15 => {
                if let Some(k) = some(self, false) {
                    self.release(k);
                }
            }
            16 => {
                if let Some(k) = some(self, false) {
                    self.discard(k);
                }
            }
            17 => {
                if let Some(k) = some(self, true) {
                    self.write_late(k);
                }
            }
            18 => {
                if let Some(k) = some(self, true) {
                    self.close_again(k);
                }
            }
            _ => {
                let idle = [Duration::ZERO, Duration::from_secs(3600)][self.random(2)];
                self.memory.trim(idle);
            }
        }
    }

    /// Where a block of that length is looked at.
    fn places(&self, len: usize) -> BTreeSet<usize> {
        let step = if self.page > 64 {
            self.page / 2
        } else if cfg!(miri) {
            64
        } else {
            1
        };
        (0..len).step_by(step).chain([len - 1]).collect()
    }

    fn allocate(&mut self) {
        let longest = self.longest >> self.random(8);
        let len = 1 + self.random(longest.max(1));
        let zeroed = self.random(3) > 0;
        let before = self.memory.stats();
        let start = match self.memory.allocate(len, zeroed) {
            Ok(Some(start)) => start,
            Ok(None) => {
                let least = len.next_multiple_of(self.page) as u64;
                if self.kind == Kind::Exact {
                    assert!(
                        before.live_bytes + least > before.limit,
                        "{len} bytes fit: {before:?}"
                    );
                }
                return;
            }
            Err(Error::Refused { .. }) if self.kind == Kind::Hostile => return,
            Err(error) => panic!("seed {}: {error}", self.seed),
        };
        let after = self.memory.stats();
        // Above the limit are only pages that the system would not take back.
        let refused =
            (before.live_bytes + before.pooled_bytes) * u64::from(self.kind == Kind::Hostile);
        let most = after.limit.max(refused);
        assert!(
            after.live_bytes + after.pooled_bytes <= most,
            "seed {}: {after:?}",
            self.seed
        );
        assert_eq!(start.addr().get() % 64, 0);
        assert_eq!(self.memory.len_of(start), Ok(len));
        let value = 1 + self.random(255) as u8;
        let mut expected = BTreeMap::new();
        for place in self.places(len) {
            // SAFETY: inside of the block, which nobody else has.
            unsafe {
                let byte = start.add(place);
                assert!(
                    !zeroed || byte.read() == 0,
                    "seed {}: byte {place} of {len} is not zero",
                    self.seed
                );
                byte.write(value);
            }
            expected.insert(place, value);
        }
        self.blocks.push(Block {
            start,
            expected,
            returned: BTreeSet::new(),
            len,
            closed: false,
        });
    }

    fn close(&mut self, k: usize) {
        let block = &mut self.blocks[k];
        self.memory.close(block.start).unwrap();
        block.closed = true;
        block.expected.values_mut().for_each(|value| *value = 0);
    }

    fn close_again(&mut self, k: usize) {
        let Block { start, len, .. } = self.blocks[k];
        let before = self.memory.stats();
        assert_eq!(
            self.memory.close(start),
            Err(Error::BlockClosed {
                address: start.addr().get(),
                len
            })
        );
        assert_eq!(self.memory.stats(), before);
    }

    fn release(&mut self, k: usize) {
        let block = self.blocks.swap_remove(k);
        self.memory.release(block.start).unwrap();
        let before = self.memory.stats();
        let address = block.start.addr().get();
        assert_eq!(
            self.memory.release(block.start),
            Err(Error::NoSuchBlock { address })
        );
        assert_eq!(self.memory.stats(), before);
    }

    fn discard(&mut self, k: usize) {
        let len = self.blocks[k].len;
        let from = self.random(len + 1);
        let to = from + self.random(len - from + 1);
        let block = &mut self.blocks[k];
        crate::discard(&self.memory, block.start, from, to).unwrap();
        let (first, end) = (from.next_multiple_of(self.page), to - to % self.page);
        if first < end {
            block
                .expected
                .range_mut(first..end)
                .for_each(|(_, value)| *value = 0);
            block.returned.extend(first / self.page..end / self.page);
        }
    }

    /// Writes to a closed block, as a thread may that has not seen the close.
    fn write_late(&mut self, k: usize) {
        let block = &mut self.blocks[k];
        for (&place, value) in &mut block.expected {
            *value = 0xee;
            // SAFETY: the range of a closed block stays writable until it is released.
            unsafe { block.start.add(place).write(0xee) };
        }
    }

    fn check(&mut self, step: u64) {
        let seed = self.seed;
        let stats: Stats = self.memory.stats();
        let live = || self.blocks.iter().filter(|block| !block.closed);
        assert_eq!(
            stats.live_blocks,
            live().count() as u64,
            "seed {seed}, step {step}"
        );
        let asked: u64 = live()
            .map(|block| (block.len - block.returned.len() * self.page) as u64)
            .sum();
        assert!(
            stats.live_bytes >= asked,
            "seed {seed}, step {step}: {stats:?}"
        );
        let stale: u64 = self
            .blocks
            .iter()
            .filter(|block| block.closed)
            .map(|block| block.len as u64)
            .sum();
        if self.kind == Kind::Exact {
            assert!(
                stats.stale_bytes >= stale,
                "seed {seed}, step {step}: {stats:?}"
            );
            assert!(
                stats.live_bytes + stats.pooled_bytes <= stats.limit,
                "seed {seed}, step {step}: {stats:?}"
            );
            assert!(
                stats.pooled_bytes <= stats.limit / 4,
                "seed {seed}, step {step}: {stats:?}"
            );
        }
        if self.blocks.is_empty() {
            return;
        }
        // One block at a time is looked at whole.
        let k = self.random(self.blocks.len());
        let block = &self.blocks[k];
        for (&place, &expected) in &block.expected {
            // SAFETY: live blocks, and closed ones until they are released, can be read.
            let value = unsafe { block.start.add(place).read() };
            assert_eq!(
                value, expected,
                "seed {seed}, step {step}: byte {place} of {}, closed: {}",
                block.len, block.closed
            );
        }
    }
}
