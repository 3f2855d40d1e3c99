//! Direct buffers and arrays as the sides of bulk operations.

use std::ptr::NonNull;

use crate::classes::Classes;
use crate::env::Env;
use crate::guard::Failure;
use crate::handle::{Array, Ref};
use crate::logging::Silence;

/// Where the elements of one side are.
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
        object: Ref<'a>,
        name: &'static str,
        element_bytes: i32,
    ) -> Result<Operand<'a>, Failure> {
        let classes = Classes::get().ok_or_else(|| Failure::internal("the library is unloaded"))?;
        let width = usize::try_from(element_bytes).unwrap_or(0);
        let is_a = |class| env.is_instance(object, class);
        // Each call of the JVM is 10 to 20 ns: whether there is an address tells the two kinds apart in one.
        if let Some(first) = env.direct_address(object) {
            if classes.buffers(width).any(is_a) {
                if let Some(len) = env.direct_capacity(object) {
                    let place = Place::Direct(first);
                    return Ok(Operand {
                        place,
                        len,
                        width,
                        name,
                    });
                }
            }
        } else if classes.arrays(width).any(is_a) {
            // SAFETY: it is an instance of one of the classes of arrays of primitives.
            let array = unsafe { object.as_array() };
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

    /// Where the elements are.
    pub fn place(&self) -> Place<'a> {
        self.place
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many bytes each has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Which argument it is.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Why the JVM gave no elements of an array.
    pub fn not_pinned(&self) -> Failure {
        Failure::out_of_memory(not_pinned(self.name, self.len, self.width))
    }
}

/// The elements of one side while they are worked on; an array is pinned as long as this lives.
pub(crate) struct Elements<'a> {
    first: NonNull<u8>,
    /// Whether the elements may have changed, so that the array must get them where the JVM gave a copy.
    written: bool,
    pinned: Option<Pinned<'a>>,
}

struct Pinned<'a> {
    env: Env<'a>,
    array: Array<'a>,
    _silence: Silence,
}

impl<'a> Elements<'a> {
    /// Pins the elements if they are an array's; `None` when the JVM has no memory for it.
    ///
    /// # Safety
    /// Until what this gives is dropped, the thread makes no JNI call but to open further sides, which are dropped before this one, and does not wait
    /// for a thread that may wait for the collector.
    pub unsafe fn open(env: Env<'a>, place: Place<'a>) -> Option<Elements<'a>> {
        match place {
            Place::Direct(first) => Some(Elements {
                first,
                written: false,
                pinned: None,
            }),
            Place::Array(array) => {
                let _silence = Silence::enter();
                // SAFETY: the caller's promise; what this thread logs meanwhile is dropped, so that no logger of Java's is called.
                let first = unsafe { env.enter_critical(array) }?;
                Some(Elements {
                    first,
                    written: false,
                    pinned: Some(Pinned {
                        env,
                        array,
                        _silence,
                    }),
                })
            }
        }
    }
}

impl Elements<'_> {
    /// Says that the elements may change from now on.
    pub fn write(&mut self) {
        self.written = true;
    }

    /// Where the element is.
    ///
    /// # Safety
    /// There is such an element.
    pub unsafe fn at(&self, index: i64, width: usize) -> *mut u8 {
        // SAFETY: the element is inside of memory that is there, so the product fits.
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

/// JVMs that do not pin an array give a copy of it all, whatever part is used.
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
