//! Windows that do not overlap: the gradient of what they select, written where it belongs instead of looked for.
//!
//! The gather form of the gradient of `y[i] max= x[s*i + r]`, with r below R, is `dx[m] += guard(0 <= m - s*i < R, ...)`: for each m it tries all i.
//! If R is at most s, m = s*i + r has at most one solution, so i and r become the loops of the left side, and the guard goes. Elements between
//! windows keep the initial value of the sum, 0, as they do where no guard holds.

use crate::ast::Op;
use crate::bound::{Affine, Condition, Expr, Index, Loop, LoopId, Loops, Node, Statement};

/// Rewrites a statement for each axis of which that holds.
pub(super) fn scatter(statement: &mut Statement) {
    while let Some(better) = rewritten(statement) {
        *statement = better;
    }
}

/// A condition that holds where `m = step * window + within + constant`, for `within` from 0 to below `length`.
struct Window {
    /// The number of the condition.
    condition: usize,
    /// The loop m, of the left side.
    solved: LoopId,
    /// The reduced loop over windows.
    window: LoopId,
    step: i64,
    constant: i64,
    length: i64,
}

/// The window of a condition; `None` unless windows are apart, and all of each is inside of the axis of m.
fn window(statement: &Statement, conditions: &[Condition], at: usize) -> Option<Window> {
    let Condition { affine, bound } = &conditions[at];
    let [(solved, 1), (window, step)] = affine.terms[..] else {
        return None;
    };
    let (step, length) = (step.checked_neg()?, *bound);
    if solved >= statement.kept || window < statement.kept || length < 1 || step < length {
        return None;
    }
    let of_axis = |index: &&Index| index.affine.loops().any(|l| l == solved);
    let mut axes = statement.left.iter().filter(of_axis);
    let (axis, other) = (axes.next()?, axes.next());
    if axis.affine.as_loop().is_none() || axis.checked || other.is_some() {
        return None;
    }
    let constant = affine.constant.checked_neg()?;
    let last = statement.loops[window]
        .range
        .checked_sub(1)?
        .checked_mul(step)?
        .checked_add(length - 1)?
        .checked_add(constant)?;
    (constant >= 0 && last < statement.loops[solved].range).then_some(Window {
        condition: at,
        solved,
        window,
        step,
        constant,
        length,
    })
}

fn rewritten(statement: &Statement) -> Option<Statement> {
    let (Op::Sum, Node::Guard(conditions, value)) = (statement.op, &statement.value.node) else {
        return None;
    };
    (0..conditions.len()).find_map(|at| {
        let window = window(statement, conditions, at)?;
        solve(statement, conditions, value, &window)
    })
}

/// Rewrites a statement for a window; `None` if its m is used as a number, which would become an expression.
fn solve(
    statement: &Statement,
    conditions: &[Condition],
    value: &Expr,
    window: &Window,
) -> Option<Statement> {
    // The loops of the left side in order, with those of the window in the place of m; then the reduced ones.
    let mut loops: Vec<Loop> = Vec::new();
    let mut places = Loops::new();
    for (id, each) in statement.loops.iter().enumerate() {
        if id == window.solved {
            let at = loops.len();
            loops.push(statement.loops[window.window].clone());
            loops.push(Loop {
                name: each.name.clone(),
                range: window.length,
            });
            places.insert(window.window, Affine::of_loop(at));
            places.insert(
                id,
                Affine {
                    constant: window.constant,
                    terms: vec![(at, window.step), (at + 1, 1)],
                },
            );
        } else if id != window.window {
            places.insert(id, Affine::of_loop(loops.len()));
            loops.push(each.clone());
        }
    }
    let mut conditions = conditions.to_vec();
    conditions.remove(window.condition);
    let mut solved = statement.clone();
    solved.value = match conditions.is_empty() {
        true => value.clone(),
        false => Expr {
            dtype: value.dtype,
            node: Node::Guard(conditions, Box::new(value.clone())),
        },
    };
    solved.loops = loops;
    solved.kept += 1;
    solved.rename(&places).then_some(solved)
}

#[cfg(test)]
mod tests {
    use super::scatter;
    use crate::operand::DType;
    use crate::{Program, Signature};

    /// The ranges of the loops of a program's only statement, over vectors of 10 and 2 floats, and how many of them are kept.
    fn loops(text: &str) -> (Vec<i64>, usize) {
        let program = Program::parse(text).expect("a program");
        let vectors = [10, 2].map(|size| Signature::tensor(DType::Float, &[size]));
        let bound = program.bind(&vectors, &[None]).expect("shapes fit");
        let mut statement = bound.statements[0].clone();
        scatter(&mut statement);
        (
            statement.loops.iter().map(|l| l.range).collect(),
            statement.kept,
        )
    }

    #[test]
    fn windows_apart_become_loops_of_the_left_side() {
        assert_eq!(
            loops("d[m] += guard(0 <= m-2*i < 2, g[i] * w[m-2*i]) where m in 0:20, i in 0:10"),
            (vec![10, 2], 2)
        );
        assert_eq!(
            loops("d[m] += guard(0 <= m-5*i-3 < 2, g[i] * w[m-5*i-3]) where m in 0:60, i in 0:10"),
            (vec![10, 2], 2)
        );
    }

    #[test]
    fn an_axis_that_is_used_as_a_number_leaves_the_others() {
        for factor in ["m", "k"] {
            let text = format!(
                "d[m,k] += guard(0 <= m-2*i < 2, 0 <= k-2*j < 2, g[i] * w[m-2*i] * g[j] * {factor}) \
                 where m in 0:20, k in 0:20, i in 0:10, j in 0:10"
            );
            let (ranges, kept) = loops(&text);
            assert_eq!((ranges.len(), kept), (4, 3), "{text}");
        }
    }

    #[test]
    fn windows_that_overlap_or_reach_outside_stay() {
        for text in [
            "d[m] += guard(0 <= m-i < 2, g[i] * w[m-i]) where m in 0:20, i in 0:10",
            "d[m] += guard(0 <= m-2*i < 2, g[i] * w[m-2*i]) where m in 0:19, i in 0:10",
            "d[m] += guard(0 <= m-2*i+1 < 2, g[i] * w[m-2*i+1]) where m in 0:20, i in 0:10",
            "d[m] max= guard(0 <= m-2*i < 2, g[i] * w[m-2*i]) where m in 0:20, i in 0:10",
        ] {
            let (ranges, kept) = loops(text);
            assert_eq!((ranges.len(), kept), (2, 1), "{text}");
        }
    }
}
