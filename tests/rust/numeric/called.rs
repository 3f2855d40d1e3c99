//! Calls of algorithms on row-major lists.

use tensornio_compute::operand::{Operand, OperandMut, Strided};
use tensornio_compute::threads::in_threads;
use tensornio_compute::Error;
use tensornio_core::dtype::Typed;
use tensornio_numeric::{run, Algorithm};

/// A list with a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<T> {
    pub shape: Vec<i64>,
    pub values: Vec<T>,
}

pub fn array<T: Typed>(shape: &[i64], values: impl IntoIterator<Item = T>) -> Array<T> {
    let made = Array {
        shape: shape.to_vec(),
        values: values.into_iter().collect(),
    };
    assert_eq!(shape.iter().product::<i64>() as usize, made.values.len());
    made
}

/// A call of an algorithm with operands and results of several types.
pub struct Call<'a> {
    algorithm: Algorithm,
    numbers: Vec<i64>,
    inputs: Vec<(&'a dyn Memory, Strided<Vec<i64>>)>,
}

/// The memory of a list, whatever its type.
pub trait Memory {
    fn operand<'l>(&self, layout: Strided<&'l [i64]>) -> Operand<'l>;
    fn result<'l>(&mut self, layout: Strided<&'l [i64]>) -> OperandMut<'l>;
    fn layout(&self) -> Strided<Vec<i64>>;
}

impl<T: Typed> Memory for Array<T> {
    fn operand<'l>(&self, layout: Strided<&'l [i64]>) -> Operand<'l> {
        Operand::Tensor {
            dtype: T::DTYPE,
            data: self.values.as_ptr().cast(),
            layout,
        }
    }

    fn result<'l>(&mut self, layout: Strided<&'l [i64]>) -> OperandMut<'l> {
        OperandMut {
            dtype: T::DTYPE,
            data: self.values.as_mut_ptr().cast(),
            layout,
        }
    }

    fn layout(&self) -> Strided<Vec<i64>> {
        Strided::row_major(self.shape.clone()).unwrap()
    }
}

impl<'a> Call<'a> {
    pub fn of(algorithm: Algorithm, numbers: &[i64]) -> Call<'a> {
        Call {
            algorithm,
            numbers: numbers.to_vec(),
            inputs: Vec::new(),
        }
    }

    pub fn with(mut self, input: &'a dyn Memory) -> Call<'a> {
        self.inputs.push((input, input.layout()));
        self
    }

    /// Runs it on some threads.
    pub fn fill(&self, threads: usize, results: &mut [&mut dyn Memory]) -> Result<i64, Error> {
        let inputs: Vec<Operand> = self
            .inputs
            .iter()
            .map(|(memory, layout)| memory.operand(layout.as_slices()))
            .collect();
        let layouts: Vec<_> = results.iter().map(|result| result.layout()).collect();
        let mut outputs: Vec<OperandMut> = results
            .iter_mut()
            .zip(&layouts)
            .map(|(result, layout)| result.result(layout.as_slices()))
            .collect();
        // SAFETY: lists of the layouts' sizes, borrowed as long as this runs.
        in_threads(threads, || unsafe {
            run(self.algorithm, &inputs, &mut outputs, &self.numbers)
        })
    }
}

/// Numbers that repeat for a seed: a linear congruential generator of 64 bits, by Knuth's constants.
pub struct Numbers(u64);

impl Numbers {
    pub fn of(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mixed = self.0 ^ self.0 >> 29;
        mixed.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 32
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() >> 33) as usize % end
    }

    /// Between -1 and 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
