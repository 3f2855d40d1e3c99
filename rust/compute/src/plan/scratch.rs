//! Memory that a machine works in. That of machines that are done is kept for the next ones: a run of few elements would take longer to allocate it
//! than to compute.

use std::sync::Mutex;

/// More bytes than this are not kept of one machine.
const MOST: usize = 256 << 10;
/// Of so many machines it is kept.
const MACHINES: usize = 16;

/// Not a thread-local: one with a destructor would keep the library from being unloaded as long as the thread lives.
static KEPT: Mutex<Vec<Scratch>> = Mutex::new(Vec::new());

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
    /// That of the machine that was done last, if there is one and no other thread is asking, too.
    pub fn take() -> Scratch {
        let kept = KEPT.try_lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    /// Keeps it for another machine.
    pub fn give(mut self) {
        let words = self.repeated.iter().chain(&self.levels);
        if self.tiles.bytes() + words.map(Words::bytes).sum::<usize>() > MOST {
            return;
        }
        self.cells.clear();
        self.at.clear();
        self.rows.clear();
        self.current.clear();
        if let Ok(mut kept) = KEPT.try_lock() {
            if kept.len() < MACHINES {
                kept.push(self);
            }
        }
    }
}

// SAFETY: while it is kept, which is when it changes threads, its lists of addresses are empty.
unsafe impl Send for Scratch {}

/// Frees the memory that is kept for machines: before the library is unloaded.
pub fn free_scratch() {
    let mut kept = KEPT
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    *kept = Vec::new();
}
