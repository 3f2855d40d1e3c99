//! The order of the loops of a nest.

use super::nest::Nest;
use super::ranges::Range;
use super::tensor::Tensor;
use crate::bound::LoopId;

/// The order of the loops: what a range depends on first, then those of the sparse reads of the support by their axes, then the others.
pub(super) fn order(nest: &Nest, tensors: &[Tensor<'_>]) -> (Vec<LoopId>, Vec<LoopId>) {
    let count = nest.names.len();
    let depends: Vec<Vec<LoopId>> = (0..count).map(|id| nest.ranges.depends(id)).collect();
    // Lengths of rows come as soon as they may, if ranges depend on them.
    let (early, late) = nest.all_lengths().into_iter().partition(|id| {
        let of_loop = |other: &usize| matches!(nest.ranges.ranges[*other], Range::Rows(_));
        (0..count)
            .filter(of_loop)
            .any(|other| depends[other].contains(id))
    });
    let late: Vec<LoopId> = late;
    let mut wanted: Vec<LoopId> = early;
    let mut add = |id: LoopId| {
        if !wanted.contains(&id) && !late.contains(&id) {
            wanted.push(id);
        }
    };
    let mut leaves = Vec::new();
    nest.support.leaves(&mut leaves);
    leaves.sort_by_key(|&leaf| {
        let points = tensors[nest.reads[leaf].tensor].points();
        // Rows of the result first: then nothing is to be sorted again.
        let terms = nest.reads[leaf].indices.first();
        let leads = terms.and_then(|index| index.affine.terms.first());
        let is_kept = leads.is_some_and(|term| nest.kept.first() == Some(&term.0));
        (
            !is_kept,
            std::cmp::Reverse(points.map_or(0, |points| points.count)),
        )
    });
    for leaf in leaves {
        for index in &nest.reads[leaf].indices {
            index.affine.terms.iter().for_each(|&(id, _)| add(id));
        }
    }
    // Rows before what is the same for all rows, which is innermost.
    let in_rows =
        |id: LoopId| !depends[id].is_empty() || depends.iter().any(|needs| needs.contains(&id));
    let kept = |id: &LoopId| nest.kept.contains(id);
    for of_rows in [true, false] {
        nest.kept
            .iter()
            .filter(|&&id| in_rows(id) == of_rows)
            .for_each(|&id| add(id));
        (0..count)
            .filter(|id| !kept(id) && in_rows(*id) == of_rows)
            .for_each(&mut add);
    }
    let mut order = Vec::new();
    while !wanted.is_empty() {
        let ready = wanted
            .iter()
            .position(|&id| depends[id].iter().all(|need| order.contains(need)));
        // A range never depends on itself: it was found after what it depends on.
        order.push(wanted.remove(ready.unwrap_or(0)));
    }
    (order, late)
}
