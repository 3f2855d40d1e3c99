//! The tokens of a text, with their positions.

use crate::Error;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name or a keyword.
    Word(String),
    /// Digits only.
    Integer(u64),
    /// A number with a point or an exponent, or one that overflows a `u64`.
    Fraction(f64),
    /// Brackets, operators, and punctuation, other than the ends of statements.
    Symbol(&'static str),
    /// A semicolon, or the end of a line that ends a statement.
    StatementEnd,
    /// The end of the text.
    TextEnd,
}

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub place: Place,
}

/// The position of a token; both numbers count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// A syntax error at this position.
    pub fn fault(self, what: impl std::fmt::Display) -> Error {
        Error::illegal(format!(
            "line {}, column {}: {what}",
            self.line, self.column
        ))
    }
}

/// All symbols; longer ones before their prefixes.
const SYMBOLS: [&str; 23] = [
    "...", "+=", "*=", "<=", ">=", "==", "!=", "=", "<", ">", "+", "-", "*", "/", "%", "^", "(",
    ")", "[", "]", ",", ":", ";",
];

/// Words after which a statement continues in the next line.
const UNFINISHED: [&str; 9] = [
    "and", "or", "not", "where", "in", "by", "return", "gradient", "seed",
];

/// The tokens of a text; the last one is [`Kind::TextEnd`].
pub fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let mut lexer = Lexer {
        rest: text,
        place: Place { line: 1, column: 1 },
        brackets: 0,
        tokens: Vec::new(),
    };
    while lexer.step()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    place: Place,
    brackets: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    /// Consumes a token, a blank, a comment, or the end of the text; returns whether there is more.
    fn step(&mut self) -> Result<bool, Error> {
        let Some(first) = self.rest.chars().next() else {
            self.push(Kind::TextEnd, 0);
            return Ok(false);
        };
        match first {
            '\n' => {
                if self.brackets == 0 && !self.goes_on() {
                    self.push(Kind::StatementEnd, 0);
                }
                self.rest = &self.rest[1..];
                self.place = Place {
                    line: self.place.line + 1,
                    column: 1,
                };
            }
            '#' => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
            _ if first.is_whitespace() => self.skip(first.len_utf8()),
            'A'..='Z' | 'a'..='z' | '_' => self.word(),
            '0'..='9' => self.number()?,
            '.' if self.rest[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                self.number()?
            }
            _ => self.symbol(first)?,
        }
        Ok(true)
    }

    /// Whether the statement continues after the last token.
    fn goes_on(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            Some(Kind::Symbol(symbol)) => !matches!(*symbol, ")" | "]"),
            Some(Kind::Word(word)) => UNFINISHED.contains(&word.as_str()),
            _ => false,
        }
    }

    fn word(&mut self) {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = self.rest.find(|c| !letter(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        let assigns = rest.starts_with('=') && !rest.starts_with("==");
        match word {
            "max" if assigns => self.push(Kind::Symbol("max="), 4),
            "min" if assigns => self.push(Kind::Symbol("min="), 4),
            _ => self.push(Kind::Word(word.to_owned()), length),
        }
    }

    fn number(&mut self) -> Result<(), Error> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| {
            bytes[from..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count()
        };
        let mut length = digits(0);
        let whole = length;
        if bytes.get(length) == Some(&b'.') {
            length += 1 + digits(length + 1);
        }
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            let exponent = if length + 1 + sign < bytes.len() {
                digits(length + 1 + sign)
            } else {
                0
            };
            if exponent == 0 {
                return Err(self.place.fault("a number whose exponent has no digits"));
            }
            length += 1 + sign + exponent;
        }
        if matches!(bytes.get(length), Some(b'A'..=b'Z' | b'a'..=b'z' | b'_')) {
            let text = &self.rest[..=length];
            return Err(self
                .place
                .fault(format_args!("'{text}' is neither a number nor a name")));
        }
        let text = &self.rest[..length];
        let integer = if length == whole {
            text.parse().ok()
        } else {
            None
        };
        let kind = match integer {
            Some(integer) => Kind::Integer(integer),
            // Rust parses digits, a point and an exponent in the same way.
            None => Kind::Fraction(text.parse().map_err(|_| self.place.fault("not a number"))?),
        };
        self.push(kind, length);
        Ok(())
    }

    fn symbol(&mut self, first: char) -> Result<(), Error> {
        let Some(&symbol) = SYMBOLS
            .iter()
            .find(|symbol| self.rest.starts_with(**symbol))
        else {
            return Err(self.place.fault(format_args!(
                "unexpected character '{}'",
                first.escape_debug()
            )));
        };
        match symbol {
            "(" | "[" => self.brackets += 1,
            ")" | "]" => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        match symbol {
            ";" => self.push(Kind::StatementEnd, 1),
            _ => self.push(Kind::Symbol(symbol), symbol.len()),
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, length: usize) {
        let place = self.place;
        self.tokens.push(Token { kind, place });
        self.skip(length);
    }

    fn skip(&mut self, length: usize) {
        let (skipped, rest) = self.rest.split_at(length);
        self.place.column += skipped.chars().count();
        self.rest = rest;
    }
}
