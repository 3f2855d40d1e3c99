//! Direct buffers and arrays as the sides of bulk operations.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::classes::Classes;
use crate::env::{Env, Pending};
use crate::guard::{not_null, Failure};
use crate::handle::{Array, Ref};
use crate::logging::Silence;
use crate::memory::reach;

/// A non-null argument that is to be a side, and its name for messages.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    object: Ref<'a>,
    name: &'static str,
}

impl<'a> Given<'a> {
    /// The argument, or `NullPointerException`.
    pub fn new(argument: Option<Ref<'a>>, name: &'static str) -> Result<Given<'a>, Failure> {
        let object = not_null(argument, name)?;
        Ok(Given { object, name })
    }
}

/// The location of the elements of a side.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Direct(NonNull<u8>),
    Array(Array<'a>),
}

/// One side of a bulk operation: it has `len` elements of `width` bytes. Its fields are private, so that this holds.
pub(crate) struct Operand<'a> {
    place: Place<'a>,
    len: usize,
    width: usize,
    name: &'static str,
}

impl<'a> Operand<'a> {
    /// A direct buffer or an array whose elements have that many bytes. The width is part of the check: with another one the
    /// length would be measured in the wrong unit.
    pub fn new(
        env: Env<'a>,
        Given { object, name }: Given<'a>,
        element_bytes: i32,
    ) -> Result<Operand<'a>, Failure> {
        let classes = Classes::get().ok_or_else(|| Failure::internal("the library is unloaded"))?;
        let width = usize::try_from(element_bytes).unwrap_or(0);
        let is_a = |class| env.is_instance(object, class);
        // A call of the JVM takes 10 to 20 ns: whether there is an address distinguishes both kinds by one call.
        if let Some(first) = env.direct_address(object) {
            if classes.buffers(width).any(is_a) {
                if let Some(len) = env.direct_capacity(object) {
                    let len = reach(first, len * width) / width;
                    let place = Place::Direct(first);
                    return Ok(Operand {
                        place,
                        len,
                        width,
                        name,
                    });
                }
            }
        } else if let Some((_, primitive)) = classes.arrays(width).find(|&(class, _)| is_a(class)) {
            // SAFETY: it is an instance of the class of arrays of these primitives.
            let array = unsafe { object.as_array(primitive) };
            let place = Place::Array(array);
            let len = env.len(array);
            return Ok(Operand {
                place,
                len,
                width,
                name,
            });
        }
        Err(Failure::illegal_argument(format!(
            "{name} is a {}, neither a direct buffer nor an array of elements of {element_bytes} bytes",
            classes.name_of(env, object)?
        )))
    }

    /// The location of the elements.
    pub fn place(&self) -> Place<'a> {
        self.place
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The bytes of an element.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The name of the argument.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The failure if the JVM did not pin an array.
    pub fn not_pinned(&self) -> Failure {
        Failure::out_of_memory(not_pinned(self.name, self.len, self.width))
    }
}

/// Whether the JVM returns copies of arrays without reporting it.
static SECRET_COPIES: AtomicBool = AtomicBool::new(false);

/// Probes at load time whether the JVM returns copies of arrays without reporting it.
pub(crate) fn expect_copies(env: Env<'_>) -> Result<(), Pending> {
    let array = env.new_byte()?;
    let secret = copies_in_secret(env, array.as_array()).ok_or(Pending)?;
    SECRET_COPIES.store(secret, Ordering::Relaxed);
    env.delete(array);
    Ok(())
}

/// Whether the JVM returns copies of an array without reporting it, as JDK 17 and 25 do under `-Xcheck:jni`: then the
/// addresses of two requests differ. `None` if it has no memory for them.
pub(crate) fn copies_in_secret(env: Env<'_>, array: Array<'_>) -> Option<bool> {
    // SAFETY: nothing happens before both are dropped, the last one first.
    let one = unsafe { Elements::open(env, Place::Array(array)) }?;
    // SAFETY: as above.
    let other = unsafe { Elements::open(env, Place::Array(array)) }?;
    Some(!one.are_copy() && one.first != other.first)
}

/// Access to the elements of a side; an array is pinned as long as this lives.
pub(crate) struct Elements<'a> {
    first: NonNull<u8>,
    /// Whether the elements may have changed.
    written: bool,
    pinned: Option<Pinned<'a>>,
}

struct Pinned<'a> {
    env: Env<'a>,
    array: Array<'a>,
    is_copy: bool,
    _silence: Silence,
}

impl<'a> Elements<'a> {
    /// Pins the elements if they are an array's; `None` if the JVM has no memory for it.
    ///
    /// # Safety
    /// Until the result is dropped, the thread makes no JNI call but to open further sides, which are dropped before
    /// this one, and does not wait for a thread that may wait for the collector.
    pub unsafe fn open(env: Env<'a>, place: Place<'a>) -> Option<Elements<'a>> {
        match place {
            Place::Direct(first) => Some(Elements {
                first,
                written: false,
                pinned: None,
            }),
            Place::Array(array) => {
                let _silence = Silence::enter();
                // SAFETY: the caller's promise; log records of this thread are dropped meanwhile, so that no Java logger is called.
                let (first, is_called_copy) = unsafe { env.enter_critical(array) }?;
                let is_copy = is_called_copy || SECRET_COPIES.load(Ordering::Relaxed);
                Some(Elements {
                    first,
                    written: false,
                    pinned: Some(Pinned {
                        env,
                        array,
                        is_copy,
                        _silence,
                    }),
                })
            }
        }
    }
}

impl Elements<'_> {
    /// Whether they are a copy, which the JVM made instead of pinning the array. It must not be written: written back
    /// as a whole, it would overwrite concurrent writes to other elements.
    pub fn are_copy(&self) -> bool {
        matches!(&self.pinned, Some(pinned) if pinned.is_copy)
    }

    /// Marks the elements, which are not a copy, as written.
    pub fn write(&mut self) {
        debug_assert!(!self.are_copy(), "a copy is not written");
        self.written = true;
    }

    /// The address of the first element.
    pub fn first(&self) -> *mut u8 {
        self.first.as_ptr()
    }

    /// The address of an element.
    ///
    /// # Safety
    /// There is such an element.
    pub unsafe fn at(&self, index: i64, width: usize) -> *mut u8 {
        // SAFETY: the element is inside of mapped memory, so the product fits.
        unsafe { self.first.as_ptr().offset(index as isize * width as isize) }
    }
}

impl Drop for Elements<'_> {
    fn drop(&mut self) {
        if let Some(Pinned { env, array, .. }) = &self.pinned {
            // SAFETY: entered in `open`, left here only; sides that were opened later are gone, as was promised there.
            unsafe { env.leave_critical(*array, self.first, self.written) };
        }
    }
}

/// The message; JVMs that do not pin copy the whole array, whatever part is used.
fn not_pinned(name: &str, len: usize, width: usize) -> String {
    format!(
        "{name} is an array of {len} elements, and the JVM has no {} bytes outside of its heap for native code to work on them: leave it more \
         memory, or use a direct buffer",
        len * width
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_that_is_not_pinned_is_named_with_what_helps() {
        assert_eq!(
            not_pinned("values", 1000, 8),
            "values is an array of 1000 elements, and the JVM has no 8000 bytes outside of its heap for native code to work on them: \
             leave it more memory, or use a direct buffer"
        );
    }
}
