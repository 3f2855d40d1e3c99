//! The shape of a statement's target: axes that are ragged because their indices depend on loops that are kept.

use super::iterations::is_endless;
use super::memory::{Buffer, Numbers};
use super::nest::Nest;
use super::ranges::{Length, Range};
use super::rows::Path;
use super::spans::{range, span};
use super::tensor::{row_major, Form, Rows, Tensor};
use crate::bound::{Index, LoopId};
use crate::Error;

/// Takes values of loops.
type Visit<'v> = dyn FnMut(&[i64]) -> Result<(), Error> + 'v;

/// The form of a target without a given shape.
#[derive(Clone, Copy)]
pub(super) struct Shaper<'s, 'a> {
    pub nest: &'s Nest,
    pub tensors: &'s [Tensor<'a>],
    pub left: &'s [Index],
    pub label: &'s str,
    pub target: &'s str,
}

/// An axis of the target.
enum Axis {
    Uniform(i64),
    /// The loops in its index, and those on which they depend that are not kept.
    Ragged(Vec<LoopId>),
}

impl<'a> Shaper<'_, 'a> {
    /// Whether an axis is ragged.
    fn is_ragged(&self, axis: usize) -> Result<bool, Error> {
        let index = &self.left[axis];
        let mut ragged = false;
        for &(id, _) in &index.affine.terms {
            for need in self.nest.ranges.depends(id) {
                if !self.nest.kept.contains(&need) {
                    continue;
                }
                ragged = true;
                let stands = self.left[..axis]
                    .iter()
                    .any(|index| lone(index) == Some(need));
                if !stands {
                    let names = &self.nest.names;
                    return Err(Error::illegal(format!(
                        "{}: the range of {} depends on {}, which must stand alone as an index of {} before axis {axis}",
                        self.label, names[id], names[need], self.target
                    )));
                }
            }
        }
        Ok(ragged)
    }

    /// The lengths of a sparse target, of which none is ragged: the longest rows.
    pub fn sparse_shape(&self) -> Result<Vec<i64>, Error> {
        let mut shape = Vec::new();
        for (axis, index) in self.left.iter().enumerate() {
            if index.look_up.is_some() {
                return Err(self.undetermined(axis));
            }
            shape.push(self.longest(index)?);
        }
        Ok(shape)
    }

    fn undetermined(&self, axis: usize) -> Error {
        Error::illegal(format!(
            "{}: nothing determines the length of {} axis {axis}; give it by where {}[...]",
            self.label, self.target, self.target
        ))
    }

    /// The longest that an index needs.
    fn longest(&self, index: &Index) -> Result<i64, Error> {
        let mut needs: Vec<LoopId> = Vec::new();
        for &(id, _) in &index.affine.terms {
            self.closure(id, &mut needs);
        }
        let mut longest = 0;
        let mut values = vec![0; self.nest.names.len()];
        self.each(&needs, &mut values, &mut |values| {
            longest = longest.max(self.length(index, values)?);
            Ok(())
        })?;
        Ok(longest)
    }

    /// The form.
    pub fn form(&self) -> Result<Form<'a>, Error> {
        let mut axes = Vec::new();
        for (axis, index) in self.left.iter().enumerate() {
            if index.look_up.is_some() {
                return Err(self.undetermined(axis));
            }
            let loops: Vec<LoopId> = index.affine.terms.iter().map(|&(id, _)| id).collect();
            if self.is_ragged(axis)? {
                axes.push(Axis::Ragged(loops));
                continue;
            }
            // The longest over what is reduced.
            axes.push(Axis::Uniform(self.longest(index)?));
        }
        let shape: Vec<i64> = axes
            .iter()
            .map(|axis| match axis {
                Axis::Uniform(length) => *length,
                Axis::Ragged(_) => -1,
            })
            .collect();
        let Some(last) = axes
            .iter()
            .rposition(|axis| matches!(axis, Axis::Ragged(_)))
        else {
            let strides = row_major(&shape);
            return Ok(Form::Dense { shape, strides });
        };
        let mut splits: Vec<Option<Numbers<'a>>> = vec![None; shape.len()];
        for axis in 1..=last {
            let Axis::Ragged(loops) = &axes[axis] else {
                continue;
            };
            splits[axis] = Some(match self.shared(axis, &shape, &splits) {
                Some(shared) => shared,
                None => self.splits(axis, loops, &shape, &splits)?,
            });
        }
        let count = nodes(&shape, &splits, shape.len());
        let Some(count) = count else {
            return Err(Error::illegal(format!(
                "{}: shape {shape:?} has more elements than memory can hold",
                self.label
            )));
        };
        Ok(Form::Ragged(Rows {
            shape,
            splits,
            count,
        }))
    }

    /// The loops on which a loop's range depends, outermost first, not the loop itself.
    pub fn closure(&self, id: LoopId, found: &mut Vec<LoopId>) {
        for need in self.nest.ranges.ranges[id].needs() {
            // Those on which it depends are found before it is: there are no more paths than loops.
            if !found.contains(&need) {
                self.closure(need, found);
                found.push(need);
            }
        }
    }

    /// Calls `visit` for all values of loops, each after those on which it depends.
    pub fn each(
        &self,
        loops: &[LoopId],
        values: &mut Vec<i64>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        self.each_where(loops, &[], values, visit)
    }

    /// The same where some of the loops have a value already, which counts only where it is in the range of the loop.
    fn each_where(
        &self,
        loops: &[LoopId],
        given: &[LoopId],
        values: &mut Vec<i64>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let is_open = |id: &LoopId| !given.contains(id);
        if loops.len() > 1 {
            let open: Vec<LoopId> = loops.iter().copied().filter(is_open).collect();
            self.nest
                .check_sum(self.tensors, self.label, &open, values)?;
        }
        let mut free = self.nest.ranges.free(loops);
        free.iter_mut().for_each(|free| free.retain(is_open));
        self.level(loops, given, &free, 0, values, visit)
    }

    fn level(
        &self,
        loops: &[LoopId],
        given: &[LoopId],
        free: &[Vec<LoopId>],
        depth: usize,
        values: &mut Vec<i64>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let Some(&id) = loops.get(depth) else {
            return visit(values);
        };
        let span = span(&self.nest.ranges, self.tensors, id, values)?;
        if given.contains(&id) {
            return match span.contains(&values[id]) {
                true => self.level(loops, given, free, depth + 1, values, visit),
                false => Ok(()),
            };
        }
        let (first, free_here) = (span.end - span.start, &free[depth]);
        if is_endless(&self.nest.ranges, self.tensors, free_here, first, values)? {
            let before = &loops[..depth];
            self.nest
                .check_end(self.tensors, self.label, free_here, before, values)?;
        }
        for value in span {
            values[id] = value;
            self.level(loops, given, free, depth + 1, values, visit)?;
        }
        Ok(())
    }

    /// The length that an index needs, at values of what its ranges depend on.
    fn length(&self, index: &Index, values: &[i64]) -> Result<i64, Error> {
        let mut length = 1 + i128::from(index.affine.constant);
        for &(id, coefficient) in &index.affine.terms {
            if let Range::Is(_) = self.nest.ranges.ranges[id] {
                let value = range(&self.nest.ranges, self.tensors, id, values)?;
                length += i128::from(coefficient) * i128::from(value);
            } else if coefficient > 0 {
                let range = range(&self.nest.ranges, self.tensors, id, values)?;
                length += i128::from(coefficient) * (i128::from(range) - 1);
            }
        }
        i64::try_from(length.max(0)).map_err(|_| {
            Error::illegal(format!(
                "{}: {} would be longer than {}",
                self.label,
                self.target,
                i64::MAX
            ))
        })
    }

    /// The row splits of a tensor that are those of an axis, where it is whole.
    fn shared(
        &self,
        axis: usize,
        shape: &[i64],
        splits: &[Option<Numbers<'a>>],
    ) -> Option<Numbers<'a>> {
        let id = lone(&self.left[axis])?;
        let Range::Rows(bounds) = &self.nest.ranges.ranges[id] else {
            return None;
        };
        let [bound] = &bounds[..1] else { return None };
        // Further lone uses agree in every row, which was checked.
        if !bounds.iter().all(super::ranges::Bound::is_lone) {
            return None;
        }
        let path = self.row(&bound.length)?;
        if bounds.iter().any(|other| self.row(&other.length).is_none()) {
            return None;
        }
        let rows = self.tensors[path.tensor].rows()?;
        if path.axis != axis || path.before.len() != axis {
            return None;
        }
        for before in 0..axis {
            let id = lone(&self.left[before]);
            if id.is_none() || lone(&path.before[before]) != id {
                return None;
            }
            let same = match (&splits[before], &rows.splits[before]) {
                (None, None) => shape[before] == rows.shape[before],
                (Some(a), Some(b)) => a.is_same(b),
                _ => false,
            };
            if !same {
                return None;
            }
        }
        rows.splits[axis].clone()
    }

    /// The row whose length it is.
    fn row<'l>(&'l self, length: &'l Length) -> Option<&'l Path> {
        match length {
            Length::Row(path) => Some(path),
            Length::Affine(formula) => match (formula.affine.constant, &formula.affine.terms[..]) {
                (0, &[(id, 1)]) => match &self.nest.ranges.ranges[id] {
                    Range::Is(path) => Some(path),
                    _ => None,
                },
                _ => None,
            },
            Length::Number(_) => None,
        }
    }

    /// The row splits of an axis, row by row.
    fn splits(
        &self,
        axis: usize,
        loops: &[LoopId],
        shape: &[i64],
        splits: &[Option<Numbers<'a>>],
    ) -> Result<Numbers<'a>, Error> {
        let what = || format!("{}: the row splits of {}", self.label, self.target);
        let count = nodes(shape, splits, axis)
            .filter(|&count| count < i64::MAX)
            .ok_or_else(|| {
                Error::illegal(format!("{}: shape {shape:?} has too many rows", self.label))
            })?;
        let mut made = Buffer::zeroed(count as usize + 1, 8, what)?;
        let numbers = made.of_mut::<i64>();
        // What the range depends on: loops that stand before, whose values are given, and others.
        let mut needs = Vec::new();
        for &id in loops {
            self.closure(id, &mut needs);
        }
        let is_kept = |id: &LoopId| self.nest.kept.contains(id);
        // If all on which those that stand before depend stands before, too, their values are in their ranges.
        needs.retain(|id| !is_kept(id) || !self.nest.ranges.depends(*id).iter().all(is_kept));
        let mut values = vec![0; self.nest.names.len()];
        let mut next = 0usize;
        let mut sum = 0i64;
        self.rows(0, axis, 0, shape, splits, &mut values, &mut |values| {
            let mut longest = 0;
            self.each_where(&needs, &self.nest.kept, values, &mut |values| {
                longest = longest.max(self.length(&self.left[axis], values)?);
                Ok(())
            })?;
            sum = sum
                .checked_add(longest)
                .ok_or_else(|| Error::illegal(format!("{}: too many elements", self.label)))?;
            next += 1;
            if let Some(to) = numbers.get_mut(next) {
                *to = sum;
            }
            Ok(())
        })?;
        Ok(Numbers::Made(made.into()))
    }

    /// Calls `visit` for each node at a depth, with the values of loops that stand alone.
    #[allow(clippy::too_many_arguments)]
    fn rows(
        &self,
        axis: usize,
        depth: usize,
        node: i64,
        shape: &[i64],
        splits: &[Option<Numbers<'a>>],
        values: &mut Vec<i64>,
        visit: &mut dyn FnMut(&mut Vec<i64>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if axis == depth {
            return visit(values);
        }
        let (first, length) = match &splits[axis] {
            Some(splits) => {
                let first = splits[node as usize];
                (first, splits[node as usize + 1] - first)
            }
            None => (node * shape[axis], shape[axis]),
        };
        let id = lone(&self.left[axis]);
        for value in 0..length {
            if let Some(id) = id {
                values[id] = value;
            }
            self.rows(axis + 1, depth, first + value, shape, splits, values, visit)?;
        }
        Ok(())
    }
}

/// The loop, if an index is a single one.
pub(super) fn lone(index: &Index) -> Option<LoopId> {
    match (&index.look_up, &index.affine.terms[..]) {
        (None, &[(id, 1)]) if index.affine.constant == 0 => Some(id),
        _ => None,
    }
}

/// The number of nodes at a depth; none if a number overflows.
fn nodes(shape: &[i64], splits: &[Option<Numbers<'_>>], depth: usize) -> Option<i64> {
    let mut count = 1i64;
    for axis in 0..depth {
        count = match &splits[axis] {
            Some(splits) => *splits.last()?,
            None => count.checked_mul(shape[axis])?,
        };
    }
    Some(count)
}
