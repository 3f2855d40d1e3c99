//! Whether outputs overlap inputs or each other.

use std::collections::BTreeMap;

use crate::operand::{DType, Operand, OperandMut, Strided};

/// The range of addresses of an operand; `None` if it is empty.
fn span(data: *const u8, dtype: DType, layout: &Strided<&[i64]>) -> Option<(i128, i128)> {
    let (first, last) = layout.bounds()?;
    let (base, size) = (data.addr() as i128, dtype.width() as i128);
    Some((
        base + i128::from(first) * size,
        base + (i128::from(last) + 1) * size,
    ))
}

/// Whether outputs overlap inputs or previous outputs, asked for one after the other. The time for all is that of sorting.
pub(super) struct Meetings {
    /// The inputs by where they begin: that, and the farthest end of those up to here.
    inputs: smallvec::SmallVec<[(i128, i128); 8]>,
    /// What the outputs so far cover, as disjoint ranges: the end by the beginning.
    covered: BTreeMap<i128, i128>,
    /// How many outputs there are to come; the last need not be kept, so that programs with one output allocate nothing.
    left: usize,
}

impl Meetings {
    pub fn new(inputs: &[Operand], outputs: usize) -> Meetings {
        let of = |input: &Operand| match input {
            Operand::Tensor {
                dtype,
                data,
                layout,
            } => span(*data, *dtype, layout),
            Operand::Number(_) => None,
        };
        let mut meetings = Meetings {
            inputs: smallvec::SmallVec::new(),
            covered: BTreeMap::new(),
            left: outputs,
        };
        // Extended where it is, since a list that is collected is moved.
        let spans = &mut meetings.inputs;
        spans.extend(inputs.iter().filter_map(of));
        spans.sort_unstable();
        let mut farthest = i128::MIN;
        for (_, end) in spans {
            farthest = farthest.max(*end);
            *end = farthest;
        }
        meetings
    }

    /// Whether the next output overlaps an input, or a previous output.
    pub fn next(&mut self, output: &OperandMut) -> bool {
        self.left = self.left.saturating_sub(1);
        let Some((from, to)) = span(output.data, output.dtype, &output.layout) else {
            return false;
        };
        let before = self.inputs.partition_point(|&(begin, _)| begin < to);
        let mut meets = before > 0 && self.inputs[before - 1].1 > from;
        let (mut begin, mut end) = (from, to);
        while let Some((&a, &b)) = self.covered.range(..end).next_back() {
            if b <= begin {
                break;
            }
            meets = true;
            self.covered.remove(&a);
            (begin, end) = (begin.min(a), end.max(b));
        }
        if self.left > 0 {
            self.covered.insert(begin, end);
        }
        meets
    }
}

#[cfg(test)]
mod tests {
    use super::{span, DType, Meetings, Operand, OperandMut, Strided};
    use crate::random::Random;

    /// So many elements at an address, of which nothing is read.
    fn at(start: usize, count: i64) -> (*mut u8, Strided<Vec<i64>>) {
        let layout =
            Strided::new(vec![count], vec![1], 0).unwrap_or_else(|error| panic!("{error}"));
        (std::ptr::without_provenance_mut(start), layout)
    }

    /// Whether each output meets an input or a previous output, by comparing all.
    fn naive(inputs: &[Operand], outputs: &[OperandMut]) -> Vec<bool> {
        let of = |output: &OperandMut| span(output.data, output.dtype, &output.layout);
        let overlap = |one: Option<(i128, i128)>, other: Option<(i128, i128)>| {
            one.zip(other).is_some_and(|(a, b)| a.0 < b.1 && b.0 < a.1)
        };
        (0..outputs.len())
            .map(|k| {
                inputs.iter().any(|input| match input {
                    Operand::Tensor {
                        dtype,
                        data,
                        layout,
                    } => overlap(of(&outputs[k]), span(*data, *dtype, layout)),
                    Operand::Number(_) => false,
                }) || outputs[..k]
                    .iter()
                    .any(|other| overlap(of(&outputs[k]), of(other)))
            })
            .collect()
    }

    #[test]
    fn outputs_meet_inputs_and_previous_outputs_as_all_pairs_say() {
        let mut random = Random(3);
        let mut next = |below: u64| random.below(below) as usize;
        let mut found = 0;
        for _ in 0..5_000 {
            let room = 10 + next(300) as u64;
            let mut sides = |count: usize| -> Vec<_> {
                (0..count)
                    .map(|_| {
                        let count = next(4) as i64;
                        at(64 + 4 * next(room), count)
                    })
                    .collect()
            };
            let (reads, writes) = (sides(5), sides(6));
            let inputs: Vec<Operand> = reads
                .iter()
                .map(|(data, layout)| Operand::Tensor {
                    dtype: DType::Float,
                    data: data.cast_const(),
                    layout: Strided::new(layout.shape(), layout.strides(), 0).unwrap(),
                })
                .collect();
            let outputs: Vec<OperandMut> = writes
                .iter()
                .map(|(data, layout)| OperandMut {
                    dtype: DType::Float,
                    data: *data,
                    layout: Strided::new(layout.shape(), layout.strides(), 0).unwrap(),
                })
                .collect();
            let mut meetings = Meetings::new(&inputs, outputs.len());
            let met: Vec<bool> = outputs.iter().map(|output| meetings.next(output)).collect();
            assert_eq!(met, naive(&inputs, &outputs));
            found += met.iter().filter(|&&meets| meets).count();
        }
        assert!((1_000..29_000).contains(&found), "{found}");
    }

    /// Compared in pairs, this would be 10^10 comparisons.
    #[test]
    fn a_hundred_thousand_outputs_are_compared() {
        let (count, wide) = (100_000, 3);
        let layout = Strided::new(vec![wide], vec![1], 0).unwrap_or_else(|error| panic!("{error}"));
        let outputs: Vec<OperandMut> = (0..count)
            .map(|n: usize| OperandMut {
                dtype: DType::Float,
                data: std::ptr::without_provenance_mut(64 + n * 7_919 % count * 12),
                layout: Strided::new(layout.shape(), layout.strides(), 0).unwrap(),
            })
            .collect();
        let mut meetings = Meetings::new(&[], count + 1);
        assert!(outputs.iter().all(|output| !meetings.next(output)));
        assert!(meetings.next(&outputs[5]));
    }
}
