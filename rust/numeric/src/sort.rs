//! Sorting along an axis.

use tensornio_compute::operand::{Operand, OperandMut};
use tensornio_compute::Error;

use crate::lanes::Lanes;
use crate::operands::{list, malformed, reserve, Source, Target};
use crate::order::{sort_from, Key, Ordered};

/// A number's key and its position, ordered by both.
type Placed = u128;

fn placed<T: Ordered>(value: T, at: usize, descending: bool) -> Placed {
    u128::from(value.directed(descending).bits()) << 32 | at as u128
}

/// Sorts a lane, stably: of -0 and 0, and of different NaN, the first stays first.
fn sort_lane<T: Ordered>(
    lane: &mut [T],
    descending: bool,
    keys: &mut Vec<T::Key>,
    spare: &mut Vec<T::Key>,
) {
    let mut nans = Vec::new();
    let mut zeros = Vec::new();
    let mut has_negative_zero = false;
    keys.clear();
    if T::IS_FLOAT {
        for &value in lane.iter() {
            if value.is_nan() {
                nans.push(value);
            } else {
                has_negative_zero |= value.is_negative_zero();
                keys.push(value.directed(descending));
            }
        }
        if has_negative_zero {
            zeros.extend(lane.iter().filter(|&&value| value == T::default()));
        }
    } else {
        keys.extend(lane.iter().map(|value| value.directed(descending)));
    }
    sort_from(keys, spare, 0);
    for (value, &key) in lane.iter_mut().zip(keys.iter()) {
        *value = T::of_key(if descending { key.inverted() } else { key });
    }
    let zero = T::default().directed(descending);
    let start = keys.partition_point(|&key| key < zero);
    lane[start..start + zeros.len()].copy_from_slice(&zeros);
    lane[keys.len()..].copy_from_slice(&nans);
}

/// Sorts along an axis.
///
/// # Safety
/// As [`Operand`] and [`OperandMut`] say, here and below.
pub(crate) unsafe fn sort<T: Ordered>(
    x: &Operand,
    out: &mut OperandMut,
    axis: i64,
    descending: bool,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    // SAFETY: as above.
    let out = unsafe { Target::<T>::new(out, x.len()) }?;
    let lanes = Lanes::new(x.shape(), axis)?;
    lanes.each(&|group| {
        let mut values = lanes.read(&x, group)?;
        let (mut keys, mut spare) = (Vec::new(), Vec::new());
        reserve(&mut keys, lanes.length)?;
        reserve(&mut spare, lanes.length)?;
        for lane in values.chunks_exact_mut(lanes.length.max(1)) {
            sort_lane(lane, descending, &mut keys, &mut spare);
        }
        lanes.write(&out, group, &values);
        Ok(())
    })
}

/// The positions of numbers in their order, of equal ones in that of their positions.
struct Positions {
    narrow: Vec<u64>,
    spare: Vec<u64>,
    wide: Vec<Placed>,
}

impl Positions {
    fn new<T: Ordered>(length: usize) -> Result<Positions, Error> {
        let mut positions = Positions {
            narrow: Vec::new(),
            spare: Vec::new(),
            wide: Vec::new(),
        };
        if T::Key::BITS <= 32 {
            reserve(&mut positions.narrow, length)?;
            reserve(&mut positions.spare, length)?;
        } else {
            reserve(&mut positions.wide, length)?;
        }
        Ok(positions)
    }

    fn of<T: Ordered>(
        &mut self,
        lane: &[T],
        descending: bool,
        mut found: impl FnMut(usize, usize),
    ) {
        let places = lane.iter().enumerate();
        if T::Key::BITS <= 32 {
            self.narrow.clear();
            self.narrow.extend(
                places.map(|(at, value)| value.directed(descending).bits() << 32 | at as u64),
            );
            sort_from(&mut self.narrow, &mut self.spare, 32);
            for (n, &key) in self.narrow.iter().enumerate() {
                found(n, key as u32 as usize);
            }
        } else {
            self.wide.clear();
            self.wide
                .extend(places.map(|(at, &value)| placed(value, at, descending)));
            self.wide.sort_unstable();
            for (n, &key) in self.wide.iter().enumerate() {
                found(n, key as u32 as usize);
            }
        }
    }
}

/// The positions in the order of the numbers along an axis.
pub(crate) unsafe fn argsort<T: Ordered>(
    x: &Operand,
    out: &mut OperandMut,
    axis: i64,
    descending: bool,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    // SAFETY: as above.
    let out = unsafe { Target::<i64>::new(out, x.len()) }?;
    let lanes = Lanes::new(x.shape(), axis)?;
    lanes.each(&|group| {
        let values = lanes.read(&x, group)?;
        let mut found = list(values.len())?;
        let mut positions = Positions::new::<T>(lanes.length)?;
        let length = lanes.length.max(1);
        for (lane, found) in values
            .chunks_exact(length)
            .zip(found.chunks_exact_mut(length))
        {
            positions.of(lane, descending, |n, at| found[n] = at as i64);
        }
        lanes.write(&out, group, &found);
        Ok(())
    })
}

/// As many of the largest are kept sorted while a lane is read; more are selected, then sorted.
const FEW: usize = 64;
/// Elements that are compared at once with the smallest of those that are kept.
const TOGETHER: usize = 64;

/// The first `best.len()` in descending order.
fn top<T: Ordered>(lane: &[T], best: &mut [Placed], all: &mut Vec<Placed>) {
    let k = best.len();
    if k > FEW {
        all.clear();
        all.extend(
            lane.iter()
                .enumerate()
                .map(|(at, &value)| placed(value, at, true)),
        );
        if k < all.len() {
            all.select_nth_unstable(k);
        }
        all[..k].sort_unstable();
        best.copy_from_slice(&all[..k]);
        return;
    }
    let (first, rest) = lane.split_at(k);
    for (at, &value) in first.iter().enumerate() {
        best[at] = placed(value, at, true);
    }
    best.sort_unstable();
    let Some(last) = k.checked_sub(1) else {
        return;
    };
    for (n, some) in rest.chunks(TOGETHER).enumerate() {
        // Of equal ones the earlier is kept, so that a number which is not larger is no candidate.
        let least = lane[best[last] as u32 as usize];
        let larger = |value: T| value > least || least.is_nan() && !value.is_nan();
        if !some.iter().fold(false, |any, &value| any | larger(value)) {
            continue;
        }
        for (m, &value) in some.iter().enumerate() {
            let candidate = placed(value, k + n * TOGETHER + m, true);
            if candidate < best[last] {
                let place = best.partition_point(|&other| other < candidate);
                best.copy_within(place..last, place + 1);
                best[place] = candidate;
            }
        }
    }
}

/// The largest numbers along an axis, in descending order, and their positions.
pub(crate) unsafe fn top_k<T: Ordered>(
    x: &Operand,
    values: &mut OperandMut,
    positions: &mut OperandMut,
    axis: i64,
    k: i64,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    let lanes = Lanes::new(x.shape(), axis)?;
    let k = usize::try_from(k)
        .ok()
        .filter(|&k| k <= lanes.length)
        .ok_or_else(|| malformed(format!("the {k} largest of {}", lanes.length)))?;
    // SAFETY: as above.
    let (values, positions) = unsafe {
        (
            Target::<T>::new(values, lanes.count() * k)?,
            Target::<i64>::new(positions, lanes.count() * k)?,
        )
    };
    if k == 0 {
        return Ok(());
    }
    lanes.each(&|group| {
        let read = lanes.read(&x, group)?;
        let mut best = list(k)?;
        let mut all = Vec::new();
        if k > FEW {
            reserve(&mut all, lanes.length)?;
        }
        let (mut found, mut places) = (list(group.count * k)?, list(group.count * k)?);
        for (n, lane) in read.chunks_exact(lanes.length).enumerate() {
            top(lane, &mut best, &mut all);
            for (m, &key) in best.iter().enumerate() {
                let at = key as u32 as usize;
                found[n * k + m] = lane[at];
                places[n * k + m] = at as i64;
            }
        }
        lanes.write(&values, group, &found);
        lanes.write(&positions, group, &places);
        Ok(())
    })
}

/// The distinct numbers in their order, where each element is among them, and how often each is there. The results are as long as `x`, and only as
/// many elements as this returns are written of the first and the last.
pub(crate) unsafe fn unique<T: Ordered>(
    x: &Operand,
    values: &mut OperandMut,
    inverse: &mut OperandMut,
    counts: &mut OperandMut,
) -> Result<i64, Error> {
    // SAFETY: the caller's promise.
    let x = unsafe { Source::<T>::new(x) }?;
    // SAFETY: as above.
    let (values, inverse, counts) = unsafe {
        (
            Target::<T>::new(values, x.len())?,
            Target::<i64>::new(inverse, x.len())?,
            Target::<i64>::new(counts, x.len())?,
        )
    };
    let all = x.all()?;
    let mut last = None;
    let (mut distinct, mut count) = (0, 0);
    Positions::new::<T>(all.len())?.of(&all, false, |_, at| {
        let key = Some(all[at].key());
        if key != last {
            values.set(distinct, all[at]);
            (last, distinct, count) = (key, distinct + 1, 0);
        }
        count += 1;
        counts.set(distinct - 1, count);
        inverse.set(at, distinct as i64 - 1);
    });
    Ok(distinct as i64)
}

/// Where numbers belong in a sorted list: before those that are equal, or behind them.
pub(crate) unsafe fn search<T: Ordered>(
    sorted: &Operand,
    x: &Operand,
    out: &mut OperandMut,
    right: bool,
) -> Result<(), Error> {
    // SAFETY: the caller's promise.
    let (sorted, x) = unsafe { (Source::<T>::new(sorted)?, Source::<T>::new(x)?) };
    // SAFETY: as above.
    let out = unsafe { Target::<i64>::new(out, x.len()) }?;
    let sorted = sorted.all()?;
    crate::lanes::units(x.len().div_ceil(SEARCHED), x.len(), &|unit| {
        for at in unit * SEARCHED..x.len().min((unit + 1) * SEARCHED) {
            let key = x.get(at).key();
            let place = sorted.partition_point(|other| {
                let other = other.key();
                other < key || right && other == key
            });
            out.set(at, place as i64);
        }
        Ok(())
    })
}

/// The numbers that a unit of work searches for.
const SEARCHED: usize = 1 << 10;
