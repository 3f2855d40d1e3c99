//! Plans of transforms of one length, and those that were used last.

use std::any::Any;
use std::f64::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use rustfft::algorithm::butterflies::{
    Butterfly1, Butterfly16, Butterfly2, Butterfly3, Butterfly4, Butterfly5, Butterfly7,
    Butterfly8, Butterfly9,
};
use rustfft::algorithm::{BluesteinsAlgorithm, MixedRadix, Radix3, Radix4};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum};
use tensornio_compute::Error;

use super::square::Square;
use super::Kind;
use crate::operands::{malformed, reserve};
use crate::quantile::Float;

/// How many plans are kept.
const KEPT: usize = 16;
/// The sum of the lengths of plans that are kept: those of one length take about as much memory as four of its transforms.
const KEPT_LENGTH: usize = 1 << 21;

/// A transform of one length.
#[derive(Clone)]
pub(super) struct Plan<T> {
    /// Of complex numbers; of half as many as there are real ones, if these are even.
    pub fft: Arc<dyn Fft<T>>,
    /// The complex numbers by which half a transform becomes a whole one; else none.
    pub turns: Arc<[Complex<T>]>,
}

/// Plans that were used last, the latest one last: to make one takes about as long as a transform.
static PLANS: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

struct Kept {
    kind: Kind,
    length: usize,
    plan: Box<dyn Any + Send>,
}

/// The transform of powers of two.
fn twos<T: Float + FftNum>(exponent: u32, direction: FftDirection) -> Arc<dyn Fft<T>> {
    if exponent >= Square::<T>::LEAST {
        return Arc::new(Square::new(exponent, direction));
    }
    let (base, exponent_of): (Arc<dyn Fft<T>>, u32) = match exponent {
        0 => (Arc::new(Butterfly1::new(direction)), 0),
        1 => (Arc::new(Butterfly2::new(direction)), 1),
        2 => (Arc::new(Butterfly4::new(direction)), 2),
        _ if exponent % 2 == 1 => (Arc::new(Butterfly8::new(direction)), 3),
        _ => (Arc::new(Butterfly16::new(direction)), 4),
    };
    match (exponent - exponent_of) / 2 {
        0 => base,
        steps => Arc::new(Radix4::new_with_base(steps, base)),
    }
}

/// The transform of powers of three.
fn threes<T: FftNum>(exponent: u32, direction: FftDirection) -> Arc<dyn Fft<T>> {
    if exponent == 1 {
        return Arc::new(Butterfly3::new(direction));
    }
    let base: Arc<dyn Fft<T>> = Arc::new(Butterfly9::new(direction));
    match exponent - 2 {
        0 => base,
        steps => Arc::new(Radix3::new_with_base(steps, base)),
    }
}

/// The transform of a length: of its powers of 2 and 3, its factors 5 and 7, and of the rest by a convolution (Bluestein). The crate has a planner
/// that knows more kinds, which are most of its code.
fn planned<T: Float + FftNum>(length: usize, direction: FftDirection) -> Arc<dyn Fft<T>> {
    let mut parts: Vec<Arc<dyn Fft<T>>> = Vec::new();
    let twos_of = length.trailing_zeros();
    let mut left = length >> twos_of;
    let mut threes_of = 0;
    while left.is_multiple_of(3) {
        left /= 3;
        threes_of += 1;
    }
    if threes_of > 0 {
        parts.push(threes(threes_of, direction));
    }
    while left.is_multiple_of(5) {
        left /= 5;
        parts.push(Arc::new(Butterfly5::new(direction)));
    }
    while left.is_multiple_of(7) {
        left /= 7;
        parts.push(Arc::new(Butterfly7::new(direction)));
    }
    if left > 1 {
        let inner = twos(
            (2 * left - 1).next_power_of_two().trailing_zeros(),
            direction,
        );
        parts.push(Arc::new(BluesteinsAlgorithm::new(left, inner)));
    }
    if twos_of > 0 || parts.is_empty() {
        parts.push(twos(twos_of, direction));
    }
    let last = parts.remove(0);
    parts
        .into_iter()
        .fold(last, |whole, part| Arc::new(MixedRadix::new(part, whole)))
}

impl<T: Float + FftNum> Plan<T> {
    fn made(kind: Kind, length: usize) -> Result<Plan<T>, Error> {
        // The crate ends the process where memory is missing: it is asked for here before, with the most that any length takes.
        reserve(&mut Vec::<Complex<T>>::new(), length.saturating_mul(12))?;
        let (direction, sign) = match kind {
            Kind::Real | Kind::Complex => (FftDirection::Forward, -1.0),
            Kind::RealBack | Kind::ComplexBack => (FftDirection::Inverse, 1.0),
        };
        if !matches!(kind, Kind::Real | Kind::RealBack) || length % 2 == 1 {
            let fft = planned(length, direction);
            return Ok(Plan {
                fft,
                turns: Arc::new([]),
            });
        }
        let half = length / 2;
        let turns = (0..=half / 2).map(|k| {
            // Exact where they are, as those of the crate.
            let (sin, cos) = match length {
                _ if 4 * k == length => (sign, 0.0),
                _ => libm::sincos(sign * 2.0 * PI * k as f64 / length as f64),
            };
            Complex::new(T::of_real(cos), T::of_real(sin))
        });
        Ok(Plan {
            fft: planned(half, direction),
            turns: turns.collect(),
        })
    }

    /// The plan of a transform: one that was kept, or a new one.
    pub fn of(kind: Kind, length: usize) -> Result<Plan<T>, Error> {
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
}
