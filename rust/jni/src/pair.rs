//! Coordinates and values: the two sides that are the entries of a sparse tensor.

use std::ops::Range;

use tensornio_core::sparse::{self, Chunks, Coordinates, Entries, Grid, Output, Values};

use crate::env::Env;
use crate::guard::Failure;
use crate::memory::memory;
use crate::operand::Given;
use crate::selection::MOST_PINNED;
use crate::side::{Side, Staged};

/// The bytes of a coordinate.
pub(crate) const LONG: i32 = 8;

/// The form of coordinates.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// A row of that many coordinates for each entry.
    Rows(usize),
    /// A linear index for each entry.
    Linear,
}

impl Form {
    fn per_row(self) -> usize {
        match self {
            Form::Rows(rank) => rank,
            Form::Linear => 1,
        }
    }

    fn at(self, start: *mut u8) -> Coordinates {
        match self {
            Form::Rows(_) => Coordinates::Rows(start.cast()),
            Form::Linear => Coordinates::Linear(start.cast()),
        }
    }
}

/// Coordinates and values, of which `n` entries are used.
pub(crate) struct Pair<'a> {
    coordinates: Side<'a>,
    values: Side<'a>,
    form: Form,
    n: usize,
}

impl<'a> Pair<'a> {
    /// Checks both sides for `n` entries.
    pub fn new(
        env: Env<'a>,
        coordinates: Given<'a>,
        values: Given<'a>,
        form: Form,
        element_bytes: i32,
        n: usize,
    ) -> Result<Pair<'a>, Failure> {
        Ok(Pair {
            coordinates: Side::new(env, coordinates, LONG, n, form.per_row())?,
            values: Side::new(env, values, element_bytes, n, 1)?,
            form,
            n,
        })
    }

    /// Both sides.
    pub fn each(&self) -> [&Side<'a>; 2] {
        [&self.coordinates, &self.values]
    }

    /// Uses the capacity of both sides.
    pub fn use_all(&mut self) {
        let per_row = self.form.per_row();
        let rows = self.coordinates.capacity().checked_div(per_row);
        self.n = self.values.capacity().min(rows.unwrap_or(usize::MAX));
        self.coordinates.set_len(self.n * per_row);
        self.values.set_len(self.n);
    }

    /// Copies the values to those of another pair of as many entries, in a direct buffer.
    pub fn copy_values(&self, env: Env<'a>, to: &Pair<'_>) -> Result<(), Failure> {
        self.values.copy_to(env, &to.values)
    }

    /// The output arrays for the used entries, in direct buffers.
    pub fn output(&self) -> Result<Output, Failure> {
        Ok(Output {
            indices: self.coordinates.direct()?.cast().as_ptr(),
            values: self.values.direct()?.as_ptr(),
            capacity: self.n,
        })
    }

    /// Stages the entries: direct buffers in place, arrays copied to a staging buffer.
    pub fn stage(&self, env: Env<'a>) -> Result<StagedPair, Failure> {
        Ok(StagedPair {
            coordinates: self.coordinates.stage(env)?,
            values: self.values.stage(env)?,
            form: self.form,
            n: self.n,
        })
    }

    /// Whether coordinates are in an array, which only this thread can read, a pinned chunk at a time.
    fn is_chunked(&self) -> bool {
        self.coordinates.len() > 0 && self.coordinates.is_array()
    }

    /// Copies the coordinates of an array, chunk by chunk, while they are ascending. Returns whether all are; false for a buffer, which
    /// [`build`](Self::build) checks with several threads.
    ///
    /// # Safety
    /// The output has capacity for the entries, and does not overlap them.
    pub unsafe fn ascends(
        &self,
        env: Env<'a>,
        grid: &Grid<'_>,
        output: &Output,
    ) -> Result<bool, Failure> {
        let side = &self.coordinates;
        if !self.is_chunked() {
            return Ok(false);
        }
        let per_row = self.form.per_row();
        let mut floor = 0;
        for Range { start: first, end } in self.chunks() {
            let n = end - first;
            let part = first * per_row..end * per_row;
            // SAFETY: a part of the side, and the caller's promise; arrays of longs are aligned.
            let goes_on = unsafe {
                let to = output.indices.add(first * grid.rank());
                side.pinned(env, &part, |start| {
                    sparse::ascend(self.form.at(start), n, grid, to, &mut floor)
                })?
            };
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The rows in chunks that may be pinned as a whole, in order.
    fn chunks(&self) -> impl Iterator<Item = Range<usize>> {
        let (n, per_row) = (self.n, self.form.per_row().max(1));
        let rows = (MOST_PINNED as usize / self.coordinates.width() / per_row).max(1);
        (0..n)
            .step_by(rows)
            .map(move |first| first..n.min(first + rows))
    }

    /// Writes the sorted entries to the output. Returns the number of distinct ones. Coordinates in an array are never copied as a whole.
    ///
    /// # Safety
    /// The output has capacity for the entries, and does not overlap them.
    pub unsafe fn build(
        &self,
        env: Env<'a>,
        grid: &Grid<'_>,
        output: &Output,
    ) -> Result<usize, Failure> {
        let side = &self.coordinates;
        if !self.is_chunked() {
            let staged = self.stage(env)?;
            // SAFETY: the caller's promise; coordinates are aligned by `stage`.
            return Ok(unsafe { sparse::build(memory(), &staged.entries(), grid, output)? });
        }
        let values = if self.values.is_array() {
            self.values.stage_empty()?
        } else {
            self.values.stage(env)?
        };
        let entries = Values {
            start: values.start().as_ptr(),
            width: values.width(),
            n: self.n,
        };
        let linear = matches!(self.form, Form::Linear);
        let feed = |to: &mut Chunks<'_>| {
            let per_row = self.form.per_row();
            for rows in self.chunks() {
                if self.values.is_array() {
                    // SAFETY: a part of the side, and the same part of the staging buffer.
                    unsafe {
                        self.values.pinned(env, &rows, |start| {
                            let bytes = rows.len() * values.width();
                            let copied = values.start().add(rows.start * values.width());
                            start.copy_to_nonoverlapping(copied.as_ptr(), bytes);
                        })?;
                    }
                }
                let part = rows.start * per_row..rows.end * per_row;
                // SAFETY: a part of the side; arrays of longs are aligned.
                unsafe {
                    side.pinned(env, &part, |start| {
                        to.take(self.form.at(start), rows.len());
                    })?;
                }
            }
            Ok(())
        };
        // SAFETY: the caller's promise; there are as many rows as values.
        unsafe { sparse::build_chunked(memory(), &entries, linear, grid, output, feed) }
    }
}

/// Entries at addresses that are valid as long as this lives.
pub(crate) struct StagedPair {
    coordinates: Staged,
    values: Staged,
    form: Form,
    n: usize,
}

impl StagedPair {
    /// The entries, with aligned coordinates.
    pub fn entries(&self) -> Entries {
        Entries {
            coordinates: self.form.at(self.coordinates.start().as_ptr()),
            values: self.values.start().as_ptr(),
            width: self.values.width(),
            n: self.n,
        }
    }
}
