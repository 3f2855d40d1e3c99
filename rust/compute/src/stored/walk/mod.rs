//! The walk over the points of a nest, led by the entries of sparse reads.

mod pushes;
mod several;

use std::sync::atomic::{AtomicU64, Ordering};

use super::block::BLOCK;
use super::leaf::Leaf;
use super::nest::Nest;
use super::order::order;
use super::ranges::{Length, Range};
use super::runs::{Kind, Runs};
use super::spans::Span;
use super::support::Support;
use super::tensor::Tensor;
use crate::bound::LoopId;
use crate::Error;

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
}
