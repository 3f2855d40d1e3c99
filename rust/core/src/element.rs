//! Elements as bits of one of four widths.

use crate::Error;

/// Bits of an element, as wide as it is. Copies move bits and need not know what they mean; that also makes a byte that is neither 0 nor 1 in a
/// tensor of booleans harmless here.
///
/// Sealed: code that is generic over it may assume that every pattern of bits is a value.
pub trait Element: Copy + Default + PartialEq + Send + Sync + sealed::Sealed + 'static {
    /// How many bytes it has.
    const WIDTH: usize = size_of::<Self>();
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($bits:ty),*) => {
        $(
            impl sealed::Sealed for $bits {}
            impl Element for $bits {}
        )*
    };
}
elements!(u8, u16, u32, u64);

/// Evaluates an expression with a type name bound to the [`Element`] of a number of bytes; `None` if no element is as wide.
///
/// ```
/// use tensornio_core::dispatch;
/// use tensornio_core::element::Element;
///
/// assert_eq!(dispatch!(4, E => 8 * E::WIDTH), Some(32));
/// assert_eq!(dispatch!(3, E => E::WIDTH), None);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($width:expr, $element:ident => $body:expr) => {
        match $width {
            1 => {
                type $element = u8;
                Some($body)
            }
            2 => {
                type $element = u16;
                Some($body)
            }
            4 => {
                type $element = u32;
                Some($body)
            }
            8 => {
                type $element = u64;
                Some($body)
            }
            _ => None,
        }
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
