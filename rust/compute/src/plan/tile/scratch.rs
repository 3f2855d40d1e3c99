//! The memory of machines, which is kept for reuse: for few elements allocating it would take longer than the run.

use std::sync::Mutex;

use super::near::Window;

/// The maximum bytes kept of one machine.
const MOST: usize = 256 << 10;
/// The maximum number of machines whose memory is kept.
const MACHINES: usize = 16;

/// Not a thread-local: one with a destructor would keep the library from being unloaded as long as the thread lives.
static KEPT: Mutex<Vec<Scratch>> = Mutex::new(Vec::new());

/// Memory that begins at a cache line, so that vectors do not straddle two of them, and shares none with memory that another thread writes, nor one
/// that the processor loads with it.
#[derive(Default)]
pub(crate) struct Words(Vec<Lines>);

/// Two cache lines.
#[derive(Clone, Copy)]
#[repr(align(128))]
struct Lines(#[allow(dead_code, reason = "written by address")] [u64; 16]);

const LINES: usize = size_of::<Lines>();

impl Words {
    /// Resizes it to so many bytes, all zero: padding and lanes are read before they are written.
    pub fn zeroed(&mut self, bytes: usize) {
        self.0.clear();
        self.0.resize(bytes.div_ceil(LINES), Lines([0; 16]));
    }

    /// Grows it to at least so many bytes; new ones are zero.
    pub fn grow(&mut self, bytes: usize) {
        let lines = bytes.div_ceil(LINES);
        if self.0.len() < lines {
            self.0.resize(lines, Lines([0; 16]));
        }
    }

    /// The first byte.
    pub fn ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// All bytes.
    pub fn as_bytes(&mut self) -> &mut [u8] {
        // SAFETY: lines are of bytes that are initialised, and have no padding.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(), self.0.len() * LINES) }
    }

    /// The bytes that it occupies.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * LINES
    }
}

/// The memory of a machine. When it is taken, vectors are empty, but `repeated` and `levels` have old contents.
#[derive(Default)]
pub(super) struct Scratch {
    /// The tiles of registers, then the accumulator.
    pub tiles: Words,
    /// The address of position 0 of each memory operand's tensor.
    pub bases: Vec<*mut u8>,
    /// Constants.
    pub cells: Vec<u64>,
    /// The values of the outer loops.
    pub at: Vec<i64>,
    /// The address of each memory operand at the current outer loops.
    pub rows: Vec<*mut u8>,
    /// The address of each memory operand at the start of the tile.
    pub current: Vec<*mut u8>,
    /// Copies of repeated operands, and panels.
    pub repeated: Vec<Words>,
    /// What each panel has a copy of: the address of the first element, the rows, and the elements of a row; null if of nothing.
    pub panels: Vec<(*mut u8, i64, usize)>,
    /// Partial sums, each of at least a tile.
    pub levels: Vec<Words>,
    /// Windows of memory operands that are read by parts; empty if none is.
    pub windows: Vec<Window>,
}

impl Scratch {
    /// The memory kept last, if there is any and the lock is free, else new memory.
    pub fn take() -> Scratch {
        let kept = KEPT.try_lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default()
    }

    /// Keeps the memory for another machine.
    pub fn give(mut self) {
        let words = self.repeated.iter().chain(&self.levels);
        if self.tiles.bytes() + words.map(Words::bytes).sum::<usize>() > MOST {
            return;
        }
        if self.windows.iter().map(Window::bytes).sum::<usize>() > MOST {
            self.windows.clear();
        }
        self.windows.iter_mut().for_each(Window::clear);
        self.bases.clear();
        self.cells.clear();
        self.at.clear();
        self.rows.clear();
        self.current.clear();
        self.panels.clear();
        if let Ok(mut kept) = KEPT.try_lock() {
            if kept.len() < MACHINES {
                kept.push(self);
            }
        }
    }
}

// SAFETY: it changes threads only while it is kept, when its lists of addresses are empty.
unsafe impl Send for Scratch {}

/// Frees the kept memory of machines, before the library is unloaded.
pub fn free_scratch() {
    let mut kept = KEPT
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    *kept = Vec::new();
}
