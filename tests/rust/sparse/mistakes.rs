//! Arguments that are refused, each with an error that names what is wrong.

use std::panic::{self, AssertUnwindSafe};

use tensornio_core::memory::{Heap, Memory};
use tensornio_core::parallel::in_parts;
use tensornio_core::sparse::{self, Chunks, Coordinates, Entries, Grid, Output, Values};
use tensornio_core::{Error, ErrorKind};

use crate::calls::{build, build_chunked, from_dense, memory, to_dense};
use crate::model::Sparse;
use crate::random::PARTS;

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
            for &parts in PARTS {
                let build = || build(&[1 << 20], &positions, true, &vec![1; n], 1);
                let error = in_parts(parts, build).unwrap_err();
                assert!(
                    matches!(error, Error::PositionOutside { row: found, position: -5, .. } if found == row),
                    "{row}: {error}"
                );
            }
        }
    }
}

#[test]
fn widths_that_no_element_has_are_an_error() {
    assert!(matches!(
        build(&[4], &[2, 1], false, &[1; 6], 3),
        Err(Error::ElementWidth { width: 3 })
    ));
    let (shape, width) = ([4], 3);
    let dense = [1; 12];
    let expected = Error::ElementWidth { width };
    for capacity in [0, 4] {
        let sparse = from_dense(&shape, &dense, width, capacity);
        assert_eq!(sparse.unwrap_err(), expected);
        let sparse = in_parts(2, || from_dense(&shape, &dense, width, capacity));
        assert_eq!(sparse.unwrap_err(), expected);
    }
    // Row 0 is outside as well: no row is looked at.
    let sparse = Sparse {
        indices: vec![9, 1],
        values: vec![1; 6],
    };
    assert_eq!(to_dense(&shape, &sparse, width).unwrap_err(), expected);
    let output = Output {
        indices: std::ptr::NonNull::dangling().as_ptr(),
        values: std::ptr::NonNull::dangling().as_ptr(),
        capacity: 0,
    };
    let grid = Grid::new(&shape).unwrap();
    // SAFETY: there are 4 elements of that width; nothing is written.
    let (counted, extracted) = unsafe {
        (
            sparse::count(width, false, dense.as_ptr(), 4),
            sparse::extract(width, false, &grid, 0..4, dense.as_ptr(), &output, 0),
        )
    };
    assert_eq!(counted.unwrap_err(), expected);
    assert_eq!(extracted.unwrap_err(), expected);
}

#[test]
fn an_output_that_is_too_small_is_an_error() {
    let memory = memory();
    let entries = Entries {
        coordinates: Coordinates::Linear([1, 0].as_mut_ptr()),
        values: [1, 2].as_ptr(),
        width: 1,
        n: 2,
    };
    let output = Output {
        indices: std::ptr::NonNull::dangling().as_ptr(),
        values: std::ptr::NonNull::dangling().as_ptr(),
        capacity: 1,
    };
    // SAFETY: nothing is written.
    let built = unsafe { sparse::build(&memory, &entries, &Grid::new(&[4]).unwrap(), &output) };
    let error = built.unwrap_err();
    assert_eq!(
        error,
        Error::OutputTooSmall {
            entries: 2,
            capacity: 1
        }
    );
    assert_eq!(error.kind(), ErrorKind::IllegalArgument);
    assert_eq!(
        error.to_string(),
        "2 entries, but the output has capacity for 1"
    );
}

/// So many that several threads share them.
const MANY: usize = if cfg!(miri) { 200 } else { 200_000 };

/// Feeds `rows` rows where `MANY` were promised, then returns `then`.
fn feed(memory: &Memory<Heap>, rows: usize, then: Result<(), Error>) -> Result<usize, Error> {
    let mut positions: Vec<i64> = (0..rows as i64).rev().collect();
    let values = vec![1u8; MANY];
    let (mut indices, mut sorted) = (vec![0; MANY], vec![0; MANY]);
    let values = Values {
        start: values.as_ptr(),
        width: 1,
        n: MANY,
    };
    let output = Output {
        indices: indices.as_mut_ptr(),
        values: sorted.as_mut_ptr(),
        capacity: MANY,
    };
    let grid = Grid::new(&[1 << 20]).unwrap();
    // SAFETY: all arrays are that long.
    unsafe {
        sparse::build_chunked(
            memory,
            &values,
            true,
            &grid,
            &output,
            |to: &mut Chunks<'_>| {
                to.take(Coordinates::Linear(positions.as_mut_ptr()), rows);
                then
            },
        )
    }
}

#[test]
fn rows_that_stop_coming_are_the_error_that_stopped_them() {
    let memory = memory();
    for rows in [0, 1, MANY / 2, MANY] {
        let stopped = Error::OutputFull { capacity: 77 };
        assert_eq!(feed(&memory, rows, Err(stopped.clone())), Err(stopped));
        assert_eq!(memory.stats().live_blocks, 0);
    }
    assert_eq!(feed(&memory, MANY, Ok(())), Ok(MANY));
}

/// Uninitialised keys would be read, or keys written beyond the end.
#[test]
fn more_or_fewer_rows_than_values_are_a_panic() {
    let memory = memory();
    for (rows, says) in [(MANY - 1, "fewer rows"), (0, "fewer"), (MANY + 1, "more")] {
        let payload = panic::catch_unwind(AssertUnwindSafe(|| feed(&memory, rows, Ok(()))))
            .expect_err("no panic");
        let message = payload.downcast_ref::<&str>().copied().unwrap_or_default();
        assert!(message.starts_with(says), "{message}");
        assert_eq!(memory.stats().live_blocks, 0);
    }
}

#[test]
fn intermediate_results_of_chunked_rows_count_against_the_limit() {
    let positions: Vec<i64> = (0..MANY as i64).rev().collect();
    let values = vec![1; MANY];
    let step = if cfg!(miri) { 512 } else { 128 << 10 };
    let mut refused = 0;
    loop {
        let memory = Memory::new(Heap::new(), (refused + 1) * step);
        let shape = [MANY as i64];
        let built = build_chunked(&memory, &shape, &positions, true, &values, 1, MANY);
        assert_eq!(memory.stats().live_bytes, 0);
        match built {
            Ok(built) => {
                assert!(built.indices.into_iter().eq(0..MANY as i64));
                break;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::OutOfMemory),
        }
        refused += 1;
    }
    assert!(refused > 2, "{refused}");
}
