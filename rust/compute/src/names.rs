//! Resolution of names: which are loops, which are tensors, and to which version of a tensor each refers.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::ast::{
    Access, Assign, Condition, Expr, Extent, First, Gradient, Index, Op, Scan, Shape, Statement,
    Type,
};
use crate::scan::{self, Lag, Resolver};
use crate::Error;

/// A label without the suffixes that distinguish an input from a definition of the same name, and a tensor from what it was a step before, or from
/// another part of it.
pub(crate) fn display(label: &str) -> &str {
    let label = label.trim_end_matches('\'');
    label.strip_suffix("#0").unwrap_or(label)
}

/// Checks for names used as loop and tensor, and for left sides that `=` does not allow: all faults that depend on the statements only.
pub(crate) fn check(statements: &[Statement]) -> Result<(), Error> {
    let mut faults = Vec::new();
    let (mut loops, mut tensors) = (HashMap::new(), HashMap::new());
    for statement in statements {
        for assign in statement.assigns() {
            for name in assign.loops() {
                loops.entry(name).or_insert_with(|| assign.target.clone());
            }
        }
        if let Statement::Scan(scan) = statement {
            let of = format!("scan {}", scan.step);
            loops.entry(scan.step.clone()).or_insert(of);
        }
        for (name, target) in tensors_of(statement) {
            tensors.entry(name).or_insert(target);
        }
    }
    let both: BTreeSet<_> = loops
        .keys()
        .filter(|name| tensors.contains_key(*name))
        .collect();
    for name in both {
        let (of_loop, of_tensor) = (&loops[name], &tensors[name]);
        faults.push(format!("{name} is a loop in {of_loop} and a tensor in {of_tensor}; write {name}[] for a tensor of rank 0 in brackets"));
    }
    let mut versions = Versions::default();
    for statement in statements {
        if let Statement::Scan(scan) = statement {
            faults.extend(scan::faults(scan));
        }
        for assign in statement.assigns() {
            let label = versions.next(&assign.target);
            faults.extend(assign_faults(assign, &label));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Error::new(crate::ErrorKind::IllegalArgument, faults))
    }
}

/// The faults of casts to encodings, and of a left side under `=`.
fn assign_faults(assign: &Assign, label: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut inside: Vec<&Expr> = match &assign.value {
        Expr::Cast(_, inner) if assign.op == Op::Set => vec![inner],
        value => vec![value],
    };
    while let Some(expr) = inside.pop() {
        match expr {
            Expr::Cast(Type::Is(dtype), _) if dtype.is_encoding() => {
                let word = dtype.word();
                let example = format!("t[i] = {word}(x[i]), and t[i] is rounded");
                faults.push(format!(
                    "{label}: {word}(...) says how elements are stored, so it is all that is right of =, as in {example}"
                ));
            }
            _ => {}
        }
        inside.extend(expr.children());
    }
    if assign.op != Op::Set {
        return faults;
    }
    let mut kept = HashSet::new();
    let is_open = assign.left.iter().any(|index| index.rest);
    if let Some(read) = assign.rests().first().filter(|_| !is_open) {
        faults.push(format!("{label}: the axes ... of {} are not on the left of =; reduce them by +=, *=, max= or min=", read.tensor));
    }
    for (axis, index) in assign.left.iter().enumerate() {
        kept.extend(index.terms.iter().map(|(_, name)| name.clone()));
        if let Some(look_up) = &index.look_up {
            faults.push(format!("{label}: axis {axis} looks up {look_up}, which = does not allow, as elements may meet; use +=, *=, max= or min="));
        }
        if index.terms.len() > 1 {
            faults.push(format!("{label}: axis {axis} is {index}, but under = an axis on the left holds at most one loop"));
        }
    }
    for name in assign.loops() {
        // A loop in a look-up on the left is reported with the look-up.
        if !kept.contains(&name) && assign.left.iter().all(|index| index.look_up.is_none()) {
            faults.push(format!(
                "{label}: loop {name} is not on the left of =; reduce it by +=, *=, max= or min="
            ));
        }
    }
    faults
}

/// The tensors in a statement, in order of appearance, each with what it is in.
fn tensors_of(statement: &Statement) -> Vec<(String, String)> {
    let mut tensors = Vec::new();
    for assign in statement.assigns() {
        let target = &assign.target;
        tensors.push((target.clone(), target.clone()));
        map_tensors(&mut assign.clone(), &mut |name| {
            tensors.push((name.to_owned(), target.clone()));
            name.to_owned()
        });
    }
    match statement {
        Statement::Assign(_) => {}
        Statement::Gradient(gradient) => {
            let names = gradient.by.iter().chain([&gradient.of]);
            let of = format!("gradient {}", gradient.of);
            let names = names.chain(&gradient.seed);
            tensors.extend(names.map(|name| (name.clone(), of.clone())));
        }
        Statement::Scan(scan) => {
            for init in &scan.inits {
                if let First::Tensor(tensor) = &init.value {
                    tensors.push((tensor.clone(), format!("init {}", init.name)));
                }
            }
            if let Some(range) = &scan.range {
                map_extent(&mut range.clone(), &mut |name| {
                    tensors.push((name.to_owned(), format!("scan {}", scan.step)));
                    name.to_owned()
                });
            }
        }
    }
    tensors
}

/// Renames the tensors that a statement reads, in order of appearance.
fn map_tensors(assign: &mut Assign, rename: &mut impl FnMut(&str) -> String) {
    assign
        .left
        .iter_mut()
        .for_each(|index| map_index(index, rename));
    map_expr(&mut assign.value, rename);
    assign
        .stored
        .iter_mut()
        .for_each(|access| map_access(access, rename));
    assign
        .ranges
        .iter_mut()
        .for_each(|(_, extent)| map_extent(extent, rename));
    if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
        sizes
            .iter_mut()
            .for_each(|extent| map_extent(extent, rename));
    }
}

fn map_expr(expr: &mut Expr, rename: &mut impl FnMut(&str) -> String) {
    match expr {
        Expr::Read(access) => map_access(access, rename),
        Expr::Guard(conditions, _) => {
            for Condition { index, bound, .. } in conditions {
                map_index(index, rename);
                map_extent(bound, rename);
            }
        }
        Expr::Length(length) => map_extent(length, rename),
        _ => {}
    }
    expr.children_mut()
        .into_iter()
        .for_each(|child| map_expr(child, rename));
}

fn map_access(access: &mut Access, rename: &mut impl FnMut(&str) -> String) {
    access.tensor = rename(&access.tensor);
    access
        .indices
        .iter_mut()
        .for_each(|index| map_index(index, rename));
}

fn map_index(index: &mut Index, rename: &mut impl FnMut(&str) -> String) {
    index
        .lengths
        .iter_mut()
        .for_each(|(_, length)| map_extent(length, rename));
    if let Some(access) = &mut index.look_up {
        map_access(access, rename);
    }
}

fn map_extent(extent: &mut Extent, rename: &mut impl FnMut(&str) -> String) {
    match extent {
        Extent::Size(name, _) => *name = rename(name),
        Extent::Len(name, indices) => {
            *name = rename(name);
            indices
                .iter_mut()
                .for_each(|index| map_index(index, rename));
        }
        Extent::Sum(sum) => map_index(sum, rename),
        _ => {}
    }
}

/// The number of definitions of each name.
#[derive(Default)]
struct Versions(HashMap<String, usize>);

impl Versions {
    /// The label of the next definition of a name.
    fn next(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 {
            name.to_owned()
        } else {
            format!("{name}#{count}")
        }
    }
}

/// The meaning of each name so far.
#[derive(Default)]
pub(crate) struct Names {
    /// Names that some statement defines.
    targets: HashSet<String>,
    /// Names used by statements so far.
    taken: HashSet<String>,
    versions: Versions,
    current: HashMap<String, String>,
    inputs: Vec<(String, String)>,
}

/// A gradient with resolved names.
pub(crate) struct Named {
    /// The label of the differentiated tensor, and its name.
    pub of: String,
    pub of_name: String,
    /// The label of the input that is the seed.
    pub seed: Option<String>,
    pub by: Vec<NamedBy>,
}

/// A tensor with respect to which the gradient is taken, and the result.
pub(crate) struct NamedBy {
    /// The label of the tensor.
    pub label: String,
    /// The name and label of its gradient.
    pub name: String,
}

impl Names {
    pub fn new(statements: &[Statement]) -> Names {
        let assigns = statements.iter().flat_map(Statement::assigns);
        Names {
            targets: assigns.map(|assign| assign.target.clone()).collect(),
            ..Names::default()
        }
    }

    /// The label to which a name refers; a new input if it has none.
    fn read(&mut self, name: &str) -> String {
        self.taken.insert(name.to_owned());
        if let Some(label) = self.current.get(name) {
            return label.clone();
        }
        let label = if self.targets.contains(name) {
            format!("{name}#0")
        } else {
            name.to_owned()
        };
        self.current.insert(name.to_owned(), label.clone());
        self.inputs.push((name.to_owned(), label.clone()));
        label
    }

    /// The statement, with labels.
    pub fn assign(&mut self, assign: &Assign) -> Assign {
        let mut plain = assign.clone();
        map_tensors(&mut plain, &mut |name| self.read(name));
        self.taken.extend(assign.loops());
        self.taken.insert(assign.target.clone());
        plain.target = self.versions.next(&assign.target);
        self.current
            .insert(assign.target.clone(), plain.target.clone());
        plain
    }

    /// The statements of a block, with labels, the range of its steps, and what its names are at the step before.
    pub fn scan(&mut self, scan: &Scan) -> (Vec<Assign>, Option<Extent>, Vec<Lag>) {
        let next = |assign: &Assign| self.versions.next(&assign.target);
        let labels: Vec<String> = scan.body.iter().map(next).collect();
        let mut resolver = Resolver::new(scan, &labels);
        let mut range = scan.range.clone();
        if let Some(range) = &mut range {
            map_extent(range, &mut |name| self.read(name));
        }
        let mut body = Vec::new();
        for at in 0..=scan.body.len() {
            for init in scan.inits.iter().filter(|init| init.after == at) {
                let value = match &init.value {
                    First::Tensor(name) => First::Tensor(self.read(name)),
                    number => number.clone(),
                };
                resolver.init(&init.name, value);
            }
            let (Some(assign), Some(label)) = (scan.body.get(at), labels.get(at)) else {
                break;
            };
            let mut plain = assign.clone();
            resolver.statement(&mut plain, label);
            map_tensors(&mut plain, &mut |name| match scan::resolved(name) {
                Some(label) => label.to_owned(),
                None => self.read(name),
            });
            self.taken.extend(assign.loops());
            self.taken.insert(assign.target.clone());
            plain.target = label.clone();
            body.push(plain);
        }
        let lags = resolver.lags();
        for (assign, label) in scan.body.iter().zip(labels) {
            self.current.insert(assign.target.clone(), label);
        }
        (body, range, lags)
    }

    /// Names and labels of the inputs.
    pub fn inputs(&self) -> (Vec<String>, Vec<String>) {
        self.inputs.iter().cloned().unzip()
    }

    /// The label of a known name.
    pub fn current(&self, name: &str) -> String {
        self.current
            .get(name)
            .cloned()
            .unwrap_or_else(|| name.to_owned())
    }

    fn is_defined(&self, name: &str) -> bool {
        self.versions.0.contains_key(name)
    }

    /// The labels of the names that `return` lists; checks that all are defined, and listed once.
    pub fn returned(&self, names: &[String]) -> Result<Vec<String>, Error> {
        let mut faults = Vec::new();
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(name) {
                faults.push(format!("return: {name} is there twice"));
            } else if !self.is_defined(name) {
                faults.push(format!("return: {name} is not defined"));
            }
        }
        if faults.is_empty() {
            Ok(names.to_vec())
        } else {
            Err(Error::new(crate::ErrorKind::IllegalArgument, faults))
        }
    }

    /// The gradient, with labels, and names for its results.
    pub fn gradient(&mut self, gradient: &Gradient) -> Result<Named, Error> {
        let of = &gradient.of;
        let mut faults = Vec::new();
        if !self.is_defined(of) {
            faults.push(format!("gradient {of}: {of} is not defined"));
        }
        let mut seen = HashSet::new();
        for name in &gradient.by {
            if !seen.insert(name) {
                faults.push(format!("gradient {of}: {name} is there twice"));
            } else if !self.current.contains_key(name) {
                faults.push(format!("gradient {of}: {name} is unknown"));
            }
        }
        if let Some(seed) = gradient
            .seed
            .as_ref()
            .filter(|seed| self.taken.contains(*seed) || self.targets.contains(*seed))
        {
            faults.push(format!("gradient {of}: the seed {seed} must be a new name"));
        }
        if !faults.is_empty() {
            return Err(Error::new(crate::ErrorKind::IllegalArgument, faults));
        }
        let seed = gradient.seed.as_ref().map(|seed| self.read(seed));
        let of_label = self.current(of);
        let inputs: HashMap<&str, &str> = self
            .inputs
            .iter()
            .map(|(name, label)| (name.as_str(), label.as_str()))
            .collect();
        // The input of that name if there is one, else the last definition.
        let subject = |name: &String| match inputs.get(name.as_str()) {
            Some(&label) => label.to_owned(),
            None => self.current(name),
        };
        let labels: Vec<String> = gradient.by.iter().map(subject).collect();
        let mut by = Vec::new();
        for (name, label) in gradient.by.iter().zip(labels) {
            let mut result = format!("d{name}");
            while self.taken.contains(&result) || crate::parse::words::is_reserved(&result) {
                result.insert(0, 'd');
            }
            self.taken.insert(result.clone());
            let defined = self.versions.next(&result);
            self.current.insert(result.clone(), defined);
            by.push(NamedBy {
                label,
                name: result,
            });
        }
        Ok(Named {
            of: of_label,
            of_name: of.clone(),
            seed,
            by,
        })
    }
}
