//! Sums along lines, one for each entry.

use super::{Job, Real, AHEAD};
use crate::kernel::isa::{Body, Isa};
use crate::stored::accumulate::carry;
use crate::stored::products::{fused, prefetch};

/// Terms that are summed plainly before what rounding loses is carried.
const PLAIN: usize = 4096;

/// The kernel, for a job.
pub(super) struct Sample<T>(std::marker::PhantomData<T>);

impl<T: Real> Body for Sample<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, job: *mut u8, _: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: it is a job whose factors and target are of this type, as the caller promises.
        unsafe {
            let job = &mut *job.cast::<Job<'_, '_>>();
            let (sweep, target) = (job.sweep, job.to.cast::<T>());
            let (a, b) = match sweep.of_lines[..] {
                [a] => (a, None),
                [a, b] => (a, Some(b)),
                _ => {
                    job.failed = true;
                    return;
                }
            };
            let (n, by, all) = (sweep.inner, sweep.of_places.first(), &sweep.coordinates);
            job.each_entries::<T>(|some| {
                let row = some.row;
                for (k, &coordinate) in some.coordinates.iter().enumerate() {
                    let place = some.from + k;
                    let next = place + AHEAD / 4;
                    if next < sweep.places {
                        let line = b.unwrap_or(a);
                        let at = line.at::<T>(row, all.at(some.first, next), next);
                        prefetch(at.cast(), n * size_of::<T>());
                    }
                    let one = line(a.at::<T>(row, coordinate, place), n);
                    let sum = match b {
                        Some(b) => {
                            let other = line(b.at::<T>(row, coordinate, place), n);
                            carried::<T, I, true>(one, other)
                        }
                        None => carried::<T, I, false>(one, one),
                    };
                    let scale = match by {
                        Some(by) => some.scale * (*by.at::<T>(row, 0, place)).into(),
                        None => some.scale,
                    };
                    target
                        .offset(sweep.target.at(row, coordinate, place))
                        .write(T::of(0.0 + scale * sum));
                }
            });
        }
    }
}

/// A line.
///
/// # Safety
/// It has so many elements, which nobody writes.
#[inline(always)]
unsafe fn line<'l, T>(start: *const T, n: usize) -> &'l [T] {
    // SAFETY: as the caller says.
    unsafe { std::slice::from_raw_parts(start, n) }
}

/// The sum of a line, or of its products with another one.
#[inline(always)]
fn carried<T: Real, I: Isa, const TWO: bool>(a: &[T], b: &[T]) -> f64 {
    let mut parts = a.chunks(PLAIN).zip(b.chunks(PLAIN));
    let first = parts.next().map_or(0.0, |(a, b)| dot::<T, I, TWO>(a, b));
    let (mut all, mut lost) = (first, 0.0);
    for (a, b) in parts {
        carry(&mut all, &mut lost, dot::<T, I, TWO>(a, b));
    }
    super::restored(all, lost)
}

#[inline(always)]
fn dot<T: Real, I: Isa, const TWO: bool>(a: &[T], b: &[T]) -> f64 {
    let mut lanes = [0.0f64; 16];
    let (mut of_a, mut of_b) = (a.chunks_exact(16), b.chunks_exact(16));
    for (a, b) in (&mut of_a).zip(&mut of_b) {
        for (k, lane) in lanes.iter_mut().enumerate() {
            *lane = match TWO {
                true => fused::<I>(a[k].into(), b[k].into(), *lane),
                false => *lane + a[k].into(),
            };
        }
    }
    let rest = of_a.remainder().iter().zip(of_b.remainder());
    for (lane, (&a, &b)) in lanes.iter_mut().zip(rest) {
        *lane = match TWO {
            true => fused::<I>(a.into(), b.into(), *lane),
            false => *lane + a.into(),
        };
    }
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}
