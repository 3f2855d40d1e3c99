//! A system that may leave what it was to discard, as Windows may: what is cleared, when, and what is not touched.

use std::io;
use std::ptr::NonNull;
use std::sync::Mutex;
use std::time::Duration;

use crate::program::{self, Kind, Program};
use crate::{block, discard, reads, PAGE};
use tensornio_core::memory::{Geometry, Heap, Memory, Pages};

/// Memory from the heap. What was discarded holds what it did, or the mark if there is one.
struct Keeping {
    heap: Heap,
    mark: Option<u8>,
    /// The first byte of each range, when it was discarded.
    seen: Mutex<Vec<u8>>,
}

impl Keeping {
    fn new(mark: Option<u8>) -> Keeping {
        Keeping {
            heap: Heap::with_geometry(Geometry {
                moves: false,
                discard_zeroes: false,
                ..Heap::new().geometry()
            }),
            mark,
            seen: Mutex::new(Vec::new()),
        }
    }

    fn seen(&self) -> Vec<u8> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

// SAFETY: the heap keeps the promises; a discard writes to the range at most, whose values nobody needs.
unsafe impl Pages for Keeping {
    fn geometry(&self) -> Geometry {
        self.heap.geometry()
    }

    fn describe(&self) -> String {
        "memory that keeps what it holds".to_owned()
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        self.heap.reserve(len)
    }

    unsafe fn commit(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise.
        unsafe { self.heap.commit(start, len) }
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            self.seen.lock().unwrap().push(start.read());
            if let Some(mark) = self.mark {
                start.write_bytes(mark, len);
            }
        }
        Ok(())
    }
}

#[test]
fn random_programs_on_a_system_that_keeps_values_agree_with_the_model() {
    for seed in 0..program::runs(1, 10) {
        let memory = Memory::new(Keeping::new(None), 32 << 10);
        Program::new(memory, 3 << 10, Kind::Exact, seed).run(program::runs(40, 1500));
    }
}

/// The mark stands for pages that are gone: who writes there makes new ones, which nobody counts.
#[test]
fn what_was_discarded_is_cleared_before_and_not_written_after() {
    let memory = Memory::new(Keeping::new(Some(5)), 64 << 10);
    let start = block(&memory, 4 * PAGE, 7);
    discard(&memory, start, PAGE, 3 * PAGE).unwrap();
    assert_eq!(memory.pages().seen(), [0]);
    // SAFETY: inside of the block.
    let part = unsafe { start.add(PAGE) };
    assert!(reads(part, 2 * PAGE, 5) && reads(start, PAGE, 7));
    memory.close(start).unwrap();
    assert_eq!(memory.pages().seen(), [0]);
    assert!(reads(start, 4 * PAGE, 5));
}

#[test]
fn what_is_closed_already_is_discarded_without_being_touched() {
    let memory = Memory::new(Keeping::new(None), 64 << 10);
    let start = block(&memory, 1000, 7);
    memory.close(start).unwrap();
    assert!(reads(start, 1000, 0));
    assert_eq!(memory.pages().seen(), [0]);
    // SAFETY: closed ranges take writes.
    unsafe { start.write_bytes(9, 1000) };
    // SAFETY: released below.
    unsafe {
        memory.discard_stale(start).unwrap();
        memory.discard_stale(start).unwrap();
    }
    memory.release(start).unwrap();
    assert_eq!(memory.pages().seen(), [9, 9, 9]);
}

/// Of a tensor that was never closed, from the pool.
#[test]
fn what_is_handed_out_again_reads_zeros_all_the_same() {
    let memory = Memory::new(Keeping::new(None), 64 << 10);
    let start = block(&memory, 1000, 7);
    memory.release(start).unwrap();
    memory.trim(Duration::ZERO);
    assert_eq!(memory.pages().seen(), [7]);
    let all = [1000; 16].map(|len| memory.allocate(len, true).unwrap().unwrap());
    assert!(all.contains(&start), "the range is in use again");
    assert!(all.iter().all(|&start| reads(start, 1000, 0)));
}
