//! Fourier transforms along the last axis, by the crates `rustfft` and `realfft`: complex numbers are a last axis of 2.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftNum, FftPlanner};
use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::lanes::{deep, units};
use crate::operands::{list, malformed, reserve, Source, Target};
use crate::quantile::Float;

/// The elements of a unit of work, about.
const UNIT: usize = 1 << 13;
/// How many plans are kept.
const KEPT: usize = 16;
/// The sum of the lengths of plans that are kept: those of one length take about as much memory as four of its transforms.
const KEPT_LENGTH: usize = 1 << 21;

/// No tensor has a longer axis; more than this could not be doubled.
const MOST: usize = usize::MAX / 64;

/// A transform of one length.
enum Plan<T> {
    Forward(Arc<dyn RealToComplex<T>>),
    Back(Arc<dyn ComplexToReal<T>>),
    Complex(Arc<dyn Fft<T>>),
}

impl<T> Clone for Plan<T> {
    fn clone(&self) -> Plan<T> {
        match self {
            Plan::Forward(plan) => Plan::Forward(plan.clone()),
            Plan::Back(plan) => Plan::Back(plan.clone()),
            Plan::Complex(plan) => Plan::Complex(plan.clone()),
        }
    }
}

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

/// Plans that were used last, the latest one last: to make one takes about as long as a transform.
static PLANS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

struct Kept {
    kind: Kind,
    length: usize,
    plan: Box<dyn Any + Send>,
}

impl<T: FftNum> Plan<T> {
    fn made(kind: Kind, length: usize) -> Result<Plan<T>, Error> {
        // The crates end the process where memory is missing: it is asked for here before, with the most that any length takes.
        reserve(&mut Vec::<Complex<T>>::new(), length.saturating_mul(8))?;
        Ok(match kind {
            Kind::Real => Plan::Forward(RealFftPlanner::new().plan_fft_forward(length)),
            Kind::RealBack => Plan::Back(RealFftPlanner::new().plan_fft_inverse(length)),
            Kind::Complex => Plan::Complex(FftPlanner::new().plan_fft_forward(length)),
            Kind::ComplexBack => Plan::Complex(FftPlanner::new().plan_fft_inverse(length)),
        })
    }

    /// The plan of a transform: one that was kept, or a new one.
    fn of(kind: Kind, length: usize) -> Result<Plan<T>, Error> {
        let lock = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
        let same =
            |kept: &Kept| kept.kind == kind && kept.length == length && kept.plan.is::<Plan<T>>();
        {
            let mut plans = lock();
            if let Some(at) = plans.iter().position(same) {
                let kept = plans.remove(at);
                let plan = kept.plan.downcast_ref::<Plan<T>>().cloned();
                plans.push(kept);
                return plan.ok_or_else(|| malformed("a plan of another type"));
            }
        }
        let plan = Plan::made(kind, length)?;
        let mut plans = lock();
        plans.push(Kept {
            kind,
            length,
            plan: Box::new(plan.clone()),
        });
        let mut sum: usize = plans.iter().map(|kept| kept.length).sum();
        while plans.len() > KEPT || sum > KEPT_LENGTH {
            sum -= plans.remove(0).length;
        }
        Ok(plan)
    }

    /// The length of the memory that a transform works in.
    fn scratch(&self) -> usize {
        match self {
            Plan::Forward(plan) => plan.get_scratch_len(),
            Plan::Back(plan) => plan.get_scratch_len(),
            Plan::Complex(plan) => plan.get_inplace_scratch_len(),
        }
    }
}

/// The memory of one transform after the other.
struct Work<T> {
    numbers: Vec<T>,
    complex: Vec<Complex<T>>,
    scratch: Vec<Complex<T>>,
}

impl<T: Float + FftNum> Work<T> {
    fn new(plan: &Plan<T>, numbers: usize, complex: usize) -> Result<Work<T>, Error> {
        let zeros = |length| -> Result<Vec<Complex<T>>, Error> {
            let mut zeros = Vec::new();
            reserve(&mut zeros, length)?;
            zeros.resize(length, Complex::new(T::default(), T::default()));
            Ok(zeros)
        };
        Ok(Work {
            numbers: list(numbers)?,
            complex: zeros(complex)?,
            scratch: zeros(plan.scratch())?,
        })
    }

    fn read_complex(&mut self, from: &Source<T>, at: usize) {
        let numbers = &mut self.numbers[..2 * self.complex.len()];
        from.read(at, numbers);
        for (to, pair) in self.complex.iter_mut().zip(numbers.chunks_exact(2)) {
            *to = Complex::new(pair[0], pair[1]);
        }
    }

    fn write_complex(&mut self, to: &Target<T>, at: usize, scale: T) {
        let numbers = &mut self.numbers[..2 * self.complex.len()];
        for (pair, from) in numbers.chunks_exact_mut(2).zip(&self.complex) {
            pair.copy_from_slice(&[from.re * scale, from.im * scale]);
        }
        to.write(at, numbers);
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
    let complex = match kind {
        Kind::Real | Kind::RealBack => length / 2 + 1,
        _ => length,
    };
    let (from, to) = match kind {
        Kind::Real => (length, 2 * complex),
        Kind::RealBack => (2 * complex, length),
        _ => (2 * length, 2 * length),
    };
    if x.len() % from != 0 {
        return Err(malformed(format!(
            "{kind:?} of {length} in {:?}",
            x.shape()
        )));
    }
    let rows = x.len() / from;
    // SAFETY: as above.
    let out = unsafe { Target::<T>::new(out, rows * to) }?;
    if rows == 0 {
        return Ok(());
    }
    let plan = deep(|| Plan::<T>::of(kind, length))?;
    let scale = match kind {
        Kind::RealBack | Kind::ComplexBack => T::of_real(1.0 / length as f64),
        _ => T::of_real(1.0),
    };
    let each = (UNIT / length).max(1);
    let transformed = |unit: usize| {
        let mut work = Work::new(&plan, from.max(to), complex)?;
        for row in unit * each..((unit + 1) * each).min(rows) {
            let failed = |error: realfft::FftError| malformed(error.to_string());
            match &plan {
                Plan::Forward(plan) => {
                    let numbers = &mut work.numbers[..length];
                    x.read(row * from, numbers);
                    plan.process_with_scratch(numbers, &mut work.complex, &mut work.scratch)
                        .map_err(failed)?;
                    work.write_complex(&out, row * to, scale);
                }
                Plan::Back(plan) => {
                    work.read_complex(&x, row * from);
                    // Those that are their own conjugates have no imaginary part.
                    work.complex[0].im = T::default();
                    if length % 2 == 0 {
                        work.complex[length / 2].im = T::default();
                    }
                    let numbers = &mut work.numbers[..length];
                    plan.process_with_scratch(&mut work.complex, numbers, &mut work.scratch)
                        .map_err(failed)?;
                    for number in numbers.iter_mut() {
                        *number = *number * scale;
                    }
                    out.write(row * to, numbers);
                }
                Plan::Complex(plan) => {
                    work.read_complex(&x, row * from);
                    plan.process_with_scratch(&mut work.complex, &mut work.scratch);
                    work.write_complex(&out, row * to, scale);
                }
            }
        }
        Ok(())
    };
    units(rows.div_ceil(each), x.len(), &|unit| {
        deep(|| transformed(unit))
    })
}
