//! Kernels that are two operators in one pass over a tile: the same values, rounded as often, without a register between them.

use std::marker::PhantomData;

use super::isa::{kernel, Body, Element, Isa, Kernel, Level};
use super::map::{each, Binary, Map2, Unary};
use super::ops::{Add, Exp, Mul, Sigmoid, Sub};
use super::Mode;
use crate::ast;
use crate::operand::DType;

/// What a kernel computes, if it may be part of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A function of one operand.
    Unary(ast::Unary),
    /// An operator of two, in these modes.
    Binary(ast::Binary, Mode, Mode),
    /// One element, written to all of a tile.
    Splat,
    /// The sum of two offsets in bytes, INT64.
    Offset,
    /// Something else.
    Other,
}

/// `F(a, U(b))`
pub struct Second<F, U>(PhantomData<(F, U)>);

impl<F: Binary<T, T>, U: Unary<T, T>, T> Binary<T, T> for Second<F, U> {
    #[inline(always)]
    fn f<I: Isa>(a: T, b: T) -> T {
        F::f::<I>(a, U::f::<I>(b))
    }
}

/// `U(F(a, b))`
pub struct Of<U, F>(PhantomData<(U, F)>);

impl<U: Unary<T, T>, F: Binary<T, T>, T> Binary<T, T> for Of<U, F> {
    #[inline(always)]
    fn f<I: Isa>(a: T, b: T) -> T {
        U::f::<I>(F::f::<I>(a, b))
    }
}

/// `F(b, a)`
pub struct Reversed<F>(PhantomData<F>);

impl<F: Binary<T, T>, T> Binary<T, T> for Reversed<F> {
    #[inline(always)]
    fn f<I: Isa>(a: T, b: T) -> T {
        F::f::<I>(b, a)
    }
}

/// `to[k] = F(a[k] * b[k], c[k])`; with `SA` always `a[0]`, with `SC` always `c[0]`. The product is rounded.
pub struct MultiplyThen<F, T, const SA: bool, const SC: bool>(PhantomData<(F, T)>);

impl<F: Binary<T, T>, T: Element, const SA: bool, const SC: bool> Body
    for MultiplyThen<F, T, SA, SC>
where
    Mul: Binary<T, T>,
{
    const WIDE: bool = T::FLOAT;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, b: *const u8, c: *const u8) {
        if n == 0 {
            return;
        }
        let (a, b, c) = (a.cast::<T>(), b.cast::<T>(), c.cast::<T>());
        // SAFETY: all three are readable for n elements, at least one, or for one.
        unsafe {
            let (first_a, first_c) = (a.read_unaligned(), c.read_unaligned());
            each(n, to.cast::<T>(), |k| {
                let x = if SA {
                    first_a
                } else {
                    a.add(k).read_unaligned()
                };
                let z = if SC {
                    first_c
                } else {
                    c.add(k).read_unaligned()
                };
                F::f::<I>(Mul::f::<I>(x, b.add(k).read_unaligned()), z)
            });
        }
    }
}

/// A kernel of two operators, and the operands that it takes: those of the first one, then the other one of the second, or the reverse.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The kernel.
    pub kernel: Kernel,
    /// Whether the operands of the first operator are to be swapped.
    pub swapped: bool,
    /// Whether the other operand of the second comes before those of the first.
    pub other_first: bool,
}

/// One kernel for an operator, and another one whose operand `at` is its result; none if there is no such kernel.
pub fn pair(
    level: Level,
    dtype: DType,
    first: Operation,
    then: Operation,
    at: usize,
) -> Option<Pair> {
    match dtype {
        DType::Float => pair_of::<f32>(level, first, then, at),
        DType::Double => pair_of::<f64>(level, first, then, at),
        _ => None,
    }
}

fn pair_of<T: Element>(l: Level, first: Operation, then: Operation, at: usize) -> Option<Pair>
where
    Add: Binary<T, T>,
    Sub: Binary<T, T>,
    Mul: Binary<T, T>,
    Exp: Unary<T, T>,
    Sigmoid: Unary<T, T>,
{
    use ast::Binary as B;
    use Mode::{Scalar, Vector};
    macro_rules! product {
        ($f:ty, $a:expr, $c:expr) => {
            match ($a, $c) {
                (Vector, Vector) => kernel::<MultiplyThen<$f, T, false, false>>(l),
                (Scalar, Vector) => kernel::<MultiplyThen<$f, T, true, false>>(l),
                (Vector, Scalar) => kernel::<MultiplyThen<$f, T, false, true>>(l),
                (Scalar, Scalar) => kernel::<MultiplyThen<$f, T, true, true>>(l),
            }
        };
    }
    macro_rules! second {
        ($f:ident, $a:expr) => {
            match $a {
                Vector => kernel::<Map2<Second<$f, Sigmoid>, T, T, false, false>>(l),
                Scalar => kernel::<Map2<Second<$f, Sigmoid>, T, T, true, false>>(l),
            }
        };
    }
    let (kernel, swapped, other_first) = match (first, then) {
        (Operation::Binary(B::Mul, x, y), Operation::Binary(op, left, right)) => {
            // Both orders of factors are one product: the one that is one element comes first.
            let swapped = y == Scalar;
            let (a, c) = (
                if swapped { y } else { x },
                if at == 0 { right } else { left },
            );
            let kernel = match (op, at) {
                (B::Add, _) => product!(Add, a, c),
                (B::Sub, 0) => product!(Sub, a, c),
                (B::Sub, _) => product!(Reversed<Sub>, a, c),
                _ => return None,
            };
            (kernel, swapped, false)
        }
        (Operation::Unary(ast::Unary::Sigmoid), Operation::Binary(op, left, right)) => {
            let other = if at == 0 { right } else { left };
            let kernel = match (op, at) {
                (B::Add, _) => second!(Add, other),
                (B::Mul, _) => second!(Mul, other),
                (B::Sub, 1) => second!(Sub, other),
                _ => return None,
            };
            (kernel, false, true)
        }
        (Operation::Binary(B::Sub, x, y), Operation::Unary(ast::Unary::Exp)) => {
            let kernel = match (x, y) {
                (Vector, Vector) => kernel::<Map2<Of<Exp, Sub>, T, T, false, false>>(l),
                (Vector, Scalar) => kernel::<Map2<Of<Exp, Sub>, T, T, false, true>>(l),
                _ => return None,
            };
            (kernel, false, false)
        }
        _ => return None,
    };
    Some(Pair {
        kernel,
        swapped,
        other_first,
    })
}
