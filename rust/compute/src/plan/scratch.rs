//! Memory that a machine works in. Each thread keeps that of its last machine for the next one: a run of few elements would take longer to allocate
//! it than to compute.

use std::cell::Cell;

/// More bytes than this are not kept.
const MOST: usize = 256 << 10;

thread_local! {
    static KEPT: Cell<Option<Scratch>> = const { Cell::new(None) };
}

/// Memory in words of 8 bytes, so that every element is aligned.
#[derive(Default)]
pub(super) struct Words(Vec<u64>);

impl Words {
    /// Makes it of so many bytes, which are 0: padding and lanes are read before they are written.
    pub fn zeroed(&mut self, bytes: usize) {
        self.0.clear();
        self.0.resize(bytes.div_ceil(8), 0);
    }

    /// Makes it of so many bytes at least; those that are new are 0.
    pub fn grow(&mut self, bytes: usize) {
        let words = bytes.div_ceil(8);
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }

    /// The first byte.
    pub fn ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * 8
    }
}

/// What a machine has in memory. Empty at first, but for capacities and for the bytes of `repeated` and `levels`, which are old.
#[derive(Default)]
pub(super) struct Scratch {
    /// Tiles of registers, then one for the accumulator.
    pub tiles: Words,
    /// Constants.
    pub cells: Vec<u64>,
    /// Where the loops outside of the innermost are.
    pub at: Vec<i64>,
    /// Each memory operand where those loops are.
    pub rows: Vec<*mut u8>,
    /// Each memory operand where the tile begins.
    pub current: Vec<*mut u8>,
    /// Copies of operands that are repeated.
    pub repeated: Vec<Words>,
    /// Partial sums: each is of a tile at least.
    pub levels: Vec<Words>,
}

impl Scratch {
    /// That of this thread's last machine, if no other machine of the thread has it.
    pub fn take() -> Scratch {
        KEPT.take().unwrap_or_default()
    }

    /// Keeps it for the thread's next machine.
    pub fn give(mut self) {
        let words = self.repeated.iter().chain(&self.levels);
        if self.tiles.bytes() + words.map(Words::bytes).sum::<usize>() > MOST {
            return;
        }
        self.cells.clear();
        self.at.clear();
        self.rows.clear();
        self.current.clear();
        // A thread that ends keeps nothing.
        let _ = KEPT.try_with(|kept| kept.set(Some(self)));
    }
}
