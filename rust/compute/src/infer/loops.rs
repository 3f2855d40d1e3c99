//! The loops of a statement.

use std::collections::HashMap;

use super::{sizes, Environment};
use crate::ast::{self, Assign};
use crate::bound::{Affine, LoopId};

/// The loops of a statement, by name.
pub(crate) struct Loops {
    pub names: Vec<String>,
    ids: HashMap<String, LoopId>,
    /// The number of loops of the text. Those behind them are lengths of rows, which other loops determine.
    pub count: usize,
}

impl Loops {
    pub fn of(assign: &Assign) -> Loops {
        let names = assign.loops();
        Loops::with(names, std::iter::empty())
    }

    /// Loops of the text, and lengths of rows.
    pub fn with(mut names: Vec<String>, lengths: impl Iterator<Item = String>) -> Loops {
        let count = names.len();
        names.extend(lengths);
        let ids = names.iter().cloned().zip(0..).collect();
        Loops { names, ids, count }
    }

    /// Whether a loop is the length of a row.
    pub fn is_length(&self, id: LoopId) -> bool {
        id >= self.count
    }

    /// The number of a loop of this statement.
    pub fn id(&self, name: &str) -> LoopId {
        self.ids[name]
    }

    /// The affine form of an index. Lengths that are not known, and so are faults, are 0.
    pub fn affine(&self, environment: &Environment, index: &ast::Index) -> Affine {
        let mut terms: Vec<_> = index
            .terms
            .iter()
            .map(|(coefficient, name)| (self.id(name), *coefficient))
            .collect();
        terms.sort_unstable();
        Affine {
            constant: sizes::constant(environment, index),
            terms,
        }
    }
}
