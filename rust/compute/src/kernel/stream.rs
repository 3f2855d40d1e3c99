//! Copies that go past the caches: a line that is written whole need not be loaded first, and takes no other line's place. For what is so large that
//! it leaves the caches anyway.

#[cfg(target_arch = "x86_64")]
use super::isa::{Body, Isa};

/// `to[k] = a[k]`. Others see it after [`done`].
#[cfg(target_arch = "x86_64")]
pub struct Stream<T>(std::marker::PhantomData<T>);

#[cfg(target_arch = "x86_64")]
impl<T: Copy> Body for Stream<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        const LINE: usize = 64;
        const STEP: usize = size_of::<__m128i>();
        let bytes = n * size_of::<T>();
        // Lines that are written in part are better written to a cache.
        let first = (to.addr().wrapping_neg() % LINE).min(bytes);
        let last = first + (bytes - first) / LINE * LINE;
        // SAFETY: all of this is within n elements, where `a` is readable and `to` writable; from `first` on, `to` is aligned.
        unsafe {
            to.copy_from_nonoverlapping(a, first);
            for at in (first..last).step_by(STEP) {
                let x = _mm_loadu_si128(a.add(at).cast());
                _mm_stream_si128(to.add(at).cast(), x);
            }
            to.add(last)
                .copy_from_nonoverlapping(a.add(last), bytes - last);
        }
    }
}

/// Has what this thread streamed reach memory before what it writes afterwards.
pub fn done() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it orders writes, and does nothing else.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

/// Fetches what is read soon: of so many bytes the first 512, which the processor follows by itself.
#[inline(always)]
pub fn prefetch(at: *const u8, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in (0..bytes.min(512)).step_by(64) {
        // SAFETY: this only advises the processor.
        unsafe {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            _mm_prefetch::<_MM_HINT_T0>(at.wrapping_add(line).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, bytes);
}
