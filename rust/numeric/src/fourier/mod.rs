//! Fourier transforms along the last axis, by the algorithms of the crate `rustfft`: complex numbers are a last axis of 2.

mod plan;
mod square;

use rustfft::num_complex::Complex;
use rustfft::FftNum;
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::lanes::{deep, units};
use crate::operands::{malformed, reserve, Source, Target};
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
    numbers: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

fn zeros<T: Float + FftNum>(length: usize) -> Result<Vec<Complex<T>>, Error> {
    let mut zeros = Vec::new();
    reserve(&mut zeros, length)?;
    zeros.resize(length, Complex::new(T::default(), T::default()));
    Ok(zeros)
}

/// Complex numbers as real ones, twice as many: the real part of each, and then its imaginary part.
fn parts<T: Float>(numbers: &mut [Complex<T>]) -> &mut [T] {
    // SAFETY: `Complex` is `repr(C)`, and has these two fields.
    unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), 2 * numbers.len()) }
}

impl<T: Float + FftNum> Work<'_, T> {
    /// For transforms that read and write so many real numbers.
    fn new(plan: &Plan<T>, numbers: usize) -> Result<Work<'_, T>, Error> {
        Ok(Work {
            plan,
            numbers: zeros(plan.fft.len().max(numbers.div_ceil(2)))?,
            scratch: zeros(plan.fft.get_inplace_scratch_len())?,
        })
    }

    fn process(&mut self) {
        let fft = &self.plan.fft;
        fft.process_with_scratch(&mut self.numbers[..fft.len()], &mut self.scratch);
    }

    fn scale(&mut self, length: usize, scale: T) {
        for number in &mut parts(&mut self.numbers)[..length] {
            *number = *number * scale;
        }
    }

    /// Halves and wholes of transforms of real numbers, two of which are one complex number: for each two positions that mirror each other makes, of
    /// `one` and the conjugate `other`, the sum and `turned`, which is their difference times a turn and times -i or, backwards, i.
    fn mirrored(&mut self, half: usize, times: impl Fn(Complex<T>) -> Complex<T>) {
        for k in 1..=half / 2 {
            let (one, other) = (self.numbers[k], self.numbers[half - k].conj());
            let (sum, turned) = (one + other, times((one - other) * self.plan.turns[k]));
            self.numbers[k] = sum + turned;
            if 2 * k < half {
                self.numbers[half - k] = (sum - turned).conj();
            }
        }
    }

    /// Of `length` real numbers half of their transform. Two real numbers are one complex number, if they are even.
    fn real(&mut self, length: usize) {
        if length % 2 == 1 {
            for k in (0..length).rev() {
                let from = parts(&mut self.numbers)[k];
                self.numbers[k] = Complex::new(from, T::default());
            }
            return self.process();
        }
        self.process();
        let (half, first, scale) = (length / 2, self.numbers[0], T::of_real(0.5));
        self.numbers[0] = Complex::new(first.re + first.im, T::default());
        self.numbers[half] = Complex::new(first.re - first.im, T::default());
        self.mirrored(half, |z| Complex::new(z.im, -z.re));
        for number in &mut self.numbers[1..half] {
            *number = Complex::new(number.re * scale, number.im * scale);
        }
    }

    /// Of half of a transform `length` real numbers. Of complex numbers that are their own conjugates no imaginary part is read.
    fn back(&mut self, length: usize, scale: T) {
        let (half, first) = (length / 2, self.numbers[0].re);
        if length % 2 == 1 {
            self.numbers[0].im = T::default();
            for k in 1..=half {
                self.numbers[length - k] = self.numbers[k].conj();
            }
            self.process();
            for k in 0..length {
                parts(&mut self.numbers)[k] = self.numbers[k].re;
            }
        } else {
            let last = self.numbers[half].re;
            self.numbers[0] = Complex::new(first + last, first - last);
            self.mirrored(half, |z| Complex::new(-z.im, z.re));
            self.process();
        }
        self.scale(length, scale);
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
            x.read(row * from, &mut parts(&mut work.numbers)[..from]);
            match kind {
                Kind::Real => work.real(length),
                Kind::RealBack => work.back(length, scale),
                Kind::Complex => work.process(),
                Kind::ComplexBack => {
                    work.process();
                    work.scale(to, scale);
                }
            }
            out.write(row * to, &parts(&mut work.numbers)[..to]);
        }
        Ok(())
    };
    units(rows.div_ceil(each), x.len(), &|unit| {
        deep(|| transformed(unit))
    })
}
