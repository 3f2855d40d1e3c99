//! Statements, and the distinction of bare names into loops and tensors, which needs the whole statement.

use super::lexer::Kind;
use super::{Parsed, Parser};
use crate::ast::{Access, Assign, Expr, Extent, Gradient, Op, Shape, Statement};
use crate::Error;

impl Parser {
    /// The whole text.
    pub(super) fn program(mut self) -> Result<Parsed, Error> {
        let mut statements = Vec::new();
        loop {
            match self.kind() {
                Kind::StatementEnd => self.advance(),
                Kind::TextEnd => return Ok(self.parsed(statements, None)),
                Kind::Word(word) if word == "return" => break,
                _ => {
                    statements.push(self.statement()?);
                    self.end()?;
                }
            }
        }
        self.advance();
        let returned = self.names("a name to return")?;
        self.end()?;
        while *self.kind() == Kind::StatementEnd {
            self.advance();
        }
        match self.kind() {
            Kind::TextEnd => Ok(self.parsed(statements, Some(returned))),
            _ => Err(self.unexpected("nothing after 'return'")),
        }
    }

    fn parsed(&self, statements: Vec<Statement>, returned: Option<Vec<String>>) -> Parsed {
        Parsed {
            statements,
            returned,
            depth: self.deepest + self.tallest,
        }
    }

    /// The end of a statement.
    pub(super) fn end(&self) -> Result<(), Error> {
        match self.kind() {
            Kind::StatementEnd | Kind::TextEnd => Ok(()),
            _ => Err(self.unexpected("an operator or the end of the statement")),
        }
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        if self.take_word("gradient") {
            return self.gradient();
        }
        if self.is_scan() {
            return self.scan();
        }
        Ok(Statement::Assign(self.assign()?))
    }

    /// A definition.
    pub(super) fn assign(&mut self) -> Result<Assign, Error> {
        let sparse = self.is_word("sparse") && matches!(self.second(), Kind::Word(_));
        if sparse {
            self.advance();
        }
        let place = self.place();
        let target = self.name("a statement")?;
        let left = if self.is_symbol("[") {
            self.indices()?
        } else {
            Vec::new()
        };
        let op = match self.kind() {
            Kind::Symbol("=") => Op::Set,
            Kind::Symbol("+=") => Op::Sum,
            Kind::Symbol("*=") => Op::Product,
            Kind::Symbol("max=") => Op::Max,
            Kind::Symbol("min=") => Op::Min,
            _ => return Err(self.unexpected("'=', '+=', '*=', 'max=' or 'min='")),
        };
        if sparse && !matches!(op, Op::Set | Op::Sum) {
            return Err(place.fault(format_args!(
                "a sparse {target} is defined by = or +=, not by {op}"
            )));
        }
        if sparse && left.is_empty() {
            return Err(place.fault(format_args!(
                "{target} has rank 0, and what is sparse has axes"
            )));
        }
        self.advance();
        let value = self.expression()?;
        let mut assign = Assign {
            target,
            left,
            op,
            value,
            ranges: Vec::new(),
            shape: None,
            guards: Vec::new(),
            sparse,
            stored: Vec::new(),
            adjoint: Vec::new(),
        };
        let mut places = Vec::new();
        if self.take_word("where") {
            loop {
                places.push(self.place());
                self.item(&mut assign)?;
                if !self.take(",") {
                    break;
                }
            }
        }
        let loops = assign.loops();
        for (_, bound) in &assign.ranges {
            let mut strange = None;
            bound.visit(&mut |index| {
                let terms = index.terms.iter();
                strange = strange.or(terms
                    .map(|(_, name)| name)
                    .find(|&name| !loops.contains(name)));
            });
            if let Some(name) = strange {
                return Err(places[0].fault(format_args!(
                    "a bound consists of integers, size(NAME, axis), len(NAME, index) and loops of the statement, of which {name} is none"
                )));
            }
        }
        tell_apart(&mut assign.value, &loops);
        Ok(assign)
    }

    /// `i in 0:b` or `name[b, ...]`
    fn item(&mut self, assign: &mut Assign) -> Result<(), Error> {
        let place = self.place();
        if self.is_word("stored") && *self.second() == Kind::Symbol("(") {
            self.advance();
            self.advance();
            let tensor = self.name("a sparse tensor")?;
            let indices = self.indices()?;
            self.expect(")")?;
            assign.stored.push(Access { tensor, indices });
            return Ok(());
        }
        let name = self.name("a loop or a shape")?;
        if !self.is_symbol("[") {
            self.expect_word("in")?;
            if self.integer("'0:'")? != 0 {
                return Err(place.fault(format_args!("the range of {name} must begin at 0")));
            }
            self.expect(":")?;
            if assign.ranges.iter().any(|(other, _)| *other == name) {
                return Err(place.fault(format_args!("the range of {name} is given twice")));
            }
            let extent = self.extent()?;
            assign.ranges.push((name, extent));
            return Ok(());
        }
        if name != assign.target {
            return Err(place.fault(format_args!(
                "the shape of {name} is given, but the statement defines {}",
                assign.target
            )));
        }
        if assign.shape.is_some() {
            return Err(place.fault(format_args!("the shape of {name} is given twice")));
        }
        self.expect("[")?;
        let mut sizes = Vec::new();
        if !self.take("]") {
            loop {
                let rest = self.take("...");
                sizes.push(if rest { Extent::Rest } else { self.extent()? });
                if !self.take(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        let rests = assign.left.iter().map(|index| index.rest);
        if !rests.eq(sizes.iter().map(|size| *size == Extent::Rest))
            && sizes.len() == assign.left.len()
        {
            return Err(place.fault(format_args!(
                "the shape of {name} has '...' where its left side has"
            )));
        }
        if sizes.len() != assign.left.len() {
            let (given, rank) = (sizes.len(), assign.left.len());
            return Err(place.fault(format_args!(
                "{name} has rank {rank}, its shape {given} sizes"
            )));
        }
        assign.shape = Some(Shape::Sizes(sizes));
        Ok(())
    }

    /// The rest of a statement after `gradient`.
    fn gradient(&mut self) -> Result<Statement, Error> {
        let of = self.name("a tensor")?;
        let seed = if self.take_word("seed") {
            Some(self.name("a name of the seed")?)
        } else {
            None
        };
        self.expect_word("by")?;
        let by = self.names("a tensor")?;
        Ok(Statement::Gradient(Gradient { of, seed, by }))
    }
}

/// Converts bare names that are not loops to reads of tensors of rank 0.
fn tell_apart(expr: &mut Expr, loops: &[String]) {
    match expr {
        Expr::Loop(name) if !loops.contains(name) => {
            *expr = Expr::Read(Access {
                tensor: std::mem::take(name),
                indices: Vec::new(),
            });
        }
        _ => expr
            .children_mut()
            .into_iter()
            .for_each(|child| tell_apart(child, loops)),
    }
}
