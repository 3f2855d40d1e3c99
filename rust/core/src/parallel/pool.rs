//! The threads of the library: started when work is first shared, joined when it is unloaded.

#[cfg(unix)]
use std::ffi::c_void;
#[cfg(unix)]
use std::mem::MaybeUninit;
#[cfg(unix)]
use std::panic::{self, AssertUnwindSafe};
#[cfg(unix)]
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::workers::Workers;

/// The maximum number of threads.
const MOST_THREADS: usize = 1 << 16;

/// The number of threads that share work, including the caller's; 0 until it is first requested.
static SIZE: AtomicUsize = AtomicUsize::new(0);
/// The workers. Dropping the last reference joins them; no worker does, since the caller whose work they run has a reference.
static POOL: Mutex<Option<Arc<Workers>>> = Mutex::new(None);

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

fn lock() -> MutexGuard<'static, Option<Arc<Workers>>> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of threads that share work, including the caller's: as set, else the processors available to the process.
pub fn threads() -> usize {
    let size = SIZE.load(Ordering::Relaxed);
    if size > 0 {
        return size;
    }
    // Queried once, since the system reads files for it. A number that another thread sets meanwhile takes precedence.
    let processors = thread::available_parallelism().map_or(1, usize::from);
    match SIZE.compare_exchange(0, processors, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => processors,
        Err(set) => set,
    }
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
    let ended = lock().take();
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
    let mut pool = lock();
    if pool.is_none() {
        *pool = apart(|| Workers::start(threads() - 1)).map(Arc::new);
    }
    pool.clone()
}
