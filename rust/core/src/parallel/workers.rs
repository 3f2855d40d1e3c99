//! Threads that wait for work that callers share.
//!
//! The work of a caller is a closure that takes the next job until none is left; whichever worker is free calls it, too. Who waits stays awake for
//! [`AWAKE`] first, callers for workers that have not returned, and workers for the next call: to put a processor to sleep and wake it again takes
//! about as long as work on 64 K elements, and calls come one after the other.

use std::hint;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long who waits stays awake.
const AWAKE: Duration = Duration::from_micros(50);
/// How many times it looks before it lets other threads go first.
const LOOKS: u32 = 64;

/// Threads named `tensornio-1` and so on. Dropping them joins them.
pub(super) struct Workers {
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

/// What the threads and their callers share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The number of offers, and one more after the end: to look at without the lock.
    offers: AtomicUsize,
    /// Signalled when there is work, or the end.
    work: Condvar,
    /// Signalled when the last worker has returned from a call, if a caller waits.
    done: Condvar,
}

#[derive(Default)]
struct State {
    offers: Vec<Offer>,
    /// The number of workers that wait for `work`.
    asleep: usize,
    /// The number of callers that wait for `done`.
    waiting: usize,
    ended: bool,
}

/// A call that wants workers.
struct Offer {
    call: *const Call<'static>,
    /// How many more, at least 1.
    wanted: usize,
}

// SAFETY: having an address is harmless; `Shared::run` says why it may be dereferenced.
unsafe impl Send for Offer {}

/// A call, on its caller's stack.
struct Call<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    /// The number of workers that are in `work`; changes only under the lock of the state.
    running: AtomicUsize,
}

/// Looks again and again if something is so, for as long as one stays awake.
fn soon(so: impl Fn() -> bool) {
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

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, state: &State) {
        let end = usize::from(state.ended);
        self.offers
            .store(state.offers.len() + end, Ordering::Relaxed);
    }

    /// The life of a worker.
    fn run(&self, number: usize) {
        loop {
            soon(|| self.offers.load(Ordering::Relaxed) > 0);
            let mut state = self.lock();
            while state.offers.is_empty() && !state.ended {
                state.asleep += 1;
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                state.asleep -= 1;
            }
            let Some(offer) = state.offers.last_mut() else {
                return;
            };
            let call = offer.call;
            offer.wanted -= 1;
            if offer.wanted == 0 {
                state.offers.pop();
                self.count(&state);
            }
            // SAFETY: an offer is removed, under the lock, before its caller returns, and then the caller waits until none is running. So the call
            // lives at least until this thread has taken itself off again below, after which it uses the call no more.
            let call = unsafe { &*call };
            call.running.fetch_add(1, Ordering::Relaxed);
            drop(state);
            (call.work)(number);
            let state = self.lock();
            // What this thread wrote is visible to who sees that it has returned.
            if call.running.fetch_sub(1, Ordering::Release) == 1 && state.waiting > 0 {
                self.done.notify_all();
            }
        }
    }

    /// Withdraws a call, and waits until no worker is in it.
    fn finish(&self, call: &Call<'_>) {
        let mut state = self.lock();
        let address: *const Call<'_> = call;
        state
            .offers
            .retain(|offer| !std::ptr::addr_eq(offer.call, address));
        self.count(&state);
        let returned = || call.running.load(Ordering::Acquire) == 0;
        if returned() {
            return;
        }
        drop(state);
        soon(returned);
        // Also if all have returned: the last one may still have the lock, and looks at the state, but no more at the call.
        let mut state = self.lock();
        while !returned() {
            state.waiting += 1;
            state = self
                .done
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }
}

impl Workers {
    /// Starts that many threads, or as many as the system allows.
    pub fn start(count: usize) -> Workers {
        let shared = Arc::<Shared>::default();
        let start = |number: usize| {
            let shared = shared.clone();
            let thread = thread::Builder::new().name(format!("tensornio-{number}"));
            thread.spawn(move || shared.run(number)).ok()
        };
        let handles = (1..=count).map_while(start).collect();
        Workers { shared, handles }
    }

    /// Calls `work` in this thread, with 0, and in up to `helpers` of these threads that are free, with their numbers from 1 on. Returns when all
    /// calls have returned. `work` does not panic in a worker.
    pub fn share(&self, helpers: usize, work: &(dyn Fn(usize) + Sync)) {
        /// Also if `work` panics in this thread.
        struct Finish<'a>(&'a Shared, &'a Call<'a>);
        impl Drop for Finish<'_> {
            fn drop(&mut self) {
                self.0.finish(self.1);
            }
        }
        let wanted = helpers.min(self.handles.len());
        if wanted == 0 {
            return work(0);
        }
        let call = Call {
            work,
            running: AtomicUsize::new(0),
        };
        let mut state = self.shared.lock();
        state.offers.push(Offer {
            call: (&raw const call).cast(),
            wanted,
        });
        self.shared.count(&state);
        let wake = wanted.min(state.asleep);
        drop(state);
        let _finish = Finish(&self.shared, &call);
        for _ in 0..wake {
            self.shared.work.notify_one();
        }
        work(0);
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.ended = true;
        self.shared.count(&state);
        drop(state);
        self.shared.work.notify_all();
        for handle in self.handles.drain(..) {
            // A worker does not panic.
            drop(handle.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::sync::atomic::AtomicU64;
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn the_caller_and_all_workers_share_a_call() {
        let workers = Workers::start(2);
        for _ in 0..3 {
            let (all, calls) = (Barrier::new(3), AtomicU64::new(0));
            workers.share(5, &|number| {
                all.wait();
                calls.fetch_add(10u64.pow(number as u32), Ordering::Relaxed);
            });
            assert_eq!(calls.into_inner(), 111);
        }
    }

    #[test]
    fn a_call_takes_no_more_workers_than_it_wants() {
        let workers = Workers::start(3);
        for _ in 0..20 {
            let calls = AtomicU64::new(0);
            workers.share(1, &|_| {
                calls.fetch_add(1, Ordering::Relaxed);
                thread::yield_now();
            });
            assert!((1..=2).contains(&calls.into_inner()));
        }
        let calls = AtomicU64::new(0);
        workers.share(0, &|_| {
            calls.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(calls.into_inner(), 1);
    }

    #[test]
    fn calls_within_calls_and_of_several_callers_all_return() {
        let workers = Workers::start(2);
        let calls = AtomicU64::new(0);
        let jobs = |count: u64, job: &(dyn Fn() + Sync)| {
            let next = AtomicU64::new(0);
            workers.share(2, &|_| {
                while next.fetch_add(1, Ordering::Relaxed) < count {
                    job();
                }
            });
        };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    jobs(4, &|| {
                        jobs(5, &|| {
                            calls.fetch_add(1, Ordering::Relaxed);
                        });
                    });
                });
            }
        });
        assert_eq!(calls.into_inner(), 60);
    }

    #[test]
    fn who_slept_is_woken() {
        let workers = Workers::start(1);
        for _ in 0..3 {
            let both = Barrier::new(2);
            thread::sleep(2 * AWAKE);
            workers.share(1, &|_| {
                // The caller waits for the worker, asleep, too.
                if both.wait().is_leader() {
                    thread::sleep(2 * AWAKE);
                }
            });
        }
    }

    #[test]
    fn a_panic_of_the_caller_waits_for_the_workers() {
        let workers = Workers::start(1);
        let both = Barrier::new(2);
        let returned = AtomicU64::new(0);
        let caught = panic::catch_unwind(AssertUnwindSafe(|| {
            workers.share(1, &|number| {
                both.wait();
                if number == 0 {
                    panic!("of the caller");
                }
                thread::sleep(AWAKE);
                returned.fetch_add(1, Ordering::Relaxed);
            });
        }));
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"of the caller"));
        assert_eq!(returned.into_inner(), 1);
    }
}
