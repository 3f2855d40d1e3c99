//! Ranges of loops as a statement runs, at values of the loops on which they depend.

use super::ranges::{self, Bound, Length, Range, Ranges};
use super::rows::{row, value_of};
use super::tensor::Tensor;
use crate::bound::LoopId;
use crate::infer::extent;
use crate::Error;

/// The values of a loop, as far as they are found fast.
pub(super) enum Span<'s> {
    /// The same everywhere.
    Fixed(i64),
    /// A row of a matrix, or of several that have equal ones: its row splits, and the loop over the rows.
    Row(&'s [i64], LoopId),
    /// Found by [`span`].
    Other,
}

impl<'s> Span<'s> {
    pub fn new(ranges: &'s Ranges, tensors: &'s [Tensor<'_>], id: LoopId) -> Span<'s> {
        let bounds = match &ranges.ranges[id] {
            Range::Fixed(range) => return Span::Fixed(*range),
            Range::Rows(bounds) => bounds,
            Range::Is(_) => return Span::Other,
        };
        let mut rows = bounds.iter().map(|bound| row_of(ranges, tensors, bound));
        let Some(Some((splits, of))) = rows.next() else {
            return Span::Other;
        };
        let same = |row: Option<(&[i64], LoopId)>| matches!(row, Some((other, id)) if id == of && (std::ptr::eq(other, splits) || other == splits));
        match rows.all(same) {
            true => Span::Row(splits, of),
            false => Span::Other,
        }
    }

    /// The values at values of other loops; none if they are to be found by [`span`].
    pub fn at(&self, values: &[i64]) -> Option<std::ops::Range<i64>> {
        match self {
            Span::Fixed(range) => Some(0..*range),
            Span::Row(splits, of) => {
                let row = values[*of] as usize;
                let (first, end) = (splits.get(row)?, splits.get(row.wrapping_add(1))?);
                Some(0..end.saturating_sub(*first).max(0))
            }
            Span::Other => None,
        }
    }
}

/// The row splits whose row a bound is, and the loop over the rows.
fn row_of<'s>(
    ranges: &'s Ranges,
    tensors: &'s [Tensor<'_>],
    bound: &'s Bound,
) -> Option<(&'s [i64], LoopId)> {
    let path = match &bound.length {
        Length::Row(path) if bound.is_lone() => path,
        Length::Affine(formula) => match (formula.affine.constant, &formula.affine.terms[..]) {
            (0, &[(id, 1)]) => match &ranges.ranges[id] {
                Range::Is(path) => path,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let [before] = &path.before[..] else {
        return None;
    };
    let splits = tensors[path.tensor].rows()?.splits[path.axis].as_deref()?;
    Some((splits, super::shape::lone(before)?))
}

/// The values of a loop at values of those on which it depends.
pub(super) fn span(
    ranges: &Ranges,
    tensors: &[Tensor<'_>],
    id: LoopId,
    values: &[i64],
) -> Result<std::ops::Range<i64>, Error> {
    let range = range(ranges, tensors, id, values)?;
    Ok(match &ranges.ranges[id] {
        Range::Is(_) => range..range.saturating_add(1),
        _ => 0..range,
    })
}

/// The range of a loop at values of those on which it depends.
pub(super) fn range(
    ranges: &Ranges,
    tensors: &[Tensor<'_>],
    id: LoopId,
    values: &[i64],
) -> Result<i64, Error> {
    range_of(ranges, tensors, id, values, &mut Vec::new())
}

/// The same; `known` has the ranges that were found on the way, since many bounds may depend on one.
fn range_of(
    ranges: &Ranges,
    tensors: &[Tensor<'_>],
    id: LoopId,
    values: &[i64],
    known: &mut Vec<(LoopId, i64)>,
) -> Result<i64, Error> {
    match &ranges.ranges[id] {
        Range::Fixed(range) => Ok(*range),
        Range::Rows(bounds) => {
            let mut least = i64::MAX;
            for bound in bounds {
                least = least.min(bounded(ranges, tensors, bound, values, known)?);
            }
            Ok(least)
        }
        Range::Is(path) => row(tensors, path, values),
    }
}

fn bounded(
    ranges: &Ranges,
    tensors: &[Tensor<'_>],
    bound: &Bound,
    values: &[i64],
    known: &mut Vec<(LoopId, i64)>,
) -> Result<i64, Error> {
    let length = length(tensors, &bound.length, values)?;
    if matches!(bound.length, Length::Affine(_)) {
        return Ok(length.max(0));
    }
    let mut others = (i128::from(bound.constant), i128::from(bound.constant));
    for &(coefficient, id) in &bound.others {
        let range = match known.iter().find(|&&(of, _)| of == id) {
            Some(&(_, range)) => range,
            None => {
                let range = range_of(ranges, tensors, id, values, known)?;
                known.push((id, range));
                range
            }
        };
        extent::add(&mut others, coefficient, range);
    }
    Ok(ranges::most(length, bound.coefficient, others))
}

/// A length at values of the loops on which it depends.
pub(super) fn length(
    tensors: &[Tensor<'_>],
    length: &Length,
    values: &[i64],
) -> Result<i64, Error> {
    match length {
        Length::Number(length) => Ok(*length),
        Length::Affine(formula) => {
            let value = value_of(&formula.affine, values);
            i64::try_from(value).map_err(|_| {
                let terms = formula.affine.terms.iter();
                let row: Vec<String> = terms.map(|&(id, _)| values[id].to_string()).collect();
                let (label, name) = (&formula.label, &formula.name);
                let row = row.join(",");
                Error::illegal(format!(
                    "{label}: the range of {name} is {value} in row {row}, which does not fit INT64"
                ))
            })
        }
        Length::Row(path) => row(tensors, path, values),
    }
}
