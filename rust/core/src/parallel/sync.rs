//! What threads meet by: the system's. The tests in `model.rs` have a model checker's in its place.

#![cfg_attr(
    miri,
    allow(unused, reason = "of the two users, Miri has one in tests only")
)]

pub(super) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
pub(super) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub(super) use std::thread::{Builder, JoinHandle};

use std::hint;
use std::thread;
use std::time::{Duration, Instant};

/// How long who waits stays awake.
pub(super) const AWAKE: Duration = Duration::from_micros(50);
/// How many times it looks before it lets other threads go first.
const LOOKS: u32 = 64;

/// How many others a thread wakes at most: each of them wakes as many. To wake one takes a microsecond and more, so that one thread would wake those
/// of 64 processors for longer than much work takes.
pub(super) const MOST_WOKEN: usize = 4;

/// Looks again and again if something is so, for as long as one stays awake.
pub(super) fn soon(so: impl Fn() -> bool) {
    let start = Instant::now();
    loop {
        for _ in 0..LOOKS {
            if so() {
                return;
            }
            hint::spin_loop();
        }
        if start.elapsed() >= AWAKE {
            return;
        }
        thread::yield_now();
    }
}
