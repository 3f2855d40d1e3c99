//! A side of a bulk operation, with the number of used elements, and access to them.
//!
//! Elements that are read several times or by several threads are staged: those of an array are copied first. Elements that are read once are pinned
//! part by part, so that the collector never waits for long.

use std::ops::Range;
use std::ptr::NonNull;

use tensornio_core::copy::overlap;
use tensornio_core::layout::Strided;
use tensornio_core::memory::{Scratch, System};

use crate::env::Env;
use crate::guard::Failure;
use crate::memory::memory;
use crate::operand::{Elements, Given, Operand, Place};
use crate::selection::{Selection, StridedCopy, MOST_PINNED};

/// A side and the number of its used elements, at most all: the fields are private to ensure this.
pub(crate) struct Side<'a> {
    operand: Operand<'a>,
    /// The number of used elements, from the first on.
    len: usize,
}

/// The used elements of a side, at an address that stays valid: those of a direct buffer themselves, or a copy.
pub(crate) struct Staged {
    start: NonNull<u8>,
    width: usize,
    _copy: Option<Scratch<'static, System>>,
}

impl Staged {
    /// The first element.
    pub fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// The bytes of an element.
    pub fn width(&self) -> usize {
        self.width
    }
}

impl<'a> Side<'a> {
    /// A side with `n` used rows of `per_row` elements.
    pub fn new(
        env: Env<'a>,
        given: Given<'a>,
        element_bytes: i32,
        n: usize,
        per_row: usize,
    ) -> Result<Side<'a>, Failure> {
        let operand = Operand::new(env, given, element_bytes)?;
        match n.checked_mul(per_row) {
            Some(len) if len <= operand.len() => Ok(Side { operand, len }),
            _ => Err(Failure::illegal_argument(format!(
                "{} has {} elements; {n} times {per_row} are needed",
                operand.name(),
                operand.len()
            ))),
        }
    }

    /// Sets the number of used elements, from the first on.
    ///
    /// # Panics
    /// If it has fewer.
    pub fn set_len(&mut self, len: usize) {
        assert!(len <= self.operand.len(), "more elements than there are");
        self.len = len;
    }

    /// The number of used elements, from the first on.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of elements, used or not.
    pub fn capacity(&self) -> usize {
        self.operand.len()
    }

    /// The bytes of an element.
    pub fn width(&self) -> usize {
        self.operand.width()
    }

    /// The location of the elements.
    pub fn place(&self) -> Place<'a> {
        self.operand.place()
    }

    /// Whether it is an array, which is pinned while it is read.
    pub fn is_array(&self) -> bool {
        matches!(self.place(), Place::Array(_))
    }

    /// The used bytes.
    fn bytes(&self) -> usize {
        self.len * self.width()
    }

    /// The address of a side that is written. Several threads write it, for which arrays cannot be pinned.
    pub fn direct(&self) -> Result<NonNull<u8>, Failure> {
        match self.place() {
            Place::Direct(start) => Ok(start),
            Place::Array(_) => Err(Failure::illegal_argument(format!(
                "{} is an array, not a direct buffer",
                self.operand.name()
            ))),
        }
    }

    /// The range of used addresses; empty for an array.
    fn addresses(&self) -> Range<usize> {
        match self.place() {
            Place::Direct(start) => start.addr().get()..start.addr().get() + self.bytes(),
            Place::Array(_) => 0..0,
        }
    }

    /// The elements themselves, if they are in an aligned direct buffer, else a copy.
    pub fn stage(&self, env: Env<'a>) -> Result<Staged, Failure> {
        let width = self.width();
        let start = match self.place() {
            _ if self.len == 0 => NonNull::<u64>::dangling().cast(),
            Place::Direct(start) if start.addr().get() % width == 0 => start,
            _ => {
                let staged = self.stage_empty()?;
                // SAFETY: its capacity is that of the elements that are used.
                unsafe { self.copy_out(env, staged.start)? };
                return Ok(staged);
            }
        };
        Ok(Staged {
            start,
            width,
            _copy: None,
        })
    }

    /// A staging buffer for a copy.
    pub fn stage_empty(&self) -> Result<Staged, Failure> {
        let scratch = memory().scratch(self.bytes())?;
        Ok(Staged {
            start: scratch.start(),
            width: self.width(),
            _copy: Some(scratch),
        })
    }

    /// Copies the used elements to the first ones of another side, a direct buffer with as many used elements of the same width.
    pub fn copy_to(&self, env: Env<'_>, to: &Side<'_>) -> Result<(), Failure> {
        assert_eq!(
            (self.len, self.width()),
            (to.len, to.width()),
            "sides of different length or width"
        );
        // SAFETY: the other side was checked to have as many elements as it uses: these are as many, and as wide.
        unsafe { self.copy_out(env, to.direct()?) }
    }

    /// Copies the used elements to native memory.
    ///
    /// # Safety
    /// The memory has the capacity for them, and stays valid during the call.
    unsafe fn copy_out(&self, env: Env<'_>, to: NonNull<u8>) -> Result<(), Failure> {
        let layout = Strided::row_major([self.len as i64])?;
        let at = |place| Selection {
            place,
            layout: layout.as_slices(),
        };
        let copy = StridedCopy {
            width: self.width(),
            from: at(self.place()),
            to: at(Place::Direct(to)),
        };
        // SAFETY: a side has the elements that are used; the caller's promise.
        unsafe { copy.run(env) }.unwrap_or_else(|| Err(self.operand.not_pinned()))
    }

    /// The parts to work on: the whole of a buffer, or those of an array that may be pinned at a time.
    pub fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        let len = self.len;
        let step = match self.place() {
            Place::Direct(_) => len.max(1),
            Place::Array(_) => MOST_PINNED as usize / self.width(),
        };
        (0..len)
            .step_by(step)
            .map(move |start| start..len.min(start + step))
    }

    /// Reads a part, an array being pinned.
    ///
    /// # Safety
    /// The part is one of the side's. The work does not write to it, makes no JNI call, does not log, and does not wait for
    /// threads that may wait for the collector: so it starts none, and shares no lock but with threads that hold it for a moment and are native.
    pub unsafe fn pinned<T>(
        &self,
        env: Env<'a>,
        part: &Range<usize>,
        work: impl FnOnce(*mut u8) -> T,
    ) -> Result<T, Failure> {
        // SAFETY: what is opened is dropped at the end of this call; what the work does until then, the caller has promised.
        let elements = unsafe { Elements::open(env, self.place()) };
        let elements = elements.ok_or_else(|| self.operand.not_pinned())?;
        // SAFETY: there is such an element.
        Ok(work(unsafe {
            elements.at(part.start as i64, self.width())
        }))
    }
}

/// Checks that written sides overlap no other side.
pub(crate) fn check_disjoint(written: &[&Side<'_>], read: &[&Side<'_>]) -> Result<(), Failure> {
    for (at, one) in written.iter().enumerate() {
        for other in written[at + 1..].iter().chain(read) {
            if overlap(&one.addresses(), &other.addresses()) {
                return Err(Failure::illegal_argument(format!(
                    "{} overlaps {}",
                    one.operand.name(),
                    other.operand.name()
                )));
            }
        }
    }
    Ok(())
}
