//! Entries in a map, and what follows from them. Plain loops: Miri runs the model as well.

use std::collections::BTreeMap;

/// Entries in one vector each.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    pub indices: Vec<i64>,
    pub values: Vec<u8>,
}

/// Different bytes for each entry; never zero as a whole.
pub fn values(n: usize, width: usize) -> Vec<u8> {
    let mut values = Vec::with_capacity(n * width);
    for k in 0..n as u64 {
        let bits = (k + 1).wrapping_mul(0x0123_4567_89ab_cdef) | 0x0101_0101_0101_0101;
        values.extend_from_slice(&bits.to_ne_bytes()[..width]);
    }
    values
}

pub fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_ne_bytes())
        .collect()
}

/// Positions that a generator of its own gives.
pub fn random_positions(n: usize, elements: i64, mut seed: u64) -> Vec<i64> {
    (0..n)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((u128::from(seed) * elements as u128) >> 64) as i64
        })
        .collect()
}

/// The coordinates of each position.
pub fn rows_of(shape: &[i64], positions: &[i64]) -> Vec<i64> {
    let mut rows = vec![0; positions.len() * shape.len()];
    for (k, &position) in positions.iter().enumerate() {
        let mut rest = position;
        for axis in (0..shape.len()).rev() {
            rows[k * shape.len() + axis] = rest % shape[axis];
            rest /= shape[axis];
        }
    }
    rows
}

fn position(shape: &[i64], row: &[i64]) -> i64 {
    let mut position = 0;
    for axis in 0..shape.len() {
        position = position * shape[axis] + row[axis];
    }
    position
}

/// What is built of such entries.
pub fn naive(shape: &[i64], positions: &[i64], values: &[u8], width: usize) -> Sparse {
    let mut map = BTreeMap::new();
    for (k, &position) in positions.iter().enumerate() {
        map.insert(position, k);
    }
    let mut kept = Vec::with_capacity(map.len());
    let mut sorted = Vec::with_capacity(map.len() * width);
    for (position, k) in map {
        kept.push(position);
        sorted.extend_from_slice(&values[k * width..(k + 1) * width]);
    }
    Sparse {
        indices: rows_of(shape, &kept),
        values: sorted,
    }
}

/// The same in dense memory.
pub fn naive_dense(shape: &[i64], sparse: &Sparse, width: usize) -> Vec<u8> {
    let mut dense = vec![0; shape.iter().product::<i64>() as usize * width];
    for (k, value) in sparse.values.chunks_exact(width).enumerate() {
        let row = &sparse.indices[k * shape.len()..(k + 1) * shape.len()];
        let at = position(shape, row) as usize * width;
        dense[at..at + width].copy_from_slice(value);
    }
    dense
}
