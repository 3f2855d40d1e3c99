//! Where entries are that are read, and where there is room for others.

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

// SAFETY: numbers and addresses, of which any thread may have a copy. To follow one takes a function that is `unsafe`, whose caller promises that
// what is there may be read by whatever threads it starts.
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

/// Where `n` entries can be written; others may write there as well.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Rows of as many coordinates as there are axes.
    pub indices: *mut i64,
    /// The values.
    pub values: *mut u8,
    /// How many there is room for.
    pub n: usize,
}

// SAFETY: as for `Entries`. That no two threads write the same entries at once, is a promise to each function that writes as well.
unsafe impl Send for Room {}
// SAFETY: as above.
unsafe impl Sync for Room {}

impl Room {
    /// Moves runs of entries together, each given by its start and its length; gives how many entries there are.
    ///
    /// # Safety
    /// The runs are in the room, in order and apart.
    pub(super) unsafe fn close_up(
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
