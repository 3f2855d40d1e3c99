//! Dense memory from coordinates, and back; row pointers.

use tensornio_core::parallel::in_parts;
use tensornio_core::{Error, ErrorKind};

use crate::calls::{count, from_dense, pointers, to_dense};
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

#[test]
fn a_negative_zero_is_a_value_and_a_zero_is_none() {
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
