//! Memory between pages that nobody may touch: an access before its first byte or behind its last ends the process.

/// Bytes, full of a pattern at first.
#[derive(Debug)]
pub struct Fenced {
    first: *mut u8,
    len: usize,
    #[cfg(unix)]
    mapping: (*mut libc::c_void, usize),
    #[cfg(not(unix))]
    _words: Vec<u64>,
}

// SAFETY: it owns its memory, which is written by `&mut self` and through operands alone.
unsafe impl Send for Fenced {}
// SAFETY: as above.
unsafe impl Sync for Fenced {}

/// The pattern.
const FILL: u8 = 0x5a;

impl Fenced {
    /// So many bytes, either at the end of a page or at the beginning of one.
    #[cfg(unix)]
    pub fn new(len: usize, at_end: bool) -> Fenced {
        // SAFETY: asks the system for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let inside = len.next_multiple_of(page).max(page);
        let all = inside + 2 * page;
        let (none, private) = (libc::PROT_NONE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new pages, of which those inside become accessible.
        let (mapping, first) = unsafe {
            let mapping = libc::mmap(std::ptr::null_mut(), all, none, private, -1, 0);
            assert_ne!(mapping, libc::MAP_FAILED, "no memory for {len} bytes");
            let first = mapping.cast::<u8>().add(page);
            let access = libc::PROT_READ | libc::PROT_WRITE;
            assert_eq!(libc::mprotect(first.cast(), inside, access), 0);
            first.write_bytes(FILL, inside);
            (mapping, first)
        };
        Fenced {
            first: if at_end {
                first.wrapping_add(inside - len)
            } else {
                first
            },
            len,
            mapping: (mapping, all),
        }
    }

    /// So many bytes, without fences.
    #[cfg(not(unix))]
    pub fn new(len: usize, _at_end: bool) -> Fenced {
        let mut words = vec![u64::from_ne_bytes([FILL; 8]); len.div_ceil(8) + 1];
        Fenced {
            first: words.as_mut_ptr().cast(),
            len,
            _words: words,
        }
    }

    pub fn ptr(&self) -> *mut u8 {
        self.first
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: its memory.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}

impl Clone for Fenced {
    fn clone(&self) -> Fenced {
        let copy = Fenced::new(self.len, !self.first.addr().is_multiple_of(4096));
        // SAFETY: both have so many bytes.
        unsafe { copy.first.copy_from_nonoverlapping(self.first, self.len) };
        copy
    }
}

impl Drop for Fenced {
    fn drop(&mut self) {
        #[cfg(unix)]
        // SAFETY: what `new` mapped.
        unsafe {
            libc::munmap(self.mapping.0, self.mapping.1);
        }
    }
}
