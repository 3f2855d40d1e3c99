//! Reverse-mode differentiation of statements. The result consists of ordinary statements, appended to the program.
//!
//! For `o[left] += f`, each read `R[a]` in `f` gives `dR[a] += do[left] * df/dR`: a contribution. Statements are
//! visited from the last to the first; at the one that defines `R`, all contributions to its adjoint are known, and are
//! summed. Only tensors on paths from `of` to the requested ones have adjoints.

mod contribution;
mod expression;
mod reduction;
mod scan;
mod substitute;

use expression::{Part, Refused};

use std::collections::{HashMap, HashSet};

use crate::ast::{Access, Assign, Expr, Index, Literal, Op, Shape, Type, MAX_DEPTH};
use crate::builder::Scatter;
use crate::names::{display, Named};
use crate::program::Plain;
use crate::stored::kinds::Kinds;
use crate::Error;

/// The maximum depth of the expressions of derivatives.
const MAX_DERIVATIVE_DEPTH: usize = 4 * MAX_DEPTH;

/// A bound of the depth of what differentiation makes of trees of that depth, before it is measured. A derivative repeats an operand within at most
/// four operators for each operator around it.
pub(crate) fn deepest(depth: usize) -> usize {
    depth.saturating_mul(6).saturating_add(32)
}

/// Appends the statements that compute a gradient; `scatter` says where the gather form is forbidden.
pub(crate) fn append(plain: &mut Plain, gradient: &Named, scatter: &Scatter) -> Result<(), Error> {
    let primal = plain.statements.len();
    let active = active(plain, gradient);
    let (scatter, kinds) = match scatter {
        Scatter::Never => (vec![false; primal], Kinds::default()),
        Scatter::Always => (vec![true; primal], Kinds::default()),
        Scatter::Over(kinds) => kinds.of_statements(plain),
    };
    let mut sweep = Sweep {
        plain,
        gradient,
        scatter,
        kinds,
        contributions: HashMap::new(),
        names: gradient
            .by
            .iter()
            .map(|by| (by.label.clone(), by.name.clone()))
            .collect(),
    };
    let mut end = primal;
    while end > 0 {
        let at = end - 1;
        if let Some(block) = sweep.plain.block_of(at).cloned() {
            sweep.block(&block, &active)?;
            end = block.statements.start;
            continue;
        }
        end = at;
        let target = sweep.plain.statements[at].target.clone();
        let adjoint = sweep.finish(&target);
        if let Some(adjoint) = adjoint.filter(|_| active.contains(&target)) {
            sweep.statement(at, &adjoint, &active)?;
        }
    }
    for input in sweep.plain.inputs_of(gradient) {
        sweep.finish(&input);
    }
    let depth = sweep.depth(primal)?;
    plain.depth = plain.depth.saturating_add(depth);
    plain.differentiated.push((
        gradient.of.clone(),
        format!("gradient {}", gradient.of_name),
    ));
    for by in &gradient.by {
        plain
            .differentiated
            .push((by.label.clone(), format!("gradient {}", gradient.of_name)));
    }
    if let Some(seed) = &gradient.seed {
        plain.seeds.push((seed.clone(), gradient.of.clone()));
    }
    Ok(())
}

/// The tensors that depend on those with respect to which the gradient is taken.
fn active(plain: &Plain, gradient: &Named) -> HashSet<String> {
    let mut active: HashSet<String> = gradient.by.iter().map(|by| by.label.clone()).collect();
    loop {
        for statement in &plain.statements {
            if expression::reaches(&statement.value, &active) {
                active.insert(statement.target.clone());
            }
        }
        if !scan::spread(plain, &mut active) {
            return active;
        }
    }
}

/// An adjoint: a tensor, or 1 everywhere.
#[derive(Clone)]
enum Adjoint {
    Tensor(String),
    Ones,
}

struct Sweep<'a> {
    plain: &'a mut Plain,
    gradient: &'a Named,
    /// For each statement, whether its gradient is in scatter form.
    scatter: Vec<bool>,
    /// Which tensors are ragged.
    kinds: Kinds,
    /// For each tensor, the statements that contribute to its adjoint; their targets have no names yet.
    contributions: HashMap<String, Vec<Assign>>,
    /// The requested names of adjoints, by tensor.
    names: HashMap<String, String>,
}

impl Sweep<'_> {
    /// Adds the contributions of a statement to the adjoints of the tensors that it reads.
    fn statement(
        &mut self,
        at: usize,
        adjoint: &Adjoint,
        active: &HashSet<String>,
    ) -> Result<(), Error> {
        let statement = self.plain.statements[at].clone();
        let of_result = self.of_result(&statement, adjoint);
        let parts = self.parts(at, &statement, of_result, active)?;
        for part in parts {
            let tensor = part.access.tensor.clone();
            let assign = contribution::statement(at, &statement, part, self.scatter[at]);
            self.contributions.entry(tensor).or_default().push(assign);
        }
        Ok(())
    }

    /// What the reads of a statement contribute, given the adjoint of its result.
    fn parts(
        &mut self,
        at: usize,
        statement: &Assign,
        of_result: Expr,
        active: &HashSet<String>,
    ) -> Result<Vec<Part>, Error> {
        let (factor, masks) = self.through_reduction(at, statement, of_result)?;
        // Sums of products stay such, for the matrix products that they are.
        let linear = statement.op == Op::Sum && expression::is_product(&statement.value);
        expression::parts(&statement.value, factor, masks, active, linear).map_err(|refused| {
            match refused {
                Refused::TooLarge => self.too_large(&statement.target),
                Refused::Function(name) => {
                    let (of, label) = (&self.gradient.of_name, display(&statement.target));
                    Error::illegal(format!("gradient {of}: {name} in {label} has no gradient"))
                }
            }
        })
    }

    /// The adjoint of the element that a statement writes.
    fn of_result(&self, statement: &Assign, adjoint: &Adjoint) -> Expr {
        match adjoint {
            Adjoint::Ones => like(&statement.target, Expr::Literal(Literal::Integer(1))),
            Adjoint::Tensor(tensor) => {
                let read = Expr::Read(Access {
                    tensor: tensor.clone(),
                    indices: statement.left.clone(),
                });
                // A seed may be a number.
                if self.gradient.seed.as_ref() == Some(tensor) {
                    like(&statement.target, read)
                } else {
                    read
                }
            }
        }
    }

    /// Sums all contributions to an adjoint, under the requested name if there is one.
    fn finish(&mut self, tensor: &str) -> Option<Adjoint> {
        let name = self.names.get(tensor).cloned();
        if tensor == self.gradient.of {
            return Some(self.finish_of(name));
        }
        let mut parts = self.contributions.remove(tensor).unwrap_or_default();
        let label = name.clone().unwrap_or_else(|| self.fresh(tensor));
        match parts.len() {
            0 => {
                let name = name?;
                self.push(fill(
                    name.clone(),
                    tensor,
                    like(tensor, Expr::Literal(Literal::Integer(0))),
                ));
                return Some(Adjoint::Tensor(name));
            }
            1 => {
                parts[0].target = label.clone();
                self.push(parts.remove(0));
            }
            _ => self.sum(&label, tensor, parts),
        }
        Some(Adjoint::Tensor(label))
    }

    /// The adjoint of the differentiated tensor: the seed.
    fn finish_of(&mut self, name: Option<String>) -> Adjoint {
        let of = self.gradient.of.clone();
        let seed = self.gradient.seed.clone();
        if let Some(name) = name {
            match &seed {
                None => self.push(fill(
                    name,
                    &of,
                    like(&of, Expr::Literal(Literal::Integer(1))),
                )),
                Some(seed) => {
                    let left = self.rank(&of).map(axes).unwrap_or_default();
                    let read = Expr::Read(Access {
                        tensor: seed.clone(),
                        indices: left.clone(),
                    });
                    let mut assign = fill(name, &of, like(&of, read));
                    assign.left = left;
                    self.push(assign);
                }
            }
        }
        seed.map_or(Adjoint::Ones, Adjoint::Tensor)
    }

    /// The rank of a tensor that a statement defines.
    fn rank(&self, label: &str) -> Option<usize> {
        let statement = self
            .plain
            .statements
            .iter()
            .find(|statement| statement.target == label);
        statement.map(|statement| statement.left.len())
    }

    /// Defines each contribution as a separate tensor, and their sum.
    fn sum(&mut self, label: &str, tensor: &str, parts: Vec<Assign>) {
        let left = axes(parts[0].left.len());
        let mut sum = None;
        for mut part in parts {
            part.target = self.fresh(tensor);
            let read = Expr::Read(Access {
                tensor: part.target.clone(),
                indices: left.clone(),
            });
            self.push(part);
            sum = Some(match sum {
                None => read,
                Some(sum) => expression::add(sum, read),
            });
        }
        if let Some(sum) = sum {
            let mut assign = fill(label.to_owned(), tensor, sum);
            assign.left = left;
            self.push(assign);
        }
    }

    /// A fresh name that no text can have.
    fn fresh(&self, tensor: &str) -> String {
        format!("d{}'{}", display(tensor), self.plain.statements.len())
    }

    fn push(&mut self, assign: Assign) {
        self.plain.statements.push(assign);
    }

    /// The depth of the derivatives.
    fn depth(&self, primal: usize) -> Result<usize, Error> {
        let mut deepest = 0;
        for statement in &self.plain.statements[primal..] {
            let depth = statement.value.depth();
            if depth > MAX_DERIVATIVE_DEPTH {
                return Err(self.too_large(statement.adjoint.last().map_or("", String::as_str)));
            }
            deepest = deepest.max(depth);
        }
        Ok(deepest)
    }

    fn too_large(&self, label: &str) -> Error {
        let (of, label) = (&self.gradient.of_name, display(label));
        Error::illegal(format!("gradient {of}: the derivative of {label} is too large; give a part of it a name of its own"))
    }
}

/// Casts an expression to a tensor's type.
fn like(tensor: &str, expr: Expr) -> Expr {
    Expr::Cast(Type::Of(tensor.to_owned()), Box::new(expr))
}

/// The indices of a tensor's axes, with loop names that no text can have.
fn axes(rank: usize) -> Vec<Index> {
    (0..rank)
        .map(|axis| Index::of(format!("m{axis}'")))
        .collect()
}

/// A contribution to a tensor's adjoint that is constant, or whose indices are added later.
fn fill(target: String, tensor: &str, value: Expr) -> Assign {
    Assign {
        target,
        left: Vec::new(),
        op: Op::Set,
        value,
        ranges: Vec::new(),
        shape: Some(Shape::Like(tensor.to_owned())),
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: vec![tensor.to_owned()],
    }
}
