//! Entries in random, crowded and sorted order against the map.

use proptest::prelude::*;
use tensornio_core::parallel::in_parts;
use tensornio_core::Error;

use crate::calls::{build, count, from_dense, pointers, to_dense};
use crate::model::{naive, naive_dense, random_positions, rows_of, values, Sparse};

/// Into how many parts work is divided, for as many threads; by Miri, which has no time for more, as ever.
pub const PARTS: &[usize] = if cfg!(miri) { &[0] } else { &[1, 2, 3, 8] };

/// Builds from rows and from positions.
fn check_build(parts: &[usize], shape: &[i64], positions: &[i64], width: usize) -> Sparse {
    let values = values(positions.len(), width);
    let expected = naive(shape, positions, &values, width);
    let rows = rows_of(shape, positions);
    for &parts in parts {
        in_parts(parts, || {
            // Not assert_eq: what it prints may be long.
            let from_rows = build(shape, &rows, false, &values, width).unwrap();
            assert!(from_rows == expected, "rows {shape:?} {width} {parts}");
            let from_positions = build(shape, positions, true, &values, width).unwrap();
            assert!(
                from_positions == expected,
                "positions {shape:?} {width} {parts}"
            );
        });
    }
    expected
}

/// And turns what comes out into dense memory and back, in each number of parts.
pub fn check(shape: &[i64], positions: &[i64], width: usize) {
    check_in(PARTS, shape, positions, width);
}

/// The same in these numbers of parts.
pub fn check_in(parts: &[usize], shape: &[i64], positions: &[i64], width: usize) {
    let expected = check_build(parts, shape, positions, width);
    if shape.iter().product::<i64>() > if cfg!(miri) { 1 << 9 } else { 1 << 22 } {
        return;
    }
    let dense = naive_dense(shape, &expected, width);
    for &parts in parts {
        in_parts(parts, || check_dense(shape, &expected, &dense, width));
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

fn check_dense(shape: &[i64], expected: &Sparse, dense: &[u8], width: usize) {
    assert!(
        to_dense(shape, expected, width).unwrap() == dense,
        "dense {shape:?} {width}"
    );
    let n = expected.values.len() / width;
    assert_eq!(count(dense, width), n);
    assert!(
        &from_dense(shape, dense, width, n).unwrap() == expected,
        "back {shape:?} {width}"
    );
    if n > 0 {
        assert_eq!(
            from_dense(shape, dense, width, n - 1).unwrap_err(),
            Error::OutputFull { capacity: n - 1 }
        );
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
        cases: if cfg!(miri) { 3 } else { 400 },
        max_shrink_iters: if cfg!(miri) { 0 } else { u32::MAX },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_cases_agree_with_the_map(
        case in cases(),
        parts in prop::sample::select(PARTS.to_vec()),
    ) {
        check_in(&[parts], &case.shape, &case.positions, case.width);
    }
}

/// So many that threads share them, and that they fill more than one cache.
#[test]
#[cfg(not(miri))] // which has the same paths in less
fn many_entries_agree_with_the_map() {
    let shapes: [&[i64]; 7] = [
        &[512, 600],
        &[2000, 2000],
        &[1 << 21],
        &[30, 40, 50],
        &[1 << 20, 1 << 20],
        &[1 << 9, 1 << 26, 1 << 27],
        &[1 << 40],
    ];
    for (seed, &shape) in shapes.iter().enumerate() {
        for width in [1, 4, 8] {
            let elements: i64 = shape.iter().product();
            let mut positions = random_positions(300_000, elements, seed as u64);
            let at = seed + width / 4;
            check_in(&[PARTS[at % 4]], shape, &positions, width);
            positions.sort_unstable();
            positions.dedup();
            check_in(&[PARTS[(at + 1) % 4]], shape, &positions, width);
        }
    }
}

/// What `many_entries_agree_with_the_map` goes through, in as little as Miri has time for: its threads, buckets and digits are small.
#[test]
fn each_way_of_sorting_agrees_with_the_map() {
    // The shape, the width, how many entries there are, and below which position.
    let ways: [(&[i64], usize, usize, i64); 7] = [
        // Keys of 32 bits, pairs; whole words of bits in one row.
        (&[3, 100], 1, 40, 300),
        // Rows of any rank, that an expander keeps.
        (&[3, 5, 9], 4, 40, 135),
        // Several digits in a bucket; positions that are coordinates.
        (&[1 << 20], 8, 24, 1 << 20),
        // Keys of 64 bits.
        (&[1 << 20, 1 << 20], 1, 40, 1 << 40),
        (&[1 << 20, 1 << 20], 8, 24, 1 << 40),
        // Most of the range is empty.
        (&[1 << 22, 1 << 22, 4], 4, 24, 1 << 20),
        // More axes than an expander keeps.
        (&[2, 2, 2, 2, 2, 2, 2, 2, 2], 8, 24, 512),
    ];
    for (seed, (shape, width, n, below)) in ways.into_iter().enumerate() {
        let mut positions = random_positions(n, below, seed as u64);
        check(shape, &positions, width);
        positions.sort_unstable();
        positions.dedup();
        check_build(PARTS, shape, &positions, width);
    }
}

/// All keys in a few places of a large range: buckets of all sizes.
#[test]
fn crowded_entries_agree_with_the_map() {
    let n = if cfg!(miri) { 40 } else { 100_000 };
    let widths: &[usize] = if cfg!(miri) { &[4] } else { &[1, 4, 8] };
    let elements = 1 << 40;
    for &width in widths {
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
