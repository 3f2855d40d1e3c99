//! Loops that several reads lead, or that need not all of them: each goes to the next value at which the support may hold.

use super::pushes::within;
use super::{Sink, State, Walk, END};
use crate::stored::iterations::is_endless;
use crate::stored::support::Support;
use crate::Error;

impl<'a> Walk<'_, 'a> {
    /// The innermost loop, point by point.
    pub(super) fn last(
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
    pub(super) fn any(
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
    pub(super) fn seek(
        &self,
        leaf: usize,
        level: usize,
        from: usize,
        end: usize,
        value: i64,
    ) -> usize {
        let read = &self.leaves[leaf];
        match read.start(value) {
            Some(start) if level == 0 => start.clamp(from, end),
            _ => read.seek(level, from, end, value),
        }
    }

    /// Checks that the loops from a depth on end, where nothing but their ranges bounds them.
    pub(super) fn check_end(
        &self,
        depth: usize,
        first: i64,
        state: &State<'_, '_>,
    ) -> Result<(), Error> {
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
    pub(super) fn reduced(
        &self,
        support: &Support,
        depth: usize,
        spans: &[(usize, usize)],
    ) -> Support {
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
    pub(super) fn next(
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
}
