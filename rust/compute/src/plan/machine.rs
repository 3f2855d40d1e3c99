//! The tile VM: runs the instructions of a nest, tile by tile.

use super::code::{Code, Inside, Slot};
use super::emit::Cell;
use super::nest::{Nest, Root};
use crate::ast::Op;
use crate::kernel;
use crate::kernel::fold::LANES;
use crate::operand::DType;

/// Something has no result: an index outside, or an integer divided by zero. The plain evaluator knows what to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed;

/// Memory of a machine, in words of 8 bytes, so that every element is aligned.
pub(super) struct Words(Vec<u64>);

impl Words {
    pub fn new(bytes: usize) -> Words {
        // Zeros: padding and lanes are read before they are written.
        Words(vec![0; bytes.div_ceil(8)])
    }

    pub fn ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Runs a nest, one thread each.
pub(crate) struct Machine<'a> {
    pub(super) nest: &'a Nest,
    /// The address of position 0 of each tensor.
    pub(super) bases: &'a [*mut u8],
    /// Tiles of registers, then one for the accumulator.
    pub(super) tiles: Words,
    pub(super) tile_bytes: usize,
    pub(super) cells: Vec<u64>,
    /// Where the loops outside of the innermost are.
    pub(super) at: Vec<i64>,
    /// Each memory operand where those loops are, and where the tile begins.
    pub(super) rows: Vec<*mut u8>,
    pub(super) current: Vec<*mut u8>,
    /// Copies of operands that are repeated.
    pub(super) repeated: Vec<Words>,
    pub(super) lanes: [u64; LANES],
    pub(super) levels: Vec<Words>,
    pub(super) flag: u8,
}

/// The bits of what leaves everything as it is under an operator.
pub(crate) fn identity(op: Op, dtype: DType) -> u64 {
    use crate::scalar::Scalar;
    let pick = |zero: Scalar, one: Scalar, low: Scalar, high: Scalar| match op {
        Op::Set | Op::Sum => zero,
        Op::Product => one,
        Op::Max => low,
        Op::Min => high,
    };
    let scalar = match dtype {
        DType::Float => pick(
            Scalar::Float(0.0),
            Scalar::Float(1.0),
            Scalar::Float(f32::NEG_INFINITY),
            Scalar::Float(f32::INFINITY),
        ),
        DType::Double => pick(
            Scalar::Double(0.0),
            Scalar::Double(1.0),
            Scalar::Double(f64::NEG_INFINITY),
            Scalar::Double(f64::INFINITY),
        ),
        DType::Int32 => pick(
            Scalar::Int32(0),
            Scalar::Int32(1),
            Scalar::Int32(i32::MIN),
            Scalar::Int32(i32::MAX),
        ),
        DType::Int64 => pick(
            Scalar::Int64(0),
            Scalar::Int64(1),
            Scalar::Int64(i64::MIN),
            Scalar::Int64(i64::MAX),
        ),
        DType::UInt8 => pick(
            Scalar::UInt8(0),
            Scalar::UInt8(1),
            Scalar::UInt8(0),
            Scalar::UInt8(255),
        ),
        DType::Bool => pick(
            Scalar::Bool(false),
            Scalar::Bool(true),
            Scalar::Bool(false),
            Scalar::Bool(true),
        ),
    };
    super::emit::bits(scalar)
}

/// Writes n elements of these bits.
///
/// # Safety
///
/// `to` is writable for n elements of that size.
pub(crate) unsafe fn fill(to: *mut u8, n: usize, size: usize, bits: u64) {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            1 => to.write_bytes(bits as u8, n),
            4 => (0..n).for_each(|k| to.cast::<u32>().add(k).write_unaligned(bits as u32)),
            _ => (0..n).for_each(|k| to.cast::<u64>().add(k).write_unaligned(bits)),
        }
    }
}

/// The part of `0..n` in which every condition holds, counted from the tile's start.
fn part(
    conditions: &[Inside],
    at: &[i64],
    tile: i64,
    mut lo: usize,
    mut hi: usize,
) -> (usize, usize) {
    for Inside { line, bound } in conditions {
        let (first, k) = (i128::from(line.at(at, tile)), i128::from(line.inner));
        let bound = i128::from(*bound);
        if k == 0 {
            if first < 0 || first >= bound {
                return (lo, lo);
            }
            continue;
        }
        // 0 <= first + k x < bound; ceil(a / b) is -floor(-a / b).
        let (from, to) = if k > 0 {
            (-(first.div_euclid(k)), -((first - bound).div_euclid(k)))
        } else {
            let k = -k;
            ((first - bound).div_euclid(k) + 1, first.div_euclid(k) + 1)
        };
        lo = lo.max(from.clamp(0, hi as i128) as usize);
        hi = hi.min(to.clamp(0, hi as i128) as usize);
        if lo >= hi {
            return (lo, lo);
        }
    }
    (lo, hi)
}

impl<'a> Machine<'a> {
    /// A machine for a nest; `numbers` gives the bits of inputs that are numbers.
    pub fn new(
        nest: &'a Nest,
        bases: &'a [*mut u8],
        numbers: impl Fn(usize, DType) -> u64,
    ) -> Machine<'a> {
        let tile_bytes = (nest.tile * nest.width).next_multiple_of(64) + 64;
        let cells = nest
            .cells
            .iter()
            .map(|cell| match *cell {
                Cell::Bits(bits) => bits,
                Cell::Number(input, dtype) => numbers(input, dtype),
            })
            .collect();
        let repeated = nest
            .memories
            .iter()
            .map(|m| {
                Words::new(if m.repeated.is_some() {
                    nest.tile * m.size
                } else {
                    0
                })
            })
            .collect();
        Machine {
            nest,
            bases,
            tiles: Words::new(tile_bytes * (nest.places + 1)),
            tile_bytes,
            cells,
            at: vec![0; nest.kept.len() + nest.reduced.len()],
            rows: vec![std::ptr::null_mut(); nest.memories.len()],
            current: vec![std::ptr::null_mut(); nest.memories.len()],
            repeated,
            lanes: [0; LANES],
            levels: Vec::new(),
            flag: 0,
        }
    }

    /// Puts the loops outside of the innermost where they are to be.
    ///
    /// # Safety
    ///
    /// They are below their ranges.
    pub(super) unsafe fn place(&mut self, first: usize, values: &[i64]) {
        self.at[first..first + values.len()].copy_from_slice(values);
        self.move_rows();
    }

    fn move_rows(&mut self) {
        for (k, m) in self.nest.memories.iter().enumerate() {
            let mut offset = m.constant;
            for &(l, step) in &m.outer {
                offset = offset.wrapping_add(step.wrapping_mul(self.at[l]));
            }
            let row = self.bases[m.tensor].wrapping_offset(offset as isize);
            if let Some((round, stride)) = m.repeated {
                if row != self.rows[k] || self.rows[k].is_null() {
                    let copy = self.repeated[k].ptr();
                    for e in 0..self.nest.tile {
                        let from = row.wrapping_offset((e % round) as isize * stride as isize);
                        // SAFETY: the rounds' elements are those that the innermost loop reads, and the copy has a tile of elements.
                        unsafe { copy.add(e * m.size).copy_from_nonoverlapping(from, m.size) };
                    }
                }
            }
            self.rows[k] = row;
        }
    }

    pub(super) fn address(&mut self, slot: Slot, lo: usize) -> *mut u8 {
        match slot {
            Slot::Register(r) => {
                let (place, step) = self.nest.registers[r as usize];
                self.tiles
                    .ptr()
                    .wrapping_add(self.tile_bytes * place + lo * step)
            }
            Slot::Memory(m) => {
                self.current[m as usize].wrapping_add(lo * self.nest.memories[m as usize].step())
            }
            Slot::Cell(c) => self.cells[c as usize..].as_mut_ptr().cast(),
            Slot::None => &raw mut self.flag,
        }
    }

    fn accumulator(&mut self) -> *mut u8 {
        let places = self.nest.places;
        self.tiles.ptr().wrapping_add(self.tile_bytes * places)
    }

    /// Runs the instructions for n elements from `tile` on; which of them the conditions let through.
    ///
    /// # Safety
    ///
    /// The loops are where they may be, and the tensors' memory is as the plan says.
    pub(super) unsafe fn tile(&mut self, tile: i64, n: usize) -> Result<(usize, usize), Failed> {
        let nest = self.nest;
        let (lo, hi) = part(&nest.conditions, &self.at, tile, 0, n);
        if lo == hi {
            return Ok((lo, hi));
        }
        for (k, m) in nest.memories.iter().enumerate() {
            self.current[k] = if m.repeated.is_some() {
                self.repeated[k].ptr()
            } else {
                self.rows[k].wrapping_offset(m.inner as isize * tile as isize)
            };
        }
        // SAFETY: as the caller says.
        unsafe { self.codes(&nest.codes, tile, lo, hi)? };
        Ok((lo, hi))
    }

    /// # Safety
    ///
    /// As [`tile`](Machine::tile); `lo < hi`.
    unsafe fn codes(
        &mut self,
        codes: &[Code],
        tile: i64,
        lo: usize,
        hi: usize,
    ) -> Result<(), Failed> {
        let n = hi - lo;
        for code in codes {
            match code {
                Code::Map {
                    kernel,
                    to,
                    args,
                    once,
                } => {
                    let to = self.address(*to, lo);
                    let [a, b, c] = args.map(|slot| self.address(slot, lo));
                    // SAFETY: registers hold a tile; the nest's maker has seen to it that memory operands are inside of their tensors.
                    unsafe { kernel(if *once { 1 } else { n }, to, a, b, c) };
                    if self.flag != 0 {
                        return Err(Failed);
                    }
                }
                Code::Pack { kernel, to, from } => {
                    let stride = self.nest.memories[*from as usize].inner;
                    let a =
                        self.current[*from as usize].wrapping_offset(stride as isize * lo as isize);
                    let to = self.address(*to, lo);
                    // SAFETY: as above.
                    unsafe { kernel(n, to, a, std::ptr::without_provenance(stride as usize), a) };
                }
                Code::Iota { to, line, once } => {
                    let first = line.at(&self.at, tile.wrapping_add(lo as i64));
                    let to = self.address(*to, lo).cast::<i64>();
                    for k in 0..if *once { 1 } else { n } {
                        // SAFETY: registers hold a tile.
                        unsafe {
                            to.add(k)
                                .write(first.wrapping_add(line.inner.wrapping_mul(k as i64)))
                        };
                    }
                }
                Code::Index {
                    to,
                    look,
                    line,
                    len,
                    stride,
                    first,
                    once,
                } => {
                    let start = line.at(&self.at, tile.wrapping_add(lo as i64));
                    let (to, look) = (
                        self.address(*to, lo).cast::<i64>(),
                        self.address(*look, lo).cast::<i64>(),
                    );
                    for k in 0..if *once { 1 } else { n } {
                        let affine = start.wrapping_add(line.inner.wrapping_mul(k as i64));
                        // SAFETY: registers hold a tile. A look-up may be in memory that changes: it is loaded once, and this value is checked.
                        unsafe {
                            let index = look
                                .add(k)
                                .read_volatile()
                                .checked_add(affine)
                                .ok_or(Failed)?;
                            if index < 0 || index >= *len {
                                return Err(Failed);
                            }
                            let before = if *first { 0 } else { to.add(k).read() };
                            to.add(k)
                                .write(before.wrapping_add(stride.wrapping_mul(index)));
                        }
                    }
                }
                Code::Check(Inside { line, bound }) => {
                    let first = line.at(&self.at, tile.wrapping_add(lo as i64));
                    let last = first.wrapping_add(line.inner.wrapping_mul(n as i64 - 1));
                    if first.min(last) < 0 || first.max(last) >= *bound {
                        return Err(Failed);
                    }
                }
                Code::Gather {
                    kernel,
                    to,
                    from,
                    offsets,
                } => {
                    let (a, offsets) = (self.current[*from as usize], self.address(*offsets, lo));
                    let to = self.address(*to, lo);
                    // SAFETY: every offset was made of indices that were checked.
                    unsafe { kernel(n, to, a, offsets, a) };
                }
                Code::Rebase { memory, offset } => {
                    // SAFETY: a register.
                    let offset = unsafe { self.address(*offset, lo).cast::<i64>().read() };
                    let m = *memory as usize;
                    let inner = self.nest.memories[m].inner as isize * tile as isize;
                    self.current[m] = self.rows[m]
                        .wrapping_offset(inner)
                        .wrapping_offset(offset as isize);
                }
                Code::Guard {
                    conditions,
                    to,
                    size,
                    codes,
                    result,
                    copy,
                } => {
                    let target = self.address(*to, lo);
                    // SAFETY: registers hold a tile.
                    unsafe { target.write_bytes(0, n * size) };
                    let (from, until) = part(conditions, &self.at, tile, lo, hi);
                    if from < until {
                        // SAFETY: where the conditions hold, as the caller says.
                        unsafe { self.codes(codes, tile, from, until)? };
                        let (target, result) =
                            (self.address(*to, from), self.address(*result, from));
                        // SAFETY: both hold a tile.
                        unsafe { copy(until - from, target, result, result, result) };
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs kept points `points` of the loops outside of the innermost, each for `inner` of the innermost, with all that they reduce. The
    /// first kept loops stay at the values `fixed`.
    ///
    /// # Safety
    ///
    /// As [`tile`](Machine::tile); no other thread runs the same points.
    pub unsafe fn points(
        &mut self,
        points: std::ops::Range<i64>,
        inner: std::ops::Range<i64>,
        fixed: &[i64],
    ) -> Result<(), Failed> {
        let nest = self.nest;
        let reduced: i64 = nest.reduced.iter().product();
        let mut at = odometer(&nest.kept, points.start);
        at[..fixed.len()].copy_from_slice(fixed);
        if !fixed.is_empty() {
            // What is repeated was written anew.
            self.rows.fill(std::ptr::null_mut());
        }
        let size = kernel::size(nest.dtype);
        for _ in points {
            // SAFETY: as the caller says, for all of this.
            unsafe {
                self.place(0, &at);
                match &nest.root {
                    Root::Store { kernel, value } => {
                        let mut t = inner.start;
                        while t < inner.end {
                            let n = (inner.end - t).min(nest.tile as i64) as usize;
                            let (lo, hi) = self.tile(t, n)?;
                            if let (Some(kernel), true) = (kernel, lo < hi) {
                                let stride = nest.memories[nest.target as usize].inner;
                                let to = self.current[nest.target as usize]
                                    .wrapping_offset(stride as isize * lo as isize);
                                let a = self.address(*value, lo);
                                kernel(
                                    hi - lo,
                                    to,
                                    a,
                                    std::ptr::without_provenance(stride as usize),
                                    a,
                                );
                            }
                            t += n as i64;
                        }
                    }
                    Root::Scatter {
                        kernel,
                        value,
                        offsets,
                    } => {
                        let mut q = vec![0; nest.reduced.len()];
                        for _ in 0..reduced {
                            self.place(nest.kept.len(), &q);
                            let mut t = inner.start;
                            while t < inner.end {
                                let n = (inner.end - t).min(nest.tile as i64) as usize;
                                let (lo, hi) = self.tile(t, n)?;
                                if lo < hi {
                                    let (a, b) =
                                        (self.address(*value, lo), self.address(*offsets, lo));
                                    kernel(hi - lo, self.current[nest.target as usize], a, b, a);
                                }
                                t += n as i64;
                            }
                            advance(&mut q, &nest.reduced, 0);
                        }
                    }
                    Root::Fold { .. } => {
                        let mut result = 0u64;
                        self.reduce(0..reduced, inner.clone(), (&raw mut result).cast())?;
                        self.rows[nest.target as usize]
                            .copy_from_nonoverlapping((&raw const result).cast(), size);
                    }
                    Root::Rows { .. } => {
                        let mut t = inner.start;
                        while t < inner.end {
                            let n = (inner.end - t).min(nest.tile as i64);
                            let accumulator = self.accumulator();
                            self.reduce(0..reduced, t..t + n, accumulator)?;
                            self.store(t, n as usize, accumulator);
                            t += n;
                        }
                    }
                }
            }
            advance(&mut at, &nest.kept, fixed.len());
        }
        Ok(())
    }
}

/// Where loops of these ranges are in round `k` of all, the last one fastest.
pub(crate) fn odometer(ranges: &[i64], mut k: i64) -> Vec<i64> {
    let mut at = vec![0; ranges.len()];
    for (at, range) in at.iter_mut().zip(ranges).rev() {
        *at = k % range;
        k /= range;
    }
    at
}

/// The next round; loops before `first` stay.
pub(crate) fn advance(at: &mut [i64], ranges: &[i64], first: usize) {
    for k in (first..at.len()).rev() {
        at[k] += 1;
        if at[k] < ranges[k] {
            return;
        }
        at[k] = 0;
    }
}
