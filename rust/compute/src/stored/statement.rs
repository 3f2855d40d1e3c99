//! A statement over ragged or sparse tensors: its inference once its operands are there, and its execution.

use super::accumulate::Accumulator;
use super::block::{Block, BLOCK};
use super::code::{Code, Compiler};
use super::collect::Collector;
use super::evaluate::{is_within, Machine};
use super::gather::{self, Gatherer};
use super::given::Given;
use super::lines;
use super::memory::Buffer;
use super::multiply::Multiply;
use super::nest::Nest;
use super::products::Product;
use super::ranges::Range;
use super::runs::{Kind, Runs};
use super::shape::{lone, Shaper};
use super::support::{Leaves, Support};
use super::sweep::{Map, Sweep};
use super::target::Target;
use super::tensor::{Form, Tensor};
use super::walk::Walk;
use super::windows::{Rows, Shared, WINDOW};
use super::work::{points_of, Place, Places, Work};
use crate::ast::Op;
use crate::bound::{Condition, Expr, Index, LoopId, TensorId};
use crate::Error;

/// An inferred statement.
pub(super) struct Statement {
    pub label: String,
    /// The target's name, without its version.
    pub name: String,
    pub nest: Nest,
    /// A bound of the depth of recursions over its loops and its expressions.
    pub depth: usize,
    pub left: Vec<Index>,
    pub op: Op,
    pub value: Expr,
    pub guards: Vec<Condition>,
    /// The shape given by `where`, with -1 for a ragged axis, or the tensor whose form the target has.
    pub pinned: Option<Vec<i64>>,
    /// The shape given by `where` with lengths of rows.
    pub given: Option<Given>,
    pub like: Option<TensorId>,
    /// Whether the target is sparse by itself.
    pub sparse: bool,
    /// What the value is outside of the support, if that counts and is not 0.
    pub outside: Option<Expr>,
}

/// How elements may be computed.
struct Ways<'w, 's> {
    /// Where the value is not 0, if that is not known.
    within: Option<&'w Support>,
    product: Option<&'w Product>,
    sweep: Option<&'w Sweep<'s>>,
    map: Option<&'w Map<'s>>,
}

impl Statement {
    /// Runs the statement. Its result, and the number of points that it has visited.
    pub fn run<'a>(
        &self,
        tensors: &[Tensor<'a>],
        names: &(dyn Fn(TensorId) -> String + Sync),
    ) -> Result<(Tensor<'a>, u64), Error> {
        let shaper = Shaper {
            nest: &self.nest,
            tensors,
            left: &self.left,
            label: &self.label,
            target: &self.name,
        };
        shaper.agree()?;
        let are_sparse = tensors.iter().map(|tensor| tensor.points().is_some());
        let mut leaves = Leaves::new(&self.nest.reads, are_sparse);
        let target = self.target(&shaper, tensors, &mut leaves)?;
        // Elsewhere than in its own support the value is 0, and has no part in a sum.
        let own = leaves.support(&self.value);
        let within = match self.op {
            Op::Sum if self.outside.is_none() => own.clone(),
            _ => Support::All,
        };
        // What has no place in a sparse target is not evaluated.
        let within = match &target {
            Target::Points(_, Some(read)) => within.and(Support::Leaf(*read)),
            _ => within,
        };
        let known = self.nest.support.clone().and(within.clone());
        let mut compiler = Compiler::new(&mut leaves, tensors, &names, &known);
        let code = compiler.code(&self.value)?;
        let mut certain = Vec::new();
        self.nest.support.certain(&mut certain);
        let within = Some(within).filter(|within| {
            *within != Support::All
                && *within != self.nest.support
                && !within.holds(&|leaf| certain.contains(&leaf))
        });
        // Those that the support does not need are looked up, too.
        let nest = Nest {
            reads: leaves.reads().to_vec(),
            ..self.nest.clone()
        };
        if let (Target::Collected(shape), None) = (&target, &within) {
            let multiply = Multiply::new(self, &nest, tensors, shape);
            let made = multiply.map(|multiply| multiply.run(self)).transpose()?;
            if let Some(made) = made.flatten() {
                return Ok(made);
            }
        }
        let walk = Walk::new(&nest, tensors, &self.label)?;
        let machine = Machine {
            tensors,
            names,
            label: &self.label,
        };
        let dtype = self.value.dtype;
        let mut compiler = Compiler::new(&mut leaves, tensors, &names, &known);
        let product = self.product(&walk, &target, within.is_some(), tensors, &mut compiler)?;
        let written = match &target {
            Target::Elements(form) => Some(Some(form)),
            Target::Points(_, Some(_)) => Some(None),
            _ => None,
        };
        let written = written.filter(|_| within.is_none());
        let sweep = written.and_then(|form| Sweep::new(self, &walk, &nest, tensors, form));
        let written = written.filter(|_| sweep.is_none());
        let map = written.and_then(|form| Map::new(self, &code, &walk, &nest, tensors, form));
        let ways = Ways {
            within: within.as_ref(),
            product: product.as_ref(),
            sweep: sweep.as_ref(),
            map: map.as_ref(),
        };
        let made = match target {
            Target::Collected(shape) if self.rows_of(&walk, &shape).is_some() => {
                self.gather(&walk, &machine, &code, within.as_ref(), &shape)
            }
            Target::Collected(shape) => {
                let mut collector = Collector::new(self.op, dtype, &shape, &self.label)?;
                walk.run(0..i64::MAX, &mut |runs| {
                    let block = points_of(runs)?;
                    let picked = self.picked(&machine, &block, within.as_ref())?;
                    let block = picked.as_ref().unwrap_or(&block);
                    let values = machine.column(&code, block)?;
                    let mut columns = Vec::new();
                    for (axis, index) in self.left.iter().enumerate() {
                        let mut column = vec![0; BLOCK];
                        machine.index(index, block, &mut column)?;
                        self.check_written(axis, shape[axis], &column[..block.len], index)?;
                        columns.push(column);
                    }
                    collector.add(block.len, &columns, &values)
                })?;
                collector.finish()
            }
            Target::Points(id, read) => {
                let points = tensors[id].points().cloned().ok_or_else(|| {
                    Error::illegal(format!("{}: not a sparse tensor", self.label))
                })?;
                let form = Form::Sparse(points.clone());
                let place = |block: &Block, to: &mut [i64]| {
                    if let Some(read) = read {
                        to[..block.len].copy_from_slice(&block.entries[read][..block.len]);
                        return Ok(());
                    }
                    let mut columns = Vec::new();
                    for index in &self.left {
                        let mut column = vec![0; BLOCK];
                        machine.index(index, block, &mut column)?;
                        columns.push(column);
                    }
                    for (at, to) in to.iter_mut().enumerate().take(block.len) {
                        let coordinates: Vec<i64> =
                            columns.iter().map(|column| column[at]).collect();
                        *to = points.find(&coordinates).map_or(-1, |point| point as i64);
                    }
                    Ok(())
                };
                let along = |runs: &Runs<'_, '_>| match read {
                    Some(read) => Ok(lines::entries(read, runs)),
                    None => Ok(None),
                };
                self.accumulate(
                    &walk,
                    &machine,
                    &code,
                    &ways,
                    form,
                    points.count,
                    (&place, &along),
                )
            }
            Target::Elements(form) => {
                let count = match &form {
                    Form::Dense { shape, .. } => {
                        self.check_size(shape, dtype)?;
                        shape.iter().product::<i64>() as usize
                    }
                    Form::Ragged(rows) => rows.count as usize,
                    _ => 0,
                };
                let written = form.clone();
                let place = |block: &Block, to: &mut [i64]| {
                    machine.written(&written, &self.name, &self.left, block, to)
                };
                let along = |runs: &Runs<'_, '_>| {
                    machine.written_line(&written, &self.name, &self.left, runs)
                };
                let places: (&Place<'_>, &Places<'_>) = (&place, &along);
                self.accumulate(&walk, &machine, &code, &ways, form, count, places)
            }
        }?;
        Ok((made, walk.visited()))
    }

    /// The rows by which the points of a sparse sum are gathered, if they may be.
    fn rows_of(&self, walk: &Walk<'_, '_>, shape: &[i64]) -> Option<gather::Rows> {
        let left: Option<Vec<LoopId>> = self.left.iter().map(lone).collect();
        let left = left.filter(|_| self.op == Op::Sum)?;
        let is_inside = |(&id, &length): (&LoopId, &i64)| matches!(self.nest.ranges.ranges[id], Range::Fixed(range) if range <= length);
        if !left.iter().zip(shape).all(is_inside) {
            return None;
        }
        gather::Rows::new(&left, &walk.order, shape, self.value.dtype, walk.points())
    }

    /// Gathers the points of a sparse sum.
    fn gather(
        &self,
        walk: &Walk<'_, '_>,
        machine: &Machine<'_, '_>,
        code: &Code,
        within: Option<&Support>,
        shape: &[i64],
    ) -> Result<Tensor<'static>, Error> {
        let Some(rows) = self.rows_of(walk, shape) else {
            return Err(Error::illegal(format!("{}: no rows", self.label)));
        };
        let everywhere = within.is_none() && self.guards.is_empty();
        let parts = std::sync::Mutex::new(std::collections::BTreeMap::new());
        let is_first = self.left.first().and_then(lone) == walk.order.first().copied();
        self.parts(walk.points(), walk.outermost()?, is_first, &|part| {
            let mut gatherer = Gatherer::new(&rows, &self.label)?;
            let start = part.start;
            walk.run(part, &mut |runs| {
                if everywhere && runs.kind != Kind::Points {
                    let values = machine.value(code, runs)?;
                    // SAFETY: there is a value for each point.
                    return unsafe { gatherer.add_runs(runs, values.start()) };
                }
                let block = points_of(runs)?;
                let picked = self.picked(machine, &block, within)?;
                let block = picked.as_ref().unwrap_or(&block);
                let values = machine.column(code, block)?;
                // SAFETY: as above.
                unsafe { gatherer.add_points(block, values.start()) }
            })?;
            let done = gatherer.finish()?;
            let parts = parts.lock();
            let mut parts = parts.unwrap_or_else(std::sync::PoisonError::into_inner);
            parts.insert(start, done);
            Ok(())
        })?;
        let parts = parts
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        gather::joined(&rows, parts.into_values(), &self.label)
    }

    /// The product of which this is a sum, if that can be summed along runs.
    fn product(
        &self,
        walk: &Walk<'_, '_>,
        target: &Target<'_>,
        is_partial: bool,
        tensors: &[Tensor<'_>],
        compiler: &mut Compiler<'_, '_>,
    ) -> Result<Option<Product>, Error> {
        let Some(&inner) = walk.order.last() else {
            return Ok(None);
        };
        if self.op != Op::Sum || is_partial || !self.guards.is_empty() || self.outside.is_some() {
            return Ok(None);
        }
        let step = match target {
            Target::Elements(form) => lines::step(form, &self.left, inner),
            Target::Points(_, Some(read)) if walk.kind != Kind::Entries(*read) => {
                Some(lines::Step::Same)
            }
            _ => return Ok(None),
        };
        Product::new(&self.value, walk.kind, inner, step, tensors, compiler)
    }

    /// The points of a block at which the statement writes; none if all of them.
    pub fn picked(
        &self,
        machine: &Machine<'_, '_>,
        block: &Block,
        within: Option<&Support>,
    ) -> Result<Option<Block>, Error> {
        if within.is_none() && self.guards.is_empty() {
            return Ok(None);
        }
        let points: Vec<u32> = (0..block.len as u32)
            .filter(|&at| {
                within.is_none_or(|within| is_within(within, block, at as usize))
                    && machine.meets(&self.guards, block, at as usize)
            })
            .collect();
        (points.len() < block.len)
            .then(|| block.some(&points))
            .transpose()
    }

    /// The ranges of loops that depend on no others, to which derivatives refer by name; of the others upper bounds.
    pub fn fixed_ranges(&self) -> std::collections::HashMap<String, i64> {
        let ranges = self
            .nest
            .names
            .iter()
            .cloned()
            .zip(&self.nest.ranges.ranges);
        ranges
            .map(|(name, range)| match range {
                Range::Fixed(range) => (name, *range),
                Range::Rows(_) | Range::Is(_) => (name, i64::MAX),
            })
            .collect()
    }

    /// Accumulates the elements of the target.
    #[allow(clippy::too_many_arguments)]
    fn accumulate<'a>(
        &self,
        walk: &Walk<'_, '_>,
        machine: &Machine<'_, '_>,
        code: &Code,
        ways: &Ways<'_, '_>,
        form: Form<'a>,
        count: usize,
        (place, along): (&Place<'_>, &Places<'_>),
    ) -> Result<Tensor<'a>, Error> {
        let dtype = self.value.dtype;
        let is_extremum = matches!(self.op, Op::Max | Op::Min);
        let counts = !self.nest.alone
            && self.nest.support != Support::All
            && (is_extremum || self.op == Op::Product || self.outside.is_some());
        let needs_points = is_extremum
            && dtype.is_integer()
            && self.left.iter().all(|index| index.look_up.is_none());
        let of_rows = needs_points && (self.nest.alone || self.nest.support == Support::All);
        let what = || match &form {
            Form::Dense { shape, .. } => format!(
                "{}: a dense {} of shape {shape:?}; sparse {} stores positions that are written",
                self.label, self.name, self.name
            ),
            _ => format!("{}: {}", self.label, self.name),
        };
        let swept = match (ways.sweep, ways.map) {
            (Some(sweep), _) => sweep.run(self, walk, count, &what)?,
            (_, Some(map)) => map.run(self, walk, count, &what)?,
            _ => None,
        };
        if let Some((made, points)) = swept {
            walk.came_to(points);
            return Ok(Tensor::made(dtype, made, form));
        }
        let work = Work {
            statement: self,
            machine,
            code,
            within: ways.within,
            product: ways.product.filter(|_| !counts),
            place,
            along,
        };
        let outermost = walk.outermost()?;
        let is_kept = walk
            .order
            .first()
            .is_some_and(|&id| self.left.iter().any(|index| lone(index) == Some(id)));
        let is_first = is_kept && self.left.first().and_then(lone) == walk.order.first().copied();
        let rows = Rows::new(&form)
            .filter(|_| is_first && Accumulator::is_wide(self.op, dtype) && !counts && !of_rows);
        if let Some(rows) = rows {
            let mut made = Buffer::zeroed(count, dtype.width(), what)?;
            let to = Shared(made.start_mut());
            self.parts(walk.points(), outermost, true, &|part| {
                let mut state = walk.state(work.limit())?;
                let mut accumulator: Option<Accumulator> = None;
                let mut row = part.start;
                while row < part.end.min(outermost) {
                    let (end, from, count) = rows.window(row, part.end.min(outermost));
                    if accumulator.as_ref().is_none_or(|has| has.count() < count) {
                        let most = count.max(WINDOW as usize);
                        accumulator = Some(Accumulator::new(self.op, dtype, most, false, &what)?);
                    }
                    if let Some(accumulator) = &mut accumulator {
                        let cells = accumulator.window(from, count);
                        work.add(walk, &mut state, cells, row..end)?;
                        // SAFETY: windows are within the rows of a part, which are within the target, and parts are distinct.
                        unsafe { accumulator.write(count, to.at(from as usize * dtype.width())) };
                    }
                    row = end;
                }
                Ok(())
            })?;
            return Ok(Tensor::made(dtype, made, form));
        }
        let mut accumulator = Accumulator::new(self.op, dtype, count, counts || of_rows, &what)?;
        let cells = accumulator.cells();
        self.parts(walk.points(), outermost, is_kept, &|part| {
            work.add(walk, &mut walk.state(work.limit())?, cells, part)
        })?;
        if of_rows {
            self.check_rows(walk, accumulator.visits(), &form, machine)?;
        }
        if counts {
            let totals = self.count_outside(walk, machine, &mut accumulator, &form)?;
            if needs_points {
                self.check_rows(walk, totals.of(), &form, machine)?;
            }
        }
        let buffer = accumulator.finish(&what)?;
        Ok(Tensor::made(dtype, buffer, form))
    }
}
