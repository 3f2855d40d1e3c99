//! Sparse tensors against a map from coordinates to values.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tensornio_core::memory::{Heap, Memory};
use tensornio_core::sparse::{self, Coordinates, Entries, Grid, Room};
use tensornio_core::{Error, ErrorKind};

/// What is behind the room of a result, to see whether it is written.
const BEHIND: i64 = -77;

/// Entries in one vector each.
#[derive(Clone, Debug, PartialEq)]
struct Sparse {
    indices: Vec<i64>,
    values: Vec<u8>,
}

/// Memory of the system's size, in which blocks are far from each other.
fn memory() -> Memory<Heap> {
    Memory::new(Heap::new(), u64::MAX)
}

/// Different bytes for each entry; never zero as a whole.
fn values(n: usize, width: usize) -> Vec<u8> {
    (0..n)
        .flat_map(|k| {
            (k as u64 + 1)
                .wrapping_mul(0x0123_4567_89ab_cdef)
                .to_ne_bytes()[..width]
                .to_vec()
        })
        .map(|byte| byte | 1)
        .collect()
}

fn position(shape: &[i64], row: &[i64]) -> i64 {
    shape
        .iter()
        .zip(row)
        .fold(0, |key, (size, at)| key * size + at)
}

fn row_of(shape: &[i64], mut position: i64) -> Vec<i64> {
    let mut row: Vec<i64> = shape
        .iter()
        .rev()
        .map(|&size| {
            let at = position % size;
            position /= size;
            at
        })
        .collect();
    row.reverse();
    row
}

fn build(
    shape: &[i64],
    coordinates: &[i64],
    linear: bool,
    values: &[u8],
    width: usize,
) -> Result<Sparse, Error> {
    let memory = memory();
    let built = build_in(&memory, shape, coordinates, linear, values, width);
    assert_eq!(memory.stats().live_blocks, 0);
    built
}

fn build_in(
    memory: &Memory<Heap>,
    shape: &[i64],
    coordinates: &[i64],
    linear: bool,
    values: &[u8],
    width: usize,
) -> Result<Sparse, Error> {
    let grid = Grid::new(shape)?;
    let n = values.len() / width;
    let start = coordinates.as_ptr();
    let entries = Entries {
        coordinates: if linear {
            Coordinates::Linear(start)
        } else {
            Coordinates::Rows(start)
        },
        values: values.as_ptr(),
        width,
        n,
    };
    let mut indices = vec![BEHIND; n * shape.len() + 1];
    let mut sorted = vec![0xee; n * width + 1];
    let room = Room {
        indices: indices.as_mut_ptr(),
        values: sorted.as_mut_ptr(),
        n,
    };
    // SAFETY: all have room for `n` entries.
    let distinct = unsafe { sparse::build(memory, &entries, &grid, &room)? };
    assert_eq!(indices.pop(), Some(BEHIND));
    assert_eq!(sorted.pop(), Some(0xee));
    indices.truncate(distinct * shape.len());
    sorted.truncate(distinct * width);
    Ok(Sparse {
        indices,
        values: sorted,
    })
}

/// The same with a map.
fn naive(shape: &[i64], positions: &[i64], values: &[u8], width: usize) -> Sparse {
    let map: BTreeMap<i64, &[u8]> = positions
        .iter()
        .copied()
        .zip(values.chunks_exact(width))
        .collect();
    Sparse {
        indices: map.keys().flat_map(|&key| row_of(shape, key)).collect(),
        values: map.values().flat_map(|value| value.to_vec()).collect(),
    }
}

fn naive_dense(shape: &[i64], sparse: &Sparse, width: usize) -> Vec<u8> {
    let mut dense = vec![0; shape.iter().product::<i64>() as usize * width];
    for (k, value) in sparse.values.chunks_exact(width).enumerate() {
        let row = &sparse.indices[k * shape.len()..(k + 1) * shape.len()];
        let at = position(shape, row) as usize * width;
        dense[at..at + width].copy_from_slice(value);
    }
    dense
}

fn to_dense(shape: &[i64], sparse: &Sparse, width: usize) -> Result<Vec<u8>, Error> {
    let grid = Grid::new(shape)?;
    let mut dense = vec![0xaa; grid.elements() as usize * width + 1];
    let entries = Entries {
        coordinates: Coordinates::Rows(sparse.indices.as_ptr()),
        values: sparse.values.as_ptr(),
        width,
        n: sparse.values.len() / width,
    };
    // SAFETY: all sides have their lengths.
    unsafe { sparse::to_dense(&entries, &grid, dense.as_mut_ptr())? };
    assert_eq!(dense.pop(), Some(0xaa));
    Ok(dense)
}

fn from_dense(shape: &[i64], dense: &[u8], width: usize, room: usize) -> Result<Sparse, Error> {
    let mut indices = vec![BEHIND; room * shape.len() + 1];
    let mut values = vec![0xee; room * width + 1];
    let to = Room {
        indices: indices.as_mut_ptr(),
        values: values.as_mut_ptr(),
        n: room,
    };
    // SAFETY: all sides have their lengths.
    let n = unsafe { sparse::from_dense(width, &Grid::new(shape)?, dense.as_ptr(), &to) };
    assert_eq!(indices.pop(), Some(BEHIND));
    assert_eq!(values.pop(), Some(0xee));
    let n = n?;
    indices.truncate(n * shape.len());
    values.truncate(n * width);
    Ok(Sparse { indices, values })
}

fn count(dense: &[u8], width: usize) -> usize {
    // SAFETY: there are as many elements.
    unsafe { sparse::count(width, dense.as_ptr(), dense.len() / width).unwrap() }
}

fn pointers(indices: &[i64], rows: usize) -> Result<Vec<i64>, Error> {
    let mut pointers = vec![BEHIND; rows + 2];
    // SAFETY: both sides have their lengths.
    unsafe {
        sparse::row_pointers(
            indices.as_ptr(),
            indices.len() / 2,
            rows,
            pointers.as_mut_ptr(),
        )?;
    }
    assert_eq!(pointers.pop(), Some(BEHIND));
    Ok(pointers)
}

/// Builds from rows and from positions, and turns what comes out into dense memory and back.
fn check(shape: &[i64], positions: &[i64], width: usize) {
    let values = values(positions.len(), width);
    let expected = naive(shape, positions, &values, width);
    let rows: Vec<i64> = positions
        .iter()
        .flat_map(|&position| row_of(shape, position))
        .collect();
    // Not assert_eq: what it prints may be long.
    let from_rows = build(shape, &rows, false, &values, width).unwrap();
    assert!(from_rows == expected, "rows {shape:?} {width}");
    let from_positions = build(shape, positions, true, &values, width).unwrap();
    assert!(from_positions == expected, "positions {shape:?} {width}");
    if shape.iter().product::<i64>() > if cfg!(miri) { 1 << 9 } else { 1 << 22 } {
        return;
    }
    let dense = naive_dense(shape, &expected, width);
    assert!(
        to_dense(shape, &expected, width).unwrap() == dense,
        "dense {shape:?} {width}"
    );
    let n = expected.values.len() / width;
    assert_eq!(count(&dense, width), n);
    assert!(
        from_dense(shape, &dense, width, n).unwrap() == expected,
        "back {shape:?} {width}"
    );
    if n > 0 {
        assert_eq!(
            from_dense(shape, &dense, width, n - 1).unwrap_err(),
            Error::NoRoom { room: n - 1 }
        );
    }
    if shape.len() == 2 {
        let found = pointers(&expected.indices, shape[0] as usize).unwrap();
        let mut counted = vec![0; shape[0] as usize + 1];
        for pair in expected.indices.chunks_exact(2) {
            counted[pair[0] as usize + 1] += 1;
        }
        for row in 0..shape[0] as usize {
            counted[row + 1] += counted[row];
        }
        assert_eq!(found, counted);
    }
}

fn widths() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![1usize, 4, 8])
}

fn shapes() -> impl Strategy<Value = Vec<i64>> {
    prop_oneof![
        3 => prop::collection::vec(1..12i64, 0..4),
        3 => prop::collection::vec(1..40i64, 2),
        1 => prop::collection::vec(1..3i64, 4..12),
        2 => prop::collection::vec(1..1i64 << 20, 1..3),
        1 => Just(vec![1 << 31, 1 << 31]),
        1 => Just(vec![3, 1 << 40, 5]),
        1 => Just(vec![i64::MAX]),
    ]
}

#[derive(Clone, Debug)]
struct Case {
    shape: Vec<i64>,
    positions: Vec<i64>,
    width: usize,
}

/// Positions in random order, in few places, nearly sorted, or sorted.
fn cases() -> impl Strategy<Value = Case> {
    let most = if cfg!(miri) { 24 } else { 600 };
    (shapes(), widths(), 0..5).prop_flat_map(move |(shape, width, order)| {
        let elements: i64 = shape.iter().product();
        let range = match order {
            0 => 0..elements.min(20),
            1 => elements - elements.min(30)..elements,
            _ => 0..elements,
        };
        prop::collection::vec(range, 0..most).prop_map(move |mut positions| {
            if order > 2 {
                positions.sort_unstable();
                positions.dedup();
            }
            if let (4, [.., before, last]) = (order, &mut positions[..]) {
                std::mem::swap(before, last);
            }
            Case {
                shape: shape.clone(),
                positions,
                width,
            }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 6 } else { 400 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_cases_agree_with_the_map(case in cases()) {
        check(&case.shape, &case.positions, case.width);
    }
}

/// Positions that a generator of its own gives.
fn random_positions(n: usize, elements: i64, mut seed: u64) -> Vec<i64> {
    (0..n)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(seed) * elements as u128) >> 64) as i64
        })
        .collect()
}

/// So many that threads share them, and that they fill more than one cache.
#[test]
fn many_entries_agree_with_the_map() {
    let n = if cfg!(miri) { 60 } else { 300_000 };
    let shapes: [&[i64]; 7] = [
        &[512, 600],
        &[2000, 2000],
        &[1 << 21],
        &[30, 40, 50],
        &[1 << 20, 1 << 20],
        &[1 << 9, 1 << 26, 1 << 27],
        &[1 << 40],
    ];
    let few: [&[i64]; 3] = [&[12, 17], &[3, 5, 9], &[1 << 20, 1 << 20]];
    let shapes = if cfg!(miri) { &few[..] } else { &shapes[..] };
    for (seed, &shape) in shapes.iter().enumerate() {
        for width in [1, 4, 8] {
            let elements: i64 = shape.iter().product();
            let mut positions = random_positions(n, elements, seed as u64);
            check(shape, &positions, width);
            positions.sort_unstable();
            positions.dedup();
            check(shape, &positions, width);
        }
    }
}

/// All keys in a few places of a large range: buckets of all sizes.
#[test]
fn crowded_entries_agree_with_the_map() {
    let n = if cfg!(miri) { 40 } else { 100_000 };
    let elements = 1 << 40;
    for width in [1, 4, 8] {
        let mut positions = random_positions(n, 1 << 12, 3);
        positions.extend(random_positions(n / 2, elements, 4));
        positions.extend(
            random_positions(n / 3, 10, 5)
                .iter()
                .map(|at| elements - 1 - at),
        );
        check(&[1 << 20, 1 << 20], &positions, width);
        check(&[1 << 20, 1 << 20], &vec![elements - 1; n], width);
    }
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_ne_bytes())
        .collect()
}

#[test]
fn the_last_of_equal_coordinates_stays() {
    let coordinates = [2, 1, 0, 3, 2, 1, 1, 0, 2, 1];
    let built = build(
        &[3, 4],
        &coordinates,
        false,
        &floats(&[1.0, 2.0, 3.0, 4.0, 5.0]),
        4,
    );
    assert_eq!(
        built.unwrap(),
        Sparse {
            indices: vec![0, 3, 1, 0, 2, 1],
            values: floats(&[2.0, 4.0, 5.0]),
        }
    );
}

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
fn zeros_that_were_put_stay() {
    let built = build(&[4], &[3, 1], false, &floats(&[0.0, 2.0]), 4).unwrap();
    assert_eq!(built.indices, [1, 3]);
    assert_eq!(built.values, floats(&[2.0, 0.0]));
}

#[test]
fn nothing_stays_nothing() {
    for shape in [&[0i64][..], &[3, 0], &[4, 5]] {
        check(shape, &[], 4);
    }
}

#[test]
fn a_scalar_has_one_place() {
    check(&[], &[0, 0, 0], 4);
    check(&[], &[0], 8);
}

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
    let mut errors = 0;
    for seed in 0..8 {
        let mut positions = random_positions(n, side * side, seed);
        if seed % 2 == 0 {
            positions.sort_unstable();
            positions.dedup();
            let last = positions.len() - 1;
            positions.swap(last / 3, last / 2 + seed as usize);
        }
        let sparse = Sparse {
            indices: positions
                .iter()
                .flat_map(|&position| row_of(&[side, side], position))
                .collect(),
            values: vec![1; positions.len() * 4],
        };
        errors += usize::from(matches!(
            to_dense(&[side, side], &sparse, 4),
            Err(Error::Unsorted { .. })
        ));
    }
    assert_eq!(errors, 8);
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

#[test]
fn memory_for_intermediate_results_counts_against_the_limit() {
    let n = if cfg!(miri) { 400 } else { 40_000 };
    let memory = Memory::new(Heap::new(), 1 << 10);
    let positions: Vec<i64> = (0..n).rev().collect();
    let values = vec![1; n as usize];
    let error = build_in(&memory, &[n], &positions, true, &values, 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(
        error.to_string().contains("1024 bytes are the limit"),
        "{error}"
    );
    // What is sorted needs none.
    let ascending: Vec<i64> = (0..n).collect();
    let built = build_in(&memory, &[n], &ascending, true, &values, 1).unwrap();
    assert_eq!(built.indices, ascending);
    memory.set_limit(u64::MAX);
    let built = build_in(&memory, &[n], &positions, true, &values, 1).unwrap();
    assert_eq!(built.indices, ascending);
    assert_eq!(memory.stats().live_bytes, 0);
    assert!(memory.stats().pooled_bytes > 0);
}
