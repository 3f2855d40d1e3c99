//! Threads that wait for work that callers share.
//!
//! The work of a caller is a closure that takes the next job until none is left; whichever worker is free calls it, too. Where each thread has a
//! processor, who waits stays awake for a while, callers for workers that have not returned, and workers for the next call: to put a processor to
//! sleep and wake it again takes about as long as work on 64 K elements, and calls come one after the other. Elsewhere that would be time that
//! another thread needs.
//!
//! The caller needs none of its workers to come: it does what they leave. So that many are awake soon, each that finds work wakes others for what is
//! left of it.

use std::sync::atomic::Ordering;
use std::sync::PoisonError;

use super::sync::{
    soon, Arc, AtomicUsize, Builder, Condvar, JoinHandle, Mutex, MutexGuard, MOST_WOKEN,
};

/// Threads named `tensornio-1` and so on. Dropping them joins them.
pub(super) struct Workers {
    shared: Arc<Shared>,
    handles: Vec<JoinHandle<()>>,
}

/// What the threads and their callers share.
struct Shared {
    /// Whether who waits stays awake first.
    awake: bool,
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
    /// At most how many of them were signalled and are yet to see it. One that wakes unasked may be taken for another, which is then signalled again.
    waking: usize,
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

impl State {
    /// The number of workers that who has the lock is to wake, after that, for the offers that there are. Each offer finds a worker if one is free: a
    /// worker that wakes, or has returned from a call, takes one if there is any, and wakes others for the rest.
    fn take_wakes(&mut self) -> usize {
        let wanted: usize = self.offers.iter().map(|offer| offer.wanted).sum();
        let more = wanted.saturating_sub(self.waking);
        let wake = more.min(self.asleep - self.waking).min(MOST_WOKEN);
        self.waking += wake;
        wake
    }
}

impl Shared {
    fn new(awake: bool) -> Shared {
        Shared {
            awake,
            state: Mutex::new(State::default()),
            offers: AtomicUsize::new(0),
            work: Condvar::new(),
            done: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, state: &State) {
        let end = usize::from(state.ended);
        self.offers
            .store(state.offers.len() + end, Ordering::Relaxed);
    }

    fn wake(&self, workers: usize) {
        for _ in 0..workers {
            self.work.notify_one();
        }
    }

    /// The life of a worker.
    fn run(&self, number: usize) {
        loop {
            if self.awake {
                soon(|| self.offers.load(Ordering::Relaxed) > 0);
            }
            let mut state = self.lock();
            while state.offers.is_empty() && !state.ended {
                state.asleep += 1;
                state = self
                    .work
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                state.asleep -= 1;
                state.waking = state.waking.saturating_sub(1);
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
            let wake = state.take_wakes();
            drop(state);
            self.wake(wake);
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
        if self.awake {
            drop(state);
            soon(returned);
            // Also if all have returned: the last one may still have the lock, and looks at the state, but no more at the call.
            state = self.lock();
        }
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
    /// Starts that many threads, or as many as the system allows. Who waits stays awake for a while if `awake`.
    pub fn start(count: usize, awake: bool) -> Workers {
        let shared = Arc::new(Shared::new(awake));
        let start = |number: usize| {
            let shared = shared.clone();
            let thread = Builder::new().name(format!("tensornio-{number}"));
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
        let wake = state.take_wakes();
        drop(state);
        let _finish = Finish(&self.shared, &call);
        self.shared.wake(wake);
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
