//! Fusion by inlining: statements without memory, since they become part of those that read them.

use std::collections::{BTreeSet, HashMap};

use super::footprint::{access_and_look_ups, accesses, reads};
use super::window;
use crate::ast::{Binary, Op, Unary};
use crate::bound::{
    Access, Affine, Bound, Condition, Expr, Index, LoopId, Node, Statement, TensorId,
};

/// The maximum number of nodes to which expressions grow.
const MOST_NODES: usize = 400;
/// The maximum depth to which they grow, which bounds the stack of recursions.
pub(crate) const MOST_DEPTH: usize = 256;

/// The statements of a program after fusion. Those whose tensor is not returned, and which are read where they are
/// computed, are inlined into their readers, unless that recomputes elements of more than a few operators.
pub(crate) fn inline(bound: &Bound) -> Vec<Statement> {
    let mut statements = read_later(bound);
    statements.iter_mut().for_each(window::scatter);
    let mut fusion = Fusion::new(bound, statements);
    (0..fusion.statements.len()).for_each(|at| fusion.try_inline(at));
    fusion.statements.into_iter().flatten().collect()
}

/// Statements, of which some are gone, and who reads each tensor. Each statement is looked at together with its readers only, so that the time
/// grows with the number of reads, and not with the square of the number of statements.
struct Fusion<'a> {
    bound: &'a Bound,
    statements: Vec<Option<Statement>>,
    is_returned: Vec<bool>,
    /// The statements that read each tensor, by number.
    readers: Vec<BTreeSet<usize>>,
    /// The number of readers that were looked at.
    #[cfg(test)]
    work: usize,
}

impl<'a> Fusion<'a> {
    fn new(bound: &'a Bound, statements: Vec<Statement>) -> Fusion<'a> {
        let mut is_returned = vec![false; bound.tensors.len()];
        bound.returned.iter().for_each(|&id| is_returned[id] = true);
        let mut readers = vec![BTreeSet::new(); bound.tensors.len()];
        for (at, statement) in statements.iter().enumerate() {
            reads(statement, &mut |id| {
                readers[id].insert(at);
            });
        }
        Fusion {
            bound,
            statements: statements.into_iter().map(Some).collect(),
            is_returned,
            readers,
            #[cfg(test)]
            work: 0,
        }
    }

    /// Inlines a statement into those that read it, if that is possible and worthwhile.
    fn try_inline(&mut self, at: usize) {
        let Some(source) = self.statements[at].take() else {
            return;
        };
        let rewritten = self.rewritten(&source);
        let Some(rewritten) = rewritten else {
            self.statements[at] = Some(source);
            return;
        };
        reads(&source, &mut |id| {
            self.readers[id].remove(&at);
        });
        for (k, reader) in rewritten {
            reads(&source, &mut |id| {
                self.readers[id].insert(k);
            });
            self.statements[k] = Some(reader);
        }
    }

    /// The readers of a statement with its value in place of their reads, by number.
    fn rewritten(&mut self, source: &Statement) -> Option<Vec<(usize, Statement)>> {
        let shape = &self.bound.tensors[source.target].shape;
        if self.is_returned[source.target]
            || source.op != Op::Set
            || !source.guards.is_empty()
            || may_fail(&source.value)
            || !is_identity(source, shape)
        {
            return None;
        }
        let mut rewritten = Vec::new();
        let mut times = 0.0;
        let size = shape
            .iter()
            .map(|&len| len as f64)
            .product::<f64>()
            .max(1.0);
        for &k in &self.readers[source.target] {
            let Some(reader) = &self.statements[k] else {
                continue;
            };
            #[cfg(test)]
            {
                self.work += 1;
            }
            let mut places: Vec<&Access> = Vec::new();
            let mut within_index = false;
            accesses(&reader.value, &mut |access| {
                if access.tensor == source.target && !places.contains(&access) {
                    places.push(access);
                }
                within_index |= access
                    .indices
                    .iter()
                    .any(|index| mentions(index, source.target));
            });
            within_index |= reader
                .left
                .iter()
                .any(|index| mentions(index, source.target));
            if within_index || contraction(reader) {
                return None;
            }
            let rounds = reader.loops.iter().map(|l| l.range as f64).product::<f64>();
            times += rounds * places.len() as f64 / size;
            let mut reader = reader.clone();
            if !substitute(&mut reader.value, source)
                || nodes(&reader.value) > MOST_NODES
                || depth(&reader.value) > MOST_DEPTH
            {
                return None;
            }
            rewritten.push((k, reader));
        }
        // Cheap: two operators cost less than writing and reading an element.
        let limit = if cost(&source.value) <= 2 { 4.0 } else { 1.0 };
        (times <= limit).then_some(rewritten)
    }
}

/// The statements on which an output depends, and those that may fail. A gradient need not compute what it differentiates.
fn read_later(bound: &Bound) -> Vec<Statement> {
    let mut is_read = vec![false; bound.tensors.len()];
    for &id in &bound.returned {
        is_read[id] = true;
    }
    let mut kept: Vec<Statement> = Vec::new();
    for statement in bound.statements.iter().rev() {
        let is_checked = |index: &Index| index.checked || index.look_up.is_some();
        if is_read[statement.target]
            || may_fail(&statement.value)
            || statement.left.iter().any(is_checked)
        {
            accesses(&statement.value, &mut |access| {
                is_read[access.tensor] = true
            });
            for look in statement
                .left
                .iter()
                .filter_map(|index| index.look_up.as_ref())
            {
                access_and_look_ups(look, &mut |access| is_read[access.tensor] = true);
            }
            kept.push(statement.clone());
        }
    }
    kept.reverse();
    kept
}

/// Whether each axis of the left side is a distinct loop with the axis's length as its range.
fn is_identity(statement: &Statement, shape: &[i64]) -> bool {
    let mut seen = vec![false; statement.loops.len()];
    statement.left.iter().zip(shape).all(|(index, &len)| {
        matches!(index.affine.terms[..], [(l, 1)]
            if index.affine.constant == 0 && index.look_up.is_none() && statement.loops[l].range == len
                && !std::mem::replace(&mut seen[l], true))
    }) && seen.into_iter().all(|seen| seen)
}

/// Whether the evaluation may fail, which is an error even for elements that are not read.
pub(crate) fn may_fail(expr: &Expr) -> bool {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => false,
        Node::Read(access) => access
            .indices
            .iter()
            .any(|index| index.checked || index.look_up.is_some()),
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => may_fail(x),
        Node::Binary(op, x, y) => {
            let partial =
                matches!(op, Binary::Div | Binary::Rem | Binary::Pow) && expr.dtype.is_integer();
            partial || may_fail(x) || may_fail(y)
        }
        Node::Select(c, x, y) => may_fail(c) || may_fail(x) || may_fail(y),
    }
}

/// Whether an index looks up in a tensor.
fn mentions(index: &Index, tensor: TensorId) -> bool {
    index.look_up.as_ref().is_some_and(|look| {
        look.tensor == tensor || look.indices.iter().any(|index| mentions(index, tensor))
    })
}

/// Whether a statement may be a matrix product, whose operands must stay reads, of encodings casts of these.
fn contraction(statement: &Statement) -> bool {
    fn unguarded(expr: &Expr) -> &Node {
        match &expr.node {
            Node::Guard(_, x) => unguarded(x),
            Node::Cast(x) if x.dtype.is_encoding() => unguarded(x),
            node => node,
        }
    }
    let is_read = |x: &Expr| matches!(unguarded(x), Node::Read(_));
    let of_reads = matches!(unguarded(&statement.value), Node::Binary(Binary::Mul, x, y) if is_read(x) && is_read(y));
    statement.op == Op::Sum
        && of_reads
        && statement.loops.len() > statement.kept
        && statement.kept > 1
}

/// Replaces reads of a statement's target by its value, with the indices of the read in place of its loops; returns whether all could be replaced.
fn substitute(expr: &mut Expr, source: &Statement) -> bool {
    match &mut expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => true,
        Node::Read(access) => {
            if access.tensor != source.target {
                return true;
            }
            let mut loops: HashMap<LoopId, Affine> = HashMap::new();
            for (index, left) in access.indices.iter().zip(&source.left) {
                if index.checked || index.look_up.is_some() {
                    return false;
                }
                loops.insert(left.affine.terms[0].0, index.affine.clone());
            }
            let mut value = source.value.clone();
            let done = rename(&mut value, &loops);
            *expr = value;
            done
        }
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => substitute(x, source),
        Node::Binary(_, x, y) => substitute(x, source) && substitute(y, source),
        Node::Select(c, x, y) => {
            substitute(c, source) && substitute(x, source) && substitute(y, source)
        }
    }
}

/// Substitutes the loops of an expression; returns whether that is possible: a loop used as a value must become a single loop.
pub(crate) fn rename(expr: &mut Expr, loops: &HashMap<LoopId, Affine>) -> bool {
    match &mut expr.node {
        Node::Constant(_) | Node::Number(_) => true,
        Node::Loop(l) => match loops.get(l) {
            Some(Affine { constant: 0, terms }) if matches!(terms[..], [(_, 1)]) => {
                *l = terms[0].0;
                true
            }
            _ => false,
        },
        Node::Read(access) => rename_access(access, loops),
        Node::Unary(_, x) | Node::Cast(x) => rename(x, loops),
        Node::Binary(_, x, y) => rename(x, loops) && rename(y, loops),
        Node::Select(c, x, y) => rename(c, loops) && rename(x, loops) && rename(y, loops),
        Node::Guard(conditions, x) => {
            conditions
                .iter_mut()
                .all(|Condition { affine, .. }| compose(affine, loops))
                && rename(x, loops)
        }
    }
}

fn rename_access(access: &mut Access, loops: &HashMap<LoopId, Affine>) -> bool {
    access.indices.iter_mut().all(|index| {
        compose(&mut index.affine, loops)
            && index
                .look_up
                .as_mut()
                .is_none_or(|look| rename_access(look, loops))
    })
}

/// Substitutes loops by affine forms in an affine form; false if a number overflows.
pub(crate) fn compose(affine: &mut Affine, loops: &HashMap<LoopId, Affine>) -> bool {
    let mut constant = affine.constant;
    let mut terms: HashMap<LoopId, i64> = HashMap::new();
    for &(l, k) in &affine.terms {
        let Some(inner) = loops.get(&l) else {
            return false;
        };
        let Some(sum) = inner
            .constant
            .checked_mul(k)
            .and_then(|product| constant.checked_add(product))
        else {
            return false;
        };
        constant = sum;
        for &(m, c) in &inner.terms {
            let before = terms.get(&m).copied().unwrap_or(0);
            let Some(sum) = c
                .checked_mul(k)
                .and_then(|product| before.checked_add(product))
            else {
                return false;
            };
            terms.insert(m, sum);
        }
    }
    let mut terms: Vec<(LoopId, i64)> = terms.into_iter().filter(|&(_, k)| k != 0).collect();
    terms.sort_unstable();
    *affine = Affine { constant, terms };
    true
}

fn nodes(expr: &Expr) -> usize {
    1 + match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => 0,
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => nodes(x),
        Node::Binary(_, x, y) => nodes(x) + nodes(y),
        Node::Select(c, x, y) => nodes(c) + nodes(x) + nodes(y),
    }
}

fn depth(expr: &Expr) -> usize {
    1 + match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) | Node::Read(_) => 0,
        Node::Unary(_, x) | Node::Cast(x) | Node::Guard(_, x) => depth(x),
        Node::Binary(_, x, y) => depth(x).max(depth(y)),
        Node::Select(c, x, y) => depth(c).max(depth(x)).max(depth(y)),
    }
}

/// The cost of an expression in operators; slow ones count several times.
fn cost(expr: &Expr) -> usize {
    match &expr.node {
        Node::Constant(_) | Node::Number(_) | Node::Loop(_) => 0,
        Node::Read(access) => {
            access
                .indices
                .iter()
                .filter(|index| index.look_up.is_some())
                .count()
                * 10
        }
        Node::Unary(
            Unary::Neg | Unary::Not | Unary::Abs | Unary::Relu | Unary::Sign | Unary::Square,
            x,
        )
        | Node::Cast(x) => 1 + cost(x),
        Node::Unary(_, x) | Node::Guard(_, x) => 10 + cost(x),
        Node::Binary(Binary::Div | Binary::AdjointDiv | Binary::Rem | Binary::Pow, x, y) => {
            10 + cost(x) + cost(y)
        }
        Node::Binary(_, x, y) => 1 + cost(x) + cost(y),
        Node::Select(c, x, y) => 1 + cost(c) + cost(x) + cost(y),
    }
}

#[cfg(test)]
mod tests {
    use super::inline;
    use crate::operand::DType;
    use crate::{Program, Signature};

    /// The targets of the statements that are left of a program over vectors of 5 floats, and 5 indices named `at`.
    fn left(text: &str) -> Vec<String> {
        let program = Program::parse(text).expect("a program");
        let type_of = |name: &String| {
            if name == "at" {
                DType::Int32
            } else {
                DType::Float
            }
        };
        let inputs: Vec<Signature> = program
            .inputs()
            .iter()
            .map(|name| Signature::tensor(type_of(name), &[5]))
            .collect();
        let bound = program.bind(&inputs, &[None]).expect("shapes fit");
        let names = inline(&bound)
            .into_iter()
            .map(|statement| bound.tensors[statement.target].name.clone());
        names.collect()
    }

    #[test]
    fn what_no_output_depends_on_is_not_computed() {
        assert_eq!(
            left("s += x[i]; t += s * x[i]; m max= y[i]; return m"),
            ["m"]
        );
        assert_eq!(
            left("s += x[i]; t += s * x[i]; m max= y[i]; return t"),
            ["s", "t"]
        );
        let backward = left("y[i] = exp(x[i]); z += y[i] * x[i]; gradient z by x; return dx");
        assert!(!backward.contains(&"z".to_owned()), "{backward:?}");
    }

    #[test]
    fn what_may_fail_is_computed() {
        assert_eq!(left("s += x[at[i]]; m max= x[i]; return m"), ["s", "m"]);
        assert_eq!(
            left("n[i] = at[i] + 0; s[n[i]] += x[i] where s[5]; m max= x[i]; return m"),
            ["n", "s", "m"]
        );
        assert_eq!(
            left("s += at[i] / at[4 - i]; m max= x[i]; return m"),
            ["s", "m"]
        );
    }

    #[test]
    fn work_grows_with_the_number_of_statements() {
        let work = |count: usize| {
            let chain: String = (1..=count)
                .map(|n| format!("x{n}[i] = tanh(x{}[i]) + x[i]; ", n - 1))
                .collect();
            let text = format!("x0[i] = 2.0 * x[i]; {chain} gradient x{count} by x; return dx");
            let program = Program::parse(&text).expect("a program");
            let inputs = [Signature::tensor(DType::Float, &[5])];
            let bound = program.bind(&inputs, &[None]).expect("shapes fit");
            let mut fusion = super::Fusion::new(&bound, super::read_later(&bound));
            (0..fusion.statements.len()).for_each(|at| fusion.try_inline(at));
            fusion.work
        };
        let (one, four) = (work(100), work(400));
        assert!(four <= 5 * one, "{one} and {four}");
    }
}
