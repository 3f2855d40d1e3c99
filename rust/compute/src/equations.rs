//! Equations between the lengths of axes, before any length is known: the input of a graph's dimension inference.

use std::collections::HashSet;

use crate::ast::{Access, Assign, Extent, Index, Shape};
use crate::batch::unguarded_of;
use crate::scan::Block;

/// The equations of an access to a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The number of the statement.
    pub statement: usize,
    /// The tensor; a redefinition of `C` is `C#2`, an input that is defined later, too, `C#0`.
    pub tensor: String,
    /// The length of each of its axes.
    pub axes: Vec<Length>,
}

/// The length of an axis, as far as a statement determines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Length {
    /// The range of a loop, shared by the equations of one statement.
    Loop(String),
    /// A number.
    Number(i64),
    /// Not determined before shapes are known.
    Unknown,
    /// `...`: the axes that the text does not name, whose number is not known.
    Rest,
}

/// The equations of plain statements, which may have `...`.
pub(crate) fn equations(statements: &[Assign], blocks: &[Block]) -> Vec<Equation> {
    let mut equations = Vec::new();
    for (number, assign) in statements.iter().enumerate() {
        let Some(block) = blocks
            .iter()
            .find(|block| block.statements.contains(&number))
        else {
            statement(number, assign, &mut equations);
            continue;
        };
        let mut assign = assign.clone();
        if let Some(range) = &block.range {
            assign.ranges.push((block.step.clone(), range.clone()));
        }
        // A tensor with one axis, which no text can name, has the length that the steps have in all statements.
        equations.push(Equation {
            statement: number,
            tensor: format!("{}'steps{}", block.step, block.statements.start),
            axes: vec![match &block.range {
                Some(Extent::Number(steps)) => Length::Number(*steps),
                Some(_) => Length::Unknown,
                None => Length::Loop(block.step.clone()),
            }],
        });
        // What is named beside the statements is of any rank.
        let is_first = number == block.statements.start;
        for tensor in block.beside().into_iter().filter(|_| is_first) {
            equations.push(Equation {
                statement: number,
                tensor,
                axes: vec![Length::Rest],
            });
        }
        statement(number, &assign, &mut equations);
        equations.retain(|equation| block.lag(&equation.tensor).is_none());
    }
    equations
}

fn statement(number: usize, assign: &Assign, equations: &mut Vec<Equation>) {
    let fixed = |name: &str| assign.ranges.iter().any(|(other, _)| other == name);
    let mut free: Vec<&Access> = Vec::new();
    unguarded_of(assign, &mut |access| free.push(access));
    // A loop that is also part of a compound index may be shorter than the axes that it indexes alone.
    let mut shortened = HashSet::new();
    for index in free.iter().flat_map(|access| &access.indices) {
        if index.lone().is_none() {
            shortened.extend(index.terms.iter().map(|(_, name)| name.as_str()));
        }
    }
    for access in assign.accesses() {
        let is_free = free.iter().any(|other| std::ptr::eq(*other, access));
        let axis = |index: &Index| match index.lone() {
            _ if index.rest => Length::Rest,
            Some(name) if is_free && !fixed(name) => Length::Loop(name.to_owned()),
            _ => Length::Unknown,
        };
        equations.push(Equation {
            statement: number,
            tensor: access.tensor.clone(),
            axes: access.indices.iter().map(axis).collect(),
        });
    }
    let range = |name: &str| assign.ranges.iter().find(|(other, _)| other == name);
    let known = |extent: &Extent| match extent {
        Extent::Number(length) => Length::Number(*length),
        Extent::Rest => Length::Rest,
        _ => Length::Unknown,
    };
    let left = |(axis, index): (usize, &Index)| {
        if let Some(Shape::Sizes(sizes)) = &assign.shape {
            return sizes.get(axis).map_or(Length::Unknown, known);
        }
        match index.lone() {
            _ if index.rest => Length::Rest,
            Some(name) => match range(name) {
                Some((_, extent)) => known(extent),
                None if shortened.contains(name) => Length::Unknown,
                None => Length::Loop(name.to_owned()),
            },
            None => Length::Unknown,
        }
    };
    equations.push(Equation {
        statement: number,
        tensor: assign.target.clone(),
        axes: assign.left.iter().enumerate().map(left).collect(),
    });
}
