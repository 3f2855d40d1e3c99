//! Ranges and shapes given by `where`, the caller or a gradient.

use super::loops::Loops;
use super::Environment;
use crate::ast::{Assign, Extent, Shape};
use crate::names::display;

/// The ranges given by `where`.
pub(crate) fn fixed_ranges(
    environment: &Environment,
    assign: &Assign,
    loops: &Loops,
    label: &str,
    faults: &mut Vec<String>,
) -> (Vec<Option<i64>>, Vec<bool>) {
    let mut ranges = vec![None; loops.names.len()];
    let mut fixed = vec![false; loops.names.len()];
    for (name, extent) in &assign.ranges {
        fixed[loops.id(name)] = true;
        match value(environment, extent) {
            Ok(range) => ranges[loops.id(name)] = Some(range),
            Err(fault) => faults.push(format!("{label}: {fault}")),
        }
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
            let sizes = sizes.iter().map(|extent| value(environment, extent));
            match sizes.collect::<Result<Vec<i64>, String>>() {
                Ok(sizes) => Some(sizes),
                Err(fault) => {
                    faults.push(format!("{label}: {fault}"));
                    None
                }
            }
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
    by_where.or_else(|| output.map(<[i64]>::to_vec))
}

/// The value of an extent.
pub(crate) fn value(environment: &Environment, extent: &Extent) -> Result<i64, String> {
    match extent {
        Extent::Number(number) => Ok(*number),
        Extent::Range(statement, name) => Ok(environment.ranges[*statement][name]),
        Extent::Size(name, axis) => {
            let shape = environment
                .tensor(name)
                .map_or(&[][..], |id| &environment.tensors[id].shape);
            let name = display(name);
            let counted = if *axis < 0 {
                axis.saturating_add(shape.len() as i64)
            } else {
                *axis
            };
            let length = usize::try_from(counted).ok().and_then(|at| shape.get(at));
            match length {
                Some(-1) => Err(format!(
                    "size({name},{axis}), but that axis of {name} is ragged; the length of a row is len({name}, ...)"
                )),
                Some(&length) => Ok(length),
                None => Err(format!("size({name},{axis}), but {name} has rank {}", shape.len())),
            }
        }
    }
}
