//! The innermost loop of a matrix product: [`ROWS`] rows times some columns, in registers.

use std::marker::PhantomData;

use super::isa::{Body, Isa};

/// Rows of a block.
pub const ROWS: usize = 6;

/// A type that products are made of.
pub trait Float: Copy {
    /// 0.
    const ZERO: Self;
    /// The sum.
    fn add(a: Self, b: Self) -> Self;
    /// `a * b + c`, with one rounding if that is one instruction.
    fn madd<I: Isa>(a: Self, b: Self, c: Self) -> Self;
}

impl Float for f32 {
    const ZERO: f32 = 0.0;
    #[inline(always)]
    fn add(a: f32, b: f32) -> f32 {
        a + b
    }
    #[inline(always)]
    fn madd<I: Isa>(a: f32, b: f32, c: f32) -> f32 {
        if I::FMA {
            a.mul_add(b, c)
        } else {
            a * b + c
        }
    }
}

impl Float for f64 {
    const ZERO: f64 = 0.0;
    #[inline(always)]
    fn add(a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn madd<I: Isa>(a: f64, b: f64, c: f64) -> f64 {
        if I::FMA {
            a.mul_add(b, c)
        } else {
            a * b + c
        }
    }
}

/// `to[i][j] += sum over k < n of a[i][k] * b[k][j]`, of [`ROWS`] rows of `COLUMNS` at `to` and rows of `COLUMNS` at b. At a are the addresses of
/// the rows' first elements; the address c is the distance from one element of a row to the next, in bytes.
pub struct Block<T, const COLUMNS: usize>(PhantomData<T>);

impl<T: Float, const COLUMNS: usize> Body for Block<T, COLUMNS> {
    const WIDE: bool = true;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        let to = to.cast::<[[T; COLUMNS]; ROWS]>();
        let b = b.cast::<[T; COLUMNS]>();
        let stride = c as usize;
        // SAFETY: as the caller says.
        unsafe {
            let rows = a.cast::<[*const u8; ROWS]>().read();
            let mut sums = [[T::ZERO; COLUMNS]; ROWS];
            for k in 0..n {
                let b = b.add(k).read();
                for (row, sums) in rows.iter().zip(&mut sums) {
                    let x = row.wrapping_add(k * stride).cast::<T>().read_unaligned();
                    for (sum, &b) in sums.iter_mut().zip(&b) {
                        *sum = T::madd::<I>(x, b, *sum);
                    }
                }
            }
            let old = to.read();
            for (sums, old) in sums.iter_mut().zip(&old) {
                for (sum, &old) in sums.iter_mut().zip(old) {
                    *sum = T::add(old, *sum);
                }
            }
            to.write(sums);
        }
    }
}
