//! Inference of the types of expressions. Operands connected by operators form a group with one type, bounded by casts,
//! comparisons and conditions of selects.

use super::context::Context;
use super::sizes::value;
use super::Known;
use crate::ast::{Assign, Binary, Expr, Literal, Type, Unary};
use crate::bound::{self, Node};
use crate::names::display;
use crate::operand::DType;
use crate::parse::words;
use crate::scalar::Scalar;
use crate::signature::Kind;

/// The operands of a group, as far as they determine its type.
#[derive(Default)]
struct Group {
    /// The first operand that has a type.
    typed: Option<(String, DType)>,
    /// The first operand of another type.
    other: Option<(String, DType)>,
    /// The first number, and whether one has a fraction.
    number: Option<String>,
    fraction: bool,
}

/// The typed value of a statement, or faults in the context.
pub(crate) fn statement(context: &mut Context<'_>, assign: &Assign) -> Option<bound::Expr> {
    let group = group_of(context, &[&assign.value]);
    let dtype = group_type(context, &group)?;
    build(context, &assign.value, dtype)
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
    let mut typed = |what: String, dtype: DType| match &group.typed {
        None => group.typed = Some((what, dtype)),
        Some((_, first)) if *first != dtype && group.other.is_none() => {
            group.other = Some((what, dtype))
        }
        _ => {}
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
                Some(dtype) => typed(display(&access.tensor).to_owned(), dtype),
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
            .and_then(|id| context.environment.tensors[id].dtype),
    }
}

/// The type of a group, unless its operands disagree.
fn group_type(context: &mut Context<'_>, group: &Group) -> Option<DType> {
    let Some((first, dtype)) = &group.typed else {
        return Some(if group.fraction {
            DType::Float
        } else {
            DType::Int64
        });
    };
    if let Some((second, other)) = &group.other {
        let cast = words::word(&words::CASTS, *dtype);
        context.fault(format_args!(
            "{first} is {} and {second} is {}; cast one of them, as in {cast}({second})",
            dtype.name(),
            other.name()
        ));
        return None;
    }
    if let Some(number) = group.number.as_ref().filter(|_| *dtype == DType::Bool) {
        context.fault(format_args!(
            "{first} is BOOL and {number} is a number; cast one of them, as in bool({number})"
        ));
        return None;
    }
    Some(*dtype)
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
        Expr::Read(access) => match context.environment.known.get(&access.tensor) {
            Some(&Known::Tensor(id)) if context.environment.tensors[id].dtype.is_none() => {
                if !matches!(dtype, DType::Float | DType::Double) {
                    context.environment.numbers.push((id, dtype));
                }
                Node::Number(id)
            }
            Some(&Known::Tensor(id)) => Node::Read(context.access(access, id)),
            _ => Node::Constant(Scalar::zero(dtype)),
        },
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
        Expr::Cast(to, inner) => {
            if cast_type(context, to).is_none() {
                return build(context, inner, dtype);
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
            Node::Cast(Box::new(inner))
        }
        Expr::Guard(conditions, inner) => {
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
            Node::Guard(conditions, Box::new(inner?))
        }
    };
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
