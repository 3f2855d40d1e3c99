//! Java objects as the boundary sees them.
//!
//! Every local handle has the lifetime of the native call that it was given to and is never null; a parameter that may be null is an
//! `Option`, which has the layout of the bare pointer. Only what was asked for its class is an array.

use std::marker::PhantomData;
use std::ptr::NonNull;

use jni::sys;

/// A reference to a Java object that is valid for `'a`; not null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Ref<'a>(NonNull<sys::_jobject>, PhantomData<&'a ()>);

/// A reference to a Java array of primitives, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Array<'a>(pub(crate) Ref<'a>);

/// A reference to a `long[]`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct LongArray<'a>(pub(crate) Array<'a>);

/// A reference to a `java.lang.String`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(pub(crate) Ref<'a>);

/// A class held by a global reference; alive from `JNI_OnLoad` to `JNI_OnUnload`.
#[derive(Clone, Copy)]
pub(crate) struct Class(pub(crate) NonNull<sys::_jobject>);

// SAFETY: a global reference may be used by any thread.
unsafe impl Send for Class {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for Class {}

/// A class held by a weak global reference, which does not keep its class loader: without that, a loader that loaded this library
/// would live for ever, and the library with it.
#[derive(Clone, Copy)]
pub(crate) struct WeakClass(pub(crate) NonNull<sys::_jobject>);

// SAFETY: a weak global reference may be used by any thread.
unsafe impl Send for WeakClass {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for WeakClass {}

/// A static or instance method of a class that is alive.
#[derive(Clone, Copy)]
pub(crate) struct Method(pub(crate) NonNull<sys::_jmethodID>);

// SAFETY: a method ID is valid in every thread while its class is alive.
unsafe impl Send for Method {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for Method {}

impl Class {
    /// The class as an object.
    pub(crate) fn as_ref<'a>(self) -> Ref<'a> {
        // The lifetime says what a native call may assume: that the class is held, as it is until the library is unloaded.
        Ref(self.0, PhantomData)
    }
}

impl<'a> Ref<'a> {
    /// The reference, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or a reference that is valid for `'a`.
    pub(crate) unsafe fn from_raw(raw: sys::jobject) -> Option<Ref<'a>> {
        NonNull::new(raw).map(|reference| Ref(reference, PhantomData))
    }

    /// The bare reference, for a call.
    pub(crate) fn as_raw(self) -> sys::jobject {
        self.0.as_ptr()
    }

    /// The reference as an array.
    ///
    /// # Safety
    /// The object is an array of primitives.
    pub(crate) unsafe fn as_array(self) -> Array<'a> {
        Array(self)
    }
}

impl<'a> Array<'a> {
    /// The bare reference, for a call.
    pub(crate) fn as_raw(self) -> sys::jarray {
        self.0.as_raw()
    }
}

impl<'a> LongArray<'a> {
    /// The array without its element type.
    pub(crate) fn array(self) -> Array<'a> {
        self.0
    }
}

impl<'a> Text<'a> {
    /// The string as an object.
    pub(crate) fn as_ref(self) -> Ref<'a> {
        self.0
    }

    /// The string as an argument of a call.
    pub(crate) fn as_argument(self) -> sys::jvalue {
        sys::jvalue { l: self.0.as_raw() }
    }
}
