//! Arrays.

use std::ptr::NonNull;

use jni::sys;

use super::{Env, Pending};
use crate::handle::{
    Array, LocalBytes, LocalLongs, LocalObject, LongArray, ObjectArray, Primitive,
};

impl<'a> Env<'a> {
    /// A new array of one byte.
    pub fn new_byte(self) -> Result<LocalBytes<'a>, Pending> {
        // SAFETY: the call has no precondition; the answer is a local reference to an array of bytes, or null.
        unsafe { LocalBytes::from_raw(call!(self, v1_2.NewByteArray, 1)) }.ok_or(Pending)
    }

    /// A new array of these numbers.
    pub fn new_longs(self, values: &[i64]) -> Result<LocalLongs<'a>, Pending> {
        let n = clamped(values.len());
        // SAFETY: the length is not negative; the answer is a local reference to an array of longs, or null.
        let array =
            unsafe { LocalLongs::from_raw(call!(self, v1_2.NewLongArray, n)) }.ok_or(Pending)?;
        self.write_longs(array.as_longs(), values)?;
        Ok(array)
    }

    /// The length of an array of objects.
    pub fn len_of_objects(self, array: ObjectArray<'_>) -> usize {
        // SAFETY: `array` is an array (the invariant of its type).
        let length = unsafe { call!(self, v1_2.GetArrayLength, array.as_raw()) };
        usize::try_from(length).unwrap_or(0)
    }

    /// An element of an array of objects, which must have it; `None` if it is null.
    pub fn object(
        self,
        array: ObjectArray<'_>,
        at: usize,
    ) -> Result<Option<LocalObject<'a>>, Pending> {
        // SAFETY: `array` is an array of objects (the invariant of its type); the JVM throws when it has no such element. The answer is a local
        // reference, or null.
        let element = unsafe {
            LocalObject::from_raw(call!(
                self,
                v1_2.GetObjectArrayElement,
                array.as_raw(),
                clamped(at)
            ))
        };
        if element.is_none() {
            self.check()?;
        }
        Ok(element)
    }

    /// The length of an array.
    pub fn len(self, array: Array<'_>) -> usize {
        // SAFETY: `array` is an array (the invariant of its type).
        let length = unsafe { call!(self, v1_2.GetArrayLength, array.as_raw()) };
        usize::try_from(length).unwrap_or(0)
    }

    /// Copies the first elements of the array, which must be long enough, into `values`.
    pub fn read_longs(self, array: LongArray<'_>, values: &mut [i64]) -> Result<(), Pending> {
        // SAFETY: as many as `values` can hold.
        unsafe { self.read_region(array.array(), 0, values.len(), values.as_mut_ptr().cast()) }
    }

    /// Copies `values` to the start of the array, which must not be shorter.
    pub fn write_longs(self, array: LongArray<'_>, values: &[i64]) -> Result<(), Pending> {
        // SAFETY: `values` has its own length.
        unsafe { self.write_region(array.array(), 0, values.len(), values.as_ptr().cast()) }
    }

    /// Copies `n` elements of the array, which must have them, from `at` on.
    ///
    /// # Safety
    /// `to` is aligned and has the capacity for them.
    pub unsafe fn read_region(
        self,
        array: Array<'_>,
        at: usize,
        n: usize,
        to: *mut u8,
    ) -> Result<(), Pending> {
        let (env, raw, at, n) = (self, array.as_raw(), clamped(at), clamped(n));
        // SAFETY: the array has such primitives (the invariant of its type), the capacity is the caller's promise. The JVM throws when
        // the array has fewer elements: one has no more than i32::MAX, so numbers that are clamped throw, too.
        unsafe {
            match array.primitive() {
                Primitive::Float => call!(env, v1_2.GetFloatArrayRegion, raw, at, n, to.cast()),
                Primitive::Double => call!(env, v1_2.GetDoubleArrayRegion, raw, at, n, to.cast()),
                Primitive::Int => call!(env, v1_2.GetIntArrayRegion, raw, at, n, to.cast()),
                Primitive::Long => call!(env, v1_2.GetLongArrayRegion, raw, at, n, to.cast()),
                Primitive::Boolean => call!(env, v1_2.GetBooleanArrayRegion, raw, at, n, to.cast()),
                Primitive::Byte => call!(env, v1_2.GetByteArrayRegion, raw, at, n, to.cast()),
            }
        };
        self.check()
    }

    /// Copies `n` elements to those of the array, which must have them, from `at` on; others are not accessed.
    ///
    /// # Safety
    /// `from` is valid for reads of them, and aligned.
    pub unsafe fn write_region(
        self,
        array: Array<'_>,
        at: usize,
        n: usize,
        from: *const u8,
    ) -> Result<(), Pending> {
        let (env, raw, at, n) = (self, array.as_raw(), clamped(at), clamped(n));
        // SAFETY: as in `read_region`, with the direction turned.
        unsafe {
            match array.primitive() {
                Primitive::Float => call!(env, v1_2.SetFloatArrayRegion, raw, at, n, from.cast()),
                Primitive::Double => call!(env, v1_2.SetDoubleArrayRegion, raw, at, n, from.cast()),
                Primitive::Int => call!(env, v1_2.SetIntArrayRegion, raw, at, n, from.cast()),
                Primitive::Long => call!(env, v1_2.SetLongArrayRegion, raw, at, n, from.cast()),
                Primitive::Boolean => {
                    call!(env, v1_2.SetBooleanArrayRegion, raw, at, n, from.cast())
                }
                Primitive::Byte => call!(env, v1_2.SetByteArrayRegion, raw, at, n, from.cast()),
            }
        };
        self.check()
    }

    /// Enters a critical section over the array's elements, and returns whether the JVM reports a copy; `None` if the JVM has no memory for it.
    ///
    /// # Safety
    /// Until `leave_critical` this thread makes no JNI call but entering and leaving further such sections, and does not block.
    pub unsafe fn enter_critical(self, array: Array<'_>) -> Option<(NonNull<u8>, bool)> {
        // A byte, since a `bool` would have to be trusted to be 0 or 1.
        let mut is_copy = 0u8;
        // SAFETY: `array` is an array of primitives; the section's rules are the caller's promise.
        let elements = unsafe {
            call!(
                self,
                v1_2.GetPrimitiveArrayCritical,
                array.as_raw(),
                (&raw mut is_copy).cast()
            )
        };
        Some((NonNull::new(elements.cast())?, is_copy != 0))
    }

    /// Leaves a critical section; a copy of the elements is written back if `written`, else dropped.
    ///
    /// # Safety
    /// `elements` was returned by `enter_critical` for this array; sections are left once, in reverse order of entering.
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

/// A number of elements as the JVM takes it.
fn clamped(number: usize) -> sys::jint {
    sys::jint::try_from(number).unwrap_or(sys::jint::MAX)
}
