//! The canonical text of statements: one per line, without redundant parentheses. Parsing it gives the same statements.

use std::fmt::{self, Display, Formatter, Write};

use crate::ast::{
    Access, Assign, Binary, Condition, Expr, Extent, First, Index, Literal, Op, Scan, Shape,
    Statement, Type, Unary,
};
use crate::parse::precedence::*;
use crate::parse::words;

/// The text of a program.
pub(crate) fn program(statements: &[Statement], returned: Option<&[String]>) -> String {
    let mut text: Vec<String> = statements.iter().map(Statement::to_string).collect();
    if let Some(returned) = returned {
        text.push(format!("return {}", returned.join(", ")));
    }
    text.join("\n")
}

/// Writes a list with separators.
fn list<T: Display>(f: &mut Formatter<'_>, parts: &[T], comma: &str) -> fmt::Result {
    for (n, part) in parts.iter().enumerate() {
        if n > 0 {
            f.write_str(comma)?;
        }
        write!(f, "{part}")?;
    }
    Ok(())
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Assign(assign) => assign.fmt(f),
            Statement::Gradient(gradient) => {
                write!(f, "gradient {}", gradient.of)?;
                if let Some(seed) = &gradient.seed {
                    write!(f, " seed {seed}")?;
                }
                write!(f, " by {}", gradient.by.join(", "))
            }
            Statement::Scan(scan) => scan.fmt(f),
        }
    }
}

impl Display for Scan {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "scan {}", self.step)?;
        if self.down {
            f.write_str(" down")?;
        }
        if let Some(range) = &self.range {
            write!(f, " in 0:{range}")?;
        }
        for at in 0..=self.body.len() {
            for init in self.inits.iter().filter(|init| init.after == at) {
                write!(f, "\n  init {} = {}", init.name, init.value)?;
            }
            if let Some(assign) = self.body.get(at) {
                write!(f, "\n  {assign}")?;
            }
        }
        f.write_str("\nend")
    }
}

impl Display for First {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            First::Number(number) => Expr::Literal(*number).fmt(f),
            First::Tensor(name) => f.write_str(name),
        }
    }
}

impl Display for Assign {
    /// Nodes without a text are omitted, or written in words that do not parse.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.sparse {
            f.write_str("sparse ")?;
        }
        f.write_str(&self.target)?;
        if !self.left.is_empty() {
            f.write_char('[')?;
            list(f, &self.left, ",")?;
            f.write_char(']')?;
        }
        write!(f, " {} ", self.op)?;
        self.value.fmt(f)?;
        let mut items: Vec<String> = self
            .ranges
            .iter()
            .map(|(name, extent)| format!("{name} in 0:{extent}"))
            .collect();
        match &self.shape {
            Some(Shape::Sizes(sizes)) => {
                let sizes: Vec<String> = sizes.iter().map(Extent::to_string).collect();
                items.push(format!("{}[{}]", self.target, sizes.join(",")));
            }
            Some(Shape::Like(name)) => items.push(format!("{} like {name}", self.target)),
            None => {}
        }
        items.extend(self.stored.iter().map(|read| format!("stored({read})")));
        items.extend(self.guards.iter().map(Condition::to_string));
        if !items.is_empty() {
            write!(f, " where {}", items.join(", "))?;
        }
        Ok(())
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Set => "=",
            Op::Sum => "+=",
            Op::Product => "*=",
            Op::Max => "max=",
            Op::Min => "min=",
        })
    }
}

impl Display for Extent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Number(number) => write!(f, "{number}"),
            Extent::Size(name, axis) => write!(f, "size({name},{axis})"),
            Extent::Len(name, indices) => {
                write!(f, "len({name},")?;
                list(f, indices, ",")?;
                f.write_char(')')
            }
            Extent::Sum(sum) => sum.fmt(f),
            Extent::None => f.write_str("inf"),
            Extent::Rest => f.write_str("..."),
            Extent::Range(statement, name) => write!(f, "range({statement},{name})"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.lower {
            f.write_str("0 <= ")?;
        }
        self.index.fmt(f)?;
        match &self.bound {
            Extent::None => Ok(()),
            bound => write!(f, " < {bound}"),
        }
    }
}

impl Display for Access {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.tensor)?;
        list(f, &self.indices, ",")?;
        f.write_char(']')
    }
}

impl Display for Index {
    /// A constant comes last, but before a minus that would otherwise be first.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.rest {
            return f.write_str("...");
        }
        let mut coefficients = self.terms.iter().map(|(coefficient, _)| *coefficient);
        let mut of_lengths = self.lengths.iter().map(|(coefficient, _)| *coefficient);
        let first = coefficients.next().or_else(|| of_lengths.next());
        let constant_first = self.constant > 0 && first.is_some_and(|coefficient| coefficient < 0);
        let mut first = true;
        let mut sign = |f: &mut Formatter<'_>, negative: bool| {
            let begins = std::mem::replace(&mut first, false);
            f.write_str(match (begins, negative) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            })
        };
        if constant_first {
            sign(f, false)?;
            write!(f, "{}", self.constant)?;
        }
        let terms = self
            .terms
            .iter()
            .map(|(factor, name)| (factor, name as &dyn Display));
        let lengths = self.lengths.iter();
        let lengths = lengths.map(|(factor, length)| (factor, length as &dyn Display));
        for (coefficient, term) in terms.chain(lengths) {
            sign(f, *coefficient < 0)?;
            match coefficient.unsigned_abs() {
                1 => term.fmt(f)?,
                magnitude => write!(f, "{magnitude}*{term}")?,
            }
        }
        if let Some(look_up) = &self.look_up {
            sign(f, false)?;
            look_up.fmt(f)?;
        }
        if !constant_first && (self.constant != 0 || self.is_constant()) {
            sign(f, self.constant < 0)?;
            write!(f, "{}", self.constant.unsigned_abs())?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Is(dtype) => f.write_str(dtype.word()),
            Type::Of(name) => write!(f, "type of {name}"),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self, OR)
    }
}

/// The precedence of an expression.
fn strength(expr: &Expr) -> u8 {
    match expr {
        Expr::Literal(Literal::Integer(integer)) if *integer < 0 => NEGATION,
        Expr::Literal(Literal::Fraction(fraction))
            if fraction.is_sign_negative() && !fraction.is_nan() =>
        {
            NEGATION
        }
        Expr::Unary(Unary::Neg, _) => NEGATION,
        Expr::Unary(Unary::Not, _) => NOT,
        Expr::Binary(binary, ..) => infix(*binary).map_or(ATOM, |(_, strength)| strength),
        _ => ATOM,
    }
}

/// The infix operator and its precedence; `None` for functions.
fn infix(binary: Binary) -> Option<(&'static str, u8)> {
    Some(match binary {
        Binary::Add => ("+", SUM),
        Binary::Sub => ("-", SUM),
        Binary::Mul | Binary::AdjointMul => ("*", PRODUCT),
        Binary::Div | Binary::AdjointDiv => ("/", PRODUCT),
        Binary::Rem => ("%", PRODUCT),
        Binary::Pow => ("^", POWER),
        Binary::Lt => ("<", COMPARISON),
        Binary::Le => ("<=", COMPARISON),
        Binary::Gt => (">", COMPARISON),
        Binary::Ge => (">=", COMPARISON),
        Binary::Eq => ("==", COMPARISON),
        Binary::Ne => ("!=", COMPARISON),
        Binary::And => ("and", AND),
        Binary::Or => ("or", OR),
        Binary::Max
        | Binary::Min
        | Binary::Atan2
        | Binary::BitAnd
        | Binary::BitOr
        | Binary::BitXor
        | Binary::Shl
        | Binary::Shr
        | Binary::Ushr => return None,
    })
}

/// Writes an expression, in parentheses if its precedence is below `least`.
fn write(f: &mut Formatter<'_>, expr: &Expr, least: u8) -> fmt::Result {
    if strength(expr) < least {
        f.write_char('(')?;
        write(f, expr, OR)?;
        return f.write_char(')');
    }
    match expr {
        Expr::Literal(Literal::Integer(integer)) => write!(f, "{integer}"),
        Expr::Literal(Literal::Fraction(fraction)) if fraction.is_nan() => f.write_str("nan"),
        Expr::Literal(Literal::Fraction(fraction)) => write!(f, "{fraction:?}"),
        Expr::Literal(Literal::Bool(truth)) => write!(f, "{truth}"),
        Expr::Loop(name) => f.write_str(name),
        Expr::Length(length) => length.fmt(f),
        Expr::Read(access) if access.indices.is_empty() => f.write_str(&access.tensor),
        Expr::Read(access) => access.fmt(f),
        Expr::Unary(Unary::Neg, operand) => {
            f.write_char('-')?;
            write(f, operand, NEGATION)
        }
        Expr::Unary(Unary::Not, operand) => {
            f.write_str("not ")?;
            write(f, operand, NOT)
        }
        Expr::Unary(function, operand) => {
            call(f, words::word(&words::UNARY, *function), &[operand])
        }
        Expr::Binary(binary, left, right) => match infix(*binary) {
            Some((operator, strength)) => {
                let (at_left, at_right) = match strength {
                    // To the right of ^ a minus needs no parentheses; and comparisons do not chain.
                    POWER => (ATOM, NEGATION),
                    COMPARISON => (SUM, SUM),
                    _ => (strength, strength + 1),
                };
                write(f, left, at_left)?;
                write!(f, " {operator} ")?;
                write(f, right, at_right)
            }
            None => call(f, words::word(&words::BINARY, *binary), &[left, right]),
        },
        Expr::Select(condition, a, b) => call(f, "select", &[condition, a, b]),
        Expr::Cast(to, operand) => call(f, &to.to_string(), &[operand]),
        Expr::Guard(conditions, guarded) => {
            f.write_str("guard(")?;
            list(f, conditions, ", ")?;
            f.write_str(", ")?;
            write(f, guarded, OR)?;
            f.write_char(')')
        }
    }
}

fn call(f: &mut Formatter<'_>, name: &str, arguments: &[&Expr]) -> fmt::Result {
    write!(f, "{name}(")?;
    list(f, arguments, ", ")?;
    f.write_char(')')
}
