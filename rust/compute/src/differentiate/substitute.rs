//! Substitution of loops by affine forms of other loops.

use std::collections::HashMap;

use super::expression::{add, literal, mul};
use crate::ast::{Access, Condition, Expr, Extent, Index};

/// For each substituted loop its affine form, without look-ups.
#[derive(Default)]
pub(super) struct Substitution(HashMap<String, Index>);

impl Substitution {
    /// The affine form of a loop.
    pub fn get(&self, name: &str) -> Option<&Index> {
        self.0.get(name)
    }

    /// Adds a loop, also substituting it in existing affine forms. None if a number overflows.
    pub fn insert(&mut self, name: &str, becomes: Index) -> Option<()> {
        let one = Substitution(HashMap::from([(name.to_owned(), becomes.clone())]));
        for index in self.0.values_mut() {
            *index = one.index(index)?;
        }
        self.0.insert(name.to_owned(), becomes);
        Some(())
    }

    /// An index with loops substituted. None if a number overflows.
    pub fn index(&self, index: &Index) -> Option<Index> {
        let mut result = Index {
            constant: index.constant,
            lengths: self.lengths(&index.lengths)?,
            ..Index::default()
        };
        for (coefficient, name) in &index.terms {
            match self.0.get(name) {
                Some(becomes) => result.add(becomes, *coefficient)?,
                None => result.add(&Index::of(name.clone()), *coefficient)?,
            }
        }
        if let Some(access) = &index.look_up {
            result.look_up = Some(Box::new(self.access(access)?));
        }
        Some(result)
    }

    /// Lengths with loops in them substituted.
    fn lengths(&self, lengths: &[(i64, Extent)]) -> Option<Vec<(i64, Extent)>> {
        let replaced = lengths
            .iter()
            .map(|(coefficient, length)| Some((*coefficient, self.extent(length)?)));
        replaced.collect()
    }

    /// An extent with loops substituted.
    fn extent(&self, extent: &Extent) -> Option<Extent> {
        Some(match extent {
            Extent::Len(name, indices) => {
                let indices = indices.iter().map(|index| self.index(index));
                Extent::Len(name.clone(), indices.collect::<Option<_>>()?)
            }
            Extent::Sum(sum) => Extent::Sum(Box::new(self.index(sum)?)),
            extent => extent.clone(),
        })
    }

    /// An access with loops substituted.
    pub fn access(&self, access: &Access) -> Option<Access> {
        let indices = access.indices.iter().map(|index| self.index(index));
        Some(Access {
            tensor: access.tensor.clone(),
            indices: indices.collect::<Option<_>>()?,
        })
    }

    /// Conditions with loops substituted.
    pub fn conditions(&self, conditions: &[Condition]) -> Option<Vec<Condition>> {
        let replaced = conditions.iter().map(|condition| {
            Some(Condition {
                index: self.index(&condition.index)?,
                bound: self.extent(&condition.bound)?,
                lower: condition.lower,
            })
        });
        replaced.collect()
    }

    /// An expression with loops substituted.
    pub fn expr(&self, expr: &Expr) -> Option<Expr> {
        let boxed = |expr: &Expr| self.expr(expr).map(Box::new);
        Some(match expr {
            Expr::Literal(_) => expr.clone(),
            Expr::Loop(name) => match self.0.get(name) {
                Some(becomes) => value(becomes),
                None => expr.clone(),
            },
            Expr::Read(access) => Expr::Read(self.access(access)?),
            Expr::Length(length) => Expr::Length(self.extent(length)?),
            Expr::Unary(function, a) => Expr::Unary(*function, boxed(a)?),
            Expr::Binary(operator, a, b) => Expr::Binary(*operator, boxed(a)?, boxed(b)?),
            Expr::Select(condition, a, b) => Expr::Select(boxed(condition)?, boxed(a)?, boxed(b)?),
            Expr::Cast(to, a) => Expr::Cast(to.clone(), boxed(a)?),
            Expr::Guard(conditions, a) => Expr::Guard(self.conditions(conditions)?, boxed(a)?),
        })
    }
}

/// The value of an affine form as an expression.
fn value(index: &Index) -> Expr {
    let terms = index
        .terms
        .iter()
        .map(|(coefficient, name)| match coefficient {
            1 => Expr::Loop(name.clone()),
            _ => mul(literal(*coefficient), Expr::Loop(name.clone())),
        });
    let lengths = index
        .lengths
        .iter()
        .map(|(coefficient, length)| mul(literal(*coefficient), Expr::Length(length.clone())));
    match terms.chain(lengths).reduce(add) {
        None => literal(index.constant),
        Some(sum) if index.constant == 0 => sum,
        Some(sum) => add(sum, literal(index.constant)),
    }
}
