//! Floating-point numbers of 16 bits, and their conversions, each of which rounds at most once.
//!
//! Numbers are computed as `f32`, which holds all of both types. Conversions have no branches, so that compilers make vector instructions of loops.

use bytemuck::{Pod, Zeroable};

/// An IEEE 754 binary16 number: 5 bits of exponent, 10 of fraction.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Half(pub u16);

/// A bfloat16 number: the upper half of an `f32`, with 8 bits of exponent and 7 of fraction.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Brain(pub u16);

/// The quiet bit of an `f32` that is NaN.
const QUIET: u32 = 0x0040_0000;
const INFINITY: u32 = 0x7f80_0000;

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        self.to_f32() == other.to_f32()
    }
}

impl PartialEq for Brain {
    fn eq(&self, other: &Brain) -> bool {
        self.to_f32() == other.to_f32()
    }
}

impl Half {
    /// The value, exactly; a NaN keeps its payload and becomes quiet.
    #[inline(always)]
    pub fn to_f32(self) -> f32 {
        let magnitude = u32::from(self.0 & 0x7fff);
        // The exponent is corrected by a multiplication, which is right for subnormals, too, and exact.
        let scaled = f32::from_bits(magnitude << 13) * f32::from_bits((254 - 15) << 23);
        let large = if magnitude >= 0x7c00 { INFINITY } else { 0 };
        let quiet = if magnitude > 0x7c00 { QUIET } else { 0 };
        let sign = u32::from(self.0 & 0x8000) << 16;
        f32::from_bits(scaled.to_bits() | large | quiet | sign)
    }

    /// The nearest number, of two the even one; from 65520 on infinity. A NaN keeps the upper bits of its payload and becomes quiet.
    #[inline(always)]
    pub fn of_f32(x: f32) -> Half {
        let bits = x.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        // Half the distance between numbers, less one if the number below is even; then the exponent's bias is 15.
        let normal = magnitude
            .wrapping_add(0xfff + ((magnitude >> 13) & 1))
            .wrapping_sub((127 - 15) << 23)
            >> 13;
        // The addition rounds to multiples of 2^-24, the smallest subnormal; they are the sum's lowest bits.
        let small = (f32::from_bits(magnitude.min(0x3880_0000)) + 0.5).to_bits() - 0x3f00_0000;
        let nan = 0x7e00 | (magnitude >> 13 & 0x1ff);
        let number = if magnitude < 0x3880_0000 {
            small
        } else {
            normal
        };
        let finite = if magnitude >= 0x477f_f000 {
            0x7c00
        } else {
            number
        };
        let all = if magnitude > INFINITY { nan } else { finite };
        Half((all | (bits >> 16 & 0x8000)) as u16)
    }
}

impl Brain {
    /// The value, exactly.
    #[inline(always)]
    pub fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    /// The nearest number, of two the even one. A NaN keeps the upper bits of its payload and becomes quiet.
    #[inline(always)]
    pub fn of_f32(x: f32) -> Brain {
        let bits = x.to_bits();
        let nearest = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        let nan = (bits | QUIET) >> 16;
        Brain(if x.is_nan() { nan } else { nearest } as u16)
    }
}

/// The `f32` of a number that is rounded to odd: towards zero, with the lowest bit set if that was not exact. To round this to a type of 16 bits
/// gives what one rounding of the number would, because an `f32` has more than two bits more than these (Boldo and Melquiond, "When double rounding
/// is odd").
pub trait Odd: Copy {
    /// The number, rounded to odd.
    fn odd(self) -> f32;
}

impl Odd for f64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        let nearest = self as f32;
        let (rounded, exact) = (f64::from(nearest).abs(), self.abs());
        let bits = nearest.to_bits();
        let below = bits.wrapping_sub(u32::from(rounded > exact));
        let inexact = rounded != exact;
        f32::from_bits(if inexact { below | 1 } else { bits })
    }
}

/// The upper 53 bits of a magnitude, of which the lowest is set if any below it was.
#[inline(always)]
fn sticky(magnitude: u64) -> u64 {
    const BELOW: u64 = (1 << 11) - 1;
    let upper = (magnitude & !BELOW) | u64::from(magnitude & BELOW != 0) << 11;
    if magnitude < 1 << 53 {
        magnitude
    } else {
        upper
    }
}

impl Odd for u64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        (sticky(self) as f64).odd()
    }
}

impl Odd for i64 {
    #[inline(always)]
    fn odd(self) -> f32 {
        let magnitude = self.unsigned_abs().odd();
        if self < 0 {
            -magnitude
        } else {
            magnitude
        }
    }
}

impl Odd for i32 {
    #[inline(always)]
    fn odd(self) -> f32 {
        f64::from(self).odd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of all patterns, those that are tested: under Miri a sample.
    const STEP: usize = if cfg!(miri) { 241 } else { 1 };

    /// The value by the definition of the format, with so many bits of exponent and fraction.
    fn defined(bits: u16, exponents: u32, fractions: u32) -> f64 {
        let fraction = f64::from(u32::from(bits) & ((1 << fractions) - 1));
        let exponent = (u32::from(bits) >> fractions) & ((1 << exponents) - 1);
        let bias = (1i32 << (exponents - 1)) - 1;
        // By bits, since Miri makes `powi` as inexact as its contract lets it be.
        let unit = |exponent: i32| {
            let power = exponent - bias - fractions as i32;
            f64::from_bits(((power + 1023) as u64) << 52)
        };
        let magnitude = match exponent {
            0 => fraction * unit(1),
            all if all == (1 << exponents) - 1 && fraction == 0.0 => f64::INFINITY,
            all if all == (1 << exponents) - 1 => f64::NAN,
            _ => (fraction + f64::from(1u32 << fractions)) * unit(exponent as i32),
        };
        if bits >> 15 == 1 {
            -magnitude
        } else {
            magnitude
        }
    }

    fn half(x: f32) -> u16 {
        Half::of_f32(x).0
    }

    fn brain(x: f32) -> u16 {
        Brain::of_f32(x).0
    }

    #[test]
    fn every_pattern_is_the_number_that_the_format_defines_and_comes_back() {
        for bits in (0..=u16::MAX).step_by(STEP) {
            let (h, b) = (Half(bits).to_f32(), Brain(bits).to_f32());
            for (defined, converted, back, quiet) in [
                (defined(bits, 5, 10), h, half(h), bits | 0x200),
                (defined(bits, 8, 7), b, brain(b), bits | 0x40),
            ] {
                if defined.is_nan() {
                    assert!(converted.is_nan(), "{bits:04x}");
                    assert_eq!(back, quiet, "{bits:04x}");
                } else {
                    assert_eq!(
                        f64::from(converted).to_bits(),
                        defined.to_bits(),
                        "{bits:04x}"
                    );
                    assert_eq!(back, bits);
                }
            }
        }
    }

    /// Checks what is around the middle of two neighbours: by `f32`, by `f64`, and by integers where they are some.
    fn halfway(below: u16, value: fn(u16) -> f64, of: fn(f32) -> u16) {
        let (low, high) = (value(below), value(below + 1));
        let middle = low + (high - low) / 2.0;
        let even = below + below % 2;
        for sign in [1.0, -1.0] {
            let bits = if sign < 0.0 { 0x8000 } else { 0 };
            let middle_bits = (middle as f32).to_bits();
            assert_eq!(of(sign as f32 * middle as f32), even | bits);
            assert_eq!(
                of(sign as f32 * f32::from_bits(middle_bits - 1)),
                below | bits
            );
            assert_eq!(
                of(sign as f32 * f32::from_bits(middle_bits + 1)),
                (below + 1) | bits
            );
            // The nearest double: an f32 would be the middle itself, and then the even one.
            let least = f64::from_bits(middle.to_bits() - 1);
            let most = f64::from_bits(middle.to_bits() + 1);
            assert_eq!(of((sign * middle).odd()), even | bits);
            assert_eq!(of((sign * least).odd()), below | bits);
            assert_eq!(of((sign * most).odd()), (below + 1) | bits);
            if high - low >= 2.0 && middle < 9.0e18 {
                let integer = middle as i64;
                let sign = sign as i64;
                assert_eq!(of((sign * integer).odd()), even | bits);
                // One less is at or above the lower neighbour, which is an integer, too.
                assert_eq!(of((sign * (integer - 1)).odd()), below | bits);
                assert_eq!(of((sign * (integer + 1)).odd()), (below + 1) | bits);
            }
        }
    }

    #[test]
    fn the_middle_of_neighbours_goes_to_the_even_one_and_what_is_beside_it_to_the_nearer() {
        for below in (0..0x7bff).step_by(STEP) {
            halfway(below, |bits| f64::from(Half(bits).to_f32()), half);
        }
        for below in (0..0x7f7f).step_by(STEP) {
            halfway(below, |bits| f64::from(Brain(bits).to_f32()), brain);
        }
    }

    #[test]
    fn what_is_too_large_is_infinite() {
        assert_eq!(half(65519.996), 0x7bff);
        assert_eq!(half(65520.0), 0x7c00);
        assert_eq!(half(f32::MAX), 0x7c00);
        assert_eq!(half(f32::NEG_INFINITY), 0xfc00);
        assert_eq!(half(1e300.odd()), 0x7c00);
        assert_eq!(half(i64::MIN.odd()), 0xfc00);
        assert_eq!(brain(f32::MAX), 0x7f80);
        assert_eq!(brain(f32::from_bits(0x7f7f_7fff)), 0x7f7f);
        assert_eq!(brain((-1e300).odd()), 0xff80);
        assert_eq!(brain(u64::MAX.odd()), 0x5f80);
    }

    #[test]
    fn what_is_too_small_is_zero_with_its_sign() {
        assert_eq!(half(-1e-30), 0x8000);
        assert_eq!(half((-1e-300).odd()), 0x8000);
        assert_eq!(brain(1e-300.odd()), 0);
        assert_eq!(half(f32::from_bits((127 - 25) << 23)), 0);
        assert_eq!(
            half(f32::from_bits(
                f32::from_bits((127 - 25) << 23).to_bits() + 1
            )),
            1
        );
    }
}
