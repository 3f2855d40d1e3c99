//! A contribution to an adjoint as a statement.
//!
//! The contribution of `o[left] += f` to `dR[a]` runs over the loops of that statement. In scatter form it writes at
//! `a`. In gather form it runs over the axes `m` of `dR`, and each equation `m = a` is solved for a loop: `o[x] +=
//! I[x+k] * K[k]` contributes `dI[m] += guard(0 <= m-k < range of x, do[m-k] * K[k])`.

use super::expression::Part;
use super::substitute::Substitution;
use crate::ast::{Assign, Condition, Expr, Extent, Index, Op, Shape};

/// The statement for a part of statement `at`; its target has no name yet.
pub(super) fn statement(at: usize, statement: &Assign, part: Part, scatter: bool) -> Assign {
    let mut part = part;
    part.guards.extend(statement.guards.iter().cloned());
    let gathered = if scatter {
        None
    } else {
        gather(at, statement, &part)
    };
    gathered.unwrap_or_else(|| scatter_form(at, statement, part))
}

/// Writes wherever the statement reads; where a guard prevents the read, it does not write.
fn scatter_form(at: usize, statement: &Assign, part: Part) -> Assign {
    let ranges = statement
        .loops()
        .into_iter()
        .map(|name| (name.clone(), Extent::Range(at, name)));
    Assign {
        target: String::new(),
        left: part.access.indices,
        op: Op::Sum,
        value: part.value,
        ranges: ranges.collect(),
        shape: Some(Shape::Like(part.access.tensor.clone())),
        guards: part.guards,
        sparse: false,
        stored: Vec::new(),
        adjoint: vec![part.access.tensor, statement.target.clone()],
    }
}

/// Runs over the axes of the tensor read, if each can be solved for a loop.
fn gather(at: usize, statement: &Assign, part: &Part) -> Option<Assign> {
    let loops = statement.loops();
    let solution = solve(at, &part.access.indices, &loops)?;
    let mut guards = Vec::new();
    let mut ranges: Vec<(String, Extent)> = (0..part.access.indices.len())
        .map(|axis| {
            (
                axis_loop(at, axis),
                Extent::Size(part.access.tensor.clone(), axis as i64),
            )
        })
        .collect();
    let mut reduces = false;
    for name in &loops {
        let range = Extent::Range(at, name.clone());
        match solution.get(name) {
            Some(index) => guards.push(Condition::within(index.clone(), range)),
            None => {
                ranges.push((name.clone(), range));
                reduces = true;
            }
        }
    }
    guards.extend(solution.conditions(&part.guards)?);
    let value = solution.expr(&part.value)?;
    Some(Assign {
        target: String::new(),
        left: (0..part.access.indices.len())
            .map(|axis| Index::of(axis_loop(at, axis)))
            .collect(),
        op: if reduces { Op::Sum } else { Op::Set },
        value: if guards.is_empty() {
            value
        } else {
            Expr::Guard(guards, Box::new(value))
        },
        ranges,
        shape: Some(Shape::Like(part.access.tensor.clone())),
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: vec![part.access.tensor.clone(), statement.target.clone()],
    })
}

/// Solves `axis = index` on every axis for a loop with coefficient 1 or -1; of several, for the first in the statement, where those of the left side
/// come first: then the loops that remain to be reduced are those that the statement reduces.
fn solve(at: usize, indices: &[Index], loops: &[String]) -> Option<Substitution> {
    let mut solution = Substitution::default();
    for (axis, index) in indices.iter().enumerate() {
        if index.look_up.is_some() {
            return None;
        }
        let index = solution.index(index)?;
        let coefficient_of = |name: &String| {
            index
                .terms
                .iter()
                .find(|(_, other)| other == name)
                .map(|&(coefficient, _)| coefficient)
        };
        let (name, coefficient) = loops.iter().find_map(|name| {
            coefficient_of(name)
                .filter(|coefficient| coefficient.abs() == 1)
                .map(|found| (name, found))
        })?;
        // loop = coefficient * (axis - rest), as 1 / coefficient is coefficient.
        let mut rest = index.clone();
        rest.terms.retain(|(_, other)| other != name);
        let mut becomes = Index::default();
        becomes.add(&Index::of(axis_loop(at, axis)), coefficient)?;
        becomes.add(&rest, coefficient.checked_neg()?)?;
        solution.insert(name, becomes)?;
    }
    Some(solution)
}

/// The name of the loop over an axis of the tensor that statement `at` reads. It is unique: no text has such names, nor
/// has that statement, even if it is itself a part of a gradient.
fn axis_loop(at: usize, axis: usize) -> String {
    format!("m{axis}'{at}")
}
