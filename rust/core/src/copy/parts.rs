//! Selections split into boxes of limited size.

use crate::layout::Strided;

/// Splits selections of the same shape into parts, and does the work for each in row-major order, until it fails. `most` returns the maximum number
/// of elements of a part; larger ones are split along their first axis of more than 1.
///
/// # Panics
/// If the shapes differ.
pub fn each_part<const N: usize, E>(
    sides: [Strided<&[i64]>; N],
    most: &impl Fn(&[i64]) -> i64,
    work: &mut impl FnMut([Strided<&[i64]>; N]) -> Result<(), E>,
) -> Result<(), E> {
    let shape = sides[0].shape_of();
    assert!(sides.iter().all(|side| side.shape() == shape));
    let elements = sides[0].elements();
    let most_elements = most(shape);
    let axis = shape.iter().position(|&size| size > 1);
    let Some(axis) = axis.filter(|_| elements > most_elements) else {
        return work(sides);
    };
    let size = shape[axis];
    let step = (most_elements / (elements / size)).max(1);
    let mut part = shape.to_vec();
    let mut at = 0;
    while at < size {
        part[axis] = step.min(size - at);
        each_part(sides.map(|side| side.part(axis, at, &part)), most, work)?;
        at += step;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offsets and the shape of each part.
    fn parts(shape: &[i64], strides: &[i64], most: i64) -> Vec<(i64, Vec<i64>)> {
        let side = Strided::new(shape, strides, 100).unwrap();
        let mut parts = Vec::new();
        each_part([side, side], &|_| most, &mut |[one, other]| {
            assert_eq!(one, other);
            parts.push((one.offset(), one.shape().to_vec()));
            Ok::<_, ()>(())
        })
        .unwrap();
        parts
    }

    #[test]
    fn parts_are_as_large_as_they_may_be_and_in_order() {
        assert_eq!(parts(&[5], &[2], 5), [(100, vec![5])]);
        assert_eq!(
            parts(&[5], &[2], 2),
            [(100, vec![2]), (104, vec![2]), (108, vec![1])]
        );
        assert_eq!(
            parts(&[3, 4], &[-9, 1], 8),
            [(100, vec![2, 4]), (82, vec![1, 4])]
        );
        assert_eq!(
            parts(&[1, 2, 3], &[7, 10, 1], 2),
            [
                (100, vec![1, 1, 2]),
                (102, vec![1, 1, 1]),
                (110, vec![1, 1, 2]),
                (112, vec![1, 1, 1])
            ]
        );
    }

    #[test]
    fn a_single_element_is_a_part_however_few_are_allowed() {
        assert_eq!(parts(&[], &[], 0), [(100, vec![])]);
        assert_eq!(parts(&[2], &[3], 0), [(100, vec![1]), (103, vec![1])]);
    }

    #[test]
    fn the_first_failure_ends_it() {
        let side = Strided::new(&[4i64][..], &[1], 0).unwrap();
        let mut calls = 0;
        let failed = each_part([side], &|_| 1, &mut |_| {
            calls += 1;
            if calls == 2 {
                Err(calls)
            } else {
                Ok(())
            }
        });
        assert_eq!((failed, calls), (Err(2), 2));
    }
}
