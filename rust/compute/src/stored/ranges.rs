//! The ranges of a statement's loops, of which some depend on other loops, row by row.

use std::collections::HashSet;

use super::lengths::RowLength;
use super::rows::Path;
use crate::ast::{Assign, Extent};
use crate::bound::{Affine, LoopId};
use crate::infer::access::{look_up_faults, Axis};
use crate::infer::context::Context;
use crate::infer::extent;
use crate::infer::loops::Loops;
use crate::infer::sizes;
use crate::infer::Environment;
use crate::names::display;

/// The range of a loop.
#[derive(Clone, Debug)]
pub(super) enum Range {
    /// The same everywhere.
    Fixed(i64),
    /// The least of bounds that depend on other loops.
    Rows(Vec<Bound>),
    /// The length of a row is the only value.
    Is(Path),
}

/// A bound of a range: an access stays inside of its axis.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub length: Length,
    pub constant: i64,
    pub coefficient: i64,
    /// The other loops of the index, which count by their own ranges.
    pub others: Vec<(i64, LoopId)>,
}

/// The length of an axis.
#[derive(Clone, Debug)]
pub(super) enum Length {
    Number(i64),
    /// That of a row.
    Row(Path),
    /// The range itself, from `where`; a negative one counts as 0.
    Affine(Formula),
}

/// The range of a loop in terms of others.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    /// The statement and the loop, for messages.
    pub label: String,
    pub name: String,
    pub affine: Affine,
}

/// A lone use of a loop as the index of an axis: all agree, row by row.
#[derive(Clone, Debug)]
pub(super) struct Lone {
    pub loop_id: LoopId,
    pub length: Length,
    /// The tensor and the axis, for messages.
    pub name: String,
    pub axis: usize,
}

/// The ranges of loops, and the uses that must agree with them.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    pub ranges: Vec<Range>,
    pub lones: Vec<Lone>,
}

impl Bound {
    /// Whether the loop stands alone as an index.
    pub fn is_lone(&self) -> bool {
        self.coefficient == 1 && self.constant == 0 && self.others.is_empty()
    }

    /// The loops on which it depends.
    pub fn needs(&self, found: &mut Vec<LoopId>) {
        self.length.needs(found);
        found.extend(self.others.iter().map(|&(_, id)| id));
    }
}

impl Length {
    /// The loops on which it depends.
    pub fn needs(&self, found: &mut Vec<LoopId>) {
        match self {
            Length::Number(_) => {}
            Length::Row(path) => path.loops(found),
            Length::Affine(formula) => {
                found.extend(formula.affine.terms.iter().map(|&(id, _)| id));
            }
        }
    }
}

impl Range {
    /// The loops on which it depends, directly.
    pub fn needs(&self) -> Vec<LoopId> {
        let mut needs = Vec::new();
        match self {
            Range::Fixed(_) => {}
            Range::Rows(bounds) => bounds.iter().for_each(|bound| bound.needs(&mut needs)),
            Range::Is(path) => path.loops(&mut needs),
        }
        needs.sort_unstable();
        needs.dedup();
        needs
    }
}

impl Ranges {
    /// Whether some loop never runs.
    pub fn are_empty(&self) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|range| matches!(range, Range::Fixed(0)))
    }

    /// For each place in an order of loops those from there on whose ranges depend on none of these: their points are the product of their ranges.
    pub fn free(&self, order: &[LoopId]) -> Vec<Vec<LoopId>> {
        let depends: Vec<Vec<LoopId>> = order.iter().map(|&id| self.depends(id)).collect();
        let free = |from: usize| {
            let of_none = |at: &usize| !depends[*at].iter().any(|id| order[from..].contains(id));
            let free = (from..order.len()).filter(of_none);
            free.map(|at| order[at]).collect()
        };
        (0..order.len()).map(free).collect()
    }

    /// Whether the ranges of other loops only grow with a loop: 1, only shrink: -1, or do not depend on it themselves: 0. None if that is not known.
    pub fn slope(&self, id: LoopId, others: &[LoopId]) -> Option<i64> {
        let mut slope = 0;
        for &other in others {
            let range = &self.ranges[other];
            if !range.needs().contains(&id) {
                continue;
            }
            let Range::Rows(bounds) = range else {
                return None;
            };
            for bound in bounds {
                let Length::Affine(formula) = &bound.length else {
                    return None;
                };
                let mut terms = formula.affine.terms.iter();
                let sign = terms
                    .find(|term| term.0 == id)
                    .map_or(0, |term| term.1.signum());
                if slope * sign < 0 {
                    return None;
                }
                slope = if sign == 0 { slope } else { sign };
            }
        }
        Some(slope)
    }

    /// All loops on which a loop's range depends.
    pub fn depends(&self, id: LoopId) -> Vec<LoopId> {
        let mut all = self.ranges[id].needs();
        let mut at = 0;
        while at < all.len() {
            for need in self.ranges[all[at]].needs() {
                if !all.contains(&need) {
                    all.push(need);
                }
            }
            at += 1;
        }
        all
    }
}

/// The ranges of a statement; `pinned` is the shape of its target, with -1 for a ragged axis.
pub(super) fn find(
    environment: &mut Environment,
    assign: &Assign,
    loops: &Loops,
    label: &str,
    reads: &[Axis<'_>],
    pinned: Option<&[i64]>,
    lengths: &[RowLength],
) -> Result<Ranges, Vec<String>> {
    let count = loops.names.len();
    let mut finder = Finder {
        loops,
        ranges: vec![None; count],
        fixed: vec![false; count],
        label,
    };
    let mut faults = Vec::new();
    for length in lengths {
        let id = loops.id(&length.name);
        finder.fixed[id] = true;
        match length.path(environment, loops, label) {
            Ok(path) => finder.ranges[id] = Some(Range::Is(path)),
            Err(found) => faults.extend(found),
        }
    }
    for (name, extent) in &assign.ranges {
        let id = loops.id(name);
        finder.fixed[id] = true;
        match finder.given(environment, name, extent) {
            Ok(range) => finder.ranges[id] = Some(range),
            Err(fault) => faults.push(format!("{label}: {fault}")),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    loop {
        let unguarded = reads
            .iter()
            .filter(|read| !read.guarded)
            .map(|read| (read.index, read.length, Some(read)));
        if finder.round(environment, unguarded, reads)? {
            continue;
        }
        let sizes = pinned.unwrap_or_default().iter().copied();
        let left = assign.left.iter().zip(sizes);
        let left = left
            .filter(|&(_, length)| length >= 0)
            .map(|(index, length)| (index, length, None));
        if !finder.round(environment, left, reads)? {
            break;
        }
    }
    for (id, name) in loops.names.iter().enumerate() {
        if finder.ranges[id].is_none() {
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
        }
    }
    let Finder { ranges, fixed, .. } = finder;
    let Some(ranges) = ranges.into_iter().collect::<Option<Vec<Range>>>() else {
        return Err(faults);
    };
    let cyclic = Ranges {
        ranges: ranges.clone(),
        lones: Vec::new(),
    };
    for id in (0..loops.count).filter(|&id| cyclic.depends(id).contains(&id)) {
        faults.push(format!(
            "{label}: the range of {} depends on itself",
            loops.names[id]
        ));
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut lones = Vec::new();
    for read in reads.iter().filter(|read| !read.guarded) {
        let Some(name) = read.index.lone() else {
            continue;
        };
        let loop_id = loops.id(name);
        if fixed[loop_id] {
            continue;
        }
        let length = length(environment, loops, label, read)?;
        // Of a row that the loop itself selects nothing is known before.
        let mut needs = Vec::new();
        length.needs(&mut needs);
        if needs.contains(&loop_id) {
            continue;
        }
        lones.push(Lone {
            loop_id,
            length,
            name: display(read.tensor).to_owned(),
            axis: read.axis,
        });
    }
    let found = Ranges { ranges, lones };
    faults.extend(found.faults(loops, label));
    if faults.is_empty() {
        Ok(found)
    } else {
        Err(faults)
    }
}

/// The length of the axis of a read.
fn length(
    environment: &mut Environment,
    loops: &Loops,
    label: &str,
    read: &Axis<'_>,
) -> Result<Length, Vec<String>> {
    if read.length >= 0 {
        return Ok(Length::Number(read.length));
    }
    Ok(Length::Row(path(environment, loops, label, read)?))
}

/// The way to the row of a ragged axis.
pub(super) fn path(
    environment: &mut Environment,
    loops: &Loops,
    label: &str,
    read: &Axis<'_>,
) -> Result<Path, Vec<String>> {
    let tensor = environment.tensor(read.tensor).unwrap_or(0);
    let ones = vec![1; loops.names.len()];
    let mut context = Context {
        environment,
        loops,
        ranges: &ones,
        label,
        guards: Vec::new(),
        guarded: true,
        faults: Vec::new(),
    };
    let before = &read.access.indices[..read.axis];
    context.faults = look_up_faults(context.environment, before, label);
    if !context.faults.is_empty() {
        return Err(context.faults);
    }
    let before = before
        .iter()
        .map(|index| context.index(index, None))
        .collect();
    if context.faults.is_empty() {
        Ok(Path {
            tensor,
            label: label.to_owned(),
            name: display(read.tensor).to_owned(),
            axis: read.axis,
            before,
        })
    } else {
        Err(context.faults)
    }
}

impl Ranges {
    /// Conflicts that need no look at any row: lengths that are numbers, uses that depend on different loops.
    fn faults(&self, loops: &Loops, label: &str) -> Vec<String> {
        let mut faults = Vec::new();
        for (id, name) in loops.names.iter().enumerate() {
            let uses: Vec<&Lone> = self
                .lones
                .iter()
                .filter(|lone| lone.loop_id == id)
                .collect();
            let mut numbers = uses.iter().filter_map(|lone| match lone.length {
                Length::Number(length) => Some((length, lone)),
                _ => None,
            });
            if let Some((first, by)) = numbers.next() {
                for (other, by_other) in numbers.filter(|(other, _)| *other != first) {
                    faults.push(format!(
                        "{label}: index {name} is {first} by {} axis {} and {other} by {} axis {}",
                        by.name, by.axis, by_other.name, by_other.axis
                    ));
                }
            }
            // What one use depends on contains what the other does.
            let depends = |lone: &Lone| {
                let mut needs = Vec::new();
                lone.length.needs(&mut needs);
                needs.sort_unstable();
                needs.dedup();
                needs
            };
            // Uses that depend on the same loops, as those of the same rows in a long sum do, count once.
            let mut seen = HashSet::new();
            let mut distinct: Vec<(Vec<LoopId>, &Lone)> = Vec::new();
            for lone in uses {
                let a = depends(lone);
                if !seen.insert(a.clone()) {
                    continue;
                }
                for (b, other) in &distinct {
                    let within = |a: &[LoopId], b: &[LoopId]| a.iter().all(|id| b.contains(id));
                    if !within(&a, b) && !within(b, &a) {
                        faults.push(format!(
                            "{label}: the range of {name} depends on {} by {} axis {} and on {} by {} axis {}; give it by where {name} in 0:...",
                            list(loops, b), other.name, other.axis, list(loops, &a), lone.name, lone.axis
                        ));
                    }
                }
                distinct.push((a, lone));
            }
        }
        faults.dedup();
        faults
    }
}

fn list(loops: &Loops, ids: &[LoopId]) -> String {
    let names: Vec<&str> = ids.iter().map(|&id| &*loops.names[id]).collect();
    names.join(", ")
}

struct Finder<'a> {
    loops: &'a Loops,
    ranges: Vec<Option<Range>>,
    fixed: Vec<bool>,
    label: &'a str,
}

impl Finder<'_> {
    /// A range of `where`.
    fn given(
        &self,
        environment: &Environment,
        name: &str,
        extent: &Extent,
    ) -> Result<Range, String> {
        match extent {
            Extent::Sum(sum) if !sum.terms.is_empty() => {
                let of_size = |(_, length): &(i64, Extent)| sizes::value(environment, length).err();
                if let Some(fault) = sum.lengths.iter().find_map(of_size) {
                    return Err(fault);
                }
                Ok(Range::Rows(vec![Bound {
                    length: Length::Affine(Formula {
                        label: self.label.to_owned(),
                        name: name.to_owned(),
                        affine: self.loops.affine(environment, sum),
                    }),
                    constant: 0,
                    coefficient: 1,
                    others: Vec::new(),
                }]))
            }
            _ => sizes::value(environment, extent).map(|range| Range::Fixed(range.max(0))),
        }
    }

    /// One round: every access with a single open loop bounds it. A loop at a ragged axis waits until all that it depends on is known, as long as
    /// anything else is found.
    fn round<'b>(
        &mut self,
        environment: &mut Environment,
        accesses: impl Iterator<Item = (&'b crate::ast::Index, i64, Option<&'b Axis<'b>>)>,
        reads: &[Axis<'_>],
    ) -> Result<bool, Vec<String>> {
        let mut bounds: Vec<Vec<Bound>> = vec![Vec::new(); self.ranges.len()];
        for (index, length, read) in accesses {
            let Some((id, coefficient)) = self.open(index) else {
                continue;
            };
            let length = match read {
                Some(read) if length < 0 => {
                    if !self.is_ready(read) {
                        continue;
                    }
                    Length::Row(path(environment, self.loops, self.label, read)?)
                }
                _ => Length::Number(length),
            };
            let affine = self.loops.affine(environment, index);
            let others = affine.terms.iter().filter(|&&(other, _)| other != id);
            bounds[id].push(Bound {
                length,
                constant: affine.constant,
                coefficient,
                others: others
                    .map(|&(other, coefficient)| (coefficient, other))
                    .collect(),
            });
        }
        let waits: Vec<bool> = (0..bounds.len()).map(|id| self.waits(id, reads)).collect();
        let mut found = false;
        for deferred in [false, true] {
            if found {
                break;
            }
            for (id, bounds) in bounds.iter_mut().enumerate() {
                if bounds.is_empty() || waits[id] != deferred {
                    continue;
                }
                let bounds = std::mem::take(bounds);
                self.ranges[id] = Some(self.range(bounds));
                found = true;
            }
        }
        Ok(found)
    }

    /// A range of bounds: a number if none of them depends on loops.
    fn range(&self, bounds: Vec<Bound>) -> Range {
        let mut least: Option<i64> = None;
        for bound in &bounds {
            let (Length::Number(length), Some(others)) = (&bound.length, self.others(bound)) else {
                return Range::Rows(bounds);
            };
            let range = most(*length, bound.coefficient, others);
            least = Some(least.map_or(range, |least| least.min(range)));
        }
        Range::Fixed(least.unwrap_or(0))
    }

    /// The least and the greatest value of what a bound's loop is added to; none if that depends on loops.
    fn others(&self, bound: &Bound) -> Option<(i128, i128)> {
        let mut others = (i128::from(bound.constant), i128::from(bound.constant));
        for &(coefficient, id) in &bound.others {
            match &self.ranges[id] {
                Some(Range::Fixed(range)) => extent::add(&mut others, coefficient, *range),
                _ => return None,
            }
        }
        Some(others)
    }

    /// The only open loop of an index, and its coefficient.
    fn open(&self, index: &crate::ast::Index) -> Option<(LoopId, i64)> {
        let of_row = |(_, name): &(i64, String)| self.loops.is_length(self.loops.id(name));
        if index.look_up.is_some() || !index.lengths.is_empty() || index.terms.iter().any(of_row) {
            return None;
        }
        let mut open = index
            .terms
            .iter()
            .map(|(coefficient, name)| (self.loops.id(name), *coefficient))
            .filter(|&(id, _)| self.ranges[id].is_none());
        let first = open.next()?;
        open.next().is_none().then_some(first)
    }

    /// Whether all loops in the indices before a ragged axis are known.
    fn is_ready(&self, read: &Axis<'_>) -> bool {
        let mut ready = true;
        for index in &read.access.indices[..read.axis] {
            index.visit(&mut |index| {
                for (_, name) in &index.terms {
                    ready &= self.ranges[self.loops.id(name)].is_some();
                }
            });
        }
        ready
    }

    /// Whether a ragged axis would bound a loop, if more were known.
    fn waits(&self, id: LoopId, reads: &[Axis<'_>]) -> bool {
        let name = &self.loops.names[id];
        reads.iter().any(|read| {
            !read.guarded
                && read.length < 0
                && read.index.look_up.is_none()
                && read.index.terms.iter().any(|(_, other)| other == name)
                && !self.is_ready(read)
        })
    }
}

/// The largest range for which an access stays inside.
pub(super) fn most(length: i64, coefficient: i64, others: (i128, i128)) -> i64 {
    let room = if coefficient > 0 {
        i128::from(length) - 1 - others.1
    } else {
        others.0
    };
    let range = room
        .div_euclid(i128::from(coefficient).abs())
        .saturating_add(1);
    range.clamp(0, i128::from(i64::MAX)) as i64
}
