//! What a statement does at points: it finds positions and values, and adds these to elements.

use super::accumulate::Cells;
use super::block::{Block, BLOCK};
use super::code::Code;
use super::evaluate::Machine;
use super::lines::{self, Line};
use super::products::Product;
use super::runs::{Kind, Runs};
use super::statement::Statement;
use super::support::Support;
use super::walk::{State, Walk};
use crate::Error;

/// Finds the positions that a statement writes at the points of a block.
pub(super) type Place<'p> = dyn Fn(&Block, &mut [i64]) -> Result<(), Error> + Sync + 'p;

/// Finds the positions that a statement writes along runs, if they are lines.
pub(super) type Places<'p> = dyn Fn(&Runs<'_, '_>) -> Result<Option<Line>, Error> + Sync + 'p;

/// What a statement does at points.
pub(super) struct Work<'c> {
    pub statement: &'c Statement,
    pub machine: &'c Machine<'c, 'c>,
    pub code: &'c Code,
    pub within: Option<&'c Support>,
    pub product: Option<&'c Product>,
    pub place: &'c Place<'c>,
    pub along: &'c Places<'c>,
}

impl Work<'_> {
    /// The most points at a time.
    pub fn limit(&self) -> usize {
        match self.product {
            Some(_) => usize::MAX,
            None => BLOCK,
        }
    }

    /// Adds what products that have no place on lines are, point by point, by which faults are found, too.
    fn add_points(&self, runs: &Runs<'_, '_>, cells: Cells) -> Result<(), Error> {
        let mut block = Block::new(runs.heads.loops.count(), runs.heads.entries.count())?;
        let mut positions = vec![0i64; BLOCK];
        for (run, ends) in runs.starts().windows(2).enumerate() {
            let count = ends[1] - ends[0];
            let mut done = 0;
            while done < count {
                let some = (count - done).min(BLOCK);
                block.len = 0;
                runs.spread(run, done, some, &mut block);
                (self.place)(&block, &mut positions)?;
                let values = self.machine.column(self.code, &block)?;
                // SAFETY: as in `add`.
                unsafe { cells.add(&positions[..some], values.start()) };
                done += some;
            }
        }
        Ok(())
    }

    /// Adds to cells where the outermost loop is in a part of its range. No other thread adds to the elements that this part writes.
    pub fn add<'w, 'a>(
        &self,
        walk: &'w Walk<'_, 'a>,
        state: &mut State<'w, 'a>,
        cells: Cells,
        part: std::ops::Range<i64>,
    ) -> Result<(), Error> {
        let (statement, machine, code) = (self.statement, self.machine, self.code);
        let everywhere = self.within.is_none() && statement.guards.is_empty();
        let mut positions = vec![0i64; BLOCK];
        walk.run_in(state, part, &mut |runs| {
            if let Some(product) = self.product {
                let line = (self.along)(runs)?;
                let added = match &line {
                    // SAFETY: as below.
                    Some(line) => unsafe { product.add(machine, runs, line, cells) }?,
                    None => false,
                };
                return match added {
                    true => Ok(()),
                    false => self.add_points(runs, cells),
                };
            }
            if everywhere && runs.kind != Kind::Points {
                let values = machine.value(code, runs)?;
                if let Some(line) = (self.along)(runs)? {
                    // SAFETY: parts differ in the outermost loop, which stands alone on the left where there are several: they write distinct
                    // elements. Values are as many as there are points.
                    if unsafe { cells.add_line(&line, runs, values.start()) } {
                        return Ok(());
                    }
                    lines::positions_on(&line, runs, &mut positions);
                } else {
                    let flat = runs.flat()?;
                    (self.place)(&flat, &mut positions)?;
                }
                // SAFETY: as above.
                unsafe { cells.add(&positions[..runs.points()], values.start()) };
                return Ok(());
            }
            let block = points_of(runs)?;
            let picked = statement.picked(machine, &block, self.within)?;
            let block = picked.as_ref().unwrap_or(&block);
            if block.len == 0 {
                return Ok(());
            }
            (self.place)(block, &mut positions)?;
            let values = machine.column(code, block)?;
            // SAFETY: as above.
            unsafe { cells.add(&positions[..block.len], values.start()) };
            Ok(())
        })
    }
}

/// The points of runs, one by one.
pub(super) fn points_of<'r>(runs: &'r Runs<'_, '_>) -> Result<Points<'r>, Error> {
    Ok(match runs.kind {
        Kind::Points => Points::Heads(&runs.heads),
        _ => Points::Flat(runs.flat()?),
    })
}

/// Points of which each is a run, or those of runs.
pub(super) enum Points<'r> {
    Heads(&'r Block),
    Flat(std::cell::Ref<'r, Block>),
}

impl std::ops::Deref for Points<'_> {
    type Target = Block;

    fn deref(&self) -> &Block {
        match self {
            Points::Heads(block) => block,
            Points::Flat(block) => block,
        }
    }
}
