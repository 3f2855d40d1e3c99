//! What is known of a row alone: the numbers of its loops, and the ranges of loops of earlier statements.

use crate::ast::{Assign, Condition, Expr, Extent, Index, Literal};

/// What is known of a row alone.
pub(super) struct Values<'v> {
    pub row: &'v [i64],
    pub range: &'v dyn Fn(usize, &str) -> i64,
}

impl Values<'_> {
    pub fn statement(&self, assign: &mut Assign) {
        assign.left.iter_mut().for_each(|index| self.index(index));
        self.expr(&mut assign.value);
        for condition in &mut assign.guards {
            self.condition(condition);
        }
        for (_, extent) in &mut assign.ranges {
            self.extent(extent);
        }
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Loop(name) => {
                if let Some(value) = self.value(name) {
                    *expr = Expr::Literal(Literal::Integer(value));
                }
            }
            Expr::Length(extent) => self.extent(extent),
            Expr::Read(access) => access.indices.iter_mut().for_each(|each| self.index(each)),
            Expr::Guard(conditions, _) => conditions.iter_mut().for_each(|each| {
                self.condition(each);
            }),
            _ => {}
        }
        for child in expr.children_mut() {
            self.expr(child);
        }
    }

    fn condition(&self, condition: &mut Condition) {
        self.index(&mut condition.index);
        self.extent(&mut condition.bound);
    }

    pub fn extent(&self, extent: &mut Extent) {
        match extent {
            Extent::Range(at, name) => *extent = Extent::Number((self.range)(*at, name)),
            Extent::Sum(sum) => self.index(sum),
            _ => {}
        }
    }

    fn index(&self, index: &mut Index) {
        let mut constant = index.constant;
        index
            .terms
            .retain(|(coefficient, name)| match self.value(name) {
                Some(value) => {
                    constant = constant.saturating_add(coefficient.saturating_mul(value));
                    false
                }
                None => true,
            });
        index.constant = constant;
        for (_, length) in &mut index.lengths {
            self.extent(length);
        }
        if let Some(look_up) = &mut index.look_up {
            look_up.indices.iter_mut().for_each(|each| self.index(each));
        }
    }

    /// The number of a row, by the name of its loop.
    fn value(&self, name: &str) -> Option<i64> {
        let axis = name.strip_prefix("row")?.strip_suffix('\'')?;
        self.row.get(axis.parse::<usize>().ok()?).copied()
    }
}
