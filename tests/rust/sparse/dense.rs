//! Dense memory from coordinates, and back; row pointers.

use tensornio_core::parallel::in_parts;
use tensornio_core::{Error, ErrorKind};

use crate::calls::{count, count_of, from_dense, from_dense_of, pointers, to_dense};
use crate::model::{floats, random_positions, rows_of, Sparse};
use crate::random::PARTS;

#[test]
fn a_matrix_by_hand() {
    let sparse = Sparse {
        indices: vec![0, 1, 2, 0, 2, 2],
        values: vec![5, 6, 7],
    };
    assert_eq!(
        to_dense(&[3, 3], &sparse, 1).unwrap(),
        [0, 5, 0, 0, 0, 0, 6, 0, 7]
    );
    assert_eq!(
        from_dense(&[3, 3], &[0, 5, 0, 0, 0, 0, 6, 0, 7], 1, 3).unwrap(),
        sparse
    );
    assert_eq!(pointers(&sparse.indices, 3).unwrap(), [0, 1, 1, 3]);
    assert_eq!(pointers(&sparse.indices, 5).unwrap(), [0, 1, 1, 3, 3, 3]);
    assert_eq!(pointers(&[], 2).unwrap(), [0, 0, 0]);
    assert_eq!(pointers(&[], 0).unwrap(), [0]);
}

/// In blocks of 64 and in what is left, whatever the number of threads.
#[test]
fn of_floating_point_numbers_a_negative_zero_is_none_and_nan_is_a_value() {
    for n in [4, 64, 67, 300] {
        let some = [-0.0, f32::NAN, 0.0, -f32::from_bits(1)];
        let dense: Vec<f32> = (0..n).map(|k| some[k % 4]).collect();
        let kept = |k: &usize| k % 2 == 1;
        let expected = Sparse {
            indices: (0..n).filter(kept).map(|k| k as i64).collect(),
            values: floats(&(0..n).filter(kept).map(|k| dense[k]).collect::<Vec<_>>()),
        };
        let dense = floats(&dense);
        let shape = [n as i64];
        for parts in [1, 3] {
            in_parts(parts, || {
                assert_eq!(count_of(true, &dense, 4), n / 2);
                assert_eq!(
                    from_dense_of(true, &shape, &dense, 4, n / 2),
                    Ok(expected.clone())
                );
            });
        }
    }
    let doubles: Vec<u8> = [-0.0, f64::NAN, 0.0, -1.0].map(f64::to_ne_bytes).concat();
    assert_eq!(count_of(true, &doubles, 8), 2);
}

#[test]
fn of_bits_a_negative_zero_is_a_value_and_a_zero_is_none() {
    let dense = floats(&[0.0, -0.0, 0.0, 1.0]);
    assert_eq!(count(&dense, 4), 2);
    assert_eq!(
        from_dense(&[2, 2], &dense, 4, 2).unwrap(),
        Sparse {
            indices: vec![0, 1, 1, 1],
            values: floats(&[-0.0, 1.0]),
        }
    );
}

#[test]
fn dense_memory_is_made_from_sorted_coordinates_only() {
    for (indices, row) in [
        (vec![1, 1, 0, 0], 1),
        (vec![1, 1, 1, 1], 1),
        (vec![0, 0, 2, 2, 2, 1], 2),
    ] {
        let values = vec![1; indices.len() / 2];
        let error = to_dense(&[3, 3], &Sparse { indices, values }, 1).unwrap_err();
        assert_eq!(error, Error::Unsorted { row });
    }
    let sparse = Sparse {
        indices: vec![0, 0, 1, 3],
        values: vec![1, 2],
    };
    assert_eq!(
        to_dense(&[3, 3], &sparse, 1).unwrap_err().kind(),
        ErrorKind::IndexOutOfBounds
    );
    assert_eq!(
        pointers(&[1, 0, 0, 0], 2).unwrap_err(),
        Error::Unsorted { row: 1 }
    );
    assert_eq!(
        pointers(&[2, 0], 2).unwrap_err().kind(),
        ErrorKind::IndexOutOfBounds
    );
    assert!(pointers(&[-1, 0], 2).is_err());
    assert!(pointers(&[0, 0], 0).is_err());
}

/// Garbage instead of sorted coordinates is an error, also where several threads share it, and nothing else is touched.
#[test]
fn garbage_is_an_error() {
    let side = if cfg!(miri) { 30 } else { 1100 };
    let n = if cfg!(miri) { 50 } else { 50_000 };
    let seeds = if cfg!(miri) { 2 } else { 8 };
    let mut errors = 0;
    for seed in 0..seeds {
        let mut positions = random_positions(n, side * side, seed);
        if seed % 2 == 0 {
            positions.sort_unstable();
            positions.dedup();
            let last = positions.len() - 1;
            positions.swap(last / 3, last / 2 + seed as usize);
        }
        let sparse = Sparse {
            indices: rows_of(&[side, side], &positions),
            values: vec![1; positions.len() * 4],
        };
        let parts = PARTS[seed as usize / 2 % PARTS.len()];
        let made = in_parts(parts, || to_dense(&[side, side], &sparse, 4));
        errors += usize::from(matches!(made, Err(Error::Unsorted { .. })));
    }
    assert_eq!(errors, seeds as usize);
}
