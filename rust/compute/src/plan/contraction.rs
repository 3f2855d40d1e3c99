//! Sums of products of two reads, as matrix products: `C[m, n] += A[m, k] * B[k, n]`, where m, n and k each are any number of loops.
//!
//! Reads are affine, so the offset of an element of A is one of m plus one of k: tables of these offsets make a convolution a matrix product without
//! copying its windows anywhere. The blocking, as in BLIS (Van Zee and van de Geijn, 2015):
//!
//! ```text
//! for each of the loops that A, B and C share
//!     for n in steps of COLUMNS                      a panel of B, in the third-level cache
//!         for k in steps of DEPTH                    B[k.., n..] is packed in strips as wide as two vectors
//!             for m in steps of BAND                 shared by threads; A[m.., k..] is packed unless it is contiguous along k
//!                 for each strip of n                a strip of B, in the first-level cache
//!                     for 6 rows of m                the kernel: 6 rows times the strip, in registers
//! ```
//!
//! A sum of K products is one of sums of DEPTH products, which are added in order: its error is at most DEPTH + K / DEPTH ulp of the sum of the
//! magnitudes, below 512 + log2 K for K up to [`MOST`].

use super::emit::View;
use super::machine::Failed;
use super::nest::{injective, steps};
use super::work::{units, Shared};
use crate::ast::{Binary, Op};
use crate::bound::{Access, Node, Statement, TensorId};
use crate::kernel::micro::ROWS;
use crate::kernel::{self, Kernel, Level};
use crate::operand::DType;

/// Products that are added before their sum is added to those before: a strip of B of 16 floats is 16 KiB then.
const DEPTH: usize = 256;
/// Columns of a panel of B: 2 MiB of floats.
const COLUMNS: usize = 2048;
/// Rows that a thread does at a time: a multiple of [`ROWS`]; 96 KiB of A.
const BAND: usize = 96;
/// The largest sum that is made so.
const MOST: i64 = 1 << 16;
/// Products of fewer multiplications are done by the tile VM.
const LEAST: i64 = 2048;

/// Offsets in bytes of an operand over some loops, merged into one.
type Offsets = Vec<isize>;

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
    kernel: Kernel,
    /// Columns of a strip.
    strip: usize,
    a: Start,
    b: Start,
    c: Start,
    a_m: Offsets,
    a_k: Offsets,
    b_k: Offsets,
    b_n: Offsets,
    c_m: Offsets,
    c_n: Offsets,
    /// Offsets of A, B and C for each product of the batch.
    batch: Vec<[isize; 3]>,
    /// Where runs of k begin along which A is contiguous: run `r` is `runs[r]..runs[r + 1]`. Empty if A is packed.
    runs: Vec<usize>,
}

/// A read that is affine and needs no check.
fn plain(access: &Access) -> bool {
    access
        .indices
        .iter()
        .all(|index| !index.checked && index.look_up.is_none())
}

/// The offset where all loops are 0.
fn start(access_tensor: TensorId, indices: &[crate::bound::Index], view: &View) -> Start {
    let size = kernel::size(view.dtype) as i64;
    let offset = indices
        .iter()
        .zip(&view.layout.strides)
        .fold(view.layout.start, |offset, (index, &stride)| {
            offset.wrapping_add(stride.wrapping_mul(index.affine.constant))
        });
    Start {
        tensor: access_tensor,
        offset: offset.wrapping_mul(size) as isize,
    }
}

/// The offsets over loops of these ranges and strides, the last loop fastest.
fn offsets(loops: &[usize], ranges: &[i64], strides: &[i64]) -> Offsets {
    let mut all = vec![0isize];
    for &l in loops {
        all = all
            .iter()
            .flat_map(|&before| (0..ranges[l]).map(move |k| before + (k * strides[l]) as isize))
            .collect();
    }
    all
}

impl Contraction {
    /// The statement as matrix products; none if it is no sum of products, or too small or narrow for it to be worth it. No loop has range 0.
    pub fn new(level: Level, statement: &Statement, views: &[View]) -> Option<Contraction> {
        if statement.op != Op::Sum || !statement.guards.is_empty() || !injective(statement) {
            return None;
        }
        let Node::Binary(Binary::Mul, x, y) = &statement.value.node else {
            return None;
        };
        let (Node::Read(x), Node::Read(y)) = (&x.node, &y.node) else {
            return None;
        };
        if !plain(x) || !plain(y) {
            return None;
        }
        let dtype = statement.value.dtype;
        let (kernel, strip) = kernel::block(level, dtype)?;
        let n = statement.loops.len();
        let ranges: Vec<i64> = statement.loops.iter().map(|l| l.range).collect();
        let view = |id: TensorId| &views[id];
        let c_steps = steps(&statement.left, view(statement.target), n);
        let (mut x, mut y) = (x, y);
        let (mut a, mut b) = (
            steps(&x.indices, view(x.tensor), n),
            steps(&y.indices, view(y.tensor), n),
        );
        // The columns are the operand's that moves C by single elements.
        let size = kernel::size(dtype) as i64;
        let unit = |s: &[i64], other: &[i64]| {
            (0..statement.kept)
                .any(|l| ranges[l] > 1 && c_steps[l] == size && s[l] != 0 && other[l] == 0)
        };
        if unit(&a, &b) {
            std::mem::swap(&mut x, &mut y);
            std::mem::swap(&mut a, &mut b);
        }
        let (mut batch, mut m, mut columns, mut k) = (vec![], vec![], vec![], vec![]);
        for l in (0..n).filter(|&l| ranges[l] > 1) {
            match (l < statement.kept, a[l] != 0, b[l] != 0) {
                (true, true, true) => batch.push(l),
                (true, true, false) => m.push(l),
                (true, false, true) => columns.push(l),
                (true, false, false) => return None,
                (false, ..) => k.push(l),
            }
        }
        let count = |loops: &[usize]| {
            loops
                .iter()
                .fold(1i64, |product, &l| product.saturating_mul(ranges[l]))
        };
        let (rows, cols, depth) = (count(&m), count(&columns), count(&k));
        // The longest tables that are made: 2^22 offsets.
        let fits = count(&batch).max(rows).max(cols) <= 1 << 22;
        if rows < 4
            || cols < 4
            || !(4..=MOST).contains(&depth)
            || rows * cols * depth < LEAST
            || !fits
        {
            return None;
        }
        // Neighbours in memory are neighbours in the tables.
        let by = |loops: &mut Vec<usize>, strides: &[i64]| {
            loops.sort_by_key(|&l| std::cmp::Reverse(strides[l].abs()))
        };
        by(&mut m, &c_steps);
        by(&mut columns, &c_steps);
        by(&mut k, &a);
        let a_k = offsets(&k, &ranges, &a);
        let mut runs: Vec<usize> = (0..a_k.len())
            .filter(|&at| at == 0 || a_k[at] - a_k[at - 1] != size as isize)
            .collect();
        if a_k.len() / runs.len() < 16 {
            runs.clear();
        } else {
            runs.push(a_k.len());
        }
        let (a_b, b_b, c_b) = (
            offsets(&batch, &ranges, &a),
            offsets(&batch, &ranges, &b),
            offsets(&batch, &ranges, &c_steps),
        );
        Some(Contraction {
            dtype,
            kernel,
            strip,
            a: start(x.tensor, &x.indices, view(x.tensor)),
            b: start(y.tensor, &y.indices, view(y.tensor)),
            c: start(statement.target, &statement.left, view(statement.target)),
            a_m: offsets(&m, &ranges, &a),
            a_k,
            b_k: offsets(&k, &ranges, &b),
            b_n: offsets(&columns, &ranges, &b),
            c_m: offsets(&m, &ranges, &c_steps),
            c_n: offsets(&columns, &ranges, &c_steps),
            batch: (0..a_b.len())
                .map(|at| [a_b[at], b_b[at], c_b[at]])
                .collect(),
            runs,
        })
    }

    /// Computes all products.
    ///
    /// # Safety
    ///
    /// `bases` are the addresses of position 0 of the tensors that this was made for; nobody else writes the target.
    pub unsafe fn run(&self, bases: &[*mut u8]) -> Result<(), Failed> {
        let at = |start: Start| Shared(bases[start.tensor].wrapping_offset(start.offset));
        let (a, b, c) = (at(self.a), at(self.b), at(self.c));
        let each = |batch: &[isize; 3], shared: bool| {
            let (a, b, c) = (a.get(), b.get(), c.get());
            let (a, b, c) = (
                a.wrapping_offset(batch[0]),
                b.wrapping_offset(batch[1]),
                c.wrapping_offset(batch[2]),
            );
            // SAFETY: as the caller says; products of a batch have elements of C of their own.
            unsafe {
                match self.dtype {
                    DType::Float => self.product::<f32>(a.cast_const(), b.cast_const(), c, shared),
                    _ => self.product::<f64>(a.cast_const(), b.cast_const(), c, shared),
                }
            }
        };
        match &self.batch[..] {
            [one] => each(one, true),
            // About 2^18 multiplications or more in each unit.
            many => {
                let work = self.a_m.len() * self.b_n.len() * self.a_k.len();
                let per_unit = ((1 << 20) / work).max(1);
                units(many.len().div_ceil(per_unit) as i64, &|unit| {
                    let first = unit as usize * per_unit;
                    many[first..(first + per_unit).min(many.len())]
                        .iter()
                        .try_for_each(|batch| each(batch, false))
                })
            }
        }
    }

    /// One matrix product; its bands of rows are shared by threads if `shared`.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run).
    unsafe fn product<T: kernel::micro::Float>(
        &self,
        a: *const u8,
        b: *const u8,
        c: *mut u8,
        shared: bool,
    ) -> Result<(), Failed> {
        let (rows, columns, depth) = (self.a_m.len(), self.b_n.len(), self.a_k.len());
        let mut packed: Vec<T> =
            vec![T::ZERO; COLUMNS.min(columns.next_multiple_of(self.strip)) * DEPTH.min(depth)];
        for n in (0..columns).step_by(COLUMNS) {
            let n_end = (n + COLUMNS).min(columns);
            for k in (0..depth).step_by(DEPTH) {
                let k_end = (k + DEPTH).min(depth);
                // SAFETY: as the caller says.
                unsafe { self.pack_b(b, n..n_end, k..k_end, &mut packed) };
                let (a, c, packed) = (Shared(a), Shared(c), &Shared(packed.as_ptr()));
                let band = |m: usize| {
                    // SAFETY: as the caller says; bands have rows of C of their own.
                    unsafe {
                        self.band(
                            a.get(),
                            packed.get(),
                            c.get(),
                            m..(m + BAND).min(rows),
                            n..n_end,
                            k..k_end,
                        )
                    }
                };
                let bands = rows.div_ceil(BAND);
                if shared && rows * (n_end - n) * (k_end - k) >= 1 << 20 {
                    units(bands as i64, &|unit| {
                        band(unit as usize * BAND);
                        Ok(())
                    })?;
                } else {
                    (0..bands).for_each(|unit| band(unit * BAND));
                }
            }
        }
        Ok(())
    }

    /// Packs a panel of B: strips, in each the elements of a k side by side; columns beyond the last are 0.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run).
    unsafe fn pack_b<T: kernel::micro::Float>(
        &self,
        b: *const u8,
        n: std::ops::Range<usize>,
        k: std::ops::Range<usize>,
        packed: &mut [T],
    ) {
        let (strip, size) = (self.strip, size_of::<T>());
        for (s, n) in (n.start..n.end)
            .step_by(strip)
            .map(|at| at..(at + strip).min(n.end))
            .enumerate()
        {
            let columns = &self.b_n[n.clone()];
            let contiguous = columns.len() == strip
                && columns
                    .windows(2)
                    .all(|pair| pair[1] - pair[0] == size as isize);
            let to = &mut packed[s * strip * k.len()..(s + 1) * strip * k.len()];
            for (row, &offset) in to.chunks_exact_mut(strip).zip(&self.b_k[k.clone()]) {
                let from = b.wrapping_offset(offset);
                if contiguous {
                    let from = from.wrapping_offset(columns[0]);
                    // SAFETY: elements of B, all of a strip.
                    unsafe {
                        row.as_mut_ptr()
                            .cast::<u8>()
                            .copy_from_nonoverlapping(from, strip * size)
                    };
                } else {
                    row[columns.len()..].fill(T::ZERO);
                    for (slot, &column) in row.iter_mut().zip(columns) {
                        // SAFETY: an element of B.
                        *slot =
                            unsafe { from.wrapping_offset(column).cast::<T>().read_unaligned() };
                    }
                }
            }
        }
    }

    /// Some rows of C take in the products of some k.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run); `packed` is the panel of B.
    unsafe fn band<T: kernel::micro::Float>(
        &self,
        a: *const u8,
        packed: *const T,
        c: *mut u8,
        m: std::ops::Range<usize>,
        n: std::ops::Range<usize>,
        k: std::ops::Range<usize>,
    ) {
        let (strip, size) = (self.strip, size_of::<T>());
        let groups = m.len().div_ceil(ROWS);
        // Packed: groups of rows, in each the elements of a k side by side.
        let mut rows: Vec<T> = Vec::new();
        if self.runs.is_empty() {
            rows.resize(groups * ROWS * k.len(), T::ZERO);
            for (g, to) in rows.chunks_exact_mut(ROWS * k.len()).enumerate() {
                for i in 0..ROWS.min(m.len() - g * ROWS) {
                    let from = a.wrapping_offset(self.a_m[m.start + g * ROWS + i]);
                    for (slot, &offset) in to
                        .iter_mut()
                        .skip(i)
                        .step_by(ROWS)
                        .zip(&self.a_k[k.clone()])
                    {
                        // SAFETY: an element of A.
                        *slot =
                            unsafe { from.wrapping_offset(offset).cast::<T>().read_unaligned() };
                    }
                }
            }
        }
        let mut block = [T::ZERO; ROWS * 32];
        for (s, n) in (n.start..n.end)
            .step_by(strip)
            .map(|at| at..(at + strip).min(n.end))
            .enumerate()
        {
            let b = packed.wrapping_add(s * strip * k.len());
            for g in 0..groups {
                let first = m.start + g * ROWS;
                let here = ROWS.min(m.end - first);
                block[..ROWS * strip].fill(T::ZERO);
                let to = block.as_mut_ptr().cast();
                // SAFETY: the block has all rows of a strip; rows beyond the last are the last once more, and not written to C.
                unsafe {
                    if self.runs.is_empty() {
                        let from = rows.as_ptr().add(g * ROWS * k.len());
                        let table: [*const T; ROWS] = std::array::from_fn(|i| from.add(i));
                        let stride = std::ptr::without_provenance(ROWS * size);
                        (self.kernel)(k.len(), to, table.as_ptr().cast(), b.cast(), stride);
                    } else {
                        let table: [*const u8; ROWS] = std::array::from_fn(|i| {
                            a.wrapping_offset(self.a_m[first + i.min(here - 1)])
                        });
                        let mut at = k.start;
                        let mut run = self.runs.partition_point(|&start| start <= at);
                        while at < k.end {
                            let end = self.runs[run].min(k.end);
                            let table = table.map(|row| row.wrapping_offset(self.a_k[at]));
                            let b = b.wrapping_add((at - k.start) * strip);
                            (self.kernel)(
                                end - at,
                                to,
                                table.as_ptr().cast(),
                                b.cast(),
                                std::ptr::without_provenance(size),
                            );
                            (at, run) = (end, run + 1);
                        }
                    }
                    self.put::<T>(&block, c, first, here, n.clone(), k.start == 0);
                }
            }
        }
    }

    /// Writes a block to C, or adds it.
    ///
    /// # Safety
    ///
    /// As [`run`](Contraction::run).
    unsafe fn put<T: kernel::micro::Float>(
        &self,
        block: &[T],
        c: *mut u8,
        first: usize,
        rows: usize,
        n: std::ops::Range<usize>,
        write: bool,
    ) {
        let columns = &self.c_n[n];
        let contiguous = columns[columns.len() - 1] - columns[0]
            == ((columns.len() - 1) * size_of::<T>()) as isize
            && columns.windows(2).all(|pair| pair[1] > pair[0]);
        for (i, row) in block.chunks_exact(self.strip).enumerate().take(rows) {
            let to = c.wrapping_offset(self.c_m[first + i]);
            // SAFETY: elements of C.
            unsafe {
                if contiguous {
                    let to = to.wrapping_offset(columns[0]).cast::<T>();
                    for (j, &x) in row[..columns.len()].iter().enumerate() {
                        let at = to.add(j);
                        at.write_unaligned(if write {
                            x
                        } else {
                            T::add(at.read_unaligned(), x)
                        });
                    }
                } else {
                    for (&x, &column) in row.iter().zip(columns) {
                        let at = to.wrapping_offset(column).cast::<T>();
                        at.write_unaligned(if write {
                            x
                        } else {
                            T::add(at.read_unaligned(), x)
                        });
                    }
                }
            }
        }
    }
}
