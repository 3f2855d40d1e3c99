//! Rows folded to an element each: sums of entries, of their products, and with elements by their coordinates; and extrema of entries.

use super::segments::{Columns, Coordinates, Pairs};
use super::{Factor, Job, Real, Sweep, SOME};
use crate::ast::Op;
use crate::kernel::isa::{Body, Isa};
use crate::stored::accumulate::carry;

/// Terms that are summed plainly before what rounding loses is carried.
const PLAIN: usize = 4096;

/// The kernel, for a job.
pub(super) struct Fold<T>(std::marker::PhantomData<T>);

impl<T: Real> Body for Fold<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: usize, job: *mut u8, _: *const u8, _: *const u8, _: *const u8) {
        // SAFETY: it is a job whose factors and target are of this type, as the caller promises.
        unsafe {
            let job = &mut *job.cast::<Job<'_, '_>>();
            let sweep = job.sweep;
            match (sweep.op, &sweep.of_places[..], &sweep.by_coordinates[..]) {
                (Op::Sum, [one], []) => {
                    each::<T>(job, |row, from, to| {
                        let room = sweep.places - from;
                        Some(sum(one.at::<T>(row, 0, from), to - from, room))
                    });
                }
                (Op::Sum, [one, two], []) => {
                    each::<T>(job, |row, from, to| {
                        let (a, b) = (one.at::<T>(row, 0, from), two.at::<T>(row, 0, from));
                        Some(dot(a, b, to - from, sweep.places - from))
                    });
                }
                (Op::Sum, ones, [by]) => match (sweep.coordinates, ones) {
                    (Coordinates::Entries(pairs), [one]) if !T::CARRIED => {
                        by_columns::<T>(job, Pairs(pairs), one, by);
                    }
                    (Coordinates::Columns(columns), [one]) if !T::CARRIED => {
                        by_columns::<T>(job, columns, one, by);
                    }
                    (Coordinates::Numbers, [one]) if by.way.coordinate == 1 => {
                        each::<T>(job, |row, from, to| {
                            let (a, b) = (one.at::<T>(row, 0, from), by.at::<T>(row, 0, 0));
                            let room = (sweep.limit as usize).min(sweep.places - from);
                            ((to - from) as u64 <= sweep.limit).then(|| dot(a, b, to - from, room))
                        });
                    }
                    _ => each::<T>(job, |row, from, to| {
                        gathered::<T>(sweep, ones.first(), by, row, from, to)
                    }),
                },
                (Op::Max, [one], _) => extrema::<T>(job, one, T::LEAST, |a, b| a > b),
                (_, [one], _) => extrema::<T>(job, one, T::GREATEST, |a, b| a < b),
                _ => job.failed = true,
            }
        }
    }
}

/// Writes for each row a sum, times what is the same along the row; a sum that is none ends it.
///
/// # Safety
/// As [`Fold`].
#[inline(always)]
unsafe fn each<T: Real>(
    job: &mut Job<'_, '_>,
    mut sum: impl FnMut(i64, usize, usize) -> Option<f64>,
) {
    let (sweep, target) = (job.sweep, job.to.cast::<T>());
    let mut segments = job.segments();
    while let Some((row, from, to)) = segments.next() {
        // Of no entries the sum is 0, whatever it would be multiplied by.
        if from == to {
            continue;
        }
        let Some(sum) = sum(row, from, to) else {
            segments.failed = true;
            break;
        };
        job.entries += (to - from) as u64;
        // SAFETY: as the caller says.
        unsafe {
            let value = 0.0 + sweep.scale::<T>(row) * sum;
            target
                .offset(sweep.target.at(row, 0, 0))
                .write(T::of(value));
        }
    }
    job.failed |= segments.failed;
}

/// Up to eight elements, and `or` instead of those that are missing; so many are there to be read.
///
/// # Safety
/// There are so many elements.
#[inline(always)]
unsafe fn eight<T: Real>(a: *const T, n: usize, room: usize, or: T) -> [T; 8] {
    if room >= 8 {
        // SAFETY: as the caller says.
        let mut all = unsafe { a.cast::<[T; 8]>().read_unaligned() };
        for (k, value) in all.iter_mut().enumerate() {
            *value = if k < n { *value } else { or };
        }
        return all;
    }
    let mut all = [or; 8];
    for (k, value) in all.iter_mut().enumerate().take(n) {
        // SAFETY: as above.
        *value = unsafe { *a.add(k) };
    }
    all
}

/// The sum of elements that follow one another, of which so many are there to be read.
///
/// # Safety
/// There are so many elements.
#[inline(always)]
unsafe fn sum<T: Real>(a: *const T, n: usize, room: usize) -> f64 {
    let zero = T::of(0.0);
    // SAFETY: as the caller says.
    lanes(n, |at, some| unsafe {
        eight(a.add(at), some, room - at, zero).map(|a| a.into())
    })
}

/// The sum of their products.
///
/// # Safety
/// As [`sum`].
#[inline(always)]
unsafe fn dot<T: Real>(a: *const T, b: *const T, n: usize, room: usize) -> f64 {
    let zero = T::of(0.0);
    // SAFETY: as the caller says.
    lanes(n, |at, some| unsafe {
        let a = eight(a.add(at), some, room - at, zero);
        let b = eight(b.add(at), some, room - at, zero);
        std::array::from_fn(|k| a[k].into() * b[k].into())
    })
}

/// The sum of terms, eight at a time: those from one on, of which only so many are.
#[inline(always)]
fn lanes(n: usize, terms: impl Fn(usize, usize) -> [f64; 8]) -> f64 {
    let (mut all, mut lost, mut at) = (0.0, 0.0, 0);
    while at < n {
        let end = n.min(at + PLAIN);
        let mut lanes = [0.0f64; 8];
        while at < end {
            let some = terms(at, end - at);
            for (lane, term) in lanes.iter_mut().zip(some) {
                *lane += term;
            }
            at += 8;
        }
        for half in [4, 2, 1] {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
        }
        if n <= PLAIN {
            return lanes[0];
        }
        carry(&mut all, &mut lost, lanes[0]);
    }
    super::restored(all, lost)
}

/// The sum of elements by coordinates, times entries; none if one is outside.
///
/// # Safety
/// As [`Fold`].
unsafe fn gathered<T: Real>(
    sweep: &Sweep<'_>,
    one: Option<&Factor>,
    by: &Factor,
    row: i64,
    first: usize,
    end: usize,
) -> Option<f64> {
    let (mut all, mut lost) = (0.0, 0.0);
    let mut coordinates = [0i64; SOME];
    let mut from = first;
    while from < end {
        let some = (end - from).min(SOME);
        let coordinates = &mut coordinates[..some];
        // SAFETY: as the caller says: coordinates are below the limit.
        unsafe {
            if !sweep
                .coordinates
                .fill(first, from, sweep.limit, coordinates)
            {
                return None;
            }
            let mut lanes = [0.0; 2];
            for (k, &coordinate) in coordinates.iter().enumerate() {
                let value: f64 = (*by.at::<T>(row, coordinate, 0)).into();
                lanes[k & 1] += match one {
                    Some(one) => value * (*one.at::<T>(row, 0, from + k)).into(),
                    None => value,
                };
            }
            carry(&mut all, &mut lost, lanes[0] + lanes[1]);
        }
        from += some;
    }
    Some(super::restored(all, lost))
}

/// Sums of entries of a sparse matrix, times elements by their columns. The processor reads ahead by itself: nothing else waits for elements.
///
/// # Safety
/// As [`Fold`].
#[inline(always)]
unsafe fn by_columns<T: Real>(
    job: &mut Job<'_, '_>,
    columns: impl Columns,
    one: &Factor,
    by: &Factor,
) {
    let (limit, step) = (job.sweep.limit, by.way.coordinate as isize);
    let values = one.at::<T>(0, 0, 0);
    let sum = |row: i64, from: usize, to: usize| {
        let elements = by.at::<T>(row, 0, 0);
        // SAFETY: there are so many entries.
        let values = unsafe { std::slice::from_raw_parts(values.add(from), to - from) };
        let mut sum = 0.0;
        for (column, &value) in columns.some(from, to)?.zip(values) {
            if column >= limit {
                return None;
            }
            // SAFETY: the column is below the limit.
            sum += value.into() * unsafe { *elements.offset(column as isize * step) }.into();
        }
        Some(sum)
    };
    // SAFETY: as the caller says.
    unsafe { each::<T>(job, sum) };
}

/// Writes for each row the entry that is taken before all others; NaN if there is one.
///
/// # Safety
/// As [`Fold`].
#[inline(always)]
unsafe fn extrema<T: Real>(
    job: &mut Job<'_, '_>,
    one: &Factor,
    first: T,
    take: impl Fn(T, T) -> bool,
) {
    let (sweep, target) = (job.sweep, job.to.cast::<T>());
    // NaN is what is not equal to itself.
    #[allow(clippy::eq_op)]
    let next = |lane: T, value: T| match take(value, lane) | (value != value) {
        true => value,
        false => lane,
    };
    let mut segments = job.segments();
    while let Some((row, from, to)) = segments.next() {
        let (n, values) = (to - from, one.at::<T>(row, 0, from));
        let (mut lanes, mut at) = ([first; 8], 0);
        // SAFETY: there are so many entries, and an element for each row.
        unsafe {
            while at < n {
                let room = sweep.places - from - at;
                let some = eight(values.add(at), n - at, room, first);
                for (lane, value) in lanes.iter_mut().zip(some) {
                    *lane = next(*lane, value);
                }
                at += 8;
            }
            for half in [4, 2, 1] {
                for k in 0..half {
                    lanes[k] = next(lanes[k], lanes[k + half]);
                }
            }
            target.offset(sweep.target.at(row, 0, 0)).write(lanes[0]);
        }
        job.entries += n as u64;
    }
    job.failed |= segments.failed;
}
