//! Ranges and shapes given by `where`, the caller or a gradient.

use super::loops::Loops;
use super::Environment;
use crate::ast::{Assign, Extent, Index, Shape};
use crate::names::display;

/// The ranges given by `where`.
pub(crate) fn fixed_ranges(
    environment: &Environment,
    assign: &Assign,
    loops: &Loops,
) -> (Vec<Option<i64>>, Vec<bool>) {
    let mut ranges = vec![None; loops.names.len()];
    let mut fixed = vec![false; loops.names.len()];
    for (name, extent) in &assign.ranges {
        fixed[loops.id(name)] = true;
        ranges[loops.id(name)] = value(environment, extent).ok().map(|range| range.max(0));
    }
    (ranges, fixed)
}

/// The shape given by `where` or the caller's output, or both.
pub(crate) fn pinned_shape(
    environment: &Environment,
    assign: &Assign,
    label: &str,
    output: Option<&[i64]>,
    faults: &mut Vec<String>,
) -> Option<Vec<i64>> {
    let by_where = match &assign.shape {
        None => None,
        Some(Shape::Like(name)) => environment
            .tensor(name)
            .map(|id| environment.tensors[id].shape.clone()),
        Some(Shape::Sizes(sizes)) => {
            let sizes = sizes.iter().map(|extent| value(environment, extent).ok());
            sizes.collect()
        }
    };
    if let Some(output) = output {
        if output.len() != assign.left.len() {
            faults.push(format!(
                "{label}: it has rank {}, but the output has shape {output:?}",
                assign.left.len()
            ));
            return None;
        }
        if let Some(sizes) = by_where.as_deref().filter(|sizes| *sizes != output) {
            faults.push(format!(
                "{label}: it has shape {sizes:?}, but the output has shape {output:?}"
            ));
        }
    }
    // A ragged axis of what the target is like has length -1.
    let is_like = matches!(assign.shape, Some(Shape::Like(_)));
    let is_negative = |sizes: &&[i64]| !is_like && sizes.iter().any(|&size| size < 0);
    if let Some(sizes) = by_where.as_deref().filter(is_negative) {
        faults.push(format!(
            "{label}: the shape {sizes:?} has a negative length"
        ));
        return None;
    }
    by_where.or_else(|| output.map(<[i64]>::to_vec))
}

/// The faults of lengths of axes that tensors do not have.
pub(crate) fn faults(environment: &Environment, assign: &Assign, label: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for length in assign.lengths() {
        if let Err(fault) = value(environment, length) {
            let fault = format!("{label}: {fault}");
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
    faults
}

/// The constant part of an index: its constant, and the lengths in it. Sums saturate, which does not fit an index.
pub(crate) fn constant(environment: &Environment, index: &Index) -> i64 {
    let add = |sum: i64, (coefficient, length): &(i64, Extent)| {
        let length = value(environment, length).unwrap_or(0);
        sum.saturating_add(coefficient.saturating_mul(length))
    };
    index.lengths.iter().fold(index.constant, add)
}

/// The value of an extent.
pub(crate) fn value(environment: &Environment, extent: &Extent) -> Result<i64, String> {
    let (name, axis) = match extent {
        Extent::Number(number) => return Ok(*number),
        Extent::Range(statement, name) => return Ok(environment.ranges[*statement][name]),
        Extent::Sum(sum) => return Ok(constant(environment, sum)),
        // No index is as large.
        Extent::None | Extent::Rest => return Ok(i64::MAX),
        Extent::Size(name, axis) => (name, *axis),
        Extent::Len(name, indices) => (name, indices.len() as i64),
    };
    let shape = environment
        .tensor(name)
        .map_or(&[][..], |id| &environment.tensors[id].shape);
    let counted = if axis < 0 {
        axis.saturating_add(shape.len() as i64)
    } else {
        axis
    };
    let length = usize::try_from(counted).ok().and_then(|at| shape.get(at));
    if length == Some(&-1) {
        let shown = extent.to_string().replace("#0", "");
        if matches!(extent, Extent::Len(..)) {
            return Err(format!(
                "{shown} is the length of a ragged row, which this place cannot have"
            ));
        }
        return Err(format!(
            "{shown}, but that axis is ragged; the length of a row is len({}, ...)",
            display(name)
        ));
    }
    length.copied().ok_or_else(|| {
        let (rank, shown) = (shape.len(), extent.to_string());
        let name = display(name);
        format!("{}, but {name} has rank {rank}", shown.replace("#0", ""))
    })
}
