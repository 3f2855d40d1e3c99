//! Where, and how urgently, the threads of the process may run.
//!
//! On Linux a new thread runs on the processors, and with the niceness, of the thread that starts it. The threads of the library work for the whole
//! process, so that they must not depend on which caller happens to be the first.

use std::num::NonZero;
use std::thread;

pub(super) use system::{inherit_from_process, is_pinned, nice_of_caller, nice_of_process};

/// The number of processors that the calling thread can use, within the limits of the process.
pub(super) fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use std::fs;
    use std::io;

    /// The bits of up to 4096 processors; the kernel refuses to describe more in fewer.
    type Processors = [u64; 64];

    /// The processors that a thread may use, 0 for the calling one; `None` if the system does not say.
    fn of_thread(thread: libc::pid_t) -> Option<Processors> {
        let mut bits: Processors = [0; 64];
        // SAFETY: the memory has the size that is passed; a set of processors is words of bits.
        let status = unsafe {
            libc::sched_getaffinity(thread, size_of_val(&bits), bits.as_mut_ptr().cast())
        };
        (status == 0).then_some(bits)
    }

    /// The processors that any thread of the process may use. One that is bound to a few is among others that are not, unless all are bound.
    fn of_process() -> Option<Processors> {
        let mut all = of_thread(0)?;
        for task in fs::read_dir("/proc/self/task").ok()?.flatten() {
            // A thread may have ended meanwhile.
            let number = task.file_name().to_str().and_then(|name| name.parse().ok());
            let Some(bits) = number.and_then(of_thread) else {
                continue;
            };
            for (all, bits) in all.iter_mut().zip(bits) {
                *all |= bits;
            }
        }
        Some(all)
    }

    /// Whether the calling thread may use fewer processors than others of the process.
    pub fn is_pinned() -> bool {
        of_process().is_some_and(|all| Some(all) != of_thread(0))
    }

    /// Gives the calling thread the processors of the process, and its niceness, as far as the system allows: without a privilege none can be less
    /// nice than it was.
    pub fn inherit_from_process() {
        if let Some(all) = of_process() {
            // SAFETY: the memory has the size that is passed; a set of processors is words of bits.
            let status =
                unsafe { libc::sched_setaffinity(0, size_of_val(&all), all.as_ptr().cast()) };
            if status != 0 {
                let reason = io::Error::last_os_error();
                log::debug!("threads run where the caller does: {reason}");
            }
        }
        let nice = nice_of_process();
        if nice != nice_of_caller() {
            // SAFETY: no memory is passed; 0 is the calling thread.
            unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) };
        }
    }

    fn nice_of(thread: libc::id_t) -> i32 {
        // SAFETY: no memory is passed. An error is -1, a niceness like others; there is none for a thread that lives.
        unsafe { libc::getpriority(libc::PRIO_PROCESS, thread) }
    }

    /// The niceness of the process: of its first thread, which keeps its number after it has ended.
    pub fn nice_of_process() -> i32 {
        nice_of(std::process::id())
    }

    /// The niceness of the calling thread.
    pub fn nice_of_caller() -> i32 {
        nice_of(0)
    }
}

/// Other systems have no such sets, or their threads do not inherit them.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    pub fn is_pinned() -> bool {
        false
    }

    pub fn inherit_from_process() {}

    pub fn nice_of_process() -> i32 {
        0
    }

    pub fn nice_of_caller() -> i32 {
        0
    }
}
