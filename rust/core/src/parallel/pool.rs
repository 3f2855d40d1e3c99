//! The threads of the library: started when work is first shared, joined when it is unloaded.
//!
//! A process that was forked has none of its parent's threads, and its locks are as they were at that moment: locked for good, if another thread had
//! one. So each process has a pool of its own, and knows the parent's no more.

#[cfg(unix)]
use std::ffi::c_void;
#[cfg(unix)]
use std::mem::MaybeUninit;
#[cfg(unix)]
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::placement;
use super::workers::Workers;

/// The maximum number of threads.
const MOST_THREADS: usize = 1 << 16;

/// The number of threads that share work, including the caller's; 0 until it is first requested.
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// The pool of this process, or of the one that it was forked from; null until the first use.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

struct Pool {
    process: u32,
    running: Mutex<Option<Running>>,
}

/// The workers. Dropping the last reference joins them; no worker does, since the caller whose work they run has a reference.
#[derive(Clone)]
struct Running {
    workers: Arc<Workers>,
    /// Their niceness, if it is more than that of the process: a caller that was nicer has started them, and the system let them be no less nice.
    nicer: Option<i32>,
}

impl Pool {
    fn of_this_process() -> &'static Pool {
        let process = process::id();
        let known = POOL.load(Ordering::Acquire);
        // SAFETY: a pool is never freed once it is there.
        if let Some(pool) = unsafe { known.as_ref() }.filter(|pool| pool.process == process) {
            return pool;
        }
        let made = Box::into_raw(Box::new(Pool {
            process,
            running: Mutex::new(None),
        }));
        // What a forked process knows of its parent's pool stays as it is: its threads are not here, and its lock may never be released.
        match POOL.compare_exchange(known, made, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: made above, and never freed now that it is there.
            Ok(_) => unsafe { &*made },
            Err(other) => {
                // SAFETY: made above, and known to nobody else; the other, by a thread of this process, is never freed.
                unsafe {
                    drop(Box::from_raw(made));
                    &*other
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does work in a temporary thread, and waits for it; `None` if the system has no thread, or the work panics.
///
/// `std::thread` leaves a thread-local with a destructor in a thread that starts another, which would keep the library from being unloaded for as
/// long as that thread lives. So threads of the library are started in one that the system's own call has started.
#[cfg(unix)]
fn apart<T: Send, F: FnOnce() -> T + Send>(work: F) -> Option<T> {
    struct Call<T, F> {
        work: Option<F>,
        done: Option<T>,
    }
    extern "C" fn run<T, F: FnOnce() -> T>(call: *mut c_void) -> *mut c_void {
        // SAFETY: it is the call below, which nobody else uses until this has returned.
        let call = unsafe { &mut *call.cast::<Call<T, F>>() };
        let work = call.work.take();
        call.done = work.and_then(|work| panic::catch_unwind(AssertUnwindSafe(work)).ok());
        ptr::null_mut()
    }
    let mut call = Call {
        work: Some(work),
        done: None,
    };
    let mut thread = MaybeUninit::<libc::pthread_t>::uninit();
    // SAFETY: the call outlives the thread, which is waited for; its number was written if it was started.
    unsafe {
        let start = run::<T, F>;
        if libc::pthread_create(
            thread.as_mut_ptr(),
            ptr::null(),
            start,
            (&raw mut call).cast(),
        ) != 0
        {
            return None;
        }
        libc::pthread_join(thread.assume_init(), ptr::null_mut());
    }
    call.done
}

#[cfg(not(unix))]
fn apart<T: Send, F: FnOnce() -> T + Send>(work: F) -> Option<T> {
    Some(work())
}

/// The number of threads that share work, including the caller's: as set, else the processors available to the process, wherever the caller may run.
pub fn threads() -> usize {
    let size = SIZE.load(Ordering::Relaxed);
    if size > 0 {
        return size;
    }
    // Queried once, since the system reads files for it. A number that another thread sets meanwhile takes precedence.
    let processors = processors(placement::processors());
    match SIZE.compare_exchange(0, processors, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => processors,
        Err(set) => set,
    }
}

/// The number of processors of the process, if `seen` is what the calling thread was told: more, if this thread alone is bound to fewer.
pub fn processors(seen: usize) -> usize {
    if !placement::is_pinned() {
        return seen;
    }
    let whole = apart(|| {
        placement::inherit_from_process();
        placement::processors()
    });
    whole.unwrap_or(1).max(seen)
}

/// Sets the number of threads that share work, including the caller's, from the next work on.
///
/// # Panics
/// If it is 0.
pub fn set_threads(count: usize) {
    assert!(count > 0, "work needs a thread");
    SIZE.store(count.min(MOST_THREADS), Ordering::Relaxed);
    end();
}

/// Joins the threads, once the work that they share is done. The next work starts others.
pub fn end() {
    let ended = Pool::of_this_process().lock().take();
    drop(ended);
}

/// Calls `work` in this thread, with 0, and in up to `helpers` threads of the pool that are free, with their numbers. Returns when all calls have
/// returned.
pub(super) fn share(helpers: usize, work: &(dyn Fn(usize) + Sync)) {
    let helpers = helpers.min(threads() - 1);
    match if helpers == 0 { None } else { started() } {
        Some(workers) => workers.share(helpers, work),
        None => work(0),
    }
}

fn started() -> Option<Arc<Workers>> {
    let mut pool = Pool::of_this_process().lock();
    // Joined outside of the lock, unless another caller still has them.
    let mut old = None;
    if let Some(Running {
        nicer: Some(nice), ..
    }) = &*pool
    {
        if placement::nice_of_caller() < *nice {
            old = pool.take();
        }
    }
    if pool.is_none() {
        *pool = apart(|| {
            placement::inherit_from_process();
            let nice = placement::nice_of_caller();
            let processors = placement::processors();
            let threads = threads();
            Running {
                // Not where they share one, be it by a quota.
                workers: Arc::new(Workers::start(threads - 1, threads <= processors)),
                nicer: (nice > placement::nice_of_process()).then_some(nice),
            }
        });
    }
    let workers = pool.as_ref().map(|running| running.workers.clone());
    drop(pool);
    drop(old);
    workers
}
