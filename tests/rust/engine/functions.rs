//! Functions against exact references: a sample of all floats in every run, all of them with TENSORNIO_TEST_DEPTH of 100 and more.

use tensornio_compute::ast::{Binary, Unary};
use tensornio_compute::kernel::{self, Level, Mode};
use tensornio_compute::operand::DType;
use tensornio_compute::scalar::Scalar;

use crate::agree::depth;
use crate::references::REFERENCES;

/// The distance of neighbouring floats at an exact value.
fn ulp32(exact: f64) -> f64 {
    let near = (exact as f32).abs().min(f32::MAX);
    let above = f64::from(f32::from_bits(near.to_bits() + 1));
    let above = if above.is_finite() {
        above
    } else {
        2f64.powi(128)
    };
    above - f64::from(near)
}

fn error32(value: f32, exact: f64) -> f64 {
    if exact.is_nan() {
        return if value.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let nearest = exact as f32;
    if value == nearest {
        return 0.5f64
            .min((f64::from(value) - exact).abs() / ulp32(exact))
            .max(0.0);
    }
    if value.is_nan() {
        return f64::INFINITY;
    }
    let value = if value.is_infinite() {
        2f64.powi(128).copysign(f64::from(value))
    } else {
        f64::from(value)
    };
    (value - exact).abs() / ulp32(exact)
}

/// The largest error, in ulp, of a function over floats `step` apart; and where it is.
fn worst32(level: Level, op: Unary, exact: fn(f64) -> f64, step: u32, within: f32) -> (f64, f32) {
    let kernel = kernel::unary(level, op, DType::Float).expect("a kernel");
    let mut worst = (0.0, 0.0);
    let mut bits = 0u32;
    let (mut xs, mut ys) = ([0f32; 1000], [0f32; 1000]);
    let mut more = true;
    while more {
        for x in &mut xs {
            *x = f32::from_bits(bits);
            match bits.checked_add(step) {
                Some(next) => bits = next,
                None => more = false,
            }
        }
        // SAFETY: both arrays have as many elements.
        unsafe {
            kernel(
                xs.len(),
                ys.as_mut_ptr().cast(),
                xs.as_ptr().cast(),
                xs.as_ptr().cast(),
                xs.as_ptr().cast(),
            )
        };
        for (&x, &y) in xs.iter().zip(&ys) {
            let error = error32(y, exact(f64::from(x)));
            if x.abs() <= within && error > worst.0 || x.is_nan() && !y.is_nan() {
                worst = (error, x);
            }
        }
    }
    worst
}

fn check32(op: Unary, exact: fn(f64) -> f64, limit: f64) {
    check32_within(op, exact, limit, f32::INFINITY);
}

fn check32_within(op: Unary, exact: fn(f64) -> f64, limit: f64, within: f32) {
    let step = if depth() >= 100 {
        1
    } else {
        4999 / depth() as u32
    };
    for &level in Level::all() {
        let (error, at) = worst32(level, op, exact, step, within);
        println!("{op:?} {level:?}: {error:.3} ulp at {at:e}");
        assert!(error <= limit, "{op:?} {level:?}: {error} ulp at {at:e}");
    }
}

fn sigmoid(x: f64) -> f64 {
    if x < 0.0 {
        let e = x.exp();
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + (-x).exp())
    }
}

#[test]
fn exp_of_floats_is_within_1_1_ulp() {
    check32(Unary::Exp, f64::exp, 1.1);
}

#[test]
fn log_of_floats_is_within_1_ulp() {
    check32(Unary::Log, f64::ln, 1.0);
}

#[test]
fn tanh_of_floats_is_within_1_5_ulp() {
    check32(Unary::Tanh, f64::tanh, 1.5);
}

#[test]
fn sigmoid_of_floats_is_within_2_5_ulp() {
    check32(Unary::Sigmoid, sigmoid, 2.5);
}

#[test]
fn erf_of_floats_is_within_1_2_ulp() {
    check32(Unary::Erf, libm::erf, 1.2);
}

#[test]
fn sin_and_cos_of_floats_are_within_2_ulp_and_4_beyond_1e4() {
    check32_within(Unary::Sin, f64::sin, 2.0, 1e4);
    check32_within(Unary::Cos, f64::cos, 2.0, 1e4);
    check32(Unary::Sin, f64::sin, 4.0);
    check32(Unary::Cos, f64::cos, 4.0);
}

#[test]
fn sqrt_floor_ceil_and_round_of_floats_are_exact() {
    check32(Unary::Sqrt, f64::sqrt, 0.5);
    check32(Unary::Floor, f64::floor, 0.0);
    check32(Unary::Ceil, f64::ceil, 0.0);
    check32(Unary::Round, f64::round_ties_even, 0.0);
}

/// A generator of bits (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Any double, or one of the size of a usual argument.
    fn double(&mut self) -> f64 {
        let x = f64::from_bits(self.next());
        match self.next() % 3 {
            0 => x,
            1 => (self.next() as f64 / u64::MAX as f64 - 0.5) * 40.0,
            _ => (self.next() as f64 / u64::MAX as f64 - 0.5) * 1600.0,
        }
    }
}

fn error64(value: f64, exact: f64) -> f64 {
    if value == exact || value.is_nan() && exact.is_nan() {
        return 0.0;
    }
    if value.is_nan() || exact.is_nan() || value.is_infinite() || exact.is_infinite() {
        return f64::INFINITY;
    }
    let near = exact.abs().min(f64::from_bits(f64::MAX.to_bits() - 1));
    (value - exact).abs() / (f64::from_bits(near.to_bits() + 1) - near)
}

/// References of double precision are themselves off by up to an ulp; so this finds errors above 3 only.
fn check64(op: Unary, exact: fn(f64) -> f64) {
    let seed = 33;
    for &level in Level::all() {
        let kernel = kernel::unary(level, op, DType::Double).expect("a kernel");
        let mut random = Random(seed);
        let mut worst = (0.0, 0.0);
        for _ in 0..200 * depth().min(1000) {
            let xs: Vec<f64> = (0..1000).map(|_| random.double()).collect();
            let mut ys = vec![0f64; 1000];
            let from = xs.as_ptr().cast();
            // SAFETY: both have 1000 elements.
            unsafe { kernel(1000, ys.as_mut_ptr().cast(), from, from, from) };
            for (&x, &y) in xs.iter().zip(&ys) {
                let error = error64(y, exact(x));
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
        println!("{op:?} {level:?}: {:.3} ulp at {:e}", worst.0, worst.1);
        assert!(
            worst.0 <= 3.0,
            "{op:?} {level:?}: {} ulp at {:e}",
            worst.0,
            worst.1
        );
    }
}

#[test]
fn functions_of_doubles_are_close_to_the_systems() {
    check64(Unary::Exp, f64::exp);
    check64(Unary::Log, f64::ln);
    check64(Unary::Tanh, libm::tanh);
    check64(Unary::Sin, libm::sin);
    check64(Unary::Cos, libm::cos);
    check64(Unary::Erf, libm::erf);
    check64(Unary::Sqrt, f64::sqrt);
}

#[test]
fn functions_are_right_at_the_edges() {
    let edges: [(Unary, f64, f64); 21] = [
        (Unary::Exp, f64::INFINITY, f64::INFINITY),
        (Unary::Exp, f64::NEG_INFINITY, 0.0),
        (Unary::Exp, -0.0, 1.0),
        (Unary::Log, 0.0, f64::NEG_INFINITY),
        (Unary::Log, -0.0, f64::NEG_INFINITY),
        (Unary::Log, -1.0, f64::NAN),
        (Unary::Log, f64::INFINITY, f64::INFINITY),
        (Unary::Log, 1.0, 0.0),
        (Unary::Tanh, f64::INFINITY, 1.0),
        (Unary::Tanh, f64::NEG_INFINITY, -1.0),
        (Unary::Tanh, -0.0, -0.0),
        (Unary::Sigmoid, f64::INFINITY, 1.0),
        (Unary::Sigmoid, f64::NEG_INFINITY, 0.0),
        (Unary::Sigmoid, -0.0, 0.5),
        (Unary::Sin, -0.0, -0.0),
        (Unary::Sin, f64::INFINITY, f64::NAN),
        (Unary::Cos, f64::NEG_INFINITY, f64::NAN),
        (Unary::Cos, 0.0, 1.0),
        (Unary::Relu, f64::NAN, f64::NAN),
        (Unary::Sign, f64::NAN, f64::NAN),
        (Unary::Round, 2.5, 2.0),
    ];
    for &level in Level::all() {
        for (op, x, expected) in edges {
            for dtype in [DType::Float, DType::Double] {
                let kernel = kernel::unary(level, op, dtype).expect("a kernel");
                let (x32, mut y32, mut y64) = (x as f32, 0f32, 0f64);
                let y = if dtype == DType::Float {
                    let from = (&raw const x32).cast();
                    // SAFETY: one element each.
                    unsafe { kernel(1, (&raw mut y32).cast(), from, from, from) };
                    f64::from(y32)
                } else {
                    let from = (&raw const x).cast();
                    // SAFETY: one element each.
                    unsafe { kernel(1, (&raw mut y64).cast(), from, from, from) };
                    y64
                };
                let same = y.is_nan() && expected.is_nan()
                    || y == expected && y.is_sign_negative() == expected.is_sign_negative();
                assert!(
                    same,
                    "{op:?} of {x} is {y}, not {expected} ({dtype:?}, {level:?})"
                );
            }
        }
    }
}

#[test]
fn powers_of_floats_are_within_2_ulp_and_right_at_the_edges() {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        3.0,
        -3.0,
        0.5,
        -0.5,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        1e-40,
        16_777_217.0,
    ];
    let mut pairs: Vec<(f32, f32)> = edges.iter().flat_map(|&x| edges.map(|y| (x, y))).collect();
    let mut random = Random(7);
    for _ in 0..20_000 * depth().min(1000) {
        let x = f32::from_bits(random.next() as u32);
        pairs.push((x, f32::from_bits(random.next() as u32)));
        pairs.push((x.abs(), (random.next() % 1000) as f32 / 100.0 - 5.0));
    }
    let (xs, ys): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
    for &level in Level::all() {
        let kernel = kernel::binary(level, Binary::Pow, DType::Float, Mode::Vector, Mode::Vector)
            .expect("a kernel");
        let mut zs = vec![0f32; xs.len()];
        // SAFETY: all have as many elements.
        unsafe {
            kernel(
                xs.len(),
                zs.as_mut_ptr().cast(),
                xs.as_ptr().cast(),
                ys.as_ptr().cast(),
                ys.as_ptr().cast(),
            )
        };
        for (&(x, y), &z) in pairs.iter().zip(&zs) {
            let exact = f64::from(x).powf(f64::from(y));
            let error = error32(z, exact);
            assert!(
                error <= 2.0,
                "{x:e} ^ {y:e} is {z:e}, not {exact:e} ({level:?})"
            );
            assert!(
                z != 0.0 || z.is_sign_negative() == exact.is_sign_negative(),
                "{x:e} ^ {y:e}"
            );
        }
    }
}

/// The values of a function of doubles at some arguments.
fn values64(level: Level, op: Unary, xs: &[f64]) -> Vec<f64> {
    let kernel = kernel::unary(level, op, DType::Double).expect("a kernel");
    let mut ys = vec![0f64; xs.len()];
    let x = xs.as_ptr().cast();
    // SAFETY: both have as many elements.
    unsafe { kernel(xs.len(), ys.as_mut_ptr().cast(), x, x, x) };
    ys
}

#[test]
fn functions_of_doubles_are_near_exact_references() {
    for (op, references) in REFERENCES {
        for &level in Level::all() {
            let xs: Vec<f64> = references.iter().map(|&(x, _)| f64::from_bits(x)).collect();
            for ((y, x), (_, exact)) in values64(level, op, &xs).iter().zip(&xs).zip(references) {
                let exact = f64::from_bits(exact);
                let ulp = f64::from_bits(exact.abs().to_bits() + 1) - exact.abs();
                let limit = match op {
                    Unary::Lgamma | Unary::Digamma | Unary::Erfinv => 1e-12 * exact.abs(),
                    _ => 4.0 * ulp,
                };
                let error = (y - exact).abs();
                assert!(
                    error <= limit,
                    "{op:?} {level:?}: {y:e} at {x:e}, not {exact:e}"
                );
                // By the evaluator, too, whose floats are its doubles rounded.
                let Scalar::Double(plain) = Scalar::Double(*x).unary(op) else {
                    panic!("a double")
                };
                assert!(
                    (plain - exact).abs() <= limit,
                    "{op:?} of the evaluator at {x:e}"
                );
            }
        }
    }
}

#[test]
fn functions_of_floats_are_within_2_ulp() {
    for (op, exact) in [
        (Unary::Log1p, libm::log1p as fn(f64) -> f64),
        (Unary::Expm1, libm::expm1),
        (Unary::Log2, libm::log2),
        (Unary::Exp2, libm::exp2),
        (Unary::Rsqrt, |x| 1.0 / x.sqrt()),
        (Unary::Reciprocal, |x| 1.0 / x),
        (Unary::Square, |x| x * x),
        (Unary::Trunc, f64::trunc),
        (Unary::Tan, libm::tan),
        (Unary::Asin, libm::asin),
        (Unary::Acos, libm::acos),
        (Unary::Atan, libm::atan),
        (Unary::Sinh, libm::sinh),
        (Unary::Cosh, libm::cosh),
        (Unary::Asinh, libm::asinh),
        (Unary::Acosh, libm::acosh),
        (Unary::Atanh, libm::atanh),
        (Unary::Softplus, |x| x.max(0.0) + (-x.abs()).exp().ln_1p()),
        (Unary::Silu, |x| {
            if x == f64::NEG_INFINITY {
                -0.0
            } else {
                x * sigmoid(x)
            }
        }),
        (Unary::Lgamma, libm::lgamma),
    ] {
        let step = if depth() >= 100 {
            1
        } else {
            49_999 / depth() as u32
        };
        for &level in Level::all() {
            let (error, at) = worst32(level, op, exact, step, f32::INFINITY);
            assert!(error <= 2.0, "{op:?} {level:?}: {error} ulp at {at:e}");
        }
    }
}

#[test]
fn ends_of_domains_are_as_in_annex_f() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    for (op, x, y) in [
        (Unary::Log1p, -1.0, -inf),
        (Unary::Log1p, -2.0, nan),
        (Unary::Log1p, -0.0, -0.0),
        (Unary::Log1p, inf, inf),
        (Unary::Expm1, -inf, -1.0),
        (Unary::Expm1, -0.0, -0.0),
        (Unary::Log2, 0.0, -inf),
        (Unary::Log2, 8.0, 3.0),
        (Unary::Exp2, -inf, 0.0),
        (Unary::Exp2, 10.0, 1024.0),
        (Unary::Rsqrt, 0.0, inf),
        (Unary::Rsqrt, -0.0, -inf),
        (Unary::Rsqrt, inf, 0.0),
        (Unary::Rsqrt, -1.0, nan),
        (Unary::Reciprocal, -0.0, -inf),
        (Unary::Square, -inf, inf),
        (Unary::Trunc, -0.5, -0.0),
        (Unary::Trunc, 2.9, 2.0),
        (Unary::Tan, inf, nan),
        (Unary::Asin, 1.5, nan),
        (Unary::Acos, 1.0, 0.0),
        (Unary::Atan, -inf, -std::f64::consts::FRAC_PI_2),
        (Unary::Sinh, -inf, -inf),
        (Unary::Cosh, -inf, inf),
        (Unary::Asinh, -inf, -inf),
        (Unary::Acosh, 0.5, nan),
        (Unary::Acosh, 1.0, 0.0),
        (Unary::Atanh, -1.0, -inf),
        (Unary::Atanh, 2.0, nan),
        (Unary::Softplus, inf, inf),
        (Unary::Softplus, -inf, 0.0),
        (Unary::Silu, -inf, -0.0),
        (Unary::Silu, inf, inf),
        (Unary::Lgamma, 0.0, inf),
        (Unary::Lgamma, -3.0, inf),
        (Unary::Lgamma, 1.0, 0.0),
        (Unary::Digamma, 0.0, -inf),
        (Unary::Digamma, -2.0, nan),
        (Unary::Digamma, inf, inf),
        (Unary::Erfinv, 1.0, inf),
        (Unary::Erfinv, -1.0, -inf),
        (Unary::Erfinv, 1.5, nan),
        (Unary::Erfinv, -0.0, -0.0),
    ] {
        for &level in Level::all() {
            let found = values64(level, op, &[x])[0];
            let same =
                found == y && (found != 0.0 || found.is_sign_negative() == y.is_sign_negative());
            assert!(
                same || found.is_nan() && y.is_nan(),
                "{op:?}({x}) is {found}, not {y}"
            );
            assert!(values64(level, op, &[nan])[0].is_nan(), "{op:?}");
        }
    }
}
