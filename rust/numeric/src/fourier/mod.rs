//! Fourier transforms along the last axis, by the algorithms of the crate `rustfft`: complex numbers are a last axis of 2.

mod plan;

use rustfft::num_complex::Complex;
use rustfft::FftNum;
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::lanes::{deep, units};
use crate::operands::{list, malformed, reserve, Source, Target};
use crate::quantile::Float;
use plan::Plan;

/// The elements of a unit of work, about.
const UNIT: usize = 1 << 13;
/// No tensor has a longer axis; more than this could not be doubled.
const MOST: usize = usize::MAX / 64;

/// Which transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Of real numbers, to the half of the complex ones that says all.
    Real,
    /// Of that half, back to real numbers.
    RealBack,
    /// Of complex numbers.
    Complex,
    /// Of complex numbers, back.
    ComplexBack,
}

/// The memory of one transform after the other.
struct Work<'p, T> {
    plan: &'p Plan<T>,
    /// What is read, and then what is written.
    numbers: Vec<T>,
    complex: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

fn zeros<T: Float + FftNum>(length: usize) -> Result<Vec<Complex<T>>, Error> {
    let mut zeros = Vec::new();
    reserve(&mut zeros, length)?;
    zeros.resize(length, Complex::new(T::default(), T::default()));
    Ok(zeros)
}

impl<T: Float + FftNum> Work<'_, T> {
    fn new(plan: &Plan<T>, numbers: usize) -> Result<Work<'_, T>, Error> {
        Ok(Work {
            plan,
            numbers: list(numbers)?,
            complex: zeros(plan.fft.len())?,
            scratch: zeros(plan.fft.get_inplace_scratch_len())?,
        })
    }

    fn process(&mut self) {
        self.plan
            .fft
            .process_with_scratch(&mut self.complex, &mut self.scratch);
    }

    /// Reads complex numbers, and writes them.
    fn complex(&mut self, scale: T) {
        for (to, pair) in self.complex.iter_mut().zip(self.numbers.chunks_exact(2)) {
            *to = Complex::new(pair[0], pair[1]);
        }
        self.process();
        for (pair, from) in self.numbers.chunks_exact_mut(2).zip(&self.complex) {
            pair.copy_from_slice(&[from.re * scale, from.im * scale]);
        }
    }

    /// Reads `length` real numbers, and writes half of their transform. Two real numbers are one complex number, if they are even.
    fn real(&mut self, length: usize) {
        if length % 2 == 1 {
            for (to, &from) in self.complex.iter_mut().zip(&self.numbers) {
                *to = Complex::new(from, T::default());
            }
            self.process();
            for (pair, from) in self.numbers.chunks_exact_mut(2).zip(&self.complex) {
                pair.copy_from_slice(&[from.re, from.im]);
            }
            return;
        }
        let pairs = self.numbers[..length].chunks_exact(2);
        for (to, pair) in self.complex.iter_mut().zip(pairs) {
            *to = Complex::new(pair[0], pair[1]);
        }
        self.process();
        let (half, scale) = (length / 2, T::of_real(0.5));
        let pairs = self.numbers.chunks_exact_mut(2);
        for (k, (pair, turn)) in pairs.zip(self.plan.turns.iter()).enumerate() {
            let (one, other) = (
                self.complex[k % half],
                self.complex[(half - k) % half].conj(),
            );
            let (sum, difference) = (one + other, one - other);
            let turned = Complex::new(difference.im, -difference.re) * turn;
            pair.copy_from_slice(&[(sum.re + turned.re) * scale, (sum.im + turned.im) * scale]);
        }
    }

    /// Reads half of a transform, and writes `length` real numbers. Of complex numbers that are their own conjugates no imaginary part is read.
    fn back(&mut self, length: usize, scale: T) {
        let half = length / 2;
        let value = |k: usize| {
            let is_own = k == 0 || 2 * k == length;
            let imaginary = if is_own {
                T::default()
            } else {
                self.numbers[2 * k + 1]
            };
            Complex::new(self.numbers[2 * k], imaginary)
        };
        if length % 2 == 1 {
            for k in 0..=half {
                self.complex[(length - k) % length] = value(k).conj();
                self.complex[k] = value(k);
            }
            self.process();
            for (to, from) in self.numbers.iter_mut().zip(&self.complex) {
                *to = from.re * scale;
            }
            return;
        }
        for (k, to) in self.complex.iter_mut().enumerate() {
            let (one, other) = (value(k), value(half - k).conj());
            let turned = (one - other) * self.plan.turns[k];
            *to = one + other + Complex::new(-turned.im, turned.re);
        }
        self.process();
        for (pair, from) in self.numbers.chunks_exact_mut(2).zip(&self.complex) {
            pair.copy_from_slice(&[from.re * scale, from.im * scale]);
        }
    }
}

/// Transforms each row of `length` numbers, real or complex.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say.
pub(crate) unsafe fn transform<T: Float + FftNum>(
    kind: Kind,
    x: &Operand,
    out: &mut OperandMut,
    length: usize,
) -> Result<(), Error> {
    if length == 0 || length > MOST {
        return Err(malformed(format!("a length of {length}")));
    }
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let half = 2 * (length / 2 + 1);
    let (from, to) = match kind {
        Kind::Real => (length, half),
        Kind::RealBack => (half, length),
        _ => (2 * length, 2 * length),
    };
    if x.len() % from != 0 {
        let shape = x.shape();
        return Err(malformed(format!("{kind:?} of {length} in {shape:?}")));
    }
    let rows = x.len() / from;
    // SAFETY: as above.
    let out = unsafe { Target::<T>::new(out, rows * to) }?;
    if rows == 0 {
        return Ok(());
    }
    let plan = deep(|| Plan::<T>::of(kind, length))?;
    let scale = T::of_real(1.0 / length as f64);
    let each = (UNIT / length).max(1);
    let transformed = |unit: usize| {
        let mut work = Work::new(&plan, from.max(to))?;
        for row in unit * each..((unit + 1) * each).min(rows) {
            x.read(row * from, &mut work.numbers[..from]);
            match kind {
                Kind::Real => work.real(length),
                Kind::RealBack => work.back(length, scale),
                Kind::Complex => work.complex(T::of_real(1.0)),
                Kind::ComplexBack => work.complex(scale),
            }
            out.write(row * to, &work.numbers[..to]);
        }
        Ok(())
    };
    units(rows.div_ceil(each), x.len(), &|unit| {
        deep(|| transformed(unit))
    })
}
