//! The Java classes that the boundary throws and asks for, found once.
//!
//! They are found in `JNI_OnLoad`, where `FindClass` asks the loader of the class that loads the library. Found later, or by
//! name through the thread's context class loader, they would depend on the application.
//!
//! Those of the JDK are held. Those of TensorNIO are only remembered: holding them would hold their class loader, and with it this
//! library, forever.

use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::env::{Env, Pending};
use crate::handle::{Class, ClassRef, Method, Primitive, Ref, WeakClass};

/// The exceptions and errors that the boundary throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Throwable {
    /// `java.lang.IndexOutOfBoundsException`
    IndexOutOfBounds,
    /// `java.lang.IllegalArgumentException`
    IllegalArgument,
    /// `java.lang.IllegalStateException`
    IllegalState,
    /// `java.lang.OutOfMemoryError`
    OutOfMemory,
    /// `java.lang.StackOverflowError`
    StackOverflow,
    /// `java.lang.NullPointerException`
    NullPointer,
    /// `java.lang.ArithmeticException`
    Arithmetic,
    /// `io.tensornio.TensorNioInternalError`
    Internal,
}

/// The array classes and their element types.
const ARRAYS: [(&CStr, Primitive); 6] = [
    (c"[F", Primitive::Float),
    (c"[D", Primitive::Double),
    (c"[I", Primitive::Int),
    (c"[J", Primitive::Long),
    (c"[Z", Primitive::Boolean),
    (c"[B", Primitive::Byte),
];

/// The buffer classes and the widths of their elements in bytes.
const BUFFERS: [(&CStr, usize); 7] = [
    (c"java/nio/FloatBuffer", 4),
    (c"java/nio/DoubleBuffer", 8),
    (c"java/nio/IntBuffer", 4),
    (c"java/nio/LongBuffer", 8),
    (c"java/nio/ByteBuffer", 1),
    (c"java/nio/ShortBuffer", 2),
    (c"java/nio/CharBuffer", 2),
];

/// The cached classes.
pub(crate) struct Classes {
    index_out_of_bounds: Class,
    illegal_argument: Class,
    illegal_state: Class,
    out_of_memory: Class,
    stack_overflow: Class,
    null_pointer: Class,
    arithmetic: Class,
    internal_error: WeakClass,
    arrays: Vec<(Class, Primitive)>,
    buffers: Vec<(Class, usize)>,
    /// `java.lang.Class.getName()`; that class is never unloaded.
    name_of_class: Method,
}

static CLASSES: AtomicPtr<Classes> = AtomicPtr::new(ptr::null_mut());

impl Classes {
    /// Finds all classes. Those found before a failure are held until the JVM ends: the library does not load then.
    pub fn find(env: Env<'_>) -> Result<Classes, Pending> {
        let class = env.find_class(c"java/lang/Class")?;
        let internal_error = env.find_class(c"io/tensornio/TensorNioInternalError")?;
        let found = Classes {
            index_out_of_bounds: find(env, c"java/lang/IndexOutOfBoundsException")?,
            illegal_argument: find(env, c"java/lang/IllegalArgumentException")?,
            illegal_state: find(env, c"java/lang/IllegalStateException")?,
            out_of_memory: find(env, c"java/lang/OutOfMemoryError")?,
            stack_overflow: find(env, c"java/lang/StackOverflowError")?,
            null_pointer: find(env, c"java/lang/NullPointerException")?,
            arithmetic: find(env, c"java/lang/ArithmeticException")?,
            internal_error: env.remember(internal_error.as_class())?,
            arrays: find_each(env, &ARRAYS)?,
            buffers: find_each(env, &BUFFERS)?,
            name_of_class: env.method(class.as_class(), c"getName", c"()Ljava/lang/String;")?,
        };
        env.delete(class);
        env.delete(internal_error);
        Ok(found)
    }

    /// Installs the classes for `get`.
    pub fn install(self) {
        CLASSES.store(Box::into_raw(Box::new(self)), Ordering::Release);
    }

    /// The cached classes; `None` before the library was loaded and after it was unloaded.
    pub fn get() -> Option<&'static Classes> {
        // SAFETY: the pointer comes from `install`. `uninstall` frees it when the loader of `NativeMemory` was collected: no
        // native method runs or will run, and the threads of this library, which have ended, call none.
        unsafe { CLASSES.load(Ordering::Acquire).as_ref() }
    }

    /// Releases the installed classes.
    ///
    /// # Safety
    /// No native method runs or will run: the JVM unloads the library.
    pub unsafe fn uninstall(env: Env<'_>) {
        let installed = CLASSES.swap(ptr::null_mut(), Ordering::AcqRel);
        if installed.is_null() {
            return;
        }
        // SAFETY: it comes from `install`, and the swap makes this the only place that has it.
        let classes = unsafe { Box::from_raw(installed) };
        // Destructured by name, so that no field is forgotten.
        let Classes {
            index_out_of_bounds,
            illegal_argument,
            illegal_state,
            out_of_memory,
            stack_overflow,
            null_pointer,
            arithmetic,
            internal_error,
            arrays,
            buffers,
            name_of_class: _,
        } = *classes;
        let throwables = [
            index_out_of_bounds,
            illegal_argument,
            illegal_state,
            out_of_memory,
            stack_overflow,
            null_pointer,
            arithmetic,
        ];
        let arrays = arrays.into_iter().map(|(class, _)| class);
        let buffers = buffers.into_iter().map(|(class, _)| class);
        for class in throwables.into_iter().chain(arrays).chain(buffers) {
            env.release(class);
        }
        // SAFETY: it is not used any more, by the caller's promise.
        unsafe { env.forget(internal_error) };
    }

    /// Throws a new exception; does nothing if its class was collected, since then it cannot be caught.
    pub fn throw_new(&self, env: Env<'_>, throwable: Throwable, message: &CStr) {
        let held = match throwable {
            Throwable::IndexOutOfBounds => &self.index_out_of_bounds,
            Throwable::IllegalArgument => &self.illegal_argument,
            Throwable::IllegalState => &self.illegal_state,
            Throwable::OutOfMemory => &self.out_of_memory,
            Throwable::StackOverflow => &self.stack_overflow,
            Throwable::NullPointer => &self.null_pointer,
            Throwable::Arithmetic => &self.arithmetic,
            Throwable::Internal => {
                if let Some(class) = env.recall(self.internal_error) {
                    // SAFETY: the class is an `Error`, with a constructor from a string.
                    unsafe { env.throw_new(class.as_class(), message) };
                    env.delete(class);
                }
                return;
            }
        };
        // SAFETY: all of these are the JDK's exceptions and errors, which have a constructor from a string.
        unsafe { env.throw_new(held.as_class(), message) };
    }

    /// The classes of arrays of primitives with elements of that many bytes, and their element types.
    pub fn arrays(
        &self,
        element_bytes: usize,
    ) -> impl Iterator<Item = (ClassRef<'_>, Primitive)> + '_ {
        let arrays = self.arrays.iter();
        arrays
            .filter(move |(_, primitive)| primitive.width() == element_bytes)
            .map(|(class, primitive)| (class.as_class(), *primitive))
    }

    /// The classes of buffers with elements of that many bytes.
    pub fn buffers(&self, element_bytes: usize) -> impl Iterator<Item = ClassRef<'_>> + '_ {
        let buffers = self.buffers.iter();
        buffers
            .filter(move |(_, width)| *width == element_bytes)
            .map(|(class, _)| class.as_class())
    }

    /// The name of the object's class, for messages.
    pub fn name_of(&self, env: Env<'_>, object: Ref<'_>) -> Result<String, Pending> {
        let Some(class) = env.class_of(object) else {
            return Ok("an object without a class".to_owned());
        };
        // SAFETY: the object is a java.lang.Class, and the method is its getName().
        let name = unsafe { env.call_for_text(class.as_class().as_ref(), self.name_of_class) }?;
        match name {
            Some(name) => env.text(name.as_text()),
            None => Ok("a class without a name".to_owned()),
        }
    }
}

fn find(env: Env<'_>, name: &CStr) -> Result<Class, Pending> {
    let local = env.find_class(name)?;
    let held = env.hold(local.as_class());
    env.delete(local);
    held
}

fn find_each<T: Copy>(env: Env<'_>, classes: &[(&CStr, T)]) -> Result<Vec<(Class, T)>, Pending> {
    let found = classes
        .iter()
        .map(|&(name, of_it)| Ok((find(env, name)?, of_it)));
    found.collect()
}
