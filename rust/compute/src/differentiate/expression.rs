//! Derivatives of expressions.
//!
//! Where a side of a select is not chosen, or an operand of max is not the maximum, the derivative is exactly 0, even
//! if a factor is not finite: so a mask is applied after all multiplications.

use std::collections::HashSet;

use crate::ast::{Access, Binary, Condition, Expr, Literal, Type, Unary};
use crate::operand::DType;

/// The contribution of an expression to the adjoint of one read.
pub(super) struct Part {
    pub access: Access,
    /// The conditions under which it contributes.
    pub guards: Vec<Condition>,
    pub value: Expr,
}

/// Why an expression has no derivatives.
pub(super) enum Refused {
    /// They would be too large.
    TooLarge,
    /// A function in it has none.
    Function(&'static str),
}

/// The maximum number of nodes of the derivatives of one statement. They repeat parts of the expression, most of all for nested maxima.
const MAX_NODES: usize = 1 << 20;

/// The contributions of an expression to the adjoints of active tensors, given its own adjoint and mask.
///
/// An adjoint of exactly 0 wins over an infinite derivative, unless the expression is `linear`.
pub(super) fn parts(
    expr: &Expr,
    adjoint: Expr,
    masks: Vec<Expr>,
    active: &HashSet<String>,
    linear: bool,
) -> Result<Vec<Part>, Refused> {
    let mut walk = Walk {
        active,
        linear,
        parts: Vec::new(),
        masks,
        guards: Vec::new(),
        refused: None,
        nodes: 0,
    };
    walk.down(expr, adjoint);
    match walk.refused {
        Some(function) => Err(Refused::Function(function)),
        None if walk.nodes > MAX_NODES => Err(Refused::TooLarge),
        None => Ok(walk.parts),
    }
}

/// Whether an expression's derivative with respect to one of the tensors may be other than 0.
pub(super) fn reaches(expr: &Expr, active: &HashSet<String>) -> bool {
    match expr {
        Expr::Read(access) => active.contains(&access.tensor),
        Expr::Unary(function, _) if function.is_flat() => false,
        Expr::Binary(operator, ..)
            if operator.is_comparison() || operator.is_logical() || operator.is_of_bits() =>
        {
            false
        }
        Expr::Select(_, a, b) => reaches(a, active) || reaches(b, active),
        Expr::Cast(Type::Is(DType::Int32 | DType::Int64 | DType::UInt8 | DType::Bool), _) => false,
        _ => expr
            .children()
            .into_iter()
            .any(|child| reaches(child, active)),
    }
}

struct Walk<'a> {
    active: &'a HashSet<String>,
    /// Whether derivatives are operands, as in a matrix product: these are finite where the product is.
    linear: bool,
    parts: Vec<Part>,
    masks: Vec<Expr>,
    guards: Vec<Condition>,
    /// A function that has no derivative.
    refused: Option<&'static str>,
    /// The number of nodes of all intermediate adjoints and masks.
    nodes: usize,
}

impl Walk<'_> {
    /// Propagates the adjoint of an expression down to its reads.
    fn down(&mut self, expr: &Expr, g: Expr) {
        if self.nodes > MAX_NODES || !reaches(expr, self.active) {
            return;
        }
        g.visit(&mut |_| self.nodes += 1);
        match expr {
            Expr::Literal(_) | Expr::Loop(_) | Expr::Length(_) => {}
            Expr::Read(access) => self.read(access, g),
            Expr::Unary(function, a) => self.unary(*function, a, g),
            Expr::Binary(operator, a, b) => self.binary(*operator, a, b, g),
            Expr::Select(condition, a, b) => {
                self.masked((**condition).clone(), a, g.clone());
                self.masked(not((**condition).clone()), b, g);
            }
            Expr::Cast(_, a) => {
                if let Some(inner) = type_of(a) {
                    self.down(a, Expr::Cast(inner, Box::new(g)));
                }
            }
            Expr::Guard(conditions, a) => {
                let around = self.guards.len();
                self.guards.extend(conditions.iter().cloned());
                self.down(a, g);
                self.guards.truncate(around);
            }
        }
    }

    /// Adds a contribution to the adjoint of an element; the same element may have several.
    fn read(&mut self, access: &Access, g: Expr) {
        self.masks
            .iter()
            .for_each(|mask| mask.visit(&mut |_| self.nodes += 1));
        let value = match self.masks.iter().cloned().reduce(and) {
            Some(mask) => select(mask, g, literal(0)),
            None => g,
        };
        match self
            .parts
            .iter_mut()
            .find(|part| part.access == *access && part.guards == self.guards)
        {
            Some(part) => {
                let so_far = std::mem::replace(&mut part.value, literal(0));
                part.value = add(so_far, value);
            }
            None => self.parts.push(Part {
                access: access.clone(),
                guards: self.guards.clone(),
                value,
            }),
        }
    }

    /// An adjoint times a derivative.
    fn times(&self, g: Expr, derivative: Expr) -> Expr {
        if self.linear {
            mul(g, derivative)
        } else {
            adjoint(Binary::AdjointMul, g, derivative)
        }
    }

    /// An adjoint divided by an expression.
    fn over(&self, g: Expr, divisor: Expr) -> Expr {
        if self.linear {
            div(g, divisor)
        } else {
            adjoint(Binary::AdjointDiv, g, divisor)
        }
    }

    /// Propagates the adjoint where a condition holds.
    fn masked(&mut self, condition: Expr, expr: &Expr, g: Expr) {
        self.masks.push(condition);
        self.down(expr, g);
        self.masks.pop();
    }

    fn unary(&mut self, function: Unary, a: &Expr, g: Expr) {
        let x = || a.clone();
        let of = |function| Expr::Unary(function, Box::new(a.clone()));
        let g = match function {
            flat if flat.is_flat() => return,
            Unary::Digamma => {
                self.refused = Some("digamma");
                return;
            }
            Unary::Neg => neg(g),
            Unary::Abs => self.times(g, of(Unary::Sign)),
            Unary::Relu => return self.masked(binary(Binary::Gt, x(), literal(0)), a, g),
            Unary::Sqrt => self.over(mul(g, fraction(0.5)), of(Unary::Sqrt)),
            Unary::Exp => self.times(g, of(Unary::Exp)),
            Unary::Log => self.over(g, x()),
            Unary::Sin => self.times(g, of(Unary::Cos)),
            Unary::Cos => neg(self.times(g, of(Unary::Sin))),
            Unary::Tanh => self.times(g, sub(literal(1), mul(of(Unary::Tanh), of(Unary::Tanh)))),
            Unary::Sigmoid => self.times(
                self.times(g, of(Unary::Sigmoid)),
                sub(literal(1), of(Unary::Sigmoid)),
            ),
            // 2 / sqrt(pi) exp(-x^2)
            Unary::Erf => {
                let density = Expr::Unary(Unary::Exp, Box::new(neg(mul(x(), x()))));
                self.times(mul(g, fraction(std::f64::consts::FRAC_2_SQRT_PI)), density)
            }
            Unary::Log1p => self.over(g, add(literal(1), x())),
            Unary::Expm1 => self.times(g, of(Unary::Exp)),
            Unary::Log2 => self.over(mul(g, fraction(std::f64::consts::LOG2_E)), x()),
            Unary::Exp2 => self.times(mul(g, fraction(std::f64::consts::LN_2)), of(Unary::Exp2)),
            Unary::Rsqrt => {
                let root = self.times(mul(g, fraction(-0.5)), of(Unary::Rsqrt));
                self.over(root, x())
            }
            Unary::Reciprocal => {
                let square = of(Unary::Reciprocal);
                neg(self.times(self.times(g, square.clone()), square))
            }
            Unary::Square => self.times(g, mul(literal(2), x())),
            Unary::Tan => self.times(g, add(literal(1), mul(of(Unary::Tan), of(Unary::Tan)))),
            Unary::Asin => self.over(g, root(one_less_square(x()))),
            Unary::Acos => neg(self.over(g, root(one_less_square(x())))),
            Unary::Atan => self.over(g, add(literal(1), mul(x(), x()))),
            Unary::Sinh => self.times(g, of(Unary::Cosh)),
            Unary::Cosh => self.times(g, of(Unary::Sinh)),
            Unary::Asinh => self.over(g, root(add(literal(1), mul(x(), x())))),
            Unary::Acosh => {
                let below = root(sub(x(), literal(1)));
                self.over(self.over(g, below), root(add(x(), literal(1))))
            }
            Unary::Atanh => self.over(g, one_less_square(x())),
            Unary::Softplus => self.times(g, of(Unary::Sigmoid)),
            // s (1 + x (1 - s)), with s = sigmoid(x)
            Unary::Silu => {
                let s = || of(Unary::Sigmoid);
                let rest = add(literal(1), mul(x(), sub(literal(1), s())));
                self.times(self.times(g, s()), rest)
            }
            Unary::Lgamma => self.times(g, of(Unary::Digamma)),
            // sqrt(pi) / 2 exp(erfinv(x)^2)
            Unary::Erfinv => {
                let square = mul(of(Unary::Erfinv), of(Unary::Erfinv));
                let slope = Expr::Unary(Unary::Exp, Box::new(square));
                let half = fraction(1.0 / std::f64::consts::FRAC_2_SQRT_PI);
                self.times(mul(g, half), slope)
            }
            _ => return,
        };
        self.down(a, g);
    }

    fn binary(&mut self, operator: Binary, a: &Expr, b: &Expr, g: Expr) {
        let (x, y) = (|| a.clone(), || b.clone());
        match operator {
            Binary::Add => {
                self.down(a, g.clone());
                self.down(b, g);
            }
            Binary::Sub => {
                self.down(a, g.clone());
                self.down(b, neg(g));
            }
            Binary::Mul => {
                self.down(a, self.times(g.clone(), y()));
                self.down(b, self.times(g, x()));
            }
            Binary::Div => {
                self.down(a, self.over(g.clone(), y()));
                let quotient = self.times(g, div(x(), y()));
                self.down(b, neg(self.over(quotient, y())));
            }
            Binary::Rem => {
                self.down(a, g.clone());
                let quotient = div(x(), y());
                let rounded = |function| Expr::Unary(function, Box::new(div(x(), y())));
                let is_negative = binary(Binary::Lt, quotient, literal(0));
                let truncated = select(is_negative, rounded(Unary::Ceil), rounded(Unary::Floor));
                self.down(b, neg(self.times(g, truncated)));
            }
            Binary::Pow => self.power(a, b, g),
            // Of the angle of (x, y): x / (x^2 + y^2) dy - y / (x^2 + y^2) dx, which is NaN at (0, 0).
            Binary::Atan2 => {
                let size = || add(mul(x(), x()), mul(y(), y()));
                let across = div(y(), size());
                self.down(a, self.times(g.clone(), across));
                let along = div(x(), size());
                self.down(b, neg(self.times(g, along)));
            }
            Binary::AdjointMul => {
                self.down(a, adjoint(Binary::AdjointMul, g.clone(), y()));
                self.down(b, adjoint(Binary::AdjointMul, x(), g));
            }
            Binary::AdjointDiv => {
                self.down(a, adjoint(Binary::AdjointDiv, g.clone(), y()));
                let quotient = adjoint(Binary::AdjointDiv, x(), y());
                let part = adjoint(Binary::AdjointMul, quotient, g);
                self.down(b, neg(adjoint(Binary::AdjointDiv, part, y())));
            }
            Binary::Max => self.extremum(Binary::Ge, a, b, g),
            Binary::Min => self.extremum(Binary::Le, a, b, g),
            _ => {}
        }
    }

    /// The extremum gets the whole adjoint, both operands half of it if they are equal; NaN counts as the extremum.
    fn extremum(&mut self, beats: Binary, a: &Expr, b: &Expr, g: Expr) {
        let is_tie = binary(Binary::Eq, a.clone(), b.clone());
        let shared = mul(g, select(is_tie, fraction(0.5), literal(1)));
        for (winner, loser) in [(a, b), (b, a)] {
            let is_nan = binary(Binary::Ne, winner.clone(), winner.clone());
            let wins = or(binary(beats, winner.clone(), loser.clone()), is_nan);
            self.masked(wins, winner, shared.clone());
        }
    }

    /// d(x^n) = n x^(n-1) dx + x^n log x dn, where the first is 0 for n = 0, and the second for x = 0 and n >= 0.
    fn power(&mut self, x: &Expr, n: &Expr, g: Expr) {
        let pow = |exponent| binary(Binary::Pow, x.clone(), exponent);
        match n {
            Expr::Literal(Literal::Integer(0)) => {}
            Expr::Literal(Literal::Integer(1)) => self.down(x, g),
            Expr::Literal(Literal::Integer(2)) => {
                self.down(x, self.times(g, mul(literal(2), x.clone())))
            }
            Expr::Literal(Literal::Integer(integer)) if integer.checked_sub(1).is_some() => {
                self.down(x, self.times(g, mul(n.clone(), pow(literal(integer - 1)))));
            }
            Expr::Literal(Literal::Fraction(fraction)) if *fraction != 0.0 => {
                let less = Expr::Literal(Literal::Fraction(fraction - 1.0));
                self.down(x, self.times(g, mul(n.clone(), pow(less))));
            }
            _ => {
                let slope = mul(n.clone(), pow(sub(n.clone(), literal(1))));
                let is_constant = binary(Binary::Eq, typed_like(n, x), literal(0));
                let sloped = self.times(g.clone(), slope);
                self.masked(not(is_constant), x, sloped);
                let at_zero = binary(Binary::Eq, typed_like(x, n), literal(0));
                let is_flat = and(at_zero, binary(Binary::Ge, typed_like(n, x), literal(0)));
                let growth = mul(pow(n.clone()), Expr::Unary(Unary::Log, Box::new(x.clone())));
                let grown = self.times(g, growth);
                self.masked(not(is_flat), n, grown);
            }
        }
    }
}

/// Gives an expression the type of another one, even if it consists of literals and loops only: both are operands of one select.
fn typed_like(expr: &Expr, other: &Expr) -> Expr {
    if type_of(expr).is_some() {
        return expr.clone();
    }
    select(
        Expr::Literal(Literal::Bool(true)),
        expr.clone(),
        other.clone(),
    )
}

/// The type of an expression, by a cast or a read in it; none if it has no derivatives.
fn type_of(expr: &Expr) -> Option<Type> {
    match expr {
        Expr::Literal(_) | Expr::Loop(_) | Expr::Length(_) => None,
        Expr::Read(access) => Some(Type::Of(access.tensor.clone())),
        Expr::Cast(to, _) => match to {
            Type::Is(DType::Float | DType::Double) | Type::Of(_) => Some(to.clone()),
            Type::Is(_) => None,
        },
        Expr::Binary(operator, ..) if operator.is_comparison() || operator.is_logical() => None,
        Expr::Select(_, a, b) => type_of(a).or_else(|| type_of(b)),
        _ => {
            let mut types: Vec<Type> = expr.children().into_iter().filter_map(type_of).collect();
            // A cast certainly has a type; a read may be of a number.
            types.sort_by_key(|found| matches!(found, Type::Of(_)));
            types.into_iter().next()
        }
    }
}

/// Whether an expression is a product of reads and numbers, guarded or not: then each derivative is an operand.
pub(super) fn is_product(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(_) | Expr::Read(_) => true,
        Expr::Guard(_, a) | Expr::Cast(Type::Of(_), a) => is_product(a),
        Expr::Binary(Binary::Mul, a, b) => is_product(a) && is_product(b),
        _ => false,
    }
}

/// An adjoint and a derivative. Of numbers, which are finite, it is the plain operator.
fn adjoint(operator: Binary, g: Expr, derivative: Expr) -> Expr {
    match (operator, &derivative) {
        (Binary::AdjointMul, Expr::Literal(_)) => mul(g, derivative),
        (Binary::AdjointDiv, Expr::Literal(_)) => div(g, derivative),
        _ => binary(operator, g, derivative),
    }
}

pub(super) fn binary(operator: Binary, a: Expr, b: Expr) -> Expr {
    Expr::Binary(operator, Box::new(a), Box::new(b))
}

pub(super) fn add(a: Expr, b: Expr) -> Expr {
    binary(Binary::Add, a, b)
}

fn sub(a: Expr, b: Expr) -> Expr {
    binary(Binary::Sub, a, b)
}

pub(super) fn mul(a: Expr, b: Expr) -> Expr {
    binary(Binary::Mul, a, b)
}

pub(super) fn div(a: Expr, b: Expr) -> Expr {
    binary(Binary::Div, a, b)
}

fn and(a: Expr, b: Expr) -> Expr {
    binary(Binary::And, a, b)
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    binary(Binary::Or, a, b)
}

/// 1 - x^2, which is exact near 1 and -1.
fn one_less_square(x: Expr) -> Expr {
    mul(sub(literal(1), x.clone()), add(literal(1), x))
}

fn root(a: Expr) -> Expr {
    Expr::Unary(Unary::Sqrt, Box::new(a))
}

fn neg(a: Expr) -> Expr {
    Expr::Unary(Unary::Neg, Box::new(a))
}

fn not(a: Expr) -> Expr {
    Expr::Unary(Unary::Not, Box::new(a))
}

pub(super) fn select(condition: Expr, a: Expr, b: Expr) -> Expr {
    Expr::Select(Box::new(condition), Box::new(a), Box::new(b))
}

pub(super) fn literal(integer: i64) -> Expr {
    Expr::Literal(Literal::Integer(integer))
}

pub(super) fn fraction(fraction: f64) -> Expr {
    Expr::Literal(Literal::Fraction(fraction))
}
