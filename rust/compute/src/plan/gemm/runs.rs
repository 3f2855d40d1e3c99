//! Runs along an axis of an operand under a guard.

use super::axis::run_starts;
use std::ops::Range;

/// Runs along an axis, in which the operand steps evenly, and so do all conditions from one cell to the next: a cell is as many positions for which
/// no condition changes, such as the channels of a pixel.
#[derive(Debug)]
pub(super) struct Runs {
    /// The length of a cell.
    pub cell: usize,
    /// The first position of each run, and the end.
    starts: Vec<usize>,
}

impl Runs {
    /// The runs of an axis with these offsets and values of conditions.
    pub fn new(places: &[isize], conditions: &[&[isize]]) -> Runs {
        let len = places.len();
        let mut starts = run_starts(&[places], len);
        let changes = |values: &&[isize]| {
            let values = values.windows(2).enumerate();
            let changes = values.filter(|(_, pair)| pair[0] != pair[1]);
            changes.fold(len, |cell, (before, _)| gcd(cell, before + 1))
        };
        let all = conditions.iter().map(changes);
        let cell = all.chain(starts.iter().copied()).fold(len, gcd);
        let cells: Vec<Vec<isize>> = conditions
            .iter()
            .map(|values| values.iter().step_by(cell).copied().collect())
            .collect();
        let cells: Vec<&[isize]> = cells.iter().map(|values| &values[..]).collect();
        let bends = run_starts(&cells, len / cell).into_iter();
        starts.extend(bends.map(|start| start * cell));
        starts.sort_unstable();
        starts.dedup();
        starts.push(len);
        Runs { cell, starts }
    }

    /// The mean length.
    pub fn mean(&self) -> f64 {
        let runs = self.starts.len() - 1;
        self.starts[runs] as f64 / runs as f64
    }

    /// The parts of the runs in a range.
    pub fn within(&self, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        let range = range.clone();
        let first = self.starts.partition_point(|&start| start <= range.start) - 1;
        let parts = self.starts[first..].windows(2);
        parts
            .map(move |run| run[0].max(range.start)..run[1].min(range.end))
            .take_while(|part| part.start < part.end)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::Runs;

    #[test]
    fn runs_go_on_where_conditions_change_from_cell_to_cell() {
        // Two lines of three pixels of two channels, of an image with a margin.
        let places = [0, 4, 8, 12, 16, 20, 40, 44, 48, 52, 56, 60];
        let (line, pixel) = (
            [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1],
            [0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2],
        );
        let runs = Runs::new(&places, &[&line, &pixel]);
        assert_eq!((runs.cell, &runs.starts[..]), (2, &[0, 6, 12][..]));
        let parts: Vec<_> = runs.within(&(3..11)).collect();
        assert_eq!(parts, [3..6, 6..11]);
        // Pixels backwards: a run is a pixel.
        let places = [16, 20, 8, 12, 0, 4];
        let runs = Runs::new(&places, &[&[2, 2, 1, 1, 0, 0]]);
        assert_eq!((runs.cell, &runs.starts[..]), (2, &[0, 2, 4, 6][..]));
        // A condition that depends on nothing here.
        let runs = Runs::new(&[0, 4, 8], &[&[5, 5, 5]]);
        assert_eq!((runs.cell, &runs.starts[..]), (3, &[0, 3][..]));
        // One that changes with each position.
        let runs = Runs::new(&[0, 4, 8], &[&[5, 6, 7]]);
        assert_eq!((runs.cell, &runs.starts[..]), (1, &[0, 3][..]));
    }
}
