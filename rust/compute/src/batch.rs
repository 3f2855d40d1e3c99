//! Batching: converts a program for one example to one for a batch. Tensors that depend on a batched input get a
//! leading axis, which is never reduced.

use std::collections::HashSet;

use crate::ast::{Access, Assign, Condition, Expr, Extent, First, Index, Scan, Shape, Statement};
use crate::stored::kinds::Kinds;
use crate::stored::InputKind;
use crate::Error;

/// An input that is given for each example: its name, and for each axis that it has there whether its length is another one in each example. It may
/// have more axes than are listed.
pub type Given<'a> = (&'a str, &'a [bool]);

/// A program for a batch, and the names that have the leading axis at its end.
pub(crate) struct Batched {
    pub statements: Vec<Statement>,
    pub names: Vec<String>,
}

/// The statements for a batch of these inputs, at least one.
pub(crate) fn batched(statements: &[Statement], inputs: &[Given<'_>]) -> Result<Batched, Error> {
    let mut taken = HashSet::new();
    for statement in statements {
        for assign in statement.assigns() {
            taken.insert(assign.target.clone());
            taken.extend(assign.loops());
            taken.extend(assign.accesses().iter().map(|read| read.tensor.clone()));
        }
    }
    let mut names = (1..).map(|n| format!("example_{n}"));
    let free = names.find(|name| !taken.contains(name));
    let mut batch = Batch {
        example: free.unwrap_or_default(),
        count: Extent::Size(inputs[0].0.to_owned(), 0),
        names: inputs.iter().map(|(name, _)| (*name).to_owned()).collect(),
        kinds: Kinds::new(inputs.iter().map(|(name, varying)| {
            let ragged = std::iter::once(&false).chain(*varying).copied();
            let kind = match varying.contains(&true) {
                true => InputKind::Ragged(ragged.collect()),
                false => InputKind::Dense,
            };
            ((*name).to_owned(), kind)
        })),
        open: HashSet::new(),
    };
    let mut result = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign(assign) => {
                let mut assign = assign.clone();
                batch.check(&assign.target, &assign.lengths())?;
                batch.assign(&mut assign);
                result.push(Statement::Assign(assign));
            }
            Statement::Scan(scan) => {
                let mut scan = scan.clone();
                let range: Vec<&Extent> = scan.range.iter().collect();
                batch.check(&format!("scan {}", scan.step), &range)?;
                for assign in &scan.body {
                    batch.check(&assign.target, &assign.lengths())?;
                }
                batch.scan(&mut scan);
                result.push(Statement::Scan(scan));
            }
            Statement::Gradient(gradient) => {
                return Err(Error::illegal(format!(
                    "gradient {}: a gradient is not part of what runs for every example of a batch",
                    gradient.of
                )))
            }
        }
    }
    Ok(Batched {
        statements: result,
        names: batch.names,
    })
}

struct Batch {
    /// The loop over the examples.
    example: String,
    /// The number of examples.
    count: Extent,
    /// The names that have the leading axis so far.
    names: Vec<String>,
    /// Which of them are ragged.
    kinds: Kinds,
    /// Those of so many axes as `...` has, which something dense may give more of than what is ragged has.
    open: HashSet<String>,
}

impl Batch {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|other| other == name)
    }

    /// Whether a statement reads what has the leading axis, or lengths of its rows.
    fn depends(&self, assign: &Assign) -> bool {
        let is_of_row = |length: &&Extent| match length {
            Extent::Len(name, _) => self.has(name),
            Extent::Size(name, axis) => {
                self.has(name) && self.kinds.is_ragged(name, self.batched_axis(name, *axis))
            }
            _ => false,
        };
        assign.accesses().iter().any(|read| self.has(&read.tensor))
            || assign.lengths().iter().any(is_of_row)
    }

    /// The number in a batch of an axis of an example, which is counted from the end if it is negative, as far as it may be ragged.
    fn batched_axis(&self, name: &str, axis: i64) -> i64 {
        match axis {
            0.. => axis + 1,
            _ => axis + self.kinds.rank(name).unwrap_or(0) as i64,
        }
    }

    /// A block: what one of its names depends on, all do that read it at a step before, too.
    fn scan(&mut self, scan: &mut Scan) {
        let own: Vec<String> = scan
            .body
            .iter()
            .map(|assign| assign.target.clone())
            .collect();
        self.names.retain(|name| !own.contains(name));
        self.open.retain(|name| !own.contains(name));
        for init in &scan.inits {
            if matches!(&init.value, First::Tensor(tensor) if self.has(tensor)) {
                self.names.push(init.name.clone());
            }
        }
        loop {
            let before = self.names.len();
            for assign in &scan.body {
                if self.depends(assign) && !self.has(&assign.target) {
                    self.names.push(assign.target.clone());
                }
            }
            if self.names.len() == before {
                break;
            }
        }
        if let Some(range) = &mut scan.range {
            self.extent(range);
        }
        let names = self.names.clone();
        for assign in &mut scan.body {
            self.inside(assign);
            // What was a step before does not give the range of the loop over the examples.
            if names.contains(&assign.target) {
                self.lead(assign, false);
            }
        }
        self.kinds
            .define_block(&scan.step, scan.range.as_ref(), &scan.body);
    }

    /// Refuses lengths of axes that are counted from the end, of a ragged tensor of which the number of axes is not known.
    fn check(&self, label: &str, lengths: &[&Extent]) -> Result<(), Error> {
        let is_unknown = |length: &Extent| matches!(length, Extent::Size(name, axis) if *axis < 0 && self.open.contains(name));
        match lengths.iter().find(|length| is_unknown(length)) {
            None => Ok(()),
            Some(length) => Err(Error::illegal(format!(
                "{label}: {length} counts axes of `...` from the end, of which tensors that are no rows may have more than rows have, in a batch of \
                 rows; count them from the first one"
            ))),
        }
    }

    fn assign(&mut self, assign: &mut Assign) {
        let is_open = assign.left.iter().any(|index| index.rest)
            && assign.rests().iter().any(|read| {
                self.kinds.rank(&read.tensor).is_none() || self.open.contains(&read.tensor)
            });
        let depends = self.depends(assign);
        let is_bounded = self.bounds(assign);
        self.inside(assign);
        if depends {
            self.lead(assign, is_bounded);
        } else {
            self.names.retain(|name| *name != assign.target);
        }
        self.kinds.define(assign);
        match is_open && self.kinds.rank(&assign.target).is_some() {
            true => self.open.insert(assign.target.clone()),
            false => self.open.remove(&assign.target),
        };
    }

    /// Gives reads inside of a statement the leading axis.
    fn inside(&self, assign: &mut Assign) {
        assign.left.iter_mut().for_each(|index| self.index(index));
        self.expr(&mut assign.value);
        assign
            .stored
            .iter_mut()
            .for_each(|access| self.access(access));
        for (_, extent) in &mut assign.ranges {
            self.extent(extent);
        }
        if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
            sizes.iter_mut().for_each(|size| self.extent(size));
        }
    }

    /// Gives a statement the leading axis.
    fn lead(&mut self, assign: &mut Assign, is_bounded: bool) {
        assign.left.insert(0, Index::of(self.example.clone()));
        if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
            sizes.insert(0, self.count.clone());
        }
        if !is_bounded {
            assign
                .ranges
                .insert(0, (self.example.clone(), self.count.clone()));
        }
        if !self.has(&assign.target) {
            self.names.push(assign.target.clone());
        }
    }

    /// Whether an unguarded read determines the range of the loop over the examples.
    fn bounds(&self, assign: &Assign) -> bool {
        let mut found = false;
        unguarded_of(assign, &mut |access| found |= self.has(&access.tensor));
        found
    }

    fn expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Read(access) => self.access(access),
            Expr::Guard(conditions, _) => {
                for Condition { index, bound, .. } in conditions {
                    self.index(index);
                    self.extent(bound);
                }
            }
            Expr::Length(length) => self.extent(length),
            _ => {}
        }
        expr.children_mut()
            .into_iter()
            .for_each(|child| self.expr(child));
    }

    fn access(&self, access: &mut Access) {
        access
            .indices
            .iter_mut()
            .for_each(|index| self.index(index));
        if self.has(&access.tensor) {
            access.indices.insert(0, Index::of(self.example.clone()));
        }
    }

    fn index(&self, index: &mut Index) {
        index
            .lengths
            .iter_mut()
            .for_each(|(_, length)| self.extent(length));
        if let Some(access) = &mut index.look_up {
            self.access(access);
        }
    }

    fn extent(&self, extent: &mut Extent) {
        match extent {
            Extent::Size(name, axis) if self.has(name) => {
                let at = self.batched_axis(name, *axis);
                if self.kinds.is_ragged(name, at) {
                    let before = (1..at).map(|_| Index::default());
                    let example = std::iter::once(Index::of(self.example.clone()));
                    *extent = Extent::Len(name.clone(), example.chain(before).collect());
                } else if *axis >= 0 {
                    *axis = at; // from the end it is where it was
                }
            }
            Extent::Len(name, indices) => {
                indices.iter_mut().for_each(|index| self.index(index));
                if self.has(name) {
                    indices.insert(0, Index::of(self.example.clone()));
                }
            }
            Extent::Sum(sum) => self.index(sum),
            _ => {}
        }
    }
}

/// The reads outside of guards.
pub(crate) fn unguarded<'a>(expr: &'a Expr, reads: &mut Vec<&'a Access>) {
    match expr {
        Expr::Read(access) => reads.push(access),
        Expr::Guard(..) => {}
        _ => expr
            .children()
            .into_iter()
            .for_each(|child| unguarded(child, reads)),
    }
}

/// The reads of a statement outside of guards, with the look-ups in them and on its left side.
pub(crate) fn unguarded_of<'a>(assign: &'a Assign, visitor: &mut impl FnMut(&'a Access)) {
    let mut reads = Vec::new();
    unguarded(&assign.value, &mut reads);
    for index in &assign.left {
        reads.extend(index.look_up.as_deref());
    }
    reads.into_iter().for_each(|read| each(read, visitor));
}

/// An access, and the look-ups in it.
pub(crate) fn each<'a>(access: &'a Access, visitor: &mut impl FnMut(&'a Access)) {
    visitor(access);
    for index in &access.indices {
        if let Some(look_up) = &index.look_up {
            each(look_up, visitor);
        }
    }
}
