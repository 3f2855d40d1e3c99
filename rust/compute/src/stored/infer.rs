//! The inference of a statement over ragged or sparse tensors, once its operands are there.

use super::given;
use super::lengths;
use super::nest::Nest;
use super::ranges::{self, Bound, Length, Range};
use super::rows::Path;
use super::statement::Statement;
use super::support::{Leaves, Support};
use super::tensor::{Form, Tensor};
use crate::ast::{self, Assign, Op, Shape};
use crate::bound::{Affine, Index, LoopId, TensorId};
use crate::infer::access;
use crate::infer::context::Context;
use crate::infer::extent;
use crate::infer::loops::Loops;
use crate::infer::sizes;
use crate::infer::statement::{endless, filled, names, outside};
use crate::infer::{types, Environment};
use crate::names::display;
use crate::operand::DType;
use crate::{Error, ErrorKind};

/// Infers a statement. `primal` is the nest of the statement of whose gradient this is a part, and its value.
pub(super) fn infer(
    environment: &mut Environment,
    assign: &Assign,
    primal: Option<(&Nest, &Assign)>,
    output: Option<&[i64]>,
    tensors: &[Tensor<'_>],
    depth: usize,
) -> Result<Statement, Error> {
    let illegal = |faults: Vec<String>| Error::new(ErrorKind::IllegalArgument, faults);
    let assign = &*filled(environment, assign);
    let (label, name) = names(assign);
    let given = given::given(environment, assign, &label).map_err(illegal)?;
    let mut unshaped;
    let assign = match given {
        Some(_) => {
            unshaped = assign.clone();
            unshaped.shape = None;
            &unshaped
        }
        None => assign,
    };
    // Lengths of rows are loops: those of the primal, if there is one.
    let of = primal.map_or(assign, |(_, primal)| primal);
    let names = of.loops();
    let too_large = || illegal(vec![format!("{label}: an index does not fit INT64")]);
    let (_, lengths) = lengths::written_out(environment, of).ok_or_else(too_large)?;
    let loops = Loops::with(names, lengths.iter().map(|length| length.name.clone()));
    let (assign, _) = lengths::written_out(environment, assign).ok_or_else(too_large)?;
    let assign = &assign;
    let reads = access::reads(environment, assign, &label).map_err(illegal)?;
    let like = match &assign.shape {
        Some(Shape::Like(name)) => environment.tensor(name),
        _ => None,
    };
    // What fills the rows of a tensor has their ranges.
    let filling = ast::Access {
        tensor: match &assign.shape {
            Some(Shape::Like(name)) => name.clone(),
            _ => String::new(),
        },
        indices: assign.left.clone(),
    };
    let mut bounding = Vec::new();
    if let (Some(id), None) = (like, primal) {
        let shape = environment.tensors[id].shape.clone();
        for (axis, index) in assign.left.iter().enumerate() {
            bounding.push(access::Axis {
                tensor: &filling.tensor,
                axis,
                length: shape.get(axis).copied().unwrap_or(0),
                index,
                guarded: false,
                bounds: true,
                access: &filling,
            });
        }
    }
    bounding.extend(reads);
    let mut faults = sizes::faults(environment, assign, &label);
    let mut pinned = sizes::pinned_shape(environment, assign, &label, output, &mut faults);
    if let Some(given) = &given {
        pinned = Some(given.shape.clone());
    }
    if !faults.is_empty() {
        return Err(illegal(faults));
    }
    let ranges = match primal {
        Some((nest, _)) => nest.ranges.clone(),
        None => ranges::find(
            environment,
            assign,
            &loops,
            &label,
            &bounding,
            pinned.as_deref(),
            &lengths,
        )
        .map_err(illegal)?,
    };
    let upper = upper(&ranges.ranges, tensors);
    faults.extend(unfit(&ranges.ranges, &upper, &label));
    if !faults.is_empty() {
        return Err(illegal(faults));
    }
    let is_fixed = |id: LoopId| matches!(ranges.ranges[id], Range::Fixed(_));
    faults.extend(outside(
        environment,
        &bounding,
        &loops,
        &upper,
        &label,
        &is_fixed,
    ));
    let mut context = Context {
        environment,
        loops: &loops,
        ranges: &upper,
        label: &label,
        guards: Vec::new(),
        guarded: !assign.guards.is_empty(),
        faults,
    };
    let guards = context.conditions(&assign.guards);
    context.guards = guards.clone();
    let left: Vec<Index> = assign
        .left
        .iter()
        .map(|index| context.index(index, None))
        .collect();
    let stored: Vec<_> = assign
        .stored
        .iter()
        .filter_map(|access| {
            let tensor = context.environment.tensor(&access.tensor)?;
            Some(context.access(access, tensor))
        })
        .collect();
    let value = types::statement(&mut context, assign);
    let outside = match primal {
        Some((_, of)) if assign.adjoint.len() == 1 => {
            let mut at_zero = assign.clone();
            replace(&mut at_zero.value, &of.value);
            types::statement(&mut context, &at_zero)
        }
        _ => None,
    };
    let mut faults = context.faults;
    let Some(value) = value.filter(|_| faults.is_empty()) else {
        return Err(illegal(faults));
    };
    if value.dtype == DType::Bool && matches!(assign.op, Op::Sum | Op::Product) {
        faults.push(format!(
            "{label}: {} of BOOL; use max= for or, min= for and, or cast by int(...)",
            assign.op
        ));
    }
    let sparse = |id: TensorId| environment.sparse.contains(&id);
    let ids = 0..environment.tensors.len();
    let mut leaves = Leaves::new(&[], ids.clone().map(sparse));
    faults.extend(indices(assign, environment, &label));
    if !faults.is_empty() {
        return Err(illegal(faults));
    }
    let own = leaves.support(&value);
    let mut alone = !stored.is_empty();
    let mut support = match primal {
        Some((nest, _)) => {
            // The primal's reads come first, by whose numbers its support is.
            leaves = Leaves::new(&nest.reads, ids.map(sparse));
            leaves.support(&value);
            alone |= nest.alone;
            nest.support.clone()
        }
        None if alone => stored.iter().fold(Support::All, |support, access| {
            support.and(leaves.leaf(access).map_or(Support::All, Support::Leaf))
        }),
        None => own.clone(),
    };
    if let (Some(id), None) = (like, primal) {
        // What fills the points of a sparse tensor runs there.
        if leaves.is_sparse(id) {
            let access = crate::bound::Access {
                tensor: id,
                indices: left.clone(),
            };
            support = leaves.leaf(&access).map_or(Support::All, Support::Leaf);
            alone = true;
        }
    }
    let reads_sparse = assign
        .accesses()
        .iter()
        .any(|access| environment.tensor(&access.tensor).is_some_and(sparse));
    if support == Support::All && primal.is_none() {
        let term = assign.value.to_string();
        if assign.sparse {
            faults.push(format!(
                "{label}: {term} is not 0 outside of stored points, so that a sparse {name} would store all; \
                 multiply by what is sparse, or add where stored(...)"
            ));
        } else if reads_sparse && !alone {
            let first = assign
                .accesses()
                .into_iter()
                .find(|access| environment.tensor(&access.tensor).is_some_and(sparse));
            let (read, stored) = first.map_or((String::new(), String::new()), |access| {
                (access.tensor.clone(), access.to_string())
            });
            faults.push(format!(
                "{label}: {term} is not 0 where {} is not stored; add where stored({}), or toDense()",
                display(&read), stored
            ));
        }
    }
    if support == Support::All && !upper.contains(&0) {
        // Of the others how many there are depends on the row.
        let fixed: Vec<(&str, i64)> = (0..upper.len())
            .filter(|&id| is_fixed(id))
            .map(|id| (&*loops.names[id], upper[id]))
            .collect();
        faults.extend(endless(&fixed, &label, ""));
    }
    if !faults.is_empty() {
        return Err(illegal(faults));
    }
    // The form of a dense tensor is its shape.
    let is_like = like.is_some_and(|id| sparse(id) || environment.tensors[id].shape.contains(&-1));
    let mut kept = Vec::new();
    left.iter()
        .for_each(|index| super::rows::loops(index, &mut kept));
    let mut seen = Vec::new();
    kept.retain(|id: &LoopId| {
        let new = !seen.contains(id) && !loops.is_length(*id);
        seen.push(*id);
        new
    });
    Ok(Statement {
        depth,
        nest: Nest {
            names: loops.names.clone(),
            ranges,
            support,
            reads: leaves.reads().to_vec(),
            alone,
            kept,
        },
        label,
        name,
        left,
        op: assign.op,
        value,
        guards,
        pinned: pinned.filter(|_| !is_like && given.is_none()),
        given,
        like: like.filter(|_| is_like),
        sparse: assign.sparse,
        outside,
    })
}

/// Replaces what equals `what` by 0.
fn replace(expr: &mut ast::Expr, what: &ast::Expr) {
    if expr == what {
        *expr = ast::Expr::Literal(ast::Literal::Integer(0));
        return;
    }
    expr.children_mut()
        .into_iter()
        .for_each(|child| replace(child, what));
}

/// The faults of indices of sparse tensors, which are distinct loops or constants, and of look-ups in them.
fn indices(assign: &Assign, environment: &Environment, label: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_sparse = |access: &ast::Access| {
        let id = environment.tensor(&access.tensor);
        id.is_some_and(|id| environment.sparse.contains(&id))
    };
    let mut look_ups = Vec::new();
    for access in assign.accesses() {
        for index in &access.indices {
            look_ups.extend(index.look_up.as_deref());
        }
    }
    look_ups.extend(
        assign
            .left
            .iter()
            .filter_map(|index| index.look_up.as_deref()),
    );
    for access in look_ups {
        if is_sparse(access) {
            faults.push(format!(
                "{label}: {} is sparse, and an index looks up what is dense or ragged; make it dense by toDense()",
                display(&access.tensor)
            ));
        }
    }
    for access in assign.accesses().into_iter().chain(&assign.stored) {
        if !is_sparse(access) {
            continue;
        }
        let mut seen = Vec::new();
        for index in &access.indices {
            let name = display(&access.tensor);
            match (index.lone(), index.is_constant()) {
                (Some(id), _) if !seen.contains(&id) => seen.push(id),
                (None, true) => {}
                _ => faults.push(format!(
                    "{label}: index {index} of {name}, which is sparse: its indices are distinct loops or constants; make it dense by toDense(), \
                     or look up by coordinates in dense tensors"
                )),
            }
        }
    }
    faults.dedup();
    faults
}

/// Upper bounds of ranges.
fn upper(ranges: &[Range], tensors: &[Tensor<'_>]) -> Vec<i64> {
    let mut upper = Upper {
        ranges,
        tensors,
        known: vec![None; ranges.len()],
    };
    (0..ranges.len()).map(|id| upper.of(id)).collect()
}

/// Upper bounds while they are found: each once, since many ranges may depend on one.
struct Upper<'u, 'a> {
    ranges: &'u [Range],
    tensors: &'u [Tensor<'a>],
    known: Vec<Option<i64>>,
}

impl<'u> Upper<'u, '_> {
    fn of(&mut self, id: LoopId) -> i64 {
        if let Some(known) = self.known[id] {
            return known;
        }
        let ranges = self.ranges;
        let upper = match &ranges[id] {
            Range::Fixed(range) => *range,
            Range::Is(path) => self.row(path).saturating_add(1),
            Range::Rows(bounds) => {
                let bounds = bounds.iter().map(|bound| self.bound(bound));
                bounds.min().unwrap_or(0)
            }
        };
        self.known[id] = Some(upper);
        upper
    }

    /// Of the length of a row.
    fn row(&self, path: &Path) -> i64 {
        match &self.tensors[path.tensor].form {
            Form::Ragged(rows) => match &rows.splits[path.axis] {
                Some(splits) => splits.last().copied().unwrap_or(0),
                None => rows.shape[path.axis],
            },
            _ => 0,
        }
    }

    fn bound(&mut self, bound: &'u Bound) -> i64 {
        let length = match &bound.length {
            Length::Number(length) => *length,
            Length::Row(path) => self.row(path),
            Length::Affine(formula) => {
                let (_, greatest) = self.extent(&formula.affine);
                return greatest.clamp(0, i128::from(i64::MAX)) as i64;
            }
        };
        let mut others = (i128::from(bound.constant), i128::from(bound.constant));
        for &(coefficient, other) in &bound.others {
            extent::add(&mut others, coefficient, self.of(other));
        }
        // The greatest range, where the others add least, or most.
        let other = if bound.coefficient > 0 {
            others.0
        } else {
            others.1
        };
        ranges::most(length, bound.coefficient, (other, other))
    }

    fn extent(&mut self, affine: &Affine) -> (i128, i128) {
        let mut extent = (i128::from(affine.constant), i128::from(affine.constant));
        for &(id, coefficient) in &affine.terms {
            extent::add(&mut extent, coefficient, self.of(id));
        }
        extent
    }
}

/// The faults of ranges in terms of other loops whose values, negative ones too, are not all within 64 bits.
fn unfit(ranges: &[Range], upper: &[i64], label: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for range in ranges {
        let Range::Rows(bounds) = range else { continue };
        for bound in bounds {
            let Length::Affine(formula) = &bound.length else {
                continue;
            };
            let (least, greatest) = extent::of(&formula.affine, upper);
            if i64::try_from(least).is_err() || i64::try_from(greatest).is_err() {
                let name = &formula.name;
                faults.push(format!("{label}: the range of {name} does not fit INT64"));
            }
        }
    }
    faults
}
