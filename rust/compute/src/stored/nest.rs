//! The loop nest of a statement, and the walk over its points.

use super::block::{Block, BLOCK};
use super::leaf::Leaf;
use super::ranges::{self, Bound, Length, Range, Ranges};
use super::rows::Path;
use super::support::Support;
use super::tensor::{Form, Tensor};
use crate::bound::{Access, Affine, Index, LoopId};
use crate::infer::extent;
use crate::infer::statement::{endless, MOST};
use crate::Error;

/// The loops of a statement, and the points at which it runs.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub names: Vec<String>,
    pub ranges: Ranges,
    /// The points at which it runs.
    pub support: Support,
    /// The sparse reads of the support, and all others of the statement.
    pub reads: Vec<Access>,
    /// Whether it runs at the stored points alone, as `where stored` says: then those outside do not count as 0.
    pub alone: bool,
    /// The loops on the left side.
    pub kept: Vec<LoopId>,
}

/// A walk over the points of a nest.
pub(super) struct Walk<'w, 'a> {
    nest: &'w Nest,
    pub tensors: &'w [Tensor<'a>],
    /// The loops, outermost first.
    pub order: Vec<LoopId>,
    leaves: Vec<Leaf<'a>>,
    /// For each depth and leaf the level of that loop.
    levels: Vec<Vec<Option<usize>>>,
    /// Lengths of rows, on which no range depends: they are found for whole blocks.
    late: Vec<LoopId>,
    /// For each depth the loops from there on whose ranges depend on none of them.
    free: Vec<Vec<LoopId>>,
    label: &'w str,
}

/// Where a walk is.
struct State {
    values: Vec<i64>,
    /// For each depth and leaf the entries that have the loops so far.
    spans: Vec<Vec<(usize, usize)>>,
    block: Block,
}

/// No more values of a loop.
const END: i64 = i64::MAX;

impl<'w, 'a> Walk<'w, 'a> {
    /// A walk; points are few at a time, in the order of loops.
    pub fn new(
        nest: &'w Nest,
        tensors: &'w [Tensor<'a>],
        label: &'w str,
    ) -> Result<Walk<'w, 'a>, Error> {
        let (order, late) = order(nest, tensors);
        let mut places = vec![0; nest.names.len()];
        for (place, &id) in order.iter().enumerate() {
            places[id] = place;
        }
        let leaves = nest
            .reads
            .iter()
            .map(|access| {
                let points = tensors[access.tensor]
                    .points()
                    .ok_or_else(|| Error::illegal("a sparse read of what is not sparse"))?;
                Leaf::new(access, points, &|id| places[id], label)
            })
            .collect::<Result<Vec<Leaf<'a>>, Error>>()?;
        if nest.support == Support::All && !nest.ranges.are_empty() {
            nest.check_sum(tensors, label, &order, &mut vec![0; nest.names.len()])?;
        }
        let level = |&id: &LoopId| leaves.iter().map(|leaf| leaf.level(id)).collect();
        Ok(Walk {
            free: nest.ranges.free(&order),
            label,
            levels: order.iter().map(level).collect(),
            nest,
            tensors,
            order,
            leaves,
            late,
        })
    }

    /// Calls `sink` for blocks of points, in order, where the outermost loop is in a part of its range.
    pub fn run(
        &self,
        part: std::ops::Range<i64>,
        sink: &mut dyn FnMut(&Block) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sink = &mut |block: &mut Block| {
            self.nest.lengths(self.tensors, &self.late, block)?;
            sink(block)
        };
        let span = |leaf: &Leaf<'_>| (leaf.first, leaf.end);
        let first: Vec<(usize, usize)> = self.leaves.iter().map(span).collect();
        let mut state = State {
            values: vec![0; self.nest.names.len()],
            spans: vec![first; self.order.len() + 1],
            block: Block::new(self.nest.names.len(), self.leaves.len())?,
        };
        if self.nest.ranges.are_empty() {
            return Ok(());
        }
        if self.order.is_empty() {
            let stored = |leaf: usize| self.leaves[leaf].first < self.leaves[leaf].end;
            if self.nest.support.holds(&stored) {
                state.block.len = 1;
                for (leaf, entries) in self.leaves.iter().zip(state.block.entries.iter_mut()) {
                    entries[0] = if leaf.first < leaf.end {
                        leaf.entry(leaf.first)
                    } else {
                        -1
                    };
                }
            }
        } else {
            self.level(0, &part, &mut state, sink)?;
        }
        if state.block.len > 0 {
            sink(&mut state.block)?;
        }
        Ok(())
    }

    /// The range of the outermost loop.
    pub fn outermost(&self) -> Result<i64, Error> {
        match self.order.first() {
            Some(&id) => Ok(self.span(id, &vec![0; self.nest.names.len()])?.end),
            None => Ok(1),
        }
    }

    /// About how many points it has.
    pub fn points(&self) -> usize {
        let mut entries = Vec::new();
        self.nest.support.leaves(&mut entries);
        let entries = entries
            .iter()
            .map(|&leaf| self.leaves[leaf].end - self.leaves[leaf].first);
        let rows = self.nest.ranges.ranges.iter().map(|range| match range {
            Range::Fixed(range) => *range as usize,
            Range::Rows(bounds) => match &bounds[0].length {
                Length::Row(path) => self.tensors[path.tensor]
                    .rows()
                    .map_or(0, |rows| rows.count as usize),
                _ => 0,
            },
            Range::Is(_) => 0,
        });
        entries.chain(rows).max().unwrap_or(1)
    }

    /// The values of a loop at values of those on which it depends.
    pub fn span(&self, id: LoopId, values: &[i64]) -> Result<std::ops::Range<i64>, Error> {
        span(&self.nest.ranges, self.tensors, id, values)
    }

    fn level(
        &self,
        depth: usize,
        part: &std::ops::Range<i64>,
        state: &mut State,
        sink: &mut dyn FnMut(&mut Block) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let id = self.order[depth];
        let span = self.span(id, &state.values)?;
        let (mut value, end) = if depth == 0 {
            (span.start.max(part.start), span.end.min(part.end))
        } else {
            (span.start, span.end)
        };
        self.check_end(depth, span.end - span.start, state)?;
        let last = depth + 1 == self.order.len();
        if last {
            let here: Vec<usize> = (0..self.leaves.len())
                .filter(|&leaf| self.levels[depth][leaf].is_some())
                .collect();
            match self.reduced(&self.nest.support, depth, &state.spans[depth]) {
                Support::None => return Ok(()),
                Support::All if here.is_empty() => return self.push_run(value, end, state, sink),
                Support::Leaf(leaf) if here == [leaf] => {
                    return self.push_entries(leaf, depth, value, end, state, sink);
                }
                _ => {}
            }
        }
        // The place of each leaf in its span.
        let mut cursors: Vec<usize> = state.spans[depth].iter().map(|span| span.0).collect();
        while value < end {
            value = self.next(
                &self.nest.support,
                depth,
                &state.spans[depth],
                &cursors,
                value,
            );
            if value >= end {
                break;
            }
            state.values[id] = value;
            #[allow(clippy::needless_range_loop)]
            for leaf in 0..self.leaves.len() {
                let span = state.spans[depth][leaf];
                state.spans[depth + 1][leaf] = match self.levels[depth][leaf] {
                    Some(level) if span.0 < span.1 => {
                        let read = &self.leaves[leaf];
                        let from = read.seek(level, cursors[leaf], span.1, value);
                        let to = if from < span.1 && read.at(level, from) == value {
                            read.seek(level, from, span.1, value + 1)
                        } else {
                            from
                        };
                        cursors[leaf] = to;
                        (from, to)
                    }
                    _ => span,
                };
            }
            if last {
                let spans = &state.spans[depth + 1];
                if self
                    .nest
                    .support
                    .holds(&|leaf| spans[leaf].0 < spans[leaf].1)
                {
                    self.push_point(state, sink)?;
                }
            } else {
                self.level(depth + 1, part, state, sink)?;
            }
            value += 1;
        }
        Ok(())
    }

    /// Checks that the loops from a depth on end, where nothing but their ranges bounds them.
    fn check_end(&self, depth: usize, first: i64, state: &State) -> Result<(), Error> {
        let (ranges, values) = (&self.nest.ranges, &state.values);
        let free = &self.free[depth];
        if !is_endless(ranges, self.tensors, free, first, values)?
            || self.reduced(&self.nest.support, depth, &state.spans[depth]) != Support::All
        {
            return Ok(());
        }
        let before = &self.order[..depth];
        self.nest
            .check_end(self.tensors, self.label, free, before, values)
    }

    /// The support at a depth, where some reads have no entries left and others are bound already.
    fn reduced(&self, support: &Support, depth: usize, spans: &[(usize, usize)]) -> Support {
        match support {
            Support::None => Support::None,
            Support::All => Support::All,
            Support::Leaf(leaf) if spans[*leaf].0 >= spans[*leaf].1 => Support::None,
            Support::Leaf(leaf) if self.levels[depth][*leaf].is_none() => Support::All,
            Support::Leaf(leaf) => Support::Leaf(*leaf),
            Support::And(a, b) => self
                .reduced(a, depth, spans)
                .and(self.reduced(b, depth, spans)),
            Support::Or(a, b) => self
                .reduced(a, depth, spans)
                .or(self.reduced(b, depth, spans)),
        }
    }

    /// The least value of the loop from `value` on at which the support may hold.
    fn next(
        &self,
        support: &Support,
        depth: usize,
        spans: &[(usize, usize)],
        cursors: &[usize],
        value: i64,
    ) -> i64 {
        match support {
            Support::None => END,
            Support::All => value,
            Support::Leaf(leaf) => {
                let span = spans[*leaf];
                if span.0 >= span.1 {
                    return END;
                }
                let Some(level) = self.levels[depth][*leaf] else {
                    return value;
                };
                let read = &self.leaves[*leaf];
                // Cursors move with the points alone: parts of a support look further ahead than the whole.
                let at = read.seek(level, cursors[*leaf], span.1, value);
                if at < span.1 {
                    read.at(level, at)
                } else {
                    END
                }
            }
            Support::And(a, b) => {
                let mut value = value;
                loop {
                    let first = self.next(a, depth, spans, cursors, value);
                    if first == END {
                        return END;
                    }
                    let second = self.next(b, depth, spans, cursors, first);
                    if second == first || second == END {
                        return second;
                    }
                    value = second;
                }
            }
            Support::Or(a, b) => {
                let first = self.next(a, depth, spans, cursors, value);
                first.min(self.next(b, depth, spans, cursors, value))
            }
        }
    }

    /// Adds points that differ in the innermost loop, by an iteration over its values and the entries of one leaf.
    fn push(
        &self,
        count: usize,
        leaf: Option<usize>,
        depth: usize,
        state: &mut State,
        sink: &mut dyn FnMut(&mut Block) -> Result<(), Error>,
        point: &dyn Fn(usize) -> (i64, i64),
    ) -> Result<(), Error> {
        let inner = self.order[self.order.len() - 1];
        let mut done = 0;
        while done < count {
            let block = &mut state.block;
            let from = block.len;
            let some = (count - done).min(BLOCK - from);
            for &id in &self.order[..self.order.len() - 1] {
                block.loops[id][from..from + some].fill(state.values[id]);
            }
            for (number, entries) in block.entries.iter_mut().enumerate() {
                if Some(number) != leaf {
                    let span = state.spans[depth][number];
                    let entry = if span.0 < span.1 {
                        self.leaves[number].entry(span.0)
                    } else {
                        -1
                    };
                    entries[from..from + some].fill(entry);
                }
            }
            match leaf {
                None => {
                    for (n, to) in block.loops[inner][from..from + some].iter_mut().enumerate() {
                        *to = point(done + n).0;
                    }
                }
                Some(leaf) => {
                    let loops = block.loops[inner][from..from + some].iter_mut();
                    let entries = block.entries[leaf][from..from + some].iter_mut();
                    for (n, (value, entry)) in loops.zip(entries).enumerate() {
                        (*value, *entry) = point(done + n);
                    }
                }
            }
            block.len += some;
            done += some;
            if block.len == BLOCK {
                sink(block)?;
                block.len = 0;
            }
        }
        Ok(())
    }

    fn push_run(
        &self,
        from: i64,
        end: i64,
        state: &mut State,
        sink: &mut dyn FnMut(&mut Block) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let count = (end - from).max(0) as usize;
        let depth = self.order.len() - 1;
        self.push(count, None, depth, state, sink, &|n| (from + n as i64, 0))
    }

    fn push_entries(
        &self,
        leaf: usize,
        depth: usize,
        from: i64,
        end: i64,
        state: &mut State,
        sink: &mut dyn FnMut(&mut Block) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let read = &self.leaves[leaf];
        let Some(level) = self.levels[depth][leaf] else {
            return Ok(());
        };
        let span = state.spans[depth][leaf];
        let first = read.seek(level, span.0, span.1, from);
        // Mostly the whole span is inside.
        let last = match span.1.checked_sub(1) {
            Some(last) if last >= first && read.at(level, last) >= end => {
                read.seek(level, first, span.1, end)
            }
            _ => span.1,
        };
        self.push(
            last.saturating_sub(first),
            Some(leaf),
            depth,
            state,
            sink,
            &|n| (read.at(level, first + n), read.entry(first + n)),
        )
    }

    fn push_point(
        &self,
        state: &mut State,
        sink: &mut dyn FnMut(&mut Block) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let block = &mut state.block;
        let at = block.len;
        for &id in &self.order {
            block.loops[id][at] = state.values[id];
        }
        let spans = &state.spans[self.order.len()];
        for (number, entries) in block.entries.iter_mut().enumerate() {
            entries[at] = if spans[number].0 < spans[number].1 {
                self.leaves[number].entry(spans[number].0)
            } else {
                -1
            };
        }
        block.len += 1;
        if block.len == BLOCK {
            sink(block)?;
            block.len = 0;
        }
        Ok(())
    }
}

impl Nest {
    /// The values of lengths of rows at the points of a block, each after those on which it depends.
    pub fn lengths(
        &self,
        tensors: &[Tensor<'_>],
        which: &[LoopId],
        block: &mut Block,
    ) -> Result<(), Error> {
        for &id in which {
            let Range::Is(path) = &self.ranges.ranges[id] else {
                continue;
            };
            let mut values = vec![0; block.loops.count()];
            for at in 0..block.len {
                for (value, column) in values.iter_mut().zip(block.loops.iter()) {
                    *value = column[at];
                }
                block.loops[id][at] = row(tensors, path, &values)?;
            }
        }
        Ok(())
    }

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

    /// All lengths of rows, each after those on which it depends.
    pub fn all_lengths(&self) -> Vec<LoopId> {
        let ranges = self.ranges.ranges.iter().enumerate();
        ranges
            .filter(|(_, range)| matches!(range, Range::Is(_)))
            .map(|(id, _)| id)
            .collect()
    }
}

/// The order of the loops: what a range depends on first, then those of the sparse reads of the support by their axes, then the others.
fn order(nest: &Nest, tensors: &[Tensor<'_>]) -> (Vec<LoopId>, Vec<LoopId>) {
    let count = nest.names.len();
    let depends: Vec<Vec<LoopId>> = (0..count).map(|id| nest.ranges.depends(id)).collect();
    // Lengths of rows come as soon as they may, if ranges depend on them.
    let (early, late) = nest.all_lengths().into_iter().partition(|id| {
        let of_loop = |other: &usize| matches!(nest.ranges.ranges[*other], Range::Rows(_));
        (0..count)
            .filter(of_loop)
            .any(|other| depends[other].contains(id))
    });
    let late: Vec<LoopId> = late;
    let mut wanted: Vec<LoopId> = early;
    let mut add = |id: LoopId| {
        if !wanted.contains(&id) && !late.contains(&id) {
            wanted.push(id);
        }
    };
    let mut leaves = Vec::new();
    nest.support.leaves(&mut leaves);
    leaves.sort_by_key(|&leaf| {
        let points = tensors[nest.reads[leaf].tensor].points();
        std::cmp::Reverse(points.map_or(0, |points| points.count))
    });
    for leaf in leaves {
        for index in &nest.reads[leaf].indices {
            index.affine.terms.iter().for_each(|&(id, _)| add(id));
        }
    }
    // Rows before what is the same for all rows, which is innermost.
    let in_rows =
        |id: LoopId| !depends[id].is_empty() || depends.iter().any(|needs| needs.contains(&id));
    let kept = |id: &LoopId| nest.kept.contains(id);
    for of_rows in [true, false] {
        nest.kept
            .iter()
            .filter(|&&id| in_rows(id) == of_rows)
            .for_each(|&id| add(id));
        (0..count)
            .filter(|id| !kept(id) && in_rows(*id) == of_rows)
            .for_each(&mut add);
    }
    let mut order = Vec::new();
    while !wanted.is_empty() {
        let ready = wanted
            .iter()
            .position(|&id| depends[id].iter().all(|need| order.contains(need)));
        // A range never depends on itself: it was found after what it depends on.
        order.push(wanted.remove(ready.unwrap_or(0)));
    }
    (order, late)
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

/// The value of an affine form. Of the coefficients of a form nothing is known before, so that 64 bits would not do.
fn value_of(affine: &Affine, values: &[i64]) -> i128 {
    let terms = affine.terms.iter();
    terms
        .map(|&(id, coefficient)| i128::from(values[id]) * i128::from(coefficient))
        .fold(i128::from(affine.constant), i128::saturating_add)
}

/// The length of a row.
pub(super) fn row(tensors: &[Tensor<'_>], path: &Path, values: &[i64]) -> Result<i64, Error> {
    let tensor = &tensors[path.tensor];
    let Form::Ragged(rows) = &tensor.form else {
        return Ok(tensor.shape().get(path.axis).copied().unwrap_or(0));
    };
    if rows.splits[path.axis].is_none() {
        return Ok(rows.shape[path.axis]);
    }
    let mut node = 0;
    for (axis, index) in path.before.iter().enumerate() {
        let at = index_value(tensors, index, values)?;
        let length = rows.length(axis, node);
        let Some(index) = inside(at, length) else {
            return Err(Error::outside(format!(
                "{}: {} axis {axis} of length {length} would be read at {at}",
                path.label, path.name
            )));
        };
        node = rows.child(axis, node, index);
    }
    Ok(rows.length(path.axis, node))
}

/// The value of an index.
fn index_value(tensors: &[Tensor<'_>], index: &Index, values: &[i64]) -> Result<i128, Error> {
    let mut value = value_of(&index.affine, values);
    if let Some(access) = &index.look_up {
        value = value.saturating_add(i128::from(integer(tensors, access, values)?));
    }
    Ok(value)
}

/// An index, if it is inside of an axis.
fn inside(at: i128, length: i64) -> Option<i64> {
    let at = i64::try_from(at).ok();
    at.filter(|at| (0..length).contains(at))
}

/// An element of a tensor of integers.
fn integer(tensors: &[Tensor<'_>], access: &Access, values: &[i64]) -> Result<i64, Error> {
    let tensor = &tensors[access.tensor];
    let mut position = 0i64;
    for (axis, index) in access.indices.iter().enumerate() {
        let at = index_value(tensors, index, values)?;
        let length = match &tensor.form {
            Form::Dense { shape, .. } => shape[axis],
            Form::Ragged(rows) => rows.length(axis, position),
            _ => 0,
        };
        let Some(index) = inside(at, length) else {
            return Err(Error::outside(format!(
                "a look-up at {at} of axis {axis} of length {length}, on which a range depends"
            )));
        };
        position = match &tensor.form {
            Form::Dense { strides, .. } => position + index * strides[axis],
            Form::Ragged(rows) => rows.child(axis, position, index),
            _ => 0,
        };
    }
    if let Form::Ragged(rows) = &tensor.form {
        if position as u64 >= rows.count as u64 {
            return Err(Error::illegal("row splits that are none"));
        }
    }
    // SAFETY: all indices are inside, so this is the position of an element.
    Ok(unsafe { tensor.integer(position) })
}
