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
use super::mask::{Loops, Mask};
use super::multiply::UNIT;
use super::windows::Windows;
use crate::ast::Op;
use crate::bound::{Access, Affine, Condition, Index, LoopId, Statement, TensorId};
use crate::operand::DType;
use crate::plan::rewrite::{writes_directly, Factor, Product};
use crate::plan::tile::View;
use crate::plan::verify;

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
/// The minimum rows, columns and depth, but for narrow products.
const WIDE: i64 = 4;
/// The minimum number of multiplications, and of the other of rows and columns, of a product by a vector or by two or three of them.
const NARROW: i64 = 8192;
const NARROW_SIDE: i64 = 16;
/// The depth from which on a product by a vector is left to the tile VM if the matrix is contiguous along it: each row is one long dot product.
const LONG: i64 = 512;

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
    let size = view.dtype.width() as i64;
    Start {
        tensor,
        offset: view.start(indices).wrapping_mul(size) as isize,
    }
}

/// The statement with some of its reduced loops backwards; `None` if a number overflows.
fn reversed(statement: &Statement, back: &[LoopId]) -> Option<Statement> {
    let mut reversed = statement.clone();
    let loops = statement.loops.iter().enumerate();
    let places = loops.map(|(l, each)| match back.contains(&l) {
        true => (
            l,
            Affine {
                constant: each.range - 1,
                terms: vec![(l, -1)],
            },
        ),
        false => (l, Affine::of_loop(l)),
    });
    reversed.rename(&places.collect()).then_some(reversed)
}

/// A statement as a sum of products of two reads: its loops by role.
struct Roles<'a> {
    product: Product<'a>,
    ranges: Vec<i64>,
    /// The stride of each loop in A, B and C, in bytes.
    strides: [Vec<i64>; 3],
    /// The loops of A, B and C; of A and C; of B and C; of A and B.
    batch: Vec<LoopId>,
    rows: Vec<LoopId>,
    columns: Vec<LoopId>,
    depth: Vec<LoopId>,
    /// The conditions of A and B, and whether products are excluded where they do not hold.
    conditions: [Vec<(&'a Condition, bool)>; 2],
}

impl<'a> Roles<'a> {
    /// Those of a statement; `None` if it is not a sum of products, or too small or narrow. No loop has range 0.
    fn of(statement: &'a Statement, views: &[View]) -> Option<Roles<'a>> {
        let shape = |access: &Access| views[access.tensor].layout.shape();
        let target = views[statement.target].layout.shape();
        if statement.op != Op::Sum || !writes_directly(statement, target) {
            return None;
        }
        let product = Product::of(&statement.value)?;
        let [x, y] = product.reads[..] else {
            return None;
        };
        let ranges = statement.ranges();
        let steps = |tensor: TensorId, indices| views[tensor].steps(indices, ranges.len());
        let (a, b) = (steps(x.tensor, &x.indices), steps(y.tensor, &y.indices));
        let c = steps(statement.target, &statement.left);
        let (mut batch, mut rows, mut columns, mut depth) = (vec![], vec![], vec![], vec![]);
        for l in (0..ranges.len()).filter(|&l| ranges[l] > 1) {
            match (l < statement.kept, a[l] != 0, b[l] != 0) {
                (true, true, true) => batch.push(l),
                (true, true, false) => rows.push(l),
                (true, false, true) => columns.push(l),
                (true, false, false) => return None,
                (false, ..) => depth.push(l),
            }
        }
        let count = |loops: &[LoopId]| {
            let ranges = loops.iter().map(|&l| ranges[l]);
            ranges.fold(1i64, i64::saturating_mul)
        };
        let sizes = [&rows, &columns, &depth].map(|loops| count(loops));
        let work = sizes.iter().fold(1i64, |work, &n| work.saturating_mul(n));
        let is_long = |&n: &i64| n > MOST;
        let [least, most] = [sizes[0].min(sizes[1]), sizes[0].max(sizes[1])];
        let is_worth = match least >= WIDE {
            true => work >= LEAST,
            // Two or three vectors do not pay for packing a matrix whose rows are dot products. Filters of channels have one row, too.
            false => {
                let (matrix, x) = match sizes[0] >= sizes[1] {
                    true => (&a, x),
                    false => (&b, y),
                };
                let size = views[x.tensor].dtype.width() as i64;
                let along = depth.iter().find(|&&l| matrix[l].abs() == size);
                let dots = along.map_or(0, |&l| ranges[l]);
                work >= NARROW
                    && most >= NARROW_SIDE
                    && dots < if least > 1 { NARROW_SIDE } else { LONG }
                    && Windows::of(statement, views).is_none()
            }
        };
        if sizes[2] < WIDE || !is_worth || sizes.iter().chain([&count(&batch)]).any(is_long) {
            return None;
        }
        // Elements that are adjacent in memory should be adjacent on the axis.
        let by = |loops: &mut Vec<LoopId>, strides: &[i64]| {
            loops.sort_by_key(|&l| std::cmp::Reverse(strides[l].abs()))
        };
        by(&mut rows, &c);
        by(&mut columns, &c);
        by(&mut depth, &a);
        let mut roles = Roles {
            ranges,
            strides: [a, b, c],
            batch,
            rows,
            columns,
            depth,
            conditions: [Vec::new(), Vec::new()],
            product,
        };
        let shapes = [shape(x), shape(y)];
        let guards = &statement.guards;
        roles.conditions = roles.loops().conditions(&roles.product, guards, shapes)?;
        Some(roles)
    }

    fn loops(&self) -> Loops<'_> {
        Loops {
            ranges: &self.ranges,
            own: [&self.rows, &self.columns],
            depth: &self.depth,
            batch: &self.batch,
        }
    }

    /// The reduced loops along which an operand with conditions lies backwards: what is packed is packed in longer runs upwards.
    fn backwards(&self) -> Vec<LoopId> {
        let packed = (0..2).find(|&at| !self.conditions[at].is_empty());
        let lies = |&&l: &&LoopId| packed.is_some_and(|at| self.strides[at][l] < 0);
        self.depth.iter().filter(lies).copied().collect()
    }
}

impl Contraction {
    /// Whether a statement is a sum of products that is worth it.
    pub fn fits(statement: &Statement, views: &[View]) -> bool {
        Roles::of(statement, views).is_some()
    }

    /// The statement as matrix products; `None` if it does not fit.
    pub fn new(statement: &Statement, views: &[View]) -> Option<Contraction> {
        let roles = Roles::of(statement, views)?;
        let back = roles.backwards();
        if !back.is_empty() {
            return Contraction::new(&reversed(statement, &back)?, views);
        }
        let [x, y] = [0, 1].map(|at| roles.product.reads[at]);
        let dtype = statement.value.dtype;
        let size = dtype.width();
        let Roles {
            ranges,
            strides: [a, b, c],
            conditions,
            product,
            ..
        } = &roles;
        let start = |tensor: TensorId, indices| start(tensor, indices, &views[tensor]);
        let batch = [a, b, c].map(|strides| offsets(&roles.batch, ranges, strides));
        let mut contraction = Contraction {
            dtype,
            factors: [
                product.read_factors[0].clone(),
                product.read_factors[1].clone(),
                product.factors.clone(),
            ],
            a: start(x.tensor, &x.indices),
            b: start(y.tensor, &y.indices),
            c: start(statement.target, &statement.left),
            m: Axis::new(&roles.rows, ranges, [a, c], size),
            n: Axis::new(&roles.columns, ranges, [b, c], size),
            k: Axis::new(&roles.depth, ranges, [a, b], size),
            batch: (0..batch[0].len())
                .map(|at| [batch[0][at], batch[1][at], batch[2][at]])
                .collect(),
            alone: None,
            masks: [None, None],
            reach: [(0, 0); 2],
        };
        contraction.masks = [0, 1].map(|at| {
            let own = [&contraction.m, &contraction.n][at];
            let places = [&own.offsets[0][..], &contraction.k.offsets[at][..]];
            roles.loops().mask(at, &conditions[at], places)
        });
        contraction.reach = [0, 1].map(|at| {
            let start = [contraction.a, contraction.b][at].offset as i128;
            let conditions = conditions[at].iter();
            let conditions: Vec<&Condition> = conditions.map(|&(each, _)| each).collect();
            let operand = &views[[x, y][at].tensor];
            verify::reach(operand, start, &roles.strides[at], ranges, &conditions)
        });
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
        let size = self.dtype.width() as i128;
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
