//! The native of `io.tensornio.internal.compute.NativeNumeric`: the algorithms of `tensornio-numeric`, by number.

use jni::sys;
use smallvec::SmallVec;
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_numeric::Algorithm;

use crate::compute::at_most;
use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{BufferArray, LongArray};
use crate::numbers::read_numbers;
use crate::programs::signatures;
use crate::sides::Sides;

/// The maximum length of numbers that need no allocation.
const INLINE: usize = 32;

/// `static native long run(int algorithm, int inputs, long[] signature, ByteBuffer[] memory, long[] geometry, long[] numbers, int threads)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_compute_NativeNumeric_run(
    env: Env<'_>,
    _native: sys::jclass,
    algorithm: sys::jint,
    inputs: sys::jint,
    signature: Option<LongArray<'_>>,
    memory: Option<BufferArray<'_>>,
    geometry: Option<LongArray<'_>>,
    numbers: Option<LongArray<'_>>,
    threads: sys::jint,
) -> sys::jlong {
    guard(env, || {
        let algorithm = *usize::try_from(algorithm)
            .ok()
            .and_then(|number| Algorithm::ALL.get(number))
            .ok_or_else(|| Failure::illegal_argument(format!("no algorithm {algorithm}")))?;
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let signature = not_null(signature, "signature")?;
        let signature = read_numbers(env, signature, "signature", &mut inline, &mut long)?;
        let sides_of = signatures(signature)?;
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let geometry = not_null(geometry, "geometry")?;
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        let (mut inline, mut long) = ([0; INLINE], Vec::new());
        let numbers = not_null(numbers, "numbers")?;
        let numbers = read_numbers(env, numbers, "numbers", &mut inline, &mut long)?;

        let (read, written) = usize::try_from(inputs)
            .ok()
            .and_then(|inputs| sides_of.split_at_checked(inputs))
            .ok_or_else(|| Failure::illegal_argument(format!("{inputs} inputs")))?;
        let mut sides = Sides::new(env, not_null(memory, "memory")?, geometry);
        let mut inputs = SmallVec::<[Operand; 4]>::new();
        for input in read {
            inputs.push(sides.input(input)?);
        }
        let mut outputs = SmallVec::<[OperandMut; 4]>::new();
        for output in written {
            outputs.push(sides.output(output)?);
        }
        sides.finish(inputs.len())?;
        log::trace!("{algorithm:?} runs");
        // SAFETY: `Sides` has checked that all elements lie inside of their buffers, which are aligned, and that no output overlaps itself or another
        // side. The buffers are in `memory`, an argument of this call, which keeps them reachable; Java keeps their pages in place.
        let run = || unsafe { tensornio_numeric::run(algorithm, &inputs, &mut outputs, numbers) };
        Ok(at_most(threads, run)?)
    })
}
