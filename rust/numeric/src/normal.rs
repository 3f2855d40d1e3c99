//! The inverse of the normal distribution: algorithm AS 241 (PPND16) of M. J. Wichura, Applied Statistics 37 (1988), relative error about 1e-16.

#![allow(
    clippy::excessive_precision,
    reason = "the digits that the algorithm was published with"
)]

/// Numerators and denominators by ascending power, of the middle, of the tails, and of the far tails.
const A: [f64; 8] = [
    3.3871328727963666080e0,
    1.3314166789178437745e2,
    1.9715909503065514427e3,
    1.3731693765509461125e4,
    4.5921953931549871457e4,
    6.7265770927008700853e4,
    3.3430575583588128105e4,
    2.5090809287301226727e3,
];
const B: [f64; 8] = [
    1.0,
    4.2313330701600911252e1,
    6.8718700749205790830e2,
    5.3941960214247511077e3,
    2.1213794301586595867e4,
    3.9307895800092710610e4,
    2.8729085735721942674e4,
    5.2264952788528545610e3,
];
const C: [f64; 8] = [
    1.42343711074968357734e0,
    4.63033784615654529590e0,
    5.76949722146069140550e0,
    3.64784832476320460504e0,
    1.27045825245236838258e0,
    2.41780725177450611770e-1,
    2.27238449892691845833e-2,
    7.74545014278341407640e-4,
];
const D: [f64; 8] = [
    1.0,
    2.05319162663775882187e0,
    1.67638483018380384940e0,
    6.89767334985100004550e-1,
    1.48103976427480074590e-1,
    1.51986665636164571966e-2,
    5.47593808499534494600e-4,
    1.05075007164441684324e-9,
];
const E: [f64; 8] = [
    6.65790464350110377720e0,
    5.46378491116411436990e0,
    1.78482653991729133580e0,
    2.96560571828504891230e-1,
    2.65321895265761230930e-2,
    1.24266094738807843860e-3,
    2.71155556874348757815e-5,
    2.01033439929228813265e-7,
];
const F: [f64; 8] = [
    1.0,
    5.99832206555887937690e-1,
    1.36929880922735805310e-1,
    1.48753612908506148525e-2,
    7.86869131145613259100e-4,
    1.84631831751005468180e-5,
    1.42151175831644588870e-7,
    2.04426310338993978564e-15,
];
/// Half of the probability of the middle.
const SPLIT: f64 = 0.425;

/// By Horner's rule, rounded at each step: nothing is fused, so that the bits are the same everywhere.
#[inline(always)]
fn polynomial(c: &[f64; 8], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, &c| sum * x + c)
}

/// Whether a probability is in the middle, where [`middle`] is the inverse.
#[inline(always)]
pub fn is_middle(p: f64) -> bool {
    (p - 0.5).abs() <= SPLIT
}

/// The inverse in the middle, without a branch; elsewhere anything.
#[inline(always)]
pub fn middle(p: f64) -> f64 {
    let q = p - 0.5;
    let r = SPLIT * SPLIT - q * q;
    q * polynomial(&A, r) / polynomial(&B, r)
}

/// The value that a normal variable is below with a probability; NaN outside of 0 to 1.
pub fn inverse(p: f64) -> f64 {
    if is_middle(p) {
        return middle(p);
    }
    let q = p - 0.5;
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail == 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-libm::log(tail)).sqrt();
    let value = if r <= 5.0 {
        polynomial(&C, r - 1.6) / polynomial(&D, r - 1.6)
    } else {
        polynomial(&E, r - 5.0) / polynomial(&F, r - 5.0)
    };
    value.copysign(q)
}
