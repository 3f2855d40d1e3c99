//! The source locations of panics, which payloads do not contain.
//!
//! A panic hook records the location; the code that catches the panic takes it. Worker threads pass it on to the thread that shared the work.

use std::cell::Cell;
use std::panic;
use std::ptr;

thread_local! {
    /// The location of this thread's last panic: a `Box<String>` as a pointer, since a thread-local with a destructor would keep
    /// the library from being unloaded as long as the thread lives.
    static PLACE: Cell<*mut String> = const { Cell::new(ptr::null_mut()) };
}

/// Makes panics record their locations instead of printing them, until another hook is set.
pub fn record_places() {
    panic::set_hook(Box::new(|panic| {
        let place = panic.location();
        if let Some(place) = place {
            leave_place(Some(format!("{}:{}", place.file(), place.line())));
        }
    }));
}

/// Takes the location of this thread's last panic, if one was recorded and not taken yet.
pub fn take_place() -> Option<String> {
    replace_place(ptr::null_mut())
}

/// Records the location of a panic that this thread is about to resume.
pub(crate) fn leave_place(place: Option<String>) {
    let place = place.map_or(ptr::null_mut(), |place| Box::into_raw(Box::new(place)));
    drop(replace_place(place));
}

fn replace_place(place: *mut String) -> Option<String> {
    let before = PLACE.replace(place);
    if before.is_null() {
        return None;
    }
    // SAFETY: the cell held the result of `Box::into_raw` in `leave_place`, and was emptied just now.
    Some(*unsafe { Box::from_raw(before) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_place_can_be_taken_once() {
        assert_eq!(take_place(), None);
        leave_place(Some("here".to_owned()));
        leave_place(Some("there".to_owned()));
        assert_eq!(take_place().as_deref(), Some("there"));
        assert_eq!(take_place(), None);
    }
}
