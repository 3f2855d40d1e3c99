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
use std::thread::{self, JoinHandle};

use rayon_core::{Scope, ThreadPool, ThreadPoolBuilder};

/// The number of threads that share work, including the caller's; 0 until it is first requested.
static SIZE: AtomicUsize = AtomicUsize::new(0);
static POOL: Mutex<Option<Arc<Pool>>> = Mutex::new(None);

/// Threads that wait for work, named `tensornio-1` and so on. Dropping the last reference joins them; no worker does,
/// since the caller whose work they run has a reference.
struct Pool {
    /// `None` only during the drop.
    threads: Option<ThreadPool>,
    handles: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts as many threads as requested, or as the system allows; `None` if it allows none.
    fn start(mut count: usize) -> Option<Pool> {
        while count > 0 {
            let mut handles = Vec::new();
            let built = ThreadPoolBuilder::new()
                .num_threads(count)
                .spawn_handler(|worker| {
                    let name = format!("tensornio-{}", worker.index() + 1);
                    let thread = thread::Builder::new().name(name);
                    handles.push(thread.spawn(|| worker.run())?);
                    Ok(())
                })
                .build();
            let pool = Pool {
                threads: built.ok(),
                handles,
            };
            if pool.threads.is_some() {
                return Some(pool);
            }
            count /= 2;
        }
        None
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Signals the threads to end, and does not wait.
        drop(self.threads.take());
        for handle in self.handles.drain(..) {
            // A worker catches all panics.
            drop(handle.join());
        }
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

fn lock() -> MutexGuard<'static, Option<Arc<Pool>>> {
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
    SIZE.store(count.min(rayon_core::max_num_threads()), Ordering::Relaxed);
    end();
}

/// Joins the threads, once the work that they share is done. The next work starts others.
pub fn end() {
    let ended = lock().take();
    drop(ended);
}

/// Runs `work` in this thread, and in up to `helpers` threads of the pool. Returns when all have returned.
pub(super) fn share(helpers: usize, work: &(dyn Fn() + Sync)) {
    let helpers = helpers.min(threads() - 1);
    let pool = if helpers == 0 { None } else { started() };
    let Some((pool, threads)) = pool
        .as_deref()
        .and_then(|p| Some((p.threads.as_ref()?, p.handles.len())))
    else {
        return work();
    };
    pool.in_place_scope(|scope: &Scope<'_>| {
        for _ in 0..helpers.min(threads) {
            scope.spawn(|_| work());
        }
        work();
    });
}

fn started() -> Option<Arc<Pool>> {
    let mut pool = lock();
    if pool.is_none() {
        *pool = apart(|| Pool::start(threads() - 1)).flatten().map(Arc::new);
    }
    pool.clone()
}
