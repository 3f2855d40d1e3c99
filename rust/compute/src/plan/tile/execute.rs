//! The instructions of a nest, executed for one tile.

use super::code::{Code, Inside};
use super::machine::{Failed, Machine};

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

impl Machine<'_> {
    /// Executes the instructions for n elements from `tile` on; returns the range of those for which the conditions hold.
    ///
    /// # Safety
    ///
    /// The loops are within their ranges, and the tensors' memory is as the plan requires.
    pub(super) unsafe fn tile(&mut self, tile: i64, n: usize) -> Result<(usize, usize), Failed> {
        let nest = self.nest;
        let (mut lo, mut hi) = (0, n);
        if !nest.conditions.is_empty() {
            (lo, hi) = part(&nest.conditions, &self.scratch.at, tile, 0, n);
            if lo == hi {
                return Ok((lo, hi));
            }
        }
        for (k, m) in nest.memories.iter().enumerate() {
            self.scratch.current[k] = if m.repeated.is_some() {
                self.scratch.repeated[k].ptr()
            } else if let Some(stride) = m.panel {
                // SAFETY: as the caller says.
                unsafe { self.panel(k, stride, tile, n)? }
            } else {
                self.scratch.rows[k].wrapping_offset(m.inner as isize * tile as isize)
            };
        }
        if !self.fars.is_empty() {
            for k in 0..nest.memories.len() {
                self.scratch.current[k] = self.near(k, self.scratch.current[k], n, (1, 0))?;
            }
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
                    ..
                } => {
                    let to = self.address(*to, lo);
                    let [a, b, c] = args.map(|slot| self.address(slot, lo));
                    // SAFETY: registers hold a tile; the construction of the nest ensures that memory operands are within their tensors.
                    unsafe { kernel(if *once { 1 } else { n }, to, a, b, c) };
                    if self.flag != 0 {
                        return Err(Failed);
                    }
                }
                Code::Pack { kernel, to, from } => {
                    let stride = self.nest.memories[*from as usize].inner;
                    let a = self.scratch.current[*from as usize]
                        .wrapping_offset(stride as isize * lo as isize);
                    let to = self.address(*to, lo);
                    // SAFETY: as above.
                    unsafe { kernel(n, to, a, std::ptr::without_provenance(stride as usize), a) };
                }
                Code::Iota { to, line, once } => {
                    let first = line.at(&self.scratch.at, tile.wrapping_add(lo as i64));
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
                    let start = line.at(&self.scratch.at, tile.wrapping_add(lo as i64));
                    let (to, look) = (
                        self.address(*to, lo).cast::<i64>(),
                        self.address(*look, lo).cast::<i64>(),
                    );
                    for k in 0..if *once { 1 } else { n } {
                        let affine = start.wrapping_add(line.inner.wrapping_mul(k as i64));
                        // SAFETY: registers hold a tile. A look-up may be in memory that changes: it is loaded once, and the loaded value is checked.
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
                    let first = line.at(&self.scratch.at, tile.wrapping_add(lo as i64));
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
                    let (a, offsets) = (
                        self.scratch.current[*from as usize],
                        self.address(*offsets, lo),
                    );
                    let to = self.address(*to, lo);
                    // SAFETY: every offset was computed from checked indices.
                    unsafe { kernel(n, to, a, offsets, a) };
                }
                Code::Rebase { memory, offset } => {
                    // SAFETY: a register.
                    let offset = unsafe { self.address(*offset, lo).cast::<i64>().read() };
                    let m = *memory as usize;
                    let inner = self.nest.memories[m].inner as isize * tile as isize;
                    self.scratch.current[m] = self.scratch.rows[m]
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
                    let (from, until) = part(conditions, &self.scratch.at, tile, lo, hi);
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
}
