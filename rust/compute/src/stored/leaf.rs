//! A sparse read as an iteration: its entries in the order of the loops of its indices.

use super::memory::{Buffer, Numbers};
use super::tensor::Points;
use crate::bound::{Access, LoopId};
use crate::Error;

/// The entries of a sparse read that have its constant indices, sorted by its loops from the outermost one.
pub(super) struct Leaf<'a> {
    /// The loops of its levels, outermost first.
    pub loops: Vec<LoopId>,
    levels: Vec<Coordinate<'a>>,
    /// The number of each entry in the tensor, if they are in another order.
    entries: Option<Numbers<'a>>,
    /// The entries, from the first one to the last.
    pub first: usize,
    pub end: usize,
    /// Of the outermost level: where the entries of each coordinate begin.
    starts: Option<Buffer>,
}

/// The coordinates of entries on one axis.
struct Coordinate<'a> {
    numbers: Numbers<'a>,
    stride: usize,
    offset: usize,
}

/// The coordinates of entries on one axis, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Column<'l> {
    numbers: &'l [i64],
    stride: usize,
    offset: usize,
}

impl Column<'_> {
    /// The coordinates from an entry on.
    pub fn from(&self, entry: usize) -> impl Iterator<Item = i64> + '_ {
        let first = entry
            .saturating_mul(self.stride)
            .saturating_add(self.offset);
        let rest = self.numbers.get(first..).unwrap_or_default();
        rest.iter().step_by(self.stride.max(1)).copied()
    }
}

impl Coordinate<'_> {
    fn at(&self, entry: usize) -> i64 {
        self.numbers
            .get(entry * self.stride + self.offset)
            .copied()
            .unwrap_or(i64::MAX)
    }
}

impl<'a> Leaf<'a> {
    /// A read of points; `order` has the place of each loop.
    pub fn new(
        access: &Access,
        points: &Points<'a>,
        place: &dyn Fn(LoopId) -> usize,
        label: &str,
    ) -> Result<Leaf<'a>, Error> {
        let rank = points.shape.len();
        // Axes with constants first, then those of loops by their places.
        let mut axes: Vec<usize> = (0..rank).collect();
        let lone = |axis: usize| access.indices[axis].affine.terms.first().map(|&(id, _)| id);
        axes.sort_by_key(|&axis| lone(axis).map_or(0, |id| 1 + place(id)));
        let constants: Vec<i64> = axes
            .iter()
            .filter(|&&axis| lone(axis).is_none())
            .map(|&axis| access.indices[axis].affine.constant)
            .collect();
        let is_natural = axes.windows(2).all(|pair| pair[0] < pair[1]);
        let mut leaf = if is_natural {
            let level = |&axis: &usize| Coordinate {
                numbers: points.coordinates.clone(),
                stride: rank,
                offset: axis,
            };
            Leaf {
                loops: Vec::new(),
                levels: axes.iter().map(level).collect(),
                entries: None,
                first: 0,
                end: points.count,
                starts: None,
            }
        } else {
            Leaf::sorted(points, &axes, label)?
        };
        for (level, &constant) in constants.iter().enumerate() {
            let first = leaf.seek(level, leaf.first, leaf.end, constant);
            leaf.end = leaf.seek(level, first, leaf.end, constant.saturating_add(1));
            leaf.first = first;
        }
        leaf.levels.drain(..constants.len());
        leaf.loops = axes.into_iter().filter_map(lone).collect();
        Ok(leaf)
    }

    /// The entries in the order of axes.
    fn sorted(points: &Points<'a>, axes: &[usize], label: &str) -> Result<Leaf<'a>, Error> {
        let what = || format!("{label}: the points in another order");
        let rank = points.shape.len();
        let mut order = Buffer::zeroed(points.count, 8, what)?;
        let numbers = order.of_mut::<i64>();
        for (at, to) in numbers.iter_mut().enumerate() {
            *to = at as i64;
        }
        let coordinates: &[i64] = &points.coordinates;
        // Stable: those that are equal on the first of the axes stay in row-major order.
        let ordered = axes.iter().rposition(|&axis| axis == rank - 1);
        let count = match ordered {
            Some(_) if axes.len() == 2 => 1,
            _ => axes.len(),
        };
        match (count, points.shape[axes[0]]) {
            (1, length) if length >= 0 && (length as u64) <= 4 * points.count as u64 + 1024 => {
                count_sort(coordinates, rank, axes[0], length as usize, numbers, label)?;
            }
            // By entries, too: as stable as a sort that needs memory.
            _ => numbers.sort_unstable_by(|&a, &b| {
                let key = |at: i64, axis: usize| coordinates[at as usize * rank + axis];
                let differs = axes.iter().map(|&axis| key(a, axis).cmp(&key(b, axis)));
                differs
                    .into_iter()
                    .find(|order| order.is_ne())
                    .unwrap_or_else(|| a.cmp(&b))
            }),
        }
        let mut levels = Vec::new();
        for &axis in axes {
            let mut column = Buffer::zeroed(points.count, 8, what)?;
            for (to, &at) in column.of_mut::<i64>().iter_mut().zip(order.of::<i64>()) {
                *to = coordinates[at as usize * rank + axis];
            }
            levels.push(Coordinate {
                numbers: Numbers::Made(column.into()),
                stride: 1,
                offset: 0,
            });
        }
        Ok(Leaf {
            loops: Vec::new(),
            levels,
            entries: Some(Numbers::Made(order.into())),
            first: 0,
            end: points.count,
            starts: None,
        })
    }

    /// Makes that looking up a coordinate of the outermost level takes a constant time, if its axis, of some length, is not much longer than there
    /// are entries.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn index(&mut self, length: i64, label: &str) -> Result<(), Error> {
        let count = self.end - self.first;
        if length < 0 || length as u64 > 4 * count as u64 + 1024 || self.levels.is_empty() {
            return Ok(());
        }
        let length = length as usize;
        let what = || format!("{label}: where the rows of points begin");
        let mut starts = Buffer::zeroed(length + 1, 8, what)?;
        let numbers = starts.of_mut::<i64>();
        let mut next = 0;
        for entry in self.first..self.end {
            let coordinate = (self.at(0, entry).max(0) as usize).min(length);
            while next <= coordinate {
                numbers[next] = entry as i64;
                next += 1;
            }
        }
        numbers[next..].fill(self.end as i64);
        self.starts = Some(starts);
        Ok(())
    }

    /// The first entry whose coordinate on the outermost level is at least a value, if that is known without a search.
    pub fn start(&self, value: i64) -> Option<usize> {
        let starts: &[i64] = self.starts.as_ref()?.of();
        starts.get(value as usize).map(|&start| start as usize)
    }

    /// The level of a loop.
    pub fn level(&self, id: LoopId) -> Option<usize> {
        self.loops.iter().position(|&other| other == id)
    }

    /// The coordinate of an entry.
    pub fn at(&self, level: usize, entry: usize) -> i64 {
        self.levels[level].at(entry)
    }

    /// The coordinates of a level.
    pub fn column(&self, level: usize) -> Column<'_> {
        let Coordinate {
            numbers,
            stride,
            offset,
        } = &self.levels[level];
        Column {
            numbers,
            stride: *stride,
            offset: *offset,
        }
    }

    /// Whether entries are in the order of their tensor.
    pub fn is_natural(&self) -> bool {
        self.entries.is_none()
    }

    /// The number of an entry in the tensor.
    pub fn entry(&self, at: usize) -> i64 {
        match &self.entries {
            Some(entries) => entries[at],
            None => at as i64,
        }
    }

    /// The first entry in a range whose coordinate is at least a value: a search that gallops.
    pub fn seek(&self, level: usize, from: usize, end: usize, value: i64) -> usize {
        let mut step = 1;
        let mut low = from;
        // All before `low` are below the value.
        while low < end && self.at(level, low) < value {
            let next = (low + step).min(end);
            if next < end && self.at(level, next) < value {
                low = next;
                step *= 2;
                continue;
            }
            // It is in low + 1 ..= next.
            let (mut a, mut b) = (low + 1, next);
            while a < b {
                let middle = a + (b - a) / 2;
                if self.at(level, middle) < value {
                    a = middle + 1;
                } else {
                    b = middle;
                }
            }
            return a;
        }
        low
    }
}

/// Sorts entries by one coordinate below `length`, keeping the order of equal ones.
fn count_sort(
    coordinates: &[i64],
    rank: usize,
    axis: usize,
    length: usize,
    to: &mut [i64],
    label: &str,
) -> Result<(), Error> {
    let mut starts = Buffer::zeroed(length + 1, 8, || format!("{label}: the counts of points"))?;
    let starts = starts.of_mut::<i64>();
    let key = |at: usize| (coordinates[at * rank + axis].max(0) as usize).min(length - 1);
    for at in 0..to.len() {
        starts[key(at) + 1] += 1;
    }
    for n in 1..=length {
        starts[n] += starts[n - 1];
    }
    for at in 0..to.len() {
        let place = &mut starts[key(at)];
        to[*place as usize] = at as i64;
        *place += 1;
    }
    Ok(())
}
