//! The threads that share the work on many bytes.

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use crate::panics;

/// Work on less bytes than this is done by the caller alone: a thread takes as long to start as some 100 KiB to copy.
pub const LEAST_SHARED: usize = 1 << 20;
/// More threads than this find no more bandwidth.
const MOST: usize = if cfg!(miri) { 2 } else { 8 };

thread_local! {
    /// How many parts the work of this thread has, whatever it is worth; 0 if no test wants to know.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// For tests: does something whose work is then shared in that many parts, however small it is and however few processors there are; 0 as usual.
#[doc(hidden)]
pub fn in_parts<T>(parts: usize, work: impl FnOnce() -> T) -> T {
    struct Before(usize);
    impl Drop for Before {
        fn drop(&mut self) {
            WANTED.set(self.0);
        }
    }
    let _before = Before(WANTED.replace(parts));
    work()
}

/// How many parts, each for a thread, work that touches `bytes` bytes should have.
pub(crate) fn parts(bytes: usize) -> usize {
    let wanted = WANTED.get();
    if wanted > 0 {
        return wanted;
    }
    let least = if cfg!(miri) { 256 } else { LEAST_SHARED };
    if bytes < least {
        return 1;
    }
    // Asked once: the system has to read files for it.
    static THREADS: OnceLock<usize> = OnceLock::new();
    let threads = *THREADS.get_or_init(|| match thread::available_parallelism() {
        // Miri says that there is one.
        _ if cfg!(miri) => MOST,
        Ok(threads) => threads.get(),
        Err(_) => 1,
    });
    threads.min(MOST).min(bytes / least + 1)
}

/// An address that other threads may have as well.
#[derive(Clone, Copy)]
pub(crate) struct Shared<A>(pub A);

impl<A: Copy> Shared<A> {
    /// The address. Closures ask for it by this, and so take all of `self`: they would take an address by itself, which may not leave its thread.
    pub fn get(&self) -> A {
        self.0
    }
}

// SAFETY: an address lets nobody touch what is there. To follow it takes `unsafe` code, which has to say why this thread may. (Raw pointers are not
// `Send` only because that is easily forgotten.)
unsafe impl<T> Send for Shared<*const T> {}
// SAFETY: as above; a shared reference gives copies of the address.
unsafe impl<T> Sync for Shared<*const T> {}
// SAFETY: as for `*const T`.
unsafe impl<T> Send for Shared<*mut T> {}
// SAFETY: as for `*const T`.
unsafe impl<T> Sync for Shared<*mut T> {}

/// Part `part` of `parts` nearly equal ones: where it begins; that of `parts` is the end.
pub(crate) fn part_start(len: usize, part: usize, parts: usize) -> usize {
    (len as u128 * part as u128 / parts as u128) as usize
}

/// A panic on another thread, which goes on in the one that asked for the work.
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

/// Does work of which nobody sees more than its panic, should it have one.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked {
        payload,
        place: panics::take_place(),
    })
}

/// A job, and then what it gave. It stays here until a thread takes it: there may be none.
struct Slot<J, T>(Mutex<(Option<J>, Option<T>)>);

impl<J, T> Slot<J, T> {
    fn all(jobs: impl IntoIterator<Item = J>) -> Vec<Slot<J, T>> {
        let slot = |job| Slot(Mutex::new((Some(job), None)));
        jobs.into_iter().map(slot).collect()
    }

    /// Nothing panics while it is locked.
    fn lock(&self) -> MutexGuard<'_, (Option<J>, Option<T>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, work: impl Fn(J) -> T) {
        let job = self.lock().0.take();
        let given = job.map(work);
        self.lock().1 = given;
    }

    fn given(slots: Vec<Slot<J, T>>) -> Vec<T> {
        slots
            .iter()
            .filter_map(|slot| slot.lock().1.take())
            .collect()
    }
}

/// Does all of the jobs, the first in this thread, each other one in a thread of its own, or here if the system has none. Gives what they
/// gave, in order, when all are done and their threads have ended.
pub fn run<J: Send, T: Send>(
    jobs: impl IntoIterator<Item = J>,
    work: impl Fn(J) -> T + Sync,
) -> Vec<T> {
    let slots = Slot::all(jobs);
    let fill = |k: usize| slots[k].fill(&work);
    if !slots.is_empty() {
        fork_join(&mut || fill(0), 1..slots.len(), &fill);
    }
    Slot::given(slots)
}

/// Does work of its own in this thread, beside it each of the jobs in a thread of its own, or here afterwards if the system has none. Gives what
/// they gave, in order, when all are done and their threads have ended.
pub(crate) fn beside<J: Send, T: Send, O>(
    own: impl FnOnce() -> O,
    jobs: impl IntoIterator<Item = J>,
    work: impl Fn(J) -> T + Sync,
) -> (O, Vec<T>) {
    let slots = Slot::all(jobs);
    let (mut own, mut gave) = (Some(own), None);
    fork_join(
        &mut || gave = own.take().map(|own| own()),
        0..slots.len(),
        &|k| slots[k].fill(&work),
    );
    let gave = gave.unwrap_or_else(|| unreachable!("it was called"));
    (gave, Slot::given(slots))
}

/// As [`beside`], for jobs by number. One function for all kinds of work: it would be most of the code of each.
fn fork_join(own: &mut dyn FnMut(), jobs: Range<usize>, work: &(dyn Fn(usize) + Sync)) {
    if jobs.is_empty() {
        return own();
    }
    thread::scope(|scope| {
        let spawn = |k| {
            let thread = thread::Builder::new().name("tensornio".to_owned());
            (k, thread.spawn_scoped(scope, move || catch(|| work(k))))
        };
        let others: Vec<_> = jobs.map(spawn).collect();
        own();
        for (k, spawned) in others {
            match spawned.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(Ok(()))) => {}
                Ok(Ok(Err(panicked))) => panicked.resume(),
                Ok(Err(_)) => unreachable!("the thread catches what panics"),
                Err(_) => work(k),
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all() {
        assert_eq!(
            [0, 1, 2, 3].map(|part| part_start(10, part, 3)),
            [0, 3, 6, 10]
        );
        assert_eq!(part_start(usize::MAX, 1, 2), usize::MAX / 2);
    }

    #[test]
    fn answers_come_in_order() {
        assert_eq!(run(0..3, |job| job * 10), [0, 10, 20]);
        assert_eq!(run(0..0, |job: i32| job), []);
    }

    #[test]
    fn own_work_is_done_beside_the_jobs() {
        assert_eq!(beside(|| 7, 0..2, |job| job * 10), (7, vec![0, 10]));
    }

    #[test]
    fn little_work_is_not_shared() {
        assert_eq!(parts(100), 1);
    }

    #[test]
    fn work_has_as_many_parts_as_a_test_wants_and_no_longer() {
        let seen = in_parts(3, || {
            (parts(100), in_parts(8, || parts(1 << 30)), parts(100))
        });
        assert_eq!(seen, (3, 8, 3));
        assert_eq!(parts(100), 1);
    }

    #[test]
    fn a_panic_goes_on_with_its_place_in_the_thread_that_waits() {
        let caught = panic::catch_unwind(|| {
            run(0..3, |job| {
                if job == 1 {
                    // As a hook does.
                    panics::leave_place(Some("there".to_owned()));
                    panic!("job 1");
                }
            })
        });
        assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"job 1"));
        assert_eq!(panics::take_place().as_deref(), Some("there"));
    }
}
