//! Lines of a tensor, of which those of a row's entries are added to one: the elements of a line that are summed stay in registers.

use super::{restored, Entries, Job, Real, AHEAD, SOME};
use crate::kernel::isa::{Body, Isa};
use crate::stored::accumulate::carry;
use crate::stored::products::{fused, prefetch};

/// The elements of a line at a time, and where vectors are of 64 bytes: so many sums are in registers.
const WIDTH: usize = 32;
const WIDER: usize = 64;

/// The kernel, for a job.
pub(super) struct Lines<T>(std::marker::PhantomData<T>);

impl<T: Real> Body for Lines<T> {
    const WIDE: bool = !T::CARRIED;

    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, job: *mut u8, _: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: it is a job whose factors and target are of this type, as the caller promises.
        unsafe {
            let job = &mut *job.cast::<Job<'_, '_>>();
            let (sweep, target) = (job.sweep, job.to.cast::<T>());
            let [line] = sweep.of_lines[..] else {
                job.failed = true;
                return;
            };
            let n = sweep.inner;
            let by = sweep.of_places.first();
            let is_scaled = by.is_some() || !sweep.of_rows.is_empty() || sweep.constant != 1.0;
            let mut starts = [line.at::<T>(0, 0, 0); SOME];
            let mut weights = [1.0f64; SOME];
            let mut sums = vec![0.0f64; n];
            let mut lost = vec![0.0f64; if T::CARRIED { n } else { 0 }];
            let all = &sweep.coordinates;
            job.each_entries::<T>(|entries| {
                let Entries {
                    row,
                    scale,
                    first,
                    end,
                    from,
                    coordinates,
                } = *entries;
                let some = coordinates.len();
                if from == first {
                    sums.fill(0.0);
                    lost.fill(0.0);
                }
                for (k, &coordinate) in coordinates.iter().enumerate() {
                    starts[k] = line.at::<T>(row, coordinate, from + k);
                }
                if is_scaled {
                    for (k, weight) in weights[..some].iter_mut().enumerate() {
                        *weight = match by {
                            Some(by) => scale * (*by.at::<T>(row, 0, from + k)).into(),
                            None => scale,
                        };
                    }
                }
                let starts = &starts[..some];
                let mut at = 0;
                while n - at >= WIDTH {
                    let is_wider = I::WIDE && !T::CARRIED && n - at >= WIDER;
                    let width = if is_wider { WIDER } else { WIDTH };
                    // Lines are fetched before, also those of the next rows, once.
                    let ahead = |k: usize| {
                        let place = from + k + AHEAD;
                        if at == 0 && place < sweep.places {
                            let next = line.at::<T>(row, all.at(first, place), place);
                            prefetch(next.cast(), n * size_of::<T>());
                        }
                    };
                    let sums = &mut sums[at..at + width];
                    match (T::CARRIED, is_scaled, is_wider) {
                        (true, ..) => {
                            let lost = &mut lost[at..at + WIDTH];
                            carried::<T>(starts, &weights, at, sums, lost, ahead);
                        }
                        (_, true, true) => {
                            plain::<T, I, true, WIDER>(starts, &weights, at, sums, ahead)
                        }
                        (_, true, false) => {
                            plain::<T, I, true, WIDTH>(starts, &weights, at, sums, ahead)
                        }
                        (_, false, true) => {
                            plain::<T, I, false, WIDER>(starts, &weights, at, sums, ahead)
                        }
                        (_, false, false) => {
                            plain::<T, I, false, WIDTH>(starts, &weights, at, sums, ahead)
                        }
                    }
                    at += width;
                }
                if at < n {
                    for (k, &start) in starts.iter().enumerate() {
                        for (d, sum) in sums.iter_mut().enumerate().skip(at) {
                            let value = (*start.add(d)).into() * weights[k];
                            match T::CARRIED {
                                true => carry(sum, &mut lost[d], value),
                                false => *sum += value,
                            }
                        }
                    }
                }
                if from + some < end {
                    return;
                }
                let to = target.offset(sweep.target.at(row, 0, 0));
                for (d, &sum) in sums.iter().enumerate() {
                    let sum = match T::CARRIED {
                        true => restored(sum, lost[d]),
                        false => sum,
                    };
                    to.add(d).write(T::of(sum));
                }
            });
        }
    }
}

/// Adds elements of lines to sums.
///
/// # Safety
/// Lines have so many elements from there on.
#[inline(always)]
unsafe fn plain<T: Real, I: Isa, const SCALED: bool, const WIDTH: usize>(
    starts: &[*const T],
    weights: &[f64; SOME],
    at: usize,
    sums: &mut [f64],
    ahead: impl Fn(usize),
) {
    let mut all = [0.0f64; WIDTH];
    all.copy_from_slice(sums);
    for (k, start) in starts.iter().enumerate() {
        ahead(k);
        // SAFETY: as the caller says.
        let line = unsafe { &*start.add(at).cast::<[T; WIDTH]>() };
        for (sum, &value) in all.iter_mut().zip(line) {
            *sum = match SCALED {
                true => fused::<I>(value.into(), weights[k], *sum),
                false => *sum + value.into(),
            };
        }
    }
    sums.copy_from_slice(&all);
}

/// The same, with what rounding loses.
///
/// # Safety
/// As [`plain`].
#[inline(always)]
unsafe fn carried<T: Real>(
    starts: &[*const T],
    weights: &[f64; SOME],
    at: usize,
    sums: &mut [f64],
    lost: &mut [f64],
    ahead: impl Fn(usize),
) {
    for (k, start) in starts.iter().enumerate() {
        ahead(k);
        // SAFETY: as the caller says.
        let line = unsafe { &*start.add(at).cast::<[T; WIDTH]>() };
        for ((sum, lost), &value) in sums.iter_mut().zip(lost.iter_mut()).zip(line) {
            carry(sum, lost, value.into() * weights[k]);
        }
    }
}
