//! Points and runs of points, as a walk comes to them.

use super::{Sink, State, Walk};
use crate::stored::block::BLOCK;
use crate::stored::leaf::Leaf;
use crate::stored::support::Support;
use crate::Error;

impl<'a> Walk<'_, 'a> {
    /// Adds points that differ in the innermost loop, by an iteration over its values and the entries of one leaf, each as a run of its own.
    pub(super) fn push(
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
    pub(super) fn entry(&self, leaf: usize, span: (usize, usize)) -> i64 {
        if span.0 < span.1 {
            self.leaves[leaf].entry(span.0)
        } else {
            -1
        }
    }

    /// Adds runs of so many points, of which one begins at a value of the innermost loop, and at an entry of the leaf that leads it, if one does.
    pub(super) fn push_runs(
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

    pub(super) fn push_range(
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

    pub(super) fn push_entries(
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

    pub(super) fn push_point(
        &self,
        state: &mut State<'_, 'a>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
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
pub(super) fn within(
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
