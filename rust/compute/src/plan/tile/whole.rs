//! Rows that are one instruction each: several of them run without the machine's loop between them.

use std::ops::Range;

use super::code::{Code, Memory, Slot};
use super::identity::fill;
use super::machine::{Failed, Machine};
use super::root::Root;
use crate::kernel::fold::Rows;
use crate::kernel::Kernel;

/// Notes in a root that rows are one instruction each, if they are: without conditions, and in one tile or by one kernel of a reduction. Then its
/// operands are in memory, and the loop around the innermost one, the last of the `kept`, moves each by a fixed step.
pub(super) fn whole(
    root: &mut Root,
    codes: &[Code],
    memories: &[Memory],
    target: u32,
    kept: usize,
) {
    let last = kept.wrapping_sub(1);
    let step = |m: u32| memories[m as usize].step_of(last) as isize;
    let plain = |m: u32| {
        let m = &memories[m as usize];
        m.repeated.is_none() && m.panel.is_none() && !m.moved
    };
    match (root, codes) {
        (
            Root::Fold {
                a: Slot::Memory(a),
                b: Slot::Memory(b),
                whole,
                ..
            },
            [],
        ) => {
            let contiguous = |m: u32| {
                let m = &memories[m as usize];
                m.inner == m.size as i64
            };
            if [*a, *b].iter().all(|&m| plain(m) && contiguous(m)) {
                *whole = Some([*a, *b, target].map(step));
            }
        }
        (
            Root::Store {
                kernel: None,
                whole,
                ..
            },
            [Code::Map {
                to,
                args: [a, b, c],
                once: false,
                ..
            }],
        ) => {
            let steps = [to, a, b, c].map(|slot| match *slot {
                Slot::Memory(m) => plain(m).then(|| step(m)),
                Slot::Cell(_) | Slot::None => Some(0),
                Slot::Register(_) => None,
            });
            if let [Some(to), Some(a), Some(b), Some(c)] = steps {
                *whole = Some([to, a, b, c]);
            }
        }
        _ => {}
    }
}

impl Machine<'_> {
    /// How many of the `left` next points differ in the last kept loop only; one if that is among the first `fixed`.
    pub(super) fn rows_ahead(&self, fixed: usize, left: i64) -> i64 {
        match self.nest.kept.len() {
            kept if fixed < kept => left.min(self.nest.kept[kept - 1] - self.scratch.at[kept - 1]),
            _ => 1,
        }
    }

    /// The same for the instruction of a [`Root::Store`].
    pub(super) fn map_ahead(&self, fixed: usize, left: i64, steps: &[isize; 4]) -> i64 {
        let count = self.rows_ahead(fixed, left);
        match &self.nest.codes[..] {
            [Code::Map { args, .. }] if !self.fars.is_empty() => {
                let operands = args.iter().zip(&steps[1..]);
                let memories = operands.filter_map(|(slot, &step)| match slot {
                    Slot::Memory(m) => Some((*m, step)),
                    _ => None,
                });
                self.rows_near(&memories.collect::<Vec<_>>(), count)
            }
            _ => count,
        }
    }

    /// Runs the instruction of a [`Root::Store`] for whole rows: for `count` iterations of the last kept loop from the current one on.
    ///
    /// # Safety
    ///
    /// As [`points`](Machine::points), for these.
    pub(super) unsafe fn map_rows(
        &mut self,
        steps: [isize; 4],
        count: i64,
        inner: &Range<i64>,
    ) -> Result<(), Failed> {
        let nest = self.nest;
        self.move_rows();
        for (k, m) in nest.memories.iter().enumerate() {
            let skipped = m.inner as isize * inner.start as isize;
            self.scratch.current[k] = self.scratch.rows[k].wrapping_offset(skipped);
        }
        let n = (inner.end - inner.start) as usize;
        let [Code::Map {
            kernel, to, args, ..
        }] = &nest.codes[..]
        else {
            unreachable!("whole() found one instruction")
        };
        if !self.fars.is_empty() {
            for (slot, &step) in args.iter().zip(&steps[1..]) {
                if let Slot::Memory(m) = *slot {
                    let at = self.scratch.rows[m as usize].wrapping_offset(
                        nest.memories[m as usize].inner as isize * inner.start as isize,
                    );
                    let near = self.near(m as usize, at, n, (count as usize, step))?;
                    self.scratch.current[m as usize] = near;
                }
            }
        }
        let [a, b, c] = args.map(|slot| self.address(slot, 0));
        let to = self.address(*to, 0);
        for row in 0..count as isize {
            // SAFETY: the elements of these iterations, which the loops' ranges contain.
            unsafe {
                kernel(
                    n,
                    to.wrapping_offset(row * steps[0]),
                    a.wrapping_offset(row * steps[1]),
                    b.wrapping_offset(row * steps[2]),
                    c.wrapping_offset(row * steps[3]),
                );
            }
        }
        // Set by what no row undoes.
        match self.flag {
            0 => Ok(()),
            _ => Err(Failed),
        }
    }

    /// Reduces whole rows, for `count` iterations of the last kept loop from the current one on.
    ///
    /// # Safety
    ///
    /// As [`points`](Machine::points), for these; there are no reduced loops outside of the innermost, and no instructions.
    pub(super) unsafe fn fold_rows(
        &mut self,
        kernel: Kernel,
        operands: [u32; 2],
        steps: [isize; 3],
        count: i64,
        inner: &Range<i64>,
    ) -> Result<(), Failed> {
        let nest = self.nest;
        self.move_rows();
        let first = |m: u32| {
            let skipped = nest.memories[m as usize].inner as isize * inner.start as isize;
            self.scratch.rows[m as usize].wrapping_offset(skipped)
        };
        let [a, b] = operands.map(first);
        let n = (inner.end - inner.start) as usize;
        let a = self.near(operands[0] as usize, a, n, (count as usize, steps[0]))?;
        let b = match operands[0] == operands[1] {
            true => a,
            false => self.near(operands[1] as usize, b, n, (count as usize, steps[1]))?,
        };
        let to = self.scratch.rows[nest.target as usize];
        let mut identity = 0u64;
        let identity = (&raw mut identity).cast();
        // SAFETY: elements have at most 8 bytes.
        unsafe { fill(identity, 1, nest.dtype.width(), nest.identity) };
        let rows = Rows {
            count: count as usize,
            steps,
            identity,
        };
        // SAFETY: the operands and targets of these iterations, which the loops' ranges contain.
        unsafe {
            kernel(n, to, a, b, (&raw const rows).cast());
        }
        Ok(())
    }
}
