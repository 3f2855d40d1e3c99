//! Recurrences: the steps of a scan as runs of one program over what each step touches.
//!
//! At a step the loop over the steps has a value, so that its statements are ordinary ones, over slices of their tensors: what `x[t,i]` reads at all
//! steps is a tensor `[i]` whose address moves by the stride of the axis. So fusion, matrix products and all else are those of any program, which is
//! planned once for all steps, or once for each range of steps in which the same guards on the step hold. Where the step and other loops meet in one
//! condition or in an index that is checked, as in `guard(0 <= t - k, x[t - k])`, it is planned for each step.
//!
//! What a name was at the step before is the slice of the step before: nothing is copied. A name of which only that is read later, and that nobody
//! reads after the scan, has memory for two steps, one that is read at its own step only has memory for one.

use std::ops::Range;

use super::lane::Lanes;
use super::program::Bases;
use super::slices::{Phase, Place, Source};
use super::temporary::Temporary;
use super::views::Views;
use crate::bound::{Bound, First, Statement, TensorId};
use crate::kernel::Level;
use crate::operand::DType;
use crate::plan::rewrite::{inline, may_fail, transformed};
use crate::plan::tile::{row_major, Failed, Unsupported};

/// A scan among the statements of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The numbers of its statements.
    pub members: Range<usize>,
    /// Its number in the bound program.
    pub scan: usize,
    /// Those of its tensors that are read after it, or returned.
    kept: Vec<TensorId>,
}

/// Statements of a plan that follow each other; of a scan with its number, and those of its tensors that are read after it.
type Part = (Vec<Statement>, Option<(usize, Vec<TensorId>)>);

/// The statements of a plan, fused where they do not run step by step, and the scans among them. What nobody reads later is left out.
pub(crate) fn fused(bound: &mut Bound) -> (Vec<Statement>, Vec<Group>) {
    let mut live = vec![false; bound.tensors.len()];
    bound.returned.iter().for_each(|&id| live[id] = true);
    let mut parts: Vec<Part> = Vec::new();
    let scans = bound.scans.clone();
    let mut end = bound.statements.len();
    for (number, scan) in scans.iter().enumerate().rev() {
        let after = ordinary(bound, scan.statements.end..end, &mut live);
        parts.push((after, None));
        end = scan.statements.start;
        let members = bound.statements[scan.statements.clone()].to_vec();
        let kept: Vec<TensorId> = members
            .iter()
            .map(|each| each.target)
            .filter(|&id| live[id])
            .collect();
        if kept.is_empty() && !members.iter().any(may_fail) {
            continue;
        }
        members
            .iter()
            .for_each(|member| member.reads(&mut |id| live[id] = true));
        for lag in &scan.lags {
            if let First::Tensor(id) = lag.first {
                live[id] = true;
            }
        }
        parts.push((members, Some((number, kept))));
    }
    parts.push((ordinary(bound, 0..end, &mut live), None));
    let mut statements = Vec::new();
    let mut groups = Vec::new();
    for (part, scan) in parts.into_iter().rev() {
        let first = statements.len();
        statements.extend(part);
        if let Some((scan, kept)) = scan {
            groups.push(Group {
                members: first..statements.len(),
                scan,
                kept,
            });
        }
    }
    (statements, groups)
}

/// Statements between scans, fused; `live` tensors are read after them, and then those that they read.
fn ordinary(bound: &mut Bound, range: Range<usize>, live: &mut Vec<bool>) -> Vec<Statement> {
    if range.is_empty() {
        return Vec::new();
    }
    let segment = Bound {
        statements: bound.statements[range].to_vec(),
        scans: Vec::new(),
        returned: (0..live.len()).filter(|&id| live[id]).collect(),
        ..bound.clone()
    };
    let mut statements = inline(&segment);
    transformed(bound, &mut statements);
    live.resize(bound.tensors.len(), false);
    statements
        .iter()
        .for_each(|each| each.reads(&mut |id| live[id] = true));
    statements
}

/// A scan.
#[derive(Debug)]
pub(crate) struct Recurrence {
    steps: i64,
    down: bool,
    phases: Vec<Planned>,
    /// The elements of a step, and their size, of tensors with memory for two steps.
    pairs: Vec<(usize, usize)>,
    source: Source,
    whole: Vec<TensorId>,
    /// The loops over the steps of all lanes, in place of phases.
    lanes: Option<Lanes>,
}

#[derive(Debug)]
enum Planned {
    Once(Box<Phase>),
    /// Planned for each of these steps, as it runs.
    Each(Range<i64>),
}

/// Why a scan stopped.
pub(crate) enum Stopped {
    /// A step has no result.
    Failed,
    /// There was no memory for so many elements.
    Memory(usize),
}

impl From<Failed> for Stopped {
    fn from(_: Failed) -> Stopped {
        Stopped::Failed
    }
}

impl Recurrence {
    pub fn new(
        level: Level,
        bound: &Bound,
        group: &Group,
        members: &[Statement],
        views: &Views,
    ) -> Result<Recurrence, Unsupported> {
        let scan = bound.scans[group.scan].clone();
        let mut pairs = Vec::new();
        let mut sizes = Vec::new();
        for lag in &scan.lags {
            if !group.kept.contains(&lag.of) && !pairs.iter().any(|&(id, _)| id == lag.of) {
                pairs.push((lag.of, sizes.len()));
                let mut shape = bound.tensors[lag.of].shape.clone();
                shape.remove(lag.axis);
                // Without steps it may be larger than any memory.
                let elements = match scan.steps {
                    0 => 0,
                    _ => row_major(&shape).elements() as usize,
                };
                sizes.push((elements, views.tensors[lag.of].dtype.width()));
            }
        }
        let mut small = bound.clone();
        small.statements = Vec::new();
        small.scans = Vec::new();
        let source = Source {
            level,
            bound: small,
            members: members.to_vec(),
            views: views.tensors[..bound.tensors.len()].to_vec(),
            pairs,
            kept: group.kept.clone(),
            scan,
        };
        let lanes = match members {
            [member] if group.kept.contains(&member.target) => {
                Lanes::new(bound, &source.scan, member, &source.views)
            }
            _ => None,
        };
        let mut phases = Vec::new();
        let ranges = if lanes.is_some() {
            Vec::new()
        } else {
            source.ranges()
        };
        for steps in ranges {
            phases.push(match source.phase(steps.clone())? {
                Some(phase) => Planned::Once(Box::new(phase)),
                None => {
                    source.phase(steps.start..steps.start + 1)?;
                    Planned::Each(steps)
                }
            });
        }
        if source.scan.down {
            phases.reverse();
        }
        Ok(Recurrence {
            steps: source.scan.steps,
            down: source.scan.down,
            phases,
            pairs: sizes,
            whole: group.kept.clone(),
            source,
            lanes,
        })
    }

    /// The tensors that need memory for all steps.
    pub fn whole(&self) -> &[TensorId] {
        &self.whole
    }

    /// Runs all steps.
    ///
    /// # Safety
    ///
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(
        &self,
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Stopped> {
        if let Some(lanes) = &self.lanes {
            // SAFETY: as the caller says.
            return Ok(unsafe { lanes.run(bases, numbers) }?);
        }
        let mut pairs: Vec<[Temporary; 2]> = Vec::with_capacity(self.pairs.len());
        for &(elements, size) in &self.pairs {
            let memory = || {
                let made = Temporary::zeroed(elements.saturating_mul(size));
                made.ok_or(Stopped::Memory(elements))
            };
            pairs.push([memory()?, memory()?]);
        }
        let mut run = Run {
            bases,
            numbers,
            pairs,
            steps: self.steps,
            down: self.down,
        };
        for planned in &self.phases {
            match planned {
                // SAFETY: as the caller says.
                Planned::Once(phase) => unsafe { run.phase(phase)? },
                Planned::Each(steps) => {
                    for step in run.order(steps) {
                        let phase = self.source.phase(step..step + 1);
                        let phase = phase.ok().flatten().ok_or(Stopped::Failed)?;
                        // SAFETY: as the caller says.
                        unsafe { run.phase(&phase)? };
                    }
                }
            }
        }
        Ok(())
    }
}

/// A run of a scan.
struct Run<'a> {
    bases: &'a [*mut u8],
    numbers: &'a (dyn Fn(usize, DType) -> u64 + Sync),
    pairs: Vec<[Temporary; 2]>,
    steps: i64,
    down: bool,
}

impl Run<'_> {
    /// Steps in the order in which they run.
    fn order(&self, steps: &Range<i64>) -> Box<dyn Iterator<Item = i64>> {
        match self.down {
            true => Box::new(steps.clone().rev()),
            false => Box::new(steps.clone()),
        }
    }

    /// # Safety
    ///
    /// As [`Recurrence::run`].
    unsafe fn phase(&mut self, phase: &Phase) -> Result<(), Stopped> {
        let mut bases = Bases::from_elem(std::ptr::null_mut(), phase.places.len());
        let memory = phase
            .program
            .memory(&mut bases)
            .map_err(|(_, elements)| Stopped::Memory(elements))?;
        let mut cells: Vec<u64> = vec![0; phase.places.len()];
        for (cell, (dtype, place)) in cells.iter_mut().zip(&phase.places) {
            match place {
                Place::Constant(bits) => *cell = *bits,
                Place::Number(input) => *cell = (self.numbers)(*input, *dtype),
                _ => {}
            }
        }
        let cells = cells.as_mut_ptr();
        for step in self.order(&phase.steps) {
            let turn = if self.down {
                self.steps - 1 - step
            } else {
                step
            };
            for (id, (dtype, place)) in phase.places.iter().enumerate() {
                let cell = cells.wrapping_add(id);
                bases[id] = match place {
                    Place::Own => continue,
                    Place::Tensor { id, offset, stride } => {
                        let elements = offset + stride * step;
                        let bytes = elements as isize * dtype.width() as isize;
                        self.bases[*id].wrapping_offset(bytes)
                    }
                    Place::Pair { number, before } => {
                        let side = (turn + i64::from(*before)) % 2;
                        self.pairs[*number][side as usize].ptr()
                    }
                    Place::Step => {
                        // SAFETY: a cell of this run, which nothing else uses.
                        unsafe { *cell = step as u64 };
                        cell.cast()
                    }
                    Place::Constant(_) | Place::Number(_) => cell.cast(),
                };
            }
            // SAFETY: each slice is inside of its tensor at these steps, which was checked as it was made, and the step's program is inside of it.
            unsafe { phase.program.steps(&bases, self.numbers, &[]) }
                .map_err(|_| Stopped::Failed)?;
        }
        drop(memory);
        Ok(())
    }
}
