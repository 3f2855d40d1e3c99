//! The reference evaluator: one loop nest per statement, simple rather than fast. It defines the results.
//!
//! FLOAT sums and products are accumulated in double, and rounded once; everything else is computed operation by operation, as [`Scalar`] defines.

use crate::ast::{Binary, Op};
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, First, Index, LoopId, Node, Scan, Statement, TensorId,
};
use crate::operand::{DType, Operand, OperandMut, Strided};
use crate::scalar::Scalar;
use crate::stack::{deep, Moved};
use crate::{outside, Error, ErrorKind};

/// Runs a program. Outputs may overlap inputs and are written last; a run that fails writes nothing.
///
/// # Errors
/// Of kind illegal argument: a number that does not fit its type. Of kind index out of bounds: look-ups and guarded reads. Of kind arithmetic:
/// integers divided by zero or raised to a negative power. Of kind out of memory.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say. Types and shapes are those that the program was bound to.
pub unsafe fn run(
    bound: &Bound,
    inputs: &[Operand],
    outputs: &mut [OperandMut],
) -> Result<(), Error> {
    let moved = Moved((inputs, outputs));
    deep(bound.depth, || {
        let (inputs, outputs) = moved.into();
        // SAFETY: as the caller says.
        unsafe { evaluate(bound, inputs, outputs) }
    })?
}

/// # Safety
/// As [`run`].
unsafe fn evaluate(
    bound: &Bound,
    inputs: &[Operand],
    outputs: &mut [OperandMut],
) -> Result<(), Error> {
    bound.check_numbers(inputs)?;
    let mut oracle = Oracle::new(bound, inputs);
    let mut scans = bound.scans.iter().peekable();
    let mut at = 0;
    while let Some(statement) = bound.statements.get(at) {
        if let Some(scan) = scans.next_if(|scan| scan.statements.start == at) {
            at = scan.statements.end;
            oracle.scan(scan)?;
            continue;
        }
        let elements = oracle.statement(statement)?;
        oracle.set(statement.target, Source::Elements(elements));
        at += 1;
    }
    for (output, &id) in outputs.iter_mut().zip(&bound.returned) {
        // A returned tensor is defined by a statement.
        let Source::Elements(elements) = &oracle.sources[id] else {
            unreachable!("{} is not defined", bound.tensors[id].name)
        };
        let mut position = 0;
        for_each(&bound.tensors[id].shape, &mut |indices| {
            // SAFETY: the indices are inside of the shape, which is the output's, as the caller says.
            unsafe { write(output, indices, elements[position]) };
            position += 1;
            Ok(())
        })?;
    }
    Ok(())
}

/// Where the elements of a tensor are.
pub(crate) enum Source<'a> {
    /// Nowhere yet.
    None,
    /// In row-major order.
    Elements(Vec<Scalar>),
    /// In memory that keeps the promises of [`Operand`].
    Memory(DType, *const u8, Strided<&'a [i64]>),
}

pub(crate) struct Oracle<'a> {
    bound: &'a Bound,
    inputs: &'a [Operand<'a>],
    sources: Vec<Source<'a>>,
}

impl<'a> Oracle<'a> {
    pub fn new(bound: &'a Bound, inputs: &'a [Operand<'a>]) -> Oracle<'a> {
        let mut sources: Vec<Source<'_>> = inputs
            .iter()
            .map(|input| match input {
                Operand::Tensor {
                    dtype,
                    data,
                    layout,
                } => Source::Memory(*dtype, *data, *layout),
                Operand::Number(_) => Source::None,
            })
            .collect();
        sources.resize_with(bound.tensors.len(), || Source::None);
        Oracle {
            bound,
            inputs,
            sources,
        }
    }

    pub fn has(&self, tensor: TensorId) -> bool {
        !matches!(self.sources[tensor], Source::None)
    }

    pub fn set(&mut self, tensor: TensorId, source: Source<'a>) {
        self.sources[tensor] = source;
    }

    pub fn statement(&self, statement: &Statement) -> Result<Vec<Scalar>, Error> {
        let mut elements = self.memory(statement.target, statement.value.dtype)?;
        self.run(statement, None, &mut elements)?;
        Ok(elements)
    }

    /// Runs a recurrence: all its statements, step by step.
    pub fn scan(&mut self, scan: &Scan) -> Result<(), Error> {
        let bound = self.bound;
        let members = &bound.statements[scan.statements.clone()];
        let lagged = scan.lags.iter().map(|lag| lag.target);
        for id in members.iter().map(|each| each.target).chain(lagged) {
            let dtype = bound.tensors[id].dtype.unwrap_or(DType::Int64);
            self.sources[id] = Source::Elements(self.memory(id, dtype)?);
        }
        for step in 0..scan.steps {
            let (step, before) = match scan.down {
                true => (scan.steps - 1 - step, scan.steps - step),
                false => (step, step - 1),
            };
            for lag in &scan.lags {
                let mut elements = self.take(lag.target);
                let mut slice = bound.tensors[lag.target].shape.clone();
                slice[lag.axis] = 1;
                for_each(&slice, &mut |at| {
                    let mut at = at.to_vec();
                    at[lag.axis] = step;
                    let place = row_major(&bound.tensors[lag.target].shape, &at);
                    elements[place] = if (0..scan.steps).contains(&before) {
                        at[lag.axis] = before;
                        self.element(lag.of, &at)
                    } else {
                        at.remove(lag.axis);
                        self.first(&lag.first, &at, bound.tensors[lag.target].dtype)
                    };
                    Ok(())
                })?;
                self.sources[lag.target] = Source::Elements(elements);
            }
            for (statement, &(id, axis)) in members.iter().zip(&scan.members) {
                let mut elements = self.take(statement.target);
                self.run(statement, Some((id, axis, step)), &mut elements)?;
                self.sources[statement.target] = Source::Elements(elements);
            }
        }
        Ok(())
    }

    /// The value of a name before the first step.
    fn first(&self, first: &First, at: &[i64], dtype: Option<DType>) -> Scalar {
        let dtype = dtype.unwrap_or(DType::Int64);
        match first {
            First::Number(scalar) => *scalar,
            First::Tensor(id) => match self.inputs.get(*id) {
                Some(Operand::Number(number)) => {
                    Scalar::of_number(*number, dtype).unwrap_or(Scalar::zero(dtype))
                }
                _ => self.element(*id, &at[at.len() - self.bound.tensors[*id].shape.len()..]),
            },
        }
    }

    fn take(&mut self, tensor: TensorId) -> Vec<Scalar> {
        match std::mem::replace(&mut self.sources[tensor], Source::None) {
            Source::Elements(elements) => elements,
            _ => Vec::new(),
        }
    }

    /// Memory for the elements of a tensor.
    fn memory(&self, tensor: TensorId, dtype: DType) -> Result<Vec<Scalar>, Error> {
        let shape = &self.bound.tensors[tensor].shape;
        let count = shape.iter().product::<i64>() as usize;
        let mut elements = Vec::new();
        elements.try_reserve_exact(count).map_err(|_| {
            Error::new(
                ErrorKind::OutOfMemory,
                vec![format!("no memory for {count} elements")],
            )
        })?;
        elements.resize(count, Scalar::zero(dtype));
        Ok(elements)
    }

    /// Runs a statement; of a recurrence at a step, which is the value of a loop and the place on an axis of the target.
    fn run(
        &self,
        statement: &Statement,
        step: Option<(LoopId, usize, i64)>,
        elements: &mut [Scalar],
    ) -> Result<(), Error> {
        let (op, dtype) = (statement.op, statement.value.dtype);
        let shape = &self.bound.tensors[statement.target].shape;
        // FLOAT sums and products are accumulated in double.
        let accumulates = matches!(op, Op::Sum | Op::Product) && dtype == DType::Float;
        let wide = if accumulates { DType::Double } else { dtype };
        let each = |elements: &mut [Scalar], change: &dyn Fn(Scalar) -> Scalar| {
            let mut slice = shape.clone();
            if let Some((_, axis, _)) = step {
                slice[axis] = 1;
            }
            for_each(&slice, &mut |at| {
                let mut at = at.to_vec();
                if let Some((_, axis, step)) = step {
                    at[axis] = step;
                }
                let element = &mut elements[row_major(shape, &at)];
                *element = change(*element);
                Ok(())
            })
        };
        each(elements, &|_| Scalar::identity(op, wide))?;
        let mut ranges: Vec<i64> = statement.loops.iter().map(|each| each.range).collect();
        if let Some((id, _, _)) = step {
            ranges[id] = 1;
        }
        for_each(&ranges, &mut |loops| {
            let mut loops = loops.to_vec();
            if let Some((id, _, step)) = step {
                loops[id] = step;
            }
            let iteration = Iteration {
                oracle: self,
                statement,
                loops: &loops,
            };
            if !iteration.holds(&statement.guards) {
                return Ok(());
            }
            let value = iteration.expr(&statement.value)?.cast(wide);
            let at = iteration.indices(&statement.left, statement.target, true)?;
            let element = &mut elements[row_major(shape, &at)];
            *element = match op {
                Op::Set => value,
                Op::Sum => iteration.binary(Binary::Add, *element, value)?,
                Op::Product => iteration.binary(Binary::Mul, *element, value)?,
                Op::Max => iteration.binary(Binary::Max, *element, value)?,
                Op::Min => iteration.binary(
                    if dtype == DType::Bool {
                        Binary::And
                    } else {
                        Binary::Min
                    },
                    *element,
                    value,
                )?,
            };
            Ok(())
        })?;
        each(elements, &|element| element.cast(dtype))
    }

    /// An element at valid indices.
    fn element(&self, tensor: TensorId, at: &[i64]) -> Scalar {
        let tensors = &self.bound.tensors;
        match &self.sources[tensor] {
            Source::Elements(elements) => elements[row_major(&tensors[tensor].shape, at)],
            Source::Memory(dtype, data, layout) => {
                // SAFETY: `at` was checked against the shape, which is that of the memory, as who made the source says.
                unsafe { read(*dtype, *data, *layout, at) }
            }
            Source::None => unreachable!("{} has no elements", tensors[tensor].name),
        }
    }
}

/// A statement at given values of its loops.
pub(crate) struct Iteration<'a> {
    pub oracle: &'a Oracle<'a>,
    pub statement: &'a Statement,
    pub loops: &'a [i64],
}

impl Iteration<'_> {
    /// Partial sums may wrap, the result does not.
    fn affine(&self, affine: &Affine) -> i64 {
        let term = |&(id, coefficient): &(usize, i64)| self.loops[id].wrapping_mul(coefficient);
        affine
            .terms
            .iter()
            .map(term)
            .fold(affine.constant, i64::wrapping_add)
    }

    fn holds(&self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| self.meets(condition))
    }

    pub fn meets(&self, condition: &Condition) -> bool {
        (0..condition.bound).contains(&self.affine(&condition.affine))
    }

    /// Evaluates what it would write, and where.
    pub fn run(&self) -> Result<(), Error> {
        if self.holds(&self.statement.guards) {
            self.expr(&self.statement.value)?;
            self.indices(&self.statement.left, self.statement.target, true)?;
        }
        Ok(())
    }

    pub fn indices(
        &self,
        indices: &[Index],
        tensor: TensorId,
        written: bool,
    ) -> Result<Vec<i64>, Error> {
        let mut at = Vec::with_capacity(indices.len());
        for (axis, index) in indices.iter().enumerate() {
            let mut position = self.affine(&index.affine);
            let mut looked_up = None;
            if let Some(access) = &index.look_up {
                let place = self.indices(&access.indices, access.tensor, false)?;
                let value = match self
                    .oracle
                    .element(access.tensor, &place)
                    .cast(DType::Int64)
                {
                    Scalar::Int64(value) => value,
                    _ => unreachable!("a cast to INT64 is INT64"),
                };
                position = position.saturating_add(value);
                looked_up = Some((access.tensor, place, value));
            }
            if !(0..self.oracle.bound.tensors[tensor].shape[axis]).contains(&position) {
                let looked_up = looked_up
                    .as_ref()
                    .map(|(tensor, place, value)| (*tensor, &place[..], *value));
                let place = outside::Place {
                    tensor,
                    axis,
                    written,
                };
                return Err(outside::error(
                    self.oracle.bound,
                    self.statement,
                    place,
                    position,
                    looked_up,
                ));
            }
            at.push(position);
        }
        Ok(at)
    }

    fn read(&self, access: &Access) -> Result<Scalar, Error> {
        let at = self.indices(&access.indices, access.tensor, false)?;
        Ok(self.oracle.element(access.tensor, &at))
    }

    pub fn expr(&self, expr: &Expr) -> Result<Scalar, Error> {
        Ok(match &expr.node {
            Node::Constant(scalar) => *scalar,
            Node::Number(input) => match self.oracle.inputs[*input] {
                // It was checked that it fits.
                Operand::Number(number) => {
                    Scalar::of_number(number, expr.dtype).unwrap_or(Scalar::zero(expr.dtype))
                }
                Operand::Tensor { .. } => unreachable!("input {input} is bound to a number"),
            },
            Node::Loop(id) => Scalar::Int64(self.loops[*id]).cast(expr.dtype),
            Node::Read(access) => self.read(access)?,
            Node::Unary(unary, a) => self.expr(a)?.unary(*unary),
            Node::Binary(binary, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*binary, a, b)?
            }
            Node::Select(condition, a, b) => {
                let (condition, a, b) = (self.expr(condition)?, self.expr(a)?, self.expr(b)?);
                if condition.is_true() {
                    a
                } else {
                    b
                }
            }
            Node::Cast(a) => self.expr(a)?.cast(expr.dtype),
            Node::Guard(conditions, _) if !self.holds(conditions) => Scalar::zero(expr.dtype),
            Node::Guard(_, a) => self.expr(a)?,
        })
    }

    fn binary(&self, binary: Binary, a: Scalar, b: Scalar) -> Result<Scalar, Error> {
        a.binary(binary, b).map_err(|fault| {
            let target = &self.oracle.bound.tensors[self.statement.target].name;
            Error::arithmetic(format!("{target}: {}", fault.text()))
        })
    }
}

/// The linear index of indices in row-major order.
fn row_major(shape: &[i64], at: &[i64]) -> usize {
    shape
        .iter()
        .zip(at)
        .fold(0, |position, (size, index)| position * size + index) as usize
}

/// Calls a function for all indices of a shape in row-major order.
pub(crate) fn for_each(
    shape: &[i64],
    call: &mut impl FnMut(&[i64]) -> Result<(), Error>,
) -> Result<(), Error> {
    if shape.contains(&0) {
        return Ok(());
    }
    let mut indices = vec![0; shape.len()];
    loop {
        call(&indices)?;
        let Some(axis) = (0..shape.len())
            .rev()
            .find(|&axis| indices[axis] + 1 < shape[axis])
        else {
            return Ok(());
        };
        indices[axis] += 1;
        indices[axis + 1..].fill(0);
    }
}

/// The position of an element.
fn position(layout: Strided<&[i64]>, at: &[i64]) -> isize {
    layout
        .strides()
        .iter()
        .zip(at)
        .fold(layout.offset(), |position, (stride, index)| {
            position + stride * index
        }) as isize
}

/// # Safety
/// As [`Operand`] says; `at` is inside of the layout's shape.
unsafe fn read(dtype: DType, data: *const u8, layout: Strided<&[i64]>, at: &[i64]) -> Scalar {
    let position = position(layout, at);
    // SAFETY: the element is allocated, initialised and aligned, as the caller says, and volatile because Java may write it meanwhile.
    let bits = unsafe {
        match dtype.width() {
            1 => u64::from(data.offset(position).read_volatile()),
            2 => u64::from(data.cast::<u16>().offset(position).read_volatile()),
            4 => u64::from(data.cast::<u32>().offset(position).read_volatile()),
            _ => data.cast::<u64>().offset(position).read_volatile(),
        }
    };
    Scalar::of_bits(dtype, bits)
}

/// # Safety
/// As [`OperandMut`] says; `at` is inside of the layout's shape, and the scalar of the output's type.
unsafe fn write(output: &OperandMut, at: &[i64], scalar: Scalar) {
    let position = position(output.layout, at);
    let (data, bits) = (output.data, scalar.bits());
    // SAFETY: the element is allocated and aligned, as the caller says.
    unsafe {
        match output.dtype.width() {
            1 => data.offset(position).write_volatile(bits as u8),
            2 => data
                .cast::<u16>()
                .offset(position)
                .write_volatile(bits as u16),
            4 => data
                .cast::<u32>()
                .offset(position)
                .write_volatile(bits as u32),
            _ => data.cast::<u64>().offset(position).write_volatile(bits),
        }
    }
}
