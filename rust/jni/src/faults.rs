//! Provokes faults of native code, for tests of the boundary: only with the feature `faults`, which no released library has.

use std::panic;
use std::sync::Barrier;
use std::thread;

use jni::sys;
use log::Level;
use tensornio_core::parallel;
use tensornio_core::ErrorKind;

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::Text;
use crate::logging::Silence;

/// The payload of a panic, whose drop panics.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// Panics, and catches it, while another panic unwinds.
struct PanicsInside;

impl Drop for PanicsInside {
    fn drop(&mut self) {
        drop(panic::catch_unwind(|| panic!("the second")));
    }
}

fn log_at(level: Level, message: &str) -> Result<(), Failure> {
    log::log!(target: "tensornio", level, "{message}");
    Ok(())
}

/// `static native void provoke(int what, String detail)`: provokes a fault, by the numbers that the Java side lists.
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeFaults_provoke(
    env: Env<'_>,
    _native: sys::jclass,
    what: sys::jint,
    detail: Option<Text<'_>>,
) {
    guard(env, || {
        let detail = env.text(not_null(detail, "detail")?)?;
        let error = |kind: ErrorKind, message| Err(Failure::Throw(kind.into(), message));
        match what {
            0 => error(ErrorKind::IndexOutOfBounds, detail),
            1 => error(ErrorKind::IllegalArgument, detail),
            2 => error(ErrorKind::IllegalState, detail),
            3 => error(ErrorKind::OutOfMemory, detail),
            4 => error(ErrorKind::Internal, detail),
            10 => panic!("a literal"),
            11 => panic!("formatted: {detail}"),
            12 => panic::panic_any(42_i32),
            13 => panic::panic_any(PanicsWhenDropped),
            14 => {
                let _inside = PanicsInside;
                panic!("the first: {detail}");
            }
            15 => {
                let caller = thread::current().id();
                let all = Barrier::new(2);
                if parallel::threads() == 1 {
                    parallel::set_threads(2);
                }
                parallel::run(0..2, |_| {
                    // So that each thread runs one of the two jobs.
                    all.wait();
                    assert!(
                        thread::current().id() == caller,
                        "on another thread: {detail}"
                    );
                });
                Ok(())
            }
            21 => log_at(Level::Error, &detail),
            22 => log_at(Level::Warn, &detail),
            23 => log_at(Level::Info, &detail),
            24 => log_at(Level::Debug, &detail),
            25 => log_at(Level::Trace, &detail),
            30 => {
                // A thread that the JVM does not know.
                let logged = thread::spawn(move || log_at(Level::Error, &detail)).join();
                logged.unwrap_or_else(|_| Err(Failure::internal("the thread that logs panicked")))
            }
            31 => {
                let pending = env.find_class(c"io/tensornio/NoSuchClass");
                log_at(Level::Error, &detail)?;
                pending?;
                Err(Failure::internal("a class was found that does not exist"))
            }
            32 => {
                let _as_in_a_critical_section = Silence::enter();
                log_at(Level::Error, &detail)
            }
            _ => Err(Failure::illegal_argument(format!(
                "nothing to provoke has the number {what}"
            ))),
        }
    });
}
