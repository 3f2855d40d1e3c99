//! Handles of Java objects.
//!
//! Every local handle has the lifetime of the native call that it was given to and is never null; a parameter that may be null is an
//! `Option`, which has the layout of the bare pointer. A handle's type is that of its object: the JVM guarantees it for arguments and results,
//! `unsafe` code where it makes a handle.

use std::marker::PhantomData;
use std::ptr::NonNull;

use jni::sys;

/// A reference to a Java object that is valid for `'a`; not null.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Ref<'a>(NonNull<sys::_jobject>, PhantomData<&'a ()>);

impl<'a> Ref<'a> {
    /// The reference, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or a reference that is valid for `'a`.
    pub unsafe fn from_raw(raw: sys::jobject) -> Option<Ref<'a>> {
        NonNull::new(raw).map(|reference| Ref(reference, PhantomData))
    }

    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jobject {
        self.0.as_ptr()
    }

    /// The reference as an array.
    ///
    /// # Safety
    /// The object is an array of such primitives.
    pub unsafe fn as_array(self, primitive: Primitive) -> Array<'a> {
        Array(self, primitive)
    }
}

/// The element type of an array. The JVM has separate calls for each.
#[derive(Clone, Copy)]
pub(crate) enum Primitive {
    Float,
    Double,
    Int,
    Long,
    Boolean,
    Byte,
}

impl Primitive {
    /// The bytes of an element.
    pub fn width(self) -> usize {
        match self {
            Primitive::Boolean | Primitive::Byte => 1,
            Primitive::Float | Primitive::Int => 4,
            Primitive::Double | Primitive::Long => 8,
        }
    }
}

/// A reference to a Java array of primitives, valid for `'a`.
#[derive(Clone, Copy)]
pub(crate) struct Array<'a>(Ref<'a>, Primitive);

impl Array<'_> {
    /// The element type.
    pub fn primitive(self) -> Primitive {
        self.1
    }

    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jarray {
        self.0.as_raw()
    }
}

/// A reference to a `long[]`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct LongArray<'a>(Ref<'a>);

impl<'a> LongArray<'a> {
    /// The array without its element type.
    pub fn array(self) -> Array<'a> {
        Array(self.0, Primitive::Long)
    }
}

/// A reference to an `Object[]`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct ObjectArray<'a>(Ref<'a>);

impl ObjectArray<'_> {
    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jobjectArray {
        self.0.as_raw()
    }
}

/// A reference to a `ByteBuffer[]`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct BufferArray<'a>(ObjectArray<'a>);

impl<'a> BufferArray<'a> {
    /// The array without its element type.
    pub fn objects(self) -> ObjectArray<'a> {
        self.0
    }
}

/// A reference to a `java.lang.String`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(Ref<'a>);

impl Text<'_> {
    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jstring {
        self.0.as_raw()
    }

    /// The string as an argument of a call.
    pub fn as_argument(self) -> sys::jvalue {
        sys::jvalue { l: self.as_raw() }
    }
}

/// A reference to a `java.lang.Class`, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub(crate) struct ClassRef<'a>(Ref<'a>);

impl<'a> ClassRef<'a> {
    /// The class as an object.
    pub fn as_ref(self) -> Ref<'a> {
        self.0
    }

    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jclass {
        self.0.as_raw()
    }
}

/// A local reference that a call of the JVM has returned, and that can be deleted before the native call ends. It is not `Copy`, and what is borrowed
/// from it ends with it, so that it is not used afterwards.
pub(crate) struct Local<'a, K>(Ref<'a>, PhantomData<K>);

/// Marks a [`Local`] as a class.
pub(crate) enum IsClass {}
/// Marks a [`Local`] as a string.
pub(crate) enum IsText {}
/// Marks a [`Local`] as an array of bytes.
pub(crate) enum IsBytes {}
/// Marks a [`Local`] as an array of longs.
pub(crate) enum IsLongs {}
/// Marks a [`Local`] as an object of any class.
pub(crate) enum IsObject {}
/// Marks a [`Local`] as a throwable, which was pending.
pub(crate) enum IsThrown {}

/// A class.
pub(crate) type LocalClass<'a> = Local<'a, IsClass>;
/// A string.
pub(crate) type LocalText<'a> = Local<'a, IsText>;
/// An array of bytes.
pub(crate) type LocalBytes<'a> = Local<'a, IsBytes>;
/// An array of longs.
pub(crate) type LocalLongs<'a> = Local<'a, IsLongs>;
/// An object of any class.
pub(crate) type LocalObject<'a> = Local<'a, IsObject>;
/// A throwable.
pub(crate) type Thrown<'a> = Local<'a, IsThrown>;

impl<'a, K> Local<'a, K> {
    /// The reference, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or a local reference to an object of this kind, valid for `'a` unless it is given up by this handle.
    pub unsafe fn from_raw(raw: sys::jobject) -> Option<Local<'a, K>> {
        // SAFETY: the caller's promise.
        unsafe { Ref::from_raw(raw) }.map(|reference| Local(reference, PhantomData))
    }

    /// The bare reference, for a call.
    pub fn as_raw(&self) -> sys::jobject {
        self.0.as_raw()
    }

    /// The object; the reference is kept until the native call ends.
    pub fn into_ref(self) -> Ref<'a> {
        self.0
    }
}

impl LocalClass<'_> {
    /// The class, borrowed from this.
    pub fn as_class(&self) -> ClassRef<'_> {
        ClassRef(self.0)
    }
}

impl LocalText<'_> {
    /// The string, borrowed from this.
    pub fn as_text(&self) -> Text<'_> {
        Text(self.0)
    }
}

impl LocalLongs<'_> {
    /// The array, borrowed from this.
    pub fn as_longs(&self) -> LongArray<'_> {
        LongArray(self.0)
    }
}

impl LocalObject<'_> {
    /// The object, borrowed from this.
    pub fn as_object(&self) -> Ref<'_> {
        self.0
    }
}

impl LocalBytes<'_> {
    /// The array, borrowed from this.
    pub fn as_array(&self) -> Array<'_> {
        Array(self.0, Primitive::Byte)
    }
}

/// A class held by a global reference. It is not `Copy`, and what is borrowed from it ends with it, so that it is not used after it was released.
pub(crate) struct Class(NonNull<sys::_jobject>);

// SAFETY: a global reference may be used by any thread.
unsafe impl Send for Class {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for Class {}

impl Class {
    /// The class, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or a global reference to a class.
    pub unsafe fn from_raw(raw: sys::jobject) -> Option<Class> {
        NonNull::new(raw).map(Class)
    }

    /// The class, borrowed from this.
    pub fn as_class(&self) -> ClassRef<'_> {
        ClassRef(Ref(self.0, PhantomData))
    }
}

/// A class held by a weak global reference, which does not keep its class loader: without that, a loader that loaded this library
/// would never be collected, nor the library be unloaded.
#[derive(Clone, Copy)]
pub(crate) struct WeakClass(NonNull<sys::_jobject>);

// SAFETY: a weak global reference may be used by any thread.
unsafe impl Send for WeakClass {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for WeakClass {}

impl WeakClass {
    /// The class, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or a weak global reference to a class.
    pub unsafe fn from_raw(raw: sys::jobject) -> Option<WeakClass> {
        NonNull::new(raw).map(WeakClass)
    }

    /// The bare reference, for a call.
    pub fn as_raw(self) -> sys::jweak {
        self.0.as_ptr()
    }
}

/// A static or instance method of a class that is alive.
#[derive(Clone, Copy)]
pub(crate) struct Method(NonNull<sys::_jmethodID>);

// SAFETY: a method ID is valid in every thread while its class is alive.
unsafe impl Send for Method {}
// SAFETY: as above; JNI calls only read the handle.
unsafe impl Sync for Method {}

impl Method {
    /// The method, unless it is null.
    ///
    /// # Safety
    /// `raw` is null or the ID of a method.
    pub unsafe fn from_raw(raw: sys::jmethodID) -> Option<Method> {
        NonNull::new(raw).map(Method)
    }

    /// The bare ID, for a call.
    pub fn as_raw(self) -> sys::jmethodID {
        self.0.as_ptr()
    }
}
