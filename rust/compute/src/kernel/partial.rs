//! Kernels of partial operators, which report elements without a result.

use std::marker::PhantomData;

use super::isa::{Body, Isa};
use super::map::each;
use super::ops::{Cos, Partial, Sin};
use super::{function, isa};

/// `to[k] = F(a[k], b[k])`; if a result is undefined, the byte at the address c is set to 1.
pub struct Checked<F, T>(PhantomData<(F, T)>);

impl<F: Partial<T>, T: Copy + Default> Body for Checked<F, T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        let (a, b) = (a.cast::<T>(), b.cast::<T>());
        let missing = std::cell::Cell::new(false);
        // SAFETY: both are readable for n elements, and `to` is writable for as many.
        unsafe {
            each(n, to.cast::<T>(), |k| {
                F::f(a.add(k).read_unaligned(), b.add(k).read_unaligned()).unwrap_or_else(|| {
                    missing.set(true);
                    T::default()
                })
            });
        }
        if missing.get() {
            // SAFETY: the caller passes a writable address as this operand.
            unsafe { c.cast_mut().write(1) };
        }
    }
}

/// sin or cos of all doubles.
pub trait Angle {
    /// For small angles, without branches.
    fn small<I: isa::Isa>(x: f64) -> f64;
    /// For any angle.
    fn any(x: f64) -> f64;
}

impl Angle for Sin {
    #[inline(always)]
    fn small<I: Isa>(x: f64) -> f64 {
        function::sin::<I>(x)
    }
    fn any(x: f64) -> f64 {
        libm::sin(x)
    }
}

impl Angle for Cos {
    #[inline(always)]
    fn small<I: Isa>(x: f64) -> f64 {
        function::cos::<I>(x)
    }
    fn any(x: f64) -> f64 {
        libm::cos(x)
    }
}

/// A float that is computed as a double.
pub trait Real: Copy {
    /// Converts to a double.
    fn widen(self) -> f64;
    /// Converts to the nearest value.
    fn narrow(x: f64) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn narrow(x: f64) -> f32 {
        x as f32
    }
}

impl Real for f64 {
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn narrow(x: f64) -> f64 {
        x
    }
}

/// `to[k] = F(a[k])` of angles: few are so large that the range reduction of the fast path is not exact enough.
pub struct Trigonometric<F, T>(PhantomData<(F, T)>);

impl<F: Angle, T: Real> Body for Trigonometric<F, T> {
    const WIDE: bool = true;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        let (a, to) = (a.cast::<T>(), to.cast::<T>());
        let mut done = 0;
        while done < n {
            let len = (n - done).min(64);
            // SAFETY: these elements are below n, where a is readable and `to` writable.
            unsafe {
                let from = a.add(done);
                // Each element is loaded once: it may change concurrently.
                let mut local = [0.0; 64];
                let mut large = false;
                for (k, x) in local.iter_mut().enumerate().take(len) {
                    *x = from.add(k).read_unaligned().widen();
                    large |= x.abs() > function::LARGEST_ANGLE || x.is_nan();
                }
                if large {
                    each(len, to.add(done), |k| {
                        let x = local[k];
                        T::narrow(if x.abs() <= function::LARGEST_ANGLE {
                            F::small::<I>(x)
                        } else {
                            F::any(x)
                        })
                    });
                } else {
                    each(len, to.add(done), |k| T::narrow(F::small::<I>(local[k])));
                }
            }
            done += len;
        }
    }
}
