//! Element-wise operators and functions, as type parameters of kernels.

use super::isa::Isa;
use super::map::{Binary, Unary};
use super::{function, special};

/// A truth value in memory: anything but 0 is true; kernels write 0 or 1.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Flag(pub u8);

impl Flag {
    #[inline(always)]
    fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Flag {
    #[inline(always)]
    fn from(value: bool) -> Flag {
        Flag(u8::from(value))
    }
}

macro_rules! unary {
    ($($name:ident: $($from:ty)|+ => |$x:ident| $value:expr;)*) => {$($(
        impl Unary<$from, $from> for $name {
            #[inline(always)]
            fn f<I: Isa>($x: $from) -> $from {
                $value
            }
        }
    )+)*};
}

macro_rules! binary {
    ($($name:ident: $($from:ty)|+ => |$x:ident, $y:ident| $value:expr;)*) => {$($(
        impl Binary<$from, $from> for $name {
            #[inline(always)]
            fn f<I: Isa>($x: $from, $y: $from) -> $from {
                $value
            }
        }
    )+)*};
}

macro_rules! compare {
    ($($name:ident $op:tt;)*) => {$(
        compare!(@ $name $op f32 f64 i32 i64 u8);
        impl Binary<Flag, Flag> for $name {
            #[inline(always)]
            fn f<I: Isa>(x: Flag, y: Flag) -> Flag {
                Flag::from(x.get() $op y.get())
            }
        }
    )*};
    (@ $name:ident $op:tt $($t:ty)*) => {$(
        impl Binary<$t, Flag> for $name {
            #[inline(always)]
            fn f<I: Isa>(x: $t, y: $t) -> Flag {
                Flag::from(x $op y)
            }
        }
    )*};
}

macro_rules! types {
    ($($name:ident)*) => {$(
        #[doc = concat!("`", stringify!($name), "`, as the language defines it.")]
        pub struct $name;
    )*};
}

types! {
    Same Neg Not Abs Sqrt Exp Log Sin Cos Tanh Sigmoid Relu Erf Floor Ceil Round Sign
    Log1p Expm1 Log2 Exp2 Rsqrt Reciprocal Square Trunc Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Softplus Silu Lgamma Digamma Erfinv BitNot
    Atan2 BitAnd BitOr BitXor Shl Shr Ushr
    Add Sub Mul Div Rem Pow Max Min Lt Le Gt Ge Eq Ne And Or AdjointMul AdjointDiv Convert Second
}

unary! {
    Neg: f32|f64 => |x| -x;
    Neg: i32|i64|u8 => |x| x.wrapping_neg();
    Not: Flag => |x| Flag::from(!x.get());
    Abs: f32|f64 => |x| x.abs();
    Abs: i32|i64 => |x| x.wrapping_abs();
    Abs: u8 => |x| x;
    Sqrt: f32|f64 => |x| x.sqrt();
    Exp: f32 => |x| function::exp32::<I>(x);
    Exp: f64 => |x| function::exp::<I>(x);
    Log: f32 => |x| function::log::<I>(f64::from(x)) as f32;
    Log: f64 => |x| function::log::<I>(x);
    Tanh: f32 => |x| function::tanh32::<I>(x);
    Tanh: f64 => |x| function::tanh::<I>(x);
    Sigmoid: f32 => |x| function::sigmoid32::<I>(x);
    Sigmoid: f64 => |x| function::sigmoid::<I>(x);
    Relu: f32|f64 => |x| if x <= 0.0 { 0.0 } else { x };
    Relu: i32|i64 => |x| x.max(0);
    Relu: u8 => |x| x;
    Erf: f32 => |x| function::erf32::<I>(x);
    Erf: f64 => |x| libm::erf(x);
    Floor: f32|f64 => |x| x.floor();
    Ceil: f32|f64 => |x| x.ceil();
    Round: f32|f64 => |x| x.round_ties_even();
    Floor: i32|i64|u8 => |x| x;
    Ceil: i32|i64|u8 => |x| x;
    Round: i32|i64|u8 => |x| x;
    Sign: f32|f64 => |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x };
    Sign: i32|i64 => |x| x.signum();
    Sign: u8 => |x| x.min(1);
    Rsqrt: f32|f64 => |x| 1.0 / x.sqrt();
    Reciprocal: f32|f64 => |x| 1.0 / x;
    Square: f32|f64 => |x| x * x;
    Square: i32|i64|u8 => |x| x.wrapping_mul(x);
    Trunc: f32|f64 => |x| x.trunc();
    Trunc: i32|i64|u8 => |x| x;
    BitNot: i32|i64|u8 => |x| !x;
    Same: Flag => |x| Flag::from(x.get());
    Same: f32|f64|u8|u16|u32|u64 => |x| x;
}

binary! {
    Second: u8|u16|u32|u64|Flag => |_x, y| y;
    Add: f32|f64 => |x, y| x + y;
    Sub: f32|f64 => |x, y| x - y;
    Mul: f32|f64 => |x, y| x * y;
    Div: f32|f64 => |x, y| x / y;
    Rem: f32|f64 => |x, y| x % y;
    AdjointMul: f32|f64 => |x, y| if x == 0.0 { x } else { x * y };
    AdjointDiv: f32|f64 => |x, y| if x == 0.0 { x } else { x / y };
    Add: i32|i64|u8 => |x, y| x.wrapping_add(y);
    Sub: i32|i64|u8 => |x, y| x.wrapping_sub(y);
    Mul: i32|i64|u8 => |x, y| x.wrapping_mul(y);
    Pow: f32 => |x, y| function::pow32::<I>(x, y);
    Pow: f64 => |x, y| x.powf(y);
    Atan2: f32 => |y, x| libm::atan2(f64::from(y), f64::from(x)) as f32;
    Atan2: f64 => |y, x| libm::atan2(y, x);
    // If either is NaN, so is the result: comparisons with NaN are false.
    Max: f32|f64 => |x, y| if x > y || x.is_nan() { x } else { y };
    Min: f32|f64 => |x, y| if x < y || x.is_nan() { x } else { y };
    Max: i32|i64|u8 => |x, y| x.max(y);
    Min: i32|i64|u8 => |x, y| x.min(y);
    Max: Flag => |x, y| Flag::from(x.get() | y.get());
    Min: Flag => |x, y| Flag::from(x.get() & y.get());
    Or: Flag => |x, y| Flag::from(x.get() | y.get());
    And: Flag => |x, y| Flag::from(x.get() & y.get());
}

compare! { Lt <; Le <=; Gt >; Ge >=; Eq ==; Ne !=; }

macro_rules! convert {
    ($($from:ty => $($to:ty)|+;)*) => {$($(
        impl Unary<$from, $to> for Convert {
            // Also to the same type, for the table.
            #[inline(always)]
            #[allow(clippy::unnecessary_cast)]
            fn f<I: Isa>(x: $from) -> $to {
                x as $to
            }
        }
    )+
        impl Unary<$from, Flag> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: $from) -> Flag {
                Flag::from(x != 0 as $from)
            }
        }
        impl Unary<Flag, $from> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: Flag) -> $from {
                u8::from(x.get()) as $from
            }
        }
    )*};
}

convert! {
    f32 => f32|f64|i32|i64|u8;
    f64 => f32|f64|i32|i64|u8;
    i32 => f32|f64|i32|i64|u8;
    i64 => f32|f64|i32|i64|u8;
    u8 => f32|f64|i32|i64|u8;
}

impl Unary<Flag, Flag> for Convert {
    #[inline(always)]
    fn f<I: Isa>(x: Flag) -> Flag {
        Flag::from(x.get())
    }
}

/// Functions in double; floats are rounded from it.
macro_rules! in_double {
    ($($name:ident $f:path;)*) => {$(
        impl Unary<f64, f64> for $name {
            #[inline(always)]
            fn f<I: Isa>(x: f64) -> f64 {
                $f(x)
            }
        }
        impl Unary<f32, f32> for $name {
            #[inline(always)]
            fn f<I: Isa>(x: f32) -> f32 {
                $f(f64::from(x)) as f32
            }
        }
    )*};
}

in_double! {
    Log1p libm::log1p;
    Expm1 libm::expm1;
    Log2 libm::log2;
    Exp2 libm::exp2;
    Tan libm::tan;
    Asin libm::asin;
    Acos libm::acos;
    Atan libm::atan;
    Sinh libm::sinh;
    Cosh libm::cosh;
    Asinh libm::asinh;
    Acosh libm::acosh;
    Atanh libm::atanh;
    Softplus special::softplus;
    Silu special::silu;
    Lgamma libm::lgamma;
    Digamma special::digamma;
    Erfinv special::erfinv;
}

macro_rules! bits {
    ($($t:ty, $unsigned:ty;)*) => {$(
        binary! {
            BitAnd: $t => |x, y| x & y;
            BitOr: $t => |x, y| x | y;
            BitXor: $t => |x, y| x ^ y;
            // Counts are modulo the number of bits.
            Shl: $t => |x, y| x.wrapping_shl(y as u32);
            Shr: $t => |x, y| x.wrapping_shr(y as u32);
            Ushr: $t => |x, y| (x as $unsigned).wrapping_shr(y as u32) as $t;
        }
    )*};
}

bits! { i32, u32; i64, u64; u8, u8; }

/// An operator of integers that is undefined for some operands.
pub trait Partial<T> {
    /// The result, or `None`.
    fn f(x: T, y: T) -> Option<T>;
}

macro_rules! partial {
    ($($t:ty)*) => {$(
        impl Partial<$t> for Div {
            #[inline(always)]
            fn f(x: $t, y: $t) -> Option<$t> {
                (y != 0).then(|| x.wrapping_div(y))
            }
        }
        impl Partial<$t> for Rem {
            #[inline(always)]
            fn f(x: $t, y: $t) -> Option<$t> {
                (y != 0).then(|| x.wrapping_rem(y))
            }
        }
        impl Partial<$t> for Pow {
            #[inline(always)]
            fn f(x: $t, y: $t) -> Option<$t> {
                let mut left = u64::try_from(y).ok()?;
                let (mut square, mut power) = (x, 1);
                while left > 0 {
                    if left & 1 == 1 {
                        power = square.wrapping_mul(power);
                    }
                    square = square.wrapping_mul(square);
                    left >>= 1;
                }
                Some(power)
            }
        }
    )*};
}

partial! { i32 i64 u8 }
