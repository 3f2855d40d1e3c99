//! The Java classes that the boundary throws and asks for, found once.
//!
//! They are found in `JNI_OnLoad`, where `FindClass` asks the loader of the class that loads the library. Found later, or by
//! name through the thread's context class loader, they would depend on the application.
//!
//! Those of the JDK are held. Those of TensorNIO are only remembered: holding them would hold their class loader, and with it this
//! library, for ever.

use std::ffi::CStr;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::env::{Env, Pending};
use crate::handle::{Class, Method, Ref, WeakClass};

/// What the boundary throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Throwable {
    /// `java.lang.IndexOutOfBoundsException`
    IndexOutOfBounds,
    /// `java.lang.IllegalArgumentException`
    IllegalArgument,
    /// `java.lang.IllegalStateException`
    IllegalState,
    /// `java.lang.OutOfMemoryError`
    OutOfMemory,
    /// `java.lang.NullPointerException`
    NullPointer,
    /// `io.tensornio.TensorNioInternalError`
    Internal,
}

/// In the order of `Throwable`, of which `Internal` is the only one of TensorNIO.
const THROWABLES: [&CStr; 5] = [
    c"java/lang/IndexOutOfBoundsException",
    c"java/lang/IllegalArgumentException",
    c"java/lang/IllegalStateException",
    c"java/lang/OutOfMemoryError",
    c"java/lang/NullPointerException",
];

/// The array classes and how many bytes wide their elements are.
const ARRAYS: [(&CStr, usize); 6] = [
    (c"[F", 4),
    (c"[D", 8),
    (c"[I", 4),
    (c"[J", 8),
    (c"[Z", 1),
    (c"[B", 1),
];

/// The buffer classes and how many bytes wide their elements are.
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
    throwables: [Class; THROWABLES.len()],
    arrays: [(Class, usize); ARRAYS.len()],
    buffers: [(Class, usize); BUFFERS.len()],
    class: Class,
    name_of_class: Method,
    internal_error: WeakClass,
}

static CLASSES: AtomicPtr<Classes> = AtomicPtr::new(ptr::null_mut());

impl Classes {
    /// Finds all of them. What was found before a failure stays until the JVM ends: the library does not load then.
    pub(crate) fn find(env: Env<'_>) -> Result<Classes, Pending> {
        let class = env.find_class(c"java/lang/Class")?;
        Ok(Classes {
            throwables: find_each(env, THROWABLES)?,
            arrays: find_sized(env, ARRAYS)?,
            buffers: find_sized(env, BUFFERS)?,
            class: env.hold(class)?,
            name_of_class: env.method(class, c"getName", c"()Ljava/lang/String;")?,
            internal_error: env
                .remember(env.find_class(c"io/tensornio/TensorNioInternalError")?)?,
        })
    }

    /// Keeps the classes for `get`.
    pub(crate) fn install(self) {
        CLASSES.store(Box::into_raw(Box::new(self)), Ordering::Release);
    }

    /// The cached classes; `None` before the library was loaded and after it was unloaded.
    pub(crate) fn get() -> Option<&'static Classes> {
        // SAFETY: the pointer comes from `install`. `uninstall` frees it when the loader of `Native` was collected: no
        // native method runs or will run, and this library has no thread of its own that could.
        unsafe { CLASSES.load(Ordering::Acquire).as_ref() }
    }

    /// Gives up what `install` kept.
    ///
    /// # Safety
    /// No native method runs or will run: the JVM unloads the library.
    pub(crate) unsafe fn uninstall(env: Env<'_>) {
        let installed = CLASSES.swap(ptr::null_mut(), Ordering::AcqRel);
        if installed.is_null() {
            return;
        }
        // SAFETY: it comes from `install`, and the swap makes this the only place that has it.
        let classes = unsafe { Box::from_raw(installed) };
        let sized = classes
            .arrays
            .iter()
            .chain(&classes.buffers)
            .map(|&(class, _)| class);
        for class in classes
            .throwables
            .iter()
            .copied()
            .chain(sized)
            .chain([classes.class])
        {
            // SAFETY: nobody else has these classes any more, by the caller's promise.
            unsafe { env.release(class) };
        }
        // SAFETY: as above.
        unsafe { env.forget(classes.internal_error) };
    }

    /// The class to throw; `None` when it was collected, after which nobody can catch it.
    pub(crate) fn throwable<'a>(&self, env: Env<'a>, throwable: Throwable) -> Option<Ref<'a>> {
        match self.throwables.get(throwable as usize) {
            Some(class) => Some(class.as_ref()),
            None => env.recall(self.internal_error),
        }
    }

    /// The classes of arrays of primitives with elements of that many bytes.
    pub(crate) fn arrays(&self, element_bytes: usize) -> impl Iterator<Item = Class> + '_ {
        of_width(&self.arrays, element_bytes)
    }

    /// The classes of buffers with elements of that many bytes.
    pub(crate) fn buffers(&self, element_bytes: usize) -> impl Iterator<Item = Class> + '_ {
        of_width(&self.buffers, element_bytes)
    }

    /// The name of the object's class, for messages.
    pub(crate) fn name_of<'a>(&self, env: Env<'a>, object: Ref<'a>) -> Result<String, Pending> {
        let Some(class) = env.class_of(object) else {
            return Ok("an object without a class".to_owned());
        };
        // SAFETY: `class` is a java.lang.Class, and the method is its getName().
        match unsafe { env.call_for_text(class, self.name_of_class) }? {
            Some(name) => env.text(name),
            None => Ok("a class without a name".to_owned()),
        }
    }
}

fn of_width(classes: &[(Class, usize)], element_bytes: usize) -> impl Iterator<Item = Class> + '_ {
    classes
        .iter()
        .filter(move |&&(_, width)| width == element_bytes)
        .map(|&(class, _)| class)
}

fn find(env: Env<'_>, name: &CStr) -> Result<Class, Pending> {
    let local = env.find_class(name)?;
    let held = env.hold(local);
    env.delete(local);
    held
}

fn find_each<const N: usize>(env: Env<'_>, names: [&CStr; N]) -> Result<[Class; N], Pending> {
    let mut found = [find(env, names[0])?; N];
    for (class, name) in found.iter_mut().zip(names).skip(1) {
        *class = find(env, name)?;
    }
    Ok(found)
}

fn find_sized<const N: usize>(
    env: Env<'_>,
    classes: [(&CStr, usize); N],
) -> Result<[(Class, usize); N], Pending> {
    let found = find_each(env, classes.map(|(name, _)| name))?;
    let mut index = 0;
    Ok(classes.map(|(_, width)| {
        index += 1;
        (found[index - 1], width)
    }))
}
