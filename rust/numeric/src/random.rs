//! Random numbers. Element `n` of a sequence depends on the seed and `n` alone, so any part of it is made by any thread.

use std::marker::PhantomData;
use std::{ptr, slice};

use tensornio_compute::kernel::isa::{kernel, Body, Isa, Level};
use tensornio_compute::operand::OperandMut;
use tensornio_compute::Error;
use tensornio_core::dtype::{Bool, DType, Typed};

use crate::lanes::units;
use crate::normal::{inverse, is_middle, middle};
use crate::operands::{list, malformed, Target};
use crate::philox::bits;

/// The elements that a unit of work makes.
const UNIT: usize = 1 << 11;
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
#[inline(always)]
fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Of which probability random bits are that a normal variable is below it.
trait Chance {
    fn of(bits: u64) -> f64;
}

/// From 0 to 1, both excluded, since the inverse distribution is infinite there: for 0 half of the smallest.
struct Whole;
impl Chance for Whole {
    #[inline(always)]
    fn of(bits: u64) -> f64 {
        uniform(bits).max(1.0 / (1u64 << 54) as f64)
    }
}

/// Between those of -2 and 2.
struct Between;
impl Chance for Between {
    #[inline(always)]
    fn of(bits: u64) -> f64 {
        BELOW_MINUS_2 + uniform(bits) * (1.0 - 2.0 * BELOW_MINUS_2)
    }
}

/// The random bits of elements one after the other; the first operand is the seed, and the number of the first of them.
struct Bits;
impl Body for Bits {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: the caller gives two numbers, and room for `n`.
        let (&[seed, first], to) = unsafe {
            let to = slice::from_raw_parts_mut(to.cast::<u64>(), n);
            (&*a.cast::<[u64; 2]>(), to)
        };
        for (k, to) in to.iter_mut().enumerate() {
            *to = bits(seed, first.wrapping_add(k as u64));
        }
    }
}

/// The normal variables of random bits where they are in the middle, elsewhere anything.
struct Middle<C>(PhantomData<C>);
impl<C: Chance> Body for Middle<C> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: the caller gives `n` numbers, and room for as many.
        let (all, to) = unsafe {
            let to = slice::from_raw_parts_mut(to.cast::<f64>(), n);
            (slice::from_raw_parts(a.cast::<u64>(), n), to)
        };
        for (to, &bits) in to.iter_mut().zip(all) {
            *to = middle(C::of(bits));
        }
    }
}

/// Normal variables: those in the middle by vectors, and then the others.
fn normals<C: Chance, T>(all: &[u64; UNIT], to: &mut [T], value: impl Fn(f64) -> T) {
    let mut values = [0f64; UNIT];
    let (n, none) = (to.len().min(UNIT), ptr::null());
    let run = kernel::<Middle<C>>(Level::best());
    // SAFETY: both are arrays of at least `n` numbers.
    unsafe {
        run(
            n,
            values.as_mut_ptr().cast(),
            all.as_ptr().cast(),
            none,
            none,
        )
    };
    for ((to, &middle), &bits) in to.iter_mut().zip(&values).zip(all) {
        let chance = C::of(bits);
        *to = value(if is_middle(chance) {
            middle
        } else {
            inverse(chance)
        });
    }
}

/// Values of random bits one by one.
fn map<T>(all: &[u64; UNIT], to: &mut [T], value: impl Fn(u64) -> T) {
    for (to, &bits) in to.iter_mut().zip(all) {
        *to = value(bits);
    }
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
            (Distribution::Uniform, DType::Float) => each(out, seed, first, |all, to| {
                map(all, to, |bits| rounded_down(uniform(bits)))
            }),
            (Distribution::Uniform, DType::Double) => {
                each(out, seed, first, |all, to| map(all, to, uniform))
            }
            (Distribution::Normal, DType::Float) => each(out, seed, first, |all, to| {
                normals::<Whole, f32>(all, to, |x| x as f32)
            }),
            (Distribution::Normal, DType::Double) => each(out, seed, first, |all, to| {
                normals::<Whole, f64>(all, to, |x| x)
            }),
            (Distribution::Truncated, DType::Float) => each(out, seed, first, |all, to| {
                normals::<Between, f32>(all, to, |x| x.clamp(-2.0, 2.0) as f32)
            }),
            (Distribution::Truncated, DType::Double) => each(out, seed, first, |all, to| {
                normals::<Between, f64>(all, to, |x| x.clamp(-2.0, 2.0))
            }),
            (Distribution::Integers(low, high), DType::Int64) => {
                let count = high.wrapping_sub(low) as u64;
                each(out, seed, first, |all, to| {
                    map(all, to, |bits| low.wrapping_add(below(bits, count) as i64))
                })
            }
            (Distribution::Bernoulli(p), DType::Bool) => each(out, seed, first, |all, to| {
                map(all, to, |bits| Bool::from(uniform(bits) < p))
            }),
            (distribution, dtype) => Err(malformed(format!("{distribution:?} of {dtype}"))),
        }
    }
}

unsafe fn each<T: Typed>(
    out: &mut OperandMut,
    seed: u64,
    first: u64,
    values_of: impl Fn(&[u64; UNIT], &mut [T]) + Sync,
) -> Result<(), Error> {
    let length = out.layout.elements() as usize;
    // SAFETY: the caller's promise.
    let out = unsafe { Target::<T>::new(out, length) }?;
    units(length.div_ceil(UNIT), length, &|unit| {
        let start = unit * UNIT;
        let count = UNIT.min(length - start);
        // One after the other, so that each loop is one over vectors.
        let mut random = [0u64; UNIT];
        let (key, none) = ([seed, first.wrapping_add(start as u64)], ptr::null());
        let run = kernel::<Bits>(Level::best());
        // SAFETY: `count` is at most the length of the array.
        unsafe {
            run(
                count,
                random.as_mut_ptr().cast(),
                key.as_ptr().cast(),
                none,
                none,
            )
        };
        let mut values = [T::default(); UNIT];
        values_of(&random, &mut values[..count]);
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
