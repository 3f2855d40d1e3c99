//! `NativeCopies.copy`: one strided copy between direct buffers, or between one and an array.
//!
//! Everything is checked here, before anything is copied.

use jni::sys;
use tensornio_core::layout::Strided;

use crate::env::Env;
use crate::guard::{guard, not_null, Failure};
use crate::handle::{LongArray, Ref};
use crate::numbers::read_numbers;
use crate::operand::{Given, Operand, Place};
use crate::selection::{Selection, StridedCopy};

/// Geometries of up to this rank need no allocation.
const INLINE_RANK: usize = 8;

/// `static native void copy(Object from, long fromStart, Object to, long toStart, long[] geometry, int elementBytes)`
#[no_mangle]
pub extern "system" fn Java_io_tensornio_internal_data_NativeCopies_copy(
    env: Env<'_>,
    _native: sys::jclass,
    from: Option<Ref<'_>>,
    from_start: sys::jlong,
    to: Option<Ref<'_>>,
    to_start: sys::jlong,
    geometry: Option<LongArray<'_>>,
    element_bytes: sys::jint,
) {
    guard(env, || {
        let from = Given::new(from, "from")?;
        let to = Given::new(to, "to")?;
        let geometry = not_null(geometry, "geometry")?;

        let mut inline = [0; 3 * INLINE_RANK];
        let mut long = Vec::new();
        let geometry = read_numbers(env, geometry, "geometry", &mut inline, &mut long)?;
        if geometry.len() % 3 != 0 {
            return Err(Failure::illegal_argument(format!(
                "geometry has {} numbers; a size and two strides for each axis are a multiple of 3",
                geometry.len()
            )));
        }
        // Sizes, strides of `from`, strides of `to`.
        let (shape, strides) = geometry.split_at(geometry.len() / 3);
        let (from_strides, to_strides) = strides.split_at(shape.len());

        let from = Operand::new(env, from, element_bytes)?;
        let to = Operand::new(env, to, element_bytes)?;
        if let (Place::Array(_), Place::Array(_)) = (from.place(), to.place()) {
            // They may be the same array, pinned as two copies, so that overlap could not be detected.
            return Err(Failure::illegal_argument(
                "from and to are arrays: one of them must be a direct buffer",
            ));
        }
        let source = Strided::new(shape, from_strides, from_start)?;
        let target = Strided::new(shape, to_strides, to_start)?;
        let elements = source.check(from.len())?;
        target.check(to.len())?;
        if elements == 0 {
            return Ok(());
        }

        let copy = StridedCopy {
            width: from.width(),
            from: Selection {
                place: from.place(),
                layout: source,
            },
            to: Selection {
                place: to.place(),
                layout: target,
            },
        };
        // SAFETY: both selections were checked to lie inside of their sides, which are arguments of this call, and not both arrays.
        unsafe { copy.run(env) }.unwrap_or_else(|| {
            Err(match from.place() {
                Place::Array(_) => from.not_pinned(),
                Place::Direct(_) => to.not_pinned(),
            })
        })
    });
}
