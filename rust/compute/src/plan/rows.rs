//! Fusion by rows: several statements run for one row before the next, so that intermediate rows stay in the cache, and need memory for one row only.

use super::contraction::Contraction;
use super::emit::View;
use super::footprint::{accesses, covers, injective};
use super::machine::{Failed, Machine};
use super::nest::Nest;
use super::odometer::{advance, set};
use super::scratch::Words;
use super::work::{elements_per_unit, parts, units, Shared};
use crate::bound::{Access, Bound, Index, Statement, TensorId};
use crate::kernel::{self, Level};
use crate::operand::{DType, Strided};

/// The minimum length of a row: shorter ones are faster statement by statement.
const SHORTEST: i64 = 128;
/// The maximum length of a row: longer ones do not stay in the cache.
const LONGEST: i64 = 1 << 16;

/// Statements that run row by row.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The nests, run in order for each row.
    nests: Vec<Nest>,
    /// The ranges of the loops over rows.
    ranges: Vec<i64>,
    /// Tensors that only these statements use, with the elements of a row, for which each thread has memory.
    locals: Vec<(TensorId, usize)>,
    /// The number of elements of the longest row.
    length: i64,
}

/// The number of leading axes of a statement's target that are distinct loops with the axis's length as their range.
fn leading(statement: &Statement, shape: &[i64]) -> usize {
    let alone = |(axis, index): (usize, &Index)| match index.affine.terms[..] {
        [(l, 1)] => index.affine.constant == 0 && statement.loops[l].range == shape[axis],
        _ => false,
    };
    statement
        .left
        .iter()
        .enumerate()
        .take_while(|&each| alone(each))
        .count()
}

/// The number of leading axes of an access whose indices are the same loops as on the statement's left side.
fn same(access: &Access, statement: &Statement) -> usize {
    let plain = |index: &Index| !index.checked && index.look_up.is_none();
    if !access.indices.iter().all(plain) {
        return 0;
    }
    access
        .indices
        .iter()
        .zip(&statement.left)
        .take_while(|(index, left)| index.affine == left.affine)
        .count()
}

impl Rows {
    /// The longest prefix of the statements that can be fused by rows, and its length; `None` if there is no gain.
    pub fn new(
        level: Level,
        bound: &Bound,
        statements: &[Statement],
        views: &[View],
    ) -> Option<(Rows, usize)> {
        let shape = |id: TensorId| views[id].layout.shape();
        let mut depth = usize::MAX;
        let mut group = 0;
        let mut passed = false;
        for (k, statement) in statements.iter().enumerate() {
            let fits = statement.loops.iter().all(|l| l.range > 0)
                && statement.guards.is_empty()
                && injective(statement)
                && covers(statement, shape(statement.target))
                && Contraction::new(statement, views).is_none();
            let mut here = depth.min(leading(statement, shape(statement.target)));
            let members: Vec<TensorId> =
                statements[..k].iter().map(|member| member.target).collect();
            let mut reads = false;
            accesses(&statement.value, &mut |access| {
                if members.contains(&access.tensor) {
                    here = here.min(same(access, statement));
                    reads = true;
                }
            });
            let joins = k == 0
                || statement
                    .left
                    .iter()
                    .zip(&statements[0].left)
                    .take(here)
                    .enumerate()
                    .all(|(axis, _)| {
                        shape(statement.target)[axis] == shape(statements[0].target)[axis]
                    });
            if !fits || here == 0 || !joins || (k > 0 && !reads) {
                break;
            }
            passed |= reads;
            depth = here;
            group = k + 1;
        }
        if group < 2 || !passed {
            return None;
        }
        let members = &statements[..group];
        // As many axes as possible with rows of sufficient length.
        let (depth, ranges, length) = (1..=depth).rev().find_map(|depth| {
            let ranges: Vec<i64> = shape(members[0].target)[..depth].to_vec();
            let rows: i64 = ranges.iter().product();
            let length = members
                .iter()
                .map(|member| member.loops.iter().map(|l| l.range).product::<i64>() / rows)
                .max()?;
            (rows >= 2 && (SHORTEST..=LONGEST).contains(&length)).then_some((depth, ranges, length))
        })?;
        let mut views = views.to_vec();
        let mut locals = Vec::new();
        for member in members {
            let id = member.target;
            let mut outside = bound.returned.contains(&id);
            for other in &statements[group..] {
                accesses(&other.value, &mut |access| outside |= access.tensor == id);
                outside |= other.left.iter().any(|index| looks(index, id));
            }
            if !outside {
                let shape = views[id].layout.shape().to_vec();
                let row = super::program::row_major(&shape[depth..]);
                let strides = ranges
                    .iter()
                    .map(|_| 0)
                    .chain(row.strides().iter().copied());
                let strides: Vec<i64> = strides.collect();
                views[id].layout =
                    Strided::new(shape, strides, 0).unwrap_or_else(|error| unreachable!("{error}"));
                let elements = row.elements() as usize;
                locals.push((id, elements));
            }
        }
        let nests = members.iter().map(|member| {
            let fixed: Vec<usize> = member.left[..depth]
                .iter()
                .map(|index| index.affine.terms[0].0)
                .collect();
            Nest::new(level, member, &views, &fixed).ok()
        });
        let rows = Rows {
            nests: nests.collect::<Option<Vec<Nest>>>()?,
            ranges,
            locals,
            length,
        };
        Some((rows, group))
    }

    /// The tensors that need memory for a row only.
    pub fn locals(&self) -> impl Iterator<Item = TensorId> + '_ {
        self.locals.iter().map(|&(id, _)| id)
    }

    /// Runs all rows.
    ///
    /// # Safety
    ///
    /// As [`work::run`](super::work::run).
    pub unsafe fn run(
        &self,
        views: &[View],
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Failed> {
        let rows: i64 = self.ranges.iter().product();
        let cost = self.nests.iter().map(|nest| nest.cost).sum();
        let most = (elements_per_unit(cost) / self.length).max(1);
        // As many units as these would be, but equally long.
        let per_unit = parts(rows, parts(rows, most));
        let all = Shared(bases.as_ptr());
        let count = bases.len();
        units(parts(rows, per_unit), &|unit| {
            // SAFETY: the slice that was given, which outlives the units.
            let mut bases = unsafe { std::slice::from_raw_parts(all.get(), count) }.to_vec();
            let mut memory: Vec<Words> = Vec::with_capacity(self.locals.len());
            for &(id, elements) in &self.locals {
                let mut words = Words::default();
                words.zeroed(elements * kernel::size(views[id].dtype));
                bases[id] = words.ptr();
                memory.push(words);
            }
            let mut machines: Vec<Machine<'_>> = self
                .nests
                .iter()
                .map(|nest| Machine::new(nest, &bases, numbers))
                .collect();
            let mut fixed = vec![0; self.ranges.len()];
            set(&mut fixed, &self.ranges, unit * per_unit);
            for _ in unit * per_unit..((unit + 1) * per_unit).min(rows) {
                for (machine, nest) in machines.iter_mut().zip(&self.nests) {
                    let points = nest.kept.iter().product();
                    machine.fix(&fixed);
                    // SAFETY: each row belongs to one thread; statements read what previous ones have written for this row.
                    unsafe { machine.points(0..points, 0..nest.inner, fixed.len())? };
                }
                advance(&mut fixed, &self.ranges);
            }
            Ok(())
        })
    }
}

/// Whether an index looks up in a tensor.
fn looks(index: &Index, tensor: TensorId) -> bool {
    index.look_up.as_ref().is_some_and(|look| {
        look.tensor == tensor || look.indices.iter().any(|index| looks(index, tensor))
    })
}
