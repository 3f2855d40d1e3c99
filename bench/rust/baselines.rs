//! What the benchmarks of Java are held against and cannot measure themselves: the same work done in Rust, and a copy of memory. Prints
//! a line `NAME NANOSECONDS` for each, the median of some rounds; `cargo bench --package tensornio-bench --bench baselines`.

use std::hint::black_box;
use std::time::Instant;

/// Of `memcpy`.
const COPIED: usize = 64 << 20;
/// As in `RaggedBench`.
const ROWS: usize = 1_000_000;
/// As in `SparseBench`: how many rows a square has, and how many values.
const SIDE: u64 = 8192;
const VALUES: usize = 10_000_000;
/// Coordinates looked up in a round.
const LOOKUPS: usize = 1_000_000;
const ROUNDS: usize = 9;

/// The median of the times that a piece of work takes, for each of `per` parts of it.
fn report(name: &str, per: usize, mut work: impl FnMut()) {
    work();
    let mut nanos: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_nanos() as f64 / per as f64
        })
        .collect();
    nanos.sort_by(f64::total_cmp);
    println!("{name} {}", nanos[ROUNDS / 2]);
}

fn memcpy() {
    let from = vec![1u8; COPIED];
    let mut to = vec![2u8; COPIED];
    report("rust.memcpy", 1, || {
        to.copy_from_slice(black_box(&from));
        black_box(&to);
    });
}

/// Rows of 0 to 19 floats, one after the other, to the end of a new vector.
fn extend() {
    let rows: Vec<Vec<f32>> = (0..64)
        .map(|row| (0..row_length(row)).map(|i| (row + i) as f32).collect())
        .collect();
    report("rust.extend", 1, || {
        let mut values: Vec<f32> = Vec::new();
        let mut splits: Vec<i64> = Vec::new();
        splits.push(0);
        for row in 0..ROWS {
            values.extend_from_slice(black_box(&rows[row % 64]));
            splits.push(values.len() as i64);
        }
        black_box((values, splits));
    });
}

/// As in `RaggedBench`.
fn row_length(row: usize) -> usize {
    row * 7 % 20
}

/// A binary search for coordinates, half of which are there.
fn find() {
    let mut keys: Vec<u64> = (0..VALUES).map(key).collect();
    keys.sort_unstable();
    let coordinates: Vec<[i64; 2]> = keys
        .iter()
        .map(|k| [(k / SIDE) as i64, (k % SIDE) as i64])
        .collect();
    report("rust.find", LOOKUPS, || {
        let mut found = 0usize;
        for n in 0..LOOKUPS {
            // Beyond VALUES they are others.
            let key = key(VALUES - LOOKUPS / 2 + n);
            let wanted = [(key / SIDE) as i64, (key % SIDE) as i64];
            found += usize::from(coordinates.binary_search(&wanted).is_ok());
        }
        assert_eq!(found, LOOKUPS / 2);
    });
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
    memcpy();
    extend();
    find();
}
