//! From an expression to instructions. Equal expressions are computed once, those that no inner loop changes for one element only.

use std::collections::HashMap;

use super::code::{Code, Inside, Line, Memory, Slot, Value};
use crate::ast::{Binary, Unary};
use crate::bound::{Access, Affine, Condition, Expr, Index, Node};
use crate::kernel::{self, Fused, Level, Mode};
use crate::operand::{DType, Strided};
use crate::scalar::Scalar;

/// A constant of a nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Its bits, in the low bytes.
    Bits(u64),
    /// An input that is a number, as this type.
    Number(usize, DType),
}

/// A tensor's type and where its elements are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub dtype: DType,
    pub layout: Strided,
}

/// Which loop of the nest a loop of the statement is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// It is always 0.
    Gone,
    /// Its number among the loops outside of the innermost.
    Outer(usize),
    /// The innermost.
    Inner,
    /// It joined the innermost from outside.
    Joined,
}

/// Writes instructions.
pub(crate) struct Emitter<'a> {
    pub level: Level,
    pub views: &'a [View],
    pub roles: &'a [Role],
    /// Ranges of the statement's loops.
    pub ranges: &'a [i64],
    /// How many elements a repeated operand has in each round, if a loop joined the innermost.
    pub round: i64,
    pub codes: Vec<Code>,
    pub memories: Vec<Memory>,
    pub cells: Vec<Cell>,
    /// The type of each register's elements.
    pub registers: Vec<DType>,
    known: Vec<HashMap<String, Value>>,
}

/// What stops the emitter: an operator that its type does not have. Binding refuses these, so there is no message.
#[derive(Debug)]
pub(crate) struct Unsupported;

type Emitted<T> = Result<T, Unsupported>;

impl<'a> Emitter<'a> {
    pub fn new(
        level: Level,
        views: &'a [View],
        roles: &'a [Role],
        ranges: &'a [i64],
        round: i64,
    ) -> Emitter<'a> {
        Emitter {
            level,
            views,
            roles,
            ranges,
            round,
            codes: Vec::new(),
            memories: Vec::new(),
            cells: Vec::new(),
            registers: Vec::new(),
            known: vec![HashMap::new()],
        }
    }

    fn register(&mut self, dtype: DType) -> Slot {
        self.registers.push(dtype);
        Slot::Register(self.registers.len() as u32 - 1)
    }

    pub fn cell(&mut self, cell: Cell, dtype: DType) -> Value {
        let at = self
            .cells
            .iter()
            .position(|other| *other == cell)
            .unwrap_or_else(|| {
                self.cells.push(cell);
                self.cells.len() - 1
            });
        Value {
            slot: Slot::Cell(at as u32),
            dtype,
            uniform: true,
        }
    }

    pub fn line(&self, affine: &Affine) -> Line {
        let mut line = Line {
            constant: affine.constant,
            ..Line::default()
        };
        for &(l, k) in &affine.terms {
            match self.roles[l] {
                Role::Gone | Role::Joined => {}
                Role::Outer(at) => line.outer.push((at, k)),
                Role::Inner => line.inner = k,
            }
        }
        line
    }

    pub fn inside(&self, condition: &Condition) -> Inside {
        Inside {
            line: self.line(&condition.affine),
            bound: condition.bound,
        }
    }

    fn recall(&self, key: &str) -> Option<Value> {
        self.known
            .iter()
            .rev()
            .find_map(|scope| scope.get(key).copied())
    }

    fn remember(&mut self, key: String, value: Value) -> Value {
        if let Some(scope) = self.known.last_mut() {
            scope.insert(key, value);
        }
        value
    }

    /// The value of an expression. Recursion is as deep as the expression, which is bounded where it is bound and where it is inlined.
    pub fn value(&mut self, expr: &Expr) -> Emitted<Value> {
        let dtype = expr.dtype;
        match &expr.node {
            Node::Constant(scalar) => Ok(self.cell(Cell::Bits(bits(*scalar)), dtype)),
            Node::Number(input) => Ok(self.cell(Cell::Number(*input, dtype), dtype)),
            Node::Loop(l) => {
                let line = self.line(&Affine {
                    constant: 0,
                    terms: vec![(*l, 1)],
                });
                let value = self.iota(line);
                self.cast(value, dtype)
            }
            Node::Read(access) => self.read(access),
            Node::Unary(op, x) => {
                let x = self.value(x)?;
                self.unary(*op, x)
            }
            Node::Binary(Binary::Pow, x, n)
                if matches!(
                    n.node,
                    Node::Constant(Scalar::Float(2.0) | Scalar::Double(2.0))
                ) =>
            {
                let x = self.value(x)?;
                self.binary(Binary::Mul, x, x)
            }
            Node::Binary(op, x, y) => {
                let x = self.value(x)?;
                let y = self.value(y)?;
                self.binary(*op, x, y)
            }
            Node::Select(condition, x, y) => {
                let condition = self.value(condition)?;
                let (x, y) = (self.value(x)?, self.value(y)?);
                self.select(condition, x, y)
            }
            Node::Cast(x) => {
                let x = self.value(x)?;
                self.cast(x, dtype)
            }
            Node::Guard(conditions, x) => self.guard(conditions, x),
        }
    }

    fn iota(&mut self, line: Line) -> Value {
        let key = format!("i{line:?}");
        if let Some(value) = self.recall(&key) {
            return value;
        }
        let uniform = line.inner == 0;
        let to = self.register(DType::Int64);
        self.codes.push(Code::Iota {
            to,
            line,
            once: uniform,
        });
        let dtype = DType::Int64;
        self.remember(
            key,
            Value {
                slot: to,
                dtype,
                uniform,
            },
        )
    }

    fn map(
        &mut self,
        key: String,
        kernel: kernel::Kernel,
        args: [Slot; 3],
        dtype: DType,
        uniform: bool,
    ) -> Value {
        let to = self.register(dtype);
        self.codes.push(Code::Map {
            kernel,
            to,
            args,
            once: uniform,
        });
        self.remember(
            key,
            Value {
                slot: to,
                dtype,
                uniform,
            },
        )
    }

    fn unary(&mut self, op: Unary, x: Value) -> Emitted<Value> {
        let key = format!("u{op:?}{x:?}");
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let kernel = kernel::unary(self.level, op, x.dtype).ok_or(Unsupported)?;
        Ok(self.map(
            key,
            kernel,
            [x.slot, Slot::None, Slot::None],
            x.dtype,
            x.uniform,
        ))
    }

    fn cast(&mut self, x: Value, to: DType) -> Emitted<Value> {
        if x.dtype == to {
            return Ok(x);
        }
        let key = format!("c{to:?}{x:?}");
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let kernel = kernel::cast(self.level, x.dtype, to);
        Ok(self.map(key, kernel, [x.slot, Slot::None, Slot::None], to, x.uniform))
    }

    fn binary(&mut self, op: Binary, x: Value, y: Value) -> Emitted<Value> {
        let key = format!("b{op:?}{x:?}{y:?}");
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let dtype = if op.is_comparison() {
            DType::Bool
        } else {
            x.dtype
        };
        let uniform = x.uniform && y.uniform;
        let mode = |value: Value| {
            if value.uniform && !uniform {
                Mode::Scalar
            } else {
                Mode::Vector
            }
        };
        if let Some(kernel) = kernel::binary(self.level, op, x.dtype, mode(x), mode(y)) {
            return Ok(self.map(key, kernel, [x.slot, y.slot, Slot::None], dtype, uniform));
        }
        let (a, b) = if uniform {
            (x, y)
        } else {
            (self.spread(x), self.spread(y))
        };
        let kernel = kernel::binary(self.level, op, x.dtype, Mode::Vector, Mode::Vector)
            .ok_or(Unsupported)?;
        Ok(self.map(key, kernel, [a.slot, b.slot, Slot::None], dtype, uniform))
    }

    fn select(&mut self, condition: Value, x: Value, y: Value) -> Emitted<Value> {
        let key = format!("s{condition:?}{x:?}{y:?}");
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let uniform = condition.uniform && x.uniform && y.uniform;
        let (c, a, b) = if uniform {
            (condition, x, y)
        } else {
            (self.spread(condition), self.spread(x), self.spread(y))
        };
        let kernel = kernel::select(self.level, x.dtype);
        Ok(self.map(key, kernel, [c.slot, a.slot, b.slot], x.dtype, uniform))
    }

    /// The same value for each element of the tile, in a register.
    pub fn spread(&mut self, x: Value) -> Value {
        if !x.uniform {
            return x;
        }
        let key = format!("p{x:?}");
        if let Some(value) = self.recall(&key) {
            return value;
        }
        let kernel = kernel::splat(self.level, x.dtype);
        self.map(
            key,
            kernel,
            [x.slot, Slot::None, Slot::None],
            x.dtype,
            false,
        )
    }

    fn guard(&mut self, conditions: &[Condition], x: &Expr) -> Emitted<Value> {
        let outer = std::mem::take(&mut self.codes);
        self.known.push(HashMap::new());
        let result = self.value(x).map(|value| self.spread(value));
        self.known.pop();
        let codes = std::mem::replace(&mut self.codes, outer);
        let result = result?;
        let to = self.register(x.dtype);
        let conditions: Vec<Inside> = conditions
            .iter()
            .map(|condition| self.inside(condition))
            .collect();
        self.codes.push(Code::Guard {
            conditions,
            to,
            size: kernel::size(x.dtype),
            codes,
            result: result.slot,
            copy: kernel::same(self.level, x.dtype),
        });
        Ok(Value {
            slot: to,
            dtype: x.dtype,
            uniform: false,
        })
    }

    /// The least and largest value of an affine over all loops; none if some loop never runs.
    fn bounds(&self, affine: &Affine) -> Option<(i128, i128)> {
        let (mut least, mut largest) = (i128::from(affine.constant), i128::from(affine.constant));
        for &(l, k) in &affine.terms {
            if self.ranges[l] <= 0 {
                return None;
            }
            let last = i128::from(k) * i128::from(self.ranges[l] - 1);
            least += last.min(0);
            largest += last.max(0);
        }
        Some((least, largest))
    }

    /// A memory operand that steps through the axes that have no look-up.
    pub fn memory(&mut self, access: &Access) -> u32 {
        let view = &self.views[access.tensor];
        let size = kernel::size(view.dtype) as i64;
        let mut memory = Memory {
            tensor: access.tensor,
            constant: view.layout.start.wrapping_mul(size),
            outer: Vec::new(),
            inner: 0,
            size: size as usize,
            repeated: None,
            moved: access.indices.iter().any(|index| index.look_up.is_some()),
        };
        let (mut inner, mut joined) = (0i64, 0i64);
        for (index, &stride) in access.indices.iter().zip(&view.layout.strides) {
            if index.look_up.is_some() {
                continue;
            }
            let stride = stride.wrapping_mul(size);
            memory.constant = memory
                .constant
                .wrapping_add(stride.wrapping_mul(index.affine.constant));
            for &(l, k) in &index.affine.terms {
                let step = stride.wrapping_mul(k);
                match self.roles[l] {
                    Role::Gone => {}
                    Role::Joined => joined = joined.wrapping_add(step),
                    Role::Inner => inner = inner.wrapping_add(step),
                    Role::Outer(at) => {
                        match memory.outer.iter_mut().find(|(other, _)| *other == at) {
                            Some((_, sum)) => *sum = sum.wrapping_add(step),
                            None => memory.outer.push((at, step)),
                        }
                    }
                }
            }
        }
        memory.inner = inner;
        if self.round > 0 && joined == 0 && inner != 0 {
            memory.repeated = Some((self.round as usize, inner));
            memory.inner = size;
        }
        memory.outer.retain(|&(_, step)| step != 0);
        memory.outer.sort_unstable();
        if let Some(at) = self
            .memories
            .iter()
            .position(|other| *other == memory && !memory.moved)
        {
            return at as u32;
        }
        self.memories.push(memory);
        self.memories.len() as u32 - 1
    }

    /// An element of a tensor. An index that binding has not judged, or judged wrongly, is checked as it runs.
    pub fn read(&mut self, access: &Access) -> Emitted<Value> {
        let key = format!("r{access:?}");
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        self.check(access);
        let view = &self.views[access.tensor];
        let dtype = view.dtype;
        let offset = self.offsets(access)?;
        let memory = self.memory(access);
        let m = &self.memories[memory as usize];
        let (inner, size) = (m.inner, m.size as i64);
        let value = match offset {
            Some(offset) if !offset.uniform => {
                // The operand's own inner steps join the offsets.
                let offset = if inner == 0 {
                    offset
                } else {
                    self.add_steps(offset, memory)
                };
                self.memories[memory as usize].inner = 0;
                let to = self.register(dtype);
                self.codes.push(Code::Gather {
                    kernel: kernel::gather(dtype),
                    to,
                    from: memory,
                    offsets: offset.slot,
                });
                Value {
                    slot: to,
                    dtype,
                    uniform: false,
                }
            }
            _ => {
                if let Some(offset) = offset {
                    self.codes.push(Code::Rebase {
                        memory,
                        offset: offset.slot,
                    });
                }
                if inner == 0 || inner == size {
                    Value {
                        slot: Slot::Memory(memory),
                        dtype,
                        uniform: inner == 0,
                    }
                } else {
                    let to = self.register(dtype);
                    self.codes.push(Code::Pack {
                        kernel: kernel::pack(dtype),
                        to,
                        from: memory,
                    });
                    Value {
                        slot: to,
                        dtype,
                        uniform: false,
                    }
                }
            }
        };
        Ok(self.remember(key, value))
    }

    /// Checks of the affine indices that may leave their axis.
    pub fn check(&mut self, access: &Access) {
        let shape = &self.views[access.tensor].layout.shape;
        for (index, &len) in access.indices.iter().zip(shape) {
            let inside = self
                .bounds(&index.affine)
                .is_none_or(|(least, largest)| least >= 0 && largest < i128::from(len));
            if index.look_up.is_none() && (index.checked || !inside) {
                let line = self.line(&index.affine);
                self.codes.push(Code::Check(Inside { line, bound: len }));
            }
        }
    }

    /// Offsets in bytes of the axes with look-ups; none if there are none.
    pub fn offsets(&mut self, access: &Access) -> Emitted<Option<Value>> {
        let view = &self.views[access.tensor];
        let (shape, strides) = (view.layout.shape.clone(), view.layout.strides.clone());
        let size = kernel::size(view.dtype) as i64;
        let mut looks = Vec::new();
        for (axis, index) in access.indices.iter().enumerate() {
            if let Some(look) = &index.look_up {
                let value = self.read(look)?;
                looks.push((axis, index, self.cast(value, DType::Int64)?));
            }
        }
        let uniform = looks
            .iter()
            .all(|(_, index, look)| look.uniform && self.line(&index.affine).inner == 0);
        if looks.is_empty() {
            return Ok(None);
        }
        let to = self.register(DType::Int64);
        for (k, (axis, index, look)) in looks.into_iter().enumerate() {
            let look = if uniform { look } else { self.spread(look) };
            let line = self.line(&index.affine);
            self.codes.push(Code::Index {
                to,
                look: look.slot,
                line,
                len: shape[axis],
                stride: strides[axis].wrapping_mul(size),
                first: k == 0,
                once: uniform,
            });
        }
        Ok(Some(Value {
            slot: to,
            dtype: DType::Int64,
            uniform,
        }))
    }

    /// Offsets and the inner steps of a memory operand, added; the operand itself is not to take them, then.
    pub fn add_steps(&mut self, offset: Value, memory: u32) -> Value {
        let offset = self.spread(offset);
        let steps = self.iota(Line {
            constant: 0,
            outer: Vec::new(),
            inner: self.memories[memory as usize].inner,
        });
        let steps = self.spread(steps);
        let kernel = kernel::binary(
            self.level,
            Binary::Add,
            DType::Int64,
            Mode::Vector,
            Mode::Vector,
        );
        match kernel {
            Some(kernel) => self.map(
                format!("o{offset:?}{steps:?}"),
                kernel,
                [offset.slot, steps.slot, Slot::None],
                DType::Int64,
                false,
            ),
            None => offset,
        }
    }

    /// The operands of a reduction that takes in a product or a squared difference by itself; else the value alone.
    pub fn term(&mut self, expr: &Expr) -> Emitted<(Fused, Value, Value)> {
        if let Node::Binary(op, x, y) = &expr.node {
            let float = matches!(expr.dtype, DType::Float | DType::Double);
            let two = matches!(
                y.node,
                Node::Constant(Scalar::Float(2.0) | Scalar::Double(2.0))
            );
            let square = (*op == Binary::Mul && x == y) || (*op == Binary::Pow && two);
            if float && square {
                if let Node::Binary(Binary::Sub, a, b) = &x.node {
                    let (a, b) = (self.value(a)?, self.value(b)?);
                    return Ok((Fused::SquaredDifference, self.spread(a), self.spread(b)));
                }
                let x = self.value(x)?;
                let x = self.spread(x);
                return Ok((Fused::Product, x, x));
            }
            if float && *op == Binary::Mul {
                let (a, b) = (self.value(x)?, self.value(y)?);
                if !a.uniform && !b.uniform {
                    return Ok((Fused::Product, a, b));
                }
            }
        }
        let value = self.value(expr)?;
        let value = self.spread(value);
        Ok((Fused::One, value, value))
    }

    /// The index that an access's axis would have, for writing.
    pub fn write_offsets(&mut self, tensor: usize, indices: &[Index]) -> Emitted<(u32, Value)> {
        let access = Access {
            tensor,
            indices: indices.to_vec(),
        };
        self.check(&access);
        let offset = self.offsets(&access)?;
        let memory = self.memory(&access);
        let zero = match offset {
            Some(offset) => offset,
            None => self.iota(Line::default()),
        };
        let offset = self.add_steps(zero, memory);
        self.memories[memory as usize].inner = 0;
        Ok((memory, offset))
    }
}

/// The bits of a scalar.
pub(crate) fn bits(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Float(x) => u64::from(x.to_bits()),
        Scalar::Double(x) => x.to_bits(),
        Scalar::Int32(x) => u64::from(x as u32),
        Scalar::Int64(x) => x as u64,
        Scalar::UInt8(x) => u64::from(x),
        Scalar::Bool(x) => u64::from(x),
    }
}
