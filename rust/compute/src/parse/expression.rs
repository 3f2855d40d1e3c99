//! Expressions, by the precedence of their operators.

use super::lexer::Kind;
use super::{words, Parser};
use crate::ast::{Access, Binary, Expr, Literal, Type, Unary, MAX_DEPTH};
use crate::Error;

/// The precedence of operators, weakest first.
pub(crate) mod precedence {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARISON: u8 = 4;
    pub const SUM: u8 = 5;
    pub const PRODUCT: u8 = 6;
    pub const NEGATION: u8 = 7;
    pub const POWER: u8 = 8;
    pub const ATOM: u8 = 9;
}
use precedence::*;

/// The magnitude of the lowest INT64, which is not a valid positive literal.
const LEAST: u64 = 1 << 63;

/// The most operands of a chain of one operator that are combined one after the other, and the size of groups in longer ones.
const CHAIN: usize = 128;
const GROUP: usize = 16;

/// An expression and its depth.
type Deep = (Expr, usize);

impl Parser {
    /// A whole expression. A bare name in it is an [`Expr::Loop`] until its statement is known.
    pub(super) fn expression(&mut self) -> Result<Expr, Error> {
        Ok(self.operand(OR)?.0)
    }

    /// An expression whose operators have at least the precedence `least`.
    fn operand(&mut self, least: u8) -> Result<Deep, Error> {
        self.deeper(|parser| {
            let mut left = parser.prefix(least)?;
            while let Some((operator, strength)) = parser.operator() {
                if strength < least {
                    break;
                }
                if strength == SUM || matches!(operator, Binary::Mul | Binary::And | Binary::Or) {
                    left = parser.chain(left, strength)?;
                    continue;
                }
                parser.advance();
                let right = parser.operand(if strength == POWER {
                    POWER
                } else {
                    strength + 1
                })?;
                left = parser.node([left, right], |[a, b]| Expr::Binary(operator, a, b))?;
                if strength == COMPARISON
                    && parser
                        .operator()
                        .is_some_and(|(next, _)| next.is_comparison())
                {
                    return Err(parser
                        .place()
                        .fault("comparisons do not chain: join them by 'and'"));
                }
            }
            Ok(left)
        })
    }

    /// A chain of one associative operator, of sums and differences, or of conjunctions or disjunctions, from its second operand on.
    ///
    /// It is no nesting, and its tree must not be as deep as the chain is long. So from [`CHAIN`] operands on, groups of [`GROUP`] neighbours are
    /// combined first, and groups of groups. Shorter chains are combined from left to right.
    fn chain(&mut self, first: Deep, strength: u8) -> Result<Deep, Error> {
        let Some((start, _)) = self.operator() else {
            return Ok(first);
        };
        let joins = |operator: Binary| match strength {
            SUM => matches!(operator, Binary::Add | Binary::Sub),
            _ => operator == start,
        };
        let mut links = vec![(start, first)];
        while let Some((operator, _)) = self.operator().filter(|&(next, _)| joins(next)) {
            self.advance();
            links.push((operator, self.operand(strength + 1)?));
        }
        while links.len() > CHAIN {
            let mut groups = Vec::with_capacity(links.len().div_ceil(GROUP));
            let mut rest = links.into_iter();
            loop {
                let group: Vec<(Binary, Deep)> = rest.by_ref().take(GROUP).collect();
                let Some(&(operator, _)) = group.first() else {
                    break;
                };
                // Within a group that is subtracted, signs are turned round.
                let turn = operator == Binary::Sub && !groups.is_empty();
                groups.push((operator, self.joined(group, turn)?));
            }
            links = groups;
        }
        self.joined(links, false)
    }

    /// The operands of a chain, combined from left to right.
    fn joined(&mut self, links: Vec<(Binary, Deep)>, turn: bool) -> Result<Deep, Error> {
        let mut links = links.into_iter();
        let Some((_, mut left)) = links.next() else {
            return Err(self.unexpected("an expression"));
        };
        for (operator, right) in links {
            let operator = match operator {
                Binary::Add if turn => Binary::Sub,
                Binary::Sub if turn => Binary::Add,
                other => other,
            };
            left = self.node([left, right], |[a, b]| Expr::Binary(operator, a, b))?;
        }
        Ok(left)
    }

    /// The next token as a binary operator, and its precedence.
    fn operator(&self) -> Option<(Binary, u8)> {
        Some(match self.kind() {
            Kind::Word(word) if word == "or" => (Binary::Or, OR),
            Kind::Word(word) if word == "and" => (Binary::And, AND),
            Kind::Symbol("<") => (Binary::Lt, COMPARISON),
            Kind::Symbol("<=") => (Binary::Le, COMPARISON),
            Kind::Symbol(">") => (Binary::Gt, COMPARISON),
            Kind::Symbol(">=") => (Binary::Ge, COMPARISON),
            Kind::Symbol("==") => (Binary::Eq, COMPARISON),
            Kind::Symbol("!=") => (Binary::Ne, COMPARISON),
            Kind::Symbol("+") => (Binary::Add, SUM),
            Kind::Symbol("-") => (Binary::Sub, SUM),
            Kind::Symbol("*") => (Binary::Mul, PRODUCT),
            Kind::Symbol("/") => (Binary::Div, PRODUCT),
            Kind::Symbol("%") => (Binary::Rem, PRODUCT),
            Kind::Symbol("^") => (Binary::Pow, POWER),
            _ => return None,
        })
    }

    fn prefix(&mut self, least: u8) -> Result<Deep, Error> {
        if self.is_word("not") && least <= NOT {
            self.advance();
            let operand = self.operand(NOT)?;
            return self.node([operand], |[a]| Expr::Unary(Unary::Not, a));
        }
        if !self.take("-") {
            return self.atom();
        }
        if *self.kind() == Kind::Integer(LEAST) && *self.second() != Kind::Symbol("^") {
            self.advance();
            return Ok((Expr::Literal(Literal::Integer(i64::MIN)), 1));
        }
        match self.operand(NEGATION)? {
            (Expr::Literal(literal), depth) if negated(literal).is_some() => {
                Ok((Expr::Literal(negated(literal).unwrap_or(literal)), depth))
            }
            operand => self.node([operand], |[a]| Expr::Unary(Unary::Neg, a)),
        }
    }

    fn atom(&mut self) -> Result<Deep, Error> {
        let literal = match self.kind() {
            Kind::Integer(integer) => {
                i64::try_from(*integer).map_or(Literal::Fraction(*integer as f64), Literal::Integer)
            }
            Kind::Fraction(fraction) => Literal::Fraction(*fraction),
            Kind::Word(word) => match word.as_str() {
                "inf" => Literal::Fraction(f64::INFINITY),
                "nan" => Literal::Fraction(f64::NAN),
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                _ => return self.named(),
            },
            Kind::Symbol("(") => {
                self.advance();
                let inner = self.operand(OR)?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok((Expr::Literal(literal), 1))
    }

    /// A call, an access or a bare name.
    fn named(&mut self) -> Result<Deep, Error> {
        let Kind::Word(word) = self.kind() else {
            return Err(self.unexpected("an expression"));
        };
        let word = word.clone();
        let called = *self.second() == Kind::Symbol("(") || words::is_reserved(&word);
        if let Some(function) = words::find(&words::UNARY, &word).filter(|_| called) {
            let place = self.place();
            let arguments = self.arguments()?;
            if function == Unary::Stored && !matches!(arguments, [(Expr::Read(_), _)]) {
                return Err(place.fault("stored(...) is of an element, as in stored(S[i,j])"));
            }
            return self.node(arguments, |[a]| Expr::Unary(function, a));
        }
        if let Some(function) = words::find(&words::BINARY, &word).filter(|_| called) {
            let arguments = self.arguments()?;
            return self.node(arguments, |[a, b]| Expr::Binary(function, a, b));
        }
        if let Some(dtype) = words::cast(&word) {
            let arguments = self.arguments()?;
            return self.node(arguments, |[a]| Expr::Cast(Type::Is(dtype), a));
        }
        match word.as_str() {
            "select" => {
                let arguments = self.arguments()?;
                self.node(arguments, |[condition, a, b]| Expr::Select(condition, a, b))
            }
            "guard" => self.guard(),
            // min(max(x, low), high), also in the order of its comparisons.
            "clip" if called => {
                let [x, low, high] = self.arguments()?;
                let raised = self.node([x, low], |[x, low]| Expr::Binary(Binary::Max, x, low))?;
                self.node([raised, high], |[x, high]| {
                    Expr::Binary(Binary::Min, x, high)
                })
            }
            _ if self.is_length() => Ok((Expr::Length(self.length()?), 1)),
            _ if *self.second() == Kind::Symbol("(") && !words::is_reserved(&word) => {
                let nearest = words::nearest_functions(&word).join(", ");
                Err(self
                    .place()
                    .fault(format_args!("no function {word}; did you mean {nearest}?")))
            }
            _ => {
                let name = self.name("an expression")?;
                if self.is_symbol("[") {
                    let indices = self.indices()?;
                    return Ok((
                        Expr::Read(Access {
                            tensor: name,
                            indices,
                        }),
                        1,
                    ));
                }
                Ok((Expr::Loop(name), 1))
            }
        }
    }

    /// The arguments of a function.
    fn arguments<const N: usize>(&mut self) -> Result<[Deep; N], Error> {
        self.advance();
        self.expect("(")?;
        let mut arguments = Vec::with_capacity(N);
        for n in 0..N {
            if n > 0 {
                self.expect(",")?;
            }
            arguments.push(self.operand(OR)?);
        }
        self.expect(")")?;
        arguments
            .try_into()
            .map_err(|_| self.unexpected("an argument"))
    }

    fn guard(&mut self) -> Result<Deep, Error> {
        self.advance();
        self.expect("(")?;
        let mut conditions = Vec::new();
        loop {
            // What ends in a comma is a condition; what does not may be a comparison, in the guarded expression.
            let start = self.at;
            let condition = self.condition();
            match condition {
                Ok(condition) if self.is_symbol(",") => {
                    self.advance();
                    conditions.push(condition);
                }
                Ok(_) if conditions.is_empty() => return Err(self.unexpected("','")),
                Err(fault) if conditions.is_empty() => return Err(fault),
                condition => {
                    let began =
                        matches!(self.tokens[start].kind, Kind::Integer(0)) && self.at > start + 1;
                    self.at = start;
                    let guarded = self.operand(OR)?;
                    match condition {
                        Err(fault) if began && !self.is_symbol(")") => return Err(fault),
                        _ => self.expect(")")?,
                    }
                    return self.node([guarded], |[x]| Expr::Guard(conditions, x));
                }
            }
        }
    }

    /// A node with these operands; a fault if it is too deep.
    fn node<const N: usize>(
        &mut self,
        operands: [Deep; N],
        make: impl FnOnce([Box<Expr>; N]) -> Expr,
    ) -> Result<Deep, Error> {
        let depth = 1 + operands.iter().map(|&(_, depth)| depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.tallest = self.tallest.max(depth);
        Ok((make(operands.map(|(operand, _)| Box::new(operand))), depth))
    }
}

/// The negated literal; `None` for an integer 0, which may become a floating-point -0.
fn negated(literal: Literal) -> Option<Literal> {
    match literal {
        Literal::Integer(integer) if integer != 0 => integer.checked_neg().map(Literal::Integer),
        Literal::Fraction(fraction) if !fraction.is_nan() => Some(Literal::Fraction(-fraction)),
        _ => None,
    }
}
