//! One statement as loops around instructions.

use std::collections::BTreeSet;

use super::code::{Code, Inside, Memory, Slot};
use super::emit::{Cell, Emitter, Role, Unsupported, View};
use super::loops::{order, Dim, Steps};
use crate::ast::Op;
use crate::bound::{Access, Affine, Condition, Expr, Index, LoopId, Node, Statement};
use crate::kernel::{self, Kernel, Level};
use crate::operand::DType;

/// The longest tile, in elements, if what the operands of the innermost loop span fits into the second-level cache.
const CACHED: usize = 1024;
/// If it does not, and several instructions take turns with their operands: each turn interrupts the processor's own prefetching.
const STREAMING: usize = 256;
/// The second-level cache, in bytes, of which half is counted on.
const CACHE: usize = 512 << 10;

/// What becomes of the value.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// Each value is written once. No kernel: the last instruction writes it in place.
    Store { kernel: Option<Kernel>, value: Slot },
    /// The innermost loop is reduced: values are folded into lanes.
    Fold {
        fold: Kernel,
        finish: Kernel,
        a: Slot,
        b: Slot,
    },
    /// Loops outside of the innermost are reduced: values are combined with those before, element by element.
    Rows { value: Slot, four: Option<Kernel> },
    /// Values are combined with what is in memory, at offsets.
    Scatter {
        kernel: Kernel,
        value: Slot,
        offsets: Slot,
    },
}

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
    pub memories: Vec<Memory>,
    pub cells: Vec<Cell>,
    /// Where each register is, in tiles, and how far apart its elements are.
    pub registers: Vec<(usize, usize)>,
    /// How many tiles there are in registers, each of `tile` times this many bytes.
    pub places: usize,
    pub width: usize,
    pub root: Root,
    /// Where values go, in `memories`.
    pub target: u32,
    /// Where one of these does not hold, nothing runs.
    pub conditions: Vec<Inside>,
    pub dtype: DType,
    pub op: Op,
    /// Element by element: what a reduction makes of two; an operator that does nothing if none is reduced.
    pub combine: Kernel,
    /// Whether partial results are combined as a tree, because they round.
    pub rounds: bool,
}

/// Loops whose values are used, by reads that are checked and by anything but affine reads.
fn pin(expr: &Expr, pinned: &mut BTreeSet<LoopId>) {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) => {}
        Node::Loop(l) => {
            pinned.insert(*l);
        }
        Node::Read(access) => pin_access(access, pinned),
        Node::Unary(_, x) | Node::Cast(x) => pin(x, pinned),
        Node::Binary(_, x, y) => {
            pin(x, pinned);
            pin(y, pinned);
        }
        Node::Select(c, x, y) => {
            pin(c, pinned);
            pin(x, pinned);
            pin(y, pinned);
        }
        Node::Guard(conditions, x) => {
            pin_conditions(conditions, pinned);
            pin(x, pinned);
        }
    }
}

fn pin_affine(affine: &Affine, pinned: &mut BTreeSet<LoopId>) {
    pinned.extend(affine.terms.iter().map(|&(l, _)| l));
}

fn pin_conditions(conditions: &[Condition], pinned: &mut BTreeSet<LoopId>) {
    for condition in conditions {
        pin_affine(&condition.affine, pinned);
    }
}

fn pin_access(access: &Access, pinned: &mut BTreeSet<LoopId>) {
    if access
        .indices
        .iter()
        .all(|index| !index.checked && index.look_up.is_none())
    {
        return;
    }
    for index in &access.indices {
        pin_affine(&index.affine, pinned);
        if let Some(look) = &index.look_up {
            pin_all(look, pinned);
        }
    }
}

fn pin_all(access: &Access, pinned: &mut BTreeSet<LoopId>) {
    for index in &access.indices {
        pin_affine(&index.affine, pinned);
        if let Some(look) = &index.look_up {
            pin_all(look, pinned);
        }
    }
}

/// Calls `found` with every access of an expression, look-ups after the access that they are in.
pub(crate) fn accesses<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a Access)) {
    fn within<'a>(access: &'a Access, found: &mut impl FnMut(&'a Access)) {
        found(access);
        for index in &access.indices {
            if let Some(look) = &index.look_up {
                within(look, found);
            }
        }
    }
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => {}
        Node::Read(access) => within(access, found),
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => accesses(x, found),
        Node::Binary(_, x, y) => {
            accesses(x, found);
            accesses(y, found);
        }
        Node::Select(c, x, y) => {
            accesses(c, found);
            accesses(x, found);
            accesses(y, found);
        }
    }
}

/// The stride of each loop in an access, in bytes, of the axes without look-ups.
pub(crate) fn steps(indices: &[Index], view: &View, loops: usize) -> Vec<i64> {
    let size = kernel::size(view.dtype) as i64;
    let mut strides = vec![0i64; loops];
    for (index, &stride) in indices.iter().zip(view.layout.strides()) {
        if index.look_up.is_none() {
            for &(l, k) in &index.affine.terms {
                strides[l] = strides[l].wrapping_add(stride.wrapping_mul(size).wrapping_mul(k));
            }
        }
    }
    strides
}

/// Whether different values of the kept loops write different elements: each is in an axis that has no other.
pub(crate) fn injective(statement: &Statement) -> bool {
    let mut found = vec![false; statement.loops.len()];
    for index in &statement.left {
        if index.look_up.is_some() || index.checked {
            return false;
        }
        if let [(l, _)] = index.affine.terms[..] {
            found[l] = true;
        }
    }
    (0..statement.kept).all(|l| found[l] || statement.loops[l].range <= 1)
}

/// Whether a statement with an injective left side writes every element.
pub(crate) fn covers(statement: &Statement, shape: &[i64]) -> bool {
    let mut seen = vec![false; statement.loops.len()];
    statement
        .left
        .iter()
        .zip(shape)
        .all(|(index, &len)| match index.affine.terms[..] {
            [] => len == 1 && index.affine.constant == 0,
            [(l, k)] => {
                let range = statement.loops[l].range;
                let first = if k > 0 { 0 } else { len - 1 };
                k.abs() == 1
                    && range == len
                    && index.affine.constant == first
                    && !std::mem::replace(&mut seen[l], true)
            }
            _ => false,
        })
}

impl Nest {
    /// The nest of a statement, of which no loop has range 0. `fixed` loops are outermost of all and not merged.
    pub fn new(
        level: Level,
        statement: &Statement,
        views: &[View],
        fixed: &[LoopId],
    ) -> Result<Nest, Unsupported> {
        let loops = statement.loops.len();
        let view = &views[statement.target];
        let dtype = view.dtype;
        let scatter = !injective(statement);
        let (guards, value) = guards(statement);
        let mut pinned = BTreeSet::new();
        pin(value, &mut pinned);
        pin_conditions(&guards, &mut pinned);
        pinned.extend(fixed.iter().copied());
        let mut operands = vec![Steps {
            strides: steps(&statement.left, view, loops),
            size: kernel::size(dtype) as i64,
        }];
        accesses(value, &mut |access| {
            operands.push(Steps {
                strides: steps(&access.indices, &views[access.tensor], loops),
                size: kernel::size(views[access.tensor].dtype) as i64,
            });
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
        let (outer, inner, joined) = if scatter {
            let mut dims: Vec<Dim> = dims
                .into_iter()
                .filter(|dim| dim.range != 1 && !fixed.contains(&dim.id))
                .collect();
            let inner = dims.pop().unwrap_or(Dim {
                id: usize::MAX,
                range: 1,
                reduced: false,
            });
            (dims, inner, None)
        } else {
            let dims: Vec<Dim> = dims
                .into_iter()
                .filter(|dim| !fixed.contains(&dim.id))
                .collect();
            let order = order(&dims, &pinned, &operands, Some(0));
            (order.outer, order.inner, order.joined)
        };
        let fixed_dims = fixed.iter().map(|&id| Dim {
            id,
            range: 1,
            reduced: false,
        });
        let outer: Vec<Dim> = fixed_dims.chain(outer).collect();
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
        let round = joined.map_or(0, |(_, round)| round);
        let ranges: Vec<i64> = statement.loops.iter().map(|l| l.range).collect();
        let mut emitter = Emitter::new(level, views, &roles, &ranges, round);
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
        let (root, target) = if scatter {
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
            let (fused, a, b) = emitter.term(statement.op, value)?;
            let (fold, finish) =
                kernel::fold(level, statement.op, fused, dtype).ok_or(Unsupported)?;
            let root = Root::Fold {
                fold,
                finish,
                a: a.slot,
                b: b.slot,
            };
            (root, emitter.memory(&target))
        } else if statement.op == Op::Set || reduced.is_empty() {
            // A reduction of one element is that element.
            let value = emitter.value(value)?;
            let memory = emitter.memory(&target);
            (
                store(&mut emitter, value, memory, conditions.is_empty()),
                memory,
            )
        } else {
            let value = emitter.value(value)?;
            let value = emitter.spread(value);
            let four = match (statement.op, value.slot) {
                (Op::Sum, Slot::Memory(m))
                    if conditions.is_empty()
                        && emitter.codes.is_empty()
                        && emitter.memories[m as usize].repeated.is_none() =>
                {
                    kernel::four_rows(level, dtype)
                }
                _ => None,
            };
            let root = Root::Rows {
                value: value.slot,
                four,
            };
            (root, emitter.memory(&target))
        };
        let kept: Vec<i64> = outer
            .iter()
            .filter(|dim| !dim.reduced)
            .map(|dim| dim.range)
            .collect();
        let Emitter {
            codes,
            memories,
            cells,
            registers,
            ..
        } = emitter;
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
        // What all loops together touch, at most.
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
        let longest = if streaming && places > 0 {
            STREAMING
        } else {
            CACHED
        };
        let mut tile = longest.min(inner.range.max(1) as usize);
        if round > 0 {
            tile = longest.max(round as usize) / round as usize * round as usize;
        }
        Ok(Nest {
            kept,
            reduced,
            inner: inner.range,
            tile,
            codes,
            memories,
            cells,
            registers,
            places,
            width,
            root,
            target,
            conditions,
            dtype,
            op: statement.op,
            combine,
            rounds: matches!(statement.op, Op::Sum | Op::Product)
                && matches!(dtype, DType::Float | DType::Double),
        })
    }
}

/// How a value gets to memory: by its last instruction if that can be.
fn store(
    emitter: &mut Emitter,
    value: super::code::Value,
    memory: u32,
    unconditional: bool,
) -> Root {
    let m = &emitter.memories[memory as usize];
    let (contiguous, repeated) = (m.inner == m.size as i64, m.repeated.is_some());
    let dtype = value.dtype;
    debug_assert!(!repeated);
    if !contiguous {
        let value = emitter.spread(value);
        return Root::Store {
            kernel: Some(kernel::unpack(dtype)),
            value: value.slot,
        };
    }
    let value = if value.uniform {
        emitter.spread(value)
    } else {
        value
    };
    let used = emitter
        .codes
        .iter()
        .filter(|code| super::registers::writes(code) == value.slot)
        .count();
    if let Some(Code::Map {
        to, once: false, ..
    }) = emitter.codes.last_mut()
    {
        if *to == value.slot && used == 1 && unconditional {
            *to = Slot::Memory(memory);
            return Root::Store {
                kernel: None,
                value: Slot::None,
            };
        }
    }
    Root::Store {
        kernel: Some(kernel::same(emitter.level, dtype)),
        value: value.slot,
    }
}

/// The guards of a statement, and what they guard: outside of a guard a sum takes in nothing.
fn guards(statement: &Statement) -> (Vec<Condition>, &Expr) {
    let mut guards = statement.guards.clone();
    let mut value = &statement.value;
    while let (Op::Sum, Node::Guard(conditions, x)) = (statement.op, &value.node) {
        guards.extend(conditions.iter().cloned());
        value = x;
    }
    (guards, value)
}
