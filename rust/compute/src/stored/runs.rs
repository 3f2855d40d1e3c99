//! Points of a walk, some at a time: runs that differ in the innermost loop alone.

use std::cell::{Cell, OnceCell, Ref, RefCell};

use super::block::{Block, BLOCK};
use super::leaf::{Column, Leaf};
use crate::bound::LoopId;
use crate::Error;

/// What the innermost loop goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anything: each point is a run of its own.
    Points,
    /// Neighbouring values.
    Range,
    /// Neighbouring entries of a sparse read, whose coordinates ascend.
    Entries(usize),
}

/// Some runs.
pub(super) struct Runs<'w, 'a> {
    pub kind: Kind,
    pub inner: LoopId,
    /// The read whose entries the innermost loop goes through, and its level in it.
    leaf: Option<(&'w Leaf<'a>, usize)>,
    /// The first point of each run.
    pub heads: Block,
    /// The place of the first entry of each run.
    places: Vec<usize>,
    /// Where each run begins among the points, and the end of the last one.
    starts: Vec<usize>,
    tails: OnceCell<Block>,
    flat: RefCell<Block>,
    is_flat: Cell<bool>,
}

impl<'w, 'a> Runs<'w, 'a> {
    /// No runs yet, and room for some; `leaf` is the read of [`Kind::Entries`].
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn new(
        kind: Kind,
        inner: LoopId,
        leaf: Option<(&'w Leaf<'a>, usize)>,
        loops: usize,
        leaves: usize,
    ) -> Result<Runs<'w, 'a>, Error> {
        Ok(Runs {
            kind,
            inner,
            leaf,
            heads: Block::new(loops, leaves)?,
            places: Vec::new(),
            starts: vec![0],
            tails: OnceCell::new(),
            flat: RefCell::new(Block::new(0, 0)?),
            is_flat: Cell::new(false),
        })
    }

    /// The number of runs.
    pub fn len(&self) -> usize {
        self.heads.len
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        match self.kind {
            Kind::Points => self.heads.len,
            _ => self.starts[self.starts.len() - 1],
        }
    }

    /// Where each run begins among the points, and the end of the last one.
    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    /// Adds a run, whose first point, but for what the innermost loop has there, is in the heads already.
    pub fn add(&mut self, value: i64, place: usize, count: usize) {
        let at = self.heads.len;
        self.heads.loops[self.inner][at] = value;
        self.places.push(place);
        self.starts.push(self.points() + count);
        self.heads.len += 1;
    }

    /// Has no runs again.
    pub fn clear(&mut self) {
        self.heads.len = 0;
        self.places.clear();
        self.starts.truncate(1);
        self.tails.take();
        self.is_flat.set(false);
    }

    /// The coordinates through which the innermost loop goes, and for each run the place of its first one.
    pub fn coordinates(&self) -> Option<(Column<'_>, &[usize])> {
        let (leaf, level) = self.leaf?;
        Some((leaf.column(level), &self.places))
    }

    /// Whether entries are in the order of their tensor, so that those of a run are neighbours.
    pub fn is_natural(&self) -> bool {
        self.leaf.is_some_and(|(leaf, _)| leaf.is_natural())
    }

    /// What the innermost loop has at the last point of a run.
    pub fn last(&self, run: usize) -> i64 {
        let count = self.starts[run + 1] - self.starts[run];
        match self.leaf {
            Some((leaf, level)) => leaf.at(level, self.places[run] + count - 1),
            None => self.heads.loops[self.inner][run].wrapping_add(count as i64 - 1),
        }
    }

    /// The last point of each run; entries of sparse reads are those of the first one.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn tails(&self) -> Result<&Block, Error> {
        if let Some(tails) = self.tails.get() {
            return Ok(tails);
        }
        let all: Vec<u32> = (0..self.heads.len as u32).collect();
        let mut tails = self.heads.some(&all)?;
        let column = &mut tails.loops[self.inner];
        for (run, to) in column.iter_mut().enumerate() {
            *to = self.last(run);
        }
        Ok(self.tails.get_or_init(|| tails))
    }

    /// All points, one by one, of which there are no more than a block has.
    ///
    /// # Errors
    /// Of kind out of memory.
    pub fn flat(&self) -> Result<Ref<'_, Block>, Error> {
        if !self.is_flat.get() {
            let mut flat = self.flat.borrow_mut();
            if flat.loops.count() != self.heads.loops.count() {
                *flat = Block::new(self.heads.loops.count(), self.heads.entries.count())?;
            }
            flat.len = 0;
            for run in 0..self.len() {
                let count = self.starts[run + 1] - self.starts[run];
                let room = BLOCK - flat.len;
                self.spread(run, 0, count.min(room), &mut flat);
            }
            self.is_flat.set(true);
        }
        Ok(self.flat.borrow())
    }

    /// Adds some points of a run to a block that has room for them.
    pub fn spread(&self, run: usize, from: usize, count: usize, block: &mut Block) {
        let to = block.len..block.len + count;
        for (to_column, column) in block.loops.iter_mut().zip(self.heads.loops.iter()) {
            to_column[to.clone()].fill(column[run]);
        }
        for (to_column, column) in block.entries.iter_mut().zip(self.heads.entries.iter()) {
            to_column[to.clone()].fill(column[run]);
        }
        let first = self.heads.loops[self.inner][run];
        match (self.leaf, self.kind) {
            (Some((leaf, level)), Kind::Entries(read)) => {
                let place = self.places[run] + from;
                for (n, at) in to.clone().enumerate() {
                    block.loops[self.inner][at] = leaf.at(level, place + n);
                    block.entries[read][at] = leaf.entry(place + n);
                }
            }
            _ => {
                let column = &mut block.loops[self.inner][to.clone()];
                for (n, value) in column.iter_mut().enumerate() {
                    *value = first.wrapping_add((from + n) as i64);
                }
            }
        }
        block.len += count;
    }
}
