//! Segments: the entries of each row of a matrix, whose places follow one another, and the coordinates of entries.

use std::ops::Range;

/// Where the entries of rows are.
#[derive(Clone, Copy)]
pub(super) enum Rows<'s> {
    /// Row i has the places from one row split to the next.
    Splits(&'s [i64]),
    /// Pairs of coordinates in row-major order: rows are those that have entries.
    Entries(&'s [i64]),
}

/// The coordinate of an entry along its row.
#[derive(Clone, Copy)]
pub(super) enum Coordinates<'s> {
    /// Its number in the row.
    Numbers,
    /// The second one of a pair.
    Entries(&'s [i64]),
    /// One of a compressed matrix.
    Columns(&'s [i32]),
    /// An element of an integer tensor, whose places are those of the rows.
    Longs(*const i64),
    Ints(*const i32),
}

/// The columns of the entries of a sparse matrix.
pub(super) trait Columns: Copy {
    /// Those of so many neighbours; none if there are not as many.
    fn some(self, from: usize, to: usize) -> Option<impl Iterator<Item = u64>>;
    /// That of an entry; any number if there is none.
    fn get(self, entry: usize) -> i64;
}

/// Those in pairs of coordinates.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'s>(pub &'s [i64]);

impl Columns for Pairs<'_> {
    #[inline(always)]
    fn some(self, from: usize, to: usize) -> Option<impl Iterator<Item = u64>> {
        let pairs = self.0.get(2 * from..2 * to)?.chunks_exact(2);
        Some(pairs.map(|pair| pair[1] as u64))
    }

    #[inline(always)]
    fn get(self, entry: usize) -> i64 {
        self.0.get(2 * entry + 1).copied().unwrap_or(0)
    }
}

impl Columns for &[i32] {
    #[inline(always)]
    fn some(self, from: usize, to: usize) -> Option<impl Iterator<Item = u64>> {
        let columns = <[i32]>::get(self, from..to)?.iter();
        Some(columns.map(|&column| i64::from(column) as u64))
    }

    #[inline(always)]
    fn get(self, entry: usize) -> i64 {
        <[i32]>::get(self, entry).map_or(0, |&column| i64::from(column))
    }
}

impl Coordinates<'_> {
    /// The coordinate at a place, which is in a row whose first place is given.
    ///
    /// # Safety
    /// There is such a place.
    #[inline(always)]
    pub unsafe fn at(&self, first: usize, place: usize) -> i64 {
        match self {
            Coordinates::Numbers => (place - first) as i64,
            Coordinates::Entries(pairs) => pairs.get(2 * place + 1).copied().unwrap_or(-1),
            Coordinates::Columns(all) => all.get(place).map_or(-1, |&at| i64::from(at)),
            // SAFETY: as the caller says.
            Coordinates::Longs(all) => unsafe { *all.add(place) },
            // SAFETY: as above.
            Coordinates::Ints(all) => i64::from(unsafe { *all.add(place) }),
        }
    }

    /// The coordinates at neighbouring places, each read once; false if one of them is not below a limit.
    ///
    /// # Safety
    /// There are such places.
    #[inline(always)]
    pub unsafe fn fill(&self, first: usize, from: usize, limit: u64, to: &mut [i64]) -> bool {
        let mut inside = true;
        match self {
            Coordinates::Numbers => {
                for (k, to) in to.iter_mut().enumerate() {
                    *to = (from - first + k) as i64;
                    inside &= (*to as u64) < limit;
                }
            }
            Coordinates::Entries(pairs) => {
                let Some(pairs) = pairs.get(2 * from..2 * (from + to.len())) else {
                    return false;
                };
                for (to, pair) in to.iter_mut().zip(pairs.chunks_exact(2)) {
                    *to = pair[1];
                    inside &= (*to as u64) < limit;
                }
            }
            Coordinates::Columns(all) => {
                let Some(all) = all.get(from..from + to.len()) else {
                    return false;
                };
                for (to, &at) in to.iter_mut().zip(all) {
                    *to = i64::from(at);
                    inside &= (*to as u64) < limit;
                }
            }
            Coordinates::Longs(all) => {
                for (k, to) in to.iter_mut().enumerate() {
                    // SAFETY: as the caller says.
                    *to = unsafe { *all.add(from + k) };
                    inside &= (*to as u64) < limit;
                }
            }
            Coordinates::Ints(all) => {
                for (k, to) in to.iter_mut().enumerate() {
                    // SAFETY: as above.
                    *to = i64::from(unsafe { *all.add(from + k) });
                    inside &= (*to as u64) < limit;
                }
            }
        }
        inside
    }
}

/// The segments of some rows, one after the other.
pub(super) struct Segments<'s> {
    rows: Rows<'s>,
    range: Range<i64>,
    /// The next row, or the place of the next entry.
    next: usize,
    /// The number of places, whatever row splits are.
    places: usize,
    /// Whether a row was none, so that nothing holds.
    pub failed: bool,
}

/// A row, and its places.
pub(super) type Segment = (i64, usize, usize);

impl<'s> Segments<'s> {
    /// Those of some rows.
    pub fn new(rows: Rows<'s>, range: Range<i64>, places: usize) -> Segments<'s> {
        let next = match rows {
            Rows::Splits(_) => range.start as usize,
            Rows::Entries(pairs) => first(pairs, places, range.start),
        };
        Segments {
            rows,
            range,
            next,
            places,
            failed: false,
        }
    }

    /// The next one.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Segment> {
        match self.rows {
            Rows::Splits(splits) => {
                let row = self.next as i64;
                if row >= self.range.end {
                    return None;
                }
                self.next += 1;
                let ends = (splits.get(row as usize), splits.get(row as usize + 1));
                match ends {
                    (Some(&from), Some(&to))
                        if 0 <= from && from <= to && to as u64 <= self.places as u64 =>
                    {
                        Some((row, from as usize, to as usize))
                    }
                    _ => self.fail(),
                }
            }
            Rows::Entries(pairs) => {
                let from = self.next;
                if from >= self.places {
                    return None;
                }
                let row = *pairs.get(2 * from)?;
                if row >= self.range.end {
                    return None;
                }
                if row < self.range.start {
                    return self.fail();
                }
                let mut to = from + 1;
                while to < self.places && pairs.get(2 * to) == Some(&row) {
                    to += 1;
                }
                self.next = to;
                Some((row, from, to))
            }
        }
    }

    #[cold]
    fn fail(&mut self) -> Option<Segment> {
        self.failed = true;
        self.next = usize::MAX;
        self.range.end = i64::MIN;
        None
    }
}

/// The first entry whose row is not before one.
pub(super) fn first(pairs: &[i64], count: usize, row: i64) -> usize {
    let (mut low, mut high) = (0, count.min(pairs.len() / 2));
    while low < high {
        let middle = low + (high - low) / 2;
        if pairs[2 * middle] < row {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
