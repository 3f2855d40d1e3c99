//! The virtual machine, for threads that come without an environment.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use jni::sys;

use crate::env::Env;

/// The virtual machine that loaded this library.
#[derive(Clone, Copy)]
pub(crate) struct Vm(NonNull<sys::JavaVM>);

// SAFETY: the invocation table may be used by any thread.
unsafe impl Send for Vm {}
// SAFETY: as above.
unsafe impl Sync for Vm {}

impl Vm {
    /// The environment of the current thread when the JVM knows the thread.
    ///
    /// # Safety
    /// The environment is not used after the thread was detached.
    pub unsafe fn env<'a>(self) -> Option<Env<'a>> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the table of a virtual machine that is alive; `env` is writable.
        let status = unsafe {
            ((**self.0.as_ptr()).v1_2.GetEnv)(self.0.as_ptr(), &mut env, sys::JNI_VERSION_1_6)
        };
        if status == sys::JNI_OK {
            // SAFETY: the JVM gave it for this thread; for how long, the caller promises.
            unsafe { Env::from_raw(env.cast()) }
        } else {
            None
        }
    }

    /// Makes the current thread known to the JVM, as one that does not keep it from ending.
    ///
    /// # Safety
    /// The thread was unknown, is detached by `detach`, and does not use the environment afterwards.
    pub unsafe fn attach<'a>(self) -> Option<Env<'a>> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the table of a virtual machine that is alive; `env` is writable; no arguments means defaults.
        let status = unsafe {
            ((**self.0.as_ptr()).v1_4.AttachCurrentThreadAsDaemon)(
                self.0.as_ptr(),
                &mut env,
                ptr::null_mut(),
            )
        };
        if status == sys::JNI_OK {
            // SAFETY: the JVM gave it for this thread; for how long, the caller promises.
            unsafe { Env::from_raw(env.cast()) }
        } else {
            None
        }
    }

    /// Undoes `attach`.
    pub fn detach(self) {
        // SAFETY: the table of a virtual machine that is alive. The JVM refuses (by the status) a thread with Java frames.
        unsafe { ((**self.0.as_ptr()).v1_2.DetachCurrentThread)(self.0.as_ptr()) };
    }

    /// The virtual machine that `JNI_OnLoad` and `JNI_OnUnload` are given.
    ///
    /// # Safety
    /// `vm` is null or a virtual machine that outlives this library.
    pub unsafe fn from_raw(vm: *mut sys::JavaVM) -> Option<Vm> {
        NonNull::new(vm).map(Vm)
    }
}
