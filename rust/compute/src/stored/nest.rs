//! The loop nest of a statement, and the walk over its points.

use std::sync::atomic::{AtomicU64, Ordering};

use super::block::{Block, BLOCK};
use super::iterations::is_endless;
use super::leaf::Leaf;
use super::order::order;
use super::ranges::{Length, Range, Ranges};
use super::rows::row;
use super::runs::{Kind, Runs};
use super::spans::Span;
use super::support::Support;
use super::tensor::Tensor;
use crate::bound::{Access, LoopId};
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
    depths: Vec<Depth<'w>>,
    /// What the innermost loop goes through.
    pub kind: Kind,
    /// Lengths of rows, on which no range depends: they are found for whole blocks.
    late: Vec<LoopId>,
    /// For each depth the loops from there on whose ranges depend on none of them.
    free: Vec<Vec<LoopId>>,
    label: &'w str,
    /// How many points it has come to.
    visited: AtomicU64,
}

/// What is known of a depth before.
struct Depth<'w> {
    /// The values of the loop.
    span: Span<'w>,
    /// The support is stored in all of its reads, and of these, and all others, so many have a level here: none, or one.
    led: Led,
    /// Whether the loops from here on may have too many points.
    may_be_endless: bool,
}

/// What leads a loop.
#[derive(Clone, Copy)]
enum Led {
    /// Nothing: it goes through its range.
    Range,
    /// The entries of a read, at this level.
    Entries(usize, usize),
    /// Several reads, or some of which it does not need all.
    Any,
}

/// Where a walk is, and the runs that it has come to.
pub(super) struct State<'w, 'a> {
    values: Vec<i64>,
    /// For each depth and leaf the entries that have the loops so far.
    spans: Vec<Vec<(usize, usize)>>,
    runs: Runs<'w, 'a>,
    /// The most points at a time.
    limit: usize,
}

/// Takes runs of points.
pub(super) type Sink<'s> = dyn FnMut(&Runs<'_, '_>) -> Result<(), Error> + 's;

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
        let mut leaves = leaves;
        for leaf in &mut leaves {
            // Of those that do not lead the outermost loop rows are looked up again and again.
            let first = leaf.loops.first().copied();
            if let Some(Range::Fixed(length)) = first
                .filter(|first| order.first() != Some(first))
                .map(|first| &nest.ranges.ranges[first])
            {
                leaf.index(*length, label)?;
            }
        }
        let level = |&id: &LoopId| leaves.iter().map(|leaf| leaf.level(id)).collect();
        let levels: Vec<Vec<Option<usize>>> = order.iter().map(level).collect();
        let mut needed = Vec::new();
        let conjunction = nest.support.conjunction(&mut needed);
        let depths: Vec<Depth<'w>> = order
            .iter()
            .enumerate()
            .map(|(depth, &id)| {
                let mut here = levels[depth].iter().enumerate();
                let first = here.find_map(|(leaf, level)| Some((leaf, (*level)?)));
                let more = here.any(|(_, level)| level.is_some());
                Depth {
                    span: Span::new(&nest.ranges, tensors, id),
                    led: match first {
                        None if conjunction => Led::Range,
                        Some((leaf, level)) if conjunction && !more && needed.contains(&leaf) => {
                            Led::Entries(leaf, level)
                        }
                        _ => Led::Any,
                    },
                    may_be_endless: nest.may_be_endless(tensors, &order[depth..]),
                }
            })
            .collect();
        let in_runs = |inner: &LoopId| {
            late.iter()
                .all(|&id| !nest.ranges.depends(id).contains(inner))
        };
        let kind = match (depths.last(), order.last()) {
            (Some(depth), Some(inner)) if in_runs(inner) => match depth.led {
                Led::Range => Kind::Range,
                Led::Entries(leaf, _) => Kind::Entries(leaf),
                Led::Any => Kind::Points,
            },
            _ => Kind::Points,
        };
        Ok(Walk {
            free: nest.ranges.free(&order),
            label,
            levels,
            depths,
            kind,
            nest,
            tensors,
            order,
            leaves,
            late,
            visited: AtomicU64::new(0),
        })
    }

    /// A walk at its beginning, which comes to at most so many points at a time, and at most [`BLOCK`] runs.
    pub fn state(&self, limit: usize) -> Result<State<'_, 'a>, Error> {
        let span = |leaf: &Leaf<'_>| (leaf.first, leaf.end);
        let first: Vec<(usize, usize)> = self.leaves.iter().map(span).collect();
        let leaf = match (self.kind, self.depths.last()) {
            (Kind::Entries(leaf), Some(depth)) => match depth.led {
                Led::Entries(_, level) => Some((&self.leaves[leaf], level)),
                _ => None,
            },
            _ => None,
        };
        let inner = self.order.last().copied().unwrap_or(0);
        let (loops, leaves) = (self.nest.names.len(), self.leaves.len());
        Ok(State {
            values: vec![0; loops],
            spans: vec![first; self.order.len() + 1],
            runs: Runs::new(self.kind, inner, leaf, loops, leaves)?,
            limit,
        })
    }

    /// Calls `sink` for runs of points, in order, where the outermost loop is in a part of its range.
    pub fn run(&self, part: std::ops::Range<i64>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.run_in(&mut self.state(BLOCK)?, part, sink)
    }

    /// The same, in a state that may have been used before.
    pub fn run_in<'s>(
        &'s self,
        state: &mut State<'s, 'a>,
        part: std::ops::Range<i64>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        if self.nest.ranges.are_empty() {
            return Ok(());
        }
        state.runs.clear();
        if self.order.is_empty() {
            let stored = |leaf: usize| self.leaves[leaf].first < self.leaves[leaf].end;
            if self.nest.support.holds(&stored) {
                let heads = &mut state.runs.heads;
                heads.len = 1;
                for (leaf, entries) in self.leaves.iter().zip(heads.entries.iter_mut()) {
                    entries[0] = if leaf.first < leaf.end {
                        leaf.entry(leaf.first)
                    } else {
                        -1
                    };
                }
            }
        } else {
            self.level(0, &part, state, sink)?;
        }
        self.flush(state, sink)
    }

    /// Has the sink take the runs that there are.
    fn flush(&self, state: &mut State<'_, 'a>, sink: &mut Sink<'_>) -> Result<(), Error> {
        if state.runs.len() > 0 {
            let points = state.runs.points() as u64;
            self.visited.fetch_add(points, Ordering::Relaxed);
            self.nest
                .lengths(self.tensors, &self.late, &mut state.runs.heads)?;
            sink(&state.runs)?;
            state.runs.clear();
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

    /// How many points it has come to.
    pub fn visited(&self) -> u64 {
        self.visited.load(Ordering::Relaxed)
    }

    /// It has come to so many more points.
    pub fn came_to(&self, points: u64) {
        self.visited.fetch_add(points, Ordering::Relaxed);
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
        super::spans::span(&self.nest.ranges, self.tensors, id, values)
    }

    fn level(
        &self,
        depth: usize,
        part: &std::ops::Range<i64>,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let id = self.order[depth];
        let here = &self.depths[depth];
        let span = match here.span.at(&state.values) {
            Some(span) => span,
            None => self.span(id, &state.values)?,
        };
        let (value, end) = if depth == 0 {
            (span.start.max(part.start), span.end.min(part.end))
        } else {
            (span.start, span.end)
        };
        if here.may_be_endless {
            self.check_end(depth, span.end - span.start, state)?;
        }
        if depth + 1 == self.order.len() {
            match self.kind {
                Kind::Points => return self.last(depth, value, end, state, sink),
                Kind::Range => return self.push_range(depth, value, end, state, sink),
                Kind::Entries(leaf) => {
                    return self.push_entries(leaf, depth, value, end, state, sink)
                }
            }
        }
        if !matches!(here.led, Led::Any) && self.nest.support != Support::All {
            let spans = &state.spans[depth];
            if !self
                .nest
                .support
                .holds(&|leaf| spans[leaf].0 < spans[leaf].1)
            {
                return Ok(());
            }
        }
        match here.led {
            Led::Range => {
                let (before, after) = state.spans.split_at_mut(depth + 1);
                after[0].copy_from_slice(&before[depth]);
                for value in value..end {
                    state.values[id] = value;
                    self.level(depth + 1, part, state, sink)?;
                }
                Ok(())
            }
            Led::Entries(leaf, level) => {
                let read = &self.leaves[leaf];
                let (mut at, last) = state.spans[depth][leaf];
                if value > 0 {
                    at = read.seek(level, at, last, value);
                }
                let (before, after) = state.spans.split_at_mut(depth + 1);
                after[0].copy_from_slice(&before[depth]);
                while at < last {
                    let value = read.at(level, at);
                    if value >= end {
                        break;
                    }
                    // Rows are mostly short.
                    let near = last.min(at + 16);
                    let mut next = at + 1;
                    while next < near && read.at(level, next) == value {
                        next += 1;
                    }
                    if next == near && next < last {
                        next = read.seek(level, next, last, value.saturating_add(1));
                    }
                    state.values[id] = value;
                    state.spans[depth + 1][leaf] = (at, next);
                    self.level(depth + 1, part, state, sink)?;
                    at = next;
                }
                Ok(())
            }
            Led::Any => self.any(depth, part, value, end, state, sink),
        }
    }

    /// The innermost loop, point by point.
    fn last(
        &self,
        depth: usize,
        value: i64,
        end: i64,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let here: Vec<usize> = (0..self.leaves.len())
            .filter(|&leaf| self.levels[depth][leaf].is_some())
            .collect();
        match self.reduced(&self.nest.support, depth, &state.spans[depth]) {
            Support::None => Ok(()),
            Support::All if here.is_empty() => {
                let count = (end - value).max(0) as usize;
                self.push(count, None, depth, state, sink, &|n| (value + n as i64, 0))
            }
            Support::Leaf(leaf) if here == [leaf] => {
                let read = &self.leaves[leaf];
                let Some(level) = self.levels[depth][leaf] else {
                    return Ok(());
                };
                let (first, last) = within(read, level, state.spans[depth][leaf], value, end);
                let count = last.saturating_sub(first);
                self.push(count, Some(leaf), depth, state, sink, &|n| {
                    (read.at(level, first + n), read.entry(first + n))
                })
            }
            _ => self.any(depth, &(0..END), value, end, state, sink),
        }
    }

    /// A loop that several reads lead, or any.
    fn any(
        &self,
        depth: usize,
        part: &std::ops::Range<i64>,
        mut value: i64,
        end: i64,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let id = self.order[depth];
        let last = depth + 1 == self.order.len();
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
                        let from = self.seek(leaf, level, cursors[leaf], span.1, value);
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

    /// The first entry of a read from one on whose coordinate is at least a value.
    fn seek(&self, leaf: usize, level: usize, from: usize, end: usize, value: i64) -> usize {
        let read = &self.leaves[leaf];
        match read.start(value) {
            Some(start) if level == 0 => start.clamp(from, end),
            _ => read.seek(level, from, end, value),
        }
    }

    /// Checks that the loops from a depth on end, where nothing but their ranges bounds them.
    fn check_end(&self, depth: usize, first: i64, state: &State<'_, '_>) -> Result<(), Error> {
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
                let at = self.seek(*leaf, level, cursors[*leaf], span.1, value);
                // Of coordinates that do not ascend a search finds any: a walk goes on, and ends, whatever they are.
                let mut rest = (at..span.1).map(|at| read.at(level, at));
                rest.find(|&at| at >= value).unwrap_or(END)
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

    /// Adds points that differ in the innermost loop, by an iteration over its values and the entries of one leaf, each as a run of its own.
    fn push(
        &self,
        count: usize,
        leaf: Option<usize>,
        depth: usize,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
        point: &dyn Fn(usize) -> (i64, i64),
    ) -> Result<(), Error> {
        let inner = self.order[self.order.len() - 1];
        let mut done = 0;
        while done < count {
            let block = &mut state.runs.heads;
            let from = block.len;
            let some = (count - done).min(BLOCK - from);
            for &id in &self.order[..self.order.len() - 1] {
                block.loops[id][from..from + some].fill(state.values[id]);
            }
            for (number, entries) in block.entries.iter_mut().enumerate() {
                if Some(number) != leaf {
                    let entry = self.entry(number, state.spans[depth][number]);
                    entries[from..from + some].fill(entry);
                }
            }
            for n in 0..some {
                let (value, entry) = point(done + n);
                block.loops[inner][from + n] = value;
                if let Some(leaf) = leaf {
                    block.entries[leaf][from + n] = entry;
                }
            }
            block.len += some;
            done += some;
            if block.len == BLOCK {
                self.flush(state, sink)?;
            }
        }
        Ok(())
    }

    /// The number of the entry that is first in a span; -1 if there is none.
    fn entry(&self, leaf: usize, span: (usize, usize)) -> i64 {
        if span.0 < span.1 {
            self.leaves[leaf].entry(span.0)
        } else {
            -1
        }
    }

    /// Adds runs of so many points, of which one begins at a value of the innermost loop, and at an entry of the leaf that leads it, if one does.
    fn push_runs(
        &self,
        depth: usize,
        led: Option<(usize, usize)>,
        (value, place): (i64, usize),
        count: usize,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let mut done = 0;
        while done < count {
            if state.runs.len() == BLOCK || state.runs.points() >= state.limit {
                self.flush(state, sink)?;
            }
            let some = (count - done).min(state.limit - state.runs.points());
            let runs = &mut state.runs;
            let at = runs.heads.len;
            for &id in &self.order[..depth] {
                runs.heads.loops[id][at] = state.values[id];
            }
            for (number, entries) in runs.heads.entries.iter_mut().enumerate() {
                entries[at] = match led {
                    Some((leaf, _)) if leaf == number => self.leaves[leaf].entry(place + done),
                    _ => self.entry(number, state.spans[depth][number]),
                };
            }
            let value = match led {
                Some((leaf, level)) => self.leaves[leaf].at(level, place + done),
                None => value + done as i64,
            };
            runs.add(value, place + done, some);
            done += some;
        }
        Ok(())
    }

    fn push_range(
        &self,
        depth: usize,
        from: i64,
        end: i64,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        if from >= end {
            return Ok(());
        }
        let spans = &state.spans[depth];
        let stored = |leaf: usize| spans[leaf].0 < spans[leaf].1;
        if self.nest.support != Support::All && !self.nest.support.holds(&stored) {
            return Ok(());
        }
        self.push_runs(depth, None, (from, 0), (end - from) as usize, state, sink)
    }

    fn push_entries(
        &self,
        leaf: usize,
        depth: usize,
        from: i64,
        end: i64,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let Some(level) = self.levels[depth][leaf] else {
            return Ok(());
        };
        let spans = &state.spans[depth];
        if !self
            .nest
            .support
            .holds(&|leaf| spans[leaf].0 < spans[leaf].1)
        {
            return Ok(());
        }
        let (first, last) = within(&self.leaves[leaf], level, spans[leaf], from, end);
        if first >= last {
            return Ok(());
        }
        let (led, count) = (Some((leaf, level)), last - first);
        self.push_runs(depth, led, (0, first), count, state, sink)
    }

    fn push_point(&self, state: &mut State<'_, 'a>, sink: &mut Sink<'_>) -> Result<(), Error> {
        let block = &mut state.runs.heads;
        let at = block.len;
        for &id in &self.order {
            block.loops[id][at] = state.values[id];
        }
        let spans = &state.spans[self.order.len()];
        for (number, entries) in block.entries.iter_mut().enumerate() {
            entries[at] = self.entry(number, spans[number]);
        }
        block.len += 1;
        if block.len == BLOCK {
            self.flush(state, sink)?;
        }
        Ok(())
    }
}

/// The entries of a span whose coordinates are in a range.
fn within(
    read: &Leaf<'_>,
    level: usize,
    span: (usize, usize),
    from: i64,
    end: i64,
) -> (usize, usize) {
    let first = match from {
        ..=0 => span.0,
        _ => read.seek(level, span.0, span.1, from),
    };
    // Mostly the whole span is inside.
    let last = match span.1.checked_sub(1) {
        Some(last) if last >= first && read.at(level, last) >= end => {
            read.seek(level, first, span.1, end)
        }
        _ => span.1,
    };
    (first, last)
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

    /// All lengths of rows, each after those on which it depends.
    pub fn all_lengths(&self) -> Vec<LoopId> {
        let ranges = self.ranges.ranges.iter().enumerate();
        ranges
            .filter(|(_, range)| matches!(range, Range::Is(_)))
            .map(|(id, _)| id)
            .collect()
    }
}
