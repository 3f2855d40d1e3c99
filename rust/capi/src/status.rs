//! The conversion of Rust's results and panics to C's statuses.

use std::any::Any;
use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use tensornio_core::panics;

/// The result of a call: TENSORNIO_OK, or the kind of error; tensornio_last_error() has the message.
pub type Status = i32;

/// The call succeeded.
pub const TENSORNIO_OK: Status = 0;
/// An argument that is never valid: a null pointer, or an invalid text, shape or type.
pub const TENSORNIO_ILLEGAL_ARGUMENT: Status = 1;
/// An index out of bounds.
pub const TENSORNIO_INDEX_OUT_OF_BOUNDS: Status = 2;
/// A tensor or a program that was released, or never existed.
pub const TENSORNIO_ILLEGAL_STATE: Status = 3;
/// A division of an integer by zero, or an integer to a negative power.
pub const TENSORNIO_ARITHMETIC: Status = 4;
/// The system has no more memory, or the limit is exceeded.
pub const TENSORNIO_OUT_OF_MEMORY: Status = 5;
/// A bug of this library.
pub const TENSORNIO_INTERNAL: Status = 6;

/// The error of a function.
#[derive(Debug)]
pub(crate) struct Failure(Status, String);

impl Failure {
    pub fn illegal_argument(message: impl Into<String>) -> Failure {
        Failure(TENSORNIO_ILLEGAL_ARGUMENT, message.into())
    }

    pub fn index_out_of_bounds(message: impl Into<String>) -> Failure {
        Failure(TENSORNIO_INDEX_OUT_OF_BOUNDS, message.into())
    }

    pub fn illegal_state(message: impl Into<String>) -> Failure {
        Failure(TENSORNIO_ILLEGAL_STATE, message.into())
    }

    pub fn out_of_memory(message: impl Into<String>) -> Failure {
        Failure(TENSORNIO_OUT_OF_MEMORY, message.into())
    }
}

impl From<tensornio_core::Error> for Failure {
    fn from(error: tensornio_core::Error) -> Failure {
        use tensornio_core::ErrorKind;
        let status = match error.kind() {
            ErrorKind::IndexOutOfBounds => TENSORNIO_INDEX_OUT_OF_BOUNDS,
            ErrorKind::IllegalArgument => TENSORNIO_ILLEGAL_ARGUMENT,
            ErrorKind::IllegalState => TENSORNIO_ILLEGAL_STATE,
            ErrorKind::OutOfMemory => TENSORNIO_OUT_OF_MEMORY,
            ErrorKind::Internal => TENSORNIO_INTERNAL,
        };
        Failure(status, error.to_string())
    }
}

impl From<tensornio_compute::Error> for Failure {
    fn from(error: tensornio_compute::Error) -> Failure {
        use tensornio_compute::ErrorKind;
        let status = match error.kind() {
            ErrorKind::IllegalArgument => TENSORNIO_ILLEGAL_ARGUMENT,
            ErrorKind::IndexOutOfBounds => TENSORNIO_INDEX_OUT_OF_BOUNDS,
            ErrorKind::Arithmetic => TENSORNIO_ARITHMETIC,
            ErrorKind::OutOfMemory | ErrorKind::StackOverflow => TENSORNIO_OUT_OF_MEMORY,
        };
        Failure(status, error.to_string())
    }
}

/// The capacity of a message in bytes, with its zero byte. Every single error fits; a program may have many.
const MESSAGE: usize = 4096;
/// The end of a truncated message.
const CUT: &str = "...";

/// A string that ends with a zero byte.
struct Message(UnsafeCell<[u8; MESSAGE]>);

thread_local! {
    /// The message of this thread's last call that failed. It has no destructor, since one would keep the library from being unloaded as long as the
    /// thread lives.
    static LAST: Message = const { Message(UnsafeCell::new([0; MESSAGE])) };
}

/// The length of the longest prefix of a text that fits, in whole characters.
fn fitting(text: &str, capacity: usize) -> usize {
    let mut end = text.len().min(capacity);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

fn remember(text: &str) {
    // A zero byte, for instance in a name, would end the text for C.
    let text = text.replace('\0', "\u{fffd}");
    LAST.with(|last| {
        // SAFETY: only this thread and C access it, the latter between calls; neither this nor `tensornio_last_error` keeps a reference.
        let bytes = unsafe { &mut *last.0.get() };
        let (end, cut) = match text.len() < MESSAGE {
            true => (text.len(), ""),
            false => (fitting(&text, MESSAGE - 1 - CUT.len()), CUT),
        };
        bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
        bytes[end..end + cut.len()].copy_from_slice(cut.as_bytes());
        bytes[end + cut.len()] = 0;
    });
}

/// The message of the last call of this thread that did not return TENSORNIO_OK, in UTF-8; a line for each error of a program. Empty if
/// there was none. Calls that succeed do not change it.
///
/// The text is valid until the next call of this thread that fails, and not after the end of the thread. Never NULL.
#[no_mangle]
pub extern "C" fn tensornio_last_error() -> *const c_char {
    LAST.with(|last| last.0.get().cast::<c_char>().cast_const())
}

/// Runs the body of a function; an error or a panic becomes its status.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> Status {
    static PLACES: Once = Once::new();
    // The location of a panic is in the message; nothing is printed.
    PLACES.call_once(panics::record_places);
    match panic::catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => TENSORNIO_OK,
        Ok(Err(Failure(status, message))) => {
            remember(&message);
            status
        }
        Err(payload) => {
            let place = panics::take_place().unwrap_or_else(|| "an unknown place".to_owned());
            remember(&format!("panic: {} (at {place})", said(&*payload)));
            // Its drop may panic, too; no code of this library has such a payload.
            std::mem::forget(payload);
            TENSORNIO_INTERNAL
        }
    }
}

fn said(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&'static str>().copied();
    literal
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("its payload is no text")
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn last() -> String {
        // SAFETY: it ends with a zero.
        unsafe { CStr::from_ptr(tensornio_last_error()) }
            .to_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_panic_becomes_a_status_that_names_its_place() {
        assert_eq!(guard(|| panic!("a bug")), TENSORNIO_INTERNAL);
        let said = last();
        assert!(said.starts_with("panic: a bug (at "), "{said}");
        assert!(said.contains("status.rs:"), "{said}");
    }

    #[test]
    fn long_messages_are_cut_at_the_end_of_a_character() {
        for text in ["a", "\u{e4}", "a\u{20ac}", "\u{1f600}"] {
            for times in [MESSAGE / text.len() - 2, MESSAGE / text.len(), MESSAGE] {
                let long = text.repeat(times);
                remember(&long);
                let said = last();
                match long.len() < MESSAGE {
                    true => assert_eq!(said, long),
                    false => assert!(long.starts_with(said.strip_suffix(CUT).unwrap())),
                }
                assert!(said.len() < MESSAGE && said.len() + 8 > MESSAGE - 8 || said == long);
            }
        }
    }

    #[test]
    fn a_zero_does_not_end_a_message() {
        remember("one\0two");
        assert_eq!(last(), "one\u{fffd}two");
    }

    #[test]
    fn each_thread_has_its_own_message() {
        remember("here");
        let there = std::thread::spawn(last).join().unwrap();
        assert_eq!((there.as_str(), last().as_str()), ("", "here"));
    }
}
