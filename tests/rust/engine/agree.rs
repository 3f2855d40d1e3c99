//! Runs of a program by the plain evaluator and by plans, for every instruction set and several threads, which must agree.

use crate::fence::Fenced;
use tensornio_compute::kernel::Level;
use tensornio_compute::operand::{DType, Number, Operand, OperandMut, Strided};
use tensornio_compute::plan::plan_fault;
use tensornio_compute::scalar::Scalar;
use tensornio_compute::signature::Kind;
use tensornio_compute::threads::in_threads;
use tensornio_compute::{oracle, Bound, Error, Plan, Program, Signature};

/// A generator of bits (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, n: i64) -> i64 {
        (self.next() % n as u64) as i64
    }
}

/// A number by which a test is made longer or begins elsewhere, from the environment.
pub fn setting(name: &str, otherwise: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// How many times longer random tests run.
pub fn depth() -> u64 {
    setting("TENSORNIO_TEST_DEPTH", 1)
}

/// One of some values.
pub fn pick<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[random.below(of.len() as i64) as usize]
}

/// How a test lays out its tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Row-major.
    Plain,
    /// Axes in any order, any of them backwards, with gaps; inputs may have strides of 0.
    Wild,
}

/// A tensor in memory of its own, with pages around it that nobody may touch.
#[derive(Clone, Debug)]
pub struct Data {
    pub dtype: DType,
    pub layout: Strided,
    pub memory: Fenced,
}

impl Data {
    /// Memory for a shape, full of a pattern.
    pub fn new(
        dtype: DType,
        shape: &[i64],
        layout: Layout,
        input: bool,
        random: &mut Random,
    ) -> Data {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        let mut strides = vec![0i64; shape.len()];
        let (mut start, mut stride) = (0i64, 1i64);
        if layout == Layout::Wild {
            for k in (1..axes.len()).rev() {
                axes.swap(k, random.below(k as i64 + 1) as usize);
            }
            stride = 1 + random.below(2);
        }
        for &axis in axes.iter().rev() {
            if layout == Layout::Wild && input && random.below(8) == 0 {
                continue;
            }
            strides[axis] = stride;
            if layout == Layout::Wild && random.below(4) == 0 {
                strides[axis] = -stride;
                start += stride * (shape[axis] - 1).max(0);
            }
            stride *= shape[axis].max(1);
            if layout == Layout::Wild && random.below(4) == 0 {
                stride += random.below(3);
            }
        }
        let elements = 1
            + (0..shape.len())
                .map(|axis| strides[axis].abs() * (shape[axis] - 1).max(0))
                .sum::<i64>();
        let memory = Fenced::new(elements as usize * dtype.width(), random.below(2) == 0);
        let layout = Strided::new(shape.to_vec(), strides, start).expect("a layout");
        Data {
            dtype,
            layout,
            memory,
        }
    }

    /// Calls for the position of each element in row-major order.
    fn positions(&self) -> Vec<usize> {
        let shape = self.layout.shape();
        let count: i64 = shape.iter().product();
        (0..count)
            .map(|mut k| {
                let mut position = self.layout.offset();
                for (&len, &stride) in shape.iter().zip(self.layout.strides()).rev() {
                    position += k % len * stride;
                    k /= len;
                }
                position as usize
            })
            .collect()
    }

    /// Writes an element, in row-major order.
    pub fn set(&mut self, values: impl Fn(usize) -> f64) {
        let (positions, dtype) = (self.positions(), self.dtype);
        let base = self.memory.ptr();
        for (k, at) in positions.into_iter().enumerate() {
            let x = values(k);
            let scalar = match dtype {
                DType::Bool => Scalar::Bool(x > 0.0),
                _ => Scalar::Double(x).cast(dtype),
            };
            let bytes = scalar.bits().to_le_bytes();
            // SAFETY: positions are inside of the memory.
            unsafe {
                let to = base.cast::<u8>().add(at * dtype.width());
                to.copy_from_nonoverlapping(bytes.as_ptr(), dtype.width());
            }
        }
    }

    /// The elements in row-major order, floating-point numbers as doubles, and others as bits.
    pub fn get(&self) -> Vec<(f64, i64)> {
        let base = self.memory.ptr().cast::<u8>();
        let width = self.dtype.width();
        let read = |at: usize| {
            let mut bytes = [0; 8];
            // SAFETY: positions are inside of the memory.
            unsafe {
                bytes
                    .as_mut_ptr()
                    .copy_from_nonoverlapping(base.add(at * width), width)
            };
            let bits = u64::from_le_bytes(bytes);
            match Scalar::of_bits(self.dtype, bits).cast(DType::Double) {
                Scalar::Double(x) if self.dtype.is_float() => (x, 0),
                _ => (0.0, bits as i64),
            }
        };
        self.positions().into_iter().map(read).collect()
    }

    pub fn operand(&self) -> Operand<'_> {
        Operand::Tensor {
            dtype: self.dtype,
            data: self.memory.ptr(),
            layout: self.layout.as_slices(),
        }
    }

    pub fn operand_mut(&mut self) -> OperandMut<'_> {
        OperandMut {
            dtype: self.dtype,
            data: self.memory.ptr(),
            layout: self.layout.as_slices(),
        }
    }
}

/// An input of a test.
#[derive(Clone, Debug)]
pub enum Input {
    Tensor(Data),
    Number(Number),
}

impl Input {
    pub fn operand(&self) -> Operand<'_> {
        match self {
            Input::Tensor(data) => data.operand(),
            Input::Number(number) => Operand::Number(*number),
        }
    }

    pub fn signature(&self) -> Signature {
        match self {
            Input::Tensor(data) => Signature::tensor(data.dtype, data.layout.shape()),
            Input::Number(number) => Signature {
                kind: match number {
                    Number::Integer(_) => Kind::Integer,
                    Number::Fraction(_) => Kind::Fraction,
                },
                shape: Vec::new(),
            },
        }
    }
}

pub fn bind(text: &str, inputs: &[Input]) -> Bound {
    let program = Program::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let signatures: Vec<Signature> = inputs.iter().map(Input::signature).collect();
    let pinned = vec![None; program.outputs().len()];
    program
        .bind(&signatures, &pinned)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Memory for the outputs of a program.
pub fn outputs(bound: &Bound, layout: Layout, random: &mut Random) -> Vec<Data> {
    bound
        .returned
        .iter()
        .map(|&id| {
            let tensor = &bound.tensors[id];
            Data::new(
                tensor.dtype.expect("a type"),
                &tensor.shape,
                layout,
                false,
                random,
            )
        })
        .collect()
}

pub fn run(
    inputs: &[Input],
    results: &mut [Data],
    run: impl FnOnce(&[Operand], &mut [OperandMut]) -> Result<(), Error>,
) -> Result<(), Error> {
    let inputs: Vec<Operand> = inputs.iter().map(Input::operand).collect();
    let mut outputs: Vec<OperandMut> = results.iter_mut().map(Data::operand_mut).collect();
    run(&inputs, &mut outputs)
}

fn close(a: f64, b: f64, dtype: DType, scale: f64) -> bool {
    let relative = match dtype {
        DType::Float => 2e-5,
        // What is rounded to the other neighbour.
        DType::Float16 => 1e-3,
        DType::BFloat16 => 1e-2,
        _ => 1e-12,
    };
    a == b
        || a.is_nan() && b.is_nan()
        || (a - b).abs() <= relative * scale.max(a.abs()).max(b.abs())
}

/// Compares results; `scale` is the size below which differences do not count relative to the value.
fn compare(what: &str, expected: &[Data], found: &[Data], scale: f64) {
    for (k, (expected, found)) in expected.iter().zip(found).enumerate() {
        for (at, (e, f)) in expected.get().iter().zip(found.get()).enumerate() {
            let same = e.1 == f.1 && close(e.0, f.0, expected.dtype, scale);
            assert!(
                same,
                "{what}: output {k} at {at}: {e:?} expected, {f:?} found"
            );
        }
    }
}

/// Runs a program by the plain evaluator and by plans; results, or errors, must agree. Scale as for results of about that size.
pub fn agree_on(
    text: &str,
    inputs: &[Input],
    layout: Layout,
    scale: f64,
    random: &mut Random,
) -> Option<Vec<Data>> {
    let bound = bind(text, inputs);
    let mut expected = outputs(&bound, Layout::Plain, random);
    // SAFETY: operands are memory of this test.
    let reference = run(inputs, &mut expected, |inputs, outputs| unsafe {
        oracle::run(&bound, inputs, outputs)
    });
    for &level in Level::all() {
        let plan = Plan::at(&bound, level).expect("a plan");
        let mut first: Option<Vec<Data>> = None;
        let state = random.0;
        for threads in [1, 3] {
            random.0 = state;
            let mut found = outputs(&bound, layout, random);
            let result = run(inputs, &mut found, |inputs, outputs| {
                // SAFETY: as above.
                in_threads(threads, || unsafe { plan.run(inputs, outputs) })
            });
            assert_eq!(plan_fault(), None, "{text} ({level:?})");
            match (&reference, &result) {
                (Ok(()), Ok(())) => {
                    compare(&format!("{text} ({level:?})"), &expected, &found, scale)
                }
                (Err(a), Err(b)) => assert_eq!(a, b, "{text}"),
                (a, b) => panic!("{text} ({level:?}): {a:?} expected, {b:?} found"),
            }
            // With itself bit by bit, gaps included. What a run that fails has written hangs on when.
            if let (Some(first), Ok(())) = (&first, &result) {
                for (a, b) in first.iter().zip(&found) {
                    let differs = a
                        .memory
                        .bytes()
                        .iter()
                        .zip(b.memory.bytes())
                        .position(|(a, b)| a != b);
                    if let Some(at) = differs {
                        let at = at / a.dtype.width() * a.dtype.width();
                        let of =
                            |data: &Data| data.memory.bytes()[at..at + data.dtype.width()].to_vec();
                        panic!(
                            "{text} ({level:?}): two runs differ at byte {at}: {:x?} and {:x?}",
                            of(a),
                            of(b)
                        );
                    }
                }
            }
            first = Some(found);
        }
    }
    reference.is_ok().then_some(expected)
}

/// A tensor whose element k is `value(k)`.
pub fn tensor(
    dtype: DType,
    shape: &[i64],
    layout: Layout,
    random: &mut Random,
    value: impl Fn(usize) -> f64,
) -> Input {
    let mut data = Data::new(dtype, shape, layout, true, random);
    data.set(value);
    Input::Tensor(data)
}

/// A tensor of multiples of 1/8 in [-4, 4), or of integers from 0 on below 8.
pub fn some(dtype: DType, shape: &[i64], layout: Layout, random: &mut Random) -> Input {
    let seed = random.next();
    tensor(dtype, shape, layout, random, |k| {
        let mut random = Random(seed.wrapping_add(k as u64));
        match dtype {
            float if float.is_float() => random.below(64) as f64 / 8.0 - 4.0,
            DType::Bool => random.below(2) as f64,
            _ => random.below(8) as f64,
        }
    })
}

/// The types of fractions.
pub const FLOATS: [DType; 2] = [DType::Float, DType::Double];
/// The types of numbers.
pub const NUMBERS: [DType; 5] = [
    DType::Float,
    DType::Double,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
];

/// The types that are stored narrow, but UINT64, with which nothing is computed.
pub const ENCODINGS: [DType; 6] = [
    DType::Float16,
    DType::BFloat16,
    DType::Int8,
    DType::Int16,
    DType::UInt16,
    DType::UInt32,
];

/// Runs a program on tensors of these shapes, of each of the types, plain and wild.
pub fn check(text: &str, types: &[DType], shapes: &[&[i64]]) {
    for &dtype in types {
        for (layout, seed) in [
            (Layout::Plain, 1),
            (Layout::Wild, 2),
            (Layout::Wild, 3),
            (Layout::Wild, 4),
        ] {
            let mut random = Random(seed);
            let inputs: Vec<Input> = shapes
                .iter()
                .map(|shape| some(dtype, shape, layout, &mut random))
                .collect();
            agree_on(text, &inputs, layout, 100.0, &mut random);
        }
    }
}
