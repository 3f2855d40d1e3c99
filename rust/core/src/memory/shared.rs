//! The memory of the process.

use std::sync::OnceLock;

use super::{Memory, System};

static SHARED: OnceLock<Memory<System>> = OnceLock::new();

/// The memory shared by all front ends of this library, so that one limit covers all of their allocations. Unlimited until a limit is set.
pub fn shared() -> &'static Memory<System> {
    if let Some(memory) = SHARED.get() {
        return memory;
    }
    let memory = SHARED.get_or_init(|| Memory::new(System::new(), u64::MAX));
    #[cfg(all(unix, not(miri)))]
    forks::hold_the_ledger();
    memory
}

/// A process that is forked while another thread has the ledger would wait for it for ever: the child has no such thread, and what that one was
/// writing is half written. So whoever forks holds the ledger meanwhile.
#[cfg(all(unix, not(miri)))]
mod forks {
    use std::cell::UnsafeCell;
    use std::sync::{MutexGuard, Once};

    use super::super::ledger::Ledger;
    use super::{Memory, SHARED};

    struct Held(UnsafeCell<Option<MutexGuard<'static, Ledger>>>);

    // SAFETY: only the thread that has the lock of the ledger touches the cell, from `before` to `after`; a second one that forks waits in `before`.
    unsafe impl Sync for Held {}

    static HELD: Held = Held(UnsafeCell::new(None));

    extern "C" fn before() {
        let held = SHARED.get().map(Memory::lock_even_broken);
        // SAFETY: this thread has the lock, if there is memory; else it writes None, as everybody would.
        unsafe { *HELD.0.get() = held };
    }

    extern "C" fn after() {
        // SAFETY: this thread has had the lock since `before`; in the child it is the only one.
        drop(unsafe { (*HELD.0.get()).take() });
    }

    pub(super) fn hold_the_ledger() {
        static ONCE: Once = Once::new();
        // SAFETY: functions of this library, which the C library forgets when it is unloaded. Without memory for a list of three functions a fork
        // is as it was: no error.
        ONCE.call_once(|| unsafe {
            libc::pthread_atfork(Some(before), Some(after), Some(after));
        });
    }
}
