//! Kernels that compute element by element. Operands are contiguous or one value for all; they may be the same memory as the result, if their
//! elements have one size, and overlap it in no other way. In place they are right, but slow:
//! [`Accumulate`](super::fold::Accumulate) is the kernel for that.

use std::marker::PhantomData;
use std::ops::{BitAnd, BitXor};

use super::isa::{Body, Element, Isa};

/// A function of one element.
pub trait Unary<A, R> {
    /// The value.
    fn f<I: Isa>(a: A) -> R;
}

/// A function of two elements.
pub trait Binary<A, R> {
    /// The value.
    fn f<I: Isa>(a: A, b: A) -> R;
}

/// Writes `element(k)` to `to[k]` for k in `0..n`. The compiler checks once per call whether the result overlaps the
/// operands, and vectorises the case that it does not; registers of a plan never do.
///
/// # Safety
///
/// `to` is writable for `n` elements, and `element` may be called for every k below n, as long as nothing at or after `to + k` was written.
#[inline(always)]
pub unsafe fn each<R: Copy>(n: usize, to: *mut R, element: impl Fn(usize) -> R) {
    for k in 0..n {
        // SAFETY: k is below n.
        unsafe { to.add(k).write_unaligned(element(k)) };
    }
}

/// `to[k] = F(a[k])`.
pub struct Map1<F, A, R>(PhantomData<(F, A, R)>);

impl<F: Unary<A, R>, A: Element, R: Copy> Body for Map1<F, A, R> {
    const WIDE: bool = A::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        let a = a.cast::<A>();
        // SAFETY: `a` is readable for n elements.
        unsafe { each(n, to.cast::<R>(), |k| F::f::<I>(a.add(k).read_unaligned())) }
    }
}

/// `to[k] = F(a[k], b[k])`; with `SA` always `a[0]`, with `SB` always `b[0]`.
pub struct Map2<F, A, R, const SA: bool, const SB: bool>(PhantomData<(F, A, R)>);

impl<F: Binary<A, R>, A: Element, R: Copy, const SA: bool, const SB: bool> Body
    for Map2<F, A, R, SA, SB>
{
    const WIDE: bool = A::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        if n == 0 {
            return;
        }
        let (a, b) = (a.cast::<A>(), b.cast::<A>());
        // SAFETY: each is readable for n elements, at least one, or for one.
        unsafe {
            let (first_a, first_b) = (a.read_unaligned(), b.read_unaligned());
            each(n, to.cast::<R>(), |k| {
                let x = if SA {
                    first_a
                } else {
                    a.add(k).read_unaligned()
                };
                let y = if SB {
                    first_b
                } else {
                    b.add(k).read_unaligned()
                };
                F::f::<I>(x, y)
            });
        }
    }
}

/// The bits of an element.
pub trait Bits: Copy + BitAnd<Output = Self> + BitXor<Output = Self> {
    /// All bits, or none.
    fn all(yes: bool) -> Self;
}

macro_rules! bits {
    ($($t:ty)*) => {$(
        impl Bits for $t {
            #[inline(always)]
            fn all(yes: bool) -> $t {
                <$t>::from(yes).wrapping_neg()
            }
        }
    )*};
}

bits! { u8 u16 u32 u64 }

/// `to[k] = a[k] != 0 ? b[k] : c[k]`, where a is of bytes.
pub struct Select<T>(PhantomData<T>);

impl<T: Bits> Body for Select<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        let (b, c) = (b.cast::<T>(), c.cast::<T>());
        // SAFETY: all three are readable for n elements.
        unsafe {
            each(n, to.cast::<T>(), |k| {
                let (yes, no) = (b.add(k).read_unaligned(), c.add(k).read_unaligned());
                // By bits: of a choice the compiler makes one of two addresses, element by element.
                no ^ ((yes ^ no) & T::all(*a.add(k) != 0))
            });
        }
    }
}

/// `to[k] = a[0]`.
pub struct Splat<T>(PhantomData<T>);

impl<T: Copy> Body for Splat<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        let to = to.cast::<T>();
        // SAFETY: `a` is readable for one element, and `to` writable for n.
        unsafe {
            let value = a.cast::<T>().read_unaligned();
            for k in 0..n {
                to.add(k).write_unaligned(value);
            }
        }
    }
}

/// `to[k] = a[k * b]`, where the address b is a stride in bytes.
pub struct Pack<T>(PhantomData<T>);

impl<T: Copy> Body for Pack<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, stride) = (to.cast::<T>(), b as isize);
        for k in 0..n {
            // SAFETY: `a` is readable at n elements with this stride.
            unsafe {
                to.add(k)
                    .write_unaligned(a.offset(k as isize * stride).cast::<T>().read_unaligned())
            }
        }
    }
}

/// `to[k * b] = a[k]`, where the address b is a stride in bytes.
pub struct Unpack<T>(PhantomData<T>);

impl<T: Copy> Body for Unpack<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (a, stride) = (a.cast::<T>(), b as isize);
        for k in 0..n {
            // SAFETY: `to` is writable at n elements with this stride.
            unsafe {
                to.offset(k as isize * stride)
                    .cast::<T>()
                    .write_unaligned(a.add(k).read_unaligned())
            }
        }
    }
}

/// `to[k] = a[b[k]]`, where b holds offsets in bytes.
pub struct Gather<T>(PhantomData<T>);

impl<T: Copy> Body for Gather<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, b) = (to.cast::<T>(), b.cast::<i64>());
        for k in 0..n {
            // SAFETY: `a` is readable at each of the n offsets.
            unsafe {
                to.add(k).write_unaligned(
                    a.offset(b.add(k).read_unaligned() as isize)
                        .cast::<T>()
                        .read_unaligned(),
                )
            }
        }
    }
}

/// `to[k] = a + k * b` as i64, where the addresses are numbers.
pub struct Iota;

impl Body for Iota {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, first, step) = (to.cast::<i64>(), a as i64, b as i64);
        for k in 0..n {
            // SAFETY: `to` is writable for n elements.
            unsafe {
                to.add(k)
                    .write_unaligned(first.wrapping_add(step.wrapping_mul(k as i64)))
            }
        }
    }
}

/// The element of `to` at offset `b[k]` becomes `F` of itself and `a[k]`, in order of k, where b holds offsets in bytes.
pub struct Scatter<F, T>(PhantomData<(F, T)>);

impl<F: Binary<T, T>, T: Copy> Body for Scatter<F, T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (a, b) = (a.cast::<T>(), b.cast::<i64>());
        for k in 0..n {
            // SAFETY: `to` is writable at each of the n offsets, and a and b are readable for n elements.
            unsafe {
                let at = to.offset(b.add(k).read_unaligned() as isize).cast::<T>();
                at.write_unaligned(F::f::<I>(at.read_unaligned(), a.add(k).read_unaligned()));
            }
        }
    }
}
