//! One statement as loops around instructions.

use std::collections::BTreeSet;

use super::code::{Code, Inside, Memory, Slot};
use super::emit::{Emitter, Role, Unsupported};
use super::fuse::fuse;
use super::loops::{order, pin, pin_conditions, Dim, Order, Steps};
use super::panel::across;
use super::reduce::FLUSH;
use super::registers;
use super::root::{store, Root};
use super::view::View;
use super::whole::whole;
use crate::ast::{Binary, Op};
use crate::bound::{Access, Condition, Expr, Index, LoopId, Statement};
use crate::kernel::fold::LANES;
use crate::kernel::{self, Fused, Kernel, Level, Mode};
use crate::operand::DType;
use crate::plan::rewrite::{guards, is_inside, writes_directly, Cell};
use crate::scalar::Scalar;

/// The maximum length of a tile, in elements, if no register is used: an instruction that goes from memory to memory needs no tile.
const IN_PLACE: usize = 8192;
/// The same if the operands of the innermost loop fit the L2 cache.
const CACHED: usize = 1024;
/// The same if they do not fit, and several instructions alternate between operands: that disturbs the hardware prefetcher.
const STREAMING: usize = 512;
/// The assumed size of the L2 cache, in bytes, of which half is used.
const CACHE: usize = 512 << 10;

/// Results of so many bytes are written past the caches: they are as large as most last-level caches.
const PAST: i64 = 32 << 20;
/// In runs of so many elements at least.
const RUN: i64 = 256;

/// One statement as loops around instructions.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    /// Ranges of the kept loops outside of the innermost.
    pub kept: Vec<i64>,
    /// Ranges of the reduced loops outside of the innermost.
    pub reduced: Vec<i64>,
    /// The innermost loop's range.
    pub inner: i64,
    /// The longest tile.
    pub tile: usize,
    pub codes: Vec<Code>,
    /// The cost of the instructions for one element, at least 1.
    pub cost: i64,
    pub memories: Vec<Memory>,
    pub cells: Vec<Cell>,
    /// The offset of each register, in tiles, and the stride of its elements.
    pub registers: Vec<(usize, usize)>,
    /// The number of register slots, each of a tile.
    pub places: usize,
    pub width: usize,
    pub root: Root,
    /// The target, in `memories`.
    pub target: u32,
    /// Where one of these conditions does not hold, nothing runs.
    pub conditions: Vec<Inside>,
    pub dtype: DType,
    /// The bits of the reduction's identity element.
    pub identity: u64,
    /// Whether results are written past the caches.
    pub streams: bool,
    /// The element-wise kernel of the reduction; a no-op if there is none.
    pub combine: Kernel,
    /// Whether partial results are combined pairwise, because the operator rounds.
    pub rounds: bool,
}

impl Nest {
    /// The nest of a statement, no loop of which has range 0. The `fixed` first loops are outermost and not merged; `shares` says that other
    /// statements run between its rows.
    pub fn new(
        level: Level,
        statement: &Statement,
        views: &[View],
        fixed: &[LoopId],
        shares: bool,
    ) -> Result<Nest, Unsupported> {
        Draft::new(level, statement, views, fixed, shares).nest()
    }
}

/// A nest that is being made: the roles of the loops, then the epilogue, the instructions, and the tile.
struct Draft<'a> {
    statement: &'a Statement,
    /// Its guards, and what they guard.
    guards: Vec<Condition>,
    value: &'a Expr,
    /// Whether other statements run between its rows.
    shares: bool,
    /// Whether it writes at any offsets, in source order.
    scatters: bool,
    order: Order,
    emitter: Emitter<'a>,
}

/// What is done with values, and the target, in the memory operands.
struct Ending {
    root: Root,
    target: u32,
    streams: bool,
}

/// The tensors of a statement, its target first.
fn operands(statement: &Statement, value: &Expr, views: &[View]) -> Vec<Steps> {
    let ranges = statement.ranges();
    let operand = |tensor: usize, indices: &[Index]| Steps {
        strides: views[tensor].steps(indices, ranges.len()),
        size: views[tensor].dtype.width() as i64,
        anywhere: is_inside(indices, views[tensor].layout.shape(), &ranges),
    };
    let mut operands = vec![operand(statement.target, &statement.left)];
    value.accesses(&mut |access| operands.push(operand(access.tensor, &access.indices)));
    operands
}

/// The order of the loops that are not fixed; that of a scatter is the source's.
fn ordered(
    statement: &Statement,
    fixed: &[LoopId],
    scatters: bool,
    pinned: &BTreeSet<LoopId>,
    operands: &[Steps],
) -> Order {
    let dim = |id: LoopId| Dim {
        id,
        range: statement.loops[id].range,
        reduced: id >= statement.kept,
    };
    let free = (0..statement.loops.len()).filter(|id| !fixed.contains(id));
    let mut order = match scatters {
        true => Order::of(free.map(dim)),
        false => order(
            &free.map(dim).collect::<Vec<_>>(),
            pinned,
            operands,
            Some(0),
        ),
    };
    order.outer.splice(0..0, fixed.iter().map(|&id| dim(id)));
    order
}

impl<'a> Draft<'a> {
    /// Gives each loop its role.
    fn new(
        level: Level,
        statement: &'a Statement,
        views: &'a [View],
        fixed: &[LoopId],
        shares: bool,
    ) -> Draft<'a> {
        let scatters = !writes_directly(statement, views[statement.target].layout.shape());
        let (guards, value) = guards(statement);
        let operands = operands(statement, value, views);
        let mut pinned = BTreeSet::new();
        pin(value, &mut pinned);
        pin_conditions(&guards, &mut pinned);
        pinned.extend(fixed);
        let mut order = ordered(statement, fixed, scatters, &pinned, &operands);
        order.rows = order.rows.filter(|_| statement.op != Op::Set);
        let stores = !scatters && !order.inner.reduced && order.reduced().next().is_none();
        let panels = stores
            && guards.is_empty()
            && fixed.is_empty()
            && order.joined.is_none()
            && across(&operands[1..], &order.inner, &mut order.outer);
        let mut roles = vec![Role::Gone; statement.loops.len()];
        for (at, dim) in order.outer.iter().enumerate() {
            roles[dim.id] = Role::Outer(at);
        }
        if let Some(role) = roles.get_mut(order.inner.id) {
            *role = Role::Inner;
        }
        for id in order.joined.map(|(id, _)| id).into_iter().chain(order.rows) {
            roles[id] = Role::Joined;
        }
        let mut emitter = Emitter::new(level, views, roles, statement.ranges(), order.round());
        emitter.panels = panels.then(|| order.outer.len() - 1);
        emitter.length = order.inner.range;
        Draft {
            statement,
            guards,
            value,
            shares,
            scatters,
            order,
            emitter,
        }
    }

    fn dtype(&self) -> DType {
        self.emitter.views[self.statement.target].dtype
    }

    /// The memory operand that is written.
    fn target(&mut self) -> u32 {
        self.emitter.memory(&Access {
            tensor: self.statement.target,
            indices: self.statement.left.clone(),
        })
    }

    /// Chooses the epilogue, and emits the instructions of its values.
    fn ending(&mut self) -> Result<Ending, Unsupported> {
        let mut streams = false;
        let (root, target) = if self.scatters {
            self.scatter()?
        } else if self.order.inner.reduced {
            (self.fold()?, self.target())
        } else if self.statement.op == Op::Set || self.order.reduced().next().is_none() {
            let stream = self.stream();
            streams = stream.is_some();
            self.store(stream)?
        } else {
            let root = self.rows()?;
            // The target has one row.
            self.emitter.round = 0;
            (root, self.target())
        };
        Ok(Ending {
            root,
            target,
            streams,
        })
    }

    fn scatter(&mut self) -> Result<(Root, u32), Unsupported> {
        let (op, dtype) = (self.statement.op, self.dtype());
        let value = self.emitter.value(self.value)?;
        let value = self.emitter.spread(value);
        let (target, indices) = (self.statement.target, &self.statement.left);
        let (memory, offsets) = self.emitter.write_offsets(target, indices)?;
        let root = Root::Scatter {
            kernel: kernel::scatter(op, dtype).ok_or(Unsupported)?,
            value: value.slot,
            offsets: offsets.slot,
        };
        Ok((root, memory))
    }

    fn fold(&mut self) -> Result<Root, Unsupported> {
        let (op, dtype) = (self.statement.op, self.dtype());
        let (fused, a, b) = self.emitter.term(op, self.value, false)?;
        Ok(Root::Fold {
            kernels: kernel::fold(self.emitter.level, op, fused, dtype).ok_or(Unsupported)?,
            a: a.slot,
            b: b.slot,
            whole: None,
        })
    }

    fn store(&mut self, stream: Option<Kernel>) -> Result<(Root, u32), Unsupported> {
        let emitter = &mut self.emitter;
        let mut value = emitter.value(self.value)?;
        // From 0, so that -0 becomes 0; others leave one element as it is.
        if self.statement.op == Op::Sum && matches!(value.dtype, DType::Float | DType::Double) {
            let zero = emitter.cell(Cell::Bits(0), value.dtype);
            value = emitter.binary(Binary::Add, zero, value)?;
        }
        emitter.panels = None;
        let memory = self.target();
        let always = self.guards.is_empty();
        Ok((
            store(&mut self.emitter, value, memory, always, stream),
            memory,
        ))
    }

    /// The kernel that writes past the caches, if results are that large. Not if other statements are to find them in the cache.
    fn stream(&self) -> Option<Kernel> {
        let size = self.dtype().width() as i64;
        let kept = &self.emitter.ranges[..self.statement.kept];
        let written = kept
            .iter()
            .fold(size, |all, &range| all.saturating_mul(range));
        let pays = !self.shares && written >= PAST && self.order.inner.range >= RUN;
        kernel::stream(self.dtype()).filter(|_| pays)
    }

    fn rows(&mut self) -> Result<Root, Unsupported> {
        let (op, dtype, level) = (self.statement.op, self.dtype(), self.emitter.level);
        let (fused, a, b) = self.emitter.term(op, self.value, true)?;
        let mode = if a.uniform {
            Mode::Scalar
        } else {
            Mode::Vector
        };
        let together = self.order.rows.is_some();
        let four = match (op, fused, a.slot) {
            (Op::Sum, Fused::One, _) if together => kernel::four_rows(level, dtype),
            (Op::Sum, Fused::One, Slot::Memory(m))
                if self.guards.is_empty()
                    && self.emitter.codes.is_empty()
                    && self.emitter.memories[m as usize].repeated.is_none() =>
            {
                kernel::four_rows(level, dtype)
            }
            _ => None,
        };
        let accumulate = kernel::accumulate(level, op, fused, dtype, mode);
        Ok(Root::Rows {
            accumulate: accumulate.ok_or(Unsupported)?,
            a: a.slot,
            b: b.slot,
            four,
            together,
        })
    }

    /// The longest tile.
    fn tile(&self, root: &Root, places: usize) -> usize {
        let memories = &self.emitter.memories;
        let (round, inner) = (self.order.round(), self.order.inner.range);
        // An upper bound of the memory accessed by all loops.
        let ranges = self.emitter.ranges.iter();
        let elements = ranges.fold(1i64, |product, &range| product.saturating_mul(range));
        let moving = memories.iter().filter(|m| m.inner != 0);
        let bytes: i64 = moving.map(|m| m.size as i64).sum();
        // The rows of a block stay in the cache from statement to statement.
        let streaming = !self.shares
            && elements.saturating_mul(bytes) > CACHE as i64 / 2
            && !matches!(root, Root::Rows { .. });
        let panels = memories.iter().any(|m| m.panel.is_some());
        let in_place = places == 0 && round == 0 && matches!(root, Root::Store { .. });
        let longest = match (panels, in_place, streaming && places > 0) {
            (true, _, _) | (_, false, true) => STREAMING,
            (_, true, _) => IN_PLACE,
            _ => CACHED,
        };
        let mut tile = longest.min(inner.max(1) as usize);
        if round > 0 {
            tile = longest.max(round as usize) / round as usize * round as usize;
        }
        if let (true, Some(dim)) = (self.order.rows.is_some(), self.order.reduced().last()) {
            tile = tile.min(round.saturating_mul(dim.range) as usize);
        }
        tile
    }

    /// The nest.
    fn nest(mut self) -> Result<Nest, Unsupported> {
        let (op, dtype, level) = (self.statement.op, self.dtype(), self.emitter.level);
        let Ending {
            mut root,
            target,
            streams,
        } = self.ending()?;
        let guards = self.guards.iter();
        let conditions: Vec<Inside> = guards.map(|guard| self.emitter.inside(guard)).collect();
        let dtypes = std::mem::take(&mut self.emitter.registers);
        let mut codes = std::mem::take(&mut self.emitter.codes);
        let cost = codes.iter().map(Code::cost).sum::<i64>().max(1);
        fuse(level, &mut codes, &root, &dtypes);
        let (registers, places) = registers::placed(&codes, &root, &dtypes);
        let sizes = dtypes.iter().chain([&dtype]).map(|each| each.width());
        let tile = self.tile(&root, places);
        let (reduced, kept): (Vec<&Dim>, Vec<&Dim>) =
            self.order.outer.iter().partition(|dim| dim.reduced);
        let short = self.order.inner.range <= tile.max(FLUSH * LANES) as i64;
        if conditions.is_empty() && reduced.is_empty() && short {
            let memories = &self.emitter.memories;
            whole(&mut root, &codes, memories, target, kept.len());
        }
        Ok(Nest {
            kept: kept.iter().map(|dim| dim.range).collect(),
            reduced: reduced.iter().map(|dim| dim.range).collect(),
            inner: self.order.inner.range,
            tile,
            codes,
            cost,
            registers,
            places,
            width: sizes.max().unwrap_or(1),
            root,
            target,
            conditions,
            dtype,
            identity: Scalar::identity(op, dtype).bits(),
            streams,
            combine: match op {
                Op::Set => kernel::same(level, dtype),
                op => kernel::combine(level, op, dtype).ok_or(Unsupported)?,
            },
            rounds: matches!(op, Op::Sum | Op::Product)
                && matches!(dtype, DType::Float | DType::Double),
            memories: self.emitter.memories,
            cells: self.emitter.cells,
        })
    }
}
