//! The syntax tree of a program: statements, expressions, affine indices. Plain data, no deeper than [`MAX_DEPTH`].
//!
//! Some nodes have no text, and are made by differentiation only: [`Extent::Range`], [`Shape::Like`] and [`Type::Of`], and the guards of an
//! [`Assign`]. They let a derivative refer to what only binding determines: ranges, ranks and types.

use crate::operand::DType;
pub use crate::operators::{Binary, Op, Unary};

/// The maximum depth of an expression, which bounds the stack of a recursion over it.
pub const MAX_DEPTH: usize = 256;

/// One statement of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `name[index, ...] op expression [where item, ...]`
    Assign(Assign),
    /// `gradient name [seed name] by name, ...`
    Gradient(Gradient),
    /// `scan name [down] [in 0:b] ... end`
    Scan(Scan),
}

impl Statement {
    /// The definitions in it, in the order of the text.
    pub fn assigns(&self) -> &[Assign] {
        match self {
            Statement::Assign(assign) => std::slice::from_ref(assign),
            Statement::Gradient(_) => &[],
            Statement::Scan(scan) => &scan.body,
        }
    }
}

/// A recurrence: statements that run for each step in turn, and may read what the step before has defined.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// The loop over the steps.
    pub step: String,
    /// Whether the steps run from the last to the first.
    pub down: bool,
    /// The range of the steps; without it the reads of names from outside give it.
    pub range: Option<Extent>,
    /// The statements, at least one.
    pub body: Vec<Assign>,
    /// What names are before the first step, in the order of the text.
    pub inits: Vec<Init>,
}

/// `init name = value`
#[derive(Clone, Debug, PartialEq)]
pub struct Init {
    /// A name that the block defines.
    pub name: String,
    /// Its value before the first step.
    pub value: First,
    /// The number of statements that stand before it.
    pub after: usize,
}

/// The value of a name before the first step.
#[derive(Clone, Debug, PartialEq)]
pub enum First {
    /// A number, everywhere.
    Number(Literal),
    /// A tensor: of rank 0, or of the name's other axes.
    Tensor(String),
}

/// The gradients of the sum of a tensor's elements, or of their products with a seed's, with respect to other tensors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gradient {
    /// The differentiated tensor.
    pub of: String,
    /// The name of a new input of the same shape.
    pub seed: Option<String>,
    /// The tensors with respect to which it is differentiated.
    pub by: Vec<String>,
}

/// A definition of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// The defined tensor.
    pub target: String,
    /// The left side: an index per axis of the target.
    pub left: Vec<Index>,
    /// How values of the same element are combined.
    pub op: Op,
    /// The value.
    pub value: Expr,
    /// Ranges of loops given by `where`, in the order of the text.
    pub ranges: Vec<(String, Extent)>,
    /// The shape given by `where`.
    pub shape: Option<Shape>,
    /// Where one of these does not hold, nothing is evaluated or written.
    pub guards: Vec<Condition>,
    /// Whether the target is declared sparse.
    pub sparse: bool,
    /// Sparse reads at whose stored points alone it runs.
    pub stored: Vec<Access>,
    /// If this is a part of a gradient: tensors that must be of types with gradients, or else it is not computed; the first is that of the adjoint.
    pub adjoint: Vec<String>,
}

impl Assign {
    /// Its loops: names in brackets, in guards, in `len` and in `where`, in order of first appearance.
    pub fn loops(&self) -> Vec<String> {
        let mut loops = Vec::new();
        let mut add = |index: &Index| {
            for (_, name) in &index.terms {
                if !loops.contains(name) {
                    loops.push(name.clone());
                }
            }
        };
        self.left.iter().for_each(|index| index.visit(&mut add));
        self.value.visit(&mut |expr| match expr {
            Expr::Read(access) => access
                .indices
                .iter()
                .for_each(|index| index.visit(&mut add)),
            Expr::Length(extent) => extent.visit(&mut add),
            Expr::Guard(conditions, _) => conditions.iter().for_each(|condition| {
                condition.index.visit(&mut add);
                condition.bound.visit(&mut add);
            }),
            _ => {}
        });
        for condition in &self.guards {
            condition.index.visit(&mut add);
            condition.bound.visit(&mut add);
        }
        for (name, _) in &self.ranges {
            add(&Index::of(name.clone()));
        }
        for access in &self.stored {
            access
                .indices
                .iter()
                .for_each(|index| index.visit(&mut add));
        }
        loops
    }
}

impl Assign {
    /// All numbers that depend on shapes, in order of the text.
    pub fn lengths(&self) -> Vec<&Extent> {
        fn index<'a>(index: &'a Index, lengths: &mut Vec<&'a Extent>) {
            index.visit(&mut |each| lengths.extend(each.lengths.iter().map(|(_, length)| length)));
        }
        fn extent<'a>(extent: &'a Extent, lengths: &mut Vec<&'a Extent>) {
            lengths.push(extent);
            extent.visit(&mut |each| lengths.extend(each.lengths.iter().map(|(_, length)| length)));
        }
        let mut lengths = Vec::new();
        self.left.iter().for_each(|each| index(each, &mut lengths));
        self.value.visit(&mut |expr| match expr {
            Expr::Read(access) => {
                let indices = access.indices.iter();
                indices.for_each(|each| index(each, &mut lengths));
            }
            Expr::Length(length) => extent(length, &mut lengths),
            Expr::Guard(conditions, _) => {
                for condition in conditions {
                    index(&condition.index, &mut lengths);
                    extent(&condition.bound, &mut lengths);
                }
            }
            _ => {}
        });
        for condition in &self.guards {
            index(&condition.index, &mut lengths);
            extent(&condition.bound, &mut lengths);
        }
        for (_, range) in &self.ranges {
            extent(range, &mut lengths);
        }
        if let Some(Shape::Sizes(sizes)) = &self.shape {
            sizes.iter().for_each(|size| extent(size, &mut lengths));
        }
        lengths
    }

    /// The tensors of rank 0 that it looks up.
    pub fn looked_up(&self) -> impl Iterator<Item = &str> {
        let read = self.accesses().into_iter().flat_map(|read| &read.indices);
        let look_ups = self.left.iter().chain(read);
        look_ups
            .filter_map(|index| index.look_up.as_deref())
            .filter(|look_up| look_up.indices.is_empty())
            .map(|look_up| look_up.tensor.as_str())
    }

    /// All accesses that it reads, including look-ups, in order of the text.
    pub fn accesses(&self) -> Vec<&Access> {
        fn index<'a>(index: &'a Index, accesses: &mut Vec<&'a Access>) {
            if let Some(look_up) = &index.look_up {
                access(look_up, accesses);
            }
        }
        fn access<'a>(read: &'a Access, accesses: &mut Vec<&'a Access>) {
            accesses.push(read);
            read.indices.iter().for_each(|each| index(each, accesses));
        }
        let mut accesses = Vec::new();
        self.left.iter().for_each(|each| index(each, &mut accesses));
        self.value.visit(&mut |expr| {
            if let Expr::Read(read) = expr {
                access(read, &mut accesses);
            }
        });
        self.stored
            .iter()
            .for_each(|read| access(read, &mut accesses));
        accesses
    }
}

/// The shape of a statement's target, if given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `where name[b, ...]`
    Sizes(Vec<Extent>),
    /// The shape of a tensor, of any rank.
    Like(String),
}

/// A number that depends on shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// An integer.
    Number(i64),
    /// `size(name, axis)`; a negative axis counts from the end.
    Size(String, i64),
    /// `len(name, index, ...)`: the length of the axis after these indices.
    Len(String, Vec<Index>),
    /// A sum, without look-ups.
    Sum(Box<Index>),
    /// No bound, of a condition.
    None,
    /// `...`, in the shape of a target: the lengths of the axes that the text does not name.
    Rest,
    /// The range of a loop of an earlier statement, given by its number.
    Range(usize, String),
}

impl Extent {
    /// The indices in it, and those of look-ups in them.
    pub fn visit<'a>(&'a self, visitor: &mut impl FnMut(&'a Index)) {
        match self {
            Extent::Len(_, indices) => indices.iter().for_each(|index| index.visit(visitor)),
            Extent::Sum(sum) => sum.visit(visitor),
            _ => {}
        }
    }

    /// The tensor of whose lengths it is.
    pub(crate) fn tensor(&self) -> Option<&str> {
        match self {
            Extent::Size(name, _) | Extent::Len(name, _) => Some(name),
            _ => None,
        }
    }

    /// As an index.
    pub fn index(&self) -> Index {
        match self {
            Extent::Number(number) => Index::number(*number),
            Extent::Sum(sum) => (**sum).clone(),
            length => Index {
                lengths: vec![(1, length.clone())],
                ..Index::default()
            },
        }
    }
}

/// `constant + sum of coefficient * loop + sum of coefficient * length + look_up`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// The constant.
    pub constant: i64,
    /// Coefficients, none of them 0, and loops, each once.
    pub terms: Vec<(i64, String)>,
    /// Coefficients, none of them 0, and lengths of axes, each once. An index with them determines no range.
    pub lengths: Vec<(i64, Extent)>,
    /// An element of an integer tensor that is added.
    pub look_up: Option<Box<Access>>,
    /// Whether this is `...`: an index for each axis that the text does not name.
    pub rest: bool,
}

impl Index {
    /// The index that is a single loop.
    pub fn of(name: String) -> Index {
        Index {
            terms: vec![(1, name)],
            ..Index::default()
        }
    }

    /// Adds `factor * term`, without look-ups. None if a number overflows; then this is invalid.
    #[must_use]
    pub fn add(&mut self, term: &Index, factor: i64) -> Option<()> {
        self.constant = self
            .constant
            .checked_add(factor.checked_mul(term.constant)?)?;
        for (coefficient, name) in &term.terms {
            let coefficient = factor.checked_mul(*coefficient)?;
            match self.terms.iter_mut().find(|(_, other)| other == name) {
                Some((known, _)) => *known = known.checked_add(coefficient)?,
                None => self.terms.push((coefficient, name.clone())),
            }
        }
        for (coefficient, length) in &term.lengths {
            let coefficient = factor.checked_mul(*coefficient)?;
            match self.lengths.iter_mut().find(|(_, other)| other == length) {
                Some((known, _)) => *known = known.checked_add(coefficient)?,
                None => self.lengths.push((coefficient, length.clone())),
            }
        }
        self.terms.retain(|&(coefficient, _)| coefficient != 0);
        self.lengths.retain(|&(coefficient, _)| coefficient != 0);
        Some(())
    }

    /// A constant.
    pub fn number(constant: i64) -> Index {
        Index {
            constant,
            ..Index::default()
        }
    }

    /// `...`
    pub fn rest() -> Index {
        Index {
            rest: true,
            ..Index::default()
        }
    }

    /// Whether it is a number.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty() && self.lengths.is_empty() && self.look_up.is_none() && !self.rest
    }

    /// The loop, if this is a single one.
    pub fn lone(&self) -> Option<&str> {
        match (self.constant, self.terms.as_slice(), &self.look_up) {
            (0, [(1, name)], None) if self.lengths.is_empty() => Some(name),
            _ => None,
        }
    }

    /// This index, and those of look-ups and lengths in it.
    pub fn visit<'a>(&'a self, visitor: &mut impl FnMut(&'a Index)) {
        visitor(self);
        for (_, length) in &self.lengths {
            length.visit(visitor);
        }
        if let Some(access) = &self.look_up {
            access.indices.iter().for_each(|index| index.visit(visitor));
        }
    }
}

/// An element of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The tensor.
    pub tensor: String,
    /// An index per axis.
    pub indices: Vec<Index>,
}

/// `0 <= index < bound`, `0 <= index` or `index < bound`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// An affine index without a look-up.
    pub index: Index,
    /// The exclusive upper bound, if any.
    pub bound: Extent,
    /// Whether the index must not be negative.
    pub lower: bool,
}

impl Condition {
    /// `0 <= index < bound`
    pub fn within(index: Index, bound: Extent) -> Condition {
        Condition {
            index,
            bound,
            lower: true,
        }
    }

    /// The same as conditions with a lower bound each, and an upper one only if no loop is in it. None if a number overflows.
    pub fn plain(&self) -> Option<Vec<Condition>> {
        let varies = matches!(&self.bound, Extent::Sum(sum) if !sum.terms.is_empty());
        if self.lower && !varies {
            return Some(vec![self.clone()]);
        }
        // Below the bound: 0 <= bound - 1 - index.
        let mut below = self.bound.index();
        below.add(&self.index, -1)?;
        below.add(&Index::number(1), -1)?;
        let mut plain = vec![Condition::within(below, Extent::None)];
        if self.lower {
            plain.insert(0, Condition::within(self.index.clone(), Extent::None));
        }
        Some(plain)
    }
}

/// A number in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `7`
    Integer(i64),
    /// `7.`, `1e-3`, `inf`, `nan`
    Fraction(f64),
    /// `true`, `false`
    Bool(bool),
}

/// The type that a cast makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `float(..)` and so on.
    Is(DType),
    /// The type of a tensor.
    Of(String),
}

/// An expression. Its [`depth`](Expr::depth) is at most [`MAX_DEPTH`] where it comes from text.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A number.
    Literal(Literal),
    /// The value of a loop.
    Loop(String),
    /// An element of a tensor.
    Read(Access),
    /// `size(name, axis)` or `len(name, index, ...)` as a value.
    Length(Extent),
    /// An operator or function of one operand.
    Unary(Unary, Box<Expr>),
    /// An operator or function of two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `select(condition, a, b)`
    Select(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `float(a)` and so on.
    Cast(Type, Box<Expr>),
    /// `guard(0 <= e < b, ..., x)`
    Guard(Vec<Condition>, Box<Expr>),
}

impl Expr {
    /// Its operands.
    pub fn children(&self) -> Vec<&Expr> {
        match self {
            Expr::Literal(_) | Expr::Loop(_) | Expr::Read(_) | Expr::Length(_) => vec![],
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Guard(_, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Select(condition, a, b) => vec![condition, a, b],
        }
    }

    /// Its operands.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Literal(_) | Expr::Loop(_) | Expr::Read(_) | Expr::Length(_) => vec![],
            Expr::Unary(_, a) | Expr::Cast(_, a) | Expr::Guard(_, a) => vec![a],
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Select(condition, a, b) => vec![condition, a, b],
        }
    }

    /// Visits this expression and all subexpressions, in the order of the text.
    pub fn visit<'a>(&'a self, visitor: &mut impl FnMut(&'a Expr)) {
        visitor(self);
        self.children()
            .into_iter()
            .for_each(|child| child.visit(visitor));
    }

    /// The depth of the expression; 1 if it has no operands.
    pub fn depth(&self) -> usize {
        1 + self
            .children()
            .into_iter()
            .map(Expr::depth)
            .max()
            .unwrap_or(0)
    }
}
