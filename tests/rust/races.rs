//! Threads that read, write, close and allocate at the same time, on the pages of the system; and what the kernel says about them.
#![cfg(not(miri))] // which has no system

#[cfg(target_os = "linux")]
use std::fs;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tensornio_core::memory::{Memory, Pages, System};

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// One test at a time: some count mappings of the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn depth() -> usize {
    std::env::var("TENSORNIO_TEST_DEPTH")
        .ok()
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(1)
}

/// A generator of its own for each thread.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }
}

/// A block as a buffer sees it: whoever has this can reach the memory, and when nobody has it any more it is released, as
/// the collector of Java would see to.
struct Root {
    memory: Arc<Memory<System>>,
    start: NonNull<u8>,
    len: usize,
    id: u64,
    closed: AtomicBool,
}

// SAFETY: the memory may be accessed by any thread; accesses here are volatile.
unsafe impl Send for Root {}
// SAFETY: as above.
unsafe impl Sync for Root {}

impl Root {
    fn word(&self, k: usize) -> *mut u64 {
        assert!(k < self.len / 8);
        // SAFETY: inside of the block.
        unsafe { self.start.as_ptr().cast::<u64>().add(k) }
    }

    /// Every word that is read is the block's own, or zero.
    fn read(&self, random: &mut Random) {
        let words = self.len / 8;
        let step = 1 + random.below(64);
        for k in (random.below(step)..words).step_by(step) {
            // SAFETY: the range can be read until the root is dropped.
            let value = unsafe { self.word(k).read_volatile() };
            assert!(
                value == 0 || value == self.id,
                "word {k} of block {} is another's: {value}",
                self.id
            );
        }
    }

    fn write(&self, random: &mut Random) {
        for _ in 0..50 {
            // SAFETY: the range can be written until the root is dropped.
            unsafe {
                self.word(random.below(self.len / 8))
                    .write_volatile(self.id)
            };
        }
    }

    fn close(&self) {
        if !self.closed.swap(true, Ordering::AcqRel) {
            self.memory.close(self.start).unwrap();
        }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        self.memory.release(self.start).unwrap();
    }
}

fn new_root(memory: &Arc<Memory<System>>, len: usize, id: u64) -> Option<Root> {
    let start = memory.allocate(len, true).unwrap()?;
    let root = Root {
        memory: Arc::clone(memory),
        start,
        len,
        id,
        closed: AtomicBool::new(false),
    };
    for k in 0..len / 8 {
        // SAFETY: inside of the block.
        unsafe {
            assert_eq!(
                root.word(k).read_volatile(),
                0,
                "word {k} of a new block of {len} bytes"
            );
            root.word(k).write_volatile(id);
        }
    }
    Some(root)
}

fn race(moving: bool) {
    let _alone = alone();
    const LIMIT: u64 = 48 << 20;
    let memory = Arc::new(Memory::new(System::new(), LIMIT));
    memory.set_moving(moving);
    let slots: Vec<Mutex<Option<Arc<Root>>>> = (0..12).map(|_| Mutex::new(None)).collect();
    let ids = AtomicU64::new(1);
    thread::scope(|scope| {
        for worker in 0..6 {
            let (memory, slots, ids) = (&memory, &slots, &ids);
            scope.spawn(move || {
                let mut random = Random(worker + 1);
                for _ in 0..1500 * depth() {
                    let slot = &slots[random.below(slots.len())];
                    let root = slot.lock().unwrap().clone();
                    match (random.below(10), root) {
                        (0..=3, _) | (_, None) => {
                            let len = [40 * KIB, 64 * KIB, 100 * KIB, 700 * KIB, 2 * MIB, 5 * MIB]
                                [random.below(6)];
                            let root = new_root(memory, len, ids.fetch_add(1, Ordering::Relaxed));
                            // The root that was there is dropped here, or by its last reader.
                            drop(std::mem::replace(
                                &mut *slot.lock().unwrap(),
                                root.map(Arc::new),
                            ));
                        }
                        (4..=5, Some(root)) => root.close(),
                        (6, Some(root)) => root.write(&mut random),
                        (7, _) if random.below(20) == 0 => memory.trim(Duration::ZERO),
                        (_, Some(root)) => root.read(&mut random),
                    }
                    let stats = memory.stats();
                    assert!(stats.live_bytes + stats.pooled_bytes <= LIMIT, "{stats:?}");
                }
            });
        }
    });
    drop(slots);
    memory.trim(Duration::ZERO);
    let stats = memory.stats();
    assert_eq!(
        (
            stats.live_bytes,
            stats.live_blocks,
            stats.pooled_bytes,
            stats.stale_bytes
        ),
        (0, 0, 0, 0)
    );
    assert_eq!(
        stats.moved > 0,
        moving && memory.pages().geometry().moves,
        "{stats:?}"
    );
}

#[test]
fn readers_of_blocks_whose_pages_are_moved_see_their_own_values_or_zeros() {
    race(true);
}

#[test]
fn readers_of_blocks_whose_pages_are_discarded_see_their_own_values_or_zeros() {
    race(false);
}

#[test]
fn four_threads_never_exceed_the_limit() {
    let _alone = alone();
    const LIMIT: u64 = 8 << 20;
    let memory = Memory::new(System::new(), LIMIT);
    let refused = AtomicU64::new(0);
    thread::scope(|scope| {
        for worker in 0..4 {
            let (memory, refused) = (&memory, &refused);
            scope.spawn(move || {
                let mut random = Random(worker + 11);
                let mut held = Vec::new();
                for _ in 0..4000 * depth() {
                    match memory
                        .allocate(64 * KIB + random.below(MIB), false)
                        .unwrap()
                    {
                        Some(start) => held.push(start),
                        None => {
                            refused.fetch_add(1, Ordering::Relaxed);
                            for start in held.drain(..) {
                                memory.close(start).unwrap();
                                memory.release(start).unwrap();
                            }
                        }
                    }
                    let stats = memory.stats();
                    assert!(stats.live_bytes + stats.pooled_bytes <= LIMIT, "{stats:?}");
                }
                held.into_iter()
                    .for_each(|start| memory.release(start).unwrap());
            });
        }
    });
    assert!(refused.into_inner() > 0, "the limit was never met");
    assert_eq!(memory.stats().live_bytes, 0);
}

#[test]
fn large_blocks_start_at_huge_pages_and_others_at_pages() {
    let _alone = alone();
    let memory = Memory::new(System::new(), 1 << 30);
    let page = memory.pages().geometry().page;
    for len in [
        1,
        page,
        64 * KIB,
        2 * MIB - 1,
        2 * MIB,
        2 * MIB + 1,
        5 * MIB,
        70 * MIB,
    ] {
        let start = memory.allocate(len, true).unwrap().unwrap().addr().get();
        let alignment = if len >= 2 * MIB { 2 * MIB } else { page };
        assert_eq!(start % alignment, 0, "{len}");
    }
}

#[cfg(target_os = "linux")]
fn mappings() -> usize {
    fs::read_to_string("/proc/self/maps")
        .unwrap()
        .lines()
        .count()
}

/// Blocks live and closed ones to be released later, in random order: the kernel's mappings are bounded by what is live.
#[test]
#[cfg(target_os = "linux")]
fn twenty_thousand_closes_leave_few_mappings() {
    let _alone = alone();
    for len in [64 * KIB, 2 * MIB] {
        let memory = Memory::new(System::new(), 1 << 40);
        let mut random = Random(5);
        let before = mappings();
        let fresh = || {
            let start = memory.allocate(len, false).unwrap().unwrap();
            // SAFETY: one byte of a new block, so that it has a page.
            unsafe { start.write_volatile(1) };
            start
        };
        let mut live: Vec<_> = (0..100).map(|_| fresh()).collect();
        let mut stale = Vec::new();
        let mut peak = 0;
        for close in 0..20_000 {
            let k = random.below(live.len());
            memory.close(live[k]).unwrap();
            stale.push(live[k]);
            live[k] = fresh();
            if stale.len() > 1000 {
                let gone = stale.swap_remove(random.below(stale.len()));
                memory.release(gone).unwrap();
            }
            if close % 1000 == 0 {
                peak = peak.max(mappings());
            }
        }
        assert!(
            peak < before + 400,
            "{len}: {before} mappings before, {peak} with 100 live blocks"
        );
        live.into_iter()
            .chain(stale)
            .for_each(|start| memory.release(start).unwrap());
        memory.trim(Duration::ZERO);
        let after = mappings();
        assert!(
            after < before + 50,
            "{len}: {before} mappings before, {after} with none left"
        );
        assert_eq!(memory.stats().moved + memory.stats().discarded, 20_000);
    }
}

/// Kibibytes of page tables of this process.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn page_tables() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmPTE:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Closed blocks cost addresses, and nearly nothing else, however many wait for their release.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn twenty_thousand_closed_blocks_leave_few_page_tables() {
    let _alone = alone();
    let memory = Memory::new(System::new(), 1 << 30);
    let before = page_tables();
    for _ in 0..20_000 {
        let start = memory.allocate(256 * KIB, false).unwrap().unwrap();
        // SAFETY: one byte of a new block, so that it has a page.
        unsafe { start.write_volatile(1) };
        memory.close(start).unwrap();
    }
    let after = page_tables();
    assert!(memory.stats().stale_bytes >= 20_000 * 256 * KIB as u64);
    // Pages that are discarded in place leave their tables to the release.
    let moves = memory.pages().geometry().moves;
    assert!(
        !moves || after < before + 2048,
        "{before} KiB of page tables before, {after} after"
    );
}

/// How many pages of a block are in memory.
#[cfg(target_os = "linux")]
fn resident(start: NonNull<u8>, len: usize, page: usize) -> usize {
    let mut pages = vec![0u8; len / page];
    // SAFETY: the range is mapped, and there is a byte for each of its pages.
    let result = unsafe { libc::mincore(start.as_ptr().cast(), len, pages.as_mut_ptr()) };
    assert_eq!(result, 0);
    pages.iter().filter(|&&state| state & 1 == 1).count()
}

#[test]
#[cfg(target_os = "linux")]
fn pages_are_gone_after_a_close_and_a_trim() {
    let _alone = alone();
    let memory = Memory::new(System::new(), 1 << 30);
    let page = memory.pages().geometry().page;
    for len in [128 * KIB, 4 * MIB] {
        let start = memory.allocate(len, true).unwrap().unwrap();
        // SAFETY: a new block of that length.
        unsafe { start.write_bytes(7, len) };
        assert_eq!(resident(start, len, page), len / page);
        // SAFETY: released below.
        unsafe { memory.discard(start, len / 4, len / 2).unwrap() };
        assert_eq!(resident(start, len, page), len / page * 3 / 4);
        memory.close(start).unwrap();
        assert_eq!(resident(start, len, page), 0, "closed");
        memory.release(start).unwrap();
        // The one that gets the pages was never closed, so it takes them to the pool.
        let next = memory.allocate(len, false).unwrap().unwrap();
        memory.release(next).unwrap();
        memory.trim(Duration::ZERO);
        assert_eq!(resident(next, len, page), 0, "trimmed");
    }
}
