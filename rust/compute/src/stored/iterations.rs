//! Numbers of iterations: loops that nobody would wait for are refused before they run.

use super::nest::Nest;
use super::ranges::{Length, Range, Ranges};
use super::spans::range;
use super::tensor::Tensor;
use crate::bound::LoopId;
use crate::infer::statement::{endless, MOST};
use crate::Error;

impl Nest {
    /// Checks that loops have no more points than can be waited for, at values of those before them.
    pub fn check_end(
        &self,
        tensors: &[Tensor<'_>],
        label: &str,
        free: &[LoopId],
        before: &[LoopId],
        values: &[i64],
    ) -> Result<(), Error> {
        let mut all: Vec<(&str, i64)> = Vec::new();
        for &id in free {
            if !matches!(self.ranges.ranges[id], Range::Is(_)) {
                let range = range(&self.ranges, tensors, id, values)?.max(1);
                all.push((&self.names[id], range));
            }
        }
        let row: Vec<String> = before.iter().map(|&id| values[id].to_string()).collect();
        let row = match &row[..] {
            [] => String::new(),
            row => format!(" in row {}", row.join(",")),
        };
        match endless(&all, label, &row) {
            Some(fault) => Err(Error::illegal(fault)),
            None => Ok(()),
        }
    }

    /// Whether loops may have more points than can be waited for, as far as is known before: rows are no longer than all of them together.
    pub fn may_be_endless(&self, tensors: &[Tensor<'_>], loops: &[LoopId]) -> bool {
        let mut points = 1i128;
        for &id in loops {
            let most = match &self.ranges.ranges[id] {
                Range::Fixed(range) => Some(*range),
                Range::Is(_) => Some(1),
                Range::Rows(bounds) => bounds.iter().find_map(|bound| match &bound.length {
                    Length::Row(path) if bound.is_lone() => tensors[path.tensor]
                        .rows()
                        .and_then(|rows| rows.splits[path.axis].as_ref()?.last().copied()),
                    _ => None,
                }),
            };
            let Some(most) = most else { return true };
            points = points.saturating_mul(i128::from(most.max(1)));
        }
        points > MOST
    }

    /// Checks the same of loops in order, as far as is known without going through them: where the ranges of others only grow with a loop, or only
    /// shrink, half of its values have at least as many points as the middle one.
    pub fn check_sum(
        &self,
        tensors: &[Tensor<'_>],
        label: &str,
        loops: &[LoopId],
        values: &mut [i64],
    ) -> Result<(), Error> {
        let mut points = 1i128;
        for (place, &id) in loops.iter().enumerate() {
            let (Some(slope), Ok(range)) = (
                self.ranges.slope(id, &loops[place + 1..]),
                range(&self.ranges, tensors, id, values),
            ) else {
                break;
            };
            if matches!(self.ranges.ranges[id], Range::Is(_)) {
                continue;
            }
            if range == 0 {
                break;
            }
            let (middle, count) = match slope {
                0 => (0, range),
                1.. => (range / 2, range - range / 2),
                _ => ((range - 1) / 2, (range - 1) / 2 + 1),
            };
            values[id] = middle;
            points = points.saturating_mul(i128::from(count));
            if points > MOST {
                let names: Vec<&str> = loops[..=place].iter().map(|&id| &*self.names[id]).collect();
                let names = names.join(", ");
                let fixed = loops[..=place]
                    .iter()
                    .map(|&id| match self.ranges.ranges[id] {
                        Range::Fixed(range) => Some((&*self.names[id], range)),
                        _ => None,
                    });
                let fixed: Option<Vec<(&str, i64)>> = fixed.collect();
                let fault = fixed.and_then(|fixed| endless(&fixed, label, ""));
                return Err(Error::illegal(fault.unwrap_or_else(|| {
                    format!("{label}: the loops {names} are more than 2^62 iterations")
                })));
            }
        }
        Ok(())
    }
}

/// Whether loops, of which none depends on another one, have too many points to wait for; the range of the first one is known.
pub(super) fn is_endless(
    ranges: &Ranges,
    tensors: &[Tensor<'_>],
    free: &[LoopId],
    first: i64,
    values: &[i64],
) -> Result<bool, Error> {
    let mut points = i128::from(first);
    for &id in free.iter().skip(1) {
        if matches!(ranges.ranges[id], Range::Is(_)) {
            continue;
        }
        // Also if nothing is inside, the loops around that run.
        let range = range(ranges, tensors, id, values)?.max(1);
        points = points.saturating_mul(i128::from(range));
    }
    Ok(points > MOST)
}
