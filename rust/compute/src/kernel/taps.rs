//! Sums of rows at several distances, each multiplied by a number: the innermost loop of a filter, whose sums stay in registers.

use std::marker::PhantomData;

use super::function::{madd, madd32};
use super::isa::{Body, Element, Isa};

/// The sums that are written at once: a result has room for whole multiples of so many elements.
pub const STEP: usize = 8;
/// The sums that are in registers at once.
const WIDE: usize = 32;

/// A type of elements of filters.
pub trait Tap: Element {
    /// The number by which nothing changes.
    const ONE: Self;
    /// `self * by + plus`.
    fn madd<I: Isa>(self, by: Self, plus: Self) -> Self;
}

impl Tap for f32 {
    const ONE: f32 = 1.0;

    #[inline(always)]
    fn madd<I: Isa>(self, by: f32, plus: f32) -> f32 {
        madd32::<I>(self, by, plus)
    }
}

impl Tap for f64 {
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn madd<I: Isa>(self, by: f64, plus: f64) -> f64 {
        madd::<I>(self, by, plus)
    }
}

/// The taps of a filter.
#[derive(Clone, Copy, Debug)]
pub struct Taps<T> {
    /// The distance of each, in elements.
    pub places: *const usize,
    /// The number by which each is multiplied.
    pub factors: *const T,
    /// Their number.
    pub count: usize,
    /// Whether sums are added to those that are there.
    pub add: bool,
}

/// `to[j] = sum of factors[t] * a[j + places[t]]`, with [`Taps`] at the address b, for j below n rounded up to a multiple of [`STEP`].
pub struct Filter<T>(PhantomData<T>);

/// The sums of N elements.
///
/// # Safety
///
/// The taps are readable, and a for N elements from each of their places on; `to` is readable and writable for N elements.
#[inline(always)]
unsafe fn sums<T: Tap, I: Isa, const N: usize>(to: *mut T, a: *const T, taps: &Taps<T>) {
    // SAFETY: as the caller says.
    unsafe {
        let mut sums: [T; N] = [T::zeroed(); N];
        for t in 0..taps.count {
            let (factor, row) = (taps.factors.add(t).read(), a.add(taps.places.add(t).read()));
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = row.add(k).read().madd::<I>(factor, *sum);
            }
        }
        if taps.add {
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum = sum.madd::<I>(T::ONE, to.add(k).read());
            }
        }
        to.cast::<[T; N]>().write(sums);
    }
}

impl<T: Tap> Body for Filter<T> {
    const WIDE: bool = true;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, a) = (to.cast::<T>(), a.cast::<T>());
        // SAFETY: b is the address of the taps; the rest as they say.
        unsafe {
            let taps = b.cast::<Taps<T>>().read();
            let mut done = 0;
            while done + WIDE <= n {
                sums::<T, I, WIDE>(to.add(done), a.add(done), &taps);
                done += WIDE;
            }
            while done < n {
                sums::<T, I, STEP>(to.add(done), a.add(done), &taps);
                done += STEP;
            }
        }
    }
}
