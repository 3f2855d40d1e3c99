//! Inference of the types of expressions. Operands connected by operators form a group with one type, bounded by casts,
//! comparisons and conditions of selects.
//!
//! A read of an encoding is a cast of a load, so that a group never has an encoding as its type, with two exceptions: a statement whose right side
//! is reads alone keeps their type, and one whose right side is a cast to an encoding has that.

use super::context::Context;
use super::sizes::value;
use super::Known;
use crate::ast::{Access, Assign, Binary, Condition, Expr, Literal, Op, Type, Unary};
use crate::bound::{self, Node};
use crate::names::display;
use crate::operand::DType;
use crate::scalar::Scalar;
use crate::signature::Kind;

/// An operand in messages.
struct Operand {
    name: String,
    text: String,
    /// The type in memory, or of a cast.
    dtype: DType,
    is_cast: bool,
}

impl Operand {
    /// The type with which it is computed: of a cast, which is the whole statement if it is to an encoding, that encoding.
    fn computes(&self) -> DType {
        if self.is_cast {
            self.dtype
        } else {
            self.dtype.computes()
        }
    }
}

/// The operands of a group, as far as they determine its type.
#[derive(Default)]
struct Group {
    /// The first operand that has a type.
    typed: Option<Operand>,
    /// The first operand that computes as another type.
    other: Option<Operand>,
    /// The first read of a UINT64, as which nothing computes.
    bits: Option<(String, String)>,
    /// The first number, and whether one has a fraction.
    number: Option<String>,
    fraction: bool,
}

/// The typed value of a statement, or faults in the context.
pub(crate) fn statement(context: &mut Context<'_>, assign: &Assign) -> Option<bound::Expr> {
    let kept = match assign.op {
        Op::Set if assign.adjoint.is_empty() => stored(context, &assign.value),
        _ => None,
    };
    if let Some(dtype) = kept {
        return build(context, &assign.value, dtype);
    }
    let group = group_of(context, &[&assign.value]);
    let dtype = group_type(context, &group)?;
    build(context, &assign.value, dtype)
}

/// The type of a statement as far as its operands determine it, for one whose operands are not all known: none, and whether a number in it has a
/// fraction, if no operand has a type.
pub(super) fn sketch(context: &Context<'_>, assign: &Assign) -> Result<DType, bool> {
    let kept = match assign.op {
        Op::Set if assign.adjoint.is_empty() => stored(context, &assign.value),
        _ => None,
    };
    if let Some(dtype) = kept {
        return Ok(dtype);
    }
    let group = group_of(context, &[&assign.value]);
    match group.typed {
        Some(first) => Ok(first.computes()),
        None => Err(group.fraction),
    }
}

/// The literal as a scalar of a type, if that can hold it.
pub(super) fn scalar(literal: Literal, dtype: DType) -> Option<Scalar> {
    match literal {
        Literal::Bool(truth) => (dtype == DType::Bool).then_some(Scalar::Bool(truth)),
        Literal::Integer(integer) => Scalar::of_integer(integer, dtype),
        Literal::Fraction(fraction) => Scalar::of_fraction(fraction, dtype),
    }
}

/// The encoding of an expression that is reads of tensors of this one type alone, through guards and selects.
fn stored(context: &Context<'_>, expr: &Expr) -> Option<DType> {
    match expr {
        Expr::Read(access) => {
            let id = context.environment.tensor(&access.tensor)?;
            context.environment.tensors[id]
                .dtype
                .filter(|dtype| dtype.is_encoding())
        }
        Expr::Guard(_, inner) => stored(context, inner),
        Expr::Select(_, a, b) => {
            let dtype = stored(context, a)?;
            stored(context, b).filter(|other| *other == dtype)
        }
        _ => None,
    }
}

/// Collects the operands of a group.
fn group_of(context: &Context<'_>, exprs: &[&Expr]) -> Group {
    let mut group = Group::default();
    exprs
        .iter()
        .for_each(|expr| collect(context, expr, &mut group));
    group
}

fn collect(context: &Context<'_>, expr: &Expr, group: &mut Group) {
    let mut typed = |name: String, dtype: DType| {
        let operand = Operand {
            name,
            text: short(expr),
            dtype,
            is_cast: matches!(expr, Expr::Cast(..)),
        };
        match &group.typed {
            None => group.typed = Some(operand),
            Some(first) if first.computes() != operand.computes() && group.other.is_none() => {
                group.other = Some(operand)
            }
            _ => {}
        }
    };
    match expr {
        Expr::Literal(Literal::Bool(truth)) => typed(truth.to_string(), DType::Bool),
        Expr::Literal(literal) => {
            group.fraction |= matches!(literal, Literal::Fraction(_));
            group.number.get_or_insert_with(|| expr.to_string());
        }
        Expr::Loop(_) | Expr::Length(_) => {
            group.number.get_or_insert_with(|| expr.to_string());
        }
        Expr::Read(access) => {
            let environment = &context.environment;
            let Some(id) = environment.tensor(&access.tensor) else {
                return;
            };
            match environment.tensors[id].dtype {
                Some(dtype) => {
                    typed(display(&access.tensor).to_owned(), dtype);
                    if dtype == DType::UInt64 {
                        let (name, text) = (display(&access.tensor).to_owned(), short(expr));
                        group.bits.get_or_insert((name, text));
                    }
                }
                None => {
                    group.fraction |= environment.kinds[id] == Kind::Fraction;
                    group
                        .number
                        .get_or_insert_with(|| display(&access.tensor).to_owned());
                }
            }
        }
        Expr::Unary(unary, _) if *unary == Unary::Not || unary.is_predicate() => {
            typed(short(expr), DType::Bool)
        }
        Expr::Binary(binary, ..) if binary.is_comparison() || binary.is_logical() => {
            typed(short(expr), DType::Bool)
        }
        Expr::Select(_, a, b) => {
            collect(context, a, group);
            collect(context, b, group);
        }
        Expr::Cast(to, inner) => match cast_type(context, to) {
            Some(dtype) => typed(short(expr), dtype),
            None => collect(context, inner, group),
        },
        _ => expr
            .children()
            .into_iter()
            .for_each(|child| collect(context, child, group)),
    }
}

/// The type of a cast; `None` for a cast to the type of a number.
fn cast_type(context: &Context<'_>, to: &Type) -> Option<DType> {
    match to {
        Type::Is(dtype) => Some(*dtype),
        Type::Of(name) => context
            .environment
            .tensor(name)
            .and_then(|id| context.environment.tensors[id].dtype)
            .map(DType::computes),
    }
}

/// The type of a group, unless its operands disagree.
fn group_type(context: &mut Context<'_>, group: &Group) -> Option<DType> {
    if let Some((name, text)) = &group.bits {
        context.fault(format_args!(
            "{name} is UINT64, with which nothing is computed; read its bits by long({text}), or its value by double({text}) or float({text})"
        ));
        return None;
    }
    let Some(first) = &group.typed else {
        return Some(if group.fraction {
            DType::Float
        } else {
            DType::Int64
        });
    };
    let dtype = first.computes();
    if let Some(second) = &group.other {
        // Of UINT8 and a wider integer, the UINT8.
        let (kept, cast) = match (first.dtype, second.dtype) {
            (DType::UInt8, other) if other.is_encoding() && other.is_integer() => (second, first),
            _ => (first, second),
        };
        let what = match first.dtype.is_encoding() || second.dtype.is_encoding() {
            true => &cast.text,
            false => &cast.name,
        };
        context.fault(format_args!(
            "{} is {} and {} is {}; cast one of them, as in {}({what})",
            first.name,
            first.dtype.name(),
            second.name,
            second.dtype.name(),
            kept.computes().word(),
        ));
        return None;
    }
    let first = &first.name;
    if let Some(number) = group.number.as_ref().filter(|_| dtype == DType::Bool) {
        context.fault(format_args!(
            "{first} is BOOL and {number} is a number; cast one of them, as in bool({number})"
        ));
        return None;
    }
    Some(dtype)
}

/// Binds an expression of a group of this type; `None` if there are faults, which are in the context.
fn build(context: &mut Context<'_>, expr: &Expr, dtype: DType) -> Option<bound::Expr> {
    let node = match expr {
        Expr::Literal(literal) => Node::Constant(constant(context, *literal, dtype)?),
        Expr::Loop(name) => Node::Loop(context.loops.id(name)),
        Expr::Length(length) => {
            let length = value(context.environment, length).unwrap_or(0);
            Node::Constant(constant(context, Literal::Integer(length), dtype)?)
        }
        Expr::Read(access) => read(context, access, dtype),
        Expr::Unary(Unary::Stored, a) => {
            let group = group_of(context, &[a]);
            let of = group_type(context, &group)?;
            let read = build(context, a, of)?;
            let is_sparse =
                |access: &bound::Access| context.environment.sparse.contains(&access.tensor);
            if !matches!(&read.node, Node::Read(access) if is_sparse(access)) {
                return Some(bound::Expr {
                    dtype,
                    node: Node::Constant(Scalar::Bool(true)),
                });
            }
            Node::Unary(Unary::Stored, Box::new(read))
        }
        Expr::Unary(unary, a) if unary.is_predicate() => {
            let group = group_of(context, &[a]);
            let of = group_type(context, &group)?;
            check_unary(context, *unary, a, of);
            predicate(*unary, build(context, a, of)?)
        }
        Expr::Unary(unary, a) => {
            check_unary(context, *unary, a, dtype);
            let a = if *unary == Unary::Not {
                truth(context, a, "'not'")
            } else {
                build(context, a, dtype)
            };
            Node::Unary(*unary, Box::new(a?))
        }
        Expr::Binary(binary, a, b) if binary.is_logical() => {
            let what = if *binary == Binary::And {
                "'and'"
            } else {
                "'or'"
            };
            let (a, b) = (truth(context, a, what), truth(context, b, what));
            Node::Binary(*binary, Box::new(a?), Box::new(b?))
        }
        Expr::Binary(binary, a, b) if binary.is_comparison() => {
            let group = group_of(context, &[a, b]);
            let common = group_type(context, &group)?;
            let (a, b) = (build(context, a, common), build(context, b, common));
            Node::Binary(*binary, Box::new(a?), Box::new(b?))
        }
        Expr::Binary(binary, a, b) => {
            let binary = check_binary(context, *binary, expr, dtype);
            let (a, b) = (build(context, a, dtype), build(context, b, dtype));
            simplified(binary, a?, b?)
        }
        Expr::Select(condition, a, b) => {
            let condition = truth(context, condition, "the condition of select");
            let (a, b) = (build(context, a, dtype), build(context, b, dtype));
            Node::Select(Box::new(condition?), Box::new(a?), Box::new(b?))
        }
        Expr::Cast(to, inner) => return cast(context, to, inner, dtype),
        Expr::Guard(conditions, inner) => return guard(context, conditions, inner, dtype),
    };
    Some(bound::Expr { dtype, node })
}

/// Binds a read, of this type.
fn read(context: &mut Context<'_>, access: &Access, dtype: DType) -> Node {
    match context.environment.known.get(&access.tensor) {
        Some(&Known::Tensor(id)) if context.environment.tensors[id].dtype.is_none() => {
            if !matches!(dtype, DType::Float | DType::Double) {
                context.environment.numbers.push((id, dtype));
            }
            Node::Number(id)
        }
        Some(&Known::Tensor(id)) => {
            let stored = context.environment.tensors[id].dtype.unwrap_or(dtype);
            let read = Node::Read(context.access(access, id));
            if stored == dtype {
                return read;
            }
            Node::Cast(Box::new(bound::Expr {
                dtype: stored,
                node: read,
            }))
        }
        _ => Node::Constant(Scalar::zero(dtype)),
    }
}

/// Binds a cast, in a group of this type.
fn cast(context: &mut Context<'_>, to: &Type, inner: &Expr, dtype: DType) -> Option<bound::Expr> {
    if cast_type(context, to).is_none() {
        return build(context, inner, dtype);
    }
    // To floating-point numbers by its value, which is rounded once, to INT64 by its bits.
    if (dtype == DType::Int64 || dtype.is_float()) && stored(context, inner) == Some(DType::UInt64)
    {
        let inner = build(context, inner, DType::UInt64)?;
        return Some(inner.cast(dtype));
    }
    let group = group_of(context, &[inner]);
    // An untyped operand of a cast by differentiation takes the type of the cast.
    if matches!(to, Type::Of(_)) && group.typed.is_none() {
        return build(context, inner, dtype);
    }
    let from = group_type(context, &group)?;
    let inner = build(context, inner, from)?;
    if from == dtype {
        return Some(inner);
    }
    Some(inner.cast(dtype))
}

/// Binds what is guarded, in a group of this type.
fn guard(
    context: &mut Context<'_>,
    conditions: &[Condition],
    inner: &Expr,
    dtype: DType,
) -> Option<bound::Expr> {
    let conditions = context.conditions(conditions);
    let around = (context.guards.len(), context.guarded);
    context.guards.extend(conditions.iter().cloned());
    context.guarded = true;
    let inner = build(context, inner, dtype);
    context.guards.truncate(around.0);
    context.guarded = around.1;
    if conditions.is_empty() {
        return inner;
    }
    let node = Node::Guard(conditions, Box::new(inner?));
    Some(bound::Expr { dtype, node })
}

/// The operation, simplified: derivatives contain many factors of 1.
fn simplified(binary: Binary, a: bound::Expr, b: bound::Expr) -> Node {
    let is_one = |expr: &bound::Expr| {
        matches!(
            expr.node,
            Node::Constant(Scalar::Float(1.0) | Scalar::Double(1.0))
        )
    };
    match binary {
        Binary::Mul | Binary::AdjointMul if is_one(&a) => b.node,
        Binary::Mul | Binary::Div | Binary::AdjointMul | Binary::AdjointDiv if is_one(&b) => a.node,
        _ => Node::Binary(binary, Box::new(a), Box::new(b)),
    }
}

/// An operand that must be BOOL.
fn truth(context: &mut Context<'_>, expr: &Expr, what: &str) -> Option<bound::Expr> {
    let group = group_of(context, &[expr]);
    let dtype = group_type(context, &group)?;
    if dtype != DType::Bool {
        let (operand, dtype) = (short(expr), dtype.name());
        context.fault(format_args!(
            "{what} needs BOOL, but {operand} is {dtype}; write bool({operand})"
        ));
        return None;
    }
    build(context, expr, DType::Bool)
}

fn check_unary(context: &mut Context<'_>, unary: Unary, operand: &Expr, dtype: DType) {
    use Unary::*;
    let name = format!("{unary:?}").to_lowercase();
    match (unary, dtype) {
        (BitNot, DType::Float | DType::Double) => context.fault(format_args!(
            "{name} of {} {}; cast it, as in int({})",
            dtype.name(),
            short(operand),
            short(operand)
        )),
        (Not, _) | (_, DType::Float | DType::Double) => {}
        (_, DType::Bool) => context.fault(format_args!(
            "{name} of BOOL {}; cast it, as in int({})",
            short(operand),
            short(operand)
        )),
        _ if unary.is_of_integers() => {}
        _ => {
            let operand = short(operand);
            context.fault(format_args!(
                "{name} of {} {operand}; cast it, as in float({operand})",
                dtype.name()
            ));
        }
    }
}

/// The operator for operands of a type: for truth values, max becomes or, and min becomes and.
fn check_binary(context: &mut Context<'_>, binary: Binary, expr: &Expr, dtype: DType) -> Binary {
    match (binary, dtype) {
        (Binary::Max, DType::Bool) => Binary::Or,
        (Binary::Min, DType::Bool) => Binary::And,
        (_, DType::Bool) => {
            context.fault(format_args!(
                "arithmetic on BOOL in {}; cast its operands, as in int(...)",
                short(expr)
            ));
            binary
        }
        (_, DType::Float | DType::Double) if binary.is_of_bits() => {
            context.fault(format_args!(
                "bits of {} in {}; cast its operands, as in int(...)",
                dtype.name(),
                short(expr)
            ));
            binary
        }
        (Binary::Atan2, dtype) if dtype.is_integer() => {
            context.fault(format_args!(
                "atan2 of {} in {}; cast its operands, as in float(...)",
                dtype.name(),
                short(expr)
            ));
            binary
        }
        _ => binary,
    }
}

/// A predicate as comparisons: a NaN is not equal to itself, and an infinity is equal to its own.
fn predicate(unary: Unary, x: bound::Expr) -> Node {
    let dtype = x.dtype;
    let size = |x: bound::Expr| bound::Expr {
        dtype,
        node: Node::Unary(Unary::Abs, Box::new(x)),
    };
    let infinity = bound::Expr {
        dtype,
        node: Node::Constant(Scalar::Double(f64::INFINITY).cast(dtype)),
    };
    match unary {
        Unary::IsNan => Node::Binary(Binary::Ne, Box::new(x.clone()), Box::new(x)),
        Unary::IsInf => Node::Binary(Binary::Eq, Box::new(size(x)), Box::new(infinity)),
        _ => Node::Binary(Binary::Lt, Box::new(size(x)), Box::new(infinity)),
    }
}

/// A literal converted to a type; a fault if it does not fit.
fn constant(context: &mut Context<'_>, literal: Literal, dtype: DType) -> Option<Scalar> {
    let scalar = match literal {
        Literal::Bool(truth) => Some(Scalar::Bool(truth)),
        Literal::Integer(integer) => Scalar::of_integer(integer, dtype),
        Literal::Fraction(fraction) => Scalar::of_fraction(fraction, dtype),
    };
    if scalar.is_none() {
        let text = Expr::Literal(literal).to_string();
        context.fault(format_args!("{} cannot hold {text}", dtype.name()));
    }
    scalar
}

/// An expression, shortened for messages.
fn short(expr: &Expr) -> String {
    let text = expr.to_string();
    if text.len() <= 60 {
        return text;
    }
    let end = (0..=57)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    format!("{}...", &text[..end])
}
