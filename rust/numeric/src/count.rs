//! Counts: of numbers in bins, and of integers.

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::operands::{list, malformed, Source, Target};
use crate::order::Ordered;

/// A number as a double; integers beyond 2^53 are rounded.
pub(crate) trait Real: Ordered {
    fn real(self) -> f64;
}

macro_rules! reals {
    ($($number:ty),*) => {
        $(impl Real for $number {
            fn real(self) -> f64 {
                self as f64
            }
        })*
    };
}
reals!(f32, f64, i32, i64, u8);

/// Counts numbers in bins of equal width, the last of which has its upper end, too.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say, here and below.
pub(crate) unsafe fn histogram<T: Real>(
    x: &Operand,
    out: &mut OperandMut,
    from: f64,
    to: f64,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let bins = out.layout.elements() as usize;
    // SAFETY: as above.
    let out = unsafe { Target::<i64>::new(out, bins) }?;
    if bins == 0 || !(from < to && (to - from).is_finite()) {
        return Err(malformed(format!("{bins} bins of {from} to {to}")));
    }
    let mut counts = list::<i64>(bins)?;
    let edge = |n: usize| from + (to - from) * (n as f64 / bins as f64);
    for at in 0..x.len() {
        let value = x.get(at).real();
        if value >= from && value <= to {
            // The quotient may round across an edge, which decides.
            let mut bin = (((value - from) / (to - from) * bins as f64) as usize).min(bins - 1);
            if bin > 0 && value < edge(bin) {
                bin -= 1;
            } else if bin + 1 < bins && value >= edge(bin + 1) {
                bin += 1;
            }
            counts[bin] += 1;
        }
    }
    out.write(0, &counts);
    Ok(())
}

/// An integer to count.
pub(crate) trait Counted: Real {
    fn integer(self) -> i64;
}

macro_rules! counted {
    ($($integer:ty),*) => {
        $(impl Counted for $integer {
            fn integer(self) -> i64 {
                i64::from(self)
            }
        })*
    };
}
counted!(i32, i64, u8);

/// The largest integer and 1; 0 if there are none.
pub(crate) unsafe fn bins<T: Counted>(x: &Operand) -> Result<i64, Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let mut most = -1;
    for at in 0..x.len() {
        let value = x.get(at).integer();
        if value < 0 {
            return Err(Error::illegal(format!(
                "{value} is negative: what is counted are the integers from 0 on"
            )));
        }
        most = most.max(value);
    }
    Ok(most.saturating_add(1))
}

/// Counts integers; the result has a place for each.
pub(crate) unsafe fn count<T: Counted>(x: &Operand, out: &mut OperandMut) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let length = out.layout.elements() as usize;
    // SAFETY: as above.
    let out = unsafe { Target::<i64>::new(out, length) }?;
    let mut counts = list::<i64>(length)?;
    for at in 0..x.len() {
        let value = x.get(at).integer();
        // Another thread may have written it since the longest was found.
        let place = usize::try_from(value).ok().and_then(|n| counts.get_mut(n));
        *place.ok_or_else(|| Error::illegal(format!("{value} was not there before")))? += 1;
    }
    out.write(0, &counts);
    Ok(())
}
