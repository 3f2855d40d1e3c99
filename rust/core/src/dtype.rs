//! Types of elements: the meaning of their bits, where [`element`](crate::element) only has their width.

use std::fmt;

use bytemuck::{Pod, Zeroable};

use crate::half::{Brain, Half};

/// The type of a tensor's elements, as in Java's `DataType`, whose `STRING` has no counterpart: strings are not elements of fixed size.
///
/// A type is computed with, or it is an *encoding*: stored narrow, and [computed](DType::computes) as another type, to which each element is cast
/// where it is read.
///
/// Not `#[non_exhaustive]`: the crates of this workspace match all of them, so that the compiler names each place that a new type needs. A new
/// encoding is a variant, a row in [`facts`](DType::facts) with a code that no other has or had, a row of `dispatch!(type of ...)`, and its casts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// 32-bit IEEE 754 numbers.
    Float,
    /// 64-bit IEEE 754 numbers.
    Double,
    /// 32-bit two's complement integers.
    Int32,
    /// 64-bit two's complement integers.
    Int64,
    /// Unsigned 8-bit integers.
    UInt8,
    /// Truth values, a byte each: see [`Bool`].
    Bool,
    /// 16-bit IEEE 754 numbers: see [`Half`].
    Float16,
    /// The upper halves of 32-bit IEEE 754 numbers: see [`Brain`].
    BFloat16,
    /// 8-bit two's complement integers.
    Int8,
    /// 16-bit two's complement integers.
    Int16,
    /// Unsigned 16-bit integers.
    UInt16,
    /// Unsigned 32-bit integers.
    UInt32,
    /// Unsigned 64-bit integers.
    UInt64,
}

/// What is known of a type.
struct Facts {
    width: usize,
    name: &'static str,
    word: &'static str,
    code: i32,
    computes: DType,
}

impl DType {
    /// All types.
    pub const ALL: [DType; 13] = [
        DType::Float,
        DType::Double,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::Bool,
        DType::Float16,
        DType::BFloat16,
        DType::Int8,
        DType::Int16,
        DType::UInt16,
        DType::UInt32,
        DType::UInt64,
    ];

    /// The one table of types.
    const fn facts(self) -> Facts {
        const fn row(
            width: usize,
            name: &'static str,
            word: &'static str,
            code: i32,
            computes: DType,
        ) -> Facts {
            Facts {
                width,
                name,
                word,
                code,
                computes,
            }
        }
        match self {
            DType::Float => row(4, "FLOAT", "float", 0, DType::Float),
            DType::Double => row(8, "DOUBLE", "double", 1, DType::Double),
            DType::Int32 => row(4, "INT32", "int", 2, DType::Int32),
            DType::Int64 => row(8, "INT64", "long", 3, DType::Int64),
            DType::Bool => row(1, "BOOL", "bool", 4, DType::Bool),
            DType::UInt8 => row(1, "UINT8", "uint8", 5, DType::UInt8),
            // 6 is STRING.
            DType::Float16 => row(2, "FLOAT16", "float16", 7, DType::Float),
            DType::BFloat16 => row(2, "BFLOAT16", "bfloat16", 8, DType::Float),
            DType::Int8 => row(1, "INT8", "int8", 9, DType::Int32),
            DType::Int16 => row(2, "INT16", "int16", 10, DType::Int32),
            DType::UInt16 => row(2, "UINT16", "uint16", 11, DType::Int32),
            DType::UInt32 => row(4, "UINT32", "uint32", 12, DType::Int64),
            DType::UInt64 => row(8, "UINT64", "uint64", 13, DType::Int64),
        }
    }

    /// The bytes of an element: a width for which [`dispatch!`](crate::dispatch) has an [`Element`](crate::element::Element).
    pub const fn width(self) -> usize {
        self.facts().width
    }

    /// The name in Java, which messages use.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The word of the language of comprehensions for a cast to this type.
    pub const fn word(self) -> &'static str {
        self.facts().word
    }

    /// The number that crosses the boundary, of Java and of C, fixed for ever: Java's constants have it as `code()`.
    pub const fn code(self) -> i32 {
        self.facts().code
    }

    /// The type with which elements are computed: of an encoding the narrowest that holds all its values, of others the type itself. Of UINT64 it is
    /// INT64, which holds the bits but not the values: nothing is computed with it before a cast.
    pub const fn computes(self) -> DType {
        self.facts().computes
    }

    /// Whether elements are stored narrow: see [`computes`](DType::computes).
    pub fn is_encoding(self) -> bool {
        self.computes() != self
    }

    /// Whether elements are integers; truth values are not.
    pub const fn is_integer(self) -> bool {
        matches!(self.computes(), DType::Int32 | DType::Int64 | DType::UInt8)
    }

    /// Whether elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(self.computes(), DType::Float | DType::Double)
    }

    /// The type with a [code](DType::code); `None` for other numbers.
    pub fn from_code(code: i32) -> Option<DType> {
        DType::ALL.into_iter().find(|dtype| dtype.code() == code)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A truth value in a tensor: 0 is false. Every byte is a valid value, while a Rust `bool` must be 0 or 1, which memory
/// that Java writes cannot guarantee.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct Bool(pub u8);

impl Bool {
    /// The truth value.
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Bool {
    fn from(value: bool) -> Bool {
        Bool(value.into())
    }
}

/// The Rust type of a [`DType`]. Any bits are a valid value.
pub trait Typed: Pod + Default + Send + Sync {
    /// The corresponding [`DType`].
    const DTYPE: DType;
}

macro_rules! typed {
    ($($dtype:ident: $rust:ty),*) => {
        $(
            impl Typed for $rust {
                const DTYPE: DType = DType::$dtype;
            }
            const _: () = assert!(size_of::<$rust>() == DType::$dtype.width());
        )*
    };
}
typed!(Float: f32, Double: f64, Int32: i32, Int64: i64, UInt8: u8, Bool: Bool);
typed!(Float16: Half, BFloat16: Brain, Int8: i8, Int16: i16, UInt16: u16, UInt32: u32, UInt64: u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch;

    #[test]
    fn codes_and_types_are_one_to_one() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_code(dtype.code()), Some(dtype));
        }
        for code in [-1, 6, 14, i32::MIN, i32::MAX] {
            assert_eq!(DType::from_code(code), None);
        }
    }

    #[test]
    fn names_and_words_are_distinct_and_what_computes_is_no_encoding() {
        for (k, dtype) in DType::ALL.into_iter().enumerate() {
            for other in &DType::ALL[..k] {
                assert!(dtype.name() != other.name() && dtype.word() != other.word());
            }
            assert!(!dtype.computes().is_encoding());
            assert!(dtype.width() <= dtype.computes().width());
        }
    }

    #[test]
    fn every_width_has_an_element() {
        for dtype in DType::ALL {
            assert!(
                crate::element::check_width(dtype.width()).is_ok(),
                "{dtype}"
            );
        }
    }

    #[test]
    fn each_type_is_dispatched_to_its_own_rust_type() {
        for dtype in DType::ALL {
            assert_eq!(dispatch!(type of dtype, T => T::DTYPE), dtype);
            assert_eq!(dispatch!(type of dtype, T => size_of::<T>()), dtype.width());
        }
    }

    #[test]
    fn every_byte_but_0_is_true() {
        assert!((0..=u8::MAX).all(|byte| Bool(byte).get() == (byte != 0)));
        assert!(Bool::from(true).get() && !Bool::from(false).get());
    }
}
