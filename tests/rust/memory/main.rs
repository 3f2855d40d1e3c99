//! Memory against a model: what a block holds, what a closed one reads, and that the accounts balance. Here one thread at a time;
//! `races.rs` has the others.

mod budget;
mod closing;
mod hostile;
mod keeping;
mod lock;
mod mistakes;
mod program;

use std::ptr::NonNull;

use hostile::Hostile;
use program::{Kind, Program};
use tensornio_core::memory::{Heap, Memory, Pages};
use tensornio_core::Error;

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

/// Discards a part of a block that only this thread could release.
fn discard<P: Pages>(
    memory: &Memory<P>,
    block: NonNull<u8>,
    from: usize,
    to: usize,
) -> Result<(), Error> {
    // SAFETY: the block is released by this thread or not at all.
    unsafe { memory.discard(block, from, to) }
}

fn reads(start: NonNull<u8>, len: usize, value: u8) -> bool {
    // SAFETY: the tests pass parts of blocks.
    (0..len).all(|k| unsafe { start.add(k).read() } == value)
}

#[test]
fn random_programs_on_the_heap_agree_with_the_model() {
    for seed in 0..program::runs(1, 20) {
        for limit in [4 << 10, 32 << 10, u64::MAX] {
            let memory = Memory::new(Heap::new(), limit);
            Program::new(memory, 3 << 10, Kind::Exact, seed).run(program::runs(40, 1500));
        }
    }
}

#[test]
fn random_programs_without_moves_agree_with_the_model() {
    for seed in 0..program::runs(1, 10) {
        let memory = Memory::new(Heap::new(), 32 << 10);
        memory.set_moving(false);
        Program::new(memory, 3 << 10, Kind::Exact, seed).run(program::runs(40, 1500));
    }
}

#[test]
fn random_programs_on_a_system_that_refuses_things_agree_with_the_model() {
    for seed in 0..program::runs(2, 20) {
        let memory = Memory::new(Hostile::refusing_at_random(seed), 32 << 10);
        Program::new(memory, 3 << 10, Kind::Hostile, seed).run(program::runs(40, 1500));
    }
}

#[test]
#[cfg(not(miri))] // which has no `mremap`
fn random_programs_on_the_system_agree_with_the_model() {
    use tensornio_core::memory::System;
    for seed in 0..4 {
        for moving in [true, false] {
            let memory = Memory::new(System::new(), 64 << 20);
            memory.set_moving(moving);
            Program::new(memory, 9 << 20, Kind::Exact, seed).run(program::runs(0, 600));
        }
    }
}
