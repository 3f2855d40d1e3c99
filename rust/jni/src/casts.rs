//! `NativeMemory.cast`: elements of one type as those of another, between direct buffers.
//!
//! Everything is checked here, before anything is written.

use std::ptr::null;

use jni::sys;
use tensornio_compute::kernel::{casts, Level};
use tensornio_compute::operand::DType;
use tensornio_core::copy::overlap;

use crate::env::Env;
use crate::guard::{guard, Failure};
use crate::handle::Ref;
use crate::operand::{Given, Operand, Place};

/// The type with a code.
fn dtype(code: i32) -> Result<DType, Failure> {
    DType::from_code(code)
        .ok_or_else(|| Failure::illegal_argument(format!("{code} is the code of no type")))
}

/// A run of elements.
struct Run {
    start: *mut u8,
    bytes: usize,
}

impl Run {
    /// The run in a buffer of elements of that type.
    fn new(
        env: Env<'_>,
        given: Given<'_>,
        dtype: DType,
        start: i64,
        n: usize,
    ) -> Result<Run, Failure> {
        let width = dtype.width();
        let buffer = Operand::new(env, given, width as i32)?;
        let Place::Direct(first) = buffer.place() else {
            return Err(Failure::illegal_argument(format!(
                "{} is an array, which must be a direct buffer",
                buffer.name()
            )));
        };
        let at = usize::try_from(start).ok();
        let at = at.filter(|at| at.checked_add(n).is_some_and(|end| end <= buffer.len()));
        let at = at.ok_or_else(|| {
            let (name, len) = (buffer.name(), buffer.len());
            Failure::illegal_argument(format!(
                "{n} elements from {start} on are not inside of {name}, which has {len}"
            ))
        })?;
        Ok(Run {
            // SAFETY: inside of the buffer, as was checked.
            start: unsafe { first.as_ptr().add(at * width) },
            bytes: n * width,
        })
    }

    fn extent(&self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start + self.bytes
    }
}

/// Puts signalling NaNs, which casts make quiet, as they were: a copy by way of another type changes no bit.
///
/// # Safety
/// Both runs have `n` elements of their types.
unsafe fn keep_signals(source: DType, target: DType, n: usize, to: *mut u8, from: *const u8) {
    /// Where a pattern has a signal.
    ///
    /// # Safety
    /// There are `n` elements.
    unsafe fn signals<T: Copy>(
        n: usize,
        from: *const T,
        is_signal: impl Fn(T) -> bool,
        mut keep: impl FnMut(usize, T),
    ) {
        // SAFETY: one of the elements.
        let at = |k: usize| unsafe { from.add(k).read_unaligned() };
        // First without branches, since there are seldom any.
        if (0..n).fold(false, |any, k| any | is_signal(at(k))) {
            (0..n)
                .filter(|&k| is_signal(at(k)))
                .for_each(|k| keep(k, at(k)));
        }
    }
    let single = |x: u32| x & 0x7fc0_0000 == 0x7f80_0000 && x & 0x003f_ffff != 0;
    let half = |x: u16| x & 0x7e00 == 0x7c00 && x & 0x01ff != 0;
    // SAFETY: one of the elements of `to`, which has as many.
    unsafe {
        match (source, target) {
            (DType::Float16, DType::Float) => signals(n, from.cast::<u16>(), half, |k, x| {
                let bits = u32::from(x & 0x8000) << 16 | 0x7f80_0000 | u32::from(x & 0x03ff) << 13;
                to.cast::<u32>().add(k).write_unaligned(bits);
            }),
            (DType::Float, DType::Float16 | DType::BFloat16) => {
                let (shift, all) = match target {
                    DType::Float16 => (13, 0x7c00),
                    _ => (16, 0x7f80),
                };
                signals(n, from.cast::<u32>(), single, |k, x| {
                    let payload = (x & 0x003f_ffff) >> shift;
                    if payload != 0 {
                        let bits = (x >> 16 & 0x8000 | all | payload) as u16;
                        to.cast::<u16>().add(k).write_unaligned(bits);
                    }
                });
            }
            _ => {}
        }
    }
}

/// `static native void cast(Buffer from, long fromStart, Buffer to, long toStart, int n, int fromType, int toType)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_memory_NativeMemory_cast(
    env: Env<'_>,
    _native: sys::jclass,
    from: Option<Ref<'_>>,
    from_start: sys::jlong,
    to: Option<Ref<'_>>,
    to_start: sys::jlong,
    n: sys::jint,
    from_type: sys::jint,
    to_type: sys::jint,
) {
    guard(env, || {
        let (from, to) = (Given::new(from, "from")?, Given::new(to, "to")?);
        let (source, target) = (dtype(from_type)?, dtype(to_type)?);
        let n = usize::try_from(n)
            .map_err(|_| Failure::illegal_argument(format!("{n} elements are negative")))?;
        let [(kernel, _)] = casts(Level::best(), source, target)[..] else {
            return Err(Failure::illegal_argument(format!(
                "{source} is not cast to {target} at once"
            )));
        };
        let from = Run::new(env, from, source, from_start, n)?;
        let to = Run::new(env, to, target, to_start, n)?;
        if overlap(&from.extent(), &to.extent()) {
            return Err(Failure::illegal_argument("from and to overlap"));
        }
        if n > 0 {
            // SAFETY: both runs have `n` elements of their types, in buffers that are arguments of this call, and do not overlap; a cast has
            // one operand, and takes elements at any address.
            unsafe {
                kernel(n, to.start, from.start, null(), null());
                keep_signals(source, target, n, to.start, from.start);
            }
        }
        Ok(())
    });
}
