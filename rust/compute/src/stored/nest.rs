//! The loop nest of a statement, and the walk over its points.

use super::block::{Block, BLOCK};
use super::iterations::is_endless;
use super::leaf::Leaf;
use super::order::order;
use super::ranges::{Length, Range, Ranges};
use super::rows::row;
use super::spans::span;
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

    /// All lengths of rows, each after those on which it depends.
    pub fn all_lengths(&self) -> Vec<LoopId> {
        let ranges = self.ranges.ranges.iter().enumerate();
        ranges
            .filter(|(_, range)| matches!(range, Range::Is(_)))
            .map(|(id, _)| id)
            .collect()
    }
}
