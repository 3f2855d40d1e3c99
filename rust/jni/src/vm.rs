//! The virtual machine, for threads without an environment.

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
    /// Runs with the environment of the current thread, which is attached meanwhile, as a daemon, if it was not. `None` if the JVM refuses that.
    pub fn with_env<T>(self, work: impl FnOnce(Env<'_>) -> T) -> Option<T> {
        // The work takes an environment of any lifetime, so it cannot keep this one until the thread is detached.
        if let Some(env) = self.env() {
            // SAFETY: the JVM gave it for this thread, which stays known: only an `Attached` detaches one, and none is made in a thread that is
            // known.
            return Some(work(unsafe { Env::from_raw(env) }));
        }
        let attached = Attached::new(self)?;
        Some(work(attached.env()))
    }

    /// The environment of the current thread when the JVM knows the thread.
    fn env(self) -> Option<NonNull<sys::JNIEnv>> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the table of a virtual machine that is alive; `env` is writable.
        let status = unsafe {
            ((**self.0.as_ptr()).v1_2.GetEnv)(self.0.as_ptr(), &mut env, sys::JNI_VERSION_1_6)
        };
        NonNull::new(env.cast()).filter(|_| status == sys::JNI_OK)
    }

    /// The virtual machine that `JNI_OnLoad` and `JNI_OnUnload` are given.
    ///
    /// # Safety
    /// `vm` is null or a virtual machine that outlives this library.
    pub unsafe fn from_raw(vm: *mut sys::JavaVM) -> Option<Vm> {
        NonNull::new(vm).map(Vm)
    }
}

/// Attaches the current thread, which was not, until this is dropped.
struct Attached {
    vm: Vm,
    /// Of this thread, which this value cannot leave, having a pointer.
    env: NonNull<sys::JNIEnv>,
}

impl Attached {
    /// Attaches the current thread, which the JVM does not know.
    fn new(vm: Vm) -> Option<Attached> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the table of a virtual machine that is alive; `env` is writable; no arguments means defaults.
        let status = unsafe {
            ((**vm.0.as_ptr()).v1_4.AttachCurrentThreadAsDaemon)(
                vm.0.as_ptr(),
                &mut env,
                ptr::null_mut(),
            )
        };
        let env = NonNull::new(env.cast()).filter(|_| status == sys::JNI_OK)?;
        Some(Attached { vm, env })
    }

    /// The environment of the thread.
    fn env(&self) -> Env<'_> {
        // SAFETY: the JVM gave it for this thread, and knows the thread until `self` is dropped.
        unsafe { Env::from_raw(self.env) }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        // SAFETY: the table of a virtual machine that is alive; it knows this thread only by `new`.
        unsafe { ((**self.vm.0.as_ptr()).v1_2.DetachCurrentThread)(self.vm.0.as_ptr()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::panic::{self, AssertUnwindSafe};

    thread_local! {
        /// Whether a virtual machine that is made up knows this thread, and how often it has attached and detached it.
        static STATE: Cell<(bool, u32, u32)> = const { Cell::new((false, 0, 0)) };
    }

    /// Environments are handed around here, and never followed.
    ///
    /// # Safety
    /// It points to memory for one.
    unsafe fn give(env: *mut *mut c_void) -> sys::jint {
        // SAFETY: the caller's promise.
        unsafe { env.write(NonNull::<sys::JNIEnv>::dangling().as_ptr().cast()) };
        sys::JNI_OK
    }

    unsafe extern "system" fn get(
        _: *mut sys::JavaVM,
        env: *mut *mut c_void,
        _: sys::jint,
    ) -> sys::jint {
        match STATE.get().0 {
            // SAFETY: the caller of the table passes memory for an environment.
            true => unsafe { give(env) },
            false => sys::JNI_EDETACHED,
        }
    }

    unsafe extern "system" fn attach(
        _: *mut sys::JavaVM,
        env: *mut *mut c_void,
        _: *mut c_void,
    ) -> sys::jint {
        let (_, attached, detached) = STATE.get();
        STATE.set((true, attached + 1, detached));
        // SAFETY: as above.
        unsafe { give(env) }
    }

    unsafe extern "system" fn detach(_: *mut sys::JavaVM) -> sys::jint {
        let (_, attached, detached) = STATE.get();
        STATE.set((false, attached, detached + 1));
        sys::JNI_OK
    }

    fn with_vm(known: bool, test: impl FnOnce(Vm)) -> (bool, u32, u32) {
        STATE.set((known, 0, 0));
        // SAFETY: a union, which may hold any bytes; only what is set below is called.
        let mut table: sys::JNIInvokeInterface_ = unsafe { std::mem::zeroed() };
        table.v1_2.GetEnv = get;
        table.v1_2.DetachCurrentThread = detach;
        table.v1_4.AttachCurrentThreadAsDaemon = attach;
        let mut vm: sys::JavaVM = &table;
        // SAFETY: it outlives the test.
        test(unsafe { Vm::from_raw(&mut vm) }.unwrap());
        STATE.get()
    }

    #[test]
    fn a_thread_that_the_jvm_knows_stays_known() {
        let state = with_vm(true, |vm| {
            assert_eq!(vm.with_env(|_| 7), Some(7));
        });
        assert_eq!(state, (true, 0, 0));
    }

    #[test]
    fn another_thread_is_attached_for_the_work_and_once() {
        let state = with_vm(false, |vm| {
            let inside = vm.with_env(|_| vm.with_env(|_| STATE.get()));
            assert_eq!(inside, Some(Some((true, 1, 0))));
        });
        assert_eq!(state, (false, 1, 1));
    }

    #[test]
    fn work_that_panics_leaves_no_thread_attached() {
        let state = with_vm(false, |vm| {
            let work = AssertUnwindSafe(|| vm.with_env(|_| panic!("in the work")));
            assert!(panic::catch_unwind(work).is_err());
        });
        assert_eq!(state, (false, 1, 1));
    }
}
