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
            unsafe { kernel(n, to.start, from.start, null(), null()) };
        }
        Ok(())
    });
}
