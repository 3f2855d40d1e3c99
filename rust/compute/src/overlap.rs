//! Whether what a call writes overlaps what else it touches, for all boundaries alike: these refuse such outputs. A plan takes them, and computes in
//! memory of its own first.

use std::ops::Range;

use smallvec::SmallVec;
use tensornio_core::copy::overlap;

/// An extent that is written, one from `written` on, and another that it overlaps: the later one first. The time is that of sorting.
pub fn written_twice(extents: &[Range<usize>], written: usize) -> Option<(usize, usize)> {
    // Extended, not collected, which would move it.
    let mut order = SmallVec::<[usize; 16]>::new();
    order.extend((0..extents.len()).filter(|&n| !extents[n].is_empty()));
    order.sort_unstable_by_key(|&n| extents[n].start);
    // Of those that begin before, those that reach farthest: of all, and of those that are written.
    let (mut any, mut out): (Option<usize>, Option<usize>) = (None, None);
    for n in order {
        let farthest = if n < written { out } else { any };
        if let Some(other) = farthest.filter(|&other| overlap(&extents[n], &extents[other])) {
            return Some((n.max(other), n.min(other)));
        }
        let ends_after = |m: &usize| extents[*m].end >= extents[n].end;
        any = any.filter(ends_after).or(Some(n));
        if n >= written {
            out = out.filter(ends_after).or(Some(n));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{overlap, written_twice, Range};
    use crate::random::Random;

    /// Whether some extent that is written overlaps another, one after the other.
    fn naive(extents: &[Range<usize>], written: usize) -> bool {
        (written..extents.len()).any(|out| {
            (0..extents.len()).any(|other| other != out && overlap(&extents[out], &extents[other]))
        })
    }

    #[test]
    fn extents_that_are_written_and_overlap_are_found() {
        let mut random = Random(1);
        let mut next = |below: u64| random.below(below) as usize;
        let mut found = 0;
        for _ in 0..20_000 {
            let count = next(7);
            let extents: Vec<Range<usize>> = (0..count)
                .map(|_| {
                    let start = next(40);
                    start..start + next(6)
                })
                .collect();
            let written = next(count as u64 + 1);
            let pair = written_twice(&extents, written);
            assert_eq!(
                pair.is_some(),
                naive(&extents, written),
                "{extents:?} {written}"
            );
            if let Some((out, other)) = pair {
                assert!(out >= written && out != other, "{extents:?} {written}");
                assert!(
                    overlap(&extents[out], &extents[other]),
                    "{extents:?} {written}"
                );
                found += 1;
            }
        }
        assert!((2_000..18_000).contains(&found), "{found}");
    }

    /// Compared in pairs, this would be 10^12 comparisons.
    #[test]
    fn a_million_extents_are_compared() {
        let mut extents: Vec<Range<usize>> = (0..1_000_000)
            .map(|n: usize| {
                let start = n.wrapping_mul(7_919) % 1_000_000 * 10;
                start..start + 10
            })
            .collect();
        assert_eq!(written_twice(&extents, 500_000), None);
        let last = extents[3].clone();
        extents.push(last);
        assert_eq!(written_twice(&extents, 500_000), Some((1_000_000, 3)));
        assert_eq!(written_twice(&extents, 1_000_001), None);
    }
}
