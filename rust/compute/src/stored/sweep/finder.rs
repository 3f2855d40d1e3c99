//! Where the operands of a sweep are, as far as its loops say.

use super::segments::{Coordinates, Rows};
use super::Way;
use crate::bound::{Access, Index, LoopId};
use crate::stored::nest::Nest;
use crate::stored::ranges::Range;
use crate::stored::shape::lone;
use crate::stored::spans::Span as Row;
use crate::stored::support::Support;
use crate::stored::tensor::{Compressed, Form, Tensor};
use crate::stored::walk::Walk;

/// What is known of the loops while operands are looked at.
pub(super) struct Finder<'f, 'a> {
    pub nest: &'f Nest,
    pub tensors: &'f [Tensor<'a>],
    pub row: LoopId,
    pub column: LoopId,
    pub inner: Option<LoopId>,
    /// The row splits of ragged rows.
    pub splits: Option<&'f [i64]>,
    /// By look-ups, if that is known already; else by the loop itself.
    pub looked_up: Option<&'f Access>,
    pub by_loop: bool,
    pub limit: u64,
    pub places: usize,
}

impl<'f, 'a> Finder<'f, 'a> {
    /// The loops of a walk, if they go through the rows of a ragged tensor, or of its only sparse read; the coordinates of entries, and the range of
    /// rows.
    pub fn new(
        walk: &Walk<'_, '_>,
        nest: &'f Nest,
        tensors: &'f [Tensor<'a>],
    ) -> Option<(Finder<'f, 'a>, Rows<'f>, Coordinates<'f>, i64)> {
        let (row, column, inner) = match walk.order[..] {
            [row, column] => (row, column, None),
            [row, column, inner] => (row, column, Some(inner)),
            _ => return None,
        };
        let range = match nest.ranges.ranges[row] {
            Range::Fixed(range) => range,
            _ => return None,
        };
        let mut finder = Finder {
            nest,
            tensors,
            row,
            column,
            inner,
            splits: None,
            looked_up: None,
            by_loop: false,
            limit: u64::MAX,
            places: usize::MAX,
        };
        let (rows, own) = match (&nest.support, &nest.reads[..]) {
            (Support::All, []) => {
                let Row::Row(splits, of) = Row::new(&nest.ranges, tensors, column) else {
                    return None;
                };
                if of != row || range >= splits.len() as i64 {
                    return None;
                }
                finder.splits = Some(splits);
                (Rows::Splits(splits), Coordinates::Numbers)
            }
            (Support::Leaf(0), [read]) => {
                let points = tensors[read.tensor].points()?;
                let ids: Vec<_> = read.indices.iter().map(lone).collect();
                let lengths = [Some(range), finder.fixed(column)];
                let shape: Vec<_> = points.shape.iter().map(|&length| Some(length)).collect();
                // All entries are within the ranges.
                if ids != [Some(row), Some(column)] || shape != lengths {
                    return None;
                }
                finder.places = points.count;
                finder.limit = points.shape[1].max(0) as u64;
                match points.compressed {
                    Some(Compressed { starts, columns }) if starts.len() as i64 > range => {
                        (Rows::Splits(starts), Coordinates::Columns(columns))
                    }
                    _ => {
                        let pairs: &[i64] = &points.coordinates;
                        (Rows::Entries(pairs), Coordinates::Entries(pairs))
                    }
                }
            }
            _ => return None,
        };
        Some((finder, rows, own, range))
    }

    pub fn fixed(&self, id: LoopId) -> Option<i64> {
        match self.nest.ranges.ranges[id] {
            Range::Fixed(range) => Some(range),
            _ => None,
        }
    }

    /// Where elements of a form are.
    pub fn way(&mut self, form: &Form<'_>, indices: &'f [Index]) -> Option<Way> {
        match form {
            Form::Dense { shape, strides } => {
                let mut way = Way::default();
                for (axis, index) in indices.iter().enumerate() {
                    self.step(&mut way, index, shape[axis], strides[axis])?;
                }
                Some(way)
            }
            Form::Ragged(rows) => {
                let splits = rows.splits.get(1)?.as_deref()?;
                let own = self.splits?;
                let is_same = std::ptr::eq(splits, own) || *splits == *own;
                let [row, column, rest @ ..] = indices else {
                    return None;
                };
                let is_row = (lone(row), lone(column)) == (Some(self.row), Some(self.column));
                if !is_same || !is_row {
                    return None;
                }
                let mut way = Way {
                    place: 1,
                    ..Way::default()
                };
                for (index, &length) in rest.iter().zip(&rows.shape[2..]) {
                    if length <= 0 {
                        return None;
                    }
                    way.place = way.place.checked_mul(length)?;
                    way.inner = way.inner.checked_mul(length)?;
                    way.base = way.base.checked_mul(length)?;
                    self.step(&mut way, index, length, 1)?;
                }
                // Those of the last row are there, whatever splits become.
                self.places = self.places.min((rows.count / way.place).max(0) as usize);
                Some(way)
            }
            Form::Number(_) | Form::Sparse(_) => None,
        }
    }

    /// Adds an index on an axis.
    fn step(&mut self, way: &mut Way, index: &'f Index, length: i64, stride: i64) -> Option<()> {
        let fits = |range: Option<i64>| range.is_some_and(|range| range <= length);
        if let Some(access) = index.look_up.as_deref() {
            let is_plain = index.affine.terms.is_empty() && index.affine.constant == 0;
            if !is_plain || self.by_loop || self.looked_up.is_some_and(|other| other != access) {
                return None;
            }
            self.looked_up = Some(access);
            self.limit = self.limit.min(length.max(0) as u64);
            way.coordinate += stride;
            return Some(());
        }
        if let (&[], at) = (&index.affine.terms[..], index.affine.constant) {
            way.base += stride.checked_mul(at)?;
            return (0..length).contains(&at).then_some(());
        }
        let id = lone(index)?;
        if id == self.column {
            if self.looked_up.is_some() {
                return None;
            }
            self.by_loop = true;
            self.limit = self.limit.min(length.max(0) as u64);
            way.coordinate += stride;
        } else if id == self.row && fits(self.fixed(id)) {
            way.row += stride;
        } else if Some(id) == self.inner && fits(self.fixed(id)) {
            way.inner += stride;
        } else {
            return None;
        }
        Some(())
    }

    /// The number of places of a look-up whose elements are those of the rows.
    pub fn looked_up_places(&self, tensor: &Tensor<'_>, access: &Access) -> Option<usize> {
        let Form::Ragged(rows) = &tensor.form else {
            return None;
        };
        let splits = rows.splits.get(1)?.as_deref()?;
        let own = self.splits?;
        let is_same = std::ptr::eq(splits, own) || *splits == *own;
        let lones: Vec<_> = access.indices.iter().map(lone).collect();
        let fits = is_same && lones == [Some(self.row), Some(self.column)];
        fits.then_some(rows.count.max(0) as usize)
    }
}
