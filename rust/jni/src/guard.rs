//! Conversion of Rust's results and panics to Java exceptions.

use std::any::Any;
use std::ffi::CStr;
use std::panic::{self, AssertUnwindSafe};

use jni::strings::JNIString;
use jni::sys;
use tensornio_core::panics::take_place;
use tensornio_core::{Error, ErrorKind};

use crate::classes::{Classes, Throwable};
use crate::env::{Env, Pending};
use crate::handle::Ref;

/// The failure of a native method.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The exception to throw.
    Throw(Throwable, String),
    /// The JVM itself has thrown.
    Pending,
}

impl Failure {
    /// `IllegalArgumentException`
    pub fn illegal_argument(message: impl Into<String>) -> Failure {
        Failure::Throw(Throwable::IllegalArgument, message.into())
    }

    /// `OutOfMemoryError`
    pub fn out_of_memory(message: impl Into<String>) -> Failure {
        Failure::Throw(Throwable::OutOfMemory, message.into())
    }

    /// `TensorNioInternalError`
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure::Throw(Throwable::Internal, message.into())
    }
}

impl From<ErrorKind> for Throwable {
    fn from(kind: ErrorKind) -> Throwable {
        match kind {
            ErrorKind::IndexOutOfBounds => Throwable::IndexOutOfBounds,
            ErrorKind::IllegalArgument => Throwable::IllegalArgument,
            ErrorKind::IllegalState => Throwable::IllegalState,
            ErrorKind::OutOfMemory => Throwable::OutOfMemory,
            ErrorKind::Internal => Throwable::Internal,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Throw(error.kind().into(), error.to_string())
    }
}

impl From<Pending> for Failure {
    fn from(_: Pending) -> Failure {
        Failure::Pending
    }
}

/// The argument, or `NullPointerException` that names it.
pub(crate) fn not_null<T>(argument: Option<T>, name: &str) -> Result<T, Failure> {
    argument.ok_or_else(|| Failure::Throw(Throwable::NullPointer, format!("{name} is null")))
}

/// The result type of a native method.
pub(crate) trait Answer {
    /// The result if it throws, which Java ignores.
    const NONE: Self;
}

impl Answer for () {
    const NONE: Self = ();
}

impl Answer for sys::jlong {
    const NONE: Self = 0;
}

impl Answer for sys::jboolean {
    const NONE: Self = false;
}

impl Answer for Option<Ref<'_>> {
    const NONE: Self = None;
}

/// Runs the body of a native method; an error or a panic becomes the pending Java exception.
pub(crate) fn guard<T: Answer>(env: Env<'_>, body: impl FnOnce() -> Result<T, Failure>) -> T {
    match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(answer)) => answer,
        Ok(Err(failure)) => {
            throw(env, failure);
            T::NONE
        }
        Err(payload) => {
            throw_panic(env, payload);
            T::NONE
        }
    }
}

#[cold]
fn throw(env: Env<'_>, failure: Failure) {
    // Throwing allocates and encodes. If that panics, unwinding out of a native method would end the process.
    if let Err(payload) = panic::catch_unwind(AssertUnwindSafe(|| raise(env, failure))) {
        throw_panic(env, payload);
    }
}

#[cold]
fn throw_panic(env: Env<'_>, payload: Box<dyn Any + Send>) {
    let described = panic::catch_unwind(AssertUnwindSafe(|| {
        let place = take_place().unwrap_or_else(|| "an unknown place".to_owned());
        raise(
            env,
            Failure::internal(format!(
                "panic in native code: {} (at {place})",
                message(&*payload)
            )),
        );
    }));
    if described.is_err() && !env.is_pending() {
        throw_new(
            env,
            Throwable::Internal,
            c"a panic in native code that could not be described",
        );
    }
    dispose(payload);
    if let Err(second) = described {
        dispose(second);
    }
}

/// Throws, unless an exception is pending already, which is closer to the cause.
fn raise(env: Env<'_>, failure: Failure) {
    if env.is_pending() {
        return;
    }
    let (throwable, message) = match failure {
        Failure::Throw(throwable, message) => (throwable, message),
        Failure::Pending => (
            Throwable::Internal,
            "the JVM refused a call without an exception".to_owned(),
        ),
    };
    throw_new(env, throwable, &JNIString::new(message).into_cstring());
}

fn throw_new(env: Env<'_>, throwable: Throwable, message: &CStr) {
    // The classes are installed as long as any native method may run.
    if let Some(classes) = Classes::get() {
        classes.throw_new(env, throwable, message);
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    if let Some(literal) = payload.downcast_ref::<&'static str>() {
        literal
    } else if let Some(formatted) = payload.downcast_ref::<String>() {
        formatted
    } else {
        "its payload is no text"
    }
}

/// Drops a payload. If its `Drop` panics, that second payload is leaked, since dropping it could panic, too.
fn dispose(payload: Box<dyn Any + Send>) {
    if let Err(endless) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(endless);
    }
    drop(take_place());
}

#[cfg(test)]
mod tests {
    use super::*;

    struct PanicsWhenDropped;

    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }

    #[test]
    fn text_of_payloads() {
        assert_eq!(message(&"literal"), "literal");
        assert_eq!(message(&"formatted".to_owned()), "formatted");
        assert_eq!(message(&42_i32), "its payload is no text");
    }

    #[test]
    fn a_payload_that_panics_when_dropped_is_survived() {
        let payload = panic::catch_unwind(|| panic::panic_any(PanicsWhenDropped)).unwrap_err();
        dispose(payload);
    }

    #[test]
    fn every_kind_has_its_throwable() {
        let pairs = [
            (ErrorKind::IndexOutOfBounds, Throwable::IndexOutOfBounds),
            (ErrorKind::IllegalArgument, Throwable::IllegalArgument),
            (ErrorKind::IllegalState, Throwable::IllegalState),
            (ErrorKind::OutOfMemory, Throwable::OutOfMemory),
            (ErrorKind::Internal, Throwable::Internal),
        ];
        for (kind, throwable) in pairs {
            assert_eq!(Throwable::from(kind), throwable);
        }
    }
}
