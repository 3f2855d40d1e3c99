//! Sorting, searching, counting, running sums, quantiles and scattering against loops; and the same bits on 1, 2 and 7 threads.

use std::cmp::Ordering;
use std::fmt::Debug;

use crate::called::{array, Array, Call, Memory, Numbers};
use tensornio_core::dtype::Typed;
use tensornio_numeric::normal::inverse;
use tensornio_numeric::philox::bits;
use tensornio_numeric::Algorithm;

/// A number type of the tests.
trait Number: Typed + Debug + PartialEq {
    fn of(value: f64) -> Self;
    fn order(self, other: Self) -> Ordering;
    fn bits(self) -> u64;
    fn nan(self) -> bool;
}

/// NaN last, and -0 equal to 0.
fn nan_last(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

macro_rules! floats {
    ($($float:ty)*) => {
        $(impl Number for $float {
            fn of(value: f64) -> $float {
                value as $float
            }
            fn order(self, other: $float) -> Ordering {
                nan_last(self as f64, other as f64)
            }
            fn bits(self) -> u64 {
                self.to_bits() as u64
            }
            fn nan(self) -> bool {
                self.is_nan()
            }
        })*
    };
}
floats!(f32 f64);
macro_rules! integers {
    ($($integer:ty)*) => {
        $(impl Number for $integer {
            fn of(value: f64) -> $integer {
                // The low bits, also of what is negative; NaN is 0.
                value as i64 as $integer
            }
            fn order(self, other: $integer) -> Ordering {
                self.cmp(&other)
            }
            fn bits(self) -> u64 {
                self as u64
            }
            fn nan(self) -> bool {
                false
            }
        })*
    };
}
integers!(i32 i64 u8);

/// Numbers with ties, both zeros and NaN.
fn numbers<T: Number>(random: &mut Numbers, shape: &[i64]) -> Array<T> {
    let count = shape.iter().product::<i64>();
    array(
        shape,
        (0..count).map(|_| {
            T::of(match random.below(12) {
                0 => f64::NAN,
                1 => -0.0,
                2 => 0.0,
                3 => 1e9 * random.fraction(),
                _ => random.below(9) as f64 - 4.0,
            })
        }),
    )
}

/// The positions of a lane's elements along an axis.
fn lanes(shape: &[i64], axis: usize) -> Vec<Vec<usize>> {
    let inner: usize = shape[axis + 1..].iter().product::<i64>() as usize;
    let length = shape[axis] as usize;
    let outer: usize = shape[..axis].iter().product::<i64>() as usize;
    (0..outer * inner)
        .map(|lane| {
            let first = lane / inner * inner * length + lane % inner;
            (0..length).map(|k| first + k * inner).collect()
        })
        .collect()
}

fn blank<T: Typed>(shape: &[i64]) -> Array<T> {
    array(
        shape,
        vec![T::default(); shape.iter().product::<i64>() as usize],
    )
}

/// Runs a call on 1, 2 and 7 threads, which must have the same bits, and gives them.
fn same<T: Number>(call: &Call, shape: &[i64]) -> Array<T> {
    let of = |threads| {
        let mut made = blank::<T>(shape);
        call.fill(threads, &mut [&mut made as &mut dyn Memory])
            .unwrap();
        made
    };
    let one = of(1);
    for threads in [2, 7] {
        let more = of(threads);
        assert!(
            one.values
                .iter()
                .zip(&more.values)
                .all(|(a, b)| a.bits() == b.bits()),
            "{threads} threads"
        );
    }
    one
}

/// Shapes and an axis of each: short, long, of many lanes, and without elements.
const SHAPES: [(&[i64], usize); 11] = [
    (&[1], 0),
    (&[7], 0),
    (&[0], 0),
    (&[3, 0, 2], 2),
    (&[3, 0, 2], 1),
    (&[2, 3, 4], 0),
    (&[2, 3, 4], 1),
    (&[2, 3, 4], 2),
    (&[90_000], 0),
    (&[300, 200], 1),
    (&[300, 200], 0),
];

fn sort_all<T: Number>() {
    let mut random = Numbers::of(11);
    for (shape, axis) in SHAPES {
        let x = numbers::<T>(&mut random, shape);
        for descending in [false, true] {
            let parameters = [axis as i64, i64::from(descending)];
            let sorted: Array<T> = same(&Call::of(Algorithm::Sort, &parameters).with(&x), shape);
            let order: Array<i64> =
                same(&Call::of(Algorithm::ArgSort, &parameters).with(&x), shape);
            for lane in lanes(shape, axis) {
                let mut wanted: Vec<usize> = (0..lane.len()).collect();
                wanted.sort_by(|&a, &b| {
                    let (a, b) = (x.values[lane[a]], x.values[lane[b]]);
                    if descending && !a.nan() && !b.nan() {
                        b.order(a)
                    } else {
                        a.order(b)
                    }
                });
                for (k, &from) in wanted.iter().enumerate() {
                    assert_eq!(order.values[lane[k]], from as i64, "{shape:?} axis {axis}");
                    assert_eq!(
                        sorted.values[lane[k]].order(x.values[lane[from]]),
                        Ordering::Equal
                    );
                }
            }
        }
    }
}

#[test]
fn sorts_every_type() {
    sort_all::<f32>();
    sort_all::<f64>();
    sort_all::<i32>();
    sort_all::<i64>();
    sort_all::<u8>();
}

#[test]
fn the_largest_are_the_first_of_the_order() {
    let mut random = Numbers::of(12);
    for (shape, axis) in SHAPES {
        let x = numbers::<f32>(&mut random, shape);
        let order: Array<i64> = same(
            &Call::of(Algorithm::ArgSort, &[axis as i64, 1]).with(&x),
            shape,
        );
        for k in [0, 1, shape[axis] / 2, shape[axis]]
            .into_iter()
            .filter(|&k| k <= shape[axis])
        {
            let mut few = shape.to_vec();
            few[axis] = k;
            let found = |threads| {
                let (mut values, mut positions) = (blank::<f32>(&few), blank::<i64>(&few));
                let call = Call::of(Algorithm::TopK, &[axis as i64, k]).with(&x);
                call.fill(threads, &mut [&mut values, &mut positions])
                    .unwrap();
                (
                    values
                        .values
                        .iter()
                        .map(|value| value.to_bits())
                        .collect::<Vec<_>>(),
                    positions,
                )
            };
            let (values, positions) = found(1);
            assert_eq!((&values, &positions), (&found(2).0, &found(7).1));
            for (lane, whole) in lanes(&few, axis).iter().zip(lanes(shape, axis)) {
                for (n, &at) in lane.iter().enumerate() {
                    assert_eq!(
                        positions.values[at], order.values[whole[n]],
                        "{shape:?} axis {axis}, {k}"
                    );
                    let value = x.values[whole[positions.values[at] as usize]];
                    assert_eq!(f32::from_bits(values[at]).order(value), Ordering::Equal);
                }
            }
        }
    }
}

/// One step of a running sum, product or maximum.
type Step<'a, T> = &'a dyn Fn(T, T) -> T;

fn scan_all<T: Number>(plus: impl Fn(T, T) -> T, times: impl Fn(T, T) -> T, least: T, exact: bool) {
    let mut random = Numbers::of(13);
    for (shape, axis) in SHAPES {
        let count = shape.iter().product::<i64>();
        let x: Array<T> = array(shape, (0..count).map(|_| T::of(random.below(3) as f64)));
        for flags in 0..4 {
            let (exclusive, reverse) = (flags & 1, flags >> 1);
            let parameters = [axis as i64, exclusive, reverse];
            let max = |a: T, b: T| {
                if b.order(a) == Ordering::Greater {
                    b
                } else {
                    a
                }
            };
            let cases: [(Algorithm, T, Step<T>); 3] = [
                (Algorithm::CumSum, T::of(0.0), &plus),
                (Algorithm::CumProd, T::of(1.0), &times),
                (Algorithm::CumMax, least, &max),
            ];
            for (algorithm, first, step) in cases {
                if algorithm == Algorithm::CumProd && !exact {
                    continue;
                }
                let found: Array<T> = same(&Call::of(algorithm, &parameters).with(&x), shape);
                for lane in lanes(shape, axis) {
                    let mut carried = first;
                    for k in 0..lane.len() {
                        let at = lane[if reverse == 1 { lane.len() - 1 - k } else { k }];
                        let next = step(carried, x.values[at]);
                        let wanted = if exclusive == 1 { carried } else { next };
                        assert_eq!(
                            found.values[at], wanted,
                            "{algorithm:?} {shape:?} axis {axis}, {flags}"
                        );
                        carried = next;
                    }
                }
            }
        }
    }
}

#[test]
fn running_sums_are_those_of_loops() {
    // Sums of small integers are exact in any order.
    scan_all::<f32>(|a, b| a + b, |a, b| a * b, f32::NEG_INFINITY, false);
    scan_all::<f64>(|a, b| a + b, |a, b| a * b, f64::NEG_INFINITY, false);
    scan_all::<i32>(i32::wrapping_add, i32::wrapping_mul, i32::MIN, true);
    scan_all::<i64>(i64::wrapping_add, i64::wrapping_mul, i64::MIN, true);
    scan_all::<u8>(u8::wrapping_add, u8::wrapping_mul, 0, true);
}

#[test]
fn quantiles_are_those_of_sorted_lanes() {
    let mut random = Numbers::of(14);
    for (shape, axis) in SHAPES {
        let mut x = numbers::<f64>(&mut random, shape);
        if random.below(2) == 0 {
            for value in x.values.iter_mut().filter(|value| value.is_nan()) {
                *value = 7.0;
            }
        }
        let mut kept = shape.to_vec();
        kept.remove(axis);
        for q in [0.0, 0.2, 0.5, 0.93, 1.0] {
            let found: Array<f64> = same(
                &Call::of(Algorithm::Quantile, &[axis as i64, f64::to_bits(q) as i64]).with(&x),
                &kept,
            );
            for (found, lane) in found.values.iter().zip(lanes(shape, axis)) {
                let mut values: Vec<f64> = lane.iter().map(|&at| x.values[at]).collect();
                if values.is_empty() || values.iter().any(|value| value.is_nan()) {
                    assert!(found.is_nan(), "{shape:?} axis {axis}: {found}");
                    continue;
                }
                values.sort_by(|a, b| nan_last(*a, *b));
                let place = q * (values.len() - 1) as f64;
                let (low, high) = (
                    values[place.floor() as usize],
                    values[place.ceil() as usize],
                );
                let wanted = low + (high - low) * place.fract();
                assert!(
                    (found - wanted).abs() <= 1e-14 * low.abs().max(high.abs()),
                    "{found} {wanted}"
                );
            }
        }
    }
}

#[test]
fn distinct_ones_are_counted() {
    let mut random = Numbers::of(15);
    for (shape, _) in SHAPES {
        let x = numbers::<f32>(&mut random, shape);
        let count = x.values.len() as i64;
        let (mut values, mut inverse, mut counts) = (
            blank::<f32>(&[count]),
            blank::<i64>(shape),
            blank::<i64>(&[count]),
        );
        let call = Call::of(Algorithm::Unique, &[]).with(&x);
        let distinct = call
            .fill(7, &mut [&mut values, &mut inverse, &mut counts])
            .unwrap() as usize;
        let mut wanted = x.values.clone();
        wanted.sort_by(|a, b| a.order(*b));
        wanted.dedup_by(|a, b| a.order(*b) == Ordering::Equal);
        assert_eq!(distinct, wanted.len());
        for (found, wanted) in values.values.iter().zip(&wanted) {
            assert_eq!(found.order(*wanted), Ordering::Equal);
        }
        for (value, place) in x.values.iter().zip(&inverse.values) {
            assert_eq!(wanted[*place as usize].order(*value), Ordering::Equal);
        }
        let mut counted = vec![0; distinct];
        for &place in &inverse.values {
            counted[place as usize] += 1;
        }
        assert_eq!(counts.values[..distinct], counted);
        for right in [0, 1] {
            let sorted = array(&[distinct as i64], values.values[..distinct].to_vec());
            let places: Array<i64> = same(
                &Call::of(Algorithm::Search, &[right]).with(&sorted).with(&x),
                shape,
            );
            for (found, place) in places.values.iter().zip(&inverse.values) {
                assert_eq!(*found, place + right);
            }
        }
    }
}

#[test]
fn counts_are_those_of_loops() {
    let mut random = Numbers::of(16);
    for count in [0, 5, 70_000] {
        let x: Array<f64> = array(&[count], (0..count).map(|_| 2.0 * random.fraction()));
        let (from, to) = (-1.0, 1.5);
        let bins = 7;
        let parameters = [f64::to_bits(from) as i64, f64::to_bits(to) as i64];
        let found: Array<i64> = same(
            &Call::of(Algorithm::Histogram, &parameters).with(&x),
            &[bins],
        );
        let mut wanted = vec![0; bins as usize];
        for value in x.values.iter().filter(|value| (from..=to).contains(*value)) {
            wanted
                [(((value - from) / (to - from) * bins as f64) as usize).min(bins as usize - 1)] +=
                1;
        }
        // An element next to the end of a bin may be in either.
        let apart: i64 = found
            .values
            .iter()
            .zip(&wanted)
            .map(|(a, b): (&i64, &i64)| (a - b).abs())
            .sum();
        assert!(
            apart <= 2 && found.values.iter().sum::<i64>() == wanted.iter().sum::<i64>(),
            "{found:?} {wanted:?}"
        );

        let x: Array<i32> = array(&[count], (0..count).map(|_| random.below(20) as i32));
        let most = Call::of(Algorithm::Bins, &[])
            .with(&x)
            .fill(7, &mut [])
            .unwrap();
        assert_eq!(
            most,
            x.values.iter().max().map_or(0, |most| i64::from(*most) + 1)
        );
        let found: Array<i64> = same(&Call::of(Algorithm::Count, &[]).with(&x), &[most]);
        for (value, counted) in found.values.iter().enumerate() {
            assert_eq!(
                *counted as usize,
                x.values.iter().filter(|&&of| of == value as i32).count()
            );
        }
    }
    let negative = array(&[2], [1i32, -1]);
    assert!(Call::of(Algorithm::Bins, &[])
        .with(&negative)
        .fill(1, &mut [])
        .is_err());
}

#[test]
fn slices_are_put_and_added() {
    let mut random = Numbers::of(17);
    for (rows, width) in [(0, 3), (9, 3), (4000, 40)] {
        let x: Array<f32> = array(&[50, width], (0..50 * width).map(|n| n as f32));
        let indices: Array<i64> = array(&[rows, 1], (0..rows).map(|_| random.below(50) as i64));
        let updates: Array<f32> = array(
            &[rows, width],
            (0..rows * width).map(|_| random.below(8) as f32),
        );
        for adds in [0, 1] {
            let call = Call::of(Algorithm::Scatter, &[adds])
                .with(&x)
                .with(&indices)
                .with(&updates);
            let found: Array<f32> = same(&call, &[50, width]);
            let mut wanted = x.values.clone();
            for (row, &at) in indices.values.iter().enumerate() {
                for n in 0..width as usize {
                    let to = &mut wanted[at as usize * width as usize + n];
                    let from = updates.values[row * width as usize + n];
                    *to = if adds == 1 { *to + from } else { from };
                }
            }
            assert_eq!(found.values, wanted);
        }
    }
    let (x, far) = (array(&[2], [0f32; 2]), array(&[1, 1], [2i64]));
    let update = array(&[1], [1f32]);
    let mut out = blank::<f32>(&[2]);
    let call = Call::of(Algorithm::Scatter, &[0])
        .with(&x)
        .with(&far)
        .with(&update);
    let said = call.fill(1, &mut [&mut out]).unwrap_err().to_string();
    assert_eq!(said, "row 0 of indices has 2 for axis 0 of x, of length 2");
}

#[test]
fn random_numbers_are_the_same_on_any_threads() {
    for (algorithm, parameters) in [
        (Algorithm::Uniform, vec![5, 3]),
        (Algorithm::Normal, vec![5, 3]),
        (Algorithm::Truncated, vec![5, 3]),
    ] {
        let call = Call::of(algorithm, &parameters);
        let many: Array<f64> = same(&call, &[70_000]);
        let few: Array<f64> = same(&call, &[11]);
        assert_eq!(few.values, many.values[..11]);
        // A later beginning is a later part.
        let later: Array<f64> = same(&Call::of(algorithm, &[5, 3 + 1000]), &[11]);
        assert_eq!(later.values, many.values[1000..1011]);
    }
}

/// Kernels for vectors give the numbers that the formula gives one by one, in the middle of the distribution and in its tails.
#[test]
fn random_numbers_are_those_of_their_formulas() {
    let unit = |n: usize| (bits(5, 3 + n as u64) >> 11) as f64 / (1u64 << 53) as f64;
    let below = 0.022_750_131_948_179_21;
    let normal = |n: usize| inverse(unit(n));
    let truncated = |n: usize| inverse(below + unit(n) * (1.0 - 2.0 * below)).clamp(-2.0, 2.0);
    let doubles =
        |algorithm: Algorithm| -> Array<f64> { same(&Call::of(algorithm, &[5, 3]), &[30_001]) };
    let floats =
        |algorithm: Algorithm| -> Array<f32> { same(&Call::of(algorithm, &[5, 3]), &[30_001]) };
    for (algorithm, formula) in [
        (Algorithm::Uniform, &unit as &dyn Fn(usize) -> f64),
        (Algorithm::Normal, &normal),
        (Algorithm::Truncated, &truncated),
    ] {
        for (n, found) in doubles(algorithm).values.iter().enumerate() {
            assert_eq!(found.to_bits(), formula(n).to_bits(), "{algorithm:?} {n}");
        }
        for (n, &found) in floats(algorithm).values.iter().enumerate() {
            let wanted = formula(n);
            let is_right = match algorithm {
                Algorithm::Uniform => {
                    f64::from(found) <= wanted && f64::from(found.next_up()) > wanted
                }
                _ => found == wanted as f32,
            };
            assert!(is_right, "{algorithm:?} {n}: {found}, not {wanted}");
        }
    }
}
