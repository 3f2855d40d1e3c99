//! The parser: recursive descent, no deeper than [`MAX_DEPTH`].

mod expression;
mod index;
mod lexer;
mod scan;
mod statement;
pub(crate) mod words;

use crate::ast::{Statement, MAX_DEPTH};
use crate::{stack, Error, ErrorKind};
pub(crate) use expression::precedence;
use lexer::{Kind, Place, Token};

/// A text as statements.
pub(crate) struct Parsed {
    pub statements: Vec<Statement>,
    /// The names after `return`, if there are any.
    pub returned: Option<Vec<String>>,
    /// A bound of the depth of the trees.
    pub depth: usize,
}

/// The statements of a text.
pub(crate) fn parse(text: &str) -> Result<Parsed, Error> {
    let parse = || {
        Parser {
            tokens: lexer::tokens(text)?,
            at: 0,
            depth: 0,
            deepest: 0,
            tallest: 0,
        }
        .program()
    };
    match parse() {
        Err(error) if error.kind() == ErrorKind::StackOverflow => {
            stack::deep(stack::PARSED, parse)?
        }
        result => result,
    }
}

/// Whether a string is a valid name of a tensor or a loop.
pub(crate) fn is_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !words::is_reserved(name)
}

/// Tokens, and the number of consumed ones.
struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// The current depth of recursion, and the greatest so far.
    depth: usize,
    deepest: usize,
    /// The greatest depth of an expression so far.
    tallest: usize,
}

impl Parser {
    fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn place(&self) -> Place {
        self.tokens[self.at].place
    }

    /// The token after the next one.
    fn second(&self) -> &Kind {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].kind
    }

    /// Consumes a token, unless it is the end of the text.
    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.kind(), Kind::Symbol(found) if *found == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(found) if found == word)
    }

    /// Consumes the symbol if it is next.
    fn take(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes the word if it is next.
    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<(), Error> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(format_args!("'{symbol}'")))
        }
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Error> {
        if self.take_word(word) {
            Ok(())
        } else {
            Err(self.unexpected(format_args!("'{word}'")))
        }
    }

    /// Consumes a name that is not a keyword.
    fn name(&mut self, what: &str) -> Result<String, Error> {
        match self.kind() {
            Kind::Word(word) if words::is_reserved(word) => Err(self.place().fault(format_args!(
                "'{word}' is a word of the grammar, expected {what}"
            ))),
            Kind::Word(word) => {
                let word = word.clone();
                self.advance();
                Ok(word)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Names separated by commas, at least one.
    fn names(&mut self, what: &str) -> Result<Vec<String>, Error> {
        let mut names = vec![self.name(what)?];
        while self.take(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    /// Consumes an integer without a sign.
    fn integer(&mut self, what: &str) -> Result<i64, Error> {
        match *self.kind() {
            Kind::Integer(integer) => {
                let integer = i64::try_from(integer).map_err(|_| {
                    self.place()
                        .fault(format_args!("{integer} does not fit INT64"))
                })?;
                self.advance();
                Ok(integer)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// The error if something else was expected.
    fn unexpected(&self, expected: impl std::fmt::Display) -> Error {
        let found = match self.kind() {
            Kind::Word(word) => format!("'{word}'"),
            Kind::Integer(integer) => format!("'{integer}'"),
            Kind::Fraction(fraction) => format!("'{fraction:?}'"),
            Kind::Symbol(symbol) => format!("'{symbol}'"),
            Kind::StatementEnd => "the end of the statement".to_owned(),
            Kind::TextEnd => "the end of the text".to_owned(),
        };
        self.place()
            .fault(format_args!("expected {expected}, found {found}"))
    }

    /// Runs a recursive part; an error if it is too deep.
    fn deeper<T>(
        &mut self,
        part: impl FnOnce(&mut Parser) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.depth == MAX_DEPTH {
            return Err(self.too_deep());
        }
        if !stack::has_room() {
            return Err(Error::stack(0));
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = part(self);
        self.depth -= 1;
        result
    }

    fn too_deep(&self) -> Error {
        self.place().fault(format_args!(
            "nested more than {MAX_DEPTH} deep; give a part of it a name of its own"
        ))
    }
}
