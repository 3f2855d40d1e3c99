//! The points of a sparse sum of floats, row by row: the columns of a row are summed in an array of its length, and marked, so that nothing is
//! sorted.

use super::accumulate::carry;
use super::block::Block;
use super::lines::{positions_on, Line, Step};
use super::memory::{Buffer, Numbers};
use super::runs::Runs;
use super::tensor::{Form, Points, Tensor};
use crate::bound::LoopId;
use crate::operand::DType;
use crate::{kernel, Error};

/// The longest row.
const LONGEST: i64 = 1 << 24;

/// The rows of a sparse sum: the loops of all indices but the last, which are the outermost ones, and the loop of the last.
pub(super) struct Rows {
    pub before: Vec<LoopId>,
    pub column: LoopId,
    pub shape: Vec<i64>,
    pub dtype: DType,
}

impl Rows {
    /// Those of a target of lone loops, if that may be summed so; `points` is about how many points there are.
    pub fn new(
        left: &[LoopId],
        order: &[LoopId],
        shape: &[i64],
        dtype: DType,
        points: usize,
    ) -> Option<Rows> {
        let (&column, before) = left.split_last()?;
        let &width = shape.last()?;
        let is_float = matches!(dtype, DType::Float | DType::Double);
        let fits = (0..=LONGEST.min(8 * points as i64 + 4096)).contains(&width);
        let leads = order.starts_with(before) && order.get(before.len()) != Some(&column);
        // Positions are numbers of 63 bits.
        let counts = tensornio_core::shape::elements(shape).is_ok();
        (is_float && fits && leads && counts).then(|| Rows {
            before: before.to_vec(),
            column,
            shape: shape.to_vec(),
            dtype,
        })
    }
}

/// Points of some rows while they are summed.
pub(super) struct Gatherer<'r> {
    rows: &'r Rows,
    label: &'r str,
    /// The row that is summed, if one is.
    row: Option<Vec<i64>>,
    sums: Buffer,
    /// What rounding lost, of doubles.
    lost: Buffer,
    /// A bit for each column, and one for each word of these.
    marks: Buffer,
    words: Buffer,
    coordinates: Grown,
    values: Grown,
    columns: Vec<i64>,
}

/// The points of a part.
pub(super) struct Part {
    coordinates: Grown,
    values: Grown,
}

impl<'r> Gatherer<'r> {
    /// Nothing yet.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn new(rows: &'r Rows, label: &'r str) -> Result<Gatherer<'r>, Error> {
        let width = rows.shape.last().map_or(0, |&width| width as usize);
        let what = || format!("{label}: a row of a sparse result");
        let carried = usize::from(rows.dtype == DType::Double);
        let words = width.div_ceil(64);
        Ok(Gatherer {
            rows,
            label,
            row: None,
            sums: Buffer::zeroed(width, 8, what)?,
            lost: Buffer::zeroed(width * carried, 8, what)?,
            marks: Buffer::zeroed(words, 8, what)?,
            words: Buffer::zeroed(words.div_ceil(64), 8, what)?,
            coordinates: Grown::new(8),
            values: Grown::new(rows.dtype.width()),
            columns: vec![0; super::block::BLOCK],
        })
    }

    /// Adds the values at the points of runs. Columns are within the row, or not added.
    ///
    /// # Errors
    /// Of kind out of memory.
    ///
    /// # Safety
    /// There is a value of the type for each point.
    pub unsafe fn add_runs(&mut self, runs: &Runs<'_, '_>, values: *const u8) -> Result<(), Error> {
        let column = self.rows.column;
        let starts = runs.starts();
        let mut columns = std::mem::take(&mut self.columns);
        let firsts = runs.heads.loops[column][..runs.len()].to_vec();
        let step = match column == runs.inner {
            true => Step::By(1),
            false => Step::Same,
        };
        positions_on(&Line { firsts, step }, runs, &mut columns);
        let mut result = Ok(());
        for run in 0..runs.len() {
            result = self.begin(&runs.heads, run);
            if result.is_err() {
                break;
            }
            let (from, to) = (starts[run], starts[run + 1]);
            // SAFETY: as the caller says.
            unsafe {
                self.add(
                    &columns[from..to],
                    values.add(from * self.rows.dtype.width()),
                )
            };
        }
        self.columns = columns;
        result
    }

    /// Adds the values at points, each in a row of its own.
    ///
    /// # Errors
    /// Of kind out of memory.
    ///
    /// # Safety
    /// As [`add_runs`](Gatherer::add_runs).
    pub unsafe fn add_points(&mut self, block: &Block, values: *const u8) -> Result<(), Error> {
        for at in 0..block.len {
            self.begin(block, at)?;
            let column = block.loops[self.rows.column][at];
            // SAFETY: as the caller says.
            unsafe { self.add(&[column], values.add(at * self.rows.dtype.width())) };
        }
        Ok(())
    }

    /// Goes to the row of a point.
    fn begin(&mut self, block: &Block, at: usize) -> Result<(), Error> {
        let before = &self.rows.before;
        let is_same = |row: &Vec<i64>| {
            let mut loops = before.iter().zip(row);
            loops.all(|(&id, &value)| block.loops[id][at] == value)
        };
        if !self.row.as_ref().is_some_and(is_same) {
            self.end()?;
            let row = before.iter().map(|&id| block.loops[id][at]);
            self.row = Some(row.collect());
        }
        Ok(())
    }

    /// Adds values to columns of the row.
    ///
    /// # Safety
    /// There are as many values of the type.
    unsafe fn add(&mut self, columns: &[i64], values: *const u8) {
        let carries = self.rows.dtype == DType::Double;
        let sums = self.sums.of_mut::<f64>();
        let lost = self.lost.of_mut::<f64>();
        let (marks, words) = (self.marks.of_mut::<u64>(), self.words.of_mut::<u64>());
        for (k, &column) in columns.iter().enumerate() {
            let column = column as usize;
            let Some(sum) = sums.get_mut(column) else {
                continue;
            };
            // SAFETY: as the caller says.
            unsafe {
                match carries {
                    true => carry(sum, &mut lost[column], *values.cast::<f64>().add(k)),
                    false => *sum += f64::from(*values.cast::<f32>().add(k)),
                }
            }
            marks[column / 64] |= 1 << (column % 64);
            words[column / 4096] |= 1 << (column / 64 % 64);
        }
    }

    /// Writes the row that was summed, and clears it.
    fn end(&mut self) -> Result<(), Error> {
        let Some(row) = self.row.take() else {
            return Ok(());
        };
        let carries = self.rows.dtype == DType::Double;
        let (sums, lost) = (self.sums.of_mut::<f64>(), self.lost.of_mut::<f64>());
        let (marks, words) = (self.marks.of_mut::<u64>(), self.words.of_mut::<u64>());
        let mut count = 0;
        for (at, word) in words.iter().enumerate() {
            let mut bits = *word;
            while bits != 0 {
                count += marks[at * 64 + bits.trailing_zeros() as usize].count_ones() as usize;
                bits &= bits - 1;
            }
        }
        let rank = row.len() + 1;
        let coordinates = self.coordinates.more::<i64>(count * rank, self.label)?;
        let mut coordinates = coordinates.chunks_exact_mut(rank);
        let values = self.values.more_bytes(count, self.label)?;
        let mut next = 0;
        for (at, word) in words.iter_mut().enumerate() {
            while *word != 0 {
                let block = at * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                let mut bits = std::mem::take(&mut marks[block]);
                while bits != 0 {
                    let column = block * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if let Some(to) = coordinates.next() {
                        to[..rank - 1].copy_from_slice(&row);
                        to[rank - 1] = column as i64;
                    }
                    let mut sum = std::mem::take(&mut sums[column]);
                    if carries {
                        let lost = std::mem::take(&mut lost[column]);
                        // Of an infinite sum what is lost is NaN.
                        sum += if lost.is_finite() { lost } else { 0.0 };
                        values[next * 8..][..8].copy_from_slice(&sum.to_ne_bytes());
                    } else {
                        let bytes = (sum as f32).to_ne_bytes();
                        values[next * 4..][..4].copy_from_slice(&bytes);
                    }
                    next += 1;
                }
            }
        }
        Ok(())
    }

    /// The points.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn finish(mut self) -> Result<Part, Error> {
        self.end()?;
        Ok(Part {
            coordinates: self.coordinates,
            values: self.values,
        })
    }
}

/// The tensor of parts, one after the other.
///
/// # Errors
/// Of kind out of memory.
pub(super) fn joined(
    rows: &Rows,
    parts: impl Iterator<Item = Part>,
    label: &str,
) -> Result<Tensor<'static>, Error> {
    let mut parts: Vec<Part> = parts.collect();
    let width = kernel::size(rows.dtype);
    let count: usize = parts.iter().map(|part| part.values.len).sum();
    let what = || format!("{label}: a sparse tensor of {count} points");
    let (coordinates, values) = match &mut parts[..] {
        [one] => {
            let rank = rows.shape.len();
            let coordinates = std::mem::replace(&mut one.coordinates, Grown::new(8));
            let values = std::mem::replace(&mut one.values, Grown::new(width));
            (
                coordinates.into_buffer(count * rank, what)?,
                values.into_buffer(count, what)?,
            )
        }
        parts => {
            let rank = rows.shape.len();
            let mut coordinates = Buffer::zeroed(count.saturating_mul(rank), 8, what)?;
            let mut values = Buffer::zeroed(count, width, what)?;
            let (mut at, mut value) = (0, 0);
            for part in parts {
                let (from, of) = (part.coordinates.bytes(), part.values.bytes());
                coordinates.of_mut::<u8>()[at..at + from.len()].copy_from_slice(from);
                values.of_mut::<u8>()[value..value + of.len()].copy_from_slice(of);
                (at, value) = (at + from.len(), value + of.len());
            }
            (coordinates, values)
        }
    };
    let points = Points {
        shape: rows.shape.clone(),
        coordinates: Numbers::Made(coordinates.into()),
        count,
        compressed: None,
    };
    Ok(Tensor::made(rows.dtype, values, Form::Sparse(points)))
}

/// Elements that grow in number.
struct Grown {
    buffer: Option<Buffer>,
    width: usize,
    len: usize,
}

impl Grown {
    fn new(width: usize) -> Grown {
        Grown {
            buffer: None,
            width,
            len: 0,
        }
    }

    fn bytes(&self) -> &[u8] {
        let bytes = self.len * self.width;
        self.buffer
            .as_ref()
            .map_or(&[], |buffer| &buffer.of::<u8>()[..bytes])
    }

    /// The bytes of so many more elements.
    fn more_bytes(&mut self, count: usize, label: &str) -> Result<&mut [u8], Error> {
        let (from, to) = (self.len * self.width, (self.len + count) * self.width);
        // Of no elements, too: a slice that is cast to their type has an address that is aligned to it.
        if self.buffer.as_ref().is_none_or(|buffer| buffer.len() < to) {
            let wanted = (2 * self.len).max(self.len + count).max(1 << 12);
            let what = || format!("{label}: the points of a sparse result");
            let mut larger = Buffer::zeroed(wanted, self.width, what)?;
            larger.of_mut::<u8>()[..from].copy_from_slice(self.bytes());
            self.buffer = Some(larger);
        }
        self.len += count;
        Ok(self
            .buffer
            .as_mut()
            .map_or(&mut [], |buffer| &mut buffer.of_mut()[from..to]))
    }

    /// So many more elements.
    fn more<T: bytemuck::Pod>(&mut self, count: usize, label: &str) -> Result<&mut [T], Error> {
        Ok(bytemuck::cast_slice_mut(self.more_bytes(count, label)?))
    }

    /// A buffer of all.
    fn into_buffer(self, count: usize, what: impl FnOnce() -> String) -> Result<Buffer, Error> {
        match self.buffer {
            // Nearly as long as it is.
            Some(mut buffer) if buffer.len() <= count * self.width * 5 / 4 => {
                buffer.truncate(count * self.width);
                Ok(buffer)
            }
            buffer => {
                let mut own = Buffer::zeroed(count, self.width, what)?;
                if let Some(buffer) = buffer {
                    let bytes = own.len();
                    own.of_mut::<u8>()
                        .copy_from_slice(&buffer.of::<u8>()[..bytes]);
                }
                Ok(own)
            }
        }
    }
}
