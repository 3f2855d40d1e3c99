//! Code generation from expressions. Equal subexpressions are computed once, and those that do not depend on the innermost loop for one element only.

use std::collections::HashMap;

use super::code::{Code, Inside, Line, Memory, Slot, Value};
use super::view::View;
use crate::ast::{Binary, Op, Unary};
use crate::bound::{Access, Affine, Condition, Expr, Node};
use crate::kernel::{self, Fused, Level};
use crate::operand::DType;
use crate::plan::rewrite::Cell;
use crate::scalar::Scalar;

/// The role of a statement's loop in the nest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    /// It is always 0.
    Gone,
    /// An outer loop, by number.
    Outer(usize),
    /// The innermost.
    Inner,
    /// The outer loop that was merged into the innermost.
    Joined,
}

/// Emits instructions.
pub(crate) struct Emitter<'a> {
    pub level: Level,
    pub views: &'a [View],
    pub roles: Vec<Role>,
    /// Ranges of the statement's loops.
    pub ranges: Vec<i64>,
    /// The elements of a repeated operand in each round, if a loop was merged into the innermost.
    pub round: i64,
    /// The last outer loop, if operands that are contiguous along it, and not along the innermost, are copied in panels.
    pub panels: Option<usize>,
    /// The innermost loop's range.
    pub length: i64,
    pub codes: Vec<Code>,
    pub memories: Vec<Memory>,
    pub cells: Vec<Cell>,
    /// The type of each register's elements.
    pub registers: Vec<DType>,
    known: Vec<HashMap<Key, Value>>,
}

/// What a value was computed of: the same is computed once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Iota(Line),
    Read(Access),
    Unary(Unary, Value),
    Binary(Binary, Value, Value),
    Select(Value, Value, Value),
    Cast(DType, Value),
    Spread(Value),
    /// Offsets, and the steps that are added to them.
    Offset(Value, Value),
}

/// An operator that its type does not support. Binding refuses these, so there is no message.
#[derive(Debug)]
pub(crate) struct Unsupported;

pub(super) type Emitted<T> = Result<T, Unsupported>;

impl<'a> Emitter<'a> {
    pub fn new(
        level: Level,
        views: &'a [View],
        roles: Vec<Role>,
        ranges: Vec<i64>,
        round: i64,
    ) -> Emitter<'a> {
        Emitter {
            level,
            views,
            roles,
            ranges,
            round,
            panels: None,
            length: 0,
            codes: Vec::new(),
            memories: Vec::new(),
            cells: Vec::new(),
            registers: Vec::new(),
            known: vec![HashMap::new()],
        }
    }

    pub(super) fn register(&mut self, dtype: DType) -> Slot {
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

    pub(super) fn recall(&self, key: &Key) -> Option<Value> {
        self.known
            .iter()
            .rev()
            .find_map(|scope| scope.get(key).copied())
    }

    pub(super) fn remember(&mut self, key: Key, value: Value) -> Value {
        if let Some(scope) = self.known.last_mut() {
            scope.insert(key, value);
        }
        value
    }

    /// Emits an expression. The recursion is as deep as the expression, whose depth binding and inlining limit.
    pub fn value(&mut self, expr: &Expr) -> Emitted<Value> {
        let dtype = expr.dtype;
        match &expr.node {
            Node::Constant(scalar) => Ok(self.cell(Cell::Bits(scalar.bits()), dtype)),
            Node::Number(input) => Ok(self.cell(Cell::Number(*input, dtype), dtype)),
            Node::Loop(l) => {
                let line = self.line(&Affine::of_loop(*l));
                let value = self.iota(line);
                self.cast(value, dtype)
            }
            Node::Read(access) => self.read(access),
            Node::Unary(op, x) => {
                let x = self.value(x)?;
                self.unary(*op, x)
            }
            Node::Binary(Binary::Pow, x, n) if factors(n).is_some() => {
                let x = self.value(x)?;
                let square = self.binary(Binary::Mul, x, x)?;
                match factors(n) {
                    Some(3) => self.binary(Binary::Mul, square, x),
                    Some(4) => self.binary(Binary::Mul, square, square),
                    _ => Ok(square),
                }
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

    pub(super) fn iota(&mut self, line: Line) -> Value {
        let key = Key::Iota(line.clone());
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
            size: x.dtype.width(),
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

    /// The operands of a reduction; products and squared differences are fused into a sum. If `scalar`, the first factor may be one element.
    pub fn term(&mut self, op: Op, expr: &Expr, scalar: bool) -> Emitted<(Fused, Value, Value)> {
        if let Node::Binary(binary, x, y) = &expr.node {
            let float = op == Op::Sum && matches!(expr.dtype, DType::Float | DType::Double);
            let square = (*binary == Binary::Mul && x == y)
                || (*binary == Binary::Pow && factors(y) == Some(2));
            if float && square {
                if let Node::Binary(Binary::Sub, a, b) = &x.node {
                    let (a, b) = (self.value(a)?, self.value(b)?);
                    return Ok((Fused::SquaredDifference, self.spread(a), self.spread(b)));
                }
                let x = self.value(x)?;
                let x = self.spread(x);
                return Ok((Fused::Product, x, x));
            }
            if float && *binary == Binary::Mul {
                let (a, b) = (self.value(x)?, self.value(y)?);
                match (a.uniform, b.uniform) {
                    (false, false) => return Ok((Fused::Product, a, b)),
                    (true, false) if scalar => return Ok((Fused::Product, a, b)),
                    (false, true) if scalar => return Ok((Fused::Product, b, a)),
                    _ => {}
                }
            }
        }
        let value = self.value(expr)?;
        let value = self.spread(value);
        Ok((Fused::One, value, value))
    }
}

/// The number of factors of a power that is a product, 2 to 4: there it is as exact as a power by a logarithm, and a tenth of the time.
fn factors(exponent: &Expr) -> Option<u32> {
    let number = match exponent.node {
        Node::Constant(Scalar::Float(number)) => f64::from(number),
        Node::Constant(Scalar::Double(number)) => number,
        _ => return None,
    };
    [2, 3, 4].into_iter().find(|&n| number == f64::from(n))
}
