//! The shape of a target that `where` gives, of which some lengths are those of rows: a nest of its own, whose loops are the positions on the axes.

use std::collections::HashMap;

use super::lengths;
use super::nest::Nest;
use super::ranges;
use super::support::Support;
use crate::ast::{Assign, Expr, Extent, Index, Literal, Op, Shape};
use crate::bound;
use crate::infer::loops::Loops;
use crate::infer::Environment;

/// The nest over the elements of a target, and an index for each axis.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub nest: Nest,
    pub left: Vec<bound::Index>,
    /// The lengths that depend on no row; -1 of others.
    pub shape: Vec<i64>,
}

/// Whether a length of a shape depends on loops or rows.
pub(super) fn varies(environment: &Environment, extent: &Extent) -> bool {
    match extent {
        Extent::Sum(sum) => {
            let mut lengths = sum.lengths.iter();
            !sum.terms.is_empty() || lengths.any(|(_, length)| varies(environment, length))
        }
        _ => lengths::is_of_row(environment, extent),
    }
}

/// The shape that `where` gives; none if all lengths are numbers. Names that are no loops of the statement are positions on the axes, in order.
pub(super) fn given(
    environment: &mut Environment,
    assign: &Assign,
    label: &str,
) -> Result<Option<Given>, Vec<String>> {
    let Some(Shape::Sizes(sizes)) = &assign.shape else {
        return Ok(None);
    };
    if !sizes.iter().any(|size| varies(environment, size)) {
        return Ok(None);
    }
    let name = label.split('#').next().unwrap_or(label);
    if assign.sparse {
        return Err(vec![format!(
            "{label}: {name} is sparse, and has no ragged axes"
        )]);
    }
    let loops = assign.loops();
    let mut names: Vec<String> = Vec::new();
    for size in sizes {
        size.visit(&mut |index| {
            for (_, name) in &index.terms {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        });
    }
    let mut positions = HashMap::new();
    let mut next = 0;
    for name in names {
        let axis = if loops.contains(&name) {
            let axis = assign
                .left
                .iter()
                .position(|index| index.lone() == Some(&name));
            axis.ok_or_else(|| {
                vec![format!("{label}: the shape depends on {name}, which is a loop that is no index of its own on the left side")]
            })?
        } else {
            next += 1;
            next - 1
        };
        positions.insert(name, position(axis));
    }
    for (axis, size) in sizes.iter().enumerate() {
        let mut later = None;
        size.visit(&mut |index| {
            let is_before =
                |name: &&String| (0..axis).any(|before| positions[*name] == position(before));
            let mut names = index.terms.iter().map(|(_, name)| name);
            later = later.or(names.find(|name| !is_before(name)));
        });
        if let Some(later) = later {
            return Err(vec![format!(
                "{label}: the length of axis {axis} depends on {later}, which is no position on an axis before it"
            )]);
        }
    }
    let ranges = sizes.iter().enumerate().map(|(axis, size)| {
        let mut size = size.clone();
        extent(&mut size, &positions);
        (position(axis), size)
    });
    let shape = Assign {
        target: assign.target.clone(),
        left: (0..sizes.len())
            .map(|axis| Index::of(position(axis)))
            .collect(),
        op: Op::Set,
        value: Expr::Literal(Literal::Integer(0)),
        ranges: ranges.collect(),
        shape: None,
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: Vec::new(),
    };
    let names = shape.loops();
    let (shape, lengths) = lengths::written_out(environment, &shape)
        .ok_or_else(|| vec![format!("{label}: an index does not fit INT64")])?;
    let loops = Loops::with(names, lengths.iter().map(|length| length.name.clone()));
    let ranges = ranges::find(environment, &shape, &loops, label, &[], None, &lengths)?;
    let lengths = ranges.ranges[..sizes.len()].iter();
    let left = (0..sizes.len()).map(|axis| bound::Index {
        affine: bound::Affine {
            constant: 0,
            terms: vec![(axis, 1)],
        },
        look_up: None,
        checked: false,
    });
    Ok(Some(Given {
        shape: lengths
            .map(|range| match range {
                ranges::Range::Fixed(length) => *length,
                _ => -1,
            })
            .collect(),
        left: left.collect(),
        nest: Nest {
            kept: (0..sizes.len()).collect(),
            names: loops.names,
            ranges,
            support: Support::All,
            reads: Vec::new(),
            alone: false,
        },
    }))
}

/// The name of the position on an axis, which no text can have.
fn position(axis: usize) -> String {
    format!("p{axis}'")
}

fn extent(of: &mut Extent, names: &HashMap<String, String>) {
    match of {
        Extent::Len(_, indices) => indices.iter_mut().for_each(|each| index(each, names)),
        Extent::Sum(sum) => index(sum, names),
        _ => {}
    }
}

/// Replaces names in an index.
fn index(of: &mut Index, names: &HashMap<String, String>) {
    for (_, name) in &mut of.terms {
        if let Some(new) = names.get(name) {
            *name = new.clone();
        }
    }
    of.lengths
        .iter_mut()
        .for_each(|(_, length)| extent(length, names));
    if let Some(look_up) = &mut of.look_up {
        let indices = look_up.indices.iter_mut();
        indices.for_each(|each| index(each, names));
    }
}
