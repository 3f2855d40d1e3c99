//! The keywords, which cannot be names, and the functions among them.

use crate::ast::{Binary, Unary};
use crate::operand::DType;

/// Functions of one operand. The first [`RESERVED`] are words that cannot be names; the others are functions before a parenthesis only, so that
/// no text in which they are names changes its meaning.
pub const UNARY: [(&str, Unary); 41] = [
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
    ("log1p", Unary::Log1p),
    ("expm1", Unary::Expm1),
    ("log2", Unary::Log2),
    ("exp2", Unary::Exp2),
    ("rsqrt", Unary::Rsqrt),
    ("reciprocal", Unary::Reciprocal),
    ("square", Unary::Square),
    ("trunc", Unary::Trunc),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
    ("atan", Unary::Atan),
    ("sinh", Unary::Sinh),
    ("cosh", Unary::Cosh),
    ("asinh", Unary::Asinh),
    ("acosh", Unary::Acosh),
    ("atanh", Unary::Atanh),
    ("softplus", Unary::Softplus),
    ("silu", Unary::Silu),
    ("lgamma", Unary::Lgamma),
    ("digamma", Unary::Digamma),
    ("erfinv", Unary::Erfinv),
    ("isnan", Unary::IsNan),
    ("isinf", Unary::IsInf),
    ("isfinite", Unary::IsFinite),
    ("bitnot", Unary::BitNot),
    ("stored", Unary::Stored),
];

/// The number of functions of one operand that are reserved words, and of those of two.
const RESERVED: [usize; 2] = [14, 2];

/// Functions of two operands.
pub const BINARY: [(&str, Binary); 9] = [
    ("max", Binary::Max),
    ("min", Binary::Min),
    ("atan2", Binary::Atan2),
    ("bitand", Binary::BitAnd),
    ("bitor", Binary::BitOr),
    ("bitxor", Binary::BitXor),
    ("shl", Binary::Shl),
    ("shr", Binary::Shr),
    ("ushr", Binary::Ushr),
];

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

/// The functions whose names are nearest to a word that is none, the nearest first.
pub fn nearest_functions(word: &str) -> Vec<&'static str> {
    let unary = UNARY.iter().map(|&(name, _)| name);
    let binary = BINARY.iter().map(|&(name, _)| name);
    let casts = DType::ALL.map(DType::word);
    let mut names: Vec<&str> = unary
        .chain(binary)
        .chain(casts)
        .chain(["clip", "select", "guard"])
        .collect();
    names.sort_by_key(|name| distance(word, name));
    names.truncate(3);
    names
}

/// The edits that make one word of another (Levenshtein), less the letters with which both begin: these are seldom wrong.
fn distance(a: &str, b: &str) -> i64 {
    let mut row: Vec<i64> = (0..=b.len() as i64).collect();
    for (i, x) in (1..).zip(a.bytes()) {
        let mut diagonal = std::mem::replace(&mut row[0], i);
        for (j, y) in b.bytes().enumerate() {
            let replaced = diagonal + i64::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y);
    row[b.len()] - same.count() as i64
}

/// The type of a cast by its keyword.
pub fn cast(word: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.word() == word)
}

/// Whether a word is a keyword.
pub fn is_reserved(word: &str) -> bool {
    find(&UNARY[..RESERVED[0]], word).is_some()
        || find(&BINARY[..RESERVED[1]], word).is_some()
        || cast(word).is_some()
        || OTHERS.contains(&word)
}
