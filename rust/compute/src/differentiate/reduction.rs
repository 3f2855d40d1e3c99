//! Adjoints through the reductions of statements.

use super::expression::{binary, div, fraction, literal, mul, or, select};
use super::Sweep;
use crate::ast::{Access, Assign, Binary, Expr, Extent, Op, Shape, Type, Unary};
use crate::names::display;
use crate::operand::DType;
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

    /// The product of all other factors: 0 if one of them is 0, infinite if one is that, NaN if both are there.
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
        let one = || super::like(&statement.target, literal(1));
        let is_zero = binary(Binary::Eq, value.clone(), literal(0));
        let size = Expr::Unary(Unary::Abs, Box::new(value.clone()));
        let is_infinite = binary(Binary::Eq, size, fraction(f64::INFINITY));
        let zeros = select(is_zero.clone(), one(), literal(0));
        let zeros = self.accumulate(at, statement, Op::Sum, zeros);
        let infinities = select(is_infinite.clone(), one(), literal(0));
        let infinities = self.accumulate(at, statement, Op::Sum, infinities);
        // What is neither 0 nor infinite, of which the product can be divided by each; the sign of what is infinite. Each is a factor near 1 and a
        // power of two, whose products and sums, in DOUBLE, neither overflow nor become 0: of 2,000 elements at least.
        let wide = |expr: Expr| Expr::Cast(Type::Is(DType::Double), Box::new(expr));
        let sign = Expr::Unary(Unary::Sign, Box::new(value.clone()));
        let finite = select(is_infinite.clone(), wide(sign), wide(value.clone()));
        let divisor = select(is_zero.clone(), literal(1), finite);
        let power = power_of_two(&divisor);
        let near_one = scaled(divisor, unary(Unary::Neg, power.clone()));
        let product = self.accumulate(at, statement, Op::Product, near_one.clone());
        let powers = self.accumulate(at, statement, Op::Sum, power.clone());
        let others = binary(Binary::Sub, written(&powers, statement), power);
        let rest = scaled(div(written(&product, statement), near_one), others);
        // How many of the others are 0, or infinite.
        let others = |count: &str, own: Expr| {
            let own = select(own, one(), literal(0));
            binary(
                Binary::Gt,
                binary(Binary::Sub, written(count, statement), own),
                literal(0),
            )
        };
        let has_zero = others(&zeros, is_zero);
        let has_infinite = others(&infinities, is_infinite);
        let without_zero = select(
            has_infinite.clone(),
            mul(rest.clone(), fraction(f64::INFINITY)),
            rest,
        );
        let with_zero = select(has_infinite, fraction(f64::NAN), fraction(0.0));
        let others = super::like(&statement.target, select(has_zero, with_zero, without_zero));
        Ok(binary(Binary::AdjointMul, of_result, others))
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

fn unary(of: Unary, expr: Expr) -> Expr {
    Expr::Unary(of, Box::new(expr))
}

/// The exponent of the power of two nearest to a number of type DOUBLE that is neither 0 nor infinite.
fn power_of_two(expr: &Expr) -> Expr {
    let log = unary(Unary::Log, unary(Unary::Abs, expr.clone()));
    let log = mul(log, fraction(std::f64::consts::LOG2_E));
    unary(Unary::Floor, binary(Binary::Add, log, fraction(0.5)))
}

/// A number of type DOUBLE times a power of two, in two steps: the power alone may not fit where the result does.
fn scaled(expr: Expr, power: Expr) -> Expr {
    let two = |power: Expr| binary(Binary::Pow, fraction(2.0), power);
    let half = unary(Unary::Floor, mul(power.clone(), fraction(0.5)));
    mul(
        mul(expr, two(half.clone())),
        two(binary(Binary::Sub, power, half)),
    )
}

/// The element that a statement writes, in a tensor of the same shape.
fn written(tensor: &str, statement: &Assign) -> Expr {
    Expr::Read(Access {
        tensor: tensor.to_owned(),
        indices: statement.left.clone(),
    })
}
