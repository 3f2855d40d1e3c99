//! Points of a statement's loops, some at a time, and columns of values at them.

use bytemuck::Pod;

use crate::operand::DType;

/// The most points of a block.
pub(super) const BLOCK: usize = 1024;

/// Points: for each the values of the loops, and which entry of each sparse read is there.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub len: usize,
    pub loops: Vec<Vec<i64>>,
    /// The number of an entry, or -1.
    pub entries: Vec<Vec<i64>>,
}

impl Block {
    pub fn new(loops: usize, leaves: usize) -> Block {
        Block {
            len: 0,
            loops: vec![vec![0; BLOCK]; loops],
            entries: vec![vec![0; BLOCK]; leaves],
        }
    }

    /// Some of the points.
    pub fn some(&self, points: &[u32]) -> Block {
        let pick = |column: &Vec<i64>| points.iter().map(|&at| column[at as usize]).collect();
        Block {
            len: points.len(),
            loops: self.loops.iter().map(pick).collect(),
            entries: self.entries.iter().map(pick).collect(),
        }
    }

    /// The values of the loops at a point.
    pub fn point(&self, at: usize) -> Vec<i64> {
        self.loops.iter().map(|column| column[at]).collect()
    }
}

/// Values of one type, one for each point of a block.
#[derive(Debug)]
pub(super) struct Column {
    pub dtype: DType,
    words: Vec<u64>,
}

impl Column {
    /// Room for a block.
    pub fn new(dtype: DType) -> Column {
        Column {
            dtype,
            words: vec![0; BLOCK],
        }
    }

    /// The address of the first value.
    pub fn start(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    /// The address of the first value, to write.
    pub fn start_mut(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }

    /// The values.
    pub fn of<T: Pod>(&self) -> &[T] {
        bytemuck::cast_slice(&self.words)
    }

    /// The values, to write.
    pub fn of_mut<T: Pod>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.words)
    }
}
