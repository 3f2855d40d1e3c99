//! Recurrences: the checks of a block, and the meaning of its names.
//!
//! A name that a block defines is read at the step itself, `h[t,i]`, or at the step before, `h[t-1,i]`. The latter becomes a read, at `t`, of a
//! tensor of its own, which no statement defines: at each step it is what the name was after the step before, or `init`. So reads of the step before
//! differ from others only in where their elements are, and a gradient has an adjoint for them like for any tensor.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::ast::{Access, Assign, Expr, Extent, First, Index, Scan, Shape};

impl Scan {
    /// Whether what runs depends on the ranks of inputs: a first value is of rank 0, or has all other axes.
    pub(crate) fn is_open(&self) -> bool {
        self.body.iter().any(Assign::is_open)
            || self
                .inits
                .iter()
                .any(|init| matches!(init.value, First::Tensor(_)))
    }
}

/// A block of plain statements, which run for each step in turn.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The numbers of its statements.
    pub statements: Range<usize>,
    /// The loop over the steps.
    pub step: String,
    pub down: bool,
    /// The range of the steps, if it is given.
    pub range: Option<Extent>,
    pub lags: Vec<Lag>,
}

impl Block {
    /// The block of a scan, whose statements begin at that number.
    pub fn new(scan: &Scan, first: usize, range: Option<Extent>, lags: Vec<Lag>) -> Block {
        Block {
            statements: first..first + scan.body.len(),
            step: scan.step.clone(),
            down: scan.down,
            range,
            lags,
        }
    }

    /// The tensors that it names beside its statements: first values, and those whose lengths give its range.
    pub fn beside(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(range) = &self.range {
            of_extent(range, &mut names);
        }
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        for lag in &self.lags {
            if let Some(First::Tensor(tensor)) = &lag.init {
                names.push(tensor.clone());
            }
        }
        names
    }

    /// A statement of it as it is written: with the step before in place of its lags.
    pub fn text(&self, assign: &Assign) -> String {
        let mut written = assign.clone();
        visit_accesses(&mut written, &mut |access| {
            if let Some(lag) = self.lag(&access.tensor) {
                access.tensor = lag.of.clone();
                let step = access
                    .indices
                    .iter_mut()
                    .find(|index| index.lone() == Some(&self.step));
                if let Some(step) = step {
                    step.constant = if self.down { 1 } else { -1 };
                }
            }
        });
        written.to_string()
    }

    /// The label of what its tensors were a step before.
    pub fn lag(&self, label: &str) -> Option<&Lag> {
        self.lags.iter().find(|lag| lag.target == label)
    }
}

/// What a tensor of a block was at the step before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lag {
    /// The label by which it is read.
    pub target: String,
    /// The label of the last definition of the name.
    pub of: String,
    /// Its value at the first step; without it 0.
    pub init: Option<First>,
    /// The rank of a tensor that it is, if that is known: it lacks the first axes of what it is for.
    pub rank: Option<usize>,
}

impl Lag {
    /// The axes, of so many other than that of the steps, that the first value lacks.
    pub fn lacks(&self, others: usize) -> usize {
        self.rank.map_or(0, |rank| others.saturating_sub(rank))
    }
}

/// What a tensor of a block is at a step, in the statement that defines it: the axis of the steps.
pub(crate) fn axis(assign: &Assign, step: &str) -> Option<usize> {
    let alone = |index: &Index| index.lone() == Some(step);
    assign.left.iter().position(alone)
}

/// The axis of the steps, counted from the end if `...` stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    at: usize,
    from_end: bool,
}

impl Axis {
    /// The axis of a left side on which the step stands alone, if there is exactly one, and no other index names it.
    fn of(left: &[Index], step: &str) -> Option<Axis> {
        let alone = |index: &Index| index.lone() == Some(step);
        let at = left.iter().position(alone)?;
        // A look-up on the left may read at the step.
        let named = |index: &&Index| index.terms.iter().any(|(_, name)| name == step);
        if left.iter().filter(named).count() != 1 {
            return None;
        }
        let from_end = left[..at].iter().any(|index| index.rest);
        Some(Axis {
            at: if from_end { left.len() - 1 - at } else { at },
            from_end,
        })
    }

    /// The index of an access on this axis.
    fn index<'a>(&self, access: &'a mut Access) -> Option<&'a mut Index> {
        let at = match self.from_end {
            true => access.indices.len().checked_sub(self.at + 1)?,
            false => self.at,
        };
        access.indices.get_mut(at)
    }
}

/// The faults of a block that depend on its text only: those of reads only if all else is right.
pub(crate) fn faults(scan: &Scan) -> Vec<String> {
    let mut axes: HashMap<&str, Axis> = HashMap::new();
    let mut faults = Vec::new();
    for assign in &scan.body {
        left_faults(assign, &scan.step, &mut axes, &mut faults);
    }
    let definitions = scan.body.iter().rev();
    let definitions: Definitions = definitions.map(|each| (&*each.target, each)).collect();
    around_faults(scan, &definitions, &mut faults);
    if faults.is_empty() {
        let mut defined = HashSet::new();
        for assign in &scan.body {
            read_faults(scan, assign, &axes, &definitions, &defined, &mut faults);
            defined.insert(&*assign.target);
        }
        faults.dedup();
    }
    faults
}

/// The first definition of each name of a block.
type Definitions<'a> = HashMap<&'a str, &'a Assign>;

/// The faults of a statement of a block but for its reads, and the axis of the steps of what it defines.
fn left_faults<'a>(
    assign: &'a Assign,
    step: &str,
    axes: &mut HashMap<&'a str, Axis>,
    faults: &mut Vec<String>,
) {
    let target = &assign.target;
    match (Axis::of(&assign.left, step), axes.get(target.as_str())) {
        (None, _) => faults.push(format!(
            "{target}: {step}, the loop of the scan, is to be one index on its left side, alone"
        )),
        (Some(axis), Some(known)) if axis != *known => faults.push(format!(
            "{target}: its definitions in the scan have {step} on different axes"
        )),
        (Some(axis), _) => {
            axes.insert(target, axis);
        }
    }
    if assign.sparse || !assign.stored.is_empty() {
        faults.push(format!("{target}: in a scan all tensors are dense"));
    }
    let mut depends = false;
    for (_, range) in &assign.ranges {
        range.visit(&mut |index| depends |= !index.terms.is_empty());
    }
    if depends {
        faults.push(format!(
            "{target}: in a scan the range of a loop depends on no other; give a guard, or select"
        ));
    }
    if assign.ranges.iter().any(|(name, _)| name == step) {
        faults.push(format!(
            "{target}: where may not name {step}, the loop of the scan; write scan {step} in 0:..."
        ));
    }
}

/// The faults of what is said around the statements: first values, and the range of the steps.
fn around_faults(scan: &Scan, definitions: &Definitions<'_>, faults: &mut Vec<String>) {
    for init in &scan.inits {
        let name = &init.name;
        if !definitions.contains_key(name.as_str()) {
            faults.push(format!("init {name}: the scan does not define {name}"));
        }
        match &init.value {
            First::Tensor(tensor) if definitions.contains_key(tensor.as_str()) => {
                faults.push(format!(
                    "init {name}: {tensor} is defined in the scan; give a name that is defined before it"
                ));
            }
            _ => {}
        }
    }
    let mut names = Vec::new();
    if let Some(range) = &scan.range {
        of_extent(range, &mut names);
    }
    if let Some(name) = names
        .into_iter()
        .find(|&name| definitions.contains_key(name))
    {
        let step = &scan.step;
        faults.push(format!(
            "scan {step}: its range depends on {name}, which it defines"
        ));
    }
}

/// The faults of what a statement reads, where these names are defined before it.
fn read_faults(
    scan: &Scan,
    assign: &Assign,
    axes: &HashMap<&str, Axis>,
    definitions: &Definitions<'_>,
    defined: &HashSet<&str>,
    faults: &mut Vec<String>,
) {
    let (target, step) = (&assign.target, &scan.step);
    let mut lengths = Vec::new();
    for length in assign.lengths() {
        of_extent(length, &mut lengths);
    }
    if let Some(name) = lengths.into_iter().find(|&name| axes.contains_key(name)) {
        faults.push(format!(
            "{target}: the lengths of {name} are known after the scan that defines it"
        ));
    }
    for access in assign.accesses() {
        let name = access.tensor.as_str();
        let Some(axis) = axes.get(name) else { continue };
        let left = &definitions[name].left;
        let is_open = |indices: &[Index]| indices.iter().any(|index| index.rest);
        if access.indices.len() != left.len() && !is_open(&access.indices) && !is_open(left) {
            let (rank, given) = (left.len(), access.indices.len());
            let plural = if given == 1 { "index" } else { "indices" };
            faults.push(format!(
                "{target}: {name} has rank {rank}, {given} {plural} given"
            ));
            continue;
        }
        let mut access = access.clone();
        let place = axis.index(&mut access).and_then(|index| place(index, scan));
        match place {
            Some(Place::Before) => {}
            Some(Place::Now) if defined.contains(name) => {}
            Some(Place::Now) => faults.push(format!(
                "{target}: {access} is read before the scan defines it; the step before is {}",
                before(scan)
            )),
            None => faults.push(format!(
                "{target}: {access} is neither at {step} nor at {}; read it after the scan",
                before(scan)
            )),
        }
    }
}

/// The step before, in words of the text.
fn before(scan: &Scan) -> String {
    let sign = if scan.down { '+' } else { '-' };
    format!("{}{sign}1", scan.step)
}

/// The names of lengths.
fn of_extent<'a>(extent: &'a Extent, names: &mut Vec<&'a str>) {
    match extent {
        Extent::Size(name, _) | Extent::Len(name, _) => names.push(name),
        Extent::Sum(sum) => sum
            .lengths
            .iter()
            .for_each(|(_, length)| of_extent(length, names)),
        _ => {}
    }
}

/// At which step a name of the block is read.
enum Place {
    Now,
    Before,
}

/// The step at which an index is.
fn place(index: &Index, scan: &Scan) -> Option<Place> {
    if index.lone() == Some(&scan.step) {
        return Some(Place::Now);
    }
    let mut moved = index.clone();
    moved.constant = moved.constant.checked_add(if scan.down { -1 } else { 1 })?;
    (moved.lone() == Some(&scan.step)).then_some(Place::Before)
}

/// A mark that no text can have before labels that are resolved.
const RESOLVED: char = '\'';

/// The label of a name, if it is resolved already.
pub(crate) fn resolved(name: &str) -> Option<&str> {
    name.strip_prefix(RESOLVED)
}

/// Resolves the names of a block, which has no faults, in its statements.
pub(crate) struct Resolver<'a> {
    scan: &'a Scan,
    axes: HashMap<&'a str, Axis>,
    /// The last label of each name in the block.
    last: HashMap<&'a str, &'a str>,
    /// The label of each name at the statement.
    now: HashMap<&'a str, &'a str>,
    lags: Vec<Lag>,
}

impl<'a> Resolver<'a> {
    /// `labels` are those of the targets of the block's statements.
    pub fn new(scan: &'a Scan, labels: &'a [String]) -> Resolver<'a> {
        let mut axes = HashMap::new();
        let mut last = HashMap::new();
        for (assign, label) in scan.body.iter().zip(labels) {
            let name = assign.target.as_str();
            if let Some(axis) = Axis::of(&assign.left, &scan.step) {
                axes.insert(name, axis);
            }
            last.insert(name, label.as_str());
        }
        Resolver {
            scan,
            axes,
            last,
            now: HashMap::new(),
            lags: Vec::new(),
        }
    }

    /// Resolves the block's names in a statement of it, whose label is given.
    pub fn statement(&mut self, assign: &mut Assign, label: &'a str) {
        let name = self
            .scan
            .body
            .iter()
            .find(|each| each.target == assign.target);
        visit_accesses(assign, &mut |access| self.access(access));
        if let Some(name) = name {
            self.now.insert(&name.target, label);
        }
    }

    fn access(&mut self, access: &mut Access) {
        let name = access.tensor.clone();
        let Some(axis) = self.axes.get(name.as_str()).copied() else {
            return;
        };
        let Some(index) = axis.index(access) else {
            return;
        };
        let label = match place(index, self.scan) {
            Some(Place::Before) => {
                *index = Index::of(self.scan.step.clone());
                self.lag(&name).to_owned()
            }
            _ => self
                .now
                .get(name.as_str())
                .map_or(name.clone(), |&label| label.to_owned()),
        };
        access.tensor = format!("{RESOLVED}{label}");
    }

    /// The label of what a name was at the step before.
    fn lag(&mut self, name: &str) -> &str {
        let of = self.last[name];
        let at = match self.lags.iter().position(|lag| lag.of == of) {
            Some(at) => at,
            None => {
                self.lags.push(Lag::of(of.to_owned(), None));
                self.lags.len() - 1
            }
        };
        &self.lags[at].target
    }

    /// Adds what a name is before the first step; a tensor by its label.
    pub fn init(&mut self, name: &str, value: First) {
        let of = self.lag(name).to_owned();
        if let Some(lag) = self.lags.iter_mut().find(|lag| lag.target == of) {
            lag.init = Some(value);
        }
    }

    pub fn lags(self) -> Vec<Lag> {
        self.lags
    }
}

impl Lag {
    /// What the tensor of that label was at the step before; the label is one that no text can have.
    pub fn of(of: String, init: Option<First>) -> Lag {
        Lag {
            target: format!("{of}'"),
            of,
            init,
            rank: None,
        }
    }
}

/// Calls for each access that a statement reads, those in look-ups after the one that they are in.
pub(crate) fn visit_accesses(assign: &mut Assign, visitor: &mut impl FnMut(&mut Access)) {
    fn access(read: &mut Access, visitor: &mut impl FnMut(&mut Access)) {
        visitor(read);
        read.indices
            .iter_mut()
            .for_each(|each| index(each, visitor));
    }
    fn index(index: &mut Index, visitor: &mut impl FnMut(&mut Access)) {
        if let Some(look_up) = &mut index.look_up {
            access(look_up, visitor);
        }
    }
    fn expr(value: &mut Expr, visitor: &mut impl FnMut(&mut Access)) {
        if let Expr::Read(read) = value {
            access(read, visitor);
        }
        value
            .children_mut()
            .into_iter()
            .for_each(|child| expr(child, visitor));
    }
    assign.left.iter_mut().for_each(|each| index(each, visitor));
    expr(&mut assign.value, visitor);
}

/// Renames the loops of a statement.
pub(crate) fn rename_loops(assign: &mut Assign, rename: &impl Fn(&str) -> String) {
    fn extent(extent: &mut Extent, rename: &impl Fn(&str) -> String) {
        match extent {
            Extent::Len(_, indices) => indices.iter_mut().for_each(|each| index(each, rename)),
            Extent::Sum(sum) => index(sum, rename),
            _ => {}
        }
    }
    fn index(index: &mut Index, rename: &impl Fn(&str) -> String) {
        index
            .terms
            .iter_mut()
            .for_each(|(_, name)| *name = rename(name));
        index
            .lengths
            .iter_mut()
            .for_each(|(_, length)| extent(length, rename));
        if let Some(look_up) = &mut index.look_up {
            access(look_up, rename);
        }
    }
    fn access(access: &mut Access, rename: &impl Fn(&str) -> String) {
        access
            .indices
            .iter_mut()
            .for_each(|each| index(each, rename));
    }
    fn expr(value: &mut Expr, rename: &impl Fn(&str) -> String) {
        match value {
            Expr::Loop(name) => *name = rename(name),
            Expr::Read(read) => access(read, rename),
            Expr::Length(length) => extent(length, rename),
            Expr::Guard(conditions, _) => conditions.iter_mut().for_each(|condition| {
                index(&mut condition.index, rename);
                extent(&mut condition.bound, rename);
            }),
            _ => {}
        }
        value
            .children_mut()
            .into_iter()
            .for_each(|child| expr(child, rename));
    }
    assign.left.iter_mut().for_each(|each| index(each, rename));
    expr(&mut assign.value, rename);
    for (name, range) in &mut assign.ranges {
        *name = rename(name);
        extent(range, rename);
    }
    if let Some(Shape::Sizes(sizes)) = &mut assign.shape {
        sizes.iter_mut().for_each(|size| extent(size, rename));
    }
    for condition in &mut assign.guards {
        index(&mut condition.index, rename);
        extent(&mut condition.bound, rename);
    }
}
