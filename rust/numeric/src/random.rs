//! Random numbers. Element `n` of a sequence depends on the seed and `n` alone, so any part of it is made by any thread.

use tensornio_compute::operand::OperandMut;
use tensornio_compute::Error;
use tensornio_core::dtype::{Bool, DType, Typed};

use crate::lanes::units;
use crate::normal::inverse;
use crate::operands::{list, malformed, Target};
use crate::philox::bits;

/// The elements that a unit of work makes.
const UNIT: usize = 1 << 12;
/// The probability that a normal variable is below -2.
const BELOW_MINUS_2: f64 = 0.022_750_131_948_179_21;

/// A distribution.
#[derive(Clone, Copy, Debug)]
pub enum Distribution {
    /// From 0, to 1 excluded.
    Uniform,
    /// Of mean 0 and variance 1.
    Normal,
    /// The same between -2 and 2.
    Truncated,
    /// Integers from the first, to the second excluded.
    Integers(i64, i64),
    /// True with a probability.
    Bernoulli(f64),
}

/// A number in [0, 1) of 53 bits.
fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The same without 0, of which the inverse distribution is infinite: for it the half of the smallest.
fn positive(bits: u64) -> f64 {
    uniform(bits).max(1.0 / (1u64 << 54) as f64)
}

/// The integer of that many that bits choose: the high half of the product.
fn below(bits: u64, count: u64) -> u64 {
    ((u128::from(bits) * u128::from(count)) >> 64) as u64
}

/// The nearest float that is not above: rounded to nearest it might be 1.
fn rounded_down(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x {
        nearest.next_down()
    } else {
        nearest
    }
}

/// Fills a result with the elements from `first` on of the sequence of a seed.
///
/// # Safety
/// As [`OperandMut`] says.
pub(crate) unsafe fn fill(
    distribution: Distribution,
    seed: u64,
    first: u64,
    out: &mut OperandMut,
) -> Result<(), Error> {
    // SAFETY: the caller's promise, for all of these.
    unsafe {
        match (distribution, out.dtype) {
            (Distribution::Uniform, DType::Float) => {
                each(out, seed, first, |bits| rounded_down(uniform(bits)))
            }
            (Distribution::Uniform, DType::Double) => each(out, seed, first, uniform),
            (Distribution::Normal, DType::Float) => {
                each(out, seed, first, |bits| inverse(positive(bits)) as f32)
            }
            (Distribution::Normal, DType::Double) => {
                each(out, seed, first, |bits| inverse(positive(bits)))
            }
            (Distribution::Truncated, DType::Float) => {
                each(out, seed, first, |bits| truncated(bits) as f32)
            }
            (Distribution::Truncated, DType::Double) => each(out, seed, first, truncated),
            (Distribution::Integers(low, high), DType::Int64) => {
                let count = high.wrapping_sub(low) as u64;
                each(out, seed, first, |bits| {
                    low.wrapping_add(below(bits, count) as i64)
                })
            }
            (Distribution::Bernoulli(p), DType::Bool) => {
                each(out, seed, first, |bits| Bool::from(uniform(bits) < p))
            }
            (distribution, dtype) => Err(malformed(format!("{distribution:?} of {dtype}"))),
        }
    }
}

fn truncated(bits: u64) -> f64 {
    inverse(BELOW_MINUS_2 + uniform(bits) * (1.0 - 2.0 * BELOW_MINUS_2)).clamp(-2.0, 2.0)
}

unsafe fn each<T: Typed>(
    out: &mut OperandMut,
    seed: u64,
    first: u64,
    value: impl Fn(u64) -> T + Sync,
) -> Result<(), Error> {
    let length = out.layout.elements() as usize;
    // SAFETY: the caller's promise.
    let out = unsafe { Target::<T>::new(out, length) }?;
    units(length.div_ceil(UNIT), length, &|unit| {
        let start = unit * UNIT;
        let count = UNIT.min(length - start);
        // Apart, so that both loops can be vectorised.
        let mut random = [0; UNIT];
        for (n, random) in random[..count].iter_mut().enumerate() {
            *random = bits(seed, first.wrapping_add((start + n) as u64));
        }
        let mut values = [T::default(); UNIT];
        for (value_at, &random) in values.iter_mut().zip(&random[..count]) {
            *value_at = value(random);
        }
        out.write(start, &values[..count]);
        Ok(())
    })
}

/// Chooses distinct positions among `0..of`, by the exchanges of Fisher and Yates from the front: element `k` of the sequence chooses among those
/// that are left after `k`. So fewer positions are the first of more.
///
/// # Safety
/// As [`OperandMut`] says.
pub(crate) unsafe fn choose(
    of: usize,
    seed: u64,
    first: u64,
    out: &mut OperandMut,
) -> Result<(), Error> {
    let count = out.layout.elements() as usize;
    if count > of {
        return Err(malformed(format!("{count} distinct positions of {of}")));
    }
    // SAFETY: the caller's promise.
    let out = unsafe { Target::<i64>::new(out, count) }?;
    let mut positions = list::<i64>(of)?;
    for (n, position) in positions.iter_mut().enumerate() {
        *position = n as i64;
    }
    for k in 0..count {
        let random = bits(seed, first.wrapping_add(k as u64));
        positions.swap(k, k + below(random, (of - k) as u64) as usize);
    }
    out.write(0, &positions[..count]);
    Ok(())
}
