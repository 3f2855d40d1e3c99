//! Types of elements: the meaning of their bits, where [`element`](crate::element) only has their width.

use std::fmt;

use bytemuck::{Pod, Zeroable};

/// The type of a tensor's elements, as in Java's `DataType`, whose `STRING` has no counterpart: strings are not elements of fixed size.
///
/// Not `#[non_exhaustive]`: the crates of this workspace match all of them, so that the compiler names each place that a new type needs. A new one
/// (16-bit floats, other integers) is a variant, a row in each method here, a code that no other has or had, and a row of `dispatch!(type of ...)`.
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
}

impl DType {
    /// All types.
    pub const ALL: [DType; 6] = [
        DType::Float,
        DType::Double,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::Bool,
    ];

    /// The bytes of an element: a width for which [`dispatch!`](crate::dispatch) has an [`Element`](crate::element::Element).
    pub const fn width(self) -> usize {
        match self {
            DType::Double | DType::Int64 => 8,
            DType::Float | DType::Int32 => 4,
            DType::UInt8 | DType::Bool => 1,
        }
    }

    /// The name in Java, which messages use.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Float => "FLOAT",
            DType::Double => "DOUBLE",
            DType::Int32 => "INT32",
            DType::Int64 => "INT64",
            DType::UInt8 => "UINT8",
            DType::Bool => "BOOL",
        }
    }

    /// Whether elements are integers; truth values are not.
    pub const fn is_integer(self) -> bool {
        matches!(self, DType::Int32 | DType::Int64 | DType::UInt8)
    }

    /// The number that crosses the boundary: the ordinal of the constant in Java, where new constants are appended. (6 is `STRING`.)
    pub const fn code(self) -> i32 {
        match self {
            DType::Float => 0,
            DType::Double => 1,
            DType::Int32 => 2,
            DType::Int64 => 3,
            DType::Bool => 4,
            DType::UInt8 => 5,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch;

    #[test]
    fn codes_and_types_are_one_to_one() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_code(dtype.code()), Some(dtype));
        }
        for code in [-1, 6, 7, i32::MIN, i32::MAX] {
            assert_eq!(DType::from_code(code), None);
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
