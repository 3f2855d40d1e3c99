//! The calls of the JNI function table that the boundary uses, each once.
//!
//! Why the raw table: jni-rs costs about 19 ns per call and, when it throws, looks up classes through the thread's
//! context class loader, which belongs to the application. Nothing here looks up classes implicitly.
//!
//! Functions that are not `unsafe` take handles that are valid by construction: see `handle`.

/// A call of the function table, with the environment as the first argument.
macro_rules! call {
    ($env:expr, $version:ident . $name:ident $(, $argument:expr)*) => {
        ((**$env.0.as_ptr()).$version.$name)($env.0.as_ptr() $(, $argument)*)
    };
}

mod array;
mod buffer;
mod class;
mod text;

use std::ffi::CStr;
use std::marker::PhantomData;
use std::ptr::NonNull;

use jni::sys;

use crate::handle::{ClassRef, Local, Thrown};

/// The JNI environment of the current thread, as the JVM hands it to a native method.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Env<'a>(NonNull<sys::JNIEnv>, PhantomData<&'a sys::JNIEnv>);

/// The JVM has thrown: an exception is pending in this thread.
#[derive(Debug)]
pub(crate) struct Pending;

impl<'a> Env<'a> {
    /// The environment.
    ///
    /// # Safety
    /// `raw` is the environment of this thread, which the JVM knows for `'a`.
    pub unsafe fn from_raw(raw: NonNull<sys::JNIEnv>) -> Env<'a> {
        Env(raw, PhantomData)
    }

    /// Whether an exception is pending.
    pub fn is_pending(self) -> bool {
        // SAFETY: `self` is this thread's environment (the invariant of the type); the call has no precondition.
        unsafe { call!(self, v1_2.ExceptionCheck) }
    }

    /// Turns a pending exception into an `Err`.
    pub fn check(self) -> Result<(), Pending> {
        if self.is_pending() {
            Err(Pending)
        } else {
            Ok(())
        }
    }

    /// Takes the pending exception away, if there is one.
    pub fn take_pending(self) -> Option<Thrown<'a>> {
        // SAFETY: both calls are among those that are allowed while an exception is pending; the first makes a local reference to it, or null.
        unsafe {
            let thrown = Thrown::from_raw(call!(self, v1_2.ExceptionOccurred));
            if thrown.is_some() {
                call!(self, v1_2.ExceptionClear);
            }
            thrown
        }
    }

    /// Makes an exception that was taken pending again.
    pub fn rethrow(self, thrown: Thrown<'a>) {
        // SAFETY: it is a Throwable. If the call fails, another exception is pending: nothing is left to do.
        unsafe { call!(self, v1_2.Throw, thrown.as_raw()) };
        self.delete(thrown);
    }

    /// Throws a new exception of the class.
    ///
    /// # Safety
    /// The class is a Throwable with a constructor from a string.
    pub unsafe fn throw_new(self, class: ClassRef<'_>, message: &CStr) {
        // SAFETY: the class is the caller's promise, the message ends in NUL. Its encoding is the caller's duty for the text's sake
        // alone: the JVM does not fault at malformed bytes. The answer: as in `rethrow`.
        unsafe { call!(self, v1_2.ThrowNew, class.as_raw(), message.as_ptr()) };
    }

    /// Gives up a local reference before the native call ends.
    pub fn delete<K>(self, local: Local<'a, K>) {
        // SAFETY: a local reference of this thread, whose only handle this was; deleting is allowed while an exception is pending.
        unsafe { call!(self, v1_2.DeleteLocalRef, local.as_raw()) };
    }
}
