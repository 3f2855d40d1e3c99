//! Entries to read (coordinates and values), and output arrays to write.

use super::coordinates::Coordinates;

/// Coordinates and values: `n` of each, valid for reads; other threads may write them. Coordinates are aligned.
#[derive(Clone, Copy, Debug)]
pub struct Entries {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// The values.
    pub values: *const u8,
    /// The bytes of a value.
    pub width: usize,
    /// The number of entries.
    pub n: usize,
}

// SAFETY: numbers and addresses, which any thread may copy. Dereferencing one takes an `unsafe` function, whose caller
// promises that all threads that it starts may read there.
unsafe impl Send for Entries {}
// SAFETY: as above; nothing changes behind a shared reference.
unsafe impl Sync for Entries {}

impl Entries {
    /// Whether an entry's coordinates are a linear index.
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

/// Values: `n`, valid for reads; other threads may write them.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    /// The first value.
    pub start: *const u8,
    /// The bytes of a value.
    pub width: usize,
    /// The number of entries.
    pub n: usize,
}

/// Output arrays for up to `capacity` entries. Other threads may write to them, too.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// Rows of as many coordinates as there are axes.
    pub indices: *mut i64,
    /// The values.
    pub values: *mut u8,
    /// The capacity in entries.
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
