//! The natives of `io.tensornio.internal.memory.NativeMemory` about files that are read by position, by any thread.

use jni::sys;

use crate::env::Env;
use crate::guard::{guard, not_null};
use crate::handle::{Ref, Text};

/// `static native long[] openFile(String path)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_openFile<'a>(
    env: Env<'a>,
    _native: sys::jclass,
    path: Option<Text<'_>>,
) -> Option<Ref<'a>> {
    guard(env, || {
        let path = env.text(not_null(path, "path")?)?;
        match system::open(&path) {
            Some(opened) => Ok(Some(env.new_longs(&opened)?.into_ref())),
            None => Ok(None),
        }
    })
}

/// `static native void closeFile(int descriptor)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_closeFile(
    env: Env<'_>,
    _native: sys::jclass,
    descriptor: sys::jint,
) {
    guard(env, || {
        system::close(descriptor);
        Ok(())
    });
}

/// Reads bytes of an open file from a position on; false if it has not so many, or cannot be read.
pub(crate) fn read(descriptor: i32, from: u64, to: &mut [u8]) -> bool {
    system::read(descriptor, from, to)
}

#[cfg(unix)]
mod system {
    use std::fs::{File, OpenOptions};
    use std::mem::ManuallyDrop;
    use std::os::fd::{FromRawFd, IntoRawFd};
    use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};

    /// The descriptor, the device, and the number of the file there.
    pub fn open(path: &str) -> Option<[i64; 3]> {
        let mut options = OpenOptions::new();
        // The path may be another file by now, even a pipe, which would be waited for.
        let options = options.read(true).custom_flags(libc::O_NONBLOCK);
        let file = options.open(path).ok()?;
        let of = file.metadata().ok().filter(|of| of.is_file())?;
        let (device, number) = (of.dev() as i64, of.ino() as i64);
        Some([i64::from(file.into_raw_fd()), device, number])
    }

    pub fn close(descriptor: i32) {
        if descriptor >= 0 {
            // SAFETY: Java closes what it has opened, once, when its last user is gone.
            drop(unsafe { File::from_raw_fd(descriptor) });
        }
    }

    pub fn read(descriptor: i32, from: u64, to: &mut [u8]) -> bool {
        if descriptor < 0 {
            return false;
        }
        // SAFETY: it is not closed here, and Java keeps it open during the call.
        let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
        file.read_exact_at(to, from).is_ok()
    }
}

/// Elsewhere nothing says that a path is still the file that is mapped.
#[cfg(not(unix))]
mod system {
    pub fn open(_path: &str) -> Option<[i64; 3]> {
        None
    }

    pub fn close(_descriptor: i32) {}

    pub fn read(_descriptor: i32, _from: u64, _to: &mut [u8]) -> bool {
        false
    }
}
