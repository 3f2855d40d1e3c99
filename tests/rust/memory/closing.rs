//! Closing: pages that are moved or discarded, and what a racing writer leaves.

use std::time::Duration;

use crate::hostile::{Call, Hostile};
use crate::{block, memory, reads, LEAST_MOVE, PAGE};
use tensornio_core::memory::{Geometry, Heap, Memory, Pages};
use tensornio_core::ErrorKind;

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
fn pages_that_the_system_may_be_using_are_not_moved() {
    let memory = memory(64 << 10);
    let first = block(&memory, 1000, 7);
    memory.close_in_place(first).unwrap();
    assert!(reads(first, 1000, 0));
    let stats = memory.stats();
    assert_eq!((stats.moved, stats.discarded), (0, 1));
    assert_eq!((stats.pooled_bytes, stats.stale_bytes), (0, 1024));
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
    let memory = Memory::new(Heap::new(), 64 << 10);
    memory.set_moving(false);
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
