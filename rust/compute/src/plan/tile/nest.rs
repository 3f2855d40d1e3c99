//! One statement as loops around instructions.

use std::collections::BTreeSet;

use super::code::{Code, Inside, Memory, Slot};
use super::emit::{Emitter, Role, Unsupported};
use super::fuse::fuse;
use super::identity::identity;
use super::loops::{order, pin, pin_conditions, Dim, Steps};
use super::panel::across;
use super::reduce::FLUSH;
use super::root::{store, Root};
use super::view::View;
use super::whole::whole;
use crate::ast::{Binary, Op};
use crate::bound::{Access, Index, LoopId, Statement};
use crate::kernel::fold::LANES;
use crate::kernel::{self, Fused, Kernel, Level, Mode};
use crate::operand::DType;
use crate::plan::rewrite::{guards, is_inside, writes_directly, Cell};

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
    /// The nest of a statement, no loop of which has range 0. The `fixed` first loops are outermost and not merged.
    pub fn new(
        level: Level,
        statement: &Statement,
        views: &[View],
        fixed: &[LoopId],
    ) -> Result<Nest, Unsupported> {
        let loops = statement.loops.len();
        let view = &views[statement.target];
        let dtype = view.dtype;
        let scatter = !writes_directly(statement, view.layout.shape());
        let (guards, value) = guards(statement);
        let mut pinned = BTreeSet::new();
        pin(value, &mut pinned);
        pin_conditions(&guards, &mut pinned);
        pinned.extend(fixed.iter().copied());
        let ranges = statement.ranges();
        let operand = |indices: &[Index], view: &View| Steps {
            strides: view.steps(indices, loops),
            size: kernel::size(view.dtype) as i64,
            anywhere: is_inside(indices, view.layout.shape(), &ranges),
        };
        let mut operands = vec![operand(&statement.left, view)];
        value.accesses(&mut |access| {
            operands.push(operand(&access.indices, &views[access.tensor]));
        });
        let dims: Vec<Dim> = statement
            .loops
            .iter()
            .enumerate()
            .map(|(id, l)| Dim {
                id,
                range: l.range,
                reduced: id >= statement.kept,
            })
            .collect();
        // A scatter runs in source order.
        let (outer, inner, joined, rows) = if scatter {
            let mut dims: Vec<Dim> = dims
                .into_iter()
                .filter(|dim| dim.range != 1 && !fixed.contains(&dim.id))
                .collect();
            let inner = dims.pop().unwrap_or(Dim {
                id: usize::MAX,
                range: 1,
                reduced: false,
            });
            (dims, inner, None, None)
        } else {
            let dims: Vec<Dim> = dims
                .into_iter()
                .filter(|dim| !fixed.contains(&dim.id))
                .collect();
            let order = order(&dims, &pinned, &operands, Some(0));
            (order.outer, order.inner, order.joined, order.rows)
        };
        let fixed_dims = fixed.iter().map(|&id| Dim {
            id,
            range: statement.loops[id].range,
            reduced: false,
        });
        let mut outer: Vec<Dim> = fixed_dims.chain(outer).collect();
        let stores = !scatter && !inner.reduced && outer.iter().all(|dim| !dim.reduced);
        let panels = stores
            && guards.is_empty()
            && fixed.is_empty()
            && joined.is_none()
            && across(&operands[1..], &inner, &mut outer);
        let mut roles = vec![Role::Gone; loops];
        for (at, dim) in outer.iter().enumerate() {
            roles[dim.id] = Role::Outer(at);
        }
        if inner.id < loops {
            roles[inner.id] = Role::Inner;
        }
        if let Some((id, _)) = joined {
            roles[id] = Role::Joined;
        }
        let rows = rows.filter(|_| statement.op != Op::Set);
        if let Some(id) = rows {
            roles[id] = Role::Joined;
        }
        let round = match rows {
            Some(_) => inner.range,
            None => joined.map_or(0, |(_, round)| round),
        };
        let mut emitter = Emitter::new(level, views, &roles, &ranges, round);
        emitter.panels = panels.then(|| outer.len() - 1);
        emitter.length = inner.range;
        let reduced: Vec<i64> = outer
            .iter()
            .filter(|dim| dim.reduced)
            .map(|dim| dim.range)
            .collect();
        let target = Access {
            tensor: statement.target,
            indices: statement.left.clone(),
        };
        let conditions: Vec<Inside> = guards.iter().map(|guard| emitter.inside(guard)).collect();
        let none = kernel::same(level, dtype);
        let combine = match statement.op {
            Op::Set => none,
            op => kernel::combine(level, op, dtype).ok_or(Unsupported)?,
        };
        let mut streams = false;
        let (mut root, target) = if scatter {
            let value = emitter.value(value)?;
            let value = emitter.spread(value);
            let (memory, offsets) = emitter.write_offsets(statement.target, &statement.left)?;
            let root = Root::Scatter {
                kernel: kernel::scatter(statement.op, dtype).ok_or(Unsupported)?,
                value: value.slot,
                offsets: offsets.slot,
            };
            (root, memory)
        } else if inner.reduced {
            let (fused, a, b) = emitter.term(statement.op, value, false)?;
            let kernels = kernel::fold(level, statement.op, fused, dtype).ok_or(Unsupported)?;
            let root = Root::Fold {
                kernels,
                a: a.slot,
                b: b.slot,
                whole: None,
            };
            (root, emitter.memory(&target))
        } else if statement.op == Op::Set || reduced.is_empty() {
            let value = emitter.value(value)?;
            let value = match statement.op {
                // From 0, so that -0 becomes 0; others leave one element as it is.
                Op::Sum if matches!(dtype, DType::Float | DType::Double) => {
                    let zero = emitter.cell(Cell::Bits(0), dtype);
                    emitter.binary(Binary::Add, zero, value)?
                }
                _ => value,
            };
            emitter.panels = None;
            let memory = emitter.memory(&target);
            // Not if other statements are to find it in the cache.
            let written = ranges[..statement.kept]
                .iter()
                .fold(kernel::size(dtype) as i64, |product, &range| {
                    product.saturating_mul(range)
                });
            let stream = kernel::stream(dtype)
                .filter(|_| fixed.is_empty() && written >= PAST && inner.range >= RUN);
            streams = stream.is_some();
            let root = store(&mut emitter, value, memory, conditions.is_empty(), stream);
            (root, memory)
        } else {
            let (fused, a, b) = emitter.term(statement.op, value, true)?;
            let mode = if a.uniform {
                Mode::Scalar
            } else {
                Mode::Vector
            };
            let accumulate = kernel::accumulate(level, statement.op, fused, dtype, mode);
            let together = rows.is_some();
            let four = match (statement.op, fused, a.slot) {
                (Op::Sum, Fused::One, _) if together => kernel::four_rows(level, dtype),
                (Op::Sum, Fused::One, Slot::Memory(m))
                    if conditions.is_empty()
                        && emitter.codes.is_empty()
                        && emitter.memories[m as usize].repeated.is_none() =>
                {
                    kernel::four_rows(level, dtype)
                }
                _ => None,
            };
            let root = Root::Rows {
                accumulate: accumulate.ok_or(Unsupported)?,
                a: a.slot,
                b: b.slot,
                four,
                together,
            };
            // The target has one row.
            emitter.round = 0;
            (root, emitter.memory(&target))
        };
        let kept: Vec<i64> = outer
            .iter()
            .filter(|dim| !dim.reduced)
            .map(|dim| dim.range)
            .collect();
        let Emitter {
            mut codes,
            memories,
            cells,
            registers,
            ..
        } = emitter;
        let cost = codes.iter().map(Code::cost).sum::<i64>().max(1);
        fuse(level, &mut codes, &root, &registers);
        let uniform = super::registers::uniform(&codes, registers.len());
        let (place, places) = super::registers::place(&codes, &root, registers.len());
        let width = registers
            .iter()
            .map(|dtype| kernel::size(*dtype))
            .max()
            .unwrap_or(1)
            .max(kernel::size(dtype));
        let registers = registers
            .iter()
            .enumerate()
            .map(|(r, dtype)| (place[r], if uniform[r] { 0 } else { kernel::size(*dtype) }))
            .collect();
        // An upper bound of the memory accessed by all loops.
        let elements = statement
            .loops
            .iter()
            .fold(1i64, |product, l| product.saturating_mul(l.range));
        let bytes: i64 = memories
            .iter()
            .map(|m| if m.inner == 0 { 0 } else { m.size as i64 })
            .sum();
        let streaming =
            elements.saturating_mul(bytes) > CACHE as i64 / 2 && !matches!(root, Root::Rows { .. });
        let panels = memories.iter().any(|m| m.panel.is_some());
        let in_place = places == 0 && round == 0 && matches!(root, Root::Store { .. });
        let longest = match (panels, in_place, streaming && places > 0) {
            (true, _, _) | (_, false, true) => STREAMING,
            (_, true, _) => IN_PLACE,
            _ => CACHED,
        };
        let mut tile = longest.min(inner.range.max(1) as usize);
        if round > 0 {
            tile = longest.max(round as usize) / round as usize * round as usize;
        }
        if let (true, Some(range)) = (rows.is_some(), reduced.last()) {
            tile = tile.min(round.saturating_mul(*range) as usize);
        }
        if conditions.is_empty()
            && reduced.is_empty()
            && inner.range <= tile.max(FLUSH * LANES) as i64
        {
            whole(&mut root, &codes, &memories, target, kept.len());
        }
        Ok(Nest {
            kept,
            reduced,
            inner: inner.range,
            tile,
            codes,
            cost,
            memories,
            cells,
            registers,
            places,
            width,
            root,
            target,
            conditions,
            dtype,
            identity: identity(statement.op, dtype),
            streams,
            combine,
            rounds: matches!(statement.op, Op::Sum | Op::Product)
                && matches!(dtype, DType::Float | DType::Double),
        })
    }
}
