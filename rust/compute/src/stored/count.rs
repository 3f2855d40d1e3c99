//! The points of each element of a target, with those outside of the support, which a product, a maximum or a minimum combines as any other.

use super::accumulate::Accumulator;
use super::block::{Block, BLOCK};
use super::code::Compiler;
use super::evaluate::Machine;
use super::iterations::is_endless;
use super::memory::Buffer;
use super::ranges::Range;
use super::rows;
use super::shape::Shaper;
use super::statement::Statement;
use super::support::{Leaves, Support};
use super::tensor::Form;
use super::walk::Walk;
use crate::bound::LoopId;
use crate::operand::DType;
use crate::Error;

/// Takes points, and the positions that are written there.
type Visit<'v> = dyn FnMut(&Block, &[i64]) -> Result<(), Error> + 'v;

/// The loops over which points are counted.
struct Counted {
    loops: Vec<LoopId>,
    /// Whether their values are gone through; else their range counts.
    steps: Vec<bool>,
    /// For each place those from there on whose values are gone through, and whose ranges depend on none of these.
    free: Vec<Vec<LoopId>>,
}

impl Statement {
    /// Checks that a maximum or minimum of integers has points, wherever something is reduced; `counts` has those of each element.
    pub fn check_rows(
        &self,
        walk: &Walk<'_, '_>,
        counts: &[i64],
        form: &Form<'_>,
        machine: &Machine<'_, '_>,
    ) -> Result<(), Error> {
        let Some(first) = counts.iter().position(|&n| n == 0) else {
            return Ok(());
        };
        let mut reduced = self.reduced();
        if !self.nest.alone {
            // Loops that find an element have values there, and of the others those that have none come first.
            let finding = self.finding(walk);
            reduced.retain(|id| !finding.contains(id));
            reduced.sort_by_key(|&id| match self.nest.ranges.ranges[id] {
                Range::Fixed(0) => 0,
                Range::Fixed(_) => 2,
                _ => 1,
            });
        }
        let Some(&reduced) = reduced.first() else {
            return Ok(());
        };
        let fault = |row: &[i64]| {
            let row: Vec<String> = row.iter().map(i64::to_string).collect();
            let row = match &row[..] {
                [] => String::new(),
                row => format!(" in row {}", row.join(",")),
            };
            let why = if self.nest.alone {
                "of which nothing is stored"
            } else {
                "whose range is 0"
            };
            Err(Error::illegal(format!(
                "{}: {} of {} over index {}, {why}{row}, has no value",
                self.label,
                self.op,
                self.value.dtype.name(),
                self.nest.names[reduced],
            )))
        };
        if let Form::Sparse(points) = form {
            return fault(points.at(first));
        }
        // Elements that nothing writes have none either, which is no fault.
        self.each_element(walk, machine, form, &mut |block, positions| {
            let empty = |&position: &i64| counts.get(position as usize) == Some(&0);
            let Some(at) = positions.iter().position(empty) else {
                return Ok(());
            };
            let row = self.nest.kept.iter().map(|&id| block.loops[id][at]);
            fault(&row.collect::<Vec<i64>>())
        })
    }

    /// Counts the points outside of the support, which are 0. The points of each element, all of them.
    pub fn count_outside(
        &self,
        walk: &Walk<'_, '_>,
        machine: &Machine<'_, '_>,
        accumulator: &mut Accumulator,
        form: &Form<'_>,
    ) -> Result<Buffer, Error> {
        // How many points each element has in all.
        let are_sparse = walk.tensors.iter().map(|tensor| tensor.points().is_some());
        let mut leaves = Leaves::new(&self.nest.reads, are_sparse);
        let names = machine.names;
        let code = self
            .outside
            .as_ref()
            .map(|outside| {
                Compiler::new(&mut leaves, walk.tensors, &names, &Support::All).code(outside)
            })
            .transpose()?;
        let reduced = self.counted(walk);
        // Of each element the number of its points, of all combinations of loops that find it, and their value.
        let count = accumulator.count();
        let what = || format!("{}: the points of {}", self.label, self.name);
        let mut totals = Buffer::zeroed(count, 8, what)?;
        let mut outside = Buffer::zeroed(if code.is_some() { count } else { 0 }, 8, what)?;
        let (all, outside) = (totals.of_mut::<i64>(), outside.of_mut::<f64>());
        self.each_element(walk, machine, form, &mut |block, positions| {
            let values = code
                .as_ref()
                .map(|code| machine.column(code, block))
                .transpose()?;
            for (at, &position) in positions.iter().enumerate() {
                let mut point = block.point(at);
                let total = self.total(walk, &reduced, 0, &mut point)?;
                let Some(sum) = all.get_mut(position as usize) else {
                    continue;
                };
                if let (Some(values), true) = (&values, *sum == 0) {
                    outside[position as usize] = match self.value.dtype {
                        DType::Float => f64::from(values.of::<f32>()[at]),
                        DType::Double => values.of::<f64>()[at],
                        _ => 0.0,
                    };
                }
                *sum = sum.saturating_add(total);
            }
            Ok(())
        })?;
        for (at, &total) in all.iter().enumerate() {
            let rest = total.saturating_sub(accumulator.visits()[at]);
            if rest > 0 {
                accumulator.repeat(at, outside.get(at).copied().unwrap_or(0.0), rest);
            }
        }
        Ok(totals)
    }

    /// The loops by whose values the elements are found, in the order of a walk: those in the indices of the left side, and those on which their
    /// ranges depend, reduced ones too, without which there is no row to look at.
    fn finding(&self, walk: &Walk<'_, '_>) -> Vec<LoopId> {
        let mut needs = Vec::new();
        self.left
            .iter()
            .for_each(|index| rows::loops(index, &mut needs));
        let depends: Vec<LoopId> = needs
            .iter()
            .flat_map(|&id| self.nest.ranges.depends(id))
            .collect();
        let order = walk.order.iter().copied();
        order
            .filter(|id| needs.contains(id) || depends.contains(id))
            .collect()
    }

    /// The other loops, in the order of a walk. Those on which the ranges of others depend are gone through, value by value.
    fn counted(&self, walk: &Walk<'_, '_>) -> Counted {
        let finding = self.finding(walk);
        let order = walk.order.iter().copied();
        let loops: Vec<LoopId> = order.filter(|id| !finding.contains(id)).collect();
        let is_needed = |at: usize| {
            let mut later = loops[at + 1..].iter();
            later.any(|&later| self.nest.ranges.depends(later).contains(&loops[at]))
        };
        let steps: Vec<bool> = (0..loops.len()).map(is_needed).collect();
        let stepped = |id: &LoopId| {
            loops
                .iter()
                .zip(&steps)
                .any(|(other, &is)| is && other == id)
        };
        let free = self.nest.ranges.free(&loops).into_iter();
        Counted {
            free: free
                .map(|free| free.into_iter().filter(stepped).collect())
                .collect(),
            steps,
            loops,
        }
    }

    /// The loops that are not kept.
    fn reduced(&self) -> Vec<LoopId> {
        let is_length = |id: &LoopId| matches!(self.nest.ranges.ranges[*id], Range::Is(_));
        (0..self.nest.names.len())
            .filter(|id| !self.nest.kept.contains(id) && !is_length(id))
            .collect()
    }

    /// The number of points of the loops that do not find elements.
    fn total(
        &self,
        walk: &Walk<'_, '_>,
        reduced: &Counted,
        depth: usize,
        point: &mut Vec<i64>,
    ) -> Result<i64, Error> {
        let Some(&id) = reduced.loops.get(depth) else {
            return Ok(1);
        };
        let span = walk.span(id, point)?;
        let range = span.end - span.start;
        if !reduced.steps[depth] {
            return Ok(range.saturating_mul(self.total(walk, reduced, depth + 1, point)?));
        }
        let free = &reduced.free[depth];
        if is_endless(&self.nest.ranges, walk.tensors, free, range, point)? {
            let before: Vec<LoopId> = walk
                .order
                .iter()
                .copied()
                .filter(|id| !reduced.loops[depth..].contains(id))
                .collect();
            self.nest
                .check_end(walk.tensors, &self.label, free, &before, point)?;
        }
        let mut total = 0i64;
        for value in span {
            point[id] = value;
            total = total.saturating_add(self.total(walk, reduced, depth + 1, point)?);
        }
        Ok(total)
    }

    /// Calls `visit` for all values of the loops that find elements, and the positions that they write.
    fn each_element(
        &self,
        walk: &Walk<'_, '_>,
        machine: &Machine<'_, '_>,
        form: &Form<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), Error> {
        let finding = self.finding(walk);
        let shaper = Shaper {
            nest: &self.nest,
            tensors: walk.tensors,
            left: &self.left,
            label: &self.label,
            target: &self.name,
        };
        let mut block = Block::new(self.nest.names.len(), self.nest.reads.len())?;
        block
            .entries
            .iter_mut()
            .for_each(|entries| entries.fill(-1));
        let mut positions = vec![0i64; BLOCK];
        // Other lengths may be of rows that other loops choose.
        let mut lengths = self.nest.all_lengths();
        lengths.retain(|&id| {
            let mut needs = self.nest.ranges.depends(id).into_iter();
            needs.all(|need| finding.contains(&need))
        });
        let mut flush = |block: &mut Block| {
            if block.len > 0 {
                self.nest.lengths(walk.tensors, &lengths, block)?;
                machine.written(form, &self.name, &self.left, block, &mut positions)?;
                visit(block, &positions[..block.len])?;
                block.len = 0;
            }
            Ok(())
        };
        let mut values = vec![0; self.nest.names.len()];
        shaper.each(&finding, &mut values, &mut |values| {
            for (column, &value) in block.loops.iter_mut().zip(values) {
                column[block.len] = value;
            }
            block.len += 1;
            if block.len == BLOCK {
                flush(&mut block)?;
            }
            Ok(())
        })?;
        flush(&mut block)
    }
}
