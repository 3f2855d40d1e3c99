//! Affine indices, accesses, and conditions.

use super::lexer::Kind;
use super::Parser;
use crate::ast::{Access, Condition, Extent, Index};
use crate::Error;

impl Parser {
    /// `[index, ...]`, possibly empty.
    pub(super) fn indices(&mut self) -> Result<Vec<Index>, Error> {
        self.expect("[")?;
        let mut indices = Vec::new();
        if !self.take("]") {
            loop {
                indices.push(self.index()?);
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

    /// An integer, a loop, a look-up, or an index in parentheses, with signs.
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

    /// `0 <= index < bound`
    pub(super) fn condition(&mut self) -> Result<Condition, Error> {
        if !matches!(self.kind(), Kind::Integer(0)) {
            return Err(self.unexpected("'0 <= index < bound'"));
        }
        self.advance();
        self.expect("<=")?;
        let place = self.place();
        let index = self.index()?;
        if index.look_up.is_some() {
            return Err(place.fault("a guard has no look-ups"));
        }
        self.expect("<")?;
        let bound = self.extent()?;
        Ok(Condition { index, bound })
    }

    /// A non-negative integer, or `size(NAME, axis)`, where a negative axis counts from the end.
    pub(super) fn extent(&mut self) -> Result<Extent, Error> {
        if !self.take_word("size") {
            return Ok(Extent::Number(
                self.integer("an integer or size(NAME, axis)")?,
            ));
        }
        self.expect("(")?;
        let name = self.name("a tensor")?;
        self.expect(",")?;
        let sign = if self.take("-") { -1 } else { 1 };
        let axis = sign * self.integer("an axis")?;
        self.expect(")")?;
        Ok(Extent::Size(name, axis))
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
