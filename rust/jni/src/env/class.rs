//! Classes: found, held or remembered, and their methods.

use std::ffi::{c_void, CStr};
use std::ptr;

use jni::sys;

use super::{Env, Pending};
use crate::handle::{Class, ClassRef, LocalClass, LocalText, Method, Ref, WeakClass};

impl<'a> Env<'a> {
    /// Finds a class by the class loader that loads this library.
    pub fn find_class(self, name: &CStr) -> Result<LocalClass<'a>, Pending> {
        // SAFETY: `name` ends in NUL; the answer is a local reference to a class, or null.
        unsafe { LocalClass::from_raw(call!(self, v1_2.FindClass, name.as_ptr())) }.ok_or(Pending)
    }

    /// The class of an object.
    pub fn class_of(self, object: Ref<'_>) -> Option<LocalClass<'a>> {
        // SAFETY: `object` is a valid reference that is not null; the answer is a local reference to its class.
        unsafe { LocalClass::from_raw(call!(self, v1_2.GetObjectClass, object.as_raw())) }
    }

    /// Whether the object is an instance of the class.
    pub fn is_instance(self, object: Ref<'_>, class: ClassRef<'_>) -> bool {
        // SAFETY: both are valid references that are not null.
        unsafe { call!(self, v1_2.IsInstanceOf, object.as_raw(), class.as_raw()) }
    }

    /// Holds a class.
    pub fn hold(self, class: ClassRef<'_>) -> Result<Class, Pending> {
        // SAFETY: the class is alive, and stays so by the answer, unless that is null.
        unsafe { Class::from_raw(call!(self, v1_2.NewGlobalRef, class.as_raw())) }.ok_or(Pending)
    }

    /// Gives up the global reference.
    pub fn release(self, class: Class) {
        // SAFETY: `class` is a global reference, whose only handle this was.
        unsafe { call!(self, v1_2.DeleteGlobalRef, class.as_class().as_raw()) };
    }

    /// Remembers a class without holding it.
    pub fn remember(self, class: ClassRef<'_>) -> Result<WeakClass, Pending> {
        // SAFETY: the class is alive; the answer is a weak global reference to it, or null.
        unsafe { WeakClass::from_raw(call!(self, v1_2.NewWeakGlobalRef, class.as_raw())) }
            .ok_or(Pending)
    }

    /// A local reference to a class that is remembered; `None` when it was collected.
    pub fn recall(self, class: WeakClass) -> Option<LocalClass<'a>> {
        // SAFETY: `class` is a weak global reference, of which this call makes a local one or null.
        unsafe { LocalClass::from_raw(call!(self, v1_2.NewLocalRef, class.as_raw())) }
    }

    /// Gives up the weak global reference.
    ///
    /// # Safety
    /// No copy of `class` is used afterwards.
    pub unsafe fn forget(self, class: WeakClass) {
        // SAFETY: `class` is a weak global reference; that it is the last use is the caller's promise.
        unsafe { call!(self, v1_2.DeleteWeakGlobalRef, class.as_raw()) };
    }

    /// Links native methods of a class, each by its name, its signature and its function.
    ///
    /// # Safety
    /// Each function has the parameters and the result of its signature.
    pub unsafe fn link(
        self,
        class: ClassRef<'_>,
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

    /// A static method of the class.
    pub fn static_method(
        self,
        class: ClassRef<'_>,
        name: &CStr,
        signature: &CStr,
    ) -> Result<Method, Pending> {
        // SAFETY: the class is alive, the strings end in NUL; the answer is the ID of a method, or null.
        unsafe {
            Method::from_raw(call!(
                self,
                v1_2.GetStaticMethodID,
                class.as_raw(),
                name.as_ptr(),
                signature.as_ptr()
            ))
        }
        .ok_or(Pending)
    }

    /// An instance method of the class.
    pub fn method(
        self,
        class: ClassRef<'_>,
        name: &CStr,
        signature: &CStr,
    ) -> Result<Method, Pending> {
        // SAFETY: the class is alive, the strings end in NUL; the answer is the ID of a method, or null.
        unsafe {
            Method::from_raw(call!(
                self,
                v1_2.GetMethodID,
                class.as_raw(),
                name.as_ptr(),
                signature.as_ptr()
            ))
        }
        .ok_or(Pending)
    }

    /// Calls a static method that returns nothing.
    ///
    /// # Safety
    /// `method` is a static method of `class` that takes exactly `arguments` and returns void.
    pub unsafe fn call_static(
        self,
        class: ClassRef<'_>,
        method: Method,
        arguments: &[sys::jvalue],
    ) -> Result<(), Pending> {
        // SAFETY: the class is alive; the rest is the caller's promise.
        unsafe {
            call!(
                self,
                v1_2.CallStaticVoidMethodA,
                class.as_raw(),
                method.as_raw(),
                arguments.as_ptr()
            )
        };
        self.check()
    }

    /// Calls a static method without arguments that returns a `long`.
    ///
    /// # Safety
    /// `method` is such a method of `class`.
    pub unsafe fn call_for_long(
        self,
        class: ClassRef<'_>,
        method: Method,
    ) -> Result<sys::jlong, Pending> {
        // SAFETY: the class is alive; the rest is the caller's promise.
        let answer = unsafe {
            call!(
                self,
                v1_2.CallStaticLongMethodA,
                class.as_raw(),
                method.as_raw(),
                ptr::null()
            )
        };
        self.check().map(|()| answer)
    }

    /// Calls an instance method without arguments that returns a string.
    ///
    /// # Safety
    /// `method` is such a method of the class of `object`.
    pub unsafe fn call_for_text(
        self,
        object: Ref<'_>,
        method: Method,
    ) -> Result<Option<LocalText<'a>>, Pending> {
        // SAFETY: `object` is alive; the rest is the caller's promise.
        let text = unsafe {
            call!(
                self,
                v1_2.CallObjectMethodA,
                object.as_raw(),
                method.as_raw(),
                ptr::null()
            )
        };
        self.check()?;
        // SAFETY: the method returns a local reference to a string, or null.
        Ok(unsafe { LocalText::from_raw(text) })
    }
}
