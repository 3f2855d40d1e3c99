//! The JNI boundary of TensorNIO: thin shims between `NativeMemory`, `NativeCopies`, `NativeSparse` and `tensornio-core`, and between `NativeCompute`
//! and `tensornio-compute`.
//!
//! - `env`: the JNI calls that are used, each once, over the raw function table
//! - `handle`, `vm`: the objects and the virtual machine that they are made on
//! - `classes`: the Java classes, found once
//! - `guard`: results and panics become Java exceptions
//! - `logging`: what Rust logs arrives in Java
//! - `numbers`: numbers from Java, single and in arrays
//! - `operand`: direct buffers and arrays as the sides of bulk operations
//! - `selection`: strided copies between them
//! - `side`, `pair`: sides with the number of used elements, and pairs of them that are entries of a sparse tensor
//! - `programs`: programs and plans, which Java refers to by number
//! - `sides`: the inputs and outputs of a plan's run
//! - `stored`: runs over ragged and sparse tensors
//! - `memory`, `copy`, `casts`, `sparse`, `compute`, `numeric`, `safetensors`, `boundary`: the native methods; `faults`, only in the library for
//!   tests: one that fails

// A panic is caught at the boundary and becomes a Java error. Where it aborts, it ends the JVM.
#[cfg(not(panic = "unwind"))]
compile_error!("tensornio-jni needs panic = \"unwind\": panics are caught at the JNI boundary, where an abort would end the JVM");

mod boundary;
mod casts;
mod classes;
mod compute;
mod copy;
mod env;
#[cfg(feature = "faults")]
mod faults;
mod files;
mod guard;
mod handle;
mod logging;
mod memory;
mod numbers;
mod numeric;
mod operand;
mod pair;
mod programs;
mod safetensors;
mod selection;
mod side;
mod sides;
mod sparse;
mod stored;
mod vm;

use std::ffi::c_void;
use std::panic;

use jni::sys;
// Exports the C API.
use tensornio_capi as _;
use tensornio_core::{panics, parallel};

use crate::classes::Classes;
use crate::vm::Vm;

/// Called by the JVM when a class loader loads the library.
///
/// # Safety
/// `vm` is the virtual machine that calls.
#[no_mangle]
pub unsafe extern "system" fn JNI_OnLoad(
    vm: *mut sys::JavaVM,
    _reserved: *mut c_void,
) -> sys::jint {
    let loaded = panic::catch_unwind(|| {
        // SAFETY: the JVM gives itself.
        let vm = unsafe { Vm::from_raw(vm) }?;
        vm.with_env(|env| {
            // The message and the place of a panic arrive in the Java exception.
            panics::record_places();
            Classes::find(env).ok()?.install();
            operand::expect_copies(env).ok()?;
            memory::link(env).ok()?;
            logging::install(env, vm).ok()
        })?
    });
    match loaded {
        // All that is called was there in 1.6, the newest that Android knows.
        Ok(Some(())) => sys::JNI_VERSION_1_6,
        // The JVM throws what is pending, else UnsatisfiedLinkError.
        _ => sys::JNI_ERR,
    }
}

/// Called by the JVM when the class loader was collected: nothing of Java's may be kept.
///
/// The worker threads end, programs and plans are freed, and pooled pages are returned to the system. The address space of tensors is not, since an
/// application may have kept a `java.nio` buffer over it.
///
/// # Safety
/// `vm` is the virtual machine that calls, and no native method runs or will run.
#[no_mangle]
pub unsafe extern "system" fn JNI_OnUnload(vm: *mut sys::JavaVM, _reserved: *mut c_void) {
    // A panic cannot be reported here; its consequence is memory that is not returned.
    drop(panic::catch_unwind(|| {
        parallel::end();
        programs::unload();
        tensornio_compute::free_scratch();
        memory::unload();
        // SAFETY: the JVM gives itself.
        let Some(vm) = (unsafe { Vm::from_raw(vm) }) else {
            return;
        };
        // SAFETY: the JVM unloads the library, so the logger and the classes are not used any more.
        vm.with_env(|env| unsafe {
            logging::uninstall(env);
            Classes::uninstall(env);
        });
        // The hook is code of this library, which is about to be unmapped.
        drop(panic::take_hook());
    }));
}
