//! The keywords, which cannot be names, and the functions among them.

use crate::ast::{Binary, Unary};
use crate::operand::DType;

/// Functions of one operand.
pub const UNARY: [(&str, Unary); 14] = [
    ("abs", Unary::Abs),
    ("sqrt", Unary::Sqrt),
    ("exp", Unary::Exp),
    ("log", Unary::Log),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tanh", Unary::Tanh),
    ("sigmoid", Unary::Sigmoid),
    ("relu", Unary::Relu),
    ("erf", Unary::Erf),
    ("floor", Unary::Floor),
    ("ceil", Unary::Ceil),
    ("round", Unary::Round),
    ("sign", Unary::Sign),
];

/// Functions of two operands.
pub const BINARY: [(&str, Binary); 2] = [("max", Binary::Max), ("min", Binary::Min)];

const OTHERS: [&str; 16] = [
    "where", "in", "size", "return", "gradient", "seed", "by", "select", "guard", "and", "or",
    "not", "inf", "nan", "true", "false",
];

/// The value of a keyword in a table.
pub fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table
        .iter()
        .find(|(name, _)| *name == word)
        .map(|&(_, value)| value)
}

/// The keyword of a value in a table; every function is in one.
pub fn word<T: Copy + PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table
        .iter()
        .find(|(_, other)| *other == value)
        .map_or("?", |&(name, _)| name)
}

/// The type of a cast by its keyword.
pub fn cast(word: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.word() == word)
}

/// Whether a word is a keyword.
pub fn is_reserved(word: &str) -> bool {
    find(&UNARY, word).is_some()
        || find(&BINARY, word).is_some()
        || cast(word).is_some()
        || OTHERS.contains(&word)
}
