//! Numbers of units of work, each of which one thread takes.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use super::sync::{AtomicBool, AtomicU64, Mutex};
use crate::panics;

/// A panic of a job, which is resumed in the thread that shared the work.
struct Panicked {
    payload: Box<dyn Any + Send>,
    place: Option<String>,
}

impl Panicked {
    fn resume(self) -> ! {
        panics::leave_place(self.place);
        panic::resume_unwind(self.payload)
    }
}

/// Catches a panic. Values that the work may leave inconsistent are not used after one.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked {
        payload,
        place: panics::take_place(),
    })
}

/// `while_true` of the module above, where `share` calls what it is given in this thread, with 0, and in up to so many others, with their numbers,
/// and returns when all calls have returned.
pub(super) fn while_true(
    threads: usize,
    count: u64,
    work: &(dyn Fn(u64) -> bool + Sync),
    share: impl FnOnce(usize, &(dyn Fn(usize) + Sync)),
) {
    let parts = (threads as u64).clamp(1, count.max(1));
    let start = |part: u64| (u128::from(count) * u128::from(part) / u128::from(parts)) as u64;
    // The next number of each part.
    let one = [AtomicU64::new(0)];
    let many: Vec<AtomicU64>;
    let next = if parts == 1 {
        &one[..]
    } else {
        many = (0..parts).map(|part| AtomicU64::new(start(part))).collect();
        &many[..]
    };
    let ended = AtomicBool::new(false);
    let first: Mutex<Option<(u64, Panicked)>> = Mutex::new(None);
    let take = |thread: usize| {
        for step in 0..parts {
            let part = (thread as u64 + step) % parts;
            let end = start(part + 1);
            while !ended.load(Ordering::Relaxed) {
                let k = next[part as usize].fetch_add(1, Ordering::Relaxed);
                if k >= end {
                    break;
                }
                match catch(|| work(k)) {
                    Ok(true) => {}
                    Ok(false) => ended.store(true, Ordering::Relaxed),
                    Err(panicked) => {
                        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                        if first.as_ref().is_none_or(|(before, _)| k < *before) {
                            *first = Some((k, panicked));
                        }
                    }
                }
            }
        }
    };
    if parts == 1 {
        take(0);
    } else {
        share(parts as usize - 1, &take);
    }
    if let Some((_, panicked)) = first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        panicked.resume();
    }
}
