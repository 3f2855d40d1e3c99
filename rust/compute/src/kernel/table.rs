//! The table of kernels, by operators and types of the language.

use super::fold::{
    Accumulate, Finish, First, Fold, FoldRows, FourRows, Product, SquaredDifference,
};
use super::isa::{kernel, Kernel, Level};
use super::map::{Gather, Iota, Map1, Map2, Pack, Scatter, Select, Splat, Unpack};
use super::ops::{self, Flag};
use super::partial::{Checked, Trigonometric};
use crate::ast::{Binary, Op, Unary};
use crate::operand::DType;

/// The form of an operand of a binary kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Contiguous elements.
    Vector,
    /// One element, broadcast.
    Scalar,
}

/// A value for each of some types, in which the name stands for the type of the elements; after the semicolon what there is for the others.
macro_rules! arms {
    ($dtype:expr, $t:ident => $value:expr, $($name:ident $of:ty),+ $(; $others:pat => $none:expr)?) => {
        match $dtype {
            $(DType::$name => {
                type $t = $of;
                $value
            })+
            $($others => $none,)?
        }
    };
}

/// Of the types that compute.
macro_rules! by_type {
    ($dtype:expr, $t:ident => $value:expr) => {
        arms!($dtype, $t => $value, Float f32, Double f64, Int32 i32, Int64 i64, UInt8 u8, Bool Flag; _ => return None)
    };
}

macro_rules! numbers {
    ($dtype:expr, $t:ident => $value:expr) => {
        arms!($dtype, $t => $value, Float f32, Double f64, Int32 i32, Int64 i64, UInt8 u8; _ => return None)
    };
}

macro_rules! floats {
    ($dtype:expr, $t:ident => $value:expr) => {
        arms!($dtype, $t => $value, Float f32, Double f64; _ => return None)
    };
}

macro_rules! integers {
    ($dtype:expr, $t:ident => $value:expr) => {
        arms!($dtype, $t => $value, Int32 i32, Int64 i64, UInt8 u8; _ => return None)
    };
}

macro_rules! by_width {
    ($dtype:expr, $t:ident => $value:expr) => {
        match size($dtype) {
            1 => {
                type $t = u8;
                $value
            }
            2 => {
                type $t = u16;
                $value
            }
            4 => {
                type $t = u32;
                $value
            }
            _ => {
                type $t = u64;
                $value
            }
        }
    };
}

/// The size of an element, in bytes.
pub const fn size(dtype: DType) -> usize {
    dtype.width()
}

/// The level for kernels that vector instructions do not make faster.
fn plain() -> Level {
    Level::all()[0]
}

/// `to[k] = op(a[k])`; `None` if the type does not support the operator.
pub fn unary(level: Level, op: Unary, dtype: DType) -> Option<Kernel> {
    let l = level;
    Some(match op {
        Unary::Neg => numbers!(dtype, T => kernel::<Map1<ops::Neg, T, T>>(l)),
        Unary::Not if dtype == DType::Bool => kernel::<Map1<ops::Not, Flag, Flag>>(l),
        Unary::Not => return None,
        Unary::Abs => numbers!(dtype, T => kernel::<Map1<ops::Abs, T, T>>(l)),
        Unary::Sqrt => floats!(dtype, T => kernel::<Map1<ops::Sqrt, T, T>>(l)),
        Unary::Exp => floats!(dtype, T => kernel::<Map1<ops::Exp, T, T>>(l)),
        Unary::Log => floats!(dtype, T => kernel::<Map1<ops::Log, T, T>>(l)),
        Unary::Sin => floats!(dtype, T => kernel::<Trigonometric<ops::Sin, T>>(l)),
        Unary::Cos => floats!(dtype, T => kernel::<Trigonometric<ops::Cos, T>>(l)),
        Unary::Tanh => floats!(dtype, T => kernel::<Map1<ops::Tanh, T, T>>(l)),
        Unary::Sigmoid => floats!(dtype, T => kernel::<Map1<ops::Sigmoid, T, T>>(l)),
        Unary::Relu => numbers!(dtype, T => kernel::<Map1<ops::Relu, T, T>>(l)),
        Unary::Erf if dtype == DType::Float => kernel::<Map1<ops::Erf, f32, f32>>(l),
        Unary::Erf => floats!(dtype, T => kernel::<Map1<ops::Erf, T, T>>(plain())),
        Unary::Floor => numbers!(dtype, T => kernel::<Map1<ops::Floor, T, T>>(l)),
        Unary::Ceil => numbers!(dtype, T => kernel::<Map1<ops::Ceil, T, T>>(l)),
        Unary::Round => numbers!(dtype, T => kernel::<Map1<ops::Round, T, T>>(l)),
        Unary::Sign => numbers!(dtype, T => kernel::<Map1<ops::Sign, T, T>>(l)),
        Unary::Log1p => floats!(dtype, T => kernel::<Map1<ops::Log1p, T, T>>(plain())),
        Unary::Expm1 => floats!(dtype, T => kernel::<Map1<ops::Expm1, T, T>>(plain())),
        Unary::Log2 => floats!(dtype, T => kernel::<Map1<ops::Log2, T, T>>(plain())),
        Unary::Exp2 => floats!(dtype, T => kernel::<Map1<ops::Exp2, T, T>>(plain())),
        Unary::Tan => floats!(dtype, T => kernel::<Map1<ops::Tan, T, T>>(plain())),
        Unary::Asin => floats!(dtype, T => kernel::<Map1<ops::Asin, T, T>>(plain())),
        Unary::Acos => floats!(dtype, T => kernel::<Map1<ops::Acos, T, T>>(plain())),
        Unary::Atan => floats!(dtype, T => kernel::<Map1<ops::Atan, T, T>>(plain())),
        Unary::Sinh => floats!(dtype, T => kernel::<Map1<ops::Sinh, T, T>>(plain())),
        Unary::Cosh => floats!(dtype, T => kernel::<Map1<ops::Cosh, T, T>>(plain())),
        Unary::Asinh => floats!(dtype, T => kernel::<Map1<ops::Asinh, T, T>>(plain())),
        Unary::Acosh => floats!(dtype, T => kernel::<Map1<ops::Acosh, T, T>>(plain())),
        Unary::Atanh => floats!(dtype, T => kernel::<Map1<ops::Atanh, T, T>>(plain())),
        Unary::Softplus => floats!(dtype, T => kernel::<Map1<ops::Softplus, T, T>>(plain())),
        Unary::Silu => floats!(dtype, T => kernel::<Map1<ops::Silu, T, T>>(plain())),
        Unary::Lgamma => floats!(dtype, T => kernel::<Map1<ops::Lgamma, T, T>>(plain())),
        Unary::Digamma => floats!(dtype, T => kernel::<Map1<ops::Digamma, T, T>>(plain())),
        Unary::Erfinv => floats!(dtype, T => kernel::<Map1<ops::Erfinv, T, T>>(plain())),
        Unary::Rsqrt => floats!(dtype, T => kernel::<Map1<ops::Rsqrt, T, T>>(l)),
        Unary::Reciprocal => floats!(dtype, T => kernel::<Map1<ops::Reciprocal, T, T>>(l)),
        Unary::Square => numbers!(dtype, T => kernel::<Map1<ops::Square, T, T>>(l)),
        Unary::Trunc => numbers!(dtype, T => kernel::<Map1<ops::Trunc, T, T>>(l)),
        Unary::BitNot => integers!(dtype, T => kernel::<Map1<ops::BitNot, T, T>>(l)),
        // Comparisons.
        Unary::IsNan | Unary::IsInf | Unary::IsFinite | Unary::Stored => return None,
    })
}

/// `to[k] = a[k]`, with truth values normalised to 0 or 1.
pub fn same(level: Level, dtype: DType) -> Kernel {
    match dtype {
        // The others are moved by their bits, floats in the widest vectors.
        DType::Bool => kernel::<Map1<ops::Same, Flag, Flag>>(level),
        DType::Float => kernel::<Map1<ops::Same, f32, f32>>(level),
        DType::Double => kernel::<Map1<ops::Same, f64, f64>>(level),
        _ => by_width!(dtype, T => kernel::<Map1<ops::Same, T, T>>(level)),
    }
}

/// As [`same`], past the caches; none if the processor cannot, or the type has truth values.
pub fn stream(dtype: DType) -> Option<Kernel> {
    #[cfg(target_arch = "x86_64")]
    if dtype != DType::Bool && !cfg!(miri) {
        return Some(by_width!(dtype, T => kernel::<super::stream::Stream<T>>(plain())));
    }
    let _ = dtype;
    None
}

/// `to[k] = op(a[k], b[k])`, for operands of `dtype` in these modes; `None` if the type does not support the operator,
/// or there is no such kernel. Partial operators of integers set the byte at c if a result is undefined.
pub fn binary(level: Level, op: Binary, dtype: DType, a: Mode, b: Mode) -> Option<Kernel> {
    use Mode::{Scalar, Vector};
    let l = level;
    macro_rules! float_modes {
        ($f:ident, $l:expr) => {
            match (a, b) {
                (Vector, Scalar) => floats!(dtype, T => kernel::<Map2<ops::$f, T, T, false, true>>($l)),
                (Scalar, Vector) => floats!(dtype, T => kernel::<Map2<ops::$f, T, T, true, false>>($l)),
                _ => return None,
            }
        };
    }
    if (a, b) != (Vector, Vector) {
        return Some(match op {
            Binary::Add => float_modes!(Add, l),
            Binary::Sub => float_modes!(Sub, l),
            Binary::Mul => float_modes!(Mul, l),
            Binary::Div => float_modes!(Div, l),
            Binary::Max => float_modes!(Max, l),
            Binary::Min => float_modes!(Min, l),
            Binary::AdjointMul => float_modes!(AdjointMul, l),
            Binary::AdjointDiv => float_modes!(AdjointDiv, l),
            _ => return None,
        });
    }
    macro_rules! vectors {
        ($f:ident) => {
            numbers!(dtype, T => kernel::<Map2<ops::$f, T, T, false, false>>(l))
        };
        (floats $f:ident) => {
            floats!(dtype, T => kernel::<Map2<ops::$f, T, T, false, false>>(l))
        };
        (integers $f:ident) => {
            integers!(dtype, T => kernel::<Map2<ops::$f, T, T, false, false>>(l))
        };
        (all $f:ident) => {
            by_type!(dtype, T => kernel::<Map2<ops::$f, T, T, false, false>>(l))
        };
        (compare $f:ident) => {
            by_type!(dtype, T => kernel::<Map2<ops::$f, T, Flag, false, false>>(l))
        };
        (checked $f:ident) => {
            match dtype {
                DType::Float | DType::Double => floats!(dtype, T => kernel::<Map2<ops::$f, T, T, false, false>>(l)),
                _ => integers!(dtype, T => kernel::<Checked<ops::$f, T>>(plain())),
            }
        };
    }
    Some(match op {
        Binary::Add => vectors!(Add),
        Binary::Sub => vectors!(Sub),
        Binary::Mul => vectors!(Mul),
        Binary::Div => vectors!(checked Div),
        Binary::Rem => vectors!(checked Rem),
        Binary::Pow => vectors!(checked Pow),
        Binary::Max => vectors!(all Max),
        Binary::Min => vectors!(all Min),
        Binary::Lt => vectors!(compare Lt),
        Binary::Le => vectors!(compare Le),
        Binary::Gt => vectors!(compare Gt),
        Binary::Ge => vectors!(compare Ge),
        Binary::Eq => vectors!(compare Eq),
        Binary::Ne => vectors!(compare Ne),
        Binary::And | Binary::Or if dtype != DType::Bool => return None,
        Binary::And => kernel::<Map2<ops::And, Flag, Flag, false, false>>(l),
        Binary::Or => kernel::<Map2<ops::Or, Flag, Flag, false, false>>(l),
        Binary::Atan2 => {
            floats!(dtype, T => kernel::<Map2<ops::Atan2, T, T, false, false>>(plain()))
        }
        Binary::BitAnd => vectors!(integers BitAnd),
        Binary::BitOr => vectors!(integers BitOr),
        Binary::BitXor => vectors!(integers BitXor),
        Binary::Shl => vectors!(integers Shl),
        Binary::Shr => vectors!(integers Shr),
        Binary::Ushr => vectors!(integers Ushr),
        Binary::AdjointMul => vectors!(floats AdjointMul),
        Binary::AdjointDiv => vectors!(floats AdjointDiv),
    })
}

/// `to[k] = a[k] ? b[k] : c[k]`
pub fn select(level: Level, dtype: DType) -> Kernel {
    by_width!(dtype, T => kernel::<Select<T>>(level))
}

/// `to[k] = a[0]`
pub fn splat(level: Level, dtype: DType) -> Kernel {
    by_width!(dtype, T => kernel::<Splat<T>>(level))
}

/// `to[k] = a[k * b bytes]`
pub fn pack(dtype: DType) -> Kernel {
    by_width!(dtype, T => kernel::<Pack<T>>(plain()))
}

/// `to[k * b bytes] = a[k]`
pub fn unpack(dtype: DType) -> Kernel {
    by_width!(dtype, T => kernel::<Unpack<T>>(plain()))
}

/// `to[k]` is the element `b[k]` bytes after a.
pub fn gather(dtype: DType) -> Kernel {
    by_width!(dtype, T => kernel::<Gather<T>>(plain()))
}

/// `to[k] = a + k b`, of INT64.
pub fn iota(level: Level) -> Kernel {
    kernel::<Iota>(level)
}

/// `to[k]` is combined with `a[k]` by a reduction; `None` if the type does not support it.
pub fn combine(level: Level, op: Op, dtype: DType) -> Option<Kernel> {
    let l = level;
    Some(match op {
        Op::Set => return None,
        Op::Sum => numbers!(dtype, T => kernel::<Accumulate<ops::Add, First, T, false>>(l)),
        Op::Product => numbers!(dtype, T => kernel::<Accumulate<ops::Mul, First, T, false>>(l)),
        Op::Max => by_type!(dtype, T => kernel::<Accumulate<ops::Max, First, T, false>>(l)),
        Op::Min => by_type!(dtype, T => kernel::<Accumulate<ops::Min, First, T, false>>(l)),
    })
}

/// The operation that is fused into a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fused {
    /// None: it has one operand.
    One,
    /// The product of two operands.
    Product,
    /// The square of their difference.
    SquaredDifference,
}

/// The kernels of a reduction of contiguous elements.
#[derive(Clone, Copy, Debug)]
pub struct Folding {
    /// Adds n elements to the lanes at `to`.
    pub fold: Kernel,
    /// Reduces the lanes at a to one element.
    pub finish: Kernel,
    /// Both, for whole rows.
    pub rows: Kernel,
}

/// The kernels of a reduction.
pub fn fold(level: Level, op: Op, fused: Fused, dtype: DType) -> Option<Folding> {
    let l = level;
    macro_rules! folding {
        ($f:ident, $g:ident, $t:ident) => {
            Folding {
                fold: kernel::<Fold<ops::$f, $g, $t>>(l),
                finish: kernel::<Finish<ops::$f, $t>>(l),
                rows: kernel::<FoldRows<ops::$f, $g, $t>>(l),
            }
        };
    }
    Some(match (op, fused) {
        (Op::Sum, Fused::One) => numbers!(dtype, T => folding!(Add, First, T)),
        (Op::Sum, Fused::Product) => numbers!(dtype, T => folding!(Add, Product, T)),
        (Op::Sum, Fused::SquaredDifference) => {
            floats!(dtype, T => folding!(Add, SquaredDifference, T))
        }
        (Op::Product, Fused::One) => numbers!(dtype, T => folding!(Mul, First, T)),
        (Op::Max, Fused::One) => by_type!(dtype, T => folding!(Max, First, T)),
        (Op::Min, Fused::One) => by_type!(dtype, T => folding!(Min, First, T)),
        _ => return None,
    })
}

/// `to[k]` becomes what a reduction makes of it and of operands; the first one of a product may be one element.
pub fn accumulate(level: Level, op: Op, fused: Fused, dtype: DType, a: Mode) -> Option<Kernel> {
    let l = level;
    Some(match (op, fused, a) {
        (_, Fused::One, Mode::Vector) => return combine(level, op, dtype),
        (Op::Sum, Fused::Product, Mode::Vector) => {
            floats!(dtype, T => kernel::<Accumulate<ops::Add, Product, T, false>>(l))
        }
        (Op::Sum, Fused::Product, Mode::Scalar) => {
            floats!(dtype, T => kernel::<Accumulate<ops::Add, Product, T, true>>(l))
        }
        (Op::Sum, Fused::SquaredDifference, Mode::Vector) => {
            floats!(dtype, T => kernel::<Accumulate<ops::Add, SquaredDifference, T, false>>(l))
        }
        _ => return None,
    })
}

/// Adds to `to[k]` the sum of four rows with a stride of b bytes.
pub fn four_rows(level: Level, dtype: DType) -> Option<Kernel> {
    Some(numbers!(dtype, T => kernel::<FourRows<T>>(level)))
}

/// Combines the elements at offsets `b[k]` in bytes from `to` with `a[k]`, in order.
pub fn scatter(op: Op, dtype: DType) -> Option<Kernel> {
    let l = plain();
    Some(match op {
        Op::Set if dtype == DType::Bool => kernel::<Scatter<ops::Second, Flag>>(l),
        Op::Set => by_width!(dtype, T => kernel::<Scatter<ops::Second, T>>(l)),
        Op::Sum => numbers!(dtype, T => kernel::<Scatter<ops::Add, T>>(l)),
        Op::Product => numbers!(dtype, T => kernel::<Scatter<ops::Mul, T>>(l)),
        Op::Max => by_type!(dtype, T => kernel::<Scatter<ops::Max, T>>(l)),
        Op::Min => by_type!(dtype, T => kernel::<Scatter<ops::Min, T>>(l)),
    })
}
