//! Inference of a statement: its loops, accesses, shape and type.

use std::borrow::Cow;
use std::collections::HashMap;

use super::access::{self, Axis};
use super::context::Context;
use super::loops::Loops;
use super::ranges::Ranges;
use super::sizes::{self, fixed_ranges, pinned_shape};
use super::{extent, target, types, Environment, Known};
use crate::ast::{self, Assign, Expr, Extent, Op, Shape, Type};
use crate::bound::{self, Index, Loop, LoopId, Statement};
use crate::names::display;
use crate::operand::DType;
use crate::signature::Kind;

/// The result of inferring a statement.
pub(crate) enum Inferred {
    /// The bound statement, whose target is defined, and the ranges of its loops.
    Fine(Statement, HashMap<String, i64>),
    /// Its faults; empty if it reads the result of a statement with faults.
    Faulty(Vec<String>),
    /// The adjoint of a tensor without gradients.
    Nothing,
}

/// Infers a statement; `pinned` is the shape given for an output.
pub(crate) fn infer(
    environment: &mut Environment,
    assign: &Assign,
    pinned: Option<&[i64]>,
) -> Inferred {
    if is_nothing(environment, assign) {
        return Inferred::Nothing;
    }
    if reads_faulty(environment, assign) {
        return Inferred::Faulty(Vec::new());
    }
    match bind(environment, &filled(environment, assign), pinned) {
        Ok((statement, ranges)) => Inferred::Fine(statement, ranges),
        Err(faults) => Inferred::Faulty(faults),
    }
}

/// Whether a statement is the adjoint of a tensor without gradients, or a part of one.
pub(super) fn is_nothing(environment: &Environment, assign: &Assign) -> bool {
    let mut primals = assign.adjoint.iter();
    primals.any(|primal| match environment.known.get(primal) {
        Some(&Known::Tensor(id)) => !environment.is_differentiable(id),
        Some(Known::Nothing) => true,
        _ => false,
    })
}

/// Completes a statement that fills the shape of a tensor, whose rank is known only now, by a loop for each axis.
pub(crate) fn filled<'a>(environment: &Environment, assign: &'a Assign) -> Cow<'a, Assign> {
    match &assign.shape {
        Some(Shape::Like(name)) if assign.left.is_empty() => {
            let mut assign = assign.clone();
            let rank = environment
                .tensor(name)
                .map_or(0, |id| environment.tensors[id].shape.len());
            assign.left = (0..rank)
                .map(|axis| ast::Index::of(format!("m{axis}'")))
                .collect();
            Cow::Owned(assign)
        }
        _ => Cow::Borrowed(assign),
    }
}

/// Whether a statement depends on one with faults.
pub(super) fn reads_faulty(environment: &Environment, assign: &Assign) -> bool {
    let mut faulty = false;
    let is_faulty = |name: &str| environment.known.get(name) == Some(&Known::Faulty);
    let of_extent = |extent: &Extent| match extent {
        Extent::Size(name, _) | Extent::Len(name, _) => is_faulty(name),
        Extent::Range(statement, name) => !environment.ranges[*statement].contains_key(name),
        _ => false,
    };
    faulty |= assign
        .accesses()
        .into_iter()
        .any(|access| is_faulty(&access.tensor));
    assign.value.visit(&mut |expr| {
        if let Expr::Cast(Type::Of(name), _) = expr {
            faulty |= is_faulty(name);
        }
    });
    faulty |= assign.lengths().into_iter().any(of_extent);
    if let Some(Shape::Like(name)) = &assign.shape {
        faulty |= is_faulty(name);
    }
    faulty
}

/// The name of a target in messages, and without its version.
pub(crate) fn names(assign: &Assign) -> (String, String) {
    let label = display(&assign.target).to_owned();
    let name = label.split('#').next().unwrap_or(&label).to_owned();
    (label, name)
}

/// What the lengths of axes say of a statement.
pub(super) struct Sized<'a> {
    pub reads: Vec<Axis<'a>>,
    /// The range of each loop.
    pub ranges: Vec<i64>,
    pub pinned: Option<Vec<i64>>,
    /// Lengths that contradict each other.
    pub faults: Vec<String>,
}

/// Why they do not say it.
pub(super) struct Unsized {
    pub faults: Vec<String>,
    /// Whether nothing determines the range of some loop.
    pub is_open: bool,
}

/// Finds the ranges of a statement's loops.
pub(super) fn sized<'a>(
    environment: &Environment,
    assign: &'a Assign,
    loops: &Loops,
    pinned: Option<&[i64]>,
) -> Result<Sized<'a>, Unsized> {
    let (label, name) = names(assign);
    let (ranges, fixed) = fixed_ranges(environment, assign, loops);
    let mut faults = sizes::faults(environment, assign, &label);
    let pinned = pinned_shape(environment, assign, &label, pinned, &mut faults);
    let reads = access::reads(environment, assign, &label).unwrap_or_else(|found| {
        faults.extend(found);
        Vec::new()
    });
    if !faults.is_empty() {
        let is_open = false;
        return Err(Unsized { faults, is_open });
    }
    let mut found = Ranges {
        loops,
        ranges,
        fixed,
    };
    found.find(&reads, &assign.left, pinned.as_deref());
    faults.extend(found.faults(&label, &name, &reads, &assign.left, pinned.as_deref()));
    match found.ranges.into_iter().collect::<Option<Vec<i64>>>() {
        Some(ranges) => Ok(Sized {
            reads,
            ranges,
            pinned,
            faults,
        }),
        None => {
            let is_open = true;
            Err(Unsized { faults, is_open })
        }
    }
}

/// Binds the statement; also returns the ranges of its loops by name.
fn bind(
    environment: &mut Environment,
    assign: &Assign,
    pinned: Option<&[i64]>,
) -> Result<(Statement, HashMap<String, i64>), Vec<String>> {
    let (label, name) = names(assign);
    let loops = Loops::of(assign);
    let sized = match sized(environment, assign, &loops, pinned) {
        Ok(sized) => sized,
        Err(Unsized { faults, .. }) => {
            return Err(with_types(environment, assign, &loops, &label, faults))
        }
    };
    let Sized {
        reads,
        ranges,
        pinned,
        mut faults,
    } = sized;
    if faults.is_empty() {
        let all = |_| true;
        faults = outside(environment, &reads, &loops, &ranges, &label, &all);
    }

    let mut context = Context {
        environment,
        loops: &loops,
        ranges: &ranges,
        label: &label,
        guards: Vec::new(),
        guarded: !assign.guards.is_empty(),
        faults,
    };
    let guards = context.conditions(&assign.guards);
    context.guards = guards.clone();
    let bound_left: Vec<Index> = (0..assign.left.len())
        .map(|axis| context.index(&assign.left[axis], pinned.as_ref().map(|sizes| sizes[axis])))
        .collect();
    let shape = target::shape(
        &label,
        &name,
        &bound_left,
        &ranges,
        pinned.as_deref(),
        context.guarded,
    )
    .unwrap_or_else(|found| {
        context.faults.extend(found);
        Vec::new()
    });
    let value = types::statement(&mut context, assign);
    let faults = context.faults;
    let Some(value) = value.filter(|_| faults.is_empty()) else {
        return Err(faults);
    };
    let kept = kept(assign);
    let faults = result_faults(assign, &label, &value, &shape, &loops, &ranges);
    if !faults.is_empty() {
        return Err(faults);
    }
    let target = environment.define(
        &assign.target,
        Some(value.dtype),
        shape,
        Kind::Typed(value.dtype),
    );
    let by_name = loops
        .names
        .iter()
        .cloned()
        .zip(ranges.iter().copied())
        .collect();
    let loops = loops
        .names
        .into_iter()
        .zip(ranges)
        .map(|(name, range)| Loop { name, range })
        .collect();
    let statement = Statement {
        target,
        loops,
        kept,
        left: bound_left,
        op: assign.op,
        value,
        guards,
    };
    Ok((statement, by_name))
}

/// What is wrong with a statement whose indices and types are right.
fn result_faults(
    assign: &Assign,
    label: &str,
    value: &bound::Expr,
    shape: &[i64],
    loops: &Loops,
    ranges: &[i64],
) -> Vec<String> {
    let kept = kept(assign);
    let mut faults = Vec::new();
    if value.dtype == DType::Bool && matches!(assign.op, Op::Sum | Op::Product) {
        faults.push(format!(
            "{label}: {} of BOOL; use max= for or, min= for and, or cast by int(...)",
            assign.op
        ));
    }
    let extremum_of_integers = matches!(assign.op, Op::Max | Op::Min) && value.dtype.is_integer();
    if let Some(empty) = (kept..ranges.len())
        .find(|&id| ranges[id] == 0)
        .filter(|_| extremum_of_integers && !shape.contains(&0))
    {
        let dtype = value.dtype.name();
        faults.push(format!(
            "{label}: {} of {dtype} over index {}, whose range is 0, has no value",
            assign.op, loops.names[empty]
        ));
    }
    if let Err(fault) = target::check_size(shape, Some(value.dtype)) {
        faults.push(format!("{label}: {fault}"));
    }
    if faults.is_empty() {
        let all: Vec<(&str, i64)> = loops
            .names
            .iter()
            .map(|name| &**name)
            .zip(ranges.iter().copied())
            .collect();
        faults.extend(endless(&all, label, ""));
    }
    faults
}

/// Adds the faults of types, which do not depend on ranges.
fn with_types(
    environment: &mut Environment,
    assign: &Assign,
    loops: &Loops,
    label: &str,
    faults: Vec<String>,
) -> Vec<String> {
    let mut context = Context {
        environment,
        loops,
        ranges: &vec![1; loops.names.len()],
        label,
        guards: Vec::new(),
        guarded: true,
        faults,
    };
    types::statement(&mut context, assign);
    context.faults
}

/// The most iterations of a statement: nobody would wait for so many, and some more can still be counted in 64 bits.
pub(crate) const MOST: i128 = 1 << 62;

/// The fault of loops that would never end, by their names and ranges; `row` says where ranges that depend on other loops are these.
pub(crate) fn endless(loops: &[(&str, i64)], label: &str, row: &str) -> Option<String> {
    let count =
        |product: i128, &(_, range): &(&str, i64)| product.saturating_mul(i128::from(range));
    let iterations = loops.iter().fold(1, count);
    // A range of 0 makes that none.
    (iterations > MOST).then(|| {
        let all: Vec<String> = loops
            .iter()
            .map(|(name, range)| format!("{name} in 0:{range}"))
            .collect();
        let all = all.join(", ");
        format!("{label}: {all}{row} are more than 2^62 iterations")
    })
}

/// The number of loops on the left side; they come first.
pub(crate) fn kept(assign: &Assign) -> usize {
    let mut names = Vec::new();
    for index in &assign.left {
        index.visit(&mut |index| names.extend(index.terms.iter().map(|(_, name)| name)));
    }
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// The faults of reads that would be out of bounds, unless nothing runs. Loops run to below `upper`; some have a range that is no number but only at
/// most that, and a ragged axis has the length -1: neither is judged.
pub(crate) fn outside(
    environment: &Environment,
    reads: &[Axis<'_>],
    loops: &Loops,
    upper: &[i64],
    label: &str,
    is_fixed: &dyn Fn(LoopId) -> bool,
) -> Vec<String> {
    let mut faults = Vec::new();
    if (0..upper.len()).any(|id| is_fixed(id) && upper[id] == 0) {
        return faults;
    }
    for read in reads {
        let affine = loops.affine(environment, read.index);
        let known = affine.terms.iter().all(|&(id, _)| is_fixed(id));
        if read.guarded || read.length < 0 || read.index.look_up.is_some() || !known {
            continue;
        }
        let (least, greatest) = extent::of(&affine, upper);
        let at = if greatest >= i128::from(read.length) {
            greatest
        } else {
            least
        };
        if least < 0 || greatest >= i128::from(read.length) {
            let (tensor, axis, length) = (display(read.tensor), read.axis, read.length);
            let fault =
                format!("{label}: {tensor} axis {axis} of length {length} would be read at {at}");
            if !faults.contains(&fault) {
                faults.push(fault);
            }
        }
    }
    faults
}
