//! The tile VM: executes the instructions of a nest, tile by tile.

use super::code::Slot;
use super::nest::Nest;
use super::odometer::{advance, set};
use super::panel;
use super::root::Root;
use super::scratch::Scratch;
use crate::far::Fars;
use crate::kernel;
use crate::kernel::fold::LANES;
use crate::operand::DType;

/// A failure: an index out of bounds, or an integer division by zero. The reference evaluator makes the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failed;

/// The state of one thread that runs a nest.
pub(crate) struct Machine<'a> {
    pub(super) nest: &'a Nest,
    pub(super) tile_bytes: usize,
    pub(super) scratch: Scratch,
    pub(super) lanes: Lanes,
    pub(super) flag: u8,
    /// The tensors that are read by parts.
    pub(super) fars: Fars<'a>,
}

/// The accumulators of a reduction, of any type; aligned as vectors are.
#[repr(align(64))]
pub(super) struct Lanes(#[allow(dead_code, reason = "written by address")] [u64; LANES]);

impl Drop for Machine<'_> {
    fn drop(&mut self) {
        // Here, so that it happens after a failure, too: memory that it wrote may soon be another's.
        if self.nest.streams {
            kernel::stream::done();
        }
        std::mem::take(&mut self.scratch).give();
    }
}

impl<'a> Machine<'a> {
    /// A machine for a nest; `bases` are the addresses of position 0 of each tensor, and `numbers` the bits of inputs that are numbers. Tensors of
    /// `fars` are read by parts, as [`Nest::reads_by_parts`] says that they can be.
    pub fn new(
        nest: &'a Nest,
        bases: &[*mut u8],
        numbers: impl Fn(usize, DType) -> u64,
        fars: Fars<'a>,
    ) -> Machine<'a> {
        let tile_bytes = (nest.tile * nest.width).next_multiple_of(64) + 64;
        let mut scratch = Scratch::take();
        // Of the nest's operands alone: a program may have a thousand times as many tensors.
        scratch
            .bases
            .extend(nest.memories.iter().map(|m| bases[m.tensor]));
        let accumulators = usize::from(matches!(nest.root, Root::Rows { .. }));
        scratch
            .tiles
            .zeroed(tile_bytes * (nest.places + accumulators));
        scratch
            .cells
            .extend(nest.cells.iter().map(|cell| cell.bits(&numbers)));
        scratch.at.resize(nest.kept.len() + nest.reduced.len(), 0);
        scratch
            .rows
            .resize(nest.memories.len(), std::ptr::null_mut());
        scratch
            .current
            .resize(nest.memories.len(), std::ptr::null_mut());
        scratch
            .repeated
            .resize_with(nest.memories.len(), Default::default);
        for (copy, m) in scratch.repeated.iter_mut().zip(&nest.memories) {
            if m.repeated.is_some() {
                copy.zeroed(nest.tile * m.size);
            }
            if m.panel.is_some() {
                copy.grow(nest.tile * panel::COLUMN);
            }
        }
        scratch
            .panels
            .resize(nest.memories.len(), (std::ptr::null_mut(), 0, 0));
        Machine {
            nest,
            tile_bytes,
            scratch,
            lanes: Lanes([0; LANES]),
            flag: 0,
            fars,
        }
    }

    /// Moves every memory operand to the values of the outer loops.
    pub(super) fn move_rows(&mut self) {
        for (k, m) in self.nest.memories.iter().enumerate() {
            let mut offset = m.constant;
            for &(l, step) in &m.outer {
                offset = offset.wrapping_add(step.wrapping_mul(self.scratch.at[l]));
            }
            let row = self.scratch.bases[k].wrapping_offset(offset as isize);
            if let Some((round, stride)) = m.repeated {
                if row != self.scratch.rows[k] || self.scratch.rows[k].is_null() {
                    let copy = self.scratch.repeated[k].ptr();
                    let n = match self.nest.root {
                        Root::Rows { together: true, .. } => self.nest.tile,
                        _ => self.nest.tile.min(self.nest.inner as usize),
                    };
                    // SAFETY: the rounds' elements are those that the innermost loop reads, and the copy has a tile of elements.
                    unsafe { repeat(copy, n, row, round.min(n), stride as isize, m.size) };
                }
            }
            self.scratch.rows[k] = row;
        }
    }

    #[inline(always)]
    pub(super) fn address(&mut self, slot: Slot, lo: usize) -> *mut u8 {
        match slot {
            Slot::Register(r) => {
                let (place, step) = self.nest.registers[r as usize];
                self.scratch
                    .tiles
                    .ptr()
                    .wrapping_add(self.tile_bytes * place + lo * step)
            }
            Slot::Memory(m) => self.scratch.current[m as usize]
                .wrapping_add(lo * self.nest.memories[m as usize].step()),
            Slot::Cell(c) => self.scratch.cells[c as usize..].as_mut_ptr().cast(),
            Slot::None => &raw mut self.flag,
        }
    }

    fn accumulator(&mut self) -> *mut u8 {
        let places = self.nest.places;
        self.scratch
            .tiles
            .ptr()
            .wrapping_add(self.tile_bytes * places)
    }

    /// Moves position 0 of a tensor to another address.
    pub fn place(&mut self, tensor: usize, base: *mut u8) {
        for (to, m) in self.scratch.bases.iter_mut().zip(&self.nest.memories) {
            if m.tensor == tensor {
                *to = base;
            }
        }
    }

    /// Sets the first kept loops, which [`points`](Machine::points) leaves as they are.
    pub fn fix(&mut self, fixed: &[i64]) {
        for (at, value) in self.scratch.at.iter_mut().zip(fixed) {
            *at = *value;
        }
        if self.nest.memories.iter().any(|m| m.repeated.is_some()) {
            // What they repeat may have changed.
            self.scratch.rows.fill(std::ptr::null_mut());
        }
    }

    /// Runs the iterations `points` of the kept outer loops after the first `fixed`, each for `inner` of the innermost, with all of their
    /// reduced iterations.
    ///
    /// # Safety
    ///
    /// As [`tile`](Machine::tile); no other thread runs the same points.
    pub unsafe fn points(
        &mut self,
        points: std::ops::Range<i64>,
        inner: std::ops::Range<i64>,
        fixed: usize,
    ) -> Result<(), Failed> {
        let nest = self.nest;
        let reduced: i64 = nest.reduced.iter().product();
        let kept = nest.kept.len();
        set(
            &mut self.scratch.at[fixed..kept],
            &nest.kept[fixed..],
            points.start,
        );
        let size = nest.dtype.width();
        let mut left = points.end - points.start;
        while left > 0 {
            let mut done = 1;
            // SAFETY: as the caller says, for all of this.
            unsafe {
                match &nest.root {
                    Root::Store {
                        whole: Some(steps), ..
                    } => {
                        done = self.map_ahead(fixed, left, steps);
                        self.map_rows(*steps, done, &inner)?;
                    }
                    Root::Store { kernel, value, .. } => {
                        self.move_rows();
                        let mut t = inner.start;
                        while t < inner.end {
                            let n = (inner.end - t).min(nest.tile as i64) as usize;
                            let (lo, hi) = self.tile(t, n)?;
                            if let (Some(kernel), true) = (kernel, lo < hi) {
                                let stride = nest.memories[nest.target as usize].inner;
                                let to = self.scratch.current[nest.target as usize]
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
                        self.scratch.at[kept..].fill(0);
                        for _ in 0..reduced {
                            self.move_rows();
                            let mut t = inner.start;
                            while t < inner.end {
                                let n = (inner.end - t).min(nest.tile as i64) as usize;
                                let (lo, hi) = self.tile(t, n)?;
                                if lo < hi {
                                    let (a, b) =
                                        (self.address(*value, lo), self.address(*offsets, lo));
                                    kernel(
                                        hi - lo,
                                        self.scratch.current[nest.target as usize],
                                        a,
                                        b,
                                        a,
                                    );
                                }
                                t += n as i64;
                            }
                            advance(&mut self.scratch.at[kept..], &nest.reduced);
                        }
                    }
                    Root::Fold {
                        kernels,
                        a: Slot::Memory(a),
                        b: Slot::Memory(b),
                        whole: Some(steps),
                    } => {
                        done = self.rows_ahead(fixed, left);
                        done = self.rows_near(&[(*a, steps[0]), (*b, steps[1])], done);
                        self.fold_rows(kernels.rows, [*a, *b], *steps, done, &inner)?;
                    }
                    Root::Fold { .. } => {
                        let mut result = 0u64;
                        self.reduce(0..reduced, inner.clone(), (&raw mut result).cast())?;
                        let (to, from) = (
                            self.scratch.rows[nest.target as usize],
                            (&raw const result).cast::<u8>(),
                        );
                        // Of a size that is known, a copy takes an instruction, and no call.
                        match size {
                            4 => to.copy_from_nonoverlapping(from, 4),
                            8 => to.copy_from_nonoverlapping(from, 8),
                            _ => to.copy_from_nonoverlapping(from, size),
                        }
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
            left -= done;
            if done > 1 {
                self.scratch.at[kept - 1] += done - 1;
            }
            advance(&mut self.scratch.at[fixed..kept], &nest.kept[fixed..]);
        }
        Ok(())
    }
}

/// Copies `round` elements of `size` bytes, a stride apart, again and again until there are `n`, at least as many.
///
/// # Safety
///
/// The elements are there, and the copy has capacity for `n`, and does not overlap them.
unsafe fn repeat(
    copy: *mut u8,
    n: usize,
    from: *const u8,
    round: usize,
    stride: isize,
    size: usize,
) {
    // SAFETY: as the caller says; what is copied from the copy itself lies before what is written.
    unsafe {
        if stride == size as isize {
            copy.copy_from_nonoverlapping(from, round * size);
        } else {
            for e in 0..round {
                let element = from.wrapping_offset(e as isize * stride);
                copy.add(e * size).copy_from_nonoverlapping(element, size);
            }
        }
        let mut done = round;
        while done < n {
            let more = done.min(n - done);
            copy.add(done * size)
                .copy_from_nonoverlapping(copy, more * size);
            done += more;
        }
    }
}
