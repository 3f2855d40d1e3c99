//! A program that is being made, statement by statement: names are resolved, and gradients appended.

use std::collections::HashSet;

use crate::ast::{Assign, Condition, Expr, Gradient, Scan, Statement};
use crate::names::Names;
use crate::program::Plain;
use crate::scan::Block;
use crate::stack::deep;
use crate::stored::kinds::Kinds;
use crate::{differentiate, Error};

/// Which statements have gradients in scatter form, which runs over the loops of the statement itself.
#[derive(Clone, Debug, Default)]
pub(crate) enum Scatter {
    /// Those for which there is no other form.
    #[default]
    Never,
    /// All.
    Always,
    /// Those that read or make what is not dense.
    Over(Kinds),
}

/// A program under construction.
#[derive(Default)]
pub(crate) struct Builder {
    pub names: Names,
    pub plain: Plain,
    pub outputs: Vec<String>,
    /// The same.
    listed: HashSet<String>,
    scatter: Scatter,
}

impl Builder {
    pub fn new(statements: &[Statement], depth: usize, scatter: Scatter) -> Builder {
        Builder {
            names: Names::new(statements),
            plain: Plain {
                depth,
                ..Plain::default()
            },
            scatter,
            ..Builder::default()
        }
    }

    /// Adds a statement, without `...` by that function.
    pub fn assign(
        &mut self,
        assign: &Assign,
        closed: impl FnOnce(Assign) -> Assign,
    ) -> Result<(), Error> {
        let mut plain = self.names.assign(assign);
        if plain.is_open() {
            plain = closed(plain);
        }
        one_sided(&mut plain.value).ok_or_else(|| {
            Error::illegal(format!("{}: a guard does not fit INT64", plain.target))
        })?;
        self.plain.statements.push(plain);
        self.output(&assign.target);
        Ok(())
    }

    /// Adds a recurrence, its statements without `...` by that function.
    pub fn scan(
        &mut self,
        scan: &Scan,
        closed: impl FnOnce(Vec<Assign>, &mut Block) -> Vec<Assign>,
    ) -> Result<(), Error> {
        let (body, range, lags) = self.names.scan(scan);
        let first = self.plain.statements.len();
        let mut block = Block::new(scan, first, range, lags);
        let mut body = closed(body, &mut block);
        for plain in &mut body {
            one_sided(&mut plain.value).ok_or_else(|| {
                Error::illegal(format!("{}: a guard does not fit INT64", plain.target))
            })?;
        }
        self.plain.statements.extend(body);
        self.plain.blocks.push(block);
        scan.body
            .iter()
            .for_each(|assign| self.output(&assign.target));
        Ok(())
    }

    pub fn output(&mut self, name: &str) {
        if self.listed.insert(name.to_owned()) {
            self.outputs.push(name.to_owned());
        }
    }

    pub fn gradient(&mut self, gradient: &Gradient) -> Result<(), Error> {
        let results = self.names.gradient(gradient)?;
        let (plain, scatter) = (&mut self.plain, &self.scatter);
        deep(differentiate::deepest(plain.depth), || {
            differentiate::append(plain, &results, scatter)
        })??;
        self.outputs.clear();
        self.listed.clear();
        self.output(&gradient.of);
        results.by.iter().for_each(|by| self.output(&by.name));
        Ok(())
    }
}

/// Brings the conditions of guards into their plain form. None if a number overflows.
fn one_sided(expr: &mut Expr) -> Option<()> {
    if let Expr::Guard(conditions, _) = expr {
        let plain: Option<Vec<_>> = conditions.iter().map(Condition::plain).collect();
        *conditions = plain?.concat();
    }
    expr.children_mut().into_iter().try_for_each(one_sided)
}
