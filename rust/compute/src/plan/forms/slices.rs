//! The program of some steps of a scan: its statements over slices of their tensors, at one step.

use std::ops::Range;

use super::program::Program;
use super::slicer::Slicer;
use super::views::Views;
use crate::bound::{Affine, Bound, Condition, LoopId, Scan, Statement, TensorId};
use crate::kernel::Level;
use crate::operand::DType;
use crate::plan::rewrite::inline;
use crate::plan::rewrite::transformed;
use crate::plan::tile::{row_major, Unsupported, View};
use crate::plan::verify::{self, Allocation, Fault};

/// Where the slice of a tensor at a step is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In a tensor of the program around: its element of position 0 at step 0, and how much further it is at each step.
    Tensor {
        id: TensorId,
        offset: i64,
        stride: i64,
    },
    /// In the memory for two steps of that number, at this step or the one before.
    Pair { number: usize, before: bool },
    /// The number of the step.
    Step,
    /// The constant with these bits.
    Constant(u64),
    /// An input that is a number.
    Number(usize),
    /// Memory of the step's program.
    Own,
}

/// The steps between two of them at which a guard on the step begins or ends to hold.
#[derive(Debug)]
pub(super) struct Phase {
    /// The steps, ascending.
    pub steps: Range<i64>,
    /// For each tensor of the program its type and where it is.
    pub places: Vec<(DType, Place)>,
    pub program: Program,
}

/// What phases are made of.
#[derive(Debug)]
pub(super) struct Source {
    pub level: Level,
    pub bound: Bound,
    pub members: Vec<Statement>,
    pub scan: Scan,
    pub views: Vec<View>,
    /// For each tensor with memory for two steps its number.
    pub pairs: Vec<(TensorId, usize)>,
    pub kept: Vec<TensorId>,
}

impl Source {
    /// The ranges of steps within which the same guards on the step hold, ascending; the first step that runs is one of its own if there are lags.
    pub fn ranges(&self) -> Vec<Range<i64>> {
        let steps = self.scan.steps;
        let mut cuts = vec![0, steps];
        for (member, &(id, _)) in self.members.iter().zip(&self.scan.members) {
            let mut add = |condition: &Condition| cut(condition, id, steps, &mut cuts);
            member.guards.iter().for_each(&mut add);
            member.value.conditions(&mut add);
        }
        if !self.scan.lags.is_empty() {
            cuts.push(if self.scan.down { steps - 1 } else { 1 });
        }
        cuts.retain(|cut| (0..=steps).contains(cut));
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// The program of these steps, at which the same guards on the step hold; none if it differs from step to step.
    pub fn phase(&self, steps: Range<i64>) -> Result<Option<Phase>, Unsupported> {
        let mut slicer = Slicer::new(self, steps.clone());
        let mut statements = Vec::new();
        let mut returned = Vec::new();
        for (member, &(id, axis)) in self.members.iter().zip(&self.scan.members) {
            let statement = slicer.statement(member, id, axis);
            let is_kept = self.kept.contains(&member.target) || self.pair(member.target).is_some();
            if is_kept {
                returned.push(statement.target);
            }
            statements.push(statement);
        }
        if slicer.differs && steps.end - steps.start > 1 {
            return Ok(None);
        }
        let Slicer {
            tensors,
            mut views,
            mut places,
            ..
        } = slicer;
        let mut bound = Bound {
            tensors,
            statements,
            scans: Vec::new(),
            returned,
            numbers: Vec::new(),
            inputs: 0,
            outputs: Vec::new(),
            depth: self.bound.depth,
        };
        let mut statements = inline(&bound);
        transformed(&mut bound, &mut statements);
        for tensor in &bound.tensors[views.len()..] {
            let dtype = tensor.dtype.unwrap_or(DType::Double);
            places.push((dtype, Place::Own));
            views.push(View {
                dtype,
                layout: row_major(&tensor.shape),
            });
        }
        let placed = places.iter().enumerate();
        let placed = placed.map(|(id, (_, place))| match place {
            Place::Own => None,
            _ => Some(id),
        });
        let views = Views {
            places: placed.collect(),
            tensors: views,
            copies: Vec::new(),
        };
        self.verify(&steps, &places, &views.tensors)
            .map_err(|(id, fault)| {
                verify::report(&bound.tensors[id].name, &fault);
                Unsupported
            })?;
        let program = Program::new(&bound, &statements, &[], self.level, views)?;
        Ok(Some(Phase {
            steps,
            places,
            program,
        }))
    }

    /// Checks that at all of these steps each slice is inside of the memory of its tensor; else the number of the slice, and why. What the steps'
    /// program touches of a slice is checked as that is made.
    fn verify(
        &self,
        steps: &Range<i64>,
        places: &[(DType, Place)],
        slices: &[View],
    ) -> Result<(), (TensorId, Fault)> {
        for (slice, ((_, place), view)) in places.iter().zip(slices).enumerate() {
            let touched = Allocation::of(view).bytes;
            let checked = match place {
                Place::Tensor { id, offset, stride } => {
                    let (size, has) = (view.dtype.width(), Allocation::of(&self.views[*id]));
                    let is_of = self.views[*id].dtype == view.dtype;
                    let at = |step: i64| {
                        let elements = i128::from(*offset) + i128::from(*stride) * i128::from(step);
                        let moved = elements * size as i128;
                        has.has(*id, (touched.0 + moved, touched.1 + moved))
                    };
                    match is_of {
                        true => at(steps.start).and_then(|()| at(steps.end - 1)),
                        false => Err(Fault::Wrong("a slice of another type")),
                    }
                }
                Place::Step | Place::Constant(_) | Place::Number(_) => {
                    match 0 <= touched.0 && touched.1 <= size_of::<u64>() as i128 {
                        true => Ok(()),
                        false => Err(Fault::Wrong("more than the element of a cell")),
                    }
                }
                Place::Pair { .. } | Place::Own => Ok(()),
            };
            checked.map_err(|fault| (slice, fault))?;
        }
        Ok(())
    }

    /// The number of a tensor with memory for two steps.
    pub fn pair(&self, tensor: TensorId) -> Option<usize> {
        let mut pairs = self.pairs.iter();
        pairs
            .find(|&&(id, _)| id == tensor)
            .map(|&(_, number)| number)
    }
}

/// Adds the steps from which on a condition on the step alone holds, or does no longer.
fn cut(condition: &Condition, step: LoopId, steps: i64, cuts: &mut Vec<i64>) {
    let Affine { constant, terms } = &condition.affine;
    let [(id, factor)] = terms[..] else { return };
    if id != step {
        return;
    }
    // 0 <= constant + factor * step < bound changes where it passes these two.
    for value in [0, condition.bound] {
        let distance = i128::from(value) - i128::from(*constant);
        let factor = i128::from(factor);
        for place in [distance.div_euclid(factor), distance.div_euclid(factor) + 1] {
            if (0..i128::from(steps)).contains(&place) {
                cuts.push(place as i64);
            }
        }
    }
}
