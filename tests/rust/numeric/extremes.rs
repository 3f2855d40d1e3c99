//! Decompositions of matrices whose elements are so large or so small that their squares or reciprocals are no numbers.

use crate::called::{array, Call};
use crate::matrices::{failure, orthonormal, zeros, Plain, Real};
use tensornio_numeric::Algorithm;

/// Decompositions of [[1, 2], [2, 1]] times a power of two, of which squares or reciprocals are no numbers: values are -1 and 3, the determinant -3.
fn extreme<T: Real + std::fmt::Debug>(exponents: &[i32]) {
    for &exponent in exponents {
        let size = libm_scale(exponent);
        let of = |values: &[f64]| -> Vec<T> { values.iter().map(|x| T::of(x * size)).collect() };
        let x = array(&[2, 2], of(&[1.0, 2.0, 2.0, 1.0]));
        let what = format!("2^{exponent} {}", T::DTYPE);
        // A number that is subnormal has fewer digits.
        let least = if size_of::<T>() == 4 { -149 } else { -1074 };
        let digit = libm_scale(least) / size;
        let near = |found: &[T], wanted: &[f64]| {
            for (found, wanted) in found.iter().zip(wanted) {
                let error = (found.to() / size - wanted).abs();
                assert!(
                    error < 50.0 * T::EPSILON + digit,
                    "{what}: {found:?}, not {wanted} of 2^{exponent}"
                );
            }
        };
        let (mut u, mut s, mut v) = (zeros::<T>(&[2, 2]), zeros::<T>(&[2]), zeros::<T>(&[2, 2]));
        Call::of(Algorithm::Svd, &[])
            .with(&x)
            .fill(1, &mut [&mut u, &mut s, &mut v])
            .unwrap();
        near(&s.values, &[3.0, 1.0]);
        orthonormal::<T>(&what, &Plain::of(&u));
        let (mut values, mut vectors) = (zeros::<T>(&[2]), zeros::<T>(&[2, 2]));
        Call::of(Algorithm::Eigh, &[])
            .with(&x)
            .fill(1, &mut [&mut values, &mut vectors])
            .unwrap();
        near(&values.values, &[-1.0, 3.0]);
        let (mut q, mut r) = (zeros::<T>(&[2, 2]), zeros::<T>(&[2, 2]));
        Call::of(Algorithm::Qr, &[])
            .with(&x)
            .fill(1, &mut [&mut q, &mut r])
            .unwrap();
        orthonormal::<T>(&what, &Plain::of(&q));
        near(&[T::of(r.values[0].to().abs())], &[5f64.sqrt()]);
        for algorithm in [Algorithm::Solve, Algorithm::LeastSquares] {
            let mut one = zeros::<T>(&[2, 2]);
            let call = Call::of(algorithm, &[]).with(&x).with(&x);
            call.fill(1, &mut [&mut one]).unwrap();
            for (found, wanted) in one.values.iter().zip([1.0, 0.0, 0.0, 1.0]) {
                let error = (found.to() - wanted).abs();
                assert!(error < 50.0 * T::EPSILON, "{what} {algorithm:?}: {one:?}");
            }
        }
        let (mut log, mut sign) = (zeros::<T>(&[]), zeros::<T>(&[]));
        Call::of(Algorithm::LogDeterminant, &[])
            .with(&x)
            .fill(1, &mut [&mut log, &mut sign])
            .unwrap();
        let wanted = 3f64.ln() + 2.0 * f64::from(exponent) * std::f64::consts::LN_2;
        let error = (log.values[0].to() - wanted).abs();
        assert!(
            error < 10.0 * T::EPSILON * wanted.abs(),
            "{what}: {log:?}, not {wanted}"
        );
        assert_eq!(sign.values[0].to(), -1.0, "{what}");
    }
}

fn libm_scale(exponent: i32) -> f64 {
    // In two steps, of which each is a number.
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

#[test]
fn very_large_and_very_small_matrices_are_like_others() {
    extreme::<f64>(&[-1060, -1000, -664, -530, -10, 0, 10, 530, 664, 1000, 1020]);
    extreme::<f32>(&[-135, -100, -83, -50, 0, 50, 83, 100, 124]);
    let nan = array(&[2, 2], [f64::NAN, 1.0, 1.0, 2.0]);
    let (mut q, mut r) = (zeros::<f64>(&[2, 2]), zeros::<f64>(&[2, 2]));
    let qr = Call::of(Algorithm::Qr, &[]).with(&nan);
    let said = failure(qr.fill(1, &mut [&mut q, &mut r])).1;
    assert_eq!(said, "the matrix has an element that is not finite");
}
