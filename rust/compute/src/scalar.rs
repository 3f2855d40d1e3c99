//! One element of any type, and the semantics of each operator; faster code is tested against it. Encodings have casts alone.

use tensornio_core::half::{Brain, Half, Odd};

use crate::ast::{Binary, Op, Unary};
use crate::kernel::special;
use crate::operand::{DType, Number};

/// One element.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Scalar {
    Float(f32),
    Double(f64),
    Int32(i32),
    Int64(i64),
    UInt8(u8),
    Bool(bool),
    Float16(Half),
    BFloat16(Brain),
    Int8(i8),
    Int16(i16),
    UInt16(u16),
    UInt32(u32),
    UInt64(u64),
}

use Scalar::*;

/// The reason why integer arithmetic has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoResult {
    /// `a / 0`, `a % 0`
    DivisionByZero,
    /// `a ^ -1`
    NegativeExponent,
}

impl NoResult {
    /// The text in messages.
    pub fn text(self) -> &'static str {
        match self {
            NoResult::DivisionByZero => "division of an integer by zero",
            NoResult::NegativeExponent => "an integer to a negative power",
        }
    }
}

impl Scalar {
    /// The type.
    pub fn dtype(self) -> DType {
        match self {
            Float(_) => DType::Float,
            Double(_) => DType::Double,
            Int32(_) => DType::Int32,
            Int64(_) => DType::Int64,
            UInt8(_) => DType::UInt8,
            Bool(_) => DType::Bool,
            Float16(_) => DType::Float16,
            BFloat16(_) => DType::BFloat16,
            Int8(_) => DType::Int8,
            Int16(_) => DType::Int16,
            UInt16(_) => DType::UInt16,
            UInt32(_) => DType::UInt32,
            UInt64(_) => DType::UInt64,
        }
    }

    /// The bits in memory, the lowest of the number.
    pub fn bits(self) -> u64 {
        match self {
            Float(x) => u64::from(x.to_bits()),
            Double(x) => x.to_bits(),
            Int32(x) => u64::from(x as u32),
            Int64(x) => x as u64,
            UInt8(x) => u64::from(x),
            Bool(x) => u64::from(x),
            Float16(x) => u64::from(x.0),
            BFloat16(x) => u64::from(x.0),
            Int8(x) => u64::from(x as u8),
            Int16(x) => u64::from(x as u16),
            UInt16(x) => u64::from(x),
            UInt32(x) => u64::from(x),
            UInt64(x) => x,
        }
    }

    /// The element of a type with these bits, of which those above its width are ignored.
    pub fn of_bits(dtype: DType, bits: u64) -> Scalar {
        match dtype {
            DType::Float => Float(f32::from_bits(bits as u32)),
            DType::Double => Double(f64::from_bits(bits)),
            DType::Int32 => Int32(bits as i32),
            DType::Int64 => Int64(bits as i64),
            DType::UInt8 => UInt8(bits as u8),
            DType::Bool => Bool(bits as u8 != 0),
            DType::Float16 => Float16(Half(bits as u16)),
            DType::BFloat16 => BFloat16(Brain(bits as u16)),
            DType::Int8 => Int8(bits as i8),
            DType::Int16 => Int16(bits as i16),
            DType::UInt16 => UInt16(bits as u16),
            DType::UInt32 => UInt32(bits as u32),
            DType::UInt64 => UInt64(bits),
        }
    }

    /// 0, or false.
    pub fn zero(dtype: DType) -> Scalar {
        Int64(0).cast(dtype)
    }

    /// Converts to a type; `None` if it does not fit an integer type, or the type is BOOL.
    pub fn of_integer(integer: i64, dtype: DType) -> Option<Scalar> {
        let fits = match dtype {
            DType::Float | DType::Double | DType::Float16 | DType::BFloat16 | DType::Int64 => true,
            DType::Int32 => i32::try_from(integer).is_ok(),
            DType::UInt8 => u8::try_from(integer).is_ok(),
            DType::Int8 => i8::try_from(integer).is_ok(),
            DType::Int16 => i16::try_from(integer).is_ok(),
            DType::UInt16 => u16::try_from(integer).is_ok(),
            DType::UInt32 => u32::try_from(integer).is_ok(),
            DType::UInt64 => integer >= 0,
            DType::Bool => false,
        };
        fits.then(|| Int64(integer).cast(dtype))
    }

    /// Converts to a type; `None` if it does not fit an integer type, or the type is BOOL.
    pub fn of_fraction(fraction: f64, dtype: DType) -> Option<Scalar> {
        if dtype.is_float() {
            return Some(Double(fraction).cast(dtype));
        }
        // 2^64 is the lowest double above all UINT64, and 2^63 that above all INT64.
        let is_large = (9223372036854775808.0..18446744073709551616.0).contains(&fraction);
        if dtype == DType::UInt64 && is_large {
            return Some(UInt64(fraction as u64));
        }
        let is_integer = fraction.fract() == 0.0
            && (-9223372036854775808.0..9223372036854775808.0).contains(&fraction);
        match is_integer {
            true => Scalar::of_integer(fraction as i64, dtype),
            false => None,
        }
    }

    /// Converts to a type; `None` if it does not fit an integer type, or the type is BOOL.
    pub fn of_number(number: Number, dtype: DType) -> Option<Scalar> {
        match number {
            Number::Integer(integer) => Scalar::of_integer(integer, dtype),
            Number::Fraction(fraction) => Scalar::of_fraction(fraction, dtype),
        }
    }

    /// The initial value of an accumulating statement; under `=`, 0.
    pub fn identity(op: Op, dtype: DType) -> Scalar {
        match (op, dtype) {
            (Op::Set | Op::Sum, _) | (Op::Max, DType::Bool) => Scalar::zero(dtype),
            (Op::Product, _) | (Op::Min, DType::Bool) => Int64(1).cast(dtype),
            // Of integers the least and the greatest, as casts saturate.
            (Op::Max, _) => Double(f64::NEG_INFINITY).cast(dtype),
            (Op::Min, _) => Double(f64::INFINITY).cast(dtype),
        }
    }

    /// Converts to another type: integers wrap, fractions are truncated and saturate, NaN becomes 0, and anything but 0 is true. What becomes a
    /// floating-point number is rounded once.
    pub fn cast(self, to: DType) -> Scalar {
        if self.dtype() == to {
            return self;
        }
        match self {
            Float(x) => cast_fraction(f64::from(x), to),
            Double(x) => cast_fraction(x, to),
            Float16(x) => cast_fraction(f64::from(x.to_f32()), to),
            BFloat16(x) => cast_fraction(f64::from(x.to_f32()), to),
            Int32(x) => cast_integer(i128::from(x), to),
            Int64(x) => cast_integer(i128::from(x), to),
            UInt8(x) => cast_integer(i128::from(x), to),
            Bool(x) => cast_integer(i128::from(x), to),
            Int8(x) => cast_integer(i128::from(x), to),
            Int16(x) => cast_integer(i128::from(x), to),
            UInt16(x) => cast_integer(i128::from(x), to),
            UInt32(x) => cast_integer(i128::from(x), to),
            UInt64(x) => cast_integer(i128::from(x), to),
        }
    }

    /// The truth value.
    pub fn is_true(self) -> bool {
        self == Bool(true)
    }

    /// Applies a unary operator or function, if the type supports it; else returns itself.
    pub fn unary(self, unary: Unary) -> Scalar {
        match self {
            // The float nearest to the double result, which is nearest to the exact result, too, except for very few values.
            Float(x) => Float(unary_double(unary, f64::from(x)) as f32),
            Double(x) => Double(unary_double(unary, x)),
            Bool(x) if unary == Unary::Not => Bool(!x),
            Bool(_) => self,
            Int32(x) => Int32(unary_integer(unary, i64::from(x)) as i32),
            Int64(x) => Int64(unary_integer(unary, x)),
            UInt8(x) => UInt8(unary_integer(unary, i64::from(x)) as u8),
            _ => self,
        }
    }

    /// Applies a binary operator or function to two elements of one type.
    ///
    /// # Errors
    /// For integers only.
    pub fn binary(self, binary: Binary, other: Scalar) -> Result<Scalar, NoResult> {
        if let Some(ordering) = self.compare(binary, other) {
            return Ok(Bool(ordering));
        }
        Ok(match (self, other) {
            (Float(a), Float(b)) => Float(binary_float(binary, a, b)),
            (Double(a), Double(b)) => Double(binary_double(binary, a, b)),
            (Int32(a), Int32(b)) => {
                let (a64, b64) = (i64::from(a), i64::from(b));
                Int32(match binary {
                    Binary::Ushr => (a as u32).wrapping_shr(b as u32) as i32,
                    _ => binary_integer(binary, a64, b64, 31)? as i32,
                })
            }
            (Int64(a), Int64(b)) => Int64(match binary {
                Binary::Ushr => (a as u64).wrapping_shr(b as u32) as i64,
                _ => binary_integer(binary, a, b, 63)?,
            }),
            (UInt8(a), UInt8(b)) => {
                UInt8(binary_integer(binary, i64::from(a), i64::from(b), 7)? as u8)
            }
            (Bool(a), Bool(b)) => Bool(if binary == Binary::And {
                a && b
            } else {
                a || b
            }),
            _ => self,
        })
    }

    /// The result of a comparison; `None` for other operators.
    fn compare(self, binary: Binary, other: Scalar) -> Option<bool> {
        fn of<T: PartialOrd>(binary: Binary, a: T, b: T) -> Option<bool> {
            Some(match binary {
                Binary::Lt => a < b,
                Binary::Le => a <= b,
                Binary::Gt => a > b,
                Binary::Ge => a >= b,
                Binary::Eq => a == b,
                Binary::Ne => a != b,
                _ => return None,
            })
        }
        match (self, other) {
            (Float(a), Float(b)) => of(binary, a, b),
            (Double(a), Double(b)) => of(binary, a, b),
            (Int32(a), Int32(b)) => of(binary, a, b),
            (Int64(a), Int64(b)) => of(binary, a, b),
            (UInt8(a), UInt8(b)) => of(binary, a, b),
            (Bool(a), Bool(b)) => of(binary, a, b),
            _ => None,
        }
    }
}

fn cast_fraction(x: f64, to: DType) -> Scalar {
    match to {
        DType::Float => Float(x as f32),
        DType::Double => Double(x),
        DType::Int32 => Int32(x as i32),
        DType::Int64 => Int64(x as i64),
        DType::UInt8 => UInt8(x as u8),
        DType::Bool => Bool(x != 0.0),
        DType::Float16 => Float16(Half::of_f32(x.odd())),
        DType::BFloat16 => BFloat16(Brain::of_f32(x.odd())),
        DType::Int8 => Int8(x as i8),
        DType::Int16 => Int16(x as i16),
        DType::UInt16 => UInt16(x as u16),
        DType::UInt32 => UInt32(x as u32),
        DType::UInt64 => UInt64(x as u64),
    }
}

/// Of an INT64 or a UINT64.
fn cast_integer(x: i128, to: DType) -> Scalar {
    let odd = || i64::try_from(x).map_or((x as u64).odd(), Odd::odd);
    match to {
        DType::Float => Float(x as f32),
        DType::Double => Double(x as f64),
        DType::Int32 => Int32(x as i32),
        DType::Int64 => Int64(x as i64),
        DType::UInt8 => UInt8(x as u8),
        DType::Bool => Bool(x != 0),
        DType::Float16 => Float16(Half::of_f32(odd())),
        DType::BFloat16 => BFloat16(Brain::of_f32(odd())),
        DType::Int8 => Int8(x as i8),
        DType::Int16 => Int16(x as i16),
        DType::UInt16 => UInt16(x as u16),
        DType::UInt32 => UInt32(x as u32),
        DType::UInt64 => UInt64(x as u64),
    }
}

/// Modulo 2^64, of which a narrower type keeps the lowest bits.
fn unary_integer(unary: Unary, x: i64) -> i64 {
    match unary {
        Unary::Neg => x.wrapping_neg(),
        Unary::Abs => x.wrapping_abs(),
        Unary::Relu => x.max(0),
        Unary::Sign => x.signum(),
        Unary::Square => x.wrapping_mul(x),
        Unary::BitNot => !x,
        _ => x,
    }
}

/// Functions of one operand; all propagate NaN.
fn unary_double(unary: Unary, x: f64) -> f64 {
    match unary {
        Unary::Neg => -x,
        Unary::Not => x,
        Unary::Abs => x.abs(),
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => x.exp(),
        Unary::Log => x.ln(),
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tanh => x.tanh(),
        Unary::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Unary::Relu => {
            if x < 0.0 {
                0.0
            } else {
                x
            }
        }
        Unary::Erf => libm::erf(x),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Sign => {
            if x == 0.0 || x.is_nan() {
                x
            } else {
                x.signum()
            }
        }
        Unary::Log1p => libm::log1p(x),
        Unary::Expm1 => libm::expm1(x),
        Unary::Log2 => libm::log2(x),
        Unary::Exp2 => libm::exp2(x),
        Unary::Rsqrt => 1.0 / x.sqrt(),
        Unary::Reciprocal => 1.0 / x,
        Unary::Square => x * x,
        Unary::Trunc => x.trunc(),
        Unary::Tan => libm::tan(x),
        Unary::Asin => libm::asin(x),
        Unary::Acos => libm::acos(x),
        Unary::Atan => libm::atan(x),
        Unary::Sinh => libm::sinh(x),
        Unary::Cosh => libm::cosh(x),
        Unary::Asinh => libm::asinh(x),
        Unary::Acosh => libm::acosh(x),
        Unary::Atanh => libm::atanh(x),
        Unary::Softplus => special::softplus(x),
        Unary::Silu => special::silu(x),
        Unary::Lgamma => libm::lgamma(x),
        Unary::Digamma => special::digamma(x),
        Unary::Erfinv => special::erfinv(x),
        // Comparisons, and of integers only.
        Unary::IsNan | Unary::IsInf | Unary::IsFinite | Unary::BitNot | Unary::Stored => x,
    }
}

fn binary_float(binary: Binary, a: f32, b: f32) -> f32 {
    match binary {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::AdjointMul | Binary::AdjointDiv if a == 0.0 => a,
        Binary::AdjointMul => a * b,
        Binary::AdjointDiv => a / b,
        _ => binary_double(binary, f64::from(a), f64::from(b)) as f32,
    }
}

fn binary_double(binary: Binary, a: f64, b: f64) -> f64 {
    match binary {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::AdjointMul | Binary::AdjointDiv if a == 0.0 => a,
        Binary::AdjointMul => a * b,
        Binary::AdjointDiv => a / b,
        Binary::Pow => a.powf(b),
        Binary::Atan2 => libm::atan2(a, b),
        Binary::Max if a.is_nan() || b.is_nan() => f64::NAN,
        Binary::Max => a.max(b),
        Binary::Min if a.is_nan() || b.is_nan() => f64::NAN,
        Binary::Min => a.min(b),
        _ => a,
    }
}

/// Arithmetic modulo 2^64, of which a narrower type keeps the lowest bits.
///
/// `width` is the highest bit; counts of shifts are modulo the number of bits.
fn binary_integer(binary: Binary, a: i64, b: i64, width: i64) -> Result<i64, NoResult> {
    Ok(match binary {
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Shl => a << (b & width),
        // UINT8 has no sign.
        Binary::Shr | Binary::Ushr => a >> (b & width),
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div | Binary::Rem if b == 0 => return Err(NoResult::DivisionByZero),
        Binary::Div => a.wrapping_div(b),
        Binary::Rem => a.wrapping_rem(b),
        Binary::Pow if b < 0 => return Err(NoResult::NegativeExponent),
        Binary::Pow => power(a, b),
        Binary::Max => a.max(b),
        Binary::Min => a.min(b),
        _ => a,
    })
}

/// By squaring, modulo 2^64.
fn power(mut base: i64, mut exponent: i64) -> i64 {
    let mut result = 1i64;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent /= 2;
    }
    result
}
