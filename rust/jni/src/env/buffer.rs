//! Direct buffers.

use std::ptr::NonNull;

use jni::sys;

use super::{Env, Pending};
use crate::handle::Ref;

impl<'a> Env<'a> {
    /// The address of a direct buffer; `None` for every other object.
    pub fn direct_address(self, buffer: Ref<'_>) -> Option<NonNull<u8>> {
        // SAFETY: `buffer` is a valid reference; the call answers null when it is no direct buffer.
        NonNull::new(unsafe { call!(self, v1_4.GetDirectBufferAddress, buffer.as_raw()) }.cast())
    }

    /// The capacity of a direct buffer, in its own elements; `None` for every other object.
    pub fn direct_capacity(self, buffer: Ref<'_>) -> Option<usize> {
        // SAFETY: `buffer` is a valid reference; the call answers -1 when it is no direct buffer.
        let capacity = unsafe { call!(self, v1_4.GetDirectBufferCapacity, buffer.as_raw()) };
        usize::try_from(capacity).ok()
    }

    /// A new direct `ByteBuffer` over memory.
    ///
    /// # Safety
    /// The bytes stay mapped, readable and writable, for as long as the buffer or anything derived from it is reachable.
    pub unsafe fn new_direct_buffer(
        self,
        address: NonNull<u8>,
        bytes: i32,
    ) -> Result<Option<Ref<'a>>, Pending> {
        // SAFETY: the memory is the caller's promise. The capacity fits an int, which the JVM itself does not check.
        let buffer = unsafe {
            call!(
                self,
                v1_4.NewDirectByteBuffer,
                address.as_ptr().cast(),
                sys::jlong::from(bytes)
            )
        };
        self.check()?;
        // SAFETY: the call returns a local reference, or null where the JVM has no direct buffers.
        Ok(unsafe { Ref::from_raw(buffer) })
    }
}
