//! The room on a thread's stack, and work on a stack that has enough of it.
//!
//! Native code has no stack checks of its own: a recursion that outgrows the stack of a Java thread ends the process. So a recursion whose depth
//! is known in advance asks for its bytes here. Where the caller's stack is too short, as on a thread with a small stack or near the end of a deep
//! Java recursion, the work is done on a stack of its own.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

use crate::panics;

/// The end of a stack that is left alone: the JVM has guard pages there, whose first touch is its stack overflow.
const RESERVE: usize = 64 << 10;
/// The assumed room where the system does not say where the stack ends.
const UNKNOWN: usize = 96 << 10;
/// The smallest stack made here.
const SMALLEST: usize = 256 << 10;

thread_local! {
    /// The lowest usable address of this thread's stack; 0 before it is known, 1 if the system does not say.
    static END: Cell<usize> = const { Cell::new(0) };
}

/// The stack is too short, and the system has no thread with one of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoStack(pub usize);

/// The bytes between the caller's frame and the end of its stack.
pub fn room() -> usize {
    let here = 0u8;
    let here = (&raw const here).addr();
    let end = match END.get() {
        0 => {
            let end = lowest().map_or(1, |lowest| lowest.saturating_add(RESERVE));
            END.set(end);
            end
        }
        end => end,
    };
    if end == 1 {
        UNKNOWN
    } else {
        here.saturating_sub(end)
    }
}

/// Does work that needs so many bytes of stack: on the caller's, or on that of a thread made for it, for which the caller waits.
///
/// # Errors
/// The thread cannot be made.
pub fn with<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Result<T, NoStack> {
    if room() >= bytes {
        return Ok(work());
    }
    thread::scope(|scope| {
        let size = bytes.saturating_add(RESERVE).max(SMALLEST);
        let made = thread::Builder::new()
            .name("tensornio-stack".to_owned())
            .stack_size(size)
            .spawn_scoped(scope, || {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
                result.map_err(|payload| (payload, panics::take_place()))
            });
        let thread = made.map_err(|_| NoStack(size))?;
        match thread.join().unwrap_or_else(|payload| Err((payload, None))) {
            Ok(result) => Ok(result),
            Err((payload, place)) => {
                panics::leave_place(place);
                resume_unwind(payload)
            }
        }
    })
}

/// The lowest address of this thread's stack, if the system says.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn lowest() -> Option<usize> {
    let mut attributes = std::mem::MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut address, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the first call initialises the attributes, the second reads them into locals, and the third frees them.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let found =
            libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut address, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        (found == 0).then(|| address.addr())
    }
}

/// The lowest address of this thread's stack.
#[cfg(target_vendor = "apple")]
fn lowest() -> Option<usize> {
    // SAFETY: a thread may ask for its own stack.
    let (top, size) = unsafe {
        let this = libc::pthread_self();
        (
            libc::pthread_get_stackaddr_np(this),
            libc::pthread_get_stacksize_np(this),
        )
    };
    top.addr().checked_sub(size)
}

/// The lowest address of this thread's stack.
#[cfg(windows)]
fn lowest() -> Option<usize> {
    let (mut low, mut high) = (0, 0);
    // SAFETY: it writes the limits of this thread's stack to two locals.
    unsafe {
        windows_sys::Win32::System::Threading::GetCurrentThreadStackLimits(
            &raw mut low,
            &raw mut high,
        );
    }
    Some(low)
}

/// Elsewhere nobody says.
#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_vendor = "apple",
    windows
)))]
fn lowest() -> Option<usize> {
    None
}

// Miri has no stack whose end could be asked for.
#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;

    fn in_stack_of(bytes: usize, work: impl FnOnce() + Send + 'static) {
        let thread = thread::Builder::new().stack_size(bytes).spawn(work);
        thread.expect("a thread").join().expect("no panic");
    }

    #[inline(never)]
    fn room_below_100_000_bytes() -> usize {
        let filled = std::hint::black_box([1u8; 100_000]);
        let left = room();
        std::hint::black_box(&filled);
        left
    }

    #[test]
    fn room_is_what_is_left_of_the_stack() {
        in_stack_of(1 << 20, || {
            // The system may give a thread the larger stack of one that has ended.
            let before = room();
            assert!(before > (1 << 20) - (128 << 10), "{before}");
            let taken = before - room_below_100_000_bytes();
            assert!((100_000..250_000).contains(&taken), "{taken}");
        });
    }

    #[test]
    fn work_that_needs_more_than_is_left_has_a_stack_of_its_own() {
        in_stack_of(128 << 10, || {
            let caller = thread::current().id();
            let here = with(1 << 10, || thread::current().id());
            assert_eq!(here.expect("room"), caller);
            let there = with(room() + (4 << 20), || (thread::current().id(), room()));
            let (id, left) = there.expect("a thread");
            assert!(id != caller && left >= 4 << 20, "{left}");
        });
    }

    #[test]
    fn a_panic_on_the_other_stack_is_the_callers() {
        in_stack_of(128 << 10, || {
            let result = std::panic::catch_unwind(|| with(room() + (4 << 20), || panic!("deep")));
            let payload = result.expect_err("it panicked");
            assert_eq!(payload.downcast_ref::<&str>(), Some(&"deep"));
        });
    }
}
