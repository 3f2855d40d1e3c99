//! Loops of a contraction, merged into one axis that is split into blocks.

use std::ops::Range;

/// A part of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// Its positions.
    pub range: Range<usize>,
    /// The stride in each operand, in bytes; `None` if it varies.
    pub steps: [Option<isize>; 2],
}

/// Loops merged into one, the last being the innermost.
#[derive(Debug)]
pub(crate) struct Axis {
    /// The offset of each position in both operands, in bytes.
    pub offsets: [Vec<isize>; 2],
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
}

/// The offsets of all positions of loops with these ranges and strides.
pub(crate) fn offsets(loops: &[usize], ranges: &[i64], strides: &[i64]) -> Vec<isize> {
    let mut all = vec![0isize];
    for &l in loops {
        all = all
            .iter()
            .flat_map(|&before| (0..ranges[l]).map(move |k| before + (k * strides[l]) as isize))
            .collect();
    }
    all
}

/// The stride, if it is constant; that of fewer than 2 positions is arbitrary.
fn step(offsets: &[isize], size: isize) -> Option<isize> {
    let step = offsets.get(1).map_or(size, |second| second - offsets[0]);
    offsets
        .windows(2)
        .all(|pair| pair[1] - pair[0] == step)
        .then_some(step)
}

/// The starts of runs in which all tables of offsets have constant strides.
pub(crate) fn run_starts(tables: &[&[isize]], len: usize) -> Vec<usize> {
    let mut starts = vec![0];
    let mut begun = 0;
    for at in 2..len {
        let changes = |values: &&[isize]| {
            at - begun > 1 && values[at] - values[at - 1] != values[begun + 1] - values[begun]
        };
        if tables.iter().any(changes) {
            starts.push(at);
            begun = at;
        }
    }
    starts
}

impl Axis {
    /// Loops of these ranges, with their strides in bytes in two operands of elements of `size` bytes.
    pub fn new(loops: &[usize], ranges: &[i64], strides: [&[i64]; 2], size: usize) -> Axis {
        let offsets = strides.map(|strides| offsets(loops, ranges, strides));
        Axis {
            blocks: vec![Block {
                range: 0..offsets[0].len(),
                steps: offsets
                    .each_ref()
                    .map(|offsets| step(offsets, size as isize)),
            }],
            offsets,
        }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.offsets[0].len()
    }

    /// Splits it into blocks of nearly equal length, at most `longest`: where strides change in operands that are used
    /// in place, if runs have a mean length of `shortest`, else anywhere.
    pub fn cut(&mut self, longest: usize, size: usize, in_place: [bool; 2], shortest: usize) {
        let tables = self.offsets.iter().zip(in_place);
        let tables: Vec<&[isize]> = tables
            .filter(|(_, in_place)| *in_place)
            .map(|(offsets, _)| &offsets[..])
            .collect();
        let mut starts = run_starts(&tables, self.len());
        if self.len() / starts.len() < shortest {
            starts.truncate(1);
        }
        starts.push(self.len());
        self.blocks.clear();
        for run in starts.windows(2) {
            let len = run[1] - run[0];
            let parts = len.div_ceil(longest);
            for part in 0..parts {
                let range = run[0] + len * part / parts..run[0] + len * (part + 1) / parts;
                self.blocks.push(Block {
                    steps: self
                        .offsets
                        .each_ref()
                        .map(|offsets| step(&offsets[range.clone()], size as isize)),
                    range,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(axis: &Axis) -> Vec<(Range<usize>, [Option<isize>; 2])> {
        axis.blocks
            .iter()
            .map(|block| (block.range.clone(), block.steps))
            .collect()
    }

    #[test]
    fn loops_that_step_alike_are_one_run() {
        let mut axis = Axis::new(&[0, 1], &[10, 30], [&[120, 4], &[240, 8]], 4);
        axis.cut(200, 4, [true; 2], 16);
        let steps = [Some(4), Some(8)];
        assert_eq!(blocks(&axis), [(0..150, steps), (150..300, steps)]);
    }

    #[test]
    fn long_runs_are_blocks_and_short_ones_are_not() {
        let mut axis = Axis::new(&[0, 1], &[2, 20], [&[88, 4], &[80, 4]], 4);
        axis.cut(200, 4, [true; 2], 16);
        let steps = [Some(4), Some(4)];
        assert_eq!(blocks(&axis), [(0..20, steps), (20..40, steps)]);
        let mut axis = Axis::new(&[0, 1], &[20, 3], [&[20, 4], &[12, 4]], 4);
        axis.cut(200, 4, [true; 2], 16);
        assert_eq!(blocks(&axis), [(0..60, [None, Some(4)])]);
    }
}
