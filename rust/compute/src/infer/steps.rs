//! The number of steps of a recurrence, which what its statements read from outside determines, unless its text does.

use super::access;
use super::loops::Loops;
use super::ranges::Ranges;
use super::sizes::{self, fixed_ranges};
use super::{statement, Binder, Known};
use crate::ast::{self, Assign, Binary, Expr, Extent, First, Index, Op, Shape};
use crate::batch::unguarded_of;
use crate::scan::{self, Block};

impl Binder<'_> {
    /// The number of steps. The faults are empty if they were reported.
    pub(super) fn steps(&self, block: &Block, body: &[Assign]) -> Result<i64, Vec<String>> {
        let (step, environment) = (&block.step, &self.environment);
        let label = format!("scan {}", step.split('\'').next().unwrap_or(step));
        let own = |name: &str| {
            block.lag(name).is_some() || body.iter().any(|assign| assign.target == name)
        };
        let is_faulty = |name: &String| environment.known.get(name) == Some(&Known::Faulty);
        let mut inits = block.lags.iter().filter_map(|lag| match &lag.init {
            Some(First::Tensor(tensor)) => Some(tensor),
            _ => None,
        });
        if inits.any(is_faulty)
            || body
                .iter()
                .any(|assign| statement::reads_faulty(environment, assign))
        {
            return Err(Vec::new());
        }
        if let Some(range) = &block.range {
            let is_unknown = match range {
                Extent::Size(name, _) => is_faulty(name),
                Extent::Range(at, name) => !environment.ranges[*at].contains_key(name),
                _ => false,
            };
            if is_unknown {
                return Err(Vec::new());
            }
            let range = sizes::value(environment, range);
            return range
                .map(|range| range.max(0))
                .map_err(|fault| vec![format!("{label}: {fault}")]);
        }
        let merged = merged(body, step, &own);
        let mut faults = sizes::faults(environment, &merged, &label);
        if !faults.is_empty() {
            // The loops are told by their names in the text.
            for number in (0..body.len()).rev() {
                let apart = format!("'{number}");
                for fault in &mut faults {
                    *fault = fault.replace(&apart, "");
                }
            }
            return Err(faults);
        }
        let loops = Loops::of(&merged);
        let (ranges, fixed) = fixed_ranges(environment, &merged, &loops);
        let reads = access::reads(environment, &merged, &label)?;
        let mut found = Ranges {
            loops: &loops,
            ranges,
            fixed,
        };
        found.find(&reads, &[], None);
        let conflict = format!("{label}: index {step} is ");
        let mut faults = found.faults(&label, step, &reads, &[], None);
        faults.retain(|fault| fault.starts_with(&conflict));
        match found.ranges[loops.id(step)] {
            _ if !faults.is_empty() => Err(faults),
            Some(range) => Ok(range),
            None => Err(vec![format!(
                "{label}: nothing determines the range of {step}; give it by scan {step} in 0:..."
            )]),
        }
    }
}

/// The statements of a block with the number of its steps.
pub(super) fn fixed(body: &[Assign], block: &Block, steps: i64) -> Vec<Assign> {
    let mut members = body.to_vec();
    for assign in &mut members {
        assign.ranges.retain(|(name, _)| *name != block.step);
        let range = (block.step.clone(), Extent::Number(steps));
        assign.ranges.push(range);
    }
    members
}

/// One statement that reads what the statements of a block read unguarded from outside, with their loops renamed apart, but for the steps.
fn merged(body: &[Assign], step: &str, own: &dyn Fn(&str) -> bool) -> Assign {
    let mut reads = Vec::new();
    let mut ranges = Vec::new();
    for (number, assign) in body.iter().enumerate() {
        let mut assign = assign.clone();
        scan::rename_loops(&mut assign, &|name| match name == step {
            true => name.to_owned(),
            false => format!("{name}'{number}"),
        });
        ranges.append(&mut assign.ranges);
        if !assign.guards.is_empty() {
            continue;
        }
        unguarded_of(&assign, &mut |read| {
            if own(&read.tensor) {
                return;
            }
            let mut read = read.clone();
            // What a look-up adds is not known, so that such an index gives no range.
            for index in &mut read.indices {
                if index.look_up.is_some() {
                    *index = Index::number(0);
                }
            }
            reads.push(Expr::Read(read));
        });
    }
    ranges.retain(|(name, _)| name != step);
    reads.push(Expr::Loop(step.to_owned()));
    reading(step, vec![ast::Index::of(step.to_owned())], reads, ranges)
}

/// A statement that reads all of this, at least one expression, at these indices; its value says nothing.
pub(crate) fn reading(
    target: &str,
    left: Vec<Index>,
    mut reads: Vec<Expr>,
    ranges: Vec<(String, Extent)>,
) -> Assign {
    while reads.len() > 1 {
        let pairs = reads.chunks(2).map(|pair| match pair {
            [a, b] => Expr::Binary(Binary::Add, Box::new(a.clone()), Box::new(b.clone())),
            _ => pair[0].clone(),
        });
        reads = pairs.collect();
    }
    Assign {
        target: target.to_owned(),
        left,
        op: Op::Sum,
        value: reads.remove(0),
        ranges,
        shape: None::<Shape>,
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: Vec::new(),
    }
}
