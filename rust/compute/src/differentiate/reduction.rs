//! Adjoints through the reductions of statements.

use super::expression::{and, binary, div, literal, mul, or, select};
use super::Sweep;
use crate::ast::{Access, Assign, Binary, Expr, Extent, Op, Shape};
use crate::names::display;
use crate::Error;

impl Sweep<'_> {
    /// The adjoint of the statement's value, and its mask, which excludes values other than the extremum.
    pub(super) fn through_reduction(
        &mut self,
        at: usize,
        statement: &Assign,
        of_result: Expr,
    ) -> Result<(Expr, Vec<Expr>), Error> {
        match statement.op {
            Op::Set | Op::Sum => Ok((of_result, Vec::new())),
            Op::Max | Op::Min => Ok(self.through_extremum(at, statement, of_result)),
            Op::Product => self
                .through_product(at, statement, of_result)
                .map(|factor| (factor, Vec::new())),
        }
    }

    /// All extrema share the adjoint. If the result is NaN, the values that are NaN count as extrema.
    fn through_extremum(
        &mut self,
        at: usize,
        statement: &Assign,
        of_result: Expr,
    ) -> (Expr, Vec<Expr>) {
        let value = &statement.value;
        let is_result = binary(
            Binary::Eq,
            value.clone(),
            written(&statement.target, statement),
        );
        let is_nan = binary(Binary::Ne, value.clone(), value.clone());
        let wins = or(is_result, is_nan);
        let one = super::like(&statement.target, literal(1));
        let count = self.accumulate(
            at,
            statement,
            Op::Sum,
            select(wins.clone(), one, literal(0)),
        );
        (div(of_result, written(&count, statement)), vec![wins])
    }

    /// The product of all other factors, which is 0 if another factor is 0.
    fn through_product(
        &mut self,
        at: usize,
        statement: &Assign,
        of_result: Expr,
    ) -> Result<Expr, Error> {
        if let Some(primal) = statement.adjoint.last() {
            let (of, primal) = (&self.gradient.of_name, display(primal));
            return Err(Error::illegal(format!(
                "gradient {of}: {primal} is a product (*=), whose gradient has no gradient"
            )));
        }
        let value = &statement.value;
        let is_zero = binary(Binary::Eq, value.clone(), literal(0));
        let zeros = self.accumulate(
            at,
            statement,
            Op::Sum,
            select(
                is_zero.clone(),
                super::like(&statement.target, literal(1)),
                literal(0),
            ),
        );
        let product = self.accumulate(
            at,
            statement,
            Op::Product,
            select(is_zero.clone(), literal(1), value.clone()),
        );
        let (zeros, product) = (written(&zeros, statement), written(&product, statement));
        let is_only_zero = and(binary(Binary::Eq, zeros.clone(), literal(1)), is_zero);
        let others = select(
            binary(Binary::Eq, zeros, literal(0)),
            div(product.clone(), value.clone()),
            select(is_only_zero, product, literal(0)),
        );
        Ok(mul(of_result, others))
    }

    /// Defines an accumulation of another value over the same loops, in a tensor of the same shape.
    fn accumulate(&mut self, at: usize, statement: &Assign, op: Op, value: Expr) -> String {
        let target = self.fresh(&statement.target);
        let ranges = statement
            .loops()
            .into_iter()
            .map(|name| (name.clone(), Extent::Range(at, name)));
        let assign = Assign {
            target: target.clone(),
            op,
            value,
            ranges: ranges.collect(),
            shape: Some(Shape::Like(statement.target.clone())),
            adjoint: vec![statement.target.clone()],
            ..statement.clone()
        };
        self.push(assign);
        target
    }
}

/// The element that a statement writes, in a tensor of the same shape.
fn written(tensor: &str, statement: &Assign) -> Expr {
    Expr::Read(Access {
        tensor: tensor.to_owned(),
        indices: statement.left.clone(),
    })
}
