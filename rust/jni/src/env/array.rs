//! Arrays of primitives.

use std::ptr::{self, NonNull};

use jni::sys;

use super::{Env, Pending};
use crate::handle::{Array, LongArray};

impl Env<'_> {
    /// The length of an array.
    pub fn len(self, array: Array<'_>) -> usize {
        // SAFETY: `array` is an array (the invariant of its type).
        let length = unsafe { call!(self, v1_2.GetArrayLength, array.as_raw()) };
        usize::try_from(length).unwrap_or(0)
    }

    /// Copies the first elements of the array, which must have as many, into `values`.
    pub fn read_longs(self, array: LongArray<'_>, values: &mut [i64]) -> Result<(), Pending> {
        // SAFETY: `values` has room for its own length, and the JVM throws when the array has fewer; a Java array has
        // no more than i32::MAX elements, so a clamped length throws too.
        unsafe {
            let length = i32::try_from(values.len()).unwrap_or(i32::MAX);
            call!(
                self,
                v1_2.GetLongArrayRegion,
                array.array().as_raw(),
                0,
                length,
                values.as_mut_ptr()
            );
        }
        self.check()
    }

    /// Copies `values` to the start of the array, which must have room for them.
    pub fn write_longs(self, array: LongArray<'_>, values: &[i64]) -> Result<(), Pending> {
        // SAFETY: as in `read_longs`, with the direction turned.
        unsafe {
            let length = i32::try_from(values.len()).unwrap_or(i32::MAX);
            call!(
                self,
                v1_2.SetLongArrayRegion,
                array.array().as_raw(),
                0,
                length,
                values.as_ptr()
            );
        }
        self.check()
    }

    /// Enters a critical section over the array's elements; `None` when the JVM has no memory for it.
    ///
    /// # Safety
    /// Until `leave_critical` this thread makes no JNI call but entering and leaving further such sections, and does not block.
    pub unsafe fn enter_critical(self, array: Array<'_>) -> Option<NonNull<u8>> {
        // SAFETY: `array` is an array of primitives; the section's rules are the caller's promise.
        NonNull::new(
            unsafe {
                call!(
                    self,
                    v1_2.GetPrimitiveArrayCritical,
                    array.as_raw(),
                    ptr::null_mut()
                )
            }
            .cast(),
        )
    }

    /// Leaves a critical section; the elements are kept when `written`, else whatever a copy of them holds is dropped.
    ///
    /// # Safety
    /// `elements` is what `enter_critical` gave for this array, left once, in reverse order of entering.
    pub unsafe fn leave_critical(self, array: Array<'_>, elements: NonNull<u8>, written: bool) {
        let mode = if written { 0 } else { sys::JNI_ABORT };
        // SAFETY: the caller's promise.
        unsafe {
            call!(
                self,
                v1_2.ReleasePrimitiveArrayCritical,
                array.as_raw(),
                elements.as_ptr().cast(),
                mode
            )
        };
    }
}
