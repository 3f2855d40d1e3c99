//! Fusion by inlining: statements without memory, since they become part of those that read them.

use std::collections::BTreeSet;

use super::window;
use crate::ast::{Binary, Op, Unary};
use crate::bound::{Access, Bound, Expr, Index, Loops, Node, Statement, TensorId};

/// The maximum number of nodes to which expressions grow.
const MOST_NODES: usize = 400;
/// The least number of elements that do not stay in the L1 cache from one row of a tensor that is read across its memory to the next.
const ACROSS: f64 = 8192.0;
/// The maximum depth to which they grow, which bounds the stack of recursions.
pub(crate) const MOST_DEPTH: usize = 256;

/// The statements of a program after fusion. Those whose tensor is not returned, and which are read where they are
/// computed, are inlined into their readers, unless that recomputes elements of more than a few operators. Views, which compute nothing, always are.
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
            statement.reads(&mut |id| {
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
        source.reads(&mut |id| {
            self.readers[id].remove(&at);
        });
        for (k, reader) in rewritten {
            source.reads(&mut |id| {
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
            || may_fail(source)
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
            reader.value.accesses(&mut |access| {
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
            if within_index || contraction(reader) && !is_view(source) {
                return None;
            }
            let rounds = reader.loops.iter().map(|l| l.range as f64).product::<f64>();
            times += rounds * places.len() as f64 / size;
            let mut reader = reader.clone();
            if !substitute(&mut reader.value, source)
                || reader.value.nodes() > MOST_NODES
                || reader.value.depth() > MOST_DEPTH
            {
                return None;
            }
            rewritten.push((k, reader));
        }
        // Cheap: two operators cost less than writing and reading an element, unless each reader would read a tensor across its memory.
        let cheap = cost(&source.value) <= 2 && (size < ACROSS || !reads_across(source));
        let limit = if cheap { 4.0 } else { 1.0 };
        (times <= limit || is_view(source)).then_some(rewritten)
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
        if is_read[statement.target] || may_fail(statement) {
            statement.reads(&mut |id| is_read[id] = true);
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
        index.affine.as_loop().is_some_and(|l| {
            index.look_up.is_none()
                && statement.loops[l].range == len
                && !std::mem::replace(&mut seen[l], true)
        })
    }) && seen.into_iter().all(|seen| seen)
}

/// Whether a statement may fail, which is an error even for elements that are not read.
pub(crate) fn may_fail(statement: &Statement) -> bool {
    let fails = |expr: &Expr| match &expr.node {
        Node::Read(access) => !access.is_plain(),
        Node::Binary(Binary::Div | Binary::Rem | Binary::Pow, ..) => expr.dtype.is_integer(),
        _ => false,
    };
    statement.value.any(&fails) || !statement.left.iter().all(Index::is_plain)
}

/// Whether a statement only reads a tensor at other indices, which costs its readers nothing, and leaves operands of a product reads.
fn is_view(statement: &Statement) -> bool {
    matches!(&statement.value.node, Node::Read(access) if access.is_plain())
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
    expr.edit(&mut |expr| {
        let access = match &expr.node {
            Node::Read(access) if access.tensor == source.target => access,
            _ => return true,
        };
        if !access.is_plain() {
            return false;
        }
        let pairs = access.indices.iter().zip(&source.left);
        let loops = pairs.map(|(index, left)| (left.affine.terms[0].0, index.affine.clone()));
        let loops: Loops = loops.collect();
        *expr = source.value.clone();
        expr.rename(&loops)
    })
}

/// Whether the innermost axis of a statement's left side is an outer one of what it reads, whose innermost axis is an outer one on the left, as in
/// `t[i,j] = a[i,j] + b[j,i]`.
fn reads_across(statement: &Statement) -> bool {
    let inner = statement
        .left
        .last()
        .and_then(|index| index.affine.as_loop());
    let mut across = false;
    statement.value.accesses(&mut |access| {
        let last = access
            .indices
            .last()
            .and_then(|index| index.affine.as_loop());
        let outer = access.indices.iter().rev().skip(1);
        across |= last != inner
            && last.is_some_and(|l| statement.loops[l].range > 1)
            && outer
                .filter_map(|index| index.affine.as_loop())
                .any(|l| Some(l) == inner && statement.loops[l].range > 1);
    });
    across
}

/// The cost of an expression in operators; slow ones count several times.
fn cost(expr: &Expr) -> usize {
    let mut cost = 0;
    expr.visit(&mut |expr| {
        cost += match &expr.node {
            Node::Constant(_) | Node::Number(_) | Node::Loop(_) => 0,
            Node::Read(access) => {
                let indices = access.indices.iter();
                10 * indices.filter(|index| index.look_up.is_some()).count()
            }
            Node::Unary(
                Unary::Neg | Unary::Not | Unary::Abs | Unary::Relu | Unary::Sign | Unary::Square,
                _,
            )
            | Node::Cast(_)
            | Node::Select(..) => 1,
            Node::Binary(Binary::Div | Binary::AdjointDiv | Binary::Rem | Binary::Pow, ..)
            | Node::Unary(..)
            | Node::Guard(..) => 10,
            Node::Binary(..) => 1,
        };
    });
    cost
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

    /// As named axes write them: a statement for each step.
    #[test]
    fn chains_views_and_what_is_cheap_become_part_of_their_readers() {
        let all = " where i in 0:5";
        let chain =
            format!("a[i] = x[i] - y[i]{all}; b[i] = a[i] ^ 2{all}; s += b[i]{all}; return s");
        assert_eq!(left(&chain), ["s"]);
        assert_eq!(
            left("a[i] = x[i] + 1; b[i] = a[i] * a[i]; c[i] = b[i] + a[i]; return c"),
            ["c"]
        );
        let views = "v[i,j] = x[4-j] where i in 0:5, j in 0:5; w[j,i] = v[i,j]; p[i,k] += w[i,j] * v[j,k]; return p";
        assert_eq!(left(views), ["p"]);
        let of_products = "a[i,j] = x[i] + y[j]; p[i,k] += a[i,j] * a[j,k]; return p";
        assert_eq!(left(of_products), ["a", "p"]);
        let slow = "e[i] = exp(x[i]); p[i,j] = e[i] + e[j]; return p";
        assert_eq!(left(slow), ["e", "p"]);
    }

    #[test]
    fn a_transpose_is_read_once_and_not_by_each_reader() {
        let text = "t[i,j] = a[i,j] + b[j,i]; m[i] max= t[i,j]; y[i,j] = t[i,j] - m[i]; return y";
        let program = Program::parse(text).expect("a program");
        for (length, kept) in [(5, 2), (256, 3)] {
            let square = Signature::tensor(DType::Float, &[length, length]);
            let bound = program
                .bind(&[square.clone(), square], &[None])
                .expect("shapes fit");
            assert_eq!(inline(&bound).len(), kept, "{length}");
        }
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
