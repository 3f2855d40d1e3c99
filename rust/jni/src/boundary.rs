//! The natives of `io.tensornio.internal.memory.NativeMemory` about the library itself: its version, its logging, its threads; and the limit that the
//! JVM has for direct buffers.

use std::ffi::CStr;

use jni::sys;
use tensornio_core::parallel;

use crate::env::{Env, Pending};
use crate::guard::{guard, Failure};
use crate::handle::Ref;
use crate::logging;
use crate::memory::memory;

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
        memory().announce();
        Ok(())
    });
}

/// `static native long maxDirectMemory()`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_maxDirectMemory(
    env: Env<'_>,
    _native: sys::jclass,
) -> sys::jlong {
    guard(env, || {
        // Since Java 9, and in Java 8.
        for class in [c"jdk/internal/misc/VM", c"sun/misc/VM"] {
            match max_direct_memory(env, class) {
                Ok(bytes) => return Ok(bytes),
                Err(Pending) => {
                    if let Some(thrown) = env.take_pending() {
                        env.delete(thrown);
                    }
                }
            }
        }
        Ok(0)
    })
}

fn max_direct_memory(env: Env<'_>, class: &CStr) -> Result<sys::jlong, Pending> {
    let class = env.find_class(class)?;
    // A variable: the build looks for names in such calls, to have R8 keep those, and this one is the JDK's.
    let (name, signature) = (c"maxDirectMemory", c"()J");
    let method = env.static_method(class.as_class(), name, signature)?;
    // SAFETY: a static method of this class, without arguments, that returns a long: its signature.
    let bytes = unsafe { env.call_for_long(class.as_class(), method) };
    env.delete(class);
    bytes
}

/// `static native long processors(int seen)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_processors(
    env: Env<'_>,
    _native: sys::jclass,
    seen: sys::jint,
) -> sys::jlong {
    guard(env, || {
        let count = parallel::processors(usize::try_from(seen).unwrap_or(1).max(1));
        Ok(sys::jlong::try_from(count).unwrap_or(sys::jlong::MAX))
    })
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
