//! Memory against a model: what a block holds, what a closed one reads, and that the accounts balance. Here one thread at a time;
//! `races.rs` has the others.

mod hostile;
mod program;

use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use hostile::{Call, Hostile};
use program::{Kind, Program};
use tensornio_core::memory::{Config, Geometry, Heap, Memory, Pages, Stats};
use tensornio_core::{Error, ErrorKind};

/// A page of [`Heap::new`], and its least length to move.
const PAGE: usize = 64;
const LEAST_MOVE: usize = 2 * PAGE;

fn memory(limit: u64) -> Memory<Heap> {
    Memory::new(Heap::new(), limit)
}

/// A block that the test is sure to get, filled with a value.
fn block<P: Pages>(memory: &Memory<P>, len: usize, value: u8) -> NonNull<u8> {
    let start = memory
        .allocate(len, true)
        .unwrap()
        .expect("the limit leaves room");
    // SAFETY: a new block of that length.
    unsafe { start.write_bytes(value, len) };
    start
}

fn reads(start: NonNull<u8>, len: usize, value: u8) -> bool {
    // SAFETY: the tests pass parts of blocks.
    (0..len).all(|k| unsafe { start.add(k).read() } == value)
}

// ---- random programs

#[test]
fn random_programs_on_the_heap_agree_with_the_model() {
    for seed in 0..program::runs(2, 20) {
        for limit in [4 << 10, 32 << 10, u64::MAX] {
            Program::new(Heap::new(), limit, 3 << 10, Kind::Exact, seed)
                .run(program::runs(60, 1500));
        }
    }
}

#[test]
fn random_programs_without_moves_agree_with_the_model() {
    for seed in 0..program::runs(1, 10) {
        let config = Config {
            limit: 32 << 10,
            moving: false,
        };
        Program::with_config(Heap::new(), config, 3 << 10, Kind::Exact, seed)
            .run(program::runs(60, 1500));
    }
}

#[test]
fn random_programs_on_a_system_that_refuses_things_agree_with_the_model() {
    for seed in 0..program::runs(2, 20) {
        let hostile = Hostile::refusing_at_random(seed);
        Program::new(hostile, 32 << 10, 3 << 10, Kind::Hostile, seed).run(program::runs(60, 1500));
    }
}

#[test]
#[cfg(not(miri))] // which has no `mremap`
fn random_programs_on_the_system_agree_with_the_model() {
    use tensornio_core::memory::System;
    for seed in 0..4 {
        for moving in [true, false] {
            let config = Config {
                limit: 64 << 20,
                moving,
            };
            Program::with_config(System::new(), config, 9 << 20, Kind::Exact, seed)
                .run(program::runs(0, 600));
        }
    }
}

// ---- closing

#[test]
fn pages_that_were_moved_serve_the_next_block() {
    let memory = memory(64 << 10);
    let first = block(&memory, 1000, 7);
    memory.close(first).unwrap();
    assert!(reads(first, 1000, 0));
    let stats = memory.stats();
    assert_eq!(
        (
            stats.moved,
            stats.discarded,
            stats.live_bytes,
            stats.pooled_bytes
        ),
        (1, 0, 0, 1024)
    );
    assert_eq!((stats.stale_bytes, stats.live_blocks), (1024, 0));

    let second = memory.allocate(1000, false).unwrap().unwrap();
    assert_ne!(first, second);
    assert!(
        reads(second, 1000, 7),
        "warm memory that nobody asked to clear"
    );
    assert_eq!(memory.stats().pooled_bytes, 0);
    // SAFETY: closed ranges take writes, which nobody sees.
    unsafe { first.write_bytes(9, 1000) };
    assert!(reads(second, 1000, 7));
    memory.release(first).unwrap();
    assert_eq!(memory.stats().stale_bytes, 0);
}

#[test]
fn what_a_racing_writer_left_is_gone_when_the_range_is_used_again() {
    let memory = memory(64 << 10);
    let start = block(&memory, 512, 1);
    memory.close(start).unwrap();
    // SAFETY: closed ranges take writes.
    unsafe { start.write_bytes(9, 512) };
    memory.release(start).unwrap();
    memory.trim(Duration::ZERO);
    let all: Vec<_> = (0..16)
        .map(|_| memory.allocate(512, true).unwrap().unwrap())
        .collect();
    assert!(all.contains(&start), "the range is in use again");
    assert!(all.iter().all(|&start| reads(start, 512, 0)));
}

#[test]
fn short_blocks_and_those_larger_than_the_pool_are_discarded() {
    let memory = memory(16 << 10);
    for len in [LEAST_MOVE - PAGE, (4 << 10) + 1] {
        let start = block(&memory, len, 7);
        memory.close(start).unwrap();
        assert!(reads(start, len, 0));
    }
    let stats = memory.stats();
    assert_eq!(
        (
            stats.moved,
            stats.discarded,
            stats.pooled_bytes,
            stats.live_bytes
        ),
        (0, 2, 0, 0)
    );
}

#[test]
fn switched_off_nothing_is_moved() {
    let memory = Memory::with_config(
        Heap::new(),
        Config {
            limit: 64 << 10,
            moving: false,
        },
    );
    memory.close(block(&memory, 1000, 7)).unwrap();
    assert_eq!((memory.stats().moved, memory.stats().discarded), (0, 1));
}

#[test]
fn moved_blocks_are_limited_in_number() {
    let geometry = Geometry {
        most_islands: 2,
        ..Heap::new().geometry()
    };
    let memory = Memory::new(Heap::with_geometry(geometry), 64 << 10);
    let blocks = [512; 4].map(|len| block(&memory, len, 7));
    for start in blocks {
        memory.close(start).unwrap();
    }
    assert_eq!((memory.stats().moved, memory.stats().discarded), (2, 2));
    memory.trim(Duration::ZERO);
    memory.close(block(&memory, 512, 7)).unwrap();
    assert_eq!(
        memory.stats().moved,
        3,
        "what was given back is no island any more"
    );
}

#[test]
fn a_failed_move_is_a_discard() {
    let memory = Memory::new(Hostile::refusing(&[Call::Move]), 64 << 10);
    let start = block(&memory, 1000, 7);
    memory.close(start).unwrap();
    assert!(reads(start, 1000, 0));
    assert_eq!(
        (
            memory.stats().moved,
            memory.stats().discarded,
            memory.stats().pooled_bytes
        ),
        (0, 1, 0)
    );
}

#[test]
fn moving_stops_when_it_costs_too_many_addresses() {
    let memory = Memory::new(Hostile::refusing(&[Call::Move, Call::LoseTarget]), 64 << 10);
    for _ in 0..40 {
        let start = block(&memory, 512, 7);
        memory.close(start).unwrap();
        memory.release(start).unwrap();
    }
    assert_eq!(memory.stats().discarded, 40);
    assert_eq!(memory.pages().count(Call::Move), 16);
}

#[test]
fn pages_that_the_system_does_not_take_are_cleared_and_stay_counted() {
    let memory = Memory::new(
        Hostile::refusing(&[Call::Move, Call::Discard, Call::Renew]),
        64 << 10,
    );
    let start = block(&memory, 512, 7);
    memory.close(start).unwrap();
    assert!(reads(start, 512, 0));
    let stats = memory.stats();
    assert_eq!(
        (stats.live_bytes, stats.live_blocks, stats.discarded),
        (512, 0, 1)
    );
    assert_eq!(
        memory.close(start).unwrap_err().kind(),
        ErrorKind::IllegalState
    );
    memory.release(start).unwrap();
    assert_eq!(
        (memory.stats().live_bytes, memory.stats().pooled_bytes),
        (0, 512)
    );
    memory.trim(Duration::ZERO);
    assert_eq!(memory.stats().pooled_bytes, 512, "nobody takes it");
    assert_eq!(memory.allocate(512, true).unwrap(), Some(start));
}

// ---- the limit and the pool

#[test]
fn what_does_not_fit_is_none() {
    let memory = memory(1 << 10);
    assert_eq!(memory.allocate(1025, true), Ok(None));
    let start = block(&memory, 1024, 1);
    assert_eq!(memory.allocate(1, true), Ok(None));
    assert_eq!(memory.stats().live_bytes, 1024);
    memory.close(start).unwrap();
    assert!(memory.allocate(1, true).unwrap().is_some());
}

#[test]
fn lengths_that_cannot_be_are_errors_that_change_nothing() {
    let memory = memory(u64::MAX);
    let before = memory.stats();
    assert_eq!(memory.allocate(0, true), Err(Error::EmptyBlock));
    for asked in [usize::MAX, isize::MAX as usize] {
        assert_eq!(
            memory.allocate(asked, false),
            Err(Error::BlockTooLarge { asked })
        );
    }
    assert_eq!(memory.stats(), before);
}

#[test]
fn a_limit_too_small_for_the_class_is_used_up_by_pages() {
    // 33 pages; their class has 36.
    let memory = memory(33 * PAGE as u64);
    assert!(memory.allocate(33 * PAGE - 5, true).unwrap().is_some());
    assert_eq!(memory.stats().live_bytes, 33 * PAGE as u64);
}

#[test]
fn the_pool_has_at_most_a_quarter_and_gives_up_the_oldest() {
    let memory = memory(8 << 10);
    let blocks = [1 << 10, 512, 512, 256].map(|len| block(&memory, len, 1));
    for start in blocks {
        memory.close(start).unwrap();
        assert!(memory.stats().pooled_bytes <= 2 << 10);
    }
    // The last one had room only when the first, the oldest, had left.
    assert_eq!(memory.stats().pooled_bytes, 512 + 512 + 256);
}

#[test]
fn an_allocation_takes_from_the_pool_what_it_needs() {
    let memory = memory(4 << 10);
    memory.close(block(&memory, 512, 1)).unwrap();
    memory.close(block(&memory, 256, 1)).unwrap();
    let rest = block(&memory, (4 << 10) - 512, 1);
    let stats = memory.stats();
    assert_eq!(
        (stats.live_bytes, stats.pooled_bytes),
        ((4 << 10) - 512, 256),
        "the older one left"
    );
    assert_eq!(memory.allocate(1 << 10, true), Ok(None));
    assert_eq!(
        memory.stats().pooled_bytes,
        256,
        "for what cannot fit, nothing has to leave"
    );
    memory.release(rest).unwrap();
}

#[test]
fn pages_that_nobody_takes_from_the_pool_are_none_to_others() {
    let memory = Memory::new(Hostile::refusing(&[Call::Discard, Call::Renew]), 4 << 10);
    memory.release(block(&memory, 1 << 10, 1)).unwrap();
    assert_eq!(memory.allocate(4 << 10, true), Ok(None));
    assert_eq!(memory.stats().pooled_bytes, 1 << 10);
}

#[test]
fn a_block_that_was_never_closed_goes_to_the_pool_as_it_is() {
    let memory = memory(64 << 10);
    let start = block(&memory, 100, 7);
    memory.release(start).unwrap();
    assert_eq!(
        (memory.stats().live_bytes, memory.stats().pooled_bytes),
        (0, 128)
    );
    assert_eq!(memory.allocate(128, false).unwrap(), Some(start));
    assert!(reads(start, 100, 7));
    memory.release(start).unwrap();
    assert_eq!(memory.allocate(128, true).unwrap(), Some(start));
    assert!(reads(start, 128, 0));
}

#[test]
fn a_block_larger_than_the_pool_is_given_back_when_it_is_released() {
    let memory = memory(4 << 10);
    memory.release(block(&memory, 2 << 10, 7)).unwrap();
    let stats = memory.stats();
    assert_eq!(
        (stats.live_bytes, stats.pooled_bytes, stats.live_blocks),
        (0, 0, 0)
    );
    assert!(reads(
        memory.allocate(2 << 10, true).unwrap().unwrap(),
        2 << 10,
        0
    ));
}

#[test]
fn trimming_takes_what_has_been_idle() {
    let memory = memory(64 << 10);
    memory.close(block(&memory, 512, 1)).unwrap();
    memory.trim(Duration::from_secs(3600));
    assert_eq!(memory.stats().pooled_bytes, 512);
    memory.trim(Duration::ZERO);
    assert_eq!(memory.stats().pooled_bytes, 0);
}

#[test]
fn a_lower_limit_empties_the_pool_and_keeps_the_blocks() {
    let memory = memory(64 << 10);
    memory.close(block(&memory, 1024, 1)).unwrap();
    let start = block(&memory, 2048, 7);
    memory.set_limit(1024);
    let stats = memory.stats();
    assert_eq!(
        (stats.limit, stats.pooled_bytes, stats.live_bytes),
        (1024, 0, 2048)
    );
    assert_eq!(memory.allocate(1, true), Ok(None));
    assert!(reads(start, 2048, 7));
    memory.close(start).unwrap();
    assert!(memory.allocate(1, true).unwrap().is_some());
}

#[test]
fn refused_address_space_is_an_error_that_changes_nothing() {
    let memory = Memory::new(Hostile::refusing(&[Call::Reserve]), u64::MAX);
    let before = memory.stats();
    let error = memory.allocate(100, true).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(
        error.to_string(),
        "the system has no 192 bytes of address space: refused"
    );
    assert_eq!(memory.stats(), before);
}

#[test]
fn refused_memory_is_an_error_and_its_range_is_free_again() {
    let memory = Memory::new(Hostile::refusing(&[Call::Commit]), u64::MAX);
    let error = memory.allocate(100, true).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the system has no 128 bytes of memory: refused"
    );
    let after_first = memory.stats();
    assert_eq!((after_first.live_bytes, after_first.live_blocks), (0, 0));
    for _ in 0..100 {
        memory.allocate(100, true).unwrap_err();
    }
    assert_eq!(memory.stats(), after_first, "no further arena was needed");
}

#[test]
fn address_space_that_is_not_aligned_is_not_used() {
    let memory = Memory::new(Hostile::refusing(&[Call::Align]), u64::MAX);
    assert_eq!(
        memory.allocate(100, true).unwrap_err().kind(),
        ErrorKind::Internal
    );
}

// ---- mistakes of callers

/// Runs calls that must fail, and sees that they change nothing.
fn unchanged(memory: &Memory<Heap>, call: impl FnOnce() -> Result<(), Error>) -> Error {
    let before: Stats = memory.stats();
    let error = call().unwrap_err();
    assert_eq!(memory.stats(), before);
    error
}

#[test]
fn closing_twice_is_an_error_that_changes_nothing() {
    let memory = memory(64 << 10);
    let start = block(&memory, 1000, 7);
    let address = start.addr().get();
    memory.close(start).unwrap();
    let error = unchanged(&memory, || memory.close(start));
    assert_eq!(error, Error::BlockClosed { address, len: 1000 });
    assert_eq!(memory.len_of(start), Err(error.clone()));
    assert_eq!(unchanged(&memory, || memory.discard(start, 0, 1000)), error);
}

#[test]
fn addresses_where_no_block_starts_are_errors_that_change_nothing() {
    let memory = memory(64 << 10);
    let start = block(&memory, 1000, 7);
    let inside = NonNull::new(start.as_ptr().wrapping_add(PAGE)).unwrap();
    let released = block(&memory, 1000, 7);
    memory.release(released).unwrap();
    for nowhere in [inside, NonNull::dangling(), released] {
        let expected = Error::NoSuchBlock {
            address: nowhere.addr().get(),
        };
        assert_eq!(unchanged(&memory, || memory.close(nowhere)), expected);
        assert_eq!(unchanged(&memory, || memory.release(nowhere)), expected);
        assert_eq!(
            unchanged(&memory, || memory.discard(nowhere, 0, 1)),
            expected
        );
        assert_eq!(memory.len_of(nowhere), Err(expected));
    }
    assert!(reads(start, 1000, 7));
    assert_eq!(memory.len_of(start), Ok(1000));
}

#[test]
fn releasing_a_closed_block_twice_is_an_error_that_changes_nothing() {
    let memory = memory(64 << 10);
    let start = block(&memory, 1000, 7);
    memory.close(start).unwrap();
    memory.release(start).unwrap();
    let error = unchanged(&memory, || memory.release(start));
    assert_eq!(
        error,
        Error::NoSuchBlock {
            address: start.addr().get()
        }
    );
}

#[test]
fn whole_pages_of_a_part_are_discarded() {
    let memory = memory(64 << 10);
    let start = block(&memory, 1000, 7);
    memory.discard(start, 1, 3 * PAGE + 1).unwrap();
    // SAFETY: parts of the block.
    let at = |offset| unsafe { start.add(offset) };
    assert!(
        reads(start, PAGE, 7)
            && reads(at(PAGE), 2 * PAGE, 0)
            && reads(at(3 * PAGE), 1000 - 3 * PAGE, 7)
    );
    memory.discard(start, 5, 5).unwrap();
    memory.discard(start, PAGE - 1, PAGE + 1).unwrap();
    memory.discard(start, 1000, 1000).unwrap();
    assert!(reads(start, PAGE, 7));
}

#[test]
fn pages_that_were_given_back_count_no_more() {
    let memory = memory(64 << 10);
    let start = block(&memory, 16 * PAGE, 7);
    let whole = memory.stats().live_bytes;
    memory.discard(start, PAGE, 5 * PAGE).unwrap();
    memory.discard(start, 3 * PAGE, 7 * PAGE).unwrap(); // two of them for the second time
    assert_eq!(memory.stats().live_bytes, whole - 6 * PAGE as u64);
    memory.close(start).unwrap();
    let stats = memory.stats();
    assert_eq!((stats.live_bytes, stats.pooled_bytes), (0, 0)); // as a whole in the pool it could exceed the limit
    memory.release(start).unwrap();

    let dropped = block(&memory, 16 * PAGE, 7);
    memory.discard(dropped, 0, 4 * PAGE).unwrap();
    memory.release(dropped).unwrap();
    let stats = memory.stats();
    assert_eq!((stats.live_bytes, stats.pooled_bytes), (0, 0));
    assert!(
        reads(block(&memory, 16 * PAGE, 0), 16 * PAGE, 0),
        "what is free reads zeros"
    );
}

#[test]
fn parts_outside_are_errors_that_change_nothing() {
    let memory = memory(64 << 10);
    let start = block(&memory, 1000, 7);
    for (from, to) in [
        (0, 1001),
        (900, 800),
        (usize::MAX, usize::MAX),
        (0, usize::MAX),
    ] {
        let error = unchanged(&memory, || memory.discard(start, from, to));
        assert_eq!(
            error,
            Error::PartOutside {
                from,
                to,
                len: 1000
            }
        );
        assert_eq!(error.kind(), ErrorKind::IndexOutOfBounds);
    }
    assert!(reads(start, 1000, 7));
}

// ---- the lock

#[test]
fn the_system_is_called_without_the_lock() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 4 << 10));
    let inner = Arc::downgrade(&memory);
    memory.pages().before_each_call(move || {
        inner.upgrade().unwrap().stats(); // would wait for itself
    });
    let start = block(&memory, 1000, 1);
    memory.close(start).unwrap();
    memory.release(start).unwrap();
    let start = block(&memory, 1000, 1);
    memory.discard(start, 0, 1000).unwrap();
    memory.release(start).unwrap();
    let large = block(&memory, 4 << 10, 1);
    memory.release(large).unwrap();
    memory.trim(Duration::ZERO);
    memory.set_limit(0);
    for call in [
        Call::Reserve,
        Call::Commit,
        Call::Move,
        Call::Renew,
        Call::Discard,
    ] {
        assert!(memory.pages().count(call) > 0, "{call:?}");
    }
    memory.pages().before_each_call(|| {});
}

#[test]
fn a_block_cannot_be_released_or_closed_while_it_is_being_closed() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 64 << 10));
    let start = block(&memory, 1000, 1);
    let address = start.addr().get();
    let inner = Arc::downgrade(&memory);
    memory.pages().before_each_call(move || {
        let memory = inner.upgrade().unwrap();
        let start = NonNull::without_provenance(address.try_into().unwrap());
        assert_eq!(
            memory.release(start),
            Err(Error::BlockClosing { address, len: 1000 })
        );
        assert_eq!(
            memory.close(start),
            Err(Error::BlockClosed { address, len: 1000 })
        );
    });
    memory.close(start).unwrap();
    memory.pages().before_each_call(|| {});
    assert_eq!(memory.pages().count(Call::Move), 1);
    memory.release(start).unwrap();
}

#[test]
fn an_allocation_waits_for_pages_that_another_thread_gives_back() {
    let memory = Arc::new(Memory::new(Hostile::refusing(&[]), 4 << 10));
    memory.release(block(&memory, 1 << 10, 1)).unwrap();
    let trimming = Arc::new(Barrier::new(2));
    let begun = Arc::clone(&trimming);
    memory.pages().before_each_call(move || {
        begun.wait();
    });
    let other = {
        let (memory, trimming) = (Arc::clone(&memory), Arc::clone(&trimming));
        thread::spawn(move || {
            // The pool is empty now, and its bytes still count.
            trimming.wait();
            memory.pages().before_each_call(|| {});
            memory.allocate(4 << 10, true).unwrap().is_some()
        })
    };
    memory.trim(Duration::ZERO);
    assert!(
        other.join().unwrap(),
        "None, although it fits without the pool"
    );
}

/// What a thread's records go to, and what the logger calls meanwhile.
type Logged = (Arc<Memory<Hostile>>, Vec<String>);

thread_local! {
    static LOGGED: RefCell<Option<Logged>> = const { RefCell::new(None) };
}

/// A logger that calls back, as one that is written in Java may.
struct CallsBack;

impl log::Log for CallsBack {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        LOGGED.with_borrow_mut(|logged| {
            if let Some((memory, lines)) = logged {
                memory.stats(); // would wait for itself
                lines.push(record.args().to_string());
            }
        });
    }

    fn flush(&self) {}
}

#[test]
fn loggers_are_called_without_the_lock_and_hear_why_pages_were_not_moved() {
    log::set_logger(&CallsBack).expect("no other test sets one");
    log::set_max_level(log::LevelFilter::Trace);
    let memory = Arc::new(Memory::new(
        Hostile::refusing(&[Call::Move, Call::Discard, Call::LoseTarget]),
        64 << 10,
    ));
    LOGGED.set(Some((Arc::clone(&memory), Vec::new())));
    for _ in 0..20 {
        memory.close(block(&memory, 512, 1)).unwrap();
    }
    let lines = LOGGED.take().map(|(_, lines)| lines).unwrap();
    let expect = |part: &str| {
        assert!(
            lines.iter().any(|line| line.contains(part)),
            "{part}: {lines:#?}"
        )
    };
    expect("pages of 64 bytes; memory that refuses");
    expect("an arena of");
    expect("512 bytes were not moved, but discarded: refused");
    expect("512 bytes are cleared, since the system does not take them back: refused");
    expect("16 failed moves have cost address space");
}
