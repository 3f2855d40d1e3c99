//! The lanes of an array along an axis, which algorithms take one after the other, and the units of work that threads share.

use std::sync::{Mutex, PoisonError};

use tensornio_compute::{threads, Error};
use tensornio_core::dtype::Typed;
#[cfg(any(feature = "linear", feature = "fourier"))]
use tensornio_core::stack::{self, NoStack};

use crate::operands::{list, malformed, Source, Target};

/// The least number of elements that several threads share.
const LEAST_SHARED: usize = 1 << 15;
/// The elements of a unit of work, about.
const UNIT: usize = 1 << 12;
/// How many lanes that are not contiguous are read side by side: as many as a cache line has elements of 4 bytes.
const SIDE_BY_SIDE: usize = 16;

/// Does units of work, on several threads if there are many elements. All units are done; the error is that of the first unit that has one.
pub(crate) fn units(
    count: usize,
    elements: usize,
    work: &(dyn Fn(usize) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    if elements < LEAST_SHARED || count < 2 {
        return (0..count).try_for_each(work);
    }
    let first: Mutex<Option<(u64, Error)>> = Mutex::new(None);
    threads::while_true(count as u64, &|unit| {
        if let Err(error) = work(unit as usize) {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|(before, _)| unit < *before) {
                *first = Some((unit, error));
            }
        }
        true
    });
    match first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// The stack that the crates of decompositions and transforms are given; without optimisation frames are several times as large.
#[cfg(any(feature = "linear", feature = "fourier"))]
const STACK: usize = if cfg!(debug_assertions) {
    1 << 20
} else {
    256 << 10
};

/// Does work of those crates, whose recursions do not ask how much stack is left, on a stack that is long enough.
///
/// # Errors
/// Those of the work; of kind stack overflow if there is no such stack.
#[cfg(any(feature = "linear", feature = "fourier"))]
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    stack::with(STACK, work).unwrap_or_else(|NoStack(bytes)| Err(Error::stack(bytes)))
}

/// The lanes of a row-major shape along one of its axes: `outer` times `inner` lanes of `length` elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    pub outer: usize,
    pub length: usize,
    pub inner: usize,
}

/// Some lanes side by side: those of `count` positions from `first` on, of all positions of outer and inner axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub first: usize,
    pub count: usize,
}

impl Lanes {
    pub fn new(shape: &[usize], axis: i64) -> Result<Lanes, Error> {
        let axis = usize::try_from(axis)
            .ok()
            .filter(|&axis| axis < shape.len())
            .ok_or_else(|| malformed(format!("no axis {axis} in shape {shape:?}")))?;
        Ok(Lanes {
            outer: shape[..axis].iter().product(),
            length: shape[axis],
            inner: shape[axis + 1..].iter().product(),
        })
    }

    pub fn count(&self) -> usize {
        self.outer * self.inner
    }

    /// The lanes in groups: of one outer position, unless lanes are contiguous.
    fn group(&self, unit: usize) -> Group {
        let (width, row) = (self.width(), self.row());
        let per_row = row.div_ceil(width);
        let first = unit % per_row * width;
        Group {
            first: unit / per_row * row + first,
            count: width.min(row - first),
        }
    }

    /// The number of lanes of which a group may have some.
    fn row(&self) -> usize {
        if self.inner == 1 {
            self.outer
        } else {
            self.inner
        }
    }

    fn width(&self) -> usize {
        let most = UNIT / self.length.max(1);
        let least = if self.inner == 1 { 1 } else { SIDE_BY_SIDE };
        most.max(least).min(self.row().max(1))
    }

    /// Does work for each group of lanes.
    pub fn each(&self, work: &(dyn Fn(Group) -> Result<(), Error> + Sync)) -> Result<(), Error> {
        if self.count() == 0 {
            return Ok(());
        }
        let rows = self.count() / self.row();
        let count = rows * self.row().div_ceil(self.width());
        units(count, self.count() * self.length, &|unit| {
            work(self.group(unit))
        })
    }

    /// The place of the first element of a lane, where lanes are `length` long.
    fn place(&self, lane: usize, length: usize) -> usize {
        lane / self.inner * length * self.inner + lane % self.inner
    }

    /// The elements of a group's lanes, one lane after the other.
    pub fn read<T: Typed>(&self, from: &Source<T>, group: Group) -> Result<Vec<T>, Error> {
        let mut lanes = list(group.count * self.length)?;
        let start = self.place(group.first, self.length);
        if self.inner == 1 {
            from.read(start, &mut lanes);
        } else {
            for k in 0..self.length {
                for lane in 0..group.count {
                    lanes[lane * self.length + k] = from.get(start + k * self.inner + lane);
                }
            }
        }
        Ok(lanes)
    }

    /// Writes the lanes of a group, which may be of another length than those that were read.
    pub fn write<T: Typed>(&self, to: &Target<T>, group: Group, lanes: &[T]) {
        let length = lanes.len() / group.count;
        let start = self.place(group.first, length);
        if self.inner == 1 {
            to.write(start, lanes);
        } else {
            for k in 0..length {
                for lane in 0..group.count {
                    to.set(start + k * self.inner + lane, lanes[lane * length + k]);
                }
            }
        }
    }
}
