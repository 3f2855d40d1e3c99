//! Sums of products of two reads and constants, as matrix products: `C[m, n] += A[m, k] * B[k, n]`, where m, n and k each are any number of loops.
//!
//! Each of the three is one [`Axis`], split into blocks; a block of C is a unit of work, and the products of the blocks of k are added to it.
//! The `gemm` crate multiplies blocks in place, with any strides, if an operand has constant strides along both of its axes there. Reads are
//! affine, so a convolution is a sum of such products, one for each tap of its kernel, and needs no copy of its windows. Where runs with constant
//! strides are too short for that, the block of the operand, which fits the L2 cache, is packed first.
//!
//! An operand under a guard, as in a convolution with padding, is always packed, with zeros where the guard does not hold: see [`Mask`]. So is one
//! with a constant factor: what the text multiplies first is multiplied first, since the product of others may overflow.
//!
//! Here the axes are found and cut; [`multiply`](super::multiply) computes the products.

use super::axis::{offsets, Axis, Block};
use super::emit::View;
use super::footprint::{steps, writes_directly};
use super::inline::{compose, rename};
use super::mask::{Loops, Mask};
use super::multiply::UNIT;
use super::product::{Factor, Product};
use super::verify;
use crate::ast::Op;
use crate::bound::{Access, Affine, Condition, Index, LoopId, Statement, TensorId};
use crate::kernel;
use crate::operand::DType;

/// The maximum length of a block of k.
pub(super) const DEPTH: usize = 256;
/// The maximum rows and columns of a block of C.
const BLOCK: usize = 256;
/// The minimum length of a run with constant stride that becomes a block.
const SHORTEST: usize = 16;
/// The minimum number of rows or columns by which an element of the other operand is multiplied, for packing it to be cheap.
const MANY: usize = 64;
/// The minimum number of blocks of C, for threads to share.
const FEW: usize = 4;
/// The elements of a block of C up to which `gemm` may compute it by other kernels.
const SMALL: usize = 256;
/// The maximum length of tables of offsets.
const MOST: i64 = 1 << 22;
/// The minimum number of multiplications; smaller products are computed by the tile VM.
const LEAST: i64 = 2048;

/// An operand: its tensor and its offset in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub tensor: TensorId,
    pub offset: isize,
}

/// A sum of products as a batch of matrix products.
#[derive(Debug)]
pub(crate) struct Contraction {
    pub(super) dtype: DType,
    /// The constant factors of A, of B, and of their product, each list in order.
    pub(super) factors: [Vec<Factor>; 3],
    pub(super) a: Start,
    pub(super) b: Start,
    pub(super) c: Start,
    /// The rows of A and C.
    pub(super) m: Axis,
    /// The columns of B and C.
    pub(super) n: Axis,
    /// The reduced axis of A and B.
    pub(super) k: Axis,
    /// Offsets of A, B and C for each product of the batch.
    pub(super) batch: Vec<[isize; 3]>,
    /// Longer blocks of m and n for one thread, if there are any: threads that share the work pack more in all.
    pub(super) alone: Option<[Vec<Block>; 2]>,
    /// The masks of A and B, where they count as zero.
    pub(super) masks: [Option<Mask>; 2],
    /// The lowest and highest offset of A and B where their masks let them be read.
    reach: [(i128, i128); 2],
}

/// The offset where all loops are 0.
pub(super) fn start(tensor: TensorId, indices: &[Index], view: &View) -> Start {
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

/// The statement with some of its reduced loops backwards; `None` if a number overflows.
fn reversed(statement: &Statement, back: &[LoopId]) -> Option<Statement> {
    let mut reversed = statement.clone();
    let loops = statement.loops.iter().enumerate();
    let places = loops.map(|(l, each)| {
        let affine = match back.contains(&l) {
            true => Affine {
                constant: each.range - 1,
                terms: vec![(l, -1)],
            },
            false => Affine {
                constant: 0,
                terms: vec![(l, 1)],
            },
        };
        (l, affine)
    });
    let places = places.collect();
    let guards = reversed.guards.iter_mut();
    let all = rename(&mut reversed.value, &places)
        && guards
            .map(|guard| &mut guard.affine)
            .all(|affine| compose(affine, &places));
    all.then_some(reversed)
}

impl Contraction {
    /// The statement as matrix products; `None` if it is not a sum of products, or too small or narrow. No loop has range 0.
    pub fn new(statement: &Statement, views: &[View]) -> Option<Contraction> {
        let target = views[statement.target].layout.shape();
        if statement.op != Op::Sum || !writes_directly(statement, target) {
            return None;
        }
        let product = Product::of(&statement.value)?;
        let [x, y] = product.reads[..] else {
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
        // Elements that are adjacent in memory should be adjacent on the axis.
        let by = |loops: &mut Vec<usize>, strides: &[i64]| {
            loops.sort_by_key(|&l| std::cmp::Reverse(strides[l].abs()))
        };
        by(&mut m, &c);
        by(&mut n, &c);
        by(&mut k, &a);
        let shape = |access: &Access| view(access.tensor).layout.shape();
        let loops = Loops {
            ranges: &ranges,
            own: [&m, &n],
            depth: &k,
            batch: &batch,
        };
        let conditions = loops.conditions(&product, &statement.guards, [shape(x), shape(y)])?;
        let size = kernel::size(dtype);
        let mut contraction = Contraction {
            dtype,
            factors: [
                product.read_factors[0].clone(),
                product.read_factors[1].clone(),
                product.factors.clone(),
            ],
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
            alone: None,
            masks: [None, None],
            reach: [(0, 0); 2],
        };
        contraction.masks = [0, 1].map(|at| {
            let own = [&contraction.m, &contraction.n][at];
            let places = [&own.offsets[0][..], &contraction.k.offsets[at][..]];
            loops.mask(at, &conditions[at], places)
        });
        contraction.reach = [0, 1].map(|at| {
            let start = [contraction.a, contraction.b][at].offset as i128;
            let conditions: Vec<&Condition> = conditions[at]
                .iter()
                .map(|&(condition, _)| condition)
                .collect();
            let operand = view([x, y][at].tensor);
            verify::reach(operand, start, [&a, &b][at], &ranges, &conditions)
        });
        if let Some(at) = (0..2).find(|&at| contraction.masks[at].is_some()) {
            // What is packed is packed in longer runs upwards.
            let back: Vec<LoopId> = k.into_iter().filter(|&l| [&a, &b][at][l] < 0).collect();
            if !back.is_empty() {
                return Contraction::new(&reversed(statement, &back)?, views);
            }
        }
        contraction.cut(size);
        Some(contraction)
    }

    /// Splits the axes into blocks.
    fn cut(&mut self, size: usize) {
        let [a, b] = [0, 1].map(|at| self.masks[at].is_none() && self.factors[at].is_empty());
        let shortest = match [a, b] {
            // Packing the other as well is little work beside the products.
            [false, true] if self.m.len() >= MANY => DEPTH / 2,
            [true, false] if self.n.len() >= MANY => DEPTH / 2,
            _ => SHORTEST,
        };
        self.k.cut(DEPTH, size, [a, b], shortest);
        let (mut rows, mut columns) = (BLOCK, 2 * BLOCK);
        let mut alone = None;
        loop {
            self.m.cut(rows, size, [a, true], SHORTEST);
            self.n.cut(columns, size, [b, true], SHORTEST);
            let work = rows.min(self.m.len()) * columns.min(self.n.len()) * self.k.len();
            if self.units() >= FEW || work < 4 * UNIT {
                self.alone = alone.filter(|_| self.cut_is_free());
                return;
            }
            alone.get_or_insert_with(|| [self.m.blocks.clone(), self.n.blocks.clone()]);
            if rows.min(self.m.len()) > columns.min(self.n.len()) {
                rows = rows.min(self.m.len()).div_ceil(2);
            } else {
                columns = columns.min(self.n.len()).div_ceil(2);
            }
        }
    }

    /// Whether an element of C is the same, to the bit, in blocks of any size: `gemm` adds the products of small blocks in another order, and those
    /// of a block that leaves products out are computed one by one if a factor is infinite.
    fn cut_is_free(&self) -> bool {
        let least = |axis: &Axis| axis.blocks.iter().map(|block| block.range.len()).min();
        let (rows, columns) = (least(&self.m).unwrap_or(0), least(&self.n).unwrap_or(0));
        let leaves_out = self.masks.iter().flatten().any(Mask::is_whole);
        rows.min(columns) > 1 && rows * columns > SMALL && !leaves_out
    }

    /// The bytes of each tensor that are touched, counted from position 0: of an operand that no mask keeps from being read, and of C, those at the
    /// offsets in the tables.
    pub fn touched(&self) -> [(TensorId, (i128, i128)); 3] {
        let bounds = |offsets: &mut dyn Iterator<Item = isize>| {
            offsets.fold((i128::MAX, i128::MIN), |(least, greatest), offset| {
                let offset = offset as i128;
                (least.min(offset), greatest.max(offset))
            })
        };
        let along = |axis: &Axis, side: usize| bounds(&mut axis.offsets[side].iter().copied());
        let size = kernel::size(self.dtype) as i128;
        let whole = |start: Start, at: usize, rows: (i128, i128), columns: (i128, i128)| {
            let batch = bounds(&mut self.batch.iter().map(|each| each[at]));
            let start_at = start.offset as i128;
            (
                start_at + batch.0 + rows.0 + columns.0,
                start_at + batch.1 + rows.1 + columns.1,
            )
        };
        let mut touched = [
            whole(self.a, 0, along(&self.m, 0), along(&self.k, 0)),
            whole(self.b, 1, along(&self.n, 0), along(&self.k, 1)),
            whole(self.c, 2, along(&self.m, 1), along(&self.n, 1)),
        ];
        for ((touched, mask), reach) in touched.iter_mut().zip(&self.masks).zip(self.reach) {
            if mask.is_some() {
                *touched = reach;
            }
        }
        let tensors = [self.a.tensor, self.b.tensor, self.c.tensor];
        [0, 1, 2].map(|at| (tensors[at], (touched[at].0, touched[at].1 + size)))
    }

    /// The blocks of m and n that are computed by so many threads.
    pub(super) fn blocks_of(&self, threads: usize) -> [&[Block]; 2] {
        match &self.alone {
            Some(alone) if threads == 1 => alone.each_ref().map(|blocks| &blocks[..]),
            _ => [&self.m.blocks, &self.n.blocks],
        }
    }

    /// The number of blocks of C for several threads.
    fn units(&self) -> usize {
        self.batch.len() * self.m.blocks.len() * self.n.blocks.len()
    }
}
