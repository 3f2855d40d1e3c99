//! The rows of a target whose elements are accumulated some at a time, in memory that stays in the cache.

use super::tensor::Form;

/// The elements at a time, in whole rows.
pub(super) const WINDOW: i64 = 1 << 13;

/// The memory of a target, of which threads write distinct parts.
pub(super) struct Shared(pub *mut u8);

// SAFETY: threads write distinct parts.
unsafe impl Sync for Shared {}

impl Shared {
    /// The address of a byte.
    ///
    /// # Safety
    /// It is one of the target, or the end.
    pub unsafe fn at(&self, byte: usize) -> *mut u8 {
        // SAFETY: as the caller says.
        unsafe { self.0.add(byte) }
    }
}

/// Where the rows of a target are, one after the other.
pub(super) struct Rows<'f, 'a>(&'f Form<'a>);

impl<'f, 'a> Rows<'f, 'a> {
    /// Those of a target that has rows.
    pub fn new(form: &'f Form<'a>) -> Option<Rows<'f, 'a>> {
        match form {
            Form::Dense { shape, .. } => (!shape.is_empty()).then_some(Rows(form)),
            Form::Ragged(_) => Some(Rows(form)),
            _ => None,
        }
    }

    /// The position of the first element of a row, or the end.
    fn position(&self, row: i64) -> i64 {
        match self.0 {
            Form::Dense { shape, .. } => {
                let lengths = shape[1..].iter();
                let length = lengths.fold(1i64, |all, &length| all.saturating_mul(length));
                row.min(shape[0]).saturating_mul(length)
            }
            Form::Ragged(rows) => {
                let mut node = row.min(rows.shape[0]);
                for axis in 1..rows.shape.len() {
                    node = match &rows.splits[axis] {
                        Some(splits) => splits.get(node as usize).copied().unwrap_or(rows.count),
                        None => node.saturating_mul(rows.shape[axis]),
                    };
                }
                node.clamp(0, rows.count)
            }
            _ => 0,
        }
    }

    /// Some rows from one on, at least one: the next one, and the position and the number of their elements.
    pub fn window(&self, row: i64, end: i64) -> (i64, i64, usize) {
        let from = self.position(row);
        let (mut low, mut high) = (row + 1, end);
        // The most rows that have few elements.
        while low < high {
            let middle = high - (high - low) / 2;
            if self.position(middle) - from <= WINDOW {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        let count = (self.position(low) - from).max(0);
        (low, from, count as usize)
    }
}
