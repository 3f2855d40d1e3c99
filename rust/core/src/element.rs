//! Elements as bits of one of four widths.

use std::ops::BitAnd;

use bytemuck::Pod;

use crate::Error;

/// The bits of an element. Copies move bits, whatever they mean; so a byte that is neither 0 nor 1 in a tensor of booleans is harmless here.
///
/// Any bits are a valid value, so bytes can be read as elements and vice versa. Sealed: there are only these four.
pub trait Element:
    Pod + Default + PartialEq + BitAnd<Output = Self> + Send + Sync + sealed::Sealed
{
    /// The mask of all bits, and of all but the highest, the sign of a floating-point number.
    const ALL: Self;
    /// See [`ALL`](Self::ALL).
    const MAGNITUDE: Self;
    /// The number of bytes.
    const WIDTH: usize = size_of::<Self>();
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($bits:ty),*) => {
        $(
            impl sealed::Sealed for $bits {}
            impl Element for $bits {
                const ALL: Self = <$bits>::MAX;
                const MAGNITUDE: Self = <$bits>::MAX >> 1;
            }
        )*
    };
}
elements!(u8, u16, u32, u64);

/// Evaluates an expression with a type name bound to the type of elements.
///
/// | form | the name is | gives |
/// | --- | --- | --- |
/// | `dispatch!(width, E => ...)` | the [`Element`] of that width: to move or compare bits | `Some`; `None` if no element is as wide |
/// | `dispatch!(type of dtype, T => ...)` | the [`Typed`](crate::dtype::Typed) of a [`DType`](crate::DType): to compute | the value |
///
/// ```
/// use tensornio_core::dispatch;
/// use tensornio_core::dtype::{DType, Typed};
/// use tensornio_core::element::Element;
///
/// assert_eq!(dispatch!(4, E => 8 * E::WIDTH), Some(32));
/// assert_eq!(dispatch!(3, E => E::WIDTH), None);
/// assert_eq!(dispatch!(type of DType::Int32, T => T::DTYPE), DType::Int32);
/// ```
#[macro_export]
macro_rules! dispatch {
    (type of $dtype:expr, $element:ident => $body:expr) => {
        $crate::dispatch!(@arms $dtype, $element => $body;
            $crate::DType::Float => f32, $crate::DType::Double => f64, $crate::DType::Int32 => i32, $crate::DType::Int64 => i64,
            $crate::DType::UInt8 => u8, $crate::DType::Bool => $crate::dtype::Bool, $crate::DType::Float16 => $crate::half::Half,
            $crate::DType::BFloat16 => $crate::half::Brain, $crate::DType::Int8 => i8, $crate::DType::Int16 => i16,
            $crate::DType::UInt16 => u16, $crate::DType::UInt32 => u32, $crate::DType::UInt64 => u64;)
    };
    (@arms $of:expr, $element:ident => $body:expr; $($pattern:pat => $arm:ty),*; $($else:pat => $value:expr)?) => {
        match $of {
            $($pattern => {
                type $element = $arm;
                $body
            })*
            $($else => $value)?
        }
    };
    ($width:expr, $element:ident => $body:expr) => {
        $crate::dispatch!(@arms $width, $element => Some($body); 1 => u8, 2 => u16, 4 => u32, 8 => u64; _ => None)
    };
}

/// Checks that elements of `width` bytes are known.
///
/// # Errors
/// [`Error::ElementWidth`].
pub(crate) fn check_width(width: usize) -> Result<(), Error> {
    dispatch!(width, E => E::WIDTH)
        .map(|_| ())
        .ok_or(Error::ElementWidth { width })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_widths_have_an_element_as_wide() {
        for width in [1, 2, 4, 8] {
            assert_eq!(dispatch!(width, E => E::WIDTH), Some(width));
        }
    }

    #[test]
    fn other_widths_have_none() {
        for width in [0, 3, 5, 16, usize::MAX] {
            assert_eq!(dispatch!(width, E => E::WIDTH), None);
        }
    }
}
