//! Fourier transforms against the sums of their definition, in double precision.

use std::f64::consts::PI;

use crate::called::{array, Array, Call, Numbers};
use tensornio_numeric::Algorithm;

/// The sum of the definition, for each frequency.
fn sums(x: &[(f64, f64)], sign: f64) -> Vec<(f64, f64)> {
    let n = x.len();
    (0..n)
        .map(|k| {
            x.iter()
                .enumerate()
                .fold((0.0, 0.0), |(re, im), (j, &(a, b))| {
                    let (sin, cos) = (sign * 2.0 * PI * (j * k % n) as f64 / n as f64).sin_cos();
                    (re + a * cos - b * sin, im + a * sin + b * cos)
                })
        })
        .collect()
}

fn call(algorithm: Algorithm, x: &Array<f64>, shape: &[i64], length: usize) -> Array<f64> {
    let mut y = array(
        shape,
        vec![f64::NAN; shape.iter().product::<i64>() as usize],
    );
    Call::of(algorithm, &[length as i64])
        .with(x)
        .fill(1, &mut [&mut y])
        .unwrap();
    y
}

#[track_caller]
fn near(found: &[f64], wanted: &[f64], length: usize) {
    let size = wanted
        .iter()
        .fold(1.0f64, |most, value| most.max(value.abs()));
    let most = 4.0 * f64::EPSILON * (length as f64).log2().max(1.0) * (length as f64).sqrt() * size;
    for (found, wanted) in found.iter().zip(wanted) {
        assert!(
            (found - wanted).abs() <= most,
            "{length}: {found} for {wanted}"
        );
    }
}

const LENGTHS: [usize; 22] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 25, 27, 31, 60, 64, 97, 128, 210, 221, 360,
];

#[test]
fn transforms_are_the_sums_of_their_definition() {
    let mut random = Numbers::of(1);
    for n in LENGTHS {
        let (rows, long) = (2, n as i64);
        let values: Vec<f64> = (0..rows * 2 * n).map(|_| random.fraction()).collect();
        let x = array(&[2, long, 2], values);
        let y = call(Algorithm::Fft, &x, &[2, long, 2], n);
        let back = call(Algorithm::FftBack, &y, &[2, long, 2], n);
        near(&back.values, &x.values, n);
        for row in 0..rows {
            let of = 2 * n * row..2 * n * (row + 1);
            let pairs: Vec<(f64, f64)> = x.values[of.clone()]
                .chunks(2)
                .map(|pair| (pair[0], pair[1]))
                .collect();
            let wanted: Vec<f64> = sums(&pairs, -1.0)
                .iter()
                .flat_map(|&(re, im)| [re, im])
                .collect();
            near(&y.values[of], &wanted, n);
        }

        let half = long / 2 + 1;
        let real = array(&[2, long], x.values[..2 * n].to_vec());
        let y = call(Algorithm::RealFft, &real, &[2, half, 2], n);
        near(
            &call(Algorithm::RealFftBack, &y, &[2, long], n).values,
            &real.values,
            n,
        );
        for row in 0..rows {
            let pairs: Vec<(f64, f64)> = real.values[n * row..n * (row + 1)]
                .iter()
                .map(|&re| (re, 0.0))
                .collect();
            let wanted: Vec<f64> = sums(&pairs, -1.0)
                .iter()
                .take(half as usize)
                .flat_map(|&(re, im)| [re, im])
                .collect();
            near(
                &y.values[2 * half as usize * row..2 * half as usize * (row + 1)],
                &wanted,
                n,
            );
        }
    }
}

/// Lengths that are transformed as matrices, of even and odd exponents, alone and as a factor and a convolution; whose sums would take long.
#[test]
fn long_transforms_are_the_sums_of_their_definition_at_some_frequencies() {
    let mut random = Numbers::of(3);
    for n in [256, 512, 1024, 2048, 4096, 3 << 8, 521, 1 << 14] {
        let values: Vec<f64> = (0..2 * n).map(|_| random.fraction()).collect();
        let x = array(&[n as i64, 2], values);
        let y = call(Algorithm::Fft, &x, &[n as i64, 2], n);
        let back = call(Algorithm::FftBack, &y, &[n as i64, 2], n);
        near(&back.values, &x.values, n);
        let real = array(&[n as i64], x.values[..n].to_vec());
        let half = n / 2 + 1;
        let of_real = call(Algorithm::RealFft, &real, &[half as i64, 2], n);
        let back = call(Algorithm::RealFftBack, &of_real, &[n as i64], n);
        near(&back.values, &real.values, n);
        for k in [0, 1, 2, 3, 7, n / 4, n / 3, n / 2 - 1, n / 2] {
            // Sums of so many numbers have larger errors than transforms.
            let sum = |value: &dyn Fn(usize) -> (f64, f64)| {
                (0..n).fold((0.0, 0.0), |(re, im), j| {
                    let (a, b) = value(j);
                    let (sin, cos) = (-2.0 * PI * (j * k % n) as f64 / n as f64).sin_cos();
                    (re + a * cos - b * sin, im + a * sin + b * cos)
                })
            };
            let wanted = sum(&|j| (x.values[2 * j], x.values[2 * j + 1]));
            near(&y.values[2 * k..2 * k + 2], &[wanted.0, wanted.1], n * n);
            let wanted = sum(&|j| (real.values[j], 0.0));
            near(
                &of_real.values[2 * k..2 * k + 2],
                &[wanted.0, wanted.1],
                n * n,
            );
        }
    }
}

#[test]
fn imaginary_parts_that_real_numbers_lack_are_not_read() {
    let x = array(&[3, 2], [1.0, 7.0, 2.0, 3.0, 4.0, -9.0]);
    let without = array(&[3, 2], [1.0, 0.0, 2.0, 3.0, 4.0, 0.0]);
    let back = |x: &Array<f64>| call(Algorithm::RealFftBack, x, &[4], 4).values;
    assert_eq!(back(&x), back(&without));
    // Worked by hand: (1 + 2 Re(w^j (2 + 3i)) + (-1)^j 4) / 4.
    near(&back(&x), &[2.25, -2.25, 0.25, 0.75], 4);
}

#[test]
fn threads_change_nothing() {
    let mut random = Numbers::of(2);
    let x = array(
        &[300, 360],
        (0..300 * 360).map(|_| random.fraction() as f32),
    );
    let transformed = |threads| {
        let mut y = array(&[300, 181, 2], vec![0f32; 300 * 181 * 2]);
        Call::of(Algorithm::RealFft, &[360])
            .with(&x)
            .fill(threads, &mut [&mut y])
            .unwrap();
        y
    };
    let y = transformed(1);
    assert_eq!(y, transformed(2));
    assert_eq!(y, transformed(7));
    // A row alone is what it is among others.
    let mut one = array(&[181, 2], vec![0f32; 362]);
    let row = array(&[360], x.values[..360].to_vec());
    Call::of(Algorithm::RealFft, &[360])
        .with(&row)
        .fill(1, &mut [&mut one])
        .unwrap();
    assert_eq!(one.values, y.values[..362]);
}

#[test]
fn plans_that_are_forgotten_are_made_again() {
    for n in (1..60).chain(1..60) {
        let x = array(&[n, 2], (0..2 * n).map(|k| k as f64));
        let y = call(Algorithm::Fft, &x, &[n, 2], n as usize);
        near(
            &call(Algorithm::FftBack, &y, &[n, 2], n as usize).values,
            &x.values,
            n as usize,
        );
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = array(&[4], [0.0; 4]);
    let mut y = array(&[3, 2], [0.0; 6]);
    assert!(Call::of(Algorithm::RealFft, &[0])
        .with(&x)
        .fill(1, &mut [&mut y])
        .is_err());
    assert!(Call::of(Algorithm::RealFft, &[3])
        .with(&x)
        .fill(1, &mut [&mut y])
        .is_err());
    assert!(Call::of(Algorithm::RealFft, &[-1])
        .with(&x)
        .fill(1, &mut [&mut y])
        .is_err());
    assert!(Call::of(Algorithm::Fft, &[8])
        .with(&x)
        .fill(1, &mut [&mut y])
        .is_err());
}
