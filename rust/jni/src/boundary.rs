//! The natives of `io.tensornio.internal.memory.NativeMemory` about the library itself: its version, its logging, its threads.

use jni::sys;
use tensornio_core::parallel;

use crate::env::Env;
use crate::guard::{guard, Failure};
use crate::handle::Ref;
use crate::logging;

/// `static native String version()`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_version<'a>(
    env: Env<'a>,
    _native: sys::jclass,
) -> Option<Ref<'a>> {
    guard(env, || {
        Ok(Some(env.new_text(env!("CARGO_PKG_VERSION"))?.into_ref()))
    })
}

/// `static native void setLogLevel(int level)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_setLogLevel(
    env: Env<'_>,
    _native: sys::jclass,
    level: sys::jint,
) {
    guard(env, || {
        logging::set_level(level);
        Ok(())
    });
}

/// `static native void setThreads(int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_setThreads(
    env: Env<'_>,
    _native: sys::jclass,
    threads: sys::jint,
) {
    guard(env, || {
        let threads = usize::try_from(threads).ok().filter(|&threads| threads > 0);
        parallel::set_threads(threads.ok_or_else(|| {
            Failure::illegal_argument("work needs one thread at least".to_owned())
        })?);
        Ok(())
    });
}
