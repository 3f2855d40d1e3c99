//! Recurrences: `scan ... end`.

use super::lexer::Kind;
use super::Parser;
use crate::ast::{First, Init, Literal, Scan, Statement};
use crate::Error;

impl Parser {
    /// Whether a block begins: `scan` is a word of the language before a name at the beginning of a statement only.
    pub(super) fn is_scan(&self) -> bool {
        self.is_word("scan") && matches!(self.second(), Kind::Word(_))
    }

    /// Whether this is `end` as a whole statement.
    fn is_end(&self) -> bool {
        self.is_word("end") && matches!(self.second(), Kind::StatementEnd | Kind::TextEnd)
    }

    /// A block, from `scan` on.
    pub(super) fn scan(&mut self) -> Result<Statement, Error> {
        let place = self.place();
        self.advance();
        let step = self.name("the loop of a scan")?;
        let down = self.take_word("down");
        let range = if self.take_word("in") {
            let place = self.place();
            if self.integer("'0:'")? != 0 {
                return Err(place.fault(format_args!("the range of {step} must begin at 0")));
            }
            self.expect(":")?;
            Some(self.extent()?)
        } else {
            None
        };
        self.end()?;
        let mut scan = Scan {
            step,
            down,
            range,
            body: Vec::new(),
            inits: Vec::new(),
        };
        loop {
            let here = self.place();
            match self.kind() {
                Kind::StatementEnd => self.advance(),
                Kind::TextEnd => return Err(self.unexpected("'end' of the scan")),
                _ if self.is_end() => break,
                _ if self.is_scan() => return Err(here.fault("a scan inside of a scan")),
                Kind::Word(word) if word == "gradient" || word == "return" => {
                    let word = word.clone();
                    return Err(here.fault(format_args!("'{word}' inside of a scan")));
                }
                Kind::Word(word) if word == "init" && matches!(self.second(), Kind::Word(_)) => {
                    self.advance();
                    let name = self.name("a name of the scan")?;
                    self.expect("=")?;
                    let value = self.first()?;
                    if scan.inits.iter().any(|other| other.name == name) {
                        return Err(here.fault(format_args!("init {name} is there twice")));
                    }
                    let after = scan.body.len();
                    scan.inits.push(Init { name, value, after });
                    self.end()?;
                }
                _ => {
                    scan.body.push(self.assign()?);
                    self.end()?;
                }
            }
        }
        self.advance();
        if scan.body.is_empty() {
            return Err(place.fault("a scan has at least one statement"));
        }
        Ok(Statement::Scan(scan))
    }

    /// The value after `init name =`.
    fn first(&mut self) -> Result<First, Error> {
        let is_negative = self.take("-");
        let sign = if is_negative { -1.0 } else { 1.0 };
        let number = |literal| Ok(First::Number(literal));
        match self.kind().clone() {
            Kind::Integer(integer) => {
                let place = self.place();
                self.advance();
                let signed = i128::from(integer) * if is_negative { -1 } else { 1 };
                match i64::try_from(signed) {
                    Ok(integer) => number(Literal::Integer(integer)),
                    Err(_) => Err(place.fault(format_args!("{signed} does not fit INT64"))),
                }
            }
            Kind::Fraction(fraction) => {
                self.advance();
                number(Literal::Fraction(sign * fraction))
            }
            Kind::Word(word) if word == "inf" => {
                self.advance();
                number(Literal::Fraction(sign * f64::INFINITY))
            }
            Kind::Word(word) if word == "nan" => {
                self.advance();
                number(Literal::Fraction(f64::NAN))
            }
            Kind::Word(word) if !is_negative && (word == "true" || word == "false") => {
                self.advance();
                number(Literal::Bool(word == "true"))
            }
            _ if is_negative => Err(self.unexpected("a number")),
            _ => Ok(First::Tensor(self.name("a number or a name")?)),
        }
    }
}
