//! The gradient of a recurrence: one that runs the other way.
//!
//! At each step it has the adjoints of what the scan defines there, from the last statement to the first. What a step contributes to the one before
//! it is an adjoint like any other, of what tensors were a step before; that step reads it, to which the gradient comes next. What leaves the scan,
//! as what `x[t,i]` gets, is no part of the recurrence: it is computed from the adjoints of all steps at once, after it.

use std::collections::{HashMap, HashSet};

use super::{axes, contribution, expression, fill, like, Adjoint, Sweep};
use crate::ast::{
    Access, Assign, Binary, Condition, Expr, Extent, First, Index, Literal, Op, Shape,
};
use crate::names::display;
use crate::program::Plain;
use crate::scan::{self, Block, Lag};
use crate::Error;

/// A tensor of a scan at all steps, or what it was before each.
struct Whole {
    /// The label by which it is read after the scan.
    label: String,
    rank: usize,
    /// The axis of the steps.
    axis: usize,
    /// The length of each axis, in a row if it is ragged.
    lengths: Vec<Extent>,
}

/// A block whose gradient is made.
struct Around<'a> {
    block: &'a Block,
    body: &'a [Assign],
    /// What tensors were before each step.
    before: &'a HashMap<String, Whole>,
    /// The tensors that depend on what the gradient is by.
    active: &'a HashSet<String>,
}

/// The tensors that depend on these, also by the step before.
pub(super) fn spread(plain: &Plain, active: &mut HashSet<String>) -> bool {
    let before = active.len();
    for lag in plain.blocks.iter().flat_map(|block| &block.lags) {
        let by_first = matches!(&lag.init, Some(First::Tensor(tensor)) if active.contains(tensor));
        if by_first || active.contains(&lag.of) {
            active.insert(lag.target.clone());
        }
    }
    active.len() > before
}

impl Sweep<'_> {
    /// Adds the adjoints of what a block defines, as a block, and the contributions of its statements to the adjoints of tensors from outside.
    pub(super) fn block(&mut self, block: &Block, active: &HashSet<String>) -> Result<(), Error> {
        let body = self.plain.statements[block.statements.clone()].to_vec();
        let reached = self.reached(block, &body, active);
        for assign in body.iter().rev() {
            if !reached.contains(&assign.target) {
                self.finish(&assign.target);
            }
        }
        if reached.is_empty() {
            return Ok(());
        }
        let outer: HashMap<String, Vec<String>> = body
            .iter()
            .map(|assign| (assign.target.clone(), self.outer(&assign.target)))
            .collect();
        let before: HashMap<String, Whole> = block
            .lags
            .iter()
            .filter_map(|lag| Some((lag.target.clone(), self.before(block, &body, lag)?)))
            .collect();
        let mut active = active.clone();
        for lag in &block.lags {
            if active.contains(&lag.target) {
                active.insert(before[&lag.target].label.clone());
            }
        }
        let around = Around {
            block,
            body: &body,
            before: &before,
            active: &active,
        };
        let mut back = Back {
            step: format!("{}'{}", block.step, self.plain.statements.len()),
            number: self.plain.statements.len(),
            statements: Vec::new(),
            parts: HashMap::new(),
        };
        // The adjoint of what each was a step before, and what that was a step before for the gradient, which runs the other way.
        let mut lags: HashMap<&str, Lag> = HashMap::new();
        for lag in &block.lags {
            if reached.contains(&lag.target) {
                let adjoint = back.fresh(&lag.of);
                lags.insert(&lag.of, Lag::of(adjoint, None));
            }
        }
        for (assign, at) in body.iter().zip(block.statements.clone()).rev() {
            let target = &assign.target;
            if !reached.contains(target) {
                continue;
            }
            let requested = self.names.get(target).cloned();
            let label = requested.unwrap_or_else(|| back.fresh(target));
            let Some(axis) = scan::axis(assign, &block.step) else {
                continue;
            };
            let mut terms: Vec<Expr> = Vec::new();
            if *target == self.gradient.of {
                terms.push(match self.gradient.seed.clone() {
                    None => like(target, Expr::Literal(Literal::Integer(1))),
                    Some(seed) => like(target, back.read(&seed, assign.left.len(), axis)),
                });
            }
            for name in outer[target]
                .iter()
                .chain(lags.get(target.as_str()).map(|lag| &lag.target))
            {
                terms.push(back.read(name, assign.left.len(), axis));
            }
            back.finish(&label, target, assign.left.len(), axis, terms);
            if !active.contains(target) {
                continue;
            }
            self.contribute(&around, &mut back, at, assign, label)?;
        }
        let first = &body[0];
        let range = match (scan::axis(first, &block.step), &block.range) {
            (Some(axis), _) if self.kinds.is_ragged(&first.target, axis as i64) => {
                self.length(&first.target, axis)
            }
            (_, Some(range)) => range.clone(),
            (_, None) => Extent::Range(block.statements.start, block.step.clone()),
        };
        self.first_values(&around, &mut back, &lags, &range);
        let start = self.plain.statements.len();
        let Back {
            step, statements, ..
        } = back;
        let in_order = block
            .lags
            .iter()
            .filter_map(|lag| lags.remove(lag.of.as_str()));
        let lags = in_order.collect();
        self.plain.statements.extend(statements);
        self.plain.blocks.push(Block {
            statements: start..self.plain.statements.len(),
            step,
            down: !block.down,
            range: Some(range),
            lags,
        });
        Ok(())
    }

    /// Adds the contributions of a statement: to adjoints of the block, or to those of tensors from outside.
    fn contribute(
        &mut self,
        around: &Around<'_>,
        back: &mut Back,
        at: usize,
        assign: &Assign,
        label: String,
    ) -> Result<(), Error> {
        let mut statement = assign.clone();
        scan::visit_accesses(&mut statement, &mut |access| {
            if let Some(whole) = around.before.get(&access.tensor) {
                access.tensor = whole.label.clone();
            }
        });
        let of_result = self.of_result(&statement, &Adjoint::Tensor(label));
        for part in self.parts(at, &statement, of_result, around.active)? {
            let tensor = part.access.tensor.clone();
            let own = around.body.iter().find(|other| other.target == tensor);
            let lagged = around.before.values().find(|whole| whole.label == tensor);
            let axis = match (own, lagged) {
                (Some(own), _) => scan::axis(own, &around.block.step),
                (_, Some(whole)) => Some(whole.axis),
                _ => None,
            };
            let contribution = contribution::statement(at, &statement, part, self.scatter[at]);
            match axis {
                Some(axis) => back.add(tensor, contribution, axis),
                None => self
                    .contributions
                    .entry(tensor)
                    .or_default()
                    .push(contribution),
            }
        }
        Ok(())
    }

    /// Finishes the adjoints of what tensors were a step before, and adds the contributions to what they were before the first step.
    fn first_values(
        &mut self,
        around: &Around<'_>,
        back: &mut Back,
        lags: &HashMap<&str, Lag>,
        range: &Extent,
    ) {
        for lag in &around.block.lags {
            let (Some(adjoint), Some(whole)) =
                (lags.get(lag.of.as_str()), around.before.get(&lag.target))
            else {
                continue;
            };
            back.finish(
                &adjoint.of,
                &whole.label,
                whole.rank,
                whole.axis,
                Vec::new(),
            );
            match &lag.init {
                Some(First::Tensor(tensor)) if around.active.contains(tensor) => {
                    let first = first(around.block, lag, adjoint, whole, tensor, range);
                    self.contributions
                        .entry(tensor.clone())
                        .or_default()
                        .push(first);
                }
                _ => {}
            }
        }
    }

    /// The tensors of a block that have an adjoint: those that statements after it read, and those on which these depend.
    fn reached(&self, block: &Block, body: &[Assign], active: &HashSet<String>) -> HashSet<String> {
        let has = |label: &String| {
            *label == self.gradient.of
                || self
                    .contributions
                    .get(label)
                    .is_some_and(|all| !all.is_empty())
        };
        let targets = body.iter().map(|assign| assign.target.clone());
        let mut reached: HashSet<String> = targets.filter(has).collect();
        loop {
            let count = reached.len();
            for assign in body.iter().rev() {
                if reached.contains(&assign.target) && active.contains(&assign.target) {
                    for read in assign.accesses() {
                        let own = block.lag(&read.tensor).is_some()
                            || body.iter().any(|other| other.target == read.tensor);
                        if own && active.contains(&read.tensor) {
                            reached.insert(read.tensor.clone());
                        }
                    }
                }
            }
            for lag in &block.lags {
                if reached.contains(&lag.target) {
                    reached.insert(lag.of.clone());
                }
            }
            if reached.len() == count {
                return reached;
            }
        }
    }

    /// Defines what statements after a block contribute to the adjoint of one of its tensors; returns the names.
    fn outer(&mut self, tensor: &str) -> Vec<String> {
        let parts = self.contributions.remove(tensor).unwrap_or_default();
        let mut names = Vec::new();
        for mut part in parts {
            part.target = self.fresh(tensor);
            names.push(part.target.clone());
            self.push(part);
        }
        names
    }

    /// The length of an axis of a tensor of a block, in a row if it is ragged: the indices before it are those of [`axes`].
    fn length(&self, tensor: &str, axis: usize) -> Extent {
        match self.kinds.is_ragged(tensor, axis as i64) {
            true => Extent::Len(tensor.to_owned(), axes(axis)),
            false => Extent::Size(tensor.to_owned(), axis as i64),
        }
    }

    /// Defines what a tensor was before each step, as a tensor.
    fn before(&mut self, block: &Block, body: &[Assign], lag: &Lag) -> Option<Whole> {
        let assign = body.iter().find(|assign| assign.target == lag.of)?;
        let axis = scan::axis(assign, &block.step)?;
        let rank = assign.left.len();
        let label = format!("{}'{}", lag.target, self.plain.statements.len());
        let left = axes(rank);
        let read = |tensor: &str, indices: Vec<Index>| {
            Expr::Read(Access {
                tensor: tensor.to_owned(),
                indices,
            })
        };
        let mut moved = left.clone();
        moved[axis].constant = if block.down { 1 } else { -1 };
        let lengths: Vec<Extent> = (0..rank).map(|axis| self.length(&lag.of, axis)).collect();
        let inside = Condition::within(moved[axis].clone(), lengths[axis].clone());
        let value = Expr::Guard(vec![inside.clone()], Box::new(read(&lag.of, moved)));
        let first = match &lag.init {
            None => None,
            Some(First::Number(literal)) => Some(Expr::Literal(*literal)),
            Some(First::Tensor(tensor)) => {
                let mut others = left.clone();
                others.remove(axis);
                others.drain(..lag.lacks(rank - 1));
                Some(like(&lag.of, read(tensor, others)))
            }
        };
        let value = match first {
            None => value,
            Some(first) => {
                let step = Expr::Loop(format!("m{axis}'"));
                let is_first = match block.down {
                    false => expression::binary(Binary::Lt, step, expression::literal(1)),
                    true => {
                        let length = Expr::Length(lengths[axis].clone());
                        let next = expression::add(step, expression::literal(1));
                        expression::binary(Binary::Ge, next, length)
                    }
                };
                expression::select(is_first, first, value)
            }
        };
        let mut whole = fill(label.clone(), &lag.of, value);
        whole.left = left;
        // It is computed for tensors without gradients, too.
        whole.adjoint = Vec::new();
        self.push(whole);
        Some(Whole {
            label,
            rank,
            axis,
            lengths,
        })
    }
}

/// The contribution to the adjoint of what a name is before the first step.
fn first(
    block: &Block,
    lag: &Lag,
    adjoint: &Lag,
    whole: &Whole,
    tensor: &str,
    range: &Extent,
) -> Assign {
    let mut indices = axes(whole.rank);
    let last = {
        let mut last = range.index();
        last.constant -= 1;
        last
    };
    indices[whole.axis] = if block.down {
        last.clone()
    } else {
        Index::number(0)
    };
    let read = Expr::Read(Access {
        tensor: adjoint.of.clone(),
        indices: indices.clone(),
    });
    indices.remove(whole.axis);
    let others = (0..whole.rank).filter(|axis| *axis != whole.axis);
    let ranges = others.map(|axis| (format!("m{axis}'"), whole.lengths[axis].clone()));
    let ranges: Vec<(String, Extent)> = ranges.collect();
    let lacks = lag.lacks(indices.len());
    indices.drain(..lacks);
    Assign {
        target: String::new(),
        left: indices,
        op: if lacks > 0 { Op::Sum } else { Op::Set },
        // Without steps there is none.
        value: Expr::Guard(vec![Condition::within(last, Extent::None)], Box::new(read)),
        ranges,
        shape: Some(Shape::Like(tensor.to_owned())),
        guards: Vec::new(),
        sparse: false,
        stored: Vec::new(),
        adjoint: vec![tensor.to_owned(), lag.of.clone()],
    }
}

/// The block of a gradient, under construction.
struct Back {
    /// The loop over the steps.
    step: String,
    /// A number of its own for its names.
    number: usize,
    statements: Vec<Assign>,
    /// The contributions to the adjoints of its tensors; their targets have no names yet.
    parts: HashMap<String, Vec<Assign>>,
}

impl Back {
    /// A fresh name that no text can have.
    fn fresh(&mut self, tensor: &str) -> String {
        self.number += 1;
        format!("d{}'{}s", display(tensor), self.number)
    }

    /// The indices of a tensor's axes.
    fn axes(&self, rank: usize, axis: usize) -> Vec<Index> {
        let mut indices = axes(rank);
        indices[axis] = Index::of(self.step.clone());
        indices
    }

    fn read(&self, tensor: &str, rank: usize, axis: usize) -> Expr {
        Expr::Read(Access {
            tensor: tensor.to_owned(),
            indices: self.axes(rank, axis),
        })
    }

    /// Adds a contribution of a step to the adjoint of a tensor whose axis of the steps is given.
    fn add(&mut self, tensor: String, mut contribution: Assign, axis: usize) {
        if let Some(name) = contribution.left[axis].lone().map(str::to_owned) {
            let step = &self.step;
            scan::rename_loops(&mut contribution, &|each| match each == name {
                true => step.clone(),
                false => each.to_owned(),
            });
        }
        self.parts.entry(tensor).or_default().push(contribution);
    }

    /// Defines the adjoint of a tensor: the sum of these terms, and of all contributions.
    fn finish(
        &mut self,
        label: &str,
        tensor: &str,
        rank: usize,
        axis: usize,
        mut terms: Vec<Expr>,
    ) {
        let mut parts = self.parts.remove(tensor).unwrap_or_default();
        if terms.is_empty() && parts.len() == 1 {
            parts[0].target = label.to_owned();
            self.statements.append(&mut parts);
            return;
        }
        for mut part in parts {
            part.target = self.fresh(tensor);
            terms.push(self.read(&part.target, rank, axis));
            self.statements.push(part);
        }
        let sum = terms.into_iter().reduce(expression::add);
        let sum = sum.unwrap_or_else(|| like(tensor, Expr::Literal(Literal::Integer(0))));
        let mut assign = fill(label.to_owned(), tensor, sum);
        assign.left = self.axes(rank, axis);
        self.statements.push(assign);
    }
}
