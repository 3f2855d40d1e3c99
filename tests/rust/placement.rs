//! Where the threads of the library run, in a process of its own: the first caller is one that is bound to a processor, and nicer than others.
#![cfg(all(target_os = "linux", not(miri)))]

use std::sync::Barrier;
use std::thread;

use tensornio_core::parallel::{processors, run, set_threads, threads};

fn of_this_thread() -> (Vec<u64>, i32) {
    let mut bits = vec![0_u64; 64];
    // SAFETY: the memory has the size that is passed; 0 is this thread.
    unsafe {
        assert!(libc::sched_getaffinity(0, 512, bits.as_mut_ptr().cast()) == 0);
        (bits, libc::getpriority(libc::PRIO_PROCESS, 0))
    }
}

/// What two threads that share work see of themselves, the caller first.
fn of_two() -> Vec<(Vec<u64>, i32)> {
    let caller = thread::current().id();
    let both = Barrier::new(2);
    let mut seen = run(0..2, |_| {
        both.wait();
        (thread::current().id() != caller, of_this_thread())
    });
    seen.sort_by_key(|(helper, _)| *helper);
    seen.into_iter().map(|(_, seen)| seen).collect()
}

#[test]
fn threads_run_as_the_process_does_whoever_comes_first() {
    let usual = of_this_thread();
    let all = thread::available_parallelism().unwrap().get();
    thread::spawn({
        let usual = usual.clone();
        move || {
            let word = usual.0.iter().position(|&word| word != 0).unwrap();
            let mut one = vec![0_u64; 64];
            one[word] = 1 << usual.0[word].trailing_zeros();
            // SAFETY: the memory has the size that is passed; 0 is this thread.
            unsafe {
                assert!(libc::sched_setaffinity(0, 512, one.as_ptr().cast()) == 0);
                assert!(libc::setpriority(libc::PRIO_PROCESS, 0, 10) == 0);
            }
            assert_eq!(threads(), all);
            assert_eq!(processors(1), all);
            set_threads(2);
            let seen = of_two();
            assert_eq!(seen[0], (one, 10));
            assert_eq!(seen[1].0, usual.0);
        }
    })
    .join()
    .unwrap();
    // Where the system did not let the thread be less nice than the first caller, another is started for this one.
    assert_eq!(of_two(), [usual.clone(), usual.clone()]);
    assert_eq!(processors(7), 7, "this thread is bound to nothing");
}
