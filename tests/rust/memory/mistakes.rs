//! Callers' mistakes: each is an error that changes nothing.

use std::ptr::NonNull;

use crate::{block, discard, memory, reads, PAGE};
use tensornio_core::memory::{Heap, Memory, Stats};
use tensornio_core::{Error, ErrorKind};

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
    assert_eq!(
        unchanged(&memory, || discard(&memory, start, 0, 1000)),
        error
    );
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
            unchanged(&memory, || discard(&memory, nowhere, 0, 1)),
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
    discard(&memory, start, 1, 3 * PAGE + 1).unwrap();
    // SAFETY: parts of the block.
    let at = |offset| unsafe { start.add(offset) };
    assert!(
        reads(start, PAGE, 7)
            && reads(at(PAGE), 2 * PAGE, 0)
            && reads(at(3 * PAGE), 1000 - 3 * PAGE, 7)
    );
    discard(&memory, start, 5, 5).unwrap();
    discard(&memory, start, PAGE - 1, PAGE + 1).unwrap();
    discard(&memory, start, 1000, 1000).unwrap();
    assert!(reads(start, PAGE, 7));
}

#[test]
fn pages_that_were_given_back_count_no_more() {
    let memory = memory(64 << 10);
    let start = block(&memory, 16 * PAGE, 7);
    let whole = memory.stats().live_bytes;
    discard(&memory, start, PAGE, 5 * PAGE).unwrap();
    discard(&memory, start, 3 * PAGE, 7 * PAGE).unwrap(); // two of them for the second time
    assert_eq!(memory.stats().live_bytes, whole - 6 * PAGE as u64);
    memory.close(start).unwrap();
    let stats = memory.stats();
    assert_eq!((stats.live_bytes, stats.pooled_bytes), (0, 0)); // as a whole in the pool it could exceed the limit
    memory.release(start).unwrap();

    let dropped = block(&memory, 16 * PAGE, 7);
    discard(&memory, dropped, 0, 4 * PAGE).unwrap();
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
        let error = unchanged(&memory, || discard(&memory, start, from, to));
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
