//! Transforms of powers of two as a matrix, whose columns are transformed first and then its rows: Bailey's four steps ("FFTs in external or
//! hierarchical memory", 1990). Columns and rows fit in the caches where the whole does not, and several side by side are vectors of the processor.
//! No two roundings become one, so that results are the same on all processors.

use std::f64::consts::PI;
use std::marker::PhantomData;

use rustfft::num_complex::Complex;
use rustfft::{Direction, Fft, FftDirection, FftNum, Length};
use tensornio_compute::kernel::isa::{kernel, Body, Isa, Level};

use crate::quantile::Float;

/// The numbers of a vector.
const WIDTH: usize = 8;
/// The vectors side by side.
const VECTORS: usize = 2;
/// The columns, or rows, that are transformed at once: those of a cache line or two.
const SIDE: usize = WIDTH * VECTORS;

/// Complex numbers at one position of lanes side by side.
#[derive(Clone, Copy)]
#[repr(C)]
struct Vector<T> {
    re: [T; WIDTH],
    im: [T; WIDTH],
}

impl<T: Float + FftNum> Vector<T> {
    fn zero() -> Self {
        let zeros = [T::default(); WIDTH];
        Vector {
            re: zeros,
            im: zeros,
        }
    }

    #[inline(always)]
    fn at(&self, k: usize) -> Complex<T> {
        Complex::new(self.re[k], self.im[k])
    }

    #[inline(always)]
    fn set(&mut self, k: usize, to: Complex<T>) {
        self.re[k] = to.re;
        self.im[k] = to.im;
    }
}

/// Memory of complex numbers as vectors.
fn vectors<T: Float>(numbers: &mut [Complex<T>]) -> &mut [Vector<T>] {
    // SAFETY: a vector is as many numbers of the same type, one after the other, as this many complex ones, each of which is two.
    unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), numbers.len() / WIDTH) }
}

/// `exp(± 2 pi i k / n)`.
fn turn<T: Float>(k: usize, n: usize, direction: FftDirection) -> Complex<T> {
    let sign = match direction {
        FftDirection::Forward => -1.0,
        FftDirection::Inverse => 1.0,
    };
    let (sin, cos) = libm::sincos(sign * 2.0 * PI * k as f64 / n as f64);
    Complex::new(T::of_real(cos), T::of_real(sin))
}

/// The transform of the lanes of one length, all at once: Stockham's steps, which leave results in order, of radix 4, and one of radix 2 where the
/// exponent is odd.
struct Steps<T> {
    length: usize,
    /// -1 backwards.
    sign: T,
    /// Those of the butterflies of all steps of radix 4.
    turns: Vec<[Complex<T>; 3]>,
}

impl<T: Float + FftNum> Steps<T> {
    fn new(length: usize, direction: FftDirection) -> Steps<T> {
        let mut turns = Vec::new();
        let mut n = length;
        while n >= 4 {
            turns.extend((0..n / 4).map(|p| [1, 2, 3].map(|k| turn(k * p, n, direction))));
            n /= 4;
        }
        let sign = match direction {
            FftDirection::Forward => 1.0,
            FftDirection::Inverse => -1.0,
        };
        Steps {
            length,
            sign: T::of_real(sign),
            turns,
        }
    }

    /// Transforms what the first memory has; the one of both that has the result.
    #[inline(always)]
    fn run<'m>(
        &self,
        mut from: &'m mut [Vector<T>],
        mut to: &'m mut [Vector<T>],
    ) -> &'m [Vector<T>] {
        let (mut n, mut stride) = (self.length, VECTORS);
        let mut turns = &self.turns[..];
        while n >= 4 {
            let (now, later) = turns.split_at(n / 4);
            let quarter = n / 4 * stride;
            let outputs = to[..4 * quarter].chunks_exact_mut(4 * stride);
            for (p, (to, turns)) in outputs.zip(now).enumerate() {
                let input = |part: usize| &from[part * quarter + p * stride..][..stride];
                self.butterflies([input(0), input(1), input(2), input(3)], to, turns);
            }
            std::mem::swap(&mut from, &mut to);
            turns = later;
            n /= 4;
            stride *= 4;
        }
        if n == 2 {
            let (one, other) = from[..2 * stride].split_at(stride);
            let (sums, differences) = to[..2 * stride].split_at_mut(stride);
            for (q, (a, b)) in one.iter().zip(other).enumerate() {
                let (mut sum, mut difference) = (*a, *b);
                for k in 0..WIDTH {
                    sum.set(k, a.at(k) + b.at(k));
                    difference.set(k, a.at(k) - b.at(k));
                }
                sums[q] = sum;
                differences[q] = difference;
            }
            std::mem::swap(&mut from, &mut to);
        }
        from
    }

    /// Butterflies of radix 4 with the same turns. The loop over the numbers of a vector is the one that compilers make one of vectors, since it
    /// reads and writes copies.
    #[inline(always)]
    fn butterflies(&self, from: [&[Vector<T>]; 4], to: &mut [Vector<T>], turns: &[Complex<T>; 3]) {
        let stride = from[0].len();
        let (y01, y23) = to.split_at_mut(2 * stride);
        let (y0, y1) = y01.split_at_mut(stride);
        let (y2, y3) = y23.split_at_mut(stride);
        for q in 0..stride {
            let [a, b, c, d] = [from[0][q], from[1][q], from[2][q], from[3][q]];
            let mut y = [a; 4];
            for k in 0..WIDTH {
                let (a, b, c, d) = (a.at(k), b.at(k), c.at(k), d.at(k));
                let (even, odd) = (a + c, b + d);
                let (difference, turned) = (a - c, b - d);
                let turned = Complex::new(turned.im * self.sign, -turned.re * self.sign);
                y[0].set(k, even + odd);
                y[1].set(k, (difference + turned) * turns[0]);
                y[2].set(k, (even - odd) * turns[1]);
                y[3].set(k, (difference - turned) * turns[2]);
            }
            y0[q] = y[0];
            y1[q] = y[1];
            y2[q] = y[2];
            y3[q] = y[3];
        }
    }
}

/// A transform of a power of two, as a matrix that is a square or twice as high as wide.
pub(super) struct Square<T> {
    direction: FftDirection,
    /// That of columns, which are as long as there are rows.
    columns: Steps<T>,
    rows: Steps<T>,
    /// The turns between both, in the order of what is between them.
    turns: Vec<Vector<T>>,
}

impl<T: Float + FftNum> Square<T> {
    /// The least exponent: a matrix has as many columns as are transformed at once.
    pub const LEAST: u32 = 2 * SIDE.trailing_zeros();

    pub fn new(exponent: u32, direction: FftDirection) -> Square<T> {
        let (height, width) = (1 << exponent.div_ceil(2), 1 << (exponent / 2));
        let mut turns = Vec::with_capacity(height * width / WIDTH);
        for first in (0..width).step_by(SIDE) {
            for row in 0..height {
                for column in (first..first + SIDE).step_by(WIDTH) {
                    let mut vector = Vector::zero();
                    for k in 0..WIDTH {
                        vector.set(k, turn(row * (column + k), height * width, direction));
                    }
                    turns.push(vector);
                }
            }
        }
        Square {
            direction,
            columns: Steps::new(height, direction),
            rows: Steps::new(width, direction),
            turns,
        }
    }

    /// Transforms `numbers`, with memory for as many in between, and twice for the longer lanes that are transformed at once. What is between is a
    /// block for each of those: for each row, its columns. So both columns and rows are written and read there without strides.
    #[inline(always)]
    fn transform(
        &self,
        numbers: &mut [Complex<T>],
        between: &mut [Vector<T>],
        lanes: &mut [Vector<T>],
    ) {
        let (height, width) = (self.columns.length, self.rows.length);
        let (one, other) = lanes.split_at_mut(VECTORS * height);
        let blocks = between.chunks_exact_mut(VECTORS * height);
        for (block, (to, turns)) in blocks
            .zip(self.turns.chunks_exact(VECTORS * height))
            .enumerate()
        {
            for (to, row) in one
                .chunks_exact_mut(VECTORS)
                .zip(numbers.chunks_exact(width))
            {
                let columns = row[block * SIDE..][..SIDE].chunks_exact(WIDTH);
                for (to, from) in to.iter_mut().zip(columns) {
                    for (k, from) in from.iter().enumerate() {
                        to.set(k, *from);
                    }
                }
            }
            let done = self.columns.run(one, other);
            for (to, (from, turn)) in to.iter_mut().zip(done.iter().zip(turns)) {
                let mut turned = *from;
                for k in 0..WIDTH {
                    turned.set(k, from.at(k) * turn.at(k));
                }
                *to = turned;
            }
        }
        for first in (0..height).step_by(SIDE) {
            let (one, other) = (&mut one[..VECTORS * width], &mut other[..VECTORS * width]);
            let blocks = between.chunks_exact(VECTORS * height);
            for (to, block) in one.chunks_exact_mut(VECTORS * SIDE).zip(blocks) {
                let tile = &block[VECTORS * first..][..VECTORS * SIDE];
                for (column, to) in to.chunks_exact_mut(VECTORS).enumerate() {
                    for (row, rows) in tile.chunks_exact(VECTORS).enumerate() {
                        to[row / WIDTH].set(row % WIDTH, rows[column / WIDTH].at(column % WIDTH));
                    }
                }
            }
            let done = self.rows.run(one, other);
            for (from, row) in done
                .chunks_exact(VECTORS)
                .zip(numbers.chunks_exact_mut(height))
            {
                let to = row[first..first + SIDE].chunks_exact_mut(WIDTH);
                for (from, to) in from.iter().zip(to) {
                    for (k, to) in to.iter_mut().enumerate() {
                        *to = from.at(k);
                    }
                }
            }
        }
    }

    /// Transforms numbers, each so many after the others, by an instruction set.
    fn process(&self, level: Level, buffer: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        let scratch = &mut scratch[..self.get_inplace_scratch_len()];
        let (between, lanes) = vectors(scratch).split_at_mut(self.turns.len());
        for numbers in buffer.chunks_exact_mut(self.len()) {
            let mut call = Call {
                square: self,
                numbers,
                between,
                lanes,
            };
            let call = (&raw mut call).cast();
            let none = std::ptr::null();
            // SAFETY: the body reads nothing but the call, which is borrowed for it.
            unsafe { kernel::<Calls<T>>(level)(0, call, none, none, none) };
        }
    }
}

/// A transform, and what it works on.
struct Call<'c, T> {
    square: &'c Square<T>,
    numbers: &'c mut [Complex<T>],
    between: &'c mut [Vector<T>],
    lanes: &'c mut [Vector<T>],
}

/// Calls by the instructions that a processor has.
struct Calls<T>(PhantomData<T>);

impl<T: Float + FftNum> Body for Calls<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, call: *mut u8, _: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: the one caller has the address of its own call.
        let call = unsafe { &mut *call.cast::<Call<T>>() };
        call.square
            .transform(call.numbers, call.between, call.lanes);
    }
}

impl<T> Length for Square<T> {
    fn len(&self) -> usize {
        self.turns.len() * WIDTH
    }
}

impl<T> Direction for Square<T> {
    fn fft_direction(&self) -> FftDirection {
        self.direction
    }
}

impl<T: Float + FftNum> Fft<T> for Square<T> {
    fn process_with_scratch(&self, buffer: &mut [Complex<T>], scratch: &mut [Complex<T>]) {
        self.process(Level::best(), buffer, scratch);
    }

    fn process_outofplace_with_scratch(
        &self,
        input: &mut [Complex<T>],
        output: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        self.process_immutable_with_scratch(input, output, scratch);
    }

    fn process_immutable_with_scratch(
        &self,
        input: &[Complex<T>],
        output: &mut [Complex<T>],
        scratch: &mut [Complex<T>],
    ) {
        output.copy_from_slice(input);
        self.process_with_scratch(output, scratch);
    }

    fn get_inplace_scratch_len(&self) -> usize {
        self.len() + 2 * SIDE * self.columns.length
    }

    fn get_outofplace_scratch_len(&self) -> usize {
        self.get_inplace_scratch_len()
    }

    fn get_immutable_scratch_len(&self) -> usize {
        self.get_inplace_scratch_len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Complex, Fft, FftDirection, FftNum, Float, Level, Square};

    /// The bits of transforms by each instruction set, one after the other, two transforms at once.
    fn bits<T: Float + FftNum + Into<f64>>(
        exponent: u32,
        direction: FftDirection,
    ) -> Vec<Vec<[u64; 2]>> {
        let square = Square::<T>::new(exponent, direction);
        let length = 2 << exponent;
        let number = |k: usize| T::of_real((k * 7_919 % 1_009) as f64 / 97.0 - 5.0);
        let numbers: Vec<Complex<T>> = (0..length)
            .map(|k| Complex::new(number(k), number(k + length)))
            .collect();
        let by = |&level: &Level| {
            let mut found = numbers.clone();
            // Nothing is read of what the memory had before.
            let nan = T::of_real(f64::NAN);
            let mut scratch = vec![Complex::new(nan, nan); square.get_inplace_scratch_len()];
            square.process(level, &mut found, &mut scratch);
            let bits = |x: T| -> u64 { x.into().to_bits() };
            found.iter().map(|x| [bits(x.re), bits(x.im)]).collect()
        };
        Level::all().iter().map(by).collect()
    }

    #[test]
    fn transforms_have_the_same_bits_by_every_instruction_set() {
        let most = if cfg!(miri) { 8 } else { 13 };
        for exponent in Square::<f32>::LEAST..=most {
            for direction in [FftDirection::Forward, FftDirection::Inverse] {
                for all in [
                    bits::<f32>(exponent, direction),
                    bits::<f64>(exponent, direction),
                ] {
                    assert!(all.iter().all(|each| *each == all[0]), "2^{exponent}");
                    assert!(all[0]
                        .iter()
                        .flatten()
                        .all(|&x| f64::from_bits(x).is_finite()));
                }
            }
        }
    }
}
