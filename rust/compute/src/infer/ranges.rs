//! Inference of the ranges of loops, by iteration over the reads of a statement to a fixed point.

use super::access::Axis;
use super::extent;
use super::loops::Loops;
use crate::ast::Index;
use crate::names::display;

/// The ranges of a statement's loops; those given by `where` are known already.
pub(super) struct Ranges<'a> {
    pub loops: &'a Loops,
    pub ranges: Vec<Option<i64>>,
    pub fixed: Vec<bool>,
}

impl Ranges<'_> {
    /// Infers ranges from reads, then from the shape of the target, until nothing changes.
    pub fn find(&mut self, reads: &[Axis<'_>], left: &[Index], pinned: Option<&[i64]>) {
        loop {
            let unguarded = reads
                .iter()
                .filter(|read| read.bounds)
                .map(|read| (read.index, read.length));
            if self.round(unguarded) {
                continue;
            }
            let sizes = pinned.unwrap_or_default().iter().copied();
            if !self.round(left.iter().zip(sizes)) {
                return;
            }
        }
    }

    /// One iteration: every access with a single unknown loop bounds its range, and the lowest bound is taken. Returns
    /// whether any range was determined.
    fn round<'b>(&mut self, accesses: impl Iterator<Item = (&'b Index, i64)>) -> bool {
        let mut bounds: Vec<Option<i64>> = vec![None; self.ranges.len()];
        for (index, length) in accesses {
            if let Some((id, bound)) = self.bound(index, length) {
                bounds[id] = Some(bounds[id].map_or(bound, |least| least.min(bound)));
            }
        }
        let mut found = false;
        for (range, bound) in self.ranges.iter_mut().zip(bounds) {
            if let Some(bound) = bound {
                *range = Some(bound);
                found = true;
            }
        }
        found
    }

    /// The single unknown loop of an access, and its largest range for which the access stays within bounds.
    fn bound(&self, index: &Index, length: i64) -> Option<(usize, i64)> {
        if index.look_up.is_some() || !index.lengths.is_empty() {
            return None;
        }
        let mut open = None;
        let mut others = (i128::from(index.constant), i128::from(index.constant));
        for (coefficient, name) in &index.terms {
            let id = self.loops.id(name);
            match self.ranges[id] {
                Some(range) => extent::add(&mut others, *coefficient, range),
                None if open.is_some() => return None,
                None => open = Some((id, i128::from(*coefficient))),
            }
        }
        let (id, coefficient) = open?;
        // The largest offset that the loop may add: to the last position, or back to the first.
        let room = if coefficient > 0 {
            i128::from(length) - 1 - others.1
        } else {
            others.0
        };
        let range = room.div_euclid(coefficient.abs()).saturating_add(1);
        Some((id, range.clamp(0, i128::from(i64::MAX)) as i64))
    }

    /// The faults: conflicts between reads and the target, and undetermined ranges.
    pub fn faults(
        &self,
        label: &str,
        target: &str,
        reads: &[Axis<'_>],
        left: &[Index],
        pinned: Option<&[i64]>,
    ) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, name) in self.loops.names.iter().enumerate() {
            let Some(range) = self.ranges[id] else {
                let is_guarded = |read: &Axis<'_>| {
                    read.guarded && read.index.terms.iter().any(|(_, other)| other == name)
                };
                let why = if reads.iter().any(is_guarded) {
                    format!(": reads inside a guard give none; give it by where {name} in 0:...")
                } else {
                    String::new()
                };
                faults.push(format!(
                    "{label}: nothing determines the range of {name}{why}"
                ));
                continue;
            };
            if self.fixed[id] {
                continue;
            }
            let is_alone = |index: &Index| index.lone() == Some(name);
            let mut alone = reads
                .iter()
                .filter(|read| read.bounds && is_alone(read.index));
            let first = alone.next();
            if let Some(first) = first {
                let by = format!(
                    "index {name} is {} by {} axis {}",
                    first.length,
                    display(first.tensor),
                    first.axis
                );
                for other in alone.filter(|other| other.length != first.length) {
                    let fault = format!(
                        "{label}: {by} and {} by {} axis {}",
                        other.length,
                        display(other.tensor),
                        other.axis
                    );
                    if !faults.contains(&fault) {
                        faults.push(fault);
                    }
                }
            }
            for (axis, &size) in pinned.unwrap_or_default().iter().enumerate() {
                if is_alone(&left[axis]) && size != range {
                    let by = match first.filter(|first| first.length == range) {
                        Some(first) => format!(" by {} axis {}", display(first.tensor), first.axis),
                        None => String::new(),
                    };
                    faults.push(format!(
                        "{label}: index {name} is {range}{by} and {size} by {target} axis {axis}"
                    ));
                }
            }
        }
        faults
    }
}
