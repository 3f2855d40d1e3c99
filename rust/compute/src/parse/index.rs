//! Affine indices, accesses, and conditions.

use super::lexer::Kind;
use super::Parser;
use crate::ast::{Access, Condition, Extent, Index};
use crate::Error;

impl Parser {
    /// `[index, ...]`, possibly empty; one of them may be `...` itself.
    pub(super) fn indices(&mut self) -> Result<Vec<Index>, Error> {
        self.expect("[")?;
        let mut indices = Vec::new();
        if !self.take("]") {
            loop {
                let place = self.place();
                if !self.take("...") {
                    indices.push(self.index()?);
                } else if indices.iter().any(|index: &Index| index.rest) {
                    return Err(place.fault("'...' is in one bracket twice"));
                } else {
                    indices.push(Index::rest());
                }
                if !self.take(",") {
                    break;
                }
            }
            self.expect("]")?;
        }
        Ok(indices)
    }

    /// Sums and differences of [`index_product`](Parser::index_product).
    pub(super) fn index(&mut self) -> Result<Index, Error> {
        self.deeper(|parser| {
            let mut sum = parser.index_product()?;
            loop {
                let place = parser.place();
                let sign = match parser.kind() {
                    Kind::Symbol("+") => 1,
                    Kind::Symbol("-") => -1,
                    _ => return Ok(sum),
                };
                parser.advance();
                let term = parser.index_product()?;
                if sign < 0 && term.look_up.is_some() {
                    return Err(place.fault("a look-up has the coefficient 1"));
                }
                if sum.look_up.is_some() && term.look_up.is_some() {
                    return Err(place.fault("an index has one look-up at most"));
                }
                let look_up = sum.look_up.take().or(term.look_up.clone());
                sum = add(&sum, &term, sign)
                    .ok_or_else(|| place.fault("the index does not fit INT64"))?;
                sum.look_up = look_up;
            }
        })
    }

    /// Products in which at most one factor is not a constant.
    fn index_product(&mut self) -> Result<Index, Error> {
        let mut product = self.index_factor()?;
        loop {
            let place = self.place();
            if !self.take("*") {
                if self.is_symbol("/") || self.is_symbol("%") || self.is_symbol("^") {
                    return Err(
                        self.unexpected("an affine index: sums, and products with integers")
                    );
                }
                return Ok(product);
            }
            let factor = self.index_factor()?;
            let (varying, constant) = match (product.is_constant(), factor.is_constant()) {
                (_, true) => (product, factor.constant),
                (true, _) => (factor, product.constant),
                _ => return Err(place.fault("an affine index multiplies with integers only")),
            };
            if varying.look_up.is_some() && constant != 1 {
                return Err(place.fault("a look-up has the coefficient 1"));
            }
            let look_up = varying.look_up.clone();
            product = add(&Index::default(), &varying, constant)
                .ok_or_else(|| place.fault("the index does not fit INT64"))?;
            product.look_up = look_up;
        }
    }

    /// An integer, a loop, a length, a look-up, or an index in parentheses, with signs.
    fn index_factor(&mut self) -> Result<Index, Error> {
        let place = self.place();
        match self.kind() {
            Kind::Symbol("-") => self.deeper(|parser| {
                parser.advance();
                let factor = parser.index_factor()?;
                if factor.look_up.is_some() {
                    return Err(place.fault("a look-up has the coefficient 1"));
                }
                add(&Index::default(), &factor, -1)
                    .ok_or_else(|| place.fault("the index does not fit INT64"))
            }),
            Kind::Symbol("(") => {
                self.advance();
                let index = self.index()?;
                self.expect(")")?;
                Ok(index)
            }
            Kind::Integer(_) => Ok(Index {
                constant: self.integer("an integer")?,
                ..Index::default()
            }),
            _ if self.is_length() => Ok(self.length()?.index()),
            _ => {
                let name = self.name("a loop, an integer or a look-up")?;
                if self.is_symbol("[") {
                    let indices = self.indices()?;
                    let access = Access {
                        tensor: name,
                        indices,
                    };
                    return Ok(Index {
                        look_up: Some(Box::new(access)),
                        ..Index::default()
                    });
                }
                Ok(Index::of(name))
            }
        }
    }

    /// `0 <= index < bound`, or one side of it.
    pub(super) fn condition(&mut self) -> Result<Condition, Error> {
        let lower = *self.kind() == Kind::Integer(0) && *self.second() == Kind::Symbol("<=");
        if lower {
            self.advance();
            self.advance();
        }
        let index = self.affine("a guard")?;
        let bound = if lower && !self.is_symbol("<") {
            Extent::None
        } else {
            self.expect("<")?;
            simplest(self.affine("a guard")?)
        };
        Ok(Condition {
            index,
            bound,
            lower,
        })
    }

    /// An affine index without a look-up.
    fn affine(&mut self, of: &str) -> Result<Index, Error> {
        let place = self.place();
        let index = self.index()?;
        let mut looks_up = false;
        index.visit(&mut |index| looks_up |= index.look_up.is_some());
        if looks_up {
            return Err(place.fault(format_args!("{of} has no look-ups")));
        }
        Ok(index)
    }

    /// A bound of a range or a shape: a sum of integers, lengths and loops.
    pub(super) fn extent(&mut self) -> Result<Extent, Error> {
        let is_name = matches!(self.kind(), Kind::Word(_));
        if !is_name && !matches!(self.kind(), Kind::Integer(_) | Kind::Symbol("(")) {
            return Err(self.unexpected("an integer, size(NAME, axis) or a loop"));
        }
        Ok(simplest(self.affine("a bound")?))
    }

    /// Whether `size(` or `len(` is next.
    pub(super) fn is_length(&self) -> bool {
        self.is_word("size") || self.is_word("len") && *self.second() == Kind::Symbol("(")
    }

    /// `size(NAME, axis)`, where a negative axis counts from the end, or `len(NAME, index, ...)`.
    pub(super) fn length(&mut self) -> Result<Extent, Error> {
        let is_size = self.is_word("size");
        self.advance();
        self.expect("(")?;
        let name = self.name("a tensor")?;
        self.expect(",")?;
        let length = if is_size {
            let sign = if self.take("-") { -1 } else { 1 };
            Extent::Size(name, sign * self.integer("an axis")?)
        } else {
            let mut indices = vec![self.index()?];
            while self.take(",") {
                indices.push(self.index()?);
            }
            Extent::Len(name, indices)
        };
        self.expect(")")?;
        Ok(length)
    }
}

/// A sum as a number or a length, if it is one.
fn simplest(sum: Index) -> Extent {
    match (sum.constant, sum.terms.as_slice(), sum.lengths.as_slice()) {
        (number, [], []) => Extent::Number(number),
        (0, [], [(1, length)]) => length.clone(),
        _ => Extent::Sum(Box::new(sum)),
    }
}

/// `sum + factor * term`, without look-ups; `None` if a number overflows.
fn add(sum: &Index, term: &Index, factor: i64) -> Option<Index> {
    let mut result = Index {
        look_up: None,
        ..sum.clone()
    };
    result.add(term, factor)?;
    Some(result)
}
