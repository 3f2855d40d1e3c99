//! Reads and writes of tensors as memory operands, checks, and offsets.

use super::code::{Code, Inside, Line, Memory, Slot, Value};
use super::emit::{Emitted, Emitter, Key, Role};
use super::panel::thrashes;
use crate::ast::Binary;
use crate::bound::{Access, Index};
use crate::infer::condition;
use crate::kernel::{self, Mode, Operation};
use crate::operand::DType;
use crate::plan::rewrite::is_inside;

impl Emitter<'_> {
    /// Whether an access is inside of its tensor for all values of the loops, so that it may be read ahead of guards and checks.
    fn is_inside(&self, access: &Access) -> bool {
        let shape = self.views[access.tensor].layout.shape();
        is_inside(&access.indices, shape, &self.ranges)
    }

    /// A memory operand for an access, with strides for the axes without look-ups.
    pub fn memory(&mut self, access: &Access) -> u32 {
        let view = &self.views[access.tensor];
        let size = view.dtype.width() as i64;
        let mut memory = Memory {
            tensor: access.tensor,
            constant: view.layout.offset().wrapping_mul(size),
            outer: Vec::new(),
            inner: 0,
            size: size as usize,
            repeated: None,
            moved: access.indices.iter().any(|index| index.look_up.is_some()),
            panel: None,
        };
        let (mut inner, mut joined) = (0i64, 0i64);
        for (index, &stride) in access.indices.iter().zip(view.layout.strides()) {
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
        if let (Some(last), true) = (self.panels, self.is_inside(access)) {
            let across = memory.step_of(last).abs() == size;
            if across && memory.inner != size && thrashes(memory.inner, self.length) {
                memory.panel = Some(memory.inner);
                memory.inner = size;
            }
        }
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

    /// An element of a tensor. An index that binding has not proven to be within bounds is checked at run time.
    pub fn read(&mut self, access: &Access) -> Emitted<Value> {
        let key = Key::Read(access.clone());
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
                // The operand's inner stride is added to the offsets.
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

    /// Emits checks of affine indices that may be out of bounds.
    pub fn check(&mut self, access: &Access) {
        let shape = self.views[access.tensor].layout.shape();
        for (index, &len) in access.indices.iter().zip(shape) {
            let inside = condition::is_inside(&index.affine, len, &self.ranges);
            if index.look_up.is_none() && (index.checked || !inside) {
                let line = self.line(&index.affine);
                self.codes.push(Code::Check(Inside { line, bound: len }));
            }
        }
    }

    /// Offsets in bytes of the axes with look-ups; `None` if there are none.
    pub fn offsets(&mut self, access: &Access) -> Emitted<Option<Value>> {
        let view = &self.views[access.tensor];
        let (shape, strides) = (view.layout.shape(), view.layout.strides());
        let size = view.dtype.width() as i64;
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

    /// Adds the inner stride of a memory operand to offsets; the operand itself must not apply it then.
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
                Key::Offset(offset, steps),
                (kernel, Operation::Offset),
                [offset.slot, steps.slot, Slot::None],
                DType::Int64,
                false,
            ),
            None => offset,
        }
    }

    /// The memory operand and the offsets of a write with look-ups.
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
