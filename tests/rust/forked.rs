//! The threads of the library in a process that was forked, which has none of them: alone in a process, since the child has but one thread.
#![cfg(all(unix, not(miri)))]

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tensornio_core::memory::shared;
use tensornio_core::parallel::{end, run, set_threads};

fn work() -> bool {
    let gave = run(0..50_u64, |job| {
        (0..2000).fold(job, |a, b| std::hint::black_box(a ^ b))
    });
    gave.len() == 50
}

fn allocate() -> bool {
    (0..50).all(|_| match shared().allocate(4096, false) {
        Ok(Some(block)) => shared().close(block).is_ok() && shared().release(block).is_ok(),
        _ => false,
    })
}

/// Runs in a child; whether it ended well within ten seconds.
fn ends_well(child: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child calls what this crate promises to work there, allocates, which the C library allows, and ends without destructors.
    match unsafe { libc::fork() } {
        0 => {
            let status = i32::from(!child());
            // SAFETY: ends the process.
            unsafe { libc::_exit(status) }
        }
        -1 => panic!("cannot fork: {}", std::io::Error::last_os_error()),
        process => {
            let start = Instant::now();
            let mut status = 0;
            // SAFETY: the child of this process, and memory for its status.
            unsafe {
                while libc::waitpid(process, &mut status, libc::WNOHANG) == 0 {
                    if start.elapsed() > Duration::from_secs(10) {
                        libc::kill(process, libc::SIGKILL);
                        libc::waitpid(process, &mut status, 0);
                        return false;
                    }
                    thread::sleep(Duration::from_millis(1));
                }
            }
            status == 0
        }
    }
}

#[test]
fn a_forked_child_has_threads_of_its_own() {
    set_threads(3);
    assert!(work());
    assert!(ends_well(|| {
        end(); // those of the parent are not here
        true
    }));
    assert!(ends_well(|| {
        let worked = work() && work();
        end();
        worked && work()
    }));
    // The locks are taken at the moment of the fork, too.
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    work();
                }
            });
        }
        let well = (0..100).all(|_| ends_well(work));
        ended.store(true, Ordering::Relaxed);
        assert!(well);
    });
    assert!(work(), "the parent goes on");
    end();
    // The ledger of the memory, too.
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    allocate();
                }
            });
        }
        let well = (0..100).all(|_| ends_well(allocate));
        ended.store(true, Ordering::Relaxed);
        assert!(well);
    });
}
