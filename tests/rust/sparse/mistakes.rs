//! Arguments that are refused, each with an error that names what is wrong.

use tensornio_core::sparse::{self, Coordinates, Entries, Grid, Room};
use tensornio_core::{Error, ErrorKind};

use crate::calls::{build, memory};

#[test]
fn coordinates_outside_are_named() {
    for (coordinates, axis, coordinate) in [
        ([0, 0, 1, 4, 0, 9], 1, 4),
        ([0, 0, 3, 9, 0, 0], 0, 3),
        ([1, 1, 0, -1, 0, 0], 1, -1),
        ([0, 0, i64::MIN, 0, 0, 0], 0, i64::MIN),
    ] {
        let error = build(&[3, 4], &coordinates, false, &[1, 2, 3], 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IndexOutOfBounds);
        assert_eq!(
            error,
            Error::CoordinateOutside {
                row: 1,
                axis,
                coordinate,
                size: [3, 4][axis],
                shape: vec![3, 4]
            }
        );
    }
    let error = build(&[3, 4], &[0, 0, 5, 1], false, &[1, 2], 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1 of the coordinates has 5 along axis 0 of shape [3, 4], whose size is 3"
    );
    let error = build(&[3, 4], &[0, 12], true, &[1, 2], 1).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1 of the coordinates is position 12 of shape [3, 4], which has 12 elements"
    );
    assert!(build(&[3, 4], &[-1], true, &[1], 1).is_err());
    assert!(build(&[3, 0], &[0, 0], false, &[1], 1).is_err());
    assert!(build(&[], &[1], true, &[1], 1).is_err());
}

/// The first one, even where several threads look.
#[test]
fn the_first_coordinate_outside_is_named() {
    let n = if cfg!(miri) { 60 } else { 200_000 };
    for descending in [false, true] {
        let mut positions: Vec<i64> = (0..n as i64).collect();
        if descending {
            positions.reverse();
        }
        for row in [n - 2, n / 2 + 1, n / 4] {
            positions[row] = -5;
            let error = build(&[1 << 20], &positions, true, &vec![1; n], 1).unwrap_err();
            assert!(
                matches!(error, Error::PositionOutside { row: found, position: -5, .. } if found == row),
                "{row}: {error}"
            );
        }
    }
}

#[test]
fn widths_that_no_element_has_are_an_error() {
    assert!(matches!(
        build(&[4], &[2, 1], false, &[1; 6], 3),
        Err(Error::ElementWidth { width: 3 })
    ));
}

#[test]
fn a_room_that_is_too_small_is_an_error() {
    let memory = memory();
    let entries = Entries {
        coordinates: Coordinates::Linear([1, 0].as_ptr()),
        values: [1, 2].as_ptr(),
        width: 1,
        n: 2,
    };
    let room = Room {
        indices: std::ptr::NonNull::dangling().as_ptr(),
        values: std::ptr::NonNull::dangling().as_ptr(),
        n: 1,
    };
    // SAFETY: nothing is written.
    let built = unsafe { sparse::build(&memory, &entries, &Grid::new(&[4]).unwrap(), &room) };
    assert_eq!(built, Err(Error::NoRoom { room: 1 }));
}
