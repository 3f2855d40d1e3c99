//! Entries to read (coordinates and values), and output arrays to write.

use super::coordinates::Coordinates;

/// Coordinates and values: `n` of each, which can be read, and which others may write. Coordinates are aligned.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// The values.
    pub values: *const u8,
    /// How many bytes a value has.
    pub width: usize,
    /// How many there are.
    pub n: usize,
}

// SAFETY: numbers and addresses, of which any thread may have a copy. Dereferencing one takes an `unsafe` function, whose caller promises
// that any thread which it starts may read there.
unsafe impl Send for Entries {}
// SAFETY: as above; nothing changes behind a shared reference.
unsafe impl Sync for Entries {}

impl Entries {
    /// Whether an entry's coordinates are one position.
    pub(super) fn is_linear(&self) -> bool {
        matches!(self.coordinates, Coordinates::Linear(_))
    }

    /// The values alone.
    pub(super) fn values(&self) -> Values {
        Values {
            start: self.values,
            width: self.width,
            n: self.n,
        }
    }
}

/// Values alone: `n`, which can be read, and which others may write.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// The first one.
    pub start: *const u8,
    /// How many bytes a value has.
    pub width: usize,
    /// How many there are.
    pub n: usize,
}

/// Output arrays for up to `capacity` entries. Other threads may write to them as well.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Rows of as many coordinates as there are axes.
    pub indices: *mut i64,
    /// The values.
    pub values: *mut u8,
    /// How many entries the arrays can hold.
    pub capacity: usize,
}

// SAFETY: as for `Entries`. Each function that writes also demands that no two threads write the same entries at once.
unsafe impl Send for Output {}
// SAFETY: as above.
unsafe impl Sync for Output {}

impl Output {
    /// Closes the gaps between runs of entries, each given by its start and its length. Returns the number of entries.
    ///
    /// # Safety
    /// The runs are inside of the output, ascending, and do not overlap.
    pub(super) unsafe fn compact(
        &self,
        rank: usize,
        width: usize,
        runs: impl IntoIterator<Item = (usize, usize)>,
    ) -> usize {
        let mut total = 0;
        for (start, n) in runs {
            if start != total {
                // SAFETY: the caller's promise.
                unsafe {
                    let indices = self.indices.cast::<[u8; 8]>();
                    indices
                        .add(start * rank)
                        .copy_to(indices.add(total * rank), n * rank);
                    self.values
                        .add(start * width)
                        .copy_to(self.values.add(total * width), n * width);
                }
            }
            total += n;
        }
        total
    }
}
