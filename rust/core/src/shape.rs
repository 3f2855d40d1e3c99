//! Sizes of axes, and products of them that cannot overflow.

use crate::Error;

/// The number of elements of `shape`; that of a scalar, `[]`, is 1.
///
/// Sizes of 0 are left out when products are checked: `[0, 1 << 62, 8]` is refused, since its strides would overflow.
///
/// # Errors
/// [`Error::NegativeSize`], [`Error::TooManyElements`].
pub fn elements(shape: &[i64]) -> Result<i64, Error> {
    let mut product = 1i64;
    let mut empty = false;
    for (axis, &size) in shape.iter().enumerate() {
        match size {
            ..=-1 => {
                return Err(Error::NegativeSize {
                    axis,
                    size,
                    shape: shape.to_vec(),
                })
            }
            0 => empty = true,
            1.. => {
                product = product.checked_mul(size).ok_or_else(|| {
                    match shape.iter().position(|&size| size < 0) {
                        Some(axis) => Error::NegativeSize {
                            axis,
                            size: shape[axis],
                            shape: shape.to_vec(),
                        },
                        None => Error::TooManyElements {
                            shape: shape.to_vec(),
                        },
                    }
                })?;
            }
        }
    }
    Ok(if empty { 0 } else { product })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_has_one_element() {
        assert_eq!(elements(&[]), Ok(1));
    }

    #[test]
    fn sizes_are_multiplied() {
        assert_eq!(elements(&[2, 3, 4]), Ok(24));
        assert_eq!(elements(&[1 << 31, 1 << 31]), Ok(1 << 62));
        assert_eq!(elements(&[5, 0, 7]), Ok(0));
    }

    #[test]
    fn negative_sizes_are_named() {
        let error = Error::NegativeSize {
            axis: 1,
            size: -2,
            shape: vec![3, -2],
        };
        assert_eq!(elements(&[3, -2]), Err(error));
        assert_eq!(
            elements(&[0, i64::MIN]).unwrap_err().to_string(),
            format!(
                "axis 1 of shape [0, {0}] has the negative size {0}",
                i64::MIN
            )
        );
    }

    #[test]
    fn a_negative_size_is_the_first_mistake_even_behind_a_product_that_overflows() {
        let error = elements(&[1 << 62, 4, -1]).unwrap_err();
        assert!(
            matches!(
                error,
                Error::NegativeSize {
                    axis: 2,
                    size: -1,
                    ..
                }
            ),
            "{error}"
        );
    }

    #[test]
    fn overflow_is_an_error_beside_a_zero_too() {
        for shape in [
            vec![1 << 32, 1 << 31],
            vec![1 << 62, 2],
            vec![0, 1 << 62, 8],
            vec![1 << 62, 8, 0],
        ] {
            assert_eq!(
                elements(&shape),
                Err(Error::TooManyElements {
                    shape: shape.clone()
                })
            );
        }
    }
}
