//! Generation of the operators of expressions: a kernel for each, by the types of its operands, and by whether these are one element for the tile.

use super::code::{Code, Slot, Value};
use super::emit::{Emitted, Emitter, Key, Unsupported};
use crate::ast::{Binary, Unary};
use crate::kernel::{self, Mode, Operation};
use crate::operand::DType;

impl Emitter<'_> {
    pub(super) fn map(
        &mut self,
        key: Key,
        (kernel, operation): (kernel::Kernel, Operation),
        args: [Slot; 3],
        dtype: DType,
        uniform: bool,
    ) -> Value {
        let to = self.register(dtype);
        self.codes.push(Code::Map {
            kernel,
            operation,
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

    pub(super) fn unary(&mut self, op: Unary, x: Value) -> Emitted<Value> {
        let key = Key::Unary(op, x);
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let kernel = kernel::unary(self.level, op, x.dtype).ok_or(Unsupported)?;
        Ok(self.map(
            key,
            (kernel, Operation::Unary(op)),
            [x.slot, Slot::None, Slot::None],
            x.dtype,
            x.uniform,
        ))
    }

    pub(super) fn cast(&mut self, x: Value, to: DType) -> Emitted<Value> {
        if x.dtype == to {
            return Ok(x);
        }
        let key = Key::Cast(to, x);
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let mut value = x;
        for (kernel, dtype) in kernel::casts(self.level, x.dtype, to) {
            let slot = self.register(dtype);
            self.codes.push(Code::Map {
                kernel,
                operation: Operation::Other,
                to: slot,
                args: [value.slot, Slot::None, Slot::None],
                once: x.uniform,
            });
            value = Value {
                slot,
                dtype,
                ..value
            };
        }
        Ok(self.remember(key, value))
    }

    pub fn binary(&mut self, op: Binary, x: Value, y: Value) -> Emitted<Value> {
        let key = Key::Binary(op, x, y);
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
            let kernel = (kernel, Operation::Binary(op, mode(x), mode(y)));
            return Ok(self.map(key, kernel, [x.slot, y.slot, Slot::None], dtype, uniform));
        }
        let (a, b) = if uniform {
            (x, y)
        } else {
            (self.spread(x), self.spread(y))
        };
        let kernel = kernel::binary(self.level, op, x.dtype, Mode::Vector, Mode::Vector)
            .ok_or(Unsupported)?;
        let kernel = (kernel, Operation::Binary(op, Mode::Vector, Mode::Vector));
        Ok(self.map(key, kernel, [a.slot, b.slot, Slot::None], dtype, uniform))
    }

    pub(super) fn select(&mut self, condition: Value, x: Value, y: Value) -> Emitted<Value> {
        let key = Key::Select(condition, x, y);
        if let Some(value) = self.recall(&key) {
            return Ok(value);
        }
        let uniform = condition.uniform && x.uniform && y.uniform;
        let (c, a, b) = if uniform {
            (condition, x, y)
        } else {
            (self.spread(condition), self.spread(x), self.spread(y))
        };
        let kernel = (kernel::select(self.level, x.dtype), Operation::Other);
        Ok(self.map(key, kernel, [c.slot, a.slot, b.slot], x.dtype, uniform))
    }

    /// Broadcasts a value to all elements of the tile, in a register.
    pub fn spread(&mut self, x: Value) -> Value {
        if !x.uniform {
            return x;
        }
        let key = Key::Spread(x);
        if let Some(value) = self.recall(&key) {
            return value;
        }
        let kernel = (kernel::splat(self.level, x.dtype), Operation::Splat);
        self.map(
            key,
            kernel,
            [x.slot, Slot::None, Slot::None],
            x.dtype,
            false,
        )
    }
}
