//! The product of two sparse matrices, by rows (Gustavson, "Two fast algorithms for sparse matrices", 1978): first the points of each row are
//! counted, so that the result is as long as it will be, then they are summed in an array of a row's length. Points are marked by bits, and so need
//! no sort.

use std::ops::Range as Span;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::accumulate::carry;
use super::memory::{Buffer, Numbers};
use super::nest::Nest;
use super::products::prefetch;
use super::ranges::Range;
use super::shape::lone;
use super::statement::Statement;
use super::support::Support;
use super::sweep::count_sweep;
use super::tensor::{Compressed, Form, Points, Tensor};
use super::windows::Shared;
use crate::ast::{Binary, Op};
use crate::bound::{Access, LoopId, Node};
use crate::operand::DType;
use crate::Error;

/// The longest row.
const LONGEST: usize = 1 << 24;

/// How many entries before a row of the second matrix is read it is fetched.
const AHEAD: usize = 4;

/// The stored points of a matrix.
#[derive(Clone, Copy)]
struct Entries<'s> {
    pairs: &'s [i64],
    compressed: Option<Compressed<'s>>,
    values: *const u8,
    count: usize,
}

/// A statement as a product of matrices.
pub(super) struct Multiply<'s> {
    label: &'s str,
    dtype: DType,
    first: Entries<'s>,
    second: Entries<'s>,
    rows: usize,
    /// The rows of the second matrix.
    middle: usize,
    width: usize,
}

// SAFETY: values are read only, and stay where they are while a statement runs.
unsafe impl Sync for Multiply<'_> {}

/// A float.
trait Real: Copy + Into<f64> + bytemuck::Pod {
    const CARRIED: bool;
    fn of(value: f64) -> Self;
}

impl Real for f32 {
    const CARRIED: bool = false;

    fn of(value: f64) -> f32 {
        value as f32
    }
}

impl Real for f64 {
    const CARRIED: bool = true;

    fn of(value: f64) -> f64 {
        value
    }
}

/// A row while it is summed: all of it is 0 between rows.
struct Row {
    sums: Buffer,
    /// What rounding lost, of doubles.
    lost: Buffer,
    /// A bit for each column, and one for each word of these.
    marks: Buffer,
    words: Buffer,
}

/// Where the points of a part's rows go.
struct Target {
    coordinates: Shared,
    values: Shared,
}

impl<'s> Multiply<'s> {
    /// The product that a statement is, if it is one of two matrices into a third one of that shape.
    pub fn new(
        statement: &'s Statement,
        nest: &Nest,
        tensors: &'s [Tensor<'_>],
        shape: &[i64],
    ) -> Option<Multiply<'s>> {
        let dtype = statement.value.dtype;
        let is_real = matches!(dtype, DType::Float | DType::Double);
        let is_plain = statement.guards.is_empty() && statement.outside.is_none();
        let is_both = match &nest.support {
            Support::And(a, b) => {
                matches!((&**a, &**b), (Support::Leaf(a), Support::Leaf(b)) if a != b)
            }
            _ => false,
        };
        if !(is_real && is_plain && is_both && statement.op == Op::Sum) {
            return None;
        }
        let Node::Binary(Binary::Mul, a, b) = &statement.value.node else {
            return None;
        };
        let (Node::Read(a), Node::Read(b)) = (&a.node, &b.node) else {
            return None;
        };
        let lones = |access: &Access| match &access.indices[..] {
            [one, other] => Some([lone(one)?, lone(other)?]),
            _ => None,
        };
        let [row, column] = match &statement.left[..] {
            [row, column] => [lone(row)?, lone(column)?],
            _ => return None,
        };
        let (of_a, of_b) = (lones(a)?, lones(b)?);
        let swapped = of_a[0] != row;
        let ((first, of_first), (second, of_second)) = match swapped {
            true => ((b, of_b), (a, of_a)),
            false => ((a, of_a), (b, of_b)),
        };
        let middle = of_first[1];
        let loops_fit = of_first[0] == row && of_second == [middle, column];
        if !loops_fit || row == column || row == middle || middle == column {
            return None;
        }
        if nest.reads.len() != 2 || nest.names.len() != 3 {
            return None;
        }
        let range = |id: LoopId| match nest.ranges.ranges[id] {
            Range::Fixed(range) => Some(range),
            _ => None,
        };
        let (n, m, w) = (range(row)?, range(middle)?, range(column)?);
        let (first, second) = (&tensors[first.tensor], &tensors[second.tensor]);
        let (of_first, of_second) = (first.points()?, second.points()?);
        let is_same = first.dtype() == Some(dtype) && second.dtype() == Some(dtype);
        if of_first.shape != [n, m] || of_second.shape != [m, w] || shape != [n, w] || !is_same {
            return None;
        }
        // Arrays that are as long as axes are no longer than what is stored, a few times.
        let few = |length: i64, points: usize| {
            let length = usize::try_from(length).ok()?;
            (length <= points.saturating_mul(4) + 1024).then_some(length)
        };
        let all = of_first.count + of_second.count;
        Some(Multiply {
            label: &statement.label,
            dtype,
            rows: few(n, of_first.count)?,
            middle: few(m, of_second.count)?,
            width: few(w, all).filter(|&width| width <= LONGEST)?,
            first: Entries {
                pairs: &of_first.coordinates,
                compressed: of_first.compressed,
                values: first.data,
                count: of_first.count,
            },
            second: Entries {
                pairs: &of_second.coordinates,
                compressed: of_second.compressed,
                values: second.data,
                count: of_second.count,
            },
        })
    }

    /// The product, and the number of points that were visited; none if coordinates are none, which is for others to say.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn run(&self, statement: &Statement) -> Result<Option<(Tensor<'static>, u64)>, Error> {
        let what = || format!("{}: rows of a sparse product", self.label);
        let first = self.first.rows(self.rows, &what)?;
        let (Some(first), Some(second)) = (first, self.second.rows(self.middle, &what)?) else {
            return Ok(None);
        };
        let (first, second) = (first.get(), second.get());
        let ascend = |starts: &[i64], rows: usize, count: usize| {
            let ends = (starts.first(), starts.last());
            starts.len() == rows + 1
                && ends == (Some(&0), Some(&(count as i64)))
                && starts.windows(2).all(|pair| pair[0] <= pair[1])
        };
        let are_rows = ascend(first.starts, self.rows, self.first.count)
            && ascend(second.starts, self.middle, self.second.count);
        if !are_rows {
            return Ok(None);
        }
        let by = By {
            of: self,
            first,
            second,
        };
        match self.dtype {
            DType::Float => by.run::<f32>(statement, &what),
            _ => by.run::<f64>(statement, &what),
        }
    }
}

/// A product of matrices, with where their rows begin, and their columns.
struct By<'b, 's> {
    of: &'b Multiply<'s>,
    first: Compressed<'b>,
    second: Compressed<'b>,
}

impl By<'_, '_> {
    fn run<T: Real>(
        &self,
        statement: &Statement,
        what: &(dyn Fn() -> String + Sync),
    ) -> Result<Option<(Tensor<'static>, u64)>, Error> {
        let of = self.of;
        let spare = Mutex::new(Vec::new());
        let with_row = |work: &dyn Fn(&mut Row) -> bool| -> Result<bool, Error> {
            let taken = spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut row = match taken {
                Some(row) => row,
                None => Row::new(of.width, T::CARRIED, what)?,
            };
            let done = work(&mut row);
            if done {
                let mut spare = spare.lock().unwrap_or_else(PoisonError::into_inner);
                spare.push(row);
            }
            Ok(done)
        };
        let (gone, visited) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut ends = Buffer::zeroed(of.rows + 1, 8, what)?;
        let counts = Shared(ends.start_mut());
        let rows = |part: &Span<i64>| part.start as usize..part.end.min(of.rows as i64) as usize;
        let points = of.first.count.max(of.second.count);
        statement.parts(points, of.rows as i64, true, &|part| {
            let done = with_row(&|row| {
                let mut points = 0;
                for at in rows(&part) {
                    let Some((count, met)) = self.count(row, at) else {
                        return false;
                    };
                    // SAFETY: there is a count for each row, and parts are distinct.
                    unsafe { counts.at((at + 1) * 8).cast::<i64>().write(count as i64) };
                    points += met;
                }
                visited.fetch_add(points, Ordering::Relaxed);
                true
            })?;
            gone.fetch_or(!done, Ordering::Relaxed);
            Ok(())
        })?;
        if gone.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let all = ends.of_mut::<i64>();
        for at in 1..all.len() {
            all[at] += all[at - 1];
        }
        let ends: &[i64] = ends.of();
        let count = ends[of.rows] as usize;
        let what_all = || format!("{}: a sparse tensor of {count} points", of.label);
        let mut coordinates = Buffer::uncleared(count.saturating_mul(2), 8, what_all)?;
        let mut values = Buffer::uncleared(count, size_of::<T>(), what_all)?;
        let target = Target {
            coordinates: Shared(coordinates.start_mut()),
            values: Shared(values.start_mut()),
        };
        statement.parts(points, of.rows as i64, true, &|part| {
            let done = with_row(&|row| {
                rows(&part).all(|at| {
                    let room = ends[at] as usize..ends[at + 1] as usize;
                    // SAFETY: rows have distinct room in the target.
                    self.sum::<T>(row, at) && unsafe { row.write::<T>(at, &target, room) }
                })
            })?;
            gone.fetch_or(!done, Ordering::Relaxed);
            Ok(())
        })?;
        if gone.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let points = Points {
            shape: vec![of.rows as i64, of.width as i64],
            coordinates: Numbers::Made(coordinates.into()),
            count,
            compressed: None,
        };
        let made = Tensor::made(of.dtype, values, Form::Sparse(points));
        count_sweep();
        Ok(Some((made, visited.into_inner())))
    }

    /// Calls `visit` with the entries of the first matrix in a row, and for each the places of the row of the second one; false if there is none.
    #[inline(always)]
    fn each(&self, row: usize, mut visit: impl FnMut(usize, Span<usize>) -> bool) -> bool {
        let (own, middles) = (self.first.starts, self.first.columns);
        let (starts, columns) = (self.second.starts, self.second.columns);
        let (Some(&from), Some(&to)) = (own.get(row), own.get(row + 1)) else {
            return false;
        };
        (from as usize..to as usize).all(|entry| {
            if let Some(&next) = starts.get(column(middles, entry + AHEAD)) {
                prefetch(columns.as_ptr().wrapping_add(next as usize).cast(), 32);
                let width = self.of.dtype.width();
                prefetch(self.of.second.values.wrapping_add(next as usize * width), 1);
            }
            let middle = column(middles, entry);
            let ends = (starts.get(middle), starts.get(middle.wrapping_add(1)));
            match ends {
                (Some(&from), Some(&to)) => visit(entry, from as usize..to as usize),
                _ => false,
            }
        })
    }

    /// How many points a row has, and how many products.
    fn count(&self, row: &mut Row, at: usize) -> Option<(usize, u64)> {
        let (marks, words) = (row.marks.of_mut::<u64>(), row.words.of_mut::<u64>());
        let (mut count, mut met) = (0, 0);
        let done = self.each(at, |_, places| {
            met += places.len() as u64;
            places.into_iter().all(|place| {
                let column = column(self.second.columns, place);
                let inside = column < self.of.width;
                if inside {
                    let (mark, bit) = (&mut marks[column / 64], 1 << (column % 64));
                    count += usize::from(*mark & bit == 0);
                    *mark |= bit;
                    words[column / 4096] |= 1 << (column / 64 % 64);
                }
                inside
            })
        });
        if !done {
            return None;
        }
        for (at, word) in words.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                marks[at * 64 + bits.trailing_zeros() as usize] = 0;
                bits &= bits - 1;
            }
        }
        Some((count, met))
    }

    /// Sums a row.
    fn sum<T: Real>(&self, row: &mut Row, at: usize) -> bool {
        let (sums, lost) = (row.sums.of_mut::<f64>(), row.lost.of_mut::<f64>());
        let (marks, words) = (row.marks.of_mut::<u64>(), row.words.of_mut::<u64>());
        let first = self.of.first.values.cast::<T>();
        let second = self.of.second.values.cast::<T>();
        self.each(at, |entry, places| {
            // SAFETY: entries and places are below the numbers of values, as rows are.
            let factor: f64 = unsafe { *first.add(entry) }.into();
            places.into_iter().all(|place| {
                let column = column(self.second.columns, place);
                let Some(sum) = sums.get_mut(column) else {
                    return false;
                };
                // SAFETY: as above.
                let value = factor * unsafe { *second.add(place) }.into();
                match T::CARRIED {
                    true => carry(sum, &mut lost[column], value),
                    false => *sum += value,
                }
                marks[column / 64] |= 1 << (column % 64);
                words[column / 4096] |= 1 << (column / 64 % 64);
                true
            })
        })
    }
}

impl Row {
    fn new(width: usize, carried: bool, what: &dyn Fn() -> String) -> Result<Row, Error> {
        let words = width.div_ceil(64);
        Ok(Row {
            sums: Buffer::zeroed(width, 8, what)?,
            lost: Buffer::zeroed(width * usize::from(carried), 8, what)?,
            marks: Buffer::zeroed(words, 8, what)?,
            words: Buffer::zeroed(words.div_ceil(64), 8, what)?,
        })
    }

    /// Writes the points of a row where there is room for them, and clears it; false if there are others than before.
    ///
    /// # Safety
    /// The target has that room, and nobody else reads or writes it.
    unsafe fn write<T: Real>(&mut self, at: usize, target: &Target, room: Span<usize>) -> bool {
        let (sums, lost) = (self.sums.of_mut::<f64>(), self.lost.of_mut::<f64>());
        let (marks, words) = (self.marks.of_mut::<u64>(), self.words.of_mut::<u64>());
        let mut next = room.start;
        for (number, word) in words.iter_mut().enumerate() {
            let mut blocks = std::mem::take(word);
            while blocks != 0 {
                let block = number * 64 + blocks.trailing_zeros() as usize;
                blocks &= blocks - 1;
                let mut bits = std::mem::take(&mut marks[block]);
                while bits != 0 {
                    let column = block * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let mut sum = std::mem::take(&mut sums[column]);
                    if T::CARRIED {
                        let lost = std::mem::take(&mut lost[column]);
                        // Of an infinite sum what is lost is NaN.
                        sum += if lost.is_finite() { lost } else { 0.0 };
                    }
                    if next == room.end {
                        return false;
                    }
                    // SAFETY: as the caller says.
                    unsafe {
                        let to = target.coordinates.at(next * 16).cast::<[i64; 2]>();
                        to.write([at as i64, column as i64]);
                        let to = target.values.at(next * size_of::<T>()).cast::<T>();
                        to.write(T::of(sum));
                    }
                    next += 1;
                }
            }
        }
        next == room.end
    }
}

/// The column of an entry; too large a number if there is none.
#[inline(always)]
fn column(columns: &[i32], entry: usize) -> usize {
    columns
        .get(entry)
        .map_or(usize::MAX, |&at| at as isize as usize)
}

/// The compressed rows of a matrix.
enum Compressing<'s> {
    Kept(Compressed<'s>),
    /// Where rows begin, and columns.
    Made(Buffer, Buffer),
}

impl Compressing<'_> {
    fn get(&self) -> Compressed<'_> {
        match self {
            Compressing::Kept(rows) => *rows,
            Compressing::Made(starts, columns) => Compressed {
                starts: starts.of(),
                columns: columns.of(),
            },
        }
    }
}

impl<'s> Entries<'s> {
    /// The compressed rows; none if rows do not ascend from 0 to their number, or columns have more than 4 bytes.
    fn rows(
        &self,
        rows: usize,
        what: &dyn Fn() -> String,
    ) -> Result<Option<Compressing<'s>>, Error> {
        if let Some(rows) = self.compressed {
            return Ok(Some(Compressing::Kept(rows)));
        }
        let mut starts = Buffer::zeroed(rows + 1, 8, what)?;
        let mut columns = Buffer::zeroed(self.count, 4, what)?;
        let (to, narrow) = (starts.of_mut::<i64>(), columns.of_mut::<i32>());
        let mut next = 0;
        let pairs = self.pairs.chunks_exact(2).zip(narrow);
        for (entry, (pair, narrow)) in pairs.enumerate() {
            let (row, column) = (pair[0] as u64, i32::try_from(pair[1]));
            let Ok(column) = column else {
                return Ok(None);
            };
            if row >= rows as u64 || (row as usize) + 1 < next {
                return Ok(None);
            }
            *narrow = column;
            while next <= row as usize {
                to[next] = entry as i64;
                next += 1;
            }
        }
        to[next..].fill(self.count as i64);
        Ok(Some(Compressing::Made(starts, columns)))
    }
}
