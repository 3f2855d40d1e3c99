//! Pass 3: the memory in which a thread sorts its buckets, one after the other.

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use super::digits;
use super::distribution::Record;
use super::division::Division;
use super::plan::Key;
use super::window::Window;
use super::Space;
use crate::element::Element;
use crate::sparse::writer::Writer;

/// The space of a sorter.
pub(super) struct Place {
    /// The offset of its window, the number of keys that this spans, and the most records of a bucket; if buckets are windows.
    window: Option<(usize, usize, usize)>,
    /// The offset of the spare array for other buckets, and the most records of one.
    spare: (usize, usize),
}

impl Place {
    /// Reserves the memory for a share of the buckets, given where they begin.
    pub fn take<O: Key, E: Element>(
        space: &mut Space,
        division: &Division,
        starts: &[usize],
        share: &Range<usize>,
    ) -> Place {
        let largest = |is: &dyn Fn(usize) -> bool| {
            let buckets = share.clone().filter(|&at| is(at));
            let sizes = buckets.map(|at| starts[at + 1] - starts[at]);
            sizes.max().unwrap_or(0)
        };
        let window = division.window().map(|keys| {
            let most = largest(&|at| division.is_window(at));
            (Window::<O, E>::take(space, keys, most), keys, most)
        });
        let most = largest(&|at| !division.is_window(at) && !division.is_one_key(at));
        Place {
            window,
            spare: (space.take::<Record<O, E>>(most), most),
        }
    }

    /// The sorter in that place.
    ///
    /// # Safety
    /// The space begins there, and nobody else uses this part of it.
    pub unsafe fn at<'a, O: Key, E: Element>(&self, start: *mut u8) -> BucketSorter<'a, O, E> {
        let (spare, most) = self.spare;
        // SAFETY: the caller's promise: this is what was taken.
        unsafe {
            let window = |(at, keys, most)| Window::at(start.add(at), keys, most);
            BucketSorter {
                window: self.window.map(window),
                spare: slice::from_raw_parts_mut(start.add(spare).cast(), most),
            }
        }
    }
}

/// Sorts buckets.
pub(super) struct BucketSorter<'a, O, E> {
    window: Option<Window<'a, O, E>>,
    /// The spare array; uninitialised.
    spare: &'a mut [MaybeUninit<Record<O, E>>],
}

impl<O: Key, E: Element> BucketSorter<'_, O, E> {
    /// Writes the entries of a bucket that is a window in order, of equal offsets the last.
    ///
    /// # Safety
    /// As for [`Window::write`].
    #[inline(always)]
    pub unsafe fn write_window(
        &mut self,
        first: u64,
        records: &[Record<O, E>],
        writer: &mut Writer<'_>,
    ) {
        let window = self.window.as_mut();
        let window = window.unwrap_or_else(|| unreachable!("there is one where a bucket is one"));
        // SAFETY: the caller's promise.
        unsafe { window.write(first, records, writer) };
    }

    /// Writes the entries of another bucket, whose offsets have `bits` bits.
    ///
    /// # Safety
    /// As for [`Window::write`].
    #[inline(always)]
    pub unsafe fn write(
        &mut self,
        first: u64,
        records: &mut [Record<O, E>],
        bits: u32,
        writer: &mut Writer<'_>,
    ) {
        // A single key needs no spare array.
        let n = if bits == 0 { 0 } else { records.len() };
        let sorted = digits::order(records, &mut self.spare[..n], bits);
        let entries = digits::last_ones(sorted).map(Record::entry);
        // SAFETY: the caller's promise.
        unsafe { writer.write_all(first, entries) };
    }
}
