//! Points of a statement's loops, some at a time, and columns of values at them.

use std::ops::{Index, IndexMut};

use bytemuck::Pod;

use super::memory::Buffer;
use crate::operand::DType;
use crate::Error;

/// The most points of a block.
pub(super) const BLOCK: usize = 1024;

/// Points: for each the values of the loops, and which entry of each sparse read is there.
#[derive(Debug)]
pub(super) struct Block {
    pub len: usize,
    pub loops: Columns,
    /// The number of an entry, or -1.
    pub entries: Columns,
}

impl Block {
    /// No points yet, and room for a block.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn new(loops: usize, leaves: usize) -> Result<Block, Error> {
        Ok(Block {
            len: 0,
            loops: Columns::new(loops, BLOCK)?,
            entries: Columns::new(leaves, BLOCK)?,
        })
    }

    /// Some of the points.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn some(&self, points: &[u32]) -> Result<Block, Error> {
        Ok(Block {
            len: points.len(),
            loops: self.loops.some(points)?,
            entries: self.entries.some(points)?,
        })
    }

    /// The values of the loops at a point.
    pub fn point(&self, at: usize) -> Vec<i64> {
        self.loops.iter().map(|column| column[at]).collect()
    }
}

/// Columns of numbers, in the library's memory: there may be as many as a text has terms.
#[derive(Debug)]
pub(super) struct Columns {
    numbers: Buffer,
    count: usize,
    /// The length of each.
    len: usize,
}

impl Columns {
    fn new(count: usize, len: usize) -> Result<Columns, Error> {
        let what = || "points of a statement".to_owned();
        let numbers = Buffer::zeroed(count.saturating_mul(len), 8, what)?;
        Ok(Columns {
            numbers,
            count,
            len,
        })
    }

    fn some(&self, points: &[u32]) -> Result<Columns, Error> {
        let mut some = Columns::new(self.count, points.len())?;
        for (to, from) in some.iter_mut().zip(self.iter()) {
            for (to, &at) in to.iter_mut().zip(points) {
                *to = from[at as usize];
            }
        }
        Ok(some)
    }

    /// The number of columns.
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn iter(&self) -> impl Iterator<Item = &[i64]> {
        self.numbers.of::<i64>().chunks_exact(self.len.max(1))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut [i64]> {
        self.numbers
            .of_mut::<i64>()
            .chunks_exact_mut(self.len.max(1))
    }
}

impl Index<usize> for Columns {
    type Output = [i64];

    fn index(&self, column: usize) -> &[i64] {
        &self.numbers.of::<i64>()[column * self.len..(column + 1) * self.len]
    }
}

impl IndexMut<usize> for Columns {
    fn index_mut(&mut self, column: usize) -> &mut [i64] {
        &mut self.numbers.of_mut::<i64>()[column * self.len..(column + 1) * self.len]
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
