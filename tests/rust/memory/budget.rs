//! The limit and the pool, and systems that refuse.

use std::panic::{self, AssertUnwindSafe};
use std::time::Duration;

use crate::hostile::{Call, Hostile};
use crate::{block, memory, reads, PAGE};
use tensornio_core::memory::Memory;
use tensornio_core::{Error, ErrorKind};

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
            Err(Error::BlockTooLarge {
                asked: asked as u128
            })
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
    let before = memory.stats();
    let payload = panic::catch_unwind(AssertUnwindSafe(|| memory.allocate(100, true))).unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(message.contains("aligned to 1024"), "{message}");
    assert_eq!(memory.stats(), before);
}
