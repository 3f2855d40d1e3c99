//! Functions as polynomials without branches, so that a loop over them becomes vector instructions.
//!
//! Coefficients, unless said otherwise, are those of Taylor series (for tanh: of its continued fraction), truncated where the remainder is below a
//! tenth of an ulp. Maximum errors in ulp, over all finite numbers: f32 exp 1.1, tanh 1.5, sigmoid 2.5, others 1; f64 2, tested in
//! `tests/rust/engine`.

use super::isa::Isa;

/// `a * b + c`, with one rounding if that is one instruction.
#[inline(always)]
pub(super) fn madd<I: Isa>(a: f64, b: f64, c: f64) -> f64 {
    if I::FMA {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// The same of floats.
#[inline(always)]
pub(super) fn madd32<I: Isa>(a: f32, b: f32, c: f32) -> f32 {
    if I::FMA {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}

/// The polynomial with these coefficients, the highest power first.
#[inline(always)]
fn polynomial<I: Isa, const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[0];
    let mut k = 1;
    while k < N {
        sum = madd::<I>(sum, x, coefficients[k]);
        k += 1;
    }
    sum
}

/// 1.5 * 2^52: a double added to it is rounded to an integer, half to even, which is then in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// The same of floats: 1.5 * 2^23.
const ROUND32: f32 = 12_582_912.0;

/// ln 2 in two parts; the first has 32 bits, so that products with exponents are exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// 2^n as a double, n in [-1022, 1023], given as `ROUND + n`.
#[inline(always)]
fn power_of_two(rounded: f64) -> f64 {
    f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52)
}

/// e^x: x = n ln 2 + r, with |r| <= ln 2 / 2.
#[inline(always)]
pub fn exp<I: Isa>(x: f64) -> f64 {
    // Beyond these bounds the result is 0 or infinite anyway; NaN passes.
    let x = if x > 710.0 { 710.0 } else { x };
    let x = if x < -746.0 { -746.0 } else { x };
    let n = madd::<I>(x, std::f64::consts::LOG2_E, ROUND) - ROUND;
    let r = madd::<I>(n, -LN2_LOW, madd::<I>(n, -LN2_HIGH, x));
    let q = polynomial::<I, 12>(
        r,
        [
            1.0 / 6_227_020_800.0,
            1.0 / 479_001_600.0,
            1.0 / 39_916_800.0,
            1.0 / 3_628_800.0,
            1.0 / 362_880.0,
            1.0 / 40_320.0,
            1.0 / 5_040.0,
            1.0 / 720.0,
            1.0 / 120.0,
            1.0 / 24.0,
            1.0 / 6.0,
            0.5,
        ],
    );
    let p = 1.0 + madd::<I>(r * r, q, r);
    // In two steps, because 2^n may overflow where p * 2^n does not.
    let half = n * 0.5 + ROUND;
    let rest = (n - (half - ROUND)) + ROUND;
    p * power_of_two(half) * power_of_two(rest)
}

/// ln x: x = 2^k m, with m in [sqrt(1/2), sqrt(2)); ln m by the series of artanh in s = f / (2 + f), where f = m - 1.
#[inline(always)]
pub fn log<I: Isa>(x: f64) -> f64 {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let tiny = x < f64::MIN_POSITIVE;
    let y = if tiny {
        x * 18_014_398_509_481_984.0
    } else {
        x
    };
    let shift = if tiny { 54.0 } else { 0.0 };
    // The exponent, biased so that it is never negative, even for subnormals.
    let offset = y.to_bits().wrapping_sub(SQRT_HALF).wrapping_add(1024 << 52);
    let k = f64::from_bits((offset >> 52) | 0x4330_0000_0000_0000)
        - 4_503_599_627_370_496.0
        - 1024.0
        - shift;
    let m = f64::from_bits((offset & 0x000f_ffff_ffff_ffff).wrapping_add(SQRT_HALF));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial::<I, 10>(
        z,
        [
            2.0 / 21.0,
            2.0 / 19.0,
            2.0 / 17.0,
            2.0 / 15.0,
            2.0 / 13.0,
            2.0 / 11.0,
            2.0 / 9.0,
            2.0 / 7.0,
            2.0 / 5.0,
            2.0 / 3.0,
        ],
    );
    let half = 0.5 * f * f;
    let small = madd::<I>(s, half + r, k * LN2_LOW);
    let normal = madd::<I>(k, LN2_HIGH, f - (half - small));
    let result = if x == f64::INFINITY { x } else { normal };
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    if x >= 0.0 {
        result
    } else {
        f64::NAN
    }
}

/// 1 / (1 + e^-x), from e^-|x|, which cannot overflow.
#[inline(always)]
pub fn sigmoid<I: Isa>(x: f64) -> f64 {
    let e = exp::<I>(-x.abs());
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// Below 5/8 by the continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), cut after 15; else 1 - 2 / (e^2x + 1).
#[inline(always)]
pub fn tanh<I: Isa>(x: f64) -> f64 {
    let a = x.abs();
    let z = x * x;
    let above = polynomial::<I, 4>(z, [-1.0, -594.0, -45_045.0, -675_675.0]) * z;
    let below = polynomial::<I, 5>(z, [1.0, 630.0, 51_975.0, 945_945.0, 2_027_025.0]);
    // Keeps the sign of zero.
    let near = if x == 0.0 {
        x
    } else {
        madd::<I>(x, above / below, x)
    };
    let far = (1.0 - 2.0 / (exp::<I>(2.0 * a) + 1.0)).copysign(x);
    if a < 0.625 {
        near
    } else {
        far
    }
}

/// Beyond this the parts of pi / 2 do not suffice: [`sin`] and [`cos`] are then not to be used.
pub const LARGEST_ANGLE: f64 = 1_647_099.0;

/// x - n pi / 2 as a sum of two doubles, and `ROUND + n`; |x| at most [`LARGEST_ANGLE`].
#[inline(always)]
fn quadrant(x: f64) -> (f64, f64, f64) {
    // pi / 2 in parts of 33 bits, whose products with n < 2^20 are exact, and the rest.
    const P1: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
    const P2: f64 = f64::from_bits(0x3dd0_b461_1a60_0000);
    const P3: f64 = f64::from_bits(0x3ba3_198a_2e00_0000);
    const P4: f64 = f64::from_bits(0x397b_839a_2520_49c1);
    // The sum and its rounding error (Knuth).
    #[inline(always)]
    fn two_sum(a: f64, b: f64) -> (f64, f64) {
        let sum = a + b;
        let b_part = sum - a;
        (sum, (a - (sum - b_part)) + (b - b_part))
    }
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUND;
    let n = rounded - ROUND;
    let (r, e2) = two_sum(x - n * P1, -(n * P2));
    let (r, e3) = two_sum(r, -(n * P3));
    let low = (e2 + e3) - n * P4;
    let high = r + low;
    (high, (r - high) + low, rounded)
}

/// sin(high + low), |high| at most pi / 4.
#[inline(always)]
fn sine<I: Isa>(high: f64, low: f64) -> f64 {
    let z = high * high;
    let q = polynomial::<I, 7>(
        z,
        [
            1.0 / 355_687_428_096_000.0,
            -1.0 / 1_307_674_368_000.0,
            1.0 / 6_227_020_800.0,
            -1.0 / 39_916_800.0,
            1.0 / 362_880.0,
            -1.0 / 5_040.0,
            1.0 / 120.0,
        ],
    );
    let cube = z * high;
    // sin(h + l) = sin h + l cos h, with cos h = 1 - h^2 / 2.
    let tail = madd::<I>(z, cube * q, low - 0.5 * z * low);
    high + madd::<I>(cube, -1.0 / 6.0, tail)
}

/// cos(high + low), |high| at most pi / 4.
#[inline(always)]
fn cosine<I: Isa>(high: f64, low: f64) -> f64 {
    let z = high * high;
    let q = polynomial::<I, 7>(
        z,
        [
            1.0 / 20_922_789_888_000.0,
            -1.0 / 87_178_291_200.0,
            1.0 / 479_001_600.0,
            -1.0 / 3_628_800.0,
            1.0 / 40_320.0,
            -1.0 / 720.0,
            1.0 / 24.0,
        ],
    );
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * z * q - high * low))
}

/// sin x for |x| at most [`LARGEST_ANGLE`].
#[inline(always)]
pub fn sin<I: Isa>(x: f64) -> f64 {
    let (high, low, n) = quadrant(x);
    let n = n.to_bits();
    let value = if n & 1 == 0 {
        sine::<I>(high, low)
    } else {
        cosine::<I>(high, low)
    };
    let result = f64::from_bits(value.to_bits() ^ ((n & 2) << 62));
    // Keeps the sign of zero.
    if x == 0.0 {
        x
    } else {
        result
    }
}

/// cos x for |x| at most [`LARGEST_ANGLE`].
#[inline(always)]
pub fn cos<I: Isa>(x: f64) -> f64 {
    let (high, low, n) = quadrant(x);
    let n = n.to_bits().wrapping_add(1);
    let value = if n & 1 == 0 {
        sine::<I>(high, low)
    } else {
        cosine::<I>(high, low)
    };
    f64::from_bits(value.to_bits() ^ ((n & 2) << 62))
}

/// e^x as p and `ROUND32 + n`, where e^x is p * 2^n; |x| is below 2^21.
#[inline(always)]
fn exp32_parts<I: Isa>(x: f32) -> (f32, f32) {
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    let rounded = madd32::<I>(x, std::f32::consts::LOG2_E, ROUND32);
    let n = rounded - ROUND32;
    let r = madd32::<I>(n, -LN2_LOW, madd32::<I>(n, -LN2_HIGH, x));
    let q = madd32::<I>(r, 1.0 / 5040.0, 1.0 / 720.0);
    let q = madd32::<I>(q, r, 1.0 / 120.0);
    let q = madd32::<I>(q, r, 1.0 / 24.0);
    let q = madd32::<I>(q, r, 1.0 / 6.0);
    let q = madd32::<I>(q, r, 0.5);
    (1.0 + madd32::<I>(r * r, q, r), rounded)
}

/// e^x of floats; as [`exp`].
#[inline(always)]
pub fn exp32<I: Isa>(x: f32) -> f32 {
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -105.0 { -105.0 } else { x };
    let (p, rounded) = exp32_parts::<I>(x);
    let n = (rounded.to_bits() as i32).wrapping_sub(ROUND32.to_bits() as i32);
    let half = n >> 1;
    let power = |n: i32| f32::from_bits((n.wrapping_add(127) as u32) << 23);
    p * power(half) * power(n.wrapping_sub(half))
}

/// As [`sigmoid`].
#[inline(always)]
pub fn sigmoid32<I: Isa>(x: f32) -> f32 {
    let a = -x.abs();
    let a = if a < -105.0 { -105.0 } else { a };
    let (p, rounded) = exp32_parts::<I>(a);
    // n is in [-152, 0], so 2^(n + 64) is a number, which the low bits of `ROUND32 + n` make.
    let scaled = p * f32::from_bits(rounded.to_bits().wrapping_add(64 + 127) << 23);
    let e = scaled * (1.0 / 18_446_744_073_709_551_616.0);
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// Below 1 by a polynomial; else as [`tanh`]. Coefficients of (tanh(x) / x - 1) / x^2 in x^2, interpolated at Chebyshev's nodes of [0, 1].
#[inline(always)]
pub fn tanh32<I: Isa>(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let q = madd32::<I>(z, -0.000_420_695_5, 0.002_510_459_4);
    let q = madd32::<I>(q, z, -0.008_218_922);
    let q = madd32::<I>(q, z, 0.021_660_116);
    let q = madd32::<I>(q, z, -0.053_934_79);
    let q = madd32::<I>(q, z, 0.133_331_28);
    let q = madd32::<I>(q, z, -0.333_333_3);
    let near = madd32::<I>(a, q * z, a);
    // From 10 on the result is 1; NaN passes.
    let b = if a > 10.0 { 10.0 } else { a };
    let (p, rounded) = exp32_parts::<I>(2.0 * b);
    let e = p * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    let far = 1.0 - 2.0 / (e + 1.0);
    (if a < 1.0 { near } else { far }).copysign(x)
}

/// erf of floats: up to 475/512 by a polynomial, else as 1 minus e to the power of one. Coefficients are minimax (N. Juffa, 2013); errors are below
/// 1 ulp with fused multiply-add, and 1.2 without.
#[inline(always)]
pub fn erf32<I: Isa>(x: f32) -> f32 {
    let a = x.abs();
    let z = x * x;
    let p = madd32::<I>(a, -1.728_534_7e-5, 3.831_971_3e-4);
    let q = madd32::<I>(a, -3.883_964_4e-3, 2.425_462_2e-2);
    let p = madd32::<I>(p, z, q);
    let p = madd32::<I>(p, a, -1.067_778_8e-1);
    let p = madd32::<I>(p, a, -6.348_467e-1);
    let p = madd32::<I>(p, a, -1.287_175_1e-1);
    let p = madd32::<I>(p, a, -a);
    let far = (1.0 - exp32::<I>(p)).copysign(x);
    let q = madd32::<I>(z, -5.967_617e-4, 4.991_194_2e-3);
    let q = madd32::<I>(q, z, -2.676_813_5e-2);
    let q = madd32::<I>(q, z, 1.128_199_25e-1);
    let q = madd32::<I>(q, z, -3.761_253_4e-1);
    let q = madd32::<I>(q, z, 1.283_791_7e-1);
    let near = madd32::<I>(q, x, x);
    if a > 0.927_734_4 {
        far
    } else {
        near
    }
}

/// x^y of floats, by way of doubles: e^(y ln |x|), and its sign.
#[inline(always)]
pub fn pow32<I: Isa>(x: f32, y: f32) -> f32 {
    let (xd, yd) = (f64::from(x), f64::from(y));
    let size = exp::<I>(yd * log::<I>(xd.abs()));
    // y is an integer if rounding it changes nothing, and odd if rounding half of it does; floats of 2^24 and above are even.
    let whole = yd.abs() >= 16_777_216.0 || (yd + ROUND) - ROUND == yd;
    let odd = whole && yd.abs() < 16_777_216.0 && (yd * 0.5 + ROUND) - ROUND != yd * 0.5;
    let negative = x.is_sign_negative();
    let signed = if negative && odd { -size } else { size };
    let result = if xd < 0.0 && !whole && xd != f64::NEG_INFINITY {
        f64::NAN
    } else {
        signed
    };
    let one = x == 1.0 || y == 0.0 || (x == -1.0 && yd.abs() == f64::INFINITY);
    (if one { 1.0 } else { result }) as f32
}
