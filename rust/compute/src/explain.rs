//! The error of a run that failed, in words.
//!
//! Kernels only find that something has no result. So the statement that failed is looked at again, and of it only what can fail: indices that are
//! checked as they run, and divisors and exponents of integers. Each is evaluated over the loops that it depends on, which are often few of the
//! statement's. The first iteration that fails in the order of the loops is then evaluated as a whole, which gives the error.

use crate::ast::Binary;
use crate::bound::{Access, Condition, Expr, Index, LoopId, Node, Statement, TensorId};
use crate::oracle::{for_each, Iteration, Oracle, Source};
use crate::scalar::Scalar;
use crate::Error;

/// Something that may fail, under the conditions around it.
struct Check<'a> {
    conditions: Vec<&'a Condition>,
    part: Part<'a>,
    /// The loops on which it and the conditions depend, ascending.
    loops: Vec<LoopId>,
}

enum Part<'a> {
    /// The indices of a read or, if that is said, of the write.
    Indices(&'a [Index], TensorId, bool),
    /// The right operand of an operator of integers.
    Right(Binary, &'a Expr),
}

/// The error of the first of these statements that fails. They follow each other, and all that they read has a source but what they define
/// themselves.
pub(crate) fn fault(oracle: &mut Oracle<'_>, statements: &[Statement]) -> Option<Error> {
    for (at, statement) in statements.iter().enumerate() {
        for check in checks(statement) {
            for tensor in check.reads() {
                if let Err(error) = provide(oracle, statements, at, tensor) {
                    return Some(error);
                }
            }
        }
        let Some(loops) = first(oracle, statement) else {
            continue;
        };
        let mut reads = Vec::new();
        let value = &statement.value;
        value.accesses(&mut |access| reads.push(access.tensor));
        for tensor in reads {
            if let Err(error) = provide(oracle, statements, at, tensor) {
                return Some(error);
            }
        }
        let iteration = Iteration {
            oracle,
            statement,
            loops: &loops,
        };
        if let Err(error) = iteration.run() {
            return Some(error);
        }
    }
    None
}

/// Evaluates a tensor that one of the statements before number `at` defines and nobody keeps.
fn provide(
    oracle: &mut Oracle<'_>,
    statements: &[Statement],
    at: usize,
    tensor: TensorId,
) -> Result<(), Error> {
    if oracle.has(tensor) {
        return Ok(());
    }
    let Some(defined) = statements[..at].iter().position(|one| one.target == tensor) else {
        return Ok(());
    };
    let mut reads = Vec::new();
    let value = &statements[defined].value;
    value.accesses(&mut |access| reads.push(access.tensor));
    for read in reads {
        provide(oracle, statements, defined, read)?;
    }
    let elements = oracle.statement(&statements[defined])?;
    oracle.set(tensor, Source::Elements(elements));
    Ok(())
}

/// The values of the loops at which a statement fails first.
fn first(oracle: &Oracle<'_>, statement: &Statement) -> Option<Vec<i64>> {
    if statement.loops.iter().any(|each| each.range == 0) {
        return None;
    }
    let mut earliest: Option<Vec<i64>> = None;
    for check in checks(statement) {
        let ranges: Vec<i64> = check
            .loops
            .iter()
            .map(|&id| statement.loops[id].range)
            .collect();
        let mut loops = vec![0; statement.loops.len()];
        // Where it fails does not depend on the other loops, so it fails first where these are 0. An error ends the search.
        let _ = for_each(&ranges, &mut |at| {
            for (&id, &value) in check.loops.iter().zip(at) {
                loops[id] = value;
            }
            if earliest.as_ref().is_some_and(|other| *other <= loops) {
                return Err(Error::outside(""));
            }
            let iteration = Iteration {
                oracle,
                statement,
                loops: &loops,
            };
            if check.fails(&iteration) {
                earliest = Some(loops.clone());
                return Err(Error::outside(""));
            }
            Ok(())
        });
    }
    earliest
}

impl Check<'_> {
    fn fails(&self, iteration: &Iteration<'_>) -> bool {
        if !self.conditions.iter().all(|one| iteration.meets(one)) {
            return false;
        }
        match self.part {
            Part::Indices(indices, tensor, written) => {
                iteration.indices(indices, tensor, written).is_err()
            }
            Part::Right(operator, right) => match iteration.expr(right) {
                Err(_) => true,
                Ok(value) => Scalar::Int64(1)
                    .cast(right.dtype)
                    .binary(operator, value)
                    .is_err(),
            },
        }
    }

    /// The tensors that it reads.
    fn reads(&self) -> Vec<TensorId> {
        let mut reads = Vec::new();
        let mut found = |access: &Access| reads.push(access.tensor);
        match self.part {
            Part::Indices(indices, ..) => {
                let look_ups = indices.iter().filter_map(|each| each.look_up.as_ref());
                look_ups.for_each(|access| access.visit(&mut found));
            }
            Part::Right(_, right) => right.accesses(&mut found),
        }
        reads
    }
}

/// All that may fail in a statement, in the order of evaluation.
fn checks(statement: &Statement) -> Vec<Check<'_>> {
    let mut found = Vec::new();
    let mut conditions: Vec<&Condition> = statement.guards.iter().collect();
    expr_checks(&statement.value, &mut conditions, &mut found);
    access_checks(
        &statement.left,
        statement.target,
        true,
        &conditions,
        &mut found,
    );
    found
}

fn access_checks<'a>(
    indices: &'a [Index],
    tensor: TensorId,
    written: bool,
    conditions: &[&'a Condition],
    found: &mut Vec<Check<'a>>,
) {
    if indices.iter().any(|index| index.checked) {
        let mut loops = loops_of(conditions);
        for index in indices.iter().filter(|index| index.checked) {
            loops.extend(index.affine.loops());
            if let Some(look_up) = &index.look_up {
                look_up.loops(&mut |id| loops.push(id));
            }
        }
        found.push(Check::new(
            conditions,
            Part::Indices(indices, tensor, written),
            loops,
        ));
    }
}

fn expr_checks<'a>(
    expr: &'a Expr,
    conditions: &mut Vec<&'a Condition>,
    found: &mut Vec<Check<'a>>,
) {
    let around = conditions.len();
    if let Node::Guard(inner, _) = &expr.node {
        conditions.extend(inner);
    }
    for x in expr.children() {
        expr_checks(x, conditions, found);
    }
    conditions.truncate(around);
    match &expr.node {
        Node::Read(access) => {
            access_checks(&access.indices, access.tensor, false, conditions, found);
        }
        Node::Binary(op @ (Binary::Div | Binary::Rem | Binary::Pow), _, y)
            if y.dtype.is_integer() =>
        {
            let mut loops = loops_of(conditions);
            y.loops(&mut |id| loops.push(id));
            found.push(Check::new(conditions, Part::Right(*op, y), loops));
        }
        _ => {}
    }
}

impl<'a> Check<'a> {
    fn new(conditions: &[&'a Condition], part: Part<'a>, mut loops: Vec<LoopId>) -> Check<'a> {
        loops.sort_unstable();
        loops.dedup();
        Check {
            conditions: conditions.to_vec(),
            part,
            loops,
        }
    }
}

fn loops_of(conditions: &[&Condition]) -> Vec<LoopId> {
    conditions
        .iter()
        .flat_map(|one| one.affine.loops())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::checks;
    use crate::operand::DType;
    use crate::{Program, Signature};

    /// For each check of a statement, the names of the loops over which it is evaluated.
    fn loops(text: &str, types: &[DType]) -> Vec<Vec<String>> {
        let program = Program::parse(text).expect("a program");
        let ranks = program
            .inputs()
            .iter()
            .map(|name| if name == "T" { 2 } else { 1 });
        let inputs: Vec<Signature> = types
            .iter()
            .zip(ranks)
            .map(|(&dtype, rank)| Signature::tensor(dtype, &vec![5; rank]))
            .collect();
        let bound = program.bind(&inputs, &[None]).expect("shapes fit");
        let statement = &bound.statements[0];
        let names = |ids: &[usize]| {
            ids.iter()
                .map(|&id| statement.loops[id].name.clone())
                .collect()
        };
        checks(statement)
            .iter()
            .map(|check| names(&check.loops))
            .collect()
    }

    #[test]
    fn what_can_fail_is_evaluated_over_the_loops_that_it_depends_on() {
        use DType::{Float, Int32};
        assert_eq!(loops("y[i,d] = T[n[i],d]", &[Float, Int32]), [["i"]]);
        assert_eq!(
            loops("y[i,j] += T[n[i],k] * x[j]", &[Float, Int32, Float]),
            [["i"]]
        );
        assert_eq!(loops("y[i,j] = x[i] / n[j]", &[Int32, Int32]), [["j"]]);
        assert_eq!(
            loops(
                "y[n[i],j] += guard(0 <= j < 2, x[j+1]) where y[5,5]",
                &[Int32, Float]
            ),
            [["i"]]
        );
        assert_eq!(
            loops(
                "y[i,j,k] += guard(0 <= k < 9, x[j+1]) * m[i] where k in 0:20, j in 0:5",
                &[Float, Float]
            ),
            [["j", "k"]]
        );
        assert!(loops("y[i,j] = x[i] * n[j]", &[Int32, Int32]).is_empty());
    }
}
