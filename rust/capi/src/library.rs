//! The library as a whole.

use std::ffi::c_char;
use std::time::Duration;

use tensornio_core::memory::shared;
use tensornio_core::parallel;

use crate::pointers::out;
use crate::status::{guard, Status};

/// The version of the library, such as "0.1.0". Never NULL, valid as long as the library is loaded.
#[no_mangle]
pub extern "C" fn tensornio_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Sets the maximum number of bytes of the library's memory, recycled memory included. Unlimited by default. Existing tensors stay valid,
/// even if they exceed it. A Java virtual machine that has loaded the same library shares the limit.
#[no_mangle]
pub extern "C" fn tensornio_set_max_memory(bytes: u64) -> Status {
    guard(|| {
        shared().set_limit(bytes);
        Ok(())
    })
}

/// The number of bytes of all tensors that are not released.
///
/// @return TENSORNIO_ILLEGAL_ARGUMENT for a NULL.
///
/// # Safety
/// `bytes` points to memory for the result.
#[no_mangle]
pub unsafe extern "C" fn tensornio_live_bytes(bytes: *mut u64) -> Status {
    guard(|| {
        // SAFETY: the caller's promise.
        let bytes = unsafe { out(bytes, "bytes") }?;
        bytes.set(shared().stats().live_bytes);
        Ok(())
    })
}

/// Ends the threads of the library and returns recycled memory to the system. To be called before dlclose() or FreeLibrary(), while no other
/// call runs; not needed at the end of a process. The next call that needs threads starts new ones.
#[no_mangle]
pub extern "C" fn tensornio_quiesce() -> Status {
    guard(|| {
        parallel::end();
        shared().trim(Duration::ZERO);
        Ok(())
    })
}
