//! Entries that crowd in few places of a large shape, against the map, and the memory that they take.

use proptest::prelude::*;
use tensornio_core::memory::{Heap, Memory};

use crate::calls::{build_chunked, build_in};
use crate::model::{random_positions, values};
use crate::random::{check, check_in, PARTS};

/// How entries lie.
#[derive(Clone, Copy, Debug)]
enum Skew {
    /// In one row, some of them more than once.
    Row,
    /// In a square.
    Square,
    /// Far from a few places.
    Clusters,
    /// The less, the further from the first.
    Powers,
    /// So in rows and in columns.
    PowersOfBoth,
    /// All in one place.
    Equal,
    /// Three in four in one of three places.
    Heavy,
    /// One in a thousand anywhere, the others in one row.
    Scattered,
}

const SKEWS: [Skew; 8] = [
    Skew::Row,
    Skew::Square,
    Skew::Clusters,
    Skew::Powers,
    Skew::PowersOfBoth,
    Skew::Equal,
    Skew::Heavy,
    Skew::Scattered,
];

/// The length of both axes, so that they have numbers of 60 bits.
const SIDE: i64 = 1 << 30;

/// Positions in a matrix of that length, `outliers` of them in the corners.
fn skewed(skew: Skew, n: usize, outliers: usize, seed: u64) -> Vec<i64> {
    let elements = SIDE * SIDE;
    let any = random_positions(n, elements, seed);
    let other = random_positions(n, SIDE, seed + 1);
    let middle = elements / 2 + SIDE / 3;
    let mut positions: Vec<i64> = (0..n)
        .map(|k| {
            let (any, other) = (any[k], other[k]);
            match skew {
                Skew::Row => middle + any % (2 * n as i64),
                Skew::Square => middle + any % 1000 * SIDE + other % 1000,
                Skew::Clusters => (1 + other % 5) * (elements / 7) + any % SIDE,
                Skew::Powers => any >> (other % 60),
                Skew::PowersOfBoth => {
                    ((any / SIDE) >> (other % 30)) * SIDE + ((any % SIDE) >> (other / 30 % 30))
                }
                Skew::Equal => middle,
                Skew::Heavy if k % 4 > 0 => elements / 5 * (k as i64 % 4),
                Skew::Heavy => any,
                Skew::Scattered if k % 1000 == 7 => any,
                Skew::Scattered => middle + other,
            }
        })
        .collect();
    for k in 0..outliers.min(n) {
        let corner = [0, elements - 1, elements - SIDE, SIDE - 1][k % 4];
        // The last of equal ones is not the last of all.
        positions[k * 7 % n] = corner;
    }
    positions
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 1 } else { 40 },
        max_shrink_iters: if cfg!(miri) { 0 } else { 20 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// By one thread and by several; too few to crowd as well.
    #[test]
    fn skewed_entries_agree_with_the_map(
        skew in prop::sample::select(SKEWS.to_vec()),
        width in prop::sample::select(vec![1usize, 2, 4, 8]),
        linear_shape in any::<bool>(),
        n in if cfg!(miri) { 70..90usize } else { 20_000..150_000usize },
        outliers in 0..5usize,
        parts in prop::sample::select(PARTS.to_vec()),
        seed in any::<u32>(),
    ) {
        let positions = skewed(skew, n, outliers, u64::from(seed));
        let shape: &[i64] = if linear_shape { &[SIDE * SIDE] } else { &[SIDE, SIDE] };
        check_in(&[parts], shape, &positions, width);
    }
}

#[test]
fn each_skew_agrees_with_the_map() {
    let n = if cfg!(miri) { 60 } else { 100_000 };
    for (k, skew) in SKEWS.into_iter().enumerate() {
        check(
            &[SIDE, SIDE],
            &skewed(skew, n, 2, k as u64),
            [4, 1, 8][k % 3],
        );
    }
}

/// Keys of 32 bits.
#[test]
fn a_cluster_in_a_small_shape_agrees_with_the_map() {
    let n = if cfg!(miri) { 80 } else { 60_000 };
    let shape = [1 << 16, 1 << 16];
    let mut positions: Vec<i64> = random_positions(n, 1 << 21, 1);
    positions.iter_mut().for_each(|at| *at += 1 << 30);
    positions[n / 3] = 0;
    positions[n / 2] = (1 << 32) - 1;
    check(&shape, &positions, 4);
    for (k, at) in positions.iter_mut().enumerate() {
        *at >>= k % 32;
    }
    check(&shape, &positions, 8);
}

#[test]
#[cfg(not(miri))] // where pages are much for so few
fn skewed_entries_take_no_more_memory_than_others() {
    let n = 500_000;
    let values = values(n, 4);
    let shape = [SIDE, SIDE];
    let scratch = |positions: &[i64], rows: Option<usize>| {
        let memory = Memory::new(Heap::new(), u64::MAX);
        match rows {
            None => build_in(&memory, &shape, positions, true, &values, 4),
            Some(rows) => build_chunked(&memory, &shape, positions, true, &values, 4, rows),
        }
        .unwrap();
        memory.stats().pooled_bytes
    };
    for rows in [None, Some(50_000)] {
        let even = scratch(&random_positions(n, SIDE * SIDE, 1), rows);
        for skew in SKEWS {
            let taken = scratch(&skewed(skew, n, 2, 2), rows);
            assert!(taken <= even + even / 8, "{skew:?}: {taken}, not {even}");
        }
    }
}
