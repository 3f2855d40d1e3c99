//! The calls of the JNI function table that the boundary uses, each once.
//!
//! Why the raw table: jni-rs costs about 19 ns to enter and, where it throws, looks classes up through the thread's
//! context class loader, which belongs to the application. Nothing here looks anything up by itself.
//!
//! What is not marked `unsafe` takes handles that cannot be wrong: see `handle`.

use std::ffi::{c_void, CStr};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use jni::strings::JNIString;
use jni::sys;

use crate::handle::{Array, Class, LongArray, Method, Ref, Text, WeakClass};

/// The JNI environment of the current thread, as the JVM hands it to a native method.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Env<'a>(NonNull<sys::JNIEnv>, PhantomData<&'a sys::JNIEnv>);

/// The JVM has thrown: an exception is pending in this thread.
#[derive(Debug)]
pub(crate) struct Pending;

/// One call of the function table. The environment comes first in every one of them.
macro_rules! call {
    ($env:expr, $version:ident . $name:ident $(, $argument:expr)*) => {
        ((**$env.0.as_ptr()).$version.$name)($env.0.as_ptr() $(, $argument)*)
    };
}

impl<'a> Env<'a> {
    /// The environment, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or the environment of this thread, which the JVM knows for `'a`.
    pub(crate) unsafe fn from_raw(raw: *mut sys::JNIEnv) -> Option<Env<'a>> {
        NonNull::new(raw).map(|env| Env(env, PhantomData))
    }

    /// Whether an exception is pending.
    pub(crate) fn is_pending(self) -> bool {
        // SAFETY: `self` is this thread's environment (the invariant of the type); the call has no precondition.
        unsafe { call!(self, v1_2.ExceptionCheck) }
    }

    /// Turns a pending exception into an `Err`.
    pub(crate) fn check(self) -> Result<(), Pending> {
        if self.is_pending() {
            Err(Pending)
        } else {
            Ok(())
        }
    }

    /// Takes the pending exception away, if there is one.
    pub(crate) fn take_pending(self) -> Option<Ref<'a>> {
        // SAFETY: both calls are among those that are allowed while an exception is pending.
        unsafe {
            let thrown = Ref::from_raw(call!(self, v1_2.ExceptionOccurred));
            if thrown.is_some() {
                call!(self, v1_2.ExceptionClear);
            }
            thrown
        }
    }

    /// Makes an exception that was taken pending again.
    pub(crate) fn rethrow(self, thrown: Ref<'a>) {
        // SAFETY: `thrown` came from `ExceptionOccurred` of this thread, so it is a Throwable. What the call answers
        // says that throwing failed, upon which another exception is pending: nothing is left to do.
        unsafe { call!(self, v1_2.Throw, thrown.as_raw()) };
    }

    /// Throws a new exception of the class, which must be a Throwable with a constructor from a string.
    pub(crate) fn throw_new(self, class: Ref<'a>, message: &CStr) {
        // SAFETY: the class is alive, the message ends in NUL. Its encoding is the caller's duty for the text's sake
        // alone: the JVM does not fault at malformed bytes. The answer: as in `rethrow`.
        unsafe { call!(self, v1_2.ThrowNew, class.as_raw(), message.as_ptr()) };
    }

    /// Finds a class from the class loader of whoever loads this library.
    pub(crate) fn find_class(self, name: &CStr) -> Result<Ref<'a>, Pending> {
        // SAFETY: `name` ends in NUL.
        unsafe { Ref::from_raw(call!(self, v1_2.FindClass, name.as_ptr())) }.ok_or(Pending)
    }

    /// Links native methods of a class, each by its name, its signature and its function.
    ///
    /// # Safety
    /// Each function takes and gives what its signature says.
    pub(crate) unsafe fn link(
        self,
        class: Ref<'a>,
        methods: &[(&CStr, &CStr, *mut c_void)],
    ) -> Result<(), Pending> {
        let table: Vec<_> = methods
            .iter()
            .map(|&(name, signature, function)| sys::JNINativeMethod {
                name: name.as_ptr().cast_mut(),
                signature: signature.as_ptr().cast_mut(),
                fnPtr: function,
            })
            .collect();
        let n = sys::jint::try_from(table.len()).map_err(|_| Pending)?;
        // SAFETY: the class is alive, the table has `n` entries, and the JVM copies what it needs of them and writes nothing; the functions are
        // the caller's duty.
        match unsafe {
            call!(
                self,
                v1_2.RegisterNatives,
                class.as_raw(),
                table.as_ptr(),
                n
            )
        } {
            sys::JNI_OK => Ok(()),
            _ => Err(Pending),
        }
    }

    /// Holds a class.
    pub(crate) fn hold(self, class: Ref<'a>) -> Result<Class, Pending> {
        // SAFETY: `class` is a valid reference.
        NonNull::new(unsafe { call!(self, v1_2.NewGlobalRef, class.as_raw()) })
            .map(Class)
            .ok_or(Pending)
    }

    /// Remembers a class without holding it.
    pub(crate) fn remember(self, class: Ref<'a>) -> Result<WeakClass, Pending> {
        // SAFETY: `class` is a valid reference.
        NonNull::new(unsafe { call!(self, v1_2.NewWeakGlobalRef, class.as_raw()) })
            .map(WeakClass)
            .ok_or(Pending)
    }

    /// A local reference to a class that is remembered; `None` when it was collected.
    pub(crate) fn recall(self, class: WeakClass) -> Option<Ref<'a>> {
        // SAFETY: `class` is a weak global reference, of which this call makes a local one or null.
        unsafe { Ref::from_raw(call!(self, v1_2.NewLocalRef, class.0.as_ptr())) }
    }

    /// Gives up the global reference.
    ///
    /// # Safety
    /// No copy of `class` is used afterwards.
    pub(crate) unsafe fn release(self, class: Class) {
        // SAFETY: `class` is a global reference; that it is the last use is the caller's promise.
        unsafe { call!(self, v1_2.DeleteGlobalRef, class.0.as_ptr()) };
    }

    /// Gives up the weak global reference.
    ///
    /// # Safety
    /// No copy of `class` is used afterwards.
    pub(crate) unsafe fn forget(self, class: WeakClass) {
        // SAFETY: `class` is a weak global reference; that it is the last use is the caller's promise.
        unsafe { call!(self, v1_2.DeleteWeakGlobalRef, class.0.as_ptr()) };
    }

    /// Gives up a local reference before the native call ends. Only the handle is lost, so using a copy of it later is an error of
    /// the caller that `-Xcheck:jni` finds.
    pub(crate) fn delete(self, reference: Ref<'a>) {
        // SAFETY: `reference` is a local reference of this thread; deleting is allowed while an exception is pending.
        unsafe { call!(self, v1_2.DeleteLocalRef, reference.as_raw()) };
    }

    /// A static method of the class.
    pub(crate) fn static_method(
        self,
        class: Ref<'a>,
        name: &CStr,
        signature: &CStr,
    ) -> Result<Method, Pending> {
        // SAFETY: the class is alive, the strings end in NUL.
        let id = unsafe {
            call!(
                self,
                v1_2.GetStaticMethodID,
                class.as_raw(),
                name.as_ptr(),
                signature.as_ptr()
            )
        };
        NonNull::new(id).map(Method).ok_or(Pending)
    }

    /// An instance method of the class.
    pub(crate) fn method(
        self,
        class: Ref<'a>,
        name: &CStr,
        signature: &CStr,
    ) -> Result<Method, Pending> {
        // SAFETY: the class is alive, the strings end in NUL.
        let id = unsafe {
            call!(
                self,
                v1_2.GetMethodID,
                class.as_raw(),
                name.as_ptr(),
                signature.as_ptr()
            )
        };
        NonNull::new(id).map(Method).ok_or(Pending)
    }

    /// Calls a static method that returns nothing.
    ///
    /// # Safety
    /// `method` is a static method of `class` that takes exactly `arguments` and returns void.
    pub(crate) unsafe fn call_static(
        self,
        class: Ref<'a>,
        method: Method,
        arguments: &[sys::jvalue],
    ) -> Result<(), Pending> {
        // SAFETY: the class is alive; the rest is the caller's promise.
        unsafe {
            call!(
                self,
                v1_2.CallStaticVoidMethodA,
                class.as_raw(),
                method.0.as_ptr(),
                arguments.as_ptr()
            )
        };
        self.check()
    }

    /// Calls an instance method without arguments that returns a string.
    ///
    /// # Safety
    /// `method` is such a method of the class of `object`.
    pub(crate) unsafe fn call_for_text(
        self,
        object: Ref<'a>,
        method: Method,
    ) -> Result<Option<Text<'a>>, Pending> {
        // SAFETY: `object` is alive; the rest is the caller's promise.
        let text = unsafe {
            call!(
                self,
                v1_2.CallObjectMethodA,
                object.as_raw(),
                method.0.as_ptr(),
                ptr::null()
            )
        };
        self.check()?;
        // SAFETY: the method returns a local reference to a string, or null.
        Ok(unsafe { Ref::from_raw(text) }.map(Text))
    }

    /// The class of an object, as an object.
    pub(crate) fn class_of(self, object: Ref<'a>) -> Option<Ref<'a>> {
        // SAFETY: `object` is a valid reference that is not null.
        unsafe { Ref::from_raw(call!(self, v1_2.GetObjectClass, object.as_raw())) }
    }

    /// Whether the object is an instance of the class.
    pub(crate) fn is_instance(self, object: Ref<'a>, class: Class) -> bool {
        // SAFETY: both are valid references that are not null.
        unsafe {
            call!(
                self,
                v1_2.IsInstanceOf,
                object.as_raw(),
                class.as_ref().as_raw()
            )
        }
    }

    /// A new Java string; the JVM takes modified UTF-8, in which NUL and what lies beyond U+FFFF are encoded differently.
    pub(crate) fn new_text(self, text: &str) -> Result<Text<'a>, Pending> {
        let encoded = JNIString::new(text);
        // SAFETY: `encoded` is modified UTF-8 that ends in NUL.
        unsafe { Ref::from_raw(call!(self, v1_2.NewStringUTF, encoded.as_ptr())) }
            .map(Text)
            .ok_or(Pending)
    }

    /// The text of a Java string; an unpaired surrogate becomes U+FFFD.
    pub(crate) fn text(self, text: Text<'a>) -> Result<String, Pending> {
        // SAFETY: `text` is a string, whose length is never negative.
        let length = unsafe { call!(self, v1_2.GetStringLength, text.0.as_raw()) };
        let mut units = vec![0u16; usize::try_from(length).unwrap_or(0)];
        // SAFETY: the region is the whole string and `units` has room for it.
        unsafe {
            call!(
                self,
                v1_2.GetStringRegion,
                text.0.as_raw(),
                0,
                length,
                units.as_mut_ptr()
            )
        };
        self.check()?;
        Ok(String::from_utf16_lossy(&units))
    }

    /// The address of a direct buffer; `None` for every other object.
    pub(crate) fn direct_address(self, buffer: Ref<'a>) -> Option<NonNull<u8>> {
        // SAFETY: `buffer` is a valid reference; the call answers null when it is no direct buffer.
        NonNull::new(unsafe { call!(self, v1_4.GetDirectBufferAddress, buffer.as_raw()) }.cast())
    }

    /// The capacity of a direct buffer, in its own elements; `None` for every other object.
    pub(crate) fn direct_capacity(self, buffer: Ref<'a>) -> Option<usize> {
        // SAFETY: `buffer` is a valid reference; the call answers -1 when it is no direct buffer.
        let capacity = unsafe { call!(self, v1_4.GetDirectBufferCapacity, buffer.as_raw()) };
        usize::try_from(capacity).ok()
    }

    /// A new direct `ByteBuffer` over memory.
    ///
    /// # Safety
    /// The bytes stay mapped, readable and writable, for as long as the buffer or anything derived from it is reachable.
    pub(crate) unsafe fn new_direct_buffer(
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

    /// The length of an array.
    pub(crate) fn len(self, array: Array<'a>) -> usize {
        // SAFETY: `array` is an array (the invariant of its type).
        let length = unsafe { call!(self, v1_2.GetArrayLength, array.as_raw()) };
        usize::try_from(length).unwrap_or(0)
    }

    /// Copies the first elements of the array, which must have as many, into `values`.
    pub(crate) fn read_longs(
        self,
        array: LongArray<'a>,
        values: &mut [i64],
    ) -> Result<(), Pending> {
        // SAFETY: `values` has room for its own length, and the JVM throws when the array has fewer; a Java array has
        // no more than i32::MAX elements, so a clamped length throws too.
        unsafe {
            let length = i32::try_from(values.len()).unwrap_or(i32::MAX);
            call!(
                self,
                v1_2.GetLongArrayRegion,
                array.0.as_raw(),
                0,
                length,
                values.as_mut_ptr()
            );
        }
        self.check()
    }

    /// Copies `values` to the start of the array, which must have room for them.
    pub(crate) fn write_longs(self, array: LongArray<'a>, values: &[i64]) -> Result<(), Pending> {
        // SAFETY: as in `read_longs`, with the direction turned.
        unsafe {
            let length = i32::try_from(values.len()).unwrap_or(i32::MAX);
            call!(
                self,
                v1_2.SetLongArrayRegion,
                array.0.as_raw(),
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
    pub(crate) unsafe fn enter_critical(self, array: Array<'a>) -> Option<NonNull<u8>> {
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
    pub(crate) unsafe fn leave_critical(
        self,
        array: Array<'a>,
        elements: NonNull<u8>,
        written: bool,
    ) {
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
