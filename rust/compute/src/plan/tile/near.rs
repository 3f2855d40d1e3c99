//! Memory operands that are read by parts: windows of them, which are near.

use super::code::Slot;
use super::machine::{Failed, Machine};
use super::nest::Nest;
use super::root::Root;
use super::scratch::Words;
use crate::far::{self, Fars};

/// The bytes of a window that is read ahead: they stay in the L2 cache from the copy to their use.
const WINDOW: usize = 128 << 10;
/// How many times as long as the one before the next window of a run in order is.
const GROWTH: usize = 8;
/// The bytes to which copies keep the alignment of addresses.
const LINE: usize = 64;
/// The most iterations of a nest for each element of such an operand: if each is read more often, one copy of all is faster.
const MOST: i64 = 2;

/// A part of an operand, copied.
#[derive(Default)]
pub(super) struct Window {
    copy: Words,
    /// The addresses of the bytes in it.
    first: usize,
    end: usize,
}

impl Window {
    /// The bytes that it occupies.
    pub fn bytes(&self) -> usize {
        self.copy.bytes()
    }

    /// Forgets what is in it: it may have changed.
    pub fn clear(&mut self) {
        (self.first, self.end) = (0, 0);
    }
}

impl Nest {
    /// Whether what it reads of far tensors can be read by parts, in about their order, and each a few times at most.
    pub fn reads_by_parts(&self, fars: Fars<'_>) -> bool {
        let outer = self.kept.iter().chain(&self.reduced);
        let iterations = outer.fold(self.inner, |all, &range| all.saturating_mul(range));
        let window = WINDOW as i64;
        self.memories.iter().enumerate().all(|(k, m)| {
            let Some(far) = far::of(fars, m.tensor) else {
                return true;
            };
            let elements = (far.bytes.len() / m.size) as i64;
            let tile = m.inner.saturating_mul(self.tile as i64).saturating_abs();
            let rows = match self.root {
                Root::Rows {
                    four: Some(_),
                    together: false,
                    a: Slot::Memory(a),
                    ..
                } if a as usize == k => {
                    let steps = m.outer.iter().map(|&(_, step)| step.saturating_abs());
                    steps.max().unwrap_or(0).saturating_mul(4)
                }
                _ => 0,
            };
            let plain = m.repeated.is_none() && m.panel.is_none() && !m.moved;
            plain
                && k != self.target as usize
                && tile.saturating_add(rows) <= window
                && m.inner.saturating_abs() <= 16 * m.size as i64
                && iterations <= elements.saturating_mul(MOST)
        })
    }
}

impl Machine<'_> {
    /// How many of `count` rows with these steps, in bytes, are to be run at once, so that the windows of far operands remain small.
    pub(super) fn rows_near(&self, operands: &[(u32, isize)], count: i64) -> i64 {
        let far = operands
            .iter()
            .filter(|&&(m, _)| self.is_far(m as usize))
            .map(|&(_, step)| WINDOW / step.unsigned_abs().clamp(1, WINDOW));
        far.min().map_or(count, |most| count.min(most as i64))
    }

    /// Whether an operand is read by parts.
    pub(super) fn is_far(&self, k: usize) -> bool {
        !self.fars.is_empty() && far::of(self.fars, self.nest.memories[k].tensor).is_some()
    }

    /// The address at which the elements of an operand can be read that are at `at`: those of `n` iterations of the innermost loop, and of so many
    /// rows with such a step. If it is far, they are in a window then, until the next call for this operand.
    pub(super) fn near(
        &mut self,
        k: usize,
        at: *mut u8,
        n: usize,
        (rows, step): (usize, isize),
    ) -> Result<*mut u8, Failed> {
        let m = &self.nest.memories[k];
        let fars = self.fars;
        if fars.is_empty() {
            return Ok(at);
        }
        let Some(far) = far::of(fars, m.tensor) else {
            return Ok(at);
        };
        let across = m.inner as i128 * (n.max(1) as i128 - 1);
        let down = step as i128 * (rows.max(1) as i128 - 1);
        let (start, last) = (far.bytes.start as i128, far.bytes.end as i128);
        // Conditions may exclude iterations that would be outside.
        let clamped = |bytes: i128| (at.addr() as i128 + bytes).clamp(start, last) as usize;
        let lowest = clamped(across.min(0) + down.min(0));
        let end = clamped(across.max(0) + down.max(0) + m.size as i128);
        let windows = &mut self.scratch.windows;
        if windows.len() <= k {
            windows.resize_with(k + 1, Default::default);
        }
        let window = &mut windows[k];
        if lowest < end && (lowest < window.first || end > window.end) {
            let in_order = (window.first..=window.end).contains(&lowest) && window.end > 0;
            let before = window.end - window.first;
            let mut length = end - lowest;
            if in_order {
                length = length.max((before * GROWTH).min(WINDOW));
                // To a common border, where units of work often begin.
                let border = (lowest + length - far.bytes.start) / WINDOW * WINDOW;
                if far.bytes.start + border >= end {
                    length = far.bytes.start + border - lowest;
                }
            }
            let until = lowest.saturating_add(length).min(far.bytes.end);
            let skipped = lowest % LINE;
            window.clear();
            window.copy.grow(skipped + (until - lowest));
            let copy = &mut window.copy.as_bytes()[skipped..][..until - lowest];
            if !(far.read)(lowest, copy) {
                return Err(Failed);
            }
            (window.first, window.end) = (lowest, until);
        }
        let copy = window.copy.ptr().wrapping_add(window.first % LINE);
        Ok(copy.wrapping_add(at.addr().wrapping_sub(window.first)))
    }
}
