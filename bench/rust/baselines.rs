//! What the benchmarks of Java are held against and cannot measure themselves: the same work done in Rust, and a copy of memory.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;

/// Of `memcpy`.
const COPIED: usize = 64 << 20;
/// As in `RaggedBench`.
const ROWS: usize = 1_000_000;
/// As in `SparseBench`: how many rows a square has, and how many values.
const SIDE: u64 = 8192;
const VALUES: usize = 10_000_000;
/// Coordinates looked up, half of which are there.
const LOOKUPS: usize = 1_000_000;

fn memcpy(criterion: &mut Criterion) {
    let from = vec![1u8; COPIED];
    let mut to = vec![2u8; COPIED];
    criterion.bench_function("baselines/memcpy", |bencher| {
        bencher.iter(|| {
            to.copy_from_slice(black_box(&from));
            black_box(&to);
        });
    });
}

/// Rows of 0 to 19 floats, one after the other, to the end of a new vector.
fn extend(criterion: &mut Criterion) {
    let rows: Vec<Vec<f32>> = (0..64)
        .map(|row| (0..row_length(row)).map(|i| (row + i) as f32).collect())
        .collect();
    criterion.bench_function("baselines/extend", |bencher| {
        bencher.iter(|| {
            let mut values: Vec<f32> = Vec::new();
            let mut splits: Vec<i64> = Vec::new();
            splits.push(0);
            for row in 0..ROWS {
                values.extend_from_slice(black_box(&rows[row % 64]));
                splits.push(values.len() as i64);
            }
            black_box((values, splits));
        });
    });
}

/// As in `RaggedBench`.
fn row_length(row: usize) -> usize {
    row * 7 % 20
}

/// A binary search for coordinates.
fn find(criterion: &mut Criterion) {
    let mut keys: Vec<u64> = (0..VALUES).map(key).collect();
    keys.sort_unstable();
    let coordinates: Vec<[i64; 2]> = keys.into_iter().map(place).collect();
    let mut n = 0;
    criterion.bench_function("baselines/find", |bencher| {
        bencher.iter(|| {
            n = (n + 1) % LOOKUPS;
            // Beyond VALUES they are others.
            coordinates.binary_search(&place(key(VALUES - LOOKUPS / 2 + n)))
        });
    });
}

fn place(key: u64) -> [i64; 2] {
    [(key / SIDE) as i64, (key % SIDE) as i64]
}

/// The nth of distinct places in the square, in no order: each step is a bijection of its 26 bits.
fn key(n: usize) -> u64 {
    let mask = SIDE * SIDE - 1;
    let mut key = (n as u64 * 40_503_821 + 12_345) & mask;
    key ^= key >> 13;
    key = (key * 2_654_435) & mask;
    key ^ key >> 13
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(2))
        .warm_up_time(Duration::from_millis(500))
        .configure_from_args();
    memcpy(&mut criterion);
    extend(&mut criterion);
    find(&mut criterion);
    criterion.final_summary();
}
