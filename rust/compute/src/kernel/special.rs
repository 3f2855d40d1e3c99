//! Functions that the standard library and `libm` lack, in double. Their floats are rounded from it.

use std::f64::consts::{FRAC_2_SQRT_PI, PI};

/// log(1 + e^x), without overflow: the larger of x and 0, and what the other one adds.
pub(crate) fn softplus(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

/// x / (1 + e^-x).
pub(crate) fn silu(x: f64) -> f64 {
    if x >= 0.0 || x.is_nan() {
        return x / (1.0 + libm::exp(-x));
    }
    if x < -700.0 {
        // x e^x, where e^x alone may be subnormal, and have lost bits; of -inf it is -0.
        let root = libm::exp(0.5 * x);
        return if root == 0.0 { -0.0 } else { x * root * root };
    }
    let e = libm::exp(x);
    x * e / (1.0 + e)
}

/// The derivative of log gamma: by recurrence up to 10, then by its asymptotic series (Abramowitz and Stegun 6.3.18), and by reflection below 0.
pub(crate) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::NEG_INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.floor() {
            return f64::NAN; // at -inf, too
        }
        // pi cot(pi x) has period 1.
        let part = x - x.round();
        return digamma(1.0 - x) - PI / libm::tan(PI * part);
    }
    if x == f64::INFINITY {
        return x;
    }
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let z = 1.0 / (x * x);
    // Bernoulli numbers B_2n / 2n.
    let series = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32_760.0,
        1.0 / 12.0,
        -3617.0 / 8160.0,
    ];
    let tail = series.iter().rev().fold(0.0, |sum, &b| (sum + b) * z);
    libm::log(x) - 0.5 / x - tail - below
}

/// The inverse of erf: an approximation (M. Giles, Approximating the erfinv function, 2010), to some 1e-7 where x is no nearer to 1 than a float can
/// be, and Halley's steps, by erfc where x is near 1.
pub(crate) fn erfinv(x: f64) -> f64 {
    let size = x.abs();
    if size >= 1.0 || x.is_nan() {
        return if size == 1.0 {
            f64::INFINITY.copysign(x)
        } else {
            f64::NAN
        };
    }
    if size < 1e-8 {
        return x / FRAC_2_SQRT_PI; // the next term is x^3 / 12 of it
    }
    let rest = 1.0 - size; // exact from 1/2 on
    let w = -libm::log(rest * (1.0 + size));
    let horner = |w: f64, c: [f64; 9]| c.into_iter().fold(0.0, |sum, c| sum * w + c);
    let mut y = size
        * if w < 5.0 {
            horner(
                w - 2.5,
                [
                    2.810_226_36e-8,
                    3.432_739_39e-7,
                    -3.523_387_7e-6,
                    -4.391_506_54e-6,
                    0.000_218_580_87,
                    -0.001_253_725_03,
                    -0.004_177_681_640,
                    0.246_640_727,
                    1.501_409_41,
                ],
            )
        } else {
            horner(
                w.sqrt() - 3.0,
                [
                    -0.000_200_214_257,
                    0.000_100_950_558,
                    0.001_349_343_22,
                    -0.003_673_428_44,
                    0.005_739_507_73,
                    -0.007_622_461_3,
                    0.009_438_870_47,
                    1.001_674_06,
                    2.832_976_82,
                ],
            )
        };
    for _ in 0..8 {
        let error = if size < 0.5 {
            libm::erf(y) - size
        } else {
            rest - libm::erfc(y)
        };
        let step = error / (FRAC_2_SQRT_PI * libm::exp(-y * y));
        y -= step / (1.0 + y * step);
        // The error is of the order of the step's cube.
        if step.abs() < 1e-6 {
            break;
        }
    }
    y.copysign(x)
}
