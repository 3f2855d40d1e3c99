//! The reserved address space, in arenas, and its free ranges.
//!
//! Invariants:
//!
//! 1. Every free range lies in one arena; ranges of two are never joined.
//! 2. Ranges of large blocks consist of whole huge pages; large blocks have arenas of their own.

use std::collections::BTreeMap;
use std::ptr::NonNull;

use super::pages::Geometry;
use super::ranges::Ranges;

#[derive(Debug)]
struct Arena {
    base: NonNull<u8>,
    len: usize,
}

// SAFETY: only identifies addresses; it gives no right to access them.
unsafe impl Send for Arena {}

/// The arenas, and their free ranges.
#[derive(Debug)]
pub(super) struct Addresses {
    geometry: Geometry,
    /// Free ranges for small blocks, and for large ones.
    free: [Ranges; 2],
    reserved: [usize; 2],
    arenas: BTreeMap<usize, Arena>,
}

impl Addresses {
    pub fn new(geometry: &Geometry) -> Addresses {
        Addresses {
            geometry: *geometry,
            free: Default::default(),
            reserved: [0; 2],
            arenas: BTreeMap::new(),
        }
    }

    /// The bytes of reserved address space.
    pub fn reserved(&self) -> usize {
        self.reserved[0] + self.reserved[1]
    }

    /// Takes a free range for a block of that size.
    pub fn take(&mut self, size: usize) -> Option<NonNull<u8>> {
        let large = self.geometry.is_large(size);
        let start = self.free[usize::from(large)].take(self.geometry.range(size))?;
        let arena = self
            .arenas
            .range(..=start)
            .next_back()
            .map(|(_, arena)| arena);
        let arena = arena.filter(|arena| start - arena.base.addr().get() < arena.len);
        let arena = arena.expect("invariant 2: free ranges lie in arenas");
        // SAFETY: the start is inside of the arena, as was just checked.
        Some(unsafe { arena.base.add(start - arena.base.addr().get()) })
    }

    /// Makes the range of a block of that size free.
    pub fn give(&mut self, start: NonNull<u8>, size: usize) {
        let large = self.geometry.is_large(size);
        self.free[usize::from(large)].give(start.addr().get(), self.geometry.range(size));
    }

    /// The preferred and the minimum length of an arena for a block of that size. The preferred length doubles with
    /// each arena, so that there are few.
    pub fn arena_for(&self, size: usize) -> (usize, usize) {
        let large = self.geometry.is_large(size);
        // An additional unit: see `add_arena`.
        let least = self.geometry.range(size) + self.geometry.unit(large);
        let (first, most) = self.geometry.arena;
        let wished = self.reserved[usize::from(large)]
            .clamp(first, most)
            .next_multiple_of(self.geometry.huge);
        (wished.max(least), least)
    }

    /// Adds an arena for small or large blocks, as that size is. Its last unit stays unused, so that ranges of two
    /// arenas are never adjacent and never joined: a block lies in one arena, from whose pointer its own is derived.
    pub fn add_arena(&mut self, size: usize, base: NonNull<u8>, len: usize) {
        let large = self.geometry.is_large(size);
        let start = base.addr().get();
        self.reserved[usize::from(large)] += len;
        self.arenas.insert(start, Arena { base, len });
        let unit = self.geometry.unit(large);
        self.free[usize::from(large)].give(start, (len - unit) / unit * unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pages::Pages;
    use crate::memory::Heap;

    /// Takes blocks of one size, from adjacent arenas, until there are no more; returns the offset of each in the memory of all arenas.
    fn take_all(size: usize, arenas: usize, len: usize) -> Vec<usize> {
        let mut addresses = Addresses::new(&Heap::new().geometry());
        let mut memory = vec![0u8; arenas * len];
        let all = NonNull::new(memory.as_mut_ptr()).unwrap();
        for arena in 0..arenas {
            // SAFETY: inside of the memory.
            addresses.add_arena(size, unsafe { all.add(arena * len) }, len);
        }
        let blocks = std::iter::from_fn(|| addresses.take(size));
        blocks
            .map(|start| start.addr().get() - all.addr().get())
            .collect()
    }

    #[test]
    fn all_of_an_arena_is_handed_out_but_its_last_unit() {
        let pages: Vec<usize> = (0..7).map(|page| page * 64).collect();
        assert_eq!(take_all(64, 1, 8 * 64), pages);
        let huge: Vec<usize> = (0..3).map(|page| page << 10).collect();
        assert_eq!(take_all(512, 1, 4 << 10), huge);
        // The rest, less than a unit, is unused.
        assert_eq!(take_all(64, 1, 8 * 64 + 63), pages);
    }

    #[test]
    fn no_block_lies_in_two_arenas_that_touch() {
        assert_eq!(take_all(3 * 64, 2, 6 * 64), [0, 6 * 64]);
        assert_eq!(take_all(2 << 10, 2, 4 << 10), [0, 4 << 10]);
    }

    #[test]
    fn an_arena_fits_the_block_that_it_is_for() {
        let addresses = Addresses::new(&Heap::new().geometry());
        for size in [64, 448, 512, 1 << 10, 40 << 10] {
            let (wished, least) = addresses.arena_for(size);
            assert!(wished >= least, "{size}");
            assert_eq!(take_all(size, 1, least), [0]);
            assert!(take_all(size, 1, least - 1).is_empty(), "{size}");
        }
    }
}
