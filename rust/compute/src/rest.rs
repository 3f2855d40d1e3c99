//! `...` in brackets: the statement with a loop for each axis that the text does not name, once ranks are known.
//!
//! All `...` of a statement are the same loops, aligned at the last one. An operand may lack the first ones; at a loop that is longer than 1, an axis
//! of length 1 is read at 0.

use std::collections::HashSet;

use crate::ast::{Access, Assign, Expr, Extent, Index, Shape, Statement};
use crate::names::display;

impl Assign {
    /// The accesses with `...`, in order of the text.
    pub(crate) fn rests(&self) -> Vec<&Access> {
        let has_rest = |access: &&Access| access.indices.iter().any(|index| index.rest);
        self.accesses().into_iter().filter(has_rest).collect()
    }

    /// Whether it has `...` anywhere.
    pub(crate) fn is_open(&self) -> bool {
        self.left.iter().any(|index| index.rest) || !self.rests().is_empty()
    }
}

/// The names of loops of `...`: not used by these statements.
pub(crate) struct Fresh(HashSet<String>);

impl Fresh {
    pub fn new(statements: &[Statement]) -> Fresh {
        let mut taken = HashSet::new();
        for statement in statements {
            for assign in statement.assigns() {
                taken.insert(assign.target.clone());
                taken.extend(assign.loops());
                taken.extend(assign.accesses().iter().map(|read| read.tensor.clone()));
            }
        }
        Fresh(taken)
    }

    /// The loops of so many axes: the last one is `rest_1`.
    fn loops(&self, count: usize) -> Vec<String> {
        let names = (1..).map(|n| format!("rest_{n}"));
        let mut loops: Vec<String> = names
            .filter(|name| !self.0.contains(name))
            .take(count)
            .collect();
        loops.reverse();
        loops
    }
}

/// The statement if `...` stands for no axes.
pub(crate) fn collapsed(assign: &Assign) -> Assign {
    replaced(assign, &[], &|_| Some(Vec::new()))
}

/// The statement written out for tensors of these shapes; an output's shape, if it is given, must be the inferred one. Tensors of which `is_open`
/// says so have no shape yet: they have all axes of `...`.
///
/// # Errors
/// The faults of ranks and lengths. None if there is a tensor without a shape.
pub(crate) fn written_out(
    assign: &Assign,
    fresh: &Fresh,
    shape: &dyn Fn(&str) -> Option<Vec<i64>>,
    pinned: Option<&[i64]>,
    is_open: &dyn Fn(&str) -> bool,
) -> Result<Assign, Option<Vec<String>>> {
    let label = display(&assign.target);
    let mut faults = Vec::new();
    // The lengths of the axes from the last one on, and the operands that gave them.
    let mut lengths: Vec<(i64, &str)> = Vec::new();
    for access in assign.rests() {
        if is_open(&access.tensor) {
            continue;
        }
        let name = display(&access.tensor);
        let shape = shape(&access.tensor).ok_or(None)?;
        let Some(axes) = axes_of(access, &shape) else {
            let (rank, least) = (shape.len(), access.indices.len() - 1);
            let plural = if least == 1 { "index" } else { "indices" };
            faults.push(format!(
                "{label}: {name} has rank {rank}, at least {least} {plural} given"
            ));
            continue;
        };
        for (at, &length) in axes.iter().rev().enumerate() {
            match lengths.get_mut(at) {
                None => lengths.push((length, name)),
                Some((known, _)) if *known == length || length == 1 => {}
                Some(known) if known.0 == 1 => *known = (length, name),
                Some((known, by)) => faults.push(format!(
                    "{label}: axis -{} of ... is {} by {by} and {} by {name}",
                    at + 1,
                    shown(*known),
                    shown(length)
                )),
            }
        }
    }
    lengths.reverse();
    let lengths: Vec<i64> = lengths.into_iter().map(|(length, _)| length).collect();
    if let (Some(before), Some(pinned)) = (assign.left.iter().position(|index| index.rest), pinned)
    {
        let end = before + lengths.len();
        let given = pinned.get(before..end);
        if pinned.len() + 1 == assign.left.len() + lengths.len() && given != Some(&lengths[..]) {
            faults.push(format!(
                "{label}: ... is {lengths:?}, but the output has shape {pinned:?}"
            ));
        }
    }
    let has_rest = match &assign.shape {
        Some(Shape::Sizes(sizes)) => sizes.contains(&Extent::Rest),
        _ => false,
    };
    if let (Some(at), true) = (lengths.iter().rposition(|&length| length < 0), has_rest) {
        faults.push(format!(
            "{label}: axis -{} of ... is ragged, so that where gives no shape for it",
            lengths.len() - at
        ));
    }
    if !faults.is_empty() {
        return Err(Some(faults));
    }
    let names = fresh.loops(lengths.len());
    let loops: Vec<(String, i64)> = names.into_iter().zip(lengths).collect();
    Ok(replaced(assign, &loops, &|access| {
        if is_open(&access.tensor) {
            return Some(loops.iter().map(|(_, range)| *range).collect());
        }
        axes_of(access, &shape(&access.tensor)?).map(<[i64]>::to_vec)
    }))
}

/// The length of an axis in messages.
fn shown(length: i64) -> String {
    match length {
        0.. => length.to_string(),
        _ => "ragged".to_owned(),
    }
}

/// The lengths of the axes for which `...` stands in an access; none if the tensor has fewer axes than other indices.
pub(crate) fn axes_of<'a>(access: &Access, shape: &'a [i64]) -> Option<&'a [i64]> {
    let before = access.indices.iter().position(|index| index.rest)?;
    let after = access.indices.len() - 1 - before;
    shape.get(before..shape.len().checked_sub(after)?)
}

/// The statement with these loops and their ranges in place of `...`; `axes` gives the lengths of the axes for which it stands in an access.
fn replaced(
    assign: &Assign,
    loops: &[(String, i64)],
    axes: &dyn Fn(&Access) -> Option<Vec<i64>>,
) -> Assign {
    let replace = Replace { loops, axes };
    let mut assign = assign.clone();
    if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
        if let Some(at) = sizes.iter().position(|size| *size == Extent::Rest) {
            sizes.splice(
                at..=at,
                loops.iter().map(|(_, range)| Extent::Number(*range)),
            );
        }
    }
    let all = loops.iter().map(|(name, _)| Index::of(name.clone()));
    replace.indices(&mut assign.left, all.collect());
    replace.expr(&mut assign.value);
    // The range of a loop at a ragged axis is that of each row.
    let ranges = loops.iter().filter(|(_, range)| *range >= 0);
    let ranges = ranges.map(|(name, range)| (name.clone(), Extent::Number(*range)));
    assign.ranges.extend(ranges);
    assign
}

/// The statement with 0 for each axis for which `...` stands in reads of tensors of these shapes: what is left of it gives ranges of other loops.
pub(crate) fn narrowed(assign: &Assign, shape: &dyn Fn(&str) -> Option<Vec<i64>>) -> Assign {
    let mut assign = assign.clone();
    crate::scan::visit_accesses(&mut assign, &mut |access| {
        let rank =
            shape(&access.tensor).map(|shape| axes_of(access, &shape).map_or(0, <[i64]>::len));
        if let Some(at) = access.indices.iter().position(|index| index.rest) {
            let zeros = vec![Index::number(0); rank.unwrap_or(0)];
            access.indices.splice(at..=at, zeros);
        }
    });
    assign
}

struct Replace<'a> {
    loops: &'a [(String, i64)],
    axes: &'a dyn Fn(&Access) -> Option<Vec<i64>>,
}

impl Replace<'_> {
    fn expr(&self, expr: &mut Expr) {
        if let Expr::Read(access) = expr {
            self.access(access);
        }
        expr.children_mut()
            .into_iter()
            .for_each(|child| self.expr(child));
    }

    fn access(&self, access: &mut Access) {
        let lengths = (self.axes)(access).unwrap_or_default();
        let own = &self.loops[self.loops.len() - lengths.len()..];
        let rest = own.iter().zip(lengths).map(|((name, range), length)| {
            if length == *range {
                Index::of(name.clone())
            } else {
                Index::number(0)
            }
        });
        self.indices(&mut access.indices, rest.collect());
    }

    /// Replaces `...` in a bracket by these indices, and that in look-ups of it.
    fn indices(&self, indices: &mut Vec<Index>, rest: Vec<Index>) {
        for index in indices.iter_mut() {
            if let Some(access) = &mut index.look_up {
                self.access(access);
            }
        }
        if let Some(at) = indices.iter().position(|index| index.rest) {
            indices.splice(at..=at, rest);
        }
    }
}
