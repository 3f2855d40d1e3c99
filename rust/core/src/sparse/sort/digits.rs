//! An LSD radix sort for a bucket whose keys are sparse; few records are sorted by insertion.
//!
//! Invariants:
//!
//! 1. After each digit the records are in order by the bits up to there, and those whose bits are equal in the order in which they came.
//! 2. So of equal offsets the last came last, and is the one that stays.
//! 3. The array that a pass reads is fully initialised: it is the input, or each of its places was written by the pass before.

use std::mem::MaybeUninit;

use super::distribution::Record;
use super::plan::Key;
use crate::element::Element;

/// Buckets of up to this many records are sorted by insertion.
const FEW: usize = 32;
/// The most bits of a digit, for few records and for many: clearing and accumulating the histogram costs as much as a digit has values.
const DIGITS: [u32; 2] = [8, 11];
/// This many records are many.
const MANY: usize = if cfg!(miri) { 40 } else { 2048 };

/// The entries of a sorted bucket; of equal offsets only the last.
pub(super) fn last_ones<O: Key, E: Element>(
    records: &[Record<O, E>],
) -> impl Iterator<Item = &Record<O, E>> {
    let following = records.iter().skip(1).map(|next| Some(next.offset));
    let following = following.chain(std::iter::once(None));
    let last = |(record, next): &(&Record<O, E>, _)| *next != Some(record.offset);
    records
        .iter()
        .zip(following)
        .filter(last)
        .map(|(record, _)| record)
}

/// A stable sort by offset between two arrays; returns the one that holds the result. With 0 bits all offsets are equal: only the last record is
/// returned, and no spare array is needed.
pub(super) fn order<'a, O: Key, E: Element>(
    records: &'a mut [Record<O, E>],
    spare: &'a mut [MaybeUninit<Record<O, E>>],
    bits: u32,
) -> &'a mut [Record<O, E>] {
    let n = records.len();
    if bits == 0 {
        return &mut records[n.saturating_sub(1)..];
    }
    if n <= FEW {
        for end in 1..n {
            let record = records[end];
            let mut at = end;
            while at > 0 && records[at - 1].offset > record.offset {
                records[at] = records[at - 1];
                at -= 1;
            }
            records[at] = record;
        }
        return records;
    }
    // SAFETY: of the same form. Nothing but records is written there.
    let records = unsafe { &mut *(&raw mut *records as *mut [MaybeUninit<Record<O, E>>]) };
    let (mut from, mut to) = (records, &mut spare[..n]);
    let passes = bits.div_ceil(DIGITS[usize::from(n >= MANY)]);
    let digit_bits = bits.div_ceil(passes);
    let mut counts = [0usize; 1 << DIGITS[1]];
    let counts = &mut counts[..1 << digit_bits];
    for shift in (0..bits).step_by(digit_bits as usize) {
        let mask = counts.len() - 1;
        let digit = |record: &Record<O, E>| (record.offset.wide() >> shift) as usize & mask;
        // SAFETY: all of them are records (invariant 3).
        let ordered = unsafe { &*(&raw const *from as *const [Record<O, E>]) };
        counts.fill(0);
        for record in ordered {
            counts[digit(record)] += 1;
        }
        if counts[digit(&ordered[0])] == n {
            continue;
        }
        let mut total = 0;
        for count in &mut *counts {
            total += std::mem::replace(count, total);
        }
        for record in ordered {
            let at = &mut counts[digit(record)];
            to[*at].write(*record);
            *at += 1;
        }
        (from, to) = (to, from);
    }
    // SAFETY: all of them are records (invariant 3).
    unsafe { &mut *(&raw mut *from as *mut [Record<O, E>]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_offsets_keep_their_order() {
        let mut records: Vec<Record<u32, u32>> = (0..if cfg!(miri) { 100 } else { 1000 })
            .map(|value| Record {
                offset: value * 7919 % 30 * 10,
                value,
            })
            .collect();
        let mut spare = vec![MaybeUninit::uninit(); records.len()];
        let sorted = order(&mut records, &mut spare, 9);
        assert!(sorted
            .windows(2)
            .all(|pair| (pair[0].offset, pair[0].value) < (pair[1].offset, pair[1].value)));
    }
}
