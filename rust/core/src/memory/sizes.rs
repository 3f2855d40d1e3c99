//! Size classes of blocks: eight for each doubling, so that blocks can be reused for tensors of about their size.

use super::pages::Geometry;
use crate::Error;

/// A requested length, and the sizes that a block for it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// The length in bytes, at least 1.
    pub len: usize,
    /// The least size: whole pages.
    pub least: usize,
    /// The size of its class, which is preferred: at most an eighth, or a page, above the least.
    pub class: usize,
}

impl Geometry {
    /// The sizes for a block of `len` bytes.
    pub(super) fn request(&self, len: usize) -> Result<Request, Error> {
        if len == 0 {
            return Err(Error::EmptyBlock);
        }
        // A margin for all rounding up, here and of an arena for the block.
        if len > isize::MAX as usize - 4 * self.huge.max(len / 8) {
            return Err(Error::BlockTooLarge { asked: len as u128 });
        }
        let least = len.next_multiple_of(self.page);
        let step = ((1 << least.ilog2()) / 8).max(self.page);
        Ok(Request {
            len,
            least,
            class: least.next_multiple_of(step),
        })
    }

    /// Whether a block of that size has the addresses of whole huge pages.
    pub(super) fn is_large(&self, size: usize) -> bool {
        size >= self.spread
    }

    /// Whether huge pages are worth asking for.
    pub(super) fn is_huge(&self, size: usize) -> bool {
        size >= self.huge
    }

    /// The unit of the ranges of large blocks, or of others.
    pub(super) fn unit(&self, large: bool) -> usize {
        if large {
            self.huge
        } else {
            self.page
        }
    }

    /// The length of the address range of a block of that size.
    pub(super) fn range(&self, size: usize) -> usize {
        size.next_multiple_of(self.unit(self.is_large(size)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Heap, Pages};

    const KIB: usize = 1 << 10;
    const MIB: usize = 1 << 20;

    fn geometry() -> Geometry {
        Geometry {
            page: 4 * KIB,
            huge: 2 * MIB,
            spread: 2 * MIB,
            ..Heap::new().geometry()
        }
    }

    fn class(len: usize) -> usize {
        geometry().request(len).unwrap().class
    }

    #[test]
    fn there_are_eight_classes_for_each_doubling() {
        assert_eq!(class(1), 4 * KIB);
        assert_eq!(class(64 * KIB), 64 * KIB);
        assert_eq!(class(64 * KIB + 1), 72 * KIB);
        assert_eq!(class(127 * KIB), 128 * KIB);
        assert_eq!(class(2 * MIB + 1), 2 * MIB + 256 * KIB);
        let classes: std::collections::BTreeSet<_> = (MIB + 1..=2 * MIB)
            .step_by(if cfg!(miri) { 30_000 } else { 1000 })
            .map(class)
            .collect();
        assert_eq!(classes.len(), 8);
    }

    #[test]
    fn a_class_wastes_at_most_an_eighth_or_a_page() {
        for len in (1..10 * MIB).step_by(if cfg!(miri) { 777_777 } else { 7777 }) {
            let request = geometry().request(len).unwrap();
            assert!(
                len <= request.least
                    && request.least <= request.class
                    && request.least < len + 4 * KIB
            );
            assert!(request.class - request.least <= (request.least / 8).max(4 * KIB));
            assert_eq!(
                geometry().request(request.class).unwrap().class,
                request.class
            );
        }
    }

    #[test]
    fn large_blocks_take_whole_huge_pages_of_addresses() {
        assert_eq!(geometry().range(2 * MIB - 4 * KIB), 2 * MIB - 4 * KIB);
        assert_eq!(geometry().range(2 * MIB), 2 * MIB);
        assert_eq!(geometry().range(2 * MIB + 256 * KIB), 4 * MIB);
    }

    #[test]
    fn lengths_that_cannot_be_are_refused() {
        assert_eq!(geometry().request(0), Err(Error::EmptyBlock));
        for asked in [
            usize::MAX,
            isize::MAX as usize,
            isize::MAX as usize - 2 * MIB,
        ] {
            assert_eq!(
                geometry().request(asked),
                Err(Error::BlockTooLarge {
                    asked: asked as u128
                })
            );
        }
    }
}
