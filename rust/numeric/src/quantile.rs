//! Quantiles along an axis.

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::count::Real;
use crate::lanes::Lanes;
use crate::operands::{malformed, reserve, Source, Target};

/// A floating-point number.
pub(crate) trait Float: Real {
    fn of_real(real: f64) -> Self;
}

impl Float for f32 {
    fn of_real(real: f64) -> f32 {
        real as f32
    }
}

impl Float for f64 {
    fn of_real(real: f64) -> f64 {
        real
    }
}

/// The number at `q * (n - 1)` in the order, between two of them on a line; NaN if one of all is NaN, or there are none.
fn of<T: Float>(keys: &mut [T::Key], q: f64) -> f64 {
    let Some(last) = keys.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = q * last as f64;
    let below = (place.floor() as usize).min(last);
    let (_, &mut low, above) = keys.select_nth_unstable(below);
    let high = above.iter().copied().min().unwrap_or(low);
    let (low, high) = (T::of_key(low).real(), T::of_key(high).real());
    let part = place - below as f64;
    if part == 0.0 || low == high {
        low
    } else if part < 0.5 {
        low + (high - low) * part
    } else {
        high - (high - low) * (1.0 - part)
    }
}

/// The quantile of each lane along an axis.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn quantile<T: Float>(
    x: &Operand,
    out: &mut OperandMut,
    axis: i64,
    q: f64,
) -> Result<(), Error> {
    if !(0.0..=1.0).contains(&q) {
        return Err(malformed(format!("the quantile {q}")));
    }
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let lanes = Lanes::new(x.shape(), axis)?;
    // SAFETY: as above.
    let out = unsafe { Target::<T>::new(out, lanes.count()) }?;
    lanes.each(&|group| {
        let read = lanes.read(&x, group)?;
        let mut keys = Vec::new();
        reserve(&mut keys, lanes.length)?;
        let mut found = Vec::new();
        reserve(&mut found, group.count)?;
        for n in 0..group.count {
            let lane = &read[n * lanes.length..(n + 1) * lanes.length];
            keys.clear();
            keys.extend(lane.iter().map(|value| value.key()));
            let has_nan = lane.iter().any(|value| value.is_nan());
            found.push(T::of_real(if has_nan {
                f64::NAN
            } else {
                of::<T>(&mut keys, q)
            }));
        }
        lanes.write(&out, group, &found);
        Ok(())
    })
}
