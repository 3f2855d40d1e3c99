//! Sums of products of two reads and constants, as matrix products: `C[m, n] += A[m, k] * B[k, n]`, where m, n and k each are any number of loops.
//!
//! Each of the three is one [`Axis`], cut into blocks; a block of C is a unit of work, and the products of the blocks of k are added to it. The
//! `gemm` crate multiplies blocks in place, whatever their strides, if an operand steps evenly along both of its axes there. Reads are affine, so a
//! convolution is a sum of such products, one for each tap of its kernel, and needs no copy of its windows. Where even runs are too short for
//! that, the block of the operand, which the second-level cache holds, is copied first.
//!
//! A block of k has at most [`DEPTH`] products, which are added in any order, and up to [`RUNS`] blocks are added in order, more of them pairwise:
//! the error of a sum of n products is at most DEPTH + RUNS + log2 n ulp of the sum of their magnitudes.
//!
//! Blocks follow from shapes and strides alone, each is computed by one thread, and `gemm` is asked for no threads: results do not depend on these.

use std::ops::{Add, Mul, Range};

use super::axis::{offsets, Axis, Block};
use super::emit::{Cell, View};
use super::machine::Failed;
use super::nest::{injective, steps};
use super::product::Product;
use super::work::{units, Shared};
use crate::ast::Op;
use crate::bound::{Index, Statement, TensorId};
use crate::kernel;
use crate::operand::DType;

/// Products in a block of k.
const DEPTH: usize = 256;
/// Blocks of k that are added in order.
const RUNS: usize = 256;
/// Rows and columns of a block of C, at most.
const BLOCK: usize = 256;
/// Blocks of C that there should be, for threads to share.
const FEW: usize = 4;
/// Multiplications that are worth a thread.
const UNIT: usize = 1 << 20;
/// The longest tables of offsets that are made.
const MOST: i64 = 1 << 22;
/// Products of fewer multiplications are done by the tile VM.
const LEAST: i64 = 2048;

/// An operand: its tensor and where it begins, in bytes.
#[derive(Clone, Copy, Debug)]
struct Start {
    tensor: TensorId,
    offset: isize,
}

/// A sum of products as a batch of matrix products.
#[derive(Debug)]
pub(crate) struct Contraction {
    dtype: DType,
    /// What every product is multiplied by.
    scale: Vec<Cell>,
    a: Start,
    b: Start,
    c: Start,
    /// The rows of A and C.
    m: Axis,
    /// The columns of B and C.
    n: Axis,
    /// What is summed over, in A and B.
    k: Axis,
    /// Offsets of A, B and C for each product of the batch.
    batch: Vec<[isize; 3]>,
}

/// A type that products are made of.
trait Float: Copy + Default + From<u8> + Add<Output = Self> + Mul<Output = Self> + 'static {
    fn of_bits(bits: u64) -> Self;
}

impl Float for f32 {
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

impl Float for f64 {
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

/// Part of a matrix: the address of its first element, and how far apart, in bytes, rows and columns are.
#[derive(Clone, Copy)]
struct Part {
    first: *mut u8,
    row: isize,
    column: isize,
}

/// What a unit has of its own.
struct Own<T> {
    /// What its products are multiplied by.
    scale: T,
    /// Memory in which blocks of A and B are put.
    a: Vec<T>,
    b: Vec<T>,
}

/// The offset where all loops are 0.
fn start(tensor: TensorId, indices: &[Index], view: &View) -> Start {
    let size = kernel::size(view.dtype) as i64;
    let offset = indices
        .iter()
        .zip(view.layout.strides())
        .fold(view.layout.offset(), |offset, (index, &stride)| {
            offset.wrapping_add(stride.wrapping_mul(index.affine.constant))
        });
    Start {
        tensor,
        offset: offset.wrapping_mul(size) as isize,
    }
}

impl Contraction {
    /// The statement as matrix products; none if it is no sum of products, or too small or narrow for it to be worth it. No loop has range 0.
    pub fn new(statement: &Statement, views: &[View]) -> Option<Contraction> {
        if statement.op != Op::Sum || !statement.guards.is_empty() || !injective(statement) {
            return None;
        }
        let Product { reads, scale } = Product::of(&statement.value)?;
        let [x, y] = reads[..] else {
            return None;
        };
        let dtype = statement.value.dtype;
        let loops = statement.loops.len();
        let ranges: Vec<i64> = statement.loops.iter().map(|l| l.range).collect();
        let view = |id: TensorId| &views[id];
        let a = steps(&x.indices, view(x.tensor), loops);
        let b = steps(&y.indices, view(y.tensor), loops);
        let c = steps(&statement.left, view(statement.target), loops);
        let (mut batch, mut m, mut n, mut k) = (vec![], vec![], vec![], vec![]);
        for l in (0..loops).filter(|&l| ranges[l] > 1) {
            match (l < statement.kept, a[l] != 0, b[l] != 0) {
                (true, true, true) => batch.push(l),
                (true, true, false) => m.push(l),
                (true, false, true) => n.push(l),
                (true, false, false) => return None,
                (false, ..) => k.push(l),
            }
        }
        let count = |loops: &[usize]| {
            loops
                .iter()
                .fold(1i64, |product, &l| product.saturating_mul(ranges[l]))
        };
        let (rows, columns, depth) = (count(&m), count(&n), count(&k));
        let work = rows.saturating_mul(columns).saturating_mul(depth);
        if rows.min(columns).min(depth) < 4
            || work < LEAST
            || count(&batch).max(rows).max(columns).max(depth) > MOST
        {
            return None;
        }
        // Neighbours in memory are neighbours on the axis.
        let by = |loops: &mut Vec<usize>, strides: &[i64]| {
            loops.sort_by_key(|&l| std::cmp::Reverse(strides[l].abs()))
        };
        by(&mut m, &c);
        by(&mut n, &c);
        by(&mut k, &a);
        let size = kernel::size(dtype);
        let mut contraction = Contraction {
            dtype,
            scale,
            a: start(x.tensor, &x.indices, view(x.tensor)),
            b: start(y.tensor, &y.indices, view(y.tensor)),
            c: start(statement.target, &statement.left, view(statement.target)),
            m: Axis::new(&m, &ranges, [&a, &c], size),
            n: Axis::new(&n, &ranges, [&b, &c], size),
            k: Axis::new(&k, &ranges, [&a, &b], size),
            batch: offsets(&batch, &ranges, &a)
                .into_iter()
                .zip(offsets(&batch, &ranges, &b))
                .zip(offsets(&batch, &ranges, &c))
                .map(|((a, b), c)| [a, b, c])
                .collect(),
        };
        contraction.cut(size);
        Some(contraction)
    }

    /// Cuts the axes into blocks.
    fn cut(&mut self, size: usize) {
        self.k.cut(DEPTH, size);
        let (mut rows, mut columns) = (BLOCK, 2 * BLOCK);
        loop {
            self.m.cut(rows, size);
            self.n.cut(columns, size);
            let work = rows.min(self.m.len()) * columns.min(self.n.len()) * self.k.len();
            if self.units() >= FEW || work < 4 * UNIT {
                return;
            }
            if rows.min(self.m.len()) > columns.min(self.n.len()) {
                rows = rows.min(self.m.len()).div_ceil(2);
            } else {
                columns = columns.min(self.n.len()).div_ceil(2);
            }
        }
    }

    /// How many blocks of C there are.
    fn units(&self) -> usize {
        self.batch.len() * self.m.blocks.len() * self.n.blocks.len()
    }

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
        let scale = self.scale.iter().map(|cell| match *cell {
            Cell::Bits(bits) => bits,
            Cell::Number(input, dtype) => numbers(input, dtype),
        });
        let scale: Vec<u64> = scale.collect();

        let at = |start: Start| bases[start.tensor].wrapping_offset(start.offset);
        let all = Shared([at(self.a), at(self.b), at(self.c)]);
        let blocks = self.units();
        let each = (self.m.len() * self.n.len() * self.k.len() * self.batch.len()) / blocks;
        let per_unit = (UNIT / each.max(1)).max(1);
        units(blocks.div_ceil(per_unit) as i64, &|unit| {
            let first = unit as usize * per_unit;
            let range = first..(first + per_unit).min(blocks);
            // SAFETY: as the caller says; blocks have elements of C of their own.
            unsafe {
                match self.dtype {
                    DType::Float => self.blocks::<f32>(all.get(), &scale, range),
                    _ => self.blocks::<f64>(all.get(), &scale, range),
                }
            }
            Ok(())
        })
    }

    /// Computes some blocks of C; `all` are the addresses of A, B and C.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run).
    unsafe fn blocks<T: Float>(&self, all: [*mut u8; 3], scale: &[u64], blocks: Range<usize>) {
        let size = size_of::<T>() as isize;
        let mut own = Own::<T> {
            scale: scale
                .iter()
                .fold(T::from(1), |product, &bits| product * T::of_bits(bits)),
            a: Vec::new(),
            b: Vec::new(),
        };
        let mut result: Vec<T> = Vec::new();
        for unit in blocks {
            let (rest, n) = (
                unit / self.n.blocks.len(),
                &self.n.blocks[unit % self.n.blocks.len()],
            );
            let m = &self.m.blocks[rest % self.m.blocks.len()];
            let batch = &self.batch[rest / self.m.blocks.len()];
            let [a, b, c] = [0, 1, 2].map(|at| all[at].wrapping_offset(batch[at]));
            let (rows, columns) = (&self.m.offsets[1], &self.n.offsets[1]);
            let places = &columns[n.range.clone()];
            if let (Some(row), Some(column)) = (m.steps[1], n.steps[1]) {
                let first = c.wrapping_offset(rows[m.range.start] + places[0]);
                let c = Part { first, row, column };
                // SAFETY: as the caller says.
                unsafe { self.sum::<T>([a, b], m, n, &self.k.blocks, c, &mut own) };
                continue;
            }
            result.resize(m.range.len() * n.range.len(), T::default());
            let to = Part {
                first: result.as_mut_ptr().cast(),
                row: size * n.range.len() as isize,
                column: size,
            };
            // SAFETY: as the caller says; the result has all rows of the block.
            unsafe { self.sum::<T>([a, b], m, n, &self.k.blocks, to, &mut own) };
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
        ab: [*mut u8; 2],
        m: &Block,
        n: &Block,
        blocks: &[Block],
        c: Part,
        own: &mut Own<T>,
    ) {
        if blocks.len() <= RUNS {
            for (at, k) in blocks.iter().enumerate() {
                // SAFETY: as the caller says.
                unsafe { self.product::<T>(ab, [m, n, k], c, at > 0, own) };
            }
            return;
        }
        let (rows, columns) = (m.range.len(), n.range.len());
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
            self.sum::<T>(ab, m, n, left, c, own);
            self.sum::<T>(ab, m, n, right, to, own);
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

    /// The product of a block of A and one of B, which C becomes, or takes in if `add`.
    ///
    /// # Safety
    ///
    /// As [`sum`](Contraction::sum).
    unsafe fn product<T: Float>(
        &self,
        [a, b]: [*mut u8; 2],
        [m, n, k]: [&Block; 3],
        c: Part,
        add: bool,
        own: &mut Own<T>,
    ) {
        let (rows, columns) = (&self.m.offsets[0][m.range.clone()], &self.n.offsets[0]);
        let columns = &columns[n.range.clone()];
        let depth = self.k.offsets.each_ref().map(|k_of| &k_of[k.range.clone()]);
        // SAFETY: as the caller says.
        let (a, b) = unsafe {
            (
                part(a, (rows, m.steps[0]), (depth[0], k.steps[0]), &mut own.a),
                part(b, (depth[1], k.steps[1]), (columns, n.steps[0]), &mut own.b),
            )
        };
        let stride = |bytes: isize| bytes / size_of::<T>() as isize;
        let (zero, one) = (T::from(0), T::from(1));
        // SAFETY: the parts have rows.len() rows, columns.len() columns and a depth of depth[0].len(), all inside of the operands or of copies; C is
        // apart from both. T is one of the types that the crate has.
        unsafe {
            gemm::gemm(
                rows.len(),
                columns.len(),
                depth[0].len(),
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
                own.scale,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
    }
}

/// Part of an operand, in place if it steps evenly along rows and columns, else as a copy, which is contiguous along what the operand is.
///
/// # Safety
///
/// At all offsets are elements of the operand.
unsafe fn part<T: Float>(
    base: *mut u8,
    (rows, row): (&[isize], Option<isize>),
    (columns, column): (&[isize], Option<isize>),
    copy: &mut Vec<T>,
) -> Part {
    if let (Some(row), Some(column)) = (row, column) {
        let first = base.wrapping_offset(rows[0] + columns[0]);
        return Part { first, row, column };
    }
    let size = size_of::<T>() as isize;
    let by_rows = column.is_some() || row.is_none();
    let (outer, inner, step) = if by_rows {
        (rows, columns, column)
    } else {
        (columns, rows, row)
    };
    copy.resize(outer.len() * inner.len(), T::default());
    for (line, &offset) in copy.chunks_exact_mut(inner.len()).zip(outer) {
        let from = base.wrapping_offset(offset);
        if step == Some(size) {
            let from = from.wrapping_offset(inner[0]).cast::<T>();
            // SAFETY: elements of the operand, side by side.
            unsafe { line.as_mut_ptr().copy_from_nonoverlapping(from, line.len()) };
        } else {
            for (slot, &place) in line.iter_mut().zip(inner) {
                // SAFETY: an element of the operand.
                *slot = unsafe { from.wrapping_offset(place).cast::<T>().read() };
            }
        }
    }
    let line = size * inner.len() as isize;
    let first = copy.as_mut_ptr().cast();
    if by_rows {
        Part {
            first,
            row: line,
            column: size,
        }
    } else {
        Part {
            first,
            row: size,
            column: line,
        }
    }
}
