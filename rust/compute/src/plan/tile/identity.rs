//! Filling memory with an identity element.

/// Writes n elements of these bits.
///
/// # Safety
///
/// `to` is writable for n elements of that size.
pub(crate) unsafe fn fill(to: *mut u8, n: usize, size: usize, bits: u64) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            1 => to.write_bytes(bits as u8, n),
            2 => (0..n).for_each(|k| to.cast::<u16>().add(k).write_unaligned(bits as u16)),
            4 => (0..n).for_each(|k| to.cast::<u32>().add(k).write_unaligned(bits as u32)),
            _ => (0..n).for_each(|k| to.cast::<u64>().add(k).write_unaligned(bits)),
        }
    }
}
