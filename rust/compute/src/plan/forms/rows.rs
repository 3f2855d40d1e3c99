//! Fusion by rows: several statements run for one row before the next, so that intermediate rows stay in the cache, and need memory for one row only.

use tensornio_core::parallel::Shared;

use crate::ast::Op;
use crate::bound::{Access, Bound, First, Index, Node, Statement, TensorId};
use crate::kernel::Level;
use crate::operand::{DType, Strided};
use crate::plan::gemm::{Contraction, Filter};
use crate::plan::rewrite::{covers, injective};
use crate::plan::tile::{
    advance, elements_per_unit, parts, row_major, set, units, Failed, Machine, Nest, View, Words,
};
use crate::plan::verify::{self, Allocation};

/// The minimum length of a row: shorter ones are faster statement by statement.
const SHORTEST: i64 = 128;
/// The maximum length of a row: longer ones do not stay in the cache.
const LONGEST: i64 = 1 << 16;
/// The number of elements of the rows that each statement runs for before the next does: three tensors of them fit half of the L2 cache.
const BLOCK: i64 = 1 << 14;

/// The most statements that run row by row: finding the longest group takes no longer than that, however long a program is.
const MEMBERS: usize = 64;

/// Where the tensors of a program are made and used: the numbers of statements.
pub(crate) struct Uses {
    /// The statement that makes each tensor; `usize::MAX` for inputs.
    made: Vec<usize>,
    /// The last statement that reads it, `usize::MAX` if it is returned, 0 if none does.
    last: Vec<usize>,
}

impl Uses {
    pub fn of(bound: &Bound, statements: &[Statement]) -> Uses {
        let mut made = vec![usize::MAX; bound.tensors.len()];
        let mut last = vec![0; bound.tensors.len()];
        for (at, statement) in statements.iter().enumerate() {
            made[statement.target] = at;
            statement.reads(&mut |id| last[id] = at);
        }
        for lag in bound.scans.iter().flat_map(|scan| &scan.lags) {
            if let First::Tensor(id) = lag.first {
                last[id] = usize::MAX;
            }
        }
        for &id in &bound.returned {
            last[id] = usize::MAX;
        }
        Uses { made, last }
    }
}

/// Statements that run row by row, or a block of rows before the next where rows are short.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The nests, run in order for each block of rows.
    nests: Vec<Nest>,
    /// The ranges of the loops over rows, the last of which runs in blocks.
    ranges: Vec<i64>,
    /// The most rows of a block.
    block: i64,
    /// Tensors that only these statements use, with the elements of a row, for which each thread has memory for a block.
    locals: Vec<(TensorId, usize)>,
    /// The number of elements of the longest row.
    length: i64,
}

/// The number of leading axes of a statement's target that are distinct loops with the axis's length as their range.
fn leading(statement: &Statement, shape: &[i64]) -> usize {
    let alone = |(axis, index): (usize, &Index)| {
        let l = index.affine.as_loop();
        l.is_some_and(|l| statement.loops[l].range == shape[axis])
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
    if !access.is_plain() {
        return 0;
    }
    access
        .indices
        .iter()
        .zip(&statement.left)
        .take_while(|(index, left)| index.affine == left.affine)
        .count()
}

/// Whether a sum of one element is stored where its guard holds alone: what it leaves out has to be 0 before.
pub(super) fn stores_in_part(statement: &Statement) -> bool {
    let mut reduced = statement.loops[statement.kept..].iter();
    statement.op == Op::Sum
        && reduced.all(|l| l.range == 1)
        && matches!(statement.value.node, Node::Guard(..))
}

/// The longest group of statements, the first of which has the number `start`, that can be fused by rows: how many they are, and how many leading
/// axes they share.
fn group(
    statements: &[Statement],
    start: usize,
    uses: &Uses,
    views: &[View],
) -> Option<(usize, usize)> {
    let shape = |id: TensorId| views[id].layout.shape();
    let mut depth = usize::MAX;
    let mut group = 0;
    let mut passed = false;
    for (k, statement) in statements.iter().enumerate().take(MEMBERS) {
        let fits = !statement.is_empty()
            && statement.guards.is_empty()
            && !stores_in_part(statement)
            && injective(statement)
            && covers(statement, shape(statement.target))
            && !Contraction::fits(statement, views)
            && !Filter::fits(statement, views);
        let mut here = depth.min(leading(statement, shape(statement.target)));
        let members = start..start + k;
        let mut reads = false;
        statement.value.accesses(&mut |access| {
            if members.contains(&uses.made[access.tensor]) {
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
    (group >= 2 && passed).then_some((group, depth))
}

/// Whether a statement whose first axes are rows would read a tensor across its memory, though it is contiguous along one of these axes: the mean
/// over a middle axis, say, which by itself adds whole rows.
fn crosses(statement: &Statement, depth: usize, views: &[View]) -> bool {
    let rows: Vec<usize> = statement.left[..depth]
        .iter()
        .filter_map(|index| index.affine.as_loop())
        .collect();
    let mut any = false;
    statement.value.accesses(&mut |access| {
        let view = &views[access.tensor];
        let steps = view.steps(&access.indices, statement.loops.len());
        let size = view.dtype.width() as i64;
        let contiguous = |l: &usize| steps[*l].abs() == size && statement.loops[*l].range > 1;
        let (fixed, free): (Vec<usize>, Vec<usize>) =
            (0..steps.len()).partition(|l| rows.contains(l));
        any |= free
            .iter()
            .any(|&l| steps[l] != 0 && statement.loops[l].range > 1)
            && !free.iter().any(contiguous)
            && fixed.iter().any(contiguous);
    });
    any
}

impl Rows {
    /// The longest group of statements from `start` on that can be fused by rows, and its length; `None` if there is no gain. `views` are changed,
    /// and changed back.
    pub fn new(
        level: Level,
        bound: &Bound,
        statements: &[Statement],
        start: usize,
        uses: &Uses,
        views: &mut [View],
    ) -> Option<(Rows, usize)> {
        let (group, depth) = group(&statements[start..], start, uses, views)?;
        let shape = |id: TensorId| views[id].layout.shape();
        let members = &statements[start..start + group];
        // As many axes as possible with rows of sufficient length.
        let (depth, ranges, length) = (1..=depth).rev().find_map(|depth| {
            let ranges: Vec<i64> = shape(members[0].target)[..depth].to_vec();
            let rows: i64 = ranges.iter().product();
            let length = members
                .iter()
                .map(|member| member.loops.iter().map(|l| l.range).product::<i64>() / rows)
                .max()?;
            let along = members.iter().all(|member| !crosses(member, depth, views));
            (rows >= 2 && (SHORTEST..=LONGEST).contains(&length) && along)
                .then_some((depth, ranges, length))
        })?;
        let mut locals = Vec::new();
        let mut before = Vec::new();
        for member in members {
            let id = member.target;
            if uses.last[id] < start + group {
                let shape = views[id].layout.shape().to_vec();
                let row = row_major(&shape[depth..]);
                let elements = row.elements() as usize;
                let mut strides = vec![0; depth - 1];
                strides.push(elements as i64);
                strides.extend_from_slice(row.strides());
                let layout =
                    Strided::new(shape, strides, 0).unwrap_or_else(|error| unreachable!("{error}"));
                before.push((id, std::mem::replace(&mut views[id].layout, layout)));
                locals.push((id, elements));
            }
        }
        let allocation = |id: TensorId| {
            let mut allocation = Allocation::of(views.get(id)?);
            if let Some(&(_, elements)) = locals.iter().find(|(local, _)| *local == id) {
                let bytes = elements as i128 * views[id].dtype.width() as i128;
                allocation.row = Some((depth - 1, bytes));
            }
            Some(allocation)
        };
        let nests = members.iter().map(|member| {
            let mut fixed: Vec<usize> = member.left[..depth]
                .iter()
                .map(|index| index.affine.terms[0].0)
                .collect();
            // Of statements with a value for each row the rows of a block are the innermost loop.
            if member.loops.len() == depth {
                fixed.pop();
            }
            let nest = Nest::new(level, member, views, &fixed, true).ok()?;
            match verify::nest(&nest, &allocation) {
                Ok(()) => Some(nest),
                Err(fault) => {
                    verify::report(&bound.tensors[member.target].name, &fault);
                    None
                }
            }
        });
        let nests = nests.collect::<Option<Vec<Nest>>>();
        for (id, layout) in before {
            views[id].layout = layout;
        }
        let rows = Rows {
            nests: nests?,
            block: (BLOCK / length).clamp(1, ranges[depth - 1]),
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
    /// As [`Nest::run`](crate::plan::tile::Nest::run).
    pub unsafe fn run(
        &self,
        views: &[View],
        bases: &[*mut u8],
        numbers: &(dyn Fn(usize, DType) -> u64 + Sync),
    ) -> Result<(), Failed> {
        let (&last, outer) = self.ranges.split_last().unwrap_or((&1, &[]));
        let per_line = parts(last, self.block);
        let blocks = per_line * outer.iter().product::<i64>();
        let cost = self.nests.iter().map(|nest| nest.cost).sum();
        let most = (elements_per_unit(cost) / (self.length * self.block)).max(1);
        // Equally long, and a power of two of them, so that no thread waits for the last one's.
        let count = (parts(blocks, most) as u64).next_power_of_two();
        let per_unit = parts(blocks, count as i64);
        let all = Shared(bases.as_ptr());
        let tensors = bases.len();
        units(parts(blocks, per_unit), &|unit| {
            // SAFETY: the slice that was given, which outlives the units.
            let bases = unsafe { std::slice::from_raw_parts(all.get(), tensors) };
            let mut machines: Vec<Machine<'_>> = self
                .nests
                .iter()
                .map(|nest| Machine::new(nest, bases, numbers, &[]))
                .collect();
            let mut memory: Vec<(TensorId, usize, Words)> = self
                .locals
                .iter()
                .map(|&(id, elements)| {
                    let bytes = elements * views[id].dtype.width();
                    let mut words = Words::default();
                    words.zeroed(bytes * self.block as usize);
                    (id, bytes, words)
                })
                .collect();
            let mut fixed = vec![0; outer.len()];
            set(&mut fixed, outer, unit * per_unit / per_line);
            for block in unit * per_unit..((unit + 1) * per_unit).min(blocks) {
                let first = block % per_line * self.block;
                if first == 0 && block > unit * per_unit {
                    advance(&mut fixed, outer);
                }
                let rows = first..(first + self.block).min(last);
                for (machine, nest) in machines.iter_mut().zip(&self.nests) {
                    for (id, bytes, words) in &mut memory {
                        // Where row 0 would be: only the rows of this block are read and written.
                        let before = *bytes * first as usize;
                        machine.place(*id, words.ptr().wrapping_sub(before));
                    }
                    machine.fix(&fixed);
                    let (points, inner) = match nest.kept.get(self.ranges.len()..) {
                        Some(own) => {
                            let each: i64 = own.iter().product();
                            (rows.start * each..rows.end * each, 0..nest.inner)
                        }
                        None => (0..1, rows.clone()),
                    };
                    // SAFETY: each row belongs to one thread; statements read what previous ones have written for this block.
                    unsafe { machine.points(points, inner, fixed.len())? };
                }
            }
            Ok(())
        })
    }
}
