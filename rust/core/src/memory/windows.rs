//! Windows: address space is reserved, committed when it is first handed out, and never decommitted, since an access to
//! decommitted pages is a fault. Pages that are not needed are offered to the system.

use std::io;
use std::ptr::NonNull;

use windows_sys::Win32::Foundation::{ERROR_SUCCESS, HMODULE};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleA, GetProcAddress};
use windows_sys::Win32::System::Memory::{
    VirtualAlloc, MEM_COMMIT, MEM_RESERVE, MEM_RESET, PAGE_READWRITE,
};
use windows_sys::Win32::System::SystemInformation::{GetSystemInfo, SYSTEM_INFO};

use super::pages::{reserve_aligned, Geometry, Pages, SMALL_ARENA};

const ALIGNMENT: usize = 2 << 20;

/// `DiscardVirtualMemory`, which Windows has since 8.1.
type Discard = unsafe extern "system" fn(*mut core::ffi::c_void, usize) -> u32;

/// Pages of Windows: private memory.
#[derive(Debug)]
pub struct Windows {
    geometry: Geometry,
    discard: Option<Discard>,
}

impl Windows {
    /// Queries the system and its capabilities.
    #[allow(clippy::new_without_default)] // like those of the other systems
    pub fn new() -> Windows {
        // SAFETY: the structure consists of numbers and pointers, and is filled by the call.
        let page = unsafe {
            let mut info: SYSTEM_INFO = std::mem::zeroed();
            GetSystemInfo(&mut info);
            info.dwPageSize as usize
        };
        Windows {
            geometry: Geometry {
                page,
                huge: ALIGNMENT.max(page),
                spread: ALIGNMENT.max(page),
                arena: if cfg!(target_pointer_width = "64") {
                    (1 << 30, 16 << 30)
                } else {
                    SMALL_ARENA
                },
                least_move: usize::MAX,
                most_islands: 0,
                moves: false,
                // By the documentation discarded pages have undefined contents, and reset ones may keep theirs.
                discard_zeroes: false,
            },
            discard: find_discard(),
        }
    }
}

fn find_discard() -> Option<Discard> {
    // SAFETY: the names end in 0; kernel32 is never unloaded; the function has always had this signature.
    unsafe {
        let kernel: HMODULE = GetModuleHandleA(c"kernel32.dll".as_ptr().cast());
        let found = (!kernel.is_null())
            .then(|| GetProcAddress(kernel, c"DiscardVirtualMemory".as_ptr().cast()))??;
        Some(std::mem::transmute::<
            unsafe extern "system" fn() -> isize,
            Discard,
        >(found))
    }
}

// SAFETY: promise 1: nothing is released or decommitted. Promise 2: system calls say whether they failed. Promise 3: the geometry is a
// field.
unsafe impl Pages for Windows {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn describe(&self) -> String {
        let how = if self.discard.is_some() {
            "discarded"
        } else {
            "reset"
        };
        format!("pages are cleared and {how} at close")
    }

    fn reserve(&self, len: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: no address is given, and as many bytes are reserved as requested.
        unsafe {
            reserve_aligned(len, self.geometry.huge, |len| {
                let region = VirtualAlloc(std::ptr::null(), len, MEM_RESERVE, PAGE_READWRITE);
                NonNull::new(region.cast()).ok_or_else(io::Error::last_os_error)
            })
        }
    }

    unsafe fn commit(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the range was reserved; pages that are committed already keep what they hold.
        let committed =
            unsafe { VirtualAlloc(start.as_ptr().cast(), len, MEM_COMMIT, PAGE_READWRITE) };
        if committed.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    unsafe fn discard(&self, start: NonNull<u8>, len: usize) -> io::Result<()> {
        // SAFETY: the caller's promise: it does not need the values.
        unsafe {
            if let Some(discard) = self.discard {
                return match discard(start.as_ptr().cast(), len) {
                    ERROR_SUCCESS => Ok(()),
                    error => Err(io::Error::from_raw_os_error(error as i32)),
                };
            }
            if VirtualAlloc(start.as_ptr().cast(), len, MEM_RESET, PAGE_READWRITE).is_null() {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}
