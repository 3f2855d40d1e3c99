//! Reduction kernels. Elements are accumulated in [`LANES`] lanes, element k of a call in lane `k % LANES`.

use std::marker::PhantomData;

use super::isa::{Body, Element, Isa};
use super::map::Binary;
use super::ops::{Add, Mul, Sub};

/// The number of accumulators.
pub const LANES: usize = 32;

/// The operation on the operands before the reduction.
pub trait Term<T> {
    /// The value.
    fn f<I: Isa>(a: T, b: T) -> T;
}

/// The first operand.
pub struct First;
/// The product of both.
pub struct Product;
/// The square of their difference.
pub struct SquaredDifference;

impl<T> Term<T> for First {
    #[inline(always)]
    fn f<I: Isa>(a: T, _: T) -> T {
        a
    }
}

impl<T> Term<T> for Product
where
    Mul: Binary<T, T>,
{
    #[inline(always)]
    fn f<I: Isa>(a: T, b: T) -> T {
        Mul::f::<I>(a, b)
    }
}

impl<T: Copy> Term<T> for SquaredDifference
where
    Mul: Binary<T, T>,
    Sub: Binary<T, T>,
{
    #[inline(always)]
    fn f<I: Isa>(a: T, b: T) -> T {
        let d = Sub::f::<I>(a, b);
        Mul::f::<I>(d, d)
    }
}

/// Adds n elements to the lanes.
///
/// # Safety
///
/// a and b are readable for n elements.
#[inline(always)]
unsafe fn add<F: Binary<T, T>, G: Term<T>, T: Copy, I: Isa>(
    mut lanes: [T; LANES],
    n: usize,
    a: *const T,
    b: *const T,
) -> [T; LANES] {
    // SAFETY: as the caller says.
    unsafe {
        let mut done = 0;
        while n - done >= LANES {
            let (a, b) = (a.add(done), b.add(done));
            for (k, lane) in lanes.iter_mut().enumerate() {
                *lane = F::f::<I>(
                    *lane,
                    G::f::<I>(a.add(k).read_unaligned(), b.add(k).read_unaligned()),
                );
            }
            done += LANES;
        }
        for (k, lane) in lanes.iter_mut().enumerate().take(n - done) {
            let at = done + k;
            *lane = F::f::<I>(
                *lane,
                G::f::<I>(a.add(at).read_unaligned(), b.add(at).read_unaligned()),
            );
        }
    }
    lanes
}

/// Reduces the lanes to one element, pairwise.
#[inline(always)]
fn pairwise<F: Binary<T, T>, T: Copy, I: Isa>(mut lanes: [T; LANES]) -> T {
    let mut width = LANES / 2;
    while width > 0 {
        for k in 0..width {
            lanes[k] = F::f::<I>(lanes[k], lanes[k + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// `to[k % LANES] = F(to[k % LANES], G(a[k], b[k]))`
pub struct Fold<F, G, T>(PhantomData<(F, G, T)>);

impl<F: Binary<T, T>, G: Term<T>, T: Element> Body for Fold<F, G, T> {
    const WIDE: bool = T::FLOAT;
    // For integers the compiler generates no vectors of 32 bytes, but 150 KB of scalar code.
    const VECTOR: bool = T::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let to = to.cast::<[T; LANES]>();
        // SAFETY: `to` holds the lanes; a and b are readable for n elements.
        unsafe { to.write(add::<F, G, T, I>(to.read(), n, a.cast(), b.cast())) }
    }
}

/// `to[0]` becomes the reduction of the lanes at a, pairwise.
pub struct Finish<F, T>(PhantomData<(F, T)>);

impl<F: Binary<T, T>, T: Copy> Body for Finish<F, T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: a holds lanes, and `to` is writable for one element.
        unsafe {
            let lanes = a.cast::<[T; LANES]>().read();
            to.cast::<T>().write_unaligned(pairwise::<F, T, I>(lanes));
        }
    }
}

/// The rows of a [`FoldRows`].
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// Their number.
    pub count: usize,
    /// The distances from one row to the next of a, of b, and of their results, in bytes.
    pub steps: [isize; 3],
    /// The identity element of F, as bytes.
    pub identity: *const u8,
}

/// [`Fold`] and [`Finish`] of several rows of n elements, which the address c, of [`Rows`], says.
pub struct FoldRows<F, G, T>(PhantomData<(F, G, T)>);

impl<F: Binary<T, T>, G: Term<T>, T: Element> Body for FoldRows<F, G, T> {
    const WIDE: bool = T::FLOAT;
    const VECTOR: bool = T::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        // SAFETY: c is the address of the rows, which are readable for n elements each, and their results are writable.
        unsafe {
            let Rows {
                count,
                steps,
                identity,
            } = c.cast::<Rows>().read();
            let identity = [identity.cast::<T>().read_unaligned(); LANES];
            for row in 0..count as isize {
                let (a, b) = (a.offset(row * steps[0]), b.offset(row * steps[1]));
                let lanes = add::<F, G, T, I>(identity, n, a.cast(), b.cast());
                let to = to.offset(row * steps[2]).cast::<T>();
                to.write_unaligned(pairwise::<F, T, I>(lanes));
            }
        }
    }
}

/// `to[j] = F(to[j], G(a[j], b[j]))`; with `SA` always `a[0]`.
pub struct Accumulate<F, G, T, const SA: bool>(PhantomData<(F, G, T)>);

impl<F: Binary<T, T>, G: Term<T>, T: Element, const SA: bool> Body for Accumulate<F, G, T, SA> {
    const WIDE: bool = T::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        if n == 0 {
            return;
        }
        let (to, a, b) = (to.cast::<T>(), a.cast::<T>(), b.cast::<T>());
        // SAFETY: a and b are readable for n elements, at least one, or a for one; `to` too.
        unsafe {
            let first = a.read_unaligned();
            super::map::each(n, to, |k| {
                let x = if SA { first } else { a.add(k).read_unaligned() };
                let term = G::f::<I>(x, b.add(k).read_unaligned());
                F::f::<I>(to.add(k).read_unaligned(), term)
            });
        }
    }
}

/// `to[j] = F(to[j], a[j] + ..., of four rows)`, where the address b is the distance between rows in bytes.
pub struct FourRows<T>(PhantomData<T>);

impl<T: Copy> Body for FourRows<T>
where
    Add: Binary<T, T>,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, _: *const u8) {
        let (to, stride) = (to.cast::<T>(), b as isize);
        // SAFETY: all four rows are readable for n elements, `to` too.
        unsafe {
            let row = |r: isize, k: usize| a.offset(r * stride).cast::<T>().add(k).read_unaligned();
            super::map::each(n, to, |k| {
                let four = Add::f::<I>(
                    Add::f::<I>(row(0, k), row(1, k)),
                    Add::f::<I>(row(2, k), row(3, k)),
                );
                Add::f::<I>(to.add(k).read_unaligned(), four)
            });
        }
    }
}
