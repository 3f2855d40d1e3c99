//! Casts, as kernels one after the other: of an encoding to what it computes as, between types that compute, and to an encoding. So each encoding has
//! two kernels, or three if it is of integers, since these wrap integers but saturate fractions.

use std::marker::PhantomData;

use smallvec::SmallVec;
use tensornio_core::half::{Brain, Half, Odd};

use super::isa::{kernel, Body, Isa, Kernel, Level};
use super::map::{each, Map1, Unary};
use super::ops::{Convert, Flag, Same};
use crate::operand::DType;

/// The kernels of a cast, in order, each with the type of its results.
pub type Casts = SmallVec<[(Kernel, DType); 4]>;

/// The kernels after which elements of one type are elements of another; none if they are the same.
pub fn casts(level: Level, from: DType, to: DType) -> Casts {
    let mut casts = Casts::new();
    if from == to {
        return casts;
    }
    let l = level;
    // INT64 has the bits of UINT64, but not the values.
    if from == DType::UInt64 && to.is_float() {
        if to == DType::Double {
            casts.push((kernel::<Map1<Convert, u64, f64>>(l), to));
        } else if to == DType::Float {
            casts.push((kernel::<Map1<Convert, u64, f32>>(l), to));
        } else {
            casts.push((kernel::<Map1<ToOdd, u64, f32>>(l), DType::Float));
            casts.push((narrow(l, to), to));
        }
        return casts;
    }
    let (wide, target) = (from.computes(), to.computes());
    if from != wide {
        casts.push((widen(l, from), wide));
    }
    match to {
        DType::Float16 | DType::BFloat16 => {
            match wide {
                DType::Float => {}
                DType::Double => casts.push((kernel::<Map1<ToOdd, f64, f32>>(l), target)),
                DType::Int32 => casts.push((kernel::<Map1<ToOdd, i32, f32>>(l), target)),
                DType::Int64 => casts.push((kernel::<Map1<ToOdd, i64, f32>>(l), target)),
                // All values of the others are exact.
                _ => casts.push((between(l, wide, target), target)),
            }
            casts.push((narrow(l, to), to));
        }
        DType::UInt64 if wide == DType::Float => {
            casts.push((kernel::<Map1<Convert, f32, u64>>(l), to));
        }
        DType::UInt64 if wide == DType::Double => {
            casts.push((kernel::<Map1<Convert, f64, u64>>(l), to));
        }
        _ => {
            if wide != target {
                casts.push((between(l, wide, target), target));
            }
            if to != target {
                let last = if wide.is_float() {
                    saturate(l, to)
                } else {
                    narrow(l, to)
                };
                casts.push((last, to));
            }
        }
    }
    casts
}

/// A value for each type that computes, in which the name stands for the type of the elements.
macro_rules! computing {
    ($dtype:expr, $t:ident => $value:expr) => {
        computing!(@ $dtype, $t => $value; Float f32, Double f64, Int32 i32, Int64 i64, UInt8 u8, Bool Flag)
    };
    (@ $dtype:expr, $t:ident => $value:expr; $($name:ident $of:ty),+) => {
        match $dtype {
            $(DType::$name => {
                type $t = $of;
                $value
            })+
            encoding => unreachable!("{encoding} does not compute"),
        }
    };
}

/// `to[k]` is `a[k]` converted, between types that compute.
fn between(level: Level, from: DType, to: DType) -> Kernel {
    computing!(from, T => computing!(to, R => kernel::<Map1<Convert, T, R>>(level)))
}

/// `to[k]` is `a[k]`, as what the encoding computes as.
fn widen(level: Level, from: DType) -> Kernel {
    let l = level;
    match from {
        DType::Float16 => kernel::<Halves<false>>(l),
        DType::BFloat16 => kernel::<Map1<Convert, Brain, f32>>(l),
        DType::Int8 => kernel::<Map1<Convert, i8, i32>>(l),
        DType::Int16 => kernel::<Map1<Convert, i16, i32>>(l),
        DType::UInt16 => kernel::<Map1<Convert, u16, i32>>(l),
        DType::UInt32 => kernel::<Map1<Convert, u32, i64>>(l),
        DType::UInt64 => kernel::<Map1<Same, u64, u64>>(l),
        other => unreachable!("{other} is no encoding"),
    }
}

/// `to[k]` is `a[k]`, rounded, or modulo the encoding's range.
fn narrow(level: Level, to: DType) -> Kernel {
    let l = level;
    match to {
        DType::Float16 => kernel::<Halves<true>>(l),
        DType::BFloat16 => kernel::<Map1<Convert, f32, Brain>>(l),
        DType::Int8 => kernel::<Map1<Convert, i32, i8>>(l),
        DType::Int16 => kernel::<Map1<Convert, i32, i16>>(l),
        DType::UInt16 => kernel::<Map1<Convert, i32, u16>>(l),
        DType::UInt32 => kernel::<Map1<Convert, i64, u32>>(l),
        DType::UInt64 => kernel::<Map1<Same, u64, u64>>(l),
        other => unreachable!("{other} is no encoding"),
    }
}

/// `to[k]` is `a[k]`, or the limit of the encoding of integers that it is beyond.
fn saturate(level: Level, to: DType) -> Kernel {
    let l = level;
    match to {
        DType::Int8 => kernel::<Map1<Saturate, i32, i8>>(l),
        DType::Int16 => kernel::<Map1<Saturate, i32, i16>>(l),
        DType::UInt16 => kernel::<Map1<Saturate, i32, u16>>(l),
        DType::UInt32 => kernel::<Map1<Saturate, i64, u32>>(l),
        other => unreachable!("{other} is no narrow integer"),
    }
}

/// The number, rounded to odd: see [`Odd`].
pub struct ToOdd;

impl<T: Odd> Unary<T, f32> for ToOdd {
    #[inline(always)]
    fn f<I: Isa>(x: T) -> f32 {
        x.odd()
    }
}

/// The nearest number of a type with a narrower range.
pub struct Saturate;

macro_rules! narrower {
    ($($from:ty => $($to:ty)|+;)*) => {$($(
        impl Unary<$from, $to> for Saturate {
            #[inline(always)]
            fn f<I: Isa>(x: $from) -> $to {
                x.clamp(<$from>::from(<$to>::MIN), <$from>::from(<$to>::MAX)) as $to
            }
        }
        impl Unary<$from, $to> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: $from) -> $to {
                x as $to
            }
        }
        impl Unary<$to, $from> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: $to) -> $from {
                <$from>::from(x)
            }
        }
    )+)*};
}

narrower! {
    i32 => i8|i16|u16;
    i64 => u32;
}

macro_rules! bits_and_values {
    ($($t:ty)*) => {$(
        impl Unary<$t, u64> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: $t) -> u64 {
                x as u64
            }
        }
        impl Unary<u64, $t> for Convert {
            #[inline(always)]
            fn f<I: Isa>(x: u64) -> $t {
                x as $t
            }
        }
    )*};
}

bits_and_values! { f32 f64 }

impl Unary<Brain, f32> for Convert {
    #[inline(always)]
    fn f<I: Isa>(x: Brain) -> f32 {
        x.to_f32()
    }
}

impl Unary<f32, Brain> for Convert {
    #[inline(always)]
    fn f<I: Isa>(x: f32) -> Brain {
        Brain::of_f32(x)
    }
}

/// FLOAT16 to FLOAT, or with `TO` FLOAT to FLOAT16: by the processor's instructions where it has them, which give the same bits.
pub struct Halves<const TO: bool>(PhantomData<()>);

impl<const TO: bool> Body for Halves<TO> {
    const WIDE: bool = false;

    #[inline(always)]
    unsafe fn run<I: Isa>(n: usize, to: *mut u8, a: *const u8, _: *const u8, _: *const u8) {
        let done = if I::HALVES {
            // SAFETY: all of this is the caller's promise; `I` exists only where the processor has the instructions.
            unsafe { eights::<TO>(n, to, a) }
        } else {
            0
        };
        let left = n - done;
        // SAFETY: the elements from `done` on.
        unsafe {
            if TO {
                let (a, to) = (a.cast::<f32>().add(done), to.cast::<Half>().add(done));
                each(left, to, |k| Half::of_f32(a.add(k).read_unaligned()));
            } else {
                let (a, to) = (a.cast::<Half>().add(done), to.cast::<f32>().add(done));
                each(left, to, |k| a.add(k).read_unaligned().to_f32());
            }
        }
    }
}

/// Converts eight numbers at a time, and returns how many it has converted.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn eights<const TO: bool>(n: usize, to: *mut u8, a: *const u8) -> usize {
    use std::arch::x86_64::{
        _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_loadu_ps, _mm256_storeu_ps, _mm_loadu_si128,
        _mm_storeu_si128, _MM_FROUND_TO_NEAREST_INT,
    };
    let done = n / 8 * 8;
    for k in (0..done).step_by(8) {
        // SAFETY: eight elements of `n`, read before they are written; the caller is compiled for the instructions.
        unsafe {
            if TO {
                let wide = _mm256_loadu_ps(a.cast::<f32>().add(k));
                let narrow = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
                _mm_storeu_si128(to.cast::<Half>().add(k).cast(), narrow);
            } else {
                let narrow = _mm_loadu_si128(a.cast::<Half>().add(k).cast());
                _mm256_storeu_ps(to.cast::<f32>().add(k), _mm256_cvtph_ps(narrow));
            }
        }
    }
    done
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn eights<const TO: bool>(_: usize, _: *mut u8, _: *const u8) -> usize {
    0
}
