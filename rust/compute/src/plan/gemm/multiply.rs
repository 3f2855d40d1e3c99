//! The products of a contraction, block by block.
//!
//! A block of k has at most [`DEPTH`](super::contraction::DEPTH) products, which are added in any order, and up to [`RUNS`] blocks are added in
//! order, more of them pairwise: the error of a sum of n products is at most DEPTH + RUNS + log2 n ulp of the sum of their magnitudes.
//!
//! Blocks of k follow from shapes and strides alone, each block of C is computed by one thread, and `gemm` is asked for no threads: results do not
//! depend on these.

use std::ops::Range;
use std::sync::Once;

use tensornio_core::parallel::Shared;

use super::axis::Block;
use super::contraction::{Contraction, Start};
use super::mask::Mask;
use super::part::{part, Float, Part};
use crate::operand::DType;
use crate::plan::rewrite::Factor;
use crate::plan::tile::{units, Failed};
use crate::threads::threads;

/// Blocks of k that are added in order.
const RUNS: usize = 256;
/// Multiplications that are worth a thread.
pub(super) const UNIT: usize = 1 << 20;

/// What a unit has of its own.
struct Own<T> {
    /// The constant factors of A, of B, and of their product, each list in order.
    factors: [Vec<T>; 3],
    /// The product of the last; `None` if it overflows or underflows, as one after the other they might not.
    scale: Option<T>,
    /// Memory in which blocks of A and B are put.
    copies: [Vec<T>; 2],
}

impl<T: Float> Own<T> {
    /// `factors` are the bits of all constants.
    fn new(factors: &[Vec<Vec<u64>>; 3]) -> Own<T> {
        let one = T::from(1);
        let value = |factor: &Vec<u64>| factor.iter().fold(one, |x, &bits| x * T::of_bits(bits));
        let factors = factors
            .each_ref()
            .map(|list| list.iter().map(value).collect::<Vec<T>>());
        let scale = match factors[2][..] {
            [] => Some(one),
            [factor] => Some(factor),
            [first, ref rest @ ..] => rest.iter().try_fold(first, |product, &factor| {
                Some(product * factor).filter(|product| product.normal())
            }),
        };
        Own {
            factors,
            scale,
            copies: [Vec::new(), Vec::new()],
        }
    }

    /// Multiplies a block that was packed by the constant factors of its operand.
    fn multiply(&mut self, at: usize) {
        for &factor in &self.factors[at] {
            for x in &mut self.copies[at] {
                *x = *x * factor;
            }
        }
    }

    /// Whether no constant is infinite or NaN.
    fn is_finite(&self) -> bool {
        self.factors.iter().flatten().all(|factor| factor.finite())
    }
}

/// A block of C, in a product of the batch.
struct Target<'a> {
    /// The addresses of A and B.
    ab: [*mut u8; 2],
    batch: usize,
    m: &'a Block,
    n: &'a Block,
}

impl Contraction {
    /// Computes all products.
    ///
    /// # Safety
    ///
    /// `bases` are the addresses of position 0 of the tensors that this was made for; nobody else writes the target.
    pub unsafe fn run(
        &self,
        bases: &[*mut u8],
        numbers: &dyn Fn(usize, DType) -> u64,
    ) -> Result<(), Failed> {
        let of = |factor: &Factor| factor.iter().map(|cell| cell.bits(numbers)).collect();
        let factors = self
            .factors
            .each_ref()
            .map(|list| list.iter().map(of).collect());
        let at = |start: Start| bases[start.tensor].wrapping_offset(start.offset);
        let all = Shared([at(self.a), at(self.b), at(self.c)]);
        let parts = self.blocks_of(threads());
        let blocks = self.batch.len() * parts[0].len() * parts[1].len();
        let each = (self.m.len() * self.n.len() * self.k.len() * self.batch.len()) / blocks;
        let per_unit = (UNIT / each.max(1)).max(1);
        units(blocks.div_ceil(per_unit) as i64, &|unit| {
            let first = unit as usize * per_unit;
            let range = first..(first + per_unit).min(blocks);
            // SAFETY: as the caller says; blocks have elements of C of their own.
            unsafe {
                match self.dtype {
                    DType::Float => self.blocks::<f32>(all.get(), &factors, parts, range),
                    _ => self.blocks::<f64>(all.get(), &factors, parts, range),
                }
            }
            Ok(())
        })
    }

    /// Computes some blocks of C, of these parts of m and n; `all` are the addresses of A, B and C.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run).
    unsafe fn blocks<T: Float>(
        &self,
        all: [*mut u8; 3],
        factors: &[Vec<Vec<u64>>; 3],
        [of_m, of_n]: [&[Block]; 2],
        blocks: Range<usize>,
    ) {
        let size = size_of::<T>() as isize;
        let mut own = Own::<T>::new(factors);
        let mut result: Vec<T> = Vec::new();
        for unit in blocks {
            let (rest, n) = (unit / of_n.len(), &of_n[unit % of_n.len()]);
            let m = &of_m[rest % of_m.len()];
            let batch = rest / of_m.len();
            let [a, b, c] = [0, 1, 2].map(|at| all[at].wrapping_offset(self.batch[batch][at]));
            let target = Target {
                ab: [a, b],
                batch,
                m,
                n,
            };
            let (rows, columns) = (&self.m.offsets[1], &self.n.offsets[1]);
            let places = &columns[n.range.clone()];
            if let (Some(row), Some(column)) = (m.steps[1], n.steps[1]) {
                let first = c.wrapping_offset(rows[m.range.start] + places[0]);
                let c = Part { first, row, column };
                // SAFETY: as the caller says.
                unsafe { self.sum::<T>(&target, &self.k.blocks, c, &mut own) };
                continue;
            }
            result.resize(m.range.len() * n.range.len(), T::default());
            let to = Part {
                first: result.as_mut_ptr().cast(),
                row: size * n.range.len() as isize,
                column: size,
            };
            // SAFETY: as the caller says; the result has all rows of the block.
            unsafe { self.sum::<T>(&target, &self.k.blocks, to, &mut own) };
            for (row, &offset) in result
                .chunks_exact(n.range.len())
                .zip(&rows[m.range.clone()])
            {
                for (&x, &place) in row.iter().zip(places) {
                    let to = c.wrapping_offset(offset + place).cast::<T>();
                    // SAFETY: an element of C.
                    unsafe { to.write(x) };
                }
            }
        }
    }

    /// The sum over some blocks of k.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run); `c` is a block of C, or memory for one.
    unsafe fn sum<T: Float>(
        &self,
        target: &Target<'_>,
        blocks: &[Block],
        c: Part,
        own: &mut Own<T>,
    ) {
        if blocks.len() <= RUNS {
            for (at, k) in blocks.iter().enumerate() {
                // SAFETY: as the caller says.
                unsafe { self.product::<T>(target, k, c, at > 0, own) };
            }
            return;
        }
        let (rows, columns) = (target.m.range.len(), target.n.range.len());
        let (left, right) = blocks.split_at(blocks.len().div_ceil(2 * RUNS) * RUNS);
        let mut other = vec![T::default(); rows * columns];
        let column = size_of::<T>() as isize;
        let to = Part {
            first: other.as_mut_ptr().cast(),
            row: column * columns as isize,
            column,
        };
        // SAFETY: as the caller says; `other` is as large as the block.
        unsafe {
            self.sum::<T>(target, left, c, own);
            self.sum::<T>(target, right, to, own);
        }
        for (i, row) in other.chunks_exact(columns).enumerate() {
            for (j, &x) in row.iter().enumerate() {
                let at = c
                    .first
                    .wrapping_offset(i as isize * c.row + j as isize * c.column);
                let at = at.cast::<T>();
                // SAFETY: an element of the block.
                unsafe { at.write(at.read() + x) };
            }
        }
    }

    /// The parts of A and B in these blocks, in place or packed.
    ///
    /// # Safety
    ///
    /// As [`sum`](Contraction::sum).
    unsafe fn parts<T: Float>(
        &self,
        target: &Target<'_>,
        k: &Block,
        own: &mut Own<T>,
    ) -> [Part; 2] {
        [0, 1].map(|at| {
            let (axis, block) = [(&self.m, target.m), (&self.n, target.n)][at];
            let (base, copies) = (target.ab[at], &mut own.copies[at]);
            let Some(mask) = &self.masks[at] else {
                let along = (&axis.offsets[0][block.range.clone()], block.steps[0]);
                let depth = (&self.k.offsets[at][k.range.clone()], k.steps[at]);
                let (rows, columns) = if at == 0 {
                    (along, depth)
                } else {
                    (depth, along)
                };
                // SAFETY: as the caller says.
                return unsafe { part(base, rows, columns, own.factors[at].is_empty(), copies) };
            };
            let places = [&axis.offsets[0][..], &self.k.offsets[at][..]];
            let ranges = [&block.range, &k.range];
            // SAFETY: as the caller says; elements are those where the mask's conditions hold.
            let copy = unsafe { mask.copy(base, places, ranges, target.batch, copies) };
            let [along, depth] = copy.steps;
            // Rows of B are along the depth.
            let (row, column) = if at == 0 {
                (along, depth)
            } else {
                (depth, along)
            };
            Part {
                first: copy.first,
                row,
                column,
            }
        })
    }

    /// The product of a block of A and one of B, which C becomes, or takes in if `add`.
    ///
    /// # Safety
    ///
    /// As [`sum`](Contraction::sum).
    unsafe fn product<T: Float>(
        &self,
        target: &Target<'_>,
        k: &Block,
        c: Part,
        add: bool,
        own: &mut Own<T>,
    ) {
        // SAFETY: as the caller says.
        let [a, b] = unsafe { self.parts(target, k, own) };
        let [rows, columns, depth] = [&target.m.range, &target.n.range, &k.range].map(|r| r.len());
        own.multiply(0);
        own.multiply(1);
        // What is left out must not become NaN by a zero times something infinite.
        let leaves_out = |at: usize| self.masks[at].as_ref().is_some_and(Mask::is_whole);
        // SAFETY: the parts have these rows and columns.
        let finite = unsafe {
            (!leaves_out(0) || b.is_finite::<T>(depth, columns))
                && (!leaves_out(1) || a.is_finite::<T>(rows, depth))
                && (!(leaves_out(0) || leaves_out(1)) || own.is_finite())
        };
        let Some(scale) = own.scale.filter(|_| finite) else {
            // SAFETY: as the caller says; these are the parts.
            unsafe { self.one_by_one::<T>(target, k, [a, b], c, add, &own.factors[2]) };
            return;
        };
        let stride = |bytes: isize| bytes / size_of::<T>() as isize;
        let (zero, one) = (T::from(0), T::from(1));
        // From 0, as sums begin; zeros that are only multiplied by what is negative would be -0.
        let from_zero = !add && scale.negative();
        if from_zero {
            for row in 0..rows {
                for column in 0..columns {
                    // SAFETY: an element of the block of C.
                    unsafe { c.set(row, column, zero) };
                }
            }
        }
        let add = add || from_zero;
        know_caches();
        // SAFETY: the parts have so many rows and columns and that depth, all inside of the operands or of copies; C is apart from both. T is one of
        // the types that the crate has.
        unsafe {
            gemm::gemm(
                rows,
                columns,
                depth,
                c.first.cast::<T>(),
                stride(c.column),
                stride(c.row),
                add,
                a.first.cast::<T>().cast_const(),
                stride(a.column),
                stride(a.row),
                b.first.cast::<T>().cast_const(),
                stride(b.column),
                stride(b.row),
                if add { one } else { zero },
                scale,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    }

    /// As [`product`](Contraction::product), of parts that are there, without the products that are left out.
    ///
    /// # Safety
    ///
    /// As `product`; the parts are those of the blocks.
    unsafe fn one_by_one<T: Float>(
        &self,
        target: &Target<'_>,
        k: &Block,
        [a, b]: [Part; 2],
        c: Part,
        add: bool,
        factors: &[T],
    ) {
        let &Target { batch, m, n, .. } = target;
        let lets = |at: usize, own: usize, depth: usize| {
            let mask = self.masks[at].as_ref();
            mask.is_none_or(|mask| mask.lets(batch, own, depth))
        };
        for (i, row) in m.range.clone().enumerate() {
            for (j, column) in n.range.clone().enumerate() {
                // SAFETY: as the caller says, for all of this.
                unsafe {
                    let mut sum = if add { c.get::<T>(i, j) } else { T::default() };
                    for (p, depth) in k.range.clone().enumerate() {
                        if lets(0, row, depth) && lets(1, column, depth) {
                            let product = a.get::<T>(i, p) * b.get::<T>(p, j);
                            sum = sum + factors.iter().fold(product, |x, &factor| x * factor);
                        }
                    }
                    c.set(i, j, sum);
                }
            }
        }
    }
}

/// Has the crate find out the sizes of the caches, which it does once. A thread that waited for another at that would wait in the crate, by what the
/// standard library does only for threads that it knows, and would be left with a destructor to run as it ends: in a library that may be unmapped by
/// then. `Once` leaves none.
fn know_caches() {
    static KNOWN: Once = Once::new();
    KNOWN.call_once(|| {
        let _caches = *gemm_common::cache::CACHE_INFO;
    });
}
