//! Tensors that tests own, and programs run on them.

#![allow(dead_code)] // Each test uses a part.

pub mod generate;

use tensornio_compute::operand::{DType, Number, Operand, OperandMut, Strided};
use tensornio_compute::scalar::Scalar;
use tensornio_compute::signature::{Kind, Signature};
use tensornio_compute::{oracle, Error, Program};

/// An input or output.
#[derive(Clone, Debug)]
pub enum Value {
    /// Elements, wherever they are in its memory.
    Tensor(Memory),
    /// A number.
    Number(Number),
}

/// A tensor in memory of its own, aligned to 8 bytes.
#[derive(Clone, Debug)]
pub struct Memory {
    pub dtype: DType,
    pub layout: Strided,
    words: Vec<u64>,
}

impl Memory {
    /// Memory of so many elements, all 0, of which the layout selects some.
    pub fn new(dtype: DType, layout: Strided, elements: usize) -> Memory {
        let words = vec![0; (elements * dtype.width()).div_ceil(8)];
        Memory {
            dtype,
            layout,
            words,
        }
    }

    /// Row-major memory for a shape.
    pub fn contiguous(dtype: DType, shape: &[i64]) -> Memory {
        let layout = Strided::row_major(shape).expect("a shape");
        let elements = layout.elements() as usize;
        Memory::new(dtype, layout, elements)
    }

    /// Row-major memory with these elements.
    pub fn of(dtype: DType, shape: &[i64], elements: &[Scalar]) -> Memory {
        let mut memory = Memory::contiguous(dtype, shape);
        assert_eq!(elements.len(), shape.iter().product::<i64>() as usize);
        for (n, &element) in elements.iter().enumerate() {
            memory.set(n as i64, element);
        }
        memory
    }

    pub fn data(&self) -> *const u8 {
        self.words.as_ptr().cast()
    }

    pub fn data_mut(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast()
    }

    fn bytes(&self, position: i64) -> &[u8] {
        let size = self.dtype.width();
        let at = position as usize * size;
        &bytemuck::cast_slice(&self.words)[at..at + size]
    }

    /// The element at a position of the memory.
    pub fn get(&self, position: i64) -> Scalar {
        let mut bits = [0; 8];
        bits[..self.dtype.width()].copy_from_slice(self.bytes(position));
        Scalar::of_bits(self.dtype, u64::from_le_bytes(bits))
    }

    /// Writes the element at a position of the memory.
    pub fn set(&mut self, position: i64, scalar: Scalar) {
        assert_eq!(scalar.dtype(), self.dtype);
        let size = self.dtype.width();
        let at = position as usize * size;
        let to: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut self.words)[at..at + size];
        to.copy_from_slice(&scalar.bits().to_le_bytes()[..size]);
    }

    /// The elements that the layout selects, in row-major order.
    pub fn elements(&self) -> Vec<Scalar> {
        let mut elements = Vec::new();
        let shape = self.layout.shape();
        if shape.contains(&0) {
            return elements;
        }
        let mut at = vec![0; shape.len()];
        loop {
            let steps = self.layout.strides().iter().zip(&at);
            elements.push(self.get(
                steps.fold(self.layout.offset(), |position, (stride, index)| {
                    position + stride * index
                }),
            ));
            let Some(axis) = (0..shape.len())
                .rev()
                .find(|&axis| at[axis] + 1 < shape[axis])
            else {
                return elements;
            };
            at[axis] += 1;
            at[axis + 1..].fill(0);
        }
    }

    /// The elements as doubles.
    pub fn doubles(&self) -> Vec<f64> {
        let double = |scalar: Scalar| match scalar.cast(DType::Double) {
            Scalar::Double(x) => x,
            _ => unreachable!(),
        };
        self.elements().into_iter().map(double).collect()
    }

    pub fn operand(&self) -> Operand<'_> {
        Operand::Tensor {
            dtype: self.dtype,
            data: self.data(),
            layout: self.layout.as_slices(),
        }
    }

    pub fn operand_mut(&mut self) -> OperandMut<'_> {
        OperandMut {
            dtype: self.dtype,
            data: self.data_mut(),
            layout: self.layout.as_slices(),
        }
    }
}

impl Value {
    pub fn signature(&self) -> Signature {
        match self {
            Value::Tensor(memory) => Signature::tensor(memory.dtype, memory.layout.shape()),
            Value::Number(Number::Integer(_)) => Signature {
                kind: Kind::Integer,
                shape: vec![],
            },
            Value::Number(Number::Fraction(_)) => Signature {
                kind: Kind::Fraction,
                shape: vec![],
            },
        }
    }

    pub fn operand(&self) -> Operand<'_> {
        match self {
            Value::Tensor(memory) => memory.operand(),
            Value::Number(number) => Operand::Number(*number),
        }
    }

    fn of<T: Copy>(
        dtype: DType,
        shape: &[i64],
        elements: &[T],
        scalar: impl Fn(T) -> Scalar,
    ) -> Value {
        let elements: Vec<Scalar> = elements.iter().map(|&x| scalar(x)).collect();
        Value::Tensor(Memory::of(dtype, shape, &elements))
    }
}

pub fn floats(shape: &[i64], elements: &[f32]) -> Value {
    Value::of(DType::Float, shape, elements, Scalar::Float)
}

pub fn doubles(shape: &[i64], elements: &[f64]) -> Value {
    Value::of(DType::Double, shape, elements, Scalar::Double)
}

pub fn ints(shape: &[i64], elements: &[i32]) -> Value {
    Value::of(DType::Int32, shape, elements, Scalar::Int32)
}

pub fn longs(shape: &[i64], elements: &[i64]) -> Value {
    Value::of(DType::Int64, shape, elements, Scalar::Int64)
}

pub fn bytes(shape: &[i64], elements: &[u8]) -> Value {
    Value::of(DType::UInt8, shape, elements, Scalar::UInt8)
}

pub fn bools(shape: &[i64], elements: &[bool]) -> Value {
    Value::of(DType::Bool, shape, elements, Scalar::Bool)
}

pub fn integer(integer: i64) -> Value {
    Value::Number(Number::Integer(integer))
}

pub fn fraction(fraction: f64) -> Value {
    Value::Number(Number::Fraction(fraction))
}

/// The outputs of a program, run by the plain evaluator.
pub fn run(program: &Program, inputs: &[Value]) -> Result<Vec<Memory>, Error> {
    run_pinned(program, inputs, &vec![None; program.outputs().len()])
}

/// The same, with shapes of outputs.
pub fn run_pinned(
    program: &Program,
    inputs: &[Value],
    pinned: &[Option<Vec<i64>>],
) -> Result<Vec<Memory>, Error> {
    let signatures: Vec<Signature> = inputs.iter().map(Value::signature).collect();
    let bound = program.bind(&signatures, pinned)?;
    let operands: Vec<Operand> = inputs.iter().map(Value::operand).collect();
    let mut outputs: Vec<Memory> = bound
        .outputs()
        .iter()
        .map(|output| match output.kind {
            Kind::Typed(dtype) => Memory::contiguous(dtype, &output.shape),
            kind => panic!("an output of kind {kind:?}"),
        })
        .collect();
    let mut operands_mut: Vec<OperandMut> = outputs.iter_mut().map(Memory::operand_mut).collect();
    // SAFETY: the operands are memory of the shapes and types bound, alive until the end of this function.
    unsafe { oracle::run(&bound, &operands, &mut operands_mut) }?;
    Ok(outputs)
}

/// The outputs of a text.
pub fn eval(text: &str, inputs: &[Value]) -> Vec<Memory> {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    run(&program, inputs).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The first output of a text, as doubles.
pub fn first(text: &str, inputs: &[Value]) -> Vec<f64> {
    eval(text, inputs)[0].doubles()
}

/// The faults of a text, in parsing, binding or running.
pub fn faults(text: &str, inputs: &[Value]) -> Error {
    match Program::parse(text).and_then(|program| run(&program, inputs)) {
        Ok(outputs) => panic!("{text} gave {outputs:?}"),
        Err(error) => error,
    }
}

/// How many times longer random tests run, from `TENSORNIO_TEST_DEPTH`.
pub fn depth() -> usize {
    std::env::var("TENSORNIO_TEST_DEPTH")
        .ok()
        .and_then(|depth| depth.parse().ok())
        .unwrap_or(1)
}
